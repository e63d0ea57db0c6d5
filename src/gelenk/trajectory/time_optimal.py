"""Time-optimal timing of joint paths within limits of speed, acceleration and effort.

With x the square of the path speed and u the path acceleration, every limit is a strip
in the plane of u and x at each place of the path, and x grows by 2 u ds: reachability
analysis (Pham, Pham 2018) finds by one pass backward which x can still be braked, by
one pass forward the fastest of them. Between the places of the grid the limits are
looked at as well, and narrowed where they were exceeded.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from gelenk.errors import ConfigError
from gelenk.kernels.compile import kernel
from gelenk.models.tree import RobotModel
from gelenk.trajectory.joint_path import JointPath
from gelenk.trajectory.limits import JointLimits, LimitArrays
from gelenk.trajectory.trajectory import Trajectory
from gelenk.typing import FloatArray

GRID = 500  # intervals of the whole path
LEAST_PER_PIECE = 6
INSIDE = np.linspace(0.0, 1.0, 9)  # places in an interval at which limits are checked
PASSES = 12  # of narrowing
MARGIN = 1e-6  # of a limit, for what lies between the checked places
FLAT = 1e-12  # size of a coefficient that counts as 0


class TimingStatus(StrEnum):
    """Outcome of timing a path.

    Example:
        >>> from gelenk.trajectory import TimingStatus
        >>> TimingStatus("solved").name
        'SOLVED'
    """

    SOLVED = "solved"
    TOO_WEAK = "too weak"  # the limits cannot even hold the robot still


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TimingResult:
    """Timed path, or why there is none.

    Attributes:
        status: Outcome.
        reason: Sentence on the outcome.
        trajectory: The motion; None if there is none.
    """

    status: TimingStatus
    reason: str
    trajectory: Trajectory | None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class _Grid:
    """Intervals of a path and, at places within, derivatives by s.

    Attributes:
        s: Ends of the intervals, shape (k + 1,).
        d1, d2, d3: Derivatives at places `INSIDE`, shape (k, m, n).
        q: Joint values there, shape (k, m, n).
        stops: Whether the direction jumps at the ends, shape (k + 1,).
    """

    s: FloatArray
    q: FloatArray
    d1: FloatArray
    d2: FloatArray
    d3: FloatArray
    stops: np.ndarray


class Strips(NamedTuple):
    """Limits low <= a u + b x <= high at places of a path, shape (k, m, rows) each."""

    a: FloatArray
    b: FloatArray
    low: FloatArray
    high: FloatArray


def time_path(
    path: JointPath,
    limits: JointLimits,
    *,
    model: RobotModel | None = None,
    grid: int = GRID,
) -> TimingResult:
    """Return the fastest motion along a path, from rest to rest, within limits.

    Limits of jerk only bound the speed in curves, see `time_smoothly`.

    Args:
        path: Path of the joints.
        limits: Limits of speed, acceleration and, with a model, effort.
        model: Robot whose efforts are limited; None leaves them out.
        grid: Number of intervals into which the path is cut.

    Raises:
        ConfigError: If nothing limits the acceleration of a joint that moves.

    Example:
        >>> from gelenk.trajectory import JointLimits, round_corners, time_path
        >>> path = round_corners([[0, 0], [1, 0], [1, 1]], tolerance=0.1)
        >>> found = time_path(path, JointLimits(velocity=1.0, acceleration=4.0))
        >>> found.status.value, round(found.trajectory.duration, 2)
        ('solved', 2.13)
    """
    own = limits.for_joints(path.num_joints)
    places = _make_grid(path, grid)
    strips = _strips(places, own, model)
    _check_bounded(places, strips)
    k = len(places.s) - 1
    share = np.ones(k)  # of the strips that may be used
    most_x = _speed_bounds(places, own)
    most_share = np.ones(k + 1)
    x = u = np.zeros(0)
    for _ in range(PASSES):
        bound = most_x * most_share
        x, u, failed = _reach(
            np.diff(places.s),
            strips.a,
            strips.b,
            strips.low,
            strips.high,
            share,
            bound,
        )
        if failed >= 0:
            return _too_weak(path, places.s, failed)
        excess, fast = _excess(places, strips, own, x, u)
        if excess.max() <= 1.0 and fast.max() <= 1.0:
            break
        share *= 1.0 / np.maximum(excess * (1.0 + MARGIN), 1.0)
        slower = 1.0 / np.maximum((fast * (1.0 + MARGIN)) ** 2, 1.0)
        most_share[:-1] = np.minimum(most_share[:-1], most_share[:-1] * slower)
        most_share[1:] = np.minimum(most_share[1:], most_share[1:] * slower)
    motion = _as_trajectory(path, places.s, x, u)
    if model is None:  # what is left to the limits, above or below, is time
        motion = motion.stretched_to(limits.without_jerk())
    reason = f"{motion.duration:.4g} s for {path.length:.4g} of path"
    return TimingResult(status=TimingStatus.SOLVED, reason=reason, trajectory=motion)


def _too_weak(path: JointPath, s: FloatArray, failed: int) -> TimingResult:
    return TimingResult(
        status=TimingStatus.TOO_WEAK,
        reason=(
            f"the limits of effort cannot hold the robot at s = {s[failed]:.4g} of "
            f"{path.length:.4g}; raise them, or plan past that posture"
        ),
        trajectory=None,
    )


def _make_grid(path: JointPath, grid: int) -> _Grid:
    """Cut the path into intervals that do not cross the ends of its pieces."""
    widths = np.diff(path.breaks)
    counts = np.maximum(LEAST_PER_PIECE, np.ceil(grid * widths / path.length))
    counts = counts.astype(np.int64)
    piece = np.repeat(np.arange(len(widths)), counts)
    first = np.concatenate([[0], np.cumsum(counts)[:-1]])
    number = np.arange(len(piece)) - first[piece]
    step = (widths / counts)[piece]
    offset = (number * step)[:, None] + step[:, None] * INSIDE
    rows = np.broadcast_to(piece[:, None], offset.shape)
    q, d1, d2, d3 = (path.sample_pieces(rows, offset, order) for order in range(4))
    s = np.append(path.breaks[piece] + number * step, path.length)
    stops = np.zeros(len(s), dtype=np.bool_)
    stops[np.cumsum(counts)[:-1]] = path.jumps()[1:-1]
    stops[0] = stops[-1] = True
    return _Grid(s=s, q=q, d1=d1, d2=d2, d3=d3, stops=stops)


def _strips(places: _Grid, limits: LimitArrays, model: RobotModel | None) -> Strips:
    """Return the strips at all places, scaled so that each is 2 wide."""
    a, b = [places.d1], [places.d2]
    zero = np.zeros_like(places.d1)
    low, high = [zero - limits.acceleration], [zero + limits.acceleration]
    if model is not None and np.isfinite(limits.effort).any():
        q = places.q
        still = model.inverse_dynamics(q, zero, zero)
        a.append(model.inverse_dynamics(q, zero, places.d1) - still)
        b.append(model.inverse_dynamics(q, places.d1, places.d2) - still)
        low.append(-limits.effort - still)
        high.append(limits.effort - still)
    rows = [np.concatenate(part, axis=-1) for part in (a, b, low, high)]
    is_limited = np.isfinite(rows[2]).all(axis=(0, 1))
    rows = [row[..., is_limited] for row in rows]
    scale = 2.0 / (rows[3] - rows[2])
    return Strips(*(np.ascontiguousarray(row * scale) for row in rows))


def _check_bounded(places: _Grid, strips: Strips) -> None:
    if strips[0].shape[2] == 0 or (np.abs(strips[0]).max(axis=2) < FLAT).all():
        raise ConfigError(
            "`limits` leave the acceleration free; give limits of acceleration, or "
            "of effort together with the model"
        )


def _speed_bounds(places: _Grid, limits: LimitArrays) -> FloatArray:
    """Return the largest squared path speed at the ends of the intervals, (k + 1,)."""
    slope = np.abs(places.d1)
    with np.errstate(divide="ignore", invalid="ignore"):
        fastest = (limits.velocity / slope).min(axis=2)
        by_jerk = np.cbrt(limits.jerk / np.abs(places.d3)).min(axis=2)
    fastest = np.fmin(fastest, by_jerk)  # nan where neither moves
    bound = np.full(len(places.s), np.inf)
    bound[:-1] = np.minimum(bound[:-1], fastest[:, 0])
    bound[1:] = np.minimum(bound[1:], fastest[:, -1])
    bound = np.minimum(bound, 1e9) ** 2
    bound[places.stops] = 0.0
    return bound


def _excess(
    places: _Grid,
    strips: Strips,
    limits: LimitArrays,
    x: FloatArray,
    u: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """Return by how much each interval exceeds its strips and speeds, shape (k,) each.

    1 is at the limit.
    """
    a, b, low, high = strips
    width = np.diff(places.s)
    inside = np.maximum(x[:-1, None] + 2.0 * u[:, None] * width[:, None] * INSIDE, 0.0)
    value = a * u[:, None, None] + b * inside[..., None]
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.where(value > 0.0, value / high, value / low)
    share = np.where(np.isfinite(share), share, 0.0)
    speed = np.abs(places.d1) * np.sqrt(inside)[..., None] / limits.velocity
    return share.max(axis=(1, 2)), speed.max(axis=(1, 2))


def _as_trajectory(
    path: JointPath, s: FloatArray, x: FloatArray, u: FloatArray
) -> Trajectory:
    speed = np.sqrt(np.maximum(x, 0.0))
    width = np.diff(s)
    time = 2.0 * width / (speed[:-1] + speed[1:])
    law = np.zeros((len(width), 4))
    law[:, 0], law[:, 1] = s[:-1], speed[:-1]
    # from the times, so that pieces meet to the last bit that matters
    law[:, 2] = 0.5 * (speed[1:] - speed[:-1]) / time
    return Trajectory(
        path=path, times=np.concatenate([[0.0], np.cumsum(time)]), law=law
    )


@kernel
def _reach(
    width: FloatArray,
    a: FloatArray,
    b: FloatArray,
    low: FloatArray,
    high: FloatArray,
    share: FloatArray,
    most: FloatArray,
) -> tuple[FloatArray, FloatArray, int]:
    """Return the fastest x and u over the intervals, and where it failed or -1.

    Args:
        width: Lengths of the intervals, (k,).
        a: Factors of u of the strips at places in the intervals, (k, m, rows).
        b: Factors of x, (k, m, rows).
        low: Lower edges of the strips, (k, m, rows).
        high: Upper edges of the strips, (k, m, rows).
        share: Share of the strips that may be used, (k,).
        most: Largest x at the ends of the intervals, (k + 1,).
    """
    k, rows = width.shape[0], a.shape[2]
    last = a.shape[1] - 1
    count = 2 * rows + 1
    # Lines u <= p + q x and u >= p + q x of one interval.
    upper, lower = np.empty((2, count)), np.empty((2, count))
    slow, fast = np.zeros(k + 1), np.zeros(k + 1)
    fast[k], slow[k] = most[k], 0.0
    x, u = np.zeros(k + 1), np.zeros(k)
    for i in range(k - 1, -1, -1):
        nu, nl, lo, hi = _lines(
            i, width[i], a, b, low, high, share[i], last, upper, lower
        )
        d = 2.0 * width[i]
        upper[0, nu], upper[1, nu] = fast[i + 1] / d, -1.0 / d
        lower[0, nl], lower[1, nl] = slow[i + 1] / d, -1.0 / d
        lo, hi = max(lo, 0.0), min(hi, most[i])
        for p in range(nu + 1):
            for q in range(nl + 1):
                rise = upper[1, p] - lower[1, q]
                gap = lower[0, q] - upper[0, p]
                if rise > 1e-14:
                    lo = max(lo, gap / rise)
                elif rise < -1e-14:
                    hi = min(hi, gap / rise)
                elif gap > 1e-9:
                    return x, u, i
        if lo > hi:
            if lo > hi + 1e-9 * (1.0 + abs(hi)):
                return x, u, i
            lo = hi
        slow[i], fast[i] = lo, hi
    if slow[0] > 0.0:
        return x, u, 0
    for i in range(k):
        nu, nl, lo, hi = _lines(
            i, width[i], a, b, low, high, share[i], last, upper, lower
        )
        d = 2.0 * width[i]
        highest, lowest = (fast[i + 1] - x[i]) / d, (slow[i + 1] - x[i]) / d
        for p in range(nu):
            highest = min(highest, upper[0, p] + upper[1, p] * x[i])
        for q in range(nl):
            lowest = max(lowest, lower[0, q] + lower[1, q] * x[i])
        u[i] = max(highest, lowest)
        following = x[i] + d * u[i]
        x[i + 1] = min(max(following, slow[i + 1]), fast[i + 1])
        u[i] = (x[i + 1] - x[i]) / d
        if x[i] <= 0.0 and x[i + 1] <= 0.0:
            return x, u, i
    return x, u, -1


@kernel
def _lines(
    i: int,
    width: float,
    a: FloatArray,
    b: FloatArray,
    low: FloatArray,
    high: FloatArray,
    share: float,
    last: int,
    upper: FloatArray,
    lower: FloatArray,
) -> tuple[int, int, float, float]:
    """Write the lines of an interval; return their numbers and the bounds of x alone.

    The strips at both ends of the interval count, those at its end for the x there.
    """
    nu = nl = 0
    lo, hi = 0.0, 1e18
    for end in range(2):
        place = end * last
        for r in range(a.shape[2]):
            beta = b[i, place, r]
            alpha = a[i, place, r] + end * 2.0 * width * beta
            top, bottom = high[i, place, r] * share, low[i, place, r] * share
            # a strip without 0 holds no robot still: it is not narrowed
            if bottom > 0.0:
                bottom = low[i, place, r]
            if top < 0.0:
                top = high[i, place, r]
            if abs(alpha) <= 1e-12 * (1.0 + abs(beta) * width):
                if beta > 1e-14:
                    hi, lo = min(hi, top / beta), max(lo, bottom / beta)
                elif beta < -1e-14:
                    hi, lo = min(hi, bottom / beta), max(lo, top / beta)
                continue
            if alpha < 0.0:
                top, bottom = bottom, top
            upper[0, nu], upper[1, nu] = top / alpha, -beta / alpha
            lower[0, nl], lower[1, nl] = bottom / alpha, -beta / alpha
            nu += 1
            nl += 1
    return nu, nl, lo, hi
