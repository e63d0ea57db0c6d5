"""Both cameras from boards: rendered ones, noisy ones, and those that are not there."""

from __future__ import annotations

import math

import numpy as np
import pytest

from experiments.piggy.calibration import (
    camera_deviations,
    hidden_corners,
    turn_error,
)
from gelenk.robots.piggy.calibration.boards import (
    Board,
    BoardSight,
    board_poses,
    see_board,
)
from gelenk.robots.piggy.calibration.cameras import (
    _Problem,
    calibrate_cameras,
)
from gelenk.robots.piggy.calibration.verdicts import CalibrationError
from gelenk.robots.piggy.camera_pair import paint_board
from gelenk.robots.piggy.cameras import RigCfg, make_rig
from gelenk.robots.piggy.setup import nominal_setup
from gelenk.spatial import se3
from testkit.board_pictures import expose

BOARD = Board()


def _calibrate(sights):
    setup = nominal_setup()
    return calibrate_cameras(
        sights,
        BOARD,
        left=setup.left.intrinsics,
        right=setup.right.intrinsics,
        T_left_right=se3.inverse(setup.left.T_world_camera)
        @ setup.right.T_world_camera,
    )


def _scene():
    x, y = np.meshgrid(np.arange(780.0), np.arange(580.0))
    return 120.0 + 30.0 * np.sin(x / 40.0) * np.cos(y / 55.0)


@pytest.fixture(scope="module")
def pictures():
    """Nine rendered boards before a hidden rig."""
    setup, rng = nominal_setup(), np.random.default_rng(0)
    rig = make_rig(RigCfg(seed=5, distortion=-0.1))
    pairs = []
    for T in board_poses(setup.left.T_world_camera, setup.right.T_world_camera):
        left, right = (
            expose(
                paint_board(
                    _scene(),
                    camera.intrinsics,
                    se3.inverse(camera.T_world_camera) @ T,
                    BOARD,
                ),
                rng,
            )
            for camera in rig
        )
        pairs.append((left, right))
    return rig, pairs


@pytest.mark.slow
@pytest.mark.capability("BB-71")
def test_nine_rendered_boards_find_lenses_and_the_turn_between_them(pictures):
    rig, pairs = pictures
    sights = [
        see_board(*pair, BOARD, place=f"board {k}") for k, pair in enumerate(pairs)
    ]
    found = _calibrate(sights)

    assert max(found.residual) < 0.05
    assert math.degrees(turn_error(found.T_left_right, rig)) < 0.03
    for lens, camera in zip((found.left, found.right), rig, strict=True):
        assert lens.fx == pytest.approx(camera.intrinsics.fx, abs=0.5)
        assert lens.cx == pytest.approx(camera.intrinsics.cx, abs=0.6)
        assert lens.distortion[0] == pytest.approx(
            camera.intrinsics.distortion[0], abs=0.01
        )


@pytest.mark.slow
def test_a_board_behind_the_edge_of_one_image_is_named(pictures):
    _, pairs = pictures
    left, right = pairs[0]
    cut = right.copy()
    cut[:, :420] = 90

    with pytest.raises(CalibrationError, match="board 3") as caught:
        see_board(left, cut, BOARD, place="board 3")
    assert caught.value.verdict == "board not seen"
    assert "right image" in str(caught.value)


@pytest.mark.slow
@pytest.mark.capability("BB-71")
def test_errors_are_as_large_as_the_covariance_says():
    square = []
    for seed in range(3):
        rig = make_rig(RigCfg(seed=seed))
        rng = np.random.default_rng(seed)
        found = _calibrate(hidden_corners(rig, BOARD, rng))
        deviations = camera_deviations(found, rig)
        # The third radial term is zero in truth and in its prior.
        measured = np.delete(deviations, [8, 17])
        square.append(measured**2)
        assert np.abs(measured).max() < 4.0
        assert found.noise == pytest.approx(0.5, rel=0.1)
        assert max(found.residual) < 0.55
    assert 0.4 < np.mean(square) < 2.0


def test_the_derivative_is_the_derivative():
    rig = make_rig(RigCfg(seed=2, distortion=-0.15))
    sights = hidden_corners(rig, BOARD, np.random.default_rng(0))[:4]
    setup = nominal_setup()
    problem = _Problem(
        sights,
        BOARD,
        (rig[0].intrinsics, rig[1].intrinsics),
        se3.inverse(setup.left.T_world_camera) @ setup.right.T_world_camera,
    )
    rng = np.random.default_rng(1)
    x = problem.start + 1e-2 * rng.normal(size=problem.size)
    J = problem.jacobian(x)
    for k in rng.choice(problem.size, 12, replace=False):
        step = np.zeros(problem.size)
        step[k] = 1e-6
        difference = (problem.residuals(x + step) - problem.residuals(x - step)) / 2e-6
        np.testing.assert_allclose(J[:, k], difference, atol=2e-4, rtol=1e-5)


def test_too_few_boards_are_refused():
    rig = make_rig(RigCfg())
    with pytest.raises(CalibrationError) as caught:
        _calibrate(hidden_corners(rig, BOARD, np.random.default_rng(0))[:3])
    assert caught.value.verdict == "too few boards"


@pytest.mark.slow
def test_cameras_that_moved_between_boards_find_no_agreement():
    rig, other = make_rig(RigCfg(seed=1)), make_rig(RigCfg(seed=2))
    a = hidden_corners(rig, BOARD, np.random.default_rng(0))
    b = hidden_corners(other, BOARD, np.random.default_rng(0))
    mixed = [
        BoardSight(
            left=one.left,
            right=two.right + np.array([0.0, 60.0 * (k % 2)]),
            is_measured=one.is_measured,
        )
        for k, (one, two) in enumerate(zip(a[:4], b[:4], strict=True))
    ]
    with pytest.raises(CalibrationError) as caught:
        _calibrate(mixed)
    assert caught.value.verdict == "no agreement"
