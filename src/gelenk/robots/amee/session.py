"""One walk of AMEE, from the first step to the verdict.

Legs run in this process, in step with the world, over the same texts and packets as on
the bus: a pass of each leg, a loop of the main controller, a tick of the world. What
comes out is a function of the settings.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from gelenk.robots.amee.config import DRIVES, LegCfg, make_leg_cfgs
from gelenk.robots.amee.coordinator.coordinator import Coordinator, State
from gelenk.robots.amee.coordinator.desk import Desk, Plan
from gelenk.robots.amee.coordinator.diagnosis import Cause, Entry
from gelenk.robots.amee.coordinator.link import LegLink, LinkFault, LocalLeg
from gelenk.robots.amee.drives import DriveCfg
from gelenk.robots.amee.faults import BodyFault
from gelenk.robots.amee.gaits.config import GaitCfg, GaitName
from gelenk.robots.amee.gaits.profiles import foam_for, gait_for, leg_for
from gelenk.robots.amee.gaits.walker import Walker
from gelenk.robots.amee.gaits.walking import walk_ahead
from gelenk.robots.amee.terrain import TerrainCfg, terrain_from_text
from gelenk.robots.amee.truth import Verdict
from gelenk.robots.amee.wire import Message, Request
from gelenk.robots.amee.world import AmeeWorld, WorldCfg, make_world

ARRIVED = 0.97  # share of the distance that the judge wants to see
SETTLE = 1.0  # [s], after the end: what falls then has fallen, too


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkCfg:
    """What can be chosen.

    Attributes:
        gait: `save`, `alternative`, `crawl`, `fast`, or `auto`.
        distance: Straight ahead [m].
        terrain: Ground, or a word such as "rubble:8cm".
        drive: Drives, or the name of a profile.
        seed: Of terrain, spread, noise.
        faults: What breaks, and when.
        gait_cfg: How it walks; None: what suits drives and terrain.
        leg_cfg: Settings of the legs; None: what suits the drives.
        time_limit: Simulated [s]; None: what the slowest walk may need.
        processes: Whether each leg's two computers are processes of their own.

    Example:
        >>> from gelenk.robots.amee import WalkCfg
        >>> WalkCfg(gait="crawl", terrain="rubble:8cm").distance
        1.0
    """

    gait: GaitName = "save"
    distance: float = 1.0
    terrain: TerrainCfg | str = "flat"
    drive: DriveCfg | str = "geared"
    seed: int = 0
    faults: tuple[BodyFault | LinkFault, ...] = ()
    gait_cfg: GaitCfg | None = None
    leg_cfg: LegCfg | None = None
    time_limit: float | None = None
    processes: bool = False

    def __post_init__(self) -> None:
        if isinstance(self.terrain, str):
            object.__setattr__(self, "terrain", terrain_from_text(self.terrain))
        if isinstance(self.drive, str):
            object.__setattr__(self, "drive", DriveCfg(profile=self.drive))


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkResult:
    """What came out.

    Attributes:
        arrived: Whether the robot says so and the judge agrees.
        fell: Whether the judge saw a fall.
        state: How the main controller left it.
        cause: Why it ended, if not by arriving.
        diagnosis: What the robot thinks is broken.
        min_margin: Least margin that the judge saw [m].
        estimated_margin: Least margin that the main controller knew of [m].
        speed: Of the torso [m/s].
        cost: Energy per metre [J/m].
        steps: Feet placed.
        footfalls: Leg, time of lift and of touch-down of each step [s].
        log: Decisions of the main controller.
        verdict: Everything the judge saw.
    """

    arrived: bool
    fell: bool
    state: State
    cause: Cause
    diagnosis: Cause
    min_margin: float
    estimated_margin: float
    speed: float
    cost: float
    steps: int
    footfalls: tuple[tuple[int, float, float], ...]
    log: tuple[Entry, ...] = field(repr=False)
    verdict: Verdict = field(repr=False)

    @property
    def warned(self) -> bool:
        """Whether the log holds a warning or a fault."""
        return any(entry.weight in ("warning", "fault") for entry in self.log)


class Session:
    """AMEE in its world with legs and main controller, tick by tick.

    Args:
        cfg: What can be chosen.
        plan: What to do instead of walking ahead.
        start: How the robot begins.
        world: Where it walks, at its beginning; None: what `world_of` says.

    Attributes:
        world: Where it walks.
        legs: The four legs in this process; none if they are processes.
        links: The four legs as the main controller reaches them.
        desk: What the main controller knows.
        walker: What it does.
        coordinator: Its loop.
    """

    def __init__(
        self,
        cfg: WalkCfg,
        plan: Callable[[Walker], Plan] | None = None,
        start: Literal["standing", "parked"] = "standing",
        world: AmeeWorld | None = None,
    ) -> None:
        self.cfg = cfg
        assert isinstance(cfg.drive, DriveCfg)
        assert isinstance(cfg.terrain, TerrainCfg)
        gait = cfg.gait_cfg or gait_for(cfg.drive.profile, cfg.terrain, cfg.gait)
        links = [fault for fault in cfg.faults if isinstance(fault, LinkFault)]
        leg = cfg.leg_cfg or leg_for(DRIVES[cfg.drive.profile], cfg.terrain)
        self.world = make_world(world_of(cfg, start)) if world is None else world
        self.legs: tuple[LocalLeg, ...] = ()
        if cfg.processes:
            self.links = _as_processes(leg, self.world, links, cfg.seed)
        else:
            self.legs = tuple(
                LocalLeg(own, pins, [f for f in links if f.leg == pins.leg], cfg.seed)
                for own, pins in zip(make_leg_cfgs(leg), self.world.legs, strict=True)
            )
            self.links = self.legs
        self.desk = Desk(leg, [(0.0, -gait.height, 0.0)] * len(self.links))
        self.walker = Walker(self.desk, gait)
        plan = plan or (lambda walker: walk_ahead(walker, cfg.gait, cfg.distance))
        self.coordinator = Coordinator(self.desk, plan(self.walker))

    def tick(self) -> None:
        """Let each leg pass once, the main controller loop once, the world move on."""
        self.act()
        self.world.step()

    def act(self) -> tuple[list[Sequence[Message]], list[tuple[int, Request]]]:
        """Do all of a tick but let the world move on.

        Returns:
            What each leg has said, and what legs were told, by their index.
        """
        now = self.world.time
        reports = [leg.pass_once(now) for leg in self.links]
        orders = self.coordinator.loop(now, reports, self.world.read_imu())
        for leg, request in orders:
            if not self.links[leg].send(request):
                self.desk.findings.break_off(leg)
        return reports, orders

    def run(self, watch: Callable[[Session], None] | None = None) -> WalkResult:
        """Walk to the end."""
        limit = self.cfg.time_limit or 60.0 + 1000.0 * self.cfg.distance
        end = math.inf
        while self.world.time < end:
            self.tick()
            if watch is not None:
                watch(self)
            if self.coordinator.state != "walking":
                end = min(end, self.world.time + SETTLE)
            elif self.world.time >= limit:
                self.coordinator.stop("time is over")
        return self.result()

    def result(self) -> WalkResult:
        """Return what has come out until now."""
        verdict = self.world.truth.verdict()
        coordinator = self.coordinator
        reached = verdict.distance >= ARRIVED * self.cfg.distance
        return WalkResult(
            arrived=coordinator.state == "arrived"
            and reached
            and not verdict.has_fallen,
            fell=verdict.has_fallen,
            state=coordinator.state,
            cause=coordinator.cause,
            diagnosis=self.desk.findings.verdict(coordinator.cause),
            min_margin=verdict.min_margin,
            estimated_margin=coordinator.least_margin,
            speed=verdict.distance / verdict.time,
            cost=verdict.cost,
            steps=self.walker.steps,
            footfalls=tuple(self.walker.footfalls),
            log=tuple(self.desk.journal.entries),
            verdict=verdict,
        )

    def close(self) -> None:
        """End the legs and free what the world holds."""
        for link in self.links:
            link.close()
        self.world.close()


def _as_processes(
    leg: LegCfg, world: AmeeWorld, faults: Sequence[LinkFault], seed: int
) -> tuple[LegLink, ...]:
    """Start the processes of four legs, all at once."""
    from gelenk.robots.amee.bus import ProcessLeg

    return tuple(
        ProcessLeg(
            own, pins, faults=[f for f in faults if f.leg == pins.leg], seed=seed
        )
        for own, pins in zip(make_leg_cfgs(leg), world.legs, strict=True)
    )


def world_of(
    cfg: WalkCfg, start: Literal["standing", "parked"] = "standing"
) -> WorldCfg:
    """Return the world of a walk."""
    assert isinstance(cfg.drive, DriveCfg)
    assert isinstance(cfg.terrain, TerrainCfg)
    gait = cfg.gait_cfg or gait_for(cfg.drive.profile, cfg.terrain, cfg.gait)
    return WorldCfg(
        terrain=cfg.terrain,
        drive=cfg.drive,
        stance=gait.height,
        foam=foam_for(cfg.terrain),
        seed=cfg.seed,
        start=start,
        faults=tuple(fault for fault in cfg.faults if isinstance(fault, BodyFault)),
    )


def walk(cfg: WalkCfg | None = None) -> WalkResult:
    """Let AMEE walk; return what came out.

    Args:
        cfg: What can be chosen.

    Example:
        >>> from gelenk.robots.amee import WalkCfg, walk
        >>> walk(WalkCfg(time_limit=0.02)).cause.text
        'time is over'
    """
    session = Session(cfg or WalkCfg())
    try:
        return session.run()
    finally:
        session.close()
