"""Estimation: least squares, robust losses, identification."""
