"""Uphill and downhill: soles lie on the ramp, and a robot that stops stays there."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gelenk.robots.amee.coordinator.coordinator import Coordinator
from gelenk.robots.amee.gaits.walking import walk_ahead
from gelenk.robots.amee.session import Session, WalkCfg

RISE = math.atan(0.25)  # [rad], a slope of 25 %
FRONT = (0, 1)


def walk_until(session: Session, distance: float, limit: float) -> None:
    """Let the torso come so far [m], then let all feet stand."""
    while session.world.time < limit and session.coordinator.state == "walking":
        session.tick()
        has_come = session.world.world.pose("amee/torso")[0, 3] >= distance
        if has_come and all(view.stands for view in session.desk.legs):
            return


def soles(session: Session) -> list[float]:
    """Return how far the front soles are turned from the ramp [rad]."""
    sign = math.copysign(1.0, session.cfg.terrain.amount)  # type: ignore[union-attr]
    normal = np.array([-sign * math.sin(RISE), 0.0, math.cos(RISE)])
    angles = []
    for leg in FRONT:
        up = session.world.world.pose(f"amee/foot_{leg + 1}")[:3, 2]
        angles.append(math.acos(min(float(up @ normal), 1.0)))
    return angles


@pytest.mark.slow
@pytest.mark.capability("QW-129")
@pytest.mark.capability("QW-109")
@pytest.mark.parametrize("way", ["", "-"])
def test_feet_lie_down_on_a_ramp_and_a_robot_that_stops_there_goes_on(way: str) -> None:
    terrain = f"slope:{way}{math.degrees(RISE):.2f}deg"
    session = Session(WalkCfg(gait="crawl", terrain=terrain, distance=2.0, seed=7))
    try:
        walk_until(session, 0.45, 180.0)
        assert session.coordinator.state == "walking", session.desk.journal.entries
        assert max(soles(session)) < math.radians(6.0)  # level ones would be 14 off
        session.coordinator.stop()
        begin = session.world.time
        while session.world.time < begin + 1.0:
            session.tick()
        held = session.world.world.pose("amee/torso")[:3, 3].copy()
        while session.world.time < begin + 4.0:
            session.tick()
        slid = session.world.world.pose("amee/torso")[:3, 3] - held
        assert np.linalg.norm(slid) < 0.005
        assert session.world.truth.margin > 0.05
        plan = walk_ahead(session.walker, "crawl", session.desk.way.x + 0.2)
        session.coordinator = Coordinator(session.desk, plan)
        walk_until(session, held[0] + 0.05, begin + 100.0)
        assert session.world.world.pose("amee/torso")[0, 3] >= held[0] + 0.05
        assert not session.world.truth.verdict().has_fallen
    finally:
        session.close()
