"""What a calibration came to, for people: a page with pictures, and JSON."""
