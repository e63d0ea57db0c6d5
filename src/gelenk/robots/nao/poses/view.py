"""What the lower camera sees of a sandal's board in a pose of the whole body."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.kinematics.forward import link_poses
from gelenk.models.tree import RobotModel
from gelenk.robots.nao import sandal
from gelenk.robots.nao.config import T_MOUNT_CAMERA
from gelenk.robots.nao.joints import Side, model_from_body
from gelenk.robots.nao.poses.boxes import Boxes, hides
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
