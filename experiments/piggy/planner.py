"""EX-23, EX-24, EX-33, EX-34: tables, time of a query, the planner's two tests."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from experiments.figures import ComparedFigure
from gelenk.robots.piggy.planner.cases import Cases, make_cases
from gelenk.robots.piggy.planner.path import reachable_segments
from gelenk.robots.piggy.planner.plan import PLAN, PlanCfg, plan, query
from gelenk.robots.piggy.planner.tables import GridCfg, build_tables, shared_tables
from gelenk.robots.piggy.surface import unit_params
from gelenk.typing import FloatArray

TOLERANCE = 0.2  # [m/s]
DEADLINE = 0.02  # [s], one frame of the cameras


@dataclass(frozen=True, slots=True, kw_only=True)
class TableCost:
    """What it takes to make the tables.

    Attributes:
        wall, busy: Time and processor time of each repetition [s].
        peak: Most memory, the tables included [B].
    """

    wall: tuple[float, ...]
    busy: tuple[float, ...]
    peak: int


def table_cost(count: int = 3, grid: GridCfg | None = None) -> TableCost:
    """Return time and memory of building the tables, with everything compiled."""
    grid = grid or GridCfg()
    build_tables(grid)
    wall, busy = [], []
    for _ in range(count):
        start, own = time.perf_counter(), time.process_time()
        build_tables(grid)
        wall.append(time.perf_counter() - start)
        busy.append(time.process_time() - own)
    tracemalloc.start()
    build_tables(grid)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return TableCost(wall=tuple(wall), busy=tuple(busy), peak=peak)


def errors_at_poses(cases: Cases, cfg: PlanCfg = PLAN) -> FloatArray:
    """Return how far the best answer's velocity is off at a given pose [m/s], (n,)."""
    errors = np.full(len(cases), np.inf)
    for k in range(len(cases)):
        found = query(
            shared_tables(), cases.v_in[k], cases.v_out[k], cases.normal[k], cfg=cfg
        )
        if len(found):
            errors[k] = np.linalg.norm(found.v_out[0] - cases.v_out[k])
    return errors


def errors_on_flights(
    cases: Cases, cfg: PlanCfg = PLAN
) -> tuple[FloatArray, list[float], float]:
    """Return errors [m/s], processor times [s], and segments in reach on average."""
    errors, busy, segments = np.full(len(cases), np.inf), [], []
    unit = unit_params(cfg.unit)
    plan(shared_tables(), cases.paths[0], cases.v_out[0], cfg=cfg)
    for k, path in enumerate(cases.paths):
        start = time.thread_time()
        found = plan(shared_tables(), path, cases.v_out[k], cfg=cfg)
        busy.append(time.thread_time() - start)
        reach, _ = reachable_segments(path.rows, cfg.contact.radius_sum, unit)
        segments.append(len(reach))
        if len(found):
            errors[k] = np.linalg.norm(found.v_out[0] - cases.v_out[k])
    return errors, busy, float(np.mean(segments))


def building() -> list[ComparedFigure]:
    """EX-23: how long the tables take, and how much memory."""
    cost = table_cost()
    runs = shared_tables().grid.num_runs
    return [
        ComparedFigure(
            experiment="EX-23",
            quantity=f"{runs} contacts simulated and sorted in",
            value=min(cost.busy),
            unit="s",
            thesis="6",
            accepted=(0.0, 3.0),
            note="processor time",
        ),
        ComparedFigure(
            experiment="EX-23",
            quantity="memory at most",
            value=cost.peak / 1e6,
            unit="MB",
            thesis="400",
            accepted=(0.0, 400.0),
        ),
    ]


def requests(count: int = 400, seed: int = 0) -> list[ComparedFigure]:
    """EX-24, EX-33, EX-34: random requests at poses, and on flights.

    Args:
        count: Of requests of each test.
        seed: Of the requests.
    """
    cases = make_cases(count, np.random.default_rng(seed))
    poses = errors_at_poses(cases)
    flights, busy, segments = errors_on_flights(cases)
    shares = {
        name: ", ".join(f"{100 * np.mean(off < x):.1f} % < {x:g}" for x in (0.5, 1.0))
        for name, off in (("poses", poses), ("flights", flights))
    }
    return [
        ComparedFigure(
            experiment="EX-24",
            quantity="all segments of a prediction answered, 95 % within",
            value=1e3 * float(np.quantile(busy, 0.95)),
            unit="ms",
            thesis="0.002 each (cannot be)",
            accepted=(0.0, 1e3 * DEADLINE),
            note=f"{segments:.1f} segments in reach on average; processor time",
        ),
        ComparedFigure(
            experiment="EX-33",
            quantity=f"test 1: requests met within {TOLERANCE} m/s",
            value=100.0 * float(np.mean(poses < TOLERANCE)),
            unit="%",
            thesis="all, tolerance not stated",
            accepted=(100.0, 100.0),
            note=shares["poses"] + " m/s",
        ),
        ComparedFigure(
            experiment="EX-34",
            quantity=f"test 2: requests met within {TOLERANCE} m/s",
            value=100.0 * float(np.mean(flights < TOLERANCE)),
            unit="%",
            thesis="> 90",
            accepted=(99.0, 100.0),
            note=shares["flights"] + " m/s",
        ),
    ]


EXPERIMENTS: Mapping[str, Callable[[], list[ComparedFigure]]] = MappingProxyType(
    {"EX-23": building, "EX-24, EX-33, EX-34": requests}
)
