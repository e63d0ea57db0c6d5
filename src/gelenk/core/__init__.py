"""Robot mathematics: pure functions over float64 arrays, compiled inner loops."""
