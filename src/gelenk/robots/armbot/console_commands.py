"""What can be typed into the console of a cell, as data; anything else is a line.

A line that begins with no command goes to the controller of the selected robot, as if
it had been typed into the Commander.
"""

from __future__ import annotations

import difflib
import math
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from gelenk.errors import ConfigError

Verb: TypeAlias = Literal[
    "start", "stop", "pause", "reset", "trigger", "to", "robot", "windows", "show",
    "state", "picture", "pace", "hold", "go", "step", "wait", "help", "quit", "line",
]  # fmt: skip


class Usage(NamedTuple):
    """How a command is written, and what it does."""

    text: str
    help: str


USAGE: dict[str, Usage] = {
    "start": Usage("start [ROBOT]", "start controllers, or let paused ones go on"),
    "stop": Usage("stop [ROBOT]", "stop controllers; they forget their progress"),
    "pause": Usage("pause [ROBOT]", "stop controllers; they keep their progress"),
    "reset": Usage("reset", "stop, and put everything back to its beginning"),
    "trigger": Usage("trigger NUMBER TEXT", "send a trigger; -1 reaches all robots"),
    "to": Usage("to ROBOT TEXT", "send a line to the controller of a robot"),
    "robot": Usage("robot ROBOT", "select the robot that other lines go to"),
    "windows": Usage("windows [NAME]", "list the windows, or open or close one"),
    "show": Usage("show WINDOW [COUNT]", "print the last lines of a window"),
    "state": Usage("state", "say where each controller stands"),
    "picture": Usage("picture FILE.png", "draw the cell as it is now"),
    "pace": Usage("pace FACTOR", "simulated seconds per second; max: no limit"),
    "hold": Usage("hold", "let simulated time stand still"),
    "go": Usage("go", "let simulated time go on"),
    "step": Usage("step [COUNT]", "do some control ticks of 10 ms, then hold"),
    "wait": Usage("wait [SECONDS]", "wait in simulated time, or until all are idle"),
    "help": Usage("help [COMMAND]", "say what can be typed"),
    "quit": Usage("quit", "leave"),
}
ALIASES = {"?": "help", "exit": "quit", "proceed": "go", "window": "windows"}
_MAX_STEPS = 1_000_000
_MAX_LINES = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What was typed.

    Attributes:
        verb: What to do; "line" for a line to the selected robot.
        number: Robot, receiver or count, where the command has one.
        value: Factor or seconds.
        text: The rest: a trigger, a line, a name, a file.
        hint: What the user may have meant instead, or empty.
    """

    verb: Verb
    number: int | None = None
    value: float | None = None
    text: str = ""
    hint: str = ""


def parse_command(line: str) -> Command | None:
    """Return what a typed line means; None for a blank one.

    Raises:
        ConfigError: If a command has not what it needs; the message shows its usage.

    Example:
        >>> parse_command("trigger 3 go on").text
        'go on'
    """
    line = line.strip()
    if not line:
        return None
    first, _, rest = line.partition(" ")
    rest = rest.strip()
    verb = ALIASES.get(first.lower(), first.lower())
    if verb not in USAGE:
        return Command(verb="line", text=line, hint=_hint(first))
    match verb:
        case "start" | "stop" | "pause":
            number = _whole(verb, rest, 0, 9) if rest else None
            return Command(verb=verb, number=number)
        case "trigger" | "to":
            return _addressed(verb, rest)
        case "robot":
            return Command(verb="robot", number=_whole(verb, rest, 0, 9))
        case "pace":
            return Command(verb="pace", value=_pace(rest))
        case "step":
            return Command(
                verb="step", number=_whole(verb, rest, 1, _MAX_STEPS) if rest else 1
            )
        case "wait":
            return Command(verb="wait", value=_seconds(rest) if rest else None)
        case "show":
            name, _, count = rest.partition(" ")
            if not name:
                raise _expected("show", "the name of a window", "nothing")
            number = _whole("show", count.strip(), 1, _MAX_LINES) if count else 20
            return Command(verb="show", text=name, number=number)
        case "picture":
            if not rest:
                raise _expected("picture", "the name of a file", "nothing")
            return Command(verb="picture", text=rest)
        case "windows" | "help":
            return Command(verb=verb, text=rest)
        case "reset" | "state" | "hold" | "go" | "quit":
            if rest:
                raise _expected(verb, "nothing behind it", repr(rest))
            return Command(verb=verb)
        case _:
            raise AssertionError(verb)


def help_text(topic: str = "") -> str:
    """Return what can be typed, or the usage of one command."""
    topic = ALIASES.get(topic.lower(), topic.lower())
    if topic in USAGE:
        return f"{USAGE[topic].text}: {USAGE[topic].help}"
    width = max(len(usage.text) for usage in USAGE.values())
    lines = [f"  {usage.text.ljust(width)}  {usage.help}" for usage in USAGE.values()]
    end = "  Anything else goes to the controller of the selected robot."
    return "\n".join(["You can type:", *lines, end])


def _addressed(verb: Literal["trigger", "to"], rest: str) -> Command:
    number, _, text = rest.partition(" ")
    low, high = (-1, 10**9) if verb == "trigger" else (0, 9)
    receiver = _whole(verb, number, low, high)
    if verb == "to" and not text.strip():
        raise _expected("to", "a text for the robot", "nothing")
    return Command(verb=verb, number=receiver, text=text.strip())


def _whole(verb: str, text: str, low: int, high: int) -> int:
    try:
        value = int(text)
    except ValueError:
        value = None
    if value is None or not low <= value <= high or not text.isascii():
        span = f"{low} to {high}" if high < 10**9 else f"{low} or more"
        raise _expected(
            verb, f"a whole number, {span}", repr(text) if text else "nothing"
        )
    return value


def _pace(text: str) -> float | None:
    if text.lower() in ("max", "none", "0"):
        return None
    value = _positive(text)
    if value is None or value == 0.0:
        raise _expected(
            "pace", "a number above 0, or max", repr(text) if text else "nothing"
        )
    return value


def _seconds(text: str) -> float:
    value = _positive(text)
    if value is None:
        raise _expected("wait", "seconds, 0 or more", repr(text))
    return value


def _positive(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and value >= 0.0 else None


def _expected(verb: str, expected: str, got: str) -> ConfigError:
    usage = USAGE[verb]
    return ConfigError(
        f"{verb}: expected {expected}, got {got}; usage: {usage.text} - {usage.help}"
    )


def _hint(word: str) -> str:
    close = difflib.get_close_matches(word.lower(), USAGE, n=1, cutoff=0.75)
    return f"did you mean the command `{close[0]}`?" if close else ""
