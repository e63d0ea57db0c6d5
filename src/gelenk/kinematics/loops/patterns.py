"""Closed chains with a closed form: found in a model, then solved exactly.

Four patterns of passive joints meet in one point (Roth 2021, ArmBot §4.3):

| Pattern | Passive joints, chain by chain | The union point is on |
|---|---|---|
| TRIPOD | fullrot; fullrot; fullrot | three spheres |
| TIGHT_LEN | linear; fullrot | a line and a sphere |
| TIGHT_ROT | axisrot; fullrot | a circle and a sphere |
| TIGHT_PSEUDO | none; fullrot and, behind it, linear | the end of the first chain |

A fullrot, the ball joint, is two passive hinges that cross at a right angle. Motors may
stand anywhere in the chains, except between the two. Two union points solve each
pattern; a sign chooses, once and for ever, so that the closure is a function of the
motors alone: it never depends on what was computed before.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING

import numpy as np

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.kinematics.loops.chains import (
    LoopChain,
    LoopElement,
    find_chains,
    segment_rows,
)
from gelenk.typing import ArrayLike, BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    from gelenk.models.tree import LoopClosure, RobotModel

OFF_PLANE_TOL = 1e-9  # relative height of a chain's end over its ball's x-y plane


class PatternKind(StrEnum):
    """Kind of closed chain that has a closed form."""

    TRIPOD = "TRIPOD"
    TIGHT_LEN = "TIGHT_LEN"
    TIGHT_ROT = "TIGHT_ROT"
    TIGHT_PSEUDO = "TIGHT_PSEUDO"


class ClosureStatus(IntEnum):
    """Outcome of a closure."""

    CLOSED = 0
    OUT_OF_REACH = 1  # spheres, line or circle do not meet
    NO_ROTATION = 2  # they do, but a fullrot cannot turn its chain there without roll
    DEGENERATE = 3  # centres in one line, or an end or a centre on the hinge axis


_MESSAGES = {
    ClosureStatus.CLOSED: "closed",
    ClosureStatus.OUT_OF_REACH: "the chains are too short or too long to meet",
    ClosureStatus.NO_ROTATION: (
        "a fullrot cannot turn its chain to the union point without roll; build the "
        "chain along the fullrot's x axis"
    ),
    ClosureStatus.DEGENERATE: (
        "the union point is not determined: sphere centres in one line, or an end or a "
        "centre on the hinge axis"
    ),
}

_KINDS: dict[tuple[str, ...], PatternKind] = {
    ("fullrot", "fullrot", "fullrot"): PatternKind.TRIPOD,
    ("linear", "fullrot"): PatternKind.TIGHT_LEN,
    ("axisrot", "fullrot"): PatternKind.TIGHT_ROT,
    ("", "fullrot linear"): PatternKind.TIGHT_PSEUDO,
}


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Pattern:
    """A closed chain that was recognised.

    Attributes:
        kind: Kind of the pattern.
        loop: Index of the closure in `RobotModel.loops`.
        chains: The chains in the order of the table above, whatever the order in the
            model; three of a kind stay in the order of the model.
        branch: +1 or -1, the sign of the root that is taken.
        order: Place among the patterns of a robot: one that moves on what another
            closes comes after it.
        caution: Warning about this geometry, empty if there is none.
    """

    kind: PatternKind
    loop: int
    chains: tuple[LoopChain, ...]
    branch: int
    order: int
    caution: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ClosureResult:
    """Passive joint values that close the chains of a robot, and whether they do.

    Attributes:
        q_tree: Values of `RobotModel.tree_joint_ids` [rad] or [m], shape (..., nt).
            Where a chain does not close, the passive values come near.
        status: `ClosureStatus` of each loop, shape (..., number of loops).
        gap: Largest distance between the points of each loop that should coincide [m],
            shape (..., number of loops).
        message: Fault of the first loop that does not close, or "closed".
    """

    q_tree: FloatArray
    status: IntArray
    gap: FloatArray
    message: str

    @property
    def closed(self) -> BoolArray:
        """Whether all loops close, shape (...)."""
        return np.all(self.status == ClosureStatus.CLOSED, axis=-1)


def recognize(model: RobotModel) -> tuple[Pattern | None, ...]:
    """Return the pattern of each loop of a model, None for those without closed form.

    What counts are the passive joints of each chain behind the place where the chains
    part. Passive joints that another pattern sets are known by then and count as
    motors. The branch, unless the loop names one, is decided at the home
    configuration: TRIPOD takes the union point with the larger z in the root link, on
    a tie the one on the side of (P2 - P1) x (P3 - P1); TIGHT_LEN and TIGHT_PSEUDO the
    longer slide; TIGHT_ROT the smaller angle.
    """
    return model._cached("loop_patterns", lambda: _recognize(model))


def close(
    model: RobotModel, patterns: tuple[Pattern | None, ...], q: ArrayLike
) -> ClosureResult:
    """Return the values of all tree joints for values of the motors.

    Args:
        model: A robot with loops.
        patterns: Patterns of the robot, as `recognize` returns them.
        q: Motor values [rad] or [m] in the order of `joint_names`, with a floating
            base after its pose, shape (..., nq).

    Raises:
        ConfigError: If a loop has no closed form.
        ShapeError: If `q` has the wrong length.

    Example:
        >>> from gelenk.models.parts import Assembly
        >>> gate = Assembly()
        >>> door = gate.axisrot("hinge").segment(0.10, "door")
        >>> stay = gate.fullrot("foot", at=(0.04, 0.12, 0.03)).linear_motor("stay")
        >>> _ = gate.closed_chain("latch", [door, stay])
        >>> model = gate.build("gate")
        >>> result = close(model, recognize(model), [0.14])
        >>> result.message, round(float(np.rad2deg(result.q_tree[0])), 6)
        ('closed', -1.663313)
    """
    for pattern, loop in zip(patterns, model.loops, strict=True):
        if pattern is None:
            raise ConfigError(
                f"loop {loop.name!r} is no pattern with a closed form "
                f"({describe_chains(model, loop.name)}); use the numerical closure"
            )
    from gelenk.kinematics.loops.closed_form import close_many

    q = model.check_q("q", q)
    plan, rows = model._cached(("pattern_plan", patterns), lambda: pack(patterns))
    batch = q.shape[:-1]
    ids = model.tree_joint_ids
    q_tree = np.empty((*batch, len(ids)))
    q_tree[...] = model.home[ids]
    active = model._cached(
        "active_in_tree", lambda: np.searchsorted(ids, model.joint_ids)
    )
    q_tree[..., active] = q[..., model.nq - model.num_joints :]

    count = len(model.loops)
    status = np.empty((*batch, count), dtype=np.int64)
    gap = np.empty((*batch, count))
    close_many(
        plan,
        rows,
        q_tree.reshape(-1, len(ids)),
        status.reshape(-1, count),
        gap.reshape(-1, count),
    )
    # The kernels work in solving order; the result is in the order of the loops.
    if count > 1:
        place = [pattern.order for pattern in patterns if pattern is not None]
        status, gap = status[..., place], gap[..., place]
    return ClosureResult(
        q_tree=q_tree, status=status, gap=gap, message=_message(model, status)
    )


def describe_chains(model: RobotModel, loop: str) -> str:
    """Return the passive joints of each chain of a loop in words."""
    names = [closure.name for closure in model.loops]
    if loop not in names:
        raise NameNotFoundError("loop", loop, names)
    chains = find_chains(model, model.loops[names.index(loop)], frozenset())
    if chains is None:
        return "its chains share a passive joint"
    return "; ".join(
        f"chain to {model.link_names[chain.link]!r} has {chain.signature or 'none'}"
        for chain in chains
    )


def pack(patterns: tuple[Pattern | None, ...]) -> tuple[IntArray, FloatArray]:
    """Return the patterns in solving order as `closed_form` reads them."""
    from gelenk.kinematics.loops import closed_form

    known = sorted((p for p in patterns if p is not None), key=lambda p: p.order)
    plan = np.zeros((len(known), closed_form.PLAN_COLS), dtype=np.int64)
    rows: list[FloatArray] = []
    num_rows = 0
    for k, pattern in enumerate(known):
        plan[k, closed_form.PLAN_KIND] = getattr(closed_form, pattern.kind)
        plan[k, closed_form.PLAN_BRANCH] = pattern.branch
        coords = [c for chain in pattern.chains for c in chain.coords]
        start = closed_form.PLAN_COORD
        plan[k, start : start + len(coords)] = coords
        column = closed_form.PLAN_START
        for segment in (s for chain in pattern.chains for s in chain.segments):
            plan[k, column] = num_rows
            rows.append(segment_rows(segment))
            num_rows += len(rows[-1])
            column += 1
        plan[k, column] = num_rows
    return plan, np.concatenate(rows)


def _recognize(model: RobotModel) -> tuple[Pattern | None, ...]:
    found: dict[int, Pattern] = {}
    owned: frozenset[int] = frozenset()
    is_growing = True
    while is_growing:
        is_growing = False
        for index, loop in enumerate(model.loops):
            if index in found or loop.kind != "point":
                continue
            chains = find_chains(model, loop, owned)
            kind = _kind_of(chains)
            if chains is None or kind is None:
                continue
            pattern = Pattern(
                kind=kind,
                loop=index,
                chains=_in_solving_order(chains),
                branch=loop.branch or 1,
                order=len(found),
                caution="",
            )
            found[index] = _settled(model, loop, pattern, tuple(found.values()))
            owned |= {c for chain in chains for c in chain.coords}
            is_growing = True
    return tuple(found.get(index) for index in range(len(model.loops)))


def _in_solving_order(chains: tuple[LoopChain, ...]) -> tuple[LoopChain, ...]:
    """Return the chains with the fullrot last; three of a kind keep their order."""
    return tuple(
        sorted(chains, key=lambda chain: chain.elements[:1] == (LoopElement.BALL,))
    )


def _kind_of(chains: tuple[LoopChain, ...] | None) -> PatternKind | None:
    if chains is None:
        return None
    signatures = tuple(chain.signature for chain in _in_solving_order(chains))
    return _KINDS.get(signatures)


def _settled(
    model: RobotModel,
    loop: LoopClosure,
    pattern: Pattern,
    before: tuple[Pattern, ...],
) -> Pattern:
    """Return the pattern with its branch and its caution, seen at home."""
    q = model.home[model.tree_joint_ids]
    if before:
        q = _closed_home(q, before)
    poses = [[s.pose(q) for s in chain.segments] for chain in pattern.chains]
    branch = loop.branch
    if branch == 0:
        branch = 1
        if pattern.kind is PatternKind.TRIPOD:
            P1, P2, P3 = (T[0][:3, 3] for T in poses)
            (a, b), (c, d) = (P2 - P1)[:2], (P3 - P1)[:2]
            branch = -1 if a * d - b * c < 0.0 else 1
        elif pattern.kind is PatternKind.TIGHT_ROT:
            (T_hinge, T_hinge_end), (T_ball, _) = poses
            x, y = T_hinge_end[:2, 3]
            u, v = (T_hinge[:3, :3].T @ (T_ball[:3, 3] - T_hinge[:3, 3]))[:2]
            # Both solutions lie symmetrically about the direction of the centre.
            branch = -1 if x * v - y * u < 0.0 else 1
    return replace(pattern, branch=branch, caution=_caution(model, pattern, poses))


def _closed_home(q: FloatArray, before: tuple[Pattern, ...]) -> FloatArray:
    """Return home with the given patterns closed, for what moves on them."""
    from gelenk.kinematics.loops.closed_form import close_one

    q = q.copy()
    plan, rows = pack(before)
    close_one(plan, rows, q, np.empty(len(plan), np.int64), np.empty(len(plan)))
    return q


def _caution(model: RobotModel, pattern: Pattern, poses: list[list[FloatArray]]) -> str:
    for chain, T in zip(pattern.chains, poses, strict=True):
        if chain.elements[:1] != (LoopElement.BALL,):
            continue
        end = (T[1] @ T[2] if len(T) == 3 else T[1])[:3, 3]
        if abs(end[2]) > OFF_PLANE_TOL * math.hypot(*end):
            return (
                f"the end on {model.link_names[chain.link]!r} lies {end[2]:.3g} m off "
                "the x-y plane of its fullrot, which then cannot turn it everywhere; "
                "build the chain along the fullrot's x axis"
            )
    return ""


def _message(model: RobotModel, status: IntArray) -> str:
    if not status.any():
        return "closed"
    first = np.argwhere(status)[0]
    name = model.loops[int(first[-1])].name
    text = _MESSAGES[ClosureStatus(int(status[tuple(first)]))]
    where = f" (first at {tuple(map(int, first[:-1]))})" if len(first) > 1 else ""
    return f"loop {name!r} is not closed: {text}{where}"
