"""Circles of both images: everywhere, and more closely where balls are expected."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from gelenk.core.typing import FloatArray
from gelenk.core.vision.camera import Intrinsics
from gelenk.core.vision.circles import CircleCfg, Window, find_circles

SAME_PLACE = 0.5  # [px], and
SAME_SHARE = 0.1  # of the radius: one circle that was found twice


class Sight:
    """Looks for circles in the images of both cameras, at the same time.

    Args:
        lenses: Of the left and the right camera.
        max_circles: Of one image.
        has_threads: Whether the right image gets a thread of its own; the search
            releases the interpreter.
    """

    def __init__(
        self, lenses: Sequence[Intrinsics], max_circles: int, *, has_threads: bool
    ) -> None:
        self.cfgs = tuple(
            CircleCfg(
                focal=float(np.sqrt(lens.fx * lens.fy)),
                axis=(lens.cx, lens.cy),
                max_count=max_circles,
            )
            for lens in lenses
        )
        self._pool = ThreadPoolExecutor(1, "sight") if has_threads else None

    def look(
        self, images: Sequence[Any], windows: Sequence[Sequence[Window]]
    ) -> tuple[FloatArray, FloatArray]:
        """Return circles (u, v, r, score) of both images, best first, (n, 4) each.

        Args:
            images: Gray levels, uint8, left and right; None if a camera sent nothing.
            windows: Where balls are expected, left and right.
        """
        if self._pool is None or images[1] is None or images[0] is None:
            left, right = (self._circles(k, images[k], windows[k]) for k in (0, 1))
            return left, right
        task = self._pool.submit(self._circles, 1, images[1], windows[1])
        return self._circles(0, images[0], windows[0]), task.result()

    def close(self) -> None:
        """End the thread."""
        if self._pool is not None:
            self._pool.shutdown()

    def _circles(self, k: int, image: Any, windows: Sequence[Window]) -> FloatArray:
        if image is None:
            return np.empty((0, 4))
        found = [find_circles(image, self.cfgs[k])]
        if windows:
            found.append(find_circles(image, self.cfgs[k], windows=windows))
        rows = [np.column_stack([c.center, c.radius, c.score]) for c in found]
        return np.ascontiguousarray(_merged(*rows))


def _merged(first: FloatArray, second: FloatArray | None = None) -> FloatArray:
    """Return the circles of both, those that are the same only once."""
    if second is None or not len(second):
        return first
    away = np.hypot(
        second[:, None, 0] - first[None, :, 0], second[:, None, 1] - first[None, :, 1]
    )
    size = np.abs(second[:, None, 2] - first[None, :, 2])
    near = SAME_PLACE + SAME_SHARE * first[None, :, 2]
    is_new = ~((away < near) & (size < near)).any(axis=1)
    return np.concatenate([second[is_new], first])
