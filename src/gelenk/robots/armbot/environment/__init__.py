"""The environment file: a text that says what stands in a cell and who works there."""
