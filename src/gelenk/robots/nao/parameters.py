"""NAO's calibration problem: the published 21 parameters, and those beyond.

Leg offsets count in B-Human's signs, head offsets in NAO's, so that a parameter is the
error of `errors.NaoErrors` with the same meaning: true angle = reading + parameter.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Literal, TypeAlias

import numpy as np

from gelenk.calibration.effects import (
    Axis,
    CameraRotation,
    Distortion,
    FocalLength,
    JointBacklash,
    JointCompliance,
    JointOffset,
    LinkTranslation,
    PrincipalPoint,
    TargetRotation,
    TargetTranslation,
)
from gelenk.calibration.problem import (
    CalibrationCamera,
    CalibrationParameter,
    CalibrationProblem,
    ReadingError,
    Target,
)
from gelenk.errors import ConfigError
from gelenk.robots.nao import sandal
from gelenk.robots.nao.config import (
    T_MOUNT_CAMERA,
    nominal_intrinsics,
)
from gelenk.robots.nao.errors import NaoErrors
from gelenk.robots.nao.joints import (
    BODY_JOINTS,
    HEAD_JOINTS,
    LEG_JOINTS,
    SIDES,
    SIGNS,
    Side,
)
from gelenk.robots.nao.robot_with_errors import nominal_model
from gelenk.typing import FloatArray
from gelenk.vision.camera import Intrinsics

EYE = "lower"
BoardOrder: TypeAlias = Literal["trans_rot", "rot_trans"]
Extension: TypeAlias = Literal[
    "neck", "tilt", "focal", "centre", "distortion", "camera_position", "links",
    "compliance", "play",
]  # fmt: skip
EXTENSIONS: tuple[Extension, ...] = (
    "neck", "tilt", "focal", "centre", "distortion", "camera_position", "links",
    "compliance", "play",
)  # fmt: skip

DISTORTION_NAMES = tuple(f"Distortion{k}" for k in ("K1", "K2", "P1", "P2", "K3"))

# Spreads of what is believed before the first image, and a nominal value where it is
# not 0. Drives give 0.05 to 0.5 deg/(N m) and have half gaps up to 0.3 deg; the neck's
# offsets and the camera's place can hardly be told from the camera's turn, the roll of
# a board not at all from its ankle's: there the belief decides.
NECK_SIGMA = math.radians(1.0)
TILT_SIGMA = (math.radians(1.5), math.radians(0.3))  # pitch; roll, held by four pegs
FOCAL_SIGMA = 0.02
CENTRE_SIGMA = 5.0  # [px]
DISTORTION_SIGMA = (0.1, 0.2, 0.005, 0.005, 0.2)
PLACE_SIGMA = 1e-3  # [m]
LENGTH_SIGMA = 0.5e-3  # [m]
COMPLIANCE = (math.radians(0.275), math.radians(0.13))  # nominal, sigma [rad/(N m)]
PLAY = (math.radians(0.15), math.radians(0.087))  # nominal, sigma [rad]


def nao_problem(
    *,
    extended: bool | tuple[Extension, ...] = False,
    board_order: BoardOrder = "trans_rot",
    encoder_step: float = 0.0,
    intrinsics: Intrinsics | None = None,
    frozen: tuple[str, ...] = (),
) -> CalibrationProblem:
    """Return the calibration problem of a NAO that lies on its back with sandals on.

    Args:
        extended: False: the 21 parameters of Kastner 2014, Tab. 4.1. True or names of
            `EXTENSIONS`: further ones, with priors.
        board_order: Whether a board is shifted and then turned in its own place
            ("trans_rot", which fits the published results), or turned first (Eq. 4.8).
        encoder_step: Width of the steps of the joint readings [rad]; 0: exact.
        intrinsics: Lens of the lower camera; by default the documented one.
        frozen: Names of parameters that keep their nominal value.

    Example:
        >>> from gelenk.robots.nao import nao_problem
        >>> problem = nao_problem()
        >>> len(problem.parameters), problem.names[0], problem.names[-1]
        (21, 'CameraYaw', 'RightTranslationY')
    """
    chosen = (
        (EXTENSIONS if extended else ()) if isinstance(extended, bool) else extended
    )
    for name in chosen:
        if name not in EXTENSIONS:
            raise ConfigError(
                f"no extension named {name!r}; there are: {', '.join(EXTENSIONS)}"
            )
    parameters = [*_published(board_order), *_beyond(chosen)]
    names = [parameter.name for parameter in parameters]
    for name in frozen:
        if name not in names:
            raise ConfigError(f"no parameter named {name!r} to freeze")
    return CalibrationProblem(
        model=nominal_model(),
        cameras=(
            CalibrationCamera(
                name=EYE,
                link="camera_bottom",
                T_mount_camera=T_MOUNT_CAMERA,
                intrinsics=intrinsics or nominal_intrinsics(),
            ),
        ),
        targets=tuple(
            Target(
                name=side,
                link=f"{side[0]}_sole",
                points=sandal.corners(),
                plate=f"{side[0]}_sandal",
            )
            for side in SIDES
        ),
        parameters=_ordered(parameters, frozen),
        readings=_readings(encoder_step) if encoder_step > 0.0 else (),
    )


def leg_names(side: Side) -> tuple[str, ...]:
    """Return the names of the six joint parameters of a leg."""
    return tuple(f"{side.capitalize()}{joint[1:]}" for joint in LEG_JOINTS[side])


def _ordered(
    parameters: list[CalibrationParameter], frozen: tuple[str, ...]
) -> tuple[CalibrationParameter, ...]:
    return tuple(
        replace(parameter, is_frozen=True) if parameter.name in frozen else parameter
        for parameter in parameters
    )


def _published(board_order: BoardOrder) -> Iterator[CalibrationParameter]:
    """Yield the 21 parameters in their order.

    The camera turns by pitch, roll, yaw (Eq. 4.6), though yaw is listed first.
    """
    turns: tuple[tuple[str, Axis, int], ...] = (
        ("CameraYaw", "z", 2),
        ("CameraPitch", "y", 0),
        ("CameraRoll", "x", 1),
    )
    for name, axis, order in turns:
        effect = CameraRotation(EYE, axis, order)
        yield CalibrationParameter(name=name, unit="rad", effect=effect, group="camera")
    for side in SIDES:
        for name, joint in zip(leg_names(side), LEG_JOINTS[side], strict=True):
            effect = JointOffset(joint, float(SIGNS[BODY_JOINTS.index(joint)]))
            yield CalibrationParameter(
                name=name, unit="rad", effect=effect, group=f"{side} leg"
            )
    turn_order = 1 if board_order == "trans_rot" else -1
    for side in SIDES:
        word, group = side.capitalize(), f"{side} board"
        yield CalibrationParameter(
            name=f"{word}RotationZ",
            unit="rad",
            effect=TargetRotation(side, "z", turn_order),
            group=group,
        )
        shifts: tuple[Axis, ...] = ("x", "y")
        for axis in shifts:
            yield CalibrationParameter(
                name=f"{word}Translation{axis.upper()}",
                unit="m",
                effect=TargetTranslation(side, axis),
                group=group,
            )


def _beyond(chosen: tuple[Extension, ...]) -> Iterator[CalibrationParameter]:
    """Yield the parameters of the chosen extensions."""
    makers = {
        "neck": _neck,
        "tilt": _tilt,
        "focal": _focal,
        "centre": _centre,
        "distortion": _distortion,
        "camera_position": _camera_position,
        "links": _links,
        "compliance": _compliance,
        "play": _play,
    }
    for name in EXTENSIONS:
        if name in chosen:
            yield from makers[name]()


def _neck() -> Iterator[CalibrationParameter]:
    for joint in HEAD_JOINTS:
        yield CalibrationParameter(
            name=joint,
            unit="rad",
            effect=JointOffset(joint),
            sigma=NECK_SIGMA,
            group="neck",
        )


def _tilt() -> Iterator[CalibrationParameter]:
    tilts: tuple[tuple[str, Axis, int], ...] = (("Pitch", "y", 2), ("Roll", "x", 3))
    for side in SIDES:
        for (name, axis, order), sigma in zip(tilts, TILT_SIGMA, strict=True):
            yield CalibrationParameter(
                name=f"{side.capitalize()}Board{name}",
                unit="rad",
                effect=TargetRotation(side, axis, order),
                sigma=sigma,
                group=f"{side} board",
            )


def _focal() -> Iterator[CalibrationParameter]:
    yield CalibrationParameter(
        name="Focal", unit="1", effect=FocalLength(EYE), sigma=FOCAL_SIGMA, group="lens"
    )


def _centre() -> Iterator[CalibrationParameter]:
    for name, effect in (
        ("X", PrincipalPoint(EYE, "x")),
        ("Y", PrincipalPoint(EYE, "y")),
    ):
        yield CalibrationParameter(
            name=f"Centre{name}",
            unit="px",
            effect=effect,
            sigma=CENTRE_SIGMA,
            group="lens",
        )


def _distortion() -> Iterator[CalibrationParameter]:
    for i, name in enumerate(DISTORTION_NAMES):
        yield CalibrationParameter(
            name=name,
            unit="1",
            effect=Distortion(EYE, i),
            sigma=DISTORTION_SIGMA[i],
            group="lens",
        )


def _camera_position() -> Iterator[CalibrationParameter]:
    axes: tuple[Axis, ...] = ("x", "y", "z")
    for axis in axes:
        yield CalibrationParameter(
            name=f"Camera{axis.upper()}",
            unit="m",
            effect=LinkTranslation("camera_bottom", axis),
            sigma=PLACE_SIGMA,
            group="camera",
        )


def _links() -> Iterator[CalibrationParameter]:
    """Yield the lengths: positive is longer."""

    def length(name: str, link: str, axis: Axis, sign: float) -> CalibrationParameter:
        return CalibrationParameter(
            name=name,
            unit="m",
            effect=LinkTranslation(link, axis, sign),
            sigma=LENGTH_SIGMA,
            group="links",
        )

    for side in SIDES:
        word, letter = side.capitalize(), side[0]
        outwards = 1.0 if side == "left" else -1.0
        yield length(f"{word}Hip", f"{letter}_pelvis", "y", outwards)
        yield length(f"{word}Thigh", f"{letter}_tibia", "z", -1.0)
        yield length(f"{word}Tibia", f"{letter}_ankle_pitch", "z", -1.0)
        yield length(f"{word}Foot", f"{letter}_sole", "z", -1.0)
    yield length("Neck", "neck", "z", 1.0)


def _drives() -> Iterator[tuple[str, str]]:
    """Yield name and joint of the eleven drives of the legs."""
    yield "HipYawPitch", "LHipYawPitch"
    for side in SIDES:
        yield from list(zip(leg_names(side), LEG_JOINTS[side], strict=True))[1:]


def _compliance() -> Iterator[CalibrationParameter]:
    for name, joint in _drives():
        yield CalibrationParameter(
            name=f"{name}Compliance",
            unit="rad/(N m)",
            effect=JointCompliance(joint),
            nominal=COMPLIANCE[0],
            sigma=COMPLIANCE[1],
            group="drives",
        )


def _play() -> Iterator[CalibrationParameter]:
    for name, joint in _drives():
        yield CalibrationParameter(
            name=f"{name}Play",
            unit="rad",
            effect=JointBacklash(joint),
            nominal=PLAY[0],
            sigma=PLAY[1],
            group="drives",
        )


def _readings(step: float) -> tuple[ReadingError, ...]:
    sigma = step / math.sqrt(12.0)
    legs = [*LEG_JOINTS["left"], *LEG_JOINTS["right"][1:]]
    return (
        *(ReadingError(joint=joint, sigma=sigma) for joint in legs),
        *(
            ReadingError(joint=joint, sigma=sigma, is_shared=False)
            for joint in HEAD_JOINTS
        ),
    )


def values_from_errors(problem: CalibrationProblem, errors: NaoErrors) -> FloatArray:
    """Return the values that the parameters of a problem should get, shape (P,).

    Args:
        problem: Made by `nao_problem`.
        errors: What is really wrong with the robot.
    """
    truth = dict(_true_values(errors))
    return np.array([truth[name] for name in problem.names])


def _true_values(errors: NaoErrors) -> Iterator[tuple[str, float]]:
    yield from zip(
        ("CameraYaw", "CameraPitch", "CameraRoll"), errors.camera, strict=True
    )
    for side in SIDES:
        word = side.capitalize()
        yield from zip(leg_names(side), getattr(errors, side), strict=True)
        board = (f"{word}RotationZ", f"{word}TranslationX", f"{word}TranslationY")
        yield from zip(board, getattr(errors, f"{side}_board"), strict=True)
        tilt = (f"{word}BoardPitch", f"{word}BoardRoll")
        yield from zip(tilt, getattr(errors, f"{side}_tilt"), strict=True)
        for length in ("hip", "thigh", "tibia", "foot"):
            value = getattr(errors.links, f"{side}_{length}")
            yield f"{word}{length.capitalize()}", value
    yield "Neck", errors.links.neck
    yield from zip(HEAD_JOINTS, errors.neck, strict=True)
    yield "Focal", errors.focal_scale - 1.0
    yield from zip(("CentreX", "CentreY"), errors.centre, strict=True)
    yield from zip(DISTORTION_NAMES, errors.distortion, strict=True)
    yield from zip(
        ("CameraX", "CameraY", "CameraZ"), errors.camera_position, strict=True
    )
    joints = [*LEG_JOINTS["left"], *LEG_JOINTS["right"]]
    for name, joint in _drives():
        i = joints.index(joint)
        yield f"{name}Compliance", errors.compliance[i]
        yield f"{name}Play", errors.play[i]
