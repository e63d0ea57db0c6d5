"""AN-20: a stick of round wood between thigh and shank of a leg that folds.

The stick bends like a beam on two edges and breaks at the strength of beech; it is met
where the gap is as wide as the stick, at the very end of the motion. The teeth of the
gear bend with it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from experiments.figures import ComparedFigure
from gelenk.robots.amee.config import PARK_ANGLES, LegCfg
from gelenk.robots.amee.drives import TOOTH_STIFFNESS
from gelenk.robots.amee.leg import Bench, BenchCfg
from gelenk.robots.amee.wire import Command, Message, Report

STRENGTH = 100e6  # [Pa], A: bending strength of beech
MODULUS = 14e9  # [Pa], A
SPAN = 0.040  # [m], A: between the edges of the U-profile
LEVER = 0.175  # [m], A: from the knee's axis
_KNEE = 2
_BEGIN = (0.0, math.radians(-150.0), math.radians(130.0), math.radians(40.0))


@dataclass(frozen=True, slots=True, kw_only=True)
class Clamped:
    """What became of a stick.

    Attributes:
        is_broken: Whether it broke.
        reactions: How often the leg felt it and backed off.
        is_parked: Whether the leg arrived.
    """

    is_broken: bool
    reactions: int
    is_parked: bool


def breaking_force(diameter: float) -> float:
    """Return the force that breaks a round beam amid its span [N]; diameter [m]."""
    return math.pi * STRENGTH * diameter**3 / (8.0 * SPAN)


def stiffness(diameter: float) -> float:
    """Return the force per deflection amid its span [N/m]; diameter [m]."""
    return 48.0 * MODULUS * (math.pi * diameter**4 / 64.0) / SPAN**3


def clamp(diameter: float, seed: int = 0) -> Clamped:
    """Fold a leg to park position with a stick of a diameter [m] in its knee."""
    closed = PARK_ANGLES[_KNEE] - diameter / LEVER
    stick = stiffness(diameter) * LEVER**2
    bending = 1.0 / (1.0 / stick + 1.0 / TOOTH_STIFFNESS)
    state = {"broken": False}

    def load(actor: int, q: float, qd: float, t: float) -> float:
        if actor != _KNEE or state["broken"] or q <= closed:
            return 0.0
        torque = bending * (q - closed)
        if torque > breaking_force(diameter) * LEVER:
            state["broken"] = True
            return 0.0
        return -torque

    bench = Bench(LegCfg(), BenchCfg(angles=_BEGIN, seed=seed), load=load)
    bench.run(0.1)
    bench.command(Command.MOVE_ANGLE, *PARK_ANGLES)
    ends = (Report.READY, Report.COLLISION, Report.ERROR)
    bench.run(30.0, lambda: any(m.report in ends for _, m in bench.messages))
    return Clamped(
        is_broken=state["broken"],
        reactions=sum("collision" in text for _, text in bench.computer.journal),
        is_parked=any(m == Message(Report.READY) for _, m in bench.messages),
    )


def sticks(full: bool = False) -> list[ComparedFigure]:
    """AN-20: which sticks break unnoticed, and which are let go."""
    seeds = range(5 if full else 1)
    sizes = (2, 3, 4, 5, 6, 8)
    found = {d: [clamp(d / 1e3, seed) for seed in seeds] for d in sizes}
    unnoticed = [
        d for d in sizes if all(c.is_broken and not c.reactions for c in found[d])
    ]
    released = [
        d for d in sizes if all(c.reactions and not c.is_broken for c in found[d])
    ]
    return [
        ComparedFigure(
            experiment="AN-20",
            quantity="thickest stick that breaks without a reaction",
            value=float(max(unnoticed, default=np.nan)),
            unit="mm",
            thesis="4",
            accepted=(4.0, 4.0),
            note=f"needs {breaking_force(0.004) * LEVER:.0f} N m at the knee",
        ),
        ComparedFigure(
            experiment="AN-20",
            quantity="thinnest stick that is let go after repeats",
            value=float(min(released, default=np.nan)),
            unit="mm",
            thesis="about 5",
            accepted=(5.0, 6.0),
            note=f"5 mm break at {breaking_force(0.005) * LEVER:.0f} N m: "
            + ("after" if all(c.reactions for c in found[5]) else "without")
            + " a reaction",
        ),
    ]


EXPERIMENTS: Mapping[str, tuple[Callable[[bool], list[ComparedFigure]], ...]] = (
    MappingProxyType({"AN-20": (sticks,)})
)
