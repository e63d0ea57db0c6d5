"""Kinematics and singular configurations of small arms as formulas, with SymPy.

A chain is given by a model, whose numbers become exact, or by DH rows that may hold
symbols. SymPy is not needed for anything else and is imported on use.

The determinant of a Jacobian does not depend on the axes in which velocities are
written. In the axes of a middle link the Jacobian is sparse, falls into blocks, and its
determinant comes out in factors: each factor is one kind of singularity (Damken 2023
§4.4).
"""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components, maximum_bipartite_matching

from gelenk.errors import ConfigError
from gelenk.kinematics.chain import (
    CHAIN_INDEX,
    CHAIN_KIND,
    CHAIN_OFFSET,
    CHAIN_SCALE,
    frame_chain,
)
from gelenk.kinematics.configuration import require_open_tree, require_scalar_joints
from gelenk.typing import FloatArray

if TYPE_CHECKING:
    from gelenk.models.tree import RobotModel


DIGITS = 12  # decimals of a model's numbers that count; trigonometry leaves 1e-17


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolicChain:
    """An open chain of hinges and sliders, all about or along z, as SymPy matrices.

    Attributes:
        q: Symbols of the joint values.
        kinds: "R" or "P" of each joint.
        values: Joint value of each joint in terms of `q`.
        before: Constant pose of each joint frame in the frame behind the joint before
            it, the last one that of the tool; one more than joints.
    """

    q: tuple[Any, ...]
    kinds: tuple[Literal["R", "P"], ...]
    values: tuple[Any, ...]
    before: tuple[Any, ...]

    @property
    def num_joints(self) -> int:
        return len(self.kinds)


def import_sympy() -> Any:
    """Return the module SymPy.

    Raises:
        ConfigError: If it is not installed.
    """
    try:
        import sympy
    except ImportError as error:
        raise ConfigError(
            "formulas need SymPy, which is not installed; run `pip install sympy`"
        ) from error
    return sympy


def symbolic_chain(
    model: RobotModel,
    *,
    frame: str | None = None,
    parameters: Mapping[str, float] | None = None,
) -> SymbolicChain:
    """Return the chain to a frame with exact numbers, or symbols for some lengths.

    Args:
        model: Robot with a fixed base and no loops.
        frame: Name of a link; by default the tool.
        parameters: Lengths [m] to be written as symbols, by name; every offset of this
            length becomes the symbol.

    Raises:
        ConfigError: If the base floats, or two parameters have the same length.
    """
    require_open_tree(model)
    require_scalar_joints(model)
    if model.has_floating_base:
        raise ConfigError(f"robot {model.name!r} floats; formulas need a fixed base")
    lengths = {round(value, DIGITS): name for name, value in (parameters or {}).items()}
    if len(lengths) < len(parameters or {}):
        raise ConfigError("`parameters` holds the same length twice; use DH rows")
    sp = import_sympy()
    rows = frame_chain(model, frame)
    used = sorted({int(row[CHAIN_INDEX]) for row in rows[:-1]})
    q = {k: sp.Symbol(f"q{k + 1}", real=True) for k in used}
    values = [
        _exact(row[CHAIN_SCALE]) * q[int(row[CHAIN_INDEX])] + _exact(row[CHAIN_OFFSET])
        for row in rows[:-1]
    ]
    return SymbolicChain(
        q=tuple(q.values()),
        kinds=tuple("R" if row[CHAIN_KIND] else "P" for row in rows[:-1]),
        values=tuple(values),
        before=tuple(_exact_pose(row[:12], lengths) for row in rows),
    )


