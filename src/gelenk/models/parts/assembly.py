"""`Assembly`: parts joined to a robot, one line per part.

The shell around the frozen records of `components`: it knows which part carries which,
refuses what cannot be joined, and builds the `RobotModel`.
"""

from __future__ import annotations

from collections.abc import Sequence

from gelenk.errors import ModelError, NameNotFoundError
from gelenk.models.parts.components import BodyPart, Part
from gelenk.models.parts.tip import (
    ClosedChain,
    ClosureMode,
    ConnectionPoint,
    Tip,
    connection_pose,
)
from gelenk.typing import ArrayLike, FloatArray


class Assembly(Tip):
    """A robot under construction. It is itself the place of its body.

    Chaining attaches part behind part; a variable keeps a place where several chains
    start.

    Args:
        body: Root of the robot; by default a standing body without mass.

    Example:
        >>> from gelenk import Assembly
        >>> arm = Assembly()
        >>> hand = (
        ...     arm.servo("waist", limits=(-2.6, 2.6))
        ...     .segment((0.0, 0.0, 0.3), "column", mass=4.0)
        ...     .servo("shoulder", axis="xz")
        ...     .segment(0.4, "upper_arm", mass=2.0)
        ...     .servo("elbow", axis="xz")
        ...     .segment(0.3, "forearm", mass=1.0)
        ...     .servo("wrist_pitch", axis="xz")
        ...     .servo("wrist_roll", axis="yz")
        ...     .gripper_mount("hand")
        ... )
        >>> arm.build("five_axis_arm")
        RobotModel('five_axis_arm': 5 joints RRRRR, 10 links, tool hand)

    Attributes:
        parts: Records in the order of attachment, the body first.
        names: Names of the parts.
        parents: Index of the fix-side part of each, -1 for the body.
        T_fix_tail: Connection point that carries each part, shape (4, 4) each.
        closed_chains: Closures by name.
    """

    def __init__(self, body: BodyPart | None = None) -> None:
        body = BodyPart("body") if body is None else body
        if not isinstance(body, BodyPart):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ModelError(f"a robot starts with a body, got {body}")
        self._assembly, self._index = self, 0
        self.parts: list[Part] = [body]
        self.names: list[str] = [body.name or "body"]
        self.parents: list[int] = [-1]
        self.T_fix_tail: list[FloatArray | None] = [None]
        self.num_carried: list[int] = [0]
        self.closed_chains: dict[str, ClosedChain] = {}
        self._index_by_name: dict[str, int] = {self.names[0]: 0}
        self._records = {id(body)}
        self._num_unnamed: dict[str, int] = {}

    def __repr__(self) -> str:
        return f"Assembly({self.name!r}, {len(self.parts)} parts)"

    def get(self, name: str) -> Tip:
        """Return a part in its place by name.

        Raises:
            NameNotFoundError: If no part has this name.
        """
        return self._tip(self.index_of(name))

    def index_of(self, name: str) -> int:
        """Return the index of a part by name."""
        if name not in self._index_by_name:
            raise NameNotFoundError("part", name, self._index_by_name)
        return self._index_by_name[name]

    def closed_chain(
        self,
        name: str,
        ends: Sequence[Tip | ConnectionPoint | str],
        *,
        branch: int = 0,
        pattern: ClosureMode = "preferred",
    ) -> Tip:
        """Join the ends of chains in one position and return the first end.

        What follows behind the joint is attached there and takes its orientation.

        Args:
            name: Name of the closure.
            ends: Last part of each chain, by place or name, or a `point` of a part.
            branch: Assembly branch; see `ClosedChain`.
            pattern: Use of closed formulas; see `ClosedChain`.

        Raises:
            ModelError: If the ends cannot be joined.
            NameNotFoundError: If a part does not exist.

        Example:
            >>> tripod = Assembly()
            >>> feet = [(0.15, 0.0, 0.0), (-0.08, 0.13, 0.0), (-0.08, -0.13, 0.0)]
            >>> legs = [
            ...     tripod.fullrot(at=foot).linear_motor(f"leg_{i}", limits=(0.2, 0.4))
            ...     for i, foot in enumerate(feet)
            ... ]
            >>> platform = tripod.closed_chain("apex", legs).gripper_mount()
            >>> tripod.build("tripod").joint_names
            ('leg_0', 'leg_1', 'leg_2')
        """
        where = f"closed chain {name!r}"
        if not name or name in self.closed_chains:
            raise ModelError(f"{where}: the name is empty or taken; choose another")
        points = tuple(self._as_point(end) for end in ends)
        if len(points) < 2:
            raise ModelError(f"{where} joins {len(points)} chains, at least 2 needed")
        if len({point.part for point in points}) != len(points):
            raise ModelError(f"{where} uses one part as the end of two chains")
        if branch not in (-1, 0, 1):
            raise ModelError(f"{where}: branch must be -1, 0 or 1, got {branch}")
        if pattern not in ("preferred", "required"):
            raise ModelError(
                f"{where}: pattern must be 'preferred' or 'required', got {pattern!r}"
            )
        self.closed_chains[name] = ClosedChain(
            name=name, ends=points, branch=branch, pattern=pattern
        )
        return self.get(points[0].part)

    def _as_point(self, end: Tip | ConnectionPoint | str) -> ConnectionPoint:
        if isinstance(end, str):
            return self.get(end).point()
        if isinstance(end, ConnectionPoint):
            self.index_of(end.part)
            return end
        if end._assembly is not self:
            raise ModelError(f"{end} belongs to another robot")
        return end.point()

    def _tip(self, index: int) -> Tip:
        tip = Tip.__new__(Tip)
        tip._assembly, tip._index = self, index
        return tip

    def attach_part(
        self,
        fix: int,
        part: Part,
        at: ArrayLike,
        turn: ArrayLike,
        pose: ArrayLike | None,
    ) -> Tip:
        fix_part = self.parts[fix]
        self._check_joining(fix, part)
        T_fix_tail = connection_pose(fix_part, at, turn, pose)
        name = part.name or self._free_name(part.kind)
        if name in self._index_by_name:
            raise ModelError(f"there are two parts named {name!r}; rename one")
        index = len(self.parts)
        self._index_by_name[name] = index
        self._records.add(id(part))
        self.parts.append(part)
        self.names.append(name)
        self.parents.append(fix)
        self.T_fix_tail.append(T_fix_tail)
        self.num_carried.append(0)
        self.num_carried[fix] += 1
        return self._tip(index)

    def _check_joining(self, fix: int, part: Part) -> None:
        fix_part = self.parts[fix]
        fix_name = f"{fix_part.kind} {self.names[fix]!r}"
        if not part.is_tail_side:
            raise ModelError(
                f"{part} cannot be attached to {fix_name}: a robot has exactly one "
                "body, and it is the root"
            )
        if not fix_part.is_fix_side:
            raise ModelError(
                f"{fix_name} ends its chain and cannot carry {part}; attach it to the "
                "part before"
            )
        if self.num_carried[fix] and not fix_part.carries_many:
            child = self.names[self.parents.index(fix, 1)]
            raise ModelError(
                f"{fix_name} carries {child!r} already and cannot carry {part} as "
                "well; put a t-connector between them"
            )
        if id(part) in self._records:
            raise ModelError(f"{part} is used twice; make a second one")

    def _free_name(self, kind: str) -> str:
        stem = kind.replace(" ", "_").replace("-", "_")
        while True:
            count = self._num_unnamed[stem] = self._num_unnamed.get(stem, 0) + 1
            name = f"{stem}_{count}"
            if name not in self._index_by_name:
                return name
