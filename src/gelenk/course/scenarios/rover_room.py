"""The cluttered room of the subsumption rover: what is there, and what sensors say.

Boxes with rounded edges and thin table legs stand in a room with lamps. Several rovers
live in copies of it at once, so that what one can do without a layer is told from the
same room, the same start and the same sensors. Their programs get ranges of a ring of
sonars and bearings of lamps that still burn; a lamp goes out when a rover is there.

A sharp edge sends no echo to anybody (the fifth situation of a sonar): nothing in this
room has one.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from gelenk.behavior.rover import DynamicRover, RoverState, SonarRing
from gelenk.behavior.subsumption import Motion
from gelenk.planning.world import nearest_on_segments
from gelenk.sensing.sonar import Sonar, SonarScene
from gelenk.sensing.sonar_ring import are_clear, ring_readings
from gelenk.spatial.angles import wrap_angle
from gelenk.typing import ArrayLike, BoolArray, FloatArray, IntArray

SIZE = np.array([8.0, 6.0])  # of the room [m]
RADIUS = 0.2  # of a rover [m]
# Of its ring of sonars [m]: well within, so that neighbours hear what touches the hull
# before a dead one.
TURRET = 0.1
BOXES, LEGS, LAMPS = 5, 6, 10
ROUNDING = 0.03  # of edges [m]
MIN_GAP = 0.85  # between things: a rover of 0.4 m fits, not comfortably [m]
LAMP_GAP, LAMP_SPACING = 0.6, 1.0  # from things, from each other [m]
LAMP_RANGE, LAMP_REACH, LAMP_NOISE = 3.0, 0.4, np.radians(5.0)  # [m], [m], [rad]

SONAR = Sonar(half_angle=np.radians(25.0), pulse=4e-4, period=0.02)  # 0.07 to 3.4 m
RING = SonarRing(count=24, max_range=SONAR.max_range)
GROUPS = 3  # of the ring, fired in turn so that few hear each other
RANGE_NOISE, LOST, CROSSTALK = 0.01, 0.03, 0.02  # share of the range, of the pulses
DT = 0.1  # [s]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Room:
    """What is really there.

    Attributes:
        scene: Walls and discs that sound meets.
        boxes: Corners of the boxes [m], shape (b, 4, 2).
        lamps: Their places [m], shape (k, 2).
        start: Pose of the rovers, shape (3,).
    """

    scene: SonarScene
    boxes: FloatArray
    lamps: FloatArray
    start: FloatArray

    def gaps(self, points: ArrayLike) -> FloatArray:
        """Return the distance of points from the nearest thing [m], shape (...)."""
        p = np.asarray(points, dtype=np.float64)[..., None, :]
        walls, discs = self.scene.walls, self.scene.discs
        feet = nearest_on_segments(p, walls[:, 0], walls[:, 1])
        to_walls = np.linalg.norm(p - feet, axis=-1).min(axis=-1)
        to_discs = np.linalg.norm(p - discs[:, :2], axis=-1) - discs[:, 2]
        return np.minimum(to_walls, to_discs.min(axis=-1))


def make_room(rng: np.random.Generator) -> Room:
    """Return a room with boxes, legs and lamps anywhere, and a start in the open."""
    taken: list[FloatArray] = []  # x, y, radius
    boxes: list[FloatArray] = []
    walls = [_edges(SIZE * [[0, 0], [1, 0], [1, 1], [0, 1]], cut=0.0)]
    discs: list[FloatArray] = []
    for _ in range(BOXES):
        half, yaw = rng.uniform(0.12, 0.35, 2), rng.uniform(-np.pi, np.pi)
        center = _find_place(rng, float(np.hypot(*half)), taken)
        x = np.array([np.cos(yaw), np.sin(yaw)])
        corners = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
        axes = np.array([x, [-x[1], x[0]]])
        boxes.append(center + corners * half @ axes)
        walls.append(_edges(boxes[-1], cut=ROUNDING))
        inner = center + corners * (half - ROUNDING) @ axes
        discs.append(np.column_stack([inner, np.full(4, ROUNDING)]))
    for _ in range(LEGS):
        radius = float(rng.uniform(0.02, 0.06))
        discs.append(np.array([[*_find_place(rng, radius, taken), radius]]))
    scene = SonarScene(walls=np.concatenate(walls), discs=np.concatenate(discs))
    room = Room(
        scene=scene, boxes=np.array(boxes), lamps=np.zeros((0, 2)), start=np.zeros(3)
    )
    places = _free_places(rng, room, taken)
    return replace(
        room,
        lamps=places[:-1],
        start=np.array([*places[-1], rng.uniform(-np.pi, np.pi)]),
    )


def _edges(corners: FloatArray, *, cut: float) -> FloatArray:
    """Return the edges of a polygon, at both ends a little shorter, shape (k, 2, 2)."""
    after = np.roll(corners, -1, axis=0)
    along = after - corners
    along = cut * along / np.linalg.norm(along, axis=1, keepdims=True)
    return np.stack([corners + along, after - along], axis=1)


def _find_place(
    rng: np.random.Generator, reach: float, taken: list[FloatArray]
) -> FloatArray:
    """Return where a thing of that radius has room around it, and take it [m]."""
    while True:
        p = rng.uniform(reach + MIN_GAP, SIZE - reach - MIN_GAP)
        if all(np.linalg.norm(p - q[:2]) > reach + q[2] + MIN_GAP for q in taken):
            taken.append(np.array([*p, reach]))
            return p


def _free_places(
    rng: np.random.Generator, room: Room, taken: list[FloatArray]
) -> FloatArray:
    """Return places of lamps, then of the start, clear of things and of each other."""
    found: list[FloatArray] = []
    while len(found) <= LAMPS:
        p = rng.uniform(LAMP_GAP, SIZE - LAMP_GAP)
        is_outside = all(np.linalg.norm(p - q[:2]) > q[2] for q in taken)
        is_apart = all(np.linalg.norm(p - q) > LAMP_SPACING for q in found)
        if is_outside and is_apart and room.gaps(p) > LAMP_GAP:
            found.append(p)
    return np.array(found)


@dataclass(slots=True, kw_only=True, eq=False)
class Fleet:
    """Rovers in copies of a room, one row each.

    Attributes:
        room: What is there.
        dead: Which sonars say nothing, shape (n, s).
        rng: Draws the noise of all sensors.
        states: Of the rovers.
        burning: Lamps that nobody has found, shape (n, k).
        ranges: Last readings of the sonars [m], shape (n, s).
        bumps: How often each began to touch something, shape (n,).
        drives: How a rover answers to commands.
    """

    room: Room
    dead: BoolArray
    rng: np.random.Generator
    states: list[RoverState] = field(init=False)
    burning: BoolArray = field(init=False)
    ranges: FloatArray = field(init=False)
    bumps: IntArray = field(init=False)
    drives: DynamicRover = field(default_factory=DynamicRover)
    _touches: BoolArray = field(init=False)
    _tick: int = 0

    def __post_init__(self) -> None:
        n = len(self.dead)
        self.states = [RoverState(pose=self.room.start) for _ in range(n)]
        self.burning = np.ones((n, len(self.room.lamps)), dtype=bool)
        self.ranges = np.full((n, RING.count), SONAR.max_range)
        self.bumps, self._touches = np.zeros(n, dtype=int), np.zeros(n, dtype=bool)
        for _ in range(GROUPS):
            self.listen()

    @property
    def poses(self) -> FloatArray:
        """True poses, shape (n, 3)."""
        return np.array([state.pose for state in self.states])

    def listen(self) -> FloatArray:
        """Fire the next group of the sonars; return all last readings [m], (n, s).

        No echo reads as the farthest range. Pulses get lost, and now and then a sonar
        hears the nearest echo that another one of its group has asked for.
        """
        group = np.arange(self._tick % GROUPS, RING.count, GROUPS)
        self._tick += 1
        poses = self.poses
        axis = poses[:, 2:] + RING.bearings[group]
        place = poses[:, None, :2] + TURRET * np.stack(
            [np.cos(axis), np.sin(axis)], axis=-1
        )
        sensors = np.concatenate([place, axis[..., None]], axis=-1).reshape(-1, 3)
        heard = ring_readings(SONAR, sensors, self.room.scene).reshape(axis.shape)
        draws = self.rng.uniform(size=(2, *heard.shape))
        heard = np.where(draws[0] < LOST, np.inf, heard)
        first = heard.min(axis=1, keepdims=True)
        heard = np.where(draws[1] < CROSSTALK, first, heard)
        heard = heard * (1.0 + RANGE_NOISE * self.rng.normal(size=heard.shape))
        heard = np.where(self.dead[:, group], np.inf, heard)
        self.ranges[:, group] = np.minimum(heard, SONAR.max_range)
        return self.ranges

    def look(self) -> tuple[FloatArray, FloatArray]:
        """Return bearings of lamps [rad] and their brightness, both shape (n, k).

        Brightness is 1/d² with noise, 0 of lamps that are out, far or hidden.
        """
        poses, walls = self.poses, self.room.scene.walls
        way = self.room.lamps - poses[:, None, :2]
        d = np.linalg.norm(way, axis=-1)
        bearing = np.arctan2(way[..., 1], way[..., 0]) - poses[:, 2:]
        bearing = bearing + LAMP_NOISE * self.rng.normal(size=d.shape)
        bright = (1.0 + 0.1 * self.rng.normal(size=d.shape)) / np.maximum(d, 0.1) ** 2
        is_seen = self.burning & (d < LAMP_RANGE)
        rover, lamp = np.nonzero(is_seen)
        is_seen[rover, lamp] = are_clear(poses[rover, :2], self.room.lamps[lamp], walls)
        return wrap_angle(bearing), np.where(is_seen, bright, 0.0)

    def move(self, commands: list[Motion]) -> None:
        """Advance by DT [s]; who touches something stays, but may turn."""
        before = self.poses
        self.states = [
            self.drives.step(state, command, DT)
            for state, command in zip(self.states, commands, strict=True)
        ]
        after = self.poses
        touches = self.room.gaps(after[:, :2]) < RADIUS
        for k in np.flatnonzero(touches):
            self.states[k] = RoverState(
                pose=np.array([*before[k, :2], after[k, 2]]), rate=self.states[k].rate
            )
        self.bumps += touches & ~self._touches
        self._touches = touches
        d = np.linalg.norm(self.room.lamps - self.poses[:, None, :2], axis=-1)
        self.burning &= d > LAMP_REACH
