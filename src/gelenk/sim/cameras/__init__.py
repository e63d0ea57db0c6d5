"""Rendered cameras: descriptions, off-screen drawing, lens, sensor, timing."""
