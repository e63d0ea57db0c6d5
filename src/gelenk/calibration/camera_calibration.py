"""Calibration of a camera from views of a plane, after Zhang.

A plane point (X, Y) is seen at u ~ H (X, Y, 1) with H = K [r1 r2 t]. Since r1 and r2
are orthonormal, each view says two things about B = K^-T K^-1, linear in its six
entries:

    h1^T B h2 = 0,   h1^T B h1 = h2^T B h2

Three views or more give B up to scale, B gives K, K gives the poses; all of it and the
distortion are then refined together until the pixels fit best.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError, ShapeError
from gelenk.estimation.least_squares import solve_least_squares
from gelenk.spatial import se3, so3
from gelenk.spatial.angles import cosine_quotient, cubic_quotient
from gelenk.spatial.vectors import skew, skew_polynomial
from gelenk.typing import ArrayLike, FloatArray
from gelenk.vision.camera import (
    Intrinsics,
    distort,
    project,
    projection_jacobian,
)
from gelenk.vision.homography import fit_homography


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CameraCalibration:
    """A calibrated camera.

    Attributes:
        intrinsics: The camera.
        T_camera_board: Pose of the board in each view, shape (n, 4, 4).
        rms: Root of the mean squared distance of the corners [px].
        sigma: Standard deviations of (fx, fy, cx, cy, k1, k2, p1, p2, k3), shape (9,);
            0 for those that were kept.
    """

    intrinsics: Intrinsics
    T_camera_board: FloatArray
    rms: float
    sigma: FloatArray


def camera_matrix_from_homographies(homographies: ArrayLike) -> FloatArray:
    """Return K, without skew, shape (3, 3), from the homographies of several views.

    Args:
        homographies: Homographies from the plane [m] to pixels, shape (n, 3, 3), n >=
            2.

    Raises:
        ConfigError: If the views determine no camera: all boards parallel, say.
    """
    H = as_finite("homographies", homographies, (3, 3))
    # Pixels of a few hundred and units of one in the same system would cost digits.
    scale = 1.0 / np.abs(H[:, :2, 2] / H[:, 2:, 2]).max()
    N = np.diag([scale, scale, 1.0])
    H = N @ H
    H = H / np.linalg.norm(H, axis=(1, 2), keepdims=True)
    rows: list[FloatArray] = []
    for h in H:
        rows += [_row(h, 0, 1), _row(h, 0, 0) - _row(h, 1, 1)]
    no_skew = np.array([0.0, 1.0, 0.0, 0.0, 0.0, 0.0])
    b11, b12, b22, b13, b23, b33 = np.linalg.svd([*rows, no_skew])[2][-1]
    det = b11 * b22 - b12**2
    if not det > 0.0:
        raise ConfigError("the views determine no camera: turn the board more")
    cy = (b12 * b13 - b11 * b23) / det
    level = b33 - (b13**2 + cy * (b12 * b13 - b11 * b23)) / b11
    if not level / b11 > 0.0:
        raise ConfigError("the views determine no camera: turn the board more")
    fx, fy = np.sqrt(level / b11), np.sqrt(level * b11 / det)
    K = np.array([[fx, 0.0, -b13 * fx**2 / level], [0.0, fy, cy], [0.0, 0.0, 1.0]])
    return np.linalg.inv(N) @ K


def board_pose(K: ArrayLike, homography: ArrayLike) -> FloatArray:
    """Return T_camera_board, shape (4, 4), from a camera matrix and one homography."""
    M = np.linalg.solve(np.asarray(K, dtype=float), np.asarray(homography, dtype=float))
    M = M / np.linalg.norm(M[:, :2], axis=0).mean()
    M = M if M[2, 2] > 0.0 else -M  # the board lies in front of the camera
    R = np.column_stack([M[:, 0], M[:, 1], np.cross(M[:, 0], M[:, 1])])
    U, _, Vt = np.linalg.svd(R)
    return se3.pose_from_rotation_translation(U @ Vt, M[:, 2])


def calibrate_camera(
    board: ArrayLike,
    views: Sequence[ArrayLike] | FloatArray,
    *,
    width: int,
    height: int,
    distortion: Sequence[bool] = (True, True, True, True, False),
) -> CameraCalibration:
    """Return the camera that explains where the corners of a board were seen.

    Args:
        board: Corners in the plane of the board [m], shape (m, 2).
        views: Pixels of the points in each view [px], shape (n, m, 2), n >= 3.
        width: Columns of the image.
        height: Rows of the image.
        distortion: Whether each of (k1, k2, p1, p2, k3) is estimated; the others
            stay 0.

    Raises:
        ShapeError: If the shapes do not fit.
        ConfigError: If the views determine no camera.

    Example:
        >>> from gelenk.calibration import calibrate_camera
        >>> from gelenk.spatial import so3
        >>> from gelenk.vision import Intrinsics, project
        >>> pinhole = Intrinsics(width=640, height=480, fx=500, fy=500, cx=320, cy=240)
        >>> x, y = np.meshgrid(np.arange(5.0), np.arange(4.0))
        >>> corners = np.stack([x.ravel(), y.ravel(), 0.0 * x.ravel()], axis=-1)
        >>> turns = so3.exp([[0.4, 0.0, 0.0], [0.0, 0.5, 0.0], [0.3, -0.3, 0.2]])
        >>> views = [project(pinhole, corners @ R.T + [0, 0, 12.0]) for R in turns]
        >>> found = calibrate_camera(
        ...     corners[:, :2], views, width=640, height=480, distortion=[False] * 5
        ... )
        >>> print(found.intrinsics.matrix[0].round(3))
        [500.   0. 320.]
    """
    plane = as_finite("board", board, (2,))
    seen = as_finite("views", np.asarray(views, dtype=float), (len(plane), 2))
    if plane.ndim != 2 or seen.ndim != 3 or len(seen) < 3:
        expected = f"(n, {len(plane)}, 2) with n >= 3"
        raise ShapeError("views", expected=expected, actual=seen.shape)
    homographies = np.stack([fit_homography(plane, uv) for uv in seen])
    K = camera_matrix_from_homographies(homographies)
    poses = np.stack([board_pose(K, H) for H in homographies])
    points = np.column_stack([plane, np.zeros(len(plane))])

    problem = _Views(points, seen, width, height)
    start = np.concatenate(
        [
            [K[0, 0], K[1, 1], K[0, 2], K[1, 2], *np.zeros(5)],
            np.hstack([so3.log(poses[:, :3, :3]), poses[:, :3, 3]]).ravel(),
        ]
    )
    is_frozen = np.zeros(start.size, dtype=bool)
    is_frozen[4:9] = ~np.asarray(distortion, dtype=bool)
    found = solve_least_squares(
        problem.residuals, start, jacobian=problem.jacobian, is_frozen=is_frozen
    )
    pose = found.x[9:].reshape(-1, 6)
    return CameraCalibration(
        intrinsics=problem.camera(found.x),
        T_camera_board=se3.pose_from_rotation_translation(
            so3.exp(pose[:, :3]), pose[:, 3:]
        ),
        rms=float(np.sqrt(2.0 * np.mean(found.residuals**2))),
        sigma=found.sigma[:9],
    )


class _Views:
    """Residuals of the corners, and their derivatives.

    Parameters: fx, fy, cx, cy, k1, k2, p1, p2, k3, then a rotation vector [rad] and a
    translation [m] of the board in the camera for each view.
    """

    def __init__(
        self, points: FloatArray, seen: FloatArray, width: int, height: int
    ) -> None:
        self.points, self.seen = points, seen
        self.width, self.height = width, height

    def camera(self, x: FloatArray) -> Intrinsics:
        fx, fy, cx, cy, k1, k2, p1, p2, k3 = map(float, x[:9])
        return Intrinsics(
            width=self.width,
            height=self.height,
            fx=fx,
            fy=fy,
            cx=cx,
            cy=cy,
            distortion=(k1, k2, p1, p2, k3),
        )

    def residuals(self, x: FloatArray) -> FloatArray:
        turned, t = self._corners(x)
        return (project(self.camera(x), turned + t) - self.seen).ravel()

    def jacobian(self, x: FloatArray) -> FloatArray:
        camera = self.camera(x)
        turned, t = self._corners(x)
        p = turned + t
        n, m = p.shape[:2]
        J = np.zeros((n, m, 2, x.size))
        a, b = p[..., 0] / p[..., 2], p[..., 1] / p[..., 2]
        bent = distort(camera, np.stack([a, b], axis=-1))
        J[:, :, 0, 0], J[:, :, 1, 1] = bent[..., 0], bent[..., 1]
        J[:, :, 0, 2] = J[:, :, 1, 3] = 1.0
        r2 = a * a + b * b
        twist = 2.0 * a * b
        J[:, :, 0, 4:9] = camera.fx * np.stack(
            [a * r2, a * r2**2, twist, r2 + 2.0 * a * a, a * r2**3], axis=-1
        )
        J[:, :, 1, 4:9] = camera.fy * np.stack(
            [b * r2, b * r2**2, r2 + 2.0 * b * b, twist, b * r2**3], axis=-1
        )
        lens = projection_jacobian(camera, p)
        w = x[9:].reshape(-1, 6)[:, :3]
        angle = np.linalg.norm(w, axis=1)
        left = skew_polynomial(w, cosine_quotient(angle), cubic_quotient(angle))
        for k in range(n):
            at = 9 + 6 * k
            J[k, :, :, at : at + 3] = -lens[k] @ skew(turned[k]) @ left[k]
            J[k, :, :, at + 3 : at + 6] = lens[k]
        return J.reshape(-1, x.size)

    def _corners(self, x: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the corners turned into the camera's axes, and the translations."""
        pose = x[9:].reshape(-1, 6)
        turned = self.points @ np.swapaxes(so3.exp(pose[:, :3]), -1, -2)
        return turned, pose[:, None, 3:]


def _row(h: FloatArray, i: int, j: int) -> FloatArray:
    """Return v with v . (B11, B12, B22, B13, B23, B33) = h_i^T B h_j."""
    a, b = h[:, i], h[:, j]
    return np.array(
        [
            a[0] * b[0],
            a[0] * b[1] + a[1] * b[0],
            a[1] * b[1],
            a[2] * b[0] + a[0] * b[2],
            a[2] * b[1] + a[1] * b[2],
            a[2] * b[2],
        ]
    )
