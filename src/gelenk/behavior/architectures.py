"""Three ways to arrange sensing, planning and acting.

Hierarchical: sense, then model, then plan, then act; one module fails, all stops.
Reactive: pairs of sense and act, no plan; the rest goes on if one fails. Hybrid: a slow
plan chooses which reactive behaviour runs, and with which goal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gelenk.errors import NameNotFoundError

Command = Any
Stage = Callable[[Any], Any]


class StageFailedError(RuntimeError):
    """A stage of a hierarchy failed; nothing after it could run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hierarchy:
    """Hierarchy that thinks first: each stage works on what the one before made.

    Attributes:
        stages: Names and functions in order, such as sense, model, plan, act.

    Example:
        >>> robot = Hierarchy(stages={"sense": lambda x: x + 1, "act": lambda x: 2 * x})
        >>> robot.step(3)
        8
    """

    stages: Mapping[str, Stage]

    def step(self, sensors: Any) -> Command:
        """Return the command for sensor data.

        Raises:
            StageFailedError: If a stage raises; the names after it never ran.
        """
        value, names = sensors, list(self.stages)
        for k, (name, stage) in enumerate(self.stages.items()):
            try:
                value = stage(value)
            except Exception as error:
                rest = ", ".join(names[k + 1 :]) or "nothing"
                raise StageFailedError(
                    f"{name!r} failed ({error}); not reached: {rest}"
                ) from error
        return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaction:
    """Pair of sense and act.

    Attributes:
        name: Name of the behaviour.
        act: Function that returns the command for sensor data; None: nothing to say.
    """

    name: str
    act: Callable[[Any], Command | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReactiveStep:
    """Decision of the reactions in one cycle.

    Attributes:
        command: Command of the first reaction that had one, or the idle one.
        chosen: Name of the chosen reaction, "" if none.
        failed: Reactions that raised; the others went on.
    """

    command: Command
    chosen: str
    failed: tuple[str, ...] = ()


def choose_reaction(
    reactions: Sequence[Reaction], sensors: Any, idle: Command
) -> ReactiveStep:
    """Return the command of the first reaction that has one, in one cycle.

    Args:
        reactions: The most important first.
        sensors: Present sensor data; there is no memory.
        idle: Command if nobody has one.

    Example:
        >>> flee = Reaction(name="flee", act=lambda d: "back" if d < 1.0 else None)
        >>> roam = Reaction(name="roam", act=lambda d: "ahead")
        >>> choose_reaction([flee, roam], 0.5, "stop").command
        'back'
    """
    command, chosen = idle, ""
    failed: list[str] = []
    for reaction in reactions:
        try:
            found = reaction.act(sensors)
        except Exception:
            # A behaviour that fails is left out: that is what reactive robots are for.
            failed.append(reaction.name)
            continue
        if found is not None and not chosen:
            command, chosen = found, reaction.name
    return ReactiveStep(command=command, chosen=chosen, failed=tuple(failed))


@dataclass(slots=True, kw_only=True)
class Hybrid:
    """A plan that chooses behaviours, and behaviours that react at every cycle.

    Attributes:
        plan: Names and goals of behaviours one after the other, from a world model.
        behaviors: Command from (goal, sensors), and whether the goal is reached.
        reflexes: Reactions that come before all plans, such as stopping for what moves.
        replan_every: Cycles between two plans; 0: only when the last one has ended.

    Example:
        >>> robot = Hybrid(
        ...     plan=lambda model: [("go", 2.0), ("go", 5.0)],
        ...     behaviors={"go": lambda goal, x: (0.5, abs(goal - x) < 0.25)},
        ... )
        >>> x = 0.0
        >>> for _ in range(20):
        ...     x += robot.step(x, model=None) or 0.0
        >>> x, robot.is_done
        (5.0, True)
    """

    plan: Callable[[Any], Sequence[tuple[str, Any]]]
    behaviors: Mapping[str, Callable[[Any, Any], tuple[Command, bool]]]
    reflexes: Sequence[Reaction] = ()
    replan_every: int = 0
    _left: list[tuple[str, Any]] | None = field(default=None, init=False)
    _cycle: int = field(default=0, init=False)

    @property
    def is_done(self) -> bool:
        """Whether the plan has been carried out."""
        return self._left is not None and not self._left

    @property
    def active(self) -> tuple[str, Any] | None:
        """The behaviour that runs now, with its goal."""
        return self._left[0] if self._left else None

    def step(self, sensors: Any, *, model: Any) -> Command | None:
        """Return the command of one cycle, None when there is nothing left to do.

        Args:
            sensors: Present sensor data, all that reflexes and behaviours see.
            model: World model, for the planner.
        """
        is_due = self.replan_every and self._cycle % self.replan_every == 0
        if self._left is None or (is_due and self._left):
            self._left = list(self.plan(model))
            for name, _ in self._left:
                if name not in self.behaviors:
                    raise NameNotFoundError("behaviour", name, self.behaviors)
        self._cycle += 1
        reflex = choose_reaction(self.reflexes, sensors, None)
        if reflex.chosen:
            return reflex.command
        while self._left:
            name, goal = self._left[0]
            command, is_reached = self.behaviors[name](goal, sensors)
            if not is_reached:
                return command
            self._left.pop(0)
        return None
