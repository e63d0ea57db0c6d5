"""`gelenk list`: everything that can be opened or run, one name for each subject."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from gelenk.cli import exit_codes
from gelenk.cli.console import dim, format_table, say, write, write_json

if TYPE_CHECKING:
    from gelenk.plugins import PluginError

KINDS = ("scene", "scenario", "robot")


def list_(
    kind: Annotated[
        str | None,
        typer.Argument(metavar="[scene|scenario|robot]", help="Only one kind."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> int:
    """List scenes, scenarios and robots of all installed packages."""
    from gelenk.errors import NameNotFoundError
    from gelenk.runtime.registry import list_subjects

    if kind is not None and kind not in KINDS:
        raise NameNotFoundError("kind", kind, KINDS)
    problems: list[PluginError] = []
    subjects = list_subjects(problems)
    chosen = [item for item in subjects if kind is None or kind in item.kinds]
    if json:
        write_json(
            {
                "subjects": [asdict(item) for item in chosen],
                "problems": [str(problem) for problem in problems],
            }
        )
    else:
        rows = [(item.name, ", ".join(item.kinds), item.summary) for item in chosen]
        write(format_table(("name", "is a", "what it is"), rows))
        say(
            dim(
                "\ngelenk open NAME shows it in the browser, gelenk run NAME computes it "
                "and prints figures,\ngelenk robot NAME describes a robot"
            )
        )
    for problem in problems:
        say(f"gelenk: warning: {problem}")
    return exit_codes.OK
