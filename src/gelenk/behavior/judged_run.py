"""A run that is judged by itself: goal, conditions to abort, time limit, verdict."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from gelenk.errors import ConfigError


class Verdict(StrEnum):
    """How a run ended."""

    PASSED = "passed"
    ABORTED = "aborted"
    TIMED_OUT = "timed out"
    CRASHED = "crashed"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedRun:
    """What a run came to.

    Attributes:
        verdict: How it ended.
        reason: Name of the condition, or what the program raised.
        time: When it ended [s].
        figures: Measured at the end.
    """

    verdict: Verdict
    reason: str
    time: float
    figures: Mapping[str, float] = field(default_factory=dict)


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
        state: At the start; the scene.
        step: Next state from state and time [s].
        goal: Whether the job is done.
        aborts: Conditions that end the run at once, by name; before the goal.
        figures: What to measure at the end, by name.
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
    verdict, reason, ticks = Verdict.TIMED_OUT, f"{timeout} s", 0
    last = round(timeout / dt)
    while True:
        broken = next((n for n, is_so in (aborts or {}).items() if is_so(state)), "")
        if broken:
            verdict, reason = Verdict.ABORTED, broken
            break
        if goal(state):
            verdict, reason = Verdict.PASSED, "goal"
            break
        if ticks >= last:
            break
        try:
            state = step(state, ticks * dt)
        except Exception as error:
            verdict, reason = Verdict.CRASHED, f"{type(error).__name__}: {error}"
            break
        ticks += 1
    measured = {name: float(of(state)) for name, of in (figures or {}).items()}
    return JudgedRun(verdict=verdict, reason=reason, time=ticks * dt, figures=measured)
