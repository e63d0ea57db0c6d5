"""Many contacts of Piggy's bat and ball at once, by the robot's own kernel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_finite
from gelenk.kernels.compile import kernel
from gelenk.robots.piggy.contact import ContactParams
from gelenk.robots.piggy.rebound import REBOUND, ReboundCfg, kernel_beliefs, on_rod
from gelenk.robots.piggy.surface import UnitParams
from gelenk.typing import ArrayLike, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rebound:
    """Ends of contacts; arrays share the leading axes of the inputs.

    Attributes:
        v_out: Velocity of the ball after it [m/s], (..., 3).
        way: Of the ball's centre from the first to the last touch [m], (..., 3).
        spin_out: Its angular velocity then [rad/s], (..., 3).
        duration: [s], (...).
    """

    v_out: FloatArray
    way: FloatArray
    spin_out: FloatArray
    duration: FloatArray


def rebound(
    q: ArrayLike,
    qd: ArrayLike,
    n_c: ArrayLike,
    v_in: ArrayLike,
    *,
    spin: ArrayLike = (0.0, 0.0, 0.0),
    cfg: ReboundCfg = REBOUND,
) -> Rebound:
    """Return what becomes of balls.

    Args:
        q: Roll and tilt at the first touch [rad], (..., 2).
        qd: Their rates [rad/s], (..., 2).
        n_c: Unit vector from the bat's to the ball's centre, (..., 3).
        v_in: Velocity of the ball [m/s], (..., 3).
        spin: Of the ball [rad/s], (..., 3).
        cfg: What is believed about ball and bat.
    """
    parts = (
        as_finite("q", q, (2,)),
        as_finite("qd", qd, (2,)),
        as_finite("n_c", n_c, (3,)),
        as_finite("v_in", v_in, (3,)),
        as_finite("spin", spin, (3,)),
    )
    shape = np.broadcast_shapes(*(p.shape[:-1] for p in parts))
    rows = np.concatenate(
        [np.broadcast_to(p, (*shape, p.shape[-1])) for p in parts], axis=-1
    ).reshape(-1, 13)
    out = np.empty((len(rows), 10))
    _rebounds(np.ascontiguousarray(rows), *kernel_beliefs(cfg), out)
    return Rebound(
        v_out=out[:, :3].reshape(*shape, 3),
        way=out[:, 3:6].reshape(*shape, 3),
        spin_out=out[:, 6:9].reshape(*shape, 3),
        duration=out[:, 9].reshape(shape),
    )


@kernel
def _rebounds(
    rows: FloatArray,
    bat: tuple[float, float, float, float],
    restitution: float,
    unit: UnitParams,
    par: ContactParams,
    out: FloatArray,
) -> None:
    for i in range(len(rows)):
        x = rows[i]
        v, way, w, duration = on_rod(
            (x[0], x[1]),
            (x[2], x[3]),
            (x[4], x[5], x[6]),
            (x[7], x[8], x[9]),
            (x[10], x[11], x[12]),
            bat,
            restitution,
            unit,
            par,
        )
        for k in range(3):
            out[i, k], out[i, 3 + k], out[i, 6 + k] = v[k], way[k], w[k]
        out[i, 9] = duration
