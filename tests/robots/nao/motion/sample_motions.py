"""Motion files that several tests read, and a player that keeps what happened."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from gelenk.robots.nao.joints import BODY_JOINTS
from gelenk.robots.nao.motion.engine import Played, initial_state, step
from gelenk.robots.nao.motion.program import MotionProgram
from gelenk.robots.nao.motion.text import make_program, parse_motions
from gelenk.robots.nao.representations import MotionRequest
from gelenk.typing import ArrayLike

INDEX = {joint: i for i, joint in enumerate(BODY_JOINTS)}

ENTRY = """\
motions
{
  label start
  transition go go start
  transition motions start
}
"""


def with_body(*lines: str) -> str:
    """Return a file whose motion `go` has these lines between its label and its end."""
    body = "\n".join(f"  {line}" for line in lines)
    return f"{ENTRY}\ngo\n{{\n  label start\n{body}\n  transition motions start\n}}\n"


def program_of(text: str) -> MotionProgram:
    return make_program(parse_motions(text))


class Player:
    """Plays a program tick by tick, asking for `go` at the first; degrees by joint."""

    def __init__(
        self, program: MotionProgram | str, angles: ArrayLike = 0.0, *, dt: float = 0.01
    ) -> None:
        self.program = program_of(program) if isinstance(program, str) else program
        self.dt = dt
        self.state = initial_state(np.broadcast_to(np.deg2rad(np.asarray(angles)), 22))
        self.request, self.wanted = MotionRequest(motion="go"), ""
        self.history: list[Played] = []
        self.measured: np.ndarray | None = None

    def tick(self, count: int = 1) -> Played:
        for _ in range(count):
            played = step(
                self.program, self.state, self.request, self.dt, measured=self.measured
            )
            self.state = played.state
            self.history.append(played)
            self.request = replace(self.request, motion=self.wanted)
        return self.history[-1]

    def until(self, condition: Callable[[Played], bool], limit: int = 2000) -> int:
        """Return how many ticks it took."""
        for count in range(1, limit + 1):
            if condition(self.tick()):
                return count
        raise AssertionError("it never happened")

    def go_on(self) -> Played:
        """Press the continue switch for one tick."""
        self.request = MotionRequest(is_continuing=True)
        played = self.tick()
        self.request = MotionRequest()
        return played

    def degrees(self, joint: str) -> float:
        return float(np.rad2deg(self.history[-1].joints.angles[INDEX[joint]]))

    def angles(self) -> np.ndarray:
        """All commanded angles [rad], shape (ticks, 22)."""
        return np.array([played.joints.angles for played in self.history])
