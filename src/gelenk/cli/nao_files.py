"""`gelenk nao detect`, `poses` and `motion`: what needs no robot."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import typer

from gelenk.cli import exit_codes
from gelenk.cli.console import Progress, say, write, write_json
from gelenk.cli.nao_print import print_found
from gelenk.errors import ConfigError

ModelName: TypeAlias = Literal["published", "extended", "auto"]
MethodName: TypeAlias = Literal["robust", "printed"]
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


def detect(
    images: Annotated[list[Path], typer.Argument(metavar="IMAGE...")],
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Image with marks; a folder for several images."),
    ] = None,
    compare: Annotated[
        bool, typer.Option("--compare", help="Ask OpenCV's detector, too.")
    ] = False,
    json: Json = False,
) -> int:
    """Find the sandals' chessboard (4 x 6 inner corners) in image files.

    Exit code 1 if an image has none.
    """
    from gelenk.robots.nao.image_files import (
        find_in_file,
        found_document,
        mark_corners,
        save_image,
    )

    if out is not None and len(images) > 1 and not out.is_dir():
        raise ConfigError(f"`--out {out}` must be a folder for several images")
    found = []
    with Progress() as progress:
        for done, path in enumerate(images):
            progress.show(done, len(images), str(path))
            found.append(find_in_file(path, compare=compare))
    if out is not None:
        for item in found:
            name = f"{item.path.stem}-corners.png"
            target = out / name if out.is_dir() else out
            save_image(target, mark_corners(item))
            say(f"marked: {target}")
    document = found_document(found)
    if json:
        write_json(document)
    else:
        print_found(document)
    return exit_codes.OK if document["ok"] else exit_codes.MISSED


def poses(
    count: Annotated[
        int, typer.Option("--count", min=4, max=60, help="Poses per leg.")
    ] = 24,
    choose: Annotated[
        Literal["spread", "auto"],
        typer.Option(
            "--choose",
            help="spread: far apart, joints loaded both ways; auto: those that tell "
            "most.",
        ),
    ] = "spread",
    model: Annotated[
        ModelName,
        typer.Option("--model", help="For which parameters auto chooses."),
    ] = "extended",
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the draw.")] = 0,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE.mot", help="Else stdout.")
    ] = None,
) -> int:
    """Choose leg poses for a calibration and write them as a motion file."""
    from gelenk.robots.nao.command import make_pose_text

    is_extended = model != "published"
    text = make_pose_text(count, choose, seed=seed, is_extended=is_extended)
    if out is None:
        write(text.rstrip("\n"))
        return exit_codes.OK
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"`--out {out}`: {error.strerror}") from error
    say(f"written: {out}")
    return exit_codes.OK


def motion(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...")],
    json: Json = False,
) -> int:
    """Check motion files; all problems, each with line and column.

    Exit code 2 if a file cannot be played.
    """
    from gelenk.robots.nao.motion.text import check_motion_file, load_motions

    is_fine, documents = True, []
    for path in files:
        problems = check_motion_file(path)
        has_errors = any(problem.severity == "error" for problem in problems)
        is_fine &= not has_errors
        documents.append(
            {
                "file": str(path),
                "ok": not has_errors,
                "problems": [
                    {
                        "line": problem.place.line,
                        "column": problem.place.column,
                        "severity": problem.severity,
                        "text": problem.text,
                    }
                    for problem in problems
                ],
            }
        )
        if json:
            continue
        for problem in problems:
            say(str(problem))
        if not has_errors:
            names = ", ".join(load_motions(path).motions)
            write(f"{path}: ok, motions {names}")
    if json:
        write_json({"schema": 1, "kind": "nao motion files", "files": documents})
    return exit_codes.OK if is_fine else exit_codes.IMPOSSIBLE
