"""Depth and segmentation: what a camera would see if it could measure.

Both come from one drawing in which every geom has its number for a colour. They are
ideal: of one moment, through the lens, without blur and noise.
"""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from gelenk.sim.bridge.cameras import camera_pose, find_camera, geom_poses
from gelenk.sim.cameras.description import Camera
from gelenk.sim.cameras.drawing import CameraView, Drawing
from gelenk.sim.cameras.lens import enclosing_pinhole
from gelenk.sim.cameras.rays import DrawnSamples, cast_pixels
from gelenk.spatial import se3
from gelenk.vision.camera import project, unproject

NOTHING = 0  # body of a pixel that shows no body: the world itself
LENS_SAMPLES = 2  # per side of a pixel, where a lens bends the rays


class Meter:
    """Measures depth and body of each pixel's middle for one camera.

    Args:
        model: `mujoco.MjModel` with the camera.
        camera: Description.
        drawing: Graphics context to draw with.
    """

    def __init__(self, model: Any, camera: Camera, drawing: Drawing) -> None:
        self.camera = camera
        self._model, self._drawing = model, drawing
        self._id = find_camera(model, camera.name)
        lens = camera.intrinsics
        self._pinhole, self._samples = lens, 1
        v, u = np.mgrid[0 : lens.height, 0 : lens.width].astype(float)
        rays = unproject(lens, np.stack([u, v], axis=-1)).reshape(-1, 3)
        if lens.is_distorted:
            self._pinhole, self._samples = enclosing_pinhole(lens), LENS_SAMPLES
        self._rays = rays
        self._nodes = self._samples * (project(self._pinhole, rays) + 0.5) - 0.5

    def measure(self, data: Any) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
        """Return depths along the optical axis [m] and bodies, (rows, columns).

        Where there is nothing within `near` and `far` the depth is infinite, the body
        `NOTHING`.

        Args:
            data: `mujoco.MjData` whose positions are up to date.
        """
        near, far = self.camera.near, self.camera.far
        view = CameraView(
            pinhole=self._pinhole,
            samples=self._samples,
            T_world_camera=camera_pose(data, self._id),
            near=near,
            far=far,
            shadows=False,
        )
        numbers, closeness = self._drawing.draw_numbers(data, view)
        # The buffer falls linearly in 1 / z, from 1 at `near` to 0 at `far`.
        low, high = 1.0 / np.float32(far), 1.0 / np.float32(near)
        every = np.arange(self._model.ngeom)
        drawn = DrawnSamples(
            geoms=np.ascontiguousarray(numbers[::-1]),
            inverse=low + closeness[::-1].astype(np.float64) * (high - low),
            kinds=self._model.geom_type.astype(np.int64),
            sizes=np.array(self._model.geom_size),
            Ts_camera_geom=se3.inverse(view.T_world_camera) @ geom_poses(data, every),
        )
        depths, geoms = np.empty(len(self._rays)), np.empty(len(self._rays), np.int64)
        cast_pixels(drawn, self._nodes, self._rays, (near, far), depths, geoms)
        bodies = np.where(geoms >= 0, self._model.geom_bodyid[geoms], NOTHING)
        shape = self.camera.intrinsics.height, self.camera.intrinsics.width
        return (
            depths.reshape(shape).astype(np.float32),
            bodies.reshape(shape).astype(np.int32),
        )

    def body_names(self) -> tuple[str, ...]:
        """Return the name of each body that `measure` may find; "" for `NOTHING`."""
        kind = mujoco.mjtObj.mjOBJ_BODY
        names = [
            mujoco.mj_id2name(self._model, kind, body)
            for body in range(1, self._model.nbody)
        ]
        return ("", *(name or "" for name in names))