def symbolic_chain_from_dh(
    rows: Sequence[tuple[Any, Any, Any, Any]],
    kinds: Sequence[Literal["R", "P"]],
    q: Sequence[Any],
) -> SymbolicChain:
    """Return the chain of standard DH rows (theta, d, a, alpha), maybe of symbols.

    The entry that moves holds the constant part: joint value + theta, or + d.

    Args:
        rows: DH rows, base to tool.
        kinds: "R" or "P" of each joint.
        q: Symbol of each joint value.
    """
    sp = import_sympy()
    behind = sp.eye(4)
    before: list[Any] = []
    values: list[Any] = []
    for (theta, d, a, alpha), kind, value in zip(rows, kinds, q, strict=True):
        fixed = _translation(z=d) if kind == "R" else _rotation(2, theta)
        values.append(value + (theta if kind == "R" else d))
        before.append(behind if kind == "R" else behind * fixed)
        foot = _translation(x=a) * _rotation(0, alpha)
        behind = fixed * foot if kind == "R" else foot
    return SymbolicChain(
        q=tuple(q),
        kinds=tuple(kinds),
        values=tuple(values),
        before=(*before, behind),
    )


def symbolic_frames(chain: SymbolicChain, *, seen_from: int = 0) -> list[Any]:
    """Return the poses of all joint frames and of the tool in one of the frames.

    Frame 0 is the base, frame i the body behind joint i. The last entry is the tool.

    Args:
        chain: Chain.
        seen_from: Index of the frame in which the poses are given.

    Returns:
        4 x 4 matrices: base, bodies 1 to n, tool.
    """
    sp = import_sympy()
    steps = [chain.before[i] * joint_step(chain, i) for i in range(chain.num_joints)]
    poses: dict[int, Any] = {seen_from: sp.eye(4)}
    for i in range(seen_from, chain.num_joints):
        poses[i + 1] = (poses[i] * steps[i]).applyfunc(sp.expand)
    for i in range(seen_from, 0, -1):
        poses[i - 1] = (poses[i] * _inverse(steps[i - 1])).applyfunc(sp.expand)
    tool = (poses[chain.num_joints] * chain.before[-1]).applyfunc(sp.expand)
    return [poses[i] for i in range(chain.num_joints + 1)] + [tool]


def symbolic_pose(chain: SymbolicChain) -> Any:
    """Return the pose of the tool in the base, a simplified 4 x 4 matrix."""
    return symbolic_frames(chain)[-1].applyfunc(merge_angles)


def symbolic_jacobian(chain: SymbolicChain, *, expressed_in: int = 0) -> Any:
    """Return the Jacobian [v; omega] of the tool, a simplified 6 x n matrix.

    Args:
        chain: Chain whose joints each have a coordinate of their own.
        expressed_in: Frame whose axes are used, as in `symbolic_frames`.
    """
    sp = import_sympy()
    poses = symbolic_frames(chain, seen_from=expressed_in)
    p_tool = poses[-1][:3, 3]
    J = sp.zeros(6, chain.num_joints)
    for i, kind in enumerate(chain.kinds):
        T = poses[i] * chain.before[i]
        z, arm = T[:3, 2], p_tool - T[:3, 3]
        slope = sp.diff(chain.values[i], chain.q[i])
        J[:3, i] = slope * (z.cross(arm) if kind == "R" else z)
        J[3:, i] = slope * (z if kind == "R" else sp.zeros(3, 1))
    return J.applyfunc(merge_angles)


def merge_angles(expression: Any) -> Any:
    """Return products of sines and cosines written with sums of angles where shorter.

    Two rules of Fu's method instead of all: enough for kinematics, much faster.
    """
    sp = import_sympy()
    rules: Any = importlib.import_module("sympy.simplify.fu")
    return rules.TR10i(sp.expand(rules.TR5(sp.expand(expression))))


def joint_step(chain: SymbolicChain, i: int) -> Any:
    """Return the pose of the body behind joint i in the joint frame."""
    value = chain.values[i]
    return _rotation(2, value) if chain.kinds[i] == "R" else _translation(z=value)


def _rotation(axis: int, angle: Any) -> Any:
    sp = import_sympy()
    i, j = (axis + 1) % 3, (axis + 2) % 3
    T = sp.eye(4)
    T[i, i] = T[j, j] = sp.cos(angle)
    T[j, i], T[i, j] = sp.sin(angle), -sp.sin(angle)
    return T


