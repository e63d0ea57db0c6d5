"""Kinds of drives: omni and mecanum wheels, cars, tricycles, tracks, trailers.

Each gives wheels for `gelenk.kinematics.vehicles`, or a twist (v_x, v_y, ω) of the
body's origin in body axes [m/s], [rad/s].
"""

from __future__ import annotations

from typing import cast

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.kinematics.vehicles import Wheel
from gelenk.spatial.angles import angle_difference, wrap_angle
from gelenk.typing import ArrayLike, FloatArray


def omni_wheels(
    angles: ArrayLike, *, distance: float, radius: float
) -> tuple[Wheel, ...]:
    """Return omni wheels on a circle that roll along its tangent.

    r ω_i = -sin α_i v_x + cos α_i v_y + L ω.

    Args:
        angles: α_i of the places, from body x [rad], shape (n,).
        distance: L from the centre [m].
        radius: Radius of the wheels [m].

    Example:
        >>> from gelenk.kinematics.vehicles import rolling_rows
        >>> three = omni_wheels(np.radians([90, 210, 330]), distance=0.2, radius=0.05)
        >>> print(rolling_rows(three)[1].round(6))
        [ 10.       -17.320508   4.      ]
    """
    return tuple(
        Wheel(
            x=distance * float(np.cos(a)),
            y=distance * float(np.sin(a)),
            heading=float(a) + 0.5 * np.pi,
            radius=radius,
            roller=0.0,
        )
        for a in as_finite("angles", angles, ()).ravel()
    )


def mecanum_wheels(
    *, half_length: float, half_width: float, radius: float
) -> tuple[Wheel, ...]:
    """Return four mecanum wheels, front left, front right, rear left, rear right.

    r φ̇ = v_x ∓ v_y ∓ k ω with k = l_x + l_y; the rollers seen from above form a cross.

    Example:
        >>> from gelenk.kinematics.vehicles import wheels_from_twist
        >>> four = mecanum_wheels(half_length=0.2, half_width=0.15, radius=0.05)
        >>> print(wheels_from_twist(four, [0.5, 0.2, 0.3]).round(6))
        [ 3.9 16.1 11.9  8.1]
    """
    turned = np.pi / 4.0
    corners = ((1, 1, -turned), (1, -1, turned), (-1, 1, turned), (-1, -1, -turned))
    return tuple(
        Wheel(x=a * half_length, y=b * half_width, radius=radius, roller=roller)
        for a, b, roller in corners
    )


def bicycle_twist(
    speed: ArrayLike, steering: ArrayLike, *, wheelbase: float
) -> FloatArray:
    """Return (v, 0, v tan δ / L) of a car or bicycle, rear axle at the origin.

    Args:
        speed: Speed of the rear axle [m/s].
        steering: δ of the (middle) front wheel [rad].
        wheelbase: L [m].

    Example:
        >>> print(bicycle_twist(5.0, np.radians(20), wheelbase=2.5).round(6))
        [5.      0.      0.72794]
    """
    v, delta = np.broadcast_arrays(
        np.asarray(speed, np.float64), np.asarray(steering, np.float64)
    )
    return np.stack([v, np.zeros_like(v), v * np.tan(delta) / wheelbase], axis=-1)


def front_driven_twist(
    speed: ArrayLike, steering: ArrayLike, *, wheelbase: float
) -> FloatArray:
    """Return (v_s cos δ, 0, v_s sin δ / L) of a tricycle driven by its front wheel.

    Example:
        >>> print(front_driven_twist(1.0, np.radians(30), wheelbase=0.8).round(6))
        [0.866025 0.       0.625   ]
    """
    v, delta = np.broadcast_arrays(
        np.asarray(speed, np.float64), np.asarray(steering, np.float64)
    )
    omega = v * np.sin(delta) / wheelbase
    return np.stack([v * np.cos(delta), np.zeros_like(v), omega], axis=-1)


def ackermann_angles(
    steering: float, *, wheelbase: float, track: float
) -> tuple[float, float]:
    """Return the headings of the left and right front wheel of a car [rad].

    All axes meet in one point at R = L / tan δ: tan δ_i = L / (R ∓ w/2).

    Example:
        >>> angles = ackermann_angles(np.radians(20), wheelbase=2.5, track=1.5)
        >>> print(np.degrees(angles).round(6))
        [22.224137 18.166745]
    """
    slope = np.tan(steering)
    left, right = (
        np.arctan2(wheelbase * slope, wheelbase - side * 0.5 * track * slope)
        for side in (1.0, -1.0)
    )
    return float(left), float(right)


