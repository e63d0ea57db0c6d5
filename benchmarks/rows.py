"""What a benchmark says: one row per figure, all rows of an area as one result."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from gelenk.errors import FileFormatError

Direction = Literal["<=", ">="]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One figure, its target and what others reach.

    Attributes:
        name: Short name, unique in its area.
        value: What was measured; None if it could not be.
        unit: Unit of value, target and peers.
        target: What is promised; None if nothing is.
        direction: "<=": the value must not exceed the target; ">=": must reach it.
        peers: The same figure of other libraries, measured in the same run.
        note: What the reader must know: the method, a peer that is missing.
    """

    name: str
    value: float | None
    unit: str
    target: float | None = None
    direction: Direction = "<="
    peers: Mapping[str, float] = field(default_factory=dict)
    note: str = ""

    @property
    def ok(self) -> bool:
        """Whether the value was measured and meets the target, if there is one.

        Example:
            >>> Row(name="hits", value=99.0, unit="%", target=99.9, direction=">=").ok
            False
        """
        if self.value is None or not math.isfinite(self.value):
            return False
        if self.target is None:
            return True
        if self.direction == "<=":
            return self.value <= self.target
        return self.value >= self.target

    def as_dict(self) -> dict[str, Any]:
        """Return the row as JSON holds it."""
        is_number = self.value is not None and math.isfinite(self.value)
        return {
            "name": self.name,
            "value": self.value if is_number else None,
            "unit": self.unit,
            "target": self.target,
            "direction": self.direction,
            "ok": self.ok,
            "peers": dict(self.peers),
            "note": self.note,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchResult:
    """All figures of one area, with where and on which commit they were measured."""

    area: str
    commit: str
    machine: Mapping[str, Any]
    rows: tuple[Row, ...]

    @property
    def ok(self) -> bool:
        """Whether every figure meets its target."""
        return all(row.ok for row in self.rows)

    def as_dict(self) -> dict[str, Any]:
        """Return the result as JSON holds it."""
        return {
            "area": self.area,
            "commit": self.commit,
            "machine": dict(self.machine),
            "rows": [row.as_dict() for row in self.rows],
        }


def as_document(results: list[BenchResult]) -> dict[str, Any]:
    """Return the JSON object of a run: that of the one area, or `{"areas": [...]}`."""
    if len(results) == 1:
        return results[0].as_dict()
    return {"areas": [result.as_dict() for result in results]}


def load_values(path: Path) -> dict[tuple[str, str], float]:
    """Return the values of a saved run, by area and row.

    Raises:
        FileFormatError: If the file cannot be read as a saved run.
    """
    remedy = "write one with: python -m benchmarks AREA --save FILE"
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        areas = document.get("areas", [document])
        return {
            (area["area"], row["name"]): float(row["value"])
            for area in areas
            for row in area["rows"]
            if row["value"] is not None
        }
    except OSError as error:
        raise FileFormatError(path, f"{error.strerror}", remedy=remedy) from error
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        problem = "is not a saved benchmark"
        raise FileFormatError(path, problem, remedy=remedy) from error
