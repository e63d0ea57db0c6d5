"""Motions written down in a file: read, checked, mirrored, played joint by joint."""
