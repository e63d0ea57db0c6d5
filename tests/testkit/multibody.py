"""Random states of random robots, and how far multibody engines agree on them.

`PinocchioRobot` and `MujocoRobot` build the same robot in another library and translate
at the border: each is a `gelenk.dynamics.engine.MultibodyEngine`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from gelenk.dynamics.engine import MultibodyEngine
from gelenk.models.tree import RobotModel
from gelenk.typing import FloatArray
from testkit.random_models import random_configuration, random_tree

QUANTITIES = (
    "forward",
    "jacobian",
    "inverse_dynamics",
    "mass_matrix",
    "forward_dynamics",
)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TreeCase:
    """A robot and one of its states, for engines to agree on.

    Attributes:
        model: Robot.
        q: Configuration, shape (nq,).
        qd, qdd: Velocity and acceleration, shape (nv,).
        tau: Generalised forces, shape (nv,).
        wrenches: External wrenches [f; n], world axes at the link origin, by link.
    """

    model: RobotModel
    q: FloatArray
    qd: FloatArray
    qdd: FloatArray
    tau: FloatArray
    wrenches: dict[str, FloatArray]


def random_case(rng: np.random.Generator, model: RobotModel) -> TreeCase:
    """Return a random state of a robot, one random link loaded by a wrench."""
    return TreeCase(
        model=model,
        q=random_configuration(rng, model),
        qd=rng.normal(size=model.nv),
        qdd=rng.normal(size=model.nv),
        tau=rng.normal(scale=5.0, size=model.nv),
        wrenches={str(rng.choice(model.link_names)): rng.normal(scale=5.0, size=6)},
    )


def random_cases(
    seed: int, *, count: int = 200, max_joints: int = 15
) -> Iterator[TreeCase]:
    """Yield random trees of 1 to `max_joints` joints, each in a random state.

    Every second one floats; half of them have rotor inertias.
    """
    rng = np.random.default_rng(seed)
    for k in range(count):
        model = random_tree(
            rng,
            num_joints=int(rng.integers(1, max_joints + 1)),
            floating=k % 2 == 1,
            branching=float(rng.uniform(0.0, 0.8)),
        )
        if rng.random() < 0.5:
            rotors = rng.uniform(0.0, 0.2, size=len(model.link_names))
            model = replace(model, armature=rotors)
        yield random_case(rng, model)


def deviation(ours: FloatArray, theirs: FloatArray) -> float:
    """Return the largest difference, relative to the largest entry if above 1."""
    scale = max(1.0, float(np.abs(theirs).max(initial=0.0)))
    return float(np.abs(ours - theirs).max(initial=0.0)) / scale


def compare_engines(
    case: TreeCase, ours: MultibodyEngine, theirs: MultibodyEngine
) -> dict[str, float]:
    """Return the deviation of each of `QUANTITIES`, the worst over all links."""
    q, qd, loads = case.q, case.qd, case.wrenches
    frames = case.model.link_names
    return {
        "forward": max(
            deviation(ours.forward(q, f), theirs.forward(q, f)) for f in frames
        ),
        "jacobian": max(
            deviation(ours.jacobian(q, f), theirs.jacobian(q, f)) for f in frames
        ),
        "inverse_dynamics": deviation(
            ours.inverse_dynamics(q, qd, case.qdd, wrenches=loads),
            theirs.inverse_dynamics(q, qd, case.qdd, wrenches=loads),
        ),
        "mass_matrix": deviation(ours.mass_matrix(q), theirs.mass_matrix(q)),
        "forward_dynamics": deviation(
            ours.forward_dynamics(q, qd, case.tau, wrenches=loads),
            theirs.forward_dynamics(q, qd, case.tau, wrenches=loads),
        ),
    }


def worst_of(deviations: Iterable[dict[str, float]]) -> dict[str, float]:
    """Return the largest value of each quantity."""
    worst: dict[str, float] = dict.fromkeys(map(str, QUANTITIES), 0.0)
    for found in deviations:
        for name, value in found.items():
            worst[name] = max(worst[name], value)
    return worst
