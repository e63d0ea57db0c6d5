"""Walks as campaigns see them, and what is done about a foot that finds no place."""

from __future__ import annotations

import math

import pytest

from experiments.amee.collision import run_into
from gelenk.robots.amee.config import HIPS, LegCfg, TorqueCfg
from gelenk.robots.amee.coordinator.desk import Desk, TroubleError, UnsafeError
from gelenk.robots.amee.gaits.config import GaitCfg
from gelenk.robots.amee.gaits.cycles import MAX_SKIPPED, place_or_skip
from gelenk.robots.amee.gaits.free_gait import MAX_AHEAD
from gelenk.robots.amee.gaits.free_walk import free_step
from gelenk.robots.amee.gaits.placing import place_pair, step_or_return
from gelenk.robots.amee.gaits.posture import roughness
from gelenk.robots.amee.gaits.step import put_down
from gelenk.robots.amee.gaits.survey import survey
from gelenk.robots.amee.gaits.walker import (
    CROUCH,
    STRAYED_FAR,
    GivesWayError,
    Walker,
)
from gelenk.robots.amee.wire import Command, ErrorCode, Message, Report
from gelenk.runtime.scenario import Outcome, get_scenario, run_scenario

NO_PLACE = Message(Report.ERROR, (float(ErrorCode.NO_FOOTHOLD),))


@pytest.fixture(scope="module")
def weak() -> Outcome:
    """Pairs swing on the drives of the thesis, two legs carry everything."""
    values = {"gait": "fast", "drive": "thesis", "distance": 0.15}
    return run_scenario("amee/walk", values, seed=1)


@pytest.mark.slow
def test_two_legs_with_22_newton_metres_carry_the_robot_while_pairs_swing(
    weak: Outcome,
) -> None:
    assert weak.ok, weak.reason
    assert weak.figures["least_margin"] > 0.04
    assert weak.figures["max_tilt"] < math.radians(3.0)


@pytest.mark.slow
def test_a_trial_reports_what_its_scenario_promises(weak: Outcome) -> None:
    assert set(weak.figures) == set(get_scenario("amee/walk").figures)
    assert set(weak.figures) == set(get_scenario("amee/rough").figures)
    assert weak.figures["speed"] == pytest.approx(0.010, abs=0.005)
    # battery power of sixteen drives: more than nothing, less than all at stall
    assert 10.0 < weak.figures["energy_per_metre"] * weak.figures["speed"] < 400.0


@pytest.mark.slow
@pytest.mark.parametrize(("mass", "is_felt"), [(1.0, False), (3.0, True)])
def test_legs_with_usual_settings_feel_three_kilograms_in_20_ms_and_no_trifles(
    mass: float, is_felt: bool
) -> None:
    hit = run_into(mass, torque=TorqueCfg())
    assert (hit.tries > 0) == is_felt
    if is_felt:
        assert hit.felt_after <= 0.020 + 1e-9
    assert hit.is_removed


def test_one_foot_on_a_stone_is_a_quarter_of_its_height_off_the_plane() -> None:
    slope = 0.1
    feet = {i: (0.0, -0.6 + slope * hip[0], 0.0) for i, hip in enumerate(HIPS)}
    assert roughness(feet) == pytest.approx(0.0, abs=1e-12)
    feet[2] = (0.0, feet[2][1] + 0.08, 0.0)
    assert roughness(feet) == pytest.approx(0.02)


