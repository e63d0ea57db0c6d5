"""Cameras and lights as MuJoCo has them.

MuJoCo's cameras look along -z with y up; ours, like OpenCV's, along z with y down. The
image plane is given to the renderer as a frustum, in float32, directly from the
intrinsics: off-centre axes and pixels that are not square need nothing else.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple

import mujoco
import numpy as np
from numpy.typing import NDArray

from gelenk.errors import NameNotFoundError
from gelenk.sim.cameras.boards import Board, Chessboard, PictureBoard
from gelenk.sim.cameras.description import DEFAULT_LIGHTS, Camera, Light
from gelenk.spatial.quaternion import quaternion_from_matrix
from gelenk.typing import FloatArray, IntArray
from gelenk.vision.camera import Intrinsics

# pyright: reportAttributeAccessIssue=false


# Turns camera axes: both are the same camera, OpenCV's and OpenGL's.
R_OPENCV_OPENGL = np.diag([1.0, -1.0, -1.0])
VISIBLE_GROUPS = 3  # MuJoCo shows geoms of groups 0, 1 and 2


def find_parent(spec: Any, parent: str | None) -> Any:
    """Return the body of this name; the world for None.

    Raises:
        NameNotFoundError: If there is none.
    """
    if parent is None:
        return spec.worldbody
    body = spec.body(parent)
    if body is None:
        names = [b.name for b in spec.bodies if b.name != "world"]
        raise NameNotFoundError("body", parent, names)
    return body


def add_camera(spec: Any, camera: Camera) -> None:
    """Add a camera to a specification, on its parent.

    Args:
        spec: `mujoco.MjSpec`.
        camera: Description.

    Raises:
        NameNotFoundError: If its parent does not exist.
    """
    T = np.asarray(camera.T_parent_camera)
    k = camera.intrinsics
    added = find_parent(spec, camera.parent).add_camera(name=camera.name)
    added.pos = T[:3, 3]
    added.quat = quaternion_from_matrix(T[:3, :3] @ R_OPENCV_OPENGL)
    # For viewers that show the model; our own images set the frustum themselves.
    added.resolution = (k.width, k.height)
    added.fovy = 2.0 * np.rad2deg(np.arctan(k.height / (2.0 * k.fy)))


def add_light(spec: Any, light: Light) -> None:
    """Add a light to a specification, on its parent.

    Args:
        spec: `mujoco.MjSpec`.
        light: Description.

    Raises:
        NameNotFoundError: If its parent does not exist.
    """
    added = find_parent(spec, light.parent).add_light(name=light.name)
    added.pos = light.position
    added.dir = np.asarray(light.direction) / np.linalg.norm(light.direction)
    kinds = mujoco.mjtLightType
    is_spot = light.kind == "spot"
    added.type = kinds.mjLIGHT_SPOT if is_spot else kinds.mjLIGHT_DIRECTIONAL
    added.cutoff = np.rad2deg(light.cutoff)
    added.diffuse, added.ambient = light.diffuse, light.ambient
    added.specular, added.castshadow = light.specular, light.casts_shadows


def add_surroundings(
    spec: Any,
    *,
    lights: Sequence[Light] = DEFAULT_LIGHTS,
    zenith: tuple[float, float, float] = (0.42, 0.60, 0.82),
    horizon: tuple[float, float, float] = (0.86, 0.90, 0.94),
) -> None:
    """Add a sky and lights, and switch off the lamp that follows each camera.

    With that lamp one thing would have another brightness in every camera.

    Args:
        spec: `mujoco.MjSpec`.
        lights: Lamps; by default a sun and a sky.
        zenith: Color of the sky above, 0..1.
        horizon: Color of the sky far away, 0..1.
    """
    spec.add_texture(
        name="sky",
        type=mujoco.mjtTexture.mjTEXTURE_SKYBOX,
        builtin=mujoco.mjtBuiltin.mjBUILTIN_GRADIENT,
        rgb1=zenith,
        rgb2=horizon,
        width=128,
        height=768,
    )
    spec.visual.headlight.active = 0
    # Lengths of the next lines are multiples of this one, which MuJoCo would guess.
    spec.stat.extent = 1.0
    spec.visual.map.zfar = 200.0
    spec.visual.map.shadowclip = 10.0  # half of the area that the sun's shadows cover
    for light in lights:
        add_light(spec, light)


def camera_pose(data: Any, camera_id: int) -> FloatArray:
    """Return `T_world_camera` in OpenCV axes, shape (4, 4)."""
    T_world_camera = np.eye(4)
    T_world_camera[:3, :3] = data.cam_xmat[camera_id].reshape(3, 3) @ R_OPENCV_OPENGL
    T_world_camera[:3, 3] = data.cam_xpos[camera_id]
    return T_world_camera


def apply_view(
    scene: Any, pinhole: Intrinsics, T_world_camera: FloatArray, near: float, far: float
) -> None:
    """Let a scene be seen through a pinhole camera.

    Args:
        scene: `mujoco.MjvScene`.
        pinhole: Intrinsics; distortion is not used.
        T_world_camera: Pose in OpenCV axes, shape (4, 4).
        near: Nothing nearer is seen [m].
        far: Nothing further is seen [m].
    """
    k = pinhole
    left, right = (-0.5 - k.cx) / k.fx, (k.width - 0.5 - k.cx) / k.fx
    top, bottom = (0.5 + k.cy) / k.fy, (k.cy - k.height + 0.5) / k.fy
    for view in scene.camera:  # one per eye; both eyes are one
        view.pos = T_world_camera[:3, 3]
        view.forward = T_world_camera[:3, 2]
        view.up = -T_world_camera[:3, 1]
        view.frustum_center = near * (left + right) / 2.0
        view.frustum_width = near * (right - left) / 2.0
        view.frustum_bottom, view.frustum_top = near * bottom, near * top
        view.frustum_near, view.frustum_far = near, far
        view.orthographic = 0


def is_fixed_body(model: Any, body_id: int) -> bool:
    """Return whether a body can never move."""
    root = model.body_weldid[body_id]
    return bool(root == 0 and model.body_mocapid[model.body_rootid[body_id]] < 0)


def find_camera(model: Any, name: str) -> int:
    """Return the number of a camera in a compiled model.

    Raises:
        NameNotFoundError: If there is none of this name.
    """
    number = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_CAMERA, name)
    if number < 0:
        names = [model.camera(i).name for i in range(model.ncam)]
        raise NameNotFoundError("camera", name, names)
    return number


def is_fixed_camera(model: Any, camera_id: int) -> bool:
    """Return whether a camera can never move."""
    mode = mujoco.mjtCamLight.mjCAMLIGHT_FIXED
    return bool(
        is_fixed_body(model, model.cam_bodyid[camera_id])
        and model.cam_mode[camera_id] == mode
    )


class MovingGeoms(NamedTuple):
    """Visible geoms that can move, and what bounds them in their own frames.

    Attributes:
        ids: Numbers, (n,).
        radii: Radii of bounding spheres about the origins [m], (n,); infinite for
            planes.
        corners: Corners of bounding boxes [m], (n, 8, 3).
    """

    ids: IntArray
    radii: FloatArray
    corners: FloatArray


def moving_geoms(model: Any) -> MovingGeoms:
    """Return the visible geoms of all bodies that can move."""
    ids = [
        i
        for i in range(model.ngeom)
        if not is_fixed_body(model, model.geom_bodyid[i])
        and _alpha(model, i) > 0.0
        and model.geom_group[i] < VISIBLE_GROUPS
    ]
    numbers = np.array(ids, dtype=np.int64)
    radii = np.array(model.geom_rbound[numbers], dtype=np.float64)
    radii[radii == 0.0] = np.inf  # MuJoCo's word for planes
    middle, half = model.geom_aabb[numbers, :3], model.geom_aabb[numbers, 3:]
    signs = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))
    corners = middle[:, None] + signs * half[:, None]
    return MovingGeoms(numbers, radii, corners)


def geom_poses(data: Any, ids: IntArray) -> FloatArray:
    """Return `Ts_world_geom`, shape (n, 4, 4)."""
    Ts_world_geom = np.zeros((len(ids), 4, 4))
    Ts_world_geom[:, :3, :3] = data.geom_xmat[ids].reshape(-1, 3, 3)
    Ts_world_geom[:, :3, 3] = data.geom_xpos[ids]
    Ts_world_geom[:, 3, 3] = 1.0
    return Ts_world_geom


def why_not_cacheable(model: Any) -> str:
    """Return why fixed and moving bodies cannot be drawn one after the other; or ""."""
    for i in range(model.ngeom):
        if 0.0 < _alpha(model, i) < 1.0:
            return f"geom {model.geom(i).name!r} is transparent"
        material = model.geom_matid[i]
        if material >= 0 and model.mat_reflectance[material] > 0.0:
            return f"geom {model.geom(i).name!r} reflects"
    for i in range(model.nlight):
        if not is_fixed_body(model, model.light_bodyid[i]):
            return f"light {model.light(i).name!r} moves"
    if model.ntendon or model.nflex or model.nskin:
        return "tendons, cloths and skins are drawn as moving things without bounds"
    return ""


def _alpha(model: Any, geom_id: int) -> float:
    material = model.geom_matid[geom_id]
    # A geom's own colour counts where it was set, as in MuJoCo's own drawing.
    alpha = float(model.geom_rgba[geom_id, 3])
    return alpha * float(model.mat_rgba[material, 3]) if material >= 0 else alpha


# pyright: reportAttributeAccessIssue=false


SQUARE_TEXELS = 128  # a power of two
# The plate ends this far behind the printed face, which must win the depth test.
FACE_GAP = 1e-4  # [m]


def add_board(spec: Any, board: Board) -> None:
    """Add a board to a specification: a body of its name that nothing collides with.

    Args:
        spec: `mujoco.MjSpec`.
        board: Description.

    Raises:
        NameNotFoundError: If its parent does not exist.
    """
    T = np.asarray(board.T_parent_board)
    body = find_parent(spec, board.parent).add_body(
        name=board.name,
        pos=T[:3, 3],
        quat=quaternion_from_matrix(T[:3, :3]),
        mocap=board.is_movable,
    )
    if isinstance(board, Chessboard):
        corners, uv, image = _chessboard_print(board)
    else:
        corners, uv, image = _picture_print(board)
    _add_printed_face(spec, body, board.name, corners, uv, image)
    width, height = board.size
    body.add_geom(
        name=f"{board.name}/plate",
        type=mujoco.mjtGeom.mjGEOM_BOX,
        size=(width / 2.0, height / 2.0, board.thickness / 2.0),
        pos=(0.0, 0.0, -board.thickness / 2.0 - FACE_GAP),
        rgba=(0.75, 0.75, 0.75, 1.0),
        contype=0,
        conaffinity=0,
        mass=0.0,
    )


def _chessboard_print(
    board: Chessboard,
) -> tuple[FloatArray, FloatArray, NDArray[np.uint8]]:
    """Return one quad, its texture places, and the image of the pattern."""
    margin = max(1, int(np.ceil(board.border / board.square)))
    columns, rows = board.columns + 2 * margin, board.rows + 2 * margin
    row, column = np.mgrid[
        -margin : board.rows + margin, -margin : board.columns + margin
    ]
    inside = (row >= 0) & (row < board.rows) & (column >= 0) & (column < board.columns)
    is_dark = inside & ((row + column) % 2 == 0)
    colors = np.where(is_dark[..., None], board.dark[:3], board.light[:3])
    squares = np.rint(255.0 * colors).astype(np.uint8)
    image = squares.repeat(SQUARE_TEXELS, axis=0).repeat(SQUARE_TEXELS, axis=1)
    width, height = board.size
    u = 0.5 + width / board.square / columns * np.array([-0.5, 0.5])
    v = 0.5 + height / board.square / rows * np.array([-0.5, 0.5])
    return *_rectangle(width, height, u, v), image


def _picture_print(
    board: PictureBoard,
) -> tuple[FloatArray, FloatArray, NDArray[np.uint8]]:
    """Return one quad, its texture places, and the image with a margin of one texel.

    Textures repeat: without a margin the filter mixes opposite borders.
    """
    image = np.pad(board.pixels, ((1, 1), (1, 1), (0, 0)), mode="edge")
    rows, columns = image.shape[:2]
    u = np.array([1.0, columns - 1.0]) / columns
    v = np.array([1.0, rows - 1.0]) / rows
    return *_rectangle(*board.size, u, v), image


def _rectangle(
    width: float, height: float, u: FloatArray, v: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return corners [m], (4, 3), counter-clockwise, and their places in a texture.

    Args:
        width: Along x [m].
        height: Along y [m].
        u: Texture columns of the left and right side, 0..1.
        v: Texture rows of the upper and lower side, 0..1.
    """
    x, y = width / 2.0, height / 2.0
    corners = np.array([[-x, -y, 0.0], [x, -y, 0.0], [x, y, 0.0], [-x, y, 0.0]])
    uv = np.array([[u[0], v[1]], [u[1], v[1]], [u[1], v[0]], [u[0], v[0]]])
    return corners, uv


def _add_printed_face(
    spec: Any,
    body: Any,
    name: str,
    corners: FloatArray,
    uv: FloatArray,
    image: NDArray[np.uint8],
) -> None:
    """Add a quad in the body's x-y plane that shows a part of an image."""
    faces = np.array([[0, 1, 2], [0, 2, 3]])
    spec.add_mesh(
        name=name,
        uservert=corners.ravel(),
        userface=faces.ravel(),
        usertexcoord=uv.ravel(),
        userfacetexcoord=faces.ravel(),
        inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL,
    )
    texture = spec.add_texture(
        name=name,
        type=mujoco.mjtTexture.mjTEXTURE_2D,
        width=image.shape[1],
        height=image.shape[0],
        nchannel=3,
    )
    texture.data = image.tobytes()
    material = spec.add_material(name=name, specular=0.0, shininess=0.0)
    material.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = name
    body.add_geom(
        name=name,
        type=mujoco.mjtGeom.mjGEOM_MESH,
        meshname=name,
        material=name,
        contype=0,
        conaffinity=0,
        mass=0.0,
    )
