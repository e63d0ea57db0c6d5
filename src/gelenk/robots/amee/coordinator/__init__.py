"""The main controller: knows which legs take part, what they say, and what it means."""
