"""Balance criteria: zero-moment point, centre of pressure, contact wrenches.

On flat ground z is up, the ground at z = 0. The zero-moment point (ZMP) is where the
pressure of the ground acts; there the ground's moment has no horizontal part. It exists
only inside the support polygon: on its edge the robot tips about that edge.

On uneven ground a linear programme looks for λ ≥ 0 with Σ λ_ik [v_ik; (p_i - c) × v_ik]
= [m (c̈ - g); L̇], where v_ik are the edges of the friction cone of contact i.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog

from gelenk.checks import as_finite
from gelenk.dynamics.momentum import centre_of_mass
from gelenk.dynamics.rnea import inverse_dynamics
from gelenk.errors import ConfigError
from gelenk.geometry.support_polygons import support_margin
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, FloatArray

GRAVITY = 9.81  # [m/s^2]
NO_LOAD = 1e-9  # [N]; below this nothing presses, and there is no such point


def static_margin(model: RobotModel, q: ArrayLike, contacts: ArrayLike) -> float:
    """Return how far the centre of mass lies inside the support polygon [m].

    Positive: the robot may stop now without falling (statically stable). A walk whose
    margin is negative at times and which does not fall is dynamically stable.

    Args:
        model: Robot with a floating base.
        q: Joint values [rad] or [m], shape (nq,).
        contacts: Points on the ground, seen from above [m], shape (k, 2).
    """
    return support_margin(contacts, centre_of_mass(model, q)[:2])


def zmp_from_contacts(points: ArrayLike, normal_forces: ArrayLike) -> FloatArray:
    """Return the zero-moment point Σ r_i f_i / Σ f_i [m], shape (..., 2).

    Args:
        points: Contact points on the ground [m], shape (..., k, 2).
        normal_forces: Normal forces of the ground on the robot, upwards [N], shape
            (..., k).

    Raises:
        ConfigError: If nothing presses on the ground: in flight there is no such point.

    Example:
        >>> corners = [[0, 0], [0.2, 0], [0.2, 0.1], [0, 0.1]]
        >>> print(zmp_from_contacts(corners, [100, 200, 150, 50]))
        [0.14 0.04]
    """
    p = as_finite("points", points, (2,))
    f = as_finite("normal_forces", normal_forces, ())
    total = f.sum(axis=-1)
    if np.any(total <= NO_LOAD):
        raise ConfigError("no force presses on the ground: in flight there is no ZMP")
    return (p * f[..., None]).sum(axis=-2) / total[..., None]


def ground_moment(
    points: ArrayLike, normal_forces: ArrayLike, tangential: ArrayLike
) -> FloatArray:
    """Return the moment of all contact forces about the ZMP [N m], shape (..., 3).

    Its x and y vanish; friction leaves a moment about z, which cannot tip.

    Args:
        points: Contact points on the ground [m], shape (..., k, 2).
        normal_forces: Normal forces of the ground [N], shape (..., k).
        tangential: Friction forces, shape (..., k, 2) [N].

    Example:
        >>> corners = [[0, 0], [0.2, 0], [0.2, 0.1], [0, 0.1]]
        >>> friction = [[5, 0], [0, 3], [-2, 1], [1, -1]]
        >>> print(ground_moment(corners, [100, 200, 150, 50], friction).round(9))
        [0.   0.   0.64]
    """
    p, f = as_finite("points", points, (2,)), np.asarray(normal_forces, np.float64)
    t = as_finite("tangential", tangential, (2,))
    d = p - zmp_from_contacts(p, f)[..., None, :]
    moment = np.stack(
        [
            d[..., 1] * f,
            -d[..., 0] * f,
            d[..., 0] * t[..., 1] - d[..., 1] * t[..., 0],
        ],
        axis=-1,
    )
    return moment.sum(axis=-2) + 0.0


def zmp_margin(contacts: ArrayLike, zmp: ArrayLike) -> float:
    """Return how far the ZMP lies inside the hull of all contacts [m], < 0 outside.

    Example:
        >>> corners = [[0, 0], [0.2, 0], [0.2, 0.1], [0, 0.1]]
        >>> round(zmp_margin(corners, [0.14, 0.04]), 9)
        0.04
    """
    return support_margin(contacts, zmp)


def cop_from_foot_sensor(wrench: ArrayLike, *, height: float) -> FloatArray:
    """Return the centre of pressure from a six-axis sensor in the foot [m].

    x = (-n_y - f_x d) / f_z, y = (n_x - f_y d) / f_z, from the point below the sensor.

    Args:
        wrench: Wrench [f; n] of the ground on the foot, in sensor axes parallel to the
            ground's [N], [N m], shape (..., 6).
        height: Height d of the sensor above the sole [m].

    Example:
        A force at (0.1, 0) m, 0.05 m below the sensor:

        >>> print(cop_from_foot_sensor([3, 0, 200, 0, -20.15, 0], height=0.05))
        [0.1 0. ]
    """
    w = as_finite("wrench", wrench, (6,))
    fx, fy, fz, nx, ny, _ = np.moveaxis(w, -1, 0)
    if np.any(fz <= NO_LOAD):
        raise ConfigError(
            "no force presses on the foot: there is no centre of pressure"
        )
    return np.stack([(-ny - fx * height) / fz, (nx - fy * height) / fz], axis=-1)


def zmp_from_motion(
    mass: ArrayLike,
    place: ArrayLike,
    acceleration: ArrayLike,
    *,
    spin_rate: ArrayLike | None = None,
    gravity: float = GRAVITY,
) -> FloatArray:
    """Return the ZMP that the motion of several bodies demands [m], shape (2,).

    x = (Σ m (z̈ + g) x - Σ m ẍ z - Σ L̇_y) / Σ m (z̈ + g); y with + L̇_x.

    Args:
        mass: Mass [kg], shape (k,).
        place: Centres of mass [m], shape (k, 3).
        acceleration: Acceleration of the centres [m/s^2], shape (k, 3).
        spin_rate: Rates of their angular momenta about their centres [N m], (k, 3).
        gravity: Gravitational acceleration [m/s^2].

    Example:
        >>> print(zmp_from_motion([1.0], [[0.05, 0, 0.8]], [[1.0, 0, 0]]).round(6))
        [-0.031549  0.      ]
    """
    m = as_finite("mass", mass, ())
    p = as_finite("place", place, (3,))
    a = as_finite("acceleration", acceleration, (3,))
    spin = np.zeros_like(p) if spin_rate is None else np.asarray(spin_rate, np.float64)
    lift = m * (a[:, 2] + gravity)
    if lift.sum() <= NO_LOAD:
        raise ConfigError("the bodies fall freely: there is no ZMP")
    x = lift @ p[:, 0] - (m * a[:, 0]) @ p[:, 2] - spin[:, 1].sum()
    y = lift @ p[:, 1] - (m * a[:, 1]) @ p[:, 2] + spin[:, 0].sum()
    return np.array([x, y]) / lift.sum()


def cart_table_zmp(
    place: ArrayLike,
    acceleration: ArrayLike,
    *,
    height: float,
    gravity: float = GRAVITY,
) -> FloatArray:
    """Return x - (z_c / g) ẍ [m]: the ZMP of a mass that moves at constant height.

    Example:
        >>> round(float(cart_table_zmp(0.05, 1.0, height=0.8)), 6)
        -0.031549
    """
    x, a = np.asarray(place, np.float64), np.asarray(acceleration, np.float64)
    return x - height / gravity * a


def robot_zmp(
    model: RobotModel, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike
) -> FloatArray:
    """Return the ZMP that the whole motion of a robot demands [m], shape (..., 2).

    Inverse dynamics gives the wrench on the floating base that nobody but the ground
    can provide; its moment about the ZMP has no horizontal part.

    Args:
        model: Robot with a floating base; the world's z is up.
        q: Joint values, starting with the base's pose, shape (..., nq).
        qd: Joint velocities, shape (..., nv).
        qdd: Joint accelerations, shape (..., nv).
    """
    if not model.has_floating_base:
        raise ConfigError("a ZMP needs a robot with a floating base")
    wrench = inverse_dynamics(model, q, qd, qdd)[..., :6]
    base = np.asarray(q, np.float64)[..., :3]
    moment = wrench[..., 3:] + np.cross(base, wrench[..., :3])
    lift = wrench[..., 2]
    if np.any(lift <= NO_LOAD):
        raise ConfigError("the robot is not carried by the ground: there is no ZMP")
    return np.stack([-moment[..., 1], moment[..., 0]], axis=-1) / lift[..., None]


GRAVITY_VECTOR = np.array([0.0, 0.0, -9.81])  # [m/s^2]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ContactBalance:
    """Verdict on whether contacts can carry a motion.

    Attributes:
        is_balanced: Whether such forces exist.
        forces: Contact forces of the ground on the robot, one choice [N], shape (k, 3).
    """

    is_balanced: bool
    forces: FloatArray


def cone_edges(normal: ArrayLike, friction: float, *, count: int = 8) -> FloatArray:
    """Return edges of a friction cone, unit normal part, shape (count, 3).

    The pyramid lies inside the cone: what it allows, friction allows.

    Example:
        >>> print(cone_edges([0, 0, 1], 0.5, count=4).round(9)[0])
        [0.5 0.  1. ]
    """
    n = as_finite("normal", normal, (3,))
    n = n / np.linalg.norm(n)
    side = np.eye(3)[int(np.argmin(np.abs(n)))]
    u = side - (side @ n) * n
    u /= np.linalg.norm(u)
    w = np.cross(n, u)
    angle = 2.0 * np.pi * np.arange(count) / count
    return n + friction * (np.cos(angle)[:, None] * u + np.sin(angle)[:, None] * w)


def contact_wrenches(
    points: ArrayLike,
    normals: ArrayLike,
    centre: ArrayLike,
    *,
    friction: float,
    count: int = 8,
) -> FloatArray:
    """Return the wrenches about `centre` of all cone edges, shape (6, k * count)."""
    p, n = as_finite("points", points, (3,)), as_finite("normals", normals, (3,))
    if p.shape != n.shape:
        raise ConfigError("every contact needs one point and one normal")
    columns: list[FloatArray] = []
    for point, normal in zip(p, n, strict=True):
        edges = cone_edges(normal, friction, count=count)
        arm = np.cross(point - np.asarray(centre, np.float64), edges)
        columns.append(np.concatenate([edges, arm], axis=1))
    return np.concatenate(columns).T


def contact_balance(
    points: ArrayLike,
    normals: ArrayLike,
    centre: ArrayLike,
    *,
    mass: float,
    friction: float,
    acceleration: ArrayLike = (0.0, 0.0, 0.0),
    spin_rate: ArrayLike = (0.0, 0.0, 0.0),
    count: int = 8,
) -> ContactBalance:
    """Return whether contacts carry a motion of the centre of mass.

    Args:
        points: Contacts [m], shape (k, 3).
        normals: Normals of the ground, pointing away from it, shape (k, 3).
        centre: Centre of mass c [m], shape (3,).
        mass: Mass m [kg].
        friction: Coefficient.
        acceleration: c̈ [m/s^2], shape (3,).
        spin_rate: Rate L̇ of the angular momentum about c [N m], shape (3,).
        count: Edges per friction cone.

    Example:
        >>> feet = [[0, 0, 0], [0.2, 0, 0], [0, 0.2, 0]]
        >>> up = [[0, 0, 1]] * 3
        >>> load = dict(mass=10.0, friction=0.5)
        >>> contact_balance(feet, up, [0.05, 0.05, 0.5], **load).is_balanced
        True
        >>> contact_balance(feet, up, [0.15, 0.15, 0.5], **load).is_balanced
        False
    """
    W = contact_wrenches(points, normals, centre, friction=friction, count=count)
    need = _wanted(mass, acceleration, spin_rate)
    found = linprog(np.ones(W.shape[1]), A_eq=W, b_eq=need, method="highs")
    k = W.shape[1] // count
    forces = np.zeros((k, 3))
    if found.x is not None and found.status == 0:
        forces = (W[:3] * found.x).T.reshape(k, count, 3).sum(axis=1)
    return ContactBalance(is_balanced=found.status == 0, forces=forces)


def balance_margin(
    points: ArrayLike,
    normals: ArrayLike,
    centre: ArrayLike,
    *,
    mass: float,
    friction: float,
    pushes: ArrayLike,
    count: int = 8,
) -> float:
    """Return the largest s for which every push s w can be resisted at rest.

    0 if the robot cannot even stand.

    Args:
        points: Contact points [m], shape (k, 3).
        normals: Normals of the ground at the contacts, shape (k, 3).
        centre: Centre of mass [m], shape (3,).
        mass: Mass [kg].
        friction: Coefficient.
        pushes: Wrenches [f; n] about the centre in all directions of interest, shape
            (j, 6).
        count: Edges per friction cone.
    """
    W = contact_wrenches(points, normals, centre, friction=friction, count=count)
    need = _wanted(mass, np.zeros(3), np.zeros(3))
    worst = np.inf
    for push in as_finite("pushes", pushes, (6,)):
        A = np.column_stack([W, push])  # W λ + s w = weight
        cost = np.append(np.zeros(W.shape[1]), -1.0)
        found = linprog(cost, A_eq=A, b_eq=need, method="highs")
        if found.status == 2:
            return 0.0
        if found.x is not None and found.status == 0:
            worst = min(worst, float(found.x[-1]))
    return worst


def _wanted(mass: float, acceleration: ArrayLike, spin_rate: ArrayLike) -> FloatArray:
    force = mass * (np.asarray(acceleration, np.float64) - GRAVITY_VECTOR)
    return np.concatenate([force, np.asarray(spin_rate, np.float64)])
