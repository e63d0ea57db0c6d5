"""Options that the commands of `gelenk piggy` share."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class PlaceChoice(StrEnum):
    """Where it stands."""

    indoor = "indoor"
    outdoor = "outdoor"


class DriveChoice(StrEnum):
    """How its bat is driven."""

    thesis = "thesis"
    tight = "tight"


class ModeChoice(StrEnum):
    """What it does with balls."""

    hit = "hit"
    left = "left"
    right = "right"
    to_person = "pass"


Seed = Annotated[int, typer.Option("--seed", min=0, help="Of everything random.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")]
Place = Annotated[
    PlaceChoice,
    typer.Option(
        "--place", help="indoor: a hall with lamps; outdoor: a meadow, trees, wind."
    ),
]
Drive = Annotated[
    DriveChoice,
    typer.Option("--drive", help="thesis: 3 degrees of play; tight: without."),
]
SetupFile = Annotated[
    Path | None,
    typer.Option(
        "--setup",
        metavar="FILE.toml",
        help="What the robot knows about itself, as `calibrate --save` wrote it.",
    ),
]
