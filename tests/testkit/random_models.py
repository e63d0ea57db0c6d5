"""Random robots for tests and benchmarks."""

from __future__ import annotations

import numpy as np

from gelenk.models.assembler import assemble
from gelenk.models.link import JointType, Link
from gelenk.models.tree import RobotModel
from gelenk.typing import FloatArray


def random_rotation(rng: np.random.Generator) -> FloatArray:
    """Return a uniformly distributed rotation, shape (3, 3)."""
    Q, R = np.linalg.qr(rng.normal(size=(3, 3)))
    Q = Q * np.sign(np.diag(R))
    return Q if np.linalg.det(Q) > 0 else -Q


def random_pose(rng: np.random.Generator, reach: float = 0.5) -> FloatArray:
    """Return a pose with uniform rotation and normal translation [m], shape (4, 4)."""
    T = np.eye(4)
    T[:3, :3] = random_rotation(rng)
    T[:3, 3] = rng.normal(scale=reach, size=3)
    return T


def random_inertia(rng: np.random.Generator, mass: float) -> FloatArray:
    """Return the inertia tensor of a cloud of points of total `mass`, shape (3, 3)."""
    points = rng.normal(scale=0.1, size=(6, 3))
    points -= points.mean(axis=0)
    square = (points**2).sum()
    return mass / 6.0 * (square * np.eye(3) - points.T @ points)


def random_tree(
    rng: np.random.Generator,
    *,
    num_joints: int = 8,
    floating: bool = False,
    branching: float = 0.4,
) -> RobotModel:
    """Return a random tree of revolute, prismatic and fixed joints with masses.

    Args:
        rng: Source of randomness.
        num_joints: Number of moving joints.
        floating: Whether the root floats.
        branching: Probability that a link hangs on a random earlier one instead of
            the last.
    """
    root = JointType.FLOATING if floating else JointType.FIXED
    links = [_random_link(rng, "base", None, root)]
    moving = 0
    while moving < num_joints:
        parent = (
            links[-1] if rng.random() > branching else links[rng.integers(len(links))]
        )
        kind = JointType(int(rng.choice([0, 1, 1, 1, 2, 2])))
        links.append(_random_link(rng, f"link_{len(links)}", parent.name, kind))
        moving += kind != JointType.FIXED
    return assemble("random tree", links)


def _random_link(
    rng: np.random.Generator, name: str, parent: str | None, kind: JointType
) -> Link:
    mass = float(rng.uniform(0.2, 3.0))
    axes = np.vstack([np.eye(3), -np.eye(3), rng.normal(size=(3, 3))])
    return Link(
        name=name,
        parent=parent,
        joint_type=kind,
        T_parent_joint=np.eye(4) if parent is None else random_pose(rng),
        axis=axes[rng.integers(len(axes))],
        mass=mass,
        com=rng.normal(scale=0.1, size=3),
        inertia=random_inertia(rng, mass),
        lower=-2.0 if kind == JointType.REVOLUTE else -0.4,
        upper=2.0 if kind == JointType.REVOLUTE else 0.4,
    )


def random_configuration(
    rng: np.random.Generator, model: RobotModel, *batch: int
) -> FloatArray:
    """Return configurations uniform within the limits (+-pi where infinite)."""
    lower, upper = model.limits
    lower, upper = np.maximum(lower, -np.pi), np.minimum(upper, np.pi)
    q = rng.uniform(lower, upper, size=(*batch, len(lower)))
    if not model.has_floating_base:
        return q
    quat = rng.normal(size=(*batch, 4))
    quat /= np.linalg.norm(quat, axis=-1, keepdims=True)
    quat *= np.where(quat[..., :1] < 0.0, -1.0, 1.0)
    return np.concatenate([rng.normal(size=(*batch, 3)), quat, q], axis=-1)


def random_arm(rng: np.random.Generator, *, num_joints: int) -> RobotModel:
    """Return a serial arm of servos and linear motors as a user would build it.

    Segments of 5 to 40 cm along a coordinate axis, servos about a coordinate axis with
    one to six radians of range, linear motors with 10 to 50 cm of stroke, a tool.
    """
    links = [Link(name="base")]
    for i in range(num_joints):
        slides = rng.random() < 0.25
        T = np.eye(4)
        T[rng.integers(3), 3] = rng.uniform(0.05, 0.4)
        if slides:
            lower, upper = 0.0, float(rng.uniform(0.1, 0.5))
        else:
            middle, half = rng.uniform(-0.5, 0.5), rng.uniform(0.5, 3.0)
            lower, upper = float(middle - half), float(middle + half)
        links.append(
            Link(
                name=f"link_{i + 1}",
                parent=links[-1].name,
                joint_type=JointType.PRISMATIC if slides else JointType.REVOLUTE,
                T_parent_joint=T,
                axis=np.eye(3)[rng.integers(3)] * rng.choice([-1.0, 1.0]),
                lower=lower,
                upper=upper,
                home=0.5 * (lower + upper),
            )
        )
    T = np.eye(4)
    T[rng.integers(3), 3] = rng.uniform(0.05, 0.3)
    links.append(Link(name="tool", parent=links[-1].name, T_parent_joint=T))
    return assemble(f"random {num_joints}-joint arm", links, tool="tool")
