"""The museum, its visitors and the wheels of the guide: what really happens.

A hall that is wider than the laser sees, three rooms beside it, exhibits everywhere.
Wheels are not quite as large as the robot believes, and slip. Visitors walk from one
exhibit to another, stop before the robot if they look, and at the last moment if not.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from gelenk.navigation.odometry import WheelPair, wheel_step
from gelenk.navigation.planar import compose, relative_pose
from gelenk.planning.graph import Graph, a_star
from gelenk.planning.grid import grid_graph, grid_heuristic
from gelenk.planning.world import PolygonWorld, cast_rays
from gelenk.sensing.laser_scanner import LaserScanner, simulate_scan
from gelenk.typing import BoolArray, FloatArray

DT = 0.2  # cycle of the robot [s]
SUBSTEPS = 2  # of the world within it
RADIUS = 0.25  # of the robot [m]
WHEELS = WheelPair(left_radius=0.1, right_radius=0.1, track=0.4)  # as on the drawing
WHEEL_ERROR = 0.003  # of a radius, relative
SLIP = 8e-5  # variance of a wheel's way per metre [m]
LASER = LaserScanner(
    angle_min=-np.pi, increment=2.0 * np.pi / 120, count=120, max_range=3.5, noise=0.02
)
TAG_RANGE, TAG_NOISE = 4.0, 0.05  # of the sign on an exhibit [m]
WALL = 0.2  # thickness [m]
NUM_VISITORS = 8
_CELL = 0.25  # of the floor on which visitors find their ways [m]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Museum:
    """A floor plan.

    Attributes:
        floor: Walls and exhibits.
        exhibits: Their centers [m], shape (n, 2).
        sizes: Half of their edges [m], shape (n, 2).
        in_hall: Which of them stand in the hall, shape (n,).
        wanted: Numbers of those that the tour should show.
        across: Number of one behind the hall, seen from the dock.
        dock: Where the robot lives (x, y, heading), shape (3,).
    """

    floor: PolygonWorld
    exhibits: FloatArray
    sizes: FloatArray
    in_hall: BoolArray
    wanted: tuple[int, ...]
    across: int
    dock: FloatArray


def draw_museum(rng: np.random.Generator) -> Museum:
    """Return a museum: a hall of about 12 m x 14 m, three rooms in a row beside it."""
    hall, deep = rng.uniform(11.0, 12.5), rng.uniform(5.5, 6.5)
    height = rng.uniform(13.0, 15.0)
    right = hall + WALL + deep
    splits = height * np.array([1.0, 2.0]) / 3.0 + rng.uniform(-0.4, 0.4, 2)
    low = np.array([0.0, splits[0] + WALL / 2, splits[1] + WALL / 2])
    high = np.array([splits[0] - WALL / 2, splits[1] - WALL / 2, height])
    is_open = np.array([True, rng.random() < 0.5, True])
    gaps = [_gap(low[k] + 1.3, high[k] - 1.3, rng) for k in range(3) if is_open[k]]
    walls = _wall_x(hall, 0.0, height, gaps)
    for y in splits:
        gap = _gap(hall + WALL + 1.2, right - 1.2, rng)
        walls += _wall_y(float(y) - WALL / 2, hall + WALL, right, gap)
    boxes = [*_hall_exhibits(hall, height, rng)]
    num_hall = len(boxes)
    for k in range(3):
        boxes += _room_exhibits(hall + WALL, right, low[k], high[k], rng)
    table = np.array(boxes)  # center, half edges
    solid = [_ring(*(b[:2] - b[2:]), *(b[:2] + b[2:])) for b in table]
    in_hall = np.arange(len(table)) < num_hall
    # One at each end of the hall, one in each room.
    rooms = num_hall + 2 * np.arange(3) + rng.integers(0, 2, 3)
    wanted = [int(rng.integers(0, 2)), int(rng.integers(2, num_hall)), *rooms]
    return Museum(
        floor=PolygonWorld([*walls, *solid], np.zeros(2), np.array([right, height])),
        exhibits=table[:, :2],
        sizes=table[:, 2:],
        in_hall=in_hall,
        wanted=tuple(int(k) for k in wanted),
        across=3,
        dock=np.array([1.2, rng.uniform(1.2, 2.0), rng.uniform(0.0, 1.5)]),
    )


class Crowd:
    """Visitors: round, walking from place to place.

    Attributes:
        places: Of their centers [m], shape (n, 2).
        radii: [m], shape (n,).
    """

    def __init__(self, museum: Museum, count: int, rng: np.random.Generator) -> None:
        self._rng = rng
        self._museum = museum
        floor = museum.floor
        counts = np.ceil(floor.upper / _CELL).astype(int)
        self._shape = (int(counts[0]), int(counts[1]))
        centers = _CELL * (np.moveaxis(np.indices(self._shape), 0, -1) + 0.5)
        room = floor.clearance(centers.reshape(-1, 2)).reshape(self._shape)
        self._is_free = room > 0.4
        self._graph: Graph = grid_graph(self._is_free)
        self._spots = np.argwhere(self._is_free)
        self.radii = rng.uniform(0.2, 0.28, count)
        self._speeds = rng.uniform(0.4, 0.9, count)
        self._sight = np.where(rng.random(count) < 0.75, 0.6, 0.15)  # gap they keep [m]
        self._until, self._waited = np.zeros(count), np.zeros(count)
        far = np.linalg.norm(_CELL * self._spots - museum.dock[:2], axis=1) > 3.0
        starts = self._spots[far][rng.integers(0, int(far.sum()), count)]
        self.places = _CELL * (starts + 0.5)
        self._ways = [self._way(place) for place in self.places]

    def step(self, time: float, dt: float, robot: FloatArray) -> None:
        """Let everybody walk on for `dt` [s]; the robot is at `robot`, shape (2,)."""
        for k in range(len(self.places)):
            if time < self._until[k]:
                continue
            way = self._ways[k]
            if not way:
                self._until[k] = time + self._rng.uniform(2.0, 10.0)
                self._ways[k] = self._way(self.places[k])
                continue
            gap = way[0] - self.places[k]
            left = float(np.hypot(*gap))
            if left < 0.1:
                way.pop(0)
                continue
            step = gap / left * min(self._speeds[k] * dt, left)
            to_robot = robot - self.places[k]
            apart = float(np.hypot(*to_robot)) - RADIUS - self.radii[k]
            if apart < self._sight[k] and step @ to_robot > 0.0:
                self._waited[k] += dt
                around = self._around(self.places[k], step, to_robot)
                if self._waited[k] > 2.0:  # somewhere else is nice, too
                    self._waited[k] = 0.0
                    away = self.places[k] - 1.2 * to_robot / np.hypot(*to_robot)
                    retreat = _CELL * (self._nearest(away) + 0.5)
                    self._ways[k] = [retreat, *self._way(retreat)]
                elif around is not None and apart > 0.1:
                    self.places[k] = self.places[k] + around
                continue
            self._waited[k] = max(self._waited[k] - 0.2 * dt, 0.0)
            self.places[k] = self.places[k] + step

    def _around(
        self, place: FloatArray, step: FloatArray, to_robot: FloatArray
    ) -> FloatArray | None:
        """Return a step that passes by the robot; None: there is no room."""
        normal = to_robot / np.hypot(*to_robot)
        left = np.array([-normal[1], normal[0]])
        size = float(np.hypot(*step))
        first = 1.0 if step @ left >= 0.0 else -1.0
        for side in (first, -first):
            aside = side * size * left
            i, j = ((place + 4.0 * aside) / _CELL).astype(int)
            if self._is_free[i, j]:
                return aside
        return None

    def _way(self, place: FloatArray) -> list[FloatArray]:
        """Return a way from a place to some exhibit, as points."""
        exhibit = self._rng.integers(0, len(self._museum.exhibits))
        near = self._museum.exhibits[exhibit] + self._rng.normal(0.0, 0.8, 2)
        goal, start = self._nearest(near), self._nearest(place)
        guess = grid_heuristic(self._shape, (int(goal[0]), int(goal[1])))
        width = self._shape[1]
        found = a_star(
            self._graph,
            int(start[0] * width + start[1]),
            int(goal[0] * width + goal[1]),
            guess,
        )
        cells = np.stack(np.divmod(found.nodes, width), axis=-1)
        return list(_CELL * (cells[1:] + 0.5))

    def _nearest(self, place: FloatArray) -> FloatArray:
        apart = np.abs(_CELL * (self._spots + 0.5) - place).sum(axis=1)
        return self._spots[int(apart.argmin())]


@dataclass(slots=True, eq=False)
class MuseumWorld:
    """Robot and visitors in the museum; only judges may look at anything but `sense`.

    Attributes:
        museum: The building.
        rng: Of wheels and sensors.
        pose: Where the robot really is, shape (3,).
        wheels: As they really are.
        crowd: Visitors; None: the museum is closed.
        time: [s].
        collisions: How often the robot drove into somebody or something.
        bumped: Whom it touches now.
    """

    museum: Museum
    rng: np.random.Generator
    pose: FloatArray
    wheels: WheelPair
    crowd: Crowd | None = None
    time: float = 0.0
    collisions: int = 0
    bumped: set[int] = field(default_factory=set[int])

    def drive(self, speed: float, turn: float) -> FloatArray:
        """Drive for a cycle; return the motion that odometry tells, shape (3,).

        Args:
            speed: [m/s].
            turn: [rad/s].
        """
        told = np.zeros(3)
        dt = DT / SUBSTEPS
        for _ in range(SUBSTEPS):
            half = 0.5 * WHEELS.track * turn
            ways = dt * np.array([speed - half, speed + half])
            slip = self.rng.normal(0.0, 1.0, 2) * np.sqrt(SLIP * np.abs(ways))
            before = self.pose
            told = compose(told, wheel_step(WHEELS, ways / WHEELS.left_radius))
            really = wheel_step(self.wheels, (ways + slip) / WHEELS.left_radius)
            self.pose = compose(before, really)
            if self.crowd is not None:
                self.crowd.step(self.time, dt, self.pose[:2])
            self.time += dt
            self._judge(before, dt)
        return told

    def sense(self) -> FloatArray:
        """Return the ranges of the laser [m], shape (120,)."""
        discs = np.zeros((0, 3))
        if self.crowd is not None:
            discs = np.column_stack([self.crowd.places, self.crowd.radii])
        return simulate_scan(
            LASER, self.museum.floor, self.pose, discs=discs, rng=self.rng
        )

    def signs(self) -> list[tuple[int, FloatArray]]:
        """Return exhibits that the camera recognises, and where in robot axes [m]."""
        found: list[tuple[int, FloatArray]] = []
        gaps = self.museum.exhibits - self.pose[:2]
        apart = np.hypot(*gaps.T)
        for k in np.flatnonzero(apart < TAG_RANGE):
            bearing = np.arctan2(gaps[k, 1], gaps[k, 0])
            free = cast_rays(self.museum.floor, self.pose[:2], [bearing], TAG_RANGE)[0]
            behind = float(np.hypot(*self.museum.sizes[k]))
            if free > apart[k] - behind - 0.05:
                at = relative_pose(self.pose, [*self.museum.exhibits[k], 0.0])[:2]
                found.append((int(k), at + self.rng.normal(0.0, TAG_NOISE, 2)))
        return found

    def _judge(self, before: FloatArray, dt: float) -> None:
        """Count new contacts with walls, and with people the robot drives towards."""
        velocity = (self.pose[:2] - before[:2]) / dt
        touched: set[int] = set()
        if float(self.museum.floor.distances(self.pose[:2]).min()) < RADIUS:
            touched.add(-1)
        if self.crowd is not None:
            gaps = self.crowd.places - self.pose[:2]
            apart = np.hypot(*gaps.T)
            for k in np.flatnonzero(apart < RADIUS + self.crowd.radii):
                if velocity @ gaps[k] / apart[k] > 0.05:
                    touched.add(int(k))
        self.collisions += len(touched - self.bumped)
        self.bumped = touched


def make_world(
    museum: Museum, seed: int, *, visitors: int, pose: FloatArray
) -> MuseumWorld:
    """Return the museum with a robot in it; wheels are the same for one seed."""
    errors = np.random.default_rng([seed, 1]).normal(1.0, WHEEL_ERROR, 2)
    wheels = WheelPair(
        left_radius=WHEELS.left_radius * errors[0],
        right_radius=WHEELS.right_radius * errors[1],
        track=WHEELS.track,
    )
    crowd = None
    if visitors:
        crowd = Crowd(museum, visitors, np.random.default_rng([seed, 2]))
    rng = np.random.default_rng([seed, 3, visitors])
    return MuseumWorld(museum=museum, rng=rng, pose=pose, wheels=wheels, crowd=crowd)


def _gap(low: float, high: float, rng: np.random.Generator) -> tuple[float, float]:
    """Return the ends of a door somewhere between two places [m]."""
    middle, half = rng.uniform(low, high), 0.5 * rng.uniform(1.3, 1.7)
    return float(middle - half), float(middle + half)


def _ring(x0: float, y0: float, x1: float, y1: float) -> FloatArray:
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])


def _wall_x(
    x: float, y0: float, y1: float, gaps: list[tuple[float, float]]
) -> list[FloatArray]:
    ends = [y0, *(y for gap in gaps for y in gap), y1]
    return [_ring(x, ends[k], x + WALL, ends[k + 1]) for k in range(0, len(ends), 2)]


def _wall_y(
    y: float, x0: float, x1: float, gap: tuple[float, float]
) -> list[FloatArray]:
    return [_ring(x0, y, gap[0], y + WALL), _ring(gap[1], y, x1, y + WALL)]


def _hall_exhibits(
    hall: float, height: float, rng: np.random.Generator
) -> list[FloatArray]:
    """Return five boxes along the walls of the hall: low end, high end, far side."""
    rows: list[FloatArray] = []
    for y, sign in ((0.0, 1.0), (height, -1.0)):
        for share in (0.45, 0.8):
            half = rng.uniform([0.3, 0.2], [0.7, 0.4])
            x = hall * share + rng.uniform(-0.8, 0.8)
            rows.append(np.array([x, y + sign * half[1], *half]))
    half = rng.uniform([0.2, 0.3], [0.4, 0.7])
    rows.append(np.array([half[0], height * rng.uniform(0.4, 0.7), *half]))
    return rows


def _room_exhibits(
    x0: float, x1: float, y0: float, y1: float, rng: np.random.Generator
) -> list[FloatArray]:
    """Return a box on the outer wall of a room, and one that stands free."""
    side = rng.uniform([0.2, 0.3], [0.4, 0.6])
    free = rng.uniform(0.2, 0.4, 2)
    middle = 0.5 * np.array([x0 + x1, y0 + y1]) + rng.uniform(-0.3, 0.3, 2)
    at = np.array([x1 - side[0], 0.5 * (y0 + y1) + rng.uniform(-0.6, 0.6)])
    return [np.array([*at, *side]), np.array([*middle, *free])]
