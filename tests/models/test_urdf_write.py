"""A model written as URDF and read again is the same model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gelenk.errors import ConfigError, ModelWarning
from gelenk.models import catalog
from gelenk.models.assembler import assemble
from gelenk.models.link import Geometry, JointType, Link
from gelenk.models.urdf import load_urdf, model_from_urdf
from gelenk.models.urdf_write import save_urdf, urdf_from_model
from robot_files import URDF, assert_same_model
from testkit.random_models import random_tree

# Two roundings of a rotation by three angles, and one of a unit axis.
ROUNDING = 1e-15
NOT_IN_URDF = "armature home is_passive tool gravity geometry"


@pytest.mark.parametrize("seed", range(6))
def test_a_random_tree_survives_the_round_trip(seed: int) -> None:
    rng = np.random.default_rng(seed)
    model = random_tree(rng, num_joints=10, floating=seed % 2 == 1)

    back = model_from_urdf(urdf_from_model(model))

    assert_same_model(back, model, atol=ROUNDING)
    for name in ("mass", "com", "inertia"):
        np.testing.assert_array_equal(getattr(back, name), getattr(model, name))
    T, expected = back.T_parent_joint, model.T_parent_joint
    np.testing.assert_array_equal(T[:, :3, 3], expected[:, :3, 3])


@pytest.mark.filterwarnings("ignore::gelenk.errors.ModelWarning")
@pytest.mark.parametrize("name", catalog.names())
def test_every_robot_of_the_catalogue_survives_the_round_trip(name: str) -> None:
    model = catalog.make(name)

    back = model_from_urdf(urdf_from_model(model, loops="drop"))

    kept = {name: getattr(model, name) for name in model.__slots__ if name[0] != "_"}
    tree = type(model)(**(kept | {"loops": ()}))
    without = f"{NOT_IN_URDF} T_parent_joint" if model.loops else NOT_IN_URDF
    assert_same_model(back, tree, atol=ROUNDING, without=without)
    np.testing.assert_allclose(
        back.T_parent_joint[1:], model.T_parent_joint[1:], rtol=0, atol=ROUNDING
    )


def test_shapes_colours_limits_and_mimics_survive_the_round_trip() -> None:
    model = model_from_urdf(URDF)

    back = model_from_urdf(urdf_from_model(model))

    assert_same_model(back, model, atol=ROUNDING)


def test_a_second_round_trip_changes_nothing_any_more() -> None:
    text = urdf_from_model(model_from_urdf(URDF))
    again = urdf_from_model(model_from_urdf(text))

    third = urdf_from_model(model_from_urdf(again))

    assert third == again


def test_one_sided_limits_and_missing_speeds_survive() -> None:
    links = [
        Link(name="a"),
        Link(name="b", parent="a", joint_type=JointType.PRISMATIC, lower=-1.0),
        Link(name="c", parent="b", joint_type=JointType.REVOLUTE, upper=2.0),
        Link(name="d", parent="c", joint_type=JointType.REVOLUTE, max_effort=3.0),
        Link(name="e", parent="d", joint_type=JointType.PRISMATIC, max_velocity=0.1),
    ]
    model = assemble("limits", links)

    assert_same_model(model_from_urdf(urdf_from_model(model)), model)


@pytest.mark.parametrize("name", ['a"b', "a<b&c", "bär", "a\tb\nc", "  a", "日本"])
def test_names_with_any_character_survive(name: str) -> None:
    links = [
        Link(name=name),
        Link(name=name + "2", parent=name, joint=name, joint_type=JointType.REVOLUTE),
    ]
    model = assemble(name, links)

    assert_same_model(model_from_urdf(urdf_from_model(model)), model)


def test_a_name_that_xml_cannot_hold_is_refused() -> None:
    model = assemble("bell\x07", [Link(name="a")])

    with pytest.raises(ConfigError, match="character that XML cannot"):
        urdf_from_model(model)


def test_loops_are_not_dropped_unless_asked() -> None:
    model = catalog.make("fourbar")

    with pytest.raises(ConfigError, match=r"URDF cannot hold the loops.*loops='drop'"):
        urdf_from_model(model)

    back = model_from_urdf(urdf_from_model(model, loops="drop"))
    assert not back.loops
    with pytest.raises(ConfigError, match="`loops` must be 'refuse' or 'drop'"):
        urdf_from_model(model, loops="cut")  # pyright: ignore[reportArgumentType]


def test_an_ellipsoid_is_left_out_and_said_so() -> None:
    egg = Geometry(kind="ellipsoid", size=(1.0, 2.0, 3.0), name="egg")
    ball = Geometry(kind="sphere", size=(1.0,), name="ball")
    model = assemble("nest", [Link(name="a", geometry=(egg, ball))])

    with pytest.warns(ModelWarning, match="cannot hold the ellipsoids 'egg'"):
        back = model_from_urdf(urdf_from_model(model))

    assert [shape.name for shape in back.geometry[0]] == ["ball"]


def test_the_world_of_a_floating_base_does_not_take_the_name_of_a_link() -> None:
    links = [Link(name="world", joint_type=JointType.FLOATING, joint="free")]
    model = assemble("earth", links)

    assert_same_model(model_from_urdf(urdf_from_model(model)), model)


@pytest.mark.filterwarnings("ignore:.*no package 'crane'")
def test_a_saved_file_reads_back_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    model = model_from_urdf(URDF)
    path = tmp_path / "crane.urdf"
    path.write_text("old")

    save_urdf(model, path)

    assert_same_model(load_urdf(path), model, atol=ROUNDING)
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    model = model_from_urdf(URDF)

    with pytest.raises(ConfigError, match=r"cannot write .*check that the folder"):
        save_urdf(model, tmp_path / "missing" / "crane.urdf")

    folder = tmp_path / "folder.urdf"
    folder.mkdir()
    with pytest.raises(ConfigError, match="cannot write"):
        save_urdf(model, folder)
    assert list(tmp_path.iterdir()) == [folder]
