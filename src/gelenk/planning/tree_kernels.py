"""Kernels of random trees: growth (RRT, RRT*) and connection of two (RRT-Connect)."""

from __future__ import annotations

import math

import numpy as np

from gelenk.kernels.compile import kernel
from gelenk.planning.scene import line_is_free
from gelenk.typing import FloatArray, IntArray


@kernel
def _nearest(tree: FloatArray, count: int, target: FloatArray) -> tuple[int, float]:
    """Return the node nearest to a point, and the distance."""
    best, least = 0, np.inf
    for i in range(count):
        square = 0.0
        for j in range(target.shape[0]):
            square += (tree[i, j] - target[j]) ** 2
        if square < least:
            best, least = i, square
    return best, math.sqrt(least)


@kernel
def _steer(
    tree: FloatArray,
    near: int,
    distance: float,
    target: FloatArray,
    step: float,
    out: FloatArray,
) -> None:
    """Write the point at most `step` from a node towards a target."""
    share = 1.0 if distance <= step else step / distance
    for j in range(target.shape[0]):
        out[j] = tree[near, j] + share * (target[j] - tree[near, j])


@kernel
def _apart(a: FloatArray, b: FloatArray) -> float:
    square = 0.0
    for j in range(a.shape[0]):
        square += (a[j] - b[j]) ** 2
    return math.sqrt(square)


@kernel
def _lower_costs(
    parent: IntArray, cost: FloatArray, count: int, node: int, gain: float
) -> None:
    """Subtract `gain` from the cost of a node and of all that hang on it."""
    stack = np.empty(count, dtype=np.int64)
    stack[0] = node
    size = 1
    while size > 0:
        size -= 1
        i = stack[size]
        cost[i] -= gain
        for j in range(count):
            if parent[j] == i:
                stack[size] = j
                size += 1


@kernel
def grow_tree(
    samples: FloatArray,
    goal: FloatArray,
    tolerance: float,
    step: float,
    gamma: float,
    planes: FloatArray,
    first: IntArray,
    balls: FloatArray,
    chain: FloatArray,
    cladding: FloatArray,
    resolution: float,
    tree: FloatArray,
    parent: IntArray,
    cost: FloatArray,
) -> tuple[int, int]:
    """Grow a tree from its root tree[0] towards samples, one node each at most.

    Args:
        samples: Configurations to grow towards, one after the other, shape (k, n).
        goal: Goal configuration, shape (n,).
        tolerance: A node this near ends the search (RRT) or counts as there (RRT*).
        step: Longest edge.
        gamma: 0: RRT. Else RRT*: the new node takes the cheapest parent within
            r = min(step, gamma (ln i / i)^(1 / n)), and becomes the parent of those it
            makes cheaper.
        planes: Obstacles, see `scene`.
        first: First plane of each body; see `scene`.
        balls: Spherical obstacles; see `scene`.
        chain: Robot, see `scene`.
        cladding: Collision spheres of the arm; see `scene`.
        resolution: Largest step between tested configurations; see `scene`.
        tree: Nodes, shape (k + 1, n); written.
        parent: Parent of each node, shape (k + 1,); written.
        cost: Lengths from the root, shape (k + 1,); written.

    Returns:
        The number of nodes, and the node at the goal, -1 if there is none.
    """
    n = goal.shape[0]
    centers, q, new = np.empty((cladding.shape[0], 3)), np.empty(n), np.empty(n)
    count, best = 1, -1
    parent[0], cost[0] = -1, 0.0
    for k in range(samples.shape[0]):
        near, distance = _nearest(tree, count, samples[k])
        if distance == 0.0:
            continue
        _steer(tree, near, distance, samples[k], step, new)
        if not line_is_free(
            tree[near], new, planes, first, balls, chain, cladding, resolution,
            centers, q,
        ):  # fmt: skip
            continue
        total = cost[near] + _apart(tree[near], new)
        radius = 0.0
        if gamma > 0.0:
            radius = min(step, gamma * (math.log(count + 1) / (count + 1)) ** (1.0 / n))
            for i in range(count):
                length = _apart(tree[i], new)
                if length < radius and cost[i] + length < total and line_is_free(
                    tree[i], new, planes, first, balls, chain, cladding, resolution,
                    centers, q,
                ):  # fmt: skip
                    near, total = i, cost[i] + length
        node = count
        tree[node, :] = new
        parent[node], cost[node] = near, total
        count += 1
        for i in range(node if radius > 0.0 else 0):
            length = _apart(tree[i], new)
            if length < radius and total + length < cost[i] and line_is_free(
                new, tree[i], planes, first, balls, chain, cladding, resolution,
                centers, q,
            ):  # fmt: skip
                parent[i] = node
                _lower_costs(parent, cost, count, i, cost[i] - total - length)
        if _apart(new, goal) <= tolerance:
            if gamma == 0.0:
                return count, node
            if best < 0 or total < cost[best]:
                best = node
    return count, best


@kernel
def connect_trees(
    samples: FloatArray,
    step: float,
    planes: FloatArray,
    first: IntArray,
    balls: FloatArray,
    chain: FloatArray,
    cladding: FloatArray,
    resolution: float,
    trees: FloatArray,
    parents: IntArray,
) -> tuple[int, int, int, int]:
    """Grow two trees from trees[0, 0] and trees[1, 0] until they meet.

    In turns one grows a step towards a sample, and the other as far as it gets towards
    the new node.

    Args:
        samples: Configurations to grow towards, shape (k, n).
        step: Longest edge.
        planes: Obstacles, see `scene`.
        first: First plane of each body; see `scene`.
        balls: Spherical obstacles; see `scene`.
        chain: Robot, see `scene`.
        cladding: Collision spheres of the arm; see `scene`.
        resolution: Largest step between tested configurations; see `scene`.
        trees: Nodes, shape (2, m, n); written.
        parents: Parents of the nodes of both trees, shape (2, m); written.

    Returns:
        Numbers of nodes of both, and the nodes where they meet, -1 if they do not.
    """
    n, room = trees.shape[2], trees.shape[1]
    centers, q, new = np.empty((cladding.shape[0], 3)), np.empty(n), np.empty(n)
    counts = np.ones(2, dtype=np.int64)
    parents[0, 0] = parents[1, 0] = -1
    for k in range(samples.shape[0]):
        one = k % 2
        other = 1 - one
        near, distance = _nearest(trees[one], counts[one], samples[k])
        if distance == 0.0 or counts[one] == room:
            continue
        _steer(trees[one], near, distance, samples[k], step, new)
        if not line_is_free(
            trees[one, near], new, planes, first, balls, chain, cladding, resolution,
            centers, q,
        ):  # fmt: skip
            continue
        node = counts[one]
        trees[one, node, :] = new
        parents[one, node] = near
        counts[one] += 1
        at, distance = _nearest(trees[other], counts[other], trees[one, node])
        while counts[other] < room:
            _steer(trees[other], at, distance, trees[one, node], step, new)
            if not line_is_free(
                trees[other, at], new, planes, first, balls, chain, cladding,
                resolution, centers, q,
            ):  # fmt: skip
                break
            if distance <= step:
                if one == 0:
                    return counts[0], counts[1], node, at
                return counts[0], counts[1], at, node
            trees[other, counts[other], :] = new
            parents[other, counts[other]] = at
            at = counts[other]
            counts[other] += 1
            distance = _apart(trees[other, at], trees[one, node])
    return counts[0], counts[1], -1, -1
