"""The course: planners on maps and in an arm's cell, beside OMPL and plain Python."""

from __future__ import annotations

import heapq
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import gelenk
from benchmarks.harness import Row, Settings, interleaved
from benchmarks.peers import find_peer, missing_note
from gelenk.planning.grid import grid_path
from gelenk.planning.probabilistic_roadmap import plan_prm
from gelenk.planning.random_tree import plan_rrt, plan_rrt_connect, plan_rrt_star
from gelenk.planning.scene import ConvexScene, arm_scene, point_scene
from gelenk.typing import BoolArray, FloatArray
from testkit.grid_maps import boxes_of, largest_region, map_set, random_map

_STEP = 1.0  # [cells], of all trees
_PATIENCE = 5.0  # [s] per problem, of OMPL
_SPEEDUP = 5.0
_PLANNERS = {
    "rrt": "RRT",
    "rrt_connect": "RRTConnect",
    "rrt_star": "RRTstar",
    "prm": "PRM",
}
_SAMPLES = {"rrt": 20_000, "rrt_connect": 20_000, "rrt_star": 10_000, "prm": 2_500}
_BIG = 256  # cells of a side, of the map for A*
_ARM_STEP = 0.3  # [rad]

Ends = tuple[FloatArray, FloatArray]
Answer = tuple[float, float]  # length of the path, nan if none; seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A start and a goal on a map."""

    free: BoolArray
    scene: ConvexScene
    start: FloatArray
    goal: FloatArray


def planners_on_maps(settings: Settings) -> Iterator[Row]:
    """Success, path length and time of each planner on the maps, beside OMPL."""
    problems = _draw_problems(settings.pick(10, 2), settings)
    best = np.array([_grid_length(p) for p in problems])
    for name, theirs in _PLANNERS.items():
        answers: dict[str, list[Answer]] = {"ours": [], "OMPL": []}
        for k, problem in enumerate(problems):
            settings.tell(f"{name}: problem {k + 1} of {len(problems)}")
            rng = np.random.default_rng([settings.seed, k])
            answers["ours"].append(_ours(name, problem, rng))
            if find_peer("ompl"):
                # RRT* takes all the time it is given: as long as ours took.
                limit = answers["ours"][-1][1] if name == "rrt_star" else _PATIENCE
                answers["OMPL"].append(_ompl_on_map(theirs, problem, k + 1, limit))
        yield from _compared(f"maps_{name}", answers, best)


def planner_in_a_cell(settings: Settings) -> Iterator[Row]:
    """Success, path length and time of RRT-Connect for a six-axis arm among boxes."""
    scene = _arm_cell()
    rng = settings.rng()
    answers: dict[str, list[Answer]] = {"ours": [], "OMPL": []}
    straight = []
    for k in range(settings.pick(20, 4)):
        settings.tell(f"problem {k + 1}")
        ends = _free_pair(scene, rng)
        straight.append(float(np.linalg.norm(ends[1] - ends[0])))
        draws = np.random.default_rng([settings.seed, k])
        answers["ours"].append(
            _timed(
                lambda ends=ends, draws=draws: (
                    plan_rrt_connect(
                        scene, *ends, step=_ARM_STEP, rng=draws, samples=20_000
                    ).path
                )
            )
        )
        if find_peer("ompl"):
            answers["OMPL"].append(_ompl_for_arm(scene, ends, k + 1))
    yield from _compared("cell_rrt_connect", answers, np.array(straight))


def inner_loops(settings: Settings) -> Iterator[Row]:
    """A* and RRT against the same method as one writes it in plain Python."""
    problem = _draw_problems(1, settings)[3]
    boxes = boxes_of(problem.free).tolist()
    draws = np.random.default_rng(settings.seed).uniform(0.0, 32.0, (1500, 2))
    free = largest_region(random_map(_BIG, 20, settings.rng()))
    cells = free.tolist()
    start, goal = (_cell(p) for p in np.argwhere(free)[[0, -1]])
    assert math.isclose(
        _plain_a_star(cells, start, goal), grid_path(free, start, goal)[1].cost
    )
    seed = settings.seed
    for name, ours, plain, note in (
        (
            "a_star_over_python",
            lambda: grid_path(free, start, goal),
            lambda: _plain_a_star(cells, start, goal),
            f"random-{_BIG}-{_BIG}-20, whose graph is built anew each time",
        ),
        (
            "rrt_over_python",
            lambda: plan_rrt(
                problem.scene,
                problem.start,
                problem.goal,
                step=_STEP,
                rng=np.random.default_rng(seed),
                samples=1500,
                goal_bias=1e-9,
            ),
            lambda: _plain_rrt(boxes, problem.start.tolist(), draws.tolist()),
            "room-32-32-4, 1500 samples, no goal, exact tests against the same boxes",
        ),
    ):
        timings = interleaved(
            {"ours": ours, "plain": plain}, rounds=settings.pick(15, 3), warmup=1
        )
        yield Row(
            name=name,
            value=timings.ratio("plain", "ours"),
            unit="x",
            target=_SPEEDUP,
            direction=">=",
            note=(
                f"{note}; ours {1e3 * timings.median('ours'):.2f} ms, "
                f"plain Python {1e3 * timings.median('plain'):.1f} ms"
            ),
        )


