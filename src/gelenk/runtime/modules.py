"""Modules: small steps of one process, put into order by what they need of each other.

A process runs its modules one after the other in one tick. Each module says what it
requires (as new as it can be: its provider runs first), what it uses (as it was after
the cycle before) and what it provides. What modules of different processes tell each
other travels on the bus and arrives a tick later, so cycles between processes are
harmless; within a process a cycle of requirements has no order and is refused.
"""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from typing import Any, NamedTuple, Protocol, runtime_checkable

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.runtime.controller import PureController, View
from gelenk.runtime.messages import codec_for


@runtime_checkable
class Component(Protocol):
    """Anything that declares the topics it reads and writes.

    Attributes:
        name: Name in error messages and recordings.
        requires: Message types by the topics that it reads.
        provides: Message types by the topics that it writes.
    """

    @property
    def name(self) -> str: ...

    @property
    def requires(self) -> Mapping[str, type]: ...

    @property
    def provides(self) -> Mapping[str, type]: ...


def check_wiring(
    components: Iterable[Component], *, given: Mapping[str, type] | None = None
) -> dict[str, type]:
    """Return the message types by topic, in the order in which they are provided.

    Several components may provide one topic, all with the same type. A cycle of
    components is no mistake: messages arrive one tick later.

    Args:
        components: Components that send or receive.
        given: Topics that come from elsewhere, such as the sensors of the world.

    Raises:
        ConfigError: If a required topic has no provider, types differ, a type cannot
            travel, or two components share a name; every problem is listed.

    Example:
        >>> from gelenk.runtime import CameraImage, Module, check_wiring
        >>> idle = lambda state, inputs: (state, {})
        >>> eye = Module(name="eye", step=idle, provides={"image": CameraImage})
        >>> act = Module(name="act", step=idle, requires={"image": CameraImage})
        >>> list(check_wiring([act, eye]))
        ['image']
    """
    components = list(components)
    types: dict[str, type] = dict(given or {})
    providers: dict[str, str] = dict.fromkeys(types, "the surroundings")
    problems = _repeated_names(components)
    for component in components:
        for topic, message_type in component.provides.items():
            problems += _type_problem(component, topic, message_type)
            if types.setdefault(topic, message_type) is not message_type:
                problems.append(
                    f"{component.name!r} provides {topic!r} as "
                    f"{_name(message_type)}, but {providers[topic]!r} provides it as "
                    f"{_name(types[topic])}; use one type or two topics"
                )
            providers.setdefault(topic, component.name)
    for component in components:
        for topic, message_type in component.requires.items():
            if topic not in types:
                problems.append(_missing(component, topic, message_type, types))
            elif types[topic] is not message_type:
                problems.append(
                    f"{component.name!r} requires {topic!r} as {_name(message_type)}, "
                    f"but {providers[topic]!r} provides it as {_name(types[topic])}"
                )
    if problems:
        raise ConfigError("; ".join(problems))
    return types


def _name(message_type: object) -> str:
    return getattr(message_type, "__qualname__", repr(message_type))


def _repeated_names(components: list[Component]) -> list[str]:
    names = [component.name for component in components]
    repeated = sorted({name for name in names if names.count(name) > 1})
    return [f"two components are named {name!r}; rename one" for name in repeated]


def _type_problem(component: Component, topic: str, message_type: type) -> list[str]:
    try:
        codec_for(message_type)
    except ConfigError as error:
        return [f"{component.name!r} provides {topic!r}: {error}"]
    return []


def _missing(
    component: Component, topic: str, message_type: type, types: Mapping[str, type]
) -> str:
    text = f"{component.name!r} requires {topic!r}, which nothing provides"
    close = difflib.get_close_matches(topic, types, n=1, cutoff=0.5)
    same = [other for other, provided in types.items() if provided is message_type]
    if close:
        return f"{text}; did you mean {close[0]!r}?"
    if same:
        return f"{text}; {_name(message_type)} is provided as {', '.join(same)}"
    return f"{text}; add a provider of {_name(message_type)} or drop the requirement"


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """A step of a process.

    Attributes:
        name: Name in messages.
        step: Function `(state, inputs) -> (state, outputs)`, both by topic. It is
            called once all required messages are there; used ones may be None. It may
            provide nothing new.
        initial: State at each start.
        requires: Message types by the topics of this cycle that it needs.
        uses: Message types by the topics of the cycle before that it looks at.
        provides: Message types by the topics that it writes.

    Example:
        >>> from gelenk.runtime import CameraImage, Module
        >>> def count(state, inputs):
        ...     return state + 1, {}
        >>> eye = Module(
        ...     name="eye", step=count, initial=0, requires={"image": CameraImage}
        ... )
        >>> eye.step(eye.initial, {"image": None})
        (1, {})
    """

    name: str
    step: Callable[[Any, Mapping[str, Any]], tuple[Any, Mapping[str, Any]]]
    initial: Any = None
    requires: Mapping[str, type] = field(default_factory=dict)
    uses: Mapping[str, type] = field(default_factory=dict)
    provides: Mapping[str, type] = field(default_factory=dict)


