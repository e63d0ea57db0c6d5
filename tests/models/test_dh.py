"""Tests of robots from Denavit-Hartenberg rows and of rows from joint axes.

Oracles: published vectors, the product of elementary transforms, the product of
exponentials (SciPy's matrix exponential of the given axes), Pinocchio's joints, and the
mass matrix from kinetic energy.
"""

from __future__ import annotations

import numpy as np
import pinocchio
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import expm

from gelenk.errors import ConfigError, ModelError, ShapeError
from gelenk.models.dh import (
    DhConvention,
    DhRow,
    dh_matrix,
    links_from_dh,
    model_from_dh,
)
from gelenk.models.dh_axes import dh_rows_from_axes, model_from_axes
from gelenk.models.link import Geometry, JointType
from testkit.random_models import random_inertia, random_pose
from textbook_tree import link_poses, mass_matrix_and_gravity, tool_pose, values_at

PI = np.pi
H = PI / 2.0

TWO_R = [(0, 0, 1.0, 0), (0, 0, 0.8, 0)]
THREE_R = [(0, 0, 0.5, 0), (0, 0, 0.4, 0), (0, 0, 0.3, 0)]
SCARA = [(0, 0.4, 0.3, 0), (0, 0, 0.25, PI), (0, 0, 0, 0), (0, 0.05, 0, 0)]
STANFORD = [
    (0, 0.412, 0, -H), (0, 0.154, 0, H), (-H, 0, 0, 0),
    (0, 0, 0, -H), (0, 0, 0, H), (0, 0.263, 0, 0),
]  # fmt: skip
PUMA = [
    (0, 0, 0, H), (0, 0, 0.4318, 0), (0, 0.15005, 0.0203, -H),
    (0, 0.4318, 0, H), (0, 0, 0, -H), (0, 0, 0, 0),
]  # fmt: skip
LBR7 = [
    (0, 0.34, 0, -H), (0, 0, 0, H), (0, 0.4, 0, H), (0, 0, 0, -H),
    (0, 0.4, 0, -H), (0, 0, 0, H), (0, 0.126, 0, 0),
]  # fmt: skip


def rot(axis: int, angle: float) -> np.ndarray:
    i, j = (axis + 1) % 3, (axis + 2) % 3
    T = np.eye(4)
    T[i, i] = T[j, j] = np.cos(angle)
    T[i, j], T[j, i] = -np.sin(angle), np.sin(angle)
    return T


def shift(axis: int, length: float) -> np.ndarray:
    T = np.eye(4)
    T[axis, 3] = length
    return T


def product(*factors: np.ndarray) -> np.ndarray:
    T = np.eye(4)
    for factor in factors:
        T = T @ factor
    return T


def screw(point: np.ndarray, direction: np.ndarray, kind: str) -> np.ndarray:
    """Generator of the motion about or along an axis."""
    u = direction / np.linalg.norm(direction)
    X = np.zeros((4, 4))
    if kind == "P":
        X[:3, 3] = u
        return X
    x, y, z = u
    X[:3, :3] = [[0, -z, y], [z, 0, -x], [-y, x, 0]]
    X[:3, 3] = -X[:3, :3] @ point
    return X


# -- the matrix of one row -------------------------------------------------------------


@pytest.mark.capability("GR-22")
def test_a_row_is_the_product_of_four_elementary_transforms() -> None:
    rng = np.random.default_rng(1)
    for theta, d, a, alpha in rng.uniform(-3.0, 3.0, (50, 4)):
        standard = product(rot(2, theta), shift(2, d), shift(0, a), rot(0, alpha))
        modified = product(rot(0, alpha), shift(0, a), rot(2, theta), shift(2, d))
        assert_allclose(dh_matrix(theta, d, a, alpha), standard, atol=1e-15)
        assert_allclose(
            dh_matrix(theta, d, a, alpha, convention="modified"), modified, atol=1e-15
        )


def test_a_batch_of_rows_equals_its_elements_one_by_one() -> None:
    rng = np.random.default_rng(2)
    theta, alpha = rng.uniform(-PI, PI, (2, 4, 3))
    T = dh_matrix(theta, 0.1, 0.2, alpha)
    assert T.shape == (4, 3, 4, 4)
    for i in np.ndindex(4, 3):
        assert_allclose(T[i], dh_matrix(theta[i], 0.1, 0.2, alpha[i]), atol=0.0)


