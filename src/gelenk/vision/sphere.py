"""The image of a sphere: an exact ellipse, its derivative, and triangulation.

For a sphere of radius s at (X, Y, Z) in camera axes and a plane at unit distance, the
outline is an ellipse with

    centre      (X Z, Y Z) / (Z^2 - s^2), on the ray away from the optical axis
    semi-axes   s sqrt(X^2 + Y^2 + Z^2 - s^2) / (Z^2 - s^2)  along that ray
                s / sqrt(Z^2 - s^2)                          across

A circle stands for the ellipse by its centre and r = sqrt(product of the semi-axes). A
lens with distortion moves the centre and scales r by the root of its local change of
area. Kernels take a camera as a row of 21 numbers, see `camera_row`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_array, as_finite, as_kernel_array
from gelenk.errors import ConfigError, ShapeError
from gelenk.kernels.compile import kernel
from gelenk.kernels.linear import solve_spd
from gelenk.kernels.tuples import dot
from gelenk.typing import ArrayLike, FloatArray, Vec2, Vec3
from gelenk.vision.camera import Intrinsics

STEPS = 12  # of Gauss-Newton; three or four suffice
STEP_TOL = 1e-10  # [m]


@kernel
def _in_camera(camera: FloatArray, c: int, p: Vec3) -> Vec3:
    """Return a point in axes of camera c."""
    R = (camera[c, 0], camera[c, 1], camera[c, 2])
    S = (camera[c, 3], camera[c, 4], camera[c, 5])
    T = (camera[c, 6], camera[c, 7], camera[c, 8])
    return (
        dot(R, p) + camera[c, 9],
        dot(S, p) + camera[c, 10],
        dot(T, p) + camera[c, 11],
    )


@kernel
def _lens(
    camera: FloatArray, c: int, x: float, y: float
) -> tuple[Vec2, tuple[float, float, float, float]]:
    """Return the distorted point, the lens' derivative (xx, xy, yy) and its slope."""
    k1, k2, p1, p2 = camera[c, 16], camera[c, 17], camera[c, 18], camera[c, 19]
    k3 = camera[c, 20]
    r2 = x * x + y * y
    radial = 1.0 + r2 * (k1 + r2 * (k2 + r2 * k3))
    slope = 2.0 * (k1 + r2 * (2.0 * k2 + r2 * 3.0 * k3))
    xx = radial + slope * x * x + 2.0 * p1 * y + 6.0 * p2 * x
    xy = slope * x * y + 2.0 * (p1 * x + p2 * y)
    yy = radial + slope * y * y + 6.0 * p1 * y + 2.0 * p2 * x
    u = x * radial + 2.0 * p1 * x * y + p2 * (r2 + 2.0 * x * x)
    v = y * radial + p1 * (r2 + 2.0 * y * y) + 2.0 * p2 * x * y
    return (u, v), (xx, xy, yy, slope)


@kernel
def see_sphere(camera: FloatArray, c: int, p: Vec3, radius: float) -> Vec3:
    """Return (u, v, r) [px] of a sphere at p [m, world] in camera c.

    NaN if the sphere is not wholly in front of the camera.
    """
    X, Y, Z = _in_camera(camera, c, p)
    if not radius < Z:
        return math.nan, math.nan, math.nan
    square = radius * radius
    depth = Z * Z - square
    area = square * math.sqrt((X * X + Y * Y + depth) / depth) / depth
    (u, v), (xx, xy, yy, _) = _lens(camera, c, X * Z / depth, Y * Z / depth)
    fx, fy = camera[c, 12], camera[c, 13]
    return (
        fx * u + camera[c, 14],
        fy * v + camera[c, 15],
        math.sqrt(area * abs(xx * yy - xy * xy) * fx * fy),
    )


