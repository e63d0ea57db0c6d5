"""Legs that are processes: the same as legs in this one, and gone when they should."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest

from amee_bench import FLAT, flat
from gelenk.errors import ConfigError
from gelenk.robots.amee.bus import Caller, LegProcesses, ProcessLeg
from gelenk.robots.amee.bus.leg_process import StandCfg
from gelenk.robots.amee.config import LegCfg
from gelenk.robots.amee.coordinator.link import LocalLeg
from gelenk.robots.amee.leg import Bench
from gelenk.robots.amee.wire import Command, Message, Report, Request

STEP = Request(Command.DO_STEP, (0.03, FLAT, 0.0, -0.03, FLAT, 0.0))


def is_alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().split()[2] != "Z"
    except FileNotFoundError:
        return False


def wait_for(holds: Callable[[], bool], seconds: float = 20.0) -> bool:
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        time.sleep(0.02)
    return holds()


def walk(leg: Any, bench: Bench, passes: int) -> list[tuple[Any, ...]]:
    """Order a step, release each sync; return the trajectory and what was said."""
    seen: list[tuple[Any, ...]] = []
    for k in range(passes):
        said = tuple(leg.pass_once(bench.now))
        seen.append((bench.now, *bench.q, *bench.codes, *bench.speeds, said))
        for message in said:
            if message.report == Report.SYNC:
                leg.send(Request(Command.NEXT))
        if k == 40:
            leg.send(STEP)
        bench.advance(bench.cfg.pass_period)
    return seen


@pytest.mark.slow
@pytest.mark.capability("QW-127")
def test_a_leg_in_processes_does_bit_by_bit_what_one_here_does() -> None:
    here = Bench(LegCfg(), ground=flat)
    expected = walk(LocalLeg(here.cfg, here), here, 2500)
    kinds = {m.report for row in expected for m in row[-1]}
    assert kinds == {Report.SYNC, Report.FOUND, Report.READY}
    there = Bench(LegCfg(), ground=flat)
    with ProcessLeg(there.cfg, there) as leg:
        pids = (leg.processes.leg.pid, leg.processes.ethernet.pid)
        assert walk(leg, there, 2500) == expected
        assert leg.ask()["states"]["motion"]
        # a hung loop is restarted by the watchdog and says so, as here
        leg.hang()
        said: list[Message] = []
        for _ in range(600):
            said += leg.pass_once(there.now)
            there.advance(there.cfg.pass_period)
        assert Message(Report.ERROR, (7.0,)) in said
        # killed: silent from then on, and nothing waits
        leg.kill()
        assert leg.is_dead
        assert leg.pass_once(there.now) == ()
        leg.send(STEP)
    assert not any(is_alive(pid) for pid in pids)


@pytest.mark.slow
@pytest.mark.capability("QW-89")
def test_a_leg_on_its_stand_obeys_over_http_and_a_taken_port_is_named() -> None:
    processes = LegProcesses(LegCfg(), 0, StandCfg(ground=None))
    try:
        processes.wait_ready()
        caller = Caller(processes.port)
        assert caller.call(Request(Command.MOVE_POINT, (0.0, -0.55, 0.0)))[0] == 200
        assert processes.inbox.take(1, timeout=30.0) == [Message(Report.READY)]
        foot = processes.ask()["foot"]
        assert foot == pytest.approx((0.0, -0.55, 0.0), abs=0.01)
        caller.close()
        other = LegProcesses(LegCfg(), processes.port, StandCfg())
        with pytest.raises(ConfigError, match=f"port {processes.port} cannot be"):
            other.wait_ready()
        other.close()
    finally:
        pids = (processes.leg.pid, processes.ethernet.pid)
        processes.close()
        processes.close()
    assert not any(is_alive(pid) for pid in pids)


PARENT = """
import sys, time
from gelenk.robots.amee.bus import LegProcesses
from gelenk.robots.amee.bus.leg_process import StandCfg
from gelenk.robots.amee.config import LegCfg
leg = LegProcesses(LegCfg(), 0, StandCfg())
print(leg.leg.pid, leg.ethernet.pid, flush=True)
leg.wait_ready()
print("ready", flush=True)
time.sleep(60)
"""


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_processes_end_with_their_parent_however_it_ends(how: signal.Signals) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert parent.stdout is not None
        pids = [int(word) for word in parent.stdout.readline().split()]
        if how == signal.SIGINT:  # while they work; killed: while they start
            assert parent.stdout.readline() == "ready\n"
        assert all(is_alive(pid) for pid in pids)
        os.kill(parent.pid, how)
        assert wait_for(lambda: not any(is_alive(pid) for pid in pids))
    finally:
        parent.kill()
        parent.communicate()
