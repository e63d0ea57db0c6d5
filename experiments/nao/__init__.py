"""What only the table of requirements of NAO's thesis needs."""
