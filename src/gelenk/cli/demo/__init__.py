"""The demonstration behind `gelenk run`: an arm at work, in a terminal."""
