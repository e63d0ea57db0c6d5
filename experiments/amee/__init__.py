"""The experiments of the thesis that need one leg, or only mathematics."""
