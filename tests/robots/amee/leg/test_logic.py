import itertools
import math

import pytest

from amee_bench import BEGIN, END, FLAT, drive, flat, foot_error, kinds, make_bench
from gelenk.robots.amee.config import PARK_ANGLES, LegCfg, TouchCfg, make_leg_cfgs
from gelenk.robots.amee.kinematics import foot_pitch
from gelenk.robots.amee.leg.logic.line import Line, line_point, num_line_points
from gelenk.robots.amee.leg.logic.step import Step
from gelenk.robots.amee.wire import Command, Message, Report

SYNC = Report.SYNC


@pytest.mark.capability("QW-60", "QW-69", "QW-70", "QW-71")
@pytest.mark.parametrize(
    ("command", "values", "wanted"),
    [
        (Command.MOVE_POINT, (0.05, -0.55, 0.02), [Report.READY]),
        (Command.MOVE_POINT_TOUCH, BEGIN, [Report.FOUND, Report.READY]),
        (Command.MOVE_ANGLE, (0.1, -2.0, 0.9, 2.2), [Report.READY]),
        (
            Command.MOVE_ANGLE_TOUCH,
            (0.0, -1.99, 0.70, 1.85),
            [Report.FOUND, Report.READY],
        ),
        (Command.DO_STEP, (*BEGIN, *END), [Report.FOUND, Report.READY]),
        (Command.LINE, (0.04, -0.6, 0.0, -0.04, -0.6, 0.0), [Report.READY]),
        (Command.LINE_TOUCH, (*BEGIN, *END), [Report.FOUND, Report.READY]),
        (Command.SPEED, (120.0,), [Report.READY]),
        (Command.SAVE_WALK, (1.0,), [Report.READY]),
        (Command.WHERE, (), [Report.STANDS, Report.TOES, Report.READY]),
    ],
)
def test_every_command_is_done_and_answered(command, values, wanted):
    bench = make_bench(ground=flat)
    if command in (Command.DO_STEP, Command.LINE_TOUCH, Command.MOVE_POINT_TOUCH):
        drive(bench, Command.MOVE_POINT, 0.0, -0.58, 0.0)
    states = set()
    said = drive(
        bench,
        command,
        *values,
        each_pass=lambda: states.add(bench.computer.motion.state),
    )
    assert kinds(said) == wanted
    assert command in states
    assert bench.computer.motion.state == Command.IDLE
    if command == Command.MOVE_ANGLE:
        assert bench.q == pytest.approx(values, abs=0.015)
    if command == Command.MOVE_POINT:
        assert foot_error(bench, values) < 0.006


def test_a_leg_says_where_it_measures_its_foot_and_which_toes_are_down():
    bench = make_bench(ground=flat)
    drive(bench, Command.MOVE_POINT, 0.0, -0.5, 0.0)
    (in_air, no_toe, _) = drive(bench, Command.WHERE)
    assert no_toe.values == (0.0,)
    assert in_air.values == pytest.approx(bench.foot(), abs=0.006)
    drive(bench, Command.MOVE_POINT_TOUCH, *BEGIN)
    (stands, toes, _) = drive(bench, Command.WHERE)
    assert stands.values == pytest.approx(bench.foot(), abs=0.006)
    assert int(toes.values[0]).bit_count() >= 3


@pytest.mark.capability("QW-70")
def test_angles_beyond_half_a_turn_reach_the_joint_unwrapped():
    bench = make_bench()
    wanted = (0.0, math.radians(60), math.radians(20), math.radians(260))
    assert kinds(drive(bench, Command.MOVE_ANGLE, *wanted)) == [Report.READY]
    assert bench.q == pytest.approx(wanted, abs=0.015)
    assert kinds(drive(bench, Command.MOVE_ANGLE, *PARK_ANGLES)) == [Report.READY]
    assert bench.q == pytest.approx(PARK_ANGLES, abs=0.02)


