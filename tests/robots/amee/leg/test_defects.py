"""Dead, torn and locked joints are told apart by motion and current."""

from __future__ import annotations

import math

import pytest

from amee_bench import make_bench
from gelenk.robots.amee.config import LegCfg, RotationCfg
from gelenk.robots.amee.wire import Command, ErrorCode, Message, Report

MOVE = (Command.MOVE_POINT, 0.0, -0.45, 0.0)
KNEE = 2


def said_of_knee(code: ErrorCode) -> Message:
    return Message(Report.ERROR, (float(code | (KNEE + 1) << 4),))


def first_trouble(bench, seconds: float = 4.0) -> Message | None:
    bad = (Report.ERROR, Report.COLLISION)
    bench.run(seconds, lambda: any(m.report in bad for _, m in bench.messages))
    return next((m for _, m in bench.messages if m.report in bad), None)


@pytest.mark.capability("QW-94")
def test_a_drive_without_current_is_dead_if_its_joint_stays() -> None:
    bench = make_bench()
    bench.command(*MOVE)
    bench.run(0.2)
    bench.dead_drives.add(KNEE)
    assert first_trouble(bench) == said_of_knee(ErrorCode.DRIVE_DEFECT)
    assert bench.now < 2.0


def test_a_joint_that_swings_without_current_is_torn() -> None:
    bench = make_bench()
    bench.command(*MOVE)
    bench.run(0.2)
    bench.dead_drives.add(KNEE)
    middle, begin = bench.q[KNEE], bench.now

    def swing() -> bool:
        bench.q[KNEE] = middle + 0.05 * math.sin(12.0 * (bench.now - begin))
        return any(m.report == Report.ERROR for _, m in bench.messages)

    bench.run(4.0, swing)
    assert bench.messages[-1][1] == said_of_knee(ErrorCode.MECHANICAL_DEFECT)


def test_a_held_joint_that_gives_way_is_torn_and_said_once() -> None:
    bench = make_bench(LegCfg(rotation=RotationCfg(idle_mode="hold")))
    bench.run(0.2)
    assert bench.messages == []
    for _ in range(200):
        bench.q[KNEE] += 0.002
        bench.run(0.002)
    assert [m for _, m in bench.messages] == [said_of_knee(ErrorCode.MECHANICAL_DEFECT)]


def test_a_joint_that_cannot_even_back_off_is_locked() -> None:
    bench = make_bench()
    bench.command(*MOVE)
    bench.run(0.3)
    place = bench.q[KNEE]

    def lock() -> bool:
        bench.q[KNEE], bench.qd[KNEE] = place, 0.0
        return any(m.report != Report.FOUND for _, m in bench.messages)

    bench.run(6.0, lock)
    assert bench.messages[-1][1] == said_of_knee(ErrorCode.MECHANICAL_DEFECT)
    assert sum("collision" in text for _, text in bench.computer.journal) == 1


def test_a_healthy_leg_is_never_accused() -> None:
    bench = make_bench()
    for x in (0.08, -0.08, 0.0):
        bench.command(Command.MOVE_POINT, x, -0.5, 0.1 * x)
        bench.run_until(Report.READY)
    assert {m.report for _, m in bench.messages} == {Report.READY}
