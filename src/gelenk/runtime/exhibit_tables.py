"""Tables of numbers and words, with units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from gelenk.errors import ConfigError
from gelenk.runtime.exhibit_points import Color

Cell: TypeAlias = float | int | str | bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of a table.

    Attributes:
        title: A word or two.
        unit: Of its numbers; empty: they have none, or it holds words.
        format: How numbers are written, as for Python's `format`: ".3f", ".2e", "d".
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
        row: From 0.
        column: From 0; None: all of the row.
        color: What it means.
    """

    row: int
    column: int | None = None
    color: Color = "bad"


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table to be shown.

    Attributes:
        name: Unique in its exhibit.
        title: A few words.
        columns: What stands where.
        rows: Numbers, words, booleans, None where there is nothing; one entry per
            column.
        highlights: What stands out.
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
