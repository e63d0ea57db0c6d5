"""View of a sandal's board by the lower camera, and the gaze that centres it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_array
from gelenk.kinematics.forward import link_poses
from gelenk.models.tree import RobotModel
from gelenk.robots.nao import sandal
from gelenk.robots.nao.config import T_MOUNT_CAMERA
from gelenk.robots.nao.joints import Side, model_from_body
from gelenk.robots.nao.poses.boxes import Boxes, hides
from gelenk.robots.nao.robot import LOWER_CAMERA, LOWER_CAMERA_TILT, NECK_HEIGHT
from gelenk.typing import ArrayLike, BoolArray, FloatArray
from gelenk.vision.camera import Intrinsics, project


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BoardView:
    """The corners of a board as a camera sees them, one row per pose.

    Attributes:
        pixels: Image points [px], shape (n, 24, 2); NaN behind the camera.
        depth: Distance along the optical axis [m], shape (n, 24).
        facing: Cosine between the board's normal and the line of sight, (n, 24);
            negative when the camera looks at the back.
        roll: Turn of the board in the image [rad], 0 when its rows run to the right,
            shape (n,).
        T_links: Poses of all links in the torso's frame, shape (n, links, 4, 4).
    """

    pixels: FloatArray
    depth: FloatArray
    facing: FloatArray
    roll: FloatArray
    T_links: FloatArray


def view_board(
    model: RobotModel, intrinsics: Intrinsics, q22: ArrayLike, side: Side
) -> BoardView:
    """Return how a robot sees the board of one foot.

    Args:
        model: The robot with sandals: nominal, or with its errors.
        intrinsics: Its lower camera.
        q22: Body vectors of readings [rad], shape (n, 22).
        side: Whose board.
    """
    q = model_from_body(model, np.atleast_2d(q22))
    T_links = link_poses(model, q)
    T_camera = T_links[:, model.link_id("camera_bottom")]
    T_board = T_links[:, model.link_id(f"{side[0]}_sandal")]
    corners = sandal.corners()
    points = corners @ np.swapaxes(T_board[:, :3, :3], -1, -2) + T_board[:, None, :3, 3]
    rays = points - T_camera[:, None, :3, 3]
    p_camera = rays @ (T_camera[:, :3, :3] @ T_MOUNT_CAMERA[:3, :3])
    normal = T_board[:, None, :3, 2]
    length = np.linalg.norm(rays, axis=-1)
    pixels = project(intrinsics, p_camera)
    row = pixels[:, sandal.COLUMNS - 1] - pixels[:, 0]
    return BoardView(
        pixels=pixels,
        depth=p_camera[..., 2],
        facing=-np.sum(rays * normal, axis=-1) / length,
        roll=np.arctan2(row[:, 1], row[:, 0]),
        T_links=T_links,
    )


def is_unhidden(
    model: RobotModel, boxes: Boxes, view: BoardView, side: Side
) -> BoolArray:
    """Return whether no body stands between the camera and any corner, shape (n,).

    Args:
        model: The robot that was looked with.
        boxes: Its bodies.
        view: What `view_board` said.
        side: Whose board.
    """
    own = f"{side[0]}_sandal"
    rows = [i for i, link in enumerate(boxes.links) if link not in (own, "head")]
    T_boxes = boxes.poses(view.T_links)[:, rows]
    start = view.T_links[:, model.link_id("camera_bottom"), :3, 3]
    T_board = view.T_links[:, model.link_id(own)]
    ends = sandal.corners() @ np.swapaxes(T_board[:, :3, :3], -1, -2)
    ends = ends + T_board[:, None, :3, 3]
    cut = hides(
        start[:, None, None, :],
        ends[:, :, None, :],
        T_boxes[:, None],
        boxes.half[rows],
    )
    return ~np.any(cut, axis=(1, 2))


# What the head looks at in each leg pose, sole's frame [m]: the middle of the board, 3
# cm left and 4 cm nearer, 3 cm right and 4 cm nearer (Kastner 2014, 4.3).
TARGETS: FloatArray = np.array(
    [
        [sandal.CENTRE, 0.0, 0.0],
        [sandal.CENTRE - 0.04, 0.03, 0.0],
        [sandal.CENTRE - 0.04, -0.03, 0.0],
    ]
)
TARGETS.setflags(write=False)

# Distance of the head joints from the optical axis, which passes above them [m].
_AXIS_OFFSET = LOWER_CAMERA[0] * np.sin(LOWER_CAMERA_TILT) + LOWER_CAMERA[2] * np.cos(
    LOWER_CAMERA_TILT
)


def gaze(p_torso: ArrayLike) -> FloatArray:
    """Return HeadYaw and HeadPitch that put a point onto the optical axis.

    In the plane of the head's yaw the axis passes the neck at a fixed distance k, so
    that pitch = (angle of the point below the horizon) - tilt + asin(k / distance).

    Args:
        p_torso: Points in the torso's frame [m], shape (..., 3).

    Returns:
        Yaw and pitch [rad], NAO's signs, not clipped, shape (..., 2); NaN for points
        nearer to the neck than the axis passes.

    Example:
        >>> import numpy as np
        >>> ahead_at_the_height_of_the_neck = [1e9, 0.0, 0.2115]
        >>> print(np.rad2deg(gaze(ahead_at_the_height_of_the_neck)).round(4))
        [  0.  -39.7]
    """
    p = as_array("p_torso", p_torso, (3,))
    across = np.hypot(p[..., 0], p[..., 1])
    up = p[..., 2] - NECK_HEIGHT
    with np.errstate(invalid="ignore", divide="ignore"):
        lift = np.arcsin(_AXIS_OFFSET / np.hypot(across, up))
    pitch = np.arctan2(-up, across) - LOWER_CAMERA_TILT + lift
    return np.stack([np.arctan2(p[..., 1], p[..., 0]), pitch], axis=-1)
