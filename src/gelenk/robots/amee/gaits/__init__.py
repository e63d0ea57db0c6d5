"""How AMEE moves as a whole: steps, pulls, gaits, standing up, parking, paths."""
