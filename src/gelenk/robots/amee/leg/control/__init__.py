"""Control layer: one record and a few automata per actor."""
