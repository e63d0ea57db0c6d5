"""Kernels for the normal equations of all observations, reading errors eliminated.

Each observation has reading errors of its own, each group some that its observations
share. Both appear in few equations, so they are solved for symbolically as the
equations are built (Schur complement); `follow_all` returns them afterwards.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from gelenk.calibration.kernel import HEAD_BASIS, TWISTS, set_columns
from gelenk.calibration.moments import lens_normal, observation_moments, rigid_normal
from gelenk.kernels.compile import kernel
from gelenk.typing import FloatArray, Vec2

if TYPE_CHECKING:
    from gelenk.calibration.kernel import Eliminated, Prior, Unknowns, Views, Work
    from gelenk.calibration.tables import ProblemTables


@kernel
def factor(K: FloatArray, n: int) -> None:
    """Overwrite the lower triangle of K[:n, :n] with its Cholesky factor."""
    for j in range(n):
        d = K[j, j]
        for k in range(j):
            d -= K[j, k] * K[j, k]
        d = math.sqrt(max(d, 1e-300))
        K[j, j] = d
        for i in range(j + 1, n):
            t = K[i, j]
            for k in range(j):
                t -= K[i, k] * K[j, k]
            K[i, j] = t / d


@kernel
def known_share(K: FloatArray, n: int, i: int) -> float:
    """Return entry (i, i) of the inverse of what was factored into K."""
    total = 0.0
    y = np.zeros(n)
    for r in range(i, n):
        t = 1.0 if r == i else 0.0
        for k in range(i, r):
            t -= K[r, k] * y[k]
        y[r] = t / K[r, r]
        total += y[r] * y[r]
    return total


@kernel
def row_of(T: ProblemTables, V: Views, s: int, c: int, count: int) -> int:
    """Return the row of a local column of observation s in its group's equations."""
    number: int = T.columns[V.route[s], c]
    return number if number < count else count + V.slot[V.group[s], number - count]


@kernel
def add_observation(
    T: ProblemTables,
    V: Views,
    X: Unknowns,
    prior: Prior,
    W: Work,
    s: int,
    E: Eliminated,
) -> float:
    """Add one observation to its group, its own reading errors eliminated.

    Returns:
        How many numbers the data told about those errors.
    """
    count = X.x.shape[0]
    r: int = V.route[s]
    a = T.counts[r, 0] + T.counts[r, 1]
    e = T.counts[r, 2]
    K, B, h = E.k[s], E.b[s], E.g[s]
    before = count + V.slot.shape[1]
    told = 0.0
    for i in range(e):
        number: int = T.columns[r, a + i] - before
        for j in range(e):
            K[i, j] = W.H[a + i, a + j]
        K[i, i] += prior.single[number]
        h[i] = W.g[a + i] + prior.single[number] * X.single[s, number]
    factor(K, e)
    for i in range(e):
        number: int = T.columns[r, a + i] - before
        told += 1.0 - prior.single[number] * known_share(K, e, i)
        for k in range(i):
            h[i] -= K[i, k] * h[k]
        h[i] /= K[i, i]
        for c in range(a):
            t = W.H[a + i, c]
            for k in range(i):
                t -= K[i, k] * W.M[c, k]
            W.M[c, i] = t / K[i, i]  # M is free again: it held A C^T
    for c in range(a):
        row = row_of(T, V, s, c, count)
        t = W.g[c]
        for i in range(e):
            B[i, row] = W.M[c, i]
            t -= W.M[c, i] * h[i]
        W.f[row] += t
        for d in range(c + 1):
            t = W.H[c, d]
            for i in range(e):
                t -= W.M[c, i] * W.M[d, i]
            other = row_of(T, V, s, d, count)
            W.F[row, other] += t
            if other != row:
                W.F[other, row] += t
    return told


@kernel
def close_group(
    V: Views,
    X: Unknowns,
    prior: Prior,
    W: Work,
    group: int,
    E: Eliminated,
    H: FloatArray,
    g: FloatArray,
) -> float:
    """Eliminate the shared reading errors of a group and add the rest to H and g.

    Returns:
        How many numbers the data told about those errors.
    """
    count = X.x.shape[0]
    d = V.size[group]
    K, B, h = E.K[group], E.B[group], E.h[group]
    for i in range(d):
        for j in range(d):
            K[i, j] = W.F[count + i, count + j]
        h[i] = W.f[count + i]
    for u in range(V.slot.shape[1]):
        i = V.slot[group, u]
        if i >= 0:
            K[i, i] += prior.shared[u]
            h[i] += prior.shared[u] * X.shared[group, i]
    factor(K, d)
    told = 0.0
    for u in range(V.slot.shape[1]):
        i = V.slot[group, u]
        if i >= 0:
            told += 1.0 - prior.shared[u] * known_share(K, d, i)
    for i in range(d):
        for k in range(i):
            h[i] -= K[i, k] * h[k]
        h[i] /= K[i, i]
        for c in range(count):
            t = W.F[count + i, c]
            for k in range(i):
                t -= K[i, k] * B[k, c]
            B[i, c] = t / K[i, i]
    for c in range(count):
        t = W.f[c]
        for i in range(d):
            t -= B[i, c] * h[i]
        g[c] += t
        for j in range(c + 1):
            t = W.F[c, j]
            for i in range(d):
                t -= B[i, c] * B[i, j]
            H[c, j] += t
            if j != c:
                H[j, c] += t
    return told