def _translation(x: Any = 0, z: Any = 0) -> Any:
    T = import_sympy().eye(4)
    T[0, 3], T[2, 3] = x, z
    return T


def _inverse(T: Any) -> Any:
    sp = import_sympy()
    out = sp.eye(4)
    out[:3, :3] = T[:3, :3].T
    out[:3, 3] = -T[:3, :3].T * T[:3, 3]
    return out


def _exact(value: float) -> Any:
    """Return a number as a fraction, or as a multiple of sqrt(2) or sqrt(3)."""
    sp = import_sympy()
    rounded = round(float(value), DIGITS)
    for root in (2, 3):
        times_two = 2.0 * value / np.sqrt(root)
        if abs(times_two - round(times_two)) < 10.0**-DIGITS and round(times_two):
            return sp.Integer(round(times_two)) * sp.sqrt(root) / 2
    return sp.Rational(str(rounded)) + 0


def _exact_pose(row: FloatArray, lengths: Mapping[float, str]) -> Any:
    sp = import_sympy()
    T = sp.eye(4)
    for i in range(3):
        for j in range(3):
            T[i, j] = _exact(row[3 * i + j])
        value = round(float(row[9 + i]), DIGITS)
        name = lengths.get(abs(value))
        symbol = sp.Symbol(name, positive=True) if name else None
        T[i, 3] = _exact(value) if symbol is None else symbol * (1 if value > 0 else -1)
    return T


ALL_ROWS = (0, 1, 2, 3, 4, 5)


