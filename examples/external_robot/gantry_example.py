"""Gantry with three sliders: a robot and a scene that a package adds to Gelenk.

Once installed, `gelenk list` has both, `gelenk robot gantry` describes the robot,
`gelenk open gantry/sway` shows the scene and `gelenk run gantry/sway` computes it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gelenk.models import JointType, Link, RobotModel, assemble
from gelenk.models.catalog.registry import RobotSpec
from gelenk.models.catalog.shapes import box
from gelenk.runtime import LiveScene, SceneSpec
from gelenk.runtime.scene import Settings

PERIOD = 0.01  # [s]
HEIGHT = 1.2  # [m], of the rails


def make_gantry() -> RobotModel:
    """Return a gantry whose tool reaches 1 m x 0.8 m x 0.6 m."""
    limits = {"x": (-0.5, 0.5), "y": (-0.4, 0.4), "z": (-0.6, 0.0)}
    links = [Link(name="rails", geometry=(box((0, 0, HEIGHT), (1.2, 0.06, 0.06)),))]
    start = np.eye(4)
    start[2, 3] = HEIGHT
    for axis, (name, (lower, upper)) in zip(np.eye(3), limits.items(), strict=True):
        size = np.where(axis > 0.0, 0.3, 0.08)
        links.append(
            Link(
                name=f"slider_{name}",
                parent=links[-1].name,
                joint=name,
                joint_type=JointType.PRISMATIC,
                T_parent_joint=start,
                axis=axis,
                mass=2.0,
                inertia=0.01 * np.eye(3),
                lower=lower,
                upper=upper,
                max_velocity=1.0,
                geometry=(box((0, 0, 0), tuple(size)),),
            )
        )
        start = np.eye(4)
    return assemble("gantry", links, tool="slider_z")


def make_sway(seed: int, settings: Settings) -> LiveScene:
    """Build a world in which the gantry sways; what is heavy is imported here."""
    from gelenk.runtime.controller import PureController
    from gelenk.runtime.run import Run
    from gelenk.sim import Ground, IdealMotor, Robot, World

    world = World(seed=seed)
    world.add(Ground())
    motors = IdealMotor(max_speed=5.0)
    world.add(Robot(name="gantry", model=make_gantry(), motors=motors))

    def sway(time: float) -> list[float]:
        return [0.4 * math.sin(time), 0.3 * math.sin(2.0 * time), -0.3]

    controller: Any = PureController(
        name="sway",
        robot="gantry",
        cfg=None,
        initial=0.0,
        observe=lambda view: None,
        step=lambda cfg, time, _: (time + PERIOD, sway(time)),
        apply=lambda view, q: view.world.command("gantry", q),
    )
    return LiveScene(run=Run(world, [controller], period=PERIOD, pace=1.0), world=world)


ROBOT = RobotSpec(
    name="gantry",
    title="Gantry with three sliders",
    joints="PPP",
    provenance="numbers chosen for this example",
    make=make_gantry,
)
SCENES = (
    SceneSpec(
        name="gantry/sway",
        title="Gantry sways",
        summary="Three sliders carry a tool along a figure eight.",
        group="Examples",
        make=make_sway,
    ),
)

if __name__ == "__main__":
    p_base_tool = make_gantry().forward([0.0, 0.0, 0.0])[:3, 3]
    print(f"the tool of the {ROBOT.name} at home: {p_base_tool} m")