def _compared(
    name: str, answers: dict[str, list[Answer]], best: FloatArray
) -> Iterator[Row]:
    """Return success, length over the reference, and median time of all who ran."""
    ran = {who: np.array(rows) for who, rows in answers.items() if rows}
    note = missing_note("OMPL") if "OMPL" in answers and not find_peer("ompl") else ""
    success = {
        who: 100.0 * float(np.isfinite(a[:, 0]).mean()) for who, a in ran.items()
    }
    length = {who: float(np.nanmean(a[:, 0] / best)) for who, a in ran.items()}
    seconds = {who: 1e3 * float(np.median(a[:, 1])) for who, a in ran.items()}
    yield Row(
        name=f"{name}_success",
        value=success.pop("ours"),
        unit="%",
        direction=">=",
        peers=success,
        note=note or f"{len(best)} problems",
    )
    yield Row(name=f"{name}_length", value=length.pop("ours"), unit="x", peers=length)
    yield Row(name=f"{name}_time", value=seconds.pop("ours"), unit="ms", peers=seconds)


def _draw_problems(count: int, settings: Settings) -> list[Problem]:
    """Return so many problems on each map, starts and goals at least 16 cells apart."""
    rng = settings.rng()
    problems = []
    for free in map_set(settings.seed).values():
        scene = point_scene(
            [0.0, 0.0], np.array(free.shape, float), boxes=boxes_of(free)
        )
        cells = np.argwhere(largest_region(free))
        for _ in range(count):
            while True:
                start, goal = cells[rng.choice(len(cells), 2, replace=False)] + 0.5
                if np.linalg.norm(goal - start) >= 16.0:
                    break
            problems.append(Problem(free=free, scene=scene, start=start, goal=goal))
    return problems


def _grid_length(problem: Problem) -> float:
    """Return the length of the cheapest path of cells, the reference of lengths."""
    start, goal = _cell(problem.start), _cell(problem.goal)
    return float(grid_path(problem.free, start, goal)[1].cost)


def _cell(point: FloatArray) -> tuple[int, int]:
    return int(point[0]), int(point[1])


def _timed(plan: Callable[[], Any]) -> Answer:
    begin = time.perf_counter()
    path = plan()
    took = time.perf_counter() - begin
    return (math.nan if path is None else float(path.length)), took


def _ours(name: str, problem: Problem, rng: np.random.Generator) -> Answer:
    ends, samples = (problem.start, problem.goal), _SAMPLES[name]
    if name == "prm":
        return _timed(
            lambda: plan_prm(problem.scene, *ends, count=samples, rng=rng).path
        )
    planner = {
        "rrt": plan_rrt,
        "rrt_connect": plan_rrt_connect,
        "rrt_star": plan_rrt_star,
    }[name]
    return _timed(
        lambda: planner(problem.scene, *ends, step=_STEP, rng=rng, samples=samples).path
    )


def _ompl_on_map(planner: str, problem: Problem, seed: int, limit: float) -> Answer:
    """Plan with OMPL; a state is tested by looking up its cell, the cheapest way."""
    cells = problem.free.tolist()
    height, width = problem.free.shape

    def is_free(state: Any) -> bool:
        i, j = int(state[0]), int(state[1])
        return i < height and j < width and cells[i][j]

    bounds = np.array([[0.0, 0.0], [height, width]])
    # OMPL tests motions at steps; a tenth of a cell keeps it from cutting corners.
    resolution = 0.1 / float(np.linalg.norm(bounds[1]))
    ends = (problem.start, problem.goal)
    tool = _ompl_tool(planner, is_free, bounds, ends, _STEP, resolution, seed)
    return _solve(*tool, limit)


def _ompl_for_arm(scene: ConvexScene, ends: Ends, seed: int) -> Answer:
    """Plan with OMPL; a state is tested by our own compiled test."""
    n = len(scene.lower)

    def is_free(state: Any) -> bool:
        return bool(scene.are_free([state[k] for k in range(n)]))

    bounds = np.stack([scene.lower, scene.upper])
    resolution = scene.resolution / float(np.linalg.norm(bounds[1] - bounds[0]))
    tool = _ompl_tool("RRTConnect", is_free, bounds, ends, _ARM_STEP, resolution, seed)
    return _solve(*tool, _PATIENCE)


