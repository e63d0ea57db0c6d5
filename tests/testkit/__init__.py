"""Tools of the tests: random robots, oracles, strategies, scenes and wrong answers."""
