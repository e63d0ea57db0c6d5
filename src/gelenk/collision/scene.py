"""`Scene`: robots, what they carry, what stands around them, what collides."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gelenk.checks import as_finite, as_kernel_array
from gelenk.collision import _batch, _gradient
from gelenk.collision._build import (
    Group,
    build_tables,
    carried,
    group_of,
    released,
    tree_sizes,
)
from gelenk.collision._contents import (
    AnyRobot,
    Pair,
    SceneContents,
    as_collidable,
    check_contents,
    list_pairs,
    named_links,
    pair_names,
    placed_robot,
)
from gelenk.collision._tables import SceneTables, SceneWork, new_work
from gelenk.collision.objects import Collidable
from gelenk.collision.results import CollisionContact, Distances
from gelenk.collision.robot_groups import ShapeChoice, robot_groups
from gelenk.errors import ConfigError, NameNotFoundError, ShapeError
from gelenk.kernels.batch import in_pieces
from gelenk.kinematics.configuration import tree_coordinates
from gelenk.kinematics.forward import tree_link_poses
from gelenk.kinematics.loops.close import close_loops, velocity_map
from gelenk.models.tree import RobotModel
from gelenk.spatial import se3
from gelenk.typing import ArrayLike, BoolArray, FloatArray


class Scene:
    """Robots, what they carry and what stands around them; immutable.

    Every robot is a tree of links with shapes; a mesh counts as its convex hull unless
    it is taken apart.
    Several robots have one configuration, theirs one behind the other, and their
    links are named `robot/link`.

    Never tested are two things that both cannot move, links that are rigidly joined,
    neighbours on both sides of a joint or of a loop closure, the model's
    `excluded_pairs`, and pairs that are `allowed`.

    Args:
        robot: Robot, with a place if it is one of a world (`gelenk.sim.Robot`), or
            several with different names.
        obstacles: Things that stand: `CollisionObject`, objects of a world, robots of a
            world at their configuration, or anything else with their method
            `collision_shapes`.
        T_world_base: Pose of the base of a single robot without a place, (4, 4).
        allowed: Pairs of names that may touch, or what `find_allowed_pairs` returned.
        margin: Distance that all pairs must keep [m].
        margins: Distances of single pairs of names that replace it [m].
        self_collision: Whether links of one robot are tested against each other.
        shapes: Shapes of robots that count: "collision", "visual", or "auto": the
            first kind where a robot has it, else the other, with a warning.
        decompose: Whether meshes are taken apart into convex pieces by CoACD, see
            `gelenk.geometry.decompose`, instead of counting as their hulls.

    Example:
        >>> import gelenk
        >>> from gelenk.collision import Scene
        >>> from gelenk.sim import Box
        >>> wall = Box(name="wall", size=(0.1, 2.0, 2.0), position=(0.5, 0.0, 0.5))
        >>> scene = Scene(gelenk.load("panda"), [wall], shapes="visual")
        >>> bool(scene.is_free([0.0, -1.2, 0.0, -2.4, 0.0, 1.6, 0.8]))
        True
        >>> bool(scene.is_free([0.0, 0.8, 0.0, -1.0, 0.0, 1.6, 0.8]))
        False
    """

    def __init__(
        self,
        robot: AnyRobot | Sequence[AnyRobot],
        obstacles: Iterable[Collidable] = (),
        *,
        T_world_base: ArrayLike | None = None,
        allowed: Iterable[Any] = (),
        margin: float = 0.0,
        margins: Mapping[Pair, float] | None = None,
        self_collision: bool = True,
        shapes: ShapeChoice = "auto",
        decompose: bool = False,
    ) -> None:
        given = robot if isinstance(robot, Sequence) else (robot,)
        robots = tuple(placed_robot(one, T_world_base) for one in given)
        if not robots or len({one.name for one in robots}) < len(robots):
            raise ConfigError(
                "`robot` must be one or several robots with different names, got "
                f"{[one.name for one in robots]}"
            )
        if T_world_base is not None and len(robots) > 1:
            raise ConfigError("`T_world_base` is for one robot; give several a place")
        groups: list[Group] = []
        for k, one in enumerate(robots):
            links = getattr(given[k], "colliding_links", None)
            prefix = f"{one.name}/" if len(robots) > 1 else ""
            groups += robot_groups(one, k, prefix, shapes, links, is_apart=decompose)
        groups += [
            group_of(as_collidable(thing), is_apart=decompose) for thing in obstacles
        ]
        self._fill(
            SceneContents(
                robots=robots,
                groups=tuple(groups),
                allowed=frozenset(pair_names(pair) for pair in allowed),
                margin=margin,
                margins={pair_names(p): m for p, m in (margins or {}).items()},
                self_collision=self_collision,
                is_apart=decompose,
            )
        )

    def _fill(self, contents: SceneContents) -> None:
        self._contents = contents
        check_contents(contents)
        names = [group.name for group in contents.groups]
        self._pairs = list_pairs(contents)
        rows: list[list[int]] = self._pairs.tolist()
        self.pairs: tuple[Pair, ...] = tuple((names[g], names[h]) for g, h in rows)
        margins = [
            contents.margins.get(frozenset(p), contents.margin) for p in self.pairs
        ]
        self.tables: SceneTables = build_tables(
            contents.robots, contents.groups, self._pairs, np.array(margins)
        )
        self._local = threading.local()
        sizes = [one.model.nq for one in contents.robots]
        self.nq = sum(sizes)
        self.nv = sum(one.model.nv for one in contents.robots)
        self._num_v = sum(tree_sizes(one.model)[1] for one in contents.robots)
        self._starts = np.cumsum([0, *sizes]).tolist()
        self._has_loops = any(one.model.loops for one in contents.robots)

    def __repr__(self) -> str:
        contents = self._contents
        robots = ", ".join(repr(one.name) for one in contents.robots)
        carried_things = [g.name for g in contents.groups if g.is_attached]
        with_these = f" with {', '.join(carried_things)}" if carried_things else ""
        return (
            f"Scene({robots}{with_these}: {len(self.obstacles)} obstacles, "
            f"{len(self.pairs)} pairs)"
        )

    @property
    def robots(self) -> tuple[RobotModel, ...]:
        """The robots, in the order of their coordinates."""
        return tuple(one.model for one in self._contents.robots)

    @property
    def bases(self) -> tuple[FloatArray, ...]:
        """Poses of the robots' bases in the world, each of shape (4, 4)."""
        return tuple(one.T_world_base for one in self._contents.robots)

    @property
    def obstacles(self) -> tuple[str, ...]:
        """Names of the things that stand."""
        return tuple(g.name for g in self._contents.groups if g.robot < 0)

    @property
    def attached(self) -> tuple[str, ...]:
        """Names of the things that robots carry."""
        return tuple(g.name for g in self._contents.groups if g.is_attached)

    @property
    def link_groups(self) -> tuple[str, ...]:
        """Names of the links that have shapes."""
        groups = self._contents.groups
        return tuple(g.name for g in groups if g.robot >= 0 and not g.is_attached)

    # -- questions ------------------------------------------------------------------

    def is_free(self, q: ArrayLike) -> BoolArray:
        """Return whether all pairs keep their margins, shape (...).

        A closed mechanism that cannot be assembled, and a configuration that is not
        finite, is not free.

        Args:
            q: Configurations of the robots, shape (..., nq).
        """
        q = as_kernel_array(q)
        if q.shape == (self.nq,) and not self._has_loops:
            work, rows, out = self._room()
            rows[0] = q
            _batch.are_free(self.tables, work, rows, out)
            return out[0]
        rows, batch, closed = self.tree_rows(q, is_strict=False)
        out = np.empty(len(rows), dtype=np.bool_)

        def run(part: slice) -> None:
            _batch.are_free(self.tables, new_work(self.tables), rows[part], out[part])

        in_pieces(len(rows), run)
        return (out & closed).reshape(batch)[()]

    def distance(
        self, q: ArrayLike, *, within: float = np.inf, gradient: bool = False
    ) -> Distances:
        """Return distances, nearest points and normals of all pairs.

        Args:
            q: Configurations of the robots, shape (..., nq).
            within: Distance up to which pairs are looked at [m]; those farther apart
                have the distance inf, and NaN for points and normals.
            gradient: Whether to add the derivatives of the distances.

        Raises:
            LoopError: If a closed mechanism cannot be assembled.
        """
        as_finite("q", q, (self.nq,))
        rows, batch, _ = self.tree_rows(as_kernel_array(q), is_strict=True)
        tables, count = self.tables, len(self.pairs)
        out = np.empty((len(rows), count, 10))
        slopes = np.empty((len(rows), count, self._num_v if gradient else 0))

        def run(part: slice) -> None:
            work = self._room()[0] if len(rows) == 1 else new_work(tables)
            _batch.distances(tables, work, rows[part], within, out[part])
            if gradient:
                _gradient.gradients(tables, work, rows[part], out[part], slopes[part])

        in_pieces(len(rows), run)
        if gradient and self._has_loops:
            slopes = self._by_motors(slopes, rows)
        return Distances(
            pairs=self.pairs,
            distance=out[:, :, 0].reshape(*batch, count),
            points=out[:, :, 4:].reshape(*batch, count, 2, 3),
            normals=out[:, :, 1:4].reshape(*batch, count, 3),
            gradient=slopes.reshape(*batch, count, self.nv) if gradient else None,
        )

    def contacts(self, q: ArrayLike) -> tuple[CollisionContact, ...]:
        """Return the pairs that do not keep their margins, the deepest first.

        Args:
            q: One configuration of the robots, shape (nq,).

        Raises:
            LoopError: If a closed mechanism cannot be assembled.
        """
        if np.ndim(q) != 1:
            raise ShapeError("q", expected=f"({self.nq},)", actual=np.shape(q))
        margins = self.tables.margins
        found = self.distance(q, within=float(margins.max(initial=0.0)) + 1e-12)
        short = np.flatnonzero(found.distance <= margins)
        order = short[np.argsort(found.distance[short], kind="stable")]
        return tuple(
            CollisionContact(
                pair=self.pairs[k],
                distance=float(found.distance[k]),
                points=found.points[k],
                normal=found.normals[k],
            )
            for k in map(int, order)
        )

    # -- changes --------------------------------------------------------------------

    def attach(
        self,
        thing: str | Collidable,
        link: str,
        *,
        q: ArrayLike | None = None,
        T_link_thing: ArrayLike | None = None,
        touching: Iterable[str] = (),
    ) -> Scene:
        """Return the scene with a thing fixed to a link.

        Args:
            thing: Name of an obstacle, or a new thing.
            link: Name of the link that carries it.
            q: Configuration at which it is taken from its place in the world.
            T_link_thing: Pose in the link instead of that: of a new thing's frame
                whose place in the world is the origin, shape (4, 4).
            touching: Links and things that it may touch, such as fingers.
        """
        if (q is None) == (T_link_thing is None):
            raise ConfigError("give either `q` or `T_link_thing`, not both or none")
        contents = self._contents
        robot, index = self._find_link(link)
        groups = contents.groups
        if isinstance(thing, str):
            group = self._find(thing, [g for g in groups if g.robot < 0], "obstacle")
            groups = tuple(g for g in groups if g is not group)
        else:
            group = group_of(as_collidable(thing), is_apart=contents.is_apart)
        if group.is_endless or group.field:
            raise ConfigError(f"{group.name!r} is ground, which no link can carry")
        if T_link_thing is not None:
            T = as_finite("T_link_thing", T_link_thing, (4, 4))
        else:
            assert q is not None
            T = se3.inverse(self._link_pose(q, robot, index))
        touches = {frozenset((group.name, name)) for name in (link, *touching)}
        first = next((k for k, g in enumerate(groups) if g.robot < 0), len(groups))
        held = carried(group, robot, index, T)
        return self._changed(
            groups=(*groups[:first], held, *groups[first:]),
            allowed=contents.allowed | touches,
        )

    def detach(self, name: str, *, q: ArrayLike | None = None) -> Scene:
        """Return the scene with an attached thing left where it is.

        Args:
            name: Name of the thing.
            q: Configuration at which it is left behind as an obstacle; None: it is
                taken out of the scene.
        """
        contents = self._contents
        group = self._find(name, [g for g in contents.groups if g.is_attached], "thing")
        groups = tuple(g for g in contents.groups if g is not group)
        if q is not None:
            T = self._link_pose(q, group.robot, group.link)
            groups = (*groups, released(group, T))
        gone = {pair for pair in contents.allowed if name in pair}
        allowed = contents.allowed - gone
        kept = {
            p: m for p, m in contents.margins.items() if q is not None or name not in p
        }
        return self._changed(groups=groups, allowed=allowed, margins=kept)

    def with_obstacles(self, *things: Collidable) -> Scene:
        """Return the scene with more things that stand.

        Args:
            things: Things as `obstacles` of a scene.
        """
        is_apart = self._contents.is_apart
        more = tuple(group_of(as_collidable(t), is_apart=is_apart) for t in things)
        return self._changed(groups=(*self._contents.groups, *more))

    def without(self, *names: str) -> Scene:
        """Return the scene without some obstacles or attached things.

        Args:
            names: Names of the things.
        """
        contents = self._contents
        things = [g for g in contents.groups if g.robot < 0 or g.is_attached]
        gone = {self._find(name, things, "thing").name for name in names}
        return self._changed(
            groups=tuple(g for g in contents.groups if g.name not in gone),
            allowed=frozenset(p for p in contents.allowed if not p & gone),
            margins={p: m for p, m in contents.margins.items() if not p & gone},
        )

    def with_allowed(self, pairs: Iterable[Any]) -> Scene:
        """Return the scene with more pairs that may touch.

        Args:
            pairs: Pairs of names, or what `find_allowed_pairs` returned.
        """
        more = {pair_names(pair) for pair in pairs}
        return self._changed(allowed=self._contents.allowed | more)

    def _changed(self, **changes: Any) -> Scene:
        scene = object.__new__(Scene)
        scene._fill(replace(self._contents, **changes))
        return scene

    # -- inside ---------------------------------------------------------------------

    def _room(self) -> tuple[SceneWork, FloatArray, BoolArray]:
        """Return this thread's room for one configuration."""
        local = self._local
        if not hasattr(local, "room"):
            num_q = sum(tree_sizes(robot)[0] for robot in self.robots)
            out = np.empty(1, dtype=np.bool_)
            local.room = new_work(self.tables), np.empty((1, num_q)), out
        return local.room

    def tree_rows(
        self, q: FloatArray, *, is_strict: bool = False
    ) -> tuple[FloatArray, tuple[int, ...], BoolArray]:
        """Return rows of tree coordinates, the batch, and whether loops close.

        Args:
            q: Configurations of the robots, shape (..., nq).
            is_strict: Whether to raise where loops do not close.
        """
        if q.ndim == 0 or q.shape[-1] != self.nq:
            raise ShapeError("q", expected=f"(..., {self.nq})", actual=q.shape)
        batch = q.shape[:-1]
        rows = q.reshape(int(np.prod(batch)), self.nq)
        closed = np.ones(len(rows), dtype=np.bool_)
        if not self._has_loops:
            return rows, batch, closed
        parts: list[FloatArray] = []
        for k, robot in enumerate(self.robots):
            own = rows[:, self._starts[k] : self._starts[k + 1]]
            if not robot.loops or is_strict:
                parts.append(tree_coordinates(robot, own))
                continue
            result = close_loops(robot, own)
            parts.append(result.q_tree)
            closed &= result.closed
        return as_kernel_array(np.concatenate(parts, axis=1)), batch, closed

    def _by_motors(self, slopes: FloatArray, rows: FloatArray) -> FloatArray:
        """Return derivatives by the motors' velocities instead of the cut tree's."""
        parts: list[FloatArray] = []
        q0 = v0 = 0
        for robot in self.robots:
            num_q, num_v = tree_sizes(robot)
            part = slopes[:, :, v0 : v0 + num_v]
            if robot.loops:
                part = part @ velocity_map(robot, rows[:, q0 : q0 + num_q])
            parts.append(part)
            q0, v0 = q0 + num_q, v0 + num_v
        return np.concatenate(parts, axis=2)

    def _link_pose(self, q: ArrayLike, robot: int, link: int) -> FloatArray:
        rows, _, _ = self.tree_rows(as_finite("q", q, (self.nq,)), is_strict=True)
        first = sum(tree_sizes(one)[0] for one in self.robots[:robot])
        placed = self._contents.robots[robot]
        own = rows[0, first : first + tree_sizes(placed.model)[0]]
        return placed.T_world_base @ tree_link_poses(placed.model, own)[link]

    def _find_link(self, name: str) -> tuple[int, int]:
        robots = self._contents.robots
        names = named_links(robots)
        if name not in names:
            raise NameNotFoundError("link", name, names)
        return names[name]

    @staticmethod
    def _find(name: str, groups: Sequence[Group], kind: str) -> Group:
        for group in groups:
            if group.name == name:
                return group
        raise NameNotFoundError(kind, name, [group.name for group in groups])
