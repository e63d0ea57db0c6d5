"""Arms of the catalogue that draw curves: kinematics to look at."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gelenk.runtime.panel_actions import NumberField
from gelenk.runtime.scene import LiveScene, SceneSpec, Settings
from gelenk.typing import FloatArray

if TYPE_CHECKING:
    from gelenk.models.tree import RobotModel

GROUP = "Kinematics"
PERIOD = 0.01  # [s]
ROUND = 6.0  # [s], one round of a curve
SIZES = (0.2, 0.1, 0.05)  # half width of a curve, as a part of the robot's extent
NUM_POSES = 120  # of one round, joint values between them are interpolated
MAX_JUMP = 0.3  # [rad] or [m] between two poses; more is another branch
ARMS = {
    "ur5e": ("UR5e", "Six axes draw a figure eight with a constant tool direction."),
    "panda": ("Panda", "Seven axes draw a figure eight; one of them is to spare."),
    "scara": ("SCARA", "Two hinges and a lift draw a figure eight."),
    "puma560": ("Puma 560", "The classic six-axis arm draws a figure eight."),
    "delta": ("Delta", "Three arms in closed chains carry one plate."),
    "stewart": ("Stewart platform", "Six legs tilt and lift one plate."),
}


def scene_of_robot(name: str) -> SceneSpec:
    """Return the scene in which a robot follows a curve.

    Args:
        name: Name of the catalogue, or path of a robot file.
    """
    title, text = ARMS.get(name, (Path(name).name, "The tool follows a closed curve."))
    return SceneSpec(
        name=name,
        title=title,
        summary=text,
        group=GROUP,
        make=partial(make_arm, name),
    )


def scene_of_file(path: Path) -> SceneSpec:
    """Return the scene in which the robot of a file follows a curve."""
    return scene_of_robot(str(path))


def make_arm(name: str, seed: int, settings: Settings) -> LiveScene:
    """Build a robot whose tool follows a closed curve.

    Args:
        name: Name of the catalogue, or path of a robot file.
        seed: Seed of the world.
        settings: Nothing can be set before it is built.
    """
    from gelenk.models.load import load
    from gelenk.runtime.controller import PureController
    from gelenk.runtime.run import Run
    from gelenk.sim import Ground, IdealMotor, Robot, World, WorldConfig

    model, robot_name = load(name), Path(name).stem
    q, what = plan_curve(model)
    world = World(WorldConfig(step=0.002), seed=seed)
    world.add(Ground())
    T_world_base = np.eye(4)
    T_world_base[2, 3] = max(0.0, -lowest_point(model, q))
    robot = Robot(
        name=robot_name,
        model=model,
        T_world_base=T_world_base,
        motors=IdealMotor(max_speed=20.0),
        q=q[0],
        mend_inertias=True,
        colliding_links=(),
    )
    world.add(robot)
    rate = [1.0]  # rounds per ROUND, changed between two ticks

    def step(path: FloatArray, phase: float, _: None) -> tuple[float, FloatArray]:
        phase = (phase + rate[0] * PERIOD / ROUND) % 1.0
        return phase, interpolate(path, phase)

    n = model.num_joints
    controller: Any = PureController(
        name="curve",
        robot=robot_name,
        cfg=q[:, -n:],
        initial=0.0,
        observe=lambda view: None,
        step=step,
        apply=lambda view, command: view.world.command(robot_name, command),
    )
    run = Run(world, [controller], period=PERIOD, pace=1.0)

    def set_rate(value: Any) -> None:
        rate[0] = float(value)

    return LiveScene(
        run=run,
        world=world,
        title=what,
        parameters=(
            NumberField(
                name="rate",
                title="Speed of the curve",
                default=1.0,
                unit="x",
                minimum=0.0,
                maximum=3.0,
                help=f"1: one round in {ROUND:g} s. Takes effect at once.",
            ),
        ),
        setters={"rate": set_rate},
    )


def lowest_point(model: RobotModel, q: FloatArray) -> float:
    """Return how far down a robot reaches on its path, from its base [m].

    Args:
        model: The robot.
        q: Configurations, shape (k, nq).
    """
    from gelenk.kinematics.forward import link_poses
    from gelenk.ui.scene_encoder import corners_of

    Ts_base_link = np.asarray(link_poses(model, q[:: max(len(q) // 12, 1)]))
    lowest = 0.0
    for i, shapes in enumerate(model.geometry):
        for shape in shapes:
            T = Ts_base_link[:, i] @ np.asarray(shape.T_link_geometry)
            corners = corners_of(shape.kind, shape.size)
            heights = T[:, 2, :3] @ corners.T + T[:, 2, 3:4]
            lowest = min(lowest, float(heights.min()))
    return lowest


def interpolate(path: FloatArray, phase: float) -> FloatArray:
    """Return the point of a closed path at a phase.

    Args:
        path: Points, shape (k, n).
        phase: 0 to 1, once round.
    """
    place = phase * len(path)
    i, share = int(place) % len(path), place - int(place)
    return (1.0 - share) * path[i] + share * path[(i + 1) % len(path)]


def plan_curve(model: RobotModel) -> tuple[FloatArray, str]:
    """Return joint values of a closed curve and what it is.

    It is a figure eight of the tool in the base's y-z plane, as large as the robot can
    follow, or else a swing of all joints.

    Returns:
        q, shape (k, nq), and "figure eight" or "joint swing".
    """
    T_home = np.asarray(model.forward(model.home_configuration))
    extent = max(float(np.linalg.norm(T_home[:3, 3])), 0.01)
    for size in SIZES:
        q = _follow(model, T_home, size * extent)
        if q is not None:
            return q, "figure eight"
    return _swing(model), "joint swing"


def _follow(model: RobotModel, T_home: FloatArray, size: float) -> FloatArray | None:
    """Return joint values of a figure eight; None where the robot cannot follow."""
    q = np.array(model.home_configuration)
    found: list[FloatArray] = []
    for t in np.linspace(0.0, 2.0 * np.pi, NUM_POSES, endpoint=False):
        T = np.array(T_home)
        T[1, 3] += size * np.sin(t)
        T[2, 3] += size * np.sin(t) * np.cos(t)
        result = model.inverse(T, q0=q)
        if not result.converged:
            return None
        jump = float(np.abs(result.q - q).max())
        if found and jump > MAX_JUMP:
            return None
        q = result.q
        found.append(q)
    path = np.array(found)
    is_closed = float(np.abs(path[0] - path[-1]).max()) < MAX_JUMP
    return path if is_closed else None


def _swing(model: RobotModel) -> FloatArray:
    """Return a slow oscillation of all joints around home, within their limits."""
    home, n = model.home_configuration, model.num_joints
    lower, upper = np.clip(model.limits, -np.pi, np.pi)
    room = np.minimum(upper - home[-n:], home[-n:] - lower)
    amplitude = np.clip(0.5 * room, 0.0, 0.5)
    t = np.linspace(0.0, 2.0 * np.pi, NUM_POSES, endpoint=False)[:, None]
    q = np.tile(home, (NUM_POSES, 1))
    q[:, -n:] += amplitude * np.sin(t + np.linspace(0.0, np.pi, n))
    return q


SCENES = tuple(scene_of_robot(name) for name in ARMS)
