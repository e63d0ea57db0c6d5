"""Making use of a calibration: corrected readings, corrected commands, camera pose.

With the calibration's parameters alpha, in the sense of true angle = reading + alpha:

    corrected angle = reading + alpha        command = desired angle - alpha

(B-Human stores the negative: its offset is added to commands.) One motor drives both
HipYawPitch joints: readings use both offsets, commands their mean; `hip_remainder` is
what no command can mend, unless the other joints of the legs make up for it. How the
sandals were put on is forgotten: it will be another way next time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Literal, TypeAlias

import numpy as np

from gelenk.calibration.calibration import Calibration
from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.robots.nao import kinematics
from gelenk.robots.nao import robot as nao
from gelenk.robots.nao.checks.footing import stepped
from gelenk.robots.nao.config import nominal_intrinsics
from gelenk.robots.nao.errors import LinkErrors, Vec3
from gelenk.robots.nao.joints import (
    BODY_JOINTS,
    HEAD,
    HEAD_JOINTS,
    LEG,
    LEG_JOINTS,
    NUM_BODY,
    SIDES,
    Side,
    clip_body,
)
from gelenk.robots.nao.parameters import DISTORTION_NAMES, leg_names
from gelenk.typing import ArrayLike, FloatArray
from gelenk.vision.camera import Intrinsics

Load: TypeAlias = Callable[[FloatArray], FloatArray]
"""Torques on the joints [N m] at angles [rad], both body vectors, (..., 22)."""

_ROUNDS = 4  # of give and load
_LEFT_HIP, _RIGHT_HIP = LEG["left"].start, LEG["right"].start


def _zeros() -> FloatArray:
    return np.zeros(NUM_BODY)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Compensation:
    """What is known to be wrong with a robot; without arguments nothing.

    Attributes:
        joints: True angle less reading [rad], B-Human's signs (head: NAO's), (22,).
        camera: Turn of the lower camera: yaw, pitch, roll [rad].
        camera_position: Shift of the lower camera in the head [m].
        links: How much longer than nominal the lengths are [m].
        lens: Of the lower camera.
        compliance: Of the drives [rad/(N m)], (22,).
        play: Half gaps of the drives [rad], (22,).
    """

    joints: FloatArray = field(default_factory=_zeros)
    camera: Vec3 = (0.0, 0.0, 0.0)
    camera_position: Vec3 = (0.0, 0.0, 0.0)
    links: LinkErrors = field(default_factory=LinkErrors)
    lens: Intrinsics = field(default_factory=nominal_intrinsics)
    compliance: FloatArray = field(default_factory=_zeros)
    play: FloatArray = field(default_factory=_zeros)

    def __post_init__(self) -> None:
        for name in ("joints", "compliance", "play"):
            values = np.array(getattr(self, name), dtype=np.float64)
            if values.shape != (NUM_BODY,) or not np.isfinite(values).all():
                raise ConfigError(
                    f"Compensation: `{name}` must be {NUM_BODY} finite numbers, got "
                    f"{getattr(self, name)!r}"
                )
            values.setflags(write=False)
            object.__setattr__(self, name, values)

    @property
    def hip_remainder(self) -> float:
        """Half the difference of the HipYawPitch offsets [rad]: left +, right -."""
        return float(self.joints[_LEFT_HIP] - self.joints[_RIGHT_HIP]) / 2.0

    def lengths(self, side: Side) -> kinematics.LegLengths:
        """Return the lengths of a leg."""
        nominal = kinematics.LegLengths()
        return kinematics.LegLengths(
            **{
                f.name: getattr(nominal, f.name)
                + getattr(self.links, f"{side}_{f.name}")
                for f in fields(kinematics.LegLengths)
            }
        )

    def give(self, torque: FloatArray) -> FloatArray:
        """Return how far the drives turn under torques [rad], shape (..., 22)."""
        return self.compliance * torque + self.play * np.sign(torque)

    def corrected(self, readings: ArrayLike, load: Load | None = None) -> FloatArray:
        """Return the angles that the joints have [rad], shape (..., 22).

        Args:
            readings: Body vectors [rad]; RHipYawPitch is taken from the left one.
            load: What presses on the joints, for sag and play; None: nothing does.
        """
        raw = np.array(readings, dtype=np.float64)
        raw[..., _RIGHT_HIP] = raw[..., _LEFT_HIP]
        stiff = raw + self.joints
        q = stiff
        if load is not None and (self.compliance.any() or self.play.any()):
            for _ in range(_ROUNDS):
                q = stiff + self.give(load(q))
        return q

    def reachable(self, desired: ArrayLike, *, keeps_soles: bool = False) -> FloatArray:
        """Return the angles next to the desired ones that one hip motor can give.

        Args:
            desired: Body vectors [rad]; RHipYawPitch is taken from the left one.
            keeps_soles: Whether the other joints of the legs put the soles as those of
                the documented robot would be to each other: this mends the hip's
                remainder and wrong lengths. The torso turns a little above them.
        """
        q = np.array(desired, dtype=np.float64)
        q[..., _RIGHT_HIP] = q[..., _LEFT_HIP]
        wanted = q.copy()
        q[..., _LEFT_HIP] += self.hip_remainder
        q[..., _RIGHT_HIP] -= self.hip_remainder
        if keeps_soles:
            # A turn of both slanting axes by +r and -r turns both feet alike.
            yaw = kinematics.turn("z", -self.hip_remainder * np.sqrt(0.5))
            for side in SIDES:
                T_torso_sole = yaw @ kinematics.sole_pose(wanted[..., LEG[side]], side)
                q[..., LEG[side]] = stepped(
                    q[..., LEG[side]], T_torso_sole, side, self.lengths(side)
                )
        return q

    def command(
        self,
        desired: ArrayLike,
        load: Load | None = None,
        *,
        keeps_soles: bool = False,
    ) -> FloatArray:
        """Return what to command so that the joints get to desired angles, (..., 22).

        Args:
            desired: Body vectors [rad], B-Human's signs.
            load: What will press on the joints there; None: nothing.
            keeps_soles: See `reachable`.

        Returns:
            Body vectors within the joints' ranges, both HipYawPitch equal [rad].
        """
        q = self.reachable(desired, keeps_soles=keeps_soles)
        raw = q - self.joints
        if load is not None:
            raw = raw - self.give(load(q))
        raw[..., _RIGHT_HIP] = raw[..., _LEFT_HIP]  # but for rounding it is
        return clip_body(raw)

    def refined(
        self,
        joints: Mapping[str, float] | None = None,
        camera: Vec3 = (0.0, 0.0, 0.0),
    ) -> Compensation:
        """Return this one with what a person adds by hand.

        Args:
            joints: Further offsets by joint [rad], signs as in `joints`.
            camera: Further turns of the camera: yaw, pitch, roll [rad].
        """
        total = self.joints.copy()
        for name, value in (joints or {}).items():
            if name not in BODY_JOINTS:
                raise NameNotFoundError("joint", name, BODY_JOINTS)
            total[BODY_JOINTS.index(name)] += value
        yaw, pitch, roll = np.add(self.camera, camera)
        turn = (float(yaw), float(pitch), float(roll))
        return replace(self, joints=total, camera=turn)


def compensation_from(calibration: Calibration) -> Compensation:
    """Return what a calibration of `parameters.nao_problem` says about the robot."""
    return compensation_from_values(
        dict(zip(calibration.names, map(float, calibration.values), strict=True))
    )


def compensation_from_values(values: Mapping[str, float]) -> Compensation:
    """Return the compensation for parameters by name; those of boards do not count.

    Args:
        values: Names of `parameters.nao_problem`; what is missing is 0.
    """
    joints, compliance, play = _zeros(), _zeros(), _zeros()
    names: dict[str, str] = {joint: joint for joint in HEAD_JOINTS}
    for side in SIDES:
        names |= dict(zip(leg_names(side), LEG_JOINTS[side], strict=True))
    for name, joint in names.items():
        i = BODY_JOINTS.index(joint)
        joints[i] = values.get(name, 0.0)
        drive = "HipYawPitch" if name.endswith("HipYawPitch") else name
        compliance[i] = values.get(f"{drive}Compliance", 0.0)
        play[i] = values.get(f"{drive}Play", 0.0)
    lens = nominal_intrinsics()
    stretch = 1.0 + values.get("Focal", 0.0)
    return Compensation(
        joints=joints,
        camera=_triple(values, "CameraYaw", "CameraPitch", "CameraRoll"),
        camera_position=_triple(values, "CameraX", "CameraY", "CameraZ"),
        links=LinkErrors(
            **{f.name: values.get(_word(f.name), 0.0) for f in fields(LinkErrors)}
        ),
        lens=replace(
            lens,
            fx=lens.fx * stretch,
            fy=lens.fy * stretch,
            cx=lens.cx + values.get("CentreX", 0.0),
            cy=lens.cy + values.get("CentreY", 0.0),
            distortion=tuple(values.get(name, 0.0) for name in DISTORTION_NAMES),
        ),
        compliance=compliance,
        play=play,
    )


def camera_pose(
    compensation: Compensation,
    readings: ArrayLike,
    camera: Literal["lower", "upper"] = "lower",
) -> FloatArray:
    """Return `T_torso_camera`, x along the optical axis, z up, shape (..., 4, 4).

    Of the upper camera nothing is known but what the neck has in common.

    Args:
        compensation: Of the robot.
        readings: Body vectors of raw readings [rad], shape (..., 22).
        camera: Which one.
    """
    angles = compensation.corrected(readings)[..., HEAD]
    height = nao.NECK_HEIGHT + compensation.links.neck
    if camera == "upper":
        return kinematics.camera_pose(angles, "upper", height=height)
    T = kinematics.camera_pose(
        angles, height=height, shift=compensation.camera_position
    )
    yaw, pitch, roll = compensation.camera
    turn = kinematics.turn
    return T @ turn("y", pitch) @ turn("x", roll) @ turn("z", yaw)


def sole_poses(compensation: Compensation, angles: ArrayLike) -> dict[Side, FloatArray]:
    """Return `T_torso_sole` of both legs, shape (..., 4, 4) each.

    Args:
        compensation: Whose lengths count.
        angles: Corrected body vectors [rad], shape (..., 22).
    """
    q = np.asarray(angles, dtype=np.float64)
    return {
        side: kinematics.sole_pose(q[..., LEG[side]], side, compensation.lengths(side))
        for side in SIDES
    }


def _triple(values: Mapping[str, float], *names: str) -> Vec3:
    x, y, z = (float(values.get(name, 0.0)) for name in names)
    return x, y, z


def _word(name: str) -> str:
    """Return the parameter of a length: `left_hip` is LeftHip."""
    return "".join(part.capitalize() for part in name.split("_"))
