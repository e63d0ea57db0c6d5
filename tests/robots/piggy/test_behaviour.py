"""Tests of the state machine, with flights computed here instead of tracks."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from gelenk.dynamics.flight import simulate_flight
from gelenk.robots.piggy.behaviour import (
    BehaviourState,
    GoHome,
    Halt,
    Keep,
    Phase,
    Reach,
    Reference,
    Senses,
    step,
)
from gelenk.robots.piggy.config import HOME
from gelenk.robots.piggy.tactics import meet_ball, play_side
from gelenk.typing import FloatArray

AT_HOME = np.array(HOME)


@dataclass(frozen=True)
class Ball:
    id: int
    time: FloatArray
    position: FloatArray
    velocity: FloatArray


def ball(number: int, release: float = 0.0, *, aside: float = 0.0) -> Ball:
    time = np.arange(0.0, 1.3, 0.02)
    x = simulate_flight([-0.3 + aside, 5.0, 1.8, 0.0, -6.5, 4.0], time)
    return Ball(number, time + release, x[:, :3], x[:, 3:6])


def ready(now: float = 0.0) -> BehaviourState:
    state, _ = step(BehaviourState(), Senses(now=now), meet_ball)
    state, _ = step(state, Senses(now=now), meet_ball)
    state, _ = step(state, Senses(now=now, q=AT_HOME), meet_ball)
    assert state.phase is Phase.WAIT
    return state


@pytest.mark.capability("BB-92")
def test_it_comes_from_switched_on_to_waiting_by_itself() -> None:
    state, command = step(
        BehaviourState(), Senses(now=0.0, is_connected=False), meet_ball
    )
    assert (state.phase, command) == (Phase.INIT, Keep())
    state, command = step(state, Senses(now=0.1), meet_ball)
    assert (state.phase, command) == (Phase.REFERENCE, Reference())
    state, _ = step(state, Senses(now=0.2, is_referenced=False), meet_ball)
    assert state.phase is Phase.REFERENCE
    state, command = step(state, Senses(now=0.3), meet_ball)
    assert (state.phase, command) == (Phase.HOME, GoHome())
    state, _ = step(state, Senses(now=0.4, q=np.array([0.3, 0.0])), meet_ball)
    assert state.phase is Phase.HOME
    state, _ = step(state, Senses(now=0.5, q=AT_HOME), meet_ball)
    assert state.phase is Phase.WAIT
    words = [change.reason for change in state.log]
    assert words == ["servos answer", "angles are absolute", "at home"]


@pytest.mark.capability("BB-79", "BB-80")
def test_a_ball_is_tracked_met_and_left_for_home() -> None:
    state, thrown = ready(), ball(7)
    phases, targets = [], []
    for k in range(80):
        now = 0.02 * k
        tracks = [thrown] if 0.1 < now < 0.6 else []  # out of sight before the touch
        state, command = step(
            state, Senses(now=now, tracks=tracks, q=AT_HOME), meet_ball
        )
        if not phases or phases[-1] is not state.phase:
            phases.append(state.phase)
        if isinstance(command, Reach):
            targets.append(command.q)
    expected = ["wait", "track", "hit", "recover", "home", "wait"]
    assert phases == [Phase(name) for name in expected]
    assert len(targets) > 20  # one for each frame that shows the ball
    times = {change.after: change.time for change in state.log}
    assert times[Phase.HIT] == pytest.approx(0.80, abs=0.021)
    assert times[Phase.RECOVER] == pytest.approx(0.93, abs=0.021)


@pytest.mark.capability("BB-80")
def test_a_ball_that_turns_out_to_be_out_of_reach_is_given_up() -> None:
    state, _ = step(ready(), Senses(now=0.2, tracks=[ball(1)]), meet_ball)
    assert state.phase is Phase.TRACK
    wide = ball(1, aside=2.0)
    for k in range(3):
        state, _ = step(state, Senses(now=0.22 + 0.02 * k, tracks=[wide]), meet_ball)
    assert state.phase is Phase.RECOVER
    assert "out of reach" in state.reason
    # And it is not taken up again, whatever becomes of it.
    state, _ = step(state, Senses(now=0.3, tracks=[ball(1)], q=AT_HOME), meet_ball)
    assert state.phase is Phase.HOME


def test_one_doubtful_frame_does_not_end_a_play() -> None:
    state, _ = step(ready(), Senses(now=0.2, tracks=[ball(1)]), meet_ball)
    state, _ = step(state, Senses(now=0.22, tracks=[ball(1, aside=2.0)]), meet_ball)
    state, command = step(state, Senses(now=0.24, tracks=[ball(1)]), meet_ball)
    assert state.phase is Phase.TRACK
    assert isinstance(command, Reach)


@pytest.mark.capability("BB-99")
def test_of_two_balls_the_first_to_come_is_kept_until_it_is_met() -> None:
    first, second = ball(1, 0.0), ball(2, 0.3, aside=0.2)
    state, _ = step(ready(), Senses(now=0.32, tracks=[second, first]), meet_ball)
    assert state.ball == 1
    for k in range(17, 48):
        now = 0.02 * k
        state, _ = step(state, Senses(now=now, tracks=[second, first]), meet_ball)
        if state.phase in (Phase.TRACK, Phase.HIT):
            assert state.ball == (1 if now < 0.93 else 2)
    state, _ = step(state, Senses(now=0.96, tracks=[second, first]), meet_ball)
    assert state.ball == 2


def test_a_track_that_vanishes_gives_way_to_another_ball_while_there_is_time() -> None:
    """What was no ball at all must not hold the bat."""
    state, _ = step(ready(), Senses(now=0.2, tracks=[ball(1)]), meet_ball)
    assert state.ball == 1
    other = ball(2, 0.1, aside=0.2)
    early, command = step(state, Senses(now=0.3, tracks=[other]), meet_ball)
    assert early.ball == 2
    assert isinstance(command, Reach)
    late, _ = step(state, Senses(now=0.7, tracks=[other]), meet_ball)
    assert late.ball == 1  # it is about to be met, only out of sight


@pytest.mark.capability("BB-81")
def test_the_next_ball_is_taken_on_the_way_home() -> None:
    state, _ = step(ready(), Senses(now=0.2, tracks=[ball(1)]), meet_ball)
    state = replace(state, phase=Phase.HIT)
    state, command = step(state, Senses(now=1.0, tracks=[]), meet_ball)
    assert (state.phase, command) == (Phase.RECOVER, GoHome())
    away = np.array([0.1, -0.7])
    state, _ = step(state, Senses(now=1.02, q=away), meet_ball)
    assert state.phase is Phase.HOME
    state, command = step(
        state, Senses(now=1.04, q=away, tracks=[ball(2, 0.8)]), meet_ball
    )
    assert state.phase is Phase.TRACK
    assert isinstance(command, Reach)


@pytest.mark.parametrize("phase", [p for p in Phase if p is not Phase.STOP])
def test_a_fault_halts_it_in_any_phase_until_its_cause_is_gone(phase: Phase) -> None:
    state = replace(ready(), phase=phase)
    state, command = step(
        state, Senses(now=1.0, fault="servo roll is stuck"), meet_ball
    )
    assert state.phase is Phase.FAULT
    assert isinstance(command, Halt)
    if phase is not Phase.FAULT:
        assert state.reason == "servo roll is stuck"
    for now, expected in ((1.1, Phase.FAULT), (1.5, Phase.FAULT), (1.7, Phase.INIT)):
        state, command = step(state, Senses(now=now), meet_ball)
        assert state.phase is expected


def test_a_fault_that_comes_back_starts_the_waiting_anew() -> None:
    state, _ = step(ready(), Senses(now=1.0, fault="no images"), meet_ball)
    state, _ = step(state, Senses(now=1.1), meet_ball)
    state, _ = step(state, Senses(now=1.5, fault="no images"), meet_ball)
    state, _ = step(state, Senses(now=1.7), meet_ball)
    assert state.phase is Phase.FAULT


def test_stop_is_final() -> None:
    state, command = step(ready(), Senses(now=1.0, is_stopped=True), meet_ball)
    assert state.phase is Phase.STOP
    assert isinstance(command, Halt)
    state, command = step(state, Senses(now=9.0, tracks=[ball(1, 9.0)]), meet_ball)
    assert state.phase is Phase.STOP
    assert isinstance(command, Halt)


def test_a_home_that_is_never_reached_is_a_fault() -> None:
    state = replace(ready(), phase=Phase.HOME, since=0.0)
    state, command = step(state, Senses(now=3.5, q=np.array([0.5, 0.5])), meet_ball)
    assert state.phase is Phase.FAULT
    assert "roll does not follow: still 29 deg from home after 3 s" in state.reason
    assert isinstance(command, Halt)


def test_the_log_does_not_grow_without_end() -> None:
    state = ready()
    for k in range(300):
        state, _ = step(state, Senses(now=k, fault="again"), meet_ball)
        state = replace(state, phase=Phase.WAIT)
    assert len(state.log) == 200


@pytest.mark.capability("BB-82")
def test_to_play_left_the_bat_goes_to_the_right_of_the_path() -> None:
    thrown = ball(1)
    middle = meet_ball(thrown, 0.1)
    left, right = play_side("left")(thrown, 0.1), play_side("right")(thrown, 0.1)
    assert middle is not None
    assert left is not None
    assert right is not None
    assert left.q[0] > middle.q[0] + 0.1 > middle.q[0] - 0.1 > right.q[0]
