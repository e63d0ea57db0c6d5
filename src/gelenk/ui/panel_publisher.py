"""Publisher of the panel of a scene: pages are told when something changes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.runtime.panel import (
    ActionError,
    AnnotatedImage,
    PanelCurve,
    RobotPanel,
    Table,
    write_cell,
)
from gelenk.runtime.panel_actions import check_values
from gelenk.ui import messages as m
from gelenk.ui.codec import encode

Report = Callable[[str], None]
Shown = m.Actions | m.Tables | m.Overlays | m.PictureTitles


class PanelPublisher:
    """Asks a panel and remembers what pages know; for the scene runner's thread.

    `everything` may be called from any thread.

    Attributes:
        curves: Curves that can be plotted besides those of the world.

    Args:
        scene: Number of the scene.
        exhibit: Panel of the robot; None: nothing is shown.
        report: Takes what goes wrong, for people; each problem once.
    """

    def __init__(self, scene: int, exhibit: RobotPanel | None, report: Report) -> None:
        self._scene, self._exhibit = scene, exhibit or RobotPanel()
        self._report = report
        self._problems: set[str] = set()
        self._makers: dict[str, Callable[[RobotPanel], Shown]] = {
            "actions": self._actions,
            "tables": self._tables,
            "overlays": self._overlays,
            "titles of pictures": self._titles,
        }
        nothing = RobotPanel()  # what a page takes for granted
        self._texts = {
            name: encode(make(nothing)) for name, make in self._makers.items()
        }
        self._told: tuple[Shown, ...] = ()
        self.curves: tuple[PanelCurve, ...] = (
            self.attempt("curves", self._exhibit.curves) or ()
        )

    def attempt(self, what: str, work: Callable[[], Any]) -> Any:
        """Return what some work makes; None if it fails, which is reported once."""
        try:
            return work()
        except Exception as error:  # a panel never takes the server down
            text = f"{what} of the exhibit: {type(error).__name__}: {error}"
            if text not in self._problems:
                self._problems.add(text)
                self._report(text)
            return None

    # -- telling -------------------------------------------------------------------

    def news(self) -> list[Shown]:
        """Return what has changed since the last call."""
        found: list[Shown] = []
        for name, make in self._makers.items():
            made = self.attempt(name, partial(self._make, make))
            if made is None or made[1] == self._texts[name]:
                continue
            message, self._texts[name] = made
            found.append(message)
        if found:
            kept = {type(item): item for item in (*self._told, *found)}
            self._told = tuple(kept.values())
        return found

    def everything(self) -> tuple[Shown, ...]:
        """Return what was told last, for somebody who comes late."""
        return self._told

    def _make(self, make: Callable[[RobotPanel], Shown]) -> tuple[Shown, str]:
        message = make(self._exhibit)
        return message, encode(message)

    def _actions(self, exhibit: RobotPanel) -> m.Actions:
        return m.Actions(scene=self._scene, actions=tuple(exhibit.actions()))

    def _tables(self, exhibit: RobotPanel) -> m.Tables:
        tables = tuple(written(table) for table in exhibit.tables())
        return m.Tables(scene=self._scene, tables=tables)

    def _overlays(self, exhibit: RobotPanel) -> m.Overlays:
        return m.Overlays(scene=self._scene, overlays=tuple(exhibit.overlays()))

    def _titles(self, exhibit: RobotPanel) -> m.PictureTitles:
        titles = dict(exhibit.picture_titles())
        return m.PictureTitles(scene=self._scene, titles=titles)

    # -- asking --------------------------------------------------------------------

    def pictures(self, wanted: frozenset[str]) -> tuple[AnnotatedImage, ...]:
        """Return the wanted pictures as they are now."""
        if not wanted:
            return ()
        found = self.attempt("pictures", lambda: tuple(self._exhibit.pictures(wanted)))
        return tuple(item for item in found or () if item.name in wanted)

    def sample(self) -> list[float]:
        """Return the present values of all curves; NaN where one fails."""
        values: list[float] = []
        for curve in self.curves:
            value = self.attempt(f"curve {curve.name}", curve.read)
            values.append(math.nan if value is None else float(value))
        return values

    def press(self, name: str, values: Mapping[str, Any]) -> str:
        """Do an action and return what it says.

        Raises:
            NameNotFoundError: If there is no such action.
            ActionError: If a value does not fit, or it cannot be done now.
            Exception: Whatever else the exhibit raises.
        """
        actions = {action.name: action for action in self._exhibit.actions()}
        if name not in actions:
            raise NameNotFoundError("action", name, actions)
        if not actions[name].is_enabled:
            raise ActionError(f"{actions[name].title} cannot be done now")
        return self._exhibit.press(name, check_values(actions[name], values)) or ""


def written(table: Table) -> m.TableText:
    """Return a table as pages show it.

    Raises:
        ConfigError: If a highlight lies outside of it.
    """
    for item in table.highlights:
        column = item.column or 0
        if not (0 <= item.row < len(table.rows) and 0 <= column < len(table.columns)):
            raise ConfigError(
                f"a highlight of table {table.name!r} is at row {item.row}, column "
                f"{item.column}; it has {len(table.rows)} rows and "
                f"{len(table.columns)} columns"
            )
    columns = tuple(
        m.ColumnHead(
            title=column.title,
            unit=column.unit,
            is_number=all(_is_number(row[place]) for row in table.rows),
        )
        for place, column in enumerate(table.columns)
    )
    rows = tuple(
        tuple(
            write_cell(column, cell)
            for column, cell in zip(table.columns, row, strict=True)
        )
        for row in table.rows
    )
    return m.TableText(
        name=table.name,
        title=table.title,
        columns=columns,
        rows=rows,
        highlights=table.highlights,
        caption=table.caption,
    )


def _is_number(cell: object) -> bool:
    return cell is None or not isinstance(cell, str | bool)
