"""One module per area: `TITLE`, one line, and `FIGURES`, what is measured in turn."""
