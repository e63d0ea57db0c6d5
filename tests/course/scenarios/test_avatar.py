"""Disaster avatar: who asks more errs less, and nobody acts without leave."""

from __future__ import annotations

import numpy as np
import pytest

from gelenk.behavior.state_machines import Autonomy
from gelenk.course.film import Film
from gelenk.course.scenarios import avatar
from gelenk.course.scenarios.avatar_mind import Avatar, StateStep
from gelenk.course.scenarios.avatar_operator import (
    Answer,
    Operator,
    RadioLink,
    Request,
    facing,
    fit_wheel,
    judge_wheel,
)
from gelenk.course.scenarios.avatar_site import GAUGE, WHEEL, make_site, wheel_points
from gelenk.pointcloud.kd_tree import KdTree
from gelenk.spatial import se3

TREE = KdTree(wheel_points())


@pytest.fixture(scope="module")
def filmed():
    film = Film()
    return avatar.run(3, film), film


def test_the_levels_are_in_the_order_in_which_they_must_be(filmed):
    outcome, film = filmed
    f = outcome.figures
    assert outcome.is_reached, outcome.reason
    assert f["asking requests"] > f["adaptive requests"] > f["alone requests"] == 0
    assert f["alone mistakes"] >= 1 >= f["adaptive mistakes"]
    assert f["alone time [s]"] < f["asking time [s]"]
    assert film.duration == pytest.approx(f["adaptive time [s]"], abs=0.2)


def test_the_same_seed_gives_the_same_mission_and_a_film_changes_nothing(filmed):
    again = avatar.carry_out(3, Autonomy.LOW, adapts=True)
    assert again.time == filmed[0].figures["adaptive time [s]"]
    assert again.is_done
    # Truth: a mission is done only if the valves really are open.
    again.site.turned[0] = 0.0
    assert not again.is_done


def test_without_a_link_it_waits_for_ever_and_touches_nothing(monkeypatch):
    monkeypatch.setattr(avatar, "LIMIT", 80.0)
    monkeypatch.setattr(avatar, "draw_outages", lambda rng, t: np.array([[0.0, t]]))
    for level in (Autonomy.OFF, Autonomy.LOW):
        mission = avatar.carry_out(3, level, adapts=False)
        assert mission.robot.mission.state in ("drive", "look")
        assert mission.site.turned == [0.0] * 3
        assert mission.site.mistakes == []
    # High: may close its hand, but holds still while nobody could stop it.
    mission = avatar.carry_out(3, Autonomy.HIGH, adapts=False)
    assert mission.robot.mission.state in ("look", "grasp")
    assert mission.site.turned == [0.0] * 3


def _asked() -> tuple[Avatar, Request]:
    site = make_site(3)
    robot = Avatar(site, np.array([v.mapped for v in site.valves]), Autonomy.OFF)
    for k in range(900):
        sent = robot.step([], 0.1 * k)
        if sent:
            return robot, sent[0]
    raise AssertionError("it never asked")


def test_answers_to_other_requests_and_older_levels_do_not_count():
    robot, request = _asked()
    now = robot.now
    other = Answer(
        number=request.number + 7, verdict="confirm", level=Autonomy.OFF, count=5
    )
    robot.step([other], now + 0.1)
    assert (robot.mission.state, robot.stale) == ("drive", 1)
    robot.step([Answer(level=Autonomy.FULL, count=4)], now + 0.2)  # overtaken
    assert (robot.mission.state, robot.mission.level) == ("drive", Autonomy.OFF)
    right = Answer(
        number=request.number, verdict="confirm", level=Autonomy.OFF, count=6
    )
    robot.step([right], now + 0.3)
    assert robot.mission.state == "look"
    assert robot.log[0].number == request.number


def test_the_judge_finds_what_nobody_had_allowed():
    step = StateStep(
        time=5.0,
        state="look",
        outcome="sure",
        required=Autonomy.HIGH,
        level=Autonomy.LOW,
        number=2,
    )
    leave = Answer(number=2, verdict="confirm", level=Autonomy.LOW, count=1)
    raised = Answer(level=Autonomy.HIGH, count=1)
    count = avatar.count_unallowed
    assert count([step], [], start=Autonomy.LOW) == 1
    assert count([step], [(6.0, leave)], start=Autonomy.LOW) == 1  # too late
    assert count([step], [(4.0, leave)], start=Autonomy.LOW) == 0
    bold = StateStep(
        **{n: getattr(step, n) for n in StateStep.__slots__} | {"level": 2}
    )  # type: ignore[arg-type]
    assert count([bold], [], start=Autonomy.LOW) == 1  # a level that nobody gave
    assert count([bold], [(4.0, raised)], start=Autonomy.LOW) == 0


def test_a_gauge_fits_into_a_wheel_but_does_not_make_one():
    rng = np.random.default_rng(0)
    T = facing(np.array([0.6, 0.1, 0.9]), 0.4)
    wheel = se3.transform_point(T, wheel_points())
    wheel = wheel + 3e-3 * rng.normal(size=wheel.shape)
    r, a = GAUGE * np.sqrt(rng.uniform(size=60)), rng.uniform(0.0, 2.0 * np.pi, 60)
    disc = np.column_stack([np.full(60, 0.6), r * np.cos(a), 0.9 + r * np.sin(a)])
    off, found = fit_wheel(wheel, TREE)
    assert np.linalg.norm((found - T)[:3, 3]) < 5e-3
    assert off < 0.5 * fit_wheel(disc, TREE)[0]
    assert judge_wheel(wheel, TREE)[0] < 0.5 * judge_wheel(disc, TREE)[0]
    # The operator moves a template from the gauge to the wheel, by what was sent.
    operator = Operator(
        level=Autonomy.LOW, adapts=True, wheel=TREE, rng=np.random.default_rng(1)
    )
    request = Request(
        number=1,
        state="look",
        outcome="doubtful",
        clusters=(disc + np.array([0.0, 0.5, 0.0]), wheel),
        T_base_object=facing(np.array([0.6, 0.5, 0.9]), 0.0),
    )
    operator.step([request], 0.0)
    [answer] = [a for a in operator.step([], 20.0) if a.number]
    assert answer.verdict == "correct"
    assert answer.T_base_object is not None
    assert np.linalg.norm((answer.T_base_object - T)[:3, 3]) < 0.3 * WHEEL


def test_a_link_delays_everything_and_loses_what_is_sent_while_it_is_down():
    link = RadioLink(outages=np.array([[1.0, 2.0]]), rng=np.random.default_rng(0))
    for time in (0.0, 0.5, 1.5, 2.0):
        link.send(time, time)
    assert link.receive(0.1) == []
    assert sorted(link.receive(9.0)) == [0.0, 0.5, 2.0]  # type: ignore[type-var]
    assert link.receive(9.0) == []
