"""Dense SLAM: a depth camera located in the surface that it has seen so far (TSDF).

A point p of the new depth image lies on the surface where D(p) = 0; with the normal n
along ∇D each point asks for nᵀ(t + ω x p) = -D μ / |μ ∇D|: rows [nᵀ, (p x n)ᵀ], as
point-to-plane matching against the surface. Then the image is fused into the volume.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.ndimage import map_coordinates

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.pointcloud.tsdf import TsdfVolume, with_depth
from gelenk.spatial import se3
from gelenk.typing import ArrayLike, FloatArray
from gelenk.vision.camera import Intrinsics, unproject

FAR = 0.9  # of the truncation: beyond, the distance is clipped and has no slope


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DenseStep:
    """A depth image located and fused.

    Attributes:
        volume: Signed distances after the image was fused.
        T_world_camera: Estimated pose of the camera, shape (4, 4).
        rms: Distance of its points from the surface before fusing [m].
        overlap: Share of its points near the surface.
    """

    volume: TsdfVolume
    T_world_camera: FloatArray
    rms: float
    overlap: float


def locate_depth(
    volume: TsdfVolume,
    depth: ArrayLike,
    camera: Intrinsics,
    guess: ArrayLike,
    *,
    stride: int = 4,
    steps: int = 20,
) -> tuple[FloatArray, float, float]:
    """Return the pose of a depth camera, the rms [m] and the overlap.

    Args:
        volume: The surface so far.
        depth: Z of all pixels [m], not finite: none, shape (h, w).
        camera: Intrinsics of the depth camera.
        guess: T_world_camera to start from, shape (4, 4).
        stride: Every so many pixels are used.
        steps: Most steps.
    """
    Z = np.asarray(depth, dtype=np.float64)
    rows, cols = np.mgrid[0 : camera.height : stride, 0 : camera.width : stride]
    z = Z[rows, cols].ravel()
    pixels = np.stack([cols.ravel(), rows.ravel()], axis=-1).astype(float)
    good = np.isfinite(z) & (z > 0.0)
    p = unproject(camera, pixels[good]) * z[good, None]
    T = np.array(as_finite("guess", guess, (4, 4)))
    slopes = [np.asarray(g) for g in np.gradient(volume.distance, volume.voxel)]
    rms, overlap = np.inf, 0.0
    for _ in range(steps):
        q = p @ T[:3, :3].T + T[:3, 3]
        at = ((q - volume.origin) / volume.voxel).T
        D, W, *n = (
            map_coordinates(values, at, order=1, mode="constant", cval=0.0)
            for values in (volume.distance, volume.weight, *slopes)
        )
        normal = np.stack(n, axis=1)
        length = np.linalg.norm(normal, axis=1)
        near = (W > 0.5) & (np.abs(D) < FAR) & (length > 0.2 / volume.truncation)
        overlap = float(near.mean())
        if near.sum() < 30:
            raise ConfigError("the camera sees nothing of the surface; it is lost")
        normal = normal[near] / length[near, None]
        gap = D[near] / length[near]
        J = np.concatenate([normal, np.cross(q[near], normal)], axis=1)
        H = J.T @ J
        H = H + 1e-9 * np.trace(H) * np.eye(6)
        step = np.asarray(np.linalg.solve(H, -J.T @ gap), dtype=np.float64)
        T = se3.exp(step) @ T
        rms = float(np.sqrt((gap**2).mean()))
        if np.abs(step).max() < 1e-7:
            break
    return T, rms, overlap


def dense_slam_step(
    volume: TsdfVolume, depth: ArrayLike, camera: Intrinsics, guess: ArrayLike
) -> DenseStep:
    """Return the volume after one more depth image, located in it first.

    Args:
        volume: The surface so far, not empty.
        depth: Z of all pixels [m], shape (h, w).
        camera: Intrinsics of the depth camera.
        guess: T_world_camera to start from, such as the last one, shape (4, 4).
    """
    T, rms, overlap = locate_depth(volume, depth, camera, guess)
    return DenseStep(
        volume=with_depth(volume, depth, camera, T),
        T_world_camera=T,
        rms=rms,
        overlap=overlap,
    )
