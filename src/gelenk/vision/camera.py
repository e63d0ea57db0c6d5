"""The pinhole camera with lens distortion, as OpenCV defines it.

Camera axes: x right, y down, z forward. Pixels: u right, v down, the centre of the
first pixel is (0, 0), so that an image of w x h pixels covers [-0.5, w - 0.5] x
[-0.5, h - 0.5]. With x = X / Z, y = Y / Z, r^2 = x^2 + y^2:

    x' = x (1 + k1 r^2 + k2 r^4 + k3 r^6) + 2 p1 x y + p2 (r^2 + 2 x^2)
    y' = y (1 + k1 r^2 + k2 r^4 + k3 r^6) + p1 (r^2 + 2 y^2) + 2 p2 x y
    u = fx x' + cx,  v = fy y' + cy
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import numpy as np

from gelenk.checks import as_array
from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray

NEWTON_STEPS = 30  # a lens that is no mirror needs 4 to 8
NEWTON_TOL = 1e-13  # [1], in the plane at unit distance: 1e-10 px


@dataclass(frozen=True, slots=True, kw_only=True)
class Intrinsics:
    """Intrinsic parameters of a camera: size, focal lengths, centre, distortion.

    Attributes:
        width: Columns of the image.
        height: Rows of the image.
        fx: Focal length in columns [px].
        fy: Focal length in rows [px].
        cx: Column of the optical axis [px]; (width - 1) / 2 is the middle.
        cy: Row of the optical axis [px].
        distortion: Coefficients (k1, k2, p1, p2, k3), the order of OpenCV; all zero: a
            pinhole.

    Example:
        >>> from gelenk.vision import Intrinsics
        >>> right = np.pi / 2
        >>> lens = Intrinsics.from_field_of_view(
        ...     width=640, height=480, horizontal=right
        ... )
        >>> round(lens.fx, 6), lens.cx
        (320.0, 319.5)
    """

    width: int
    height: int
    fx: float
    fy: float
    cx: float
    cy: float
    distortion: tuple[float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 1:
            raise ConfigError(
                f"an image needs at least one pixel, got {self.width} x {self.height}"
            )
        if not (0.0 < self.fx < math.inf and 0.0 < self.fy < math.inf):
            raise ConfigError(
                f"focal lengths must be positive [px], got {self.fx} and {self.fy}"
            )
        values = (self.cx, self.cy, *self.distortion)
        if len(self.distortion) != 5 or not all(map(math.isfinite, values)):
            raise ConfigError(
                "`cx`, `cy` must be finite and `distortion` five finite numbers "
                f"(k1, k2, p1, p2, k3), got {values}"
            )

    @classmethod
    def from_field_of_view(cls, *, width: int, height: int, horizontal: float) -> Self:
        """Return square pixels with the optical axis in the middle.

        Args:
            width: Columns of the image.
            height: Rows of the image.
            horizontal: Angle between the left and the right border [rad].

        Example:
            >>> nao = Intrinsics.from_field_of_view(
            ...     width=640, height=480, horizontal=1.0641
            ... )
            >>> round(nao.fx, 2), nao.cx, nao.cy
            (543.59, 319.5, 239.5)
        """
        if not 0.0 < horizontal < math.pi:
            raise ConfigError(
                f"`horizontal` must be between 0 and pi [rad], got {horizontal}"
            )
        focal = width / (2.0 * math.tan(horizontal / 2.0))
        return cls(
            width=width,
            height=height,
            fx=focal,
            fy=focal,
            cx=(width - 1) / 2.0,
            cy=(height - 1) / 2.0,
        )

    @property
    def matrix(self) -> FloatArray:
        """The camera matrix K, shape (3, 3) [px]."""
        return np.array(
            [[self.fx, 0.0, self.cx], [0.0, self.fy, self.cy], [0.0, 0.0, 1.0]]
        )

    @property
    def is_distorted(self) -> bool:
        """Whether straight lines become curves."""
        return any(self.distortion)

    def contains(self, pixels: ArrayLike) -> np.ndarray:
        """Return whether points lie on the image, shape (...,) for (..., 2) [px]."""
        uv = as_array("pixels", pixels, (2,))
        limit = np.array([self.width - 0.5, self.height - 0.5])
        return np.all((uv >= -0.5) & (uv < limit), axis=-1)


def project(intrinsics: Intrinsics, p_camera: ArrayLike) -> FloatArray:
    """Return where points appear in the image.

    Args:
        intrinsics: The camera.
        p_camera: Points in camera axes [m], shape (..., 3).

    Returns:
        Pixels (u, v), shape (..., 2), also outside of the image; NaN for points that
        are not in front of the camera.

    Example:
        >>> from gelenk.vision import Intrinsics, project
        >>> vga = Intrinsics(width=640, height=480, fx=500, fy=500, cx=319.5, cy=239.5)
        >>> print(project(vga, [0.1, 0.0, 1.0]))
        [369.5 239.5]
    """
    p = as_array("p_camera", p_camera, (3,))
    z = p[..., 2:]
    with np.errstate(divide="ignore", invalid="ignore"):
        xy = np.where(z > 0.0, p[..., :2] / z, np.nan)
    return pixel_from_plane(intrinsics, distort(intrinsics, xy))


def unproject(intrinsics: Intrinsics, pixels: ArrayLike) -> FloatArray:
    """Return the rays that pixels look along.

    Args:
        intrinsics: The camera.
        pixels: Pixels (u, v), shape (..., 2).

    Returns:
        Directions in camera axes with z = 1, shape (..., 3); NaN where no ray ends,
        which happens only beyond the edge of a folded lens model.

    Example:
        >>> from gelenk.vision import Intrinsics, unproject
        >>> lens = Intrinsics(width=640, height=480, fx=500, fy=500, cx=320, cy=240)
        >>> unproject(lens, [420.0, 240.0]).tolist()
        [0.2, 0.0, 1.0]
    """
    uv = as_array("pixels", pixels, (2,))
    xy = undistort(intrinsics, plane_from_pixel(intrinsics, uv))
    return np.concatenate([xy, np.ones_like(xy[..., :1])], axis=-1)


def projection_jacobian(intrinsics: Intrinsics, p_camera: ArrayLike) -> FloatArray:
    """Return d(u, v) / d(X, Y, Z) [px/m], shape (..., 2, 3), for points (..., 3)."""
    p = as_array("p_camera", p_camera, (3,))
    x, y, z = p[..., 0] / p[..., 2], p[..., 1] / p[..., 2], p[..., 2]
    plane = np.zeros((*p.shape[:-1], 2, 3))
    plane[..., 0, 0] = plane[..., 1, 1] = 1.0 / z
    plane[..., 0, 2], plane[..., 1, 2] = -x / z, -y / z
    lens = _distortion_jacobian(intrinsics, np.stack([x, y], axis=-1))
    return np.array([[intrinsics.fx], [intrinsics.fy]]) * (lens @ plane)


def distort(intrinsics: Intrinsics, xy: ArrayLike) -> FloatArray:
    """Return (x', y') for ideal (x, y) in the plane at unit distance, shape (..., 2).

    Example:
        >>> lens = Intrinsics(width=9, height=9, fx=9, fy=9, cx=4, cy=4,
        ...                   distortion=(-0.1, 0.0, 0.0, 0.0, 0.0))
        >>> print(distort(lens, [0.5, 0.0]))
        [0.4875 0.    ]
    """
    xy = as_array("xy", xy, (2,))
    if not intrinsics.is_distorted:
        return xy.copy()
    k1, k2, p1, p2, k3 = intrinsics.distortion
    x, y = xy[..., 0], xy[..., 1]
    r2 = x * x + y * y
    radial = 1.0 + r2 * (k1 + r2 * (k2 + r2 * k3))
    return np.stack(
        [
            x * radial + 2.0 * p1 * x * y + p2 * (r2 + 2.0 * x * x),
            y * radial + p1 * (r2 + 2.0 * y * y) + 2.0 * p2 * x * y,
        ],
        axis=-1,
    )


def undistort(intrinsics: Intrinsics, xy_distorted: ArrayLike) -> FloatArray:
    """Return the ideal (x, y) that the lens shows at (x', y'), by Newton's method.

    Args:
        intrinsics: The camera.
        xy_distorted: Points in the plane at unit distance, shape (..., 2).

    Returns:
        Shape (..., 2); NaN where the model, which folds back at some radius if its
        coefficients are negative, reaches no such point on its inner branch.

    Example:
        >>> from gelenk.vision import Intrinsics, undistort
        >>> lens = Intrinsics(
        ...     width=640, height=480, fx=500, fy=500, cx=320, cy=240,
        ...     distortion=(0.1, 0.0, 0.0, 0.0, 0.0),
        ... )
        >>> print(undistort(lens, [0.50125, 0.25]).round(3))
        [0.487 0.243]
    """
    target = as_array("xy_distorted", xy_distorted, (2,))
    if not intrinsics.is_distorted:
        return target.copy()
    xy = target.copy()
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        for _ in range(NEWTON_STEPS):
            residual = distort(intrinsics, xy) - target
            J = _distortion_jacobian(intrinsics, xy)
            det = J[..., 0, 0] * J[..., 1, 1] - J[..., 0, 1] * J[..., 1, 0]
            dx = J[..., 1, 1] * residual[..., 0] - J[..., 0, 1] * residual[..., 1]
            dy = J[..., 0, 0] * residual[..., 1] - J[..., 1, 0] * residual[..., 0]
            step = np.stack([dx, dy], axis=-1) / det[..., None]
            xy = xy - step
            size = np.abs(step)
            if not np.any(size > NEWTON_TOL):  # NaN counts as finished
                break
        error = np.abs(distort(intrinsics, xy) - target).max(axis=-1)
        J = _distortion_jacobian(intrinsics, xy)
        det = J[..., 0, 0] * J[..., 1, 1] - J[..., 0, 1] * J[..., 1, 0]
        inner = np.hypot(xy[..., 0], xy[..., 1]) < fold_radius(intrinsics)
        found = (error < 1e3 * NEWTON_TOL) & (det > 0.0) & inner
    return np.where(found[..., None], xy, np.nan)


def fold_radius(intrinsics: Intrinsics) -> float:
    """Return the radius at unit distance where the radial part stops growing; or inf.

    Rays further out would appear inside of the image again: no lens does that, only
    the polynomial.
    """
    k1, k2, _, _, k3 = intrinsics.distortion
    # d/dr of r (1 + k1 r^2 + k2 r^4 + k3 r^6), a cubic in r^2
    roots = np.roots([7.0 * k3, 5.0 * k2, 3.0 * k1, 1.0])
    real = roots[(np.abs(roots.imag) < 1e-12) & (roots.real > 0.0)].real
    return float(np.sqrt(real.min())) if real.size else math.inf


def pixel_from_plane(intrinsics: Intrinsics, xy: ArrayLike) -> FloatArray:
    """Return pixels for (distorted) points in the plane at unit distance, (..., 2)."""
    xy = as_array("xy", xy, (2,))
    scale = np.array([intrinsics.fx, intrinsics.fy])
    return xy * scale + np.array([intrinsics.cx, intrinsics.cy])


def plane_from_pixel(intrinsics: Intrinsics, pixels: ArrayLike) -> FloatArray:
    """Return (distorted) points in the plane at unit distance for pixels, (..., 2)."""
    uv = as_array("pixels", pixels, (2,))
    scale = np.array([intrinsics.fx, intrinsics.fy])
    return (uv - np.array([intrinsics.cx, intrinsics.cy])) / scale


def _distortion_jacobian(intrinsics: Intrinsics, xy: FloatArray) -> FloatArray:
    """Return d(x', y') / d(x, y), shape (..., 2, 2)."""
    k1, k2, p1, p2, k3 = intrinsics.distortion
    x, y = xy[..., 0], xy[..., 1]
    r2 = x * x + y * y
    radial = 1.0 + r2 * (k1 + r2 * (k2 + r2 * k3))
    slope = 2.0 * (k1 + r2 * (2.0 * k2 + r2 * 3.0 * k3))  # d radial / d(r^2) times 2
    J = np.empty((*xy.shape, 2))
    J[..., 0, 0] = radial + slope * x * x + 2.0 * p1 * y + 6.0 * p2 * x
    J[..., 1, 1] = radial + slope * y * y + 6.0 * p1 * y + 2.0 * p2 * x
    J[..., 0, 1] = J[..., 1, 0] = slope * x * y + 2.0 * p1 * x + 2.0 * p2 * y
    return J
