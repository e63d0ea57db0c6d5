"""Behaviour: who decides what a robot does next, and when."""
