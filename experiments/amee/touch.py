"""AN-21 to AN-23: ground under the toes, in six cases, and a sharp object.

On the stand without a body: toes feel where the ground is, it does not push back.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from experiments.figures import ComparedFigure
from gelenk.robots.amee.config import TOE_CENTRE, TOES_ALL, LegCfg, TouchCfg
from gelenk.robots.amee.kinematics import foot_pitch
from gelenk.robots.amee.leg import Bench, BenchCfg
from gelenk.robots.amee.leg.logic.touch import Touch
from gelenk.robots.amee.wire import Command, ErrorCode, Message, Report

Ground = Callable[[float, float, float], float]
_X, _TOP = 0.03, -0.60  # [m], where the foot is put down
_NONE = -2.0  # [m], no ground in reach
_ENDS = (Report.READY, Report.ERROR, Report.COLLISION, Report.OUT_OF_RANGE)
_SPIKE = 0.02  # [m], feet whose centre is farther ahead stand on it


@dataclass(frozen=True, slots=True, kw_only=True)
class Footing:
    """How a foot was put down.

    Attributes:
        last: What the leg said in the end; None: nothing.
        found: Whether it said that it stands.
        tilted: Whether it tilted on the way.
        retried: Whether it tried elsewhere before.
        toes: Contacts that are closed in the end.
        pitch: Of the true foot, positive with the toes up [rad].
        place: Of the true sole's centre [m].
    """

    last: Message | None
    found: bool
    tilted: bool
    retried: bool
    toes: int
    pitch: float
    place: tuple[float, float, float]

    @property
    def is_safe(self) -> bool:
        """Whether it stands on three toes or more, and says so."""
        return self.found and self.toes.bit_count() >= 3

    @property
    def gave_up(self) -> bool:
        """Whether it reported that there is no foothold."""
        return self.last is not None and self.last.report == Report.ERROR


class SpikedBench(Bench):
    """A stand with a spike that only the middle of the foot meets."""

    def read_toes(self) -> int:
        """Return closed contacts; the middle's is used only if the leg has it."""
        return super().read_toes() | (TOE_CENTRE if self._is_on_spike() else 0)

    def _is_on_spike(self) -> bool:
        x, y, _ = self.foot()
        return x > _SPIKE and y < _TOP + 0.02


def put_down(bench: Bench, x: float = _X) -> Footing:
    """Let a leg put its foot down at a place ahead of its hip [m]."""
    states: set[Touch] = set()
    bench.run(0.1)
    bench.command(Command.MOVE_POINT, x, -0.52, 0.0)
    bench.run_until(Report.READY, 10.0)
    bench.command(Command.MOVE_POINT_TOUCH, x, _TOP - 0.02, 0.0)
    before = len(bench.messages)

    def is_over() -> bool:
        states.add(bench.computer.touch.state)
        return any(m.report in _ENDS for _, m in bench.messages[before:])

    bench.run(40.0, is_over)
    said = [message for _, message in bench.messages[before:]]
    kinds = [message.report for message in said]
    return Footing(
        last=said[-1] if said else None,
        found=Report.FOUND in kinds and kinds[-1] == Report.READY,
        tilted=Touch.UNSAFE_MOVE in states,
        retried=bool(states & {Touch.FAIL, Touch.SEARCHING}),
        toes=bench.read_toes() & TOES_ALL,
        pitch=float(foot_pitch(bench.q)),
        place=bench.foot(),
    )


def _stand(ground: Ground, seed: int) -> Bench:
    return Bench(LegCfg(), BenchCfg(seed=seed), ground=ground)


def _case_1(x: float, z: float, t: float) -> float:
    return _TOP if x < _X + 0.03 or z > 0.0 else _NONE


def _case_2(x: float, z: float, t: float) -> float:
    if x < _X + 0.02:
        return _TOP
    return _TOP - 0.02 if z > 0.0 else _NONE


def _case_3(x: float, z: float, t: float) -> float:
    return _TOP if x > _X + 0.02 and z > 0.03 else _NONE


def _case_4(x: float, z: float, t: float) -> float:
    return _TOP + 0.20 * x


def _case_5(x: float, z: float, t: float) -> float:
    return _TOP if z < 0.0 else _NONE


def _case_6(x: float, z: float, t: float) -> float:
    return _TOP - 0.25 * x


