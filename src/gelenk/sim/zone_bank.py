"""Zones as arrays, watched in every physics tick inside the compiled loop.

What a zone notices becomes a row (tick, zone, object) of a buffer that Python empties
between calls of the loop. The buffer always has room for everything that one tick can
notice; when it could not hold another tick, the kernel says so and the loop must stop.

Watching is cheap because distances are Lipschitz: having looked at an object, the bank
knows how far it may move before any zone could change its mind, and until then a tick
costs one distance per object.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gelenk.kernels.compile import kernel
from gelenk.sim.zones import LightBarrier, Watched, Zone, sees
from gelenk.typing import FloatArray, IntArray

ENTER, LEAVE, BARRIER = 0, 1, 2  # kinds
X1, Y1, X2, Y2, Z_LOW, Z_HIGH = 0, 1, 2, 3, 4, 5  # columns of params
RADIUS, RIM = 2, 3  # the same columns, of a circle
GUARD = 3  # column of guard behind the position: how far the object may go [m]
TICK, ZONE, OBJECT = 0, 1, 2  # columns of events
_MARGIN = 1e-9  # [m], taken off every guard against rounding


class ZoneBank(NamedTuple):
    """All zones of a world as arrays; nz zones, no objects.

    Attributes:
        kinds: ENTER, LEAVE or BARRIER, shape (nz,).
        params: Geometry, columns X1 to Z_HIGH, shape (nz, 6).
        watched: Whether a zone looks at an object, shape (nz, no).
        side: Last side of an object: 1 inside or left, -1 outside or right, 0 not
            yet known, shape (nz, no).
        is_held: Whether an object stands on a barrier's line, shape (nz, no).
        anchor: Position before it came onto the line [m], shape (nz, no, 3).
        previous: Positions of the tick before [m], shape (no, 3).
        guard: Place of the last look at an object, and how far it may go before
            it is looked at again [m], shape (no, 4).
        active: Work space, shape (no,).
        events: Rows (tick, zone, object), shape (capacity, 3).
        filled: Number of rows in use, shape (1,).
        room: Rows that one tick may need, shape (1,).
    """

    kinds: npt.NDArray[np.int64]
    params: npt.NDArray[np.float64]
    watched: npt.NDArray[np.bool_]
    side: npt.NDArray[np.int8]
    is_held: npt.NDArray[np.bool_]
    anchor: npt.NDArray[np.float64]
    previous: npt.NDArray[np.float64]
    guard: npt.NDArray[np.float64]
    active: npt.NDArray[np.int64]
    events: npt.NDArray[np.int64]
    filled: npt.NDArray[np.int64]
    room: npt.NDArray[np.int64]


def pack_zones(
    zones: Sequence[Zone], objects: Sequence[Watched], *, spare: int = 256
) -> ZoneBank:
    """Return the bank of `zones` that watch `objects`, in these orders.

    Args:
        zones: Zones to watch with; their order is the order of events within a tick.
        objects: Objects to watch, in the order of the rows of positions.
        spare: Rows of the event buffer beyond those one tick may fill.
    """
    nz, no = len(zones), len(objects)
    watched = np.zeros((nz, no), dtype=np.bool_)
    for i, zone in enumerate(zones):
        watched[i] = [sees(zone, item) for item in objects]
    room = int(watched.sum())
    guard = np.zeros((no, 4))
    guard[:, GUARD] = -1.0  # negative: look in the first tick
    return ZoneBank(
        kinds=np.array([_kind_code(zone) for zone in zones], dtype=np.int64),
        params=np.array([_row(zone) for zone in zones]).reshape(nz, 6),
        watched=watched,
        side=np.zeros((nz, no), dtype=np.int8),
        is_held=np.zeros((nz, no), dtype=np.bool_),
        anchor=np.zeros((nz, no, 3)),
        previous=np.zeros((no, 3)),
        guard=guard,
        active=np.zeros(no, dtype=np.int64),
        events=np.zeros((room + spare, 3), dtype=np.int64),
        filled=np.zeros(1, dtype=np.int64),
        room=np.array([room], dtype=np.int64),
    )


def state_arrays(bank: ZoneBank) -> tuple[np.ndarray, ...]:
    """Return the arrays that change while stepping; drain before copying them."""
    return (
        bank.side,
        bank.is_held,
        bank.anchor,
        bank.previous,
        bank.guard,
        bank.filled,
    )


def drain(bank: ZoneBank) -> npt.NDArray[np.int64]:
    """Return all waiting events (tick, zone, object), shape (k, 3), and remove them.

    They are ordered by tick, then zone, then object.
    """
    events = bank.events[: bank.filled[0]].copy()
    bank.filled[0] = 0
    return events


def forget(bank: ZoneBank, object_id: int | None = None) -> None:
    """Forget where objects were: the next look only learns.

    For objects that were placed, not moved: a jump is no crossing.

    Args:
        bank: The bank.
        object_id: The object's row, or None for all.
    """
    which = slice(None) if object_id is None else object_id
    bank.side[:, which] = 0
    bank.is_held[:, which] = False
    bank.guard[which, GUARD] = -1.0


@kernel
def watch_zones(bank: ZoneBank, positions: FloatArray, tick: int) -> bool:
    """Look at all objects, append what the zones notice; say whether to drain now.

    Args:
        bank: The zones.
        positions: Centres of the objects in world [m], shape (no, 3).
        tick: Number of this physics tick.

    Returns:
        True if the buffer might not hold the events of another tick: the loop must
        end here and `drain` must be called before it goes on.
    """
    if bank.filled[0] + bank.room[0] > bank.events.shape[0]:
        raise OverflowError("zone events were not drained")
    count = _select_moved(positions, bank.guard, bank.active)
    for i in range(bank.kinds.shape[0] if count > 0 else 0):
        kind, low, high = bank.kinds[i], bank.params[i, Z_LOW], bank.params[i, Z_HIGH]
        x1, y1 = bank.params[i, X1], bank.params[i, Y1]
        x2, y2 = bank.params[i, X2], bank.params[i, Y2]
        for m in range(count):
            k = bank.active[m]
            if not bank.watched[i, k]:
                continue
            dx, dy, z = positions[k, 0] - x1, positions[k, 1] - y1, positions[k, 2]
            was, has_fired = bank.side[i, k], False
            if kind == BARRIER:
                now, way = _side_of_line(dx, dy, x2 - x1, y2 - y1)
                if now == 0:
                    _hold(bank, i, k)
                    now = was
                else:
                    if was == 1 and now == -1:
                        has_fired = _passes_between(bank, positions, i, k)
                    bank.is_held[i, k] = False
            else:
                now, way = _side_of_rim(was, math.hypot(dx, dy), z, x2, y2, low, high)
                has_fired = now == (1 if kind == ENTER else -1) and was == -now
            bank.side[i, k] = now
            bank.guard[k, GUARD] = min(bank.guard[k, GUARD], way - _MARGIN)
            if has_fired:
                _append(bank.events, bank.filled, tick, i, k)
    for k in range(positions.shape[0]):
        for c in range(3):
            bank.previous[k, c] = positions[k, c]
    return bank.filled[0] + bank.room[0] > bank.events.shape[0]


@kernel
def _select_moved(positions: FloatArray, guard: FloatArray, active: IntArray) -> int:
    """List the objects that left their guard in `active`; return how many."""
    count = 0
    for k in range(positions.shape[0]):
        dx = positions[k, 0] - guard[k, 0]
        dy = positions[k, 1] - guard[k, 1]
        dz = positions[k, 2] - guard[k, 2]
        limit = guard[k, GUARD]
        if not (limit > 0.0 and dx * dx + dy * dy + dz * dz < limit * limit):
            active[count] = k
            count += 1
            for c in range(3):
                guard[k, c] = positions[k, c]
            guard[k, GUARD] = np.inf
    return count


@kernel
def _side_of_rim(
    was: int, r: float, z: float, radius: float, rim: float, low: float, high: float
) -> tuple[int, float]:
    """Return 1 inside or -1 outside, and how far a change is [m]."""
    extra = rim if was == 1 else 0.0
    if r <= radius + extra and low - extra <= z and z <= high + extra:
        return 1, min(radius + rim - r, min(z - (low - rim), high + rim - z))
    return -1, max(r - radius, max(low - z, z - high))


@kernel
def _side_of_line(dx: float, dy: float, ux: float, uy: float) -> tuple[int, float]:
    """Return 1 left, -1 right or 0 on the line, and how far the line is [m]."""
    side = ux * dy - uy * dx
    now = 1 if side > 0.0 else -1
    return (0 if side == 0.0 else now), abs(side) / math.sqrt(ux * ux + uy * uy)


@kernel
def _hold(bank: ZoneBank, i: int, k: int) -> None:
    """Keep where object k came from, now that it stands on the line of barrier i."""
    if bank.side[i, k] != 0 and not bank.is_held[i, k]:
        bank.is_held[i, k] = True
        for c in range(3):
            bank.anchor[i, k, c] = bank.previous[k, c]


@kernel
def _passes_between(bank: ZoneBank, positions: FloatArray, i: int, k: int) -> bool:
    """Return whether the path of object k crosses barrier i between its ends."""
    x1, y1 = bank.params[i, X1], bank.params[i, Y1]
    ux, uy = bank.params[i, X2] - x1, bank.params[i, Y2] - y1
    if bank.is_held[i, k]:
        ax, ay, az = bank.anchor[i, k, 0], bank.anchor[i, k, 1], bank.anchor[i, k, 2]
    else:
        ax, ay, az = bank.previous[k, 0], bank.previous[k, 1], bank.previous[k, 2]
    bx, by, bz = positions[k, 0], positions[k, 1], positions[k, 2]
    side_a = ux * (ay - y1) - uy * (ax - x1)
    side_b = ux * (by - y1) - uy * (bx - x1)
    s = side_a / (side_a - side_b)  # share of the path before the line
    along = (ax + s * (bx - ax) - x1) * ux + (ay + s * (by - ay) - y1) * uy
    z = az + s * (bz - az)
    is_between = along >= 0.0 and along <= ux * ux + uy * uy
    return is_between and bank.params[i, Z_LOW] <= z and z <= bank.params[i, Z_HIGH]


@kernel
def _append(events: IntArray, filled: IntArray, tick: int, i: int, k: int) -> None:
    """Store one event; there is room, `watch_zones` has made sure."""
    row = filled[0]
    events[row, TICK] = tick
    events[row, ZONE] = i
    events[row, OBJECT] = k
    filled[0] = row + 1


def _kind_code(zone: Zone) -> int:
    """Return the number that stands for the zone's kind in the bank."""
    if isinstance(zone, LightBarrier):
        return BARRIER
    return ENTER if zone.on == "enter" else LEAVE


def _row(zone: Zone) -> tuple[float, ...]:
    """Return the zone's row of params."""
    if isinstance(zone, LightBarrier):
        return (*zone.start, *zone.end, *zone.heights)
    return (*zone.center, zone.radius, zone.hysteresis, *zone.heights)
