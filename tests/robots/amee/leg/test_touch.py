import itertools

import pytest

from amee_bench import BEGIN, END, FLAT, drive, flat, kinds, make_bench
from gelenk.robots.amee.config import (
    TOE_CENTRE,
    LegCfg,
    RotationCfg,
    TorqueCfg,
    TouchCfg,
    WatchdogCfg,
)
from gelenk.robots.amee.kinematics import foot_pitch
from gelenk.robots.amee.leg.logic.touch import Touch
from gelenk.robots.amee.wire import Command, Message, Report

FOUND = [Report.FOUND, Report.READY]
# The leg as the thesis describes it, without our improvements.
LITERAL = LegCfg(
    filter="average",
    rotation=RotationCfg(arrival_tolerance=4, short_tolerance=0),
    torque=TorqueCfg(
        threshold=6.0, max_rise=4.0, ground_mutes_rise=False, ground_overload_time=0.0
    ),
    touch=TouchCfg(
        patience=0.0, settle=0.0, tilt_about="ankle", press_after_tilt=False
    ),
    watchdog=WatchdogCfg(early_diagnosis=False),
)


def touch_down(ground, cfg=None, height=FLAT, **options):
    bench = make_bench(cfg, ground=ground)
    drive(bench, Command.MOVE_POINT, 0.03, -0.55, 0.0)
    states = []

    def watch():
        state = bench.computer.touch.state
        if not states or states[-1] != state:
            states.append(state)

    said = drive(
        bench, Command.MOVE_POINT_TOUCH, 0.03, height, 0.0, each_pass=watch, **options
    )
    return bench, said, states


@pytest.mark.capability("QW-74")
def test_three_toes_at_once_end_the_search_without_correction():
    # the right front toe hangs over an edge
    def ground(x, z, t):
        return -0.6 if x < 0.06 or z > 0 else -1.0

    bench, said, states = touch_down(ground)
    assert kinds(said) == FOUND
    assert Touch.FAIL not in states
    found = said[0].values
    assert found == pytest.approx(bench.foot(), abs=0.006)
    assert abs(found[1] + 0.6) < 0.015


@pytest.mark.capability("QW-76")
@pytest.mark.parametrize("slope", [-0.25, 0.25])
def test_a_foot_tilts_onto_a_slope(slope):
    # ground rises or falls towards the front by 25 %
    def ground(x, z, t):
        return -0.59 + slope * x

    bench, said, states = touch_down(ground)
    assert kinds(said) == FOUND
    pitch = float(foot_pitch(bench.q))
    assert pitch * slope > 0
    assert 0.05 < abs(pitch) < 0.45
    assert Touch.UNSAFE_MOVE in states


@pytest.mark.capability("QW-76")
def test_the_foot_may_tilt_about_its_ankle_as_printed():
    cfg = LegCfg(touch=TouchCfg(tilt_about="ankle"))
    bench, said, _ = touch_down(lambda x, z, t: -0.57 - 0.25 * x, cfg)
    assert kinds(said) == FOUND
    assert float(foot_pitch(bench.q)) < -0.05


@pytest.mark.capability("QW-78", "QW-118")
def test_a_stone_under_one_toe_is_given_up_after_three_tries():
    bench = make_bench()
    bench.toes_forced = 0

    def one_toe():
        bench.toes_forced = 0x01 if bench.foot()[1] < -0.59 else 0

    drive(bench, Command.MOVE_POINT, 0.05, -0.5, 0.0)
    places = []

    def watch():
        one_toe()
        if bench.computer.touch.state == Touch.SEARCHING:
            places.append(bench.computer.logic.goal)

    said = drive(bench, Command.MOVE_POINT_TOUCH, 0.05, -0.6, 0.0, each_pass=watch)
    assert said == [Message(Report.ERROR, (3.0,))]
    assert len(set(places)) == 3
    steps = sorted({x for x, _, _ in places})
    assert steps[0] < steps[1] < steps[2] < 0.06  # each nearer to the hip
    bench.run(0.01)
    assert bench.computer.motion.state == Command.IDLE


@pytest.mark.capability("QW-78")
def test_one_loaded_side_is_no_safe_stand():
    # only the left toes find ground
    _, said, states = touch_down(lambda x, z, t: -0.6 if z > 0 else -1.0)
    assert kinds(said) == [Report.ERROR]
    assert said[-1].values == (3.0,)
    assert states.count(Touch.FAIL) == 4
    assert Touch.CORRECTION_FAIL in states


@pytest.mark.capability("QW-77")
def test_a_few_missing_millimetres_are_pressed_away():
    # the right side lies 6 mm lower
    _, said, states = touch_down(lambda x, z, t: -0.6 if z > 0 else -0.606)
    assert kinds(said) == FOUND
    assert Touch.FAIL not in states


@pytest.mark.capability("QW-75")
def test_a_foot_follows_a_hole_down_and_reports_a_cliff():
    bench, said, states = touch_down(lambda x, z, t: -0.65)
    assert kinds(said) == FOUND
    assert Touch.CORRECTION in states
    assert abs(said[0].values[1] + 0.65) < 0.01
    bench, said, states = touch_down(lambda x, z, t: -2.0)
    assert said == [Message(Report.ERROR, (2.0,))]
    assert bench.foot()[1] < -0.65
    bench.run(0.5)
    assert bench.speeds == [0] * 4


