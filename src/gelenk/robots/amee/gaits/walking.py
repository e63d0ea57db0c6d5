"""Plans for a whole walk: straight ahead, along a path, on the spot."""

from __future__ import annotations

from gelenk.robots.amee.coordinator.desk import Plan, pause
from gelenk.robots.amee.gaits.config import ORDERS, GaitName
from gelenk.robots.amee.gaits.cycles import careful_cycle, pair_cycle
from gelenk.robots.amee.gaits.walker import Walker

SETTLE = 1.0  # [s], of rest before the first step: the inertial unit learns its zero
HEADING_GAIN = 0.5  # share of a heading error that one cycle corrects
SIDE_GAIN = 0.6  # [rad/m], heading wanted per metre beside the line


def walk_ahead(walker: Walker, gait: GaitName, distance: float) -> Plan:
    """Walk straight ahead.

    Args:
        walker: Who walks.
        gait: How.
        distance: How far [m].
    """
    yield from pause(walker.desk, SETTLE)
    yield from walker.set_mode(high=walker.cfg.uses_high_lift)
    while walker.desk.way.x < distance:
        yield from one_cycle(walker, gait, steering(walker, 0.0, 0.0))


def one_cycle(walker: Walker, gait: GaitName, turn: float) -> Plan:
    """Walk one cycle of a gait, turning by some angle [rad]."""
    cfg = walker.cfg
    if gait in ORDERS:
        yield from careful_cycle(walker, ORDERS[gait], cfg.stroke, turn)
    else:
        yield from pair_cycle(walker, cfg.fast_stroke, turn)


def steering(walker: Walker, heading: float, beside: float) -> float:
    """Return the turn of the next cycle that leads back to a line [rad].

    Args:
        walker: Who walks.
        heading: Of the line, seen from the start [rad].
        beside: Where the line lies, to the left of the start's x axis [m].
    """
    limit = walker.cfg.turn_limit
    side = max(-0.3, min(0.3, SIDE_GAIN * (beside - walker.desk.way.y)))
    error = heading + side - walker.desk.attitude.heading
    if abs(error) < 0.01:
        return 0.0
    return max(-limit, min(limit, HEADING_GAIN * error))