class _Wired(NamedTuple):
    """A module as the check of the wiring sees it."""

    name: str
    requires: Mapping[str, type]
    provides: Mapping[str, type]


class ProcessState(NamedTuple):
    """Memory of a process.

    Attributes:
        states: States of the modules, in their order.
        board: Newest messages of its own modules by topic.
        number: Number of the last message that drove it, -1 for none.
    """

    states: tuple[Any, ...]
    board: Mapping[str, Any]
    number: int


class _Inputs(NamedTuple):
    """Messages of others to a process; `number` is that of the one that drives it."""

    messages: Mapping[str, Any]
    number: int | None


def order_modules(
    modules: Iterable[Module], *, given: Mapping[str, type] | None = None
) -> tuple[Module, ...]:
    """Return modules so that each runs after those that provide what it requires.

    Where there is a choice, they stay in the order in which they are given.

    Args:
        modules: The modules of one process.
        given: Message types by the topics that come from elsewhere.

    Raises:
        ConfigError: If topics have no or two providers, types differ, or modules
            require each other in a cycle.

    Example:
        >>> from gelenk.runtime import CameraImage, Module, order_modules
        >>> idle = lambda state, inputs: (state, {})
        >>> eye = Module(name="eye", step=idle, provides={"image": CameraImage})
        >>> act = Module(name="act", step=idle, requires={"image": CameraImage})
        >>> [module.name for module in order_modules([act, eye])]
        ['eye', 'act']
    """
    modules = list(modules)
    check_wiring(
        [_Wired(m.name, {**m.requires, **m.uses}, m.provides) for m in modules],
        given=given,
    )
    providers: dict[str, Module] = {}
    for module in modules:
        for topic in module.provides:
            other = providers.setdefault(topic, module)
            if other is not module:
                raise ConfigError(
                    f"{module.name!r} and {other.name!r} both provide {topic!r}; a "
                    "topic of a process has one provider, take one of them out"
                )
    place = {module.name: number for number, module in enumerate(modules)}
    needed = [
        {providers[t].name for t in m.requires if t in providers} for m in modules
    ]
    sorter = TopologicalSorter(
        {number: {place[name] for name in names} for number, names in enumerate(needed)}
    )
    try:
        sorter.prepare()
    except CycleError as error:
        cycle = [modules[number] for number in error.args[1]]
        raise ConfigError(_describe_cycle(cycle, providers)) from None
    ordered: list[Module] = []
    ready: list[int] = []
    while sorter.is_active():
        first, *ready = sorted([*ready, *sorter.get_ready()])
        ordered.append(modules[first])
        sorter.done(first)
    return tuple(ordered)


def _describe_cycle(cycle: Sequence[Module], providers: Mapping[str, Module]) -> str:
    """Return which modules require each other, of a cycle with its first one twice."""
    steps = [
        f"{module.name!r} requires {topic!r} of {before.name!r}"
        for before, module in itertools.pairwise(cycle)
        for topic in module.requires
        if providers.get(topic) is before
    ]
    return (
        f"modules require each other in a cycle: {', '.join(reversed(steps))}; let one "
        "of them use the message of the cycle before (`uses`)"
    )


