"""`gelenk nao`: a humanoid that calibrates itself by looking at its feet."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gelenk.cli import exit_codes
from gelenk.cli.console import Progress, command_group, examples, say, write, write_json
from gelenk.cli.nao_files import (
    Case,
    Errors,
    Json,
    LevelOption,
    Light,
    MethodName,
    ModelName,
    Poses,
    Seed,
    detect,
    motion,
    poses,
)
from gelenk.cli.nao_print import print_calibration, print_checks
from gelenk.errors import ConfigError

if TYPE_CHECKING:
    from gelenk.robots.nao.command import Finished, Wish
    from gelenk.robots.nao.store import Record

HELP = """NAO: the robot that calibrates itself by looking at its feet.

Try: gelenk nao calibrate --case 6 --report report
"""
nao = command_group("nao", HELP)


@nao.command(
    epilog=examples(
        "gelenk nao calibrate --case 6",
        "gelenk nao calibrate --seed 3 --poses auto --report report --save nao3.json",
        "gelenk nao calibrate --errors my-robot.toml --light 45lx --json",
    )
)
def calibrate(
    case: Case = None,
    errors: Errors = None,
    seed: Seed = 0,
    poses: Poses = "24",
    level: LevelOption = None,
    light: Light = "711lx",
    model: Annotated[
        ModelName,
        typer.Option(
            "--model",
            help="The 21 published parameters, or sag, play, neck and lens as well; "
            "auto: what the residuals ask for.",
        ),
    ] = "auto",
    method: Annotated[
        MethodName,
        typer.Option("--method", help="printed: the algorithm of Kastner 2014."),
    ] = "robust",
    report: Annotated[
        Path | None,
        typer.Option("--report", metavar="DIR", help="Write a page with pictures."),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option("--save", metavar="FILE", help="Store the calibration."),
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option("--record", metavar="FILE.mcap", help="Record all messages."),
    ] = None,
    json: Json = False,
) -> int:
    """Calibrate a simulated NAO whose errors only the simulation knows.

    Exit code 1 if it does not end with the verdict "calibrated".
    """
    from gelenk.robots.nao.command import Wish
    from gelenk.robots.nao.report.advice import advise
    from gelenk.robots.nao.report.document import make_document

    wish = Wish(
        case=case, errors=errors, seed=seed, poses=poses, light=light, model=model,
        method=method, level=level,  # type: ignore[arg-type]
    )  # fmt: skip
    finished = _calibrated(wish, report, record, save)
    advice = advise(finished)
    document = make_document(finished, advice)
    if report is not None:
        from gelenk.robots.nao.report.write import write_report

        page = write_report(finished, report, document=document, advice=advice)
        say(f"report: {page}")
    if save is not None:
        _save(finished, save)
    if json:
        write_json(document)
    else:
        print_calibration(document)
    return exit_codes.OK if document["ok"] else exit_codes.MISSED


def _calibrated(
    wish: Wish,
    report: Path | None = None,
    record: Path | None = None,
    save: Path | None = None,
) -> Finished:
    """Check everything that can be checked before the robot moves, then calibrate."""
    from gelenk.robots.nao.command import make_request
    from gelenk.robots.nao.report.write import check_folder

    if report is not None:
        check_folder(report)
    if record is not None and record.exists():
        raise ConfigError(f"`--record {record}` exists already; choose another")
    for name, path in (("record", record), ("save", save)):
        if path is not None and not path.absolute().parent.is_dir():
            parent = path.absolute().parent
            raise ConfigError(f"`--{name} {path}`: the folder {parent} does not exist")
    if (wish.poses.isdecimal() or wish.poses == "auto") and wish.poses != "24":
        say("choosing leg poses ...")
    request = make_request(wish)
    return _run(request, record=record, keep_images=report is not None)


def _run(request: Any, *, record: Path | None, keep_images: bool) -> Finished:
    from gelenk.cli.nao_print import CalibrationProgress
    from gelenk.robots.nao.command import run_request

    with CalibrationProgress() as progress:
        options = {"keep_images": keep_images, "on_moment": progress.show}
        if record is None:
            return run_request(request, **options)
        from gelenk.runtime.config_values import to_plain
        from gelenk.runtime.recorder import Recorder

        facts = {
            "robot": request.robot,
            "config": to_plain(request.cfg),
            "seed": request.cfg.seed,
        }
        with Recorder(record, facts) as recorder:
            finished = run_request(request, recorder=recorder, **options)
    say(f"recorded: {record}")
    return finished


def _save(finished: Finished, path: Path) -> None:
    from gelenk.robots.nao.store import write_record

    record = _record(finished)
    if record is None or not record.is_calibrated:
        verdict = finished.outcome.automaton.verdict
        say(f"nothing stored: the verdict is {str(verdict)!r}")
        return
    write_record(record, path)
    say(f"stored: {path}")


def _record(finished: Finished) -> Record | None:
    import datetime

    from gelenk.robots.nao.store import make_record

    fit = finished.outcome.fit
    if fit is None:
        return None
    return make_record(
        fit,
        finished.outcome.automaton.views,
        robot=finished.request.robot,
        date=datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
        config=finished.request.cfg.cognition,
    )


@nao.command(
    epilog=examples(
        "gelenk nao validate nao3.json",
        "gelenk nao validate --seed 3",
    )
)
def validate(
    calibration: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", help="Stored by `calibrate --save`."),
    ] = None,
    case: Case = None,
    errors: Errors = None,
    seed: Seed = 0,
    poses: Poses = "24",
    level: LevelOption = None,
    json: Json = False,
) -> int:
    """Check a calibration: boards, standing, field lines, walking; before and after.

    With a FILE the stored calibration is checked on the robot it was made for, which
    `--errors` must name again if it came from a file. Without one the robot is
    calibrated first. Exit code 1 if a check fails.
    """
    from gelenk.robots.nao.checks.validate import checks_document
    from gelenk.robots.nao.checks.validate import validate as check_all
    from gelenk.robots.nao.command import Wish, make_robot

    wish = Wish(
        case=case, errors=errors, seed=seed, poses=poses,
        level=level,  # type: ignore[arg-type]
    )  # fmt: skip
    if calibration is None:
        finished = _calibrated(wish)
        record = _record(finished)
        if record is None or not record.is_calibrated:
            state = finished.outcome.automaton
            write(f"{finished.request.robot}: {state.verdict}, {state.reason}")
            return exit_codes.MISSED
        robot, found, its_level = make_robot(wish)
    else:
        record, (robot, found, its_level) = _stored(calibration, wish)
    with Progress() as progress:
        checks = check_all(
            record, found, level=its_level, seed=seed, on_step=progress.show
        )
    document = checks_document(record, checks, level=its_level, seed=seed)
    if json:
        write_json(document)
    else:
        print_checks(robot, document)
    return exit_codes.OK if document["ok"] else exit_codes.MISSED


def _stored(path: Path, wish: Wish) -> tuple[Record, Any]:
    """Return a stored calibration and its robot."""
    from gelenk.robots.nao.command import make_robot, wish_of_robot
    from gelenk.robots.nao.store import read_record

    record = read_record(path)
    if wish.case is None and wish.errors is None:
        wish = wish_of_robot(record.robot, wish)
    return record, make_robot(wish)


nao.command(
    epilog=examples(
        "gelenk nao detect photo.png --out marked.png --compare",
    )
)(detect)
nao.command(
    epilog=examples(
        "gelenk nao poses --count 12 --choose auto --out mine.mot",
        "gelenk nao calibrate --case 6 --poses mine.mot",
    )
)(poses)
nao.command(
    epilog=examples(
        "gelenk nao motion mine.mot",
    )
)(motion)
