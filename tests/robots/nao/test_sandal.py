"""The sandal: corners of the print and the plate under the foot."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.robots.nao import sandal
from gelenk.sim import Chessboard


@pytest.mark.capability("CA-18")
def test_the_24_corners_run_from_far_left_to_near_right() -> None:
    expected = [
        (0.170 + 0.0375 - 0.025 * r, 0.0625 - 0.025 * c, 0.0)
        for r in range(4)
        for c in range(6)
    ]
    assert_allclose(sandal.corners(), expected, atol=1e-15)


@pytest.mark.capability("CA-18")
def test_the_simulated_print_has_its_corners_there_and_in_that_order() -> None:
    board = Chessboard(name="b", columns=7, rows=5, square=sandal.TILE)
    T = sandal.board_pose()
    printed = board.corners() @ T[:3, :3].T + T[:3, 3]
    assert_allclose(printed, sandal.corners(), atol=1e-15)


@pytest.mark.capability("CA-19")
def test_all_pegs_reach_from_the_plate_into_the_sole() -> None:
    tongue = sandal.plate_boxes(sandal.SandalCfg())[1]
    for side in ("left", "right"):
        pegs = np.array(sandal.PEGS[side])
        assert (np.abs(pegs - tongue[0][:2]) < np.array(tongue[1][:2]) / 2.0).all()
    mirrored = np.array(sandal.PEGS["left"])[[1, 0, 3, 2]] * (1.0, -1.0)
    assert_allclose(np.array(sandal.PEGS["right"])[:2], mirrored[:2])


@pytest.mark.capability("CA-19")
def test_a_misplaced_sandal_is_turned_about_the_ankle_and_then_shifted() -> None:
    rot, x, y = np.deg2rad(2.7), 0.003, -0.005
    T = sandal.mounting((rot, x, y))
    moved = sandal.corners() @ T[:3, :3].T + T[:3, 3]
    px, py, _ = sandal.corners().T
    assert_allclose(moved[:, 0], np.cos(rot) * px - np.sin(rot) * py + x)
    assert_allclose(moved[:, 1], np.sin(rot) * px + np.cos(rot) * py + y)
    assert_allclose(moved[:, 2], 0.0, atol=1e-15)


def test_a_pitched_sandal_sinks_in_front() -> None:
    T = sandal.mounting((0.0, 0.0, 0.0), (0.05, 0.0))
    moved = sandal.corners() @ T[:3, :3].T
    assert_allclose(moved[:, 2], -np.sin(0.05) * sandal.corners()[:, 0])


def test_the_plate_ends_where_the_print_does_and_clears_the_foot() -> None:
    (centre, size), tongue = sandal.plate_boxes(sandal.SandalCfg(border=0.0))
    assert_allclose(size[:2], (0.125, 0.175))
    assert centre[0] - size[0] / 2.0 == pytest.approx(0.1075)  # foot's tip at 0.095
    assert tongue[0][0] + tongue[1][0] / 2.0 > 0.1


def test_mass_and_inertia_are_those_of_two_plates() -> None:
    cfg = sandal.SandalCfg(extra_mass=0.0)
    mass, com, inertia = sandal.inertial(cfg)
    step = 0.0005  # [m], a sum over small squares
    total, moment, second = 0.0, np.zeros(3), np.zeros((3, 3))
    for centre, size in sandal.plate_boxes(cfg):
        x = np.arange(centre[0] - size[0] / 2 + step / 2, centre[0] + size[0] / 2, step)
        y = np.arange(-size[1] / 2 + step / 2, size[1] / 2, step)
        xx, yy = (grid.ravel() for grid in np.meshgrid(x, y))
        p = np.stack([xx, yy, np.full(xx.size, centre[2])], axis=1)
        m = cfg.area_density * step**2
        total += m * len(p)
        moment += m * p.sum(axis=0)
        second += m * p.T @ p
    assert mass == pytest.approx(total, rel=1e-3)
    assert_allclose(com, moment / total, atol=1e-4)
    about = second - total * np.outer(com, com)
    assert_allclose(inertia, np.trace(about) * np.eye(3) - about, atol=2e-6)
