"""Planning: share of problems that are solved, safety, time, length of paths."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.areas._motion_checker import PathChecker
from benchmarks.areas._motion_scenes import (
    ARMS,
    EASY,
    HARD,
    KINDS,
    Problem,
    draw_problem,
    meshed_panda,
    problems,
)
from benchmarks.areas._robot_files import MISSING
from benchmarks.harness import Row, Settings
from benchmarks.peers import find_peer, missing_note
from gelenk.planning import MotionPlan, plan

PROBLEMS = 100  # of each kind
ENOUGH = 1.0  # [s] of CPU time
PATIENCE = 30.0  # [s]: what nobody solves within counts as not solvable
PEER_EVERY = 5  # problems, of each kind
LONG_RUNS = 20
LONG_SHORTCUTS = 2000
RESOLUTION = 0.005  # of the extent of the space, between OMPL's tests on an edge


def _timed_plan(problem: Problem, **options: Any) -> tuple[MotionPlan, float]:
    """Return a plan and its CPU time [s]."""
    began = time.process_time()
    found = plan(problem.scene, problem.start, problem.goal, **options)
    return found, time.process_time() - began


def _ompl_plan(ompl: Any, problem: Problem, limit: float) -> tuple[bool, float]:
    """Return whether OMPL has an exact path with shortcuts, and its CPU time [s]."""
    base, geometric = ompl.base, ompl.geometric
    scene = problem.scene
    low, high = (
        np.concatenate([model.limits[k] for model in scene.robots]) for k in (0, 1)
    )
    began = time.process_time()
    space = base.RealVectorStateSpace(scene.nq)
    bounds = base.RealVectorBounds(scene.nq)
    for i in range(scene.nq):
        bounds.setLow(i, float(low[i]))
        bounds.setHigh(i, float(high[i]))
    space.setBounds(bounds)
    setup = geometric.SimpleSetup(space)
    q = np.empty(scene.nq)

    def is_valid(state: Any) -> bool:
        for i in range(len(q)):
            q[i] = state[i]
        return bool(scene.is_free(q))

    setup.setStateValidityChecker(is_valid)
    information = setup.getSpaceInformation()
    information.setStateValidityCheckingResolution(RESOLUTION)
    ends = [space.allocState() for _ in range(2)]
    for state, values in zip(ends, (problem.start, problem.goal), strict=True):
        for i in range(scene.nq):
            state[i] = float(values[i])
    setup.setStartAndGoalStates(ends[0], ends[1])
    setup.setPlanner(geometric.RRTConnect(information))
    setup.solve(limit)
    is_found = bool(setup.haveExactSolutionPath())
    if is_found:
        setup.simplifySolution()
    return is_found, time.process_time() - began


def _load_ompl() -> Any:
    ompl = find_peer("ompl")
    if ompl is not None:
        find_peer("ompl.base")
        find_peer("ompl.geometric")
        ompl.util.setLogLevel(ompl.util.LogLevel.LOG_ERROR)
    return ompl


def problems_of_seven_kinds(settings: Settings) -> Iterator[Row]:
    """Problems of seven kinds: solved, free of collisions, how fast."""
    ompl = _load_ompl()
    times: dict[str, list[float]] = defaultdict(list)
    theirs: dict[str, list[float]] = defaultdict(list)
    unsolved: list[str] = []
    slow: list[str] = []
    hits: list[str] = []
    solvable = looks = 0
    warm: set[tuple[str, str]] = set()
    for problem in problems(settings.pick(PROBLEMS, 4)):
        if (problem.kind, problem.robot) not in warm:  # compile, fill caches
            warm.add((problem.kind, problem.robot))
            settings.tell(f"{problem.kind}, {problem.robot}")
            _timed_plan(problem, time_limit=0.1)
        found, spent = _timed_plan(problem, time_limit=PATIENCE)
        name = f"{problem.kind} {problem.robot} {problem.seed}"
        if ompl is not None and problem.seed % PEER_EVERY < len(ARMS):
            is_solved, seconds = _ompl_plan(ompl, problem, 5.0)
            theirs[problem.kind].append(seconds if is_solved else np.inf)
        if not found.found:
            others = [
                _timed_plan(problem, time_limit=PATIENCE, seed=1)[0].found,
                ompl is not None and _ompl_plan(ompl, problem, PATIENCE)[0],
            ]
            if not any(others):
                unsolved.append(name)
                continue
            spent = np.inf
        solvable += 1
        times[problem.kind].append(spent)
        if spent > ENOUGH:
            slow.append(name)
        if found.path is not None:
            checker = PathChecker(problem.scene, problem.obstacles, problem.shapes)
            overlap, count = checker.worst_overlap(found.path)
            looks += count
            if overlap > 0.0:
                hits.append(f"{name} by {1e3 * overlap:.3f} mm")
    note = (
        f"{solvable} problems, one core, CPU time, default shortcuts included; "
        f"OMPL's RRTConnect with our `is_free` as its validity checker, steps of "
        f"{RESOLUTION:g} of the space, and its simplification, on "
        f"{sum(map(len, theirs.values()))} of them"
    )
    if ompl is None:
        note = missing_note("OMPL")
    rivals = [t for kind in KINDS for t in theirs[kind]]
    peers = (
        {"OMPL": 100.0 * float(np.mean(np.array(rivals) <= ENOUGH))} if rivals else {}
    )
    yield Row(
        name="problems solved within 1 s",
        value=100.0 * (1.0 - len(slow) / max(solvable, 1)),
        unit="%",
        target=99.5,
        direction=">=",
        peers=peers,
        note=f"{note}; slow: {', '.join(slow) or 'none'}; solved by nobody within "
        f"{PATIENCE:g} s, left out: {', '.join(unsolved) or 'none'}",
    )
    yield Row(
        name="paths in collision, MuJoCo, steps of 1 mm",
        value=float(len(hits)),
        unit="paths",
        target=0.0,
        note=f"{looks} configurations; {', '.join(hits) or 'none'}",
    )
    for name, kinds, target in (("easy", EASY, 2.0), ("hard", HARD, 20.0)):
        own = [t for kind in kinds for t in times[kind]]
        rival = [t for kind in kinds for t in theirs[kind]]
        each = ", ".join(f"{k} {1e3 * float(np.median(times[k])):.1f}" for k in kinds)
        yield Row(
            name=f"median planning time, {name} kinds",
            value=1e3 * float(np.median(own)),
            unit="ms",
            target=target,
            peers={"OMPL": 1e3 * float(np.median(rival))} if rival else {},
            note=f"{each} ms; slowest {1e3 * float(np.max(own)):.0f} ms",
        )


def arm_with_meshes(settings: Settings) -> Row:
    """Median planning time of a Panda with the meshes of its file."""
    name = "median planning time, Panda with meshes"
    if meshed_panda() is None:
        return Row(name=name, value=None, unit="ms", note=MISSING)
    times: list[float] = []
    hits = 0
    for kind in (kind for kind in KINDS if kind != "two arms"):
        for seed in range(settings.pick(15, 1)):
            problem = draw_problem(kind, "panda with meshes", seed)
            if not times:
                _timed_plan(problem, time_limit=0.1)
            found, spent = _timed_plan(problem, time_limit=PATIENCE)
            times.append(spent if found.found else np.inf)
            if found.path is not None:
                checker = PathChecker(problem.scene, problem.obstacles, problem.shapes)
                hits += checker.worst_overlap(found.path)[0] > 0.0
    return Row(
        name=name,
        value=1e3 * float(np.median(times)),
        unit="ms",
        target=20.0,
        note=f"{len(times)} problems of six kinds, {np.isinf(times).sum()} unsolved, "
        f"{hits} paths in collision; meshes as their hulls",
    )


def length_of_paths(settings: Settings) -> Row:
    """Length of a path as planned, against the best of 20 long runs."""
    ratios: list[float] = []
    for kind in KINDS:
        for seed in range(settings.pick(4, 1)):
            problem = draw_problem(kind, ARMS[seed % len(ARMS)], seed)
            usual = _timed_plan(problem, time_limit=PATIENCE)[0]
            long = [
                _timed_plan(
                    problem, time_limit=PATIENCE, seed=k, shortcuts=LONG_SHORTCUTS
                )[0]
                for k in range(1, settings.pick(LONG_RUNS, 4) + 1)
            ]
            best = min((p.path.length for p in long if p.path), default=np.nan)
            if usual.path is not None:
                ratios.append(usual.path.length / min(best, usual.path.length))
    return Row(
        name="path length / best of 20 long runs, median",
        value=float(np.median(ratios)),
        unit="",
        target=1.15,
        note=f"{len(ratios)} problems of seven kinds, length in joint space; worst "
        f"{max(ratios):.2f}; long runs try {LONG_SHORTCUTS} shortcuts",
    )
