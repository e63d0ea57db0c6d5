"""Backlash: a rotor behind the free play of its gear, coupled to a link.

The rotor has its own angle θ and speed ω; the teeth are a spring and a damper that act
once |θ - q| exceeds half the gap, and push only. Rotor, teeth and link are integrated
by one implicit step of which the rotor's part is eliminated: at the start of a tick
`mesh` turns it into a law for the link,

    torque on the link = LINK_TORQUE - LINK_DAMPING * link speed at the end,

which the physics engine integrates with its implicit joint damping; at the start of the
next tick `settle_rotor` knows how far the link went, and from that the rotor's speed,
SPEED_OFFSET + SPEED_SHARE * link speed. What the link receives the rotor loses, to the
last bit of rounding, also where the engine cuts the tick into pieces.

The teeth keep an account: they never hold more energy than was put into them. So
backlash cannot feed a motion, whatever the step.
"""

from __future__ import annotations

import numpy as np

from gelenk.kernels.compile import kernel
from gelenk.sim.motors.bank import (
    HALF_GAP,
    LINK_BEFORE,
    LINK_DAMPING,
    LINK_TORQUE,
    ROTOR_ANGLE,
    ROTOR_INERTIA,
    ROTOR_SPEED,
    SPEED_OFFSET,
    SPEED_SHARE,
    TOOTH_DAMPING,
    TOOTH_ENERGY,
    TOOTH_STIFFNESS,
    WEAR,
)
from gelenk.typing import FloatArray, Vec3


@kernel
def settle_rotor(params: FloatArray, state: FloatArray, q: float, h: float) -> None:
    """Finish the last tick: move the rotor, balance the energy of the teeth."""
    before = state[LINK_BEFORE]
    state[LINK_BEFORE] = q
    if np.isnan(before):
        return
    link_speed = (q - before) / h
    speed = state[SPEED_OFFSET] + state[SPEED_SHARE] * link_speed
    state[ROTOR_SPEED] = speed
    state[ROTOR_ANGLE] += h * speed
    torque = state[LINK_TORQUE] - state[LINK_DAMPING] * link_speed
    available = state[TOOTH_ENERGY] + torque * (speed - link_speed) * h
    stiffness = params[TOOTH_STIFFNESS]
    depth = max(abs(state[ROTOR_ANGLE] - q) - params[HALF_GAP], 0.0)
    stored = min(0.5 * stiffness * depth * depth, max(available, 0.0))
    state[WEAR] += available - stored
    state[TOOTH_ENERGY] = stored


@kernel
def mesh(
    params: FloatArray,
    state: FloatArray,
    q: float,
    qd: float,
    torque: float,
    damping: float,
    friction: float,
    h: float,
    is_torn: bool,
) -> None:
    """Begin a tick: find out whether the teeth touch and write the link's law.

    Args:
        params: Row of the motor.
        state: Row of the motor.
        q: Joint value [rad].
        qd: Joint speed [rad/s].
        torque: Torque of the drive at speed 0 [N m].
        damping: Damping of the drive [N m s/rad].
        friction: Dry friction of the drive [N m].
        h: Length of the tick [s].
        is_torn: Whether rotor and link have nothing to do with each other any more.
    """
    inertia_rate = params[ROTOR_INERTIA] / h
    momentum = inertia_rate * state[ROTOR_SPEED] + torque
    free_speed = _rubbed(momentum, friction) / (inertia_rate + damping)
    side, push, tooth = _contact(params, state, q, qd, free_speed, h)
    if tooth > 0.0 and not is_torn:
        drag = inertia_rate + damping
        force = _engage(state, side, push, tooth, momentum, drag, friction, qd)
        if force > 0.0:
            return
        # They part too fast for the damper, which cannot pull. In a tick without any
        # law the link could sink into loaded teeth at no cost; so they keep as much of
        # the damper as takes away all force, should the link go on as it does.
        spring = params[TOOTH_STIFFNESS] * h
        most = _engage(state, side, push, spring, momentum, drag, friction, qd)
        if push > 0.0 and most > 0.0:
            # Force falls from `most` to `force` as 1 / (drag + tooth) does.
            low, high = 1.0 / (drag + tooth), 1.0 / (drag + spring)
            at = low + (high - low) * force / (force - most)
            soft = min(max(1.0 / at - drag, spring), tooth)
            _engage(state, side, push, soft, momentum, drag, friction, qd)
            return
    state[SPEED_OFFSET], state[SPEED_SHARE] = free_speed, 0.0
    state[LINK_TORQUE], state[LINK_DAMPING] = 0.0, 0.0


@kernel
def _engage(
    state: FloatArray,
    side: float,
    push: float,
    tooth: float,
    momentum: float,
    drag: float,
    friction: float,
    qd: float,
) -> float:
    """Write the law of teeth with spring and damping; return their force [N m].

    That is the force with the link at its present speed; negative: they would pull.
    """
    # The rotor would end at
    # (momentum - side push + tooth qd -+ friction) / (sum of the coefficients).
    pull = momentum - side * push
    offset, share = 0.0, 0.0
    if abs(pull + tooth * qd) > friction:
        total = drag + tooth
        rubbing = friction if pull + tooth * qd > 0.0 else -friction
        offset, share = (pull - rubbing) / total, tooth / total
    state[SPEED_OFFSET], state[SPEED_SHARE] = offset, share
    state[LINK_TORQUE] = side * push + tooth * offset
    state[LINK_DAMPING] = tooth * (1.0 - share)
    return side * (state[LINK_TORQUE] - state[LINK_DAMPING] * qd)


@kernel
def _contact(
    params: FloatArray,
    state: FloatArray,
    q: float,
    qd: float,
    free_speed: float,
    h: float,
) -> Vec3:
    """Return side (±1), push of the spring [N m] and tooth damping; 0 in the gap.

    Teeth that touch during the tick already damp during the part of it that is left;
    their spring is charged from the energy that the damping took.
    """
    stiffness, gap = params[TOOTH_STIFFNESS], params[HALF_GAP]
    full = stiffness * h + params[TOOTH_DAMPING]
    twist = state[ROTOR_ANGLE] - q
    if state[TOOTH_ENERGY] > 0.0:
        side = 1.0 if twist > 0.0 else -1.0
        return side, np.sqrt(2.0 * stiffness * state[TOOTH_ENERGY]), full
    twist_after = twist + h * (free_speed - qd)
    side = 1.0 if twist_after > 0.0 else -1.0
    depth, depth_after = side * twist - gap, side * twist_after - gap
    if depth_after <= 0.0:
        return side, 0.0, 0.0
    touching = 1.0 if depth >= 0.0 else depth_after / (depth_after - depth)
    return side, 0.0, touching * full


@kernel
def _rubbed(momentum: float, friction: float) -> float:
    """Return what dry friction leaves of a torque: nothing, or less of it."""
    if abs(momentum) <= friction:
        return 0.0
    return momentum - friction if momentum > 0.0 else momentum + friction
