"""Collisions of robots: links that begin to touch what they should not.

A link collides with what stands fixed, with another robot, and with a movable object
unless it is a finger, whose work that is. The feet of a robot that is not bolted down
may stand on what is fixed: its links that carry no other link. Touching once counts
once: a pair that has parted for less than `CALM` has not parted.
"""

# The functions that run in compiled code have no annotations: their arrays are views.
# pyright: reportMissingParameterType=false
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gelenk.kernels.compile import kernel
from gelenk.sim.appearance import Appearance, compiled_world_of
from gelenk.sim.bridge import layout
from gelenk.sim.bridge.robots import PlacedRobot
from gelenk.sim.compiled_world import CompiledWorld
from gelenk.sim.world import World
from gelenk.typing import BoolArray, IntArray

CALM = 0.5  # [s] for which a pair must be apart to collide anew

# Bits of what a geom is.
_LINK, _FINGER, _FOOT, _FREE = 1, 2, 4, 8


class SelfCollision(NamedTuple):
    """A collision.

    Attributes:
        time: Simulated time of the tick in which it was seen [s].
        link: Body of the robot, `robot/link`.
        other: Name of the touched body.
    """

    time: float
    link: str
    other: str


class SelfCollisions:
    """Notices collisions; in the thread that steps, once per control tick.

    Args:
        world: The world.
        appearance: Appearance with the bodies of the world.
    """

    def __init__(self, world: World, appearance: Appearance) -> None:
        compiled = compiled_world_of(world)
        self._world, self._compiled = world, compiled
        robot, self._bits = _describe_geoms(compiled, appearance)
        # Geoms that are alike share a class; a small table says which pairs collide.
        kinds, self._class = np.unique(
            np.stack([robot, self._bits], axis=1), axis=0, return_inverse=True
        )
        self._class = self._class.reshape(-1)
        self._collides = _list_pairs(kinds[:, 0], kinds[:, 1])
        self._last: dict[tuple[int, int], float] = {}

    def new(self) -> tuple[SelfCollision, ...]:
        """Return the collisions that began since the last call."""
        data = self._compiled.data
        if not data.ncon:
            return ()
        if not _may_collide(self._compiled.table, self._class, self._collides):
            return ()
        contact = data.contact
        geoms = np.asarray(contact.geom)
        kinds = self._class[geoms]
        is_meant = self._collides[kinds[:, 0], kinds[:, 1]]
        is_pressed = np.asarray(contact.efc_address) >= 0
        is_meant &= is_pressed & (np.asarray(contact.dist) <= 0.0)
        return tuple(self._begun(geoms[is_meant]))

    def _begun(self, geoms: IntArray) -> list[SelfCollision]:
        model, now = self._compiled.model, self._world.time
        found: list[SelfCollision] = []
        for pair in np.unique(model.geom_bodyid[geoms], axis=0).tolist():
            one, other = sorted(pair)
            before = self._last.get((one, other), -np.inf)
            self._last[one, other] = now
            if now - before > CALM:
                is_first = self._is_link_body(one)
                link, rest = (one, other) if is_first else (other, one)
                names = (model.body(link).name, model.body(rest).name)
                found.append(SelfCollision(now, *names))
        return found

    def _is_link_body(self, body: int) -> bool:
        first = int(self._compiled.model.body_geomadr[body])
        return bool(self._bits[first] & _LINK)

    def forget_past(self) -> None:
        """Take the present for the beginning, after a jump in time."""
        self._last.clear()


@kernel
def _may_collide(table: IntArray, kinds: IntArray, collides: BoolArray) -> bool:
    """Return whether there is a contact between geoms that may not touch."""
    ints = layout.contact_ints(table)
    for i in range(ints.shape[0]):
        one, other = ints[i, layout.GEOM], ints[i, layout.GEOM + 1]
        if one >= 0 and other >= 0 and collides[kinds[one], kinds[other]]:
            return True
    return False


def _describe_geoms(
    compiled: CompiledWorld, appearance: Appearance
) -> tuple[IntArray, IntArray]:
    """Return the robot of each geom, -1 for none, and what it is, both (ngeom,)."""
    model = compiled.model
    numbers = {name: i for i, name in enumerate(appearance.robots)}
    robot = np.full(model.ngeom, -1, dtype=np.int64)
    bits = np.zeros(model.ngeom, dtype=np.int64)
    floating = {
        item.name
        for item in compiled.placed.values()
        if isinstance(item, PlacedRobot) and item.base_joint
    }
    parents = {body.parent for body in appearance.bodies}
    for body in appearance.bodies:
        own = model.geom_bodyid == body.id
        if body.group == "robot":
            robot[own] = numbers[body.robot]
            is_foot = body.robot in floating and body.id not in parents
            bits[own] = _LINK | (_FOOT if is_foot else 0)
        elif body.group == "object":
            bits[own] = _FREE
    bits[compiled.banks.grasps.gripper_of_geom >= 0] |= _FINGER
    return robot, bits


def _list_pairs(robot: IntArray, bits: IntArray) -> BoolArray:
    """Return which kinds of geoms collide, shape (kinds, kinds).

    Args:
        robot: Number of the robot of each kind, -1 for none.
        bits: Bits of each kind.
    """
    both, either = bits[:, None] & bits, bits[:, None] | bits
    is_link = (either & _LINK != 0) & (robot[:, None] != robot)
    is_work = (either & _FREE != 0) & (either & _FINGER != 0)
    is_stand = (either & _FREE == 0) & (either & _FOOT != 0)
    return is_link & ((both & _LINK != 0) | ~(is_work | is_stand))
