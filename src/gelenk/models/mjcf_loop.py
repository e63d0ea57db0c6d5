"""Loops and coupled joints from the equality constraints of a compiled MJCF file.

<connect> becomes a "point" closure, <weld> a "pose" closure, a linear <joint> equality
a mimic law (of one joint alone: equal limits), and a <tendon> equality whose spatial
tendon joins two sites a "distance" closure. Three conventions of `mjcf_write` bring
back what MJCF has no element for: a constraint `x:axis` makes the closure `x` a hinge,
a constraint `x:2` adds a third frame to `x`, and sites named `x:0`, `x:1` only hold
closing frames.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from gelenk.models.link import Loop, LoopKind
from gelenk.models.mjcf_engine import (
    CONNECT,
    JOINT_LAW,
    SITE_OBJECT,
    TENDON_LAW,
    WELD,
    WRAP_SITE,
    CompiledFile,
    Names,
)
from gelenk.models.mjcf_link import drawn_poses, reference_of, site_pose
from gelenk.models.mjcf_robot import WORLD, tendon_path
from gelenk.models.mjcf_shape import compiled_pose
from gelenk.spatial.se3 import inverse
from gelenk.typing import FloatArray

CUSTOM_PREFIX = "gelenk:"  # of the <custom> texts that `mjcf_write` leaves


@dataclass(frozen=True, slots=True, eq=False)
class Anchor:
    """A frame on a link, and where it is when the robot is as drawn in the file."""

    link: str
    T_link_frame: FloatArray
    T_world_frame: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Mimic:
    """Coupling value(joint) = multiplier * value(followed) + offset."""

    joint: int
    followed: int
    multiplier: float
    offset: float


@dataclass(slots=True, eq=False, kw_only=True)
class Equalities:
    """Reads equality constraints.

    Attributes:
        compiled: The compiled file.
        link_of_body: Name of the link of each body that became one.
        root: Index of the body that became the root link.
        is_floating: Whether that floats.
        loops: Loops by name.
        mimics: Laws by index of the joint that follows.
        locks: Values at which joints are held, by index of the joint.
        rods: Tendons that became loops.
        skipped: Sentences on what no model can hold.
    """

    compiled: CompiledFile
    link_of_body: dict[int, str]
    root: int
    is_floating: bool
    loops: dict[str, Loop] = field(default_factory=dict[str, Loop])
    mimics: dict[int, Mimic] = field(default_factory=dict[int, Mimic])
    locks: dict[int, float] = field(default_factory=dict[int, float])
    rods: set[int] = field(default_factory=set[int])
    skipped: list[str] = field(default_factory=list[str])
    _drawn: FloatArray = field(init=False)
    _first_sites: dict[str, int] = field(default_factory=dict[str, int])

    def __post_init__(self) -> None:
        self._drawn = drawn_poses(self.compiled)

    def read(self) -> None:
        """Read all constraints that are active."""
        model = self.compiled.model
        names = Names(equality.name for equality in self.compiled.equalities)
        for e in range(model.neq):
            kind = int(model.eq_type[e])
            if not model.eq_active0[e]:
                continue
            if kind == JOINT_LAW:
                self._read_law(e)
            elif kind in (CONNECT, WELD):
                pair = self._pair(e, kind)
                if not self._extends(e, pair):
                    self._add(e, "point" if kind == CONNECT else "pose", pair, names)
            elif kind == TENDON_LAW:
                self._read_tendon(e, names)
            else:
                self._skip(e, "it holds no bodies or joints")

    def _skip(self, e: int, reason: str) -> None:
        name = self.compiled.equalities[e].name
        label = f"equality {name!r}" if name else f"equality {e}"
        self.skipped.append(f"{label} is kept for the world only: {reason}")

    def _pair(self, e: int, kind: int) -> tuple[Anchor | None, Anchor | None]:
        """Return the frames that a <connect> or <weld> holds together."""
        model = self.compiled.model
        a, b = int(model.eq_obj1id[e]), int(model.eq_obj2id[e])
        data = np.array(model.eq_data[e])
        if int(model.eq_objtype[e]) == SITE_OBJECT:
            return self._site(a), self._site(b)
        first, second = np.eye(4), np.eye(4)
        if kind == CONNECT:
            first[:3, 3] = data[:3]
            second = inverse(self._drawn[b]) @ self._drawn[a] @ first
            second[:3, 3] = data[3:6]
        else:
            first = compiled_pose(data[3:6], data[6:10])
            second[:3, 3] = data[:3]
        return self._anchor(a, first), self._anchor(b, second)

    def _add(
        self,
        e: int,
        kind: LoopKind,
        pair: tuple[Anchor | None, Anchor | None],
        names: Names,
        length: float = 0.0,
    ) -> None:
        a, b = pair
        if a is None or b is None:
            self._skip(e, "it holds a body that is no part of the robot")
            return
        name = self.compiled.equalities[e].name
        name = name or names.claim(f"loop_{len(self.loops) + 1}")
        self._first_sites[name] = int(self.compiled.model.eq_obj1id[e])
        self.loops[name] = Loop(
            name=name,
            kind=kind,
            links=(a.link, b.link),
            T_link_frame=np.stack([a.T_link_frame, b.T_link_frame]),
            length=length,
        )

    def _extends(self, e: int, pair: tuple[Anchor | None, Anchor | None]) -> bool:
        """Add a frame or a hinge axis to an earlier closure, if the name says so."""
        name = str(self.compiled.equalities[e].name)
        stem = name.removesuffix(":axis")
        base, _, number = stem.rpartition(":")
        target = base if number.isdigit() and base in self.loops else stem
        if target not in self.loops or target == name:
            return False
        loop, second = self.loops[target], pair[1]
        if stem != name:
            self.loops[target] = replace(loop, kind="hinge")
            return True
        same = self._first_sites[target] == int(self.compiled.model.eq_obj1id[e])
        if not same or second is None or loop.kind == "distance":
            return False
        frames = np.concatenate(
            [np.asarray(loop.T_link_frame), second.T_link_frame[None]]
        )
        links = (*loop.links, second.link)
        self.loops[target] = replace(loop, links=links, T_link_frame=frames)
        return True

    def _site(self, s: int) -> Anchor | None:
        body = int(self.compiled.model.site_bodyid[s])
        return self._anchor(body, site_pose(self.compiled, s))

    def _anchor(self, body: int, T_body_frame: FloatArray) -> Anchor | None:
        """Return a frame of a body as one of a link; None if the body became none.

        A world that is no link is the root link, unless that floats.
        """
        T_world_frame = self._drawn[body] @ T_body_frame
        if body in self.link_of_body:
            return Anchor(self.link_of_body[body], T_body_frame, T_world_frame)
        if body != WORLD or self.is_floating:
            return None
        T = inverse(self._drawn[self.root]) @ T_world_frame
        return Anchor(self.link_of_body[self.root], T, T_world_frame)

    def _read_law(self, e: int) -> None:
        model = self.compiled.model
        joint, followed = int(model.eq_obj1id[e]), int(model.eq_obj2id[e])
        law = [float(x) for x in model.eq_data[e][:5]]
        y0 = reference_of(self.compiled, joint)
        ids = [joint, followed] if followed >= 0 else [joint]
        if any(int(model.jnt_bodyid[j]) not in self.link_of_body for j in ids):
            self._skip(e, "it holds a body that is no part of the robot")
        elif followed < 0:
            self.locks[joint] = law[0] + y0
        elif any(law[2:]):
            self._skip(e, "the coupling of its joints is not linear")
        elif joint in self.mimics or joint in self._followed_by(followed):
            self._skip(e, "the joint follows another already")
        else:
            x0 = reference_of(self.compiled, followed)
            self.mimics[joint] = Mimic(
                joint=joint,
                followed=followed,
                multiplier=law[1],
                offset=law[0] + y0 - law[1] * x0,
            )

    def _followed_by(self, joint: int) -> set[int]:
        """Return a joint, the one that it follows, the one that this follows, ..."""
        found = {joint}
        while joint in self.mimics and self.mimics[joint].followed not in found:
            joint = self.mimics[joint].followed
            found.add(joint)
        return found

    def _read_tendon(self, e: int, names: Names) -> None:
        model = self.compiled.model
        tendon = int(model.eq_obj1id[e])
        path = tendon_path(self.compiled, tendon)
        is_rod = [kind for kind, _ in path] == [WRAP_SITE] * 2
        if not is_rod or int(model.eq_obj2id[e]) >= 0:
            self._skip(e, "its tendon is no rod between two sites")
            return
        a, b = (self._site(s) for _, s in path)
        length = float(model.eq_data[e][0])
        if a is not None and b is not None:
            gap = a.T_world_frame[:3, 3] - b.T_world_frame[:3, 3]
            length += float(np.linalg.norm(gap))
            self.rods.add(tendon)
        self._add(e, "distance", (a, b), names, length)


def closure_sites(compiled: CompiledFile) -> set[int]:
    """Return the sites that only hold a closure: used by one and named `x:<number>`."""
    model = compiled.model
    used: set[int] = set()
    for e in range(model.neq):
        ends = [int(model.eq_obj1id[e]), int(model.eq_obj2id[e])]
        if int(model.eq_type[e]) == TENDON_LAW:
            path = tendon_path(compiled, ends[0])
            used |= {index for kind, index in path if kind == WRAP_SITE}
        elif int(model.eq_objtype[e]) == SITE_OBJECT:
            used |= set(ends)
    names: dict[int, Any] = {s: compiled.sites[s].name for s in used}
    return {
        s
        for s, name in names.items()
        if ":" in name and name.rpartition(":")[2].isdigit()
    }
