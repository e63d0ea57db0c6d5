"""How likely a stroke succeeds when the prediction of the flight is uncertain.

The bat moves as planned; the ball comes a little beside and a little faster. Where they
then touch first follows from their relative motion, and the contact simulation says
what becomes of it. Errors of the bat's own place count like errors of the ball's and
may be added to the covariance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import add, dot, norm, scaled, sub
from gelenk.robots.piggy.contact import ContactCfg, run_contact
from gelenk.robots.piggy.planner.plan import PLAN, PlanCfg, Strokes
from gelenk.robots.piggy.planner.vectors import as_tuple
from gelenk.typing import ArrayLike, BoolArray, FloatArray, Vec3

if TYPE_CHECKING:
    from gelenk.robots.piggy.contact import ContactParams


SAMPLES = 256
_STEPS = (1e-4,) * 3 + (1e-2,) * 3  # [m] and [m/s], of the derivatives


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Chance:
    """What may become of a stroke.

    Attributes:
        probability: That the outgoing velocity is within the tolerance.
        hit_probability: That the ball is touched at all.
        v_out: Mean outgoing velocity of the hits [m/s], (3,).
        covariance: Of it [m^2/s^2], (3, 3).
    """

    probability: float
    hit_probability: float
    v_out: FloatArray
    covariance: FloatArray


def success_probability(
    strokes: Strokes,
    wanted: ArrayLike,
    covariance: ArrayLike,
    rng: np.random.Generator,
    *,
    tolerance: float,
    index: int = 0,
    method: Literal["sampled", "linear"] = "sampled",
    samples: int = SAMPLES,
    cfg: PlanCfg = PLAN,
) -> Chance:
    """Return the chance of one stroke under an uncertain flight.

    Args:
        strokes: From `plan` or `query`.
        wanted: Outgoing velocity [m/s], shape (3,).
        covariance: Of the ball's position and velocity at the touch, world axes,
            shape (6, 6) [m^2, m^2/s, m^2/s^2].
        rng: Source of the draws.
        tolerance: Length of the velocity's error that still counts [m/s].
        index: Which of the strokes.
        method: "sampled" simulates every draw; "linear" takes the derivatives of the
            contact instead and knows no misses.
        samples: Number of draws.
        cfg: With which the strokes were planned.
    """
    if method not in ("sampled", "linear"):
        raise ConfigError(f"`method` must be sampled or linear, got {method!r}")
    P = as_finite("covariance", covariance, (6, 6))
    values, vectors = np.linalg.eigh((P + P.T) / 2.0)
    if values[0] < -1e-9 * max(values[-1], 1e-12):
        raise ConfigError("`covariance` must not have negative eigenvalues")
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    draws = rng.normal(size=(samples, 6)) @ root.T
    if method == "sampled":
        v_out, is_hit = deviate(strokes, draws, index=index, cfg=cfg)
    else:
        J = sensitivity(strokes, index=index, cfg=cfg)
        v_out = strokes.v_out[index] + draws @ J.T
        is_hit = np.ones(samples, dtype=np.bool_)
    off = np.linalg.norm(v_out - as_finite("wanted", wanted, (3,)), axis=1)
    hits = v_out[is_hit] if is_hit.any() else np.zeros((1, 3))
    away = hits - hits.mean(axis=0)
    return Chance(
        probability=float(np.mean(is_hit & (off <= tolerance))),
        hit_probability=float(is_hit.mean()),
        v_out=hits.mean(axis=0),
        covariance=away.T @ away / len(away),
    )


def sensitivity(strokes: Strokes, *, index: int = 0, cfg: PlanCfg = PLAN) -> FloatArray:
    """Return d v_out / d (ball's position, velocity), shape (3, 6).

    Columns in (m/s)/m and (m/s)/(m/s), by central differences.
    """
    steps = np.diag(_STEPS)
    ends, _ = deviate(strokes, np.concatenate([steps, -steps]), index=index, cfg=cfg)
    return ((ends[:6] - ends[6:]) / (2.0 * np.array(_STEPS)[:, None])).T


def deviate(
    strokes: Strokes, deviations: ArrayLike, *, index: int = 0, cfg: PlanCfg = PLAN
) -> tuple[FloatArray, np.ndarray]:
    """Return what a stroke does to balls that deviate from the prediction.

    Args:
        strokes: From `plan` or `query`.
        deviations: Of position and velocity at the planned touch, shape (n, 6).
        index: Which of the strokes.
        cfg: With which they were planned.

    Returns:
        Outgoing velocities [m/s], (n, 3), and whether the ball was touched, (n,); one
        that was not keeps its velocity.
    """
    d = np.ascontiguousarray(np.atleast_2d(as_finite("deviations", deviations, (6,))))
    out, is_hit = np.empty((len(d), 3)), np.empty(len(d), dtype=np.bool_)
    contact: ContactCfg = cfg.contact
    _deviate(
        as_tuple(strokes.n_c[index]),
        as_tuple(strokes.v_in[index]),
        as_tuple(strokes.v_s[index]),
        d,
        contact.params,
        out,
        is_hit,
    )
    return out, is_hit


@kernel
def _deviate(
    n_c: Vec3,
    v_in: Vec3,
    v_s: Vec3,
    deviations: FloatArray,
    par: ContactParams,
    out: FloatArray,
    is_hit: BoolArray,
) -> None:
    radius = par.ball_radius + par.bat_radius
    for i in range(len(deviations)):
        x = deviations[i]
        v = add(v_in, (x[3], x[4], x[5]))
        apart = add(scaled(radius, n_c), (x[0], x[1], x[2]))
        w = sub(v, v_s)
        # |apart + s w| = radius, the earlier root
        half, speed = dot(apart, w), dot(w, w)
        root = half * half - speed * (dot(apart, apart) - radius * radius)
        is_hit[i] = root > 0.0 and speed > 0.0
        if is_hit[i]:
            s = (-half - root**0.5) / speed
            n = add(apart, scaled(s, w))
            v = add(v, scaled(s, par.gravity))
            zero = (0.0, 0.0, 0.0)
            v = run_contact(v, scaled(1.0 / norm(n), n), v_s, zero, par)[0]
        out[i, 0], out[i, 1], out[i, 2] = v[0], v[1], v[2]
