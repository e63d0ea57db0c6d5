"""The robot among the bodies of an MJCF file; `mjcf` has the rule."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from gelenk.models.mjcf_engine import (
    FREE,
    ON_JOINT,
    ON_PARENT,
    ON_TENDON,
    WRAP_JOINT,
    WRAP_SITE,
    CompiledFile,
)
from gelenk.models.mjcf_shape import compiled_pose

WORLD = 0  # index of the world among the bodies
_ON_SITE, _ON_BODY, _ON_CRANK = (4, 6), 5, 2  # what else an actuator drives


@dataclass(frozen=True, slots=True, eq=False)
class Selection:
    """The bodies that are the robot.

    Attributes:
        root: Index of the body that becomes the root link.
        bodies: Indices of all bodies that become links, parents first.
        notes: Sentences on what moves and is no part of the robot.
    """

    root: int
    bodies: list[int]
    notes: list[str]


@dataclass(frozen=True, slots=True, eq=False)
class _Top:
    """A body directly below the world, with all below it."""

    index: int
    is_free: bool
    is_mocap: bool
    num_joints: int
    num_motors: int
    num_bodies: int
    mass: float

    @property
    def rank(self) -> tuple[bool, int, int, float]:
        return self.num_motors > 0, self.num_joints, self.num_bodies, self.mass

    @property
    def is_robot(self) -> bool:
        return self.num_joints > 0 or self.num_motors > 0


def select_robot(compiled: CompiledFile, noted: str | None) -> Selection:
    """Return the bodies that are the robot.

    Args:
        compiled: The compiled file.
        noted: Name of the root link if `mjcf_write` left one.
    """
    tops = _tops(compiled)
    floating = [top for top in tops if top.is_free]
    fixed = [top for top in tops if not top.is_free and not top.is_mocap]
    robots = [top for top in floating if top.is_robot]
    movers = [top for top in fixed if top.is_robot]
    mocaps = [top for top in tops if top.is_mocap]
    if not robots and not movers:
        movers = [top for top in mocaps if top.is_robot]
        fixed += movers
        if not movers:
            robots = floating
    is_driven = any(top.num_motors for top in movers)
    if robots and not (is_driven and not any(top.num_motors for top in robots)):
        base = max(robots, key=lambda top: top.rank)  # the first of equals
        chosen, root = [base], base.index
    else:
        fixed.sort(key=lambda top: top.index)
        chosen, root = fixed, _fixed_root(compiled, fixed, noted)
    members = {top.index for top in chosen}
    bodies = np.flatnonzero(np.isin(compiled.model.body_rootid, list(members)))
    soft = _soft_bodies(compiled)
    found = [i for i in map(int, bodies) if i != WORLD and i not in soft]
    if root == WORLD:
        found = [WORLD, *found]
    rest = [top for top in tops if top.index not in members | soft]
    return Selection(root=root, bodies=found, notes=_notes(compiled, rest))


def _tops(compiled: CompiledFile) -> list[_Top]:
    model = compiled.model
    root = np.array(model.body_rootid)
    free = {int(b) for b in model.jnt_bodyid[np.array(model.jnt_type) == FREE]}
    joints = np.array(model.jnt_bodyid)[np.array(model.jnt_type) != FREE]
    driven = [b for a in range(model.nu) for b in actuated_bodies(compiled, a)]
    soft = _soft_bodies(compiled)
    joints = joints[~np.isin(joints, list(soft))]
    tops: list[_Top] = []
    for i in range(1, model.nbody):
        if model.body_parentid[i] != WORLD or i in soft:
            continue
        inside = root == i
        tops.append(
            _Top(
                index=i,
                is_free=i in free,
                is_mocap=bool(model.body_mocapid[i] >= 0),
                num_joints=int(inside[joints].sum()),
                num_motors=sum(bool(inside[b]) for b in driven),
                num_bodies=int(inside.sum()),
                mass=float(model.body_mass[inside].sum()),
            )
        )
    return tops


def _soft_bodies(compiled: CompiledFile) -> set[int]:
    """Return the bodies that are only corners of deformable ones."""
    model = compiled.model
    if not model.nflex:
        return set()
    corners = {*model.flex_vertbodyid.tolist(), *model.flex_nodebodyid.tolist()}
    parents = set(model.body_parentid.tolist())
    is_bare = np.array(model.body_geomnum) == 0
    return {b for b in corners if b > 0 and is_bare[b] and b not in parents}


def _fixed_root(compiled: CompiledFile, tops: Sequence[_Top], noted: str | None) -> int:
    """Return the only body below the world if it can be the root, else the world."""
    if len(tops) != 1 or compiled.model.body_jntnum[tops[0].index]:
        return WORLD
    i = tops[0].index
    T = compiled_pose(compiled.model.body_pos[i], compiled.model.body_quat[i])
    is_upright = np.allclose(T[:3, :3], np.eye(3), rtol=0, atol=1e-9)
    if noted is None:
        return i if is_upright else WORLD
    return i if noted == compiled.bodies[i].name else WORLD


def actuated_bodies(compiled: CompiledFile, actuator: int) -> list[int]:
    """Return the bodies at which an actuator acts."""
    model = compiled.model
    kind = int(model.actuator_trntype[actuator])
    index = int(model.actuator_trnid[actuator, 0])
    if index < 0:
        return []
    if kind in (ON_JOINT, ON_PARENT):
        return [int(model.jnt_bodyid[index])]
    if kind == ON_TENDON:
        return _tendon_bodies(compiled, index)
    if kind in (*_ON_SITE, _ON_CRANK):
        return [int(model.site_bodyid[index])]
    return [index] if kind == _ON_BODY else []


def _tendon_bodies(compiled: CompiledFile, tendon: int) -> list[int]:
    model = compiled.model
    found: list[int] = []
    for kind, index in tendon_path(compiled, tendon):
        if kind == WRAP_JOINT:
            found.append(int(model.jnt_bodyid[index]))
        elif kind == WRAP_SITE:
            found.append(int(model.site_bodyid[index]))
    return found


def tendon_path(compiled: CompiledFile, tendon: int) -> list[tuple[int, int]]:
    """Return what a tendon runs over: kind and index of each joint, site or geom."""
    model = compiled.model
    first, count = int(model.tendon_adr[tendon]), int(model.tendon_num[tendon])
    rows = slice(first, first + count)
    kinds, indices = model.wrap_type[rows].tolist(), model.wrap_objid[rows].tolist()
    return list(zip(kinds, indices, strict=True))


def _notes(compiled: CompiledFile, rest: Iterable[_Top]) -> list[str]:
    kinds: dict[str, list[str]] = {}
    for top in rest:
        if top.is_mocap:
            kind = "motion-capture bodies"
        elif not top.is_free and not top.is_robot:
            kind = "scenery"
        elif top.is_free and not top.is_robot:
            kind = "loose objects"
        else:
            kind = "other mechanisms"
        kinds.setdefault(kind, []).append(compiled.bodies[top.index].name)
    return [
        f"{kind} that are no part of the robot: {', '.join(map(repr, names))}"
        for kind, names in kinds.items()
    ]
