import numpy as np
import pytest

from amee_bench import BEGIN, END, drive, flat, make_bench
from experiments.amee.stop_latency import measure_stop_latency
from gelenk.errors import ConfigError
from gelenk.robots.amee.config import LegCfg, LegGeometry
from gelenk.robots.amee.timing import (
    ISR_CHANNELS,
    ISR_PERIOD,
    LOOP_PASS,
    LOW_CLOCK,
    MOVE_POINT,
    USART_BYTE,
    McuTiming,
    PassWork,
    stop_bound,
    sync_time,
    transfer_time,
    with_interrupts,
)
from gelenk.robots.amee.wire import Command

FAST, SLOW = McuTiming(), McuTiming(clock=LOW_CLOCK)
BUSY = {"received": True, "sent": True, "touched": True, "looked": True, "idle": 0}


@pytest.mark.capability("QW-26")
def test_printed_times_come_out_of_the_model():
    us = 1e6
    worst = PassWork(dispatched=True, decelerating=4, **BUSY)
    assert FAST.duration(worst) * us == pytest.approx(633.98)
    with_ik = PassWork(dispatched=True, decelerating=4, solved=1, **BUSY)
    assert FAST.duration(with_ik) * us == pytest.approx(1332.8)
    assert stop_bound(FAST) * us == pytest.approx(1666.8)
    assert sync_time(FAST) * us == pytest.approx(1935.96, abs=0.5)
    assert transfer_time(13, FAST) * us == pytest.approx(8241.7, abs=0.1)
    assert USART_BYTE * us == pytest.approx(69.4, abs=0.1)
    assert ISR_PERIOD * ISR_CHANNELS * us == pytest.approx(55.2)
    assert with_interrupts(MOVE_POINT, literal=True) * us == pytest.approx(
        895.44, abs=0.02
    )
    assert with_interrupts(MOVE_POINT) * us == pytest.approx(964, abs=0.5)
    assert SLOW.duration(worst) / FAST.duration(worst) == pytest.approx(18.432 / 16)
    assert (FAST.min_step(), SLOW.min_step()) == (0.003, 0.005)
    with pytest.raises(ConfigError, match="clock"):
        McuTiming(clock=0.0)


@pytest.mark.slow
@pytest.mark.capability("QW-26", "QW-25")
def test_a_whole_step_keeps_every_pass_within_the_bound():
    bench = make_bench(LegCfg(pass_period=LOOP_PASS, min_step=0.006), ground=flat)
    longest = [0.0, 0.0]

    def watch():
        work = bench.computer.work
        longest[min(work.solved, 1)] = max(
            longest[min(work.solved, 1)], FAST.duration(work)
        )

    drive(bench, Command.DO_STEP, *BEGIN, *END, each_pass=watch)
    assert 0.3e-3 < longest[0] <= LOOP_PASS
    assert 1.0e-3 < longest[1] <= FAST.longest_pass_ik


@pytest.mark.slow
@pytest.mark.capability("QW-61", "QW-87")
def test_stop_takes_the_current_within_the_bound_under_a_flood():
    result = measure_stop_latency(100, np.random.default_rng(3))
    assert len(result.times) == 100
    assert result.times.max() <= result.bound == stop_bound(FAST)
    assert result.times.min() > 100e-6
    assert result.passes.max() > LOOP_PASS  # passes with inverse kinematics were met


def test_the_register_refuses_nonsense():
    with pytest.raises(ConfigError, match="leg number"):
        LegCfg(number=5)
    with pytest.raises(ConfigError, match="polling of the toes"):
        LegCfg(pass_period=0.02)
    with pytest.raises(ConfigError, match="one reading"):
        LegCfg(average=0)
    with pytest.raises(ConfigError, match="4 actors"):
        LegCfg(limits=((0.0, 1.0),))
    geometry = LegGeometry()
    below = geometry.thigh + geometry.shank + geometry.hip_drop + geometry.sole_drop
    assert below == pytest.approx(0.665)
