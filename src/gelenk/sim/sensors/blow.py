"""How blows reach accelerometers and force sensors.

The engine's own sensors know forces, not impulses. Within the tick of an impact the
velocity of a body jumps; an accelerometer on it integrates that jump, and a force
sensor transmits whatever its subtree's momentum gained beyond the impulses that struck
the subtree itself. Both are collected here until the next sample, in sensor axes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import add, cross, scaled, sub, vec
from gelenk.sim.sensors.columns import BODY, FIRST, INTEGRAL, SITE, SUBTREE_END
from gelenk.typing import FloatArray, IntArray, Vec3


class Blows(NamedTuple):
    """Impacts of one tick, and where everything is.

    Attributes:
        is_struck: 0: no impact in this tick, and the next two are not looked at, (1,).
        body_jump: Change of velocity of each body's centre of mass and of its angular
            velocity, world axes, (nbody, 6).
        body_impulse: Impulse on each body and its moment about the world's origin,
            world axes, (nbody, 6).
        xipos: Centres of mass, world, (nbody, 3).
        ximat: Orientation of the axes of inertia, rows first, (nbody, 9).
        body_mass: (nbody,).
        body_inertia: About those axes, (nbody, 3).
        site_xpos: Places of the sites, world, (nsite, 3).
        site_xmat: Their orientations, rows first, (nsite, 9).
    """

    is_struck: IntArray
    body_jump: FloatArray
    body_impulse: FloatArray
    xipos: FloatArray
    ximat: FloatArray
    body_mass: FloatArray
    body_inertia: FloatArray
    site_xpos: FloatArray
    site_xmat: FloatArray


def no_blows() -> Blows:
    """Return the blows of a world in which nothing bounces."""
    return Blows(
        is_struck=np.zeros(1, np.int64),
        body_jump=np.zeros((0, 6)),
        body_impulse=np.zeros((0, 6)),
        xipos=np.zeros((0, 3)),
        ximat=np.zeros((0, 9)),
        body_mass=np.zeros(0),
        body_inertia=np.zeros((0, 3)),
        site_xpos=np.zeros((0, 3)),
        site_xmat=np.zeros((0, 9)),
    )


@kernel
def collect_jump(ints: IntArray, state: FloatArray, blows: Blows) -> None:
    """Add the jump of a sensor's velocity [m/s] to its first three channels."""
    body, site = ints[BODY], ints[SITE]
    arm = sub(vec(blows.site_xpos, site, 0), vec(blows.xipos, body, 0))
    jump = add(vec(blows.body_jump, body, 0), cross(vec(blows.body_jump, body, 3), arm))
    _collect(state, ints[FIRST], blows.site_xmat[site], jump)


@kernel
def collect_wrench(ints: IntArray, state: FloatArray, blows: Blows) -> None:
    """Add the impulse that the parent gave, and its moment at the sensor [N m s]."""
    site = ints[SITE]
    place = vec(blows.site_xpos, site, 0)
    push, moment = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for body in range(ints[BODY], ints[SUBTREE_END]):
        gained = scaled(blows.body_mass[body], vec(blows.body_jump, body, 0))
        struck = vec(blows.body_impulse, body, 0)
        push = add(push, sub(gained, struck))
        arm = sub(vec(blows.xipos, body, 0), place)
        spin = _spin(blows, body, vec(blows.body_jump, body, 3))
        # The moment of a blow about the sensor is that about the origin, moved.
        struck_moment = sub(vec(blows.body_impulse, body, 3), cross(place, struck))
        moment = add(moment, sub(add(cross(arm, gained), spin), struck_moment))
    _collect(state, ints[FIRST], blows.site_xmat[site], push)
    _collect(state, ints[FIRST] + 3, blows.site_xmat[site], moment)


@kernel
def _collect(state: FloatArray, first: int, xmat: FloatArray, vector: Vec3) -> None:
    """Add a vector in world axes to three channels in the axes of a site."""
    for i in range(3):
        state[first + i, INTEGRAL] += (
            xmat[i] * vector[0] + xmat[3 + i] * vector[1] + xmat[6 + i] * vector[2]
        )


@kernel
def _spin(blows: Blows, body: int, omega: Vec3) -> Vec3:
    """Return the angular momentum about the centre of mass, world axes."""
    R, inertia = blows.ximat[body], blows.body_inertia[body]
    out = (0.0, 0.0, 0.0)
    for i in range(3):
        axis = (R[i], R[3 + i], R[6 + i])
        along = axis[0] * omega[0] + axis[1] * omega[1] + axis[2] * omega[2]
        out = add(out, scaled(inertia[i] * along, axis))
    return out


@kernel
def body_jumps(
    velocity_jump: FloatArray,
    cdof: FloatArray,
    subtree_com: FloatArray,
    xipos: FloatArray,
    body_parentid: NDArray[np.int32],
    body_rootid: NDArray[np.int32],
    body_dofadr: NDArray[np.int32],
    body_dofnum: NDArray[np.int32],
    out: FloatArray,
) -> None:
    """Write the jump of each body's velocity that a jump of qvel means.

    Args:
        velocity_jump: Change of qvel, (nv,).
        cdof: The engine's motion axes, [ω; v] about the centre of mass of the tree,
            world axes, (nv, 6).
        subtree_com: Centres of mass of subtrees, world, (nbody, 3).
        xipos: Centres of mass of bodies, world, (nbody, 3).
        body_parentid: (nbody,).
        body_rootid: Root of each body's tree, (nbody,).
        body_dofadr: First dof of each body, (nbody,).
        body_dofnum: Number of dofs of each body, (nbody,).
        out: Written: [v of the centre of mass; ω], world axes, (nbody, 6).
    """
    out[0] = 0.0
    for body in range(1, out.shape[0]):
        # First as the engine counts, about the centre of mass of the tree.
        for i in range(6):
            out[body, i] = out[body_parentid[body], i]
        for dof in range(body_dofadr[body], body_dofadr[body] + body_dofnum[body]):
            for i in range(3):
                out[body, i] += cdof[dof, 3 + i] * velocity_jump[dof]
                out[body, 3 + i] += cdof[dof, i] * velocity_jump[dof]
    for body in range(1, out.shape[0]):
        centre = vec(subtree_com, body_rootid[body], 0)
        arm = sub(vec(xipos, body, 0), centre)
        moved = add(vec(out, body, 0), cross(vec(out, body, 3), arm))
        out[body, 0], out[body, 1], out[body, 2] = moved
