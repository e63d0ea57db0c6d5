"""The command line of ArmBot, read as the paper writes it (Roth 2021, 3.4).

A word after an option that takes a value is always its value, also if it begins with a
minus. Robot numbers are glued to the option: `-c5`, `-c1-3`, `-c2357`. What options
there are, and what each means, is said by `option_table.OPTIONS` and nowhere else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

from gelenk.errors import ConfigError
from gelenk.robots.armbot.environment.description import Given, Place
from gelenk.robots.armbot.option_table import OPTIONS, OptionSpec
from gelenk.robots.armbot.option_values import Pose, RenderFlags
from gelenk.robots.armbot.problems import ProblemsError, close_match
from gelenk.robots.armbot.skills import Skills

IkChoice: TypeAlias = Literal["pref", "closed", "down", "jac"]
SelectorKind: TypeAlias = Literal["default", "one", "range", "list"]

_BY_NAME = {spec.name: spec for spec in OPTIONS}
_NUMBERED = re.compile(r"(-[a-z]+)(\d\S*)", re.ASCII)
_SELECTORS = {
    "nr": (re.compile(r"\d", re.ASCII), "one digit, as in {name}5"),
    "nrs": (
        re.compile(r"\d(?:-\d|\d*)", re.ASCII),
        "a digit, a range or several digits, as in {name}5, {name}1-3 or {name}2357",
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Selector:
    """Which robots an option speaks of.

    Attributes:
        kind: How it was said; "default": with no number.
        numbers: Robots in the order given; for "default" none.
    """

    kind: SelectorKind
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A text for one or several robots: a class name or a configuration."""

    selector: Selector
    given: Given


@dataclass(frozen=True, slots=True, kw_only=True)
class PoseChoice:
    """A start pose for one robot: x, y [m] and heading [rad]."""

    selector: Selector
    pose: Pose
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessorChoice:
    """A trigger processor: its number and its class."""

    number: int
    name: Given


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """A command line, checked as far as it can be without the environment file.

    Attributes:
        environment: `-e`: path, or the name of a cell that ships; None: empty floor.
        environment_place: Where it was said, for messages.
        manipulators, grippers, controllers: Class names, in the order given.
        configs: Texts for the controllers.
        poses: Start poses.
        ik: Method of the inverse kinematics.
        processor, processor_config: The trigger processor and its text.
        skills: What arms can do by themselves.
        log_threads, log_state, log_debug, log_system: Which log files are written.
        log_folder: Where; None: the current folder.
        log_suffix: Appended to their names behind an underscore, if not empty.
        render: How the picture is drawn.
        render_period: Shortest time between two pictures [s]; 0: no limit.
        render_flags: What is highlighted.
        simtime: Wall time per 100 ms of simulated time [ms]; 0: as fast as possible;
            None: not said.
        console: Whether the terminal is used, not the browser.
        port: Of the page; None: the first free one.
        no_browser: Whether only the address of the page is printed.
        headless: Whether nothing is shown.
        seconds: Simulated time [s]; None: until all controllers have ended.
        seed: Of everything that is drawn at random.
        json: Whether the result is one JSON document.
        record: File for all messages.
        picture: File for a picture of the end.
        settings: Texts KEY=VALUE for `ArmBotCfg`.
        help: Whether only help is wanted.
    """

    environment: str | None = None
    environment_place: Place = field(default_factory=lambda: Place("command line"))
    manipulators: tuple[Choice, ...] = ()
    grippers: tuple[Choice, ...] = ()
    controllers: tuple[Choice, ...] = ()
    configs: tuple[Choice, ...] = ()
    poses: tuple[PoseChoice, ...] = ()
    ik: IkChoice = "pref"
    processor: ProcessorChoice | None = None
    processor_config: Given | None = None
    skills: Skills = field(default_factory=Skills)
    log_threads: bool = False
    log_state: bool = False
    log_debug: bool = False
    log_system: bool = False
    log_folder: Path | None = None
    log_suffix: str = ""
    render: Literal["native", "fx"] = "native"
    render_period: float = 0.0
    render_flags: RenderFlags = field(default_factory=RenderFlags)
    simtime: float | None = None
    console: bool = False
    port: int | None = None
    no_browser: bool = False
    headless: bool = False
    seconds: float | None = None
    seed: int = 0
    json: bool = False
    record: Path | None = None
    picture: Path | None = None
    settings: tuple[str, ...] = ()
    help: bool = False

    @property
    def pace(self) -> float | None:
        """Simulated seconds per second of wall time; None: as fast as possible.

        Without `-simtime` somebody who watches sees real time, and nobody waits.
        """
        simtime = self.simtime
        if simtime is None:
            simtime = 0.0 if self.headless else 100.0
        return 100.0 / simtime if simtime > 0.0 else None


