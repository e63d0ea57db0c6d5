"""`Part`: a drawable piece, the frame it hangs on, and how it looks.

Parts are made once. For each picture they are put where their frames are, and painted:
what comes out are `Drawable`s in world coordinates, and nothing else reaches a
renderer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from gelenk.robots.armbot.config import FAST_SHARE
from gelenk.robots.armbot.environment.description import Color
from gelenk.robots.armbot.option_values import RenderFlags
from gelenk.robots.armbot.view.meshes import Mesh
from gelenk.typing import FloatArray

Kind: TypeAlias = Literal[
    "floor",
    "paint",
    "obstacle",
    "ball",
    "cuboid",
    "cylinder",
    "body",
    "segment",
    "servo",
    "linear_motor",
    "touch",
    "trigger",
]
Mark: TypeAlias = Literal["moving", "fast"]
MotorKey: TypeAlias = tuple[str, str]  # robot and joint

MARK_COLORS: dict[Mark, Color] = {"moving": (255, 196, 0), "fast": (230, 30, 40)}
MOVING_SPEED = 1e-4  # [rad/s] or [m/s]; below, a motor stands


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Part:
    """A piece that can be drawn.

    Attributes:
        name: Of what it belongs to.
        kind: What it is.
        mesh: Its shape.
        color: RGB, 0 to 255.
        alpha: 1: solid; below: what is behind shines through.
        frame: Name of the frame it hangs on; empty: the world.
        T_frame_part: Pose on the frame, shape (4, 4).
        to: If set, the shape reaches from `frame` to this frame: its z from 0 to 1 is
            stretched to the way between them.
        motor: Robot and joint of the motor that it shows, if any.
        has_shadow: Whether it throws a shadow.
    """

    name: str
    kind: Kind
    mesh: Mesh
    color: Color
    alpha: float = 1.0
    frame: str = ""
    T_frame_part: FloatArray = field(default_factory=lambda: np.eye(4))
    to: str = ""
    motor: MotorKey | None = None
    has_shadow: bool = True


class Drawable(NamedTuple):
    """A part where it is now.

    Attributes:
        part: What it is.
        T_world_part: Pose, its columns stretched where the part is; shape (4, 4).
        color: RGB with its mark, 0 to 255.
        mark: Why it is highlighted, None if it is not.
    """

    part: Part
    T_world_part: FloatArray
    color: Color
    mark: Mark | None


class MotorSpeed(NamedTuple):
    """How fast a motor moves, and could [rad/s] or [m/s]."""

    robot: str
    joint: str
    speed: float
    max_speed: float


def mark_of(speed: float, max_speed: float, flags: RenderFlags) -> Mark | None:
    """Return how a motor is highlighted."""
    pace = abs(speed)
    if flags.fast and pace > MOVING_SPEED and pace >= FAST_SHARE * max_speed:
        return "fast"
    return "moving" if flags.moving and pace > MOVING_SPEED else None


def drawables(
    parts: Sequence[Part],
    poses: Callable[[str], FloatArray] | Mapping[str, FloatArray],
    *,
    motors: Sequence[MotorSpeed] = (),
    flags: RenderFlags | None = None,
) -> tuple[Drawable, ...]:
    """Return what is to be drawn now.

    Args:
        parts: All parts.
        poses: Gives T_world_frame for the name of a frame, shape (4, 4).
        motors: How fast motors move, for their marks.
        flags: What is highlighted; None: nothing.
    """
    flags = flags or RenderFlags()
    pose_of = poses.__getitem__ if isinstance(poses, Mapping) else poses
    marks: dict[MotorKey, Mark | None] = {
        (m.robot, m.joint): mark_of(m.speed, m.max_speed, flags) for m in motors
    }
    drawn: list[Drawable] = []
    for part in parts:
        if part.kind == "trigger" and not flags.triggers:
            continue
        mark = marks.get(part.motor) if part.motor is not None else None
        color = part.color if mark is None else MARK_COLORS[mark]
        drawn.append(Drawable(part, _place(part, pose_of), color, mark))
    return tuple(drawn)


def _place(part: Part, pose_of: Callable[[str], FloatArray]) -> FloatArray:
    if not part.frame:
        return part.T_frame_part
    T_world_part = pose_of(part.frame) @ part.T_frame_part
    return (
        _stretched(T_world_part, pose_of(part.to)[:3, 3]) if part.to else T_world_part
    )


def _stretched(T: FloatArray, end: FloatArray) -> FloatArray:
    """Return a pose whose z axis reaches from the origin of `T` to a point."""
    along = end - T[:3, 3]
    length = float(np.linalg.norm(along))
    z = along / length if length > 1e-9 else T[:3, 2]
    x = np.cross([0.0, 1.0, 0.0] if abs(z[1]) < 0.9 else [1.0, 0.0, 0.0], z)
    x = x / np.linalg.norm(x)
    out = np.eye(4)
    out[:3, :3] = np.stack([x, np.cross(z, x), max(length, 1e-6) * z], axis=1)
    out[:3, 3] = T[:3, 3]
    return out
