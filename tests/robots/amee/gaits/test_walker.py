"""How the torso is levelled on stones: who gives in, and how far."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from gelenk.robots.amee.config import HIPS, LegCfg
from gelenk.robots.amee.coordinator.balance import Point
from gelenk.robots.amee.coordinator.desk import Desk, Plan, UnsafeError
from gelenk.robots.amee.gaits.config import GaitCfg
from gelenk.robots.amee.gaits.footing import (
    LEAST_DRAWN,
    MAX_BLIND,
    height_changes,
    props,
)
from gelenk.robots.amee.gaits.free_gait import FreeStep
from gelenk.robots.amee.gaits.free_walk import RETURNS, _go, free_step
from gelenk.robots.amee.gaits.walker import Walker
from gelenk.robots.amee.wire import Command, Message, Report

HEIGHT = 0.57
LEFT = (1, 2)
WIDTH = 2.0 * HIPS[1][1]  # [m], between legs


class Obedient(Walker):
    """A walker whose feet go where they shall, and whose torso stays as it is."""

    def carry(self, ends: Mapping[int, Point]) -> Plan:
        for leg, end in ends.items():
            self.desk.legs[leg].foot = end
        yield


class Follows(Obedient):
    """A walker whose torso comes down on the side where feet are drawn up.

    Attributes:
        readiness: What it does of what its feet would have it do; they all bear.
    """

    readiness = 0.5

    def carry(self, ends: Mapping[int, Point]) -> Plan:
        feet = [view.foot for view in self.desk.legs]
        up = [ends.get(leg, foot)[1] - foot[1] for leg, foot in enumerate(feet)]
        lower = 0.5 * (up[1] + up[2] - up[0] - up[3]) / WIDTH
        x, y, z = self.desk.attitude.up
        self.desk.attitude.up = (x, y - self.readiness * lower, z)
        yield from super().carry(ends)


def make_walker(roll: float, kind: type[Obedient] = Obedient) -> Obedient:
    """Return who walks with a torso whose left side is up [rad]."""
    desk = Desk(LegCfg(), [(0.0, -HEIGHT, 0.0)] * 4)
    lean(desk, roll)
    for view in desk.legs:
        view.toes = 0b1111
    return kind(
        desk, replace(GaitCfg(), height=HEIGHT, plans_steps=True, follow_slope=0.0)
    )


def lean(desk: Desk, roll: float) -> None:
    """Let the left side of the torso be up [rad]."""
    desk.attitude.up = (0.0, math.sin(roll), math.cos(roll))


def level(walker: Walker, times: int) -> list[float]:
    """Return how far feet have gone up after some levellings of 6 degrees [m]."""
    for _ in range(times):
        lean(walker.desk, math.radians(6.0))
        for _ in walker.level_out():
            pass
    return [view.foot[1] + HEIGHT for view in walker.desk.legs]


def test_a_foot_that_hovers_is_not_drawn_up_as_the_torso_does_not_follow() -> None:
    walker = make_walker(math.radians(6.0))
    walker.desk.legs[1].toes = 0
    up = level(walker, 2)
    assert abs(up[1]) < LEAST_DRAWN
    assert up[2] > 0.03  # feels ground, and may yet lower the torso


def test_a_foot_is_not_put_back_while_the_torso_leans_away_from_it() -> None:
    walker = make_walker(math.radians(6.0), Follows)
    assert isinstance(walker, Follows)
    walker.readiness = -0.5  # legs of the other side give way
    walker.desk.legs[1].toes = 0
    assert level(walker, 1)[1] > 0.02


def test_a_foot_that_feels_nothing_is_drawn_up_by_60_mm_and_no_farther() -> None:
    walker = make_walker(math.radians(6.0), Follows)
    walker.desk.legs[1].toes = 0
    ways = [level(walker, 1) for _ in range(8)]
    blind, feels = (max(up[leg] for up in ways) for leg in LEFT)
    assert 0.9 * MAX_BLIND < blind <= MAX_BLIND + 1e-9
    assert feels > 1.1 * MAX_BLIND


def test_a_foot_that_felt_ground_again_may_be_drawn_up_again() -> None:
    walker = make_walker(math.radians(6.0), Follows)
    for toes in (0, 0, 0, 0b0001, 0):
        walker.desk.legs[1].toes = toes
        up = level(walker, 1)
    assert up[1] > 1.1 * MAX_BLIND


def test_a_foot_that_has_gone_down_in_search_of_ground_may_be_drawn_up_as_far() -> None:
    walker = make_walker(math.radians(6.0), Follows)
    walker.desk.legs[1].toes = 0
    level(walker, 4)
    x, y, z = walker.desk.legs[1].foot
    walker.desk.legs[1].foot = (x, y - 0.04, z)  # went down, and felt nothing
    assert level(walker, 1)[1] > y - 0.04 + HEIGHT + 0.005


def test_a_torso_that_follows_too_readily_is_not_levelled_beyond_level() -> None:
    walker = make_walker(math.radians(6.0), Follows)
    assert isinstance(walker, Follows)
    walker.readiness = 2.0
    rolls = [walker.desk.attitude.roll]
    for _ in range(3):
        rolls.extend(walker.desk.attitude.roll for _ in walker.level_out())
    assert abs(rolls[-1]) < math.radians(1.0)
    assert min(rolls) > math.radians(-1.0)


def test_only_legs_of_the_high_side_level_a_torso_that_rolls() -> None:
    up = level(make_walker(math.radians(6.0)), 1)
    assert min(up[leg] for leg in LEFT) > 0.02
    assert max(abs(up[leg]) for leg in (0, 3)) < 0.01


def test_only_legs_of_the_high_end_level_a_torso_that_dives() -> None:
    walker = make_walker(0.0)
    walker.desk.attitude.up = (-math.sin(0.1), 0.0, math.cos(0.1))
    for _ in walker.level_out():
        pass
    up = [view.foot[1] + HEIGHT for view in walker.desk.legs]
    assert min(up[2:]) > 0.02  # the rear comes down
    assert max(abs(way) for way in up[:2]) < 0.01


class Asked(Obedient):
    """A walker whose front left foot lifts the torso instead of feeling ground.

    Attributes:
        times: How often it was told to feel.
    """

    times = 0

    def lift_corner(self, leg: int, angle: float) -> None:
        x, y, z = self.desk.attitude.up
        hx, hy, _ = HIPS[leg]
        share = math.sin(angle) / math.hypot(hx, hy)
        self.desk.attitude.up = (x + share * hx, y + share * hy, z)

    def run(self, plan: Plan) -> None:
        for _ in plan:
            self.desk.now += 0.002
            orders, self.desk.outbox = self.desk.outbox, []
            for leg, request in orders:
                view = self.desk.legs[leg]
                if request.command == Command.MOVE_POINT_TOUCH:
                    self.times += 1
                    self.lift_corner(leg, math.radians(1.6))
                elif request.command == Command.WHERE:
                    stands = Message(Report.STANDS, view.foot)
                    toes = Message(Report.TOES, (0.0 if leg == 1 else 15.0,))
                    for message in (stands, toes, Message(Report.READY)):
                        self.desk.receive(leg, message)


def test_a_foot_that_stands_between_its_toes_lifts_the_torso_once_not_each_time() -> (
    None
):
    walker = make_walker(0.0, Asked)
    assert isinstance(walker, Asked)
    for _ in range(4):
        walker.run(walker.set_down())
    assert walker.times == 1
    assert props(walker, 1)
    way = walker.desk.legs[1].foot[1] + HEIGHT
    assert 0.005 < way < 0.012  # most of what it has lifted the corner in vain
    walker.lift_corner(1, math.radians(1.0))  # by others: it may hover now
    walker.run(walker.set_down())
    assert walker.times == 2
    walker.count((1,), 0.0)
    assert not props(walker, 1)


@pytest.mark.parametrize("lifted", range(4))
def test_on_three_feet_the_torso_is_levelled_by_letting_it_down(lifted: int) -> None:
    walker = make_walker(math.radians(2.0))
    _, y, z = walker.desk.attitude.up
    walker.desk.attitude.up = (0.03, y, z)
    on_four = height_changes(walker)
    assert min(on_four.values()) < -0.005  # the low side is pushed up
    walker.desk.legs[lifted].stands = False
    on_three = height_changes(walker)
    assert set(on_three) == set(range(4)) - {lifted}
    assert min(on_three.values()) == 0.0
    legs = list(on_three)
    for i, j in itertools.combinations(legs, 2):  # as level as on four feet
        assert on_three[i] - on_three[j] == pytest.approx(on_four[i] - on_four[j])


class Stuck(Obedient):
    """A walker whose torso has fallen behind its feet, with legs that stall."""

    def set_down(self, lifted: Sequence[int] = ()) -> Plan:
        yield

    def strayed(self, *, is_lifted: bool = False) -> float:
        return 0.08

    def carry(self, ends: Mapping[int, Point]) -> Plan:
        self._failed_pulls += 1
        for leg, (_, y, _) in ends.items():  # down, after it has stalled
            assert (y > self.desk.legs[leg].foot[1]) == (self._failed_pulls > 1)
        yield

    def level_out(self, badly: float = 0.0) -> Plan:
        pytest.fail("a torso that legs can hardly hold is moved")
        yield


def test_legs_that_cannot_bring_the_torso_back_end_the_walk_where_it_stands() -> None:
    desk = make_walker(0.0).desk
    walker = Stuck(desk, replace(GaitCfg(), height=HEIGHT, plans_steps=True))
    with pytest.raises(UnsafeError) as caught:
        for _ in free_step(walker):
            pass
    assert "cannot bring the torso back" in caught.value.why
    assert walker._failed_pulls == 1 + RETURNS


class Stalls(Obedient):
    """A walker whose legs cannot shift the torso, and whose feet must not be lifted."""

    def carry(self, ends: Mapping[int, Point]) -> Plan:
        self._failed_pulls += 1
        yield

    def set_right(self, leg: int) -> Plan:
        pytest.fail("a foot is lifted from where the plan has not led")
        yield


def test_a_foot_whose_shift_of_the_torso_has_stalled_stays() -> None:
    walker = make_walker(0.0, Stalls)
    step = FreeStep(leg=2, shift=0.1, radius=0.1, margin=0.04, worth=5.0)
    with pytest.raises(UnsafeError) as caught:
        for _ in _go(walker, step):
            pass
    assert caught.value.leg == 2
