"""AN-19, AN-20: what the foot of a swinging leg runs into, and what only seems so."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from experiments.amee.stand import LegStand, world_point
from experiments.figures import ComparedFigure
from gelenk.robots.amee.config import LegCfg, TorqueCfg
from gelenk.robots.amee.wire import Command, Message, Report
from gelenk.sim import Box, Cuboid
from gelenk.sim.world import Addable

# A leg in the air, tuned to what the thesis measured; contacts do not explain a rise,
# because an object in the way may press toes, too.
SWING = TorqueCfg(
    threshold=4.5, max_rise=3.0, ground_mutes_rise=False, ground_overload_time=0.0
)
_HEIGHT = -0.5  # [m], of the foot
_BEGIN, _END = -0.12, 0.25  # [m], of its way
_FRONT = 0.17  # [m], where the object begins: the foot is fast there
_TABLE = -0.62  # [m], on which it stands
_SIZE = (0.12, 0.20, 0.35)  # [m]
_FRICTION = 0.6  # A


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """What came of a collision.

    Attributes:
        felt_after: From the first touch to the reflex [s]; NaN: never felt.
        tries: How often the leg ran into it and felt it.
        is_removed: Whether the foot arrived in the end.
        moved: How far the object was pushed [m].
    """

    felt_after: float
    tries: int
    is_removed: bool
    moved: float


def _obstacle(mass: float) -> tuple[Addable, ...]:
    middle = (_FRONT + 0.5 * _SIZE[0], _TABLE + 0.5 * _SIZE[2], 0.0)
    return (
        Box(
            name="table",
            size=(0.6, 0.4, 0.04),
            position=world_point((_FRONT + 0.3, _TABLE - 0.02, 0.0)),
            friction=_FRICTION,
        ),
        Cuboid(
            name="block",
            size=_SIZE,
            mass=mass,
            position=world_point(middle),
            friction=_FRICTION,
        ),
    )


def run_into(mass: float, *, torque: TorqueCfg = SWING, seed: int = 0) -> Hit:
    """Let a leg swing into a block of a mass [kg] that stands on a table."""
    touched, felt = [math.nan], [math.nan]
    cfg = LegCfg(torque=torque)
    with LegStand(cfg, extras=_obstacle(mass), seed=seed) as stand:
        stand.drive(Command.MOVE_POINT, _BEGIN, _HEIGHT, 0.0)
        world = stand.world.world

        def watch() -> None:
            if math.isnan(touched[0]) and any(
                "block" in contact.bodies and "table" not in contact.bodies
                for contact in world.contacts()
            ):
                touched[0] = stand.now
            if math.isnan(felt[0]) and _collisions(stand):
                felt[0] = stand.now

        before = float(world.pose("block")[0, 3])
        said = stand.drive(Command.MOVE_POINT, _END, _HEIGHT, 0.0, watch=watch)
        return Hit(
            felt_after=felt[0] - touched[0],
            tries=_collisions(stand),
            is_removed=said[-1:] == [Message(Report.READY)],
            moved=float(world.pose("block")[0, 3]) - before,
        )


def _collisions(stand: LegStand) -> int:
    return sum("collision" in text for _, text in stand.computer.journal)


def masses(full: bool = False) -> list[ComparedFigure]:
    """AN-19: from which mass on a collision is felt, and what is pushed away."""
    seeds = range(5) if full else range(1)
    light = [run_into(1.0, seed=seed) for seed in seeds]
    rigid = (3.0, 5.0, 8.0, 100.0) if full else (3.0, 5.0, 100.0)
    heavy = [run_into(mass, seed=seed) for mass in rigid for seed in seeds]
    walls = [run_into(100.0, seed=seed) for seed in seeds]
    three = [run_into(3.0, seed=seed) for seed in seeds]
    # whole ticks: what is left is the rounding of their sum
    delays = [round(hit.felt_after, 6) for hit in heavy]
    return [
        ComparedFigure(
            experiment="AN-19",
            quantity="collisions felt, objects from 3 kg",
            value=float(np.mean([hit.tries > 0 for hit in heavy])),
            thesis="reliable from about 3 kg",
            accepted=(1.0, 1.0),
            note=f"{len(heavy)} swings, thresholds of a leg in the air",
        ),
        ComparedFigure(
            experiment="AN-19",
            quantity="from first touch to reflex, longest",
            value=1e3 * float(np.max(delays)),
            unit="ms",
            accepted=(0.0, 20.0),
            note=f"{1e3 * float(np.median(delays)):.0f} ms in the mean",
        ),
        ComparedFigure(
            experiment="AN-19",
            quantity="objects of 3 kg removed, repeats included",
            value=float(np.mean([hit.is_removed for hit in three])),
            thesis="up to about 5 kg",
            accepted=(1.0, 1.0) if not full else (0.5, 1.0),
        ),
        ComparedFigure(
            experiment="AN-19",
            quantity="objects of 1 kg pushed aside without a reaction",
            value=float(np.mean([h.is_removed and not h.tries for h in light])),
            thesis="trifles are ignored",
            accepted=(1.0, 1.0),
        ),
        ComparedFigure(
            experiment="AN-19",
            quantity="attempts at an object that does not yield",
            value=float(np.mean([hit.tries for hit in walls])),
            thesis="three repeats",
            accepted=(4.0, 4.0),
        ),
    ]


def false_alarms(full: bool = False) -> list[ComparedFigure]:
    """AN-19: collisions felt by a leg that swings freely."""
    minutes = 10.0 if full else 0.5
    rng = np.random.default_rng(19)
    alarms = 0
    with LegStand(LegCfg(torque=SWING), seed=19) as stand:
        while stand.now < 60.0 * minutes:
            x, y, z = rng.uniform((-0.15, -0.62, -0.08), (0.2, -0.42, 0.08)).tolist()
            before = _collisions(stand)
            stand.drive(Command.MOVE_POINT, x, y, z)
            alarms += _collisions(stand) > before
            stand.computer.journal.clear()
    return [
        ComparedFigure(
            experiment="AN-19",
            quantity="false alarms in ten minutes of swinging",
            value=alarms * 10.0 / minutes,
            accepted=(0.0, 1.0),
            note=f"{minutes:g} min simulated",
        )
    ]


def walking_settings(full: bool = False) -> list[ComparedFigure]:
    """AN-19: the same with the thresholds of walking."""
    del full
    hits = [run_into(mass, torque=TorqueCfg()) for mass in (3.0, 100.0)]
    return [
        ComparedFigure(
            experiment="AN-19",
            quantity="collisions felt with the thresholds of a walking leg",
            value=float(np.mean([hit.tries > 0 or not hit.is_removed for hit in hits])),
            note="ground mutes a rise of torque only where the leg stands or feels "
            "for it",
        )
    ]


EXPERIMENTS: Mapping[str, tuple[Callable[[bool], list[ComparedFigure]], ...]] = (
    MappingProxyType({"AN-19": (masses, false_alarms, walking_settings)})
)
