"""Write a saved benchmark into the tables of the documentation.

A page marks a place with `<!-- measured AREA -->` and `<!-- end of measured -->`, with
the beginnings of row names behind the area if only some rows shall be there.

Usage:
    python -m benchmarks world --save build/world.json
    python docs/make_benchmark_table.py build/world.json
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path

FOLDER = Path(__file__).parent
PLACE = re.compile(
    r"(<!-- measured (\w+)([\w ]*) -->).*?(<!-- end of measured -->)", re.S
)


def table(document: dict, names: Sequence[str] = ()) -> str:
    """Return rows of one area as a Markdown table with its machine and commit.

    Args:
        document: What `python -m benchmarks AREA --save` has written.
        names: Beginnings of the names of rows to show; none: all.
    """
    machine = "{cpu}, {cores} cores, Python {python}".format(**document["machine"])
    rows = [
        row
        for row in document["rows"]
        if not names or row["name"].startswith(tuple(names))
    ]
    has_peers = any(row["peers"] for row in rows)
    header = ["figure", "value", "target", "met", "how"]
    if has_peers:
        header.insert(2, "others")
    lines = [
        f"Area `{document['area']}`, commit `{document['commit']}`, {machine}:",
        "",
        f"| {' | '.join(header)} |",
        "|---" * len(header) + "|",
    ]
    for row in rows:
        cells = [
            row["name"],
            _quantity(row["value"], row["unit"]),
            "-" if row["target"] is None else f"{row['direction']} {row['target']:g}",
            "yes" if row["ok"] else "**no**",
            row["note"],
        ]
        if has_peers:
            peers = [
                f"{name} {_quantity(value, row['unit'])}"
                for name, value in row["peers"].items()
            ]
            cells.insert(2, ", ".join(peers))
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def fill(page: str, document: dict) -> str:
    """Return a page with the tables of the document's area written anew."""

    def write(place: re.Match[str]) -> str:
        if place[2] != document["area"]:
            return place[0]
        return f"{place[1]}\n\n{table(document, place[3].split())}\n\n{place[4]}"

    return PLACE.sub(write, page)


def _quantity(value: float | None, unit: str) -> str:
    if value is None:
        return "-"
    return f"{value:.3g}" if unit == "1" else f"{value:.3g} {unit}"


def main() -> None:
    """Fill every page that has a place for a saved area."""
    saved = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    for document in saved.get("areas", [saved]):
        found = False
        for path in sorted(FOLDER.glob("*.md")):
            page = path.read_text(encoding="utf-8")
            if any(place[2] == document["area"] for place in PLACE.finditer(page)):
                path.write_text(fill(page, document), encoding="utf-8")
                print(path.relative_to(FOLDER.parent))
                found = True
        if not found:
            sys.exit(f"no page has <!-- measured {document['area']} -->")


if __name__ == "__main__":
    main()
