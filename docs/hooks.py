"""Steps of the site's build: pages of course and reference, formulas, capabilities."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

from testkit.capability_register import FAMILIES, load_register

ROOT = Path(__file__).resolve().parents[1]
REPORT = ROOT / "build" / "capabilities.json"


# Code, fenced or in a line, is left alone; between dollars stands a formula.
FORMULA = re.compile(
    r"(?P<code>^(?P<fence>```+).*?^(?P=fence)|`[^`\n]+`)"
    r"|\$\$(?P<block>.+?)\$\$|(?<![\w$])\$(?P<inline>[^\s$](?:[^$\n]*[^\s$])?)\$(?!\w)",
    re.DOTALL | re.MULTILINE,
)


def on_pre_build(**_: Any) -> None:
    """Write the pages of the course and of the reference."""
    sys.path.insert(0, str(ROOT / "docs"))
    import make_course
    import make_reference

    make_course.write(make_course.FOLDER)
    make_reference.write(make_reference.FOLDER)


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Fill in the table of capabilities, and set formulas."""
    if "{{ capabilities }}" in markdown:
        markdown = markdown.replace("{{ capabilities }}", capability_table())
    return FORMULA.sub(_set_formula, markdown) if "$" in markdown else markdown


def _set_formula(found: re.Match[str]) -> str:
    """Return a formula in LaTeX as MathML, which browsers draw without a script."""
    if found["code"]:
        return found[0]
    from latex2mathml.converter import convert

    if found["block"]:
        return "\n" + convert(found["block"].strip(), display="block") + "\n"
    return convert(found["inline"])


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
