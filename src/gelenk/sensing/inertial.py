"""Inertial sensing: what accelerometers feel, orientation from several senses, ways.

World axes: x towards magnetic north, z up, gravity g = (0, 0, -9.81). Accelerometers
feel specific force f = Rᵀ (a - g): at rest +9.81 upwards.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.spatial import quaternion, so3
from gelenk.spatial.small_angle import cubic_quotient
from gelenk.typing import ArrayLike, FloatArray

GRAVITY = np.array([0.0, 0.0, -9.81])  # [m/s^2]


def specific_force(
    R_world_body: ArrayLike, acceleration: ArrayLike, *, bias: ArrayLike = 0.0
) -> FloatArray:
    """Return what three orthogonal accelerometers read: Rᵀ (a - g) + b [m/s^2].

    Args:
        R_world_body: Orientation, shape (..., 3, 3).
        acceleration: a in world axes [m/s^2], shape (..., 3).
        bias: b [m/s^2], shape (..., 3).

    Example:
        >>> print(specific_force(np.eye(3), np.zeros(3)))
        [0.   0.   9.81]
    """
    R = as_finite("R_world_body", R_world_body, (3, 3))
    push = as_finite("acceleration", acceleration, (3,)) - GRAVITY
    return np.einsum("...ji,...j->...i", R, push) + np.asarray(bias, np.float64)


def without_gravity(R_world_body: ArrayLike, reading: ArrayLike) -> FloatArray:
    """Return the acceleration in world axes: R f + g [m/s^2], shape (..., 3)."""
    R = as_finite("R_world_body", R_world_body, (3, 3))
    f = as_finite("reading", reading, (3,))
    return np.einsum("...ij,...j->...i", R, f) + GRAVITY


def tilt(reading: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return roll and pitch of a resting body from its accelerometers [rad].

    roll = atan2(f_y, f_z), pitch = atan2(-f_x, √(f_y² + f_z²)); R = Rz Ry Rx.

    Example:
        >>> roll, pitch = tilt([0.0, 9.81 * np.sin(0.2), 9.81 * np.cos(0.2)])
        >>> print(round(float(roll), 6), round(abs(float(pitch)), 6))
        0.2 0.0
    """
    f = as_finite("reading", reading, (3,))
    x, y, z = np.moveaxis(f, -1, 0)
    return np.arctan2(y, z), np.arctan2(-x, np.hypot(y, z))


def compass_heading(field: ArrayLike, roll: ArrayLike, pitch: ArrayLike) -> FloatArray:
    """Return the heading against magnetic north from a tilted compass [rad].

    The field is turned level first: ψ = atan2(-m_y, m_x) of Ry(pitch) Rx(roll) m.

    Args:
        field: Measured in body axes, any unit, shape (..., 3).
        roll: [rad], shape (...).
        pitch: [rad], shape (...).

    Example:
        >>> round(float(compass_heading([0.0, -0.2, -0.4], 0.0, 0.0)), 6)
        1.570796
    """
    m = as_finite("field", field, (3,))
    level = so3.rot_y(np.asarray(pitch)) @ so3.rot_x(np.asarray(roll))
    flat = np.einsum("...ij,...j->...i", level, m)
    return np.arctan2(-flat[..., 1], flat[..., 0])


def complementary_step(
    angle: ArrayLike, rate: ArrayLike, reference: ArrayLike, *, dt: float, trust: float
) -> FloatArray:
    """Return α (θ + ω dt) + (1 - α) θ_ref [rad]: gyro for short, reference for long.

    Args:
        angle: θ so far [rad].
        rate: ω of the gyro [rad/s].
        reference: Angle without drift, but noisy [rad].
        dt: [s].
        trust: α in the gyro, near 1.

    Example:
        >>> angle = 0.0
        >>> for rate, tilt_angle in ((0.1, 0.05), (0.1, 0.06), (0.1, 0.08)):
        ...     angle = complementary_step(angle, rate, tilt_angle, dt=0.01, trust=0.98)
        >>> round(float(angle), 6)
        0.006618
    """
    if not 0.0 <= trust <= 1.0:
        raise ConfigError(f"`trust` must lie in [0, 1], got {trust}")
    turned = np.asarray(angle, np.float64) + np.asarray(rate, np.float64) * dt
    return trust * turned + (1.0 - trust) * np.asarray(reference, np.float64)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Attitude:
    """What an orientation filter believes.

    Attributes:
        quat: quat_world_body, wxyz, shape (4,).
        bias: Of the gyros [rad/s], shape (3,).
    """

    quat: FloatArray
    bias: FloatArray


