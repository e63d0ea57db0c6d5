"""Renderer view: what a page needs to draw a running world, read without touching it.

A `RendererView` copies the few numbers from which a picture follows, in microseconds,
and computes the picture from them apart from the world: a world that is looked at does
the same, bit for bit, as one that is not. Old rows make old pictures.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import NamedTuple

import mujoco
import numpy as np
from numpy.typing import NDArray

from gelenk.sim.appearance import Appearance, compiled_world_of, describe_world
from gelenk.sim.bridge.cameras import R_OPENCV_OPENGL
from gelenk.sim.contact import bank as columns
from gelenk.sim.conveyor import ALONG, RUNNING, SPEED
from gelenk.sim.grasp_bank import BODY
from gelenk.sim.objects import Conveyor
from gelenk.sim.observe import Impact, list_impacts
from gelenk.sim.world import World
from gelenk.spatial.quaternion import (
    matrix_from_quaternion,
    multiply,
    quaternion_from_matrix,
    rotate,
)
from gelenk.typing import ArrayLike, FloatArray


class LookBelt(NamedTuple):
    """The moving surface of a conveyor.

    Attributes:
        name: Name of the conveyor.
        corners: Outline of its top, world [m], shape (n, 3).
        along: Unit vector of positive speed, world, shape (3,).
    """

    name: str
    corners: FloatArray
    along: FloatArray


def describe_belts(world: World) -> tuple[LookBelt, ...]:
    """Return the surfaces of a world's conveyors, in the order of its bank."""
    compiled = compiled_world_of(world)
    things = world._contents.things  # pyright: ignore[reportPrivateUsage]
    belts = {item.name: item for item in things if isinstance(item, Conveyor)}
    rows = compiled.banks.belts.params
    return tuple(
        LookBelt(name, _top(belts[name]), np.array(rows[row, ALONG : ALONG + 3]))
        for name, row in compiled.belts.items()
    )


def _top(belt: Conveyor) -> FloatArray:
    """Return the corners of the upper side, world [m], shape (n, 3)."""
    plan = np.asarray(belt.plan.corners, dtype=np.float64)
    place = plan[:, "xy".index(belt.direction)]
    low, high = place.min(), place.max()
    height = belt.h1 + (belt.h2 - belt.h1) * (place - low) / (high - low)
    local = np.column_stack([plan, height])
    return local @ matrix_from_quaternion(belt.quat).T + np.asarray(belt.position)


