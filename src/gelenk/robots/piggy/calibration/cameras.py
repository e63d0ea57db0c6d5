"""Both cameras from chessboards: lenses, and how one stands to the other.

All corners of all boards in both images are explained at once by two lenses, one pose
between the cameras and one pose per board. Nothing but the shape of the board is known.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gelenk.calibration.identifiability import (
    Identifiability,
    explain_information,
)
from gelenk.estimation.least_squares import (
    LeastSquaresCfg,
    LeastSquaresResult,
    solve_least_squares,
)
from gelenk.robots.piggy.calibration.boards import Board, BoardSight
from gelenk.robots.piggy.calibration.verdicts import CalibrationError
from gelenk.spatial import so3
from gelenk.spatial.rotation_rates import left_jacobian
from gelenk.spatial.vectors import skew
from gelenk.typing import FloatArray
from gelenk.vision.camera import (
    Intrinsics,
    distort,
    plane_from_pixel,
    project,
    projection_jacobian,
    undistort,
)
from gelenk.vision.homography import fit_homography

FEWEST_BOARDS = 4
LENS = ("fx", "fy", "cx", "cy", "k1", "k2", "p1", "p2", "k3")
LENS_UNITS = ("px", "px", "px", "px", "1", "1", "1", "1", "1")
# What anybody knows about such lenses before: pixels are square to a per mille, and
# the third radial term, which nine boards hardly show, is small.
LENS_SIGMA = (math.inf, math.inf, math.inf, math.inf, 0.5, 0.5, 0.01, 0.01, 0.02)
POSE = ("turn x", "turn y", "turn z", "shift x", "shift y", "shift z")
POSE_UNITS = ("rad", "rad", "rad", "m", "m", "m")
N_LENS, N_POSE = len(LENS), len(POSE)
CAMERA_NAMES = (
    *(f"{side}.{name}" for side in ("left", "right") for name in LENS),
    *(f"right.{name}" for name in POSE),
)
CAMERA_UNITS = (*LENS_UNITS, *LENS_UNITS, *POSE_UNITS)
SHARED = 2 * N_LENS + N_POSE  # parameters before those of the boards
LARGEST_RESIDUAL = 3.0  # [px]; more is no board of this size, or no rigid pair


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CameraCalibration:
    """Two lenses and the pose between them.

    Attributes:
        left, right: Lenses.
        T_left_right: Pose of the right camera in the left one, shape (4, 4).
        names, units: Of the parameters: both lenses, then the pose; its turn is about
            the axes of the right camera.
        values: Shape (24,); turn and shift are changes of what was assumed before.
        covariance: Shape (24, 24).
        residual: Root mean squares across and down, all corners [px].
        noise: Standard deviation of one coordinate, free of what the fit takes up [px].
        boards: How many.
        identifiability: What the boards could tell.
    """

    left: Intrinsics
    right: Intrinsics
    T_left_right: FloatArray
    names: tuple[str, ...]
    units: tuple[str, ...]
    values: FloatArray
    covariance: FloatArray
    residual: tuple[float, float]
    noise: float
    boards: int
    identifiability: Identifiability

    @property
    def turn_sigma(self) -> float:
        """Standard deviation of the pose's turn, all axes together [rad]."""
        turn = slice(2 * N_LENS, 2 * N_LENS + 3)
        return math.sqrt(float(np.trace(self.covariance[turn, turn])))


def calibrate_cameras(
    sights: Sequence[BoardSight],
    board: Board,
    *,
    left: Intrinsics,
    right: Intrinsics,
    T_left_right: FloatArray,
) -> CameraCalibration:
    """Return both cameras from boards that both saw.

    Args:
        sights: The boards.
        board: Their shape.
        left: Lens as known before; only a start, but for the size of the image.
        right: The other one.
        T_left_right: Pose as known before, shape (4, 4).

    Raises:
        CalibrationError: If there are too few boards, or nothing explains them.
    """
    if len(sights) < FEWEST_BOARDS:
        raise CalibrationError(
            "too few boards",
            f"expected {FEWEST_BOARDS} boards at least, got {len(sights)}",
            advice="show nine, tilted about different axes",
        )
    problem = _Problem(sights, board, (left, right), T_left_right)
    sigma = np.full(problem.size, math.inf)
    sigma[: 2 * N_LENS] = np.tile(LENS_SIGMA, 2)
    mean = problem.start.copy()
    for k in range(2):
        mean[k * N_LENS + 4 : (k + 1) * N_LENS] = 0.0
    found = solve_least_squares(
        problem.residuals,
        problem.start,
        jacobian=problem.jacobian,
        prior_mean=mean,
        prior_sigma=sigma,
        cfg=LeastSquaresCfg(loss="huber", block=2, max_iterations=60),
    )
    across, down = _rms(found.residuals)
    if not found.converged or max(across, down) > LARGEST_RESIDUAL:
        raise CalibrationError(
            "no agreement",
            f"the corners stay {across:.2f} and {down:.2f} px away from any two "
            f"cameras ({found.status})",
            advice="check the size of the fields, and that nothing moved in between",
        )
    return problem.report(found, sigma)


