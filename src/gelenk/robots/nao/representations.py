"""What NAO's modules tell each other: messages for the bus and for recordings.

Arrays of 22 values are body vectors, see `gelenk.robots.nao.joints`. Pixel centres lie
at whole numbers, first pixel (0, 0).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from gelenk.typing import BoolArray, FloatArray

OFF = 1000.0  # in place of an angle: no current
IGNORE = 2000.0  # in place of an angle: left to others, keep what was


@dataclass(frozen=True, slots=True, kw_only=True)
class MotionRequest:
    """What the motion engine shall do.

    Attributes:
        motion: Name of the wanted motion; empty: none.
        is_continuing: Switch that ends the hold at a milestone; one step each time it
            turns from off to on.
        is_off: All motors off, at once; afterwards the engine begins anew.
    """

    motion: str = ""
    is_continuing: bool = False
    is_off: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadMotionRequest:
    """Where the head shall be turned.

    Attributes:
        yaw, pitch: Angles, NAO's signs [rad].
        target: Point to look at instead, in the torso's frame [m].
    """

    yaw: float = field(default=0.0, metadata={"unit": "rad"})
    pitch: float = field(default=0.0, metadata={"unit": "rad"})
    target: tuple[float, float, float] | None = field(
        default=None, metadata={"unit": "m"}
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class MotionInfo:
    """What the motion engine does.

    Attributes:
        motion: The motion that is executed; `motions` while nothing is requested.
        token: Of the present line; empty for none.
        is_at_milestone: Whether a milestone is reached and held.
        clipped: Joints that a limit holds back at this moment.
    """

    motion: str
    token: str = ""
    is_at_milestone: bool = False
    clipped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JointRequest:
    """What the joints shall do.

    Attributes:
        angles: Body vector [rad]; `OFF` or `IGNORE` where there is no angle.
        stiffness: 0 to 1.
    """

    angles: FloatArray = field(metadata={"shape": (22,), "unit": "rad"})
    stiffness: FloatArray = field(metadata={"shape": (22,), "unit": "1"})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JointData:
    """Measured angles, raw or averaged.

    Attributes:
        time: When they were measured [s].
        angles: Body vector [rad]; RHipYawPitch is a copy of the left one.
    """

    time: float = field(metadata={"unit": "s"})
    angles: FloatArray = field(metadata={"shape": (22,), "unit": "rad"})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JointTemperatures:
    """How warm the motors are.

    Attributes:
        kelvin: Body vector [K]; NaN where no motor is measured.
    """

    kelvin: FloatArray = field(metadata={"shape": (22,), "unit": "K"})


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameInfo:
    """The robot's clock: comes in every control tick, whatever else falls silent."""

    time: float = field(metadata={"unit": "s"})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FilteredJointData:
    """Measured angles while the body stands still.

    Attributes:
        time: Of the newest reading [s].
        angles: Newest reading, body vector [rad].
        mean: Average of the newest readings, to be used while it stands still [rad].
        still_since: When it came to rest [s]; NaN while it moves.
    """

    time: float = field(metadata={"unit": "s"})
    angles: FloatArray = field(metadata={"shape": (22,), "unit": "rad"})
    mean: FloatArray = field(metadata={"shape": (22,), "unit": "rad"})
    still_since: float = field(metadata={"unit": "s"})


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyStates:
    """Bumpers: whether they are pressed."""

    is_left_pressed: bool = False
    is_right_pressed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CornerPercept:
    """Corners that the detector found in one image.

    Attributes:
        time: Of the image [s].
        xy: Sub-pixel positions [px], shape (n, 2).
        response: Strength of each, shape (n,).
    """

    time: float = field(metadata={"unit": "s"})
    xy: FloatArray = field(metadata={"shape": (None, 2), "unit": "px"})
    response: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Chessboard:
    """The board in one image.

    Attributes:
        time: Of the image [s].
        corners: In the order of the board [px], shape (24, 2); (0, 2) without a board.
        is_measured: False for corners that only the others place, shape (24,) or (0,).
        status: What the detector says, such as "found".
    """

    time: float = field(metadata={"unit": "s"})
    corners: FloatArray = field(metadata={"shape": (None, 2), "unit": "px"})
    is_measured: BoolArray
    status: str

    @property
    def is_found(self) -> bool:
        return len(self.corners) > 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CameraMatrix:
    """Where the camera is.

    Attributes:
        time: Of the joint angles behind it [s].
        T_torso_camera: Camera with x forward, y left, z up, in the torso, shape (4, 4).
    """

    time: float = field(metadata={"unit": "s"})
    T_torso_camera: FloatArray = field(metadata={"shape": (4, 4)})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CalibratorOutput:
    """What the calibrator wants of the detector, and what it has found out.

    Attributes:
        time: Since when it wants that [s].
        is_detector_on: Whether images shall be searched.
        side: Whose board is looked at.
        region: Where: first column, first row, columns, rows [px]; None: everywhere.
        joint_offsets: Body vector [rad]: true angle minus reading.
        camera_turn: Yaw, pitch and roll of the camera against its nominal pose [rad].
    """

    time: float = field(default=0.0, metadata={"unit": "s"})
    is_detector_on: bool = False
    side: Literal["left", "right"] = "left"
    region: tuple[int, int, int, int] | None = None
    joint_offsets: FloatArray = field(
        default_factory=lambda: np.zeros(22), metadata={"shape": (22,), "unit": "rad"}
    )
    camera_turn: tuple[float, float, float] = field(
        default=(0.0, 0.0, 0.0), metadata={"unit": "rad"}
    )
