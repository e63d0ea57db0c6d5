"""`query` and `plan`: ranked strokes for a pose, and for a whole predicted flight."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError, ShapeError
from gelenk.robots.piggy.config import GRAVITY, SPEED_LIMIT, UNIT, UnitCfg
from gelenk.robots.piggy.contact import ContactCfg
from gelenk.robots.piggy.planner.final import COLUMNS, best_strokes, refine_strokes
from gelenk.robots.piggy.planner.lookup import LOOKUP, LookupCfg, table_arrays
from gelenk.robots.piggy.planner.nodes import node_arrays
from gelenk.robots.piggy.planner.path import BallPath, reachable_segments
from gelenk.robots.piggy.planner.strike import Setting
from gelenk.robots.piggy.planner.tables import Tables
from gelenk.robots.piggy.planner.vectors import as_tuple
from gelenk.robots.piggy.surface import unit_params
from gelenk.typing import ArrayLike, FloatArray, IntArray

Method = Literal["refined", "exact", "printed"]
# [s]: at 1 ms, where friction turns from sliding to rolling costs up to 0.14 m/s.
FINAL_STEP = 2.5e-4
Vec3: TypeAlias = tuple[float, float, float]
_ZERO = (0.0, 0.0, 0.0)
_METHODS = ("printed", "exact", "refined")


def _falling() -> ContactCfg:
    return ContactCfg(gravity=(0.0, 0.0, -GRAVITY), dt=FINAL_STEP)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanCfg:
    """How strokes are planned.

    Attributes:
        lookup: How candidates are found.
        contact: Ball, bat and gravity of the final simulation.
        unit: Geometry of the robot.
        method: "printed" meets the ball on a local sphere, "exact" on the workspace
            itself, "refined" removes the grid's error on top.
        rate_limit: Largest joint rate [rad/s].
        height_tolerance: Of the contact-point check, ball's height [m]: the workspace
            drops by 19 mm beside the ball's foot point.
        lowest: Smallest cosine between n_c and the rod; a ball further down would meet
            the rod and its cover first (-0.9). Chosen with a reserve.
        enough: Candidates of the nearest cells that spare looking further,
        near: if the best of them errs by no more than this [m/s].
        refined: Strokes that are refined to the goal.
        tried: Candidates that may be refined for that.
        goal: Error at which a stroke is as good as wanted [m/s].
    """

    lookup: LookupCfg = LOOKUP
    contact: ContactCfg = field(default_factory=_falling)
    unit: UnitCfg = UNIT
    method: Method = "refined"
    rate_limit: float = SPEED_LIMIT
    height_tolerance: float = 0.02
    lowest: float = -0.7
    enough: int = 20
    near: float = 0.2
    refined: int = 8
    tried: int = 40
    goal: float = 0.01

    def __post_init__(self) -> None:
        if self.method not in _METHODS:
            raise ConfigError(
                f"`method` must be one of {', '.join(_METHODS)}, got {self.method!r}"
            )


PLAN = PlanCfg()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Strokes:
    """Strokes for a request, best first; the first axis of every array counts them.

    Attributes:
        rating: 0 to 1 (n,).
        error: Length of v_out less what was wanted [m/s], (n,).
        time: Of the first touch [s], (n,); 0 without a flight.
        q: Roll and tilt then [rad], (n, 2).
        qd: Their rates [rad/s], (n, 2).
        n_c: Unit vector from the bat's to the ball's centre, (n, 3).
        v_in: Velocity of the ball then [m/s], (n, 3).
        v_s: Velocity of the bat then [m/s], (n, 3).
        v_out: Velocity of the ball after the contact [m/s], (n, 3).
        segment: Of the flight, (n,).
    """

    rating: FloatArray
    error: FloatArray
    time: FloatArray
    q: FloatArray
    qd: FloatArray
    n_c: FloatArray
    v_in: FloatArray
    v_s: FloatArray
    v_out: FloatArray
    segment: IntArray

    def __len__(self) -> int:
        return len(self.rating)


def query(
    tables: Tables,
    v_in: ArrayLike,
    v_out: ArrayLike,
    normal: ArrayLike,
    *,
    spin: ArrayLike = (0.0, 0.0, 0.0),
    cfg: PlanCfg = PLAN,
) -> Strokes:
    """Return strokes with the bat where the workspace has a given normal.

    Args:
        tables: From `build_tables`.
        v_in: Velocity of the ball [m/s], shape (3,).
        v_out: Wanted velocity after the contact [m/s], shape (3,).
        normal: Unit vector, shape (3,).
        spin: Of the ball [rad/s], shape (3,).
        cfg: How strokes are planned.
    """
    n = as_tuple(normal, "normal")
    if abs(math.hypot(*n) - 1.0) > 1e-6:
        raise ConfigError(f"`normal` must be a unit vector, got {n}")
    incoming = as_tuple(v_in, "v_in")
    setting = _setting(
        np.zeros((2, 7)), np.array([as_tuple(v_out, "v_out")]), spin, cfg
    )._replace(
        is_posed=True,
        q=(math.atan2(n[0], n[2]), math.asin(max(-1.0, min(1.0, -n[1])))),
        v_in=incoming,
    )
    return _ranked(tables, setting, [0], [(cfg.lowest, 1.0)], (incoming, n), cfg)


def plan(
    tables: Tables, path: BallPath, v_out: ArrayLike, *, cfg: PlanCfg = PLAN
) -> Strokes:
    """Return strokes for a flight, over all of its segments in reach.

    Args:
        tables: From `build_tables`.
        path: Predicted flight.
        v_out: Wanted velocity after the contact [m/s], shape (3,), or one for a contact
            at each sample of the path, shape (n, 3).
        cfg: How strokes are planned.
    """
    wanted = np.atleast_2d(as_finite("v_out", v_out, (3,)))
    if wanted.shape not in ((1, 3), (len(path.time), 3)):
        raise ShapeError(
            "v_out", expected=f"(3,) or ({len(path.time)}, 3)", actual=wanted.shape
        )
    setting = _setting(path.rows, wanted, path.spin, cfg)
    radius = cfg.contact.radius_sum
    found, heights = reachable_segments(setting.flight, radius, setting.unit)
    cosines = [
        (
            max((ends.min() - cfg.height_tolerance) / radius, cfg.lowest),
            (ends.max() + cfg.height_tolerance) / radius,
        )
        for ends in heights
    ]
    return _ranked(tables, setting, found.tolist(), cosines, (_ZERO, _ZERO), cfg)


def _setting(
    flight: FloatArray, wanted: FloatArray, spin: ArrayLike, cfg: PlanCfg
) -> Setting:
    return Setting(
        np.ascontiguousarray(flight),
        np.array(wanted),
        False,
        (0.0, 0.0),
        (0.0, 0.0, 0.0),
        as_tuple(spin, "spin"),
        float(cfg.rate_limit),
        float(cfg.lowest),
        unit_params(cfg.unit),
        cfg.contact.params,
    )


def _ranked(
    tables: Tables,
    setting: Setting,
    segments: Sequence[int],
    cosines: Sequence[tuple[float, float]],
    posed: tuple[Vec3, Vec3],
    cfg: PlanCfg,
) -> Strokes:
    """Return the strokes of all segments, the best refined, best first."""
    table, owner = np.empty((0, COLUMNS)), np.empty(0, dtype=np.int64)
    for spread in range(cfg.lookup.spread + 1):
        # The cells around are read only if the nearest hold too little.
        parts = [
            _run(tables, setting, segment, limits, posed, spread, cfg)
            for segment, limits in zip(segments, cosines, strict=True)
        ]
        table = np.concatenate([*parts, np.empty((0, COLUMNS))])
        owner = np.repeat(np.array(segments, dtype=np.int64), [len(p) for p in parts])
        if cfg.method == "refined":
            order = np.argsort(table[:, 1], kind="stable")
            table, owner = table[order], owner[order]
            goal = int(cfg.refined), int(cfg.tried), float(cfg.goal)
            refine_strokes(table, owner, setting, float(cfg.lookup.rating.v_out), goal)
        if len(table) >= cfg.enough and table[:, 1].min() <= cfg.near:
            break
    return _sorted(table, owner)


def _run(
    tables: Tables,
    setting: Setting,
    segment: int,
    cosines: tuple[float, float],
    posed: tuple[Vec3, Vec3],
    spread: int,
    cfg: PlanCfg,
) -> FloatArray:
    """Return the rows of one segment's strokes, or of a pose's."""
    out = np.empty((cfg.lookup.best, COLUMNS))
    count = best_strokes(
        table_arrays(tables),
        node_arrays(tables.nodes),
        setting,
        segment,
        posed,
        (float(cosines[0]), float(cosines[1])),
        cfg.lookup.rating.limits,
        (float(cfg.lookup.tolerance), spread),
        cfg.method == "printed",
        out,
    )
    return out[:count]


def _sorted(table: FloatArray, owner: IntArray) -> Strokes:
    # Equal ratings, as of refined strokes: the calmer one first.
    order = np.lexsort((np.abs(table[:, 5:7]).max(axis=1), -np.round(table[:, 0], 2)))
    table, owner = table[order], owner[order]
    return Strokes(
        rating=table[:, 0],
        error=table[:, 1],
        time=table[:, 2],
        q=table[:, 3:5],
        qd=table[:, 5:7],
        n_c=table[:, 7:10],
        v_in=table[:, 10:13],
        v_s=table[:, 13:16],
        v_out=table[:, 16:19],
        segment=owner,
    )
