"""Benchmarks: figures with targets, measured against other libraries side by side."""
