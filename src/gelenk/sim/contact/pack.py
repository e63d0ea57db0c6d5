"""From a compiled engine model to the bank that the contact tick needs."""

from __future__ import annotations

from collections.abc import Mapping

import mujoco
import numpy as np

from gelenk.sim.contact import bank as columns
from gelenk.sim.contact.bank import ContactBank, impact_room
from gelenk.typing import FloatArray, IntArray


def pack_contact(
    model: mujoco.MjModel,
    *,
    material: IntArray,
    restitution: FloatArray,
    settings: Mapping[int, float],
) -> ContactBank:
    """Return the contact bank of a model.

    Gives bouncing geoms half the touch distance as margin, so that a ball that has
    landed is held in the same moment, and two balls not before they touch. Detection
    gaps that the model has already are kept as the least.

    Args:
        model: The engine's model; its margins are changed.
        material: Row of `restitution` for each geom, (ngeom,).
        restitution: e of each pair of materials, nan for pairs that do not bounce.
        settings: Thresholds by their column.
    """
    values = np.zeros(columns.SETTINGS)
    for column, value in settings.items():
        values[column] = value
    bounces = ~np.isnan(restitution[material][:, material]) if model.ngeom else None
    can_meet = _can_meet(model)
    is_bouncing = (
        np.zeros(0, dtype=bool) if bounces is None else (bounces & can_meet).any(axis=1)
    )
    moves = model.body_weldid[model.geom_bodyid] != 0
    has_impacts = bool((is_bouncing & moves).any())
    fast = np.flatnonzero(is_bouncing & moves) if has_impacts else np.zeros(0, int)
    own = ~np.isnan(np.diag(restitution))[material]
    model.geom_margin[own] = 0.5 * values[columns.TOUCH_DISTANCE]
    flyers, flyer_of_body = _flyers(model)
    return ContactBank(
        material=np.ascontiguousarray(material, dtype=np.int64),
        restitution=np.ascontiguousarray(restitution),
        fast_geoms=np.ascontiguousarray(fast, dtype=np.int64),
        least_gap=np.array(model.geom_gap),
        flyers=flyers,
        flyer_of_body=flyer_of_body,
        settings=values,
        events=np.zeros((columns.EVENT_CAPACITY, columns.IMPACT_COLUMNS)),
        counters=np.zeros(4, dtype=np.int64),
        body_impulse=np.zeros(model.nbody),
        room=impact_room(
            model.nq, model.nv, model.nbody, np.asarray(model.tree_dofnum)
        ),
    )


def _can_meet(model: mujoco.MjModel) -> np.ndarray:
    """Say for each pair of geoms whether their collision masks match."""
    kind, affinity = model.geom_contype, model.geom_conaffinity
    one = (kind[:, None] & affinity[None, :]) != 0
    return one | one.T


def _flyers(model: mujoco.MjModel) -> tuple[IntArray, IntArray]:
    """Return the bodies with a free joint or three slides, and each body's row."""
    free, slide = mujoco.mjtJoint.mjJNT_FREE, mujoco.mjtJoint.mjJNT_SLIDE
    rows: list[tuple[int, int, int, int, int]] = []
    of_body = np.full(model.nbody, -1, dtype=np.int64)
    is_turned = model.body_iquat[:, 1:].any(axis=1)
    for body in range(1, model.nbody):
        first, count = model.body_jntadr[body], model.body_jntnum[body]
        kinds = model.jnt_type[first : first + count]
        is_leaf = model.body_parentid[body] == 0 and body not in model.body_parentid
        is_free = count == 1 and kinds[0] == free
        is_slider = count == 3 and bool((kinds == slide).all())
        if is_leaf and (is_free or is_slider):
            of_body[body] = len(rows)
            address, dof = model.jnt_qposadr[first], model.jnt_dofadr[first]
            is_plain = not model.body_ipos[body].any() and not is_turned[body]
            rows.append((body, int(address), int(dof), int(is_free), int(is_plain)))
    return np.array(rows, dtype=np.int64).reshape(-1, 5), of_body
