"""Scenarios of the course from end to end: one module each, `run(seed)` its trial."""
