"""Links of a robot as groups of shapes, and the links that are never tested."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterable
from typing import Literal

import numpy as np

from gelenk.collision._build import Group, SceneRobot
from gelenk.collision.objects import solid_geometries
from gelenk.collision.shapes import ConvexShape, convex_shapes
from gelenk.models.link import JointType
from gelenk.models.shapes import load_shapes
from gelenk.models.tree import RobotModel
from gelenk.typing import BoolArray, IntArray

ShapeChoice = Literal["auto", "collision", "visual"]


def robot_groups(
    robot: SceneRobot,
    number: int,
    prefix: str,
    choice: ShapeChoice,
    links: Iterable[str] | None,
    *,
    is_apart: bool,
) -> list[Group]:
    """Return the links with shapes.

    Args:
        robot: The robot.
        number: Number of the robot in its scene.
        prefix: Text in front of the names of its links.
        choice: Shapes that count, see `Scene`.
        links: Links that can be touched; None: all.
        is_apart: Whether meshes are taken apart, see `shapes.convex_shapes`.
    """
    model = robot.model
    chosen = set(model.link_names if links is None else links)
    rows = _shape_rows(model, choice, is_apart)
    return [
        Group(name=prefix + link, shapes=rows[i], robot=number, link=i)
        for i, link in enumerate(model.link_names)
        if rows[i] and link in chosen
    ]


def _shape_rows(
    model: RobotModel, choice: ShapeChoice, is_apart: bool
) -> tuple[tuple[ConvexShape, ...], ...]:
    if choice == "auto":
        rows = solid_geometries(model)
        roles = {shape.role for row in rows for shape in row}
        if roles != {"collision"}:
            what = "its visual shapes are used" if roles else "nothing can hit it"
            warnings.warn(
                f"robot {model.name!r} has no collision shapes: {what}",
                stacklevel=5,
            )
        choice = "collision" if "collision" in roles else "visual"
    return model._cached(
        ("convex shapes", choice, is_apart), lambda: _pieces(model, choice, is_apart)
    )


def _pieces(
    model: RobotModel, choice: ShapeChoice, is_apart: bool
) -> tuple[tuple[ConvexShape, ...], ...]:
    rows = model.geometry or ((),) * len(model.link_names)
    load_shapes([shape for row in rows for shape in row if shape.role == choice])
    return tuple(
        tuple(
            piece
            for shape in row
            if shape.role == choice
            for piece in convex_shapes(shape, is_apart=is_apart)
        )
        for row in rows
    )


def rigid_bodies(model: RobotModel) -> IntArray:
    """Return the first link of the rigid body of each link, shape (n,)."""
    first = np.arange(len(model.link_names))
    for i in range(1, len(first)):
        if model.joint_type[i] == int(JointType.FIXED):
            first[i] = first[model.parent[i]]
    return first


def adjacent_links(model: RobotModel) -> BoolArray:
    """Return which links are of one rigid body or share a joint, shape (n, n)."""
    first = rigid_bodies(model)
    joined = first[:, None] == first
    for i in np.flatnonzero(first == np.arange(len(first))).tolist():
        if i > 0:
            _join(joined, first, i, int(model.parent[i]))
    for loop in model.loops:
        if loop.kind != "distance":
            for a, b in itertools.combinations(loop.links, 2):
                _join(joined, first, a, b)
    return joined


def _join(joined: BoolArray, first: IntArray, a: int, b: int) -> None:
    """Note that all links of two bodies are neighbours."""
    one, other = first == first[a], first == first[b]
    joined |= one[:, None] & other
    joined |= other[:, None] & one


def never_tested(model: RobotModel) -> BoolArray:
    """Return which links are neighbours or excluded by the model, shape (n, n)."""
    never = adjacent_links(model)
    for a, b in model.excluded_pairs:
        i, j = model.link_id(a), model.link_id(b)
        never[i, j] = never[j, i] = True
    return never
