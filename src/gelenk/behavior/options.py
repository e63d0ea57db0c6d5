"""Behaviours as nested state machines, in the manner of XABSL.

An option is a state machine whose states activate further options or basic behaviours.
At every cycle each active option runs the decision tree of its state once, writes the
output symbols of the state it is in then, and executes its children; an option that was
not active in the cycle before starts in its initial state. What is active, with its
states, is the activation path.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gelenk.errors import ConfigError, NameNotFoundError


@dataclass(frozen=True, slots=True, kw_only=True)
class Symbols:
    """Input symbols of a decision tree.

    Attributes:
        inputs: Input symbols of sensors, world model and messages.
        time_in_state: Time since the option entered its state [s].
        time_active: Time since the option became active [s].
        children_done: Whether a child option is in a target state.
    """

    inputs: Mapping[str, Any]
    time_in_state: float
    time_active: float
    children_done: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionState:
    """One state of an option.

    Attributes:
        children: Options or basic behaviours that run while it is active.
        decide: Name of the next state, or None: stay.
        outputs: Output symbols to set.
        is_target: Whether the option has done its job here.

    Example:
        >>> from gelenk.behavior import OptionState
        >>> done = OptionState(outputs={"speed": 0.0}, is_target=True)
        >>> done.children
        ()
    """

    children: tuple[str, ...] = ()
    decide: Callable[[Symbols], str | None] = lambda symbols: None
    outputs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    is_target: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BehaviorOption:
    """Behaviour as a state machine.

    Attributes:
        initial: State at its activation.
        states: States by name.

    Example:
        >>> from gelenk.behavior import BehaviorOption, OptionState
        >>> wait = BehaviorOption(initial="idle", states={"idle": OptionState()})
        >>> wait.initial
        'idle'
    """

    initial: str
    states: Mapping[str, OptionState]


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionCycle:
    """Activation path and outputs of one cycle.

    Attributes:
        path: Active options with their states, depth first: (depth, name, state);
            basic behaviours have the state "".
        outputs: Output symbols.
    """

    path: tuple[tuple[int, str, str], ...]
    outputs: Mapping[str, Any]

    def __str__(self) -> str:
        return " > ".join(
            f"{name}:{state}" if state else name for _, name, state in self.path
        )


@dataclass(slots=True)
class _Memory:
    state: str
    entered: float
    active_since: float
    cycle: int


class BehaviorEngine:
    """Runs a graph of options from its root.

    Args:
        root: Name of the first option.
        options: All options by name; the graph must have no cycle.
        basics: Basic behaviours: they write output symbols from input symbols.

    Example:
        >>> from gelenk.behavior import BehaviorEngine, BehaviorOption, OptionState
        >>> seek = BehaviorOption(initial="look", states={
        ...     "look": OptionState(children=("turn",),
        ...                   decide=lambda s: "go" if s.inputs["ball"] else None),
        ...     "go": OptionState(children=("walk",)),
        ... })
        >>> engine = BehaviorEngine("seek", {"seek": seek}, {
        ...     "turn": lambda inputs: {"rate": 1.0},
        ...     "walk": lambda inputs: {"speed": 0.5},
        ... })
        >>> print(engine.step({"ball": False}, now=0.0))
        seek:look > turn
        >>> cycle = engine.step({"ball": True}, now=0.1)
        >>> print(cycle, cycle.outputs)
        seek:go > walk {'speed': 0.5}
    """

    def __init__(
        self,
        root: str,
        options: Mapping[str, BehaviorOption],
        basics: Mapping[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]],
    ) -> None:
        self.root, self.options, self.basics = root, dict(options), dict(basics)
        self._memory: dict[str, _Memory] = {}
        self._cycle = 0
        self._check()

    def step(self, inputs: Mapping[str, Any], now: float) -> OptionCycle:
        """Run one cycle.

        Args:
            inputs: Input symbols.
            now: Time [s].
        """
        self._cycle += 1
        path: list[tuple[int, str, str]] = []
        outputs: dict[str, Any] = {}
        self._execute(self.root, 0, inputs, now, path, outputs)
        return OptionCycle(path=tuple(path), outputs=outputs)

    def graph(self) -> tuple[tuple[str, str], ...]:
        """Return the edges of the option graph: who may activate whom."""
        edges = {
            (name, child)
            for name, option in self.options.items()
            for state in option.states.values()
            for child in state.children
        }
        return tuple(sorted(edges))

    def _execute(
        self,
        name: str,
        depth: int,
        inputs: Mapping[str, Any],
        now: float,
        path: list[tuple[int, str, str]],
        outputs: dict[str, Any],
    ) -> None:
        if name in self.basics:
            path.append((depth, name, ""))
            outputs.update(self.basics[name](inputs))
            return
        option = self.options[name]
        memory = self._memory.get(name)
        if memory is None or memory.cycle < self._cycle - 1:
            memory = _Memory(option.initial, now, now, self._cycle)
            self._memory[name] = memory
        done = any(self._is_done(c) for c in option.states[memory.state].children)
        memory.cycle = self._cycle
        symbols = Symbols(
            inputs=inputs,
            time_in_state=now - memory.entered,
            time_active=now - memory.active_since,
            children_done=done,
        )
        chosen = option.states[memory.state].decide(symbols)
        if chosen is not None and chosen != memory.state:
            if chosen not in option.states:
                raise NameNotFoundError(f"state of {name!r}", chosen, option.states)
            memory.state, memory.entered = chosen, now
        state = option.states[memory.state]
        path.append((depth, name, memory.state))
        outputs.update(state.outputs)
        for child in state.children:
            self._execute(child, depth + 1, inputs, now, path, outputs)

    def _is_done(self, child: str) -> bool:
        memory = self._memory.get(child)
        if memory is None or memory.cycle < self._cycle - 1:
            return False
        return self.options[child].states[memory.state].is_target

    def _check(self) -> None:
        known = [*self.options, *self.basics]
        if self.root not in self.options:
            raise NameNotFoundError("option", self.root, self.options)
        for name, option in self.options.items():
            if option.initial not in option.states:
                raise NameNotFoundError(
                    f"state of {name!r}", option.initial, option.states
                )
        for _, child in self.graph():
            if child not in known:
                raise NameNotFoundError("option or basic behaviour", child, known)
        self._refuse_circle(self.root, ())

    def _refuse_circle(self, name: str, above: Sequence[str]) -> None:
        if name in above:
            raise ConfigError(
                f"options activate each other: {' > '.join([*above, name])}"
            )
        for parent, child in self.graph():
            if parent == name and child in self.options:
                self._refuse_circle(child, [*above, name])