@kernel
def sphere_slopes(
    camera: FloatArray, c: int, p: Vec3, radius: float, J: FloatArray
) -> None:
    """Write d(u, v, r) / dp [px/m], world axes, into J of shape (3, 3)."""
    X, Y, Z = _in_camera(camera, c, p)
    square = radius * radius
    depth = Z * Z - square
    x, y = X * Z / depth, Y * Z / depth
    _, (xx, xy, yy, slope) = _lens(camera, c, x, y)
    det = xx * yy - xy * xy
    fx, fy = camera[c, 12], camera[c, 13]
    # Gradients of x, y and log(area) in camera axes
    down = -(Z * Z + square) / (depth * depth)
    gx, gy = (Z / depth, 0.0, X * down), (0.0, Z / depth, Y * down)
    reach = X * X + Y * Y + depth
    ga = (X / reach, Y / reach, Z / reach - 3.0 * Z / depth)
    # Gradient of log(det) in the plane
    k2, p1, p2, k3 = camera[c, 17], camera[c, 18], camera[c, 19], camera[c, 20]
    bend = 4.0 * (2.0 * k2 + 6.0 * k3 * (x * x + y * y))
    xx_x = 3.0 * slope * x + bend * x * x * x + 6.0 * p2
    yy_y = 3.0 * slope * y + bend * y * y * y + 6.0 * p1
    xx_y = slope * y + bend * x * x * y + 2.0 * p1
    yy_x = slope * x + bend * x * y * y + 2.0 * p2
    det_x = (xx_x * yy + xx * yy_x - 2.0 * xy * xx_y) / det
    det_y = (xx_y * yy + xx * yy_y - 2.0 * xy * yy_x) / det
    area = square * math.sqrt(reach / depth) / depth
    r = math.sqrt(area * abs(det) * fx * fy)
    for j in range(3):
        du = dv = dr = 0.0
        for k in range(3):
            turn = camera[c, 3 * k + j]
            du += fx * (xx * gx[k] + xy * gy[k]) * turn
            dv += fy * (xy * gx[k] + yy * gy[k]) * turn
            dr += 0.5 * r * (ga[k] + det_x * gx[k] + det_y * gy[k]) * turn
        J[0, j], J[1, j], J[2, j] = du, dv, dr


@kernel
def see_all(
    camera: FloatArray,
    points: FloatArray,
    radius: float,
    out: FloatArray,
    slopes: FloatArray,
) -> None:
    """Write the circles of all points in all cameras; slopes too if there is room."""
    for i in range(points.shape[0]):
        p = (points[i, 0], points[i, 1], points[i, 2])
        for c in range(camera.shape[0]):
            out[i, c] = see_sphere(camera, c, p, radius)
            if slopes.shape[0]:
                sphere_slopes(camera, c, p, radius, slopes[i, c])


@kernel
def start_of_search(
    camera: FloatArray, c: int, u: float, v: float, r: float, radius: float
) -> Vec3:
    """Return a place whose image is about the circle (u, v, r) of camera c."""
    fx, fy = camera[c, 12], camera[c, 13]
    a, b = (u - camera[c, 14]) / fx, (v - camera[c, 15]) / fy
    x, y = a, b
    for _ in range(5):  # the lens is almost the identity
        (u, v), _ = _lens(camera, c, x, y)
        x, y = x + a - u, y + b - v
    long = math.sqrt(1.0 + x * x + y * y)
    Z = radius * math.sqrt(fx * fy) * math.sqrt(long) / r
    q = (x * Z - camera[c, 9], y * Z - camera[c, 10], Z - camera[c, 11])
    return (
        camera[c, 0] * q[0] + camera[c, 3] * q[1] + camera[c, 6] * q[2],
        camera[c, 1] * q[0] + camera[c, 4] * q[1] + camera[c, 7] * q[2],
        camera[c, 2] * q[0] + camera[c, 5] * q[1] + camera[c, 8] * q[2],
    )


