"""The guide by day: rooms and doors, coastal paths, and where the robot believes to be.

All of it comes from the robot's own map.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np
from scipy.ndimage import distance_transform_edt, label

from gelenk.course.scenarios.museum_mapping import PlanningFloor, make_floor
from gelenk.course.scenarios.museum_world import LASER, RADIUS
from gelenk.navigation.monte_carlo import MonteCarlo, MonteCarloCfg
from gelenk.navigation.odometry import OdometryNoise
from gelenk.navigation.planar import compose
from gelenk.navigation.sensor_models import LikelihoodField, likelihood_field
from gelenk.planning.graph import dijkstra
from gelenk.planning.grid import (
    CoastalSensor,
    coastal_path,
    lost_information,
    map_information,
)
from gelenk.planning.occupancy import OccupancyGrid, RoomMap, find_rooms
from gelenk.sensing.laser_scanner import scan_points
from gelenk.typing import BoolArray, FloatArray

PARTICLES = 300
NOISE = OdometryNoise(turn_turn=4e-3, turn_way=6e-3, way_way=1e-3, way_turn=1e-4)
MARGIN = RADIUS + 0.15  # of planned paths [m]
PERSON = 0.5  # room that somebody takes [m]
SIDES = 0.4  # by which another side of an exhibit may be farther from it [m]


class Guide:
    """What the robot knows by day: its map, and what it made of it.

    Attributes:
        floor: On which it plans.
        regions: Rooms and doors.
        lost: Price of cells by what the laser sees there, shape (h, w).
        field: Where beams should end.
        known_gap: Way from known free cells to the next other [m], shape (nx, ny).
        spots: Cells from which exhibits are shown, by number.
    """

    def __init__(self, grid: OccupancyGrid, exhibits: dict[int, FloatArray]) -> None:
        self.floor: PlanningFloor = make_floor(grid)
        cell = self.floor.cell
        self.regions: RoomMap = find_rooms(
            self.floor.is_open,
            core=1.1 / cell,
            widest_door=2.0 / cell,
            furniture=round(1.5 / cell**2),
        )
        # Of what is wide enough the largest piece: behind thin walls lie others, which
        # may be nearer to an exhibit and cannot be reached.
        wide = self.floor.is_open & (self.floor.clearance > MARGIN)
        pieces = np.zeros(wide.shape, dtype=np.int32)
        label(wide, output=pieces)
        sizes = np.bincount(pieces.ravel(), minlength=2)[1:]
        self.safe: BoolArray = pieces == 1 + int(np.argmax(sizes))
        cells = np.argwhere(self.floor.is_open)
        sensor = CoastalSensor(beams=24, max_range=LASER.max_range, sigma=0.1)
        seen = map_information(grid, self.floor.points_of(cells), sensor)
        self.lost = np.ones(self.floor.is_open.shape)
        self.lost[cells[:, 0], cells[:, 1]] = lost_information(seen, step_sigma=0.1)
        self.field: LikelihoodField = likelihood_field(
            grid, sigma=0.1, rand=0.2, max_range=LASER.max_range, occupied=0.6
        )
        free = grid.odds < -0.5
        self.known_gap = grid.cell * np.asarray(distance_transform_edt(free))
        self._exhibits = exhibits
        self.spots = {k: self.spot(k) for k in exhibits}

    def spot(self, exhibit: int, people: FloatArray | None = None) -> tuple[int, int]:
        """Return the cell next to an exhibit from which it is shown.

        Args:
            exhibit: Its number.
            people: Who stands about [m], shape (m, 2): no cell where they are, if there
                is another one within `SIDES`.
        """
        place = self._exhibits[exhibit]
        best = self.floor.nearest(place, self.safe)
        if people is None or not len(people):
            return best
        other = self.floor.nearest(place, self._without(people))
        away = [np.hypot(*(self.floor.points_of(c) - place[:2])) for c in (best, other)]
        return other if away[1] < away[0] + SIDES else best

    def _without(self, people: FloatArray) -> BoolArray:
        """Return safe cells where nobody stands; all, if that leaves none."""
        cells = np.argwhere(self.safe)
        gaps = np.linalg.norm(self.floor.points_of(cells)[:, None] - people, axis=-1)
        safe = self.safe.copy()
        safe[tuple(cells[gaps.min(axis=1) < PERSON].T)] = False
        return safe if safe.any() else self.safe

    def between(self, a: tuple[int, int], b: tuple[int, int]) -> tuple[float, set[int]]:
        """Return the way through rooms and doors: its length [cells], its rooms."""
        room_a, room_b = (int(self.regions.labels[c]) for c in (a, b))
        if room_a == room_b:
            return float(np.hypot(*np.subtract(a, b))), {room_a}
        doors, graph = self.regions.doors, self.regions.way_graph()
        best, rooms = np.inf, set[int](range(self.regions.count))
        for i, first in enumerate(doors):
            if room_a not in first.rooms:
                continue
            found = dijkstra(graph, i).distance
            for j, last in enumerate(doors):
                if room_b not in last.rooms or not np.isfinite(found[j]):
                    continue
                ends = np.subtract(a, first.cell), np.subtract(b, last.cell)
                cost = float(found[j] + np.hypot(*ends[0]) + np.hypot(*ends[1]))
                if cost < best:
                    nodes = dijkstra(graph, i, j).nodes
                    passed = {room for k in nodes for room in doors[k].rooms}
                    best, rooms = cost, passed | {room_a, room_b}
        return best, rooms

    def order(self, start: FloatArray, wanted: tuple[int, ...]) -> list[int]:
        """Return the shortest tour through exhibits that are on the map."""
        known = [k for k in wanted if k in self.spots]
        at = [self.floor.nearest(start, self.safe), *(self.spots[k] for k in known)]
        costs = np.array([[self.between(a, b)[0] for b in at] for a in at])
        ways = [(0, *way) for way in permutations(range(1, len(at)))]
        best = min(ways, key=lambda way: costs[way[:-1], way[1:]].sum())
        return [known[k - 1] for k in best[1:]]

    def plan(
        self,
        start: FloatArray,
        goal: tuple[int, int],
        weight: float,
        people: FloatArray | None = None,
    ) -> FloatArray:
        """Return a path in the map [m], shape (k, 2); empty: there is none.

        Args:
            start: Believed pose.
            goal: A cell.
            weight: What a metre without sight costs.
            people: Who stands in the way [m], shape (m, 2).
        """
        safe = self.safe
        if people is not None and len(people):
            safe = self._without(people)
        begin = self.floor.nearest(start, safe)
        _, rooms = self.between(begin, goal)
        inside = np.isin(self.regions.labels, list(rooms))
        price = weight * self.lost + 4.0 * np.maximum(0.8 - self.floor.clearance, 0.0)
        for allowed in (safe & inside, safe):
            cells = coastal_path(allowed, price, begin, goal, weight=1.0)
            if len(cells):
                return self.floor.points_of(cells)
        return np.zeros((0, 2))


class Locator:
    """Where the robot believes to be.

    Attributes:
        cloud: Of poses in the map.
        speeds: Of the robot [m/s], [rad/s].
    """

    def __init__(
        self, guide: Guide, home: FloatArray, rng: np.random.Generator
    ) -> None:
        self._guide, self._rng = guide, rng
        spread = rng.normal(0.0, [0.15, 0.15, 0.05], (PARTICLES, 3))
        self.cloud = MonteCarlo(
            poses=home + spread,
            log_weights=np.zeros(PARTICLES),
            cfg=MonteCarloCfg(noise=NOISE, share=0.25),
        )
        self.speeds = 0.0, 0.0
        self._told = np.zeros(3)
        self._mean = self.cloud.mean

    @property
    def pose(self) -> FloatArray:
        """Mean of the cloud, and what odometry told since, shape (3,)."""
        return compose(self._mean, self._told)

    def moved(self, told: FloatArray) -> None:
        """Remember a motion that odometry told, shape (3,)."""
        self._told = compose(self._told, told)

    def see(self, ranges: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Take in a scan; return ends of beams and those of people, robot axes [m]."""
        points = scan_points(LASER, ranges)
        way, angle = np.hypot(*self._told[:2]), abs(self._told[2])
        if way > 0.08 or angle > 0.08:
            self.cloud = self.cloud.moved(self._told, self._rng)
            self._told = np.zeros(3)
        guide = self._guide
        strange = self.cloud.strangers(guide.known_gap, guide.field, points)
        if way > 0.08 or angle > 0.08:
            known = points[~strange]
            if len(known) >= 6:
                self.cloud = self.cloud.seen(guide.field, known[::2])
            self.cloud = self.cloud.resampled(self._rng)
            self._mean = self.cloud.mean
        return points, points[strange]