class _Problem:
    """Residuals and derivatives of all corners, as functions of one vector."""

    def __init__(
        self,
        sights: Sequence[BoardSight],
        board: Board,
        lenses: tuple[Intrinsics, Intrinsics],
        T_left_right: FloatArray,
    ) -> None:
        self.points = board.corners
        self.count = len(sights)
        self.size = SHARED + 6 * self.count
        self.shape = [(lens.width, lens.height) for lens in lenses]
        self.R_right_left = T_left_right[:3, :3].T
        self.seen = np.stack([[s.left, s.right] for s in sights])  # (b, 2, n, 2)
        self.weight = np.stack([s.is_measured for s in sights]).astype(np.float64)
        poses = [_board_pose(lenses[0], self.points, s.left) for s in sights]
        self.R_left_board = np.stack([R for R, _ in poses])
        self.start = np.concatenate(
            [
                *(_lens_vector(lens) for lens in lenses),
                np.zeros(3),
                -self.R_right_left @ T_left_right[:3, 3],
                *(np.concatenate([np.zeros(3), p]) for _, p in poses),
            ]
        )

    def lenses(self, x: FloatArray) -> list[Intrinsics]:
        return [
            _lens(x[k * N_LENS : (k + 1) * N_LENS], self.shape[k]) for k in range(2)
        ]

    def _in_cameras(self, x: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return corners, only turned, in the left and the right camera, (b, n, 3)."""
        boards = x[SHARED:].reshape(self.count, 6)
        R = so3.exp(boards[:, :3]) @ self.R_left_board
        turned = np.einsum("bij,nj->bni", R, self.points)
        left = turned + boards[:, None, 3:]
        pose = x[2 * N_LENS : SHARED]
        right = left @ (so3.exp(pose[:3]) @ self.R_right_left).T + pose[3:]
        return turned, left, right

    def residuals(self, x: FloatArray) -> FloatArray:
        _, left, right = self._in_cameras(x)
        try:
            lenses = self.lenses(x)
        except ValueError:  # a step into focal lengths that no lens has
            return np.full(self.seen.size, np.nan)
        out = np.empty_like(self.seen)
        for k, p in enumerate((left, right)):
            out[:, k] = project(lenses[k], p) - self.seen[:, k]
        out *= self.weight[:, None, :, None]
        return out.ravel()

    def jacobian(self, x: FloatArray) -> FloatArray:
        turned, left, right = self._in_cameras(x)
        lenses = self.lenses(x)
        boards = x[SHARED:].reshape(self.count, 6)
        pose = x[2 * N_LENS : SHARED]
        b, n = self.count, len(self.points)
        J = np.zeros((b, 2, n, 2, self.size))
        d_turn = -skew(turned) @ left_jacobian(boards[:, :3])[:, None]  # (b, n, 3, 3)
        R_right_left = so3.exp(pose[:3]) @ self.R_right_left
        only_turned = right - pose[3:]
        for k, p in enumerate((left, right)):
            lens = slice(k * N_LENS, (k + 1) * N_LENS)
            J[:, k, :, :, lens] = _lens_jacobian(lenses[k], p)
            d_pixel = projection_jacobian(lenses[k], p)
            if k == 1:
                turn = -skew(only_turned) @ left_jacobian(pose[:3])
                J[:, k, :, :, 2 * N_LENS : 2 * N_LENS + 3] = d_pixel @ turn
                J[:, k, :, :, 2 * N_LENS + 3 : SHARED] = d_pixel
                d_pixel = d_pixel @ R_right_left
            for i in range(b):
                first = SHARED + 6 * i
                J[i, k, :, :, first : first + 3] = d_pixel[i] @ d_turn[i]
                J[i, k, :, :, first + 3 : first + 6] = d_pixel[i]
        J *= self.weight[:, None, :, None, None]
        return J.reshape(-1, self.size)

    def report(self, found: LeastSquaresResult, sigma: FloatArray) -> CameraCalibration:
        left, right = self.lenses(found.x)
        pose = found.x[2 * N_LENS : SHARED]
        R_left_right = (so3.exp(pose[:3]) @ self.R_right_left).T
        T = np.eye(4)
        T[:3, :3], T[:3, 3] = R_left_right, -R_left_right @ pose[3:]
        # Poses of boards are of no use to anybody: what the rest can be told apart is
        # in their information once the boards are free to follow.
        J = self.jacobian(found.x) / found.scale
        H = J.T @ J
        inner = H[SHARED:, SHARED:]
        H = H[:SHARED, :SHARED] - H[:SHARED, SHARED:] @ np.linalg.solve(
            inner, H[SHARED:, :SHARED]
        )
        return CameraCalibration(
            left=left,
            right=right,
            T_left_right=T,
            names=CAMERA_NAMES,
            units=CAMERA_UNITS,
            values=found.x[:SHARED],
            covariance=found.covariance[:SHARED, :SHARED],
            residual=_rms(found.residuals),
            noise=found.scale,
            boards=self.count,
            identifiability=explain_information(
                H,
                names=CAMERA_NAMES,
                units=CAMERA_UNITS,
                prior_sigma=sigma[:SHARED].tolist(),
            ),
        )


def _rms(residuals: FloatArray) -> tuple[float, float]:
    pairs = residuals.reshape(-1, 2)
    pairs = pairs[np.any(pairs != 0.0, axis=1)]
    across, down = np.sqrt(np.mean(pairs**2, axis=0))
    return float(across), float(down)


def _lens_vector(lens: Intrinsics) -> FloatArray:
    return np.array([lens.fx, lens.fy, lens.cx, lens.cy, *lens.distortion])


def _lens(x: FloatArray, shape: tuple[int, int]) -> Intrinsics:
    fx, fy, cx, cy, k1, k2, p1, p2, k3 = map(float, x)
    return Intrinsics(
        width=shape[0], height=shape[1], fx=fx, fy=fy, cx=cx, cy=cy,
        distortion=(k1, k2, p1, p2, k3),
    )  # fmt: skip


def _lens_jacobian(lens: Intrinsics, p: FloatArray) -> FloatArray:
    """Return d(u, v) / d(fx, fy, cx, cy, k1, k2, p1, p2, k3), shape (..., 2, 9)."""
    xy = p[..., :2] / p[..., 2:]
    bent = distort(lens, xy)
    x, y = xy[..., 0], xy[..., 1]
    r2 = x * x + y * y
    J = np.zeros((*xy.shape, N_LENS))
    J[..., 0, 0], J[..., 1, 1] = bent[..., 0], bent[..., 1]
    J[..., 0, 2] = J[..., 1, 3] = 1.0
    for column, power in ((4, r2), (5, r2**2), (8, r2**3)):
        J[..., 0, column], J[..., 1, column] = lens.fx * x * power, lens.fy * y * power
    J[..., 0, 6], J[..., 1, 6] = lens.fx * 2 * x * y, lens.fy * (r2 + 2 * y * y)
    J[..., 0, 7], J[..., 1, 7] = lens.fx * (r2 + 2 * x * x), lens.fy * 2 * x * y
    return J


def _board_pose(
    lens: Intrinsics, points: FloatArray, seen: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return R_camera_board and the board's origin in the camera, from a homography."""
    xy = undistort(lens, plane_from_pixel(lens, seen))
    H = fit_homography(points[:, :2], xy)
    H = H / np.linalg.norm(H[:, 0])
    H = H if H[2, 2] > 0.0 else -H
    R = so3.orthonormalize(
        np.column_stack([H[:, 0], H[:, 1], np.cross(H[:, 0], H[:, 1])])
    )
    scale = 0.5 * (np.linalg.norm(H[:, 0]) + np.linalg.norm(H[:, 1]))
    return R, H[:, 2] / scale
