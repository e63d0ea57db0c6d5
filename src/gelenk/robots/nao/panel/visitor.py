"""What a person does beside a lying NAO: presses bumpers, covers its lens or a board.

Wishes are noted and carried out in the next control tick.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from gelenk.models.tree import RobotModel
from gelenk.robots.nao.drives import stiffness
from gelenk.robots.nao.joints import SIDES, Side, model_from_body
from gelenk.robots.nao.world import NaoNames, press_bumper, release_bumper
from gelenk.sim.cameras.boards import PictureBoard
from gelenk.typing import FloatArray

START_AT, PRESS_TIME = 0.3, 0.3  # [s]
MOVE_SPEED = math.radians(45.0)  # [rad/s]
CAP = "lens_cap"
CLOTHS: dict[Side, str] = {"left": "left_cloth", "right": "right_cloth"}
_CAP_EDGE, _CLOTH_SIZE = 0.13, (0.215, 0.165)  # [m]
# How far before the lens, which sees nothing that is nearer than 5 cm.
_CAP_AHEAD = 0.062  # [m]
_CLOTH_ABOVE = 0.006  # [m], over the print: it follows the leg one control tick late
_CAP_RGB, _CLOTH_RGB = (3, 3, 4), (38, 52, 84)
_AWAY = (0.0, 0.0, -0.05)  # [m], below the floor: nobody sees what is not used


def props() -> tuple[PictureBoard, ...]:
    """Return what the visitor brings along, for `NaoWorldCfg.extras`."""
    width, height = _CLOTH_SIZE
    pixels = round(100.0 * height / width)
    cloth = np.full((pixels, 100, 3), _CLOTH_RGB, dtype=np.uint8)
    cap = np.full((4, 4, 3), _CAP_RGB, dtype=np.uint8)
    return (
        _prop(CAP, cap, _CAP_EDGE),
        *(_prop(name, cloth, width) for name in CLOTHS.values()),
    )


def _prop(name: str, pixels: Any, width: float) -> PictureBoard:
    return PictureBoard(
        name=name,
        pixels=pixels,
        width=width,
        thickness=0.001,
        T_parent_board=_away(),
        is_movable=True,
    )


def _away() -> FloatArray:
    T = np.eye(4)
    T[:3, 3] = _AWAY
    return T


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Move:
    """A way from one command to another, body vectors [rad], shape (22,)."""

    start: FloatArray
    goal: FloatArray
    begin: float
    duration: float

    def at(self, time: float) -> FloatArray:
        share = min(max((time - self.begin) / self.duration, 0.0), 1.0)
        blend = 0.5 - 0.5 * math.cos(math.pi * share)
        return self.start + blend * (self.goal - self.start)


class Visitor:
    """Hands of a person; call it in every control tick, as `Run` does with publishers.

    A moment after the beginning it presses the left bumper, each time that the run is
    put to its beginning.

    Attributes:
        is_lens_covered: Whether the cap is before the lower camera.
        covered: Sides whose boards lie under a cloth.

    Args:
        names: Of the parts of the world.
        model: Of the robot, documented.
    """

    def __init__(self, names: NaoNames, model: RobotModel) -> None:
        self._names, self._model = names, model
        self._move: _Move | None = None
        self._time = 0.0
        self._pressed: Side | None = None
        self._until = math.nan
        self._placed: set[str] = set()
        self.is_lens_covered = False
        self.covered: set[Side] = set()

    def press(self, side: Side) -> None:
        """Press a bumper of a foot for a moment."""
        self._pressed = side

    def cover_board(self, side: Side) -> None:
        """Lay a cloth over a board, or take it away."""
        if side in self.covered:
            self.covered.remove(side)
        else:
            self.covered.add(side)

    def move(self, start: FloatArray, goal: FloatArray) -> None:
        """Command the joints from one pose to another, slowly; others must not.

        Args:
            start: Command to begin with, body vector [rad], shape (22,).
            goal: Command to end with.
        """
        duration = max(float(np.abs(goal - start).max()) / MOVE_SPEED, 1.0)
        self._move = _Move(start=start, goal=goal, begin=self._time, duration=duration)

    @property
    def rest_time(self) -> float:
        """How long the robot has been where it was moved to [s]; NaN: not there."""
        if self._move is None:
            return math.nan
        rest = self._time - self._move.begin - self._move.duration
        return rest if rest >= 0.0 else math.nan

    def __call__(self, view: Any) -> None:
        world = view.world
        if self._time < START_AT <= view.time:
            self._pressed = "left"
        elif view.time < self._time:  # somebody has gone back
            self._until, self._move = math.nan, None
            release_bumper(world, self._names)
        self._time = view.time
        if self._move is not None:
            q = model_from_body(self._model, self._move.at(view.time))
            world.command(self._names.robot, q, stiffness(self._model))
        if self._pressed is not None:
            press_bumper(world, self._names, self._pressed)
            self._pressed, self._until = None, view.time + PRESS_TIME
        elif view.time >= self._until:
            release_bumper(world, self._names)
            self._until = math.nan
        lens = self._before_lens(world) if self.is_lens_covered else None
        self._hold(world, CAP, lens)
        for side in SIDES:
            over = self._over_board(world, side) if side in self.covered else None
            self._hold(world, CLOTHS[side], over)

    def _hold(self, world: Any, name: str, T_world_thing: FloatArray | None) -> None:
        """Keep a thing where it is wanted, or put it away once."""
        if T_world_thing is not None:
            world.place(name, T_world_thing)
            self._placed.add(name)
        elif name in self._placed:
            world.place(name, _away())
            self._placed.discard(name)

    def _before_lens(self, world: Any) -> FloatArray:
        T_world_eye = world.pose(f"{self._names.robot}/camera_bottom")
        T_eye_cap = np.eye(4)  # its face, z, against the optical axis, x
        T_eye_cap[:3, :3] = [[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]
        T_eye_cap[0, 3] = _CAP_AHEAD
        return T_world_eye @ T_eye_cap

    def _over_board(self, world: Any, side: Side) -> FloatArray:
        T_board_cloth = np.eye(4)
        T_board_cloth[2, 3] = _CLOTH_ABOVE
        board = self._names.boards[SIDES.index(side)]
        return world.pose(board) @ T_board_cloth
