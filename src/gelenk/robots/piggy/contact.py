"""Contact of ball and bat: compressed gas, sliding friction, from touch to separation.

The model of Hammer 2011 §4.4.2. Both bodies are free hollow spheres; the ball deforms,
its loss of volume is the overlap of the spheres, its gas is ideal and keeps its
temperature, and the overpressure acts on the circle of intersection. The constant
overpressure of an inflated ball is left out, and nothing is lost along the normal.
Friction is kinetic and acts at the bat's surface: the ball's lever arm is the distance
from there to its centre, which alone conserves angular momentum.

Integrated semi-implicitly, which makes no energy. The printed scheme takes the force of
the old state for both position and velocity: at 1 ms a ball comes back 1.3 times as
fast as it came.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from gelenk.checks import as_array
from gelenk.errors import ConfigError
from gelenk.kernels.batch import in_pieces
from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import add, cross, dot, norm, scaled, sub
from gelenk.robots.piggy import robot as unit
from gelenk.robots.piggy.config import (
    BALL_MASS,
    BALL_PRESSURE,
    BALL_RADIUS,
    FRICTION,
)
from gelenk.typing import ArrayLike, FloatArray, Vec2, Vec3

MAX_DURATION = 0.2  # [s], ten contacts; only grazing touches come near
Scheme = Literal["semi_implicit", "printed"]


class ContactParams(NamedTuple):
    """What the kernels need of a `ContactCfg`, plain numbers."""

    ball_radius: float
    ball_mass: float
    pressure: float
    bat_radius: float
    bat_mass: float
    friction: float
    dt: float
    gravity: tuple[float, float, float]
    is_printed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactCfg:
    """Ball, bat and integration.

    Attributes:
        ball_radius: [m].
        ball_mass: [kg].
        pressure: Absolute pressure of the ball at rest [Pa].
        bat_radius: Of the sphere [m].
        bat_mass: Of the sphere, which flies freely [kg].
        friction: Coefficient of kinetic friction.
        dt: Time step [s].
        gravity: Acceleration of the ball [m/s^2]; zero in tables, where the direction
            is not known.
        scheme: "printed" is the explicit one of the thesis.
    """

    ball_radius: float = BALL_RADIUS
    ball_mass: float = BALL_MASS
    pressure: float = BALL_PRESSURE
    bat_radius: float = unit.SPHERE_RADIUS
    bat_mass: float = unit.SPHERE_MASS
    friction: float = FRICTION
    dt: float = 1e-3
    gravity: tuple[float, float, float] = (0.0, 0.0, 0.0)
    scheme: Scheme = "semi_implicit"

    def __post_init__(self) -> None:
        for name in ("ball_radius", "ball_mass", "pressure", "bat_radius", "bat_mass"):
            if not 0.0 < getattr(self, name) < math.inf:
                raise ConfigError(
                    f"`{name}` must be positive, got {getattr(self, name)}"
                )
        if not self.friction >= 0.0:
            raise ConfigError(f"`friction` must not be negative, got {self.friction}")
        if not 0.0 < self.dt <= 0.005:
            raise ConfigError(
                f"`dt` must lie between 0 and 5 ms, a third of a contact, got {self.dt}"
            )

    @property
    def radius_sum(self) -> float:
        """Distance of the centres at the first touch [m]."""
        return self.ball_radius + self.bat_radius

    @property
    def params(self) -> ContactParams:
        """The same as the kernels take it."""
        return ContactParams(
            float(self.ball_radius),
            float(self.ball_mass),
            float(self.pressure),
            float(self.bat_radius),
            float(self.bat_mass),
            float(self.friction),
            float(self.dt),
            (float(self.gravity[0]), float(self.gravity[1]), float(self.gravity[2])),
            self.scheme == "printed",
        )


CONTACT = ContactCfg()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Hits:
    """Ends of contacts; all arrays share the leading axes of the inputs.

    Attributes:
        v_out: Velocity of the ball [m/s], (..., 3).
        spin_out: Its angular velocity [rad/s], (..., 3).
        v_bat: Velocity of the bat [m/s], (..., 3).
        spin_bat: Its angular velocity [rad/s], (..., 3).
        displacement: Way of the ball's centre from first to last touch [m], (..., 3).
        duration: Of the contact [s], (...); 0 where ball and bat do not approach.
        penetration: Deepest [m], (...).
        peak_force: Of the gas [N], (...).
    """

    v_out: FloatArray
    spin_out: FloatArray
    v_bat: FloatArray
    spin_bat: FloatArray
    displacement: FloatArray
    duration: FloatArray
    penetration: FloatArray
    peak_force: FloatArray


def hit(
    v_in: ArrayLike,
    n_c: ArrayLike,
    v_s: ArrayLike,
    *,
    spin: ArrayLike = (0.0, 0.0, 0.0),
    cfg: ContactCfg = CONTACT,
) -> Hits:
    """Return what contacts make of the ball; one frame for all vectors.

    Args:
        v_in: Velocity of the ball at the first touch [m/s], shape (..., 3).
        n_c: Unit vector from the bat's to the ball's centre then, shape (..., 3).
        v_s: Velocity of the bat [m/s], shape (..., 3).
        spin: Angular velocity of the ball [rad/s], shape (..., 3).
        cfg: Ball, bat, integration.
    """
    arrays = (("v_in", v_in), ("n_c", n_c), ("v_s", v_s), ("spin", spin))
    given = np.broadcast_arrays(*(as_array(name, a, (3,)) for name, a in arrays))
    shape = given[0].shape[:-1]
    inputs = np.concatenate([a.reshape(-1, 3) for a in given], axis=1)
    if inputs.size and not np.allclose((inputs[:, 3:6] ** 2).sum(axis=1), 1.0):
        raise ConfigError("`n_c` must be made of unit vectors")
    out = np.empty((len(inputs), 18))
    params = cfg.params
    in_pieces(len(inputs), lambda part: run_batch(inputs[part], params, out[part]))
    vectors = [out[:, 3 * k : 3 * k + 3].reshape(*shape, 3) for k in range(5)]
    scalars = [out[:, 15 + k].reshape(shape) for k in range(3)]
    return Hits(
        v_out=vectors[0],
        spin_out=vectors[1],
        v_bat=vectors[2],
        spin_bat=vectors[3],
        displacement=vectors[4],
        duration=scalars[0],
        penetration=scalars[1],
        peak_force=scalars[2],
    )


def compression_force(
    penetration: ArrayLike, *, cfg: ContactCfg = CONTACT
) -> FloatArray:
    """Return the force of the compressed gas [N] (4.29) to (4.35), shape (...).

    Args:
        penetration: Radius sum less distance of the centres [m], shape (...).
        cfg: Ball and bat.
    """
    depth = as_array("penetration", penetration, ())
    flat = np.ascontiguousarray(depth.reshape(-1))
    out = np.empty(len(flat))
    _forces(cfg.radius_sum - flat, cfg.params, out)
    return out.reshape(depth.shape)


def mirror(v_in: ArrayLike, n_c: ArrayLike, v_s: ArrayLike) -> FloatArray:
    """Return the velocity after a mirror reflection: angle in = angle out, no loss.

    The bat is a wall that moves; the simple model behind the play accuracy of §3.2.3.

    Args:
        v_in: Velocity of the ball [m/s], shape (..., 3).
        n_c: Unit vector from the bat's to the ball's centre, shape (..., 3).
        v_s: Velocity of the bat [m/s], shape (..., 3).

    Returns:
        Velocity of the ball [m/s], shape (..., 3).
    """
    v, n = as_array("v_in", v_in, (3,)), as_array("n_c", n_c, (3,))
    approach = ((v - as_array("v_s", v_s, (3,))) * n).sum(axis=-1, keepdims=True)
    return v - 2.0 * np.minimum(approach, 0.0) * n


@kernel
def gas_force(d: float, par: ContactParams) -> float:
    """Return the force of the gas at distance d of the centres (4.29) to (4.35)."""
    b, s = par.ball_radius, par.bat_radius
    depth = b + s - d
    if depth <= 0.0:
        return 0.0
    d = max(d, abs(s - b) + 1e-6)  # deeper than any ball can be driven
    lens = d * d + 2.0 * d * (b + s) - 3.0 * (b - s) * (b - s)
    overlap = math.pi * depth * depth * lens / (12.0 * d)
    volume = 4.0 / 3.0 * math.pi * b * b * b
    over = par.pressure * overlap / max(volume - overlap, 1e-3 * volume)
    half = (d * d - b * b + s * s) / (2.0 * d)
    return over * math.pi * max(s * s - half * half, 0.0)


@kernel
def run_contact(
    v: Vec3, n: Vec3, u: Vec3, w: Vec3, par: ContactParams
) -> tuple[Vec3, Vec3, Vec3, Vec3, Vec3, float, float, float]:
    """Return the end of one contact; vectors are tuples.

    Args: ball's velocity, unit vector bat to ball, bat's velocity, ball's spin, params.
    Returns: v, w, bat's v, bat's w, ball's way, duration, depth, force.
    """
    zero = (0.0, 0.0, 0.0)
    if dot(sub(v, u), n) >= 0.0:
        return v, w, u, zero, zero, 0.0, 0.0, 0.0
    dt = par.dt
    touch = par.ball_radius + par.bat_radius
    inertia = 2.0 / 3.0 * par.ball_mass * par.ball_radius * par.ball_radius
    inertia_s = 2.0 / 3.0 * par.bat_mass * par.bat_radius * par.bat_radius
    r, way, w_s = scaled(touch, n), zero, zero
    deepest, strongest, steps = 0.0, 0.0, 0
    while steps * dt < MAX_DURATION:
        steps += 1
        d = norm(r)
        e = scaled(1.0 / d, r)
        force = gas_force(d, par)
        strongest, deepest = max(strongest, force), max(deepest, touch - d)
        friction = _friction(sub(v, u), w, w_s, e, d, force, (inertia, inertia_s), par)
        total = add(scaled(force, e), friction)
        a = add(scaled(1.0 / par.ball_mass, total), par.gravity)
        a_s = scaled(-1.0 / par.bat_mass, total)
        twist = cross(e, friction)
        arm = d - par.bat_radius
        w = add(w, scaled(-arm * dt / inertia, twist))
        w_s = add(w_s, scaled(-par.bat_radius * dt / inertia_s, twist))
        if par.is_printed:
            step = add(scaled(dt, v), scaled(0.5 * dt * dt, a))
            step_s = add(scaled(dt, u), scaled(0.5 * dt * dt, a_s))
            v, u = add(v, scaled(dt, a)), add(u, scaled(dt, a_s))
        else:
            v, u = add(v, scaled(dt, a)), add(u, scaled(dt, a_s))
            step, step_s = scaled(dt, v), scaled(dt, u)
        way, r = add(way, step), add(r, sub(step, step_s))
        if dot(r, r) >= touch * touch and dot(r, sub(v, u)) > 0.0:
            break
    return v, w, u, w_s, way, steps * dt, deepest, strongest


@kernel
def _friction(
    relative: Vec3,
    w: Vec3,
    w_s: Vec3,
    e: Vec3,
    d: float,
    force: float,
    inertias: Vec2,
    par: ContactParams,
) -> Vec3:
    """Return the friction on the ball (4.28), too weak to turn the slip around."""
    arm = d - par.bat_radius
    turning = add(scaled(arm, w), scaled(par.bat_radius, w_s))
    slip = sub(relative, cross(turning, e))
    slip = sub(slip, scaled(dot(slip, e), e))
    speed = norm(slip)
    if speed < 1e-12 or force <= 0.0:
        return (0.0, 0.0, 0.0)
    compliance = (
        1.0 / par.ball_mass
        + 1.0 / par.bat_mass
        + arm * arm / inertias[0]
        + par.bat_radius * par.bat_radius / inertias[1]
    )
    size = min(par.friction * force, speed / (compliance * par.dt))
    return scaled(-size / speed, slip)


@kernel
def run_batch(inputs: FloatArray, par: ContactParams, out: FloatArray) -> None:
    """Run one contact per row: v_in, n_c, v_s, spin -> 18 numbers in `Hits`' order."""
    for i in range(len(inputs)):
        x = inputs[i]
        v, w, u, w_s, way, duration, depth, force = run_contact(
            (x[0], x[1], x[2]),
            (x[3], x[4], x[5]),
            (x[6], x[7], x[8]),
            (x[9], x[10], x[11]),
            par,
        )
        for k in range(3):
            out[i, k], out[i, 3 + k], out[i, 6 + k] = v[k], w[k], u[k]
            out[i, 9 + k], out[i, 12 + k] = w_s[k], way[k]
        out[i, 15], out[i, 16], out[i, 17] = duration, depth, force


@kernel
def _forces(distances: FloatArray, par: ContactParams, out: FloatArray) -> None:
    for i in range(len(distances)):
        out[i] = gas_force(distances[i], par)
