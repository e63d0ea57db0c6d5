"""What ArmBot answers to a page: files checked, arms described, built and raced.

Requests and answers are plain data. The functions keep no state, may be called from any
thread, and bound their own time; whatever is wrong with a request raises `ConfigError`,
with its `field` where one is to blame.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, TypeAlias

from gelenk.runtime.scene import SceneService, SceneSpec

Answer: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]

_HOME = "gelenk.robots.armbot.workbench"


def _late(module: str, function: str) -> Answer:
    """Return a function whose module is imported when it is first called."""

    def answer(value: dict[str, Any]) -> dict[str, Any]:
        return getattr(importlib.import_module(f"{_HOME}.{module}"), function)(value)

    return answer


def _load(value: dict[str, Any]) -> SceneSpec:
    from gelenk.robots.armbot.showcase import scene_of_request

    return scene_of_request(value)


SERVICES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "armbot.load": SceneService(_load),
    "armbot.check": _late("check", "check"),
    "armbot.grammar": _late("words", "describe_words"),
    "armbot.arms": _late("arms", "describe_arms"),
    "armbot.forward": _late("arms", "forward"),
    "armbot.race": _late("race", "race"),
    "armbot.rows": _late("part_rows", "rows_of_arm"),
    "armbot.assemble": _late("rows", "assemble"),
}
