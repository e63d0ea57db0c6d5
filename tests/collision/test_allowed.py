"""Pairs that need not be tested: found by trying, and kept in SRDF files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gelenk.collision import (
    AllowedPair,
    Scene,
    find_allowed_pairs,
    load_allowed_pairs,
    save_allowed_pairs,
)
from gelenk.errors import FileFormatError
from gelenk.models import Geometry, JointType, Link, assemble


def ball(radius: float, x: float = 0.0) -> Geometry:
    T = np.eye(4)
    T[0, 3] = x
    return Geometry(kind="sphere", size=(radius,), T_link_geometry=T, role="collision")


def chain():
    """Rods that turn about z, each 1 m long, whose knobs meet in some poses."""
    links = [Link(name="base", geometry=(ball(0.1),))]
    for name, knob in (("first", 0.2), ("second", 0.2), ("third", 0.2)):
        T = np.eye(4)
        T[0, 3] = 1.0 if len(links) > 1 else 0.0
        links.append(
            Link(
                name=name,
                parent=links[-1].name,
                joint_type=JointType.REVOLUTE,
                T_parent_joint=T,
                lower=-2.9 if name != "first" else -1.0,
                upper=2.9 if name != "first" else 1.0,
                geometry=(ball(knob, 0.9),),
            )
        )
    collar = Link(name="collar", parent="base", geometry=(ball(0.3, -2.8),))
    links.append(collar)
    shroud = Link(name="shroud", parent="second", geometry=(ball(1.0, 0.5),))
    links.append(shroud)
    return assemble("rods", links)


def test_pairs_are_adjacent_always_or_never_in_collision() -> None:
    model = chain()
    found = find_allowed_pairs(model, rng=np.random.default_rng(0), samples=3000)
    reasons = {frozenset(one.pair): one.reason for one in found}

    assert reasons[frozenset(("base", "first"))] == "adjacent"
    assert reasons[frozenset(("second", "shroud"))] == "adjacent"
    assert reasons[frozenset(("third", "shroud"))] == "adjacent"
    assert reasons[frozenset(("first", "collar"))] == "adjacent"
    assert reasons[frozenset(("collar", "third"))] == "never"
    assert frozenset(("base", "second")) not in reasons  # in some poses
    counts = Scene(model).is_free(
        np.random.default_rng(1).uniform(*model.limits, (500, 3))
    )
    allowed = Scene(model, allowed=found).is_free(
        np.random.default_rng(1).uniform(*model.limits, (500, 3))
    )
    never = [one for one in found if one.reason == "never"]
    same = Scene(model, allowed=never).is_free(
        np.random.default_rng(1).uniform(*model.limits, (500, 3))
    )
    np.testing.assert_array_equal(same, counts)
    assert 0 < allowed.mean() < 1


def test_a_pair_that_always_collides_is_found() -> None:
    middle = Link(
        name="middle",
        parent="base",
        joint_type=JointType.REVOLUTE,
        lower=-1.0,
        upper=1.0,
    )
    end = Link(
        name="end",
        parent="middle",
        joint_type=JointType.REVOLUTE,
        lower=-1.0,
        upper=1.0,
        geometry=(ball(0.1),),
    )
    base = Link(name="base", geometry=(ball(0.2),))
    model = assemble("knot", [base, middle, end])

    found = find_allowed_pairs(model, rng=np.random.default_rng(0), samples=100)

    assert found == (AllowedPair(pair=("base", "end"), reason="always"),)


def test_pairs_come_back_from_their_file(tmp_path: Path) -> None:
    found = find_allowed_pairs(chain(), rng=np.random.default_rng(0), samples=200)
    path = tmp_path / "rods.srdf"

    save_allowed_pairs(path, "rods", found)

    assert load_allowed_pairs(path) == found
    assert 'reason="Adjacent"' in path.read_text()


def test_a_file_of_moveit_is_read(tmp_path: Path) -> None:
    path = tmp_path / "arm.srdf"
    path.write_text(
        '<?xml version="1.0"?><robot name="arm"><group name="g"/>'
        '<disable_collisions link1="a" link2="b" reason="Default"/>'
        '<disable_collisions link1="b" link2="c" reason="Adjacent"/></robot>'
    )

    assert load_allowed_pairs(path) == (
        AllowedPair(pair=("a", "b"), reason="excluded"),
        AllowedPair(pair=("b", "c"), reason="adjacent"),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<mujoco/>", "begins with <robot>"),
        ('<robot name="a"><disable_collisions link1="a"/></robot>', "`link2`"),
        ("", "empty"),
    ],
)
def test_a_broken_file_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "arm.srdf"
    path.write_text(text)

    with pytest.raises(FileFormatError, match=message):
        load_allowed_pairs(path)
