"""Overlays of a panel: drawings in the world, and images with marks.

Everything is in world axes [m]. Overlays are shown in the page's 3D view only; nothing
in the world or its cameras sees them.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gelenk.checks import as_finite
from gelenk.errors import ConfigError, ShapeError
from gelenk.typing import ArrayLike, FloatArray

Color: TypeAlias = Literal[
    "neutral",
    "model",
    "measured",
    "target",
    "good",
    "warning",
    "bad",
    "one",
    "two",
    "three",
    "four",
]
"""What a colour means; the page knows how it looks in the dark and in the light.

`model` is what was computed or predicted, `measured` what was seen; `one` to `four`
tell equals apart, such as legs, balls or cameras.
"""

Pixels: TypeAlias = ArrayLike  # x to the right, y down [px], shape (n, 2)
Places: TypeAlias = ArrayLike  # in the world [m], shape (n, 3)
Numbers: TypeAlias = ArrayLike  # shape (n,)
ROWS: dict[str, tuple[int, ...]] = {"Pixels": (2,), "Places": (3,), "Numbers": ()}

MAX_POINTS = 20_000  # of one array; more cannot be told apart on a page


class _Drawing:
    """Makes checked, read-only float64 arrays of the points of a frozen dataclass.

    They are the fields annotated as one of `ROWS`; lists are taken as well as arrays.
    There is a text for each of the points; `labels` may be left out.
    """

    __slots__ = ()

    def __post_init__(self) -> None:
        name, lengths = type(self).__name__, dict[str, int]()
        for entry in dataclasses.fields(self):  # type: ignore[arg-type]
            row = ROWS.get(str(entry.type))
            if row is None:
                continue
            array = _as_rows(f"{name}.{entry.name}", getattr(self, entry.name), row)
            array.setflags(write=False)
            object.__setattr__(self, entry.name, array)
            lengths[entry.name] = len(array)
        if len(set(lengths.values())) > 1:
            listing = ", ".join(f"{key} {count}" for key, count in lengths.items())
            raise ConfigError(
                f"the arrays of {name} must have one length, got {listing}"
            )
        count = max(lengths.values())
        if count > MAX_POINTS:
            raise ConfigError(f"{name} has more than {MAX_POINTS} points")
        key, words = "texts", getattr(self, "texts", None)
        if words is None:
            key, words = "labels", getattr(self, "labels", ()) or [""] * count
        if len(words) != count:
            raise ConfigError(
                f"expected {count} {key}, one for each place, got {words}"
            )


def _as_rows(name: str, value: ArrayLike, row: tuple[int, ...]) -> FloatArray:
    if np.size(value) == 0:
        return np.zeros((0, *row))
    array = as_finite(name, value, row)
    if array.ndim != 1 + len(row):
        expected = f"(n, {row[0]})" if row else "(n,)"
        raise ShapeError(name, expected=expected, actual=array.shape)
    return array.copy()


MAX_EDGE = 4096  # [px]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PixelPoints(_Drawing):
    """Points in an image.

    Attributes:
        at: Points, x to the right, y down [px], shape (n, 2); the middle of the first
            pixel is (0, 0).
        shape: Shape of the marks, which have one size on the screen.
        labels: Word beside each point; empty: none.
        color: Meaning that the colour shows.
        layer: Name under which they can be switched off, and that explains them.
    """

    kind: Literal["points"] = field(default="points", init=False)
    at: Pixels
    shape: Literal["dot", "cross", "ring", "square"] = "cross"
    labels: tuple[str, ...] = ()
    color: Color = "measured"
    layer: str = "points"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PixelCircles(_Drawing):
    """Circles in an image.

    Attributes:
        centers: Centres, x, y [px], shape (n, 2).
        radii: Radii [px], shape (n,).
        labels: Word beside each circle; empty: none.
        color, layer: Meaning and layer as for `PixelPoints`.
    """

    kind: Literal["circles"] = field(default="circles", init=False)
    centers: Pixels
    radii: Numbers
    labels: tuple[str, ...] = ()
    color: Color = "measured"
    layer: str = "circles"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PixelPath(_Drawing):
    """A line through points of an image, or the area inside of it.

    Attributes:
        at: Corners of the line, x, y [px], shape (n, 2).
        is_closed: Whether it leads back to its first point.
        is_filled: Whether the area is tinted.
        color, layer: Meaning and layer as for `PixelPoints`.
    """

    kind: Literal["path"] = field(default="path", init=False)
    at: Pixels
    is_closed: bool = False
    is_filled: bool = False
    color: Color = "model"
    layer: str = "lines"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PixelArrows(_Drawing):
    """Arrows in an image, such as residuals; enlarge them here and say so in a caption.

    Attributes:
        starts: Starts of the arrows, x, y [px], shape (n, 2).
        ends: Tips of the arrows, x, y [px], shape (n, 2).
        color, layer: Meaning and layer as for `PixelPoints`.
    """

    kind: Literal["arrows"] = field(default="arrows", init=False)
    starts: Pixels
    ends: Pixels
    color: Color = "bad"
    layer: str = "arrows"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PixelTexts(_Drawing):
    """Words in an image.

    Attributes:
        at: Starts of the texts, x, y [px], shape (n, 2).
        texts: Text for each place.
        color, layer: Meaning and layer as for `PixelPoints`.
    """

    kind: Literal["texts"] = field(default="texts", init=False)
    at: Pixels
    texts: tuple[str, ...]
    color: Color = "neutral"
    layer: str = "words"


Mark: TypeAlias = PixelPoints | PixelCircles | PixelPath | PixelArrows | PixelTexts


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AnnotatedImage:
    """An image to be shown, with what was found in it.

    Marks are sent as numbers, not painted into the image: they stay sharp when it is
    enlarged, and can be switched off by layer.

    Attributes:
        name: Name, one of `RobotPanel.picture_titles`.
        image: Pixels as uint8, shape (rows, columns) in gray or (rows, columns, 3) in
            red, green, blue; first row on top. Hand over a new array for a new image:
            one that is the same object is taken for unchanged.
        marks: Marks over the image, later ones on top.
        caption: Sentence below, such as "residuals enlarged 20 times, RMS 0.21 px".
    """

    name: str
    image: NDArray[np.uint8]
    marks: tuple[Mark, ...] = ()
    caption: str = ""

    def __post_init__(self) -> None:
        shape = np.shape(self.image)
        is_gray, is_color = len(shape) == 2, len(shape) == 3 and shape[2] == 3
        if not (is_gray or is_color) or 0 in shape:
            expected = "(rows, columns) or (rows, columns, 3)"
            raise ShapeError("image", expected=expected, actual=shape)
        if self.image.dtype != np.uint8:
            raise ConfigError(f"`image` must be of uint8, got {self.image.dtype}")
        if max(shape) > MAX_EDGE:
            raise ConfigError(f"`image` has an edge of more than {MAX_EDGE} px")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WorldPoints(_Drawing):
    """Small dots.

    Attributes:
        name: Name, unique in its panel, under which the dots can be switched off.
        at: Positions [m], shape (n, 3).
        radius: Radius of a dot [m].
        color: Meaning that the colour shows.
    """

    kind: Literal["points"] = field(default="points", init=False)
    name: str
    at: Places
    radius: float = 0.012
    color: Color = "measured"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WorldPath(_Drawing):
    """A line through points, such as a planned way.

    Attributes:
        name, color: Name and meaning as for `WorldPoints`.
        at: Points of the line [m], shape (n, 3).
        opacity: Opacity of the line, 0 to 1.
    """

    kind: Literal["path"] = field(default="path", init=False)
    name: str
    at: Places
    color: Color = "model"
    opacity: float = 0.95


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WorldTube(_Drawing):
    """A way with its uncertainty.

    Attributes:
        name, color: Name and meaning as for `WorldPoints`.
        at: Points of the middle line [m], shape (n, 3).
        radii: Radius at each point [m], shape (n,), such as three standard deviations.
        opacity: Opacity of the tube, 0 to 1.
    """

    kind: Literal["tube"] = field(default="tube", init=False)
    name: str
    at: Places
    radii: Numbers
    color: Color = "model"
    opacity: float = 0.22


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WorldPolygon(_Drawing):
    """A flat area, such as a support polygon.

    Attributes:
        name, color: Name and meaning as for `WorldPoints`.
        corners: Corners in order [m], shape (n, 3).
        opacity: Opacity of the area, 0 to 1.
    """

    kind: Literal["polygon"] = field(default="polygon", init=False)
    name: str
    corners: Places
    color: Color = "good"
    opacity: float = 0.25


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WorldArrows(_Drawing):
    """Arrows, such as forces; scale them to metres here and say so in the name.

    Attributes:
        name, color: Name and meaning as for `WorldPoints`.
        starts: Starts of the arrows [m], shape (n, 3).
        vectors: Vectors from start to tip [m], shape (n, 3).
        radius: Radius of a shaft [m].
    """

    kind: Literal["arrows"] = field(default="arrows", init=False)
    name: str
    starts: Places
    vectors: Places
    radius: float = 0.006
    color: Color = "measured"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WorldSpheres(_Drawing):
    """Spheres one can look through: targets, places with their uncertainty.

    Attributes:
        name, color: Name and meaning as for `WorldPoints`.
        centers: Centres [m], shape (n, 3).
        radii: Radii [m], shape (n,).
        opacity: Opacity of the spheres, 0 to 1.
    """

    kind: Literal["spheres"] = field(default="spheres", init=False)
    name: str
    centers: Places
    radii: Numbers
    color: Color = "target"
    opacity: float = 0.35


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WorldTexts(_Drawing):
    """Words in space that always face the reader.

    Those named "caption" stand in a corner of the view instead.

    Attributes:
        name, color: Name and meaning as for `WorldPoints`.
        at: Positions [m], shape (n, 3).
        texts: Text for each place.
    """

    kind: Literal["texts"] = field(default="texts", init=False)
    name: str
    at: Places
    texts: tuple[str, ...]
    color: Color = "neutral"


Overlay: TypeAlias = (
    WorldPoints
    | WorldPath
    | WorldTube
    | WorldPolygon
    | WorldArrows
    | WorldSpheres
    | WorldTexts
)
