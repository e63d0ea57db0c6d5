"""What is wrong with a NAO: the errors that a calibration is to find.

True joint angle = reading + offset, in B-Human's signs, so that a calibration's
parameters are these errors. Camera and boards are turned as in the published method:
camera Rot_y(pitch) Rot_x(roll) Rot_z(yaw) behind its mount, board Trans(x, y)
Rot_z(rot_z) on the sole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from gelenk.errors import ConfigError, FileFormatError, NameNotFoundError
from gelenk.robots.nao.joints import LEG_JOINTS, SIDES
from gelenk.runtime.config_toml import find_lines, text_layer
from gelenk.typing import FloatArray

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

    Example:
        >>> from gelenk.robots.nao import NaoErrors
        >>> NaoErrors(camera=(0.0, 0.02, 0.0)).focal_scale
        1.0
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


# -- drawn at random -------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorSpread:
    """How wrong robots are, after the four real ones of Kastner 2014.

    Joints and camera are normal, cut off at `cut` standard deviations; all others are
    uniform between minus and plus the value, compliance and play between 0 and it.

    Attributes:
        joint: Standard deviation of the legs' offsets [rad].
        camera: Standard deviation of the camera's turns [rad].
        cut: Of the normal laws.
        board, board_turn: Shift [m] and turn [rad] of the sandals.
        neck: [rad].
        tilt_pitch, tilt_roll: Of the sandals [rad]; roll cannot be told from AnkleRoll.
        focal: Of the focal length, relative.
        centre: [px].
        camera_position: [m], per axis.
        link: [m].
        min_compliance, compliance: Of the drives [rad/(N m)].
        play: Half gap [rad].
    """

    joint: float = float(np.deg2rad(1.75))
    camera: float = float(np.deg2rad(1.2))
    cut: float = 2.5
    board: float = 0.005
    board_turn: float = float(np.deg2rad(3.0))
    neck: float = float(np.deg2rad(2.0))
    tilt_pitch: float = float(np.deg2rad(3.0))
    tilt_roll: float = 0.0
    focal: float = 0.03
    centre: float = 0.0
    camera_position: float = 0.001
    link: float = 0.001
    min_compliance: float = float(np.deg2rad(0.05))
    compliance: float = float(np.deg2rad(0.5))
    play: float = float(np.deg2rad(0.3))


# Sag and play beside the 21 errors of the published method, and nothing else.
SAG_AND_PLAY = ErrorSpread(
    neck=0.0, tilt_pitch=0.0, focal=0.0, camera_position=0.0, link=0.0
)


def draw_errors(
    rng: np.random.Generator, *, level: int = 1, spread: ErrorSpread | None = None
) -> NaoErrors:
    """Return the errors of a robot that was met by chance.

    Args:
        rng: Source of chance.
        level: 1 and 2: joints, camera, boards; 3: all others too.
        spread: How wrong robots are.

    Example:
        >>> import numpy as np
        >>> from gelenk.robots.nao import draw_errors
        >>> errors = draw_errors(np.random.default_rng(1))
        >>> len(errors.left), errors.focal_scale
        (6, 1.0)
    """
    k = spread or ErrorSpread()
    legs = _cut_normal(rng, k.joint, k.cut, 12)
    boards = rng.uniform(-1.0, 1.0, (2, 3)) * (k.board_turn, k.board, k.board)
    errors = NaoErrors(
        camera=tuple(_cut_normal(rng, k.camera, k.cut, 3)),
        left=tuple(legs[:6]),
        right=tuple(legs[6:]),
        left_board=tuple(boards[0]),
        right_board=tuple(boards[1]),
    )
    if level < 3:
        return errors
    tilts = rng.uniform(-1.0, 1.0, (2, 2)) * (k.tilt_pitch, k.tilt_roll)
    compliance = rng.uniform(k.min_compliance, k.compliance, 12)
    play = rng.uniform(0.0, k.play, 12)
    compliance[6], play[6] = compliance[0], play[0]  # one motor
    names = [f.name for f in fields(LinkErrors)]
    lengths = rng.uniform(-k.link, k.link, len(names))
    return replace(
        errors,
        neck=tuple(rng.uniform(-k.neck, k.neck, 2)),
        left_tilt=tuple(tilts[0]),
        right_tilt=tuple(tilts[1]),
        focal_scale=1.0 + float(rng.uniform(-k.focal, k.focal)),
        centre=tuple(rng.uniform(-k.centre, k.centre, 2)),
        camera_position=tuple(rng.uniform(-k.camera_position, k.camera_position, 3)),
        links=LinkErrors(**dict(zip(names, map(float, lengths), strict=True))),
        compliance=tuple(compliance),
        play=tuple(play),
    )


def _cut_normal(
    rng: np.random.Generator, sigma: float, cut: float, count: int
) -> FloatArray:
    """Return normal numbers, drawn again while they are beyond `cut` sigma."""
    values = rng.standard_normal(count)
    while (far := np.abs(values) > cut).any():
        values[far] = rng.standard_normal(int(far.sum()))
    return sigma * values


# -- files -----------------------------------------------------------------------------


def read_errors(path: str | Path) -> NaoErrors:
    """Return the errors in a TOML file, in degrees, millimetres and N m.

    What the file does not name is 0. Tables: `camera`, `left_leg`, `right_leg`,
    `left_board`, `right_board`, `neck`, `lens`, `links`, and by leg `left_compliance`
    [deg/(N m)] and `left_play` [deg]; `write_errors` writes all of them.

    Raises:
        FileFormatError: If the file is missing or says something else; with the line.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise FileFormatError(path, f"cannot be read: {error}") from error
    layer = text_layer(text, origin=str(path))
    return _from_plain(layer.values, dict(find_lines(text)), path)


