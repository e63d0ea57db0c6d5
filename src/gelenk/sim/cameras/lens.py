"""The lens between a drawn pinhole image and the pixels of a camera.

A renderer draws pinholes only. For a distorting lens a pinhole image is drawn that
contains every ray of the camera, and each pixel takes the mean over rays within it,
each interpolated between the four samples that it meets.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from gelenk.errors import ConfigError
from gelenk.sim.cameras.description import border_pixels
from gelenk.sim.cameras.develop import Area, average_pixels, gather_pixels, grown
from gelenk.sim.cameras.drawing import ImageWindow
from gelenk.typing import FloatArray
from gelenk.vision.camera import (
    Intrinsics,
    distort,
    pixel_from_plane,
    plane_from_pixel,
    project,
    projection_jacobian,
    unproject,
)

MAX_GROWTH = 4.0  # of either side of the image; a wider lens needs another renderer


class Lens:
    """Lens of a camera: the pinhole image to draw, and its way to pixels.

    Attributes:
        intrinsics: Intrinsics of the camera.
        pinhole: Intrinsics of the image to draw; without distortion that of the camera.
        samples: Samples per side of a pixel of either.
    """

    def __init__(self, intrinsics: Intrinsics, samples: int) -> None:
        self.intrinsics = intrinsics
        self.samples = samples
        self._corners: FloatArray | None = None
        self.pinhole = intrinsics
        if intrinsics.is_distorted:
            self.pinhole = enclosing_pinhole(intrinsics)
            self._corners = _pixel_corners(intrinsics, self.pinhole, samples)

    def gather(
        self, drawn: NDArray[np.uint8], area: Area, out: NDArray[np.float32]
    ) -> None:
        """Write the pixels of an area into `out`, see `average_pixels`."""
        if self._corners is None:
            average_pixels(drawn, self.samples, area, out)
        else:
            gather_pixels(drawn, self._corners, self.samples, area, out)

    def area_of(self, window: ImageWindow) -> Area:
        """Return an area that contains all pixels that see into a window."""
        rows, columns, s = self.intrinsics.height, self.intrinsics.width, self.samples
        top = s * self.pinhole.height - window.bottom - window.height
        corners = np.array(
            [
                [window.left, top],
                [window.left + window.width, top + window.height],
            ]
        )
        uv = corners / s - 0.5
        if self._corners is not None:
            uv = self._through_lens(uv)
        first = np.floor(uv.min(axis=0) + 0.5).astype(int)
        last = np.ceil(uv.max(axis=0) + 0.5).astype(int)
        area = Area(first[1], first[0], last[1], last[0])
        margin = 0 if self._corners is None else 2  # the outline is bent between points
        return grown(area, margin, rows, columns)

    def _through_lens(self, corners: FloatArray) -> FloatArray:
        """Return where the outline of a rectangle of the pinhole image appears [px]."""
        u = np.linspace(corners[0, 0], corners[1, 0], 33)
        v = np.linspace(corners[0, 1], corners[1, 1], 33)
        outline = np.concatenate(
            [np.stack(np.broadcast_arrays(u, v[k]), axis=-1) for k in (0, -1)]
            + [np.stack(np.broadcast_arrays(u[k], v), axis=-1) for k in (0, -1)]
        )
        xy = distort(self.intrinsics, plane_from_pixel(self.pinhole, outline))
        return pixel_from_plane(self.intrinsics, xy)


def enclosing_pinhole(intrinsics: Intrinsics) -> Intrinsics:
    """Return a pinhole image that contains every ray of a distorted camera.

    Its focal lengths are those of the camera times the largest magnification of the
    lens, so that nowhere a drawn sample is coarser than one of the camera.

    Raises:
        ConfigError: If it would be more than `MAX_GROWTH` times as wide or high.
    """
    k = intrinsics
    border = unproject(k, border_pixels(k, 256))
    growth = _largest_magnification(k)
    fx, fy = growth * k.fx, growth * k.fy
    uv = border[:, :2] * [fx, fy]
    left, top = (math.ceil(-x) + 1 for x in uv.min(axis=0))
    right, bottom = (math.ceil(x) + 1 for x in uv.max(axis=0))
    width, height = left + right, top + bottom
    if width > MAX_GROWTH * k.width or height > MAX_GROWTH * k.height:
        raise ConfigError(
            f"the lens {k.distortion} needs a drawn image of {width} x {height} for "
            f"{k.width} x {k.height} pixels; at most {MAX_GROWTH:g} times is possible"
        )
    return Intrinsics(
        width=width, height=height, fx=fx, fy=fy, cx=left - 0.5, cy=top - 0.5
    )


def _largest_magnification(intrinsics: Intrinsics) -> float:
    """Return the largest stretch of the lens over the image, at least 1."""
    u = np.linspace(-0.5, intrinsics.width - 0.5, 40)
    v = np.linspace(-0.5, intrinsics.height - 0.5, 40)
    rays = unproject(intrinsics, np.stack(np.meshgrid(u, v), axis=-1))
    # At unit distance d(u, v) / d(X, Y) is the lens times the focal lengths.
    J = projection_jacobian(intrinsics, rays)[..., :2]
    J = J / np.array([[intrinsics.fx], [intrinsics.fy]])
    return max(1.0, float(np.linalg.norm(J, ord=2, axis=(-2, -1)).max()))


def _pixel_corners(
    intrinsics: Intrinsics, pinhole: Intrinsics, samples: int
) -> FloatArray:
    """Return where the corners of all pixels lie among the samples of a pinhole image.

    Between them rays are interpolated: the lens is so smooth that this errs by some
    1e-4 px.

    Returns:
        Columns and rows, the bottom row first, (rows + 1, columns + 1, 2).
    """
    v, u = np.mgrid[0 : intrinsics.height + 1, 0 : intrinsics.width + 1] - 0.5
    drawn = project(pinhole, unproject(intrinsics, np.stack([u, v], axis=-1)))
    at = samples * (drawn + 0.5) - 0.5
    at[..., 1] = samples * pinhole.height - 1 - at[..., 1]
    return at


def vignette(intrinsics: Intrinsics, amount: float, gain: float) -> NDArray[np.float32]:
    """Return the brightness of each pixel, (rows, columns, 1): gain and cos^4 law.

    Args:
        intrinsics: Intrinsics of the camera.
        amount: 0: none; 1: the full law.
        gain: Brightness in the middle.
    """
    if amount == 0.0:
        shape = intrinsics.height, intrinsics.width, 1
        return np.full(shape, gain, dtype=np.float32)
    v, u = np.mgrid[0 : intrinsics.height, 0 : intrinsics.width].astype(float)
    rays = unproject(intrinsics, np.stack([u, v], axis=-1))
    cos4 = 1.0 / (rays**2).sum(axis=-1, keepdims=True) ** 2
    return (gain * (1.0 - amount * (1.0 - cos4))).astype(np.float32)
