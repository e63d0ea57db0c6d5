"""Throws at a playing robot, in lock-step: world, images, tracker, behaviour, control.

The world runs to the arrival of a pair of images, the player works on it, the world
runs on to the next cycle of motion control, and so forth. Nothing depends on how fast
the computer is: one configuration and seed, one result.

Only rows of results look at the truth, through `judge`.
"""

from __future__ import annotations

import gc
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from gelenk.closing import Closing
from gelenk.errors import ConfigError
from gelenk.robots.piggy.behaviour import Change, Intent, Phase, Tactic
from gelenk.robots.piggy.cameras import RigCfg
from gelenk.robots.piggy.config import CONTROL_RATE
from gelenk.robots.piggy.control import MotionControl, motion_cfg
from gelenk.robots.piggy.drives import get_profile
from gelenk.robots.piggy.hardware import RollTilt
from gelenk.robots.piggy.judge import Verdict, judge, passing_distance
from gelenk.robots.piggy.kinematics import forward
from gelenk.robots.piggy.planner.tables import Tables
from gelenk.robots.piggy.player import FrameTime, Player, PlayerCfg
from gelenk.robots.piggy.setup import Setup, shipped_setup
from gelenk.robots.piggy.tactics import PassTactic, meet_ball, play_side
from gelenk.robots.piggy.throwers import PlaceName, Throw
from gelenk.robots.piggy.tracker import TrackCfg, Tracker
from gelenk.robots.piggy.world import PiggyWorld, SceneCfg, make_world
from gelenk.typing import FloatArray

Mode = Literal["hit", "left", "right", "pass"]
START_LIMIT = 6.0  # [s] from switching on to waiting, at most
FLIGHT = 1.3  # [s] after the release a ball that was not hit is over
AFTER_HIT = 1.0  # [s] that a ball is followed after the bat
QUIET = 0.15  # [s] of waiting before the next throw
SLOWEST = 3.0  # [s] more, until the robot is at home again
ROUNDING = 1e-9  # [s]; times nearer than this are one


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayCfg:
    """A robot that is thrown at.

    Attributes:
        place: "indoor" or "outdoor".
        drive: "thesis" with 3 degrees of play, "tight" without.
        mode: "hit" meets balls where they come, "left" and "right" play them aside,
            "pass" to the target with the planner.
        target: Point that passes shall reach [m].
        play: "estimate" corrects for the flank of the drive's play, "ignore" does not.
        seed: Of everything random in the world.
        place_seed: Which hall or meadow; None: the seed's.
        rig: The true cameras.
        player: Settings of the player.
        tracker: Settings of the tracker.

    Example:
        >>> from gelenk.robots.piggy import PlayCfg
        >>> cfg = PlayCfg(place="outdoor", mode="left", seed=3)
        >>> cfg.drive, cfg.target
        ('thesis', (-0.305, 2.77, 1.3))
    """

    place: PlaceName = "indoor"
    drive: Literal["thesis", "tight"] = "thesis"
    mode: Mode = "hit"
    target: tuple[float, float, float] = (-0.305, 2.77, 1.3)
    play: Literal["ignore", "estimate"] = "estimate"
    seed: int = 0
    place_seed: int | None = None
    rig: RigCfg = field(default_factory=RigCfg)
    player: PlayerCfg = field(default_factory=PlayerCfg)
    tracker: TrackCfg = field(default_factory=TrackCfg)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlayRow:
    """What became of one throw.

    Attributes:
        throw: As it was thrown.
        verdict: The judge's.
        has_track: Whether a track was published while the ball came.
        first_track: When, after the release [s]; NaN without one.
        intent: How the ball was to be met, at last; None: the robot did not try.
        aim_error: From the intended place of the bat to the ball's path [m].
        bat_error: From the bat to its intended place, when the ball came [m].
        passed: How near the ball passed the target [m]; infinite without a hit.
    """

    throw: Throw
    verdict: Verdict
    has_track: bool
    first_track: float
    intent: Intent | None
    aim_error: float
    bat_error: float
    passed: float

    @property
    def cause(self) -> str:
        """Hit or why not, in a word."""
        if self.verdict.hit:
            return "hit"
        if not self.verdict.crossed:
            return "missed workspace"
        return "missed by robot" if self.has_track else "no track"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlayResult:
    """Throws with the columns of the thesis's table 5.3.

    Attributes:
        rows: One for each throw.
        times: How long images took, until their command was known.
        changes: Of the robot's phase, with reasons.
        notes: What else was noticed.
    """

    rows: tuple[PlayRow, ...]
    times: tuple[FrameTime, ...]
    changes: tuple[Change, ...]
    notes: tuple[tuple[float, str], ...]

    @property
    def table(self) -> dict[str, int]:
        """Counts by column."""
        crossed = [row for row in self.rows if row.verdict.crossed]
        causes = [row.cause for row in crossed]
        return {
            "throws": len(self.rows),
            "hits": sum(row.verdict.hit for row in self.rows),
            "missed_workspace": len(self.rows) - len(crossed),
            "reached": len(crossed),
            "hits_of_reached": causes.count("hit"),
            "no_track": causes.count("no track"),
            "missed_by_robot": causes.count("missed by robot"),
        }

    def frame_time(self, percentile: float = 95.0) -> float:
        """Return how long images took at most, in so many per cent of frames [s]."""
        return float(
            np.percentile([t.wall for t in self.times] or [np.nan], percentile)
        )