class Partners:
    """Legs that answer at once; some find no place at their first tries."""

    def __init__(self, fails: dict[int, int]) -> None:
        height = GaitCfg().height
        self.desk = Desk(LegCfg(), [(-0.05, -height, 0.0)] * 4)
        self.walker = Walker(self.desk, GaitCfg())
        self.fails, self.reason = dict(fails), NO_PLACE
        self.tips: list[int] = []  # legs whose next lift tips the torso
        self.toes: dict[int, list[int]] = {}  # on which legs say that they stand
        self.steps: list[tuple[int, float]] = []
        self.lines: set[int] = set()  # legs that follow one
        self.pending: list[tuple[int, Message]] = []
        self.heard: list[tuple[int, Command]] = []

    def run(self, plan) -> None:
        for _ in range(20000):
            self.desk.now += 0.002
            answers, self.pending = self.pending, []
            for leg, message in answers:
                self.desk.receive(leg, message)
            self.desk.outbox = []
            try:
                next(plan)
            except StopIteration:
                return
            for leg, request in self.desk.outbox:
                self.heard.append((leg, request.command))
                self.hear(leg, request.command, request.values)
        pytest.fail("the plan never ended")

    def hear(self, leg: int, command: Command, values: tuple[float, ...]) -> None:
        if command == Command.DO_STEP and leg in self.tips:
            self.desk.attitude.up = (0.12, 0.0, math.sqrt(1.0 - 0.12**2))
        elif command == Command.STOP and leg in self.tips:
            self.tips.remove(leg)
            self.desk.attitude.up = (0.0, 0.0, 1.0)
        elif command == Command.MOVE_POINT_TOUCH:
            self.pending.append((leg, Message(Report.FOUND, values)))
        elif command == Command.LINE or (command == Command.NEXT and leg in self.lines):
            self.lines.add(leg)
            self.pending.append((leg, Message(Report.SYNC)))
        elif command == Command.DO_STEP:
            self.lines.discard(leg)
            self.steps.append((leg, values[0]))
            self.pending.append((leg, Message(Report.SYNC)))
        elif command == Command.NEXT and self.fails.get(leg, 0) > 0:
            self.fails[leg] -= 1
            self.pending.append((leg, self.reason))
        elif command == Command.NEXT:
            _, x = [step for step in self.steps if step[0] == leg][-1]
            found = Message(Report.FOUND, (x, -self.walker.height, 0.0))
            self.pending += [(leg, found), (leg, Message(Report.SYNC))]
        elif command in (Command.SAVE_WALK, Command.MOVE_POINT):
            self.pending.append((leg, Message(Report.READY)))
        elif command == Command.WHERE:
            stands = Message(Report.STANDS, self.desk.legs[leg].foot)
            said = self.toes.get(leg, [])
            toes = Message(Report.TOES, (float(said.pop(0)) if said else 15.0,))
            ready = Message(Report.READY)
            self.pending += [(leg, stands), (leg, toes), (leg, ready)]


def test_a_foot_of_a_pair_that_finds_no_place_tries_another_one_by_itself() -> None:
    legs = Partners({2: 1})
    carried = []

    def carry_on():
        carried.append(legs.desk.standing())
        yield

    legs.run(place_pair(legs.walker, (0, 2), carry_on))
    assert carried == [[1, 3]]
    assert legs.desk.standing() == [0, 1, 2, 3]
    assert [leg for leg, _ in legs.steps] == [0, 2, 2]
    first, second = (x for leg, x in legs.steps if leg == 2)
    # the weight, and the middle of all strokes with it, has gone ahead a little
    assert second - first == pytest.approx(-0.04, abs=0.01)
    assert len(legs.walker.trouble_steps) == 1
    assert any("next try" in entry.text for entry in legs.desk.journal.entries)


def test_a_lift_that_tips_the_torso_is_taken_back_and_tried_with_more_margin() -> None:
    legs = Partners({})
    legs.walker.cfg = GaitCfg(least_margin=-1.0)  # no shifts: these legs cannot pull
    legs.tips = [3]
    legs.run(legs.walker.place(3))
    assert legs.desk.standing() == [0, 1, 2, 3]
    assert [leg for leg, _ in legs.steps] == [3]
    texts = [entry.text for entry in legs.desk.journal.entries]
    assert any("the torso tips by 6.0 deg" in text for text in texts)
    assert any("20 mm more margin" in text for text in texts)
    assert legs.walker.caution == 0.0


def test_a_foot_that_finds_no_place_at_all_goes_back_to_where_it_stood() -> None:
    legs = Partners({1: 5})
    legs.walker.cfg = GaitCfg(least_margin=-1.0)
    legs.toes = {1: [15, 15, 0, 0, 0, 0, 0]}  # asked twice, then after each failure
    legs.run(legs.walker.place(1))
    places = [x for leg, x in legs.steps if leg == 1]
    assert len(places) == 6
    assert places[-1] == pytest.approx(-0.05)
    assert min(places[:-1]) > -0.04
    assert legs.desk.standing() == [0, 1, 2, 3]


def planned(fails: dict[int, int]) -> Partners:
    """Return legs of which one takes planned steps."""
    legs = Partners(fails)
    legs.walker.cfg = GaitCfg(least_margin=-1.0, last_margin=-1.0, plans_steps=True)
    return legs


def test_a_planned_step_that_finds_no_ground_leads_back_to_where_the_foot_stood() -> (
    None
):
    legs = planned({1: 1})
    legs.toes = {1: [15, 0]}  # drawn up a little, then after its failure
    legs.run(step_or_return(legs.walker, 1))
    ahead, back = (x for leg, x in legs.steps if leg == 1)
    assert ahead > 0.0
    assert back == pytest.approx(-0.05)
    assert legs.desk.legs[1].foot == pytest.approx((-0.05, -GaitCfg().height, 0.0))
    assert legs.desk.standing() == [0, 1, 2, 3]
    downs = [leg for leg, command in legs.heard if command == Command.MOVE_POINT]
    assert downs == [1]  # to ground that it knows: nothing is searched there


