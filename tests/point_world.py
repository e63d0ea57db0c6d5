"""A small world with real motion: masses on rails, driven to targets, and a beam."""

from __future__ import annotations

import copy
import hashlib
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


class BeamEvent(NamedTuple):
    time: float
    zone: str
    item: str


@dataclass
class _State:
    tick: int
    q: np.ndarray
    qd: np.ndarray
    target: np.ndarray


class PointWorld:
    """Unit masses, each pulled to its target by a damped spring (semi-implicit Euler).

    The zone "beam" notices every mass that passes 0.5 m upwards.
    """

    def __init__(self, robots: tuple[str, ...] = ("arm",), step: float = 0.001) -> None:
        self.robots, self.dt = robots, step
        n = len(robots)
        self._state = _State(0, np.zeros(n), np.zeros(n), np.zeros(n))
        self._events: list[BeamEvent] = []
        self.num_steps = 0

    @property
    def tick(self) -> int:
        return self._state.tick

    @property
    def time(self) -> float:
        return self.tick * self.dt

    def step(self, n: int = 1) -> None:
        s = self._state
        for _ in range(n):
            before = s.q.copy()
            s.qd += self.dt * (100.0 * (s.target - s.q) - 20.0 * s.qd)
            s.q += self.dt * s.qd
            s.tick += 1
            self.num_steps += 1
            for i in np.flatnonzero((before < 0.5) & (s.q >= 0.5)):
                self._events.append(BeamEvent(self.time, "beam", self.robots[i]))

    def snapshot(self) -> _State:
        return copy.deepcopy(self._state)

    def restore(self, state: _State) -> None:
        self._state = copy.deepcopy(state)
        self._events.clear()

    def zone_events(self) -> list[BeamEvent]:
        events, self._events = self._events, []
        return events

    def joint_positions(self, robot: str) -> np.ndarray:
        return self._state.q[[self.robots.index(robot)]]

    def joint_velocities(self, robot: str) -> np.ndarray:
        return self._state.qd[[self.robots.index(robot)]]

    def command(self, robot: str, values) -> None:
        self._state.target[self.robots.index(robot)] = values[0]

    def state_hash(self) -> str:
        s = self._state
        data = s.q.tobytes() + s.qd.tobytes() + s.target.tobytes()
        return hashlib.sha256(data + str(s.tick).encode()).hexdigest()
