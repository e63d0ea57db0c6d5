"""Boxes that touch and boxes that hide, against brute force."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog
from scipy.spatial.transform import Rotation

from gelenk.robots.nao.poses.boxes import collision_boxes, hides, overlap
from gelenk.robots.nao.robot_with_errors import nominal_model
from gelenk.typing import FloatArray


def random_boxes(rng: np.random.Generator, n: int) -> tuple[FloatArray, FloatArray]:
    T = np.tile(np.eye(4), (n, 1, 1))
    T[:, :3, :3] = Rotation.random(n, rng=rng).as_matrix()
    T[:, :3, 3] = rng.uniform(-1.0, 1.0, (n, 3))
    return T, rng.uniform(0.05, 0.6, (n, 3))


def have_common_point(
    T_a: FloatArray, a: FloatArray, T_b: FloatArray, b: FloatArray
) -> bool:
    """Ask a linear program for a point in both boxes."""
    rows, bounds = [], []
    for T, half in ((T_a, a), (T_b, b)):
        R = T[:3, :3].T
        rows += [R, -R]
        bounds += [half + R @ T[:3, 3], half - R @ T[:3, 3]]
    found = linprog(
        np.zeros(3),
        A_ub=np.vstack(rows),
        b_ub=np.concatenate(bounds),
        bounds=[(None, None)] * 3,
    )
    return found.status == 0


def test_boxes_overlap_exactly_when_they_share_a_point() -> None:
    rng = np.random.default_rng(5)
    T_a, a = random_boxes(rng, 300)
    T_b, b = random_boxes(rng, 300)
    found = overlap(T_a, a, T_b, b)
    expected = [have_common_point(*row) for row in zip(T_a, a, T_b, b, strict=True)]
    assert 50 < sum(expected) < 250
    np.testing.assert_array_equal(found, expected)


def test_parallel_boxes_are_apart_by_their_gap() -> None:
    T_b = np.eye(4)
    T_b[0, 3] = 2.1
    assert not overlap(np.eye(4), [1.0, 1, 1], T_b, [1.0, 1, 1])
    assert not overlap(np.eye(4), [1.0, 1, 1], T_b, [1.0, 1, 1], margin=0.09)
    assert overlap(np.eye(4), [1.0, 1, 1], T_b, [1.0, 1, 1], margin=0.11)


def test_a_line_is_cut_when_one_of_its_points_is_inside() -> None:
    rng = np.random.default_rng(6)
    T, half = random_boxes(rng, 400)
    start, end = rng.uniform(-1.5, 1.5, (2, 400, 3))
    share = np.linspace(0.0, 1.0, 4001)[:, None, None]
    points = start + share * (end - start)
    local = np.einsum("nji,snj->sni", T[:, :3, :3], points - T[:, :3, 3])
    depth = np.min(half - np.abs(local), axis=-1).max(axis=0)
    cut = hides(start, end, T, half)
    clear = np.abs(depth) > 1e-3  # a grazing line is decided by neither
    assert clear.sum() > 350
    assert 20 < cut.sum() < 350
    np.testing.assert_array_equal(cut[clear], (depth > 0.0)[clear])


def test_every_body_that_touches_has_a_box() -> None:
    boxes = collision_boxes(nominal_model())
    assert {"torso", "head", "l_thigh", "r_tibia", "l_ankle", "r_sandal"} <= set(
        boxes.links
    )
    thigh = boxes.links.index("l_thigh")
    np.testing.assert_allclose(boxes.half[thigh], (0.035, 0.035, 0.045))
