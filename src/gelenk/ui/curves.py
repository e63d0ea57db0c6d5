"""The curves of a scene: what its world measures, and what its exhibit adds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from gelenk.sim.signals import Signal
from gelenk.ui.messages import Curve


class Curves(NamedTuple):
    """Names of curves with units, and where they belong, in the same order."""

    names: tuple[str, ...]
    places: tuple[Curve, ...]


def list_curves(gauges: Sequence[Signal], others: Sequence[Any] = ()) -> Curves:
    """Return all curves of a scene.

    Args:
        gauges: Of its world.
        others: Curves of its exhibit, which have a name and a unit.
    """
    names = [gauge.name for gauge in gauges]
    places = [
        Curve(robot=gauge.robot, part=gauge.part, kind=gauge.kind, unit=gauge.unit)
        for gauge in gauges
    ]
    for other in others:
        names.append(f"{other.name} [{other.unit}]")
        places.append(Curve(robot="", part="", kind=other.name, unit=other.unit))
    return Curves(tuple(names), tuple(places))
