"""Motions over time."""
