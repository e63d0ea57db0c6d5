"""The grammar of the environment file for an editor: what can be written, and why."""

from __future__ import annotations

from typing import Any

from gelenk.robots.armbot.config import MAX_ROBOTS
from gelenk.robots.armbot.environment import grammar
from gelenk.robots.armbot.environment.grammar import Directive, Param
from gelenk.robots.armbot.environment.values import describe
from gelenk.robots.armbot.workbench.arms import shipped_arms, shipped_grippers
from gelenk.robots.armbot.workbench.fields import check_fields


def describe_words(value: dict[str, Any]) -> dict[str, Any]:
    """Return keywords, signatures and help.

    Returns:
        `directives`: word, variant, usage, text, parameters, plans, ends, whether a
        robot's digit may follow; `plans`: word, usage, parameters; `choices`: other
        words that stand for themselves; `classes`: names that ship, by keyword.
    """
    check_fields(value, ())
    return {
        "directives": [_directive(item) for item in grammar.DIRECTIVES],
        "plans": [_plan(word, params) for word, params in grammar.PLANS.items()],
        "choices": [
            word for kind in ("state", "axis") for word in grammar.KINDS[kind].choices
        ],
        "classes": {
            "MANIPULATOR": [f"manipulators.{name}" for name in shipped_arms()],
            "GRIPPER": [f"grippers.{name}" for name in shipped_grippers()],
        },
        "num_robots": MAX_ROBOTS,
    }


def _directive(item: Directive) -> dict[str, Any]:
    return {
        "word": item.word,
        "variant": item.variant,
        "usage": item.usage,
        "text": item.text,
        "params": [_param(param) for param in item.params],
        "plans": list(item.plans),
        "ends": list(item.ends),
        "is_numbered": item.is_numbered,
    }


def _plan(word: str, params: tuple[Param, ...]) -> dict[str, Any]:
    names = " ".join(f"<{param.name}>" for param in params)
    points = " <x> <y> ..." if word == "POLY" else ""
    owners = ", ".join(d.word for d in grammar.DIRECTIVES if word in d.plans)
    return {
        "word": word,
        "usage": f"{word} {names}{points}",
        "text": f"ground plan of {owners}",
        "params": [_param(param) for param in params],
    }


def _param(param: Param) -> dict[str, Any]:
    return {
        "name": param.name,
        "text": describe(param.kind),
        "unit": param.kind.unit,
        "choices": list(param.kind.choices),
    }
