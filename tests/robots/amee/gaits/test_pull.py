"""Pulls with simulated legs that answer sooner or later, or not at all."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from gelenk.robots.amee.config import LegCfg
from gelenk.robots.amee.coordinator.desk import Desk, TroubleError
from gelenk.robots.amee.gaits.pull import BEGIN_LIMIT, VIA_LIMIT, pull
from gelenk.robots.amee.leg.logic.line import num_line_points
from gelenk.robots.amee.wire import Command, Message, Report

Point = tuple[float, float, float]
BEGIN = (0.05, -0.6, 0.0)
TICK = 0.002


class Partners:
    """Legs that only know how to follow a line, each with its own delay."""

    def __init__(self, desk: Desk, delays: Sequence[float], spread: float) -> None:
        self.desk, self.delays, self.spread = desk, delays, spread
        self.rng = np.random.default_rng(7)
        self.due: list[tuple[float, int]] = []
        self.left = [0] * 4
        self.done = [0] * 4
        self.ends = [0.0] * 4
        self.lead: list[float] = []
        self.deaf: tuple[int, ...] = ()
        self.lost = 0

    def run(self, ends: dict[int, Point]) -> None:
        plan = pull(self.desk, ends)
        for _ in range(20_000):
            self.desk.now += TICK
            for time, leg in [item for item in self.due if item[0] <= self.desk.now]:
                self.due.remove((time, leg))
                self._arrive(leg)
            self.desk.outbox = []
            try:
                next(plan)
            except StopIteration:
                return
            for leg, request in self.desk.outbox:
                self._hear(leg, request.command, request.values)
        pytest.fail("the pull never ended")

    def _hear(self, leg: int, command: Command, values: tuple[float, ...]) -> None:
        if command == Command.NEXT and self.lost > 0 and self.done[leg] == 2:
            self.lost -= 1
            return
        if leg in self.deaf and command == Command.NEXT:
            return
        if command == Command.LINE:
            begin, end = values[:3], values[3:]
            step = self.desk.leg_cfg.min_step
            self.left[leg] = num_line_points(begin, end, step)  # type: ignore[arg-type]
        wobble = 1.0 + self.spread * self.rng.uniform(-1.0, 1.0)
        self.due.append((self.desk.now + self.delays[leg] * wobble, leg))
        if command == Command.NEXT:
            self.done[leg] += 1

    def _arrive(self, leg: int) -> None:
        ready = self.left[leg] > 0 and self.done[leg] == self.left[leg]
        self.desk.receive(leg, Message(Report.READY if ready else Report.SYNC))
        self.ends[leg] = self.desk.now
        shares = [d / n for d, n in zip(self.done, self.left, strict=True) if n]
        self.lead.append(max(shares) - min(shares))


def make_desk() -> Desk:
    return Desk(LegCfg(), [BEGIN] * 4)


@pytest.mark.capability("QW-97")
@pytest.mark.capability("QW-99")
def test_the_slowest_leg_sets_the_pace_and_all_end_together() -> None:
    desk = make_desk()
    partners = Partners(desk, (0.02, 0.02, 0.05, 0.03), spread=0.1)
    partners.run(dict.fromkeys(range(4), (-0.05, -0.6, 0.0)))
    vias = partners.left[2]
    assert partners.done == [vias] * 4
    assert max(partners.lead) <= 1.0 / vias + 1e-9  # never more than a via point ahead
    assert desk.now == pytest.approx(0.05 * (vias + 1), rel=0.15)
    assert max(partners.ends) - min(partners.ends) < 0.05
    assert [view.foot for view in desk.legs] == [(-0.05, -0.6, 0.0)] * 4


@pytest.mark.capability("QW-98")
def test_in_a_curve_the_outer_legs_get_more_releases() -> None:
    desk = make_desk()
    partners = Partners(desk, (0.02,) * 4, spread=0.0)
    inner, outer = (0.0, -0.6, 0.0), (-0.05, -0.6, 0.0)
    partners.run({0: outer, 1: inner, 2: inner, 3: outer})
    assert partners.done[0] == 2 * partners.done[1]
    assert max(partners.lead) <= 1.0 / partners.done[1] + 1e-9
    assert desk.legs[1].foot == inner


def test_a_lost_release_is_given_once_more_and_written_down() -> None:
    desk = make_desk()
    partners = Partners(desk, (0.02,) * 4, spread=0.0)
    partners.lost = 1
    partners.run(dict.fromkeys(range(4), (-0.05, -0.6, 0.0)))
    assert any("released again" in entry.text for entry in desk.journal.entries)


def test_a_leg_that_stays_silent_is_named() -> None:
    desk = make_desk()
    partners = Partners(desk, (0.02,) * 4, spread=0.0)
    partners.deaf = (2,)
    with pytest.raises(TroubleError) as caught:
        partners.run(dict.fromkeys(range(4), (-0.05, -0.6, 0.0)))
    assert (caught.value.leg, caught.value.message) == (2, None)
    assert desk.now == pytest.approx(2 * VIA_LIMIT, abs=0.1)


@pytest.mark.capability("QW-130")
def test_a_collision_of_one_leg_leaves_the_others_waiting() -> None:
    desk = make_desk()
    partners = Partners(desk, (0.02,) * 4, spread=0.0)
    partners.deaf = (1,)
    desk.legs[1].inbox.clear()
    plan_ends = dict.fromkeys(range(4), (-0.05, -0.6, 0.0))
    hit = Message(Report.COLLISION, (2.0,))
    original = partners._hear

    def hear(leg: int, command: Command, values: tuple[float, ...]) -> None:
        original(leg, command, values)
        if leg == 1 and command == Command.NEXT:
            desk.receive(1, hit)

    partners._hear = hear  # type: ignore[method-assign]
    with pytest.raises(TroubleError) as caught:
        partners.run(plan_ends)
    assert caught.value.message == hit
    assert [partners.done[leg] for leg in (0, 2, 3)] == [1, 1, 1]


def test_a_leg_that_does_not_begin_its_line_is_stopped_before_it_is_told_again() -> (
    None
):
    desk = Desk(LegCfg(min_step=0.015), [BEGIN] * 4)
    silent, said = 1, list[tuple[int, Command]]()
    for _ in pull(desk, dict.fromkeys(range(4), (0.08, -0.6, 0.0))):
        orders, desk.outbox = desk.outbox, []
        for leg, request in orders:
            said.append((leg, request.command))
            is_first = said.count((leg, Command.LINE)) < 2
            if request.command != Command.STOP and not (leg == silent and is_first):
                desk.receive(leg, Message(Report.SYNC))
        desk.now += TICK
        if desk.now > 2.0 * BEGIN_LIMIT:
            break
    to_silent = [command for leg, command in said if leg == silent]
    # in one loop: a line that waits behind another one would lead back to its begin
    assert to_silent == [Command.LINE, Command.STOP, Command.LINE, *[Command.NEXT] * 2]
    assert all(command != Command.STOP for leg, command in said if leg != silent)
    assert desk.legs[silent].foot == (0.08, -0.6, 0.0)
