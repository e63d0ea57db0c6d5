"""Logic layer: commands, steps, lines, ground contact."""
