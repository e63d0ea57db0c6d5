"""The automaton alone: its way through a calibration, and every way out of it.

A small stand-in for body, camera and fit answers its wishes without any physics.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from gelenk.robots.nao.automaton import (
    AutomatonCfg,
    AutomatonState,
    FitAnswer,
    Percept,
    Phase,
    Verdict,
    Wishes,
)
from gelenk.robots.nao.transitions import BACK_OF_PLATE, DARK_IMAGE, step

CFG = AutomatonCfg(settle_time=0.1)
PERIOD = 0.05  # [s]
GOOD = FitAnswer(verdict=Verdict.CALIBRATED, reason="good")
Change = Callable[["Stage", Percept], Percept]


def unchanged(stage: Stage, percept: Percept) -> Percept:
    return percept


@dataclass
class Stage:
    """A robot that does at once what the automaton wants.

    Attributes:
        tokens: Of the milestones of a leg; then `end`, which is none.
        change: What is different from a robot that works.
        last_is_milestone: Whether the robot also holds at `end`.
    """

    tokens: tuple[str, ...] = ("p01", "p02", "p03")
    change: Change = unchanged
    last_is_milestone: bool = False
    fit: FitAnswer | None = GOOD
    cfg: AutomatonCfg = CFG
    state: AutomatonState = field(default_factory=AutomatonState)
    wishes: Wishes = field(default_factory=Wishes)
    time: float = 0.0
    at: int = -1
    playing: str = ""
    was_continuing: bool = False
    fits: int = 0
    history: list[tuple[Phase, Wishes, Percept]] = field(default_factory=list)

    def run(self, until: float = 400.0, *, start: bool = True) -> AutomatonState:
        while self.time < until and not self.state.is_over:
            self.tick(is_start_pressed=start and 0.2 < self.time < 0.4)
        return self.state

    def tick(self, *, is_start_pressed: bool = False) -> None:
        self._play()
        self.time += PERIOD
        is_end = self.at == len(self.tokens)
        is_searching = self.wishes.is_detecting
        self.fits += self.wishes.is_fitting
        token = "end" if is_end else self.tokens[self.at] if self.at >= 0 else ""
        percept = Percept(
            time=self.time,
            joints_time=self.time,
            is_start_pressed=is_start_pressed,
            motion=self.playing or "motions",
            token=token if self.playing else "",
            is_at_milestone=bool(self.playing)
            and self.at >= 0
            and (not is_end or self.last_is_milestone),
            still_since=0.0,
            mean_angles=np.full(22, self.time),
            corners=np.full((24, 2), self.time) if is_searching else None,
            image_time=self.time if is_searching else math.nan,
            detector="found" if is_searching else "",
            fit=self.fit if self.fits > 1 else None,
        )
        percept = self.change(self, percept)
        self.state, self.wishes = step(self.cfg, self.state, percept)
        self.history.append((self.state.phase, self.wishes, percept))

    def _play(self) -> None:
        """Do what the motion engine does, a line per tick."""
        wishes = self.wishes
        goes_on = wishes.is_continuing and not self.was_continuing
        self.was_continuing = wishes.is_continuing
        if self.playing and self.at == len(self.tokens):
            if not self.last_is_milestone or goes_on:
                self.playing, self.at = "", -1
        elif not self.playing:
            self.playing = wishes.motion
        elif self.at < 0 or goes_on:
            self.at += 1


def phases(state: AutomatonState) -> list[str]:
    return [name for _, name in state.trace]


VIEW = ["aim", "detect", "store", "next_head"]
LEG = ["move_leg", *VIEW * 3] * 3 + ["move_leg", "next_leg"]


@pytest.mark.capability("CA-71")
def test_a_calibration_goes_through_all_its_states_in_order() -> None:
    stage = Stage()
    state = stage.run()

    assert phases(state) == ["init", *LEG, *LEG, "optimise", "apply", "done"]
    assert state.verdict is Verdict.CALIBRATED
    assert [(v.side, v.pose, v.gaze) for v in state.views] == [
        (side, pose, gaze)
        for side in ("left", "right")
        for pose in range(3)
        for gaze in range(3)
    ]


@pytest.mark.capability("CA-03")
def test_the_clock_runs_from_the_start_to_the_result() -> None:
    state = Stage().run()
    times = {name: time for time, name in reversed(state.trace)}

    assert state.duration == pytest.approx(times["done"] - times["move_leg"], abs=1e-9)


def test_a_last_pose_that_is_a_milestone_is_measured_too() -> None:
    state = Stage(last_is_milestone=True).run()

    assert state.verdict is Verdict.CALIBRATED
    assert [v.pose for v in state.views if v.side == "right"] == [
        pose for pose in range(4) for _ in range(3)
    ]


@pytest.mark.capability("CA-02")
@pytest.mark.capability("CA-04")
def test_only_the_left_bumper_starts_it() -> None:
    def right(stage: Stage, p: Percept) -> Percept:
        return replace(p, is_abort_pressed=True)

    stage = Stage(change=right)
    state = stage.run(5.0, start=False)

    assert (state.phase, state.verdict) == (Phase.IDLE, Verdict.NOT_STARTED)
    assert all(wishes == Wishes() for _, wishes, _ in stage.history)


@pytest.mark.capability("CA-57")
def test_the_detector_is_on_only_while_a_view_is_searched() -> None:
    stage = Stage()
    stage.run()

    for phase, wishes, _ in stage.history:
        assert wishes.is_detecting == (phase is Phase.DETECT)


@pytest.mark.capability("CA-70")
def test_nothing_is_stored_of_images_taken_while_the_body_moves() -> None:
    """The body trembles now and then, also after the search has begun."""

    def tremble(stage: Stage, p: Percept) -> Percept:
        is_shaken = round(p.time / PERIOD) % 7 < 3
        return replace(p, still_since=math.nan if is_shaken else p.time - 0.2)

    stage = Stage(change=tremble, cfg=replace(CFG, settle_time=0.05))
    state = stage.run()

    assert len(state.views) == 18
    still = {p.image_time for _, _, p in stage.history if not math.isnan(p.still_since)}
    assert all(view.time in still for view in state.views)
    assert all(view.corners[0, 0] == view.time for view in state.views)


@pytest.mark.capability("CA-72")
@pytest.mark.parametrize("missed", [1, 4])
def test_a_view_without_a_board_is_skipped_after_its_time(missed: int) -> None:
    covered = {("left", 1, 1), ("left", 2, 0), ("right", 0, 2), ("right", 2, 2)}
    covered = set(sorted(covered)[:missed])

    def cover(stage: Stage, p: Percept) -> Percept:
        s = stage.state
        if (s.side, s.pose, s.gaze) in covered:
            return replace(p, corners=None, detector="no grid")
        return p

    stage = Stage(change=cover)
    state = stage.run()

    assert state.verdict is Verdict.CALIBRATED
    assert len(state.views) == 18 - missed
    assert {(m.side, m.pose, m.gaze) for m in state.missed} == covered
    assert {m.reason for m in state.missed} == {"no grid"}
    begun = dict.fromkeys(phases(state))  # the names that occur
    assert "skip" in begun
    waits = [
        b[0] - a[0]
        for a, b in zip(state.trace, state.trace[1:], strict=False)
        if (a[1], b[1]) == ("detect", "skip")
    ]
    assert waits == pytest.approx([CFG.detect_timeout] * missed, abs=2.1 * PERIOD)


def no_corners(reason: str) -> Change:
    def change(stage: Stage, p: Percept) -> Percept:
        return replace(p, corners=None, detector=reason)

    return change


def only_left(stage: Stage, p: Percept) -> Percept:
    return p if stage.state.side == "left" else no_corners("no grid")(stage, p)


def no_images(stage: Stage, p: Percept) -> Percept:
    return replace(p, corners=None, image_time=math.nan, detector="")


def leg_stuck(stage: Stage, p: Percept) -> Percept:
    return replace(p, leg_error=math.radians(8.0))


def head_stuck(stage: Stage, p: Percept) -> Percept:
    return replace(p, head_error=math.radians(8.0))


def shaken(stage: Stage, p: Percept) -> Percept:
    return replace(p, still_since=math.nan)


def engine_stuck(stage: Stage, p: Percept) -> Percept:
    return replace(p, is_at_milestone=False, token="")


def silent(stage: Stage, p: Percept) -> Percept:
    return replace(p, joints_time=min(p.time, 5.0))


def hot(stage: Stage, p: Percept) -> Percept:
    return replace(p, hot=("LKneePitch",) if p.time > 5.0 else ())


def abort(stage: Stage, p: Percept) -> Percept:
    return replace(p, is_abort_pressed=5.0 < p.time < 5.2)


def blinking(stage: Stage, p: Percept) -> Percept:
    """A board that is seen in the first view of each pose only."""
    return p if stage.state.gaze == 0 else no_corners("no grid")(stage, p)


FAILURES: dict[str, tuple[Change, Verdict, str]] = {
    "no board": (no_corners("no grid"), Verdict.NO_BOARD, "no grid"),
    "one board": (only_left, Verdict.ONE_BOARD, "right foot"),
    "upside down": (
        no_corners(f"no grid; {BACK_OF_PLATE}"),
        Verdict.WRONG_SIDE,
        "turn the left sandal over",
    ),
    "dark": (no_corners(DARK_IMAGE), Verdict.CAMERA_DEAD, DARK_IMAGE),
    "no images": (no_images, Verdict.CAMERA_DEAD, "no image came"),
    "leg stuck": (leg_stuck, Verdict.LEG_BLOCKED, "left leg at p01 is 8.0 degrees off"),
    "engine stuck": (engine_stuck, Verdict.LEG_BLOCKED, "the start"),
    "head stuck": (head_stuck, Verdict.HEAD_BLOCKED, "8.0 degrees off"),
    "shaken": (shaken, Verdict.RESTLESS, "4 views in a row"),
    "silent": (silent, Verdict.JOINTS_SILENT, "no joint angles for 0.5 s"),
    "hot": (hot, Verdict.MOTOR_HOT, "LKneePitch"),
    "aborted": (abort, Verdict.ABORTED, "right foot"),
    "few views": (blinking, Verdict.TOO_FEW_VIEWS, "3 of 9 views of the left foot"),
}
OFF = {
    Verdict.LEG_BLOCKED,
    Verdict.HEAD_BLOCKED,
    Verdict.JOINTS_SILENT,
    Verdict.MOTOR_HOT,
    Verdict.ABORTED,
}


@pytest.mark.parametrize("name", FAILURES)
def test_every_failure_has_its_verdict_and_leaves_the_robot_safe(name: str) -> None:
    change, verdict, words = FAILURES[name]
    stage = Stage(change=change)
    state = stage.run()
    for _ in range(20):  # nothing comes after it, whatever is pressed
        stage.tick(is_start_pressed=True)

    assert state.verdict is verdict
    assert words in state.reason
    assert phases(state)[-1] == "fail"
    assert stage.state is state
    wishes = stage.wishes
    assert wishes.is_off == (verdict in OFF)
    assert (wishes.motion, wishes.is_continuing, wishes.is_detecting) == (
        "",
        False,
        False,
    )
    assert not any(w.is_fitting or w.is_applying for _, w, _ in stage.history)


@pytest.mark.parametrize(
    "verdict", [Verdict.NOT_CONVERGED, Verdict.IMPLAUSIBLE, Verdict.TOO_FEW_VIEWS]
)
def test_a_fit_that_is_not_believed_is_not_applied(verdict: Verdict) -> None:
    stage = Stage(fit=FitAnswer(verdict=verdict, reason="no"))
    state = stage.run()

    assert (state.verdict, state.reason) == (verdict, "no")
    assert not any(wishes.is_applying for _, wishes, _ in stage.history)
    assert not stage.wishes.is_off


@pytest.mark.parametrize("fit", [GOOD, None])
def test_the_whole_run_has_a_time_out_also_while_it_fits(fit: FitAnswer | None) -> None:
    limit = 3.0 if fit else 60.0
    stage = Stage(fit=fit, cfg=replace(CFG, total_timeout=limit))
    state = stage.run()

    assert state.verdict is Verdict.TIMED_OUT
    assert state.duration == pytest.approx(limit, abs=2.1 * PERIOD)
    assert not any(wishes.is_applying for _, wishes, _ in stage.history)


def test_the_head_rests_while_images_are_taken() -> None:
    stage = Stage()
    stage.run()

    for phase, wishes, _ in stage.history:
        if phase in (Phase.IDLE, Phase.DETECT, Phase.STORE):
            assert not wishes.is_turning


def test_several_images_of_a_view_are_averaged() -> None:
    stage = Stage(cfg=replace(CFG, frames=3))
    state = stage.run()

    assert len(state.views) == 18
    for view in state.views:
        # Corners of the stage are the time: of this image, and the two before it.
        assert view.corners[0, 0] == pytest.approx(view.time - PERIOD)


def test_a_corner_that_one_image_could_not_measure_does_not_count() -> None:
    def spoil(stage: Stage, p: Percept) -> Percept:
        is_first = len(stage.state.frames) == 0
        return replace(p, is_measured=np.arange(24) != (5 if is_first else 7))

    stage = Stage(cfg=replace(CFG, frames=2), change=spoil)
    state = stage.run()

    assert len(state.views) == 18
    for view in state.views:
        assert np.flatnonzero(~view.is_measured).tolist() == [5, 7]
