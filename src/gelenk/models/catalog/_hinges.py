"""Arms given by joint frames: bodies in a row, each on a hinge of the one before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gelenk.models.link import JointType, Link
from gelenk.typing import ArrayLike


def hinge_arm(
    bodies: Sequence[Link],
    T_parent_joint: Sequence[ArrayLike],
    *,
    axis: ArrayLike = (0.0, 0.0, 1.0),
    lower: ArrayLike,
    upper: ArrayLike,
    max_velocity: ArrayLike,
    max_effort: ArrayLike,
    home: ArrayLike,
) -> list[Link]:
    """Return the bodies, each but the first on `joint_i` of the one before.

    Args:
        bodies: Links by name, mass and shapes; the base, then one per hinge.
        T_parent_joint: Pose of each body in the one before at joint value 0.
        axis: In the frame of the body, one for all hinges or one per hinge.
        lower: Joint limits [rad], one per hinge.
        upper: Joint limits [rad], one per hinge.
        max_velocity: [rad/s], one per hinge.
        max_effort: [N m], one per hinge.
        home: Joint values of the home configuration [rad].
    """
    count = len(bodies) - 1
    figures = np.array([lower, upper, max_velocity, max_effort, home], dtype=np.float64)
    links = [bodies[0]]
    for i, (body, T, direction, (low, high, speed, effort, start)) in enumerate(
        zip(
            bodies[1:],
            T_parent_joint,
            np.broadcast_to(axis, (count, 3)),
            figures.T.tolist(),
            strict=True,
        ),
        start=1,
    ):
        links.append(
            replace(
                body,
                parent=links[-1].name,
                joint=f"joint_{i}",
                joint_type=JointType.REVOLUTE,
                T_parent_joint=T,
                axis=direction,
                lower=low,
                upper=high,
                max_velocity=speed,
                max_effort=effort,
                home=start,
            )
        )
    return links
