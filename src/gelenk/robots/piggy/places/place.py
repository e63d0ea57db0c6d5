"""`Place`: the surroundings of the ball as any camera sees them, and its painting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gelenk.kernels.compile import kernel
from gelenk.typing import FloatArray
from gelenk.vision.camera import Intrinsics, unproject


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Light:
    """What falls on a ball, a bat, a person.

    Attributes:
        direction: Towards the brightest light, unit vector in world axes, (3,).
        ambient: Gray level of a white surface without that light.
        direct: Gray levels that the light adds to a white surface facing it.
    """

    direction: FloatArray
    ambient: float
    direct: float


class Place(Protocol):
    """A place of which pictures can be painted; the same from all sides."""

    @property
    def light(self) -> Light:
        """What falls on things in it."""
        ...

    def paint(
        self, lens: Intrinsics, T_place_camera: FloatArray, samples: int
    ) -> np.ndarray:
        """Return what a camera sees of it, gray levels before the lens's blur.

        Args:
            lens: Of the camera.
            T_place_camera: Its pose (4, 4); the place's origin is the middle between
                the cameras, y ahead, z up.
            samples: Per side of a pixel.

        Returns:
            Shape (rows, columns).
        """
        ...


def pixel_nodes(lens: Intrinsics) -> FloatArray:
    """Return the rays through the corners of all pixels, x and y at unit depth.

    Returns:
        Shape (rows + 1, columns + 1, 2); between them rays may be interpolated.
    """
    v, u = np.mgrid[0 : lens.height + 1, 0 : lens.width + 1] - 0.5
    rays = unproject(lens, np.stack([u, v], axis=-1))
    return rays[..., :2] / rays[..., 2:]


def sample_rays(nodes: FloatArray, samples: int) -> np.ndarray:
    """Return rays within all pixels, x and y at unit depth, float32.

    Args:
        nodes: See `pixel_nodes`.
        samples: Per side of a pixel.

    Returns:
        Shape (samples rows, samples columns, 2).
    """
    rows, columns = nodes.shape[0] - 1, nodes.shape[1] - 1
    part = (np.arange(samples) + 0.5) / samples
    shape = rows, samples, nodes.shape[1], 2
    down = np.empty(shape, dtype=np.float32)
    for j, b in enumerate(part):
        down[:, j] = (1.0 - b) * nodes[:-1] + b * nodes[1:]
    down = down.reshape(rows * samples, nodes.shape[1], 2)
    rays = np.empty((rows * samples, columns, samples, 2), dtype=np.float32)
    for i, a in enumerate(part):
        rays[:, :, i] = (1.0 - a) * down[:, :-1] + a * down[:, 1:]
    return rays.reshape(rows * samples, columns * samples, 2)


def area_mean(gray: np.ndarray, samples: int) -> FloatArray:
    """Return the mean of each pixel's samples, (rows, columns)."""
    rows, columns = gray.shape
    parts = gray.reshape(rows // samples, samples, columns // samples, samples)
    return parts.mean(axis=(1, 3), dtype=np.float64)


def clouds(rows: int, columns: int, rng: np.random.Generator) -> np.ndarray:
    """Return noise with structure of all sizes, about -1 to 1, (rows, columns)."""
    out = np.zeros((rows, columns), dtype=np.float32)
    y, x = np.arange(rows) / max(rows, columns), np.arange(columns) / max(rows, columns)
    for octave in range(2, 7):
        cells = 2**octave
        grid = rng.normal(0.0, 1.0, (cells + 2, cells + 2)).astype(np.float32)
        i, j = (y * cells).astype(int), (x * cells).astype(int)
        a = (y * cells - i).astype(np.float32)[:, None]
        b = (x * cells - j).astype(np.float32)
        a, b = a * a * (3.0 - 2.0 * a), b * b * (3.0 - 2.0 * b)
        # The columns first: they are the same for all rows of a cell.
        across = grid[:, j] * (1.0 - b) + grid[:, j + 1] * b
        out += np.float32(0.6**octave) * ((1.0 - a) * across[i] + a * across[i + 1])
    return out


@kernel
def paint_leaves(
    gray: NDArray[np.float32],
    xy: FloatArray,
    axes: FloatArray,
    angle: FloatArray,
    level: FloatArray,
) -> None:
    """Paint pointed leaves, the first at the back.

    Args:
        gray: Picture, float32.
        xy: Middles [samples], (n, 2).
        axes: Half lengths along and across [samples], (n, 2).
        angle: Of the first axis [rad], (n,).
        level: Gray levels, (n,).
    """
    rows, columns = gray.shape
    for k in range(len(xy)):
        c, s = np.cos(angle[k]), np.sin(angle[k])
        reach = max(axes[k, 0], axes[k, 1])
        top, bottom = xy[k, 1] - reach, xy[k, 1] + reach + 2
        left, right = xy[k, 0] - reach, xy[k, 0] + reach + 2
        if bottom < 0 or right < 0 or top > rows or left > columns:
            continue
        for y in range(max(int(top), 0), min(int(bottom), rows)):
            for x in range(max(int(left), 0), min(int(right), columns)):
                u = (c * (x - xy[k, 0]) + s * (y - xy[k, 1])) / axes[k, 0]
                v = (c * (y - xy[k, 1]) - s * (x - xy[k, 0])) / axes[k, 1]
                if abs(u) + abs(v) * (1.0 + 0.3 * u) < 1.0:  # pointed, not round
                    gray[y, x] = level[k]
