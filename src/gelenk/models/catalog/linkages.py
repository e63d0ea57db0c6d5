"""Planar linkages with one loop: `fourbar`, `fivebar`, `slider_crank`.

They stand in the x-z plane, angles counted from x towards z. Masses: filled aluminium
bars. Passive joints carry the values of the assembled home configuration, found by
intersecting circles.
"""

from __future__ import annotations

import numpy as np

from gelenk.models.assemble import assemble
from gelenk.models.catalog._bars import (
    DENSITY,
    bar,
    ground,
    heading,
    meet,
    pin,
    point,
)
from gelenk.models.catalog._shapes import BLUE, GREEN, ORANGE, box, solid
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
