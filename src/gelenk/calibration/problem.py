"""A calibration problem as data: robot, cameras, targets, and what may be wrong.

Nothing here computes; `prediction`, `calibration` and `choice` do.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from gelenk.calibration.effects import (
    CameraRotation,
    CameraTranslation,
    Distortion,
    Effect,
    FocalLength,
    JointBacklash,
    JointCompliance,
    JointOffset,
    LinkTranslation,
    PrincipalPoint,
    name_and_unit,
)
from gelenk.checks import as_finite
from gelenk.errors import ConfigError, NameNotFoundError, ShapeError
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, FloatArray, IntArray
from gelenk.vision.camera import Intrinsics


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CalibrationCamera:
    """A camera on a link; turns and shifts of it act in the mount frame.

    Attributes:
        name: Name, unique among the cameras.
        link: Link that carries it.
        T_link_mount: Mount frame in the link, shape (4, 4).
        T_mount_camera: Camera axes of OpenCV (x right, y down, z forward) in the
            mount, shape (4, 4).
        intrinsics: Nominal lens.

    Example:
        >>> from gelenk.calibration import CalibrationCamera
        >>> from gelenk.vision import Intrinsics
        >>> lens = Intrinsics.from_field_of_view(width=640, height=480, horizontal=1.0)
        >>> CalibrationCamera(name="wrist", link="flange", intrinsics=lens).link
        'flange'
    """

    name: str
    link: str
    intrinsics: Intrinsics
    T_link_mount: FloatArray = field(default_factory=lambda: np.eye(4))
    T_mount_camera: FloatArray = field(default_factory=lambda: np.eye(4))

    def __post_init__(self) -> None:
        for name in ("T_link_mount", "T_mount_camera"):
            _freeze(self, name, (4, 4))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Target:
    """Points that cameras look at; turns and shifts of it act in the target frame.

    Attributes:
        name: Name, unique among the targets.
        link: Link that carries it; None: fixed in the frame of the root link.
        T_link_target: Target frame in that link, shape (4, 4).
        points: Points in the target frame [m], shape (n, 3).
        plate: Link that is moved along with the target, if it has weight: its frame at
            rest is the target's.

    Example:
        >>> from gelenk.calibration import Target
        >>> Target(name="board", link=None, points=np.zeros((4, 3))).points.shape
        (4, 3)
    """

    name: str
    link: str | None
    points: FloatArray
    plate: str | None = None
    T_link_target: FloatArray = field(default_factory=lambda: np.eye(4))

    def __post_init__(self) -> None:
        _freeze(self, "T_link_target", (4, 4))
        _freeze(self, "points", (3,))
        if self.points.ndim != 2 or not len(self.points):
            raise ShapeError("points", expected="(n, 3)", actual=self.points.shape)


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationParameter:
    """One number that calibration may change.

    Attributes:
        effect: Effect of the parameter; several, where one cause has several effects.
        name: Unique name; by default after the effect, such as "elbow.offset".
        unit: Unit of the value: "rad", "m", "rad/(N m)", "px", "1"; by default the
            effect's.
        nominal: Value to start from, and the centre of the prior.
        sigma: Spread of the prior around `nominal`; infinite: nothing is known.
        lower, upper: Bounds of the value.
        is_frozen: The value stays `nominal`.
        group: Word under which reports list it.

    Example:
        >>> from gelenk.calibration import CalibrationParameter, JointOffset
        >>> parameter = CalibrationParameter(effect=JointOffset("elbow"), sigma=0.02)
        >>> parameter.name, parameter.unit
        ('elbow.offset', 'rad')
    """

    effect: Effect | tuple[Effect, ...]
    name: str = ""
    unit: str = ""
    nominal: float = 0.0
    sigma: float = math.inf
    lower: float = -math.inf
    upper: float = math.inf
    is_frozen: bool = False
    group: str = ""

    def __post_init__(self) -> None:
        name, unit = name_and_unit(self.effects[0])
        object.__setattr__(self, "name", self.name or name)
        object.__setattr__(self, "unit", self.unit or unit)
        if not self.sigma > 0.0:
            raise ConfigError(
                f"parameter {self.name!r}: `sigma` must be > 0, got {self.sigma}; "
                "to hold the value set `is_frozen`"
            )
        if not self.lower <= self.nominal <= self.upper:
            raise ConfigError(
                f"parameter {self.name!r}: `nominal` {self.nominal} lies outside of "
                f"[{self.lower}, {self.upper}]"
            )

    @property
    def effects(self) -> tuple[Effect, ...]:
        """The effects as a tuple."""
        return self.effect if isinstance(self.effect, tuple) else (self.effect,)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingError:
    """A joint whose reading is a little wrong each time: quantised, or noisy.

    Attributes:
        joint: Joint with a coordinate in `q`; joints that mimic it share the error.
        sigma: Spread of one reading [rad] or [m]; steps of width w have w / sqrt(12).
        is_shared: Whether all observations of a group share one error (a leg held still
            while the head moves); otherwise each observation has its own.
    """

    joint: str
    sigma: float
    is_shared: bool = True

    def __post_init__(self) -> None:
        if not 0.0 < self.sigma < math.inf:
            raise ConfigError(
                f"reading of {self.joint!r}: `sigma` must be > 0 and finite, "
                f"got {self.sigma}"
            )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CalibrationProblem:
    """A robot, its cameras and targets, and the parameters to calibrate.

    Attributes:
        model: The robot as designed, without loops and with a fixed base.
        cameras, targets: Cameras, and targets they look at.
        parameters: Parameters that may be wrong, in the order of all vectors of values.
        gravity: Gravity in the axes of the root link [m/s^2], shape (3,); by default
            the model's. Only compliance and backlash ask for it.
        readings: Joints whose single readings are uncertain.

    Example:
        >>> from gelenk.calibration import (
        ...     CalibrationCamera, CalibrationParameter, CalibrationProblem,
        ...     JointOffset, Target,
        ... )
        >>> import gelenk
        >>> from gelenk.vision import Intrinsics
        >>> arm, q = gelenk.load("ur5e"), np.array([0.0, -1.5, 1.5, -1.5, -1.5, 0.0])
        >>> lens = Intrinsics(width=640, height=480, fx=586, fy=586, cx=320, cy=240)
        >>> points = np.mgrid[-0.1:0.1:5j, -0.1:0.1:4j, 0.4:0.4:1j].reshape(3, -1).T
        >>> camera = CalibrationCamera(name="wrist", link=arm.tool, intrinsics=lens)
        >>> board = Target(
        ...     name="board", link=None, points=points, T_link_target=arm.forward(q)
        ... )
        >>> offset = CalibrationParameter(effect=JointOffset("joint_3"))
        >>> problem = CalibrationProblem(
        ...     model=arm, cameras=(camera,), targets=(board,), parameters=(offset,)
        ... )
        >>> problem.names
        ('joint_3.offset',)
    """

    model: RobotModel
    cameras: tuple[CalibrationCamera, ...]
    targets: tuple[Target, ...]
    parameters: tuple[CalibrationParameter, ...]
    gravity: FloatArray | None = None
    readings: tuple[ReadingError, ...] = ()

    def __post_init__(self) -> None:
        for name in ("cameras", "targets", "parameters", "readings"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        if self.gravity is None:
            object.__setattr__(self, "gravity", self.model.gravity)
        _freeze(self, "gravity", (3,))
        self._check_model()
        _check_unique("camera", (camera.name for camera in self.cameras))
        _check_unique("target", (target.name for target in self.targets))
        _check_unique("parameter", self.names)
        for camera in self.cameras:
            self.model.link_id(camera.link)
        for target in self.targets:
            for link in (target.link, target.plate):
                if link is not None:
                    self.model.link_id(link)
        for reading in self.readings:
            self.model.joint_id(reading.joint)
        for parameter in self.parameters:
            for effect in parameter.effects:
                self._check_effect(effect)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the parameters."""
        return tuple(parameter.name for parameter in self.parameters)

    @property
    def nominal(self) -> FloatArray:
        """Nominal values, shape (P,)."""
        return np.array([parameter.nominal for parameter in self.parameters])

    @property
    def is_free(self) -> np.ndarray:
        """Which parameters may change, shape (P,)."""
        return np.array([not parameter.is_frozen for parameter in self.parameters])

    def index(self, name: str) -> int:
        """Return the index of a parameter by name."""
        return _find("parameter", name, self.names)

    def camera_id(self, name: str) -> int:
        """Return the index of a camera by name."""
        return _find("camera", name, [camera.name for camera in self.cameras])

    def target_id(self, name: str) -> int:
        """Return the index of a target by name."""
        return _find("target", name, [target.name for target in self.targets])

    def check_values(self, values: ArrayLike | None) -> FloatArray:
        """Return `values` as float64 of shape (P,); None means nominal."""
        if values is None:
            return self.nominal
        array = as_finite("values", values, (len(self.parameters),))
        if array.ndim != 1:
            raise ShapeError(
                "values", expected=f"({len(self.parameters)},)", actual=array.shape
            )
        return array

    def _check_model(self) -> None:
        if self.model.has_floating_base or self.model.loops:
            kind = "a floating base" if self.model.has_floating_base else "loops"
            raise ConfigError(
                f"robot {self.model.name!r} has {kind}; calibration follows fixed "
                "chains from the root link to cameras and targets"
            )

    def _check_effect(self, effect: Effect) -> None:
        if isinstance(effect, JointOffset):
            _find("joint", effect.joint, self.model.joint_names_all)
        elif isinstance(effect, JointCompliance | JointBacklash):
            self.model.joint_id(effect.joint)
        elif isinstance(effect, LinkTranslation):
            self.model.link_id(effect.link)
        elif isinstance(
            effect,
            CameraRotation
            | CameraTranslation
            | FocalLength
            | PrincipalPoint
            | Distortion,
        ):
            self.camera_id(effect.camera)
            if isinstance(effect, Distortion) and not 0 <= effect.index < 5:
                raise ConfigError(
                    f"distortion has coefficients 0 to 4, got {effect.index}"
                )
        else:
            self.target_id(effect.target)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Observation:
    """Points of one target in one camera at one time.

    Attributes:
        camera, target: Names.
        q: Joint readings, shape (nq,) of the model.
        points: Indices of the target's points that were seen, shape (k,).
        pixels: Measured pixels of the points [px], shape (k, 2).
        group: Number of the pose whose slow joints were read once for several
            observations.

    Example:
        >>> from gelenk.calibration import Observation
        >>> seen = Observation(
        ...     camera="wrist", target="board", q=np.zeros(6), points=[0, 2],
        ...     pixels=[[310.0, 240.0], [330.0, 240.0]],
        ... )
        >>> seen.group
        0
    """

    camera: str
    target: str
    q: FloatArray
    points: IntArray
    pixels: FloatArray
    group: int = 0

    def __post_init__(self) -> None:
        q = np.array(self.q, dtype=np.float64)
        points = np.array(self.points, dtype=np.int64)
        pixels = np.array(self.pixels, dtype=np.float64)
        if points.ndim != 1 or pixels.shape != (len(points), 2):
            raise ShapeError(
                "pixels", expected=f"({points.size}, 2)", actual=pixels.shape
            )
        if not (np.isfinite(q).all() and np.isfinite(pixels).all()):
            raise ConfigError("`q` and `pixels` of an observation must be finite")
        for name, array in (("q", q), ("points", points), ("pixels", pixels)):
            array.setflags(write=False)
            object.__setattr__(self, name, array)


def _freeze(owner: object, name: str, shape: tuple[int, ...]) -> None:
    array = np.array(as_finite(name, getattr(owner, name), shape))
    array.setflags(write=False)
    object.__setattr__(owner, name, array)


def _find(kind: str, name: str, names: Sequence[str]) -> int:
    if name not in names:
        raise NameNotFoundError(kind, name, names)
    return names.index(name)


def _check_unique(kind: str, names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ConfigError(f"two {kind}s are named {name!r}; names must differ")
        seen.add(name)
