"""Vehicles on wheels: what each wheel allows, and how the whole then moves.

Body frame: x forward, y left. A twist of a vehicle is (v_x, v_y, ω) of the body's
origin in body axes. A wheel at (x, y) that rolls along heading δ demands

    rolling   cos δ v_x + sin δ v_y + (x sin δ - y cos δ) ω = r φ̇
    no slip  -sin δ v_x + cos δ v_y + (x cos δ + y sin δ) ω = 0

and a wheel with rollers at angle γ only the rolling row, with δ + γ for δ and
r φ̇ cos γ on the right (Siegwart 2011, ch. 3; Damken 2023 §4.5, headlines).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, BoolArray, FloatArray

SLIP_TOL = 1e-9  # [m/s]; wheels that agree up to rounding
RANK_TOL = 1e-9  # of a singular value, lengths of metres

Field = Callable[[Any], Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wheel:
    """A wheel in its vehicle.

    Attributes:
        x: Place in the body, forward [m].
        y: Place in the body, to the left [m].
        heading: Direction in which it rolls, from body x [rad].
        radius: Radius of the wheel [m].
        roller: Angle γ of the rollers of an omni (0) or mecanum (±π/4) wheel [rad];
            None: an ordinary wheel, which does not slip sideways.
        steering: Name of the motor that turns its heading; empty: none does.

    Example:
        >>> from gelenk.kinematics import Wheel
        >>> Wheel(x=0.0, y=0.2, radius=0.1).heading
        0.0
    """

    x: float
    y: float
    heading: float = 0.0
    radius: float
    roller: float | None = None
    steering: str = ""

    def __post_init__(self) -> None:
        if not self.radius > 0.0:
            raise ConfigError(f"`radius` of a wheel must be > 0 m, got {self.radius}")
        if self.roller is not None and abs(np.cos(self.roller)) < 1e-9:
            raise ConfigError("rollers across the rolling direction give no drive")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class WheelFit:
    """Motion that agrees best with wheel rates.

    Attributes:
        twist: Twist (v_x, v_y, ω) of the vehicle [m/s], [rad/s], shape (..., 3).
        slip: Norm of the residuals of all rows [m/s], shape (...).
        is_consistent: Whether no wheel slips, shape (...).
    """

    twist: FloatArray
    slip: FloatArray
    is_consistent: BoolArray


def rolling_rows(wheels: Sequence[Wheel]) -> FloatArray:
    """Return rows A of A (v_x, v_y, ω) = φ̇, one wheel each [1/m], [1], shape (n, 3).

    Example:
        A wheel 0.2 m to the left, radius 0.1 m:

        >>> print(rolling_rows([Wheel(x=0.0, y=0.2, radius=0.1)]))
        [[10.  0. -2.]]
    """
    _check(wheels)
    rows: list[list[float]] = []
    for w in wheels:
        roller = w.roller or 0.0
        c, s = np.cos(w.heading + roller), np.sin(w.heading + roller)
        scale = w.radius * np.cos(roller)
        rows.append([c / scale, s / scale, (w.x * s - w.y * c) / scale])
    return np.array(rows) + 0.0


def no_slip_rows(wheels: Sequence[Wheel]) -> FloatArray:
    """Return rows C of C (v_x, v_y, ω) = 0 of the ordinary wheels, shape (m, 3)."""
    _check(wheels)
    rows: list[list[float]] = []
    for w in wheels:
        if w.roller is None:
            c, s = np.cos(w.heading), np.sin(w.heading)
            rows.append([-s, c, w.x * c + w.y * s])
    return np.array(rows).reshape(-1, 3)


def twist_from_wheels(wheels: Sequence[Wheel], rates: ArrayLike) -> WheelFit:
    """Return the vehicle's motion from the rates of all its wheels, by least squares.

    Wheels that contradict each other must slip: `slip` says how much.

    Args:
        wheels: Wheels, at least as many as the vehicle has freedoms.
        rates: φ̇ [rad/s], shape (..., n).

    Example:
        >>> from gelenk.kinematics import Wheel, twist_from_wheels
        >>> pair = [Wheel(x=0, y=y, radius=0.05) for y in (0.15, -0.15)]
        >>> print(twist_from_wheels(pair, [6.0, 8.0]).twist.round(6))
        [0.35     0.       0.333333]
    """
    phi = as_finite("rates", rates, (len(wheels),))
    radii = np.array([w.radius * np.cos(w.roller or 0.0) for w in wheels])
    A = np.vstack([rolling_rows(wheels) * radii[:, None], no_slip_rows(wheels)])
    zeros = np.zeros((*phi.shape[:-1], len(A) - len(wheels)))
    b = np.concatenate([phi * radii, zeros], axis=-1)
    twist = b @ np.linalg.pinv(A).T
    slip = np.linalg.norm(twist @ A.T - b, axis=-1)
    size = np.maximum(np.linalg.norm(b, axis=-1), 1.0)
    return WheelFit(
        twist=twist + 0.0, slip=slip, is_consistent=np.asarray(slip <= SLIP_TOL * size)
    )


def wheels_from_twist(wheels: Sequence[Wheel], twist: ArrayLike) -> FloatArray:
    """Return the rates of all wheels for a motion [rad/s], shape (..., n).

    Args:
        wheels: Wheels as they are steered now.
        twist: (v_x, v_y, ω), shape (..., 3).

    Raises:
        ConfigError: If an ordinary wheel would have to slip sideways.

    Example:
        >>> from gelenk.kinematics import Wheel, wheels_from_twist
        >>> pair = [Wheel(x=0, y=y, radius=0.05) for y in (0.15, -0.15)]
        >>> print(wheels_from_twist(pair, [0.4, 0.0, 1.0]).round(9))
        [ 5. 11.]
    """
    V = as_finite("twist", twist, (3,))
    sideways = np.abs(V @ no_slip_rows(wheels).T)
    if sideways.size and sideways.max() > SLIP_TOL * max(1.0, float(np.abs(V).max())):
        raise ConfigError(
            f"a wheel would slip sideways at {sideways.max():.3g} m/s: the vehicle "
            "cannot move like this; steer its wheels, or choose another twist"
        )
    return V @ rolling_rows(wheels).T


def turning_centre(twist: ArrayLike) -> FloatArray:
    """Return the point of the body that stands still: (-v_y/ω, v_x/ω) [m].

    Args:
        twist: (v_x, v_y, ω), shape (..., 3); straight motion has its centre at
            infinity.

    Example:
        >>> print(turning_centre([0.35, 0.0, 1 / 3]).round(3))
        [0.   1.05]
    """
    vx, vy, omega = np.moveaxis(as_finite("twist", twist, (3,)), -1, 0)
    turn = np.where(omega == 0.0, np.nan, omega)
    centre = np.stack([-vy / turn, vx / turn], axis=-1)
    return np.where(np.isnan(centre), np.inf, centre) + 0.0


def mobility(wheels: Sequence[Wheel]) -> tuple[int, int]:
    """Return the degrees of mobility and steerability (δ_m, δ_s).

    δ_m = 3 - rank C of all no-slip rows: motions possible at once. δ_s = rank of the
    rows of steered wheels, wheels of one motor counted once. (3, 0): omnidirectional,
    (2, 0): differential, (1, 1): car, (0, 0): cannot move.

    Example:
        >>> mobility([Wheel(x=0, y=y, radius=0.05) for y in (0.15, -0.15)])
        (2, 0)
    """
    steered: dict[str, Wheel] = {}
    for w in wheels:
        if w.steering and w.roller is None:
            steered.setdefault(w.steering, w)
    return 3 - _rank(no_slip_rows(wheels)), _rank(
        no_slip_rows(list(steered.values())) if steered else np.zeros((0, 3))
    )


def motion_fields(wheels: Sequence[Wheel]) -> list[Field]:
    """Return the world velocities (ẋ, ẏ, θ̇) that the wheels allow, as fields of pose.

    Each field takes a pose (x, y, θ) and returns shape (3,): R(θ) b, where the b span
    what satisfies all no-slip rows.
    """
    C = no_slip_rows(wheels)
    _, values, axes = np.linalg.svd(np.vstack([C, np.zeros((3, 3))]))
    basis = axes[values[:3] < RANK_TOL]

    def field(b: FloatArray) -> Field:
        def velocity(pose: Any) -> Any:
            c, s = np.cos(pose[2]), np.sin(pose[2])
            return np.array([c * b[0] - s * b[1], s * b[0] + c * b[1], b[2]])

        return velocity

    return [field(b) for b in basis]


def lie_bracket(first: Field, second: Field, state: ArrayLike) -> FloatArray:
    """Return [f, g] = ∂g/∂x f - ∂f/∂x g: the motion of a small f, g, -f, -g.

    Derivatives by complex steps, exact to rounding; the fields must be analytic.

    Example:
        Driving and turning together move a car sideways:

        >>> drive = lambda p: np.array([np.cos(p[2]), np.sin(p[2]), 0.0])
        >>> turn = lambda p: np.array([0.0, 0.0, 1.0])
        >>> print(lie_bracket(drive, turn, [0.0, 0.0, 0.0]))
        [ 0. -1.  0.]
    """
    x = np.asarray(state, dtype=np.float64)
    f, g = np.asarray(first(x)), np.asarray(second(x))
    h = 1e-30
    bracket = np.asarray(second(x + 1j * h * f)) - np.asarray(first(x + 1j * h * g))
    return np.imag(bracket) / h + 0.0


def holonomy(fields: Sequence[Field], state: ArrayLike) -> tuple[int, int]:
    """Return the rank of the fields, and that of the fields with all their brackets.

    Equal: the constraints can be integrated, the vehicle is holonomic. Larger: it
    reaches by manoeuvres what it cannot do at once.

    Example:
        >>> pair = [Wheel(x=0, y=y, radius=0.05) for y in (0.15, -0.15)]
        >>> holonomy(motion_fields(pair), [0.0, 0.0, 0.3])
        (2, 3)
    """
    x = np.asarray(state, dtype=np.float64)
    span = [np.real(np.asarray(f(x))) for f in fields]
    first = _rank(np.array(span).reshape(-1, len(x)))
    for i, f in enumerate(fields):
        span += [lie_bracket(f, g, x) for g in fields[i + 1 :]]
    return first, _rank(np.array(span).reshape(-1, len(x)))


def _rank(rows: FloatArray) -> int:
    if not rows.size:
        return 0
    return int(np.sum(np.linalg.svd(rows, compute_uv=False) > RANK_TOL))


def _check(wheels: Sequence[Wheel]) -> None:
    if not wheels:
        raise ConfigError("a vehicle needs at least one wheel")
