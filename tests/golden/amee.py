"""Six short walks of AMEE: flat, rubble, slope, and three with a fault.

Where a foot strikes decides where the next one is put, so that walks on two machines
part after some steps. Figures tell of the first seconds nearly exactly, and of the end
only how far it came, whether it fell, and what it took for broken.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

import numpy as np

from gelenk.robots.amee.coordinator.link import LinkFault
from gelenk.robots.amee.fault_plan import read_fault
from gelenk.robots.amee.faults import BodyFault
from gelenk.robots.amee.gaits.config import GaitName
from gelenk.robots.amee.session import Session, WalkCfg
from golden.records import Found, Record, digest, figure

EARLY = 3.0  # [s], while the first foot is in the air


@dataclass(frozen=True, kw_only=True)
class Walk:
    """A walk of some seconds."""

    gait: GaitName = "save"
    terrain: str = "flat"
    fault: BodyFault | LinkFault | None = None
    seconds: float = 48.0


def go(walk: Walk) -> Found:
    """Let AMEE walk; return its state and what it and its judge say."""
    cfg = WalkCfg(
        gait=walk.gait,
        terrain=walk.terrain,
        seed=4,
        faults=() if walk.fault is None else (walk.fault,),
    )
    session = Session(cfg)
    ended = run_to(session, EARLY)
    early = session.result().verdict
    ended = min(ended, run_to(session, walk.seconds))
    result, verdict = session.result(), session.result().verdict
    state = session.world.world.state_hash()
    session.close()
    times = np.array([entry.time for entry in result.log])
    bits = {
        "state": state,
        "footfalls": digest(np.array(result.footfalls)),
        "log": digest(times),
        "torques": digest(verdict.max_torque),
        "cost": digest(verdict.energy, result.min_margin, result.estimated_margin),
    }
    figures = {
        "early_distance": figure(early.distance, absolute=0.005),
        "early_sideways": figure(early.sideways, absolute=0.005),
        "early_tilt": figure(early.max_tilt, absolute=0.005),
        "early_margin": figure(early.min_margin, absolute=0.01),
        "early_energy": figure(early.energy, relative=0.05),
        "steps": figure(result.steps, absolute=4.0),
        "distance": figure(verdict.distance, absolute=0.3),
        "fell": figure(result.fell),
        "leg": figure(result.cause.leg),
        "actor": figure(result.cause.actor),
    }
    if math.isfinite(ended):
        figures["ended"] = figure(ended, absolute=0.2)
    return Found(bits, figures)


def run_to(session: Session, time: float) -> float:
    """Run to a time [s]; return when the walk ended, infinity if it did not."""
    ended = math.inf
    while session.world.time < time:
        session.tick()
        if session.coordinator.state != "walking":
            ended = min(ended, session.world.time)
    return ended


def with_fault(fault: BodyFault | LinkFault) -> Record:
    """Return a walk in which something breaks."""
    return partial(go, Walk(fault=fault, seconds=8.0))


RECORDS: dict[str, Record] = {
    "flat": partial(go, Walk(gait="fast")),
    "rubble": partial(go, Walk(terrain="rubble:5cm")),
    "slope": partial(go, Walk(gait="alternative", terrain="slope:8deg")),
    "sensor_fault": with_fault(read_fault("sensor_wire:4C@2")),
    "joint_fault": with_fault(read_fault("joint_locked:4B@2")),
    "computer_fault": with_fault(LinkFault(kind="hung", leg=3, start=2.0)),
}
