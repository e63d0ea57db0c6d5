"""Options that the commands of `gelenk nao` share."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class ModelChoice(StrEnum):
    """What may be wrong with the robot."""

    published = "published"
    extended = "extended"
    auto = "auto"


class MethodChoice(StrEnum):
    """How it is found."""

    robust = "robust"
    printed = "printed"


class NaoPoseChoice(StrEnum):
    """How poses are chosen."""

    spread = "spread"
    auto = "auto"


Case = Annotated[
    int | None,
    typer.Option("--case", help="A simulated robot of Kastner 2014: 5, 6 or 7."),
]
Errors = Annotated[
    Path | None,
    typer.Option("--errors", metavar="FILE.toml", help="The robot's errors."),
]
Seed = Annotated[
    int,
    typer.Option("--seed", min=0, help="Of all noise; alone: of the robot, too."),
]
Poses = Annotated[
    str,
    typer.Option(
        "--poses",
        metavar="24|auto|N|FILE.mot",
        help="Leg poses: 24 given ones, 12 or N of its own choice, or a file.",
    ),
]
LevelOption = Annotated[
    int | None,
    typer.Option(
        "--level",
        min=1,
        max=3,
        help="What is simulated: 1 exact joints, 2 noise and encoder steps, 3 sag and "
        "play. By default 1 for cases, else 3.",
    ),
]
Light = Annotated[
    str, typer.Option("--light", help="45lx, 105lx, 290lx or 711lx.", metavar="SCENE")
]
Json = Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")]
