"""Closed chains: patterns with a closed form, and the general case."""
