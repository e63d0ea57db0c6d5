"""Tests of the catalogue: does each robot carry the figures of its source?

Poses and dynamics are evaluated with a textbook tree, which shares no code with the
kernels of the package. Oracles: published vectors, DH products, and Pinocchio on the
manufacturers' descriptions. Closed chains have their own file.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import mujoco
import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.errors import NameNotFoundError
from gelenk.models import catalog
from gelenk.models.catalog.shapes import (
    DARK,
    box,
    capsule,
    cylinder,
    solid,
    sphere,
)
from gelenk.robots.nao.bodies import ellipsoid
from gelenk.typing import ArrayLike
from textbook_tree import link_poses, mass_matrix_and_gravity, tool_pose, values_at

ROOT = Path(__file__).resolve().parents[2]
HALF = np.pi / 2.0
NAMES = {
    "amee", "delta", "double_pendulum", "fivebar", "fourbar", "franka_hand", "iiwa7",
    "jansen", "lbr7", "nao", "panda", "piggy", "planar2r", "planar3r", "puma560",
    "robotiq_2f85", "rp", "rpr", "scara", "simple_arm", "slider_crank", "stanford",
    "stewart", "suction_cup", "ur5e",
}  # fmt: skip


def dh_pose(rows: list[tuple[float, float, float, float]]) -> np.ndarray:
    T = np.eye(4)
    for theta, d, a, alpha in rows:
        c, s, ca, sa = np.cos(theta), np.sin(theta), np.cos(alpha), np.sin(alpha)
        T = T @ np.array(
            [
                [c, -s * ca, s * sa, a * c],
                [s, c * ca, -c * sa, a * s],
                [0, sa, ca, d],
                [0, 0, 0, 1],
            ]
        )
    return T


# -- the catalogue as a whole -----------------------------------------------------------


def test_names_are_sorted_and_complete() -> None:
    assert catalog.names() == tuple(sorted(NAMES))


def test_an_unknown_name_is_answered_with_the_closest() -> None:
    with pytest.raises(NameNotFoundError, match=r"Did you mean 'ur5e'.*planar2r"):
        catalog.make("ur5")
    with pytest.raises(NameNotFoundError, match="Did you mean 'stewart'"):
        catalog.describe("steward")


@pytest.mark.parametrize("name", sorted(NAMES))
def test_an_entry_says_what_the_model_is(name: str) -> None:
    model, entry = catalog.make(name), catalog.describe(name)
    kinds = "".join("?RP"[k] for k in model.joint_type[model.joint_ids])
    assert (entry.name, entry.joints) == (model.name, kinds) == (name, entry.joints)
    assert entry.title
    assert entry.provenance
    assert model.tool in model.frame_names
    if name not in ("simple_arm", "nao", "piggy", "amee"):
        expected = tuple(f"joint_{i + 1}" for i in range(len(kinds)))
        assert model.joint_names == expected


@pytest.mark.parametrize("name", sorted(NAMES))
def test_the_page_of_the_catalogue_lists_the_robot(name: str) -> None:
    page = (ROOT / "docs" / "catalogue.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith(f"| `{name}` |")]
    assert len(rows) == (2 if catalog.make(name).loops else 1)
    cells = [cell.strip() for cell in rows[0].strip("|").split("|")]
    assert cells[1] == catalog.describe(name).title
    assert cells[2] == catalog.describe(name).joints
    assert cells[3] == f"`{catalog.make(name).tool}`"


def test_listing_the_catalogue_loads_no_robot() -> None:
    code = (
        "import sys; from gelenk.models import catalog; catalog.names();"
        "print([m for m in sys.modules if 'catalog.' in m or m in ('numba', 'scipy')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "['gelenk.models.catalog.registry']"


@pytest.mark.parametrize("name", sorted(NAMES))
def test_home_lies_within_the_limits(name: str) -> None:
    model = catalog.make(name)
    assert (model.lower <= model.home).all()
    assert (model.home <= model.upper).all()


@pytest.mark.parametrize("name", sorted(NAMES - {"suction_cup"}))  # it has no joint
def test_every_joint_moves_a_mass(name: str) -> None:
    model = catalog.make(name)
    M, _ = mass_matrix_and_gravity(model, model.home)
    scale = np.sqrt(np.diag(M))
    assert np.linalg.eigvalsh(M / np.outer(scale, scale))[0] > 1e-4


@pytest.mark.parametrize("name", sorted(NAMES))
def test_every_body_with_a_mass_is_drawn(name: str) -> None:
    model = catalog.make(name)
    for link, shapes in zip(model.link_names, model.geometry, strict=True):
        if model.mass[model.link_id(link)] > 0.0:
            assert shapes, link
        for shape in shapes:
            assert min(shape.size) > 0.0, link
            R = np.asarray(shape.T_link_geometry)[:3, :3]
            assert_allclose(R @ R.T, np.eye(3), atol=1e-12)


@pytest.mark.parametrize(
    "name", ["lbr7", "planar3r", "puma560", "rpr", "scara", "stanford"]
)
def test_the_tubes_of_an_arm_lead_from_each_axis_to_the_next_frame(name: str) -> None:
    model = catalog.make(name)
    poses = link_poses(model, values_at(model, model.home_configuration))
    for i in range(1, model.nq + 1):
        axis, link = model.link_id(f"axis_{i}"), model.link_id(f"link_{i}")
        point = poses[axis, :3, 3]
        for shape in model.geometry[link]:
            if shape.kind == "capsule":
                T = poses[link] @ np.asarray(shape.T_link_geometry)
                half = 0.5 * shape.size[1] * T[:3, 2]
                assert_allclose(T[:3, 3] - half, point, atol=1e-12)
                point = T[:3, 3] + half
        assert_allclose(point, poses[link, :3, 3], atol=1e-12)


def test_a_row_with_shapes_of_its_own_gets_no_tubes() -> None:
    model = catalog.make("rp")
    shapes = model.geometry[model.link_id("link_1")]
    assert [shape.kind for shape in shapes] == ["box", "cylinder"]


def test_a_filled_body_weighs_and_turns_as_in_mujoco() -> None:
    shapes = [
        box((0.1, -0.2, 0.3), (0.2, 0.3, 0.4)),
        sphere((0.5, 0.1, -0.2), 0.15),
        cylinder((0.0, 0.0, 0.1), (0.3, 0.2, 0.5), 0.08),
        capsule((-0.3, 0.2, 0.0), (0.1, 0.6, 0.2), 0.05),
        ellipsoid((0.2, 0.3, -0.4), (0.05, 0.1, 0.2), DARK),
    ]
    spec = mujoco.MjSpec()
    body = spec.worldbody.add_body(name="body")
    body.add_freejoint()
    kinds = {
        "box": mujoco.mjtGeom.mjGEOM_BOX,
        "sphere": mujoco.mjtGeom.mjGEOM_SPHERE,
        "cylinder": mujoco.mjtGeom.mjGEOM_CYLINDER,
        "capsule": mujoco.mjtGeom.mjGEOM_CAPSULE,
        "ellipsoid": mujoco.mjtGeom.mjGEOM_ELLIPSOID,
    }
    for shape in shapes:
        T = np.asarray(shape.T_link_geometry)
        quat = np.zeros(4)
        mujoco.mju_mat2Quat(quat, np.ascontiguousarray(T[:3, :3]).ravel())
        half = np.array(shape.size) * (
            (0.5, 0.5, 0.5)
            if shape.kind == "box"
            else (1.0, 1.0, 1.0)
            if shape.kind == "ellipsoid"
            else (1.0, 0.5, 0.0)[: len(shape.size)]
        )
        size = np.zeros(3)
        size[: len(half)] = half
        body.add_geom(
            type=kinds[shape.kind], size=size, pos=T[:3, 3], quat=quat, density=700.0
        )
    reference = spec.compile()
    R = np.zeros(9)
    mujoco.mju_quat2Mat(R, reference.body_iquat[1])
    R = R.reshape(3, 3)

    mass, com, inertia = solid(shapes, 700.0)
    assert mass == pytest.approx(reference.body_mass[1], rel=1e-12)
    assert_allclose(com, reference.body_ipos[1], atol=1e-12)
    assert_allclose(inertia, R @ np.diag(reference.body_inertia[1]) @ R.T, atol=1e-9)


# -- serial arms: kinematics ------------------------------------------------------------

# Each: DH rows (theta, d, a, alpha) as functions of q.
DH = {
    "planar2r": lambda q: [(q[0], 0, 1.0, 0), (q[1], 0, 0.8, 0)],
    "planar3r": lambda q: [(q[0], 0, 0.5, 0), (q[1], 0, 0.4, 0), (q[2], 0, 0.3, 0)],
    "rp": lambda q: [(q[0] + HALF, 0, 0, HALF), (0, q[1], 0, 0)],
    "scara": lambda q: [
        (q[0], 0.4, 0.3, 0),
        (q[1], 0, 0.25, np.pi),
        (0, q[2], 0, 0),
        (q[3], 0.05, 0, 0),
    ],
    "stanford": lambda q: [
        (q[0], 0.412, 0, -HALF),
        (q[1], 0.154, 0, HALF),
        (-HALF, q[2], 0, 0),
        (q[3], 0, 0, -HALF),
        (q[4], 0, 0, HALF),
        (q[5], 0.263, 0, 0),
    ],
    "puma560": lambda q: [
        (q[0], 0, 0, HALF),
        (q[1], 0, 0.4318, 0),
        (q[2], 0.15005, 0.0203, -HALF),
        (q[3], 0.4318, 0, HALF),
        (q[4], 0, 0, -HALF),
        (q[5], 0, 0, 0),
    ],
    "lbr7": lambda q: [
        (angle, d, 0, sign * HALF)
        for angle, d, sign in zip(
            q, (0.34, 0, 0.4, 0, 0.4, 0, 0.126), (-1, 1, 1, -1, -1, 1, 0), strict=True
        )
    ],
    "iiwa7": lambda q: DH["lbr7"](q),
    "rpr": lambda q: [
        (q[0], 0.3, 0.1, -np.pi / 3.0),
        (0.3, q[1] + 0.1, 0.05, np.pi / 4.0),
        (q[2] + 0.2, 0.05, 0.25, 0.4),
    ],
    "ur5e": lambda q: [
        (q[0], 0.1625, 0, HALF),
        (q[1], 0, -0.425, 0),
        (q[2], 0, -0.3922, 0),
        (q[3], 0.1333, 0, HALF),
        (q[4], 0.0997, 0, -HALF),
        (q[5], 0.0996, 0, 0),
    ],
}


@pytest.mark.parametrize("name", sorted(DH))
def test_a_serial_arm_is_the_product_of_its_dh_rows(name: str) -> None:
    model = catalog.make(name)
    rng = np.random.default_rng(1)
    for q in rng.uniform(-3.0, 3.0, (5, model.num_joints)):
        assert_allclose(tool_pose(model, q), dh_pose(DH[name](q)), atol=1e-12)


# Published vectors: positions (and rotations) to six digits.
Q_PUMA = (0.3, -0.4, 0.5, 0.6, -0.7, 0.8)
POSITIONS = [
    ("planar2r", np.deg2rad((30, 45)), (1.073081, 1.272741, 0)),
    ("planar3r", (0.3, 0.4, 0.5), (0.892312, 0.685059, 0)),
    ("scara", (0.5, -0.7, 0.1, 0.3), (0.508291, 0.094160, 0.25)),
    ("stanford", (0.1, 0.2, 0.5, 0.3, -0.4, 0.6), (0.092066, 0.262345, 1.145457)),
    ("puma560", (0, HALF / 2, np.pi, 0, HALF / 2, 0), (0.596303, -0.15005, -0.014354)),
    ("puma560", Q_PUMA, (0.402407, -0.032586, 0.263519)),
    ("lbr7", (0,) * 7, (0, 0, 1.266)),
    ("lbr7", (0.1, 0.5, -0.2, -1.2, 0.3, 0.9, -0.4), (0.654062, -0.001482, 0.537708)),
    ("simple_arm", np.deg2rad((23.198591, 24.699137, -89.045026)), (0.35, 0.15, 0.10)),
    ("double_pendulum", (HALF, -HALF), (1, 0, -1)),
]


@pytest.mark.parametrize(("name", "q", "expected"), POSITIONS)
def test_the_tool_stands_where_published(
    name: str, q: ArrayLike, expected: tuple[float, ...]
) -> None:
    assert_allclose(tool_pose(catalog.make(name), q)[:3, 3], expected, atol=1e-6)


def test_orientations_are_the_published_ones() -> None:
    R = tool_pose(catalog.make("puma560"), Q_PUMA)[:3, :3]
    assert_allclose(
        R,
        [
            [-0.188045, -0.926841, 0.324968],
            [0.876518, -0.009088, 0.481283],
            [-0.443120, 0.375343, 0.814102],
        ],
        atol=1e-6,
    )
    R = tool_pose(catalog.make("stanford"), (0.1, 0.2, 0.5, 0.3, -0.4, 0.6))[:3, :3]
    assert_allclose(R[:, 2], [0.032708, 0.377175, 0.925564], atol=1e-6)
    R = tool_pose(catalog.make("scara"), (0.5, -0.7, 0.1, 0.3))[:3, :3]
    assert_allclose(R[:, 0], [0.877583, -0.479426, 0.0], atol=1e-6)


def test_the_simple_arm_swings_upwards_for_positive_angles() -> None:
    rng = np.random.default_rng(2)
    model = catalog.make("simple_arm")
    for stand, femur, tibia in rng.uniform(-np.pi, np.pi, (5, 3)):
        r = 0.30 * np.cos(femur) + 0.25 * np.cos(femur + tibia)
        z = 0.20 + 0.30 * np.sin(femur) + 0.25 * np.sin(femur + tibia)
        expected = r * np.cos(stand), r * np.sin(stand), z
        p = tool_pose(model, (stand, femur, tibia))[:3, 3]
        assert_allclose(p, expected, atol=1e-12)


# -- serial arms: figures of the makers -------------------------------------------------

# Pinocchio 4.1 on URDFs written from the makers' files (panda: franka_ros arm, inertial,
# hand; ur5e: universal_robot default_kinematics, physical_parameters, wrist_3 in "base";
# iiwa7: lbr_fri_ros2_stack): forwardKinematics, computeGeneralizedGravity, crba.
REFERENCE = {
    "panda": {
        "q": (0.1, -0.4, 0.3, -1.8, 0.5, 1.9, 0.7),
        "pose": (
            (0.829059167, 0.482601262, 0.282412676, 0.417998906),
            (0.301322047, -0.81105217, 0.501397449, 0.295283864),
            (0.471026455, -0.330590985, -0.817828637, 0.661230934),
        ),
        "gravity": (0, -10.563068941, -3.306047983, 17.567382173, 0.567302227, 1.685009654, -0.039967259),
        "diagonal": (0.6636676, 2.112472578, 1.202821698, 0.814173263, 0.024678829, 0.032400766, 0.004909652),
        "row": (-0.383238381, 0.796884025, 0.11998257, 0.002699918, -0.032144893, -0.006647332),
    },
    "ur5e": {
        "q": (0.3, -1.2, 1.4, -0.9, -1.1, 0.6),
        "pose": (
            (0.403682318, 0.469516247, 0.785235684, -0.458095546),
            (0.894806664, -0.381501172, -0.231900605, -0.328527872),
            (0.190687232, 0.796248296, -0.574131544, 0.347260232),
        ),
        "gravity": (0, -33.836695048, -18.865062776, -0.793465548, 0.163893488, 0),
        "diagonal": (1.762867299, 2.740449132, 0.824122761, 0.02237227, 0.005350898, 0.00025756),
        "row": (-0.316819514, 0.06352939, 0.026282633, 0.023915796, -0.000148638),
    },
    "iiwa7": {
        "q": (0.1, 0.5, -0.2, -1.2, 0.3, 0.9, -0.4),
        "pose": (
            (-0.81317006, -0.224503237, 0.53698487, 0.654061703),
            (-0.195004564, 0.974378667, 0.112068878, -0.001481825),
            (-0.548386427, -0.013583445, -0.836114715, 0.53770762),
        ),
        "gravity": (0, -40.218604432, -1.801880424, 18.117433445, -0.367269783, -0.195696096, -0.000002895),
        "diagonal": (1.77324969, 2.899215706, 0.593319402, 0.64636522, 0.013338117, 0.009882729, 0.000299),
        "row": (0.116235127, 0.94226856, 0.087851798, 0.023441115, 0.005799936, -0.000249578),
    },
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(REFERENCE))
def test_pose_weight_and_inertia_are_those_of_the_makers_description(name: str) -> None:
    model, reference = catalog.make(name), REFERENCE[name]
    values = values_at(model, reference["q"])
    M, gravity = mass_matrix_and_gravity(model, values)
    assert_allclose(tool_pose(model, reference["q"])[:3], reference["pose"], atol=2e-9)
    assert_allclose(gravity, reference["gravity"], atol=2e-8)
    assert_allclose(np.diag(M), reference["diagonal"], atol=2e-9)
    assert_allclose(M[0, 1:], reference["row"], atol=2e-9)


def test_the_puma_weighs_what_the_robotics_toolbox_published() -> None:
    model = catalog.make("puma560")
    M, gravity = mass_matrix_and_gravity(model, values_at(model, (1, 2, 3, 4, 5, 6)))
    ratio = np.array([-62.6111, 107.815, -53.7063, 76.0364, 71.923, 76.686])
    rotor = ratio**2 * np.array([200e-6] * 3 + [33e-6] * 3)
    expected = (2.6152, 4.3038, 0.9366, 0.1926, 0.1713, 0.1941)
    assert_allclose(gravity, (0, -7.9683, 8.4581, -0.0197, 0.0027, 0), atol=5e-5)
    assert_allclose(np.diag(M) + rotor, expected, atol=5e-5)
    assert_allclose(M[[0, 0, 1], [1, 2, 2]], (-0.6550, -0.0363, 0.2953), atol=5e-5)
    p = tool_pose(model, (0,) * 6)[:3, 3]
    assert_allclose(p, (0.4521, -0.15, 0.4318), atol=1e-4)


def test_the_rpr_arm_has_the_published_mass_matrix() -> None:
    model = catalog.make("rpr")
    M, _ = mass_matrix_and_gravity(model, values_at(model, (0.3, 0.2, -0.5)))
    expected = [
        [0.468351, 0.571197, 0.067043],
        [0.571197, 2.7, 0.126570],
        [0.067043, 0.126570, 0.038106],
    ]
    assert_allclose(M, expected, atol=1e-6)


def test_the_planar_arms_have_the_masses_of_their_definition() -> None:
    rp = catalog.make("rp")
    M, gravity = mass_matrix_and_gravity(rp, values_at(rp, (0.4, 0.7)))
    turning = 0.1 + 2.0 * 0.3**2 + 0.05 + 1.0 * 0.7**2
    assert_allclose(M, np.diag([turning, 1.0]), atol=1e-12)
    moment = (2.0 * 0.3 + 1.0 * 0.7) * 9.81 * np.cos(0.4)
    assert_allclose(gravity, [moment, 9.81 * np.sin(0.4)], atol=1e-12)

    arm = catalog.make("planar2r")
    M, gravity = mass_matrix_and_gravity(arm, values_at(arm, (0.0, np.pi / 2.0)))
    assert_allclose(np.diag(M), [2.0 + 1.5 * (1.0 + 0.64), 1.5 * 0.64], atol=1e-12)
    assert_allclose(gravity, [9.81 * 3.5, 0.0], atol=1e-12)


def test_weights_add_up_to_the_data_sheets() -> None:
    # KUKA: 23.9 kg. UR: sum of the article's links. PUMA: Corke's table. 2R: 2 + 1.5.
    for name, total in {
        "iiwa7": 23.9,
        "ur5e": 17.7,
        "puma560": 23.45,
        "planar2r": 3.5,
    }.items():
        assert catalog.make(name).mass.sum() == pytest.approx(total, abs=1e-3), name


def test_limits_are_those_of_the_sources() -> None:
    deg = np.pi / 180.0
    lower = {
        "iiwa7": -deg * np.array([170, 120, 170, 120, 170, 120, 175]),
        "ur5e": -np.pi * np.array([2, 2, 1, 2, 2, 2]),
        "panda": [-2.8973, -1.7628, -2.8973, -3.0718, -2.8973, -0.0175, -2.8973],
        "puma560": deg * np.array([-160, -45, -225, -110, -100, -266]),
        "stanford": [-170 * deg, -170 * deg, 0.3048, -170 * deg, -90 * deg, -170 * deg],
    }
    upper = {
        "iiwa7": -lower["iiwa7"],
        "ur5e": -lower["ur5e"],
        "panda": [2.8973, 1.7628, 2.8973, -0.0698, 2.8973, 3.7525, 2.8973],
        "puma560": deg * np.array([160, 225, 45, 170, 100, 266]),
        "stanford": [170 * deg, 170 * deg, 1.27, 170 * deg, 90 * deg, 170 * deg],
    }
    for name in lower:
        assert_allclose(
            catalog.make(name).limits, [lower[name], upper[name]], atol=1e-12
        )


def test_speeds_and_torques_are_those_of_the_sources() -> None:
    deg = np.pi / 180.0
    speed = {
        "iiwa7": deg * np.array([98, 98, 100, 130, 140, 180, 180]),
        "ur5e": np.full(6, np.pi),
        "panda": [2.175] * 4 + [2.61] * 3,
        "simple_arm": np.full(3, 90 * deg),
    }
    torque = {
        "iiwa7": [176, 176, 110, 110, 110, 40, 40],
        "ur5e": [150] * 3 + [28] * 3,
        "panda": [87] * 4 + [12] * 3,
        "puma560": [97.6, 186.4, 89.4, 24.2, 20.1, 21.3],
    }
    for name, expected in speed.items():
        model = catalog.make(name)
        assert_allclose(model.max_velocity[model.joint_ids], expected, atol=1e-12)
    for name, expected in torque.items():
        model = catalog.make(name)
        assert_allclose(model.max_effort[model.joint_ids], expected, atol=1e-12)
