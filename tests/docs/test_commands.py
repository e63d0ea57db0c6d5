"""Every command line of the documentation names a command and options that exist."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import typer

from gelenk.robots.armbot.exercise import command as exercise_command
from gelenk.robots.armbot.options import parse_options

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(
    page
    for pattern in ("*.md", "docs/*.md", "src/gelenk/robots/*/README.md")
    for page in ROOT.glob(pattern)
    if page.name != "CHANGELOG.md"  # it names what is gone
)
FENCE = re.compile(
    r"^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE
)
INLINE = re.compile(r"`((?:gelenk|python -m \w+) [^`]+)`")
COMMAND = re.compile(r"(?:gelenk|python -m (?:benchmarks|experiments)) \S")
OPTION = re.compile(r"--?[a-z?][a-z-]*")
SUBJECT = re.compile(r"[a-z][a-z0-9_]*(/[a-z0-9_]+)?")
ARMBOT_WORDS = ("cells", "check", "command", "exercise")


def command_lines(page: Path) -> Iterator[str]:
    """Yield the command lines of a page without what is said about them."""
    text = page.read_text(encoding="utf-8")
    for block in FENCE.finditer(text):
        if block["language"] == "sh":
            pieces = [line.split(" #")[0] for line in block["text"].splitlines()]
        elif not block["language"]:  # a list, what they do stands beside them
            pieces = re.split(r"\n|\s{2,}", block["text"])
        else:
            continue
        yield from (piece.strip() for piece in pieces if COMMAND.match(piece.strip()))
    for found in INLINE.finditer(FENCE.sub("", text)):
        yield " ".join(found[1].split())


@cache
def known_commands():
    """Return the trees of all commands by the words that start them."""
    import benchmarks.__main__
    import experiments.__main__
    from gelenk.cli.commands import app

    apps = {
        "gelenk": app,
        "python -m benchmarks": benchmarks.__main__.app,
        "python -m experiments": experiments.__main__.app,
    }
    return {name: typer.main.get_command(app) for name, app in apps.items()}


@cache
def known_subjects() -> dict[str, set[str]]:
    """Return the names that can be given to a command, by command."""
    from benchmarks.harness import area_names
    from gelenk.models import catalog
    from gelenk.runtime.registry import list_scenes
    from gelenk.runtime.scenario import list_scenarios

    scenes, robots = set(list_scenes()), set(catalog.names())
    scenarios = {item.name for item in list_scenarios()}
    return {
        "gelenk open": scenes | robots,
        "gelenk run": scenes | robots | scenarios,
        "gelenk campaign": scenes | scenarios,
        "gelenk robot": robots,
        "gelenk ik": robots,
        "python -m benchmarks": set(area_names()),
    }


def problem_of(line: str) -> str:
    """Return what is wrong with a command line; empty if nothing is."""
    program, command = next(
        (name, tree)
        for name, tree in known_commands().items()
        if line.startswith(f"{name} ")
    )
    words = shlex.split(line[len(program) :].replace("...", ""))
    path = []
    while hasattr(command, "commands") and words:
        word = words.pop(0)
        if word.startswith("-"):
            return "" if has_option(command, word) else f"{program} has no {word}"
        if word not in command.commands:
            return f"{program} has no command {word}"
        command = command.commands[word]
        path.append(word)
    if path == ["armbot"]:
        return problem_of_armbot(words)
    for word in words:
        if OPTION.fullmatch(word) and not has_option(command, word):
            return f"{' '.join([program, *path])} has no {word}"
    known = known_subjects().get(" ".join([program, *path]))
    if known and words and SUBJECT.fullmatch(words[0]) and words[0] not in known:
        return f"there is no {words[0]}"
    return ""


def has_option(command, word: str) -> bool:
    """Return whether a command has an option of this name."""
    known = {name for option in command.params for name in option.opts}
    return word in known | {"-h", "--help"}


def problem_of_armbot(words: list[str]) -> str:
    """Return what is wrong with the words of `gelenk armbot`; they have own parsers."""
    if not words:
        return ""
    if words[0] == "exercise":
        known = exercise_command._parser().format_help()
        wrong = [word for word in words if OPTION.fullmatch(word) and word not in known]
        return f"armbot exercise has no {wrong[0]}" if wrong else ""
    if words[0] in ARMBOT_WORDS:
        return ""
    if not words[0].startswith("-"):
        return f"armbot has no {words[0]}"
    parse_options(words)
    return ""


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_command_lines_of_a_page_exist(page: Path) -> None:
    problems = [
        f"`{line}`: {problem}"
        for line in command_lines(page)
        if (problem := problem_of(line))
    ]

    assert not problems, "\n".join(problems)


def test_the_pages_show_many_command_lines() -> None:
    assert sum(len(list(command_lines(page))) for page in PAGES) > 150


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("gelenk bench", "no command bench"),
        ("gelenk run hall --headless", "no --headless"),
        ("gelenk campaign piggy/rally --trials 3", "no piggy/rally"),
        ("gelenk amee bench AN-01", "no command bench"),
        ("gelenk armbot exercise wrist --file a.py", "no --file"),
        ("gelenk armbot run", "no run"),
        ("python -m benchmarks nao --fast", "no --fast"),
        ("python -m benchmarks cooking", "no cooking"),
    ],
)
def test_a_command_line_that_does_not_exist_is_found(line: str, problem: str) -> None:
    assert problem in problem_of(line)
