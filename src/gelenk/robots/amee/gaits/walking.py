"""Plans for a whole walk: straight ahead, along a spline, on the spot."""

from __future__ import annotations

import math

import numpy as np
from scipy.interpolate import CubicSpline

from gelenk.errors import ConfigError
from gelenk.robots.amee.config import HIP_SPACING
from gelenk.robots.amee.coordinator.desk import Plan, pause
from gelenk.robots.amee.gaits.config import ORDERS, GaitName
from gelenk.robots.amee.gaits.cycles import careful_cycle, pair_cycle
from gelenk.robots.amee.gaits.free_walk import free_cycle
from gelenk.robots.amee.gaits.posture import roughness
from gelenk.robots.amee.gaits.walker import Walker
from gelenk.typing import ArrayLike, FloatArray

SAMPLES = 400


class SplinePath:
    """A natural spline through points on the ground.

    Args:
        points: First to last [m], (n, 2), n >= 2; seen from the start, x ahead, y left.

    Attributes:
        length: [m].
    """

    def __init__(self, points: ArrayLike) -> None:
        given = np.asarray(points, dtype=np.float64)
        if given.ndim != 2 or given.shape[1] != 2 or len(given) < 2:
            raise ConfigError(
                f"a path needs 2 points or more, (n, 2), got {given.shape}"
            )
        chords = np.linalg.norm(np.diff(given, axis=0), axis=1)
        if not (chords > 1e-6).all():
            raise ConfigError("two points of a path that follow each other are one")
        knots = np.concatenate([[0.0], np.cumsum(chords)])
        self.spline = CubicSpline(knots, given, bc_type="natural")
        self._at = np.linspace(0.0, knots[-1], SAMPLES)
        self._points: FloatArray = self.spline(self._at)
        ways = np.linalg.norm(np.diff(self._points, axis=0), axis=1)
        self._ways: FloatArray = np.concatenate([[0.0], np.cumsum(ways)])
        self.length = float(self._ways[-1])

    def point(self, way: float) -> FloatArray:
        """Return the place after a way along the path [m], (2,)."""
        return np.asarray(self.spline(np.interp(way, self._ways, self._at)))

    def heading(self, way: float) -> float:
        """Return the direction of the path after a way [rad]."""
        dx, dy = self.spline(np.interp(way, self._ways, self._at), 1).tolist()
        return math.atan2(dy, dx)

    def nearest(self, x: float, y: float) -> float:
        """Return the way along the path to its point nearest to a place [m]."""
        d = np.hypot(self._points[:, 0] - x, self._points[:, 1] - y)
        return float(self._ways[int(np.argmin(d))])

    def footholds(self, step: float) -> FloatArray:
        """Return points alternately right and left of the path, (n, 2) [m].

        Args:
            step: Way along the path from one to the next [m].
        """
        found: list[FloatArray] = []
        for k in range(int(self.length / step) + 1):
            heading = self.heading(k * step)
            side = -0.5 if k % 2 == 0 else 0.5
            left = np.array([-math.sin(heading), math.cos(heading)])
            found.append(self.point(k * step) + side * HIP_SPACING[1] * left)
        return np.array(found)


SETTLE = 1.0  # [s], of rest before the first step: the inertial unit learns its zero
HEADING_GAIN = 0.5  # share of a heading error that one cycle corrects
SIDE_GAIN = 0.6  # [rad/m], heading wanted per metre beside the line
LOOK_AHEAD = 0.25  # [m] along a path
COLLISION_WINDOW, MAX_COLLISIONS = 10, 3  # steps, collisions in them
ROUGH = 0.025  # [m], that feet may be off a plane for pairs to swing
CALM = 20  # steps without collision after which pairs may swing again


def walk_ahead(walker: Walker, gait: GaitName, distance: float) -> Plan:
    """Walk straight ahead.

    Args:
        walker: Who walks.
        gait: How.
        distance: How far [m].
    """
    yield from begin(walker)
    chooser = GaitChooser(walker, gait)
    goal = distance * (1.0 + walker.cfg.reserve)
    if goal != distance:
        walker.desk.journal.decide(
            f"walks until it has felt {goal:.2f} m for {distance:.2f} m: feet slip here"
        )
    while walker.desk.way.x < goal:
        yield from chooser.cycle(steering(walker, 0.0, 0.0))