@pytest.mark.parametrize("convention", ["standard", "modified"])
def test_a_row_of_zeros_has_no_negative_zero(convention: DhConvention) -> None:
    T = dh_matrix([0.0, -H], 0.0, 0.0, 0.0, convention=convention)
    assert not np.signbit(T[T == 0.0]).any()


# -- rows to robots --------------------------------------------------------------------


@pytest.mark.capability("GR-23")
@pytest.mark.parametrize(
    ("rows", "kinds", "q", "position"),
    [
        (TWO_R, "RR", np.deg2rad([30, 45]), (1.073081, 1.272741, 0)),
        (THREE_R, "RRR", (0.3, 0.4, 0.5), (0.892312, 0.685059, 0)),
        (SCARA, "RRPR", (0.5, -0.7, 0.1, 0.3), (0.508291, 0.094160, 0.25)),
        (
            STANFORD, "RRPRRR", (0.1, 0.2, 0.5, 0.3, -0.4, 0.6),
            (0.092066, 0.262345, 1.145457),
        ),
        (PUMA, "R" * 6, (0, PI / 4, PI, 0, PI / 4, 0), (0.596303, -0.15005, -0.014354)),
        (PUMA, "R" * 6, (0.3, -0.4, 0.5, 0.6, -0.7, 0.8), (0.402407, -0.032586, 0.263519)),
        (LBR7, "R" * 7, np.zeros(7), (0, 0, 1.266)),
        (LBR7, "R" * 7, (0.1, 0.5, -0.2, -1.2, 0.3, 0.9, -0.4), (0.654062, -0.001482, 0.537708)),
    ],
)  # fmt: skip
def test_published_arms_reach_their_published_positions(
    rows: list, kinds: str, q: tuple, position: tuple
) -> None:
    T = tool_pose(model_from_dh(rows, kinds=kinds), q)
    assert_allclose(T[:3, 3], position, atol=1e-6)


@pytest.mark.capability("GR-23")
def test_published_arms_take_their_published_orientations() -> None:
    T = tool_pose(model_from_dh(SCARA, kinds="RRPR"), (0.5, -0.7, 0.1, 0.3))
    R = [[0.877583, -0.479426, 0], [-0.479426, -0.877583, 0], [0, 0, -1]]
    assert_allclose(T[:3, :3], R, atol=1e-6)

    q = (0.1, 0.2, 0.5, 0.3, -0.4, 0.6)
    T = tool_pose(model_from_dh(STANFORD, kinds="RRPRRR"), q)
    assert_allclose(T[:3, 2], [0.032708, 0.377175, 0.925564], atol=1e-6)

    puma = model_from_dh(PUMA)
    T = tool_pose(puma, (0, PI / 4, PI, 0, PI / 4, 0))
    assert_allclose(T[:3, :3], [[0, 0, 1], [0, 1, 0], [-1, 0, 0]], atol=1e-12)
    T = tool_pose(puma, (0.3, -0.4, 0.5, 0.6, -0.7, 0.8))
    R = [
        [-0.188045, -0.926841, 0.324968],
        [0.876518, -0.009088, 0.481283],
        [-0.443120, 0.375343, 0.814102],
    ]
    assert_allclose(T[:3, :3], R, atol=1e-6)
    assert_allclose(
        tool_pose(model_from_dh(LBR7), np.zeros(7))[:3, :3], np.eye(3), atol=1e-15
    )


@pytest.mark.capability("GR-23")
def test_the_puma_stands_where_the_robotics_toolbox_prints_it() -> None:
    p = tool_pose(model_from_dh(PUMA), np.zeros(6))[:3, 3]
    assert_allclose(p, [0.4521, -0.15, 0.4318], atol=6e-5)  # printed with 4 digits


@pytest.mark.capability("GR-19")
@pytest.mark.parametrize("convention", ["standard", "modified"])
def test_n_joints_give_n_plus_1_frames_that_are_the_partial_products(
    convention: str,
) -> None:
    rng = np.random.default_rng(3)
    kinds = "RPRRP"
    rows = rng.uniform(-1.0, 1.0, (5, 4))
    T_base, T_tool = random_pose(rng), random_pose(rng)
    model = model_from_dh(
        rows.tolist(), kinds=kinds, convention=convention, T_base=T_base, T_tool=T_tool
    )
    q = rng.uniform(-1.0, 1.0, 5)
    poses = link_poses(model, values_at(model, q))

    T = T_base
    assert_allclose(poses[model.link_id("link_0")], T, atol=1e-15)
    for i, (theta, d, a, alpha) in enumerate(rows):
        theta, d = (theta + q[i], d) if kinds[i] == "R" else (theta, d + q[i])
        factors = [rot(2, theta), shift(2, d), shift(0, a), rot(0, alpha)]
        if convention == "modified":
            factors = factors[2:][::-1] + factors[:2]
        T = T @ product(*factors)
        assert_allclose(poses[model.link_id(f"link_{i + 1}")], T, atol=1e-14)
    assert_allclose(poses[model.link_id()], T @ T_tool, atol=1e-14)
    assert model.joint_names == tuple(f"joint_{i + 1}" for i in range(5))
    assert [model.joint_type[k] for k in model.joint_ids] == [1, 2, 1, 1, 2]


