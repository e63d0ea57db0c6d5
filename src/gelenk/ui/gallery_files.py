"""Robot files on the page: the robot as it is, a slider for each joint."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from gelenk.models.link import JointType
from gelenk.runtime.panel_actions import NumberField
from gelenk.runtime.scene import LiveScene, SceneSpec, Settings
from gelenk.spatial.quaternion import matrix_from_quaternion
from gelenk.typing import FloatArray
from gelenk.ui.gallery_arms import PERIOD, lowest_point

if TYPE_CHECKING:
    from gelenk.models.tree import RobotModel

GROUP = "Files"
SPEED = 3.0  # [rad/s], [m/s], at which joints follow their sliders
ENDLESS = np.pi  # [rad], to either side, of hinges without limits
FAR = 1.0  # [m], to either side, of slides without limits


def scene_of_robot_file(path: Path) -> SceneSpec:
    """Return the scene that shows the robot of a file at its home."""
    return SceneSpec(
        name=str(path),
        title=path.name,
        summary="The robot at its home; a slider for each joint.",
        group=GROUP,
        make=partial(make_viewer, str(path)),
    )


def make_viewer(name: str, seed: int, settings: Settings) -> LiveScene:
    """Build a robot that stands still until its joints are moved by hand.

    Nothing touches, and a base that could float is held.

    Args:
        name: Path of a robot file, or name of a robot.
        seed: Seed of the world.
        settings: Joint values that differ from those of the home, by name of the joint.
    """
    from gelenk.models.loader import load
    from gelenk.runtime.controller import PureController
    from gelenk.runtime.run import Run
    from gelenk.sim.config import WorldConfig
    from gelenk.sim.fixed_objects import Ground
    from gelenk.sim.motors.descriptions import IdealMotor
    from gelenk.sim.robot import Robot
    from gelenk.sim.world import World

    loaded = load(name)
    model, robot = hold_base(loaded), Path(name).stem
    fields = joint_fields(model, settings)
    target = np.array([field.default for field in fields])
    world = World(WorldConfig(step=0.002), seed=seed)
    world.add(Ground())
    world.add(
        Robot(
            name=robot,
            model=model,
            T_world_base=standing_pose(loaded, model),
            motors=IdealMotor(max_speed=SPEED) if model.num_joints else None,
            q=target.copy(),
            mend_inertias=True,
            colliding_links=(),
        )
    )
    controller: Any = PureController(
        name="sliders",
        robot=robot,
        cfg=target,
        initial=None,
        observe=lambda view: None,
        step=lambda wanted, state, seen: (state, wanted.copy()),
        apply=lambda view, command: view.world.command(robot, command),
    )
    return LiveScene(
        run=Run(world, [controller] if len(target) else [], period=PERIOD, pace=1.0),
        world=world,
        title="Joints",
        parameters=fields,
        setters={field.name: _setter(target, i) for i, field in enumerate(fields)},
    )


def _setter(target: FloatArray, index: int) -> Callable[[Any], None]:
    def set_value(value: Any) -> None:
        target[index] = float(value)

    return set_value


def hold_base(model: RobotModel) -> RobotModel:
    """Return a robot whose base is fixed where it could float.

    Args:
        model: The robot.
    """
    if not model.has_floating_base:
        return model
    kinds = model.joint_type.copy()
    kinds[0] = JointType.FIXED
    return replace(model, joint_type=kinds, poses=MappingProxyType({}))


def standing_pose(loaded: RobotModel, held: RobotModel) -> FloatArray:
    """Return where the base stands so that nothing is below the floor, shape (4, 4).

    A robot whose base floats stands on the floor; others are lifted if need be.

    Args:
        loaded: The robot of the file.
        held: The same robot with a fixed base.
    """
    T = np.eye(4)
    if loaded.has_floating_base:
        T[:3, :3] = matrix_from_quaternion(loaded.base_home[3:])
    lowest = lowest_point(held, held.home_configuration[None], T[:3, :3])
    T[2, 3] = -lowest if loaded.has_floating_base else max(0.0, -lowest)
    return T


def joint_fields(model: RobotModel, settings: Settings) -> tuple[NumberField, ...]:
    """Return a field for each joint, with its range and its value now.

    Args:
        model: Robot with a fixed base.
        settings: Joint values that differ from those of the home, by name of the joint.
    """
    home = model.home_configuration
    lower, upper = model.limits
    fields: list[NumberField] = []
    for i, name in enumerate(model.joint_names):
        is_slide = model.joint_type[model.joint_ids[i]] == JointType.PRISMATIC
        room = FAR if is_slide else ENDLESS
        low = float(lower[i]) if np.isfinite(lower[i]) else float(home[i]) - room
        high = float(upper[i]) if np.isfinite(upper[i]) else float(home[i]) + room
        value = float(settings.get(name, float(home[i])))
        fields.append(
            NumberField(
                name=name,
                title=name,
                default=min(max(value, low), high),
                unit="m" if is_slide else "rad",
                minimum=low,
                maximum=high,
            )
        )
    return tuple(fields)
