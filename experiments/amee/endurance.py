"""AN-24: a leg at work on its stand for hours.

The cycle: a step with all its via points, a feeling of ground, a fold, a stretch, a
stop in mid-motion. Time is simulated, the leg computer runs every pass of it.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from experiments.figures import ComparedFigure
from gelenk.robots.amee.config import LegCfg
from gelenk.robots.amee.leg import Bench, BenchCfg
from gelenk.robots.amee.wire import Command, Report

HOURS = 30.0  # T
_GROUND = -0.63  # [m]
_STEP = (0.06, _GROUND, 0.0, -0.06, _GROUND, 0.0)
_BAD = (Report.ERROR, Report.SENSOR_FAULT, Report.COLLISION, Report.OUT_OF_RANGE)
_LOOK = 200  # cycles between two looks at the memory


@dataclass(frozen=True, slots=True, kw_only=True)
class Soak:
    """What came of it.

    Attributes:
        hours: Simulated.
        cycles: Done.
        errors: Reports of trouble, jobs that did not end, restarts.
        worst: Largest distance of the foot from where it should be [m].
        grown: Blocks of Python's memory, last look minus the first after a tenth.
    """

    hours: float
    cycles: int
    errors: int
    worst: float
    grown: int


def soak(
    hours: float, *, seed: int = 0, tell: Callable[[str], None] = lambda text: None
) -> Soak:
    """Let a leg work for so long.

    Args:
        hours: Simulated.
        seed: Of noise and places.
        tell: Takes words about the progress.
    """
    rng = np.random.default_rng(seed)
    bench = Bench(LegCfg(), BenchCfg(seed=seed), ground=lambda x, z, t: _GROUND)
    bench.run(0.1)
    end, look_at = 3600.0 * hours, max(1, min(_LOOK, round(hours * 20)))
    cycles = errors = 0
    worst = 0.0
    memory: list[int] = []
    while bench.now < end:
        errors += _job(bench, Command.DO_STEP, *_STEP)
        x, y = float(rng.uniform(-0.1, 0.1)), float(rng.uniform(-0.55, -0.42))
        errors += _job(bench, Command.MOVE_POINT, x, y, 0.0)
        worst = max(worst, float(np.hypot(bench.foot()[0] - x, bench.foot()[1] - y)))
        errors += _job(bench, Command.MOVE_POINT_TOUCH, x / 2.0, _GROUND + 0.01, 0.0)
        bench.command(Command.MOVE_POINT, 0.0, -0.45, 0.0)
        bench.run(float(rng.uniform(0.05, 0.5)))
        bench.command(Command.STOP)
        bench.run(0.1)
        errors += any(bench.speeds)
        bench.messages.clear()
        cycles += 1
        if cycles % look_at == 0:
            gc.collect()
            memory.append(sys.getallocatedblocks())
            tell(f"{bench.now / 3600:.1f} h")
    settled = memory[len(memory) // 10 :]
    return Soak(
        hours=bench.now / 3600.0,
        cycles=cycles,
        errors=errors + bench.mcu.restarts,
        worst=worst,
        grown=settled[-1] - settled[0] if len(settled) > 1 else 0,
    )


def _job(bench: Bench, command: Command, *values: float) -> bool:
    """Do one job, every sync released at once; return whether it went wrong."""
    bench.command(command, *values)
    for _ in range(round(60.0 / bench.cfg.pass_period)):
        said = [message.report for message in bench.step()]
        if Report.SYNC in said:
            bench.command(Command.NEXT)
        if any(report in _BAD for report in said):
            return True
        if Report.READY in said:
            return False
    return True


def figures_of(found: Soak) -> list[ComparedFigure]:
    """Return a soak as figures."""
    note = f"{found.hours:.3g} h simulated, {found.cycles} cycles"
    return [
        ComparedFigure(
            experiment="AN-24",
            quantity="errors, unfinished jobs and restarts at work",
            value=found.errors,
            thesis="about 30 h without an error",
            accepted=(0, 0),
            note=note,
        ),
        ComparedFigure(
            experiment="AN-24",
            quantity="worst end position meanwhile",
            value=1e3 * found.worst,
            unit="mm",
            accepted=(0.0, 15.0),
        ),
        ComparedFigure(
            experiment="AN-24",
            quantity="memory grown meanwhile",
            value=found.grown,
            unit="blocks of Python's memory",
            accepted=(-np.inf, 2000.0),
        ),
    ]


def endurance(full: bool = False) -> list[ComparedFigure]:
    """AN-24: 30 h of work in full, else a minute of it."""
    return figures_of(soak(HOURS if full else 1.0 / 60.0))


EXPERIMENTS: Mapping[str, tuple[Callable[[bool], list[ComparedFigure]], ...]] = (
    MappingProxyType({"AN-24": (endurance,)})
)
