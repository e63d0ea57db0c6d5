"""Tests of the catalogue's closed chains: assembled, movable by their motors, true.

Loops are closed here by a Newton iteration with differences, on the textbook tree.
Oracles: published vectors, and the lengths between the joints.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.models import catalog
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike
from textbook_tree import link_poses

PAGE = Path(__file__).resolve().parents[2] / "docs" / "catalogue.md"
LOOPED = ["delta", "fivebar", "fourbar", "jansen", "slider_crank", "stewart"]


def residual(model: RobotModel, values: np.ndarray) -> np.ndarray:
    """Offsets between the closing points, all loops; every closure is a point."""
    T = link_poses(model, values)
    parts = []
    for loop in model.loops:
        assert loop.kind == "point"
        points = [
            (T[k] @ F)[:3, 3]
            for k, F in zip(loop.links, loop.T_link_frame, strict=True)
        ]
        parts += [p - points[0] for p in points[1:]]
    return np.concatenate(parts)


def residual_jacobian(model: RobotModel, values: np.ndarray) -> np.ndarray:
    columns = []
    for k in model.tree_joint_ids:
        step = np.zeros(len(values))
        step[k] = 1e-6
        columns.append(
            (residual(model, values + step) - residual(model, values - step)) / 2e-6
        )
    return np.stack(columns, axis=1)


def assembled(model: RobotModel, values: np.ndarray, q: ArrayLike) -> np.ndarray:
    """Values with the motors at `q`, closed by Newton from `values`."""
    values = values.copy()
    values[model.joint_ids] = q
    passive = np.setdiff1d(model.tree_joint_ids, model.joint_ids)
    columns = np.isin(model.tree_joint_ids, passive)
    for _ in range(12):
        r = residual(model, values)
        if np.abs(r).max() < 1e-11:
            break
        A = residual_jacobian(model, values)[:, columns]
        values[passive] -= np.linalg.lstsq(A, r, rcond=1e-9)[0]
    return values


@pytest.mark.parametrize("name", LOOPED)
def test_a_closed_chain_is_assembled_at_home(name: str) -> None:
    model = catalog.make(name)
    assert model.loops
    assert np.abs(residual(model, model.home)).max() <= 1e-9


@pytest.mark.parametrize("name", LOOPED)
def test_the_motors_and_nothing_else_move_a_closed_chain(name: str) -> None:
    model = catalog.make(name)
    A = residual_jacobian(model, model.home)
    motors = np.isin(model.tree_joint_ids, model.joint_ids)
    rank = np.linalg.matrix_rank(A, tol=1e-6)
    assert len(model.tree_joint_ids) - rank == model.num_joints
    singular = np.linalg.svd(A[:, ~motors], compute_uv=False)
    assert singular[0] / singular[-1] < 100.0  # home is far from a singularity
    if name in ("delta", "stewart"):
        assert rank == len(A)  # no redundant equation


@pytest.mark.parametrize("name", LOOPED)
def test_the_page_counts_coordinates_and_equations(name: str) -> None:
    model = catalog.make(name)
    A = residual_jacobian(model, model.home)
    redundant = len(A) - np.linalg.matrix_rank(A, tol=1e-6)
    counts = A.shape[1], A.shape[0], redundant, model.num_joints
    row = f"| `{name}` | " + " | ".join(map(str, counts)) + " |"
    assert row in PAGE.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", ["fourbar", "jansen", "slider_crank"])
def test_the_crank_turns_all_around(name: str) -> None:
    model = catalog.make(name)
    values, start = model.home, model.home[model.joint_ids][0]
    tools = []
    for angle in start + np.linspace(0.0, 2.0 * np.pi, 73):
        values = assembled(model, values, angle)
        assert np.abs(residual(model, values)).max() < 1e-9
        tools.append(link_poses(model, values)[model.link_id(), :3, 3])
    assert_allclose(tools[-1], tools[0], atol=1e-9)  # and comes back to where it was
    assert np.ptp(tools, axis=0).max() > 0.05
    assert_allclose(np.array(tools)[:, 1], 0.0, atol=1e-12)  # in its plane
    if name == "jansen":  # a third of the turn the foot walks on a level line
        height = np.sort(np.array(tools)[:-1, 2])
        stride = np.ptp(np.array(tools)[:, 0])
        assert height[24] - height[0] < 0.01 * stride


def joint_value(model: RobotModel, joint: str) -> float:
    return float(model.home[model.joint_names_all.index(joint)])


def test_the_fourbar_stands_in_its_open_assembly() -> None:
    model = catalog.make("fourbar")
    crank = joint_value(model, "joint_1")
    coupler = crank + joint_value(model, "coupler_hinge")
    rocker = joint_value(model, "rocker_hinge")
    assert_allclose(
        np.rad2deg([crank, coupler, rocker]), [60, 36.022723, 102.890327], atol=1e-6
    )


def test_the_slider_crank_stands_where_published() -> None:
    model = catalog.make("slider_crank")
    p = link_poses(model, model.home)[model.link_id(), :3, 3]
    assert_allclose(p, [0.220256, 0.0, 0.0], atol=1e-6)


def test_the_fivebar_is_symmetric() -> None:
    model = catalog.make("fivebar")
    T = link_poses(model, model.home)
    left, right = (
        T[model.link_id(f"{side}_outer"), :3, 3] for side in ("left", "right")
    )
    assert_allclose(left, [-right[0], 0.0, right[2]], atol=1e-12)
    assert left[0] < -0.1  # elbows outwards
    tip = T[model.link_id(), :3, 3]
    assert_allclose(tip, [0.0, 0.0, 0.32], atol=1e-12)
    assert np.linalg.norm(tip - left) == pytest.approx(0.25)
    assert np.linalg.norm(left - [-0.1, 0, 0]) == pytest.approx(0.2)


def test_the_bars_of_the_jansen_leg_have_their_published_lengths() -> None:
    model = catalog.make("jansen")
    T = link_poses(model, model.home)
    origin = {name: T[model.link_id(name), :3, 3] for name in model.link_names}
    pivot, pin, hip = origin["rocker"], origin["upper_rod"], origin["lower_triangle"]
    knee, foot = origin["rear_rod"], origin["foot"]
    top, ankle = (
        (T[loop.links[0]] @ loop.T_link_frame[0])[:3, 3]
        for loop in model.loops
        if loop.name in ("top", "ankle")
    )
    lengths = {
        "a": -pivot[0], "l": -pivot[2], "m": pin, "b": top - pivot, "c": hip - pivot,
        "d": knee - pivot, "e": knee - top, "f": ankle - knee, "g": ankle - hip,
        "h": foot - ankle, "i": foot - hip, "j": top - pin, "k": hip - pin,
    }  # fmt: skip
    published = {
        "a": 38, "b": 41.5, "c": 39.3, "d": 40.1, "e": 55.8, "f": 39.4, "g": 36.7,
        "h": 65.7, "i": 49, "j": 50, "k": 61.9, "l": 7.8, "m": 15,
    }  # fmt: skip
    measured = {key: np.linalg.norm(value) * 100.0 for key, value in lengths.items()}
    assert measured == pytest.approx(published, abs=1e-9)
    assert foot[2] < ankle[2] < knee[2] < top[2]  # the leg hangs down
    assert foot[2] < hip[2]


def test_the_delta_needs_the_published_angles_for_a_position() -> None:
    model = catalog.make("delta")
    q = (0.633316, 0.926083, 0.673940)
    values = assembled(model, model.home, q)
    T = link_poses(model, values)[model.link_id()]
    assert np.abs(residual(model, values)).max() < 1e-9
    assert_allclose(T[:3, 3], [0.03, -0.04, -0.4], atol=2e-6)
    assert_allclose(T[:3, :3], np.eye(3), atol=1e-15)


def test_the_rods_of_the_delta_stay_parallel_and_reach_the_platform() -> None:
    model = catalog.make("delta")
    T = link_poses(model, assembled(model, model.home, (0.3, 0.9, 0.6)))
    platform = T[model.link_id(), :3, 3]
    for i, azimuth in enumerate(np.deg2rad((0, 120, 240)), start=1):
        a, b = (T[model.link_id(f"rod_{i}{letter}")] for letter in "ab")
        assert_allclose(a[:3, :3], b[:3, :3], atol=1e-12)
        middle = ((a + b) / 2 @ [0.4, 0, 0, 1])[:3]
        radial = 0.05 * np.array([np.cos(azimuth), np.sin(azimuth), 0.0])
        assert_allclose(middle, platform + radial, atol=1e-9)


def test_the_legs_of_the_stewart_platform_have_the_published_lengths() -> None:
    model = catalog.make("stewart")
    lengths = (1.050592, 1.248945, 1.193571, 1.413944, 1.229833, 1.253290)
    values = assembled(model, model.home, lengths)
    T = link_poses(model, values)[model.link_id()]
    c, s = np.cos([0.3, 0.2, 0.1]), np.sin([0.3, 0.2, 0.1])
    yaw = np.array([[c[0], -s[0], 0], [s[0], c[0], 0], [0, 0, 1]])
    pitch = np.array([[c[1], 0, s[1]], [0, 1, 0], [-s[1], 0, c[1]]])
    roll = np.array([[1, 0, 0], [0, c[2], -s[2]], [0, s[2], c[2]]])
    assert np.abs(residual(model, values)).max() < 1e-9
    assert_allclose(T[:3, 3], [0.05, -0.03, 1.0], atol=5e-6)
    assert_allclose(T[:3, :3], yaw @ pitch @ roll, atol=5e-6)


def test_a_leg_length_is_the_distance_of_its_joints() -> None:
    model = catalog.make("stewart")
    T = link_poses(model, model.home)
    base = np.deg2rad((-10, 10, 110, 130, 230, 250))
    plate = np.deg2rad((-50, 50, 70, 170, 190, 290))
    for i in range(6):
        foot = np.array([np.cos(base[i]), np.sin(base[i]), 0.0])
        head = np.array([0.5 * np.cos(plate[i]), 0.5 * np.sin(plate[i]), 1.0])
        assert_allclose(T[model.link_id(f"rod_{i + 1}"), :3, 3], head, atol=1e-12)
        length = model.home_configuration[i]
        assert length == pytest.approx(np.linalg.norm(head - foot))
