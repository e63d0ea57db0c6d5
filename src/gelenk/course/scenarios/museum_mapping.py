"""The guide at night: an empty museum explored by its frontier, and mapped.

Every scan is laid onto the points of those before it; where walls leave a direction
open the wheels decide. Old places that come into sight again close loops of a graph of
poses, in which the signs of exhibits are landmarks.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from scipy.ndimage import distance_transform_edt

from gelenk.course.scenarios.museum_film import MuseumCamera
from gelenk.course.scenarios.museum_world import (
    DT,
    LASER,
    RADIUS,
    TAG_NOISE,
    MuseumWorld,
)
from gelenk.navigation.planar import (
    compose,
    planar_rotation,
    points_in_world,
    relative_pose,
)
from gelenk.navigation.pose_graph import (
    LandmarkEdge,
    MotionEdge,
    close_loops,
    loop_candidates,
)
from gelenk.navigation.scan_matching import ScanMatch, map_levels, match_scan
from gelenk.planning.dynamic_window import (
    DynamicWindow,
    WindowChoice,
    choose_speeds,
)
from gelenk.planning.graph import dijkstra
from gelenk.planning.grid import grid_graph
from gelenk.planning.occupancy import (
    OccupancyGrid,
    add_scan,
    empty_grid,
    frontier_cells,
)
from gelenk.sensing.laser_scanner import merge_scans, scan_points
from gelenk.spatial.angles import wrap_angle
from gelenk.typing import ArrayLike, BoolArray, FloatArray

CELL = 0.1  # of the map [m]
COARSE = 2  # cells of the map in one of plans
HALF = 22.0  # the map reaches this far to each side of where it began [m]
STEP, STEP_TURN = 0.4, 0.4  # between key frames [m], [rad]
RECENT = 12  # key frames onto which a scan is laid
NEAR = 6  # key frames on either side of an old one that make its surroundings
FLOOR = np.diag([0.01, 0.01, 0.004]) ** 2  # no match is better than this
# Ends of walls seen so far drag a scan back: places are believed less than headings.
TRUST = np.diag([1.0, 1.0, 0.3])
MIN_SCORE, MIN_LOOP_SCORE = 0.35, 0.5
COAST = 3.0  # price of a metre where no wall is in sight
SLACK = 0.15  # [m], loops that are off by more are closed at once
MAX_NIGHT = 700.0  # [s]
WINDOW = DynamicWindow(
    max_speed=0.7,
    max_turn=1.2,
    acceleration=0.8,
    turn_acceleration=3.0,
    radius=RADIUS + 0.08,
    dt=DT,
    horizon=2.5,
    counts=(5, 13),
    weights=(1.0, 0.15, 0.35),
    mover_speed=0.9,
)
LOOK = 0.9  # how far ahead on its path the robot looks [m]


@dataclass(slots=True, eq=False)
class Mapper:
    """Key frames, the graph between them, and the map they make.

    Attributes:
        poses: Of key frames in the map, shape (n, 3).
        scans: Their ranges [m].
        told: Motion from the one before, by odometry, shape (n, 3).
        steps: Edges from each to the next.
        loops: Edges to old ones.
        sights: Exhibits as seen.
        exhibits: Their places in the map [m], by number.
        grid: The map.
        is_dirty: Whether loops wait to be closed.
    """

    poses: list[FloatArray] = field(default_factory=list[FloatArray])
    scans: list[FloatArray] = field(default_factory=list[FloatArray])
    told: list[FloatArray] = field(default_factory=list[FloatArray])
    steps: list[MotionEdge] = field(default_factory=list[MotionEdge])
    loops: list[MotionEdge] = field(default_factory=list[MotionEdge])
    sights: list[tuple[int, int, FloatArray]] = field(
        default_factory=list[tuple[int, int, FloatArray]]
    )
    exhibits: dict[int, FloatArray] = field(default_factory=dict[int, FloatArray])
    grid: OccupancyGrid = field(
        default_factory=lambda: empty_grid([-HALF, -HALF], [HALF, HALF], CELL)
    )
    is_dirty: bool = False

    def add(
        self,
        told: FloatArray,
        ranges: FloatArray,
        signs: list[tuple[int, FloatArray]],
    ) -> None:
        """Take a key frame.

        Args:
            told: Motion since the last one by odometry, shape (3,).
            ranges: Of the laser [m].
            signs: Exhibits in sight.
        """
        k = len(self.poses)
        pose = np.zeros(3)
        if k:
            pose, covariance = self._place(told, ranges)
            self.steps.append(_edge(k - 1, k, self.poses[-1], pose, covariance))
        self.poses.append(pose)
        self.scans.append(ranges)
        self.told.append(told)
        for exhibit, at in signs:
            self.sights.append((k, exhibit, at))
            self.exhibits.setdefault(exhibit, points_in_world(pose, at[None])[0])
        self.grid = _with(self.grid, pose, ranges)
        if k % 2 == 0:
            self._look_for_loop()

    def close(self) -> None:
        """Make all key frames agree, and the map anew."""
        names = sorted(self.exhibits)
        information = np.eye(2) / TAG_NOISE**2
        sights = [
            LandmarkEdge(
                i=k, landmark=names.index(name), place=at, information=information
            )
            for k, name, at in self.sights
        ]
        found, kept = close_loops(
            np.array(self.poses),
            self.steps,
            self.loops,
            landmarks=np.array([self.exhibits[name] for name in names]),
            landmark_edges=sights,
        )
        self.poses = list(found.poses)
        self.exhibits = dict(zip(names, found.landmarks, strict=True))
        self.loops = [loop for loop, good in zip(self.loops, kept, strict=True) if good]
        grid = replace(self.grid, odds=np.zeros(self.grid.odds.shape))
        for pose, ranges in zip(self.poses, self.scans, strict=True):
            grid = _with(grid, pose, ranges)
        self.grid, self.is_dirty = grid, False

    def _place(
        self, told: FloatArray, ranges: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return the pose of a new key frame and its covariance in map axes."""
        guess = compose(self.poses[-1], told)
        way, angle = float(np.hypot(*told[:2])), abs(float(told[2]))
        # What wheels of that kind get wrong: slip, and radii that are not quite equal.
        sigma = np.array([0.01 * way, 0.02 * way, 0.05 * way + 0.03 * angle]) + 2e-3
        prior = np.diag(sigma**2)
        found = self._match(
            range(max(len(self.poses) - RECENT, 0), len(self.poses)), ranges, guess
        )
        if found is None or found.score < MIN_SCORE:
            return guess, prior
        matched = TRUST @ found.covariance @ TRUST + FLOOR
        gain = prior @ np.linalg.inv(prior + matched)
        gap = found.pose - guess
        gap[2] = wrap_angle(gap[2])
        pose = guess + gain @ gap
        return pose, prior - gain @ prior

    def _match(
        self, frames: range, ranges: FloatArray, guess: FloatArray, *, levels: int = 2
    ) -> ScanMatch | None:
        """Return where a scan fits those of other key frames; None: it says nothing."""
        points = scan_points(LASER, ranges)
        walls = merge_scans(
            LASER,
            np.array([self.poses[k] for k in frames]),
            [self.scans[k] for k in frames],
        )
        if len(points) < 12 or len(walls) < 30:
            return None
        local = empty_grid(guess[:2] - 5.0, guess[:2] + 5.0, CELL)
        cells = local.cells(walls)
        cells = cells[((cells >= 0) & (cells < local.odds.shape[0])).all(axis=1)]
        local.odds[cells[:, 0], cells[:, 1]] = 4.0
        if len(cells) < 30:
            return None
        return match_scan(map_levels(local, levels), points, guess, steps=12)

    def _look_for_loop(self) -> None:
        """Add an edge to an old key frame whose surroundings these seem to be."""
        k, poses = len(self.poses) - 1, np.array(self.poses)
        for old in loop_candidates(poses, drift=0.05, least_age=40, most=1):
            if np.hypot(*(poses[old, :2] - poses[k, :2])) > 2.0:
                continue
            frames = range(max(int(old) - NEAR, 0), min(int(old) + NEAR, k - 20))
            found = self._match(frames, self.scans[k], poses[k], levels=3)
            if found is None or found.score < MIN_LOOP_SCORE:
                continue
            covariance = found.covariance + 4.0 * FLOOR
            if np.linalg.eigvalsh(covariance[:2, :2])[1] > 0.15**2:
                continue
            self.loops.append(_edge(int(old), k, poses[old], found.pose, covariance))
            gap = float(np.hypot(*(found.pose - poses[k])[:2]))
            self.is_dirty |= gap > SLACK


