"""Piggy's planner: time and memory of the tables, both tests, time of a query."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.harness import Row, Settings
from experiments.piggy.planner import (
    DEADLINE,
    TOLERANCE,
    errors_at_poses,
    errors_on_flights,
    shared_tables,
    table_cost,
)
from gelenk.robots.piggy.contact import ContactCfg
from gelenk.robots.piggy.planner.cases import make_cases
from gelenk.robots.piggy.planner.plan import PLAN, PlanCfg
from gelenk.typing import FloatArray

TABLE_TIME, TABLE_BYTES = 3.0, 400e6  # [s], [B]
_SHOWN = (0.05, 0.2, 0.5, 1.0)  # [m/s]


def tables_built(settings: Settings) -> Iterator[Row]:
    """Measure the contact runs and their sorting, with everything compiled."""
    cost = table_cost(settings.pick(5, 3))
    tables = shared_tables()
    yield Row(
        name="tables_time",
        value=min(cost.wall),
        unit="s",
        target=TABLE_TIME,
        direction="<=",
        peers={"thesis": 6.0},
        note=f"{tables.grid.num_runs} contacts, best of {len(cost.wall)}; "
        f"processor time {min(cost.busy):.2f} s, worst {max(cost.wall):.2f} s",
    )
    yield Row(
        name="tables_memory",
        value=cost.peak / 1e6,
        unit="MB",
        target=TABLE_BYTES / 1e6,
        direction="<=",
        peers={"thesis": 400.0},
        note=f"peak while building; {tables.num_bytes / 1e6:.0f} MB stay, "
        f"{tables.num_entries} results",
    )


def planner_test_1(settings: Settings) -> Iterator[Row]:
    """Random valid requests at a pose."""
    cases = make_cases(settings.pick(2000, 300), settings.rng())
    errors = {
        method: errors_at_poses(cases, PlanCfg(method=method))
        for method in ("exact", "refined")
    }
    yield _share_row("planner_test_1", 100.0, errors)


def planner_test_2(settings: Settings) -> Iterator[Row]:
    """Random valid flights and velocities; the planner finds the place."""
    cases = make_cases(settings.pick(2000, 200), settings.rng())
    errors = {
        method: errors_on_flights(cases, PlanCfg(method=method))[0]
        for method in ("printed", "exact")
    }
    errors["refined"], busy, segments = errors_on_flights(cases, PLAN)
    yield _share_row("planner_test_2", 99.0, errors)
    yield Row(
        name="planner_query_time",
        value=1e3 * float(np.quantile(busy, 0.95)),
        unit="ms",
        target=1e3 * DEADLINE,
        direction="<=",
        note=f"95th percentile of {len(busy)} flights with {segments:.1f} segments in "
        f"reach on average, processor time of one core; median "
        f"{1e3 * float(np.median(busy)):.1f} ms, worst {1e3 * max(busy):.1f} ms",
    )


def table_step(settings: Settings) -> Iterator[Row]:
    """What the time step of the final simulation costs."""
    cases = make_cases(settings.pick(5000, 1000), settings.rng())
    fine = make_cases(
        len(cases),
        settings.rng(),
        cfg=PlanCfg(contact=ContactCfg(dt=2e-5, gravity=PLAN.contact.gravity)),
    )
    off = np.linalg.norm(cases.v_out - fine.v_out, axis=1)
    yield Row(
        name="contact_step_error",
        value=float(np.quantile(off, 0.99)),
        unit="m/s",
        target=0.05,
        direction="<=",
        note=f"99th percentile of the velocity at {1e3 * PLAN.contact.dt:g} ms against "
        f"0.02 ms, {len(off)} contacts",
    )


def _share_row(name: str, target: float, errors: dict[str, FloatArray]) -> Row:
    ours = errors["refined"]
    words = [
        f"{method}: "
        + ", ".join(f"{100 * np.mean(off < x):.1f} % < {x:g}" for x in _SHOWN)
        for method, off in errors.items()
    ]
    return Row(
        name=name,
        value=100.0 * float(np.mean(ours < TOLERANCE)),
        unit="%",
        target=target,
        direction=">=",
        note=f"{len(ours)} cases within {TOLERANCE} m/s; " + "; ".join(words) + " m/s",
    )