Watch = Callable[["PlaySession"], None]


class PlaySession(Closing):
    """A robot in its place, ready to be thrown at; use as a context manager.

    Args:
        cfg: Place, drive and what is done with balls.
        setup: What the robot knows about itself; None: the calibration that ships.
        tables: The planner's, for "pass".
        tactic: What is done with balls, instead of what `cfg.mode` says.
        world: A place that somebody else made and closes; None: made here.
        pass_time: Takes the world to a time [s]; None: its own `step_to`.

    Example:
        >>> from gelenk.robots.piggy import PlayCfg, PlaySession
        >>> with PlaySession(PlayCfg(seed=1)) as session:
        ...     session.now
        0.0
    """

    def __init__(
        self,
        cfg: PlayCfg | None = None,
        *,
        setup: Setup | None = None,
        tables: Tables | None = None,
        tactic: Tactic | None = None,
        world: PiggyWorld | None = None,
        pass_time: Callable[[float], object] | None = None,
    ) -> None:
        self.cfg = cfg = cfg or PlayCfg()
        tactic = tactic or make_tactic(cfg, tables)
        self.setup = setup or shipped_setup(cfg.drive)
        self._is_host = world is None
        self.world: PiggyWorld = world or make_world(scene_of(cfg))
        self._pass_time = pass_time or self.world.step_to
        unit = RollTilt(
            self.world.servos,
            self.setup.servos,
            stall_torque=get_profile(cfg.drive).sheet.stall_torque,
        )
        control = MotionControl(unit, motion_cfg(cfg.drive, self.setup, play=cfg.play))
        self.player = Player(
            Tracker(cfg.tracker, self.setup),
            control,
            tactic=tactic,
            cfg=cfg.player,
        )
        self.target: tuple[float, float, float] = cfg.target
        self.watchers: list[Watch] = []
        self.is_looking = True  # else images are neither drawn nor looked at
        self._tick = math.ceil(self.world.time * CONTROL_RATE - ROUNDING)

    # -- time ----------------------------------------------------------------------

    @property
    def now(self) -> float:
        """Simulated time [s]."""
        return self._tick / CONTROL_RATE

    def advance(self, until: float) -> None:
        """Let time pass [s], in whole cycles of motion control."""
        while self.now < until - ROUNDING:
            self._tick += 1
            arrival = self.world.next_image
            if arrival <= self.now + 1e-9:
                self._pass_time(arrival)
                self._see(arrival)
                for watch in self.watchers:
                    watch(self)
            self._pass_time(self.now)
            self._move(self.now)

    def _see(self, now: float) -> None:
        if not self.is_looking:
            self.player.rest(now)
            return
        images = self.world.images(now)
        if images is None:
            self.player.miss(now)
        else:
            left, right, stamp = images
            self.player.see(now, left, right, stamp)

    def _move(self, now: float) -> None:
        self.player.tick(now)

    def start(self) -> None:
        """Switch the robot on and let it come to waiting.

        Raises:
            ConfigError: If it does not.
        """
        limit = self.now + START_LIMIT
        while self.player.state.phase is not Phase.WAIT:
            if self.now >= limit:
                state = self.player.state
                raise ConfigError(
                    f"the robot does not come to waiting within {START_LIMIT:g} s: it "
                    f"is in phase {state.phase.value} because {state.reason}"
                )
            self.advance(self.now + 0.1)

    # -- throws --------------------------------------------------------------------

    def run(
        self,
        throws: Iterable[Throw],
        *,
        on_row: Callable[[PlayRow], object] | None = None,
    ) -> PlayResult:
        """Throw balls one after the other, each when the robot waits at home.

        Args:
            throws: What is thrown.
            on_row: Called after each throw.
        """
        self.start()
        rows: list[PlayRow] = []
        gc_was_on = gc.isenabled()
        for throw in throws:
            gc.collect()
            gc.disable()  # not in the middle of a throw
            try:
                rows.append(self.play(throw))
            finally:
                if gc_was_on:
                    gc.enable()
            if on_row is not None:
                on_row(rows[-1])
        return self.result(rows)

    def result(self, rows: Sequence[PlayRow]) -> PlayResult:
        """Return rows with what the player remembers."""
        return PlayResult(
            rows=tuple(rows),
            times=tuple(self.player.times),
            changes=tuple(self.player.changes),
            notes=tuple(self.player.notes),
        )

    def play(self, throw: Throw) -> PlayRow:
        """Throw one ball and wait until it is over and the robot at home."""
        observer = Observer()
        self.watchers.append(observer)
        number = self.world.throw(throw)
        release = self.now + throw.windup
        end = release + FLIGHT
        while self.now < end - ROUNDING:
            self.advance(min(self.now + 0.1, end))
            touched = touch_time(self.world, number)
            if touched is not None:
                end = touched + AFTER_HIT
        self.watchers.remove(observer)
        row = self._row(throw, number, release, observer)
        self.settle()
        return row

    def settle(self) -> None:
        """Wait until the robot is ready for the next throw."""
        limit = self.now + SLOWEST
        while self.player.state.phase is not Phase.WAIT and self.now < limit:
            self.advance(self.now + 0.05)
        self.advance(self.now + QUIET)

    def _row(
        self, throw: Throw, number: int, release: float, observer: Observer
    ) -> PlayRow:
        verdict = judge(self.world, number)
        aim_error = bat_error = np.nan
        if observer.intent is not None and verdict.crossing is not None:
            crossing, bat = verdict.crossing, forward(observer.intent.q)
            v = crossing.velocity / np.linalg.norm(crossing.velocity)
            off = bat - crossing.position
            aim_error = float(np.linalg.norm(off - (off @ v) * v))
            if observer.bat is not None:
                bat_error = float(np.linalg.norm(observer.bat - bat))
        return PlayRow(
            throw=throw,
            verdict=verdict,
            has_track=observer.first_track < np.inf,
            first_track=observer.first_track - release
            if observer.first_track < np.inf
            else np.nan,
            intent=observer.intent,
            aim_error=aim_error,
            bat_error=bat_error,
            passed=passing_distance(self.world, number, self.target),
        )

    def close(self) -> None:
        """Free the world and the tracker's thread."""
        self.player.tracker.close()
        if self._is_host:
            self.world.close()


