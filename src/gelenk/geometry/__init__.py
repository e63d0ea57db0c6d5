"""Plane geometry: polygons and what they are cut into."""
