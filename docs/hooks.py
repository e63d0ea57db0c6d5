"""What MkDocs computes while it builds: pages of the course, table of capabilities."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from testkit.capability_register import FAMILIES, load_register

ROOT = Path(__file__).resolve().parents[1]
REPORT = ROOT / "build" / "capabilities.json"


def on_pre_build(**_: Any) -> None:
    """Write the pages of the course."""
    sys.path.insert(0, str(ROOT / "docs"))
    import make_course

    make_course.write(make_course.FOLDER)


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Replace the place-holder of the capabilities page by its table."""
    if "{{ capabilities }}" not in markdown:
        return markdown
    return markdown.replace("{{ capabilities }}", capability_table())


def capability_table() -> str:
    """Return capabilities per family, those proved too if a test run left a report."""
    register = load_register(ROOT / "docs" / "capabilities.csv")
    proved = _proved()
    header = "| Family | Promised |" + (" Proved |" if proved is not None else "")
    lines = [header, "|---|---|" + ("---|" if proved is not None else "")]
    for family, title in FAMILIES.items():
        ids = [name for name, entry in register.items() if entry.family == family]
        row = f"| {title} ({family}) | {len(ids)} |"
        if proved is not None:
            row += f" {len(proved.intersection(ids))} |"
        lines.append(row)
    if proved is None:
        lines += [
            "",
            "Run `make capabilities` before `make docs` to see what is proved.",
        ]
    return "\n".join(lines)


def _proved() -> set[str] | None:
    if not REPORT.exists():
        return None
    outcomes = json.loads(REPORT.read_text(encoding="utf-8"))
    return {
        name
        for name, tests in outcomes.items()
        if tests["passed"] and not tests["failed"]
    }
