"""NAO: a robot that calibrates its legs and its camera by looking at its feet.

Angles of the body are vectors of 22 values in B-Human's order and signs, see `joints`.
"""
