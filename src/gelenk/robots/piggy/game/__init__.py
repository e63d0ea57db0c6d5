"""Piggy in the middle: people, referee, eyes for people, choice, the running game."""
