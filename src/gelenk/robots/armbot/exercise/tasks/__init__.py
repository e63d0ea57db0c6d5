"""The exercises, one topic per file."""
