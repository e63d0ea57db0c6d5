"""NAO's motors: position servos, and what their gears do between encoder and link."""

from __future__ import annotations

import numpy as np

from gelenk.errors import ConfigError
from gelenk.models.tree import RobotModel
from gelenk.robots.nao import config
from gelenk.robots.nao.errors import NaoErrors
from gelenk.robots.nao.joints import BODY_JOINTS, HEAD_JOINTS, LEG_JOINTS, SIDES
from gelenk.robots.nao.robot import JOINTS
from gelenk.sim.motors.descriptions import Backlash, Heating, PositionServo
from gelenk.typing import ArrayLike, FloatArray

# Joints that work in a calibration, one per motor.
WARM_JOINTS = (*HEAD_JOINTS, *LEG_JOINTS["left"], *LEG_JOINTS["right"][1:])


def servo_motors(
    errors: NaoErrors, *, level: int, heating: Heating | None = None
) -> dict[str, PositionServo]:
    """Return the motor of each joint of the model.

    Args:
        errors: Whose compliance and play the legs' drives have, at level 3.
        level: Of what is simulated, see `world.make_world`.
        heating: How warm the motors of head and legs become; None: not simulated.

    Raises:
        ConfigError: If a drive with play is stiffer than physics can follow.
    """
    gears = _gears(errors) if level >= 3 else {}
    motors: dict[str, PositionServo] = {}
    for joint in _driven():
        kind = joint if joint in JOINTS else joint[1:]
        cfg, data = config.SERVOS[kind], JOINTS[kind]
        motors[joint] = PositionServo(
            kp=cfg.kp,
            kd=cfg.kd,
            torque_limit=data.torque,
            no_load_speed=float(np.deg2rad(data.speed)),
            gear_ratio=cfg.gear_ratio,
            rotor_inertia=cfg.rotor_inertia,
            backlash=gears.get(joint),
            stall_current=config.STALL_CURRENT,
            heating=heating if joint in WARM_JOINTS else None,
        )
    return motors


def stiffness(model: RobotModel, hardness: ArrayLike | None = None) -> FloatArray:
    """Return the second channel of `World.command` for a NAO, shape (25,).

    Args:
        model: Whose joints are meant.
        hardness: Stiffness of the 22 joints of the body, 0..1; None: B-Human's. Wrists
            and hands are as stiff as their arms.
    """
    if hardness is None:
        hard = np.array([config.HARDNESS[_limb(joint)] for joint in BODY_JOINTS])
    else:
        hard = np.asarray(hardness, dtype=np.float64)
    by_name = dict(zip(BODY_JOINTS, hard, strict=True))
    for letter in "LR":
        for joint in ("WristYaw", "Hand"):
            by_name[f"{letter}{joint}"] = by_name[f"{letter}ElbowRoll"]
    return np.array([by_name[joint] for joint in model.joint_names])


def _limb(joint: str) -> str:
    if joint.startswith("Head"):
        return "Head"
    return "Leg" if any(joint in LEG_JOINTS[side] for side in SIDES) else "Arm"


def _driven() -> list[str]:
    """Return the joints that have a motor: all but RHipYawPitch."""
    both = [kind for kind in JOINTS if not kind.startswith("Head")]
    names = ["HeadYaw", "HeadPitch", *(f"{s}{kind}" for s in "LR" for kind in both)]
    return [name for name in names if name != "RHipYawPitch"]


def _gears(errors: NaoErrors) -> dict[str, Backlash]:
    """Return play and elasticity behind the encoders of the legs."""
    gears: dict[str, Backlash] = {}
    joints = (*LEG_JOINTS["left"], *LEG_JOINTS["right"])
    values = zip(joints, errors.compliance, errors.play, strict=True)
    softest = 1.0 / config.MAX_TOOTH_STIFFNESS
    for joint, compliance, half_gap in values:
        if (compliance == 0.0 and half_gap == 0.0) or joint == "RHipYawPitch":
            continue
        if compliance < softest:
            raise ConfigError(
                f"{joint}: a drive with play or compliance needs a compliance of at "
                f"least {softest:.2g} rad/(N m) ({np.rad2deg(softest):.2g} deg/(N m)), "
                f"got {compliance:.2g}; stiffer teeth swing too fast to be simulated"
            )
        gears[joint] = Backlash(
            half_gap=half_gap,
            stiffness=1.0 / compliance,
            damping=config.TOOTH_DAMPING / compliance,
        )
    return gears