@pytest.mark.slow
@pytest.mark.capability("QW-62", "QW-64", "QW-112", "QW-124", "QW-127")
def test_a_step_goes_through_six_states_and_waits_in_the_air():
    bench = make_bench(LegCfg(pass_period=0.004), ground=flat)
    states, heights = [], []

    def watch():
        step = bench.computer.step.state
        if not states or states[-1] != step:
            states.append(step)
        heights.append(bench.foot()[1])

    said = drive(
        bench, Command.DO_STEP, *BEGIN, *END, seconds=62, release=False, each_pass=watch
    )
    # nothing but one sync, however long it waits, and no watchdog interferes
    assert [m.report for m in said] == [SYNC]
    assert bench.now > 60
    assert states[-1] == Step.WAIT_FIRST_SYNC
    assert abs(bench.foot()[1] - (FLAT + 0.1)) < 0.01
    said = drive(bench, Command.NEXT, each_pass=watch)
    # START is left in the pass in which it is entered by the command
    assert states == [Step.IDLE, *list(Step)[2:], Step.IDLE]
    assert kinds(said) == [Report.FOUND, Report.READY]
    assert foot_error(bench, END) < 0.012
    assert bench.computer.security.resets == 0


@pytest.mark.capability("QW-63", "QW-73")
def test_the_careful_step_lifts_much_higher():
    highest = {}
    for safe in (0, 1):
        bench = make_bench(ground=flat)
        drive(bench, Command.SAVE_WALK, safe)
        assert bench.computer.logic.safe_walk == bool(safe)
        drive(bench, Command.DO_STEP, *BEGIN, *END, release=False, seconds=6)
        highest[safe] = bench.foot()[1] - FLAT
    assert abs(highest[0] - 0.1) < 0.01
    assert highest[1] > 0.18


@pytest.mark.capability("QW-65", "QW-118")
def test_a_step_without_clearance_is_refused():
    bench = make_bench()
    # The torso is so low that the thigh touches it already.
    angles = [math.radians(a) for a in (0.0, -175.0, 110.0, 115.0)]
    drive(bench, Command.MOVE_ANGLE, *angles)
    drive(bench, Command.SAVE_WALK, 1)
    here = list(bench.q)
    said = drive(bench, Command.DO_STEP, *BEGIN, *END, seconds=3)
    assert said == [Message(Report.ERROR, (1.0,))]
    assert bench.q == pytest.approx(here, abs=0.01)


@pytest.mark.capability("QW-66", "QW-68")
def test_a_line_is_straight_and_ends_at_its_end():
    bench = make_bench()
    path, syncs = [], 0
    drive(bench, Command.MOVE_POINT, 0.06, -0.6, 0.0)

    def watch():
        if bench.computer.line.state in (Line.CALC, Line.MOVING):
            path.append(bench.foot())

    said = drive(
        bench, Command.LINE, 0.06, -0.6, 0.0, -0.06, -0.6, 0.0, each_pass=watch
    )
    syncs = sum(m.report == SYNC for m in said)
    assert syncs == 40  # one at the begin, one at each via point but the last
    heights = [y for _, y, _ in path]
    assert max(abs(y + 0.6) for y in heights) < 0.006
    assert all(abs(z) < 0.003 for _, _, z in path)
    assert foot_error(bench, (-0.06, -0.6, 0.0)) < 0.007


@pytest.mark.capability("QW-66")
@pytest.mark.parametrize("begin", [-0.16, -0.235])  # -0.235: out of reach as it is
def test_a_sole_is_laid_flatter_where_its_leg_cannot_keep_its_tilt(begin):
    bench = make_bench(LegCfg(touch=TouchCfg(keeps_tilt=True)))
    drive(bench, Command.MOVE_POINT, begin + 0.03, -0.57, 0.0)
    computer = bench.computer
    computer.touch.pitch = math.radians(11.0)  # as after a foothold on a stone

    def watch():
        assert computer.work.solved <= 1  # what the chip's timing allows

    line = (begin, -0.57, 0.0, -0.245, -0.57, 0.0)
    said = drive(bench, Command.LINE, *line, each_pass=watch)
    assert kinds(said) == [Report.READY]
    assert foot_error(bench, (-0.245, -0.57, 0.0)) < 0.007
    kept = computer.touch.pitch
    assert math.radians(1.0) < kept < math.radians(9.5)
    assert float(foot_pitch(bench.q)) == pytest.approx(kept, abs=0.03)
    said = drive(bench, Command.LINE, -0.33, -0.57, 0.0, -0.34, -0.57, 0.0)
    assert said[-1] == Message(Report.OUT_OF_RANGE)  # level soles have a reach, too
    assert computer.touch.pitch == kept