@dataclass(frozen=True, slots=True, kw_only=True)
class SingularFactor:
    """One factor of the determinant; where it vanishes, the arm is singular.

    Attributes:
        expression: SymPy expression.
        joints: Symbols of the joints it depends on.
        solutions: Zeros of a factor of one joint alone, in (-pi, pi] (sliders: all);
            else empty.
    """

    expression: Any
    joints: tuple[Any, ...]
    solutions: tuple[Any, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolicSingularity:
    """The determinant of a task Jacobian, in factors.

    Attributes:
        determinant: det J, or det(J J^T) of a redundant arm, the sum of the squared
            minors.
        minors: Determinants of all choices of as many joints as rows; the arm is
            singular where all vanish. One, if it is not redundant.
        factors: Factors that all minors share and that depend on a joint.
    """

    determinant: Any
    minors: tuple[Any, ...]
    factors: tuple[SingularFactor, ...]


def symbolic_singularities(
    chain: SymbolicChain, *, rows: Sequence[int] = ALL_ROWS
) -> SymbolicSingularity:
    """Return where an arm is singular, as formulas.

    Args:
        chain: Chain whose joints each have a coordinate of their own.
        rows: Rows of [v; omega] that are the task, at most as many as joints. Choose
            those that keep the rank: (0, 1) for a planar arm of two joints.

    Raises:
        ConfigError: If there are more rows than joints, or the rows lose rank
            everywhere.

    Example:
        >>> import gelenk
        >>> from gelenk.kinematics.symbolic import symbolic_chain
        >>> chain = symbolic_chain(gelenk.load("planar2r"))
        >>> [f.solutions for f in symbolic_singularities(chain, rows=(0, 1)).factors]
        [(0, pi)]
    """
    sp = import_sympy()
    if len(rows) > chain.num_joints:
        raise ConfigError(
            f"{len(rows)} task rows need as many joints, the chain has "
            f"{chain.num_joints}; choose fewer `rows`"
        )
    J = _sparse_jacobian(chain, rows)
    choices = itertools.combinations(range(chain.num_joints), len(rows))
    minors = tuple(_determinant(J[:, list(columns)]) for columns in choices)
    if not any(minors):
        raise ConfigError(
            f"the task rows {list(rows)} are singular everywhere; choose rows that the "
            "arm can move independently"
        )
    square = len(rows) == chain.num_joints
    return SymbolicSingularity(
        determinant=minors[0] if square else sp.Add(*(m**2 for m in minors)),
        minors=minors,
        factors=_shared_factors(chain, minors),
    )


def _determinant(J: Any) -> Any:
    sp = import_sympy()
    sign, blocks = _triangular_blocks(J)
    parts = [sp.factor(sp.trigsimp(sp.expand(block.det()))) for block in blocks]
    return sp.Mul(sp.Integer(sign), *parts)


def _sparse_jacobian(chain: SymbolicChain, rows: Sequence[int]) -> Any:
    """Return the task rows in axes that make them simple.

    Axes of a link in the middle, as long as turning into them mixes no task row with a
    row outside the task; else the base's.
    """
    sp = import_sympy()
    middle = (chain.num_joints + 1) // 2
    frames = [k for k in (middle, middle - 1, middle + 1) if 0 < k <= chain.num_joints]
    if not {tuple(rows)} & {ALL_ROWS, (0, 1, 2), (3, 4, 5)}:
        poses = symbolic_frames(chain)
        frames = [k for k in frames if _keeps_rows(poses[k][:3, :3], rows)]
    candidates = [
        symbolic_jacobian(chain, expressed_in=k)[list(rows), :] for k in frames or [0]
    ]
    return min(candidates, key=lambda J: sum(1 + sp.count_ops(e) for e in J if e != 0))


def _keeps_rows(R: Any, rows: Sequence[int]) -> bool:
    trigsimp = import_sympy().trigsimp
    for offset in (0, 3):
        inside = [i for i in range(3) if i + offset in rows]
        outside = [i for i in range(3) if i not in inside]
        if any(trigsimp(R[i, j]) != 0 for i in inside for j in outside):
            return False
    return True


def _triangular_blocks(J: Any) -> tuple[int, list[Any]]:
    """Return diagonal blocks whose determinants multiply to that of J, and a sign.

    Rows are matched with columns; then groups of pairs that depend on each other in a
    circle are the blocks of a triangular form.
    """
    n = J.shape[0]
    pattern = np.array([[J[i, j] != 0 for j in range(n)] for i in range(n)])
    column_of = maximum_bipartite_matching(csr_array(pattern), perm_type="column")
    if (column_of < 0).any():
        return 1, [J[:1, :1] * 0]
    matched = pattern[:, column_of]
    count, label = connected_components(csr_array(matched), connection="strong")
    members = [np.flatnonzero(label == k).tolist() for k in range(count)]
    blocks = [J[rows, [int(column_of[i]) for i in rows]] for rows in members]
    permutation = np.eye(n)[column_of]
    return round(float(np.linalg.det(permutation))), blocks


def _shared_factors(
    chain: SymbolicChain, minors: Sequence[Any]
) -> tuple[SingularFactor, ...]:
    sp = import_sympy()
    found: list[set[Any]] = [
        {factor for factor, _ in sp.factor_list(minor)[1]} for minor in minors if minor
    ]
    factors: list[SingularFactor] = []
    shared: list[Any] = sorted(set[Any].intersection(*found), key=sp.default_sort_key)
    for factor in shared:
        joints = tuple(q for q in chain.q if factor.has(q))
        if joints:
            solutions = _roots(factor, joints[0]) if len(joints) == 1 else ()
            factors.append(
                SingularFactor(expression=factor, joints=joints, solutions=solutions)
            )
    return tuple(factors)


def _roots(factor: Any, q: Any) -> tuple[Any, ...]:
    """Return the real roots, angles in (-pi, pi]."""
    sp = import_sympy()
    s, c = sp.sin(q), sp.cos(q)
    if not (factor.has(s) or factor.has(c)):
        return tuple(root for root in sp.solve(factor, q) if root.is_real is not False)
    a, b = factor.coeff(s), factor.coeff(c)
    if sp.expand(factor - a * s - b * c) == 0:  # a sin q + b cos q = 0
        return sp.atan2(-b, a), sp.atan2(b, -a)
    return tuple(
        root
        for root in sp.solveset(factor, q, sp.Interval.Lopen(-sp.pi, sp.pi))
        if root.is_real
    )
