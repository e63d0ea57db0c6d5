"""The image of a sphere: an exact ellipse, its derivative, and the way back.

For a sphere of radius s at (X, Y, Z) in camera axes and a plane at unit distance, the
outline is an ellipse with

    centre      (X Z, Y Z) / (Z^2 - s^2), on the ray away from the optical axis
    semi-axes   s sqrt(X^2 + Y^2 + Z^2 - s^2) / (Z^2 - s^2)  along that ray
                s / sqrt(Z^2 - s^2)                          across

A circle stands for the ellipse by its centre and r = sqrt(product of the semi-axes). A
lens with distortion moves the centre and scales r by the root of its local change of
area.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_array, as_finite, as_kernel_array
from gelenk.errors import ConfigError, ShapeError
from gelenk.typing import ArrayLike, FloatArray
from gelenk.vision.camera import Intrinsics
from gelenk.vision.sphere_kernels import see_all, triangulate

CAMERA = 21  # numbers of one camera as kernels read it, see `camera_row`


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SphereImage:
    """Outlines of spheres in an image without distortion.

    Attributes:
        center: Centre of the ellipse [px], shape (..., 2).
        axes: Semi-axis away from the optical axis, and the one across [px], (..., 2).
        angle: Direction of the first axis from image x to y [rad], shape (...,).
    """

    center: FloatArray
    axes: FloatArray
    angle: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Triangulation:
    """Places of spheres from their circles.

    Attributes:
        position: World axes [m], shape (..., 3); NaN where the search failed.
        covariance: Shape (..., 3, 3) [m^2].
        chi2: Sum of squared residuals over their variances, shape (...,).
    """

    position: FloatArray
    covariance: FloatArray
    chi2: FloatArray


def camera_row(intrinsics: Intrinsics, T_camera_world: ArrayLike) -> FloatArray:
    """Return a camera as kernels read it, shape (21,).

    R_camera_world by rows (9), origin of the world in camera axes (3), fx, fy, cx, cy,
    distortion (5).
    """
    T = as_finite("T_camera_world", T_camera_world, (4, 4))
    lens = (intrinsics.fx, intrinsics.fy, intrinsics.cx, intrinsics.cy)
    return np.concatenate([T[:3, :3].ravel(), T[:3, 3], lens, intrinsics.distortion])


def sphere_image(
    intrinsics: Intrinsics, p_camera: ArrayLike, radius: float
) -> SphereImage:
    """Return the ellipses that spheres make in the image of a pinhole.

    Args:
        intrinsics: The camera; square pixels, no distortion.
        p_camera: Centres in camera axes [m], shape (..., 3).
        radius: Of the spheres [m].

    Raises:
        ConfigError: If the lens distorts, so that outlines are no ellipses.

    Example:
        >>> camera = Intrinsics(width=780, height=580, fx=718, fy=718, cx=390, cy=290)
        >>> image = sphere_image(camera, [0.5, 0.0, 1.0], 0.1)
        >>> print(image.center.round(3), image.axes.round(3))
        [752.626 290.   ] [80.761 72.162]
    """
    if intrinsics.is_distorted or intrinsics.fx != intrinsics.fy:
        raise ConfigError(
            "the outline of a sphere is an ellipse of known axes only for square "
            "pixels without distortion; use `sphere_circle` for its centre and size"
        )
    p = as_array("p_camera", p_camera, (3,))
    x, y, z = p[..., 0], p[..., 1], p[..., 2]
    depth = np.where(z > radius, z * z - radius * radius, np.nan)
    f = intrinsics.fx
    center = f * np.stack([x * z / depth, y * z / depth], axis=-1)
    along = f * radius * np.sqrt(np.sum(p * p, axis=-1) - radius * radius) / depth
    return SphereImage(
        center=center + np.array([intrinsics.cx, intrinsics.cy]),
        axes=np.stack([along, f * radius / np.sqrt(depth)], axis=-1),
        angle=np.arctan2(y, x),
    )


def sphere_circle(camera: ArrayLike, points: ArrayLike, radius: float) -> FloatArray:
    """Return the circles (u, v, r) that stand for the images of spheres.

    Args:
        camera: Cameras, see `camera_row`, shape (C, 21).
        points: Centres in world axes [m], shape (..., 3).
        radius: Of the spheres [m].

    Returns:
        Shape (..., C, 3) [px]; NaN for spheres that are not in front of the camera.
    """
    return _circles(camera, points, radius, slopes=False)[0]


def sphere_circle_jacobian(
    camera: ArrayLike, points: ArrayLike, radius: float
) -> FloatArray:
    """Return d(u, v, r) / dp [px/m] of `sphere_circle`, shape (..., C, 3, 3)."""
    return _circles(camera, points, radius, slopes=True)[1]


def triangulate_spheres(
    camera: ArrayLike, circles: ArrayLike, sigma: Sequence[float], radius: float
) -> Triangulation:
    """Return where spheres are whose circles several cameras saw at the same time.

    Args:
        camera: Cameras, see `camera_row`, shape (C, 21).
        circles: (u, v, r) [px], shape (..., C, 3); NaN where a camera saw nothing. One
            camera suffices: the size tells the distance.
        sigma: Standard deviations of u, v and r [px].
        radius: Of the spheres [m].
    """
    rows = _cameras(camera)
    z = as_array("circles", circles, (rows.shape[0], 3))
    noise = as_kernel_array(as_finite("sigma", sigma, ()))
    if noise.shape != (3,) or not np.all(noise > 0.0):
        raise ConfigError(f"`sigma` must be three numbers > 0 [px], got {sigma}")
    flat = as_kernel_array(z).reshape(-1, rows.shape[0], 3)
    place = np.full((len(flat), 3), np.nan)
    covariance = np.full((len(flat), 3, 3), np.nan)
    chi2 = np.empty(len(flat))
    for i, circle in enumerate(flat):
        chi2[i] = triangulate(rows, circle, noise, radius, place[i], covariance[i])
    place[np.isnan(chi2)] = np.nan
    covariance[np.isnan(chi2)] = np.nan
    shape = z.shape[:-2]
    return Triangulation(
        position=place.reshape(*shape, 3),
        covariance=covariance.reshape(*shape, 3, 3),
        chi2=chi2.reshape(shape),
    )


def _cameras(camera: ArrayLike) -> FloatArray:
    rows = as_kernel_array(as_finite("camera", camera, (CAMERA,)))
    if rows.ndim != 2:
        raise ShapeError("camera", expected=f"(C, {CAMERA})", actual=rows.shape)
    return rows


def _circles(
    camera: ArrayLike, points: ArrayLike, radius: float, *, slopes: bool
) -> tuple[FloatArray, FloatArray]:
    rows = _cameras(camera)
    p = as_array("points", points, (3,))
    if not 0.0 < radius < math.inf:
        raise ConfigError(f"`radius` must be positive [m], got {radius}")
    flat = as_kernel_array(p).reshape(-1, 3)
    out = np.empty((len(flat), len(rows), 3))
    J = np.empty((len(flat) if slopes else 0, len(rows), 3, 3))
    see_all(rows, flat, float(radius), out, J)
    shape = (*p.shape[:-1], len(rows), 3)
    return out.reshape(shape), J.reshape(*shape, 3) if slopes else J
