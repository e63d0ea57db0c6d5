"""Register of capabilities: what the project promises to be able to do.

The register is a table with the columns `id`, `title` and `source`. Its sources are
Roth 2021 (ArmBot paper), Hammer 2011 (ball-playing robot), Kastner 2014 (calibration of
the NAO), Ruhnke 2011 (AMEE walking robot) and Damken 2023 (robotics course).
"""

from __future__ import annotations

import csv
import difflib
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from gelenk.errors import FileFormatError

FAMILIES = {
    "AB": "ArmBot",
    "BB": "Piggy",
    "CA": "NAO calibration",
    "QW": "AMEE",
    "GR": "course",
}
COLUMNS = ("id", "title", "source")

_ID = re.compile(rf"({'|'.join(FAMILIES)})-(X?)(\d{{2,3}})")
_LOOSE_ID = re.compile(r"([A-Z]+)[-_ ]?(X?)(\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Capability:
    """One thing the project promises to be able to do.

    Attributes:
        id: Family and number, such as `GR-07` or `AB-X03`.
        title: What it is, in a few words.
        source: Author, year and section where it was described.
    """

    id: str
    title: str
    source: str

    @property
    def family(self) -> str:
        return self.id.partition("-")[0]


def load_register(path: str | Path) -> dict[str, Capability]:
    """Read the table of capabilities.

    Returns:
        Capabilities by id, in the order of the file.

    Raises:
        FileFormatError: The file is missing or a row cannot be used; the message says
            where and how to mend it.
    """
    lines: dict[str, int] = {}
    register: dict[str, Capability] = {}
    for line, cells in _iterate_rows(path):
        entry = _parse_row(path, line, cells)
        if entry.id in register:
            raise FileFormatError(
                path,
                f"id {entry.id} already stands in line {lines[entry.id]}",
                line=line,
                remedy="delete one of the two rows or give it a free number",
            )
        register[entry.id], lines[entry.id] = entry, line
    return register


def fold_ids(ids: Iterable[str]) -> list[str]:
    """Write runs of consecutive numbers as ranges.

    >>> fold_ids(["GR-44", "GR-45", "GR-46", "GR-50", "AB-X09", "AB-X10"])
    ['GR-44..46', 'GR-50', 'AB-X09..10']
    """
    runs: list[tuple[str, str, str]] = []  # prefix, first and last number as written
    for name in ids:
        prefix, number = _split_id(name)
        if runs and runs[-1][0] == prefix and int(runs[-1][2]) + 1 == int(number):
            runs[-1] = (prefix, runs[-1][1], number)
        else:
            runs.append((prefix, number, number))
    return [
        f"{prefix}{first}" if first == last else f"{prefix}{first}..{last}"
        for prefix, first, last in runs
    ]


def find_closest_ids(
    name: str, register: Mapping[str, Capability], *, count: int = 3
) -> list[str]:
    """Find the ids that a mistyped one most likely meant, best first.

    A known family is searched by number, so `gr_7` finds `GR-07` and `GR-290` the end
    of its family; anything else by spelling.
    """
    match = _LOOSE_ID.fullmatch(name.strip().upper())
    if match:
        prefix, number = f"{match[1]}-{match[2]}", int(match[3])
        by_distance = sorted(
            (abs(int(digits) - number), known)
            for known in register
            for known_prefix, digits in [_split_id(known)]
            if known_prefix == prefix
        )
        if by_distance:
            return [known for _, known in by_distance[:count]]
    return difflib.get_close_matches(name.upper(), list(register), n=count, cutoff=0.5)


def describe_unknown_id(name: str, register: Mapping[str, Capability]) -> str:
    """Say that an id does not exist and which ones come closest."""
    closest = ", ".join(
        f"{known} ({register[known].title})"
        for known in find_closest_ids(name, register)
    )
    hint = f"; closest are {closest}" if closest else ""
    return f"no capability has the id {name!r}{hint}"


def _iterate_rows(path: str | Path) -> Iterator[tuple[int, list[str]]]:
    """Yield line number and cells of every row below the header."""
    reader = csv.reader(io.StringIO(_read_text(path), newline=""), strict=True)
    try:
        header = next(reader, [])
        if tuple(header) != COLUMNS:
            raise FileFormatError(
                path,
                f"the header must be {','.join(COLUMNS)}, got {','.join(header)!r}",
                line=1,
                remedy="put the three column names into the first line",
            )
        for cells in reader:
            yield reader.line_num, cells
    except csv.Error as error:
        raise FileFormatError(
            path,
            f"not a comma-separated table ({error})",
            line=reader.line_num,
            remedy='write text with commas as "..." and a quote in it as ""',
        ) from error


def _read_text(path: str | Path) -> str:
    try:
        return Path(path).read_bytes().decode("utf-8")
    except OSError as error:
        raise FileFormatError(
            path,
            f"cannot read the register of capabilities ({error.strerror})",
            remedy="run from the root of the project or name the right file",
        ) from error
    except UnicodeDecodeError as error:
        raise FileFormatError(
            path, f"not UTF-8 text ({error.reason})", remedy="save it as UTF-8"
        ) from error


def _parse_row(path: str | Path, line: int, cells: list[str]) -> Capability:
    if len(cells) != len(COLUMNS):
        raise FileFormatError(
            path,
            f"expected {len(COLUMNS)} cells ({', '.join(COLUMNS)}), got {len(cells)}",
            line=line,
            remedy='write three cells; one that contains a comma stands in "..."',
        )
    entry = Capability(
        id=cells[0].strip(), title=cells[1].strip(), source=cells[2].strip()
    )
    if not _ID.fullmatch(entry.id):
        raise FileFormatError(
            path,
            f"{entry.id!r} is no capability id",
            line=line,
            remedy=f"write {', '.join(FAMILIES)} and a number, such as GR-07 or AB-X03",
        )
    for column, text in (("title", entry.title), ("source", entry.source)):
        if not text:
            raise FileFormatError(
                path,
                f"{entry.id} has no {column}",
                line=line,
                remedy=f"fill in the column {column}",
            )
    return entry


def _split_id(name: str) -> tuple[str, str]:
    """Split `AB-X03` into `AB-X` and `03`."""
    prefix = name.rstrip("0123456789")
    return prefix, name[len(prefix) :]
