import pytest

from amee_bench import drive, kinds, make_bench, noiseless
from gelenk.robots.amee.config import LegCfg, RotationCfg
from gelenk.robots.amee.leg.control.record import Rotation
from gelenk.robots.amee.leg.hardware import Bridge
from gelenk.robots.amee.wire import Command, Report


def chain(bench, *, brute_force, steps=8, counts=3):
    """Drive the knee through a chain of short moves; return the time it takes."""
    control = bench.computer.control
    bench.run(0.02)
    target = list(bench.computer.io.angles)
    start = bench.now
    for _ in range(steps):
        target[2] += counts
        control.start(target, brute_force=brute_force)
        bench.run(2.0, control.are_all_idle)
    return bench.now - start


@pytest.mark.capability("QW-49")
def test_a_chain_of_short_moves_is_much_quicker_without_ramps():
    gentle = chain(make_bench(), brute_force=False)
    quick = chain(make_bench(), brute_force=True)
    assert quick < 0.5 * gentle


def test_a_short_move_ends_in_a_hold_and_is_not_corrected():
    bench = make_bench(bench=noiseless())
    chain(bench, brute_force=True, steps=1)
    assert bench.codes[2] == Bridge.HOLD
    assert bench.speeds[2] == 255
    bench.q[2] += 0.05
    bench.run(0.5)
    assert bench.qd[2] == 0.0
    assert bench.codes[2] == Bridge.HOLD


@pytest.mark.capability("QW-50")
def test_the_gentle_control_may_take_over_in_the_middle_of_a_move():
    bench = make_bench()
    control = bench.computer.control
    target = list(bench.computer.io.angles)
    target[2] += 80
    control.start(target, brute_force=True)
    bench.run(0.2)
    assert bench.qd[2] > 0.2
    for actor in control.actors:
        actor.brute_force = False
    states = set()
    bench.run(3.0, lambda: states.add(control.actors[2].rotation) or False)
    assert Rotation.BREAKING in states
    assert abs(bench.computer.io.angles[2] - target[2]) <= 2
    target[2] -= 80
    control.start(target)
    bench.run(0.2)
    for actor in control.actors:
        actor.brute_force = True
    bench.run(3.0, control.are_all_idle)
    assert bench.computer.io.angles[2] <= target[2] + 1


@pytest.mark.capability("QW-51")
def test_speed_is_learned_from_arrival_and_overshoot():
    bench = make_bench()
    control = bench.computer.control
    actor, judge = control.actors[2], control._brute.judge
    actor.direction, actor.learned = 1, 100
    actor.actual = 500
    judge(actor, 500, 200)  # hit
    assert actor.learned == 101
    judge(actor, 498, 200)  # two counts too far: within a degree
    assert actor.learned == 101
    judge(actor, 496, 200)  # more than a degree
    assert actor.learned == 96
    for _ in range(50):
        judge(actor, 490, 200)
    assert actor.learned == 1
    for _ in range(500):
        judge(actor, 500, 200)
    assert actor.learned == 200
    # in use it neither runs away nor stalls
    for counts in (4, -4, 4):
        chain(bench, brute_force=True, steps=8, counts=counts)
    assert 20 < actor.learned <= control.speed


def test_a_target_out_of_range_is_refused_here_too():
    bench = make_bench(LegCfg(rotation=RotationCfg(range_tolerance=3)))
    bench.command(Command.MOVE_POINT, 0.1, -0.5, 0.0)
    bench.run(0.2)
    target = list(bench.computer.io.angles)
    bench.computer.control.start([2000, *target[1:]], brute_force=True)
    said = drive(bench, Command.NEXT, seconds=1.0)
    assert kinds(said) == [Report.OUT_OF_RANGE]
    assert bench.speeds == [0] * 4
