"""What a robot draws into the world: predictions, forces, support areas, targets.

Everything is in world axes [m]. Overlays are shown in the page's 3D view only; nothing
in the world or its cameras sees them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np

from gelenk.runtime.exhibit_pictures import require_labels
from gelenk.runtime.exhibit_points import Color, Numbers, Places, freeze_points


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WorldPoints:
    """Small dots.

    Attributes:
        name: Unique in its exhibit; under it they can be switched off.
        at: Where [m], shape (n, 3).
        radius: Of a dot [m].
        color: What they mean.
    """

    kind: Literal["points"] = field(default="points", init=False)
    name: str
    at: Places
    radius: float = 0.012
    color: Color = "measured"

    def __post_init__(self) -> None:
        freeze_points(self)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WorldPath:
    """A line through points, such as a planned way.

    Attributes:
        name, color: As of `WorldPoints`.
        at: Where it leads [m], shape (n, 3).
        opacity: 0 to 1.
    """

    kind: Literal["path"] = field(default="path", init=False)
    name: str
    at: Places
    color: Color = "model"
    opacity: float = 0.95

    def __post_init__(self) -> None:
        freeze_points(self)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WorldTube:
    """A way with its uncertainty.

    Attributes:
        name, color: As of `WorldPoints`.
        at: Middle of the tube [m], shape (n, 3).
        radii: Its radius at each point [m], shape (n,), such as three standard
            deviations.
        opacity: 0 to 1.
    """

    kind: Literal["tube"] = field(default="tube", init=False)
    name: str
    at: Places
    radii: Numbers
    color: Color = "model"
    opacity: float = 0.22

    def __post_init__(self) -> None:
        freeze_points(self)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WorldPolygon:
    """A flat area, such as a support polygon.

    Attributes:
        name, color: As of `WorldPoints`.
        corners: In order [m], shape (n, 3).
        opacity: 0 to 1, of the area.
    """

    kind: Literal["polygon"] = field(default="polygon", init=False)
    name: str
    corners: Places
    color: Color = "good"
    opacity: float = 0.25

    def __post_init__(self) -> None:
        freeze_points(self)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WorldArrows:
    """Arrows, such as forces; scale them to metres here and say so in the name.

    Attributes:
        name, color: As of `WorldPoints`.
        starts: [m], shape (n, 3).
        vectors: From start to tip [m], shape (n, 3).
        radius: Of a shaft [m].
    """

    kind: Literal["arrows"] = field(default="arrows", init=False)
    name: str
    starts: Places
    vectors: Places
    radius: float = 0.006
    color: Color = "measured"

    def __post_init__(self) -> None:
        freeze_points(self)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WorldSpheres:
    """Spheres one can look through: targets, places with their uncertainty.

    Attributes:
        name, color: As of `WorldPoints`.
        centers: [m], shape (n, 3).
        radii: [m], shape (n,).
        opacity: 0 to 1.
    """

    kind: Literal["spheres"] = field(default="spheres", init=False)
    name: str
    centers: Places
    radii: Numbers
    color: Color = "target"
    opacity: float = 0.35

    def __post_init__(self) -> None:
        freeze_points(self)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WorldTexts:
    """Words in space that always face the reader.

    Those named "caption" stand in a corner of the view instead.

    Attributes:
        name, color: As of `WorldPoints`.
        at: Where [m], shape (n, 3).
        texts: One for each place.
    """

    kind: Literal["texts"] = field(default="texts", init=False)
    name: str
    at: Places
    texts: tuple[str, ...]
    color: Color = "neutral"

    def __post_init__(self) -> None:
        freeze_points(self)
        require_labels(self.texts, len(np.asarray(self.at)), "texts")


Overlay: TypeAlias = (
    WorldPoints
    | WorldPath
    | WorldTube
    | WorldPolygon
    | WorldArrows
    | WorldSpheres
    | WorldTexts
)
