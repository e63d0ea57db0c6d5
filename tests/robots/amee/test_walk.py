"""The whole robot: legs that think for themselves, a main controller, a world."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gelenk.robots.amee.coordinator.link import LinkFault
from gelenk.robots.amee.fault_plan import read_fault
from gelenk.robots.amee.gaits.stand import stand_up
from gelenk.robots.amee.session import Session, WalkCfg, WalkResult, walk
from gelenk.sim.appearance import compiled_world_of


def commands(session: Session) -> np.ndarray:
    """Voltages of the 16 drives, shares of 255."""
    return compiled_world_of(session.world.world).banks.motors.command[:16, 0]


def run_to(session: Session, time: float) -> None:
    while session.world.time < time:
        session.tick()


@pytest.fixture(scope="module")
def careful() -> WalkResult:
    return walk(WalkCfg(gait="save", distance=0.2, drive="geared", seed=4))


@pytest.mark.slow
@pytest.mark.capability("QW-100")
def test_save_walk_places_one_foot_at_a_time_in_its_order(careful: WalkResult) -> None:
    assert careful.arrived, careful.log
    assert not careful.fell
    assert careful.min_margin > 0.02
    assert [leg + 1 for leg, _, _ in careful.footfalls[:4]] == [4, 3, 1, 2]
    ends = [end for _, _, end in careful.footfalls]
    begins = [begin for _, begin, _ in careful.footfalls]
    assert all(b >= e for b, e in zip(begins[1:], ends[:-1], strict=True))


@pytest.mark.slow
@pytest.mark.capability("QW-103")
def test_the_torso_stays_at_its_height_while_walking(careful: WalkResult) -> None:
    assert careful.verdict.heave < 0.012  # direct moves would heave by 16 mm
    assert careful.verdict.max_tilt < math.radians(3.0)


@pytest.mark.slow
@pytest.mark.capability("QW-102")
@pytest.mark.capability("QW-125")
def test_fast_walk_swings_diagonal_pairs_in_antiphase() -> None:
    result = walk(WalkCfg(gait="fast", distance=0.15, drive="geared", seed=4))
    assert result.state == "arrived", result.log
    assert not result.fell
    assert result.min_margin > 0.0
    pairs = [{leg + 1 for leg, _, _ in result.footfalls[k : k + 2]} for k in (0, 2)]
    assert pairs == [{1, 3}, {2, 4}]
    first, _, second = result.footfalls[:3]
    assert second[1] >= first[2]  # no pair is lifted before the other one stands


@pytest.mark.slow
@pytest.mark.capability("QW-104")
def test_a_stop_takes_the_current_from_all_drives_and_nothing_tips() -> None:
    session = Session(WalkCfg(gait="save", drive="geared", seed=5))
    run_to(session, 2.0)
    while session.world.time < 2.9 and not commands(session).any():
        session.tick()
    assert commands(session).any()  # a foot is in the air and moves
    assert not session.desk.legs[3].stands
    session.coordinator.stop()
    session.tick()  # orders leave
    session.tick()  # legs take them in their next pass
    assert not commands(session).any()
    run_to(session, 4.0)
    assert session.world.truth.margin > 0.0
    assert session.world.truth.look().tilt < math.radians(3.0)
    assert session.coordinator.state == "stopped"


def test_one_seed_gives_one_walk_bit_by_bit() -> None:
    hashes = []
    for seed in (3, 3, 4):
        session = Session(WalkCfg(gait="crawl", seed=seed))
        run_to(session, 1.5)
        hashes.append(session.world.world.state_hash())
    assert hashes[0] == hashes[1] != hashes[2]


@pytest.mark.slow
@pytest.mark.capability("QW-118")
@pytest.mark.parametrize(
    ("fault", "kind", "place"),
    [
        (read_fault("sensor_wire:4C@2"), "sensor", "4C"),
        (LinkFault(kind="hung", leg=3, start=2.0), "restart", "4"),
        (LinkFault(kind="killed", leg=3, start=2.0), "silence", "4"),
    ],
)
def test_a_fault_is_named_and_the_robot_stops_without_a_fall(
    fault: object, kind: str, place: str
) -> None:
    assert isinstance(fault, LinkFault) or hasattr(fault, "place")
    result = walk(WalkCfg(gait="save", drive="geared", seed=6, faults=(fault,)))  # type: ignore[arg-type]
    assert (result.state, result.cause.kind) == ("stopped", kind)
    assert result.cause.place == place
    assert not result.fell
    assert result.warned


@pytest.mark.slow
def test_a_robot_on_its_belly_stands_up() -> None:
    # of this seed's drives one was so fast that its leg carried all the others
    session = Session(WalkCfg(drive="geared", seed=14), stand_up, start="parked")
    result = session.run()
    assert result.state == "arrived", result.log
    height = session.world.world.pose("amee/torso")[2, 3]
    assert height == pytest.approx(0.60, abs=0.02)
    assert session.world.truth.look().tilt < math.radians(2.0)
