"""The mass matrix by half: only what lies behind each joint, the rest by symmetry.

While joint j alone accelerates from rest, the links before it stay at rest. So only its
own subtree is visited, outwards for accelerations and inwards for forces, which gives
M_ij for the joints i of that subtree; mirrored, that is all of M (Walker and Orin 1982,
method 2; Damken 2023 §5.5.1).
"""

from __future__ import annotations

import numpy as np

from gelenk.dynamics.rnea import motion_forces
from gelenk.errors import ConfigError
from gelenk.kernels.batch import in_pieces
from gelenk.kernels.compile import kernel
from gelenk.kernels.tree import REVOLUTE, body_poses
from gelenk.kernels.tuples import add, cross, dot, put, rot, sub, vec, z_axis
from gelenk.kinematics.states import as_states, require_open_tree
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, FloatArray, IntArray

FORCE, MOMENT = 12, 15  # columns of the work space; 0..11 hold the pose
HALF_COLS = 18


@kernel
def _half_one(body, topology, end, q, w, M):
    """Write the mass matrix; `end[j]` is one past the last body of j's subtree."""
    still = (0.0, 0.0, 0.0)
    body_poses(body, topology, False, q, w)
    M[:] = 0.0
    for j in range(body.shape[0]):
        z = z_axis(rot(w, j + 1, 0))
        turns = topology[j, 1] == REVOLUTE
        # The subtree moves as one rigid body: alpha everywhere the same.
        alpha = z if turns else still
        for i in range(j, end[j]):
            row = i + 1
            arm = sub(vec(w, row, 9), vec(w, j + 1, 9))
            acc = cross(alpha, arm) if turns else z
            force, moment = motion_forces(body, i, rot(w, row, 0), still, alpha, acc)
            put(w, row, FORCE, force)
            put(w, row, MOMENT, moment)
        for i in range(end[j] - 1, j - 1, -1):
            row, parent = i + 1, topology[i, 0] + 1
            force, moment = vec(w, row, FORCE), vec(w, row, MOMENT)
            axis = z_axis(rot(w, row, 0))
            load = dot(axis, moment) if topology[i, 1] == REVOLUTE else dot(axis, force)
            load *= body[i, 22] * body[j, 22]
            a, b = topology[i, 2], topology[j, 2]
            M[a, b] += load
            if i > j:
                M[b, a] += load
                lever = sub(vec(w, row, 9), vec(w, parent, 9))
                moment = add(moment, cross(lever, force))
                put(w, parent, FORCE, add(vec(w, parent, FORCE), force))
                put(w, parent, MOMENT, add(vec(w, parent, MOMENT), moment))
        k = topology[j, 2]
        M[k, k] += body[j, 24] * body[j, 22] * body[j, 22]


@kernel
def half_many(body, topology, end, q, M):
    """Write the mass matrix of each row of q."""
    w = np.empty((body.shape[0] + 1, HALF_COLS))
    for b in range(q.shape[0]):
        _half_one(body, topology, end, q[b], w, M[b])


def mass_matrix_by_symmetry(model: RobotModel, q: ArrayLike) -> FloatArray:
    """Return M(q), computing one triangle and mirroring it.

    Args:
        model: Robot with a fixed base and no loops.
        q: Joint values [rad] or [m], shape (..., nq).

    Returns:
        Shape (..., nv, nv).

    Example:
        >>> import gelenk
        >>> arm, q = gelenk.load("puma560"), [0.1] * 6
        >>> bool(np.allclose(mass_matrix_by_symmetry(arm, q), arm.mass_matrix(q)))
        True
    """
    require_open_tree(model)
    if model.has_floating_base:
        raise ConfigError(f"robot {model.name!r} floats; use `mass_matrix`")
    tree = model.compiled
    batch, (rows,) = as_states(model, q=q)
    M = np.empty((len(rows), model.nv, model.nv))
    end = subtree_ends(tree.topology)

    def work(part: slice) -> None:
        half_many(tree.body, tree.topology, end, rows[part], M[part])

    in_pieces(len(rows), work)
    return M.reshape(*batch, model.nv, model.nv)


def subtree_ends(topology: IntArray) -> IntArray:
    """Return one past the last body of each body's subtree; bodies are depth-first."""
    count = len(topology)
    end = np.arange(1, count + 1)
    for i in range(count - 1, -1, -1):
        parent = int(topology[i, 0])
        if parent >= 0:
            end[parent] = max(end[parent], end[i])
    return end


def body_visits(model: RobotModel) -> tuple[int, int]:
    """Return how many body visits M takes by columns, and by half.

    Each visit is one outward and one inward step of the recursion. By columns that is
    n^2; by half the sum of the sizes of all subtrees.
    """
    topology = model.compiled.topology
    count = len(topology)
    sizes = subtree_ends(topology) - np.arange(count)
    return count * model.nv, int(sizes.sum())
