"""Experiments of the theses, repeated beside what was printed; not in the package."""
