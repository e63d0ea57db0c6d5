import itertools
import math

import pytest

from amee_bench import drive, flat, kinds, make_bench
from gelenk.robots.amee.config import LegCfg, TorqueCfg
from gelenk.robots.amee.leg.control.record import Actor, Rotation, Torque
from gelenk.robots.amee.leg.control.torque import TorqueCtrl, retreat_targets
from gelenk.robots.amee.leg.hardware import Bridge
from gelenk.robots.amee.wire import Command, Message, Report

KNEE = 2
LEFT = int(Bridge.LEFT)


def wall(at, stiffness=2000.0, until=math.inf):
    """A stiff obstacle against the knee from an angle on [rad], [N m/rad]."""

    def load(i, q, qd, t):
        if i != KNEE or t > until:
            return 0.0
        return -max(0.0, stiffness * (q - at) + 20.0 * qd) if q > at else 0.0

    return load


def record(torque=None, drive_=None, state=Rotation.MOVING):
    actor = Actor(2, (0, 1000), window=10, moved=10)
    actor.rotation = state
    for value, pulse in zip(torque or [0] * 10, drive_ or [150] * 10, strict=True):
        actor.observe(500, value, pulse)
    return actor


def feel(ctrl, actor, *, grounded=False):
    return any(ctrl.has_collided(actor, is_grounded=grounded) for _ in range(2))


NM = LegCfg().torque_counts


@pytest.mark.capability("QW-52", "QW-53", "QW-54")
@pytest.mark.parametrize(
    ("profile", "state", "hit"),
    [
        ([2] * 5 + [4, 6, 8, 9, 9], Rotation.MOVING, True),
        ([2] * 5 + [4, 6, 8, 9, 9], Rotation.DECELERATING, True),
        ([2] * 5 + [4, 6, 8, 9, 9], Rotation.ACCELERATING, False),
        ([1] * 5 + [2, 3, 4, 4.5, 4.5], Rotation.MOVING, False),  # a twig: too small
        ([8, 8, 9, 9, 9, 10, 10, 10, 10, 10], Rotation.MOVING, False),  # heavy, slow
    ],
)
def test_a_collision_is_a_steep_rise_above_a_threshold(profile, state, hit):
    ctrl = TorqueCtrl(LegCfg())
    actor = record([round(NM(t)) for t in profile], state=state)
    assert feel(ctrl, actor) == hit


def test_own_commands_and_ground_explain_a_rise():
    ctrl = TorqueCtrl(LegCfg())
    rise = [round(NM(t)) for t in [2] * 5 + [4, 6, 8, 9, 9]]
    assert feel(ctrl, record(rise))
    assert not feel(ctrl, record(rise), grounded=True)
    assert not feel(ctrl, record(rise, [70] * 5 + [90, 120, 140, 150, 150]))
    assert not feel(ctrl, record(rise, [150] * 4 + [0] + [150] * 5))  # just started


@pytest.mark.capability("QW-54")
def test_the_absolute_maximum_holds_in_every_state():
    ctrl = TorqueCtrl(LegCfg())
    heavy = [round(NM(20.5))] * 10
    for state in (Rotation.ACCELERATING, Rotation.MOVING, Rotation.CHANGE_DIR):
        actor = record(heavy, state=state)
        assert ctrl.is_overloaded(actor, LEFT, 1.0, is_grounded=False)
        assert not ctrl.is_overloaded(actor, int(Bridge.HOLD), 1.0, is_grounded=False)
    actor = record(heavy)
    times = [1.0, 1.1, 1.29, 1.31]
    assert [ctrl.is_overloaded(actor, LEFT, t, is_grounded=True) for t in times] == [
        False,
        False,
        False,
        True,
    ]


@pytest.mark.capability("QW-55")
def test_the_reflex_backs_off_against_every_pattern_of_directions():
    for signs in itertools.product((-1, 1), repeat=4):
        actors = [record() for _ in range(4)]
        for actor, sign in zip(actors, signs, strict=True):
            actor.direction, actor.start = sign, 500 - 200 * sign
        moved = [t - 500 for t in retreat_targets(actors, 0.1, by_range=True)]
        assert moved == [-100 * sign for sign in signs]
        moved = [t - 500 for t in retreat_targets(actors, 0.1, by_range=False)]
        assert moved == [-20 * sign for sign in signs]
        actors[1].rotation = Rotation.IDLE
        actors[3].low, actors[3].high = 490, 510
        targets = retreat_targets(actors, 2.0, by_range=True)
        assert targets[1] == 500
        assert targets[3] == (490 if signs[3] > 0 else 510)


