"""What `gelenk amee walk` does, without a terminal: from wishes to a plain document.

The document, all in SI units; names and meanings stay:

- `ok`: whether it arrived. `outcome`: `arrived`, `short` (it says so, the judge does
  not), `stopped` or `fallen`. `reason`: in words, empty if it arrived.
- `gait`, `distance_m`, `terrain`, `drive`, `seed`, `faults`, `processes`: what was
  asked for; faults as they are written in a plan.
- `arrived`, `fell`, `warned`: says the judge, and whether the log warned. `state`,
  `cause`: says the main controller; a cause has `kind`, `leg` 1..4, `joint` A..D and
  `text`.
- `way_m`, `sideways_m`, `turned_rad`, `speed_m_s`, `steps`: how far, how fast, feet
  placed.
- `energy_j`, `cost_j_per_m`, `charge_c`, `max_torque_n_m` of the 16 drives,
  `max_temperature_k` of the warmest: what the drives took and bore.
- `min_margin_m`, `estimated_margin_m`: least margin that the judge saw, and that the
  main controller knew of. `unsafe_s`, `max_tilt_rad`, `heave_m`: says the judge.
- `footfalls`: `leg` 1..4, `lift_s`, `touch_s` of each step.
- `log`: decisions with `time_s`, `leg` (0: the whole robot), `weight` (`note`,
  `decision`, `warning`, `fault`) and `text`.
- `simulated_s`, `computed_s`: how long it took the robot, and the computer.
"""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gelenk.errors import ConfigError
from gelenk.robots.amee.config import NUM_LEGS
from gelenk.robots.amee.coordinator.diagnosis import Entry
from gelenk.robots.amee.drives import DriveCfg
from gelenk.robots.amee.fault_plan import PlannedFault, fault_text
from gelenk.robots.amee.gaits.config import GaitName
from gelenk.robots.amee.session import Session, WalkCfg, WalkResult
from gelenk.robots.amee.terrain import TerrainCfg, terrain_from_text
from gelenk.robots.amee.terrain.course import Course
from gelenk.robots.amee.words import doing, reason

