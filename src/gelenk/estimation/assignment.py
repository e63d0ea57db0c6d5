"""Assignments of rows to columns: the cheapest, and the next ones in order of cost.

The best one by shortest augmenting paths (Jonker and Volgenant); the next ones by
Murty's partition: each solution splits what is left into problems that keep its first
choices and forbid the next. Several problems may compete in one ranking, as Cox and
Hingorani do with the hypotheses of a tracker.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_array, as_kernel_array
from gelenk.errors import ConfigError
from gelenk.kernels.compile import kernel
from gelenk.typing import ArrayLike, BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Assignments:
    """Assignments from the cheapest on.

    Attributes:
        problem: Number of the problem that each assignment solves, shape (k,).
        columns: The column of every row, shape (k, n).
        total: Sum of the costs and of the problem's offset, shape (k,), ascending.
    """

    problem: IntArray
    columns: IntArray
    total: FloatArray


@kernel
def solve_assignment(
    cost: FloatArray, first: int, banned: BoolArray, columns: IntArray
) -> float:
    """Complete an assignment whose first rows are given.

    Args:
        cost: Cost of each pair, shape (n, m), n <= m; infinite where forbidden.
        first: Rows below keep their `columns`, and nobody else gets those.
        banned: Columns that row `first` must not have, shape (m,).
        columns: Column of each row, shape (n,); written from `first` on.

    Returns:
        The sum of all costs; infinite if there is no such assignment.
    """
    n, m = cost.shape
    taken = np.zeros(m, dtype=np.bool_)
    total = 0.0
    for i in range(first):
        taken[columns[i]] = True
        total += cost[i, columns[i]]
    u, v = np.zeros(n), np.zeros(m + 1)
    owner = np.full(m + 1, -1)
    slack, before = np.empty(m), np.empty(m, dtype=np.int64)
    done = np.empty(m + 1, dtype=np.bool_)
    for row in range(first, n):
        # The last column is where the path of the new row starts.
        owner[m] = row
        here = m
        slack[:] = np.inf
        done[:] = False
        while True:
            done[here] = True
            i = owner[here]
            delta, there = np.inf, -1
            for j in range(m):
                if taken[j] or done[j]:
                    continue
                price = cost[i, j]
                if i == first and banned[j]:
                    price = np.inf
                price -= u[i] + v[j]
                if price < slack[j]:
                    slack[j] = price
                    before[j] = here
                if slack[j] < delta:
                    delta, there = slack[j], j
            if not delta < np.inf:
                return np.inf
            for j in range(m + 1):
                if done[j]:
                    u[owner[j]] += delta
                    v[j] -= delta
                elif j < m:
                    slack[j] -= delta
            here = there
            if owner[here] == -1:
                break
        while here != m:
            owner[here] = owner[before[here]]
            here = before[here]
    for j in range(m):
        if owner[j] >= 0:
            columns[owner[j]] = j
            total += cost[owner[j], j]
    return total


@kernel
def rank_assignments(
    costs: FloatArray,
    offsets: FloatArray,
    gap: float,
    problem: IntArray,
    columns: IntArray,
    total: FloatArray,
) -> int:
    """Write the cheapest assignments of several problems; return how many.

    Args:
        costs: Costs of the problems, shape (b, n, m), n <= m.
        offsets: Added to the costs of each problem, shape (b,).
        gap: Assignments dearer than the best by more than this are left out.
        problem: Written, shape (k,): at most k are found.
        columns: Written, shape (k, n).
        total: Written, shape (k,).
    """
    count = problem.shape[0]
    b, n, m = costs.shape
    room = b + count * max(n, 1)
    of, first = np.empty(room, dtype=np.int64), np.zeros(room, dtype=np.int64)
    value = np.empty(room)
    choice = np.empty((room, n), dtype=np.int64)
    banned = np.zeros((room, m), dtype=np.bool_)
    size = 0
    for k in range(b):
        value[size] = offsets[k] + solve_assignment(
            costs[k], 0, banned[size], choice[size]
        )
        of[size] = k
        size += 1
    for found in range(count):
        best = 0
        for k in range(1, size):
            if value[k] < value[best]:
                best = k
        if size == 0 or not value[best] < np.inf:
            return found
        if found > 0 and value[best] > total[0] + gap:
            return found
        problem[found], total[found] = of[best], value[best]
        columns[found] = choice[best]
        value[best] = np.inf
        for i in range(first[best], n):
            of[size], first[size] = of[best], i
            choice[size] = choice[best]
            if i == first[best]:
                banned[size] = banned[best]
            else:
                banned[size] = False
            banned[size, choice[best, i]] = True
            value[size] = offsets[of[best]] + solve_assignment(
                costs[of[best]], i, banned[size], choice[size]
            )
            if value[size] < np.inf:
                size += 1
    return count


def best_assignments(
    cost: ArrayLike,
    count: int = 1,
    *,
    offsets: ArrayLike = 0.0,
    max_gap: float = math.inf,
) -> Assignments:
    """Return the `count` cheapest assignments of all rows to different columns.

    Args:
        cost: Cost of each pair, shape (n, m) or, for several problems in one ranking,
            (b, n, m), n <= m; infinite where a row must not have a column.
        count: Number of assignments wanted; there may be fewer.
        offsets: Added to the costs of each problem, shape (b,).
        max_gap: Assignments dearer than the best by more than this are left out.

    Example:
        >>> from gelenk.estimation import best_assignments
        >>> best = best_assignments([[1.0, 2.0], [2.0, 5.0]], 2)
        >>> print(best.columns.tolist(), best.total)
        [[1, 0], [0, 1]] [4. 6.]
    """
    C = as_array("cost", cost, ())
    C = C[None] if C.ndim == 2 else C
    if C.ndim != 3 or C.shape[1] > C.shape[2]:
        raise ConfigError(
            "`cost` must have shape (n, m) or (b, n, m) with n <= m; add columns for "
            f"rows that may stay alone; got {np.shape(cost)}"
        )
    if np.isnan(C).any() or np.isneginf(C).any():
        raise ConfigError("`cost` must be numbers or +inf, got NaN or -inf")
    if count < 1:
        raise ConfigError(f"`count` must be at least 1, got {count}")
    shifts = np.broadcast_to(as_array("offsets", offsets, ()), C.shape[:1])
    problem, total = np.empty(count, dtype=np.int64), np.empty(count)
    columns = np.empty((count, C.shape[1]), dtype=np.int64)
    k = rank_assignments(
        as_kernel_array(C), as_kernel_array(shifts), max_gap, problem, columns, total
    )
    return Assignments(problem=problem[:k], columns=columns[:k], total=total[:k])
