"""The automaton that leads a calibration: its states, what it sees and what it wants.

It collects views, one leg after the other, three gazes per leg pose, and asks for the
fit when both legs are done. How it goes from state to state stands in `transitions`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from gelenk.robots.nao.joints import Side
from gelenk.robots.nao.sandal import NUM_CORNERS
from gelenk.typing import BoolArray, FloatArray


class Phase(StrEnum):
    """States of the automaton."""

    IDLE = "idle"
    INIT = "init"
    MOVE_LEG = "move_leg"
    AIM = "aim"
    DETECT = "detect"
    STORE = "store"
    SKIP = "skip"
    NEXT_HEAD = "next_head"
    NEXT_LEG = "next_leg"
    OPTIMISE = "optimise"
    APPLY = "apply"
    DONE = "done"
    FAIL = "fail"


class Verdict(StrEnum):
    """How a calibration ended."""

    CALIBRATED = "calibrated"
    """Parameters were found, are plausible, and are applied."""
    NOT_STARTED = "not started"
    """Nobody has pressed the bumper."""
    ABORTED = "aborted"
    """Somebody has pressed a bumper of the right foot."""
    NO_BOARD = "no board seen"
    """No board in any view of the first leg poses."""
    ONE_BOARD = "one board missing"
    """One foot's board was never seen."""
    WRONG_SIDE = "board upside down"
    """A foot shows the back of its plate."""
    CAMERA_DEAD = "camera dead"
    """No images come, or nothing is on them."""
    LEG_BLOCKED = "leg blocked"
    """A leg does not reach its pose."""
    HEAD_BLOCKED = "head blocked"
    """The head does not reach its target, again and again."""
    RESTLESS = "body not at rest"
    """Readings of the joints do not settle, again and again."""
    JOINTS_SILENT = "joints silent"
    """No joint angles arrive."""
    MOTOR_HOT = "motor hot"
    """A drive has become too warm."""
    TOO_FEW_VIEWS = "too few views"
    """Too much was missed for a fit that can be trusted."""
    NOT_CONVERGED = "fit not converged"
    """The parameters do not settle."""
    IMPLAUSIBLE = "implausible result"
    """The fit ended at values that no robot has, or explains nothing."""
    TIMED_OUT = "timed out"
    """The whole run took too long."""
    PROCESS_ENDED = "process ended"
    """A process of the robot has ended by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AutomatonCfg:
    """Times and counts of the collection.

    Attributes:
        move_timeout: Longest time from a leg pose to the next [s].
        aim_timeout: Longest time until the body stands still [s].
        detect_timeout: Longest search for a board in one view [s].
        total_timeout: Longest collection [s].
        joints_timeout: Longest time without joint angles [s].
        settle_time: How long the body must stand still before images count [s].
        frames: Images per view that are averaged.
        blind_views: First views without a board after which the search is given up.
        missed_aims: Views in a row in which the body never came to rest.
        tracking: Distance from its command at which a joint has arrived [rad]; a drive
            under load hangs back by about half a degree.
        least_share: Share of all views that must have been seen, of each leg.
        max_temperature: Of a motor [K].
    """

    move_timeout: float = 10.0
    aim_timeout: float = 4.0
    detect_timeout: float = 4.0
    total_timeout: float = 900.0
    joints_timeout: float = 0.5
    settle_time: float = 0.2
    frames: int = 1
    blind_views: int = 6
    missed_aims: int = 4
    tracking: float = math.radians(3.0)
    least_share: float = 0.5
    max_temperature: float = 348.15


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BoardView:
    """One view of a board: what a calibration is made of.

    Attributes:
        side: Whose board.
        pose: Number of the leg pose, counted from 0 for each leg.
        gaze: Number of the head's target.
        time: Of the image [s].
        angles: Readings of the body's joints, averaged while it stood still [rad],
            shape (22,).
        corners: Seen corners [px], shape (24, 2).
        is_measured: False for corners that a shadow spoilt: only the others place them,
            and they do not count; shape (24,).
    """

    side: Side
    pose: int
    gaze: int
    time: float
    angles: FloatArray
    corners: FloatArray
    is_measured: BoolArray = field(
        default_factory=lambda: np.ones(NUM_CORNERS, dtype=bool)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class MissedView:
    """A view that brought nothing, and why."""

    side: Side
    pose: int
    gaze: int
    time: float
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FitAnswer:
    """What became of the fit: a verdict, and the reason in words."""

    verdict: Verdict
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Percept:
    """What the automaton knows at one moment; nothing of it is the simulator's truth.

    Attributes:
        time: Now [s].
        joints_time: When the newest joint angles were read [s].
        is_start_pressed, is_abort_pressed: Bumpers of the left and the right foot.
        motion: Motion that the engine plays.
        token: Of its present line.
        is_at_milestone: Whether it holds there.
        still_since: Since when all joints that are used stand still [s]; NaN: moving.
        mean_angles: Readings averaged since then [rad], shape (22,).
        leg_error, head_error: Largest distance of a joint from its command [rad].
        corners: Of a board found in an image taken while still [px], (24, 2), or None.
        is_measured: Which of them the image itself shows, (24,), or None.
        image_time: When the newest searched image was taken [s]; NaN: none came.
        detector: What the detector says of it.
        hot: Names of joints that are too warm.
        fit: Answer of the fit: None while it works.
    """

    time: float
    joints_time: float
    is_start_pressed: bool = False
    is_abort_pressed: bool = False
    motion: str = ""
    token: str = ""
    is_at_milestone: bool = False
    still_since: float = math.nan
    mean_angles: FloatArray
    leg_error: float = 0.0
    head_error: float = 0.0
    corners: FloatArray | None = None
    is_measured: BoolArray | None = None
    image_time: float = math.nan
    detector: str = ""
    hot: tuple[str, ...] = ()
    fit: FitAnswer | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What the automaton wants now.

    Attributes:
        motion: Motion that shall be played; empty: none.
        is_continuing: Goes on from a milestone.
        gaze: Number of the target that the head shall look at; None: straight.
        is_turning: Whether the head may turn there; else it keeps its target.
        side: Whose board.
        is_detecting: Whether images shall be searched.
        is_fitting: Whether the fit shall begin.
        is_applying: Whether its result shall be used.
        is_off: Motors off.
    """

    motion: str = ""
    is_continuing: bool = False
    gaze: int | None = None
    is_turning: bool = False
    side: Side = "left"
    is_detecting: bool = False
    is_fitting: bool = False
    is_applying: bool = False
    is_off: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AutomatonState:
    """All that the automaton remembers.

    Attributes:
        phase: Where it is.
        since: When it came there [s].
        side: Leg that moves.
        pose: Number of its pose; -1 before the first.
        token: Of the milestone that was measured last.
        gaze: Number of the head's target.
        has_left: Whether the last milestone was left.
        is_last: Whether the token of the end has come.
        views, missed: What was collected.
        frames: Corners of the present view so far, and which were measured.
        last_image, images: Time of the newest image of this view [s], and how many.
        started, ended: Clock of the collection and the fit [s]; NaN: not yet.
        aims_missed: Views in a row in which the body did not come to rest.
        verdict, reason: How it ended.
        trace: Phases with the times at which they began.
    """

    phase: Phase = Phase.IDLE
    since: float = 0.0
    side: Side = "left"
    pose: int = -1
    token: str = ""
    gaze: int = 0
    has_left: bool = False
    is_last: bool = False
    views: tuple[BoardView, ...] = ()
    missed: tuple[MissedView, ...] = ()
    frames: tuple[tuple[FloatArray, BoolArray], ...] = ()
    last_image: float = math.nan
    images: int = 0
    started: float = math.nan
    ended: float = math.nan
    aims_missed: int = 0
    verdict: Verdict = Verdict.NOT_STARTED
    reason: str = ""
    trace: tuple[tuple[float, str], ...] = ()

    @property
    def is_over(self) -> bool:
        return self.phase in (Phase.DONE, Phase.FAIL)

    @property
    def duration(self) -> float:
        """From the start to the verdict [s]; NaN while it runs."""
        return self.ended - self.started