def car_wheels(
    steering: float,
    *,
    wheelbase: float,
    track: float,
    radius: float,
    parallel: bool = False,
) -> tuple[Wheel, ...]:
    """Return the wheels of a car: rear left, rear right, front left, front right.

    Args:
        steering: δ of a wheel in the middle of the front axle [rad].
        wheelbase: Distance of the axles [m].
        track: Distance of the wheels of an axle [m].
        radius: Radius of the wheels [m].
        parallel: Turn both front wheels by δ, as no car should: it cannot move without
            slip.
    """
    angles = ackermann_angles(steering, wheelbase=wheelbase, track=track)
    if parallel:
        angles = steering, steering
    side = 0.5 * track
    return (
        Wheel(x=0.0, y=side, radius=radius),
        Wheel(x=0.0, y=-side, radius=radius),
        Wheel(x=wheelbase, y=side, heading=angles[0], radius=radius, steering="front"),
        Wheel(x=wheelbase, y=-side, heading=angles[1], radius=radius, steering="front"),
    )


def synchro_rate(speed: float, steering: float, turn: float) -> FloatArray:
    """Return (ẋ, ẏ, θ̇, φ̇_s) of a synchro drive: all wheels turn together.

    ẋ = v cos φ_s, ẏ = v sin φ_s; the body keeps its heading.

    Example:
        >>> print(synchro_rate(2.0, np.pi / 2, 0.1).round(9))
        [0.  2.  0.  0.1]
    """
    return np.array([speed * np.cos(steering), speed * np.sin(steering), 0.0, turn])


def skid_twist(
    tracks: ArrayLike, *, left: float, right: float, ahead: float = 0.0
) -> FloatArray:
    """Return the twist of tracks that skid, from the centres about which they turn.

    ω = (V_r - V_l) / (y_l - y_r), v_x = (V_r y_l - V_l y_r) / (y_l - y_r),
    v_y = -x ω: a differential drive with an effective track, wider than the real one.

    Args:
        tracks: Speeds (left, right) [m/s], shape (..., 2).
        left: y_l > 0 of the left track's centre of rotation [m].
        right: y_r < 0 of the right one [m].
        ahead: x of the vehicle's centre of rotation [m].

    Example:
        >>> print(skid_twist([0.4, 0.6], left=0.25, right=-0.25, ahead=0.02).round(6))
        [ 0.5   -0.008  0.4  ]
    """
    if not left > right:
        raise ConfigError(f"`left` must lie left of `right`, got {left}, {right}")
    V_l, V_r = np.moveaxis(as_finite("tracks", tracks, (2,)), -1, 0)
    omega = (V_r - V_l) / (left - right)
    speed = (V_r * left - V_l * right) / (left - right)
    return np.stack([speed, -ahead * omega, omega], axis=-1)


def trailer_rate(
    speed: ArrayLike,
    fold: ArrayLike,
    *,
    length: float,
    turn: ArrayLike = 0.0,
    hitch: float = 0.0,
) -> FloatArray:
    """Return the turn rate of a trailer [rad/s].

    θ̇_t = (v sin(θ - θ_t) - d ω cos(θ - θ_t)) / L_t.

    Args:
        speed: v of the pulling axle [m/s].
        fold: θ - θ_t, heading of the vehicle against the trailer [rad].
        length: L_t from hitch to the trailer's axle [m].
        turn: ω of the pulling vehicle [rad/s].
        hitch: d of the hitch behind the pulling axle [m].

    Example:
        >>> round(float(trailer_rate(1.0, np.pi / 6, length=2.0)), 6)
        0.25
    """
    v, psi = np.asarray(speed, np.float64), np.asarray(fold, np.float64)
    omega = np.asarray(turn, np.float64)
    return (v * np.sin(psi) - hitch * omega * np.cos(psi)) / length


def swerve_modules(
    places: ArrayLike, twist: ArrayLike, headings: ArrayLike, *, radius: float
) -> tuple[FloatArray, FloatArray]:
    """Return heading [rad] and rate [rad/s] of wheels that are all steered.

    The wheel at p rolls along u = v + ω × p. It never turns by more than a quarter: it
    rolls backwards instead; where nothing moves it keeps its heading.

    Args:
        places: Places of the wheels in the body [m], shape (n, 2).
        twist: (v_x, v_y, ω), shape (3,).
        headings: Present headings of the wheels [rad], shape (n,).
        radius: Radius of the wheels [m].

    Example:
        >>> heading, rate = swerve_modules([[0, 0]], [-1, 0, 0], [0.0], radius=0.5)
        >>> print(heading, rate)
        [0.] [-2.]
    """
    p, V = as_finite("places", places, (2,)), as_finite("twist", twist, (3,))
    now = as_finite("headings", headings, (len(p),))
    u = V[:2] + V[2] * np.stack([-p[:, 1], p[:, 0]], axis=-1)
    speed = cast("FloatArray", np.linalg.norm(u, axis=-1))
    aim = np.where(speed > 1e-9, np.arctan2(u[:, 1], u[:, 0]), now)
    turn = angle_difference(aim, now)
    is_back = np.abs(turn) > 0.5 * np.pi
    turn = np.where(is_back, wrap_angle(turn + np.pi), turn)
    speed = np.where(is_back, -speed, speed)
    return now + turn, speed / radius
