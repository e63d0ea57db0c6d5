"""Chessboards drawn by ray casting in NumPy: an oracle that no renderer is part of."""

from __future__ import annotations

import cv2
import numpy as np

WIDTH, HEIGHT, FOCAL = 640, 480, 543.5945
SQUARE = 0.025  # [m]


def corners_of_board(rows: int = 4, cols: int = 6) -> np.ndarray:
    """Inner corners in board axes (x along columns, y along rows, z away) [m], (n, 3)."""
    c, r = np.meshgrid(np.arange(cols), np.arange(rows))
    xy = np.stack([c - (cols - 1) / 2, r - (rows - 1) / 2], axis=-1).reshape(-1, 2)
    return np.concatenate([SQUARE * xy, np.zeros((len(xy), 1))], axis=1)


def camera_matrix() -> np.ndarray:
    return np.array([[FOCAL, 0, 319.5], [0, FOCAL, 239.5], [0, 0, 1.0]])


def homography(
    roll: float, tilt: float, azimuth: float, at: tuple[float, float, float]
) -> np.ndarray:
    """From board [m] to pixels, for a board at `at` in camera axes."""
    axis = np.array([np.cos(azimuth), np.sin(azimuth), 0.0])
    R = cv2.Rodrigues(tilt * axis)[0] @ cv2.Rodrigues(np.array([0, 0, roll]))[0]
    return camera_matrix() @ np.column_stack([R[:, :2], np.array(at)])


def projected(H: np.ndarray, points: np.ndarray) -> np.ndarray:
    mapped = points[:, :2] @ H[:, :2].T + H[:, 2]
    return mapped[:, :2] / mapped[:, 2:]


def draw(
    H: np.ndarray, *, rows: int = 4, cols: int = 6, inverted: bool = False, samples: int = 4,
    background: float = 128.0, dark: float = 25.0, light: float = 215.0, blur: float = 0.7,
) -> np.ndarray:  # fmt: skip
    """Return a gray image (480, 640) of the board, samples^2 rays per pixel."""
    n = samples
    offset = (np.arange(n) + 0.5) / n - 0.5
    u = (np.arange(WIDTH)[:, None] + offset).ravel()
    v = (np.arange(HEIGHT)[:, None] + offset).ravel()
    uu, vv = np.meshgrid(u, v)
    G = np.linalg.inv(H)
    w = G[2, 0] * uu + G[2, 1] * vv + G[2, 2]
    x = (G[0, 0] * uu + G[0, 1] * vv + G[0, 2]) / w / SQUARE + (cols + 1) / 2
    y = (G[1, 0] * uu + G[1, 1] * vv + G[1, 2]) / w / SQUARE + (rows + 1) / 2
    is_board = (x >= 0) & (x < cols + 1) & (y >= 0) & (y < rows + 1)
    is_dark = ((np.floor(x) + np.floor(y)) % 2 == 0) ^ inverted
    fine = np.where(is_board, np.where(is_dark, dark, light), background)
    pixels = fine.reshape(HEIGHT, n, WIDTH, n).mean(axis=(1, 3))
    if blur:
        pixels = cv2.GaussianBlur(pixels, (0, 0), blur)
    return np.rint(pixels).astype(np.uint8)
