"""A model written as MJCF and read again is the same model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gelenk.errors import ConfigError
from gelenk.models import catalog
from gelenk.models.assembler import assemble
from gelenk.models.link import Geometry, JointType, Link, Loop
from gelenk.models.mjcf import load_mjcf, model_from_mjcf
from gelenk.models.mjcf_write import mjcf_from_model, save_mjcf
from gelenk.models.urdf import model_from_urdf
from robot_files import MJCF, URDF, assert_same_model
from testkit.random_models import random_pose, random_tree

ROUNDING = 1e-15  # of the two axes by which a rotation is written


@pytest.mark.parametrize("seed", range(6))
def test_a_random_tree_survives_the_round_trip(seed: int) -> None:
    rng = np.random.default_rng(seed)
    model = random_tree(rng, num_joints=10, floating=seed % 2 == 1)

    back = model_from_mjcf(mjcf_from_model(model))

    assert_same_model(back, model, atol=ROUNDING)
    for name in ("mass", "com", "inertia"):
        np.testing.assert_array_equal(getattr(back, name), getattr(model, name))
    T, expected = back.T_parent_joint, model.T_parent_joint
    np.testing.assert_array_equal(T[:, :3, 3], expected[:, :3, 3])


@pytest.mark.parametrize("name", catalog.names())
def test_every_robot_of_the_catalogue_survives_the_round_trip(name: str) -> None:
    model = catalog.make(name)

    back = model_from_mjcf(mjcf_from_model(model))

    assert_same_model(back, model, atol=ROUNDING)
    assert back.joint_names == model.joint_names


def test_robots_from_files_survive_the_round_trip() -> None:
    for model in (model_from_mjcf(MJCF), model_from_urdf(URDF)):
        back = model_from_mjcf(mjcf_from_model(model))

        assert_same_model(back, model, atol=ROUNDING)


def test_a_second_round_trip_changes_nothing_any_more() -> None:
    text = mjcf_from_model(model_from_mjcf(MJCF))
    again = mjcf_from_model(model_from_mjcf(text))

    assert mjcf_from_model(model_from_mjcf(again)) == again


def everything() -> list[Link]:
    hinge, slide = JointType.REVOLUTE, JointType.PRISMATIC
    egg = Geometry(kind="ellipsoid", size=(0.1, 0.2, 0.3), rgba=(0.1, 0.2, 0.3, 0.4))
    mesh = Geometry(
        kind="mesh", size=(1.0, 2.0, -1.0), mesh="a.stl", role="collision", name="skin"
    )
    return [
        Link(name="world", joint="anchor", geometry=(egg,)),
        Link(name="plate", parent="world", joint="weld", geometry=(mesh, mesh)),
        Link(
            name="arm",
            parent="plate",
            joint="turn",
            joint_type=hinge,
            axis=(1.0, 2.0, 2.0),
            lower=-1.0,
            max_velocity=3.0,
            max_effort=7.0,
            damping=0.1,
            friction=0.2,
            armature=0.3,
            home=0.25,
        ),
        Link(name="rod", parent="arm", joint="push", joint_type=slide, is_passive=True),
        Link(
            name="pin",
            parent="rod",
            joint="follow",
            joint_type=hinge,
            mimic="turn",
            multiplier=-2.0,
            offset=0.3,
        ),
        Link(name="tip", parent="pin", joint="tip_joint"),
        Link(name="side", parent="world", joint_type=slide, upper=4.0),
        Link(
            name="held", parent="side", joint_type=hinge, lower=0.4, upper=0.4, home=0.4
        ),
        Link(name="weak", parent="held", joint_type=hinge, max_effort=0.0),
    ]


def test_what_only_notes_and_motors_can_hold_survives_the_round_trip() -> None:
    model = assemble("all", everything(), tool="tip", gravity=(1.0, 2.0, 3.0))

    back = model_from_mjcf(mjcf_from_model(model))

    shapes = "geometry"  # the second mesh loses its name: MuJoCo wants names unique
    assert_same_model(back, model, atol=ROUNDING, without=shapes)
    assert [g.name for g in back.geometry[1]] == ["skin", ""]
    assert back.geometry[0][0].rgba == (0.1, 0.2, 0.3, 0.4)
    assert back.geometry[1][0].size == (1.0, 2.0, -1.0)


@pytest.mark.parametrize("kind", ["point", "hinge", "pose", "distance"])
@pytest.mark.parametrize("count", [2, 3])
def test_loops_survive_the_round_trip(kind: str, count: int) -> None:
    count = 2 if kind == "distance" else count
    rng = np.random.default_rng(7)
    names = ["world", "pin", "side"][:count]
    loops = [
        Loop(
            name=name,
            kind=kind,  # pyright: ignore[reportArgumentType]
            links=tuple(names),
            T_link_frame=np.stack([random_pose(rng) for _ in names]),
            length=0.8 if kind == "distance" else 0.0,
            branch=branch,
        )
        for name, branch in (("first", 0), ("second", -1))
    ]
    model = assemble("looped", everything(), loops=loops)

    back = model_from_mjcf(mjcf_from_model(model))

    assert_same_model(back, model, atol=ROUNDING, without="geometry")
    assert back.link_names == model.link_names  # sites of closures are no links


def test_a_world_that_carries_one_fixed_link_stays_the_root() -> None:
    model = assemble("post", [Link(name="world"), Link(name="base", parent="world")])

    assert_same_model(model_from_mjcf(mjcf_from_model(model)), model)


def test_a_mounted_base_keeps_its_pose() -> None:
    T = random_pose(np.random.default_rng(2))
    moved = np.eye(4)
    moved[:3, 3] = T[:3, 3]  # a fixed root may be moved, but not turned
    for kind, mount in ((JointType.FIXED, moved), (JointType.FLOATING, T)):
        model = assemble("m", [Link(name="a", joint_type=kind, T_parent_joint=mount)])

        back = model_from_mjcf(mjcf_from_model(model))

        assert_same_model(back, model, atol=ROUNDING)


def test_axis_aligned_frames_are_exact_to_the_last_bit() -> None:
    T = np.eye(4)
    T[:3, :3] = [[0, 0, 1], [1, 0, 0], [0, 1, 0]]
    model = assemble(
        "m", [Link(name="a"), Link(name="b", parent="a", T_parent_joint=T)]
    )

    back = model_from_mjcf(mjcf_from_model(model))

    np.testing.assert_array_equal(back.T_parent_joint, model.T_parent_joint)


def test_home_values_of_a_floating_robot_survive() -> None:
    links = [
        Link(name="trunk", joint_type=JointType.FLOATING),
        Link(name="leg", parent="trunk", joint_type=JointType.REVOLUTE, home=0.7),
    ]
    model = assemble("hopper", links)

    assert_same_model(model_from_mjcf(mjcf_from_model(model)), model)


def test_meshes_can_be_left_out() -> None:
    model = assemble("all", everything())

    text = mjcf_from_model(model, meshes="drop")

    assert "mesh" not in text
    assert [len(row) for row in model_from_mjcf(text).geometry][:2] == [1, 0]
    with pytest.raises(ConfigError, match="`meshes` must be 'keep' or 'drop'"):
        mjcf_from_model(model, meshes="no")  # pyright: ignore[reportArgumentType]


def test_the_reserved_name_world_is_refused_for_other_links() -> None:
    inner = [Link(name="base"), Link(name="world", parent="base")]
    floating = [Link(name="world", joint_type=JointType.FLOATING)]
    for links in (inner, floating):
        with pytest.raises(ConfigError, match="MJCF reserves this name: rename"):
            mjcf_from_model(assemble("m", links))


@pytest.mark.filterwarnings("ignore::gelenk.errors.ModelWarning")  # no such mesh
def test_a_saved_file_reads_back_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    model = model_from_mjcf(MJCF)
    path = tmp_path / "walker.xml"

    save_mjcf(model, path)

    assert_same_model(load_mjcf(path), model, atol=ROUNDING)
    assert list(tmp_path.iterdir()) == [path]
