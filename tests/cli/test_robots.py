"""`gelenk list` and `gelenk robot`: what they print is what the model is."""

import re

import numpy as np
import pytest

import gelenk as package
from gelenk.cli import exit_codes
from gelenk.cli.console import format_table
from gelenk.cli.robot import draw_links
from gelenk.models.assembler import assemble
from gelenk.models.catalog import registry
from gelenk.models.link import JointType, Link
from gelenk.runtime.files import as_plain


def test_the_list_names_every_robot_once(gelenk) -> None:
    lines = gelenk("list", "robot").out.splitlines()[1:]

    assert [line.split()[0] for line in lines] == list(registry.names())


def test_the_list_as_json_tells_joints_and_sources(gelenk) -> None:
    subjects = gelenk("list", "robot", "--json").json()["subjects"]
    entries = {entry["name"]: entry for entry in subjects}

    assert tuple(sorted(entries)) == registry.names()
    assert entries["scara"]["joints"] == "RRPR"
    assert all(entry["provenance"] for entry in entries.values())


@pytest.mark.parametrize("name", registry.names())
def test_every_robot_can_be_shown_and_its_figures_are_those_of_the_model(
    gelenk, name: str
) -> None:
    model = package.load(name)

    facts = gelenk("robot", name, "--json").json()
    text = gelenk("robot", name).out

    assert [joint["name"] for joint in facts["joints"]] == list(model.joint_names)
    assert facts["mass"] == pytest.approx(float(model.mass.sum()), rel=1e-15)
    lower = [np.nan if j["lower"] is None else j["lower"] for j in facts["joints"]]
    np.testing.assert_array_equal(
        np.isnan(lower), np.isinf(model.limits[0]), "infinite limits are null"
    )
    finite = ~np.isnan(lower)
    np.testing.assert_array_equal(np.array(lower)[finite], model.limits[0][finite])
    for joint in model.joint_names:
        assert joint in text
    for link in model.link_names:
        assert link in text


def test_units_follow_the_kind_of_joint(gelenk) -> None:
    rows = [line.split() for line in gelenk("robot", "scara").out.splitlines()]
    kinds = {row[1]: row for row in rows if len(row) > 5 and row[0].isdigit()}

    slider = next(row for row in kinds.values() if row[2] == "prismatic")
    hinge = next(row for row in kinds.values() if row[2] == "revolute")
    assert "m" in slider
    assert "rad" in hinge


def test_degrees_are_those_of_the_radians(gelenk) -> None:
    upper = package.load("panda").limits[1, 0]

    line = next(
        line
        for line in gelenk("robot", "panda", "--degrees").out.splitlines()
        if "joint_1" in line
    )

    assert f"{np.rad2deg(upper):.4g}" in line
    assert "deg" in line


def test_a_loop_and_the_joints_it_sets_are_told(gelenk) -> None:
    text = gelenk("robot", "fourbar").out

    assert "set by a loop" in text
    assert "loop " in text


def test_a_tree_picture_indents_branches_and_keeps_chains_in_one_column() -> None:
    links = [
        Link(name="trunk"),
        Link(name="left", parent="trunk", joint_type=JointType.REVOLUTE),
        Link(name="hand", parent="left", joint_type=JointType.PRISMATIC),
        Link(name="right", parent="trunk", mass=2.0),
    ]

    picture = draw_links(assemble("two arms", links))

    assert picture.splitlines() == [
        "trunk  fixed to the world",
        "├── ↻ left_joint → left",
        "│   ⇕ hand_joint → hand",
        "└── ─ → right  2 kg",
    ]


def test_json_has_no_infinities() -> None:
    value = {"a": np.array([1.0, np.inf]), "b": (np.float64(2.0), None, True)}

    assert as_plain(value) == {"a": [1.0, None], "b": [2.0, None, True]}


def test_something_that_json_cannot_hold_is_refused() -> None:
    with pytest.raises(TypeError, match="object"):
        as_plain(object())


def test_a_table_without_rows_shows_its_header() -> None:
    assert format_table(("joint", "mass"), []) == "joint  mass"


def test_the_list_has_one_line_for_each_subject_with_its_kinds(gelenk) -> None:
    lines = gelenk("list").out.splitlines()[1:]

    names = [line.split()[0] for line in lines]
    assert len(names) == len(set(names))
    assert {"hall", "panda", "piggy/play", "armbot/tower"} <= set(names)
    assert re.search(r"^hall +scene, scenario +Things ride", "\n".join(lines), re.M)
    assert gelenk("list", "scenery").code == exit_codes.IMPOSSIBLE
