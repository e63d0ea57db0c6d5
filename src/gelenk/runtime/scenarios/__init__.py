"""Scenarios that ship: each module holds one, of the module's name."""
