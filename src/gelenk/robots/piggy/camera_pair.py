"""Both cameras at work: exposures, latency, and chessboards that are held up."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gelenk.robots.piggy import nominal
from gelenk.robots.piggy.calibration.boards import Board
from gelenk.robots.piggy.cameras import SIDES, RigCfg, make_rig
from gelenk.robots.piggy.config import CAMERA_RATE
from gelenk.robots.piggy.drawing import Eye
from gelenk.robots.piggy.people import Person
from gelenk.robots.piggy.places.hall import random_hall
from gelenk.robots.piggy.places.meadow import random_meadow
from gelenk.robots.piggy.places.place import Light
from gelenk.robots.piggy.scene_config import SceneCfg
from gelenk.sim.noise import stream_id
from gelenk.spatial import se3
from gelenk.typing import FloatArray
from gelenk.vision.camera import Intrinsics, project, unproject

RAYS = 4  # per pixel and axis; three leave 0.01 px in the corners
MARGIN = 0.6  # white paper around the fields, in fields


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardLook:
    """Light and sensor.

    Attributes:
        dark, light: Gray levels of the fields.
        psf: Standard deviation of the lens's blur [px].
        noise: Standard deviation of a black pixel [gray levels].
        shot_noise: Variance per gray level of light [gray levels].
    """

    dark: float = 35.0
    light: float = 205.0
    psf: float = 0.7
    noise: float = 1.5
    shot_noise: float = 0.04


def paint_board(
    scene: FloatArray,
    intrinsics: Intrinsics,
    T_camera_board: FloatArray,
    board: Board,
    look: BoardLook | None = None,
) -> FloatArray:
    """Return a scene with a board in front of it, before blur and noise.

    Args:
        scene: Gray levels, shape (rows, columns).
        intrinsics: The camera.
        T_camera_board: Pose of the board, shape (4, 4).
        board: Its size.
        look: Its gray levels.
    """
    look = look or BoardLook()
    width, height = board.cols + 1 + 2 * MARGIN, board.rows + 1 + 2 * MARGIN
    half = 0.5 * board.square * np.array([width, height])
    rim = np.linspace(-1.0, 1.0, 9)
    edge = np.ones_like(rim)
    outline = np.concatenate(
        [np.stack(s, axis=-1) for s in ((rim, edge), (rim, -edge), (edge, rim),
                                        (-edge, rim))]
    )  # fmt: skip
    flat = np.concatenate([outline * half, np.zeros((len(outline), 1))], axis=1)
    pixels = project(intrinsics, se3.transform_point(T_camera_board, flat))
    if not np.isfinite(pixels).all():
        return scene
    low = np.maximum(np.floor(pixels.min(axis=0)).astype(int) - 2, 0)
    high = np.minimum(
        np.ceil(pixels.max(axis=0)).astype(int) + 3,
        [intrinsics.width, intrinsics.height],
    )
    if (low >= high).any():
        return scene
    cover, glow = _cast(intrinsics, T_camera_board, board, look, low, high)
    out = scene.copy()
    part = out[low[1] : high[1], low[0] : high[0]]
    part *= 1.0 - cover
    part += glow
    return out


def _cast(
    intrinsics: Intrinsics,
    T_camera_board: FloatArray,
    board: Board,
    look: BoardLook,
    low: np.ndarray,
    high: np.ndarray,
) -> tuple[FloatArray, FloatArray]:
    """Return which share of each pixel the board covers, and its light there."""
    xs, ys = np.arange(low[0] - 1, high[0] + 1), np.arange(low[1] - 1, high[1] + 1)
    grid = np.stack(np.meshgrid(xs, ys), axis=-1).astype(np.float64)
    ray = unproject(intrinsics, grid)[..., :2]
    # Lenses bend slowly: between neighbours a ray changes linearly.
    across = 0.5 * (ray[1:-1, 2:] - ray[1:-1, :-2])
    down = 0.5 * (ray[2:, 1:-1] - ray[:-2, 1:-1])
    ray = ray[1:-1, 1:-1]
    T = se3.inverse(T_camera_board)
    origin, R = T[:3, 3], T[:3, :3]
    cover, glow = np.zeros(ray.shape[:2]), np.zeros(ray.shape[:2])
    shifts = (np.arange(RAYS) + 0.5) / RAYS - 0.5
    for du in shifts:
        for dv in shifts:
            xy = ray + du * across + dv * down
            d = xy @ R[:, :2].T + R[:, 2]
            with np.errstate(divide="ignore", invalid="ignore"):
                s = -origin[2] / d[..., 2]
                x = (origin[0] + s * d[..., 0]) / board.square + (board.cols + 1) / 2.0
                y = (origin[1] + s * d[..., 1]) / board.square + (board.rows + 1) / 2.0
                on_paper = (
                    (s > 0.0)
                    & (np.abs(x - (board.cols + 1) / 2.0) < board.cols / 2.0 + 1.1)
                    & (np.abs(y - (board.rows + 1) / 2.0) < board.rows / 2.0 + 1.1)
                )
                fields = (
                    (x >= 0.0)
                    & (x < board.cols + 1)
                    & (y >= 0.0)
                    & (y < board.rows + 1)
                )
                is_dark = fields & ((np.floor(x) + np.floor(y)) % 2.0 == 0.0)
            cover += on_paper
            glow += on_paper * np.where(is_dark, look.dark, look.light)
    return cover / RAYS**2, glow / RAYS**2


KEPT = 4  # exposures that can still be shown

Image = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Moment:
    """What the cameras exposed."""

    number: int
    tick: int
    things: tuple[FloatArray, ...]


class CameraPair:
    """Two synchronous cameras; image k is exposed from k / rate on."""

    def __init__(self, cfg: SceneCfg) -> None:
        self._cfg = cfg
        self._period = round(1.0 / CAMERA_RATE / cfg.step)
        self._mid = round(cfg.mid / cfg.step)
        self._ready = round((cfg.rig.exposure + cfg.rig.latency) / cfg.step)
        self._moments: list[_Moment] = []
        self._shown: tuple[int, Image, Image] | None = None
        self._eyes: tuple[Eye, Eye] | None = None
        self._people = cfg.people

    def is_exposing(self, tick: int) -> bool:
        """Return whether a tick is the middle of an exposure."""
        return (tick - self._mid) % self._period == 0

    def until_exposure(self, tick: int) -> int:
        """Return the ticks until the next middle of an exposure, at least 1."""
        return self._period - (tick - self._mid) % self._period

    def next_delivery(self, tick: int) -> int:
        """Return the tick in which the next images will have arrived."""
        return (self._newest(tick) + 1) * self._period + self._ready

    def capture(self, tick: int, things: Sequence[FloatArray]) -> None:
        """Remember what is seen at the middle of an exposure, see `Eye.shoot`."""
        number = (tick - self._mid) // self._period
        self._moments.append(_Moment(number=number, tick=tick, things=tuple(things)))
        del self._moments[:-KEPT]

    def images(self, tick: int) -> tuple[Image, Image, float] | None:
        """Return the newest images in a tick and the middle of their exposure [s]."""
        number = self._newest(tick)
        moment = next((m for m in self._moments if m.number == number), None)
        if moment is None:
            return None
        if self._shown is None or self._shown[0] != number:
            gain = self._gain(moment.tick * self._cfg.step)
            left, right = (
                eye.shoot(moment.things, number, gain) for eye in self._look()
            )
            self._shown = number, left, right
        return self._shown[1], self._shown[2], moment.tick * self._cfg.step

    def set_people(self, people: Sequence[Person]) -> None:
        """Let these people stand in the place, and nobody else."""
        self._people = tuple(people)
        if self._eyes is not None:
            for eye in self._eyes:
                eye.set_people(self._people)

    def show_board(self, T_world_board: FloatArray | None, board: Board) -> None:
        """Let somebody hold up a chessboard, before the place but not the bat.

        Args:
            T_world_board: Its pose, shape (4, 4); None: it is put away.
            board: Its size.
        """
        rig, (*pictures, _) = make_rig(self._cfg.rig), self._pictures()
        for eye, camera, picture in zip(self._look(), rig, pictures, strict=True):
            shown = picture
            if T_world_board is not None:
                T_camera_board = se3.inverse(camera.T_world_camera) @ T_world_board
                shown = paint_board(picture, camera.intrinsics, T_camera_board, board)
            eye.set_picture(shown, self._people)

    def _gain(self, time: float) -> float:
        """Return how bright an image is: outdoors clouds pass."""
        if self._cfg.place == "indoor":
            return 1.0
        phase = self._cfg.seen_seed
        slow = math.sin(2.0 * math.pi * time / 13.0 + phase)
        return 1.0 + 0.08 * slow + 0.04 * math.sin(2.0 * math.pi * time / 3.7 + phase)

    def _newest(self, tick: int) -> int:
        """Return the number of the newest image in a tick; negative: none."""
        return (tick - self._ready) // self._period

    def _pictures(self) -> tuple[FloatArray, FloatArray, Light]:
        cfg = self._cfg
        return paint_pictures(cfg.place, cfg.seen_seed, cfg.rig, cfg.samples)

    def _look(self) -> tuple[Eye, Eye]:
        if self._eyes is None:
            cfg, (*pictures, light) = self._cfg, self._pictures()
            left, right = (
                Eye(
                    camera,
                    picture,
                    light,
                    cfg.rig,
                    (cfg.seed, stream_id("piggy", "camera", side)),
                )
                for camera, picture, side in zip(
                    make_rig(cfg.rig), pictures, SIDES, strict=True
                )
            )
            self._eyes = left, right
            self.set_people(self._people)
        return self._eyes


@lru_cache(maxsize=4)
def paint_pictures(
    place: str, seed: int, rig: RigCfg, samples: int
) -> tuple[FloatArray, FloatArray, Light]:
    """Return what both cameras see without balls and people, and the light.

    Args:
        place: "indoor" or "outdoor".
        seed: Which one of them.
        rig: The cameras.
        samples: Per side of a pixel.
    """
    rng = np.random.default_rng([seed, 0x91ACE])
    scene = random_hall(rng) if place == "indoor" else random_meadow(rng)
    pictures = []
    for camera in make_rig(rig):
        T = np.array(camera.T_world_camera)
        T[:3, 3] -= nominal.CAMERA_MIDDLE
        pictures.append(scene.paint(camera.intrinsics, T, samples))
    return pictures[0], pictures[1], scene.light
