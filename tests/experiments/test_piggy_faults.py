"""Tests of faults on purpose and of what the robot's supervision says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from experiments.piggy.faults import (
    Fault,
    FaultySession,
    Finding,
    StuckServo,
    share_mastered,
    try_fault,
)
from gelenk.errors import NameNotFoundError
from gelenk.robots.piggy.hardware import ServoMode
from gelenk.robots.piggy.player import Supervision
from gelenk.robots.piggy.tracker import Frame


def frame(now: float, circles: int = 2) -> Frame:
    found = np.zeros((circles, 4))
    return Frame(
        stamp=now,
        circles=(found, found[:1]),
        is_ball=(np.ones(circles, bool), np.ones(1, bool)),
        pairs=np.zeros((0, 2), dtype=np.int64),
        tracks=(),
    )


def test_a_camera_that_is_silent_is_noted_and_later_a_fault() -> None:
    watch = Supervision()
    watch.see(0.0, frame(0.0), True, True)
    for k in range(1, 20):
        watch.see(0.02 * k, frame(0.02 * k), False, True)
    assert "no images of camera left for 0.38 s" in watch.fault(0.38)
    assert [text for _, text in watch.notes] == ["camera left sent nothing"]
    watch.see(0.4, frame(0.4), True, True)
    assert watch.fault(0.42) == ""


def test_a_camera_that_need_not_look_is_no_fault() -> None:
    watch = Supervision()
    watch.see(0.0, frame(0.0), True, True)
    watch.rest(1.0)
    assert watch.fault(1.1) == ""
    assert "left and right" in watch.fault(1.5)
    assert not watch.notes


def test_a_storm_of_circles_is_noted_once_a_second() -> None:
    watch = Supervision()
    for k in range(100):
        watch.see(0.02 * k, frame(0.02 * k, circles=40), True, True)
    assert [text for _, text in watch.notes] == ["40 circles in one image"] * 2
    assert watch.fault(2.0) == ""


def test_a_fault_acts_from_its_start_to_its_end() -> None:
    fault = Fault(kind="storm", start=1.0, end=2.0)
    assert [fault.acts(t) for t in (0.99, 1.0, 1.99, 2.0)] == [False, True, True, False]


class Recorder:
    """A servo that writes down what it is told."""

    def __init__(self) -> None:
        self.mode, self.torques = ServoMode.TORQUE, []

    def set_mode(self, mode: ServoMode) -> None:
        self.mode = mode

    def read_relative(self) -> int:
        return 5

    def write_torque(self, share: float) -> None:
        self.torques.append(share)


def test_a_jammed_servo_holds_counts_nothing_and_takes_no_torque() -> None:
    inner = Recorder()
    servo = StuckServo(inner)  # pyright: ignore[reportArgumentType]
    servo.write_torque(0.5)
    assert servo.read_relative() == 5
    servo.jam(True)
    servo.write_torque(0.7)
    assert inner.torques == [0.5]
    assert inner.mode is ServoMode.POSITION
    assert servo.read_relative() == 0
    assert servo.mode is ServoMode.TORQUE  # it does not know


def test_only_known_faults_are_tried() -> None:
    with pytest.raises(NameNotFoundError, match="servo stuck"):
        try_fault("servo stock")


@pytest.mark.slow
@pytest.mark.capability("BB-16")
def test_without_commands_the_bat_takes_the_safe_state_and_play_goes_on() -> None:
    found = try_fault("commands cut")
    assert found.is_safe
    assert found.goes_on
    assert any("no command for" in text for _, text in found.reasons)


def test_a_fault_is_mastered_if_it_was_safe_and_a_ball_was_hit_afterwards() -> None:
    found = Finding(name="servo stuck", is_safe=True, goes_on=True)
    assert share_mastered([found]) == 1.0
    assert share_mastered([found, replace(found, goes_on=False)]) == 0.5
    assert share_mastered([replace(found, is_safe=False)]) == 0.0


@pytest.mark.slow
@pytest.mark.capability("BB-94")
def test_without_images_play_stops_with_a_reason_and_goes_on_later() -> None:
    found = try_fault("cameras dropped")
    assert found.is_safe
    assert found.goes_on
    assert any("no images of camera left and right" in t for _, t in found.reasons)


@pytest.mark.slow
def test_stop_ends_play_for_good() -> None:
    with FaultySession() as session:
        session.start()
        session.player.stop()
        session.advance(session.now + 0.2)
        assert session.player.state.phase.value == "stop"
        assert session.safe
