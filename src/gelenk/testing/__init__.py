"""Random robots, oracles, strategies and benchmarks; imported by no other layer."""
