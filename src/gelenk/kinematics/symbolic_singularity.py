"""Singular configurations as formulas: where the determinant of the Jacobian vanishes.

The determinant does not depend on the axes in which velocities are written. In the axes
of a middle link the Jacobian is sparse, falls into blocks, and its determinant comes
out in factors: each factor is one kind of singularity (Damken 2023 §4.4).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components, maximum_bipartite_matching

from gelenk.errors import ConfigError
from gelenk.kinematics.symbolic import (
    SymbolicChain,
    import_sympy,
    symbolic_frames,
    symbolic_jacobian,
)

ALL_ROWS = (0, 1, 2, 3, 4, 5)


@dataclass(frozen=True, slots=True, kw_only=True)
class SingularFactor:
    """One factor of the determinant; where it vanishes, the arm is singular.

    Attributes:
        expression: SymPy expression.
        joints: Symbols of the joints it depends on.
        solutions: If it depends on one joint alone, the values in (-pi, pi] (sliders:
            all) at which it vanishes; else empty.
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
    found = [
        {factor for factor, _ in sp.factor_list(minor)[1]} for minor in minors if minor
    ]
    factors = []
    for factor in sorted(set.intersection(*found), key=sp.default_sort_key):
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
