"""Motion limits: what a step of a robot must not do, as bounds and inequalities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np

from gelenk.checks import as_finite
from gelenk.collision import Scene
from gelenk.control.motion_tasks import RobotPosture
from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray


class StepBounds(NamedTuple):
    """Inequalities lower <= G dq <= upper of a step; G None: dq itself.

    Attributes:
        G: Rows of the inequalities, shape (m, nv), or None.
        lower: Smallest values, shape (m,).
        upper: Largest values, shape (m,).
    """

    G: FloatArray | None
    lower: FloatArray
    upper: FloatArray


@runtime_checkable
class MotionLimit(Protocol):
    """Protocol of a limit: inequalities of the coming step."""

    def bounds(self, at: RobotPosture, dt: float) -> StepBounds:
        """Return the inequalities of a step.

        Args:
            at: Robot as it stands.
            dt: Length of the step [s].
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigurationLimit:
    """Joint limits of the model.

    Attributes:
        gain: Share of the way to a limit that one step may go, 0 to 1.
        margin: Distance kept from the limits [rad] or [m].

    Example:
        >>> from gelenk.control import ConfigurationLimit
        >>> ConfigurationLimit().gain
        0.95
    """

    gain: float = 0.95
    margin: float = 0.0

    def bounds(self, at: RobotPosture, dt: float) -> StepBounds:
        """Return the inequalities of a step, see `MotionLimit`.

        Args:
            at: Robot as it stands.
            dt: Length of the step [s].
        """
        model = at.model
        ids, starts = model.joint_ids, model.v_starts
        values = at.q[model.q_starts]
        low, high = model.lower[ids] + self.margin, model.upper[ids] - self.margin
        if len(ids) == model.nv:  # plain joints, each with one velocity
            lower = np.minimum(self.gain * (low - values), 0.0)
            return StepBounds(None, lower, np.maximum(self.gain * (high - values), 0.0))
        lower, upper = np.full(model.nv, -np.inf), np.full(model.nv, np.inf)
        # outside of a limit, the way back is free and the way on is closed
        lower[starts] = np.minimum(self.gain * (low - values), 0.0)
        upper[starts] = np.maximum(self.gain * (high - values), 0.0)
        for k in model.ball_joints:
            lower[starts[k] : starts[k] + 3] = -np.inf
            upper[starts[k] : starts[k] + 3] = np.inf
        return StepBounds(None, lower, upper)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class VelocityLimit:
    """Largest joint speeds.

    Attributes:
        velocity: Speeds [rad/s] or [m/s], one number or one per joint; None: those of
            the model. A floating base is free.

    Example:
        >>> from gelenk.control import VelocityLimit
        >>> VelocityLimit(velocity=1.5).velocity
        1.5
    """

    velocity: ArrayLike | None = None

    def bounds(self, at: RobotPosture, dt: float) -> StepBounds:
        """Return the inequalities of a step, see `MotionLimit`.

        Args:
            at: Robot as it stands.
            dt: Length of the step [s].
        """
        model = at.model
        most = np.full(model.nv, np.inf)
        own = (
            model.max_velocity[model.joint_ids]
            if self.velocity is None
            else self.velocity
        )
        most[model.v_starts] = dt * np.asarray(own, dtype=np.float64)
        for k in model.ball_joints:
            start = int(model.v_starts[k])
            most[start : start + 3] = most[start]
        return StepBounds(None, -most, most)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class AccelerationLimit:
    """Largest changes of joint speed from the step before.

    Attributes:
        acceleration: Accelerations [rad/s^2] or [m/s^2], one number or one per value
            of `qd`.
        velocity: Velocity of the step before, shape (nv,).

    Example:
        >>> from gelenk.control import AccelerationLimit
        >>> AccelerationLimit(acceleration=5.0, velocity=[0.0, 0.1]).acceleration
        5.0
    """

    acceleration: ArrayLike
    velocity: ArrayLike

    def bounds(self, at: RobotPosture, dt: float) -> StepBounds:
        """Return the inequalities of a step, see `MotionLimit`.

        Args:
            at: Robot as it stands.
            dt: Length of the step [s].
        """
        before = as_finite("velocity", self.velocity, (at.model.nv,)) * dt
        change = np.asarray(self.acceleration, dtype=np.float64) * dt * dt
        return StepBounds(None, before - change, before + change)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PlaneLimit:
    """A plane that the origin of a frame must not cross.

    Attributes:
        frame: Name of a link; None: the tool.
        point: Point of the plane, base axes [m], shape (3,).
        normal: Direction of the allowed side, base axes, shape (3,).
        gain: Share of the way to the plane that one step may go, 0 to 1.

    Example:
        >>> from gelenk.control import PlaneLimit
        >>> PlaneLimit(point=(0.0, 0.0, 0.1), normal=(0.0, 0.0, 1.0)).gain
        0.85
    """

    point: ArrayLike
    normal: ArrayLike
    frame: str | None = None
    gain: float = 0.85

    def __post_init__(self) -> None:
        normal = np.array(as_finite("normal", self.normal, (3,)))
        if not np.linalg.norm(normal) > 0.0:
            raise ConfigError("`normal` has no direction")
        object.__setattr__(self, "normal", normal / np.linalg.norm(normal))
        object.__setattr__(
            self, "point", np.array(as_finite("point", self.point, (3,)))
        )

    def bounds(self, at: RobotPosture, dt: float) -> StepBounds:
        """Return the inequalities of a step, see `MotionLimit`.

        Args:
            at: Robot as it stands.
            dt: Length of the step [s].
        """
        T, J = at.frame(self.frame)
        normal = np.asarray(self.normal, dtype=np.float64)
        height = float(normal @ (T[:3, 3] - np.asarray(self.point, np.float64)))
        lower = -self.gain * height if height > 0.0 else -height
        return StepBounds((normal @ J[:3])[None], np.array([lower]), np.array([np.inf]))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CollisionLimit:
    """Distances that pairs of a scene must keep.

    Attributes:
        scene: Scene whose robot is controlled.
        least: Distance kept by all pairs [m].
        within: Distance up to which pairs are looked at [m].
        gain: Share of the way to the least distance that one step may go, 0 to 1.

    Example:
        >>> import gelenk
        >>> from gelenk.control import CollisionLimit
        >>> scene = gelenk.Scene(gelenk.load("panda"), shapes="visual")
        >>> CollisionLimit(scene=scene, least=0.01).within
        0.1
    """

    scene: Scene
    least: float = 0.005
    within: float = 0.1
    gain: float = 0.85

    def __post_init__(self) -> None:
        if not 0.0 <= self.least < self.within:
            raise ConfigError(
                f"`least` must be >= 0 and less than `within`, got {self.least} m and "
                f"{self.within} m"
            )

    def bounds(self, at: RobotPosture, dt: float) -> StepBounds:
        """Return the inequalities of a step, see `MotionLimit`.

        Args:
            at: Robot as it stands.
            dt: Length of the step [s].
        """
        found = self.scene.distance(at.q, within=self.within, gradient=True)
        near = np.flatnonzero(found.distance < self.within)
        assert found.gradient is not None
        room = found.distance[near] - self.least
        # nearer than the least distance, the way back is asked for, gently
        lower = np.where(room > 0.0, -self.gain * room, -0.1 * room)
        return StepBounds(found.gradient[near], lower, np.full(len(near), np.inf))
