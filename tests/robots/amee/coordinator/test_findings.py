"""What the main controller makes of reports, silence and repeats."""

from __future__ import annotations

import pytest

from gelenk.robots.amee.config import LegCfg
from gelenk.robots.amee.coordinator.desk import Desk, TroubleError
from gelenk.robots.amee.coordinator.diagnosis import NO_CAUSE, Cause
from gelenk.robots.amee.coordinator.link import LinkFault, LocalLeg
from gelenk.robots.amee.leg import Bench
from gelenk.robots.amee.wire import Command, ErrorCode, Message, Report, Request

FALL = Cause(kind="fall")
SENSOR = Message(Report.SENSOR_FAULT, (2.0,))
HIT = Message(Report.COLLISION, (1.0,))


def make_desk() -> Desk:
    return Desk(LegCfg(), [(0.0, -0.6, 0.0)] * 4)


def test_what_a_leg_says_of_itself_outweighs_how_the_walk_ended() -> None:
    desk = make_desk()
    desk.receive(1, HIT)
    assert desk.findings.verdict(FALL).kind == "fall"  # a collision is no defect
    desk.receive(3, SENSOR)
    verdict = desk.findings.verdict(FALL)
    assert (verdict.kind, verdict.place) == ("sensor", "4C")
    desk.receive(3, SENSOR)
    assert len([e for e in desk.journal.entries if "sensor" in e.text]) == 1


def test_a_leg_that_nobody_reaches_is_silent_a_slow_one_is_not() -> None:
    desk = make_desk()
    desk.findings.miss(2, is_certain=False)
    assert desk.findings.verdict(NO_CAUSE) == NO_CAUSE
    desk.findings.miss(2, is_certain=False)
    assert desk.findings.verdict(NO_CAUSE).kind == "link"
    desk.findings.break_off(0)
    assert desk.findings.verdict(NO_CAUSE).kind == "silence"
    with pytest.raises(TroubleError):
        desk.listen(())


def test_silence_of_a_leg_that_can_be_reached_means_lost_messages() -> None:
    verdict = make_desk().findings.verdict(Cause(kind="silence", leg=1))
    assert (verdict.kind, verdict.place) == ("link", "2")


@pytest.mark.capability("QW-87")
def test_a_leg_complains_of_babble_and_works_on() -> None:
    bench = Bench(LegCfg())
    fault = LinkFault(kind="babble", leg=0, start=0.1)
    leg, desk = LocalLeg(bench.cfg, bench, [fault]), make_desk()
    said: list[Message] = []
    for k in range(1000):
        if k == 60:
            assert leg.send(Request(Command.MOVE_POINT, (0.0, -0.58, 0.0)))
        said += leg.pass_once(bench.now)
        bench.advance(bench.cfg.pass_period)
    complaint = Message(Report.ERROR, (float(ErrorCode.REFUSED),))
    assert 5 <= said.count(complaint) <= 12  # one for 200 of about 1900
    assert said.count(Message(Report.READY)) == 1
    for message in said:
        desk.receive(0, message)
    assert desk.findings.verdict(NO_CAUSE).kind == "babble"
    assert [m.report for m in desk.legs[0].inbox] == [Report.READY]  # no trouble