@pytest.mark.capability("QW-56", "QW-111")
def test_a_wall_is_tried_four_times_and_then_reported():
    bench = make_bench()
    drive(bench, Command.MOVE_POINT, 0.0, -0.62, 0.0)
    begin = bench.q[KNEE]
    bench._load = wall(begin + 0.6)
    hits, targets, before = [], [], [False]

    def watch():
        control = bench.computer.control
        waits = control.actors[KNEE].torque_state == Torque.WAIT
        if waits and not before[0]:
            hits.append(bench.now)
            assert bench.q[KNEE] > begin + 0.5
        before[0] = waits
        if not waits and control.actors[KNEE].rotation == Rotation.ACCELERATING:
            targets.append(control.actors[KNEE].target)

    said = drive(bench, Command.MOVE_POINT, 0.0, -0.42, 0.0, each_pass=watch)
    assert kinds(said) == [Report.COLLISION]
    assert said[-1] == Message(Report.COLLISION, (float(KNEE),))
    assert len(hits) == 3  # the fourth ends the job in the same pass
    assert sum("collision" in text for _, text in bench.computer.journal) == 4
    assert all(b - a >= 1.0 for a, b in itertools.pairwise(hits))
    assert len(set(targets)) == 1  # each repeat drives the old target
    bench.run(0.5)
    assert bench.speeds == [0] * 4


@pytest.mark.capability("QW-52", "QW-55")
def test_a_collision_is_felt_within_20_ms_and_the_leg_backs_off():
    bench = make_bench()
    drive(bench, Command.MOVE_POINT, 0.0, -0.62, 0.0)
    begin = list(bench.q)
    at = begin[KNEE] + 0.6
    bench._load = wall(at)
    touched, felt = [], []

    def watch():
        if bench.q[KNEE] > at:
            touched.append(bench.now)
        if bench.computer.control.actors[KNEE].torque_state == Torque.WAIT:
            felt.append(bench.now)

    bench.command(Command.MOVE_POINT, 0.0, -0.42, 0.0)
    bench.run(3.0, lambda: watch() or bool(felt))
    assert felt[0] - touched[0] <= 0.020
    at_hit = list(bench.q)
    bench.run(0.8)
    for i in (1, 2, 3):  # every joint that moved has gone back a good way
        moved = math.copysign(1.0, at_hit[i] - begin[i])
        assert (bench.q[i] - at_hit[i]) * moved < -0.1


@pytest.mark.capability("QW-56")
def test_an_obstacle_that_gives_way_is_forgotten():
    bench = make_bench()
    drive(bench, Command.MOVE_POINT, 0.0, -0.62, 0.0)
    bench._load = wall(bench.q[KNEE] + 0.5, until=bench.now + 2.5)
    said = drive(bench, Command.MOVE_POINT, 0.0, -0.42, 0.0)
    assert kinds(said) == [Report.READY]
    assert any("collision 1" in text for _, text in bench.computer.journal)
    bench.run(0.1)
    assert bench.computer.security.collisions == 0


@pytest.mark.capability("QW-53")
def test_free_motion_and_a_twig_give_no_alarm():
    bench = make_bench()

    def twig(i, q, qd, t):
        return -3.0 if i == KNEE and 1.2 < q < 1.3 else 0.0

    bench._load = twig
    for pose in [(0.0, -0.42, 0.0), (0.1, -0.62, 0.05), (-0.1, -0.5, 0.0)] * 2:
        assert kinds(drive(bench, Command.MOVE_POINT, *pose)) == [Report.READY]
    assert not any("collision" in text for _, text in bench.computer.journal)


@pytest.mark.capability("QW-58")
def test_a_heavy_load_raises_the_speed_without_a_collision():
    pulses = {}
    for boost in (0, 40):
        torque = TorqueCfg(normal_max=7.0, speed_boost=boost)
        bench = make_bench(LegCfg(torque=torque))
        bench._load = lambda i, q, qd, t: -10.0 if i == KNEE else 0.0
        seen = pulses.setdefault(boost, [])
        said = drive(
            bench,
            Command.MOVE_POINT,
            0.0,
            -0.5,
            0.0,
            each_pass=lambda b=bench, s=seen: s.append(b.speeds[KNEE]),
        )
        assert kinds(said) == [Report.READY]
        assert not any("collision" in text for _, text in bench.computer.journal)
    assert len(pulses[40]) < len(pulses[0])


def test_an_overloaded_standing_leg_holds_instead_of_letting_go():
    bench = make_bench(ground=flat)
    drive(bench, Command.MOVE_POINT_TOUCH, 0.0, -0.63, 0.0)
    stood = list(bench.q)
    bench._load = lambda i, q, qd, t: -40.0 if i == KNEE and qd >= 0.0 else 0.0
    bench.command(Command.LINE, 0.0, -0.6, 0.0, -0.06, -0.6, 0.0)
    journal = bench.computer.journal
    bench.run(3.0, lambda: any("overload" in text for _, text in journal))
    bench.run(0.1)
    assert any("overload" in text for _, text in journal)
    assert bench.codes == [Bridge.HOLD] * 4
    assert abs(bench.q[KNEE] - stood[KNEE]) < 0.05