@pytest.mark.capability("GR-23")
def test_forward_kinematics_agrees_with_joints_of_pinocchio() -> None:
    rng = np.random.default_rng(4)
    rows, kinds = rng.uniform(-1.0, 1.0, (6, 4)), "RPRRPR"
    model = model_from_dh(rows.tolist(), kinds=kinds)
    theirs = pinocchio.Model()
    joint, T = 0, np.eye(4)
    for (theta, d, a, alpha), kind in zip(rows, kinds, strict=True):
        mover = pinocchio.JointModelRZ if kind == "R" else pinocchio.JointModelPZ
        joint = theirs.addJoint(joint, mover(), pinocchio.SE3(T), f"joint_{joint}")
        T = product(rot(2, theta), shift(2, d), shift(0, a), rot(0, alpha))
    data = theirs.createData()
    for q in rng.uniform(-2.0, 2.0, (20, 6)):
        pinocchio.forwardKinematics(theirs, data, q)
        T_tool = data.oMi[joint].homogeneous @ T
        assert_allclose(tool_pose(model, q), T_tool, atol=1e-13)


@pytest.mark.parametrize("convention", ["standard", "modified"])
def test_masses_sit_in_the_frames_of_their_rows(convention: str) -> None:
    # Kinetic energy by differences: the mass point of link i moves with frame S_i.
    rng = np.random.default_rng(5)
    kinds, masses = "RPR", (2.0, 1.5, 1.2)
    inertias = [random_inertia(rng, m) for m in masses]
    coms = rng.uniform(-0.2, 0.2, (3, 3))
    rows = [
        DhRow(*rng.uniform(-1, 1, 4), kind=k, mass=m, com=c, inertia=inertia)
        for k, m, c, inertia in zip(kinds, masses, coms, inertias, strict=True)
    ]
    model = model_from_dh(rows, convention=convention)
    q, qd = rng.uniform(-1, 1, (2, 3))

    step = 1e-6
    before, after = (
        link_poses(model, values_at(model, q + s * step * qd)) for s in (-1, 1)
    )
    here = link_poses(model, values_at(model, q))
    energy = 0.0
    for i, (mass, com, inertia) in enumerate(zip(masses, coms, inertias, strict=True)):
        k = model.link_id(f"link_{i + 1}")
        v = ((after[k] - before[k]) @ [*com, 1.0])[:3] / (2 * step)
        spin = here[k, :3, :3].T @ (after[k] - before[k])[:3, :3] / (2 * step)
        omega = np.array([spin[2, 1], spin[0, 2], spin[1, 0]])
        energy += 0.5 * mass * v @ v + 0.5 * omega @ inertia @ omega
    M, _ = mass_matrix_and_gravity(model, values_at(model, q))
    assert 0.5 * qd @ M @ qd == pytest.approx(energy, rel=1e-8)
    # The kernels see one body per joint: frames in between cost nothing.
    assert model.compiled.num_bodies == 3
    assert model.compiled.body[:, 12].sum() == pytest.approx(sum(masses))


def test_the_axis_link_lies_behind_the_motion_and_before_the_rest_of_the_row() -> None:
    rng = np.random.default_rng(8)
    rows, q = rng.uniform(-1.0, 1.0, (2, 4)), rng.uniform(-1.0, 1.0, 2)
    model = model_from_dh(rows.tolist(), kinds="RP")
    poses = link_poses(model, values_at(model, q))
    T_base_axis = {
        "axis_1": rot(2, rows[0, 0] + q[0]),
        "axis_2": poses[model.link_id("link_1")]
        @ rot(2, rows[1, 0])
        @ shift(2, rows[1, 1] + q[1]),
    }
    for name, T in T_base_axis.items():
        assert_allclose(poses[model.link_id(name)], T, atol=1e-15)


