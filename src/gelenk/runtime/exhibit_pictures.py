"""Images with marks: what a robot sees, and what it makes of that."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gelenk.errors import ConfigError, ShapeError
from gelenk.runtime.exhibit_points import Color, Numbers, Pixels, freeze_points

MAX_EDGE = 4096  # [px]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PixelPoints:
    """Points in an image.

    Attributes:
        at: x to the right, y down [px], shape (n, 2); the middle of the first pixel is
            (0, 0).
        shape: How they are drawn; always of the same size on the screen.
        labels: A word beside each; empty: none.
        color: What they mean.
        layer: Name under which they can be switched off, and that explains them.
    """

    kind: Literal["points"] = field(default="points", init=False)
    at: Pixels
    shape: Literal["dot", "cross", "ring", "square"] = "cross"
    labels: tuple[str, ...] = ()
    color: Color = "measured"
    layer: str = "points"

    def __post_init__(self) -> None:
        freeze_points(self)
        require_labels(self.labels, len(np.asarray(self.at)))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PixelCircles:
    """Circles in an image.

    Attributes:
        centers: x, y [px], shape (n, 2).
        radii: [px], shape (n,).
        labels: A word beside each; empty: none.
        color, layer: As of `PixelPoints`.
    """

    kind: Literal["circles"] = field(default="circles", init=False)
    centers: Pixels
    radii: Numbers
    labels: tuple[str, ...] = ()
    color: Color = "measured"
    layer: str = "circles"

    def __post_init__(self) -> None:
        freeze_points(self)
        require_labels(self.labels, len(np.asarray(self.centers)))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PixelPath:
    """A line through points of an image, or the area inside of it.

    Attributes:
        at: x, y [px], shape (n, 2).
        is_closed: Whether it leads back to its first point.
        is_filled: Whether the area is tinted.
        color, layer: As of `PixelPoints`.
    """

    kind: Literal["path"] = field(default="path", init=False)
    at: Pixels
    is_closed: bool = False
    is_filled: bool = False
    color: Color = "model"
    layer: str = "lines"

    def __post_init__(self) -> None:
        freeze_points(self)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PixelArrows:
    """Arrows in an image, such as residuals; enlarge them here and say so in a caption.

    Attributes:
        starts: x, y [px], shape (n, 2).
        ends: x, y of the tips [px], shape (n, 2).
        color, layer: As of `PixelPoints`.
    """

    kind: Literal["arrows"] = field(default="arrows", init=False)
    starts: Pixels
    ends: Pixels
    color: Color = "bad"
    layer: str = "arrows"

    def __post_init__(self) -> None:
        freeze_points(self)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PixelTexts:
    """Words in an image.

    Attributes:
        at: Where each begins, x, y [px], shape (n, 2).
        texts: One for each place.
        color, layer: As of `PixelPoints`.
    """

    kind: Literal["texts"] = field(default="texts", init=False)
    at: Pixels
    texts: tuple[str, ...]
    color: Color = "neutral"
    layer: str = "words"

    def __post_init__(self) -> None:
        freeze_points(self)
        require_labels(self.texts, len(np.asarray(self.at)), "texts")


Mark: TypeAlias = PixelPoints | PixelCircles | PixelPath | PixelArrows | PixelTexts


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Picture:
    """An image to be shown, with what was found in it.

    Marks are sent as numbers, not painted into the image: they stay sharp when it is
    enlarged, and can be switched off by layer.

    Attributes:
        name: One of `Exhibit.picture_titles`.
        image: uint8, shape (rows, columns) in gray or (rows, columns, 3) in red, green,
            blue; first row on top. Hand over a new array for a new image: one that is
            the same object is taken for unchanged.
        marks: Drawn over it, later ones on top.
        caption: A sentence below, such as "residuals enlarged 20 times, RMS 0.21 px".
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


def require_labels(labels: tuple[str, ...], count: int, name: str = "labels") -> None:
    """Check that there is one word for each place.

    Raises:
        ConfigError: If not; no `labels` at all are fine.
    """
    if len(labels) != count and (labels or name != "labels"):
        raise ConfigError(f"expected {count} {name}, one for each place, got {labels}")
