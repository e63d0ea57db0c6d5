"""What is rendered stands where OpenCV projects it, all over the image."""

import cv2
import mujoco
import numpy as np
import pytest
from scipy.optimize import least_squares
from scipy.special import erf

from camera_scenes import SPHERE, compiled, empty_spec
from gelenk.sim.bridge.cameras import add_board, add_camera, add_surroundings
from gelenk.sim.cameras.boards import Chessboard, PictureBoard
from gelenk.sim.cameras.description import Camera, looking_at
from gelenk.sim.cameras.lens import Lens
from gelenk.sim.cameras.rig import CameraRig
from gelenk.spatial.quaternion import quaternion_from_matrix
from gelenk.vision.camera import Intrinsics, unproject

CENTRED = Intrinsics(width=320, height=240, fx=271.8, fy=271.8, cx=159.5, cy=119.5)
OFF_CENTRE = Intrinsics(width=390, height=290, fx=359.1, fy=320.4, cx=171.2, cy=165.7)
BARREL = Intrinsics(
    width=390, height=290, fx=300.0, fy=305.0, cx=190.0, cy=150.0,
    distortion=(-0.28, 0.11, 0.0012, -0.0008, -0.02),
)  # fmt: skip
PINCUSHION = Intrinsics(
    width=320, height=240, fx=290.0, fy=280.0, cx=150.0, cy=130.0,
    distortion=(0.15, -0.03, -0.002, 0.001, 0.01),
)  # fmt: skip
LENSES = {
    "centred": CENTRED,
    "off-centre": OFF_CENTRE,
    "barrel": BARREL,
    "pincushion": PINCUSHION,
}
T_WORLD_CAMERA = looking_at([0.3, -0.2, 0.7], [1.3, 2.0, 0.9])


def project_by_opencv(camera: Intrinsics, p_camera: np.ndarray) -> np.ndarray:
    distortion = np.array(camera.distortion)
    zero = np.zeros(3)
    return cv2.projectPoints(p_camera, zero, zero, camera.matrix, distortion)[0][:, 0]


def outline_centroid(camera: Intrinsics, p: np.ndarray, r: float) -> np.ndarray:
    """Return the centre of the area inside of a sphere's outline, point by point."""
    distance = np.linalg.norm(p)
    axis = p / distance
    across = np.cross(axis, [0.0, 0.0, 1.0])
    across /= np.linalg.norm(across)
    t = np.linspace(0.0, 2.0 * np.pi, 400, endpoint=False)[:, None]
    ring = np.cos(t) * across + np.sin(t) * np.cross(axis, across)
    touching = axis * (distance - r**2 / distance)
    ring = touching + r * np.sqrt(1.0 - (r / distance) ** 2) * ring
    x, y = project_by_opencv(camera, ring).T
    cross = x * np.roll(y, -1) - np.roll(x, -1) * y
    sums = [((s + np.roll(s, -1)) * cross).sum() for s in (x, y)]
    return np.array(sums) / (3.0 * cross.sum())


@pytest.mark.parametrize("lens", LENSES)
def test_small_spheres_stand_where_opencv_projects_them(lens: str) -> None:
    camera = LENSES[lens]
    rng = np.random.default_rng(0)
    u, v = np.meshgrid(
        np.linspace(13, camera.width - 14, 11), np.linspace(13, camera.height - 14, 8)
    )
    uv = np.stack([u.ravel(), v.ravel()], axis=1) + rng.uniform(-0.5, 0.5, (88, 2))
    depth = rng.uniform(0.8, 3.0, 88)
    p_camera = unproject(camera, uv) * depth[:, None]
    radii = 6.0 * depth / camera.fx
    spec = empty_spec()
    for p, r in zip(p_camera, radii, strict=True):
        pos = T_WORLD_CAMERA[:3, :3] @ p + T_WORLD_CAMERA[:3, 3]
        spec.worldbody.add_geom(type=SPHERE, size=[r, 0, 0], pos=pos, material="glow")
    eye = Camera(
        name="eye", intrinsics=camera, T_parent_camera=T_WORLD_CAMERA, samples=4
    )
    add_camera(spec, eye)
    model, data = compiled(spec)

    with CameraRig(model, [eye], step=0.001, seed=0) as rig:
        image = rig.look("eye", data).pixels.astype(float)

    errors = []
    for p, r in zip(p_camera, radii, strict=True):
        wanted = outline_centroid(camera, p, r)
        left, top = np.maximum(np.rint(wanted).astype(int) - 11, 0)
        part = image[top : top + 23, left : left + 23]
        y, x = np.mgrid[top : top + part.shape[0], left : left + part.shape[1]]
        seen = np.array([(part * x).sum(), (part * y).sum()]) / part.sum()
        errors.append(seen - wanted)
    assert np.abs(errors).max() < 0.05  # [px]
    assert np.abs(np.mean(errors, axis=0)).max() < 0.005


