"""Executives: periodic tasks on one processor, and runs that judge themselves.

A task is released every `period`. Tasks that wait run one after the other, the one with
the shortest period first (none is interrupted). A task that is released again before
its last turn has ended loses that turn: an overrun (Damken 2023 §1.4). A judged run
has goals, conditions to abort, a time limit and a verdict.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from gelenk.errors import ConfigError


@dataclass(frozen=True, slots=True, kw_only=True)
class PeriodicTask:
    """One stage of a robot's program.

    Attributes:
        name: Name such as "sense".
        period: Time between two releases [s].
        work: Function of the start [s] that does the work of one turn and returns the
            time it takes [s].
        offset: First release [s].

    Example:
        >>> from gelenk.behavior import PeriodicTask
        >>> sense = PeriodicTask(name="sense", period=0.1, work=lambda now: 0.02)
        >>> sense.offset
        0.0
    """

    name: str
    period: float
    work: Callable[[float], float]
    offset: float = 0.0

    def __post_init__(self) -> None:
        if not (math.isfinite(self.period) and self.period > 0.0):
            raise ConfigError(
                f"stage {self.name!r}: period must be positive, got {self.period} s"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskTurn:
    """One turn of a stage: when it was due, began and ended [s]."""

    stage: str
    release: float
    start: float
    end: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutiveLog:
    """Record of an executive's run.

    Attributes:
        turns: Turns of the tasks in the order of their starts.
        overruns: Lost turns of each stage.
        busy: Share of the time in which some stage worked.
    """

    turns: tuple[TaskTurn, ...]
    overruns: dict[str, int]
    busy: float


def run_executive(stages: Sequence[PeriodicTask], duration: float) -> ExecutiveLog:
    """Run stages at their rates in simulated time.

    Args:
        stages: Tasks to run; of equal periods the earlier one goes first.
        duration: Time after which no turn starts [s].

    Raises:
        ConfigError: If two stages share a name, or there is none.

    Example:
        >>> from gelenk.behavior import PeriodicTask, run_executive
        >>> sense = PeriodicTask(name="sense", period=0.1, work=lambda now: 0.02)
        >>> plan = PeriodicTask(name="plan", period=0.3, work=lambda now: 0.1)
        >>> log = run_executive([sense, plan], 0.35)
        >>> [f"{turn.stage} {turn.start:.2f}" for turn in log.turns[:4]]
        ['sense 0.00', 'plan 0.02', 'sense 0.12', 'sense 0.20']
        >>> log.overruns
        {'sense': 0, 'plan': 0}
    """
    names = [stage.name for stage in stages]
    if not names or len(set(names)) < len(names):
        raise ConfigError(f"stages need names of their own, got {names}")
    order = sorted(stages, key=lambda stage: stage.period)
    released = dict.fromkeys(names, 0)  # releases that were served or lost
    overruns = dict.fromkeys(names, 0)
    turns: list[TaskTurn] = []
    now = worked = 0.0
    while True:
        due = {s.name: s.offset + released[s.name] * s.period for s in order}
        now = max(now, min(due.values()))
        if now >= duration:
            break
        # Releases that differ by rounding alone are at one time.
        stage = next(s for s in order if due[s.name] <= now + 1e-9 * s.period)
        took = float(stage.work(now))
        if not (math.isfinite(took) and took >= 0.0):
            raise ConfigError(f"stage {stage.name!r}: its work took {took} s")
        release = due[stage.name]
        turns.append(
            TaskTurn(stage=stage.name, release=release, start=now, end=now + took)
        )
        now += took
        worked += took
        # Of what was released meanwhile only the last turn is made.
        missed = max(math.floor((now - release) / stage.period + 1e-9) - 1, 0)
        overruns[stage.name] += missed
        released[stage.name] += 1 + missed
    return ExecutiveLog(
        turns=tuple(turns), overruns=overruns, busy=min(worked / max(now, 1e-300), 1.0)
    )


class RunVerdict(StrEnum):
    """Verdict on a run."""

    PASSED = "passed"
    ABORTED = "aborted"
    TIMED_OUT = "timed out"
    CRASHED = "crashed"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedRun:
    """Result of a run that is judged by itself.

    Attributes:
        verdict: Verdict on how the run ended.
        reason: Name of the condition, or what the program raised.
        time: Time of the end [s].
        figures: Figures measured at the end, by name.
    """

    verdict: RunVerdict
    reason: str
    time: float
    figures: Mapping[str, float] = field(default_factory=dict[str, float])


def run_judged(
    state: Any,
    step: Callable[[Any, float], Any],
    *,
    goal: Callable[[Any], bool],
    aborts: Mapping[str, Callable[[Any], bool]] | None = None,
    figures: Mapping[str, Callable[[Any], float]] | None = None,
    timeout: float,
    dt: float,
) -> JudgedRun:
    """Run a program until it has done its job, must be stopped, or takes too long.

    Args:
        state: State of the scene at the start.
        step: Next state from state and time [s].
        goal: Whether the job is done.
        aborts: Conditions that end the run at once, by name; before the goal.
        figures: Figures to measure at the end, by name.
        timeout: Longest simulated time [s].
        dt: Time of a step [s].

    Example:
        >>> run = run_judged(0.0, lambda x, t: x + 0.1, goal=lambda x: x > 0.95,
        ...                  timeout=5.0, dt=0.1)
        >>> run.verdict.value, round(run.time, 6)
        ('passed', 1.0)
    """
    if not (dt > 0.0 and timeout >= 0.0):
        raise ConfigError("`dt` must be positive and `timeout` >= 0 [s]")
    verdict, reason, ticks = RunVerdict.TIMED_OUT, f"{timeout} s", 0
    last = round(timeout / dt)
    while True:
        broken = next((n for n, is_so in (aborts or {}).items() if is_so(state)), "")
        if broken:
            verdict, reason = RunVerdict.ABORTED, broken
            break
        if goal(state):
            verdict, reason = RunVerdict.PASSED, "goal"
            break
        if ticks >= last:
            break
        try:
            state = step(state, ticks * dt)
        except Exception as error:
            verdict, reason = RunVerdict.CRASHED, f"{type(error).__name__}: {error}"
            break
        ticks += 1
    measured = {name: float(of(state)) for name, of in (figures or {}).items()}
    return JudgedRun(verdict=verdict, reason=reason, time=ticks * dt, figures=measured)
