"""Who provides which message and who needs it: checked before the first step."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Protocol, runtime_checkable

from gelenk.errors import ConfigError
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

    Several components may provide one topic, all with the same type. A circle of
    components is no mistake: messages arrive one tick later.

    Args:
        components: Everything that sends or receives.
        given: Topics that come from elsewhere, such as the sensors of the world.

    Raises:
        ConfigError: If a required topic has no provider, types differ, a type cannot
            travel, or two components share a name; every problem is listed.
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
