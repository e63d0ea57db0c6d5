"""Write a saved benchmark into the table of docs/benchmarks.md.

Usage:
    gelenk bench kinematics --save build/kinematics.json
    python docs/make_benchmark_table.py build/kinematics.json
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

PAGE = Path(__file__).parent / "benchmarks.md"
BEGIN, END = "<!-- measured table -->", "<!-- end of measured table -->"


def table(document: dict) -> str:
    """Return the rows of one area as a Markdown table with its machine and commit."""
    machine = "{cpu}, {cores} cores, Python {python}".format(**document["machine"])
    lines = [
        f"Area `{document['area']}`, commit `{document['commit']}`, {machine}:",
        "",
        "| figure | value | target | met | how |",
        "|---|---|---|---|---|",
    ]
    for row in document["rows"]:
        unit = "" if row["unit"] == "1" else f" {row['unit']}"
        value = "-" if row["value"] is None else f"{row['value']:.3g}{unit}"
        target = "-"
        if row["target"] is not None:
            target = f"{row['direction']} {row['target']:g}"
        met = "yes" if row["ok"] else "**no**"
        lines.append(f"| {row['name']} | {value} | {target} | {met} | {row['note']} |")
    return "\n".join(lines)


def main() -> None:
    """Replace what stands between the markers of the page."""
    document = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    page = PAGE.read_text(encoding="utf-8")
    if BEGIN not in page or END not in page:
        sys.exit(f"{PAGE}: the markers {BEGIN} and {END} are missing")
    block = f"{BEGIN}\n\n{table(document)}\n\n{END}"
    pattern = re.escape(BEGIN) + ".*?" + re.escape(END)
    PAGE.write_text(
        re.sub(pattern, lambda _: block, page, flags=re.S), encoding="utf-8"
    )


if __name__ == "__main__":
    main()
