"""`Film`: what a scenario of the course looked like, frame by frame, for the page.

A scenario declares its props once and shoots a frame whenever one is due. What a frame
does not mention stays as it was, so that still things cost nothing. The film copies and
thins out what it is given: recording changes no run, and no film gets large.

Example:
    >>> film = Film()
    >>> film.box("cart", (0.4, 0.3, 0.2), color="blue")
    >>> for k in range(1000):
    ...     if film.wants(k * 1e-3):
    ...         film.shoot(k * 1e-3, poses={"cart": np.eye(4)}, text="waiting")
    >>> len(film.shots), film.duration
    (25, 0.96)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gelenk.checks import as_finite
from gelenk.errors import ConfigError, NameNotFoundError, ShapeError
from gelenk.runtime.panel_overlays import Color
from gelenk.spatial import se3, so3
from gelenk.typing import ArrayLike, FloatArray

if TYPE_CHECKING:
    from gelenk.models.tree import RobotModel

RATE = 25.0  # frames per simulated second
# Beyond these every second frame is dropped, and half as many are due from then on.
MAX_FRAMES, MAX_BYTES = 1500, 16 * 2**20
MAX_LINE, MAX_CLOUD = 300, 1000  # points, evenly chosen where there are more
_EARLY = 1e-9  # [s], sums of steps miss the round time by less

Rgba: TypeAlias = tuple[float, float, float, float]
Paint: TypeAlias = str | tuple[float, float, float] | Rgba
Single: TypeAlias = NDArray[np.float32]

PAINTS: dict[str, Rgba] = {
    "white": (0.93, 0.93, 0.92, 1.0),
    "light_grey": (0.74, 0.75, 0.76, 1.0),
    "grey": (0.52, 0.54, 0.56, 1.0),
    "dark_grey": (0.28, 0.30, 0.32, 1.0),
    "black": (0.10, 0.10, 0.11, 1.0),
    "red": (0.80, 0.24, 0.20, 1.0),
    "orange": (0.90, 0.51, 0.16, 1.0),
    "yellow": (0.92, 0.77, 0.22, 1.0),
    "green": (0.30, 0.62, 0.34, 1.0),
    "lawn": (0.34, 0.52, 0.30, 1.0),
    "teal": (0.16, 0.58, 0.58, 1.0),
    "blue": (0.20, 0.42, 0.74, 1.0),
    "purple": (0.50, 0.34, 0.66, 1.0),
    "brown": (0.52, 0.38, 0.26, 1.0),
    "sand": (0.78, 0.68, 0.50, 1.0),
    "glass": (0.62, 0.78, 0.88, 0.35),
}


def standing(place: ArrayLike, yaw: float = 0.0) -> FloatArray:
    """Return the pose of what stands upright at a place [m], turned by `yaw` [rad]."""
    return se3.pose_from_rotation_translation(so3.rot_z(yaw), place)


def at_height(points: FloatArray, z: float) -> FloatArray:
    """Return points of the plane [m], shape (n, 2), at a height [m], shape (n, 3)."""
    return np.column_stack([points, np.full(len(points), z)])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Prop:
    """A rigid thing, or a robot.

    Attributes:
        name: Unique in its film.
        kind: What it is.
        size: Edges of a box, (radius,) of a ball, (radius, height) of a disc [m];
            empty for an arm.
        rgba: Its colour, 0 to 1; None: those of the model.
        model: Of an arm.
    """

    name: str
    kind: Literal["box", "ball", "disc", "arm"]
    size: tuple[float, ...] = ()
    rgba: Rgba | None = None
    model: RobotModel | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stroke:
    """How a line or a cloud looks.

    Attributes:
        color: What it means; None: one of its own.
        radius: Of the dots of a cloud [m]; None: as the page likes.
    """

    color: Color | None = None
    radius: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shot:
    """Everything that there is to see at one time; what is not named is not there.

    Attributes:
        time: [s].
        poses: T_world_prop by name, shape (4, 4), float32.
        joints: Of arms by name, float32.
        lines, clouds: Points by name [m], shape (k, 3), float32.
        curves: Numbers by name and unit: {"force [N]": 3.2}.
        text: What goes on.
    """

    time: float
    poses: Mapping[str, Single]
    joints: Mapping[str, Single]
    lines: Mapping[str, Single]
    clouds: Mapping[str, Single]
    curves: Mapping[str, float]
    text: str


@dataclass(slots=True, eq=False)
class Film:
    """Props and frames of one run of a scenario.

    Attributes:
        props: By name, in the order in which they were declared.
        strokes: How lines and clouds look, by name, where it was said.
        shots: Frames by rising time.
        period: Between two frames that are due [s].
        view: Direction from what is seen to the eye; None: as the page likes.

    Example:
        >>> import numpy as np
        >>> from gelenk.course import Film
        >>> film = Film()
        >>> film.ball("ball", 0.1)
        >>> film.shoot(0.0, poses={"ball": np.eye(4)})
        >>> film.shoot(0.5, text="it rests")
        >>> film.duration
        0.5
    """

    props: dict[str, Prop] = field(default_factory=dict[str, Prop])
    strokes: dict[str, Stroke] = field(default_factory=dict[str, Stroke])
    shots: list[Shot] = field(default_factory=list[Shot])
    period: float = 1.0 / RATE
    view: tuple[float, float, float] | None = None
    _new_bytes: int = 0

    # -- before the first frame ------------------------------------------------------

    def box(self, name: str, size: ArrayLike, *, color: Paint = "grey") -> None:
        """Declare a box about its origin.

        Args:
            name: New in this film.
            size: Full edges along x, y, z [m], shape (3,).
            color: One of `PAINTS`, or RGB or RGBA from 0 to 1.
        """
        self._add(name, "box", size, 3, color)

    def ball(self, name: str, radius: float, *, color: Paint = "orange") -> None:
        """Declare a ball with a radius [m]; the rest as of `box`."""
        self._add(name, "ball", [radius], 1, color)

    def disc(
        self, name: str, radius: float, height: float, *, color: Paint = "grey"
    ) -> None:
        """Declare a cylinder along z about its origin; sizes in [m], as of `box`."""
        self._add(name, "disc", [radius, height], 2, color)

    def arm(self, name: str, model: RobotModel, *, color: Paint | None = None) -> None:
        """Declare a robot; it stands at the origin where no frame has a pose for it.

        Args:
            name: New in this film.
            model: `joints` of a frame are its configuration, shape (nq,).
            color: As of `box`; None: colours of the model.
        """
        rgba = None if color is None else rgba_of(color)
        self._keep(Prop(name=name, kind="arm", rgba=rgba, model=model))

    def line(self, name: str, *, color: Color) -> None:
        """Say how a line looks; without it, lines get colours in their order."""
        self.strokes[name] = Stroke(color=color)

    def cloud(
        self, name: str, *, color: Color | None = None, radius: float | None = None
    ) -> None:
        """Say how a cloud looks; `radius` of its dots [m]."""
        self.strokes[name] = Stroke(color=color, radius=radius)

    def look(self, direction: ArrayLike) -> None:
        """Say from where to look: direction from the middle to the eye, shape (3,)."""
        x, y, z = as_finite("direction", direction, (3,)).tolist()
        self.view = x, y, z

    def _add(
        self, name: str, kind: Literal["box", "ball", "disc"], size: ArrayLike,
        count: int, color: Paint,
    ) -> None:  # fmt: skip
        lengths = as_finite(f"size of {name!r}", size, (count,))
        if not (lengths > 0.0).all():
            raise ConfigError(
                f"{kind} {name!r} of a film needs lengths > 0, got {lengths.tolist()}"
            )
        self._keep(Prop(name=name, kind=kind, size=tuple(lengths), rgba=rgba_of(color)))

    def _keep(self, prop: Prop) -> None:
        if prop.name in self.props:
            raise ConfigError(f"the film has two props named {prop.name!r}")
        if self.shots:
            raise ConfigError(
                f"prop {prop.name!r} comes after the first frame; declare it before"
            )
        self.props[prop.name] = prop

    # -- frames ------------------------------------------------------------------------

    @property
    def duration(self) -> float:
        """Time of the last frame [s]; 0 while there is none."""
        return self.shots[-1].time if self.shots else 0.0

    @property
    def num_bytes(self) -> int:
        """Size of all arrays, each counted once [bytes]."""
        arrays = {
            id(array): array.nbytes
            for shot in self.shots
            for part in (shot.poses, shot.joints, shot.lines, shot.clouds)
            for array in part.values()
        }
        return sum(arrays.values())

    def wants(self, time: float) -> bool:
        """Return whether a frame is due at a time [s]."""
        if not self.shots:
            return True
        due = (np.floor(self.duration / self.period + _EARLY) + 1.0) * self.period
        return bool(time >= due - _EARLY)

    def shoot(
        self,
        time: float,
        *,
        poses: Mapping[str, ArrayLike] | None = None,
        joints: Mapping[str, ArrayLike] | None = None,
        lines: Mapping[str, ArrayLike] | None = None,
        clouds: Mapping[str, ArrayLike] | None = None,
        curves: Mapping[str, float] | None = None,
        text: str | None = None,
    ) -> None:
        """Keep a frame; what it does not mention stays as it was.

        A frame at the time of the last one takes its place.

        Args:
            time: Of the scenario, not before that of the last frame [s].
            poses: T_world_prop by name, shape (4, 4); a prop is seen from its first on.
            joints: Configurations of arms by name.
            lines: Points by name [m], shape (k, 3); none: the line is gone. Rows that
                are not finite are left out.
            clouds: As of `lines`, drawn as dots.
            curves: Numbers by name and unit: {"force [N]": 3.2}; NaN: none.
            text: What goes on, in a few words.

        Raises:
            ConfigError: If the time runs backwards, or a number is not finite.
            NameNotFoundError: If a pose or joints are those of no prop.
            ShapeError: If an array has another shape.
        """
        last = self.shots[-1] if self.shots else _NOTHING
        if not time >= last.time:
            raise ConfigError(
                f"a film runs forward: a frame at {time:g} s after one at "
                f"{last.time:g} s"
            )
        for name in (*(poses or {}), *(joints or {})):
            if name not in self.props:
                raise NameNotFoundError("prop", name, list(self.props))
        shot = Shot(
            time=float(time),
            poses=_merge(last.poses, poses, _as_pose),
            joints=_merge(last.joints, joints, _as_vector),
            lines=_merge(last.lines, lines, partial(_as_points, most=MAX_LINE)),
            clouds=_merge(last.clouds, clouds, partial(_as_points, most=MAX_CLOUD)),
            curves={**last.curves, **{k: float(v) for k, v in (curves or {}).items()}},
            text=last.text if text is None else text,
        )
        if self.shots and time == last.time:
            self.shots.pop()
        self.shots.append(shot)
        self._new_bytes += _size_of(shot, last)
        if len(self.shots) > MAX_FRAMES or self._new_bytes > MAX_BYTES:
            self._halve()

    def _halve(self) -> None:
        self.shots = self.shots[-1::-2][::-1]  # the last one stays
        self.period *= 2.0
        self._new_bytes = self.num_bytes


_NOTHING = Shot(time=0.0, poses={}, joints={}, lines={}, clouds={}, curves={}, text="")


def rgba_of(color: Paint) -> Rgba:
    """Return a colour as red, green, blue and opacity, 0 to 1.

    Raises:
        NameNotFoundError: If it is none of `PAINTS`.
        ConfigError: If numbers are not three or four from 0 to 1.

    Example:
        >>> rgba_of((1.0, 0.5, 0.0))
        (1.0, 0.5, 0.0, 1.0)
    """
    if isinstance(color, str):
        if color not in PAINTS:
            raise NameNotFoundError("colour", color, list(PAINTS))
        return PAINTS[color]
    values = [float(value) for value in color]
    if len(values) not in (3, 4) or not all(0.0 <= v <= 1.0 for v in values):
        raise ConfigError(f"a colour is three or four numbers 0 to 1, got {color}")
    red, green, blue, opacity = [*values, 1.0][:4]
    return red, green, blue, opacity


def _merge(
    last: Mapping[str, Single],
    new: Mapping[str, ArrayLike] | None,
    convert: Callable[[str, ArrayLike], Single],
) -> Mapping[str, Single]:
    """Return what there was with what is new; equal arrays are kept once."""
    if not new:
        return last
    merged = dict(last)
    for name, value in new.items():
        array, old = convert(name, value), last.get(name)
        if not len(array):
            merged.pop(name, None)
        elif old is None or not np.array_equal(array, old):
            merged[name] = array
    return merged


def _size_of(shot: Shot, last: Shot) -> int:
    """Return bytes of a shot that the last one does not have."""
    parts = ("poses", "joints", "lines", "clouds")
    return sum(
        array.nbytes
        for part in parts
        for name, array in getattr(shot, part).items()
        if getattr(last, part).get(name) is not array
    )


def _as_pose(name: str, value: ArrayLike) -> Single:
    return as_finite(f"pose of {name!r}", value, (4, 4)).astype(np.float32)


def _as_vector(name: str, value: ArrayLike) -> Single:
    array = as_finite(f"joints of {name!r}", value, ())
    if array.ndim != 1:
        raise ShapeError(f"joints of {name!r}", expected="(n,)", actual=array.shape)
    return array.astype(np.float32)


def _as_points(name: str, value: ArrayLike, *, most: int) -> Single:
    """Return finite points, evenly thinned out to `most`."""
    array = np.asarray(value, dtype=np.float64)
    if array.size == 0:
        return np.zeros((0, 3), dtype=np.float32)
    if array.ndim != 2 or array.shape[1] != 3:
        raise ShapeError(f"points of {name!r}", expected="(k, 3)", actual=array.shape)
    array = array[np.isfinite(array).all(axis=1)]
    if len(array) > most:
        array = array[np.linspace(0, len(array) - 1, most).round().astype(int)]
    return array.astype(np.float32)
