"""Rendered views of a chessboard sandal: random poses, light, shade, distraction."""

# pyright: reportAttributeAccessIssue=false
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import mujoco
import numpy as np
from numpy.typing import NDArray

from gelenk.sim.bridge.cameras import add_board, add_camera, add_surroundings
from gelenk.sim.cameras.boards import Chessboard
from gelenk.sim.cameras.description import Camera, SensorNoise, looking_at
from gelenk.sim.cameras.rig import CameraRig
from gelenk.spatial.quaternion import quaternion_from_matrix
from gelenk.spatial.so3 import exp as rotation_from_vector
from gelenk.typing import FloatArray
from gelenk.vision.camera import Intrinsics, project

EYE = Intrinsics.from_field_of_view(width=640, height=480, horizontal=1.0641)
BOARD = Chessboard(
    name="board", columns=7, rows=5, square=0.025, border=0.0, is_movable=True
)
LUX = (45.0, 105.0, 290.0, 711.0)
_T_WORLD_CAMERA = looking_at([0.0, 0.0, 1.0], [0.0, 1.0, 1.0])
_BLUR, _RAYS = 0.7, 4  # [px], per side of a pixel
_EDGE = 2.0  # [px]: the whole plate stays this far inside of the image


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BoardView:
    """An image of the board and the truth about it.

    Attributes:
        image: Gray levels, (480, 640).
        corners: True projections [px], (24, 2).
    """

    image: NDArray[np.uint8]
    corners: FloatArray

    def expected(self, rng: np.random.Generator, shift: float = 50.0) -> FloatArray:
        """Return a prediction off by up to `shift` [px] and a quarter radian."""
        middle = self.corners.mean(axis=0)
        angle = rng.uniform(-0.25, 0.25)
        c, s = np.cos(angle), np.sin(angle)
        turned = (self.corners - middle) @ np.array([[c, s], [-s, c]])
        return turned + middle + rng.uniform(-shift, shift, 2)


def random_pose(
    rng: np.random.Generator,
    *,
    max_tilt: float = np.deg2rad(60.0),
    max_roll: float = np.pi,
) -> tuple[FloatArray, FloatArray]:
    """Return `T_camera_board` of a board that is all in sight, and its corners [px].

    Distance 0.2 to 0.45 m, any direction of tilt.

    Args:
        rng: Source of all draws.
        max_tilt: Largest angle between the board's normal and the ray to its middle
            [rad].
        max_roll: Largest turn about the normal [rad].
    """
    width, height = BOARD.size
    plate = np.zeros((4, 3))
    plate[:, 0] = 0.5 * width * np.array([-1, 1, 1, -1])
    plate[:, 1] = 0.5 * height * np.array([1, 1, -1, -1])
    while True:
        azimuth, tilt = rng.uniform(0.0, 2.0 * np.pi), rng.uniform(0.0, max_tilt)
        axis = np.array([np.cos(azimuth), np.sin(azimuth), 0.0])
        roll = np.array([0.0, 0.0, rng.uniform(-max_roll, max_roll)])
        T = np.eye(4)
        T[:3, :3] = rotation_from_vector(tilt * axis) @ rotation_from_vector(roll)
        T[:3, 1:3] *= -1.0  # y up and z toward the eye
        distance = rng.uniform(0.2, 0.45)
        T[:3, 3] = distance * np.array(
            [rng.uniform(-0.5, 0.5), rng.uniform(-0.4, 0.4), 1]
        )
        slant = -T[:3, 2] @ T[:3, 3] / np.linalg.norm(T[:3, 3])
        if slant < np.cos(max_tilt):
            continue
        outline = project(EYE, plate @ T[:3, :3].T + T[:3, 3])
        limit = np.array([EYE.width - 1 - _EDGE, EYE.height - 1 - _EDGE])
        if np.isfinite(outline).all() and ((outline > _EDGE) & (outline < limit)).all():
            return T, project(EYE, BOARD.corners() @ T[:3, :3].T + T[:3, 3])