def _edge(
    i: int, j: int, first: FloatArray, second: FloatArray, covariance: FloatArray
) -> MotionEdge:
    """Return an edge whose error is told in the axes of its second pose."""
    R = np.eye(3)
    R[:2, :2] = planar_rotation(second[2])
    information = np.asarray(np.linalg.inv(R.T @ covariance @ R), dtype=np.float64)
    return MotionEdge(
        i=i, j=j, motion=relative_pose(first, second), information=information
    )


def _with(grid: OccupancyGrid, pose: FloatArray, ranges: FloatArray) -> OccupancyGrid:
    return add_scan(grid, pose, LASER.bearings, ranges, max_range=LASER.max_range)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlanningFloor:
    """What plans are made on: the map in larger cells.

    Attributes:
        origin: Corner of cell (0, 0) [m], shape (2,).
        cell: [m].
        is_known: Shape (h, w).
        is_open: Known, and nothing in it, shape (h, w).
        clearance: Way to the next cell that is not open [m], shape (h, w).
    """

    origin: FloatArray
    cell: float
    is_known: BoolArray
    is_open: BoolArray
    clearance: FloatArray

    def cell_of(self, point: ArrayLike) -> tuple[int, int]:
        """Return the cell of a point in the map [m]."""
        i, j = np.floor((np.asarray(point)[:2] - self.origin) / self.cell).astype(int)
        return int(i), int(j)

    def points_of(self, cells: ArrayLike) -> FloatArray:
        """Return centers of cells [m], shape (..., 2)."""
        return self.origin + self.cell * (np.asarray(cells, dtype=float) + 0.5)

    def nearest(self, point: ArrayLike, allowed: BoolArray) -> tuple[int, int]:
        """Return the allowed cell nearest to a point."""
        cells = np.argwhere(allowed)
        gaps = np.linalg.norm(self.points_of(cells) - np.asarray(point)[:2], axis=1)
        i, j = cells[int(gaps.argmin())]
        return int(i), int(j)


