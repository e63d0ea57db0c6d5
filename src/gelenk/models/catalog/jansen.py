"""One leg of Theo Jansen's Strandbeest: a crank, two triangles, five bars in all.

Bar lengths as published by T. Jansen (strandbeest.com, video "The Legsystem"); the unit
is arbitrary, here 1 cm. The crank's axle is the origin; the second fixed pivot lies `a`
to the left of it and `l` below. Masses: filled aluminium bars. Tool: `foot`.

    W top       b: pivot-W, d: pivot-V, e: V-W         (upper triangle)
    V knee      j: crank pin-W, k: crank pin-U
    U hip       c: pivot-U, f: V-T
    T ankle     g: T-U, h: T-foot, i: U-foot            (lower triangle)
"""

from __future__ import annotations

import numpy as np

from gelenk.models.assemble import assemble
from gelenk.models.catalog._bars import bar, ground, heading, meet, pin, point
from gelenk.models.catalog._shapes import BLUE, GREEN, ORANGE
from gelenk.models.tree import RobotModel

UNIT = 0.01  # [m]
# fmt: off
LENGTHS = {  # [UNIT]
    "a": 38.0, "b": 41.5, "c": 39.3, "d": 40.1, "e": 55.8, "f": 39.4, "g": 36.7,
    "h": 65.7, "i": 49.0, "j": 50.0, "k": 61.9, "l": 7.8, "m": 15.0,
}
# fmt: on
HOME_CRANK = 0.0  # [rad]


def make_jansen() -> RobotModel:
    """Return the leg; `joint_1` is the crank."""
    n = {key: value * UNIT for key, value in LENGTHS.items()}
    pivot = (-n["a"], -n["l"])
    crank_pin = (n["m"] * np.cos(HOME_CRANK), n["m"] * np.sin(HOME_CRANK))
    top = meet(pivot, n["b"], crank_pin, n["j"], left=True)
    hip = meet(pivot, n["c"], crank_pin, n["k"], left=False)
    knee = meet(pivot, n["d"], top, n["e"], left=True)
    ankle = meet(knee, n["f"], hip, n["g"], left=False)
    # Third corners in the frames of the triangles: x along pivot-top and hip-ankle.
    knee_in_upper = meet((0, 0), n["d"], (n["b"], 0), n["e"], left=True)
    foot_in_lower = meet((0, 0), n["i"], (n["g"], 0), n["h"], left=True)

    upper, lower, rocker = heading(pivot, top), heading(hip, ankle), heading(pivot, hip)
    links = [
        ground((0.0, 0.0), pivot),
        bar(
            "crank", "base", (0, 0), [(n["m"], 0)],
            home=HOME_CRANK, joint="joint_1", rgba=ORANGE,
        ),
        bar(
            "upper_rod", "crank", (n["m"], 0), [(n["j"], 0)],
            home=heading(crank_pin, top) - HOME_CRANK, layer=1,
        ),
        bar(
            "lower_rod", "crank", (n["m"], 0), [(n["k"], 0)],
            home=heading(crank_pin, hip) - HOME_CRANK, layer=2,
        ),
        bar(
            "upper_triangle", "base", pivot, [(n["b"], 0), knee_in_upper],
            home=upper, rgba=BLUE,
        ),
        bar(
            "rear_rod", "upper_triangle", knee_in_upper, [(n["f"], 0)],
            home=heading(knee, ankle) - upper, layer=1,
        ),
        bar("rocker", "base", pivot, [(n["c"], 0)], home=rocker, layer=1),
        bar(
            "lower_triangle", "rocker", (n["c"], 0), [(n["g"], 0), foot_in_lower],
            home=lower - rocker, rgba=GREEN,
        ),
        point("foot", "lower_triangle", foot_in_lower),
    ]  # fmt: skip
    loops = [
        pin("top", ("upper_rod", (n["j"], 0)), ("upper_triangle", (n["b"], 0))),
        pin("hip", ("lower_rod", (n["k"], 0)), ("rocker", (n["c"], 0))),
        pin("ankle", ("rear_rod", (n["f"], 0)), ("lower_triangle", (n["g"], 0))),
    ]
    return assemble("jansen", links, loops=loops, tool="foot")