def walk_path(walker: Walker, gait: GaitName, path: SplinePath) -> Plan:
    """Walk along a path to its end."""
    yield from begin(walker)
    chooser = GaitChooser(walker, gait)
    way = walker.desk.way
    while (done := path.nearest(way.x, way.y)) < path.length - 0.5 * walker.cfg.stroke:
        ahead = min(done + LOOK_AHEAD, path.length)
        x, y = path.point(ahead).tolist()
        heading = math.atan2(y - way.y, x - way.x)
        yield from chooser.cycle(turn_towards(walker, heading))


def begin(walker: Walker) -> Plan:
    """Rest until the inertial unit knows its zero, and set the mode of all steps."""
    yield from pause(walker.desk, SETTLE)
    yield from walker.set_mode(high=walker.cfg.uses_high_lift)


def steering(walker: Walker, heading: float, beside: float) -> float:
    """Return the turn of the next cycle that leads back to a line [rad].

    Args:
        walker: Who walks.
        heading: Of the line, seen from the start [rad].
        beside: Where the line lies, to the left of the start's x axis [m].
    """
    side = max(-0.3, min(0.3, SIDE_GAIN * (beside - walker.desk.way.y)))
    return turn_towards(walker, heading + side)


def turn_towards(walker: Walker, heading: float) -> float:
    """Return the turn of the next cycle towards a heading [rad]."""
    limit = walker.cfg.turn_limit
    error = math.remainder(heading - walker.desk.attitude.heading, 2.0 * math.pi)
    if abs(error) < 0.01:
        return 0.0
    return max(-limit, min(limit, HEADING_GAIN * error))


class GaitChooser:
    """Which gait the next cycle has: the chosen one, or what collisions say.

    Args:
        walker: Who walks.
        gait: Chosen; `auto` begins fast where feet are trusted to bear on their pads.

    Attributes:
        is_fast: Whether pairs swing.
    """

    def __init__(self, walker: Walker, gait: GaitName) -> None:
        self._walker, self._gait = walker, gait
        trusts = walker.cfg.trusts_pads
        self.is_fast = gait == "fast" or (gait == "auto" and trusts)
        self._rough_step = -CALM

    def cycle(self, turn: float) -> Plan:
        """Walk one cycle, turning by some angle [rad]."""
        if self._gait == "auto" and self._walker.cfg.trusts_pads:
            self._choose()
        walker = self._walker
        if self.is_fast:
            yield from pair_cycle(walker, walker.cfg.fast_stroke, turn)
        else:
            slow = "save" if walker.cfg.trusts_pads else "crawl"
            name = slow if self._gait in ("fast", "auto") else self._gait
            if name == "crawl" and walker.cfg.plans_steps:
                yield from free_cycle(walker, walker.cfg.stroke, turn)
                return
            yield from careful_cycle(walker, ORDERS[name], walker.cfg.stroke, turn)

    def _choose(self) -> None:
        walker = self._walker
        rough = roughness({i: view.foot for i, view in enumerate(walker.desk.legs)})
        now_fast = rough <= ROUGH and choose_fast(
            self.is_fast, walker.steps, walker.trouble_steps
        )
        if rough > ROUGH:
            self._rough_step = walker.steps
        elif walker.steps - self._rough_step < CALM:
            now_fast = False
        if now_fast != self.is_fast:
            name = "Fast Static Walk" if now_fast else "Save Walk"
            walker.desk.journal.decide(
                f"gait changes to {name}: {len(walker.collision_steps)} collisions and "
                f"{len(walker.trouble_steps)} bad footholds in {walker.steps} steps, "
                f"feet {rough * 1e3:.0f} mm off a plane"
            )
        self.is_fast = now_fast


def choose_fast(is_fast: bool, steps: int, collision_steps: list[int]) -> bool:
    """Return whether pairs shall swing.

    Args:
        is_fast: Whether they do.
        steps: Feet placed so far.
        collision_steps: Value of `steps` at each collision or other bad foothold.
    """
    if is_fast:
        recent = [k for k in collision_steps if k > steps - COLLISION_WINDOW]
        return len(recent) <= MAX_COLLISIONS
    return not collision_steps or steps - collision_steps[-1] >= CALM