def _ompl_tool(
    planner: str,
    is_free: Callable[[Any], bool],
    bounds: FloatArray,
    ends: Ends,
    step: float,
    resolution: float,
    seed: int,
) -> tuple[Any, Any]:
    """Return a planner of OMPL that is ready to solve, and its task."""
    ompl: Any = find_peer("ompl")
    base, geometric, util = ompl.base, ompl.geometric, ompl.util
    util.setLogLevel(util.LogLevel.LOG_NONE)
    util.RNG.setSeed(seed)
    n = bounds.shape[1]
    space, box = base.RealVectorStateSpace(n), base.RealVectorBounds(n)
    for k in range(n):
        box.setLow(k, float(bounds[0, k]))
        box.setHigh(k, float(bounds[1, k]))
    space.setBounds(box)
    info = base.SpaceInformation(space)
    info.setStateValidityChecker(is_free)
    info.setStateValidityCheckingResolution(resolution)
    info.setup()
    states = [space.allocState(), space.allocState()]
    for state, values in zip(states, ends, strict=True):
        for k, value in enumerate(values):
            state[k] = float(value)
    task = base.ProblemDefinition(info)
    task.setStartAndGoalStates(*states)
    tool = getattr(geometric, planner)(info)
    tool.setProblemDefinition(task)
    if planner != "PRM":
        tool.setRange(step)
    tool.setup()
    return tool, task


def _solve(tool: Any, task: Any, limit: float) -> Answer:
    begin = time.perf_counter()
    tool.solve(limit)
    took = time.perf_counter() - begin
    if not task.hasExactSolution():
        return math.nan, took
    return float(task.getSolutionPath().length()), took


def _arm_cell() -> ConvexScene:
    """Return a Puma 560 between a pillar, a shelf and a table."""
    return arm_scene(
        gelenk.load("puma560"),
        lower=np.full(6, -np.pi),
        upper=np.full(6, np.pi),
        boxes=[
            [0.3, 0.2, -0.5, 0.6, 0.4, 0.6],
            [-0.8, -0.7, 0.3, 0.2, -0.4, 0.4],
            [-1.0, -1.0, -0.8, 1.0, 1.0, -0.7],
        ],
        radius=0.06,
        spacing=0.12,
    )


def _free_pair(scene: ConvexScene, rng: np.random.Generator) -> Ends:
    """Return two free configurations that no straight motion joins."""
    while True:
        pair = rng.uniform(scene.lower, scene.upper, (2, len(scene.lower)))
        if scene.are_free(pair).all() and not scene.are_free_between(pair[0], pair[1]):
            return pair[0], pair[1]


def _plain_a_star(
    free: Sequence[Sequence[bool]], start: tuple[int, int], goal: tuple[int, int]
) -> float:
    """Return the cost of A* on a grid, with a heap and dictionaries."""
    height, width = len(free), len(free[0])

    def guess(i: int, j: int) -> float:
        a, b = abs(i - goal[0]), abs(j - goal[1])
        return max(a, b) + (math.sqrt(2.0) - 1.0) * min(a, b)

    around = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0)]
    cost = {start: 0.0}
    heap = [(guess(*start), start)]
    done = set[tuple[int, int]]()
    while heap:
        _, (i, j) = heapq.heappop(heap)
        if (i, j) == goal:
            return cost[goal]
        if (i, j) in done:
            continue
        done.add((i, j))
        for a, b in around:
            k, m = i + a, j + b
            if not (0 <= k < height and 0 <= m < width and free[k][m]):
                continue
            if a and b and not (free[i][m] and free[k][j]):
                continue  # no corners are cut
            new = cost[i, j] + math.hypot(a, b)
            if new < cost.get((k, m), math.inf):
                cost[k, m] = new
                heapq.heappush(heap, (new + guess(k, m), (k, m)))
    return math.inf


def _plain_rrt(
    boxes: Sequence[Sequence[float]],
    start: Sequence[float],
    draws: Sequence[Sequence[float]],
) -> int:
    """Return the size of a tree grown towards samples, with lists and loops."""
    nodes = [(start[0], start[1])]
    for x, y in draws:
        near = min(nodes, key=lambda n: (n[0] - x) ** 2 + (n[1] - y) ** 2)
        far = math.dist(near, (x, y))
        share = min(1.0, _STEP / far) if far > 0.0 else 0.0
        new = (near[0] + share * (x - near[0]), near[1] + share * (y - near[1]))
        if not any(_crosses(near, new, box) for box in boxes):
            nodes.append(new)
    return len(nodes)


def _crosses(
    a: tuple[float, float], b: tuple[float, float], box: Sequence[float]
) -> bool:
    """Return whether a segment meets a box, by clipping."""
    low, high = 0.0, 1.0
    for k in range(2):
        d = b[k] - a[k]
        if d == 0.0:
            if not box[k] <= a[k] <= box[2 + k]:
                return False
            continue
        s, t = (box[k] - a[k]) / d, (box[2 + k] - a[k]) / d
        low, high = max(low, min(s, t)), min(high, max(s, t))
        if low > high:
            return False
    return True