LOOK_PERIOD = 0.1  # [s], simulated, between two looks at a walk
BEYOND = 1.0  # [m], of a course behind the goal: that of campaigns for 5 m
MAX_DISTANCE = 100.0  # [m]
DIAGRAM, COLUMNS = 60.0, 60  # [s] and letters of a gait diagram


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """How a walk stands.

    Attributes:
        time: Simulated [s].
        way: As the robot reckons it [m].
        doing: In words.
        news: Lines of the log since the last moment.
    """

    time: float
    way: float
    doing: str
    news: tuple[Entry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Walked:
    """A walk that is over.

    Attributes:
        cfg: What was chosen.
        terrain: As it was written.
        result: What came out.
        computed: How long it took the computer [s].
    """

    cfg: WalkCfg
    terrain: str
    result: WalkResult
    computed: float


def make_cfg(
    *,
    gait: GaitName = "auto",
    distance: float = 1.0,
    terrain: str = "flat",
    drive: str = "geared",
    seed: int = 0,
    faults: tuple[PlannedFault, ...] = (),
) -> WalkCfg:
    """Return the settings of a walk; its course reaches beyond its goal.

    Raises:
        ConfigError: If the distance or the terrain's amount makes no sense.
        NameNotFoundError: If there is no such terrain.
    """
    if not (math.isfinite(distance) and 0.0 < distance <= MAX_DISTANCE):
        raise ConfigError(
            f"the distance must lie above 0 and up to {MAX_DISTANCE:g} m, got "
            f"{distance:g} m"
        )
    course = Course(length=max(Course().length, distance + BEYOND))
    return WalkCfg(
        gait=gait,
        distance=distance,
        terrain=terrain_from_text(terrain, course),
        drive=drive,
        seed=seed,
        faults=faults,
    )


def walk(
    cfg: WalkCfg,
    *,
    terrain: str = "",
    processes: bool = False,
    on_moment: Callable[[Moment], object] | None = None,
) -> Walked:
    """Let AMEE walk.

    Args:
        cfg: What can be chosen.
        terrain: As it was written, for the document.
        processes: Whether each leg is processes of its own.
        on_moment: Called ten times per simulated second.
    """
    cfg = dataclasses.replace(cfg, processes=processes)
    start = time.perf_counter()
    session = Session(cfg)
    every = max(round(LOOK_PERIOD / session.world.cfg.step), 1)
    told = 0

    def watch(session: Session) -> None:
        nonlocal told
        if on_moment is None or session.world.tick % every:
            return
        entries = session.desk.journal.entries
        moment = Moment(
            time=session.world.time,
            way=session.desk.way.x,
            doing=doing(session.coordinator),
            news=tuple(entries[told:]),
        )
        told = len(entries)
        on_moment(moment)

    try:
        result = session.run(watch)
    finally:
        session.close()
    return Walked(
        cfg=cfg,
        terrain=terrain or _name(cfg),
        result=result,
        computed=time.perf_counter() - start,
    )


def walk_document(walked: Walked) -> dict[str, Any]:
    """Return what JSON says of a walk; the head of this file explains the keys."""
    cfg, result = walked.cfg, walked.result
    verdict, cause = result.verdict, result.cause
    assert isinstance(cfg.drive, DriveCfg)
    return {
        "ok": result.arrived,
        "outcome": outcome(result),
        "reason": reason(cause),
        "gait": cfg.gait,
        "distance_m": cfg.distance,
        "terrain": walked.terrain,
        "drive": cfg.drive.profile,
        "seed": cfg.seed,
        "faults": [fault_text(fault) for fault in cfg.faults],
        "processes": cfg.processes,
        "arrived": result.arrived,
        "fell": result.fell,
        "warned": result.warned,
        "state": result.state,
        "cause": {
            "kind": cause.kind,
            "leg": cause.leg + 1 if cause.leg >= 0 else None,
            "joint": "ABCD"[cause.actor] if cause.actor >= 0 else None,
            "text": cause.text,
        },
        "way_m": verdict.distance,
        "sideways_m": verdict.sideways,
        "turned_rad": verdict.turned,
        "speed_m_s": result.speed,
        "steps": result.steps,
        "energy_j": verdict.energy,
        "cost_j_per_m": result.cost,
        "charge_c": verdict.charge,
        "max_torque_n_m": verdict.max_torque,
        "max_temperature_k": verdict.max_temperature,
        "min_margin_m": result.min_margin,
        "estimated_margin_m": result.estimated_margin,
        "unsafe_s": verdict.unsafe_time,
        "max_tilt_rad": verdict.max_tilt,
        "heave_m": verdict.heave,
        "footfalls": [
            {"leg": leg + 1, "lift_s": lift, "touch_s": touch}
            for leg, lift, touch in result.footfalls
        ],
        "log": [
            {
                "time_s": entry.time,
                "leg": entry.leg + 1,
                "weight": entry.weight,
                "text": entry.text,
            }
            for entry in result.log
        ],
        "simulated_s": verdict.time,
        "computed_s": walked.computed,
    }


def outcome(result: WalkResult) -> str:
    """Return in one word how a walk ended."""
    if result.fell:
        return "fallen"
    if result.arrived:
        return "arrived"
    return "short" if result.state == "arrived" else result.state


def gait_diagram(
    result: WalkResult, span: float = DIAGRAM, columns: int = COLUMNS
) -> list[str]:
    """Return four lines, one per leg: `#` where its foot stood, `.` where it did not.

    Args:
        result: What came out.
        span: Time from the start that they show [s].
        columns: For this time.
    """
    times = [(k + 0.5) * span / columns for k in range(columns)]
    times = [t for t in times if t < result.verdict.time]
    swings = {
        leg: [(lift, touch) for i, lift, touch in result.footfalls if i == leg]
        for leg in range(NUM_LEGS)
    }
    return [
        "".join("." if any(a <= t < b for a, b in own) else "#" for t in times)
        for own in swings.values()
    ]


def _name(cfg: WalkCfg) -> str:
    assert isinstance(cfg.terrain, TerrainCfg)
    return cfg.terrain.name
