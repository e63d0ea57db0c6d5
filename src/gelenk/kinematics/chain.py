"""Kinematic chain from the base to one frame, in the form that kernels read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gelenk.kernels.chain import COLS
from gelenk.models.compiled import (
    COL_OFFSET,
    COL_SCALE,
    TOP_INDEX,
    TOP_KIND,
    TOP_PARENT,
    TOP_VELOCITY,
)
from gelenk.models.link import JointType
from gelenk.typing import FloatArray

if TYPE_CHECKING:
    from gelenk.models.tree import RobotModel

# Columns of a chain, one row per moving body from the base on, and a last row that
# places the frame in the last body. All in one array: each further argument costs a
# call from Python more than a joint.
CHAIN_R = 0  # 9: rotation to the next body frame, row-major
CHAIN_P = 9  # 3: translation [m]
# 0.0 prismatic, 1.0 revolute, 2.0 ball, 3.0 its other parts (`models.compiled`); last
# row: 1.0 if the base floats
CHAIN_KIND = 12
CHAIN_INDEX = 13  # index of the coordinate in q, a floating base aside
CHAIN_SCALE = 14  # joint value = scale * q[index] + offset
CHAIN_OFFSET = 15
CHAIN_VELOCITY = 16  # index of the velocity in qd, a floating base aside
CHAIN_COLS = COLS


def frame_chain(model: RobotModel, frame: str | None = None) -> FloatArray:
    """Return the chain to a frame, shape (number of moving bodies on it + 1, 17)."""
    try:
        return model._cache["chains"][frame]
    except KeyError:
        chains = model._cache.setdefault("chains", {})
        chains[frame] = chain_to_link(model, model.link_id(frame))
        return chains[frame]


def chain_to_link(model: RobotModel, link: int) -> FloatArray:
    """Return the chain to a link by index; see `frame_chain`."""
    tree = model.compiled
    path: list[int] = []
    body = int(tree.link_body[link])
    while body >= 0:
        path.append(body)
        body = int(tree.topology[body, TOP_PARENT])
    path.reverse()
    chain = np.zeros((len(path) + 1, CHAIN_COLS))
    chain[:-1, :12] = tree.body[path, :12]
    kinds = tree.topology[path, TOP_KIND]
    chain[:-1, CHAIN_KIND] = np.where(
        kinds >= int(JointType.BALL),
        kinds - int(JointType.BALL) + 2.0,
        kinds == int(JointType.REVOLUTE),
    )
    chain[:-1, CHAIN_INDEX] = tree.topology[path, TOP_INDEX]
    chain[:-1, CHAIN_VELOCITY] = tree.topology[path, TOP_VELOCITY]
    chain[:-1, CHAIN_SCALE] = tree.body[path, COL_SCALE]
    chain[:-1, CHAIN_OFFSET] = tree.body[path, COL_OFFSET]
    chain[-1, :12] = tree.link_placement[link]
    chain[-1, CHAIN_KIND] = float(tree.is_floating)
    return chain
