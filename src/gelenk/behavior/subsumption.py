"""Subsumption: layers of competence, each complete, higher ones override lower ones.

Layer 0 keeps away from obstacles: F = -Σ û_i / d_i² over sonar directions; *collide*
stops before an obstacle straight ahead, *runaway* moves with F. Layer 1 wanders, layer
2 explores. A layer speaks through wires that it suppresses (input) or inhibits
(output) for a while; no model of the world, no plan. Take a layer out and those below
go on.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.spatial.angles import wrap_angle
from gelenk.typing import ArrayLike, FloatArray

Motion = tuple[float, float]
"""v [m/s], ω [rad/s]."""

MIN_HOLD = 1e-9  # [s]; a wish counts at least in its own cycle


def repulsion(bearings: ArrayLike, ranges: ArrayLike) -> FloatArray:
    """Return F = -Σ û_i / d_i² of sonar readings, robot axes [1/m²], shape (2,).

    Args:
        bearings: Directions [rad], shape (k,).
        ranges: Readings [m], shape (k,); infinite: nothing there.

    Example:
        1 m ahead, 2 m to the left.

        >>> print(repulsion([0.0, np.pi / 2], [1.0, 2.0]).round(6))
        [-1.   -0.25]
    """
    angle = as_finite("bearings", bearings, ())
    push = 1.0 / np.maximum(np.asarray(ranges, dtype=float), 1e-3) ** 2
    return -np.array([(np.cos(angle) * push).sum(), (np.sin(angle) * push).sum()])


@dataclass(slots=True)
class Wire:
    """A line between modules that a higher layer may take over for a while.

    Example:
        >>> wire = Wire()
        >>> wire.send("low", now=0.0)
        >>> wire.suppress("high", now=0.0, duration=1.0)
        >>> wire.read(now=0.5), wire.read(now=1.5)
        ('high', 'low')
    """

    _low: object = None
    _high: object = None
    _until: float = -math.inf

    def send(self, value: object, *, now: float) -> None:
        """Put a value on the line, as the lower layer does at every cycle."""
        self._low = value

    def suppress(self, value: object, *, now: float, duration: float) -> None:
        """Replace what is on the line for a time [s]."""
        self._high, self._until = value, now + duration

    def inhibit(self, *, now: float, duration: float) -> None:
        """Silence the line for a time [s]."""
        self.suppress(None, now=now, duration=duration)

    def read(self, *, now: float) -> object:
        """Return what arrives at the other end."""
        return self._high if now < self._until else self._low


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """One level of competence.

    Attributes:
        level: 0: avoid, 1: wander, 2: explore, 3: map ... 7: reason.
        name: Name such as "avoid".
        decide: Heading that it wants in robot axes [rad], from ranges and time [s];
            None: nothing.
        hold: Time for which a wish suppresses the line from below [s]; None for the
            rover's.

    Example:
        >>> import numpy as np
        >>> from gelenk.behavior import Layer
        >>> homing = Layer(level=2, name="home", decide=lambda ranges, now: 0.5)
        >>> homing.decide(np.ones(4), 0.0)
        0.5
    """

    level: int
    name: str
    decide: Callable[[FloatArray, float], float | None]
    hold: float | None = None


@dataclass(slots=True, kw_only=True)
class Subsumption:
    """A rover's layers over the reflexes of layer 0.

    Attributes:
        bearings: Bearings of the sonars [rad], shape (k,).
        layers: Layers above layer 0, in any order.
        stop_distance: *Collide* stops for what is straight ahead and nearer [m].
        speed: Cruising speed [m/s].
        hold: Time for which a layer keeps the line of the one below [s].
        force_scale: F that counts as much as a wish of higher layers [1/m²].
        turn_hold: Time for which *collide* keeps the side to which it turns [s]: in a
            corner the freer side changes with every turn.
        has_reflexes: Whether layer 0 is there; without it wishes move the rover alone.

    Example:
        >>> import numpy as np
        >>> from gelenk.behavior import Subsumption
        >>> bearings = np.radians([-45.0, 0.0, 45.0])
        >>> rover = Subsumption(bearings=bearings)
        >>> ahead = rover.step([5.0, 5.0, 5.0], 0.0)
        >>> len(rover.layers)
        0
    """

    bearings: FloatArray
    layers: Sequence[Layer] = ()
    stop_distance: float = 0.4
    speed: float = 0.4
    hold: float = 1.0
    force_scale: float = 1.0
    turn_hold: float = 0.0
    has_reflexes: bool = True
    _wires: dict[int, Wire] = field(default_factory=dict[int, Wire], init=False)
    _side: Wire = field(default_factory=Wire, init=False)
    _failed: set[str] = field(default_factory=set[str], init=False)

    def __post_init__(self) -> None:
        levels = [layer.level for layer in self.layers]
        if any(not 1 <= level <= 7 for level in levels) or len(set(levels)) < len(
            levels
        ):
            raise ConfigError(f"levels above 0 must be 1 to 7, each once, got {levels}")

    @property
    def failed(self) -> frozenset[str]:
        """Layers that raised; they are left out since."""
        return frozenset(self._failed)

    def without(self, level: int) -> Subsumption:
        """Return the same rover with one layer cut off; 0: its reflexes."""
        return Subsumption(
            bearings=self.bearings,
            layers=[layer for layer in self.layers if layer.level != level],
            stop_distance=self.stop_distance,
            speed=self.speed,
            hold=self.hold,
            force_scale=self.force_scale,
            turn_hold=self.turn_hold,
            has_reflexes=self.has_reflexes and level != 0,
        )

    def step(self, ranges: ArrayLike, now: float) -> Motion:
        """Return the motion of one cycle.

        Args:
            ranges: Ranges of the sonars [m], shape (k,).
            now: Time [s].
        """
        r = as_finite("ranges", ranges, (len(self.bearings),))
        line: object = None
        for layer in sorted(self.layers, key=lambda each: each.level):
            # The line of the layers below passes, unless this one takes it over.
            wire = self._wires.setdefault(layer.level, Wire())
            wire.send(line, now=now)
            wish = self._ask(layer, r, now)
            if wish is not None:
                hold = self.hold if layer.hold is None else layer.hold
                wire.suppress(wish, now=now, duration=max(hold, MIN_HOLD))
            line = wire.read(now=now)
        wanted = line if isinstance(line, float) else None
        if not self.has_reflexes:
            return (0.0, 0.0) if wanted is None else self._steer(wanted, self.speed)
        return self._avoid(r, wanted, now)

    def _ask(self, layer: Layer, ranges: FloatArray, now: float) -> float | None:
        if layer.name in self._failed:
            return None
        try:
            wish = layer.decide(ranges, now)
        except Exception:
            self._failed.add(layer.name)
            return None
        return None if wish is None else float(wish)

    def _avoid(self, ranges: FloatArray, wanted: float | None, now: float) -> Motion:
        """Combine a wish with the force of layer 0: runaway, avoid, collide."""
        force = repulsion(self.bearings, ranges)
        push = force / self.force_scale
        size = float(np.hypot(*push))
        if wanted is None:
            if size < 0.3:
                return 0.0, 0.0
            aim, speed = push, self.speed * min(size, 1.0)
        else:
            wish = np.array([math.cos(wanted), math.sin(wanted)])
            aim, speed = wish + push, self.speed
        heading = math.atan2(aim[1], aim[0])
        ahead = np.abs(wrap_angle(self.bearings)) < math.pi / 5.0
        if ranges[ahead].min() < self.stop_distance and abs(heading) < math.pi / 2.0:
            turn = self._side.read(now=now)
            if not isinstance(turn, float):
                turn = 1.0 if force[1] >= 0.0 else -1.0
            self._side.suppress(turn, now=now, duration=self.turn_hold)
            return 0.0, turn  # collide: stop, and turn to the freer side
        return self._steer(heading, speed)

    def _steer(self, heading: float, speed: float) -> Motion:
        """Return the motion towards a heading in robot axes [rad]."""
        forward = max(math.cos(heading), 0.0)
        return speed * forward, max(-1.5, min(1.5, 2.0 * heading))


def wander_layer(
    rng: np.random.Generator, *, every: float = 2.0, hold: float | None = None
) -> Layer:
    """Return layer 1: a random heading now and then.

    Args:
        rng: Source of headings.
        every: Time between two new ones [s].
        hold: Time for which the layer keeps the line [s]; None for the rover's.
    """
    memory = {"next": -math.inf, "heading": 0.0}

    def decide(ranges: FloatArray, now: float) -> float:
        if now >= memory["next"]:
            memory["next"] = now + every
            memory["heading"] = float(rng.uniform(-1.0, 1.0))
        else:
            memory["heading"] *= 0.8  # turned already: go on straight ahead
        return memory["heading"]

    return Layer(level=1, name="wander", decide=decide, hold=hold)


def explore_layer(bearings: ArrayLike) -> Layer:
    """Return layer 2: go where the view is longest, if it is long enough.

    Args:
        bearings: Bearings of the sonars [rad], shape (k,).
    """
    angle = as_finite("bearings", bearings, ())

    def decide(ranges: FloatArray, now: float) -> float | None:
        longest = float(ranges.max())
        if longest < 1.0:
            return None
        open_ways = angle[ranges > 0.95 * longest]
        return float(open_ways[np.argmin(np.abs(open_ways))])

    return Layer(level=2, name="explore", decide=decide)
