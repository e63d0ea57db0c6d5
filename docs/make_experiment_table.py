"""Write repeated experiments into the table of a robot's README.

A README marks the place with `<!-- experiments -->` and `<!-- end of experiments -->`.
Rows of experiments that were not repeated stay.

Usage, README being src/gelenk/robots/piggy/README.md:
    python -m experiments piggy --json > build/piggy.json
    python docs/make_experiment_table.py README build/piggy.json
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

PLACE = re.compile(r"(<!-- experiments -->).*?(<!-- end of experiments -->)", re.S)


def rows(figures: list[dict]) -> list[str]:
    """Return the lines of a Markdown table, by experiment."""
    lines = [
        "| experiment | quantity | measured | thesis | accepted | holds |",
        "|---|---|---|---|---|---|",
    ]
    for figure in sorted(figures, key=lambda item: item["experiment"]):
        value = figure["value"]
        number = "not measured" if value is None else f"{value:.4g} {figure['unit']}"
        note = f" ({figure['note']})" if figure["note"] else ""
        cells = (
            figure["experiment"],
            figure["quantity"] + note,
            number.strip(),
            figure["thesis"],
            _accepted(figure["accepted"]),
            "yes" if figure["holds"] else "**no**",
        )
        lines.append("| " + " | ".join(str(c).replace("|", "/") for c in cells) + " |")
    return lines


def _accepted(limits: list | None) -> str:
    if limits is None:
        return "reported"
    low, high = limits
    if low is None:
        return f"<= {high:g}"
    if high is None:
        return f">= {low:g}"
    return f"{low:g} to {high:g}"


def kept(table: str, repeated: set[str]) -> list[str]:
    """Return the rows of a table whose experiments were not repeated."""
    lines = [line for line in table.splitlines() if line.startswith("|")][2:]
    return [line for line in lines if line.split("|")[1].strip() not in repeated]


def main(readme: str, *documents: str) -> None:
    """Put the figures of all documents into a README; later documents win."""
    found: dict[tuple[str, str], dict] = {}
    for path in documents:
        for figure in json.loads(Path(path).read_text(encoding="utf-8"))["figures"]:
            found[figure["experiment"], figure["quantity"]] = figure
    page = Path(readme)
    text = page.read_text(encoding="utf-8")
    place = PLACE.search(text)
    if not place:
        raise SystemExit(f"{readme}: no <!-- experiments --> to write at")
    head, rule, *fresh = rows(list(found.values()))
    old = kept(place.group(0), {experiment for experiment, _ in found})
    # Sorted by experiment alone: within one the order of its measurement stays.
    body = sorted(old + fresh, key=lambda line: line.split("|")[1].strip())
    table = "\n".join([head, rule, *body])
    page.write_text(PLACE.sub(rf"\1\n\n{table}\n\n\2", text), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
