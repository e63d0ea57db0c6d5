"""Cost comparison of the algorithms of dynamics.

Newton-Euler against Lagrange for inverse dynamics; repeated inverse dynamics, half the
matrix, and composite bodies for the mass matrix; solving with it against articulated
bodies for forward dynamics (Damken 2023 §5.4, §5.5.1). Times depend on the machine;
body visits do not.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from gelenk.dynamics.aba import forward_dynamics
from gelenk.dynamics.crba import body_visits, mass_matrix, mass_matrix_by_symmetry
from gelenk.dynamics.equation_terms import mass_matrix_by_columns
from gelenk.dynamics.lagrange import lagrange_inverse_dynamics
from gelenk.dynamics.rnea import inverse_dynamics
from gelenk.errors import ConfigError
from gelenk.models.assembler import assemble
from gelenk.models.link import JointType, Link
from gelenk.models.tree import RobotModel
from gelenk.typing import FloatArray

MAX_LAGRANGE_JOINTS = 12  # beyond, n^4 takes minutes


@dataclass(frozen=True, slots=True, kw_only=True)
class CostRow:
    """Cost of one algorithm for one size.

    Attributes:
        num_joints: Joints of the serial arm.
        task: "inverse dynamics", "mass matrix" or "forward dynamics".
        method: Name of the algorithm.
        seconds: Time per state [s], the best of the repeats.
        visits: Visits of bodies per state, 0 if not counted.
        result: Largest entry of the result, the same for all methods of a task.
    """

    num_joints: int
    task: str
    method: str
    seconds: float
    visits: int
    result: float


def newton_euler_operations(num_joints: int) -> tuple[int, int]:
    """Return multiplications and additions of the recursive algorithm for n hinges.

    150 n - 48 and 131 n - 48 (Luh, Walker and Paul 1980).

    Example:
        >>> newton_euler_operations(6)  # multiplications, additions
        (852, 738)
    """
    return 150 * num_joints - 48, 131 * num_joints - 48


def serial_arm(num_joints: int) -> RobotModel:
    """Return an arm of hinges about z, y, x in turn, links of 1 kg and 0.2 m."""
    if num_joints < 1:
        raise ConfigError(f"`num_joints` must be >= 1, got {num_joints}")
    step = np.eye(4)
    step[0, 3] = 0.2
    links = [Link(name="base")]
    for k in range(num_joints):
        links.append(
            Link(
                name=f"link_{k + 1}",
                parent=links[-1].name,
                joint_type=JointType.REVOLUTE,
                T_parent_joint=step if k else np.eye(4),
                axis=np.eye(3)[2 - k % 3],
                mass=1.0,
                com=(0.1, 0.0, 0.0),
                inertia=np.diag([0.002, 0.004, 0.004]),
            )
        )
    return assemble(f"arm of {num_joints}", links)


def compare_costs(
    sizes: Sequence[int] = (2, 4, 6, 8, 12, 20, 30, 50),
    *,
    rng: np.random.Generator,
    states: int = 32,
    repeats: int = 3,
) -> list[CostRow]:
    """Return the cost of all algorithms for serial arms of several sizes.

    Args:
        sizes: Numbers of joints.
        rng: Source of the states.
        states: Number of states per call, over which the time is shared.
        repeats: Measurements, of which the best counts; one more warms up.

    Example:
        >>> rng = np.random.default_rng(0)
        >>> rows = compare_costs((2,), rng=rng, states=2, repeats=1)
        >>> sorted({row.task for row in rows})
        ['forward dynamics', 'inverse dynamics', 'mass matrix']
    """
    rows = []
    for n in sizes:
        model = serial_arm(n)
        q, qd, qdd = rng.normal(size=(3, states, n))
        for task, method, call, visits in _tasks(model, q, qd, qdd):
            seconds, result = _measure(call, repeats)
            rows.append(
                CostRow(
                    num_joints=n,
                    task=task,
                    method=method,
                    seconds=seconds / states,
                    visits=visits,
                    result=float(np.abs(result).max()),
                )
            )
    return rows


def format_costs(rows: Sequence[CostRow]) -> str:
    """Return a table of the rows, one line each, times in microseconds."""
    head = f"{'joints':>6}  {'task':<17} {'method':<22} {'us/state':>10} {'visits':>7}"
    lines = [
        f"{row.num_joints:>6}  {row.task:<17} {row.method:<22} "
        f"{row.seconds * 1e6:>10.2f} {row.visits or '-':>7}"
        for row in sorted(rows, key=lambda r: (r.task, r.num_joints, r.seconds))
    ]
    return "\n".join([head, *lines]) + "\n"


def _tasks(
    model: RobotModel, q: FloatArray, qd: FloatArray, x: FloatArray
) -> list[tuple[str, str, Callable[[], FloatArray], int]]:
    """Return task, method, call and visits; `x` serves as qdd and as tau."""
    n = model.nv
    columns, half = body_visits(model)
    inverse, matrix, forward = "inverse dynamics", "mass matrix", "forward dynamics"
    tasks: list[tuple[str, str, Callable[[], FloatArray], int]] = [
        (inverse, "Newton-Euler", lambda: inverse_dynamics(model, q, qd, x), n),
        (matrix, "by columns", lambda: mass_matrix_by_columns(model, q), columns),
        (matrix, "by symmetry", lambda: mass_matrix_by_symmetry(model, q), half),
        (matrix, "composite bodies", lambda: mass_matrix(model, q), n),
        (forward, "mass matrix and solve", lambda: _by_solving(model, q, qd, x), 2 * n),
        (forward, "articulated bodies", lambda: forward_dynamics(model, q, qd, x), n),
    ]
    if n <= MAX_LAGRANGE_JOINTS:
        tasks.append(
            (inverse, "Lagrange", lambda: lagrange_inverse_dynamics(model, q, qd, x), 0)
        )
    return tasks


def _by_solving(
    model: RobotModel, q: FloatArray, qd: FloatArray, tau: FloatArray
) -> FloatArray:
    bias = inverse_dynamics(model, q, qd, np.zeros_like(qd))
    M = mass_matrix(model, q)
    qdd = np.linalg.solve(M, (tau - bias)[..., None])[..., 0]
    return np.asarray(qdd, dtype=np.float64)


def _measure(call: Callable[[], FloatArray], repeats: int) -> tuple[float, FloatArray]:
    result = call()
    best = np.inf
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best, result
