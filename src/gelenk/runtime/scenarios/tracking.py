"""Run a world and keep what its bodies do, for figures and for a recording."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from gelenk.runtime.controls import pass_time
from gelenk.spatial.quaternion import quaternion_from_matrix
from gelenk.typing import FloatArray

if TYPE_CHECKING:
    from gelenk.sim.observe import Impact
    from gelenk.sim.world import World

PERIOD = 0.01  # [s] between two looks, as controllers have it


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BodyState:
    """Pose and velocity of a body, world axes.

    Attributes:
        position: Position [m], (3,).
        quaternion: Orientation (w, x, y, z), (4,).
        twist: Velocity [m/s] and angular velocity [rad/s], (6,).
    """

    position: FloatArray = field(metadata={"unit": "m"})
    quaternion: FloatArray
    twist: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Blow:
    """Two bodies hit each other.

    Attributes:
        time: Simulated time, exact within the tick [s].
        first, second: Names of the bodies.
        impulse: Impulse on the second one, world axes [N s], (3,).
        position: Place of the hit, world axes [m], (3,).
        speed: Speed of approach along the normal [m/s].
    """

    time: float = field(metadata={"unit": "s"})
    first: str
    second: str
    impulse: FloatArray = field(metadata={"unit": "N s"})
    position: FloatArray = field(metadata={"unit": "m"})
    speed: float = field(metadata={"unit": "m/s"})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Track:
    """Motion of k bodies at n moments, the first before the first step.

    Attributes:
        time: Simulated time [s], (n,).
        position: Positions of the bodies' origins, world axes [m], (n, k, 3).
        twist: Velocities [m/s] and angular velocities [rad/s], world axes, (n, k, 6).
        up: z component of the bodies' z axes, 1 if upright, (n, k).
        impacts: All impacts, in their order.
    """

    time: FloatArray
    position: FloatArray
    twist: FloatArray
    up: FloatArray
    impacts: tuple[Impact, ...]


def track(
    world: World, bodies: Sequence[str], seconds: float, recorder: Any = None
) -> Track:
    """Run a world and look at some of its bodies every 10 ms.

    Args:
        world: The world, at any time.
        bodies: Names of the bodies.
        seconds: Simulated time [s].
        recorder: Recorder of the topics `body/NAME` and `impacts`, or None.
    """
    ticks = max(round(PERIOD / world.config.step), 1)
    looks = max(round(seconds / (ticks * world.config.step)), 1)
    time = np.empty(looks + 1)
    poses = np.empty((looks + 1, len(bodies), 4, 4))
    twist = np.empty((looks + 1, len(bodies), 6))
    impacts: list[Impact] = []
    for look in range(looks + 1):
        if look:
            world.step(ticks)
            pass_time(world.time)
        new = world.impacts()
        time[look] = world.time
        for index, name in enumerate(bodies):
            poses[look, index] = world.pose(name)
            twist[look, index] = world.twist(name)
        if recorder is not None:
            now_ns = round(world.time * 1e9)
            _record(recorder, now_ns, bodies, poses[look], twist[look], new)
        impacts += new
    return Track(
        time=time,
        position=poses[..., :3, 3],
        twist=twist,
        up=poses[..., 2, 2],
        impacts=tuple(impacts),
    )


def _record(
    recorder: Any,
    time_ns: int,
    bodies: Sequence[str],
    poses: FloatArray,
    twists: FloatArray,
    impacts: Sequence[Impact],
) -> None:
    for impact in impacts:
        blow = Blow(
            time=impact.time,
            first=impact.bodies[0],
            second=impact.bodies[1],
            impulse=impact.impulse,
            position=impact.position,
            speed=impact.speed,
        )
        recorder.write("impacts", blow, time_ns)
    for name, T, twist in zip(bodies, poses, twists, strict=True):
        state = BodyState(
            position=T[:3, 3],
            quaternion=quaternion_from_matrix(T[:3, :3]),
            twist=twist,
        )
        recorder.write(f"body/{name}", state, time_ns)