def parse_options(argv: Sequence[str]) -> Options:
    """Return what a command line says; `-?` makes everything else unimportant.

    Args:
        argv: Words after the name of the program.

    Raises:
        ProblemsError: Unknown options, missing or impossible values: all of them.

    Example:
        >>> from gelenk.robots.armbot import parse_options
        >>> options = parse_options(["-e", "cell.env", "-c1-3", "my.Controller"])
        >>> options.controllers[0].selector.numbers
        (1, 2, 3)
    """
    reader = _Reader(argv)
    while reader.has_more:
        reader.read_option()
    if "help" in reader.fields:
        return Options(help=True)
    if reader.problems:
        raise ProblemsError(reader.problems)
    return Options(**reader.fields)


class _Reader:
    """Walks through the words and collects values and problems."""

    def __init__(self, argv: Sequence[str]) -> None:
        self._words = list(argv)
        self._next = 0
        self._count = 0
        self.fields: dict[str, Any] = {}
        self.problems: list[str] = []

    @property
    def has_more(self) -> bool:
        return self._next < len(self._words)

    def read_option(self) -> None:
        """Read one option and its value; a mistake is noted, and reading goes on."""
        word = self._take()
        self._count += 1
        place = Place(f"command line, option {self._count} ({word})")
        try:
            spec, selector = find_option(word)
        except ConfigError as error:
            self.problems.append(f"{place}: {error}")
            self._skip_value_of(word)
            return
        text = ""
        if spec.value:
            if not self.has_more:
                self.problems.append(
                    f"{place}: expected {spec.value} after it, got the end of the "
                    f"line; {spec.name} {spec.help}"
                )
                return
            text = self._take()
            if spec.field == "processor" and text.endswith(":") and self.has_more:
                text += self._take()  # the paper prints a blank behind the colon
        try:
            value = spec.convert(text)
        except ConfigError as error:
            self.problems.append(f"{place}: {error}")
            return
        self._store(spec, selector, value, place)

    def _take(self) -> str:
        self._next += 1
        return self._words[self._next - 1]

    def _skip_value_of(self, word: str) -> None:
        """Pass over what was meant as the value of a mistaken option."""
        match = _NUMBERED.fullmatch(word)
        spec = _BY_NAME.get(match[1]) if match else None
        if not word.startswith("-") or not self.has_more:
            return
        if spec is not None:
            self._next += 1 if spec.value else 0
        elif not self._words[self._next].startswith("-") and "=" not in word:
            self._next += 1  # a guess: an unknown option may have a value

    def _store(
        self, spec: OptionSpec, selector: Selector, value: Any, place: Place
    ) -> None:
        old = self.fields.get(spec.field, ())
        match spec.field:
            case "manipulators" | "grippers" | "controllers" | "configs":
                given = Given(text=value, place=place)
                value = (*old, Choice(selector=selector, given=given))
            case "poses":
                item = PoseChoice(selector=selector, pose=value, place=place)
                value = (*old, item)
            case "processor":
                number, name = value
                given = Given(text=name, place=place)
                value = ProcessorChoice(number=number, name=given)
            case "processor_config":
                value = Given(text=value, place=place)
            case "settings":
                value = (*old, value)
            case "environment":
                self.fields["environment_place"] = place
            case "log_all":
                for name in ("log_threads", "log_state", "log_debug", "log_system"):
                    self.fields[name] = True
                return
            case "":
                return  # understood, and without effect
            case _:
                pass
        self.fields[spec.field] = value


def find_option(word: str) -> tuple[OptionSpec, Selector]:
    """Return what an option is, and the robots that its word names.

    Raises:
        ConfigError: If there is no such option, or its robot numbers make no sense.
    """
    if word in _BY_NAME:
        return _BY_NAME[word], Selector(kind="default")
    match = _NUMBERED.fullmatch(word)
    spec = _BY_NAME.get(match[1]) if match else None
    if match is None or spec is None:
        raise ConfigError(_unknown(word))
    if not spec.selector:
        raise ConfigError(
            f"{spec.name} takes no robot number, got {match[2]!r}; say {spec.usage}"
        )
    pattern, expected = _SELECTORS[spec.selector]
    if not pattern.fullmatch(match[2]):
        raise ConfigError(
            f"expected {expected.format(name=spec.name)}, got {match[2]!r}"
        )
    return spec, _selector(match[2], spec.name)


def _selector(text: str, name: str) -> Selector:
    first, dash, last = text.partition("-")
    if not dash:
        numbers = tuple(dict.fromkeys(int(digit) for digit in text))
        return Selector(kind="one" if len(text) == 1 else "list", numbers=numbers)
    if int(last) < int(first):
        raise ConfigError(
            f"expected a range from the smaller to the larger number, got {text}; "
            f"say {name}{last}-{first}"
        )
    return Selector(kind="range", numbers=tuple(range(int(first), int(last) + 1)))


def _unknown(word: str) -> str:
    if not word.startswith("-"):
        remedy = (
            f"say -e {word}"
            if word.endswith(".env")
            else "a value with blanks needs quotes; -? lists the options"
        )
        return f"expected an option, got {word!r}; {remedy}"
    name = word.partition("=")[0]
    if name != word and name in _BY_NAME:
        return f"expected the value as a word of its own, got {word!r}; say " + (
            word.replace("=", " ", 1)
        )
    hint = close_match(word.rstrip("0123456789"), _BY_NAME, or_list="")
    return f"no option {word!r}{hint or ';'} -? lists them all"
