"""Inertial sensors: accelerometers, gyroscopes, attitude filters, dead reckoning.

World axes: x towards magnetic north, z up, gravity g = (0, 0, -9.81). Accelerometers
feel specific force f = Rᵀ (a - g): at rest +9.81 upwards.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.spatial import quaternion, rotation_rates, so3
from gelenk.spatial.angles import cubic_quotient
from gelenk.spatial.vectors import skew
from gelenk.typing import ArrayLike, FloatArray

GRAVITY = np.array([0.0, 0.0, -9.81])  # [m/s^2]


def specific_force(
    R_world_body: ArrayLike, acceleration: ArrayLike, *, bias: ArrayLike = 0.0
) -> FloatArray:
    """Return what three orthogonal accelerometers read: Rᵀ (a - g) + b [m/s^2].

    Args:
        R_world_body: Orientation, shape (..., 3, 3).
        acceleration: a in world axes [m/s^2], shape (..., 3).
        bias: Bias b of the accelerometer [m/s^2], shape (..., 3).

    Example:
        >>> import numpy as np
        >>> from gelenk.sensing import specific_force
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


def estimate_tilt(reading: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return roll and pitch of a resting body from its accelerometers [rad].

    roll = atan2(f_y, f_z), pitch = atan2(-f_x, √(f_y² + f_z²)); R = Rz Ry Rx.

    Example:
        >>> roll, pitch = estimate_tilt([0.0, 9.81 * np.sin(0.2), 9.81 * np.cos(0.2)])
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
        field: Measured magnetic field in body axes, any unit, shape (..., 3).
        roll: Roll [rad], shape (...).
        pitch: Pitch [rad], shape (...).

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
        rate: Rate ω of the gyro [rad/s].
        reference: Angle without drift, but noisy [rad].
        dt: Time step [s].
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
class AttitudeEstimate:
    """Attitude and gyro bias as an orientation filter estimates them.

    Attributes:
        quat: quat_world_body, wxyz, shape (4,).
        bias: Bias of the gyros [rad/s], shape (3,).

    Example:
        >>> import numpy as np
        >>> from gelenk.sensing import AttitudeEstimate
        >>> level = AttitudeEstimate(quat=np.eye(4)[0], bias=np.zeros(3))
        >>> print(level.quat)
        [1. 0. 0. 0.]
    """

    quat: FloatArray
    bias: FloatArray


def mahony_step(
    attitude: AttitudeEstimate,
    rate: ArrayLike,
    force: ArrayLike,
    *,
    dt: float,
    gain: float = 1.0,
    bias_gain: float = 0.1,
    north: ArrayLike | None = None,
) -> AttitudeEstimate:
    """Return the attitude after one sample of gyros and accelerometers (Mahony 2008).

    The angle between measured and expected directions turns the estimate and, slowly,
    corrects the bias: ω = ω_gyro - b + k e, ḃ = -k_b e, e = Σ v_measured × v_expected.

    Args:
        attitude: Estimate before the step.
        rate: Gyros [rad/s], shape (3,).
        force: Accelerometers [m/s^2], shape (3,).
        dt: Time step [s].
        gain: Gain k on the attitude error [1/s].
        bias_gain: Gain k_b of the gyros' bias [1/s^2].
        north: Measured direction of magnetic north in body axes, shape (3,); None: the
            heading is left to the gyros.

    Example:
        >>> import numpy as np
        >>> from gelenk.sensing import AttitudeEstimate, mahony_step
        >>> level = AttitudeEstimate(quat=np.eye(4)[0], bias=np.zeros(3))
        >>> after = mahony_step(level, [0.0, 0.0, 0.0], [0.0, 0.0, 9.81], dt=0.01)
        >>> print(after.quat)
        [1. 0. 0. 0.]
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
    return AttitudeEstimate(quat=quaternion.normalize(quat), bias=bias)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class InertialState:
    """Position, velocity and orientation of a body in world axes.

    Attributes:
        quat: quat_world_body, wxyz, shape (4,).
        velocity: Velocity [m/s], shape (3,).
        place: Position [m], shape (3,).
    """

    quat: FloatArray
    velocity: FloatArray
    place: FloatArray


def integrate_strapdown(
    state: InertialState, rate: ArrayLike, force: ArrayLike, *, dt: float
) -> InertialState:
    """Return the state after one sample of strapped-down sensors.

    q̇ = ½ q ω, v̇ = R f + g, ṗ = v, exact for rates and forces that are constant in the
    body during a sample. Rates are integrated once, accelerations twice: a bias b of an
    accelerometer becomes b t² / 2.

    Args:
        state: State before the step.
        rate: Gyros [rad/s], shape (3,).
        force: Accelerometers [m/s^2], shape (3,).
        dt: Time step [s].

    Example:
        >>> rest = InertialState(
        ...     quat=np.array([1.0, 0, 0, 0]), velocity=np.zeros(3), place=np.zeros(3)
        ... )
        >>> moved = integrate_strapdown(rest, np.zeros(3), [0.01, 0, 9.81], dt=60.0)
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
    K = skew(turn)
    a = float(np.linalg.norm(turn))
    if a < 0.1:  # a^8 / 12! is far below rounding, the difference below is not
        square = a * a
        quartic = 1 / 24 - square / 720 + square**2 / 40320 - square**3 / 3628800
    else:
        quartic = (0.5 * a * a + np.cos(a) - 1.0) / a**4
    cubic = cubic_quotient(np.asarray(a))
    twice = 0.5 * np.eye(3) + cubic * K + quartic * (K @ K)
    return rotation_rates.left_jacobian(turn), twice


EARTH_RATE = 7.292115e-5  # [rad/s], against the stars


class GyroGrade(StrEnum):
    """Grade of a mechanical gyroscope."""

    AIRCRAFT = "aircraft"
    """1.85 km per hour: one nautical mile."""
    HIGH_END = "high end"
    """0.1 % of the distance travelled."""


def position_drift(grade: GyroGrade, *, hours: float, distance: float = 0.0) -> float:
    """Return how far a position is off after a journey [m].

    Args:
        grade: Grade of the gyroscopes.
        hours: Duration [h].
        distance: Way travelled [m].

    Example:
        >>> position_drift(GyroGrade.AIRCRAFT, hours=8.0)
        14800.0
        >>> position_drift(GyroGrade.HIGH_END, hours=8.0, distance=6e6)
        6000.0
    """
    match grade:
        case GyroGrade.AIRCRAFT:
            return 1850.0 * hours
        case GyroGrade.HIGH_END:
            return 1e-3 * distance


def precession_rate(torque: ArrayLike, momentum: ArrayLike) -> FloatArray:
    """Return the rate at which a torque turns a spinning rotor [rad/s], shape (..., 3).

    dL/dt = τ: Ω = L × τ / |L|², across both, not along the torque.

    Args:
        torque: Torque on the rotor [N m], shape (..., 3).
        momentum: Angular momentum L = I ω of the rotor's spin [kg m^2/s], shape (...,
            3).

    Example:
        >>> print(precession_rate([0.0, 0.1, 0.0], [2.0, 0.0, 0.0]))
        [0.   0.   0.05]
    """
    tau, L = np.asarray(torque, np.float64), np.asarray(momentum, np.float64)
    return np.cross(L, tau) / np.sum(L * L, axis=-1, keepdims=True) + 0.0


def apparent_turn(latitude: float) -> FloatArray:
    """Return the rate at which the ground turns under a free gyroscope [rad/s], (3,).

    In axes east, north, up: (0, Ω cos λ, Ω sin λ). The northward part shows north to a
    gyrocompass; the upward part turns the plane of a pendulum.

    Example:
        >>> print((apparent_turn(np.radians(49.9)) * 1e5).round(3))
        [0.    4.697 5.578]
    """
    return EARTH_RATE * np.array([0.0, math.cos(latitude), math.sin(latitude)])


@dataclass(frozen=True, slots=True, kw_only=True)
class TuningFork:
    """A micro-mechanical gyroscope: two tines that swing against each other.

    The drive mode runs at its resonance; the sense mode, at another frequency, takes
    the Coriolis force 2 m Ω × v.

    Attributes:
        drive_frequency: Drive frequency ω_d [rad/s].
        sense_frequency: Sense frequency ω_s [rad/s].
        amplitude: Amplitude of the driven swing [m].
        quality: Quality factor Q of the sense mode.
    """

    drive_frequency: float = 2 * math.pi * 10e3
    sense_frequency: float = 2 * math.pi * 11e3
    amplitude: float = 5e-6
    quality: float = 100.0

    def __post_init__(self) -> None:
        if min(self.drive_frequency, self.sense_frequency, self.quality) <= 0.0:
            raise ConfigError(f"frequencies and quality must be > 0, got {self}")


def coriolis_amplitude(fork: TuningFork, rate: ArrayLike) -> FloatArray:
    """Return how far the sense mode swings at a rate of turn [m].

    y = 2 Ω A ω_d / √((ω_s² - ω_d²)² + (ω_s ω_d / Q)²): proportional to Ω.

    Args:
        fork: Frequencies, amplitude, quality.
        rate: Ω about the axis of the fork [rad/s].

    Example:
        >>> fork = TuningFork()
        >>> slow, fast = coriolis_amplitude(fork, [0.1, 0.2])
        >>> bool(np.isclose(fast, 2.0 * slow))
        True
    """
    d, s = fork.drive_frequency, fork.sense_frequency
    size = math.hypot(s * s - d * d, s * d / fork.quality)
    return 2.0 * np.asarray(rate, np.float64) * fork.amplitude * d / size


def rate_from_amplitude(fork: TuningFork, amplitude: ArrayLike) -> FloatArray:
    """Return the rate of turn that a swing of the sense mode means [rad/s]."""
    return np.asarray(amplitude, np.float64) / coriolis_amplitude(fork, 1.0)


def demodulate_fork(
    sense: ArrayLike, t: ArrayLike, fork: TuningFork, *, phase: float | None = None
) -> float:
    """Return the rate of turn, with its sign, from samples of the sense mode [rad/s].

    Multiplied by the carrier in the answer's phase and averaged over whole periods.

    Args:
        sense: Motion y of one tine, whose drive is A sin ω_d t [m], shape (k,).
        t: Times [s], shape (k,), whole periods of the drive.
        fork: Parameters.
        phase: Phase of the sense mode's answer behind the Coriolis force [rad]; by
            default that of the model.
    """
    d, s = fork.drive_frequency, fork.sense_frequency
    lag = math.atan2(s * d / fork.quality, s * s - d * d) if phase is None else phase
    carrier = np.cos(d * np.asarray(t, np.float64) - lag)
    return -float(rate_from_amplitude(fork, 2.0 * np.mean(np.asarray(sense) * carrier)))
