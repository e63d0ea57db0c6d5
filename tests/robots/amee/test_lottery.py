"""Faults drawn at random: fairly, named, and without a fall."""

from __future__ import annotations

from collections import Counter

import pytest

from gelenk.robots.amee.bus import ProcessLeg
from gelenk.robots.amee.faults import BodyFault
from gelenk.robots.amee.lottery import (
    EARLIEST,
    KINDS,
    LATEST,
    RIGHT,
    Kind,
    draw_fault,
    lottery,
)
from gelenk.robots.amee.session import Session, WalkCfg


def test_every_kind_leg_and_joint_is_drawn_alike() -> None:
    faults = [draw_fault(seed) for seed in range(2000)]
    kinds = Counter(fault.kind for fault in faults)
    assert set(kinds) == set(KINDS) == set(RIGHT)
    assert all(130 < n < 270 for n in kinds.values())  # 5 sigma around 200
    assert set(Counter(fault.leg for fault in faults)) == {0, 1, 2, 3}
    joints = Counter(f.part for f in faults if isinstance(f, BodyFault))
    assert all(220 < n < 380 for n in joints.values())
    assert all(EARLIEST <= fault.start <= LATEST for fault in faults)
    assert draw_fault(7) == draw_fault(7) != draw_fault(8)


def early(kind: Kind) -> int:
    """Return a seed whose fault strikes while the first foot is in the air."""
    return next(s for s in range(1000) if 1.6 < draw_fault(s, (kind,)).start < 2.2)


@pytest.mark.slow
@pytest.mark.capability("QW-118")
@pytest.mark.parametrize("kind", ["sensor_wire", "killed"])
def test_a_drawn_fault_is_named_with_its_place_and_nothing_falls(kind: Kind) -> None:
    draw = lottery(early(kind), kinds=(kind,))
    assert draw.ending == "stopped"
    assert draw.is_named
    assert draw.is_placed, (draw.place, draw.diagnosis)
    assert draw.result.warned


@pytest.mark.slow
@pytest.mark.capability("QW-101")
def test_the_other_careful_order_starts_crosswise_and_knows_its_margin() -> None:
    session = Session(WalkCfg(gait="alternative", seed=3))
    try:
        while session.walker.steps < 2 and session.world.time < 20.0:
            session.tick()
        assert [leg + 1 for leg, _, _ in session.walker.footfalls] == [4, 2]
        (_, _, down), (_, lifted, _) = session.walker.footfalls
        assert lifted >= down  # one foot at a time
        seen = session.world.truth.verdict().min_margin
        assert session.coordinator.least_margin == pytest.approx(seen, abs=0.03)
        assert seen > 0.0
    finally:
        session.close()


@pytest.mark.slow
def test_a_robot_with_a_leg_in_processes_moves_bit_by_bit_like_one_without() -> None:
    hashes: list[list[str]] = []
    for is_process in (False, True):
        session = Session(WalkCfg(gait="crawl", seed=3))
        if is_process:  # the leg that steps first
            last = session.legs[3]
            leg = ProcessLeg(last.mcu.computer.cfg, session.world.legs[3])
            session.links = (*session.legs[:3], leg)
        try:
            found: list[str] = []
            while session.world.time < 1.6:
                session.tick()
                found.append(session.world.world.state_hash())
            hashes.append(found)
        finally:
            session.close()
    assert hashes[0] == hashes[1]
    assert len(set(hashes[0])) == len(hashes[0])
