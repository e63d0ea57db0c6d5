"""The cell of the camera-guided grasp, and the frames of its film.

An arm over a table with a known block and a strange one. The estimators of
`gelenk.course.scenarios.camera_grasp` see nothing of it but readings: joint angles with
wrong zeros, a depth image with noise, dropouts and flying pixels, and dots on the block
in a second image.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

import gelenk
from gelenk.course.film import Film
from gelenk.models.tree import RobotModel
from gelenk.pointcloud.laser_scan import cast_boxes
from gelenk.spatial import se3, so3
from gelenk.typing import FloatArray
from gelenk.vision.camera import Intrinsics, plane_from_pixel, project, unproject

TOP, LEG = 0.03, 0.34  # thickness of the table, height of its leg [m]


class GraspFilm:
    """Takes the frames.

    Attributes:
        time: Of the film [s].
        text: What goes on.

    Args:
        film: Takes frames.
        arm: The arm.
        table: Its height [m].
        things: Pose, boxes as (low, high) and colour of what lies on the table.
    """

    def __init__(
        self,
        film: Film,
        arm: RobotModel,
        table: float,
        things: Sequence[tuple[FloatArray, FloatArray, str]],
    ) -> None:
        self.film, self.time, self.text = film, 0.0, ""
        film.arm("puma", arm)
        film.box("table", (0.9, 1.0, TOP), color="sand")
        film.disc("leg", 0.06, LEG, color="dark_grey")
        film.cloud("cloud", color="measured", radius=2e-3)
        film.cloud("found", color="target", radius=2e-3)
        poses = {
            "table": _moved(np.eye(4), (0.65, -0.05, table - 0.5 * TOP)),
            "leg": _moved(np.eye(4), (0.65, -0.05, table - TOP - 0.5 * LEG)),
        }
        for T, boxes, color in things:
            for number, (low, high) in enumerate(boxes):
                name = f"{color} part {number}"
                film.box(name, high - low, color=color)
                poses[name] = _moved(T, 0.5 * (low + high))
        film.shoot(0.0, poses=poses)

    def move(self, q_from: FloatArray, q_to: FloatArray, seconds: float) -> None:
        """Draw a motion between two configurations [rad]."""
        count = max(round(seconds / self.film.period), 1)
        for k in range(1, count + 1):
            share = k / count
            self.time += seconds / count
            smooth = share * share * (3.0 - 2.0 * share)
            self._shoot(q_from + smooth * (q_to - q_from), 0.0)

    def push(self, q: FloatArray, dt: float, force: float) -> None:
        """Note a step of dt [s] with a force [N]."""
        self.time += dt
        self._shoot(q, force)

    def see(self, name: str, points: FloatArray) -> None:
        """Show points in the base [m], shape (k, 3)."""
        self.film.shoot(self.time, clouds={name: points})

    def _shoot(self, q: FloatArray, force: float) -> None:
        if self.film.wants(self.time):
            self.film.shoot(
                self.time,
                joints={"puma": q},
                curves={"force [N]": force},
                text=self.text,
            )


def _moved(T: FloatArray, place: object) -> FloatArray:
    out = np.array(T)
    out[:3, 3] += T[:3, :3] @ np.asarray(place, dtype=np.float64)
    return out


TABLE = -0.30  # height [m]
BLOCK = np.array(
    [[[0.0, 0.0, 0.0], [0.16, 0.05, 0.05]], [[0.0, 0.05, 0.0], [0.05, 0.12, 0.08]]]
)
DOTS = np.array(
    [[0.15, 0.01, 0.05], [0.15, 0.04, 0.05], [0.07, 0.01, 0.05], [0.02, 0.11, 0.08]]
)
STRANGER = np.array([[[-0.03, -0.03, 0.0], [0.03, 0.03, 0.045]]])
DEPTH_CAMERA = Intrinsics(width=96, height=72, fx=85, fy=85, cx=47.5, cy=35.5)
HAND_CAMERA = Intrinsics(width=640, height=480, fx=300, fy=300, cx=319.5, cy=239.5)
T_TOOL_CAMERA = np.array(
    [[1.0, 0, 0, 0.06], [0, 1.0, 0, 0.0], [0, 0, 1.0, -0.12], [0, 0, 0, 1.0]]
)
"""Where the cameras sit on the hand, as drawn; in truth it differs."""

DEPTH_NOISE, DROPOUT, FLYING = 1.5e-3, 0.02, 0.005  # [m], shares of the pixels
PIXEL_NOISE = 0.3  # [px]
FRICTION = np.array([0.6, 0.6, 0.4, 0.1, 0.1, 0.1])  # [N m], what compensation leaves
# Of the rotors behind their gears [kg m^2]; Corke and Armstrong-Helouvry 1994.
ROTORS = np.array([0.784, 2.324, 0.577, 0.191, 0.171, 0.194])
SURFACE_STIFFNESS, SURFACE_DAMPING = 2e4, 60.0  # [N/m], [N s/m]


@dataclass(slots=True)
class GraspCell:
    """The true state of one trial.

    Attributes:
        arm: The arm.
        T_base_block: Pose of the block, shape (4, 4).
        T_base_stranger: Pose of the other thing, shape (4, 4).
        T_tool_camera: Where the cameras really sit, shape (4, 4).
        zeros: True joint angle less reading [rad], shape (6,).
        q: True joint angles [rad], shape (6,).
        qd: [rad/s], shape (6,).
        rng: Draws the noise of the sensors.
        film: Takes frames, if anybody looks.
    """

    arm: RobotModel
    T_base_block: FloatArray
    T_base_stranger: FloatArray
    T_tool_camera: FloatArray
    zeros: FloatArray
    q: FloatArray
    qd: FloatArray
    rng: np.random.Generator
    film: GraspFilm | None = None

    @property
    def reading(self) -> FloatArray:
        """Joint angles as the encoders give them [rad], shape (6,)."""
        return self.q - self.zeros

    def go(self, q_read: FloatArray, *, shown: float = 1.5) -> None:
        """Stand still where the encoders show these angles [rad].

        A film shows the motion in `shown` seconds.
        """
        if self.film is not None:
            self.film.move(self.q, q_read + self.zeros, shown)
        self.q, self.qd = q_read + self.zeros, np.zeros(6)

    def tell(self, text: str, **clouds: FloatArray) -> None:
        """Have a film say what goes on, and show points in the base [m]."""
        if self.film is not None:
            self.film.text = text
            for name, points in clouds.items():
                self.film.see(name, points)

    def depth_image(self) -> FloatArray:
        """Return z of what the depth camera sees [m], NaN: nothing, (72, 96)."""
        T = self.arm.forward(self.q) @ self.T_tool_camera
        v, u = np.indices((DEPTH_CAMERA.height, DEPTH_CAMERA.width)).astype(float)
        rays = unproject(DEPTH_CAMERA, np.stack([u, v], axis=-1))
        way = rays @ T[:3, :3].T  # with z = 1 in the camera its length counts depth
        with np.errstate(divide="ignore"):
            z = (TABLE - T[2, 3]) / way[..., 2]
        z = np.where(z > 0.0, z, np.inf)
        for T_base_body, boxes in (
            (self.T_base_block, BLOCK),
            (self.T_base_stranger, STRANGER),
        ):
            start = se3.transform_point(se3.inverse(T_base_body), T[:3, 3])
            z = np.minimum(z, cast_boxes(start, way @ T_base_body[:3, :3], boxes))
        z = z + DEPTH_NOISE * self.rng.normal(size=z.shape)
        z = z - (self.rng.uniform(size=z.shape) < FLYING) * self.rng.uniform(0.02, 0.2)
        is_lost = ~np.isfinite(z) | (self.rng.uniform(size=z.shape) < DROPOUT)
        return np.where(is_lost, np.nan, z)

    def dots(self) -> FloatArray:
        """Return where the dots are seen, at unit distance, NaN: not, shape (4, 2)."""
        T = self.arm.forward(self.q) @ self.T_tool_camera
        p_base = se3.transform_point(self.T_base_block, DOTS)
        pixels = project(HAND_CAMERA, se3.transform_point(se3.inverse(T), p_base))
        pixels = pixels + PIXEL_NOISE * self.rng.normal(size=pixels.shape)
        is_seen = HAND_CAMERA.contains(np.nan_to_num(pixels, nan=-9.0))
        return np.where(is_seen[:, None], plane_from_pixel(HAND_CAMERA, pixels), np.nan)

    def taught_dots(self, T_block_tool: FloatArray) -> FloatArray:
        """Return the dots as this camera saw them when a pose was shown, (4, 2).

        Nobody was in a hurry: the mean of 25 images.
        """
        T_camera_block = se3.inverse(T_block_tool @ self.T_tool_camera)
        pixels = project(HAND_CAMERA, se3.transform_point(T_camera_block, DOTS))
        pixels = pixels + PIXEL_NOISE / 5.0 * self.rng.normal(size=pixels.shape)
        return plane_from_pixel(HAND_CAMERA, pixels)

    def step(self, tau: FloatArray, dt: float) -> float:
        """Advance by dt [s] under torques [N m]; return the force on the tip [N].

        The tip feels the block below it as a spring with a damper that never pulls.
        """
        J, T = self.arm.jacobian(self.q), self.arm.forward(self.q)
        p_block = se3.transform_point(se3.inverse(self.T_base_block), T[:3, 3])
        low, high = BLOCK[:, 0, :2], BLOCK[:, 1, :2]
        is_over = np.all((p_block[:2] >= low) & (p_block[:2] <= high), axis=1)
        height = max([0.0, *BLOCK[is_over, 1, 2]])
        depth, speed = TABLE + height - T[2, 3], -(J[2] @ self.qd)
        force = max(0.0, SURFACE_STIFFNESS * depth + SURFACE_DAMPING * speed)
        force = float(force) if depth > 0.0 else 0.0
        load = tau + J[2] * force - FRICTION * np.tanh(self.qd / 0.02)
        bias = self.arm.inverse_dynamics(self.q, self.qd, np.zeros(6))
        M = self.arm.mass_matrix(self.q) + np.diag(ROTORS)
        self.qd = self.qd + dt * np.linalg.solve(M, load - bias)
        self.q = self.q + dt * self.qd
        if self.film is not None:
            self.film.push(self.q, dt, force)
        return force


def make_cell(seed: int, film: Film | None = None) -> GraspCell:
    """Return a cell with the block and the stranger anywhere on the table's middle."""
    rng = np.random.default_rng(seed)
    yaw, place = rng.uniform(-np.pi, np.pi), rng.uniform([0.42, -0.18], [0.54, 0.02])
    R = so3.rot_z(yaw)
    center = R @ np.array([0.06, 0.045, 0.0])
    block = se3.pose_from_rotation_translation(R, [*(place - center[:2]), TABLE])
    side = rng.uniform(-np.pi, np.pi)
    aside = place + 0.16 * np.array([np.cos(side), np.sin(side)])
    stranger = se3.pose_from_rotation_translation(
        so3.rot_z(rng.uniform(-np.pi, np.pi)), [*aside, TABLE]
    )
    mount = se3.exp(
        np.concatenate([2e-3 * rng.normal(size=3), 5e-3 * rng.normal(size=3)])
    )
    arm = gelenk.load("puma560")
    things = (block, BLOCK, "orange"), (stranger, STRANGER, "blue")
    return GraspCell(
        arm=arm,
        film=None if film is None else GraspFilm(film, arm, TABLE, things),
        T_base_block=block,
        T_base_stranger=stranger,
        T_tool_camera=T_TOOL_CAMERA @ mount,
        zeros=2e-3 * rng.normal(size=6),
        q=np.zeros(6),
        qd=np.zeros(6),
        rng=rng,
    )
