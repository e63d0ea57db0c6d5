"""The three-dimensional view: camera, drawable parts, and two ways to draw them.

The simulation knows nothing of it: parts are made from what an environment and robots
say, and drawn where a world says they are.
"""