@pytest.mark.capability("QW-79")
def test_bouncing_contacts_between_polls_do_no_harm():
    bench = make_bench()
    drive(bench, Command.MOVE_POINT, 0.0, -0.55, 0.0)
    polls, ticks = [], [0]

    def bounce():
        ticks[0] += 1
        polls.append(bench.computer.touch.polled)
        if bench.foot()[1] < -0.6:
            # closed with bounces of 2 ms, as long as no poll meets one
            bench.toes_forced = 0x0F if ticks[0] % 5 != 3 or polls[-1] else 0
        else:
            bench.toes_forced = 0

    said = drive(bench, Command.MOVE_POINT_TOUCH, 0.0, -0.63, 0.0, each_pass=bounce)
    assert kinds(said) == FOUND
    looked = [i for i, polled in enumerate(polls) if polled]
    gaps = [b - a for a, b in itertools.pairwise(looked)]
    assert min(gaps) * bench.cfg.pass_period >= 0.0099


@pytest.mark.capability("QW-81")
def test_ground_that_yields_is_left():
    soft = [0.0]

    def ground(x, z, t):
        return -0.6 if x < 0.02 else -0.6 - soft[0]

    bench = make_bench(ground=ground)
    drive(bench, Command.MOVE_POINT, 0.08, -0.55, 0.0)
    states = []

    def watch():
        states.append(bench.computer.touch.state)
        if bench.computer.touch.state == Touch.BEARING:
            soft[0] += 0.002  # sinks under the load

    drive(bench, Command.MOVE_POINT_TOUCH, 0.08, -0.61, 0.0, seconds=8, each_pass=watch)
    assert Touch.BEARING in states
    assert Touch.SEARCHING in states


def test_a_foot_that_feels_where_it_is_never_leaves_its_place():
    # the body may rest on it, on an edge that closes one toe
    bench = make_bench()
    drive(bench, Command.MOVE_POINT, 0.05, -0.6, 0.0)
    height = bench.foot()[1]
    states, heights = set(), []

    def watch():
        bench.toes_forced = 0x01
        states.add(bench.computer.touch.state)
        heights.append(bench.foot()[1])

    drive(bench, Command.MOVE_POINT_TOUCH, 0.05, -0.6, 0.0, each_pass=watch)
    assert states - {Touch.IDLE}
    assert Touch.SEARCHING not in states
    assert max(heights) < height + 0.005


@pytest.mark.capability("QW-80", "QW-126")
@pytest.mark.parametrize("rise", [0.05, -0.015])
def test_the_stroke_goes_on_at_the_height_that_was_found(rise):
    bench = make_bench(ground=flat)
    bench._ground = lambda x, z, t: FLAT + rise
    said = drive(bench, Command.DO_STEP, *BEGIN, *END)
    assert kinds(said) == FOUND
    found = next(m for m in said if m.report == Report.FOUND).values
    assert abs(found[1] - (FLAT + rise)) < 0.012
    assert abs(bench.foot()[1] - found[1]) < 0.006
    literal = make_bench(
        LegCfg(touch=TouchCfg(follow_found_height=False)),
        ground=lambda x, z, t: FLAT + rise,
    )
    drive(literal, Command.DO_STEP, *BEGIN, *END)
    assert abs(literal.foot()[1] - FLAT) < 0.006


@pytest.mark.capability("QW-120")
@pytest.mark.parametrize("sensing", ["off", "contact", "torque"])
def test_a_sharp_object_under_the_centre_is_felt_with_the_option_on(sensing):
    cfg = LegCfg(touch=TouchCfg(centre_sensing=sensing))
    bench = make_bench(cfg)

    def stands():
        """A spike that meets no toe carries the foot's centre."""
        x, y, _ = bench.foot()
        return x > 0.02 and y < -0.58

    bench._load = lambda i, q, qd, t: 9.0 if i == 2 and stands() else 0.0
    bench._ground = lambda x, z, t: -0.61 if bench.foot()[0] < 0.02 else -2.0
    real = bench.read_toes
    bench.read_toes = lambda: real() | (TOE_CENTRE if stands() else 0)
    drive(bench, Command.MOVE_POINT, 0.05, -0.52, 0.0)
    said = drive(bench, Command.MOVE_POINT_TOUCH, 0.05, -0.62, 0.0)
    if sensing == "off":
        # stretches the leg in vain, which would lift the robot
        assert said == [Message(Report.ERROR, (2.0,))]
        assert bench.foot()[1] < -0.65
    else:
        assert kinds(said) == FOUND
        assert said[0].values[0] < 0.02


def test_the_leg_without_improvements_finds_flat_ground_too():
    bench, said, _ = touch_down(lambda x, z, t: -0.60, LITERAL)
    assert kinds(said) == FOUND
    assert abs(bench.foot()[1] + 0.6) < 0.02