@pytest.mark.parametrize(
    ("convention", "names"),
    [
        ("standard", ["axis_1", "link_1", "axis_2", "link_2"]),
        ("modified", ["link_1", "link_2"]),
    ],
)
def test_links_of_rows_hang_on_the_parent_one_after_the_other(
    convention: DhConvention, names: list
) -> None:
    links = links_from_dh(TWO_R, parent="mast", convention=convention)
    assert [link.name for link in links] == names
    assert [link.parent for link in links] == ["mast", *names[:-1]]
    turning = [link for link in links if link.joint_type == JointType.REVOLUTE]
    assert [link.name for link in turning] == names[:: len(names) // 2]
    assert [link.joint for link in turning] == ["joint_1", "joint_2"]


def test_home_and_shapes_of_a_row_reach_the_model() -> None:
    ball = Geometry(kind="sphere", size=(0.1,))
    rows = [DhRow(a=0.5, home=0.7, geometry=(ball,)), DhRow(a=0.5, lower=-2, upper=-1)]
    model = model_from_dh(rows)
    assert model.home_configuration.tolist() == [0.7, -1.0]
    assert model.geometry[model.link_id("link_1")] == (ball,)
    assert not any(model.geometry[model.link_id(n)] for n in ("axis_1", "link_2"))


def test_limits_and_names_of_a_row_reach_the_model() -> None:
    rows = [DhRow(0, 0, 0.5, 0, "P", name="rail", lower=0.1, upper=0.9, max_effort=40)]
    model = model_from_dh(rows, name="rail_robot")
    assert model.name == "rail_robot"
    assert model.joint_names == ("rail",)
    assert model.limits.tolist() == [[0.1], [0.9]]
    assert model.max_effort[model.joint_ids].tolist() == [40.0]
    assert model.home_configuration.tolist() == [0.1]


# -- axes to rows ----------------------------------------------------------------------


@pytest.mark.capability("GR-20", "GR-21")
def test_crossing_and_parallel_axes_give_the_published_rows() -> None:
    T_tool = shift(0, 0.55) @ shift(2, 0.4)
    table = dh_rows_from_axes(
        [(0, 0, 0), (0, 0, 0.4), (0.3, 0, 0.4)],
        [(0, 0, 1), (0, 1, 0), (0, 1, 0)],
        "RRR",
        T_tool,
    )
    rows = [(r.theta, r.d, r.a, r.alpha) for r in table.rows]
    assert_allclose(rows, [(0, 0.4, 0, -H), (0, 0, 0.3, 0), (0, 0, 0, 0)], atol=1e-15)
    assert_allclose(table.T_last_tool, shift(0, 0.25) @ rot(0, H), atol=1e-15)
    assert_allclose(table.T_base_first, np.eye(4), atol=0.0)


@pytest.mark.capability("GR-20", "GR-21")
def test_skew_axes_give_the_published_rows() -> None:
    T_tool = product(shift(0, 0.3), shift(1, 0.2), shift(2, 0.5))
    points, directions = [(0, 0, 0), (0, 0.2, 0.5)], [(0, 0, 1), (1, 0, 0)]
    table = dh_rows_from_axes(points, directions, "RR", T_tool)
    rows = [(r.theta, r.d, r.a, r.alpha) for r in table.rows]
    assert_allclose(rows, [(H, 0.5, 0.2, H), (0, 0.3, 0, 0)], atol=1e-15)
    R_tool = [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
    assert_allclose(table.T_last_tool[:3, :3], R_tool, atol=1e-15)
    assert_allclose(table.T_last_tool[:3, 3], 0.0, atol=1e-15)


def random_axes(
    rng: np.random.Generator, count: int
) -> tuple[np.ndarray, np.ndarray, str]:
    """Axes of which each is skew, parallel, opposite, meeting or in line with the last."""
    points, directions = [rng.uniform(-1, 1, 3)], [rng.normal(size=3)]
    while len(points) < count:
        p, u = points[-1], directions[-1]
        relation = rng.integers(5)
        on_axis = p + rng.uniform(-1, 1) * u / np.linalg.norm(u)
        if relation == 0:
            points.append(rng.uniform(-1, 1, 3))
            directions.append(rng.normal(size=3))
        elif relation in (1, 2):
            points.append(rng.uniform(-1, 1, 3))
            directions.append(u * (3 - 2 * relation) * rng.uniform(0.5, 2.0))
        elif relation == 3:
            points.append(on_axis)
            directions.append(rng.normal(size=3))
        else:
            points.append(on_axis)
            directions.append(u.copy())
    kinds = "".join(rng.choice(["R", "P"], count, p=[0.7, 0.3]))
    return np.array(points), np.array(directions), kinds


@pytest.mark.capability("GR-20", "GR-21", "GR-23")
def test_axes_of_any_relation_give_the_product_of_exponentials() -> None:
    rng = np.random.default_rng(6)
    for _ in range(100):
        points, directions, kinds = random_axes(rng, int(rng.integers(1, 8)))
        T_tool = random_pose(rng)
        model = model_from_axes(points, directions, kinds, T_tool)
        q = rng.uniform(-2.0, 2.0, len(points))
        motions = [
            expm(value * screw(p, u, k))
            for p, u, k, value in zip(points, directions, kinds, q, strict=True)
        ]
        assert_allclose(tool_pose(model, q), product(*motions) @ T_tool, atol=1e-11)


@pytest.mark.capability("GR-20", "GR-21")
def test_placed_frames_have_the_defining_properties() -> None:
    rng = np.random.default_rng(7)
    for _ in range(50):
        points, directions, kinds = random_axes(rng, 5)
        model = model_from_axes(points, directions, kinds, random_pose(rng))
        poses = link_poses(model, values_at(model, np.zeros(5)))
        frames = [poses[model.link_id(f"link_{i}")] for i in range(6)]
        for i in range(1, 6):
            u = directions[i - 1] / np.linalg.norm(directions[i - 1])
            z, origin = frames[i - 1][:3, 2], frames[i - 1][:3, 3]
            x, here = frames[i][:3, 0], frames[i][:3, 3]
            # z_{i-1} lies in axis i; x_i is perpendicular to it and meets it.
            assert_allclose(z, u, atol=1e-12)
            assert_allclose(np.cross(points[i - 1] - origin, u), 0.0, atol=1e-11)
            assert abs(x @ z) < 1e-12
            assert (here - origin) @ x > -1e-11  # away from the axis
            assert abs((here - origin) @ np.cross(x, z)) < 1e-11


@pytest.mark.parametrize("sense", [1.0, -1.0])
def test_where_axes_meet_x_turns_the_least(sense: float) -> None:
    directions = [(0, 0, 1), (0, sense, 0)]
    table = dh_rows_from_axes([(0, 0, 0), (0, 0, 0.4)], directions, "RR", np.eye(4))
    assert table.rows[0].theta == 0.0
    assert table.rows[0].alpha == pytest.approx(-sense * H)


def test_nearly_parallel_axes_do_not_throw_frames_to_the_horizon() -> None:
    points = np.array([(0.0, 0.0, 0.0), (0.3, 0.1, 0.0)])
    for angle in (1e-12, 1e-9, 1e-8):
        directions = np.array([(0, 0, 1), (np.sin(angle), 0, np.cos(angle))])
        table = dh_rows_from_axes(points, directions, "RR", np.eye(4))
        assert np.abs([(r.d, r.a) for r in table.rows]).max() < 1.0
        R = table.T_last_tool[:3, :3]
        assert_allclose(R @ R.T, np.eye(3), atol=1e-14)
        model = model_from_axes(points, directions, "RR", np.eye(4))
        motions = [
            expm(0.7 * screw(p, u, "R"))
            for p, u in zip(points, directions, strict=True)
        ]
        assert_allclose(tool_pose(model, [0.7, 0.7]), product(*motions), atol=2e-8)


# -- mistakes --------------------------------------------------------------------------


def test_mistakes_are_named() -> None:
    with pytest.raises(ModelError, match=r"row 2 must be \(theta, d, a, alpha\)"):
        model_from_dh([(0, 0, 1, 0), (0, 0, 1)])
    with pytest.raises(ModelError, match="row 1: parameters must be finite"):
        model_from_dh([(0, np.inf, 1, 0)])
    with pytest.raises(ModelError, match="at least one"):
        model_from_dh([])
    with pytest.raises(
        ModelError, match="2 letters 'R' or 'P', one per joint, got 'RX'"
    ):
        model_from_dh(TWO_R, kinds="RX")
    with pytest.raises(ConfigError, match="'standard' or 'modified', got 'craig'"):
        model_from_dh(TWO_R, convention="craig")  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="axis 2 has no direction"):
        dh_rows_from_axes(np.zeros((2, 3)), [(0, 0, 1), (0, 0, 0)], "RR", np.eye(4))
    with pytest.raises(ShapeError, match=r"`directions` must have shape \(2, 3\)"):
        dh_rows_from_axes(np.zeros((2, 3)), [(0, 0, 1)], "RR", np.eye(4))