def find_corner(image: np.ndarray, at: np.ndarray, along: np.ndarray) -> np.ndarray:
    """Return where two blurred edges cross [px], fitted without any detector's habits.

    Args:
        image: Gray levels.
        at: Where to look, (2,).
        along: Directions of both edges in the image, (2, 2).
    """
    x0, y0 = np.rint(at).astype(int)
    y, x = np.mgrid[y0 - 5 : y0 + 6, x0 - 5 : x0 + 6]
    seen = image[y, x]
    normals = np.stack([-along[:, 1], along[:, 0]], axis=1)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)

    def residual(guess: np.ndarray) -> np.ndarray:
        u, v, mean, contrast, sigma = guess
        steps = [
            erf((n[0] * (x - u) + n[1] * (y - v)) / (np.sqrt(2.0) * sigma))
            for n in normals
        ]
        return (mean + contrast * steps[0] * steps[1] - seen).ravel()

    sign = -1.0 if seen[5, 8] * seen[8, 5] < seen[2, 8] * seen[8, 8] else 1.0
    start = [*(at + 0.2), seen.mean(), sign * seen.std(), 1.0]
    fits = [
        least_squares(residual, [*start[:3], c, 1.0]) for c in (start[3], -start[3])
    ]
    return min(fits, key=lambda fit: fit.cost).x[:2]


@pytest.mark.slow
@pytest.mark.parametrize("lens", LENSES)
def test_corners_of_a_chessboard_stand_where_opencv_projects_them(lens: str) -> None:
    camera = LENSES[lens]
    board = Chessboard(name="board", columns=10, rows=8, square=0.03, is_movable=True)
    eye = Camera(
        name="eye",
        intrinsics=camera,
        T_parent_camera=T_WORLD_CAMERA,
        samples=3,
        blur=0.8,
    )
    spec = mujoco.MjSpec()
    add_surroundings(spec)
    add_board(spec, board)
    add_camera(spec, eye)
    model, data = compiled(spec)
    turns = [(0.0, 0.0, 0.0), (0.4, -0.3, 0.2), (-0.3, 0.4, -0.5)]
    errors = []
    with CameraRig(model, [eye], step=0.001, seed=0) as rig:
        for turn in turns:
            T_camera_board = np.diag([1.0, -1.0, -1.0, 1.0])
            T_camera_board[:3, :3] = cv2.Rodrigues(np.array(turn))[0] @ np.diag(
                [1.0, -1.0, -1.0]
            )
            middle = unproject(camera, [camera.width / 2.0, camera.height / 2.0])
            T_camera_board[:3, 3] = 0.4 * camera.fx / camera.width * middle
            T_world_board = T_WORLD_CAMERA @ T_camera_board
            data.mocap_pos[0] = T_world_board[:3, 3]
            data.mocap_quat[0] = quaternion_from_matrix(T_world_board[:3, :3])

            image = rig.look("eye", data).pixels.astype(float)

            for corner in board.corners():
                near = corner + 0.001 * np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]])
                p_camera = near @ T_camera_board[:3, :3].T + T_camera_board[:3, 3]
                at, right, up = project_by_opencv(camera, p_camera)
                if (at > 7).all() and (
                    at < [camera.width - 8, camera.height - 8]
                ).all():
                    seen = find_corner(image, at, np.stack([right - at, up - at]))
                    errors.append(seen - at)
    assert len(errors) > 150
    assert np.abs(errors).max() < 0.05  # [px]
    assert np.abs(np.mean(errors, axis=0)).max() < 0.005


@pytest.mark.parametrize("lens", ["barrel", "pincushion"])
def test_the_drawn_image_contains_every_ray_of_a_bent_one(lens: str) -> None:
    camera = LENSES[lens]
    u, v = np.meshgrid(
        np.linspace(-0.5, camera.width - 0.5, 60),
        np.linspace(-0.5, camera.height - 0.5, 60),
    )

    pinhole = Lens(camera, 2).pinhole

    drawn = project_by_opencv(
        pinhole, unproject(camera, np.stack([u, v], axis=-1)).reshape(-1, 3)
    )
    assert pinhole.contains(drawn).all()
    assert not pinhole.is_distorted


def test_a_picture_shows_its_first_row_on_top_and_its_edges_in_place() -> None:
    pixels = np.zeros((20, 30, 3), dtype=np.uint8)
    pixels[:10, :15] = (255, 0, 0)
    pixels[10:, 15:] = (0, 0, 255)
    T_world_board = T_WORLD_CAMERA @ np.diag([1.0, -1.0, -1.0, 1.0])
    T_world_board[:3, 3] += T_WORLD_CAMERA[:3, 2]  # one metre in front
    width = 200.0 / CENTRED.fx  # 200 px
    eye = Camera(
        name="eye", intrinsics=CENTRED, T_parent_camera=T_WORLD_CAMERA, color="rgb"
    )
    spec = mujoco.MjSpec()
    add_surroundings(spec)
    add_board(
        spec,
        PictureBoard(
            name="p", pixels=pixels, width=width, T_parent_board=T_world_board
        ),
    )
    add_camera(spec, eye)
    model, data = compiled(spec)

    with CameraRig(model, [eye], step=0.001, seed=0) as rig:
        image = rig.look("eye", data).pixels.astype(int)

    assert image.shape == (240, 320, 3)
    upper_left, lower_right = image[80, 100], image[160, 220]
    assert upper_left[0] > 50 > upper_left[1:].max()
    assert lower_right[2] > 50 > lower_right[:2].max()
    # Red ends at the middle of the picture, column 159.5.
    red = image[80, 100:219, 0] / upper_left[0]
    assert 100 + red.sum() - 0.5 == pytest.approx(159.5, abs=0.05)
