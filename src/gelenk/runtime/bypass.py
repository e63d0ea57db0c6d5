"""True values in place of a module: what would the rest do if it were perfect?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from gelenk.errors import NameNotFoundError
from gelenk.runtime.modules import Module


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
        modules: Of one process.
        name: Module to replace, such as vision or localisation.
        truth: Messages by topic, from what it requires.
        requires: What the truth needs; None: nothing.

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

    def step(state: Any, inputs: Mapping[str, Any]) -> tuple[Any, Mapping[str, Any]]:
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