@kernel
def reading_cost(V: Views, X: Unknowns, prior: Prior, s: int, is_first: bool) -> float:
    """Return the cost of the reading errors of an observation (and its group)."""
    cost = 0.0
    for j in range(X.single.shape[1]):
        cost += prior.single[j] * X.single[s, j] * X.single[s, j]
    if is_first:
        group = V.group[s]
        for u in range(V.slot.shape[1]):
            i = V.slot[group, u]
            if i >= 0:
                cost += prior.shared[u] * X.shared[group, i] * X.shared[group, i]
    return cost


@kernel
def normal_all(
    T: ProblemTables,
    V: Views,
    X: Unknowns,
    prior: Prior,
    W: Work,
    law: tuple[int, float, float, float],
    out: FloatArray,
    terms: FloatArray,
    E: Eliminated,
    H: FloatArray,
    g: FloatArray,
    parts: FloatArray,
) -> Vec2:
    """Write H and g of the parameters; with parts (G, P, P) those of each group.

    law is (code of the loss, its tuning, 1 / noise^2, factor of the weights).

    Returns:
        Cost (infinite if a point lies behind its camera), and the number of reading
        errors that the data determine.
    """
    observations = V.route.shape[0]
    count = X.x.shape[0]
    H[:] = 0.0
    g[:] = 0.0
    cost, told = 0.0, 0.0
    s = 0
    while s < observations:
        group = V.group[s]
        n = count + V.size[group]
        for i in range(n):
            W.f[i] = 0.0
            for j in range(n):
                W.F[i, j] = 0.0
        is_first = True
        while s < observations and V.group[s] == group:
            cost += observation_moments(T, V, X, W, s, law, out, terms)
            if not cost < np.inf:
                return np.inf, 0.0
            cost += reading_cost(V, X, prior, s, is_first)
            r = V.route[s]
            columns = set_columns(T, V.load, s, r, W.twist, W.C)
            if T.header[r, HEAD_BASIS] > TWISTS:
                lens_normal(W.A, W.b, W.C, W.M, W.H, W.g, columns)
            else:
                rigid_normal(W.A, W.b, W.C, W.M, W.H, W.g, columns)
            told += add_observation(T, V, X, prior, W, s, E)
            is_first = False
            s += 1
        if parts.shape[0] > 0:
            parts[group] = 0.0
            told += close_group(V, X, prior, W, group, E, parts[group], g)
            for i in range(count):
                for j in range(count):
                    H[i, j] += parts[group, i, j]
        else:
            told += close_group(V, X, prior, W, group, E, H, g)
    return cost, told


@kernel
def follow_all(
    T: ProblemTables,
    V: Views,
    X: Unknowns,
    E: Eliminated,
    step: FloatArray,
    shared: FloatArray,
    single: FloatArray,
) -> None:
    """Write the reading errors after a step of the parameters."""
    count = X.x.shape[0]
    width = V.slot.shape[1]
    change = np.zeros(count + X.shared.shape[1])
    for c in range(count):
        change[c] = step[c]
    s = 0
    while s < V.route.shape[0]:
        group = V.group[s]
        d = V.size[group]
        for i in range(d):
            t = E.h[group, i]
            for c in range(count):
                t += E.B[group, i, c] * step[c]
            change[count + i] = -t
        for i in range(d - 1, -1, -1):
            t = change[count + i]
            for k in range(i + 1, d):
                t -= E.K[group, k, i] * change[count + k]
            change[count + i] = t / E.K[group, i, i]
        for i in range(d):
            shared[group, i] = X.shared[group, i] + change[count + i]
        while s < V.route.shape[0] and V.group[s] == group:
            follow_observation(T, V, X, E, change, count, width, s, single)
            s += 1


@kernel
def follow_observation(
    T: ProblemTables,
    V: Views,
    X: Unknowns,
    E: Eliminated,
    change: FloatArray,
    count: int,
    width: int,
    s: int,
    single: FloatArray,
) -> None:
    """Write the reading errors of one observation after a step of all the rest."""
    r = V.route[s]
    a = T.counts[r, 0] + T.counts[r, 1]
    e = T.counts[r, 2]
    y = np.zeros(e)
    for i in range(e):
        t = E.g[s, i]
        for c in range(a):
            row = row_of(T, V, s, c, count)
            t += E.b[s, i, row] * change[row]
        y[i] = -t
    for j in range(X.single.shape[1]):
        single[s, j] = X.single[s, j]
    for i in range(e - 1, -1, -1):
        t = y[i]
        for k in range(i + 1, e):
            t -= E.k[s, k, i] * y[k]
        y[i] = t / E.k[s, i, i]
        single[s, T.columns[r, a + i] - count - width] += y[i]
