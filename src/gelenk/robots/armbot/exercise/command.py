"""`gelenk armbot exercise`: list exercises, write templates, check submissions."""

from __future__ import annotations

import argparse
import json
import os
import sys
import textwrap
from pathlib import Path
from typing import Any, NoReturn, TextIO

from gelenk.errors import GelenkError
from gelenk.robots.armbot.exercise.check import check_submission
from gelenk.robots.armbot.exercise.finding import (
    BOLD,
    color_style,
    plain_style,
    verdict_data,
    verdict_text,
)
from gelenk.robots.armbot.exercise.record import Answer, Argument, Exercise, Function
from gelenk.robots.armbot.exercise.registry import EXERCISES, get_exercise

WIDTH = 88
MANNER = (
    "Angles are in radians, lengths in metres. Vectors and matrices come as NumPy "
    "arrays; lists, tuples and arrays may be returned. Leave the arguments as they are."
)


def task_text(exercise: Exercise) -> str:
    """Return the task in lines of readable length; formulas keep their lines."""
    paragraphs = [*exercise.task.split("\n\n"), MANNER]
    return "\n\n".join(p if "|" in p else textwrap.fill(p, WIDTH) for p in paragraphs)


def template_of(exercise: Exercise) -> str:
    """Return a Python file with the task and the functions still to be written."""
    check = f"gelenk armbot exercise {exercise.name} --submission FILE.py"
    head = (
        f'"""{exercise.title}\n\n{task_text(exercise)}\n\n'
        f'To check this file:\n    {check}\n"""\n\nimport numpy as np\n'
    )
    return head + "".join(f"\n\n{_function(f)}" for f in exercise.functions)


def _function(function: Function) -> str:
    lines = [f"def {function.signature}:", f'    """{function.text}', "", "    Args:"]
    lines += [f"        {a.name}: {a.text}{_unit(a)}" for a in function.arguments]
    returns = f"{function.answer.text}{_unit(function.answer)}"
    lines += ["", "    Returns:", f"        {returns}", '    """']
    lines += [f'    raise NotImplementedError("write {function.name}")', ""]
    return "\n".join(lines)


def _unit(item: Argument | Answer) -> str:
    if item.unit in ("", "1"):
        return ""
    units = item.unit if isinstance(item.unit, str) else ", ".join(item.unit)
    return f" [{units}]"


ACCEPTED, REJECTED, IMPOSSIBLE = 0, 1, 2
MAX_FILE = 1_000_000  # [bytes]


class _UsageError(Exception):
    """The command line cannot be understood."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise _UsageError(message)


def _parser() -> _Parser:
    parser = _Parser(
        prog="gelenk armbot exercise",
        description="Check a student's code against hidden cases and say what is wrong "
        "with it. Without a name: list the exercises.",
    )
    parser.add_argument("name", nargs="?", help="the exercise")
    parser.add_argument(
        "--submission", metavar="FILE.py", type=Path, help="the code to be checked"
    )
    parser.add_argument(
        "--template",
        metavar="FILE.py",
        nargs="?",
        const="-",
        help="write a file to start from; without a file name to the screen",
    )
    parser.add_argument("--show", action="store_true", help="print the task")
    parser.add_argument("--list", action="store_true", help="list the exercises")
    parser.add_argument(
        "--seed", type=int, default=0, help="of the hidden cases (default 0)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object")
    return parser


def cli_main(argv: list[str]) -> int:
    """Run the command.

    Returns:
        0 if done or accepted, 1 if the submission is rejected, 2 if the request cannot
        be met.
    """
    try:
        options = _parser().parse_args(argv)
    except _UsageError as error:
        return _fail(f"{error}; `gelenk armbot exercise --help` lists what there is")
    except SystemExit:  # --help
        return ACCEPTED
    try:
        return _run(options)
    except GelenkError as error:
        return _fail(str(error))
    except OSError as error:
        return _fail(f"{error.filename}: {error.strerror}")


def _run(options: argparse.Namespace) -> int:
    if options.list or options.name is None:
        if options.submission is not None:
            return _fail("which exercise is it? Put its name before --submission")
        return _list(as_json=options.json)
    if options.seed < 0:
        return _fail(f"--seed must be 0 or larger, got {options.seed}")
    exercise = get_exercise(options.name)
    if options.template is not None:
        return _write_template(template_of(exercise), options.template)
    if options.submission is None or options.show:
        _write(template_of(exercise))
        return ACCEPTED
    path: Path = options.submission
    problem = _file_problem(path)
    if problem:
        return _fail(problem)
    verdict = check_submission(exercise, path, seed=options.seed)
    if options.json:
        _write_json(verdict_data(verdict) | {"seed": options.seed, "file": str(path)})
    else:
        style = color_style if _has_color(sys.stdout) else plain_style
        _write(verdict_text(verdict, style))
    return ACCEPTED if verdict.is_accepted else REJECTED


def _list(*, as_json: bool) -> int:
    if as_json:
        _write_json({e.name: e.title for e in EXERCISES})
        return ACCEPTED
    style = color_style if _has_color(sys.stdout) else plain_style
    width = max(len(e.name) for e in EXERCISES)
    lines = [f"{style(e.name.ljust(width), BOLD)}  {e.title}" for e in EXERCISES]
    _write("\n".join(lines) + "\n\n")
    _write(
        "start:  gelenk armbot exercise NAME --template FILE.py\n"
        "check:  gelenk armbot exercise NAME --submission FILE.py\n"
    )
    return ACCEPTED


def _write_template(text: str, target: str) -> int:
    if target == "-":
        _write(text)
        return ACCEPTED
    path = Path(target)
    if path.exists():
        return _fail(f"{path} exists already; choose another name or move it away")
    path.write_text(text, encoding="utf-8")
    _write(f"{path} written; fill in the functions\n")
    return ACCEPTED


def _file_problem(path: Path) -> str:
    if not path.exists():
        return f"there is no file {path}"
    if not path.is_file():
        return f"{path} is not a file"
    if path.stat().st_size > MAX_FILE:
        return f"{path} is larger than {MAX_FILE} bytes; that is no exercise"
    if not os.access(path, os.R_OK):
        return f"{path} cannot be read; check its permissions"
    return ""


def _has_color(stream: TextIO) -> bool:
    is_plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return stream.isatty() and not is_plain


def _write(text: str) -> None:
    sys.stdout.write(text)


def _write_json(data: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(data, indent=2) + "\n")


def _fail(message: str) -> int:
    sys.stderr.write(f"gelenk: error: {message}\n")
    return IMPOSSIBLE