def mahony_step(
    attitude: Attitude,
    rate: ArrayLike,
    force: ArrayLike,
    *,
    dt: float,
    gain: float = 1.0,
    bias_gain: float = 0.1,
    north: ArrayLike | None = None,
) -> Attitude:
    """Return the attitude after one sample of gyros and accelerometers (Mahony 2008).

    The angle between measured and expected directions turns the estimate and, slowly,
    corrects the bias: ω = ω_gyro - b + k e, ḃ = -k_b e, e = Σ v_measured × v_expected.

    Args:
        attitude: Before.
        rate: Gyros [rad/s], shape (3,).
        force: Accelerometers [m/s^2], shape (3,).
        dt: [s].
        gain: k [1/s].
        bias_gain: k_b [1/s^2].
        north: Measured direction of magnetic north in body axes, shape (3,); None: the
            heading is left to the gyros.
    """
    R = quaternion.matrix_from_quaternion(attitude.quat)
    f = as_finite("force", force, (3,))
    error = np.zeros(3)
    size = float(np.linalg.norm(f))
    if size > 0.0:
        error += np.cross(f / size, R.T @ [0.0, 0.0, 1.0])
    if north is not None:
        # Only what is level: a dipping field must not tilt the estimate.
        level = R @ as_finite("north", north, (3,))
        level[2] = 0.0
        level /= max(float(np.linalg.norm(level)), 1e-12)
        error += np.cross(R.T @ level, R.T @ [1.0, 0.0, 0.0])
    bias = attitude.bias - bias_gain * error * dt
    turn = (as_finite("rate", rate, (3,)) - bias + gain * error) * dt
    quat = quaternion.multiply(attitude.quat, quaternion.exp(turn))
    return Attitude(quat=quaternion.normalize(quat), bias=bias)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class InertialState:
    """Where a body is, in world axes.

    Attributes:
        quat: quat_world_body, wxyz, shape (4,).
        velocity: [m/s], shape (3,).
        place: [m], shape (3,).
    """

    quat: FloatArray
    velocity: FloatArray
    place: FloatArray


def strap_down(
    state: InertialState, rate: ArrayLike, force: ArrayLike, *, dt: float
) -> InertialState:
    """Return the state after one sample of strapped-down sensors.

    q̇ = ½ q ω, v̇ = R f + g, ṗ = v, exact for rates and forces that are constant in the
    body during a sample. Rates are integrated once, accelerations twice: a bias b of an
    accelerometer becomes b t² / 2.

    Args:
        state: Before.
        rate: Gyros [rad/s], shape (3,).
        force: Accelerometers [m/s^2], shape (3,).
        dt: [s].

    Example:
        >>> rest = InertialState(
        ...     quat=np.array([1.0, 0, 0, 0]), velocity=np.zeros(3), place=np.zeros(3)
        ... )
        >>> moved = strap_down(rest, np.zeros(3), [0.01, 0, 9.81], dt=60.0)
        >>> print(moved.place.round(9))
        [18.  0.  0.]
    """
    w, f = as_finite("rate", rate, (3,)), as_finite("force", force, (3,))
    R = quaternion.matrix_from_quaternion(state.quat)
    once, twice = _integrals(w * dt)
    push = R @ (once @ f) + GRAVITY
    shift = R @ (twice @ f) + 0.5 * GRAVITY
    quat = quaternion.multiply(state.quat, quaternion.exp(w * dt))
    return InertialState(
        quat=quaternion.normalize(quat),
        velocity=state.velocity + dt * push,
        place=state.place + dt * state.velocity + dt * dt * shift,
    )


def _integrals(turn: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return ∫₀¹ exp(s φ) ds and ∫₀¹ ∫₀ˢ exp(u φ) du ds for a rotation vector φ."""
    K = so3.skew(turn)
    a = float(np.linalg.norm(turn))
    if a < 0.1:  # a^8 / 12! is far below rounding, the difference below is not
        square = a * a
        quartic = 1 / 24 - square / 720 + square**2 / 40320 - square**3 / 3628800
    else:
        quartic = (0.5 * a * a + np.cos(a) - 1.0) / a**4
    cubic = cubic_quotient(np.asarray(a))
    return so3.left_jacobian(turn), 0.5 * np.eye(3) + cubic * K + quartic * (K @ K)
