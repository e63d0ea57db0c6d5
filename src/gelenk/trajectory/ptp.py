"""Point-to-point motion: joints move, and start and stop together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError, ShapeError
from gelenk.trajectory.time_law import (
    LawKind,
    TimeLaw,
    fastest_law,
    stretched_trapezoid,
)
from gelenk.typing import ArrayLike, FloatArray


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PtpMotion:
    """A motion q(0) + s(t) (q(T) - q(0)) of every joint.

    Attributes:
        start: q(0), shape (n,).
        end: q(T), shape (n,).
        laws: One for each joint, all of one duration.
    """

    start: FloatArray
    end: FloatArray
    laws: tuple[TimeLaw, ...]

    @property
    def duration(self) -> float:
        """Of the motion [s]."""
        return self.laws[0].duration

    def sample(self, time: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return q, q̇, q̈ at times since the start, each (..., n)."""
        laws = [law.sample(time) for law in self.laws]
        s, v, a = (np.stack([law[k] for law in laws], axis=-1) for k in range(3))
        way = self.end - self.start
        return self.start + s * way, v * way, a * way


def plan_ptp(
    start: ArrayLike,
    end: ArrayLike,
    *,
    max_speed: ArrayLike,
    max_acceleration: ArrayLike,
    kind: LawKind = "trapezoid",
    shape: Literal["straight", "eager"] = "straight",
) -> PtpMotion:
    """Return the fastest synchronised motion between two configurations.

    Args:
        start: q(0) [rad] or [m], shape (n,).
        end: q(T), shape (n,).
        max_speed: Of each joint, > 0, a number or (n,).
        max_acceleration: Of each joint, > 0, a number or (n,).
        kind: Time law.
        shape: "straight": one law for all, the path is a line in joint space; "eager":
            each joint has a trapezoid of its own with full acceleration, the slowest
            sets the time, which may be shorter.

    Example:
        >>> motion = plan_ptp([0, 0], [1.0, -0.4], max_speed=0.5, max_acceleration=1.0)
        >>> q, qd, qdd = motion.sample(0.5)
        >>> motion.duration, q.tolist(), qd.tolist()
        (2.5, [0.125, -0.05], [0.5, -0.2])
    """
    q0, q1 = as_finite("start", start, ()), as_finite("end", end, ())
    if q0.ndim != 1 or q0.shape != q1.shape:
        raise ShapeError("end", expected=str(q0.shape), actual=q1.shape)
    way = q1 - q0
    limits = {"max_speed": max_speed, "max_acceleration": max_acceleration}
    if shape == "straight":
        law = fastest_law(way, kind=kind, **limits)
        return PtpMotion(start=q0, end=q1, laws=(law,) * len(way))
    if shape != "eager" or kind != "trapezoid":
        raise ConfigError(
            "`shape` must be 'straight', or 'eager' with trapezoids, got "
            f"{shape!r} with {kind!r}"
        )
    v = np.broadcast_to(np.asarray(max_speed, np.float64), way.shape)
    a = np.broadcast_to(np.asarray(max_acceleration, np.float64), way.shape)
    own = [
        fastest_law(D, max_speed=v_i, max_acceleration=a_i)
        for D, v_i, a_i in zip(way, v, a, strict=True)
    ]
    T = max(law.duration for law in own)
    laws = tuple(
        stretched_trapezoid(float(D), duration=T, max_acceleration=float(a_i))
        for D, a_i in zip(way, a, strict=True)
    )
    return PtpMotion(start=q0, end=q1, laws=laws)


def shortest_duration(
    positions: ArrayLike,
    law: TimeLaw,
    *,
    max_speed: ArrayLike,
    max_acceleration: ArrayLike,
) -> float:
    """Return the least T for a curved path under a time law, stretched as a whole.

    Speeds scale with 1/T and accelerations with 1/T²: of the samples, the worst counts.

    Args:
        positions: q at equal times from 0 to the law's duration, shape (k, n), k >= 5.
        law: The law with which the samples were taken.
        max_speed: Of each joint, a number or (n,).
        max_acceleration: Of each joint, a number or (n,).

    Example:
        >>> law = TimeLaw(kind="quintic", duration=1.0)
        >>> s = law.sample(np.linspace(0.0, 1.0, 401))[0]
        >>> T = shortest_duration(s[:, None], law, max_speed=1.0, max_acceleration=99.0)
        >>> round(T, 3)  # 15/8: the largest speed of a quintic
        1.875
    """
    q = as_finite("positions", positions, ())
    if q.ndim != 2 or len(q) < 5:
        raise ShapeError("positions", expected="(k >= 5, n)", actual=q.shape)
    h = law.duration / (len(q) - 1)
    speed = np.abs(np.gradient(q, h, axis=0, edge_order=2)).max(axis=0)
    bend = np.abs(np.diff(q, n=2, axis=0)).max(axis=0) / h**2
    stretch = max(
        float(np.max(speed / np.asarray(max_speed))),
        float(np.sqrt(np.max(bend / np.asarray(max_acceleration)))),
    )
    return law.duration * stretch
