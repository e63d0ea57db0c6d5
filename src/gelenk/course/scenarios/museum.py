"""Museum guide: mapped at night, shown by day, among visitors (after MINERVA).

At night the robot explores the empty museum and makes a map of cells from scans and a
graph of poses. By day visitors ask for exhibits. The map is cut into rooms and doors,
on which the order of the tour is chosen; paths keep to walls, where the laser sees
something; a dynamic window drives so that the robot stands before anybody reaches it; a
cloud of poses on the robot's own map says where it is, blind to people. The same tour
on shortest paths shows what the coast is worth.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from gelenk.course.scenarios.museum_film import MuseumCamera
from gelenk.course.scenarios.museum_guide import Guide, Locator
from gelenk.course.scenarios.museum_mapping import WINDOW, Mapper, explore, steer
from gelenk.course.scenarios.museum_world import (
    DT,
    NUM_VISITORS,
    Museum,
    MuseumWorld,
    draw_museum,
    make_world,
)
from gelenk.course.scenarios.outcome import TrialOutcome
from gelenk.navigation.planar import align_points, compose, points_in_world
from gelenk.typing import BoolArray, FloatArray

if TYPE_CHECKING:
    from gelenk.course.film import Film

MAX_MAP_ERROR = 0.15  # mean, of walls [m]
MAX_POSE_ERROR = 0.6  # worst of the tour [m]
MAX_AWAY = 0.9  # from an exhibit that was shown [m]

COAST = 6.0  # price of a metre on which nothing is seen
MAX_LEG = 90.0  # [s]
PATIENCE = 2.0  # [s], before another way is tried
ARRIVED, NEARLY = 0.15, 0.3  # [m]; the latter will do if there is no getting nearer
AT_REST = 0.15  # [m], that nobody moved by who is taken for furniture


def run(seed: int, film: Film | None = None) -> TrialOutcome:
    """Return how a night and a day in the museum went.

    Figures: "map [m]", mean distance of mapped walls from real ones; "map pose [m]",
    mean error of mapped poses, "odometry pose [m]" that of wheels alone; "mean pose"
    and "worst pose [m]" of the tour, the same of shortest paths; "shown" and "wanted"
    exhibits; "collisions" of night and day; "tour [s]", "way [m]" and "lost [s]" to
    visitors.
    """
    museum = draw_museum(np.random.default_rng(seed))
    camera = MuseumCamera(film, museum)
    night = make_world(museum, seed, visitors=0, pose=museum.dock)
    mapper = Mapper()
    truth, home = explore(night, mapper, camera)
    # Of the judge: how the robot's map lies in the real museum.
    poses = np.array(mapper.poses)
    T_world_map = align_points(poses[:, :2], truth[:, :2])
    figures = map_figures(museum, mapper, truth, T_world_map)
    guide = Guide(mapper.grid, mapper.exhibits)
    order = guide.order(home, museum.wanted)
    tours: dict[str, Tour] = {}
    for name, exhibits, weight in (
        ("tour", order, COAST),
        ("coast", [museum.across], COAST),
        ("short", [museum.across], 0.0),
    ):
        # Each on the same morning, from where the night ended.
        day = make_world(museum, seed, visitors=NUM_VISITORS, pose=night.pose)
        locator = Locator(guide, home, np.random.default_rng([seed, 4]))
        tours[name] = Tour(T_world_map, camera if name == "tour" else None)
        show(guide, day, locator, exhibits, weight, tours[name])
    tour, coast, short = tours["tour"], tours["coast"], tours["short"]
    figures |= {
        "mean pose [m]": float(np.mean(tour.errors)),
        "worst pose [m]": float(np.max(tour.errors)),
        "shown": float(tour.shown),
        "wanted": float(len(museum.wanted)),
        "collisions": float(night.collisions + tour.collisions + coast.collisions),
        "tour [s]": tour.duration,
        "way [m]": tour.way,
        "lost [s]": tour.lost,
        "rooms": float(guide.regions.count),
        "coast pose [m]": float(np.mean(coast.errors or [np.inf])),
        "coast way [m]": coast.way,
        "short pose [m]": float(np.mean(short.errors or [np.inf])),
        "short way [m]": short.way,
    }
    problems = _problems(figures)
    return TrialOutcome(
        seed=seed, is_reached=not problems, figures=figures, reason="; ".join(problems)
    )


def _problems(figures: dict[str, float]) -> list[str]:
    problems: list[str] = []
    if figures["shown"] < figures["wanted"]:
        problems.append(f"{figures['shown']:.0f} of {figures['wanted']:.0f} were shown")
    if figures["collisions"]:
        problems.append(f"{figures['collisions']:.0f} collisions")
    if not figures["map [m]"] <= MAX_MAP_ERROR:
        problems.append(f"walls are {figures['map [m]']:.2f} m off")
    if not figures["worst pose [m]"] <= MAX_POSE_ERROR:
        problems.append(f"the robot was {figures['worst pose [m]']:.2f} m off")
    return problems


def map_figures(
    museum: Museum, mapper: Mapper, truth: FloatArray, T_world_map: FloatArray
) -> dict[str, float]:
    """Return how far walls and poses of a map are from the truth, aligned [m]."""
    grid = mapper.grid
    walls = points_in_world(T_world_map, grid.centers()[grid.probability > 0.65])
    poses = points_in_world(T_world_map, np.array(mapper.poses)[:, :2])
    told = [np.zeros(3)]
    for motion in mapper.told[1:]:
        told.append(compose(told[-1], motion))
    drift = np.array(told)[:, :2]
    drift = points_in_world(align_points(drift, truth[:, :2]), drift)
    return {
        "map [m]": float(museum.floor.distances(walls).min(axis=1).mean()),
        "map pose [m]": float(np.hypot(*(poses - truth[:, :2]).T).mean()),
        "odometry pose [m]": float(np.hypot(*(drift - truth[:, :2]).T).mean()),
    }


@dataclass(slots=True, eq=False)
class Tour:
    """What judges write down; the robot does not read it.

    Attributes:
        T_world_map: How the robot's map lies in the museum, shape (3,).
        camera: Films the tour; None: nobody does.
        errors: Of the believed position in every cycle [m].
        shown: Exhibits at which the robot really stopped.
        collisions: With whomever it drove into.
        duration: [s].
        way: Driven [m].
        lost: To visitors [s].
    """

    T_world_map: FloatArray
    camera: MuseumCamera | None
    errors: list[float] = field(default_factory=list[float])
    shown: int = 0
    collisions: int = 0
    duration: float = 0.0
    way: float = 0.0
    lost: float = 0.0

    def note(
        self, world: MuseumWorld, locator: Locator, people: FloatArray, path: FloatArray
    ) -> None:
        """Write down a cycle."""
        believed = compose(self.T_world_map, locator.pose)
        self.errors.append(float(np.hypot(*(believed - world.pose)[:2])))
        speed = locator.speeds[0]
        self.way += DT * speed
        if len(people) and np.hypot(*people.T).min() < 1.5:
            self.lost += DT * (1.0 - speed / WINDOW.max_speed)
        self.duration, self.collisions = world.time, world.collisions
        if self.camera is not None:
            self.camera.shoot(
                world,
                "leading",
                path=points_in_world(self.T_world_map, path),
                cloud=points_in_world(self.T_world_map, locator.cloud.poses[:, :2]),
            )

    def stopped(self, world: MuseumWorld, exhibit: int) -> None:
        """Write down that the robot believes to be at an exhibit."""
        gap = np.abs(world.pose[:2] - world.museum.exhibits[exhibit])
        beside = np.maximum(gap - world.museum.sizes[exhibit], 0.0)
        self.shown += bool(np.hypot(*beside) <= MAX_AWAY)


def show(
    guide: Guide,
    world: MuseumWorld,
    locator: Locator,
    exhibits: list[int],
    weight: float,
    tour: Tour,
) -> None:
    """Lead visitors to exhibits, one after the other.

    Args:
        guide: What the robot made of its map.
        world: The museum by day.
        locator: Where the robot believes to be.
        exhibits: Their numbers.
        weight: Price of a metre on which nothing is seen; 0: the shortest paths.
        tour: Of the judge.
    """
    for exhibit in exhibits:
        if exhibit in guide.spots and lead(
            guide, world, locator, exhibit, weight, tour
        ):
            tour.stopped(world, exhibit)


def lead(
    guide: Guide,
    world: MuseumWorld,
    locator: Locator,
    exhibit: int,
    weight: float,
    tour: Tour,
) -> bool:
    """Drive to an exhibit; return whether the robot believes to have arrived.

    Who stands still for a while looks for a way around those who stand in front, for
    another side of the exhibit if they stand there, and takes those who did not move
    meanwhile for things: one may pass close to them.
    """
    goal = guide.spots[exhibit]
    begin, standing = world.time, 0.0
    earlier = resting = np.zeros((0, 2))
    path = guide.plan(locator.pose, goal, weight)
    target = guide.floor.points_of(goal)
    while world.time - begin < MAX_LEG:
        points, people = locator.see(world.sense())
        pose = locator.pose
        places = points_in_world(pose, people)
        left = float(np.hypot(*(target - pose[:2])))
        if left < ARRIVED or (left < NEARLY and standing > PATIENCE):
            return True
        if standing == 0.0:
            earlier = places
        if standing > PATIENCE or not len(path):
            goal = guide.spot(exhibit, places)
            target = guide.floor.points_of(goal)
            path = guide.plan(pose, goal, weight, places)
            if not len(path):
                path = guide.plan(pose, goal, weight)
            resting = places[_are_near(places, earlier, AT_REST)]
            standing = 0.0
        if not len(path):
            return False
        movers = people[~_are_near(places, resting, 2.0 * AT_REST)]
        choice = steer(path, pose, locator.speeds, points, movers)
        standing = standing + DT if choice.speed < 0.05 else 0.0
        locator.speeds = choice.speed, choice.turn
        locator.moved(world.drive(*locator.speeds))
        tour.note(world, locator, people, path)
    return False


def _are_near(points: FloatArray, others: FloatArray, reach: float) -> BoolArray:
    """Return which points have another one nearby, shape (n,)."""
    if not len(others):
        return np.zeros(len(points), dtype=bool)
    return np.linalg.norm(points[:, None] - others, axis=-1).min(axis=1) < reach
