"""The shipped cells of ArmBot: success over seeds, equal bits, and speed."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.harness import Row, Settings
from gelenk.runtime.local_pool import LocalPool, available_cores
from gelenk.runtime.scenario import Scenario, list_scenarios
from gelenk.runtime.trial import Trial, TrialTask, make_job

SEEDS = 100
SECONDS = 6.0  # [s] simulated, of each report that is compared
TEN_ROBOTS = "line"
EXERCISE = "student"  # solved in the repository only, so that students do not find it
SOLUTION = (
    Path(__file__).resolve().parents[2]
    / "tests/robots/armbot/cells/student_solution.py"
)
BLOCK = 2.0  # [s] simulated, between two looks at the clock


def cells() -> list[Scenario]:
    """Return the scenarios of all shipped cells."""
    return [item for item in list_scenarios() if item.name.startswith("armbot/")]


def cell_successes(settings: Settings) -> Iterator[Row]:
    """Try every cell with many seeds that put its things and robots a little beside."""
    count = settings.pick(SEEDS, 2)
    pool = LocalPool(max(min(available_cores(), 2), 1))
    try:
        for scenario in cells():
            name = scenario.name.removeprefix("armbot/")
            config = scenario.as_config(_settings(name))
            job = make_job(scenario, config)
            tasks = [TrialTask(index=i, seed=settings.seed + i) for i in range(count)]
            trials: list[Trial] = list(pool.run(job, tasks))
            good = [trial for trial in trials if trial.ok]
            bad = [f"seed {t.seed}: {t.reason}" for t in trials if not t.ok]
            times = [trial.figures["time"] for trial in good] or [0.0]
            yield Row(
                name=f"cell_{name}",
                value=float(len(good)),
                unit=f"of {count} seeds",
                target=float(count),
                direction=">=",
                note=f"{scenario.summary} Start poses off by up to "
                f"{100 * config.position_jitter:g} cm and "
                f"{np.rad2deg(config.angle_jitter):g} degrees; "
                f"{np.median(times):.0f} s simulated"
                + (f"; first failure: {bad[0]}" if bad else ""),
            )
    finally:
        pool.close()


def _settings(name: str) -> dict[str, str] | None:
    """Return what a cell must be told: the exercise needs a solution."""
    if name == EXERCISE and SOLUTION.is_file():
        return {"controller": f"{SOLUTION}:Student"}
    return None


def equal_reports(settings: Settings) -> Row:
    """Compare the JSON of repeated runs, on one core and on two, byte for byte."""
    seconds = SECONDS if not settings.quick else 1.0
    names = [scenario.name.removeprefix("armbot/") for scenario in cells()]
    cores = sorted(_allowed_cores())
    choices = [cores[:1], cores[:2], cores[:2]]
    other = 0
    for name in names:
        digests = [_report(name, seconds, settings.seed, use) for use in choices]
        other += sum(digest != digests[0] for digest in digests[1:])
    return Row(
        name="reports_with_other_bytes",
        value=float(other),
        unit="reports",
        target=0.0,
        note=f"{len(names)} cells, {seconds:g} s each: `gelenk armbot -e CELL "
        f"--headless --seconds {seconds:g} --json` on one core and twice on "
        f"{len(choices[1])}, three processes each",
    )


def ten_robot_speed(settings: Settings) -> Row:
    """Run the cell with ten robots on one core."""
    from gelenk.robots.armbot.options import parse_options
    from gelenk.robots.armbot.session import open_cell

    blocks = settings.pick(20, 3)
    factors: list[float] = []
    with _on_one_core(), open_cell(parse_options(["-e", TEN_ROBOTS])) as cell:
        cell.run.run(BLOCK)
        for _ in range(blocks):
            start = time.process_time()
            cell.run.run(BLOCK)
            factors.append(BLOCK / (time.process_time() - start))
        num_robots = len(cell.robots)
    return Row(
        name="ten_robots_speed",
        value=float(np.median(factors)),
        unit="x real time",
        target=1.0,
        direction=">=",
        note=f"cell `{TEN_ROBOTS}`, {num_robots} robots with a controller each, step "
        f"1 ms; CPU time, all threads on one core, median of {blocks} blocks of "
        f"{BLOCK:g} s, slowest {min(factors):.2f}",
    )


def _report(name: str, seconds: float, seed: int, cores: list[int]) -> str:
    """Return the digest of what the command line prints."""
    arguments = ["armbot", "-e", name, "--headless", "--json"]
    arguments += ["--seconds", f"{seconds:g}", "--seed", str(seed)]
    script = (
        "import os, sys; "
        f"hasattr(os, 'sched_setaffinity') and os.sched_setaffinity(0, {cores!r}); "
        "from gelenk.cli.main import main; sys.exit(main(sys.argv[1:]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], capture_output=True, check=False
    )
    assert done.returncode in (0, 1), done.stderr.decode()  # 1: an unsolved exercise
    assert json.loads(done.stdout)["tick"] > 0
    return hashlib.sha256(done.stdout).hexdigest()


def _allowed_cores() -> set[int]:
    if hasattr(os, "sched_getaffinity"):
        return os.sched_getaffinity(0)
    return set(range(os.cpu_count() or 1))


@contextlib.contextmanager
def _on_one_core() -> Iterator[None]:
    allowed = _allowed_cores()
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    os.sched_setaffinity(0, {min(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)
