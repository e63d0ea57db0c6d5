"""Messages: what the exhibit of a robot shows; its parts are those of the exhibit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gelenk.runtime.panel import Highlight, Mark, Overlay, PanelAction


@dataclass(frozen=True, slots=True, kw_only=True)
class Actions:
    """All buttons of the exhibit; replaces those that were."""

    scene: int
    actions: tuple[PanelAction, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnHead:
    """A column of a table.

    Attributes:
        title: A word or two.
        unit: Of its numbers.
        is_number: Whether it holds numbers, which stand to the right.
    """

    title: str
    unit: str
    is_number: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TableText:
    """A table, written.

    Attributes:
        name, title: Of the table.
        columns: Its heads.
        rows: Texts of its cells.
        highlights: What stands out.
        caption: A sentence below.
    """

    name: str
    title: str
    columns: tuple[ColumnHead, ...]
    rows: tuple[tuple[str, ...], ...]
    highlights: tuple[Highlight, ...] = ()
    caption: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """All tables of the exhibit; replaces those that were."""

    scene: int
    tables: tuple[TableText, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlays:
    """Everything that the exhibit draws into the world; replaces what was."""

    scene: int
    overlays: tuple[Overlay, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureTitles:
    """Which pictures the exhibit has: titles by name."""

    scene: int
    titles: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageHead:
    """What is said of an image, before its bytes; see `images.py`.

    Attributes:
        scene: Number of the scene.
        source: "camera" of the world, or "picture" of the exhibit.
        name: Of the camera or picture.
        time: Simulated time that it shows [s].
        width, height: [px].
        format: MIME type of its bytes.
        marks: Drawn over it.
        caption: A sentence below.
    """

    scene: int
    source: Literal["camera", "picture"]
    name: str
    time: float
    width: int
    height: int
    format: Literal["image/jpeg", "image/png"]
    marks: tuple[Mark, ...] = ()
    caption: str = ""