@pytest.mark.capability("QW-68")
def test_via_points_are_even_and_include_the_end():
    begin, end = (0.1, -0.6, 0.02), (-0.1, -0.61, -0.02)
    count = num_line_points(begin, end, 0.003)
    points = [begin] + [line_point(begin, end, i, count) for i in range(1, count + 1)]
    assert points[-1] == pytest.approx(end, abs=1e-15)
    gaps = [math.dist(a, b) for a, b in itertools.pairwise(points)]
    assert max(gaps) <= 0.003 + 1e-12
    assert max(gaps) - min(gaps) < 1e-12
    assert num_line_points(begin, begin, 0.003) == 0
    assert num_line_points((0, 0, 0), (0.03, 0, 0), 0.003) == 10


@pytest.mark.capability("QW-67")
def test_the_next_point_is_solved_while_the_leg_moves():
    bench = make_bench()
    drive(bench, Command.MOVE_POINT, 0.06, -0.6, 0.0)
    solved_moving, solved_still = 0, 0

    def watch():
        nonlocal solved_moving, solved_still
        if bench.computer.line.index and bench.computer.work.solved:
            busy = not bench.computer.control.are_all_idle()
            solved_moving += busy
            solved_still += not busy
        assert bench.computer.work.solved <= 1  # what the chip's timing allows

    drive(bench, Command.LINE, 0.06, -0.6, 0.0, -0.06, -0.6, 0.0, each_pass=watch)
    assert solved_moving > 30
    assert solved_moving > 3 * solved_still


@pytest.mark.capability("QW-128")
def test_a_sideways_stroke_keeps_its_yaw_and_one_beside_the_hip_is_refused():
    bench = make_bench(ground=flat)
    a = 0.05
    drive(bench, Command.MOVE_POINT, a, -0.6, a)
    yaws = []

    def watch():
        if bench.computer.line.state in (Line.CALC, Line.MOVING):
            yaws.append(bench.q[0])

    said = drive(bench, Command.DO_STEP, a, FLAT, a, -a, FLAT, -a, each_pass=watch)
    assert kinds(said) == [Report.FOUND, Report.READY]
    assert len(yaws) > 100
    assert max(abs(y - math.pi / 4) for y in yaws) < 0.03
    bench = make_bench()
    said = drive(bench, Command.LINE, 0.03, -0.6, 0.01, -0.03, -0.6, 0.01)
    assert kinds(said) == [Report.ERROR]
    assert said[-1].values == (4.0,)


@pytest.mark.capability("QW-72")
def test_the_speed_command_limits_the_following_jobs():
    took = {}
    for speed in (80, 240):
        bench = make_bench()
        drive(bench, Command.SPEED, speed)
        start = bench.now
        drive(bench, Command.MOVE_POINT, 0.0, -0.42, 0.0)
        took[speed] = bench.now - start
    assert took[80] > 1.6 * took[240]


@pytest.mark.capability("QW-122", "QW-118")
def test_an_unreachable_point_is_reported_and_the_leg_stays():
    bench = make_bench()
    here = list(bench.q)
    said = drive(bench, Command.MOVE_POINT, 0.0, -0.8, 0.0)
    assert said == [Message(Report.OUT_OF_RANGE)]
    bench.run(0.5)
    assert bench.q == here
    assert bench.speeds == [0] * 4
    said = drive(bench, Command.MOVE_ANGLE, 2.0, -2.0, 1.0, 2.0)
    assert said == [Message(Report.OUT_OF_RANGE)]
    assert kinds(drive(bench, Command.MOVE_POINT, 0.0, -0.5, 0.0)) == [Report.READY]


@pytest.mark.capability("QW-61")
@pytest.mark.parametrize("after", [0.01, 0.3, 1.0, 1.7, 2.6, 3.3, 4.0])
def test_stop_is_obeyed_in_any_state(after):
    bench = make_bench(ground=flat)
    bench.command(Command.DO_STEP, *BEGIN, *END)
    while bench.now < after:
        for message in bench.step():
            if message.report == SYNC:
                bench.command(Command.NEXT)
    bench.command(Command.STOP)
    bench.step()
    assert bench.codes == [0] * 4
    assert bench.speeds == [0] * 4
    states = bench.computer.states()
    assert set(states.values()) == {"IDLE"}
    said = drive(bench, Command.MOVE_POINT, 0.0, -0.58, 0.0)
    assert kinds(said) == [Report.READY]


@pytest.mark.capability("QW-113")
def test_legs_differ_in_their_number_only():
    cfgs = make_leg_cfgs(LegCfg(min_step=0.004))
    assert [cfg.number for cfg in cfgs] == [1, 2, 3, 4]
    assert {cfg.replace(number=1) for cfg in cfgs} == {cfgs[0]}
