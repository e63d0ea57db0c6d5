"""Candidates from Piggy's tables as arrays, by the planner's own kernel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.robots.piggy.planner.lookup import (
    LOOKUP,
    LookupCfg,
    find_candidates,
    table_arrays,
)
from gelenk.robots.piggy.planner.nodes import node_arrays
from gelenk.robots.piggy.planner.tables import Tables
from gelenk.robots.piggy.planner.vectors import as_tuple
from gelenk.typing import ArrayLike, FloatArray, IntArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidates:
    """The best results for a request, in world axes, best first.

    Attributes:
        rating: 0 to 1, (n,).
        v_s: Velocity of the bat [m/s], (n, 3).
        n_c: Unit vector from the bat's to the ball's centre, (n, 3).
        v_out: Outgoing velocity of the stored run [m/s], (n, 3).
        entry: Row in the tables, (n,).
    """

    rating: FloatArray
    v_s: FloatArray
    n_c: FloatArray
    v_out: FloatArray
    entry: IntArray


def look_up(
    tables: Tables,
    request: tuple[ArrayLike, ArrayLike],
    normal: ArrayLike,
    *,
    cosines: tuple[float, float] = (-1.0, 1.0),
    cfg: LookupCfg = LOOKUP,
) -> Candidates:
    """Return the best stored contacts for a request.

    Args:
        tables: From `build_tables`.
        request: v_in and v_out [m/s], each (3,).
        normal: Of the workspace, unit vector, (3,).
        cosines: Smallest and largest n_c . normal, the contact-point check: what the
            ball's height above the workspace allows.
        cfg: Limits and counts.
    """
    v_in, v_out = as_tuple(request[0], "v_in"), as_tuple(request[1], "v_out")
    rows = np.empty((cfg.best, 10))
    entry = np.empty(cfg.best, dtype=np.int64)
    count = find_candidates(
        table_arrays(tables),
        node_arrays(tables.nodes),
        (v_in, v_out, as_tuple(normal, "normal")),
        (float(cosines[0]), float(cosines[1])),
        cfg.rating.limits,
        (float(cfg.tolerance), int(cfg.spread)),
        rows,
        entry,
    )
    return Candidates(
        rating=rows[:count, 0],
        v_s=rows[:count, 1:4],
        n_c=rows[:count, 4:7],
        v_out=rows[:count, 7:10],
        entry=entry[:count],
    )