def make_floor(grid: OccupancyGrid) -> PlanningFloor:
    """Return the floor of a map, cropped to what is known."""
    known = np.abs(grid.odds) > 0.3
    rows, columns = np.flatnonzero(known.any(axis=1)), np.flatnonzero(known.any(axis=0))
    i0, j0 = (max(int(ids[0]) - 8, 0) // COARSE * COARSE for ids in (rows, columns))
    i1, j1 = (
        i0 + (int(rows[-1]) - i0 + 10) // COARSE * COARSE,
        j0 + (int(columns[-1]) - j0 + 10) // COARSE * COARSE,
    )
    odds = grid.odds[i0:i1, j0:j1]
    h, w = odds.shape[0] // COARSE, odds.shape[1] // COARSE
    blocks = odds[: h * COARSE, : w * COARSE].reshape(h, COARSE, w, COARSE)
    is_known = (np.abs(blocks) > 0.3).mean(axis=(1, 3)) > 0.5
    is_open = is_known & (blocks.max(axis=(1, 3)) < 0.5)
    cell = COARSE * grid.cell
    wall = blocks.max(axis=(1, 3)) >= 0.5
    clearance = cell * np.asarray(distance_transform_edt(~wall))
    return PlanningFloor(
        origin=grid.origin + grid.cell * np.array([i0, j0]),
        cell=cell,
        is_known=is_known,
        is_open=is_open,
        clearance=clearance,
    )


def steer(
    path: FloatArray,
    pose: FloatArray,
    speeds: tuple[float, float],
    points: FloatArray,
    movers: ArrayLike = (),
) -> WindowChoice:
    """Return speeds that lead along a path.

    Args:
        path: In the map [m], shape (k, 2).
        pose: Where the robot believes to be, shape (3,).
        speeds: Now [m/s], [rad/s].
        points: Ends of beams in robot axes [m], shape (m, 2).
        movers: Those that may be people.
    """
    ahead = path[int(np.linalg.norm(path - pose[:2], axis=1).argmin()) :]
    way = np.concatenate(
        [[0.0], np.cumsum(np.linalg.norm(np.diff(ahead, axis=0), axis=1))]
    )
    aim = ahead[min(int(np.searchsorted(way, LOOK)), len(ahead) - 1)]
    goal = relative_pose(pose, [*aim, 0.0])[:2]
    # Slower where the path is about to turn: the window sees one cycle only.
    left = float(np.linalg.norm(path[-1] - pose[:2]))
    off = abs(float(np.arctan2(goal[1], goal[0])))
    most = WINDOW.max_speed * np.clip(1.3 - off, 0.15, 1.0)
    most = min(float(most), max(0.8 * left, 0.15))
    # Who stands too near already may pass along, or turn away and leave.
    gaps = np.hypot(*points.T)
    nearest = float(gaps.min(initial=np.inf)) - 0.005
    radius = max(min(WINDOW.radius, nearest), RADIUS + 0.02)
    if nearest < radius:
        goal = -points[int(gaps.argmin())]
        points = points[(gaps > radius) | (points[:, 0] > 0.0)]
    window = replace(WINDOW, max_speed=max(most, 0.15), radius=radius)
    return choose_speeds(window, *speeds, points, goal, movers=movers)


def explore(
    world: MuseumWorld, mapper: Mapper, camera: MuseumCamera | None = None
) -> tuple[FloatArray, FloatArray]:
    """Drive about until nothing is unknown, and home again.

    Args:
        world: The empty museum.
        mapper: Takes key frames.
        camera: Films it.

    Returns:
        Poses at key frames as they really were, for judges, shape (n, 3), and where
        the robot believes to be at the end, shape (3,).
    """
    told, speeds = np.zeros(3), (0.0, 0.0)
    truth = [world.pose]
    mapper.add(told, world.sense(), world.signs())
    path, is_home, closed, idle = np.zeros((0, 2)), False, 0, 0
    while world.time < MAX_NIGHT:
        pose = compose(mapper.poses[-1], told)
        done = not len(path) or float(np.hypot(*(path[-1] - pose[:2]))) < 0.35
        if done and is_home:
            break
        is_frame = np.hypot(*told[:2]) > STEP or abs(told[2]) > STEP_TURN
        ranges = world.sense()
        if is_frame:
            mapper.add(told, ranges, world.signs())
            truth.append(world.pose)
            told = np.zeros(3)
            if mapper.is_dirty and len(mapper.poses) > closed + 15:
                mapper.close()
                closed = len(mapper.poses)
            pose = mapper.poses[-1]
        idle = 0 if is_frame else idle + 1
        if done or idle % 20 == 19 or (is_frame and len(mapper.poses) % 3 == 0):
            path, is_home = plan_exploration(mapper.grid, pose)
        choice = steer(path, pose, speeds, scan_points(LASER, ranges))
        speeds = choice.speed, choice.turn
        told = compose(told, world.drive(*speeds))
        if camera is not None:
            dock = world.museum.dock  # where the map begins, for the eye alone
            camera.shoot(
                world,
                "exploring",
                path=points_in_world(dock, path),
                cloud=points_in_world(dock, pose[None, :2]),
            )
    mapper.add(told, world.sense(), world.signs())
    truth.append(world.pose)
    mapper.close()
    return np.array(truth), mapper.poses[-1]


def plan_exploration(grid: OccupancyGrid, pose: FloatArray) -> tuple[FloatArray, bool]:
    """Return a path to the nearest frontier [m], or home, and whether it leads home."""
    floor = make_floor(grid)
    safe = floor.is_open & (floor.clearance > RADIUS + 0.2)
    pieces, _ = frontier_cells(floor.is_open, floor.is_known, least=4)
    start = floor.nearest(pose, safe)
    blind = np.clip(floor.clearance - 0.6 * LASER.max_range, 0.0, 1.0)
    price = 1.0 + 3.0 * np.maximum(0.8 - floor.clearance, 0.0) + COAST * blind
    graph, width = grid_graph(safe, price=price), safe.shape[1]
    source = start[0] * width + start[1]
    costs = dijkstra(graph, source).distance.reshape(safe.shape)
    targets = (pieces > 0) & np.isfinite(costs)
    far = np.hypot(
        *np.moveaxis(floor.points_of(np.argwhere(targets)) - pose[:2], -1, 0)
    )
    cells = np.argwhere(targets)[far > 0.5]
    is_home = not len(cells)
    if is_home:
        goal = floor.nearest(np.zeros(2), np.isfinite(costs))
    else:
        i, j = cells[int(costs[cells[:, 0], cells[:, 1]].argmin())]
        goal = int(i), int(j)
    nodes = dijkstra(graph, source, goal[0] * width + goal[1]).nodes
    return floor.points_of(np.stack(np.divmod(nodes, width), axis=-1)), is_home
