"""Planar linkages: `fourbar`, `fivebar`, `slider_crank`, and one Jansen leg.

They stand in the x-z plane, angles counted from x towards z. Masses: filled aluminium
bars. Passive joints carry the values of the assembled home configuration, found by
intersecting circles.
"""

from __future__ import annotations

import numpy as np

from gelenk.models.assembler import assemble
from gelenk.models.catalog.shapes import (
    BLUE,
    DENSITY,
    GREEN,
    ORANGE,
    bar,
    box,
    ground,
    heading,
    meet,
    pin,
    point,
    solid,
)
from gelenk.models.link import JointType, Link
from gelenk.models.tree import RobotModel

# Four-bar of the course: ground, crank, coupler, rocker [m]; 1 + 4 < 3.5 + 3, so the
# crank turns all around (Grashof). Home: 60 deg, open assembly.
FOURBAR = (4.0, 1.0, 3.5, 3.0)
# Slider-crank of the course: crank and rod [m]. Home: 60 deg.
SLIDER_CRANK = (0.05, 0.2)
HOME_CRANK = np.deg2rad(60.0)  # [rad]
# Five-bar, chosen: distance of the motors, inner bars, outer bars, home of the tip [m].
FIVEBAR = (0.2, 0.2, 0.25)
FIVEBAR_TIP = (0.0, 0.32)


def make_fourbar() -> RobotModel:
    """Return the four-bar; `coupler_tip`, the tool, is where coupler meets rocker."""
    base, crank, coupler, rocker = FOURBAR
    a = (crank * np.cos(HOME_CRANK), crank * np.sin(HOME_CRANK))
    d = (base, 0.0)
    b = meet(a, coupler, d, rocker, left=True)
    r = 0.06
    links = [
        ground((0.0, 0.0), d, radius=r),
        bar(
            "crank", "base", (0, 0), [(crank, 0)],
            home=HOME_CRANK, joint="joint_1", radius=r, rgba=ORANGE,
        ),
        bar(
            "coupler", "crank", (crank, 0), [(coupler, 0)],
            home=heading(a, b) - HOME_CRANK, layer=1, radius=r, rgba=GREEN,
        ),
        point("coupler_tip", "coupler", (coupler, 0)),
        bar(
            "rocker", "base", d, [(rocker, 0)],
            home=heading(d, b), radius=r, rgba=BLUE,
        ),
    ]  # fmt: skip
    loops = [pin("coupler_rocker", ("coupler", (coupler, 0)), ("rocker", (rocker, 0)))]
    return assemble("fourbar", links, loops=loops, tool="coupler_tip")


def make_fivebar() -> RobotModel:
    """Return the five-bar with elbows outwards; its tool is `tip`."""
    width, inner, outer = FIVEBAR
    links: list[Link] = [ground((-width / 2.0, 0.0), (width / 2.0, 0.0))]
    for side, x, name in ((True, -width / 2.0, "left"), (False, width / 2.0, "right")):
        motor = (x, 0.0)
        elbow = meet(motor, inner, FIVEBAR_TIP, outer, left=side)
        swing = heading(motor, elbow)
        links += [
            bar(
                f"{name}_inner", "base", motor, [(inner, 0)],
                home=swing, joint="joint_1" if side else "joint_2", rgba=ORANGE,
            ),
            bar(
                f"{name}_outer", f"{name}_inner", (inner, 0), [(outer, 0)],
                home=heading(elbow, FIVEBAR_TIP) - swing,
                layer=1 if side else 2, rgba=BLUE,
            ),
        ]  # fmt: skip
    links.append(point("tip", "left_outer", (outer, 0)))
    loops = [pin("tip", ("left_outer", (outer, 0)), ("right_outer", (outer, 0)))]
    return assemble("fivebar", links, loops=loops, tool="tip")


def make_slider_crank() -> RobotModel:
    """Return the slider-crank; its tool is the `slider`, which runs along x."""
    crank, rod = SLIDER_CRANK
    a = (crank * np.cos(HOME_CRANK), crank * np.sin(HOME_CRANK))
    slider = (a[0] + np.sqrt(rod**2 - a[1] ** 2), 0.0)
    r = 0.004
    block = (box((0, 0, 0), (0.03, 0.02, 0.02), BLUE),)
    mass, com, inertia = solid(block, DENSITY)
    links = [
        ground((0.0, 0.0), radius=r),
        bar(
            "crank", "base", (0, 0), [(crank, 0)],
            home=HOME_CRANK, joint="joint_1", radius=r, rgba=ORANGE,
        ),
        bar(
            "rod", "crank", (crank, 0), [(rod, 0)],
            home=heading(a, slider) - HOME_CRANK, layer=1, radius=r, rgba=GREEN,
        ),
        Link(
            name="slider",
            parent="base",
            joint="slider_slide",
            joint_type=JointType.PRISMATIC,
            axis=(1.0, 0.0, 0.0),
            mass=mass,
            com=com,
            inertia=inertia,
            is_passive=True,
            home=float(slider[0]),
            geometry=block,
        ),
    ]  # fmt: skip
    loops = [pin("rod_slider", ("rod", (rod, 0)), ("slider", (0.0, 0.0)))]
    return assemble("slider_crank", links, loops=loops, tool="slider")


UNIT = 0.01  # [m]
# fmt: off
LENGTHS = {  # [UNIT]
    "a": 38.0, "b": 41.5, "c": 39.3, "d": 40.1, "e": 55.8, "f": 39.4, "g": 36.7,
    "h": 65.7, "i": 49.0, "j": 50.0, "k": 61.9, "l": 7.8, "m": 15.0,
}
# fmt: on
JANSEN_HOME = 0.0  # [rad]


def make_jansen() -> RobotModel:
    """Return the leg; `joint_1` is the crank.

    Bar lengths as published by T. Jansen (strandbeest.com, video "The Legsystem"); the
    unit is arbitrary, here 1 cm. The crank's axle is the origin; the second fixed pivot
    lies `a` to the left of it and `l` below. Masses: filled aluminium bars. Tool:
    `foot`.

        W top       b: pivot-W, d: pivot-V, e: V-W         (upper triangle)
        V knee      j: crank pin-W, k: crank pin-U
        U hip       c: pivot-U, f: V-T
        T ankle     g: T-U, h: T-foot, i: U-foot            (lower triangle)
    """
    n = {key: value * UNIT for key, value in LENGTHS.items()}
    pivot = (-n["a"], -n["l"])
    crank_pin = (n["m"] * np.cos(JANSEN_HOME), n["m"] * np.sin(JANSEN_HOME))
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
            home=JANSEN_HOME, joint="joint_1", rgba=ORANGE,
        ),
        bar(
            "upper_rod", "crank", (n["m"], 0), [(n["j"], 0)],
            home=heading(crank_pin, top) - JANSEN_HOME, layer=1,
        ),
        bar(
            "lower_rod", "crank", (n["m"], 0), [(n["k"], 0)],
            home=heading(crank_pin, hip) - JANSEN_HOME, layer=2,
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
