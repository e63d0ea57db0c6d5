"""Contents of a scene, and which of its pairs are tested."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from gelenk.checks import as_finite
from gelenk.collision._build import Group, SceneRobot, can_move
from gelenk.collision.objects import Collidable, PlacedModel
from gelenk.collision.robot_groups import never_tested, rigid_bodies
from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.models.tree import RobotModel
from gelenk.spatial import se3
from gelenk.typing import ArrayLike, IntArray

AnyRobot: TypeAlias = RobotModel | PlacedModel
Pair: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SceneContents:
    """Parts of a scene; a change makes a new scene."""

    robots: tuple[SceneRobot, ...]
    groups: tuple[Group, ...]
    allowed: frozenset[frozenset[str]]
    margin: float
    margins: Mapping[frozenset[str], float]
    self_collision: bool
    is_apart: bool


def placed_robot(robot: Any, T_world_base: ArrayLike | None) -> SceneRobot:
    if isinstance(robot, RobotModel):
        T = np.eye(4) if T_world_base is None else T_world_base
        T = np.array(as_finite("T_world_base", T, (4, 4)))
        if T.shape != (4, 4) or not se3.is_pose(T):
            raise ConfigError("`T_world_base` must be a pose")
        return SceneRobot(name=robot.name, model=robot, T_world_base=T)
    if not isinstance(robot, PlacedModel):
        raise ConfigError(f"`robot` must be a robot, got {type(robot).__name__}")
    if T_world_base is not None:
        raise ConfigError(f"{robot.name!r} has a place; leave `T_world_base` away")
    return SceneRobot(
        name=robot.name, model=robot.model, T_world_base=np.array(robot.T_world_base)
    )


def as_collidable(thing: Any) -> Collidable:
    if not isinstance(thing, Collidable):
        raise ConfigError(
            "an obstacle must be a CollisionObject, or have a name and a method "
            f"`collision_shapes`, got {type(thing).__name__}"
        )
    return thing


def pair_names(pair: Any) -> frozenset[str]:
    names = tuple(getattr(pair, "pair", pair))
    if len(names) != 2 or not all(isinstance(name, str) for name in names):
        raise ConfigError(f"a pair must be two names, got {pair!r}")
    return frozenset(names)


def named_links(robots: Sequence[SceneRobot]) -> dict[str, tuple[int, int]]:
    """Return robot and index of every link by its name in the scene."""
    return {
        (f"{one.name}/{link}" if len(robots) > 1 else link): (k, i)
        for k, one in enumerate(robots)
        for i, link in enumerate(one.model.link_names)
    }


def list_pairs(contents: SceneContents) -> IntArray:
    """Return the pairs of groups that are tested, shape (p, 2)."""
    groups, allowed = contents.groups, contents.allowed
    first = [rigid_bodies(one.model) for one in contents.robots]
    never = [never_tested(one.model) for one in contents.robots]
    is_loose = [can_move(contents.robots, group) for group in groups]
    found: list[tuple[int, int]] = []
    for g, a in enumerate(groups):
        if a.robot < 0:
            break
        for h in range(g + 1, len(groups)):
            b = groups[h]
            if not (is_loose[g] or is_loose[h]):
                continue
            if a.robot == b.robot:
                if a.is_attached or b.is_attached:
                    bodies = first[a.robot]
                    is_skipped = bodies[a.link] == bodies[b.link]
                else:
                    is_near = never[a.robot][a.link, b.link]
                    is_skipped = is_near or not contents.self_collision
                if is_skipped:
                    continue
            if frozenset((a.name, b.name)) not in allowed:
                found.append((g, h))
    return np.array(found, dtype=np.int64).reshape(-1, 2)


def check_contents(contents: SceneContents) -> None:
    """Raise an error if names are taken twice or unknown, or a margin makes no sense.

    Raises:
        ConfigError: If two things share a name, or a margin is negative or not finite.
        NameNotFoundError: If an allowed pair or a margin names what is not there.
    """
    names = [group.name for group in contents.groups]
    for name in names:
        if names.count(name) > 1:
            raise ConfigError(f"two things are named {name!r}; rename one")
    told = {name for p in (*contents.allowed, *contents.margins) for name in p}
    known = {*names, *named_links(contents.robots)}
    for name in sorted(told - known):
        raise NameNotFoundError("link or object", name, known)
    for value in (contents.margin, *contents.margins.values()):
        if not (np.isfinite(value) and value >= 0.0):
            raise ConfigError(f"margins must be finite and >= 0 m, got {value}")