class Observer:
    """Writes down what the robot intended, and where its bat really was."""

    def __init__(self) -> None:
        self.first_track = np.inf
        self.intent: Intent | None = None
        self.bat: FloatArray | None = None

    def __call__(self, session: PlaySession) -> None:
        """Look once per frame."""
        player = session.player
        if player.frame is not None and player.frame.tracks:
            self.first_track = min(self.first_track, player.frame.stamp)
        intent = player.state.intent
        if intent is not None:
            self.intent = intent
            if session.now <= intent.touch:
                self.bat = true_bat(session.world)


def touch_time(world: PiggyWorld, number: int) -> float | None:
    """Return when the bat first touched a ball [s], if it has; for judges."""
    touches = world.truth.balls[number].touches
    return next((t.start for t in touches if t.body in ("sphere", "rod")), None)


def true_bat(world: PiggyWorld) -> FloatArray:
    """Return where the sphere's centre really is [m], (3,); for judges."""
    q = world.world.joint_positions("piggy")
    return forward(q)


def make_tactic(cfg: PlayCfg, tables: Tables | None = None) -> Tactic:
    """Return what `cfg.mode` says is done with balls."""
    if cfg.mode == "hit":
        return meet_ball
    if cfg.mode == "left" or cfg.mode == "right":
        return play_side(cfg.mode)
    if cfg.mode != "pass":
        raise ConfigError(f"`mode` must be hit, left, right or pass, got {cfg.mode!r}")
    if tables is None:
        raise ConfigError("passes need the planner's `tables`: build_tables()")
    return PassTactic(tables, cfg.target)


def scene_of(cfg: PlayCfg) -> SceneCfg:
    """Return the place of a session."""
    return SceneCfg(
        place=cfg.place,
        drive=cfg.drive,
        seed=cfg.seed,
        place_seed=cfg.place_seed,
        rig=cfg.rig,
    )
