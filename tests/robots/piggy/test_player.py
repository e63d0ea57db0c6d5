"""Tests of what the player tells motion control, and when it rests."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gelenk.robots.piggy.behaviour import Reach, Strike
from gelenk.robots.piggy.control import MotionMode
from gelenk.robots.piggy.player import Player


class Control:
    """Motion control that writes down what it is told."""

    def __init__(self) -> None:
        self.mode, self.told = MotionMode.DIRECT, []
        self.log, self.state = [], SimpleNamespace(q=np.zeros(2), reason="")

    def strike(self, q: Any, qd: Any, time: float) -> None:
        self.mode = MotionMode.STRIKE
        self.told.append(("strike", float(q[0]), time))

    def reach(self, q: Any) -> None:
        self.mode = MotionMode.DIRECT
        self.told.append(("reach", float(q[0])))

    def start(self, now: float) -> None:
        self.told.append(("start",))

    def home(self) -> None:
        self.told.append(("home",))

    def keep_alive(self) -> None:
        self.told.append(("alive",))

    def step(self, now: float) -> Any:
        return np.zeros(2)


@pytest.fixture
def player() -> Player:
    tracker = SimpleNamespace(close=lambda: None)
    return Player(tracker, Control())  # pyright: ignore[reportArgumentType]


def stroke(roll: float, time: float = 1.0) -> Strike:
    return Strike(q=np.array([roll, 0.0]), qd=np.array([0.0, -2.5]), time=time)


def told(player: Player, now: float, command: Any) -> str:
    player._obey(now, command)
    return player.control.told[-1][0]  # pyright: ignore[reportAttributeAccessIssue]


def test_a_stroke_that_stays_the_same_is_told_once(player: Player) -> None:
    assert told(player, 0.5, stroke(0.100)) == "strike"
    assert told(player, 0.52, stroke(0.101)) == "alive"
    assert told(player, 0.54, stroke(0.110)) == "strike"
    assert told(player, 0.56, stroke(0.110, time=1.01)) == "strike"


def test_in_the_last_acceleration_nothing_new_is_told(player: Player) -> None:
    assert told(player, 0.7, stroke(0.1)) == "strike"
    assert told(player, 0.9, stroke(0.2)) == "alive"
    assert told(player, 0.9, stroke(0.2, time=2.0)) == "strike"  # another ball
    assert told(player, 1.9, Reach(q=np.zeros(2))) == "reach"
    assert told(player, 1.95, stroke(0.3, time=2.0)) == "strike"


def test_while_it_rests_it_goes_on_without_a_fault(player: Player) -> None:
    for k in range(100):
        player.rest(0.02 * k)
        player.tick(0.02 * k)
    assert all(change.after.value != "fault" for change in player.changes)
    assert player.frame is None
