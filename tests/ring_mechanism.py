"""Two chains of seven hinges whose ends are joined: a spatial loop of any kind."""

from __future__ import annotations

import numpy as np

from gelenk.models.assembler import assemble
from gelenk.models.link import JointType, Link, Loop, LoopKind
from gelenk.models.tree import RobotModel
from textbook_tree import link_poses


def ring(kind: LoopKind, rng: np.random.Generator) -> RobotModel:
    """Return the ring; chain a has six motors, everything else follows."""
    links, home = [Link(name="base")], rng.uniform(-0.6, 0.6, 14)
    for side in "ab":
        parent = "base"
        for k in range(7):
            T = np.eye(4)
            T[k % 3, 3] = 0.3
            if k == 0:
                T[1, 3] = 0.4 if side == "b" else 0.0
            links.append(
                Link(
                    name=f"{side}{k}",
                    parent=parent,
                    T_parent_joint=T,
                    axis=np.eye(3)[(k + (side == "b")) % 3],
                    joint_type=JointType.REVOLUTE,
                    is_passive=side == "b" or k > 5,
                    home=float(home[k + (7 if side == "b" else 0)]),
                    mass=1.0,
                    inertia=0.01 * np.eye(3),
                )
            )
            parent = f"{side}{k}"
    tree = assemble("two chains", links)
    T = link_poses(tree, tree.home)
    # The closing frame of b is placed where a's is at home; from there both move.
    T_b = np.linalg.inv(T[tree.link_id("b6")]) @ T[tree.link_id("a6")]
    frames = np.stack([np.eye(4), T_b])
    loop = Loop(name="joint", kind=kind, links=("a6", "b6"), T_link_frame=frames)
    return assemble("ring", links, loops=[loop])
