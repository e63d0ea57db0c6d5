"""Arms of the catalogue that draw curves: kinematics to look at."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gelenk.runtime.panel_actions import NumberField
from gelenk.runtime.scene import LiveScene, SceneSpec, Settings
from gelenk.typing import BoolArray, FloatArray

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
    """Return the scene that shows the robot of a file, a slider for each joint."""
    from gelenk.ui.gallery_files import scene_of_robot_file

    return scene_of_robot_file(path)


def make_arm(name: str, seed: int, settings: Settings) -> LiveScene:
    """Build a robot whose tool follows a closed curve.

    Args:
        name: Name of the catalogue, or path of a robot file.
        seed: Seed of the world.
        settings: Nothing can be set before it is built.
    """
    from gelenk.models.loader import load
    from gelenk.runtime.controller import PureController
    from gelenk.runtime.run import Run
    from gelenk.sim.config import WorldConfig
    from gelenk.sim.fixed_objects import Ground
    from gelenk.sim.motors.descriptions import IdealMotor
    from gelenk.sim.robot import Robot
    from gelenk.sim.world import World

    model, robot_name = load(name), Path(name).stem
    q, kind = plan_curve(model)
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
        title=kind,
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


def lowest_point(
    model: RobotModel, q: FloatArray, R_world_base: FloatArray | None = None
) -> float:
    """Return how far down a robot reaches on its path, at most 0, from its base [m].

    Args:
        model: The robot.
        q: Configurations, shape (k, nq).
        R_world_base: Orientation of the base, shape (3, 3); None: upright.
    """
    from gelenk.kinematics.forward import link_poses
    from gelenk.models.shapes import mesh_of
    from gelenk.ui.scene_encoder import corners_of

    Ts_base_link = np.asarray(link_poses(model, q[:: max(len(q) // 12, 1)]))
    down = np.eye(3)[2] if R_world_base is None else R_world_base[2]
    lowest = 0.0
    for i, shapes in enumerate(model.geometry):
        for shape in shapes:
            T = Ts_base_link[:, i] @ np.asarray(shape.T_link_geometry)
            mesh = mesh_of(shape) if shape.kind == "mesh" else None
            bounds = [] if mesh is None else mesh.bounds.ravel().tolist()
            corners = corners_of(shape.kind, shape.size, bounds)
            heights = (T[:, :3, :3] @ corners.T + T[:, :3, 3:]).swapaxes(1, 2) @ down
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
    """Return joint values of a closed curve, and "figure eight" or "joint swing".

    Args:
        model: Robot.

    Returns:
        Configurations, shape (k, nq), and the kind of the curve.
    """
    path = figure_eight(model, NUM_POSES, is_closed=True)
    if path is None:
        return joint_swing(model, NUM_POSES), "joint swing"
    return path.q, path.kind


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ToolPath:
    """Poses of a closed path of a tool, and joint values that follow them.

    Attributes:
        kind: "figure eight" or "joint swing".
        T_base_tool: Wanted poses, shape (k, 4, 4).
        q: Joint values found, shape (k, nq).
        converged: Whether each pose was met, shape (k,).
        position_error: Distance from each wanted pose [m], shape (k,).
    """

    kind: str
    T_base_tool: FloatArray
    q: FloatArray
    converged: BoolArray
    position_error: FloatArray


def figure_eight(
    model: RobotModel, num_poses: int, *, is_closed: bool = False
) -> ToolPath | None:
    """Return a figure eight around the home pose, as large as the robot can follow.

    Args:
        model: Robot.
        num_poses: Number of poses of one round.
        is_closed: Whether the joints, too, must end where they began.

    Returns:
        Path in the base's y-z plane; None if the robot cannot follow any.
    """
    T_home = np.asarray(model.forward(model.home_configuration))
    extent = max(float(np.linalg.norm(T_home[:3, 3])), 0.01)
    t = np.linspace(0.0, 2.0 * np.pi, num_poses, endpoint=False)
    for size in SIZES:
        T = np.tile(T_home, (num_poses, 1, 1))
        T[:, 1, 3] += size * extent * np.sin(t)
        T[:, 2, 3] += size * extent * np.sin(t) * np.cos(t)
        path = follow_poses(model, "figure eight", T, is_smooth=True)
        if path is None:
            continue
        if not is_closed or np.abs(path.q[0] - path.q[-1]).max() < MAX_JUMP:
            return path
    return None


def follow_poses(
    model: RobotModel, kind: str, T_base_tool: FloatArray, *, is_smooth: bool = False
) -> ToolPath | None:
    """Return joint values for poses of the tool, each solved from the one before.

    Args:
        model: Robot.
        kind: Kind of the path, in words.
        T_base_tool: Wanted poses, shape (k, 4, 4).
        is_smooth: Whether to give up, with None, where a pose is not met or a joint
            jumps.
    """
    q = np.array(model.home_configuration)
    found: list[FloatArray] = []
    converged: list[bool] = []
    errors: list[float] = []
    for T in T_base_tool:
        result = model.inverse(T, q0=q)
        if is_smooth:
            has_jumped = found and float(np.abs(result.q - q).max()) > MAX_JUMP
            if has_jumped or not result.converged:
                return None
        q = result.q
        found.append(q)
        converged.append(result.converged)
        errors.append(result.position_error)
    return ToolPath(
        kind=kind,
        T_base_tool=T_base_tool,
        q=np.array(found),
        converged=np.array(converged),
        position_error=np.array(errors),
    )


def joint_swing(model: RobotModel, num_poses: int) -> FloatArray:
    """Return a slow oscillation of all joints around home, within their limits.

    Args:
        model: Robot.
        num_poses: Number of configurations of one round.

    Returns:
        Configurations, shape (num_poses, nq).
    """
    home, n = model.home_configuration, model.num_joints
    lower, upper = np.clip(model.limits, -np.pi, np.pi)
    room = np.minimum(upper - home[-n:], home[-n:] - lower)
    amplitude = np.clip(0.5 * room, 0.0, 0.5)
    t = np.linspace(0.0, 2.0 * np.pi, num_poses, endpoint=False)[:, None]
    q = np.tile(home, (num_poses, 1))
    q[:, -n:] += amplitude * np.sin(t + np.linspace(0.0, np.pi, n))
    return q


SCENES = tuple(scene_of_robot(name) for name in ARMS)
