"""Effects of calibration parameters: one small type per kind of error.

Several turns and shifts of one camera or target act in the order in which their
parameters are listed: T_link_mount E1 E2 ... T_mount_camera, and T_link_target E1 E2
... point. Where the listing has an order of its own, `order` decides first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Axis: TypeAlias = Literal["x", "y", "z"]


@dataclass(frozen=True, slots=True)
class JointOffset:
    """Joint value = reading + scale * parameter; of this joint alone.

    A joint that mimics another has its own offset: the reading is shared, the error of
    the mounting is not. `scale` is -1 where the parameter counts against the joint's
    axis.

    Attributes:
        joint: Name of the joint.
        scale: Factor of the parameter, 1 or -1.

    Example:
        >>> from gelenk.calibration import JointOffset
        >>> JointOffset("elbow").scale
        1.0
    """

    joint: str
    scale: float = 1.0


@dataclass(frozen=True, slots=True)
class JointCompliance:
    """Joint value += parameter * torque that gravity exerts on its drive [rad/(N m)].

    For a sliding joint the force counts [m/N]. The drive moves the joint and those that
    mimic it, all by the same give.
    """

    joint: str


@dataclass(frozen=True, slots=True)
class JointBacklash:
    """Joint value += parameter * sign of gravity's torque: half of the drive's gap."""

    joint: str


@dataclass(frozen=True, slots=True)
class LinkTranslation:
    """The link's joint sits elsewhere on its parent, along an axis of the parent.

    `scale` lets one parameter stand for several links: a hip width moves one side to
    the left and the other to the right.
    """

    link: str
    axis: Axis
    scale: float = 1.0


@dataclass(frozen=True, slots=True)
class CameraRotation:
    """The camera is turned about an axis of its mount frame.

    Attributes:
        camera: Name of the camera.
        axis: Axis of the mount frame: x, y or z.
        order: Place among the turns and shifts of this camera, smaller ones first.

    Example:
        >>> from gelenk.calibration import CameraRotation
        >>> CameraRotation("wrist", "x").axis
        'x'
    """

    camera: str
    axis: Axis
    order: int = 0


@dataclass(frozen=True, slots=True)
class CameraTranslation:
    """The camera is moved along an axis of its mount frame.

    Attributes:
        camera: Name of the camera.
        axis: Axis of the mount frame: x, y or z.
        order: Place among the turns and shifts of this camera, smaller ones first.

    Example:
        >>> from gelenk.calibration import CameraTranslation
        >>> CameraTranslation("wrist", "z", order=1).order
        1
    """

    camera: str
    axis: Axis
    order: int = 0


@dataclass(frozen=True, slots=True)
class TargetRotation:
    """The target is turned about an axis of its own frame."""

    target: str
    axis: Axis
    order: int = 0


@dataclass(frozen=True, slots=True)
class TargetTranslation:
    """The target is moved along an axis of its own frame."""

    target: str
    axis: Axis
    order: int = 0


@dataclass(frozen=True, slots=True)
class FocalLength:
    """Both focal lengths are (1 + parameter) times the nominal ones.

    Attributes:
        camera: Name of the camera.

    Example:
        >>> from gelenk.calibration import FocalLength
        >>> FocalLength("wrist").camera
        'wrist'
    """

    camera: str


@dataclass(frozen=True, slots=True)
class PrincipalPoint:
    """The optical axis meets the image elsewhere: cx or cy += parameter [px]."""

    camera: str
    axis: Literal["x", "y"]


@dataclass(frozen=True, slots=True)
class Distortion:
    """Coefficient `index` of (k1, k2, p1, p2, k3) += parameter."""

    camera: str
    index: int


Effect: TypeAlias = (
    JointOffset
    | JointCompliance
    | JointBacklash
    | LinkTranslation
    | CameraRotation
    | CameraTranslation
    | TargetRotation
    | TargetTranslation
    | FocalLength
    | PrincipalPoint
    | Distortion
)


def name_and_unit(effect: Effect) -> tuple[str, str]:
    """Return a short name and the unit of the parameter behind an effect.

    Example:
        >>> effects = CameraRotation("wrist", "x"), JointOffset("elbow")
        >>> tuple(map(name_and_unit, effects))
        (('wrist.turn_x', 'rad'), ('elbow.offset', 'rad'))
    """
    match effect:
        case JointOffset():
            return f"{effect.joint}.offset", "rad"
        case JointCompliance():
            return f"{effect.joint}.compliance", "rad/(N m)"
        case JointBacklash():
            return f"{effect.joint}.play", "rad"
        case LinkTranslation():
            return f"{effect.link}.shift_{effect.axis}", "m"
        case CameraRotation():
            return f"{effect.camera}.turn_{effect.axis}", "rad"
        case CameraTranslation():
            return f"{effect.camera}.shift_{effect.axis}", "m"
        case TargetRotation():
            return f"{effect.target}.turn_{effect.axis}", "rad"
        case TargetTranslation():
            return f"{effect.target}.shift_{effect.axis}", "m"
        case FocalLength():
            return f"{effect.camera}.focal", "1"
        case PrincipalPoint():
            return f"{effect.camera}.centre_{effect.axis}", "px"
        case Distortion():
            return f"{effect.camera}.distortion_{effect.index}", "1"