_CASES: tuple[tuple[str, Ground, Callable[[Footing], bool], str], ...] = (
    (
        "three supports at once: stands at the first attempt",
        _case_1,
        lambda f: f.is_safe and not f.retried,
        "ends without correction",
    ),
    (
        "front lower on one side: tilts forward to a third contact",
        _case_2,
        lambda f: f.is_safe and f.tilted and f.pitch < -0.02,
        "found",
    ),
    ("one contact only, on a stone", _case_3, lambda f: f.gave_up, "aborted"),
    (
        "rising ground: tilts back",
        _case_4,
        lambda f: f.tilted and f.pitch > 0.02 and f.is_safe and f.toes == TOES_ALL,
        "found, four contacts",
    ),
    ("right side only", _case_5, lambda f: f.gave_up, "no safe stand"),
    (
        "slope of 25 %: foot turns forward",
        _case_6,
        lambda f: f.is_safe and f.pitch < -0.05,
        "found, four contacts",
    ),
)


def six_cases(full: bool = False) -> list[ComparedFigure]:
    """AN-22: the terrain tests of the thesis."""
    figures: list[ComparedFigure] = []
    for number, (words, ground, is_right, thesis) in enumerate(_CASES, start=1):
        seeds = range(20 if full else 1)
        outcomes = [put_down(_stand(ground, seed)) for seed in seeds]
        figures.append(
            ComparedFigure(
                experiment="AN-22",
                quantity=f"case {number}, {words}",
                value=float(np.mean([is_right(footing) for footing in outcomes])),
                thesis=thesis,
                accepted=(1.0, 1.0),
                note=f"ends with {_words(outcomes[0])}, foot turned by "
                f"{math.degrees(outcomes[0].pitch):.0f} deg, "
                f"{outcomes[0].toes.bit_count()} toes down",
            )
        )
    return figures


def flat_and_tilted(full: bool = False) -> list[ComparedFigure]:
    """AN-21: ground that leans by up to 10 % sideways and 20 % fore and aft."""
    count = 200 if full else 10
    rng = np.random.default_rng(21)
    stood = 0
    for seed in range(count):
        height = _TOP + float(rng.uniform(-0.02, 0.02))
        aside, ahead = float(rng.uniform(-0.1, 0.1)), float(rng.uniform(-0.2, 0.2))

        def ground(
            x: float,
            z: float,
            t: float,
            height: float = height,
            ahead: float = ahead,
            aside: float = aside,
        ) -> float:
            return height + ahead * (x - _X) + aside * z

        stood += put_down(_stand(ground, seed)).is_safe
    return [
        ComparedFigure(
            experiment="AN-21",
            quantity="ground found on plates that lean",
            value=stood / count,
            thesis="reliable",
            accepted=(0.99, 1.0),
            note=f"{count} plates",
        )
    ]


def sharp_object(full: bool = False) -> list[ComparedFigure]:
    """AN-23: a spike under the middle of the foot, without and with the option."""
    seeds = range(10 if full else 1)

    def step_on(touch: TouchCfg, seed: int) -> Footing:
        # beside the spike there is ground, around it none in reach of the toes
        bench = SpikedBench(LegCfg(touch=touch), BenchCfg(seed=seed))
        bench._ground = lambda x, z, t: _TOP if bench.foot()[0] <= _SPIKE else _NONE
        return put_down(bench, 0.06)

    off = [step_on(TouchCfg(), seed) for seed in seeds]
    on = [step_on(TouchCfg(centre_sensing="contact"), seed) for seed in seeds]
    deepest = max(footing.place[1] for footing in off)
    return [
        ComparedFigure(
            experiment="AN-23",
            quantity="feet that stand, sensors of the thesis",
            value=float(np.mean([footing.is_safe for footing in off])),
            thesis="not detected, leg stretches to its full length",
            accepted=(0.0, 0.0),
            note=f"ends with {_words(off[0])}, sole {-1e3 * deepest:.0f} mm below hip",
        ),
        ComparedFigure(
            experiment="AN-23",
            quantity="feet that stand beside it, contact amid the foot",
            value=float(np.mean([footing.is_safe for footing in on])),
            thesis="proposed",
            accepted=(1.0, 1.0),
            note=f"foot at x = {1e3 * on[0].place[0]:.0f} mm",
        ),
    ]


def _words(footing: Footing) -> str:
    last = footing.last
    if last is None:
        return "no report"
    if last.report == Report.ERROR:
        return f"Error {ErrorCode(int(last.values[0]) & 0x0F).name}"
    return last.report.name


EXPERIMENTS: Mapping[str, tuple[Callable[[bool], list[ComparedFigure]], ...]] = (
    MappingProxyType(
        {"AN-21": (flat_and_tilted,), "AN-22": (six_cases,), "AN-23": (sharp_object,)}
    )
)
