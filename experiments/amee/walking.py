"""AN-28, AN-32, AN-33: power, the usable step of pairs, straight and direct strokes.

The thesis estimated these for a robot that it did not have.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from experiments.figures import ComparedFigure
from gelenk.geometry.support_polygons import support_margin
from gelenk.robots.amee import config
from gelenk.robots.amee.coordinator.desk import Plan
from gelenk.robots.amee.gaits.posture import moved
from gelenk.robots.amee.gaits.profiles import gait_for, leg_for
from gelenk.robots.amee.gaits.pull import pull
from gelenk.robots.amee.gaits.walker import ALL, Walker
from gelenk.robots.amee.gaits.walking import begin
from gelenk.robots.amee.session import Session, WalkCfg, walk
from gelenk.robots.amee.terrain import TerrainCfg

_SHARE = 0.7  # T: of the largest step
_STROKE = 0.16  # [m], of AN-33


def power(full: bool = False) -> list[ComparedFigure]:
    """AN-28: what the drives take from the battery while it walks on flat ground."""
    distance = 2.0 if full else 0.2
    figures: list[ComparedFigure] = []
    for drive in ("thesis", "geared"):
        result = walk(WalkCfg(gait="save", distance=distance, drive=drive, seed=2))
        verdict = result.verdict
        figures.append(
            ComparedFigure(
                experiment="AN-28",
                quantity=f"mean power of all legs, Save Walk, {drive} drives",
                value=verdict.energy / verdict.time,
                unit="W",
                thesis="100, estimated; 90 to 120 in pulses of one leg",
                accepted=(10.0, 400.0),
                note=f"{verdict.distance:.2f} m in {verdict.time:.0f} s, "
                f"{result.cost:.0f} J/m, {result.state}",
            )
        )
    return figures


def pair_margin(step: float) -> float:
    """Return the least margin of a stroke on two diagonal feet [m], CoM amid hips.

    Args:
        step: Of the stroke [m]; the feet go from half of it ahead to half behind.
    """
    half_x, half_z = config.FOOT_HALF_SIZE
    pads = [(i * half_x, k * half_z) for i in (-1, 1) for k in (-1, 1)]
    worst = np.inf
    for along in np.linspace(-0.5, 0.5, 21) * step:
        corners = np.array(
            [
                (config.HIPS[leg][0] + along + x, config.HIPS[leg][1] + y)
                for leg in (0, 2)
                for x, y in pads
            ]
        )
        worst = min(worst, float(support_margin(corners, np.zeros(2))))
    return worst


def usable_step(full: bool = False) -> list[ComparedFigure]:
    """AN-32: the largest step of diagonal pairs, and what 70 % of it keep."""
    del full
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if pair_margin(middle) > 0.0 else (low, middle)
    (length, width), (a, b) = config.HIP_SPACING, config.FOOT_HALF_SIZE
    formula = 2.0 * (a + b * length / width)
    return [
        ComparedFigure(
            experiment="AN-32",
            quantity="largest step of diagonal pairs, found by trying",
            value=1e3 * low,
            unit="mm",
            accepted=(1e3 * formula - 1.0, 1e3 * formula + 1.0),
            note=f"{1e3 * formula:.0f} mm by formula",
        ),
        ComparedFigure(
            experiment="AN-32",
            quantity="margin that 70 % of it keep",
            value=1e3 * pair_margin(_SHARE * low),
            unit="mm",
            thesis="about 30 % are given up",
            accepted=(0.1, np.inf),
        ),
    ]


def strokes(full: bool = False) -> list[ComparedFigure]:
    """AN-33: one pull of all feet, along via points and directly."""
    del full
    straight, heave = _stroke(0.015)
    direct, bow = _stroke(1.0)
    return [
        ComparedFigure(
            experiment="AN-33",
            quantity="energy of a straight stroke over that of a direct one",
            value=straight / direct,
            thesis="no lower demand found",
            note=f"{straight:.0f} J and {direct:.0f} J for {1e3 * _STROKE:.0f} mm",
        ),
        ComparedFigure(
            experiment="AN-33",
            quantity="heave of the torso along via points",
            value=1e3 * heave,
            unit="mm",
            accepted=(0.0, 10.0),
            note=f"{1e3 * bow:.0f} mm directly",
        ),
    ]


def _stroke(spacing: float) -> tuple[float, float]:
    """Return energy [J] and heave [m] of one pull with via points so far apart [m]."""
    terrain = TerrainCfg()
    leg = leg_for(config.DRIVES["geared"], terrain).replace(min_step=spacing)
    cfg = WalkCfg(leg_cfg=leg, gait_cfg=gait_for("geared", terrain, "save"), seed=3)
    seen: dict[str, float] = {}

    def plan(walker: Walker) -> Plan:
        yield from begin(walker)
        views = walker.desk.legs
        for way in (-_STROKE / 2.0, _STROKE):
            seen["before"] = session.world.truth.verdict().energy
            heights.clear()
            yield from pull(
                walker.desk, {i: moved(views[i].foot, 0.0, -way) for i in ALL}
            )

    heights: list[float] = []
    session = Session(cfg, plan)
    try:
        result = session.run(
            lambda s: heights.append(float(s.world.world.pose("amee/torso")[2, 3]))
        )
        energy = result.verdict.energy - seen["before"]
        return energy, float(np.ptp(heights))
    finally:
        session.close()


EXPERIMENTS: Mapping[str, tuple[Callable[[bool], list[ComparedFigure]], ...]] = (
    MappingProxyType({"AN-28": (power,), "AN-32": (usable_step,), "AN-33": (strokes,)})
)
