"""What is wrong with a NAO: the errors that a calibration is to find.

True joint angle = reading + offset, in B-Human's signs, so that a calibration's
parameters are these errors. Camera and boards are turned as in the published method:
camera Rot_y(pitch) Rot_x(roll) Rot_z(yaw) behind its mount, board Trans(x, y)
Rot_z(rot_z) on the sole.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields

import numpy as np

from gelenk.core.errors import ConfigError

Vec2 = tuple[float, float]
Vec3 = tuple[float, float, float]
Vec6 = tuple[float, float, float, float, float, float]
_ZERO_12 = (0.0,) * 12


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkErrors:
    """How much longer than nominal the lengths of a robot are [m].

    Attributes:
        left_hip, right_hip: Distance of the hip joint from the middle.
        left_thigh, right_thigh: Hip to knee.
        left_tibia, right_tibia: Knee to ankle.
        left_foot, right_foot: Ankle to sole.
        neck: Hip axis to head joints.
    """

    left_hip: float = 0.0
    right_hip: float = 0.0
    left_thigh: float = 0.0
    right_thigh: float = 0.0
    left_tibia: float = 0.0
    right_tibia: float = 0.0
    left_foot: float = 0.0
    right_foot: float = 0.0
    neck: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class NaoErrors:
    """All errors of one robot; without arguments a perfect one.

    The legs' tuples hold HipYawPitch, HipRoll, HipPitch, KneePitch, AnklePitch,
    AnkleRoll; those of twelve the left leg, then the right one.

    Attributes:
        camera: Turn of the lower camera: yaw, pitch, roll [rad].
        left, right: Offsets of the legs' joints [rad].
        left_board, right_board: Mounting of the sandals: rot_z [rad], x, y [m].
        neck: Offsets of HeadYaw and HeadPitch [rad], NAO's sign.
        left_tilt, right_tilt: Pitch and roll of the sandals [rad].
        focal_scale: True focal length over nominal.
        centre: Shift of the optical centre, right and down [px].
        camera_position: Shift of the lower camera in the head's frame [m].
        distortion: Of the lens: k1, k2, p1, p2, k3.
        links: Lengths.
        compliance: Twist of the legs' drives per torque [rad/(N m)]. One motor drives
            both HipYawPitch joints, so their entries are equal.
        play: Half of the free motion of the legs' drives [rad]; likewise.
    """

    camera: Vec3 = (0.0, 0.0, 0.0)
    left: Vec6 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    right: Vec6 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    left_board: Vec3 = (0.0, 0.0, 0.0)
    right_board: Vec3 = (0.0, 0.0, 0.0)
    neck: Vec2 = (0.0, 0.0)
    left_tilt: Vec2 = (0.0, 0.0)
    right_tilt: Vec2 = (0.0, 0.0)
    focal_scale: float = 1.0
    centre: Vec2 = (0.0, 0.0)
    camera_position: Vec3 = (0.0, 0.0, 0.0)
    distortion: tuple[float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0)
    links: LinkErrors = field(default_factory=LinkErrors)
    compliance: tuple[float, ...] = _ZERO_12
    play: tuple[float, ...] = _ZERO_12

    def __post_init__(self) -> None:
        perfect = _lengths()
        for name, count in perfect.items():
            values = np.asarray(getattr(self, name), dtype=np.float64)
            if values.shape != (count,) or not np.isfinite(values).all():
                raise ConfigError(
                    f"NaoErrors: `{name}` must be {count} finite numbers, got "
                    f"{getattr(self, name)!r}"
                )
            object.__setattr__(self, name, tuple(map(float, values)))
        if not 0.5 < self.focal_scale < 2.0:
            raise ConfigError(
                f"NaoErrors: `focal_scale` must be near 1, got {self.focal_scale}"
            )
        for name in ("compliance", "play"):
            values = getattr(self, name)
            if min(values) < 0.0:
                raise ConfigError(f"NaoErrors: `{name}` must be >= 0, got {values}")
            if values[0] != values[6]:
                raise ConfigError(
                    f"NaoErrors: `{name}` of both HipYawPitch joints must be equal, as "
                    f"one motor drives them, got {values[0]} and {values[6]}"
                )


def _lengths() -> dict[str, int]:
    """Return the number of values of each tuple of `NaoErrors`."""
    twelve = {"compliance": 12, "play": 12, "left": 6, "right": 6, "distortion": 5}
    two = dict.fromkeys(("neck", "left_tilt", "right_tilt", "centre"), 2)
    three = dict.fromkeys(("camera", "left_board", "right_board", "camera_position"), 3)
    return {
        f.name: {**twelve, **two, **three}[f.name]
        for f in fields(NaoErrors)
        if f.name not in ("focal_scale", "links")
    }


def _degrees(
    camera: Vec3,
    left: Vec6,
    right: Vec6,
    left_board: Vec3 = (0.0, 0.0, 0.0),
    right_board: Vec3 = (0.0, 0.0, 0.0),
) -> NaoErrors:
    """Return errors from degrees; boards from degrees and millimetres."""

    def board(values: Vec3) -> Vec3:
        rot, x, y = values
        return float(np.deg2rad(rot)), x * 1e-3, y * 1e-3

    return NaoErrors(
        camera=tuple(np.deg2rad(camera)),
        left=tuple(np.deg2rad(left)),
        right=tuple(np.deg2rad(right)),
        left_board=board(left_board),
        right_board=board(right_board),
    )


# Kastner 2014, simulated robots: 5 joints and camera wrong; 6 everything wrong; 7 few
# components, but a knee by 5.1 deg.
CASES: dict[int, NaoErrors] = {
    5: _degrees(
        (-1.7, 0.7, -1.1),
        (1.9, 2.1, 1.7, -1.1, -3.3, -2.7),
        (1.8, -0.9, -0.7, -1.1, -3.3, -1.7),
    ),
    6: _degrees(
        (0.1, 0.2, -0.6),
        (0.3, -1.1, 0.2, -1.1, 1.3, -0.7),
        (0.1, 0.9, -1.7, 1.1, 0.3, 0.2),
        (0.3, 2.0, 1.0),
        (0.4, 1.0, -1.0),
    ),
    7: _degrees(
        (-3.0, 0.0, 0.0),
        (3.5, 0.0, -0.1, 0.1, 0.0, -3.4),
        (-0.2, 0.0, 0.0, 5.1, 0.0, 0.0),
        (0.0, 0.0, 0.0),
        (2.7, 0.0, -5.0),
    ),
}