def _schema() -> dict[str, tuple[str, Any, float]]:
    """Return field, index and unit of each key of a file."""
    deg, mm = float(np.pi / 180.0), 1e-3
    keys: dict[str, tuple[str, Any, float]] = {
        "camera.yaw": ("camera", 0, deg),
        "camera.pitch": ("camera", 1, deg),
        "camera.roll": ("camera", 2, deg),
        **{f"camera.{a}": ("camera_position", i, mm) for i, a in enumerate("xyz")},
    }
    for side in SIDES:
        for i, joint in enumerate(LEG_JOINTS[side]):
            keys[f"{side}_leg.{joint[1:]}"] = (side, i, deg)
    for side in SIDES:
        board, tilt = f"{side}_board", f"{side}_tilt"
        keys[f"{board}.rot_z"] = (board, 0, deg)
        keys[f"{board}.x"], keys[f"{board}.y"] = (board, 1, mm), (board, 2, mm)
        keys[f"{board}.pitch"] = (tilt, 0, deg)
        keys[f"{board}.roll"] = (tilt, 1, deg)
    keys["neck.HeadYaw"], keys["neck.HeadPitch"] = ("neck", 0, deg), ("neck", 1, deg)
    keys["lens.focal_scale"] = ("focal_scale", None, 1.0)
    keys["lens.cx"], keys["lens.cy"] = ("centre", 0, 1.0), ("centre", 1, 1.0)
    for i, name in enumerate(("k1", "k2", "p1", "p2", "k3")):
        keys[f"lens.{name}"] = ("distortion", i, 1.0)
    for item in fields(LinkErrors):
        keys[f"links.{item.name}"] = ("links", item.name, mm)
    for kind in ("compliance", "play"):
        for k, side in enumerate(SIDES):
            for i, joint in enumerate(LEG_JOINTS[side]):
                keys[f"{side}_{kind}.{joint[1:]}"] = (kind, 6 * k + i, deg)
    return keys


def _from_plain(
    values: Mapping[str, Any], lines: Mapping[str, int], path: Path
) -> NaoErrors:
    schema = _schema()
    links: dict[str, float] = {}
    arrays = {name: [0.0] * count for name, count in _lengths().items()}
    scale = 1.0
    given: set[str] = set()
    for key, value in _flat(values):
        line = lines.get(key)
        if key not in schema:
            unknown = NameNotFoundError("error", key, schema)
            raise FileFormatError(path, str(unknown), element=key, line=line)
        if isinstance(value, bool) or not isinstance(value, int | float):
            problem = f"expected a number, got {value!r}"
            raise FileFormatError(path, problem, element=key, line=line)
        name, index, unit = schema[key]
        given.add(key)
        if name == "links":
            links[index] = float(value) * unit
        elif index is None:
            scale = float(value)
        else:
            arrays[name][index] = float(value) * unit
    for kind in ("compliance", "play"):  # one motor: naming one side is enough
        here = [f"{side}_{kind}.HipYawPitch" in given for side in SIDES]
        if here[0] != here[1]:
            value = arrays[kind][0 if here[0] else 6]
            arrays[kind][0] = arrays[kind][6] = value
    plain: dict[str, Any] = {name: tuple(row) for name, row in arrays.items()}
    try:
        return NaoErrors(links=LinkErrors(**links), focal_scale=scale, **plain)
    except ConfigError as error:
        raise FileFormatError(path, str(error)) from error


def _flat(values: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in values.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value
