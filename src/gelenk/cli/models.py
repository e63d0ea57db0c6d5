"""`gelenk models`: the robots of the catalogue and where their numbers come from."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from gelenk.cli import exit_codes
from gelenk.cli.console import dim, format_table, say, write, write_json
from gelenk.cli.facts import model_facts
from gelenk.cli.show import print_model


def models(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="One robot in detail.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object, SI.")] = False,
) -> int:
    """List the robots of the catalogue, with their sources."""
    from gelenk.models.catalog import registry

    if name is not None:
        return _detail(name, as_json=json)
    entries = [registry.describe(name) for name in registry.names()]
    if json:
        write_json({"models": [asdict(entry) for entry in entries]})
        return exit_codes.OK
    rows = [(entry.name, entry.joints, entry.title) for entry in entries]
    write(format_table(("name", "joints", "robot"), rows))
    say("\nR turns, P slides. `gelenk models NAME` tells joints, limits and sources.")
    return exit_codes.OK


def _detail(name: str, *, as_json: bool) -> int:
    from gelenk.models.catalog import registry

    entry, model = registry.describe(name), registry.make(name)
    if as_json:
        write_json(asdict(entry) | {"model": model_facts(model)})
        return exit_codes.OK
    write(entry.title)
    write(dim(f"source: {entry.provenance}"))
    write()
    print_model(model)
    return exit_codes.OK
