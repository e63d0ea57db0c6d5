"""Honest contact on a soft engine: exact bounce, sliding without hops.

MuJoCo finds contacts and holds bodies at rest; here are the two things it does not do.
A collision faster than a threshold is stepped to its instant and answered by an impulse
with the demanded coefficient of restitution and Coulomb friction (`scan`, `impulse`).
A body that slides gets a normal force that does not lift it (`slide`). `tick` puts them
together. All of it is compiled and keeps no memory between ticks.
"""
