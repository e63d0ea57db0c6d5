"""Scene with two cameras: one stands, one is on the wrist of a moving arm."""

from __future__ import annotations

from typing import Any

import numpy as np

from gelenk.runtime.scene import LiveScene, SceneSpec, Settings
from gelenk.typing import FloatArray

ARM = "ur5e"
BASE = (-0.75, 0.0, 0.0)  # [m], of the arm
TABLE = (0.75, 0.5)  # [m], half edges of the table
MIDDLE = (0.25, 0.0)  # [m]
BALLS = 8
RADIUS = 0.0286  # [m]
PERIOD = 0.01  # [s]


def make_cameras(seed: int, settings: Settings) -> LiveScene:
    """Build a table with balls, an arm that looks at it, and two cameras."""
    from gelenk.models.loader import load
    from gelenk.runtime.controller import PureController
    from gelenk.runtime.run import Run
    from gelenk.sim.cameras.description import Camera
    from gelenk.sim.config import WorldConfig
    from gelenk.sim.fixed_objects import Ground
    from gelenk.sim.motors.descriptions import IdealMotor
    from gelenk.sim.robot import Robot
    from gelenk.sim.world import World
    from gelenk.ui.gallery_arms import ROUND, interpolate, plan_curve
    from gelenk.vision.camera import Intrinsics

    model = load(ARM)
    q, _ = plan_curve(model)
    world = World(WorldConfig(step=0.001), seed=seed)
    world.add(Ground(friction=0.0, torsion=0.0, rolling=0.0, tile_size=0.25))
    _add_table(world, np.random.default_rng(seed))
    T_world_base = np.eye(4)
    T_world_base[:3, 3] = BASE
    world.add(
        Robot(
            name=ARM,
            model=model,
            T_world_base=T_world_base,
            motors=IdealMotor(max_speed=20.0),
            q=q[0],
            mend_inertias=True,
            colliding_links=(),
        )
    )
    T_world_top = np.diag([1.0, -1.0, -1.0, 1.0])
    T_world_top[:3, 3] = (*MIDDLE, 1.9)
    world.add(
        Camera(
            name="above",
            intrinsics=Intrinsics.from_field_of_view(
                width=480, height=360, horizontal=0.95
            ),
            T_parent_camera=T_world_top,
            rate=20.0,
            color="rgb",
            samples=1,
        )
    )
    world.add(
        Camera(
            name="wrist",
            intrinsics=Intrinsics.from_field_of_view(
                width=320, height=240, horizontal=1.2
            ),
            parent=f"{ARM}/{model.link_names[-1]}",
            T_parent_camera=_wrist_pose(model, q[0], T_world_base),
            rate=20.0,
            color="rgb",
            samples=1,
        )
    )

    def step(path: FloatArray, phase: float, _: None) -> tuple[float, FloatArray]:
        phase = (phase + PERIOD / ROUND) % 1.0
        return phase, interpolate(path, phase)

    controller: Any = PureController(
        name="curve",
        robot=ARM,
        cfg=q[:, -model.num_joints :],
        initial=0.0,
        observe=lambda view: None,
        step=step,
        apply=lambda view, command: view.world.command(ARM, command),
    )
    run = Run(world, [controller], period=PERIOD, pace=1.0)
    return LiveScene(
        run=run, world=world, eye=(2.0, -2.5, 2.2), focus=(0.05, 0.0, 0.55)
    )


def _wrist_pose(model: Any, q: FloatArray, T_world_base: FloatArray) -> FloatArray:
    """Return where a camera on the last link looks at the middle of the table."""
    from gelenk.kinematics.forward import link_poses
    from gelenk.sim.cameras.description import looking_at

    T_world_link = T_world_base @ np.asarray(link_poses(model, q))[-1]
    place = T_world_link[:3, 3] + [0.0, 0.0, 0.06]
    T_world_camera = looking_at(place, [*MIDDLE, 0.0])
    return np.linalg.inv(T_world_link) @ T_world_camera


def _add_table(world: Any, rng: np.random.Generator) -> None:
    from gelenk.sim.fixed_objects import Box
    from gelenk.sim.scene_object import Ball
    from gelenk.ui.gallery_worlds import COLORS

    slick: dict[str, Any] = {"friction": 0.0, "torsion": 0.0, "rolling": 0.0}
    (x, y), wall = TABLE, 0.06
    for name, dx, dy, size in (
        ("east", x + 0.5 * wall, 0.0, (wall, 2.0 * y + 2.0 * wall)),
        ("west", -x - 0.5 * wall, 0.0, (wall, 2.0 * y + 2.0 * wall)),
        ("north", 0.0, y + 0.5 * wall, (2.0 * x, wall)),
        ("south", 0.0, -y - 0.5 * wall, (2.0 * x, wall)),
    ):
        world.add(
            Box(
                name=f"cushion_{name}",
                position=(MIDDLE[0] + dx, MIDDLE[1] + dy, 0.5 * wall),
                size=(*size, wall),
                restitution=1.0,
                rgba=(0.36, 0.22, 0.14, 1.0),
                **slick,
            )
        )
    for k in range(BALLS):
        vx, vy = rng.normal(0.0, 0.4, 2)
        world.add(
            Ball(
                name=f"ball_{k + 1}",
                radius=RADIUS,
                mass=0.17,
                restitution=1.0,
                position=(
                    MIDDLE[0] + 0.3 * (k % 4) - 0.45,
                    MIDDLE[1] + 0.4 * (k // 4) - 0.2,
                    RADIUS,
                ),
                velocity=(float(vx), float(vy), 0.0),
                rgba=COLORS[k % len(COLORS)],
                **slick,
            )
        )


CAMERAS = SceneSpec(
    name="cameras",
    title="Cameras",
    summary="A table seen from above, and from the wrist of an arm that moves over it.",
    group="World",
    make=make_cameras,
)