class BeltTravel:
    """Adds up how far the belts of a world have run; in the thread that steps.

    Speeds change between two looks only, as commands do between control ticks: then
    what is added up is exact.

    Attributes:
        travel: Path of each belt along itself, backwards negative [m], shape (n,).

    Args:
        world: The world.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._command = compiled_world_of(world).banks.belts.command
        self._then = world.time
        self.travel: FloatArray = np.zeros(len(self._command))

    def look(self) -> FloatArray:
        """Add what was run since the last look at the speed of now; return `travel`."""
        now = self._world.time
        if now != self._then:
            running = self._command[:, RUNNING] != 0.0
            self.travel += self._command[:, SPEED] * running * (now - self._then)
            self._then = now
        return self.travel

    def put_back(self, travel: ArrayLike | None = None) -> None:
        """Take the present for the beginning, after a jump in time."""
        self._then = self._world.time
        self.travel[:] = 0.0 if travel is None else travel


MAX_CONTACTS = 500  # of one picture, the strongest ones


class WorldPicture(NamedTuple):
    """Everything that moves, at one moment.

    Attributes:
        poses: Bodies, then cameras: x, y, z, qw, qx, qy, qz, shape (n, 7).
        values: Joint values [rad], [m], shape (m,).
        speeds: Joint speeds [rad/s], [m/s], shape (m,).
        travels: Paths of the belts along themselves [m], shape (b,).
    """

    poses: FloatArray
    values: FloatArray
    speeds: FloatArray
    travels: FloatArray


class Grasp(NamedTuple):
    """Something was taken or let go, by the gripper on a body."""

    thing: str
    gripper: str
    is_held: bool


class RendererView:
    """Looks at a world, from any thread but for what is marked.

    Attributes:
        appearance: Appearance of the world.
        belts: Surfaces of conveyors.
        width: Numbers of a row.

    Args:
        world: The world.
    """

    def __init__(self, world: World) -> None:
        self.appearance: Appearance = describe_world(world)
        compiled = compiled_world_of(world)
        self._world, self._compiled, self._model = world, compiled, compiled.model
        self._data = mujoco.MjData(compiled.model)
        self._lock = threading.Lock()
        joints = self.appearance.joints
        self._body_ids = np.array([b.id for b in self.appearance.bodies], dtype=int)
        self._cameras = np.array([c.id for c in self.appearance.cameras], dtype=int)
        self._turn = quaternion_from_matrix(R_OPENCV_OPENGL)
        self._qpos = np.array([joint.qpos for joint in joints], dtype=int)
        self._dof = np.array([joint.dof for joint in joints], dtype=int)
        nq, nmocap = compiled.model.nq, compiled.model.nmocap
        self._ends = np.cumsum([nq, 3 * nmocap, 4 * nmocap, len(joints)])
        self.belts = describe_belts(world)
        self._travel = BeltTravel(world)
        self.width = int(self._ends[-1]) + len(self.belts)
        self._last_impact = world.time
        self._holder = np.array(compiled.banks.grasps.holder)

    # -- pictures ------------------------------------------------------------------

    def show(self, bodies: Sequence[int]) -> None:
        """Choose the bodies of pictures by their indices in the engine; first all."""
        self._body_ids = np.array(bodies, dtype=int)

    def row(self) -> NDArray[np.float32]:
        """Return what a picture of this moment needs; in the thread that steps."""
        data, (nq, places, turns, speeds) = self._compiled.data, self._ends
        row = np.empty(self.width, dtype=np.float32)
        row[:nq] = data.qpos
        if turns > nq:
            row[nq:places] = data.mocap_pos.ravel()
            row[places:turns] = data.mocap_quat.ravel()
        row[turns:speeds] = data.qvel[self._dof]
        if self.belts:
            row[speeds:] = self._travel.look()
        return row

    def picture(self, row: NDArray[np.float32]) -> WorldPicture:
        """Return where everything is, of a row of this world."""
        nq, places, turns, speeds = self._ends
        with self._lock:
            data = self._data
            data.qpos[:] = row[:nq]
            if turns > nq:
                data.mocap_pos[:] = row[nq:places].reshape(-1, 3)
                data.mocap_quat[:] = row[places:turns].reshape(-1, 4)
            mujoco.mj_kinematics(self._model, data)
            poses = np.empty((len(self._body_ids) + len(self._cameras), 7))
            n = len(self._body_ids)
            poses[:n, :3] = data.xpos[self._body_ids]
            poses[:n, 3:] = data.xquat[self._body_ids]
            if len(self._cameras):
                poses[n:] = self._camera_poses()
        poses[poses[:, 3] < 0.0, 3:] *= -1.0
        rest = np.asarray(row[turns:], dtype=np.float64)
        values = np.asarray(row[self._qpos], dtype=np.float64)
        return WorldPicture(poses, values, *np.split(rest, [speeds - turns]))

    def _camera_poses(self) -> FloatArray:
        """Return poses of the cameras, z forward and y down."""
        model, data = self._model, self._data
        bodies = model.cam_bodyid[self._cameras]
        quat = data.xquat[bodies]
        place = data.xpos[bodies] + rotate(quat, model.cam_pos[self._cameras])
        turn = multiply(multiply(quat, model.cam_quat[self._cameras]), self._turn)
        return np.concatenate([place, turn], axis=1)

    # -- what is and what was, in the thread that steps ------------------------------

    def contacts(self) -> FloatArray:
        """Return the contacts that press: point [m] and force on the second body [N].

        Returns:
            World axes, shape (c, 6); the strongest `MAX_CONTACTS`.
        """
        data = self._compiled.data
        if not data.ncon:
            return np.zeros((0, 6))
        first = np.asarray(data.contact.efc_address, dtype=int)
        presses = np.flatnonzero(first >= 0)
        first, dims = first[presses], np.asarray(data.contact.dim)[presses]
        # With the elliptic cone the solver's rows are the force in the contact's frame.
        rows = first[:, None] + np.minimum(np.arange(3), dims[:, None] - 1)
        local = data.efc_force[rows] * (np.arange(3) < dims[:, None])
        frames = np.asarray(data.contact.frame)[presses].reshape(-1, 3, 3)
        force = np.einsum("cij,ci->cj", frames, local)
        found = np.concatenate([np.asarray(data.contact.pos)[presses], force], axis=1)
        found = found[np.any(force != 0.0, axis=1)]
        if len(found) > MAX_CONTACTS:
            strength = np.linalg.norm(found[:, 3:], axis=1)
            found = found[np.argsort(strength)[-MAX_CONTACTS:]]
        return found

    def new_impacts(self, min_speed: float) -> tuple[Impact, ...]:
        """Return the impacts since the last call that were fast enough [m/s].

        Others who ask the world for its impacts still get them.
        """
        kept = self._world._impacts  # pyright: ignore[reportPrivateUsage]
        if not kept:
            return ()
        rows: list[FloatArray] = []
        for block in reversed(kept):
            is_new = block[:, columns.IMPACT_TIME] > self._last_impact
            rows[:0] = block[is_new & (block[:, columns.IMPACT_SPEED] >= min_speed)]
            if not is_new.all():
                break
        self._last_impact = self._world.time
        return list_impacts(self._compiled, rows)

    def new_grasps(self) -> tuple[Grasp, ...]:
        """Return what was taken or let go since the last call."""
        grasps = self._compiled.banks.grasps
        if grasps.holder.tobytes() == self._holder.tobytes():
            return ()
        changed = np.flatnonzero(grasps.holder != self._holder)
        found: list[Grasp] = []
        for i in changed.tolist():
            thing = self._model.body(int(grasps.things[i, BODY])).name
            for gripper, is_held in (
                (self._holder[i], False),
                (grasps.holder[i], True),
            ):
                if gripper >= 0:
                    body = self._model.body(int(grasps.gripper_body[gripper])).name
                    found.append(Grasp(thing, body, is_held))
        self._holder = np.array(grasps.holder)
        return tuple(found)

    def forget_past(self, row: NDArray[np.float32] | None = None) -> None:
        """Take the present for the beginning, after a jump in time.

        Args:
            row: Row of this moment when it was first; None: belts begin at 0.
        """
        self._travel.put_back(None if row is None else row[self._ends[-1] :])
        self._last_impact = self._world.time
        self._holder = np.array(self._compiled.banks.grasps.holder)
