"""Point clouds: files, trees, surfaces, planes, alignment."""
