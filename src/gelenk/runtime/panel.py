"""Panel of a robot: what it shows of itself on the page, as data.

A robot subclasses `RobotPanel`, overrides what it has, and offers it with a `SceneSpec`
(`gelenk.runtime.scene`). It imports nothing of the page, and nothing is computed
that nobody looks at.

Example:
    >>> class Scale(RobotPanel):
    ...     offset = 0.0
    ...     def actions(self):
    ...         return (PanelAction(name="zero", title="Zero"),)
    ...     def press(self, name, values):
    ...         self.offset = 1.5
    ...         return "zeroed"
    ...     def tables(self):
    ...         columns = (Column(title="offset", unit="N"),)
    ...         return (Table(name="scale", title="Scale", columns=columns,
    ...                       rows=((self.offset,),)),)
    >>> scale = Scale()
    >>> scale.press("zero", {})
    'zeroed'
    >>> scale.tables()[0].rows
    ((1.5,),)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.runtime.panel_actions import ActionError as ActionError
from gelenk.runtime.panel_actions import ChoiceField as ChoiceField
from gelenk.runtime.panel_actions import Field as Field
from gelenk.runtime.panel_actions import GroundField as GroundField
from gelenk.runtime.panel_actions import NumberField as NumberField
from gelenk.runtime.panel_actions import PanelAction as PanelAction
from gelenk.runtime.panel_actions import SwitchField as SwitchField
from gelenk.runtime.panel_actions import TextField as TextField
from gelenk.runtime.panel_actions import Value as Value
from gelenk.runtime.panel_overlays import AnnotatedImage as AnnotatedImage
from gelenk.runtime.panel_overlays import Color as Color
from gelenk.runtime.panel_overlays import Mark as Mark
from gelenk.runtime.panel_overlays import Overlay as Overlay
from gelenk.runtime.panel_overlays import PixelArrows as PixelArrows
from gelenk.runtime.panel_overlays import PixelCircles as PixelCircles
from gelenk.runtime.panel_overlays import PixelPath as PixelPath
from gelenk.runtime.panel_overlays import PixelPoints as PixelPoints
from gelenk.runtime.panel_overlays import PixelTexts as PixelTexts
from gelenk.runtime.panel_overlays import WorldArrows as WorldArrows
from gelenk.runtime.panel_overlays import WorldPath as WorldPath
from gelenk.runtime.panel_overlays import WorldPoints as WorldPoints
from gelenk.runtime.panel_overlays import WorldPolygon as WorldPolygon
from gelenk.runtime.panel_overlays import WorldSpheres as WorldSpheres
from gelenk.runtime.panel_overlays import WorldTexts as WorldTexts
from gelenk.runtime.panel_overlays import WorldTube as WorldTube

Cell: TypeAlias = float | int | str | bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of a table.

    Attributes:
        title: Heading in a word or two.
        unit: Unit of the numbers; empty if they have none, or for words.
        format: Format of the numbers, as for Python's `format`: ".3f", ".2e", "d".
    """

    title: str
    unit: str = ""
    format: str = ".3f"

    def __post_init__(self) -> None:
        try:
            format(0, self.format)
        except ValueError as error:
            raise ConfigError(
                f"`format` of column {self.title!r}: {self.format!r} writes no number, "
                f"{error}"
            ) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Highlight:
    """A row, or one cell of it, that stands out.

    Attributes:
        row: Row, counted from 0.
        column: Column, counted from 0; None: the whole row.
        color: Meaning that the colour shows.
    """

    row: int
    column: int | None = None
    color: Color = "bad"


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table to be shown.

    Attributes:
        name: Name, unique in its panel.
        title: Title in a few words.
        columns: Headings, units and formats of the columns.
        rows: Numbers, words, booleans, None where there is nothing; one entry per
            column.
        highlights: Rows and cells that stand out.
        caption: A sentence below.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    highlights: tuple[Highlight, ...] = ()
    caption: str = ""

    def __post_init__(self) -> None:
        for number, row in enumerate(self.rows):
            if len(row) != len(self.columns):
                raise ConfigError(
                    f"row {number} of table {self.name!r} has {len(row)} entries for "
                    f"{len(self.columns)} columns"
                )


def write_cell(column: Column, cell: Cell) -> str:
    """Return what stands in a cell.

    Example:
        >>> write_cell(Column(title="x", unit="m", format=".2f"), 0.126)
        '0.13'
    """
    if cell is None:
        return "–"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, str):
        return cell
    try:
        return format(cell, column.format).replace("-", "−")
    except ValueError:  # "d" of 0.5
        return f"{cell:g}".replace("-", "−")


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelCurve:
    """A number that can be plotted over time.

    Attributes:
        name: Name such as `ball/height error`; the part before the slash groups curves.
        unit: Unit of the number.
        read: Function that returns the number now, called up to 50 times per simulated
            second. NaN: none.
    """

    name: str
    unit: str
    read: Callable[[], float]


class RobotPanel:
    """Display of a robot, with things to press; override what there is.

    All methods are called by the thread that runs the simulation, between two control
    ticks, and only while a page looks: actions, tables and overlays at most 10 times
    per second, pictures at most 10 times per second and only those that are on
    somebody's screen. They have to be quick, milliseconds, since simulated time waits
    for them. What takes longer belongs into a thread of the robot's own; the exhibit
    then shows how far it is.

    An exception of a method is told on the page and does not end the run.
    """

    def actions(self) -> tuple[PanelAction, ...]:
        """Return the buttons, as they are now."""
        return ()

    def press(self, name: str, values: Mapping[str, Value]) -> str | None:
        """Do what a button says.

        Args:
            name: Name of the action.
            values: Value for each field of the action, already checked against it:
                floats, texts, booleans, points (x, y) [m].

        Returns:
            A sentence that is shown beside the button; None: nothing to say.

        Raises:
            GelenkError: If it cannot be done; then nothing must have changed. An
                `ActionError` with a `field` is shown beside that field.
        """
        raise NameNotFoundError("action", name, [item.name for item in self.actions()])

    def picture_titles(self) -> Mapping[str, str]:
        """Return the pictures that there are: titles by name, in their order."""
        return {}

    def pictures(self, wanted: frozenset[str]) -> Iterable[AnnotatedImage]:
        """Return pictures as they are now.

        Args:
            wanted: Names of those that somebody looks at; others need not be made.
        """
        return ()

    def tables(self) -> tuple[Table, ...]:
        """Return the tables, as they are now."""
        return ()

    def overlays(self) -> tuple[Overlay, ...]:
        """Return what is drawn into the world, as it is now."""
        return ()

    def curves(self) -> tuple[PanelCurve, ...]:
        """Return what can be plotted; asked once, when the scene is opened."""
        return ()
