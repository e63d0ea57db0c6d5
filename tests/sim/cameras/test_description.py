"""Descriptions refuse what cannot be, and stand on their parents."""

from dataclasses import replace

import mujoco
import numpy as np
import pytest

from camera_scenes import SMALL, SPHERE, add_free_body, compiled, make_camera
from gelenk.errors import ConfigError, GelenkError, NameNotFoundError
from gelenk.sim.bridge.cameras import add_board, add_camera, add_light, camera_pose
from gelenk.sim.cameras.boards import Chessboard, PictureBoard
from gelenk.sim.cameras.description import Camera, Light, SensorNoise, looking_at


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"name": "a/b"}, "without '/'"),
        ({"rate": 0.0}, "`rate`"),
        ({"near": 2.0, "far": 1.0}, "`far`"),
        ({"samples": 9}, "`samples`"),
        ({"color": "blue"}, "one of gray, rgb"),
        ({"T_parent_camera": np.diag([1.0, 1.0, -1.0, 1.0])}, "must be a pose"),
        ({"T_parent_camera": np.eye(3)}, "must have shape"),
        ({"T_parent_camera": np.stack([np.eye(4)] * 2)}, "must have shape"),
    ],
)
def test_impossible_cameras_are_refused(changes: dict, words: str) -> None:
    with pytest.raises(GelenkError) as caught:
        make_camera(**changes)
    assert words in str(caught.value)


def test_a_lens_that_folds_inside_of_the_image_is_refused() -> None:
    folded = replace(SMALL, distortion=(-2.0, 0.0, 0.0, 0.0, 0.0))

    with pytest.raises(ConfigError, match="folds back"):
        make_camera(intrinsics=folded)


def test_negative_noise_is_refused() -> None:
    with pytest.raises(ConfigError, match="`shot`"):
        SensorNoise(shot=-0.1)


def test_a_camera_moves_with_its_parent() -> None:
    T_parent_camera = looking_at([0.1, 0.0, 0.2], [1.0, 0.5, 0.0])
    spec = mujoco.MjSpec()
    add_free_body(spec, "head", SPHERE, [0.1], (0.0, 0.0, 1.0))
    add_camera(
        spec,
        Camera(
            name="eye",
            intrinsics=SMALL,
            parent="head",
            T_parent_camera=T_parent_camera,
        ),
    )
    model, data = compiled(spec)
    data.qpos[:] = [0.3, -0.2, 1.5, np.cos(0.4), 0.0, 0.0, np.sin(0.4)]  # yaw 0.8
    mujoco.mj_forward(model, data)
    c, s = np.cos(0.8), np.sin(0.8)
    T_world_parent = np.array(
        [[c, -s, 0, 0.3], [s, c, 0, -0.2], [0, 0, 1, 1.5], [0, 0, 0, 1]]
    )

    np.testing.assert_allclose(
        camera_pose(data, 0), T_world_parent @ T_parent_camera, rtol=0, atol=1e-12
    )


def test_things_on_an_unknown_parent_name_the_closest() -> None:
    spec = mujoco.MjSpec()
    add_free_body(spec, "head", SPHERE, [0.1], (0.0, 0.0, 1.0))
    for add, thing in (
        (add_camera, make_camera(parent="haed")),
        (add_light, Light(name="lamp", parent="haed")),
        (add_board, Chessboard(name="board", parent="haed")),
    ):
        with pytest.raises(NameNotFoundError, match="Did you mean 'head'"):
            add(spec, thing)


def test_a_board_on_a_link_adds_no_mass_and_touches_nothing() -> None:
    masses = []
    for with_board in (False, True):
        spec = mujoco.MjSpec()
        add_free_body(spec, "foot", SPHERE, [0.1], (0.0, 0.0, 1.0))
        if with_board:
            add_board(spec, Chessboard(name="board", parent="foot"))
        model, _ = compiled(spec)
        masses.append(model.body_mass.sum())

    assert masses[0] == masses[1]
    board = [i for i in range(model.ngeom) if "board" in model.geom(i).name]
    assert len(board) == 2
    assert not model.geom_contype[board].any()


def test_corners_run_row_by_row_from_the_top_left() -> None:
    corners = Chessboard(name="b", columns=4, rows=3, square=0.1).corners()

    wanted = [[x, y, 0] for y in (0.05, -0.05) for x in (-0.1, 0.0, 0.1)]
    np.testing.assert_allclose(corners, wanted, rtol=0, atol=1e-15)


def test_impossible_boards_are_refused() -> None:
    with pytest.raises(ConfigError, match="`columns`"):
        Chessboard(name="b", columns=1)
    with pytest.raises(ConfigError, match="without parent"):
        Chessboard(name="b", parent="foot", is_movable=True)
    with pytest.raises(ConfigError, match="uint8"):
        PictureBoard(name="p", pixels=np.zeros((4, 4, 5), dtype=np.uint8), width=0.1)