@kernel
def triangulate(
    camera: FloatArray,
    circle: FloatArray,
    sigma: FloatArray,
    radius: float,
    place: FloatArray,
    covariance: FloatArray,
) -> float:
    """Find the place whose images are the circles, by Gauss-Newton.

    Args:
        camera: Cameras as rows of 21 numbers, shape (C, 21).
        circle: Circle (u, v, r) of each camera [px], shape (C, 3); NaN: not seen there.
        sigma: Standard deviations of (u, v, r) [px], shape (3,).
        radius: Radius of the sphere [m].
        place: Written, shape (3,).
        covariance: Written, shape (3, 3).

    Returns:
        The sum of squared residuals over their variances; NaN if no place fits.
    """
    A, J = np.empty((3, 3)), np.empty((3, 3))
    step = np.empty(3)
    p = (0.0, 0.0, 0.0)
    known = False
    for c in range(camera.shape[0]):
        if not known and circle[c, 2] > 0.0:
            u, v, r = circle[c, 0], circle[c, 1], circle[c, 2]
            p = start_of_search(camera, c, u, v, r, radius)
            known = True
    chi2 = math.nan
    for _ in range(STEPS):
        A[:] = 0.0
        step[:] = 0.0
        chi2 = 0.0 if known else math.nan
        for c in range(camera.shape[0]):
            if math.isnan(circle[c, 0]):
                continue
            seen = see_sphere(camera, c, p, radius)
            sphere_slopes(camera, c, p, radius, J)
            for i in range(3):
                weight = 1.0 / (sigma[i] * sigma[i])
                residual = circle[c, i] - seen[i]
                chi2 += weight * residual * residual
                for j in range(3):
                    step[j] += weight * J[i, j] * residual
                    for k in range(3):
                        A[j, k] += weight * J[i, j] * J[i, k]
        for j in range(3):
            for k in range(3):
                covariance[j, k] = A[j, k]
        if not solve_spd(A, step):
            return math.nan
        p = (p[0] + step[0], p[1] + step[1], p[2] + step[2])
        if not abs(step[0]) + abs(step[1]) + abs(step[2]) > STEP_TOL:
            break
    place[0], place[1], place[2] = p
    # Column by column with the factor that gave the step: circles that fit no place may
    # lead so far away that a general inverse raises.
    for k in range(3):
        for i in range(3):
            step[i] = 1.0 if i == k else 0.0
            for j in range(3):
                A[i, j] = covariance[i, j]
        if not solve_spd(A, step):
            return math.nan
        for i in range(3):
            J[i, k] = step[i]
    for i in range(3):
        for k in range(3):
            covariance[i, k] = J[i, k]
    return chi2


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
        covariance: Covariances of the positions, shape (..., 3, 3) [m^2].
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
        radius: Radius of the spheres [m].

    Raises:
        ConfigError: If the lens distorts, so that outlines are no ellipses.

    Example:
        >>> from gelenk.vision import Intrinsics, sphere_image
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
        radius: Radius of the spheres [m].

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
        circles: Circles (u, v, r) [px], shape (..., C, 3); NaN where a camera saw
            nothing. One camera suffices: the size tells the distance.
        sigma: Standard deviations of u, v and r [px].
        radius: Radius of the spheres [m].

    Example:
        >>> from gelenk.vision import Intrinsics, triangulate_spheres
        >>> from gelenk.vision.sphere import camera_row, sphere_circle
        >>> lens = Intrinsics(width=640, height=480, fx=500, fy=500, cx=320, cy=240)
        >>> cameras = np.stack([camera_row(lens, np.eye(4))] * 2)
        >>> cameras[1, 9] = -0.5  # its origin is half a metre to the right
        >>> circles = sphere_circle(cameras, [0.1, 0.2, 3.0], 0.05)
        >>> found = triangulate_spheres(cameras, circles, (0.1, 0.1, 0.2), 0.05)
        >>> print(found.position.round(6))
        [0.1 0.2 3. ]
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
