"""Which capabilities a test run has proved.

A test claims what it checks with `@pytest.mark.capability("GR-07")`; a run with
`--capabilities-report PATH` notes which tests of each id passed or failed.

Usage:
    python -m testkit.capabilities REPORT.json [--csv FILE] [--json]
"""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gelenk.errors import ConfigError, FileFormatError, GelenkError
from testkit.capability_register import FAMILIES as FAMILIES
from testkit.capability_register import Capability as Capability
from testkit.capability_register import describe_unknown_id
from testkit.capability_register import fold_ids as fold_ids
from testkit.capability_register import load_register as load_register

DEFAULT_REGISTER = Path("docs/capabilities.csv")

_REPORT_REMEDY = "write it with: pytest --capabilities-report PATH"

Outcomes = Mapping[str, Mapping[str, Sequence[str]]]
"""Per id the tests that `"passed"` and those that `"failed"`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyCoverage:
    """Which ids of one family a test run has proved.

    Attributes:
        family: Two letters, a key of `FAMILIES`.
        covered: Ids with at least one passing test, in the order of the register.
        missing: All other ids.
        failing: Ids with at least one failing test, covered or not.
    """

    family: str
    covered: tuple[str, ...]
    missing: tuple[str, ...]
    failing: tuple[str, ...]

    @property
    def total(self) -> int:
        return len(self.covered) + len(self.missing)


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Coverage of the register by one test run, family by family."""

    families: tuple[FamilyCoverage, ...]

    @property
    def covered(self) -> int:
        return sum(len(family.covered) for family in self.families)

    @property
    def total(self) -> int:
        return sum(family.total for family in self.families)


def load_outcomes(path: str | Path) -> dict[str, dict[str, list[str]]]:
    """Read what a test run wrote with `--capabilities-report`.

    Raises:
        FileFormatError: The file is missing or not such a report.
    """
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        problem = f"cannot read the report of a test run ({error.strerror})"
        raise FileFormatError(path, problem, remedy=_REPORT_REMEDY) from error
    except ValueError as error:
        problem = f"not valid JSON ({error})"
        raise FileFormatError(path, problem, remedy=_REPORT_REMEDY) from error
    if not isinstance(data, dict) or not all(map(_is_outcome, data.values())):
        problem = "expected {id: {'passed': [test, ...], 'failed': [test, ...]}}"
        raise FileFormatError(path, problem, remedy=_REPORT_REMEDY)
    return data


def build_report(register: Mapping[str, Capability], outcomes: Outcomes) -> Report:
    """Count the ids that at least one passing test stands for.

    Args:
        register: The table of `load_register`.
        outcomes: Passed and failed tests per id; ids without any test may be absent.

    Raises:
        ConfigError: The outcomes name an id that the register does not have.
    """
    for name in outcomes:
        if name not in register:
            raise ConfigError(describe_unknown_id(name, register))
    passing = {name for name, tests in outcomes.items() if tests.get("passed")}
    failing = {name for name, tests in outcomes.items() if tests.get("failed")}
    families = dict.fromkeys(entry.family for entry in register.values())
    return Report(
        families=tuple(
            _cover_family(
                family,
                [name for name in register if name.startswith(f"{family}-")],
                passing=passing,
                failing=failing,
            )
            for family in families
        )
    )


def format_report(report: Report, *, width: int = 88) -> str:
    """Lay the report out for a terminal.

    Args:
        report: What `build_report` counted.
        width: Columns of the terminal; only the lists of ids are wrapped.
    """
    lines = [f"{'family':<22}{'covered':>9} / {'total':<5}{'share':>7}"]
    for family in report.families:
        name = f"{family.family}  {FAMILIES[family.family]}"
        lines.append(_format_counts(name, len(family.covered), family.total))
    lines.append(_format_counts("all", report.covered, report.total))
    for heading, lists in (
        ("without a passing test", [family.missing for family in report.families]),
        ("with a failing test", [family.failing for family in report.families]),
    ):
        folded = [", ".join(fold_ids(ids)) for ids in lists if ids]
        if folded:
            lines += ["", heading]
            for text in folded:
                lines += textwrap.wrap(
                    text,
                    width,
                    initial_indent="  ",
                    subsequent_indent="    ",
                    break_on_hyphens=False,
                )
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the report of a test run; 0, or 2 if a file cannot be read."""
    parser = argparse.ArgumentParser(
        prog="python -m testkit.capabilities",
        description="Say which capabilities a test run has proved.",
    )
    parser.add_argument(
        "report", type=Path, help="JSON file of pytest --capabilities-report"
    )
    parser.add_argument(
        "--csv", type=Path, default=DEFAULT_REGISTER, help="register of capabilities"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    args = parser.parse_args(arguments)
    try:
        report = build_report(load_register(args.csv), load_outcomes(args.report))
    except GelenkError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    text = json.dumps(_as_json(report)) if args.json else format_report(report)
    sys.stdout.write(text + "\n")
    return 0


def _is_outcome(value: object) -> bool:
    return (
        isinstance(value, dict)
        and set(value) == {"passed", "failed"}
        and all(isinstance(tests, list) for tests in value.values())
    )


def _cover_family(
    family: str, ids: list[str], *, passing: set[str], failing: set[str]
) -> FamilyCoverage:
    return FamilyCoverage(
        family=family,
        covered=tuple(name for name in ids if name in passing),
        missing=tuple(name for name in ids if name not in passing),
        failing=tuple(name for name in ids if name in failing),
    )


def _format_counts(name: str, covered: int, total: int) -> str:
    share = 100 * covered // total if total else 100  # 100 means really all
    return f"{name:<22}{covered:>9} / {total:<5}{share:>5} %"


def _as_json(report: Report) -> dict[str, object]:
    families = {
        family.family: {
            "name": FAMILIES[family.family],
            "total": family.total,
            "covered": len(family.covered),
            "missing": list(family.missing),
            "failing": list(family.failing),
        }
        for family in report.families
    }
    return {"total": report.total, "covered": report.covered, "families": families}


if __name__ == "__main__":
    sys.exit(main())
