"""AN-01 to AN-03, AN-30, AN-31: what is only mathematics."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from experiments.amee.ccd import descend
from experiments.amee.plane import two_bones
from experiments.figures import ComparedFigure
from gelenk.robots.amee import config
from gelenk.robots.amee.kinematics import forward, inverse
from gelenk.robots.amee.timing import MOVE_POINT, with_interrupts
from gelenk.typing import FloatArray

BONE = 100.0  # length of both links of the thesis's comparison
_SPEEDS = "Core2 5.18 million/s against 0.25 million/s, Atom 1.15 against 0.059"


def line_targets() -> FloatArray:
    """Return the targets of the thesis: a line above the limb, most out of reach."""
    x = np.arange(-1000.0, 1000.0, 0.1)
    return np.column_stack([x, np.full(len(x), 100.0)])


def solver_speed(full: bool = False) -> list[ComparedFigure]:
    """AN-01: closed form against cyclic coordinate descent limited to five sweeps."""
    points = line_targets()
    runs = 5 if full else 3
    closed = _seconds(lambda: two_bones(points, BONE, BONE), 10, runs)
    descent = _seconds(lambda: descend(points, BONE, BONE), 1, runs)
    exact, reachable = two_bones(points, BONE, BONE)
    searched, _ = descend(points, BONE, BONE)

    def miss(angles: FloatArray) -> float:
        a, b = angles[:, 0], angles[:, 0] + angles[:, 1]
        tips = BONE * np.column_stack([np.cos(a) + np.cos(b), np.sin(a) + np.sin(b)])
        return float(np.linalg.norm(tips - points, axis=1)[reachable].max())

    rates = f"{len(points) / closed / 1e6:.1f} and {len(points) / descent / 1e6:.2f}"
    return [
        ComparedFigure(
            experiment="AN-01",
            quantity="closed form over descent, both compiled, times faster",
            value=descent / closed,
            thesis=f"19.4 to 23.4 ({_SPEEDS})",
            accepted=(20.0, math.inf) if full else (10.0, math.inf),
            note=f"{rates} million solutions per second on this machine, one core",
        ),
        ComparedFigure(
            experiment="AN-01",
            quantity="largest error of the closed form, links of 100",
            value=miss(exact),
            accepted=(0.0, 1e-10),
        ),
        ComparedFigure(
            experiment="AN-01",
            quantity="largest error of descent within five sweeps, links of 100",
            value=miss(searched),
        ),
    ]


def quadrants(full: bool = False) -> list[ComparedFigure]:
    """AN-01: the leg's own solution in all quadrants, forward against inverse."""
    rng = np.random.default_rng(1)
    count = 1_000_000 if full else 100_000
    points = rng.uniform((-0.6, -0.67, -0.6), (0.6, 0.44, 0.6), (count, 3))
    geometry = config.LegGeometry()
    found = inverse(points, geometry)
    reached = found.is_reachable
    back = forward(found.angles[reached], geometry)
    errors = np.linalg.norm(back - points[reached], axis=1)
    signs = points[reached] > 0.0
    octants = len(np.unique(signs @ (1, 2, 4)))
    return [
        ComparedFigure(
            experiment="AN-01",
            quantity="largest error of the leg's closed form, all octants",
            value=float(errors.max()),
            unit="m",
            accepted=(0.0, 1e-10),
            note=f"{len(errors)} reachable random points in {octants} octants",
        )
    ]


def constant_cost(full: bool = False) -> list[ComparedFigure]:
    """AN-02: the closed form costs the same wherever the target is."""
    rng = np.random.default_rng(2)
    near = rng.uniform((-0.1, -0.6), (0.1, -0.2), (20_000, 2))
    far = near * 5.0
    runs = 9 if full else 5

    def cost(points: FloatArray) -> float:
        return _seconds(lambda: two_bones(points, 0.28, 0.2725), 10, runs)

    ratio = cost(far) / cost(near)
    return [
        ComparedFigure(
            experiment="AN-02",
            quantity="cost of targets out of reach over that of targets within",
            value=ratio,
            thesis="0.85 ms on the leg's chip, whatever the target",
            accepted=(0.5, 2.0),
        )
    ]


def move_point_time(full: bool = False) -> list[ComparedFigure]:
    """AN-03: Move2Point on the leg's chip, without and with its interrupt."""
    del full
    return [
        ComparedFigure(
            experiment="AN-03",
            quantity="Move2Point, interrupt counted as printed",
            value=1e6 * with_interrupts(MOVE_POINT, literal=True),
            unit="us",
            thesis="895.44 (706.93 without)",
            accepted=(895.40, 895.50),
            note=f"{1e6 * with_interrupts(MOVE_POINT):.0f} us when interrupts within "
            "the stretch count, too",
        )
    ]


def masses(full: bool = False) -> list[ComparedFigure]:
    """AN-30: what the modelled robot weighs."""
    del full
    from gelenk.robots.amee.world import body_model

    model = body_model()
    leg = model.mass[model.link_id("shoulder_1") : model.link_id("shoulder_2")]
    return [
        _mass("robot", float(model.mass.sum()), config.ROBOT_MASS),
        _mass("leg", float(leg.sum()), sum(config.LINK_MASSES)),
    ]


def _mass(what: str, value: float, printed: float) -> ComparedFigure:
    return ComparedFigure(
        experiment="AN-30",
        quantity=f"mass of the {what}",
        value=value,
        unit="kg",
        thesis=f"{printed}",
        accepted=(printed - 1e-3, printed + 1e-3),
    )


def workspace(full: bool = False) -> list[ComparedFigure]:
    """AN-31: how far below and above the hip the sole gets, foot level."""
    rng = np.random.default_rng(3)
    cfg = config.LegCfg()
    lows, highs = np.array(cfg.limits).T
    angles = rng.uniform(lows, highs, (400_000 if full else 100_000, 4))
    # the ends of the range belong to it, and the straight leg is one of them
    angles[::2, 2] = lows[2]
    angles[:, 3] = np.pi + angles[:, 1] + angles[:, 2]  # foot parallel to the torso
    heights = forward(angles, cfg.geometry)[:, 1]
    return [
        ComparedFigure(
            experiment="AN-31",
            quantity=f"reach {side} the hip",
            value=1e3 * value,
            unit="mm",
            thesis=f"{printed}",
            accepted=(printed - 1.0, printed + 0.01),
        )
        for side, value, printed in (
            ("below", -float(heights.min()), 665),
            ("above", float(heights.max()), 440),
        )
    ]


def _seconds(call: Callable[[], Any], repeats: int, runs: int) -> float:
    """Return the processor time of one call, the best of some runs [s]."""
    call()
    best = math.inf
    for _ in range(runs):
        begin = time.process_time()
        for _ in range(repeats):
            call()
        best = min(best, (time.process_time() - begin) / repeats)
    return best


EXPERIMENTS: Mapping[str, tuple[Callable[[bool], list[ComparedFigure]], ...]] = (
    MappingProxyType(
        {
            "AN-01": (solver_speed, quadrants),
            "AN-02": (constant_cost,),
            "AN-03": (move_point_time,),
            "AN-30": (masses,),
            "AN-31": (workspace,),
        }
    )
)
