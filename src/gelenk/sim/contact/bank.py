"""Contact bank: which bodies bounce and how, what happened, room to work in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import mujoco
import numpy as np

from gelenk.typing import FloatArray, IntArray

# Columns of an impact event. The impulse acts on the second body; world axes.
IMPACT_TIME, IMPACT_GEOM_1, IMPACT_GEOM_2 = 0, 1, 2
IMPACT_IMPULSE, IMPACT_POINT = 3, 6  # three columns each [N s], [m]
IMPACT_SPEED, IMPACT_RESTITUTION = 9, 10  # approach along the normal [m/s]
IMPACT_COLUMNS = 11
EVENT_CAPACITY = 8192
EVENT_RESERVE = 1024  # a tick starts only while so many more events would fit

# Columns of `settings`.
BOUNCE_SPEED = 0  # slower collisions do not bounce [m/s]
LAND_SPEED = 1  # slower ones are left to the engine's own contact [m/s]
TOUCH_DISTANCE = 2  # nearer bodies touch [m]
SLIDE_TOLERANCE = 3  # lift of a sliding body that is left alone [m/s^2]
IS_ENGINE = 4  # 1: contacts are those of the engine alone
SETTINGS = 5


class ImpactRoom(NamedTuple):
    """Scratch of the impact solver for `capacity` contacts that touch at once.

    A contact moves at most two trees of bodies; `width` is the number of dofs of the
    largest. Matrices hold the dofs of these trees only, side by side.

    Attributes:
        contacts: Contact, its two bodies, 1 if its matrices are ready, (capacity, 4).
        spans: First dof and number of dofs of both trees, (capacity, 2, 2).
        jacobian: Contact velocity by qvel, rows along normal and tangents,
            (capacity, 2, 3, width).
        response: M^-1 J^T, (capacity, 2, 3, width).
        matrix: J M^-1 J^T, (capacity, 3, 3).
        numbers: e, friction, velocity of the surface (3), speed before, impulse (3),
            (capacity, 9).
        rows: Room for the engine's answers, (6, nv).
        before: qvel before a blow or a step, (nv,).
        start: Positions, velocities, warm start, time and activations at the begin of
            a sub-step, (nq + 2 nv + 1 + na,).
        point: A point for the engine, (3,).
        is_held: 1 for bodies that something touches, (nbody,).
        is_hit: 1 for trees whose velocity a blow has changed, (ntree,).
        is_driven: 1 for dofs that nothing can push, (nv,).
    """

    contacts: IntArray
    spans: IntArray
    jacobian: FloatArray
    response: FloatArray
    matrix: FloatArray
    numbers: FloatArray
    rows: FloatArray
    before: FloatArray
    start: FloatArray
    point: FloatArray
    is_held: IntArray
    is_hit: IntArray
    is_driven: IntArray


def impact_room(
    nq: int,
    nv: int,
    nbody: int,
    tree_sizes: IntArray,
    capacity: int = 128,
    na: int = 0,
) -> ImpactRoom:
    """Return scratch for a world.

    Args:
        nq: Number of coordinates.
        nv: Number of dofs.
        nbody: Number of bodies.
        tree_sizes: Number of dofs of each tree, (ntree,).
        capacity: Contacts that may touch at once in one moment of impact.
        na: Number of activations of actuators.
    """
    width = int(tree_sizes.max(initial=1))
    return ImpactRoom(
        contacts=np.zeros((capacity, 4), dtype=np.int64),
        spans=np.zeros((capacity, 2, 2), dtype=np.int64),
        jacobian=np.zeros((capacity, 2, 3, width)),
        response=np.zeros((capacity, 2, 3, width)),
        matrix=np.zeros((capacity, 3, 3)),
        numbers=np.zeros((capacity, 9)),
        rows=np.zeros((6, nv)),
        before=np.zeros(nv),
        start=np.zeros(nq + 2 * nv + 1 + na),
        point=np.zeros(3),
        is_held=np.zeros(nbody, dtype=np.int64),
        is_hit=np.zeros(max(len(tree_sizes), 1), dtype=np.int64),
        is_driven=np.zeros(nv, dtype=np.int64),
    )


class ContactBank(NamedTuple):
    """Contact as the compiled tick knows and reports it.

    Attributes:
        material: Row and column of `restitution` for each geom, (ngeom,).
        restitution: e of each pair of materials, nan where a pair does not bounce.
        fast_geoms: Geoms that move and can meet a bouncing one, (k,).
        least_gap: Detection gap that others want of each geom [m], (ngeom,).
        flyers: Bodies that fly freely when nothing touches them: body, address of the
            position in qpos, first dof, 1 if they also turn, 1 if their inertia lies
            along their axes about their origin, (k, 5).
        flyer_of_body: Row of `flyers` for each body, or -1, (nbody,).
        settings: Thresholds, columns above, (SETTINGS,).
        events: Impacts since they were last read, (EVENT_CAPACITY, IMPACT_COLUMNS).
        counters: Number of events; ticks, sub-steps and extra solves so far, (4,).
        body_impulse: Normal impulse that impacts gave each body in this tick [N s],
            (nbody,).
        room: Scratch of the impact solver.
    """

    material: IntArray
    restitution: FloatArray
    fast_geoms: IntArray
    least_gap: FloatArray
    flyers: IntArray
    flyer_of_body: IntArray
    settings: FloatArray
    events: FloatArray
    counters: IntArray
    body_impulse: FloatArray
    room: ImpactRoom


# Entries of `counters`.
EVENTS, TICKS, SUBSTEPS, EXTRA_SOLVES = range(4)


def restitution_table(
    restitution: Sequence[float | None],
    pairs: Mapping[tuple[int, int], float],
) -> FloatArray:
    """Return e for each pair of materials.

    One partner that bounces decides for both; of two the smaller value counts.
    `pairs` overrules.

    Args:
        restitution: e of each material, None for one that leaves it to its partner.
        pairs: e of pairs of materials.
    """
    own = np.array([np.nan if e is None else e for e in restitution], dtype=float)
    table = np.fmin(own[:, None], own[None, :])
    for (one, other), e in pairs.items():
        table[one, other] = table[other, one] = e
    return table


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
    values = np.zeros(SETTINGS)
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
    model.geom_margin[own] = 0.5 * values[TOUCH_DISTANCE]
    flyers, flyer_of_body = _flyers(model)
    return ContactBank(
        material=np.ascontiguousarray(material, dtype=np.int64),
        restitution=np.ascontiguousarray(restitution),
        fast_geoms=np.ascontiguousarray(fast, dtype=np.int64),
        least_gap=np.array(model.geom_gap),
        flyers=flyers,
        flyer_of_body=flyer_of_body,
        settings=values,
        events=np.zeros((EVENT_CAPACITY, IMPACT_COLUMNS)),
        counters=np.zeros(4, dtype=np.int64),
        body_impulse=np.zeros(model.nbody),
        room=impact_room(
            model.nq,
            model.nv,
            model.nbody,
            np.asarray(model.tree_dofnum),
            na=model.na,
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
