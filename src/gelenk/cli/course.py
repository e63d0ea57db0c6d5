"""`gelenk course`: the methods of a robotics foundations course, and where they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from gelenk.cli import exit_codes
from gelenk.cli.console import bold, dim, say, write, write_json

if TYPE_CHECKING:
    from gelenk.course.method import Method


def course(
    wanted: Annotated[
        str | None,
        typer.Argument(
            metavar="[GR-123 | CHAPTER | WORD]",
            help="A method by its id, a chapter by its number, or a word to look for.",
        ),
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object.")
    ] = False,
) -> int:
    """Show every method of the course: formula, place in the code, example.

    \b
    Examples:
      gelenk course                 chapters and their methods
      gelenk course 9               one chapter
      gelenk course GR-211          one method
      gelenk course kalman          all whose title, formula or place has the word
    """  # noqa: D301 - \b is for the help text
    from gelenk.course.register import TITLES, chapters, find_method, search

    if wanted is not None and wanted.isdecimal() and int(wanted) in TITLES:
        return _list({int(wanted): chapters()[int(wanted)]}, as_json=json)
    if wanted is None:
        return _list(chapters(), as_json=json)
    if wanted.upper().startswith("GR"):
        return _show(find_method(wanted), as_json=json)
    found = search(wanted)
    if not found:
        say(f"gelenk: no method has {wanted!r} in its title, formula or place;")
        say("        `gelenk course` lists them all")
        return exit_codes.IMPOSSIBLE
    if len(found) == 1:
        return _show(found[0], as_json=json)
    kept = {k: tuple(m for m in ms if m in found) for k, ms in chapters().items()}
    return _list({k: ms for k, ms in kept.items() if ms}, as_json=json)


def _list(wanted: dict[int, tuple[Method, ...]], *, as_json: bool) -> int:
    from gelenk.course.register import TITLES

    if as_json:
        rows = [
            {"chapter": k, "title": TITLES[k], "methods": [_facts(m) for m in methods]}
            for k, methods in wanted.items()
        ]
        write_json({"chapters": rows})
        return exit_codes.OK
    for chapter, methods in wanted.items():
        write(bold(f"{chapter}  {TITLES[chapter]}"))
        for method in methods:
            write(f"  {method.id:<7} {method.title}")
        write()
    say("`gelenk course GR-211` shows formula, place and example of one.")
    return exit_codes.OK


def _facts(method: Method) -> dict[str, object]:
    return {
        "id": method.id,
        "title": method.title,
        "formula": method.formula,
        "objects": method.objects,
        "erratum": method.erratum,
    }


def _show(method: Method, *, as_json: bool) -> int:
    from gelenk.course import describe

    shown = describe.example(method)
    if as_json:
        write_json(_facts(method) | {"example": shown})
        return exit_codes.OK
    write(bold(f"{method.id}  {method.title}"))
    write()
    write(f"  {method.formula}")
    if method.erratum:
        write()
        write(f"  {method.erratum}")
    write()
    for name, found in zip(method.objects, method.load(), strict=True):
        write(describe.signature(name, found))
        write(dim(f"    {describe.summary(found)}"))
    if shown:
        write()
        write(shown)
    return exit_codes.OK
