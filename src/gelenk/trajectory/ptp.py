"""Point-to-point motion (PTP), and the time laws of its axes.

Time laws s(t) lead from 0 to 1: trapezoid, cubic, quintic. A straight line in time
would jump in velocity, so the start and the end are rounded; the duration results from
the limits. All joints start and stop together.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError, ShapeError
from gelenk.typing import ArrayLike, FloatArray

LawKind: TypeAlias = Literal["trapezoid", "cubic", "quintic"]

# Largest speed times T and largest acceleration times T² of a distance of 1.
PEAKS = {"cubic": (1.5, 6.0), "quintic": (15.0 / 8.0, 10.0 / math.sqrt(3.0))}


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeLaw:
    """Time law s(t) from 0 to 1, from rest to rest.

    Attributes:
        kind: "trapezoid" of the speed, "cubic" 3τ² - 2τ³, "quintic" 10τ³ - 15τ⁴ + 6τ⁵.
        duration: Duration T [s].
        ramp: Duration t_a of a trapezoid's ramp; T/2 is a triangle [s]; other laws have
            none.

    Example:
        >>> from gelenk.trajectory import TimeLaw
        >>> s, rate, acceleration = TimeLaw(kind="cubic", duration=2.0).sample(1.0)
        >>> print(s, rate)
        0.5 0.75
    """

    kind: LawKind
    duration: float
    ramp: float = 0.0

    def __post_init__(self) -> None:
        if self.kind not in ("trapezoid", "cubic", "quintic"):
            raise ConfigError(
                f"`kind` must be 'trapezoid', 'cubic' or 'quintic', got {self.kind!r}"
            )
        if not self.duration >= 0.0:
            raise ConfigError(f"`duration` must be >= 0 s, got {self.duration}")
        if self.kind == "trapezoid" and not (
            0.0 <= self.ramp <= self.duration / 2.0 * (1.0 + 1e-12)
        ):
            raise ConfigError(
                f"`ramp` must be in 0 .. {self.duration / 2.0} s, got {self.ramp}"
            )

    def sample(self, time: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return s, ṡ [1/s], s̈ [1/s²] at times since the start, each (...).

        Before the start and after the end it rests.
        """
        t = np.asarray(time, np.float64)
        T = self.duration
        if T == 0.0:
            return np.where(t < 0.0, 0.0, 1.0), np.zeros_like(t), np.zeros_like(t)
        inside = (t >= 0.0) & (t <= T)
        t = np.clip(t, 0.0, T)
        if self.kind == "trapezoid":
            s, v, a = self._trapezoid(t)
        else:
            u = t / T
            if self.kind == "cubic":
                s, v, a = u * u * (3 - 2 * u), 6 * u * (1 - u), 6 - 12 * u
            else:
                s = u**3 * (10 - 15 * u + 6 * u * u)
                v, a = 30 * (u * (1 - u)) ** 2, 60 * u * (1 - u) * (1 - 2 * u)
            v, a = v / T, a / T**2
        return s, np.where(inside, v, 0.0), np.where(inside, a, 0.0)

    def _trapezoid(self, t: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        T, ramp = self.duration, max(self.ramp, 1e-300)
        speed = 1.0 / (T - self.ramp)
        early, late = np.minimum(t, ramp), np.minimum(T - t, ramp)
        s = speed * (0.5 * early**2 / ramp + np.clip(t - ramp, 0.0, T - 2 * self.ramp))
        s = s + speed * (0.5 * ramp - 0.5 * late**2 / ramp) * (t > T - self.ramp)
        v = speed * np.minimum(early, late) / ramp
        a = speed / ramp * ((t < self.ramp).astype(np.float64) - (t > T - self.ramp))
        return s, v, a


def fastest_law(
    distance: ArrayLike,
    *,
    max_speed: ArrayLike,
    max_acceleration: ArrayLike,
    kind: LawKind = "trapezoid",
) -> TimeLaw:
    """Return the shortest law under which no axis exceeds its limits.

    All axes follow one s(t): a straight line in joint space. Trapezoid of a distance D:
    with D >= v²/a it is t_a = v/a, T = D/v + v/a, else a triangle T = 2 √(D/a).

    Args:
        distance: Distance of each axis [rad] or [m], a number or shape (n,); signs do
            not matter.
        max_speed: Limit of each axis, > 0, a number or (n,).
        max_acceleration: Largest acceleration of each axis, a number or shape (n,).
        kind: Kind of time law.

    Example:
        >>> from gelenk.trajectory import fastest_law
        >>> law = fastest_law(1.0, max_speed=0.5, max_acceleration=1.0)
        >>> law.duration, law.ramp
        (2.5, 0.5)
        >>> fastest_law(0.16, max_speed=0.5, max_acceleration=1.0).duration
        0.8
    """
    D = np.abs(np.atleast_1d(np.asarray(distance, np.float64)))
    v_max, a_max = np.asarray(max_speed, np.float64), np.asarray(max_acceleration)
    if not (np.all(v_max > 0.0) and np.all(a_max > 0.0) and np.all(np.isfinite(D))):
        raise ConfigError(
            "`max_speed` and `max_acceleration` must be > 0 and `distance` finite, got "
            f"{v_max.tolist()}, {a_max.tolist()}, {D.tolist()}"
        )
    if not D.any():
        return TimeLaw(kind=kind, duration=0.0)
    with np.errstate(divide="ignore"):
        v, a = float(np.min(v_max / D)), float(np.min(a_max / D))
    if kind == "trapezoid":
        if a <= v * v:
            T = 2.0 / math.sqrt(a)
            return TimeLaw(kind=kind, duration=T, ramp=T / 2.0)
        return TimeLaw(kind=kind, duration=1.0 / v + v / a, ramp=v / a)
    if kind not in PEAKS:
        raise ConfigError(
            f"`kind` must be 'trapezoid', 'cubic' or 'quintic', got {kind!r}"
        )
    top, push = PEAKS[kind]
    return TimeLaw(kind=kind, duration=max(top / v, math.sqrt(push / a)))


def stretched_trapezoid(
    distance: float, *, duration: float, max_acceleration: float
) -> TimeLaw:
    """Return the trapezoid of a given duration that uses the full acceleration.

    Its plateau is lower: v = (a T - √(a² T² - 4 a D)) / 2.

    Args:
        distance: Distance D [rad] or [m].
        duration: Duration T [s], at least 2 √(D/a).
        max_acceleration: Largest acceleration a [rad/s²] or [m/s²].

    Example:
        >>> law = stretched_trapezoid(0.75, duration=2.0, max_acceleration=1.0)
        >>> law.ramp
        0.5
    """
    D, a, T = abs(distance), max_acceleration, duration
    root = (a * T) ** 2 - 4.0 * a * D
    if root < -1e-9 * (a * T) ** 2:
        raise ConfigError(
            f"{D} takes {2 * math.sqrt(D / a)} s with acceleration {a}, got {T} s"
        )
    ramp = 0.5 * (T - math.sqrt(max(root, 0.0)) / a) if D > 0.0 else 0.0
    return TimeLaw(kind="trapezoid", duration=T, ramp=ramp)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PtpMotion:
    """A motion q(0) + s(t) (q(T) - q(0)) of every joint.

    Attributes:
        start: q(0), shape (n,).
        end: q(T), shape (n,).
        laws: Time laws s(t), one for each joint, all of one duration.

    Example:
        >>> from gelenk.trajectory import plan_ptp
        >>> motion = plan_ptp([0, 0], [1, 0.5], max_speed=1.0, max_acceleration=2.0)
        >>> position, velocity, acceleration = motion.sample(motion.duration / 2)
        >>> print(motion.duration, position)
        1.5 [0.5  0.25]
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
        distance = self.end - self.start
        return self.start + s * distance, v * distance, a * distance


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
        max_speed: Largest speed of each joint, > 0, a number or (n,).
        max_acceleration: Largest acceleration of each joint, > 0, a number or (n,).
        kind: Time law.
        shape: "straight": one law for all, the path is a line in joint space; "eager":
            each joint has a trapezoid of its own with full acceleration, the slowest
            sets the time, which may be shorter.

    Example:
        >>> from gelenk.trajectory import plan_ptp
        >>> motion = plan_ptp([0, 0], [1.0, -0.4], max_speed=0.5, max_acceleration=1.0)
        >>> q, qd, qdd = motion.sample(0.5)
        >>> motion.duration, q.tolist(), qd.tolist()
        (2.5, [0.125, -0.05], [0.5, -0.2])
    """
    q0, q1 = as_finite("start", start, ()), as_finite("end", end, ())
    if q0.ndim != 1 or q0.shape != q1.shape:
        raise ShapeError("end", expected=str(q0.shape), actual=q1.shape)
    distance = q1 - q0
    limits = {"max_speed": max_speed, "max_acceleration": max_acceleration}
    if shape == "straight":
        law = fastest_law(distance, kind=kind, **limits)
        return PtpMotion(start=q0, end=q1, laws=(law,) * len(distance))
    if shape != "eager" or kind != "trapezoid":
        raise ConfigError(
            "`shape` must be 'straight', or 'eager' with trapezoids, got "
            f"{shape!r} with {kind!r}"
        )
    v = np.broadcast_to(np.asarray(max_speed, np.float64), distance.shape)
    a = np.broadcast_to(np.asarray(max_acceleration, np.float64), distance.shape)
    own = [
        fastest_law(D, max_speed=v_i, max_acceleration=a_i)
        for D, v_i, a_i in zip(distance, v, a, strict=True)
    ]
    T = max(law.duration for law in own)
    laws = tuple(
        stretched_trapezoid(float(D), duration=T, max_acceleration=float(a_i))
        for D, a_i in zip(distance, a, strict=True)
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
        max_speed: Largest speed of each joint, a number or (n,).
        max_acceleration: Largest acceleration of each joint, a number or (n,).

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
