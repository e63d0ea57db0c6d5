"""How a chessboard that somebody holds up looks to a camera: ray casting in NumPy.

Part of the plant: nothing here is used by the calibration, which only sees the images.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter

from gelenk.robots.piggy.calibration.boards import Board
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


def expose(
    scene: FloatArray, rng: np.random.Generator, look: BoardLook | None = None
) -> NDArray[np.uint8]:
    """Return what the sensor makes of a scene: blur of the lens, noise, 8 bits."""
    look = look or BoardLook()
    clean = gaussian_filter(scene, look.psf, mode="nearest")
    sigma = np.sqrt(look.noise**2 + look.shot_noise * np.clip(clean, 0.0, 255.0))
    noisy = clean + sigma * rng.standard_normal(clean.shape)
    return np.clip(np.rint(noisy), 0, 255).astype(np.uint8)