def make_process(
    name: str,
    modules: Iterable[Module],
    *,
    given: Mapping[str, type] | None = None,
    period: float | None = None,
    rate: float | None = None,
    driver: str = "",
) -> PureController[tuple[Module, ...], ProcessState, _Inputs, Mapping[str, Any]]:
    """Return a controller that runs modules in order; all they provide is published.

    Args:
        name: Name in messages.
        modules: Modules of the process, in any order.
        given: Message types by the topics that come from elsewhere.
        period: Time between two cycles [s]; None: every control tick.
        rate: Cycles per second [1/s] in place of a period.
        driver: Topic whose messages drive it: a cycle runs only after a new one has
            come, such as an image.

    Raises:
        ConfigError: As `order_modules` does.
        NameNotFoundError: If the driver is no topic that comes from elsewhere.

    Example:
        >>> from gelenk.runtime import CameraImage, Module, make_process
        >>> def see(state, inputs):
        ...     return state + 1, {}
        >>> given = {"image": CameraImage}
        >>> eye = Module(name="eye", step=see, initial=0, requires=given)
        >>> vision = make_process("vision", [eye], given=given, driver="image")
        >>> list(vision.requires)
        ['image']
    """
    outside = dict(given or {})
    ordered = order_modules(modules, given=outside)
    if driver and driver not in outside:
        raise NameNotFoundError("topic from elsewhere", driver, outside)
    provides = {t: kind for m in ordered for t, kind in m.provides.items()}
    needed = {t for m in ordered for t in (*m.requires, *m.uses)} | {driver}
    requires = {t: k for t, k in outside.items() if t in needed and t not in provides}

    def observe(view: View) -> _Inputs:
        messages = {topic: view.bus.latest(topic) for topic in requires}
        if not driver:
            return _Inputs(messages, None)
        delivery = view.bus.latest_delivery(driver)
        return _Inputs(messages, -1 if delivery is None else delivery.number)

    def publish(view: View, outputs: Mapping[str, Any]) -> None:
        for topic, message in outputs.items():
            view.bus.publish(topic, message, sender=name)

    return PureController(
        name=name,
        step=_run_cycle,
        cfg=ordered,
        initial=ProcessState(tuple(m.initial for m in ordered), {}, -1),
        observe=observe,
        apply=publish,
        period=period,
        rate=rate,
        requires=requires,
        provides=provides,
    )


def _run_cycle(
    modules: tuple[Module, ...], state: ProcessState, inputs: _Inputs
) -> tuple[ProcessState, Mapping[str, Any]]:
    """Run all modules that have what they require, once."""
    number = state.number
    if inputs.number is not None:
        if inputs.number == number:
            return state, {}
        number = inputs.number
    before = {**inputs.messages, **state.board}
    now, outputs = dict(before), {}
    states: list[Any] = []
    for module, own in zip(modules, state.states, strict=True):
        seen = {topic: before.get(topic) for topic in module.uses}
        seen |= {topic: now.get(topic) for topic in module.requires}
        if any(seen[topic] is None for topic in module.requires):
            states.append(own)
            continue
        own, provided = module.step(own, seen)
        unknown = sorted(provided.keys() - module.provides.keys())
        if unknown:
            raise NameNotFoundError(
                f"topic provided by {module.name!r}", unknown[0], module.provides
            )
        states.append(own)
        now.update(provided)
        outputs.update(provided)
    board = {**state.board, **outputs}
    return ProcessState(tuple(states), board, number), outputs


def with_truth(
    modules: Iterable[Module],
    name: str,
    truth: Callable[[Mapping[str, Any]], Mapping[str, Any]],
    *,
    requires: Mapping[str, type] | None = None,
) -> tuple[Module, ...]:
    """Return modules with one of them replaced by what a simulator knows.

    The replacement provides the same topics, so nothing else has to change. For tests
    of what comes after it; a robot has no truth.

    Args:
        modules: Modules of one process.
        name: Name of the module to replace, such as vision or localisation.
        truth: Function from required messages to provided ones, both by topic.
        requires: Message types by the topics that the truth needs; None: none.

    Raises:
        NameNotFoundError: If there is no such module.

    Example:
        >>> eye = Module(name="eye", step=lambda s, i: (s, {"ball": 2.1}),
        ...              provides={"ball": float})
        >>> (perfect,) = with_truth([eye], "eye", lambda inputs: {"ball": 2.0})
        >>> perfect.step(None, {})[1], dict(perfect.provides)
        ({'ball': 2.0}, {'ball': <class 'float'>})
    """
    given = list(modules)
    names = [module.name for module in given]
    if name not in names:
        raise NameNotFoundError("module", name, names)

    def step(state: object, inputs: Mapping[str, Any]) -> tuple[Any, Mapping[str, Any]]:
        return state, truth(inputs)

    return tuple(
        Module(
            name=module.name,
            step=step,
            requires=dict(requires or {}),
            provides=module.provides,
        )
        if module.name == name
        else module
        for module in given
    )
