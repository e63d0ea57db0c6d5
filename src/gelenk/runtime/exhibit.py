"""What a robot shows of itself on the page, as data.

A robot subclasses `Exhibit`, overrides what it has, and offers it with a `Showpiece`
(`gelenk.runtime.scene`). It imports nothing of the page, and nothing is computed
that nobody looks at.

Example:
    >>> class Scale(Exhibit):
    ...     offset = 0.0
    ...     def actions(self):
    ...         return (Action(name="zero", title="Zero"),)
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

from gelenk.errors import NameNotFoundError
from gelenk.runtime.exhibit_actions import (
    Action,
    ActionError,
    ChoiceField,
    Field,
    GroundField,
    NumberField,
    SwitchField,
    TextField,
    Value,
)
from gelenk.runtime.exhibit_overlays import (
    Overlay,
    WorldArrows,
    WorldPath,
    WorldPoints,
    WorldPolygon,
    WorldSpheres,
    WorldTexts,
    WorldTube,
)
from gelenk.runtime.exhibit_pictures import (
    Mark,
    Picture,
    PixelArrows,
    PixelCircles,
    PixelPath,
    PixelPoints,
    PixelTexts,
)
from gelenk.runtime.exhibit_points import Color
from gelenk.runtime.exhibit_tables import Cell, Column, Highlight, Table

__all__ = [
    "Action",
    "ActionError",
    "Cell",
    "ChoiceField",
    "Color",
    "Column",
    "Curve",
    "Exhibit",
    "Field",
    "GroundField",
    "Highlight",
    "Mark",
    "NumberField",
    "Overlay",
    "Picture",
    "PixelArrows",
    "PixelCircles",
    "PixelPath",
    "PixelPoints",
    "PixelTexts",
    "SwitchField",
    "Table",
    "TextField",
    "Value",
    "WorldArrows",
    "WorldPath",
    "WorldPoints",
    "WorldPolygon",
    "WorldSpheres",
    "WorldTexts",
    "WorldTube",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """A number that can be plotted over time.

    Attributes:
        name: Such as `ball/height error`; what stands before the slash groups curves.
        unit: Of the number.
        read: Returns it now; called up to 50 times per simulated second. NaN: none.
    """

    name: str
    unit: str
    read: Callable[[], float]


class Exhibit:
    """What a robot shows and what can be pressed; override what there is.

    All methods are called by the thread that runs the simulation, between two control
    ticks, and only while a page looks: actions, tables and overlays at most 10 times
    per second, pictures at most 10 times per second and only those that are on
    somebody's screen. They have to be quick, milliseconds, since simulated time waits
    for them. What takes longer belongs into a thread of the robot's own; the exhibit
    then shows how far it is.

    An exception of a method is told on the page and does not end the run.
    """

    def actions(self) -> tuple[Action, ...]:
        """Return the buttons, as they are now."""
        return ()

    def press(self, name: str, values: Mapping[str, Value]) -> str | None:
        """Do what a button says.

        Args:
            name: Of the action.
            values: One for each of its fields, checked against them already: floats,
                texts, booleans, points (x, y) [m].

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

    def pictures(self, wanted: frozenset[str]) -> Iterable[Picture]:
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

    def curves(self) -> tuple[Curve, ...]:
        """Return what can be plotted; asked once, when the scene is opened."""
        return ()