def test_three_legs_do_not_crouch_for_a_planned_step_the_next_plan_does() -> None:
    legs = planned({1: 1})
    legs.reason = Message(Report.ERROR, (float(ErrorCode.NO_GROUND),))
    legs.run(step_or_return(legs.walker, 1))
    assert legs.walker.height == pytest.approx(GaitCfg().height - CROUCH)
    assert legs.lines <= {1}  # no other foot was told to move


def test_feet_that_must_stay_are_left_out_until_too_many_are_in_a_row() -> None:
    legs = Partners({})
    legs.walker.cfg = GaitCfg(least_margin=1.0)  # nothing may ever be lifted
    for _ in range(MAX_SKIPPED):
        legs.run(place_or_skip(legs.walker, 2))
    with pytest.raises(UnsafeError):
        legs.run(place_or_skip(legs.walker, 2))
    assert legs.steps == []
    legs.walker.cfg = GaitCfg(least_margin=-1.0)
    legs.run(place_or_skip(legs.walker, 2))
    assert legs.walker.skipped == 0


class Leaning(Partners):
    """Partners whose torso leans to the corner of leg 2 whenever that is drawn up.

    Args:
        lean: That each order to move the leg adds [rad].
        most: At which the torso comes to rest on the other feet [rad].
        begin: That the first one adds in addition [rad].
    """

    def __init__(self, lean: float, most: float, begin: float = 0.0) -> None:
        super().__init__({})
        self.walker.cfg = GaitCfg(
            least_margin=-1.0, last_margin=-1.0, plans_steps=True, retries=2
        )
        self.lean, self.most, self.begin = lean, most, begin
        self.drawn: list[float] = []

    def hear(self, leg: int, command: Command, values: tuple[float, ...]) -> None:
        if command == Command.LINE and leg == 1:
            self.drawn.append(values[4] + self.walker.height)
            if self.drawn[-1] < 0.005:
                self.drawn.pop()
            lean = self.begin * bool(self.drawn) + self.lean * len(self.drawn)
            lean = min(lean, self.most)
            x, y, _ = HIPS[leg]
            ahead, left = (-math.sin(lean) * v / math.hypot(x, y) for v in (x, y))
            self.desk.attitude.up = (ahead, left, math.cos(lean))
        super().hear(leg, command, values)


def test_a_foot_that_the_torso_follows_down_is_put_back_after_two_parts() -> None:
    legs = Leaning(math.radians(1.5), math.inf)
    with pytest.raises(UnsafeError):
        legs.run(step_or_return(legs.walker, 1))
    assert legs.steps == []
    assert legs.drawn == pytest.approx([0.014, 0.021], abs=0.001)
    assert legs.desk.legs[1].foot[1] == pytest.approx(-legs.walker.height, abs=0.001)
    assert legs.desk.standing() == [0, 1, 2, 3]


def test_a_torso_that_comes_to_rest_on_the_other_feet_lets_the_foot_go() -> None:
    legs = Leaning(math.radians(2.0), math.radians(2.0))
    legs.toes = {1: [15, 15, 0, 0]}  # free once it is drawn up a second time
    legs.run(step_or_return(legs.walker, 1))
    assert [leg for leg, _ in legs.steps] == [1]
    assert 0.014 < max(legs.drawn) < 0.045
    assert legs.desk.standing() == [0, 1, 2, 3]


def test_a_foot_that_was_put_back_is_drawn_harder_and_comes_free_of_its_stones() -> (
    None
):
    legs = Leaning(math.radians(0.5), math.inf, math.radians(1.0))  # held, but it gives
    with pytest.raises(UnsafeError):
        legs.run(step_or_return(legs.walker, 1))
    assert max(legs.drawn) == pytest.approx(0.042, abs=0.001)
    legs.drawn.clear()
    legs.desk.attitude.up = (0.0, 0.0, 1.0)
    legs.toes = {1: [15] * 15 + [0, 0]}  # asked twice in each part
    legs.run(step_or_return(legs.walker, 1))
    assert 0.050 < max(legs.drawn) < 0.085
    assert [leg for leg, _ in legs.steps] == [1]


class GivingWay(Partners):
    """Partners whose torso falls over them as soon as all of them move."""

    def __init__(self) -> None:
        super().__init__({})
        self.walker.cfg = GaitCfg(plans_steps=True)

    def hear(self, leg: int, command: Command, values: tuple[float, ...]) -> None:
        if command == Command.NEXT:
            self.desk.attitude.up = (math.sin(0.1), 0.0, math.cos(0.1))
        super().hear(leg, command, values)


def test_legs_that_give_way_under_a_moving_torso_are_stopped_at_once() -> None:
    legs = GivingWay()
    ends = dict.fromkeys(range(4), (-0.02, -legs.walker.height, 0.0))
    with pytest.raises(GivesWayError):
        legs.run(legs.walker.carry(ends))
    assert legs.heard[-4:] == [(leg, Command.STOP) for leg in range(4)]
    assert legs.desk.now < 1.0
    one = GivingWay()
    one.run(one.walker.carry({1: (-0.05, -0.58, 0.0)}))  # its own guard sees to that
    assert one.desk.legs[1].foot == pytest.approx((-0.05, -0.58, 0.0), abs=0.001)