def rendered_views(
    count: int, rng: np.random.Generator, *, noise: float = 0.0, **limits: float
) -> Iterator[BoardView]:
    """Draw random views, 16 rays per pixel, blur 0.7 px.

    Args:
        count: How many.
        rng: Of the poses.
        noise: Of the sensor [gray levels].
        **limits: See `random_pose`.
    """
    eye = Camera(
        name="eye",
        intrinsics=EYE,
        T_parent_camera=_T_WORLD_CAMERA,
        samples=_RAYS,
        blur=_BLUR,
        near=0.02,
        noise=SensorNoise(read=noise, shot=0.0),
    )
    spec = mujoco.MjSpec()
    add_surroundings(spec)
    add_board(spec, BOARD)
    add_camera(spec, eye)
    model = spec.compile()
    data = mujoco.MjData(model)
    with CameraRig(model, [eye], step=0.001, seed=int(rng.integers(2**31))) as rig:
        for number in range(count):
            T_camera_board, corners = random_pose(rng, **limits)
            T_world_board = _T_WORLD_CAMERA @ T_camera_board
            data.mocap_pos[0] = T_world_board[:3, 3]
            data.mocap_quat[0] = quaternion_from_matrix(T_world_board[:3, :3])
            image = rig.look("eye", data, frame=number).pixels
            yield BoardView(image=image, corners=corners)


def lit(
    view: BoardView,
    lux: float,
    rng: np.random.Generator,
    *,
    shade: float = 1.0,
    sheen: float = 0.0,
) -> BoardView:
    """Return the view in other light: exposure, gain, shade, a reflection, noise.

    The camera turns its gain up as far as it can; what it amplifies is noise as well.

    Args:
        view: Drawn in full light, without noise.
        lux: Of the scene; 711 is full light.
        rng: Of shade, reflection and noise.
        shade: How many times darker one side of a hard edge across the board is.
        sheen: Largest reflection added [gray levels], rising across the image.
    """
    gain = min(LUX[-1] / lux, 8.0)
    y, x = np.mgrid[0 : EYE.height, 0 : EYE.width]
    light = np.full(view.image.shape, lux / LUX[-1] * gain)
    direction = rng.uniform(0.0, 2.0 * np.pi)
    c, s = np.cos(direction), np.sin(direction)
    through = view.corners[rng.integers(len(view.corners))] + rng.uniform(-20, 20, 2)
    across = (x - through[0]) * c + (y - through[1]) * s
    light *= 1.0 + (1.0 / shade - 1.0) * np.clip(across + 0.5, 0.0, 1.0)
    glow = sheen * np.clip(0.5 + across / 400.0, 0.0, 1.0)
    gray = view.image * light + glow + rng.normal(0.0, 0.8 * gain, light.shape)
    image = np.clip(np.rint(gray), 0, 255).astype(np.uint8)
    return replace(view, image=image)


def distracted(view: BoardView, rng: np.random.Generator, count: int = 3) -> BoardView:
    """Return the view with some false corners: small checks of 2 x 2 fields.

    Anywhere around and on the board, but not on its corners.
    """
    image = view.image.copy()
    low = np.maximum(view.corners.min(axis=0) - 60, 12)
    high = np.minimum(view.corners.max(axis=0) + 60, (EYE.width - 13, EYE.height - 13))
    placed = 0
    while placed < count:
        at = rng.uniform(low, high)
        if np.linalg.norm(view.corners - at, axis=1).min() < 14.0:
            continue
        radius, angle = rng.uniform(6.0, 8.0), rng.uniform(0.0, np.pi)
        x0, y0 = np.rint(at).astype(int)
        y, x = np.mgrid[y0 - 9 : y0 + 10, x0 - 9 : x0 + 10]
        u, v = x - at[0], y - at[1]
        c, s = np.cos(angle), np.sin(angle)
        check = np.clip(c * u + s * v, -1, 1) * np.clip(c * v - s * u, -1, 1)
        inside = np.hypot(u, v) < radius
        part = image[y0 - 9 : y0 + 10, x0 - 9 : x0 + 10]
        part[inside] = np.rint(110.0 + 95.0 * check)[inside].astype(np.uint8)
        placed += 1
    return replace(view, image=image)
