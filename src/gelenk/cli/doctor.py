"""`gelenk doctor`: what is missing on this machine and the command that mends it."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer

from gelenk.cli import exit_codes
from gelenk.cli.console import styled, write, write_json

MIN_PYTHON = (3, 11)


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctorFinding:
    """One thing that was looked at.

    Attributes:
        state: "ok", "optional" (missing, but only an extra needs it) or "broken".
        subject: Thing that was looked at.
        detail: Finding in words.
        remedy: Command that mends it, empty if nothing is to be mended.
    """

    state: Literal["ok", "optional", "broken"]
    subject: str
    detail: str
    remedy: str = ""


def doctor(
    json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> int:
    """Say what is missing here, and the command that mends it."""
    findings = [*_interpreter(), *requirements(), _cache(), rendering(), page()]
    broken = any(finding.state == "broken" for finding in findings)
    if json:
        write_json({"ok": not broken, "findings": [asdict(f) for f in findings]})
    else:
        for finding in findings:
            write(_line(finding))
    return exit_codes.MISSED if broken else exit_codes.OK


def _line(finding: DoctorFinding) -> str:
    mark, color = {
        "ok": ("ok", "32"),
        "optional": ("--", "33"),
        "broken": ("!!", "31"),
    }[finding.state]
    line = f"{styled(mark, color)}  {finding.subject:<24} {finding.detail}"
    return f"{line}\n      mend: {finding.remedy}" if finding.remedy else line


def _interpreter() -> Iterator[DoctorFinding]:
    import platform

    version = platform.python_version()
    if sys.version_info >= MIN_PYTHON:
        yield DoctorFinding(state="ok", subject="Python", detail=version)
    else:
        wanted = ".".join(map(str, MIN_PYTHON))
        remedy = f"install Python {wanted} or newer, then: make run PYTHON=..."
        yield DoctorFinding(
            state="broken", subject="Python", detail=version, remedy=remedy
        )
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    yield DoctorFinding(state="ok", subject="machine", detail=machine)


def requirements() -> Iterator[DoctorFinding]:
    """Return a finding per package that Gelenk or one of its extras needs."""
    from importlib.metadata import requires

    from gelenk import __version__

    yield DoctorFinding(state="ok", subject="gelenk", detail=__version__)
    seen: set[str] = set()
    for line in requires("gelenk") or []:
        name = re.split(r"[^A-Za-z0-9._-]", line, maxsplit=1)[0]
        extra = re.search(r"extra\s*==\s*['\"](\w+)['\"]", line)
        bounds = line.split(";")[0][len(name) :].strip()
        if name not in seen:
            seen.add(name)
            yield _package(name, bounds, extra.group(1) if extra else "")


def _package(name: str, bounds: str, extra: str) -> DoctorFinding:
    from importlib.metadata import PackageNotFoundError, version

    what = f"gelenk[{extra}]" if extra else f"{name}{bounds}"
    remedy = f"{_quoted(sys.executable)} -m pip install '{what}'"
    state: Literal["optional", "broken"] = "optional" if extra else "broken"
    subject = f"{name} [{extra}]" if extra else name
    try:
        installed = version(name)
    except PackageNotFoundError:
        return DoctorFinding(
            state=state, subject=subject, detail="missing", remedy=remedy
        )
    if not satisfies(installed, bounds):
        detail = f"{installed}, but {bounds} is needed"
        return DoctorFinding(state=state, subject=subject, detail=detail, remedy=remedy)
    return DoctorFinding(state="ok", subject=subject, detail=installed)


def satisfies(version: str, bounds: str) -> bool:
    """Return whether a version meets bounds such as ">=2.3,<2.6" or "==0.17.*".

    Example:
        >>> satisfies("2.10.1", ">=2.3,<3"), satisfies("2.6.0", ">=2.3,<2.6")
        (True, False)
    """
    have = _release(version)
    for bound in filter(None, (part.strip() for part in bounds.split(","))):
        match = re.fullmatch(r"(>=|<=|==|!=|~=|<|>)\s*([^\s*]+?)(\.\*)?", bound)
        if match is None:
            continue  # a form we do not use; pip has checked it
        operator, wanted = match[1], _release(match[2])
        width = len(wanted) if match[3] else max(len(have), len(wanted))
        a, b = _padded(have, width), _padded(wanted, width)
        holds = {
            ">=": a >= b, "<=": a <= b, "==": a == b, "!=": a != b, "<": a < b,
            ">": a > b, "~=": a >= b and have[: len(wanted) - 1] == wanted[:-1],
        }[operator]  # fmt: skip
        if not holds:
            return False
    return True


def _release(version: str) -> tuple[int, ...]:
    found = re.match(r"\d+(\.\d+)*", version)
    return tuple(int(part) for part in found[0].split(".")) if found else ()


def _padded(release: tuple[int, ...], width: int) -> tuple[int, ...]:
    return (release + (0,) * width)[:width]


def _quoted(text: str) -> str:
    return f'"{text}"' if " " in text else text


def _cache() -> DoctorFinding:
    """Look where compiled kernels are kept, and whether they can be written there."""
    import tempfile

    subject = "kernel cache"
    try:
        from gelenk.kernels.entries import SUFFIX, cache_folder

        folder = cache_folder()
        if folder is None:
            raise OSError("no folder for it can be written")
        with tempfile.TemporaryFile(dir=folder):
            pass
    except (ImportError, OSError) as error:
        return DoctorFinding(
            state="broken",
            subject=subject,
            detail=f"cannot be written: {error}",
            remedy="export NUMBA_CACHE_DIR=$HOME/.cache/gelenk",
        )
    count = len(list(folder.glob(f"*{SUFFIX}")))
    ready = f"{count} kernels compiled" if count else "empty; `gelenk warmup` fills it"
    return DoctorFinding(state="ok", subject=subject, detail=f"{folder} ({ready})")


def page() -> DoctorFinding:
    """Look whether the page for the browser is there."""
    folder = Path(__file__).parents[1] / "ui" / "static"
    if (folder / "index.html").is_file():
        return DoctorFinding(state="ok", subject="page", detail=str(folder))
    return DoctorFinding(
        state="optional",
        subject="page",
        detail="`gelenk open` needs the page, which is not built",
        remedy="make client",
    )


def rendering() -> DoctorFinding:
    """Draw a pixel without a screen, in a process of its own: drivers may crash."""
    import json
    import subprocess

    subject = "off-screen rendering"
    command = [sys.executable, "-m", "gelenk.sim.cameras.gl"]
    answer: dict[str, str] = {}
    problem = ""
    try:
        outcome = subprocess.run(
            command, capture_output=True, text=True, timeout=60, check=False
        )
        words = outcome.stderr.strip().splitlines()
        problem = words[-1] if words else f"the test ended with {outcome.returncode}"
        answer = json.loads(outcome.stdout)
    except (OSError, subprocess.TimeoutExpired) as error:
        problem = str(error)
    except ValueError:  # it died before it could answer
        pass
    if "renderer" in answer:
        return DoctorFinding(state="ok", subject=subject, detail=answer["renderer"])
    look = " ".join(_quoted(word) for word in command)
    is_chosen = "MUJOCO_GL" in os.environ
    unset = "unset MUJOCO_GL, or see: " if is_chosen else "see: "
    remedy = "" if is_chosen else answer.get("remedy", "")
    return DoctorFinding(
        state="optional",
        subject=subject,
        detail=f"cameras cannot draw: {answer.get('problem', problem)}",
        remedy=remedy or unset + look,
    )