class FallingBack(Partners):
    """Partners over which the torso falls back a little with each line."""

    def hear(self, leg: int, command: Command, values: tuple[float, ...]) -> None:
        if command == Command.WHERE and leg in self.lines:
            self.lines.discard(leg)
            x, y, z = self.desk.legs[leg].foot
            self.desk.legs[leg].foot = (x + 0.006, y, z)
        super().hear(leg, command, values)


@pytest.mark.parametrize(("plans_steps", "lost"), [(True, 0.006), (False, 0.030)])
def test_a_torso_is_held_in_its_place_while_it_is_levelled_on_stones(
    plans_steps: bool, lost: float
) -> None:
    legs = FallingBack({})
    legs.walker.cfg = GaitCfg(
        level_part=0.010, level_limit=0.050, plans_steps=plans_steps
    )
    for view in legs.desk.legs:
        view.foot = (-0.05, -legs.walker.height + 0.05, 0.0)
    legs.run(survey(legs.desk))
    legs.run(legs.walker.level_out())
    heights = [-view.foot[1] for view in legs.desk.legs]
    assert heights == pytest.approx([legs.walker.height] * 4, abs=0.002)
    assert -legs.desk.way.x == pytest.approx(lost, abs=0.002)


class Creeping(Partners):
    """Partners that creep away under the torso while one of them feels for ground."""

    def hear(self, leg: int, command: Command, values: tuple[float, ...]) -> None:
        view = self.desk.legs[leg]
        if command == Command.NEXT and leg not in self.lines:
            return  # goes on feeling
        if command == Command.WHERE and view.stands and self.steps:
            x, y, z = view.foot
            view.foot = (x + 0.02, y, z)
        super().hear(leg, command, values)


def test_a_foot_that_feels_for_ground_is_dropped_when_legs_that_bear_give_way() -> None:
    legs = Creeping({})
    legs.walker.cfg = GaitCfg(least_margin=-1.0, last_margin=-1.0, plans_steps=True)
    with pytest.raises(UnsafeError):
        legs.run(step_or_return(legs.walker, 1))
    texts = [entry.text for entry in legs.desk.journal.entries]
    assert any("dropped: legs that bear give way" in text for text in texts)
    assert legs.desk.standing() == [0, 1, 2, 3]
    far = MAX_AHEAD + STRAYED_FAR
    assert far < max(view.foot[0] for view in legs.desk.legs) < far + 0.10


def test_a_planned_step_begins_with_all_feet_on_the_ground() -> None:
    legs = Partners({})
    legs.walker.cfg = GaitCfg(
        height=0.57, least_margin=-0.2, last_margin=-0.2, plans_steps=True
    )
    legs.walker.height = 0.57
    for view in legs.desk.legs:
        view.foot = (0.0, -0.57, 0.0)
    legs.desk.legs[3].stands = False  # left in the air by a step that was given up
    legs.run(free_step(legs.walker))
    assert legs.desk.standing() == [0, 1, 2, 3]
    lifted = [command for _, command in legs.heard].index(Command.DO_STEP)
    assert (3, Command.MOVE_POINT) in legs.heard[:lifted]


class Pushing(Partners):
    """Partners of which one lifts the torso instead of closing more toes."""

    def hear(self, leg: int, command: Command, values: tuple[float, ...]) -> None:
        if command == Command.NEXT and leg not in self.lines:
            self.desk.attitude.up = (math.sin(0.06), 0.0, math.cos(0.06))
        elif command == Command.LINE:
            self.desk.attitude.up = (0.0, 0.0, 1.0)
            super().hear(leg, command, values)
        else:
            super().hear(leg, command, values)


@pytest.mark.parametrize("toe", [0, 4])
def test_a_foot_that_lifts_the_torso_stands_if_a_toe_is_pressed_or_is_drawn_up(
    toe: int,
) -> None:
    legs = Pushing({})
    for other in (0, 2, 3):
        legs.desk.legs[other].foot = (0.1, -legs.walker.height, 0.0)
    legs.desk.legs[1].stands = False
    legs.toes = {1: [toe]}
    assert legs.desk.margin() > 0.03  # the others carry
    if toe:
        legs.run(put_down(legs.desk, 1))
        assert legs.desk.legs[1].stands
        return
    before = legs.desk.legs[1].foot[1]
    with pytest.raises(TroubleError):
        legs.run(put_down(legs.desk, 1))
    assert legs.desk.legs[1].foot[1] == pytest.approx(before + 0.030, abs=0.001)
