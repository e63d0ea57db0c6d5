"""Onlooker of a running calibration, and poses that are taken again after it.

It listens to the messages of the robot's own processes and draws nothing itself.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gelenk.robots.nao.automaton import BoardView
from gelenk.robots.nao.detection import expected_board, find_board
from gelenk.robots.nao.fit import Fit
from gelenk.robots.nao.joints import HEAD, LEG, SIDES, Side
from gelenk.robots.nao.panel.overlays import board_picture
from gelenk.robots.nao.representations import IGNORE, OFF
from gelenk.robots.nao.session import Session
from gelenk.robots.nao.world import NaoNames
from gelenk.runtime.panel import AnnotatedImage
from gelenk.typing import FloatArray

TRAIL_STEP = 5  # control ticks between two points of the sole's trail
TRAIL_LENGTH = 240  # points
MAX_IMAGES = 160  # of found boards: 24 poses with 3 gazes for 2 legs, and some


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Look:
    """An image that was searched.

    Attributes:
        time: Of the image [s].
        side: Whose board was searched.
        pixels: Gray, uint8.
        angles: Readings of the joints, body vector [rad], shape (22,).
        corners: What was found [px], shape (24, 2); (0, 2): nothing.
        status: What the detector says.
    """

    time: float
    side: Side
    pixels: NDArray[np.uint8]
    angles: FloatArray
    corners: FloatArray
    status: str


class Onlooker:
    """Listens in every control tick, as `Run` calls publishers.

    Attributes:
        look: The last image that was searched; None: none yet.
        images: Images in which a board was found, by time [s].
        trail: Where the sole of the leg that moves has been, world [m].
        angles: Newest readings of the joints [rad], shape (22,); None: none yet.
        tracking: Largest distance of a joint of head and legs from its command [rad].
        num_returns: How often the run was put back to an earlier moment.

    Args:
        names: Of the parts of the world.
    """

    def __init__(self, names: NaoNames) -> None:
        self._names = names
        self._recent: dict[float, NDArray[np.uint8]] = {}
        self._ticks = 0
        self._time = 0.0
        self._searched = math.nan
        self.look: Look | None = None
        self.images: dict[float, NDArray[np.uint8]] = {}
        self.trail: deque[FloatArray] = deque(maxlen=TRAIL_LENGTH)
        self.angles: FloatArray | None = None
        self.tracking = math.nan
        self.num_returns = 0
        self._side: Side = "left"

    def __call__(self, view: Any) -> None:
        if view.time < self._time:
            self._go_back(view.time)
        self._time = view.time
        joints = view.bus.latest("filtered_joint_data")
        if joints is None:
            return
        self.angles = joints.angles
        self.tracking = _tracking(view.bus.latest("joint_request"), joints.angles)
        output = view.bus.latest("calibrator_output")
        side: Side = self._side if output is None else output.side
        self._follow(view.world, side)
        self._listen(view.bus, side, joints.mean)

    def _go_back(self, time: float) -> None:
        """Forget what has not happened yet, now that the run was put back [s]."""
        self.images = {key: old for key, old in self.images.items() if key <= time}
        self._recent.clear()
        self.trail.clear()
        self.num_returns += 1
        self.look, self._searched = None, math.nan

    def _follow(self, world: Any, side: Side) -> None:
        if side != self._side:
            self._side = side
            self.trail.clear()
        if self._ticks % TRAIL_STEP == 0:
            self.trail.append(world.pose(f"{self._names.robot}/{side[0]}_sole")[:3, 3])
        self._ticks += 1

    def _listen(self, bus: Any, side: Side, angles: FloatArray) -> None:
        image, board = bus.latest("image"), bus.latest("chessboard")
        if image is not None and image.time not in self._recent:
            self._recent[image.time] = image.pixels
            for old in list(self._recent)[:-3]:
                del self._recent[old]
        if board is None or board.time == self._searched:
            return
        pixels = self._recent.get(board.time)
        if pixels is None:
            return
        self._searched = board.time
        self.look = Look(
            time=board.time,
            side=side,
            pixels=pixels,
            angles=angles,
            corners=board.corners,
            status=board.status,
        )
        if board.is_found:
            self.images[board.time] = pixels
            while len(self.images) > MAX_IMAGES:
                del self.images[next(iter(self.images))]


def _tracking(request: Any, angles: FloatArray) -> float:
    if request is None:
        return math.nan
    used = np.zeros(len(angles), dtype=bool)
    for part in (HEAD, *(LEG[side] for side in SIDES)):
        used[part] = True
    used &= (request.angles != OFF) & (request.angles != IGNORE)
    return float(np.abs(request.angles - angles)[used].max(initial=0.0))


class Replay:
    """One image of a pose that was taken again; drawn when it is first asked for.

    Args:
        view: Whose pose it is.
        session: The robot in its world.
        onlooker: Knows the readings.
    """

    def __init__(self, view: BoardView, session: Session, onlooker: Onlooker) -> None:
        self._view, self._session, self._onlooker = view, session, onlooker
        self._picture: AnnotatedImage | None = None

    def picture(self, name: str, fit: Fit) -> AnnotatedImage:
        """Return the image with the board as the fit expects it.

        Args:
            name: Of the picture.
            fit: The new parameters.
        """
        if self._picture is None:
            self._picture = self._take(name, fit)
        return self._picture

    def _take(self, name: str, fit: Fit) -> AnnotatedImage:
        session, side = self._session, self._view.side
        image, angles = session.world.image(session.names.lower), self._onlooker.angles
        assert image is not None, "the camera has taken images before"
        assert angles is not None, "the joints were read before"
        values = fit.calibration.values
        expected = expected_board(fit.problem, values, angles, side)
        cfg = session.cfg.cognition.detection
        corners, _, status = find_board(cfg, image.pixels, expected, everywhere=False)
        return board_picture(
            name,
            image.pixels,
            corners=corners,
            expected=expected,
            words=f"{image.time:.1f} s, taken again with the new parameters: {status}",
            color="good",
        )
