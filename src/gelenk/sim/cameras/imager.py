"""Imager: one camera's path from a state of the world to an 8 bit image.

Two ways lead to the same image. The full one draws everything. The cached one keeps
the samples and depths of all that cannot move, draws what moves in small windows, and
lets the nearer sample win.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gelenk.errors import ConfigError
from gelenk.sim.bridge.cameras import (
    MovingGeoms,
    camera_pose,
    find_camera,
    geom_poses,
    is_fixed_camera,
    moving_geoms,
    why_not_cacheable,
)
from gelenk.sim.cameras.description import Camera
from gelenk.sim.cameras.develop import (
    Area,
    blur_area,
    expose,
    gaussian_weights,
    grown,
    normal_table,
    put_nearer,
)
from gelenk.sim.cameras.drawing import CameraView, Drawing, ImageWindow
from gelenk.sim.cameras.lens import Lens, vignette
from gelenk.sim.noise import stream_id
from gelenk.spatial.se3 import inverse
from gelenk.typing import BoolArray, FloatArray, IntArray

# Drawing one more window costs as much as this many more samples in another one:
# 0.3 ms, where clearing, reading and comparing an empty sample takes 3 to 4 ns.
WINDOW_COST = 80_000
MARGIN = 1  # [samples], around an outline

Box: TypeAlias = tuple[int, int, int, int]
"""First column and row, and those after the last, rows from the top."""


def windows_around(
    view: CameraView, Ts_camera_geom: FloatArray, geoms: MovingGeoms
) -> list[tuple[ImageWindow, frozenset[int]]]:
    """Return windows with the geoms in them that together contain all outlines.

    Windows are merged where one large one costs less than two.

    Args:
        view: Through which camera.
        Ts_camera_geom: Poses of the geoms in camera axes, (n, 4, 4).
        geoms: Moving geoms with their bounding spheres and boxes.
    """
    k, near, samples = view.pinhole, view.near, view.samples
    in_front = Ts_camera_geom[:, 2, 3] + geoms.radii > near
    poses, radii = Ts_camera_geom[in_front], geoms.radii[in_front]
    corners = geoms.corners[in_front] @ poses[:, :3, :3].swapaxes(1, 2)
    corners += poses[:, None, :3, 3]
    size = np.array([samples * k.width, samples * k.height])
    boxes = np.empty((len(poses), 4), dtype=np.int64)
    for axis, (f, c) in enumerate(((k.fx, k.cx), (k.fy, k.cy))):
        x, z = poses[:, axis, 3], poses[:, 2, 3]
        low, high = _sphere_extent(x, z, radii, near)
        low_box, high_box = _box_extent(corners[..., axis], corners[..., 2], near)
        low, high = np.maximum(low, low_box), np.minimum(high, high_box)
        first = np.clip(samples * (f * low + c + 0.5), -1e6, 1e6)
        last = np.clip(samples * (f * high + c + 0.5), -1e6, 1e6)
        boxes[:, axis] = np.clip(np.floor(first) - MARGIN, 0, size[axis])
        boxes[:, axis + 2] = np.clip(np.ceil(last) + MARGIN, 0, size[axis])
    is_seen = (boxes[:, 0] < boxes[:, 2]) & (boxes[:, 1] < boxes[:, 3])
    boxes, ids = boxes[is_seen], geoms.ids[in_front][is_seen]
    return [
        (
            ImageWindow(x0, int(size[1]) - y1, x1 - x0, y1 - y0),
            frozenset(ids[_touching(boxes, (x0, y0, x1, y1))].tolist()),
        )
        for x0, y0, x1, y1 in _cheapest(boxes, int(size[0]), int(size[1]))
    ]


def _touching(boxes: IntArray, box: Box) -> BoolArray:
    """Return which boxes have samples in common with one."""
    x0, y0, x1, y1 = box
    across = (boxes[:, 0] < x1) & (boxes[:, 2] > x0)
    return across & (boxes[:, 1] < y1) & (boxes[:, 3] > y0)


def _box_extent(
    x: FloatArray, z: FloatArray, near: float
) -> tuple[FloatArray, FloatArray]:
    """Return the smallest and largest x / z of the corners (n, 8) of boxes."""
    is_close = (z <= near).any(axis=1)
    slope = x / np.maximum(z, near)
    low = np.where(is_close, -np.inf, slope.min(axis=1))
    return low, np.where(is_close, np.inf, slope.max(axis=1))


def _sphere_extent(
    x: FloatArray, z: FloatArray, r: FloatArray, near: float
) -> tuple[FloatArray, FloatArray]:
    """Return the smallest and largest x / z of spheres, seen from the origin.

    In the plane y = 0 the tangents stand at angles theta +- asin(r / distance); a
    sphere that reaches the near plane can be anywhere.
    """
    distance = np.hypot(x, z)
    is_close: BoolArray = z - r <= near
    with np.errstate(invalid="ignore", divide="ignore"):
        alpha = np.arcsin(np.clip(r / distance, 0.0, 1.0))
    theta = np.arctan2(x, z)
    low = np.where(is_close, -np.inf, np.tan(theta - alpha))
    high = np.where(is_close, np.inf, np.tan(theta + alpha))
    return low, high


def _cheapest(boxes: IntArray, width: int, height: int) -> list[Box]:
    """Return boxes that cover some others at the least cost: merged, or one for all."""
    merged = _merge([tuple(box) for box in boxes.tolist()])
    cost = sum(_area(box) + WINDOW_COST for box in merged)
    whole = (0, 0, width, height)
    return merged if cost <= _area(whole) + WINDOW_COST else [whole]


def _merge(boxes: list[Box]) -> list[Box]:
    """Join boxes (x0, y0, x1, y1) as long as one window costs less than two."""
    merged: list[Box] = []
    for box in boxes:
        placed = box
        again = True
        while again:
            again = False
            for other in merged:
                union = (
                    min(placed[0], other[0]),
                    min(placed[1], other[1]),
                    max(placed[2], other[2]),
                    max(placed[3], other[3]),
                )
                apart = _area(placed) + _area(other) + WINDOW_COST
                if _area(union) <= apart:
                    merged.remove(other)
                    placed, again = union, True
                    break
        merged.append(placed)
    return merged


def _area(box: Box) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])


@dataclass(slots=True)
class _Background:
    """Image of what cannot move: samples and depths, pixels, blurred pixels."""

    samples: NDArray[np.uint8]
    depths: NDArray[np.float32]
    pixels: NDArray[np.float32]
    blurred: NDArray[np.float32]


class Imager:
    """Makes the images of one camera of a compiled model.

    Attributes:
        camera: Description of the camera.
        is_cached: Whether it draws only what moves.
        seconds: Wall time of all images so far, by stage [s]: "draw" (renderer),
            "lens" (samples to pixels), "blur", "sensor" (noise and 8 bits).
    """

    def __init__(self, model: Any, camera: Camera, drawing: Drawing, seed: int) -> None:
        self.camera = camera
        self._model = model
        self._drawing = drawing
        self._seed = seed
        self._stream = stream_id("camera", camera.name)
        self._id = find_camera(model, camera.name)
        self._lens = Lens(camera.intrinsics, camera.samples)
        self._weights = gaussian_weights(camera.blur)
        self._brightness = vignette(camera.intrinsics, camera.vignetting, camera.gain)
        self.is_cached = self._choose_method()
        self._moving = moving_geoms(model)
        k = camera.intrinsics
        self._shape = (k.height, k.width, 1 if camera.color == "gray" else 3)
        self._whole = Area(0, 0, k.height, k.width)
        self._sub, self._pixels, self._scratch, self._blurred = (
            np.zeros(self._shape, dtype=np.float32) for _ in range(4)
        )
        self._samples = np.zeros((0, 0, 3), dtype=np.uint8)
        self._background: _Background | None = None
        self._touched: list[Area] = []
        self.seconds: dict[str, float] = {
            "draw": 0.0, "lens": 0.0, "blur": 0.0, "sensor": 0.0,
        }  # fmt: skip

    def add(self, data: Any, share: float) -> None:
        """Let the light of one state fall on the sensor.

        Args:
            data: `mujoco.MjData` whose positions are up to date.
            share: Share of the exposure; all shares of an image sum to 1.
        """
        view = self._view(data)
        if not self.is_cached:
            with self._timed("draw"):
                samples, _ = self._drawing.draw(data, view)
            with self._timed("lens"):
                self._lens.gather(samples, self._whole, self._sub)
                self._pixels += np.float32(share) * self._sub
            self._touched = [self._whole]
            return
        background = self._require_background(data, view)
        areas = self._draw_moving(data, view, background)
        if share == 1.0:
            for area in areas:
                _copy(self._sub, self._pixels, area)
        else:
            for area in _disjoint(areas):
                part = np.s_[area.top : area.bottom, area.left : area.right]
                change = self._sub[part] - background.pixels[part]
                self._pixels[part] += np.float32(share) * change
        for area in areas:
            _copy(background.pixels, self._sub, area)
        self._touched += areas

    def finish(self, number: int) -> NDArray[np.uint8]:
        """Return the image, (rows, columns) or (rows, columns, 3), and start anew.

        Args:
            number: Number of the frame; it selects the noise.
        """
        rows, columns, channels = self._shape
        radius = len(self._weights) - 1
        seen = [grown(area, radius, rows, columns) for area in self._touched]
        blurred = self._pixels
        if radius:
            blurred = self._blurred
            with self._timed("blur"):
                for area in seen:
                    blur_area(self._pixels, self._weights, area, self._scratch, blurred)
        image = np.empty(self._shape, dtype=np.uint8)
        noise = self.camera.noise.read, self.camera.noise.shot
        selector = self._seed, self._stream, number
        with self._timed("sensor"):
            expose(blurred, self._brightness, noise, selector, normal_table(), image)
        self._reset(seen)
        return image[..., 0] if channels == 1 else image

    def forget_background(self) -> None:
        """Draw everything anew for the next image: something fixed has changed."""
        self._background = None

    @contextmanager
    def _timed(self, stage: str) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self.seconds[stage] += time.perf_counter() - start

    def _reset(self, seen: list[Area]) -> None:
        if self._background is None:
            self._pixels[:] = 0.0
        else:
            for area in self._touched:
                _copy(self._background.pixels, self._pixels, area)
            for area in seen:
                _copy(self._background.blurred, self._blurred, area)
        self._touched = []

    def _choose_method(self) -> bool:
        if self.camera.method == "full":
            return False
        why_not = ""
        if not is_fixed_camera(self._model, self._id):
            why_not = "it moves"
        elif self.camera.shadows:
            why_not = "shadows of moving bodies fall on fixed ones"
        why_not = why_not or why_not_cacheable(self._model)
        if why_not and self.camera.method == "cached":
            raise ConfigError(
                f"Camera {self.camera.name!r}: the `method` 'cached' is impossible, "
                f"since {why_not}; use 'auto' or 'full'"
            )
        return not why_not

    def _view(self, data: Any) -> CameraView:
        return CameraView(
            pinhole=self._lens.pinhole,
            samples=self._lens.samples,
            T_world_camera=camera_pose(data, self._id),
            near=self.camera.near,
            far=self.camera.far,
            shadows=self.camera.shadows,
        )

    def _require_background(self, data: Any, view: CameraView) -> _Background:
        if self._background is None:
            samples, depths = self._drawing.draw(
                data, view, part="fixed", with_depth=True
            )
            assert depths is not None
            pixels = np.empty(self._shape, dtype=np.float32)
            self._lens.gather(samples, self._whole, pixels)
            blurred = pixels.copy()
            blur_area(pixels, self._weights, self._whole, self._scratch, blurred)
            self._background = _Background(samples, depths, pixels, blurred)
            self._samples = samples.copy()
            for image in (self._sub, self._pixels):
                image[:] = pixels
            self._blurred[:] = blurred
        return self._background

    def _draw_moving(
        self, data: Any, view: CameraView, background: _Background
    ) -> list[Area]:
        """Write the pixels of one state into `_sub` and return where they changed."""
        moving = self._moving
        T_camera_world = inverse(view.T_world_camera)
        Ts_camera_geom = T_camera_world @ geom_poses(data, moving.ids)
        windows = windows_around(view, Ts_camera_geom, moving)
        for window, geoms in windows:
            with self._timed("draw"):
                colors, depths = self._drawing.draw(
                    data, view, part="moving", only=geoms, window=window,
                    with_depth=True,
                )  # fmt: skip
            assert depths is not None
            put_nearer(
                self._samples, background.depths, colors, depths, window.left,
                window.bottom,
            )  # fmt: skip
        areas = [self._lens.area_of(window) for window, _ in windows]
        with self._timed("lens"):
            for area in areas:
                self._lens.gather(self._samples, area, self._sub)
        for window, _ in windows:
            part = _slices(window)
            self._samples[part] = background.samples[part]
        return [area for area in areas if area.top < area.bottom]


def _slices(window: ImageWindow) -> tuple[slice, slice]:
    return (
        slice(window.bottom, window.bottom + window.height),
        slice(window.left, window.left + window.width),
    )


def _copy(source: np.ndarray, target: np.ndarray, area: Area) -> None:
    part = np.s_[area.top : area.bottom, area.left : area.right]
    target[part] = source[part]


def _disjoint(areas: list[Area]) -> list[Area]:
    """Return areas that cover the same pixels, each pixel once."""
    rest = list(areas)
    result: list[Area] = []
    while rest:
        area = rest.pop()
        for other in result:
            top, bottom = max(area.top, other.top), min(area.bottom, other.bottom)
            left, right = max(area.left, other.left), min(area.right, other.right)
            if top < bottom and left < right:
                pieces = (
                    Area(area.top, area.left, top, area.right),
                    Area(bottom, area.left, area.bottom, area.right),
                    Area(top, area.left, bottom, left),
                    Area(top, right, bottom, area.right),
                )
                rest += [p for p in pieces if p.top < p.bottom and p.left < p.right]
                break
        else:
            result.append(area)
    return result
