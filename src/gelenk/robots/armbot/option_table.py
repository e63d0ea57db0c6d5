"""The table of all options; the parser and the help are made from it."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from gelenk.robots.armbot import option_values as values
from gelenk.robots.armbot.skills import parse_skills

_COLUMN = 26  # where explanations start
_WIDTH = 88


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionSpec:
    """One option.

    Attributes:
        name: With its minus.
        value: What follows it, for people; empty if nothing does.
        selector: Whether a robot number ("nr") or several ("nrs") may be glued to it.
        field: Where it goes in `Options`; "" if nowhere, "log_all" to all logs.
        convert: From the word to the value.
        help: What it does, after "-x ...".
        group: Heading under which the help shows it.
    """

    name: str
    value: str = ""
    selector: Literal["", "nr", "nrs"] = ""
    field: str
    convert: Callable[[str], Any] = values.flag
    help: str
    group: str

    @property
    def usage(self) -> str:
        """The option as the help writes it."""
        glued = f"[{self.selector}]" if self.selector else ""
        return f"{self.name}{glued} {self.value}".rstrip()


def _option(group: str, name: str, field: str, help: str, **more: Any) -> OptionSpec:
    return OptionSpec(group=group, name=name, field=field, help=help, **more)


_CELL, _LOGS, _VIEW, _RUN = "Cell", "Log files", "View and time", "Without windows"

OPTIONS: tuple[OptionSpec, ...] = (
    _option(_CELL, "-?", "help", "prints this help"),
    _option(
        _CELL,
        "-e",
        "environment",
        "reads the environment file, or a cell that ships; without it: an empty floor",
        value="<file>",
        convert=values.name,
    ),
    _option(
        _CELL,
        "-man",
        "manipulators",
        "sets the arm class (MANIPULATOR)",
        value="<class>",
        selector="nrs",
        convert=values.name,
    ),
    _option(
        _CELL,
        "-gri",
        "grippers",
        "sets the gripper class (GRIPPER)",
        value="<class>",
        selector="nrs",
        convert=values.name,
    ),
    _option(
        _CELL,
        "-ik",
        "ik",
        "chooses the inverse kinematics: pref, what the arm prefers (default); closed, "
        "a formula, if the arm has one; down, downhill simplex; jac, Jacobian",
        value="<method>",
        convert=values.one_of("pref", "closed", "down", "jac"),
    ),
    _option(
        _CELL,
        "-c",
        "controllers",
        "sets the controller class (CONTROLLER)",
        value="<class>",
        selector="nrs",
        convert=values.name,
    ),
    _option(
        _CELL,
        "-cfg",
        "configs",
        "hands a text to the controller before it starts (CONFIG)",
        value="<text>",
        selector="nr",
        convert=values.words,
    ),
    _option(
        _CELL,
        "-robot",
        "poses",
        'places a robot: "x y angle" in cm and degrees, also with , or ; (ROBOT)',
        value="<pose>",
        selector="nr",
        convert=values.pose,
    ),
    _option(
        _CELL,
        "-tp",
        "processor",
        "sets the trigger processor and its number (TRIGGERPROCESSOR)",
        value="<number>:<class>",
        convert=values.processor,
    ),
    _option(
        _CELL,
        "-tpcfg",
        "processor_config",
        "hands a text to the trigger processor (TPCONFIG)",
        value="<text>",
        convert=values.words,
    ),
    _option(
        _CELL,
        "-skills",
        "skills",
        "switches skills on and off: mandirkin and maninvkin, direct and inverse "
        "kinematics; by default +mandirkin,+maninvkin",
        value="<list>",
        convert=parse_skills,
    ),
    _option(
        _CELL,
        "--set",
        "settings",
        "sets a physical constant or rule, such as gravity=1.62",
        value="KEY=VALUE",
        convert=values.setting,
    ),
    _option(
        _LOGS,
        "-simst",
        "log_threads",
        "writes where each thread stands to simthreads.out, again and again",
    ),
    _option(
        _LOGS,
        "-logstate",
        "log_state",
        "writes where each controller stands to state.out, again and again",
    ),
    _option(_LOGS, "-logdebug", "log_debug", "writes Debug-Out to debug.out"),
    _option(_LOGS, "-logsys", "log_system", "writes system messages to syslog.out"),
    _option(
        _LOGS,
        "-logall",
        "log_all",
        "does all of them: -logmss, -logstate, -logdebug, -logsys and -simst",
    ),
    _option(_LOGS, "-logmss", "", "is accepted and does nothing"),
    _option(
        _LOGS,
        "-logdir",
        "log_folder",
        "sets the folder of the log files",
        value="<folder>",
        convert=values.path,
    ),
    _option(
        _LOGS,
        "-lognames",
        "log_suffix",
        "appends _<text> to their names: state_<text>.out",
        value="<text>",
        convert=values.file_part,
    ),
    _option(
        _VIEW,
        "-render",
        "render",
        "chooses how it is drawn: native, with polygons and no 3D library (default), "
        "or fx, with the graphics card where there is one",
        value="<how>",
        convert=values.one_of("native", "fx"),
    ),
    _option(
        _VIEW,
        "-renderms",
        "render_period",
        "draws at most once in so many milliseconds",
        value="<ms>",
        convert=values.milliseconds,
    ),
    _option(
        _VIEW,
        "-renderflags",
        "render_flags",
        "highlights, by T or F each: moving servos, servos at 95 % of their top speed, "
        "trigger areas",
        value="<flags>",
        convert=values.flags,
    ),
    _option(
        _VIEW,
        "-simtime",
        "simtime",
        "sets the real milliseconds per 100 ms of simulated time: 50 is twice as fast "
        "as real, 0 as fast as possible; by default 100, and 0 with --headless",
        value="<ms>",
        convert=values.positive,
    ),
    _option(
        _VIEW,
        "--console",
        "console",
        "keeps to this terminal; without it the cell opens in the browser",
    ),
    _option(
        _VIEW,
        "--port",
        "port",
        "sets the port of the page; by default 8765 or the next free one",
        value="<number>",
        convert=values.port,
    ),
    _option(_VIEW, "--no-browser", "no_browser", "prints the address of the page only"),
    _option(
        _RUN,
        "--headless",
        "headless",
        "shows nothing: controllers start at once, the result is printed at the end",
    ),
    _option(
        _RUN,
        "--seconds",
        "seconds",
        "ends after so much simulated time; without it when all controllers have ended",
        value="<s>",
        convert=values.positive,
    ),
    _option(
        _RUN,
        "--seed",
        "seed",
        "sets the seed of all that is random",
        value="<number>",
        convert=values.whole,
    ),
    _option(_RUN, "--json", "json", "prints the result as one JSON document"),
    _option(
        _RUN,
        "--record",
        "record",
        "writes all messages to a new file for `gelenk replay`",
        value="<file.mcap>",
        convert=values.path,
    ),
    _option(
        _RUN,
        "--picture",
        "picture",
        "draws the cell at the end into a file",
        value="<file.png>",
        convert=values.path,
    ),
    _option(_RUN, "--help", "help", "prints this help"),
    _option(_RUN, "-h", "help", "prints this help"),
)

_HEAD = """\
Usage: gelenk armbot [options]        run a cell
       gelenk armbot cells            list the cells that ship
       gelenk armbot check FILE...    read environment files, run nothing
       gelenk armbot command [FILE] [options]
                                      run without windows, typed lines go to controllers
       gelenk armbot exercise [...]   check a student's code

[nr] is a robot number 0 to 9, by default 0: -cfg5. [nrs] are one or several: -c5, -c1-3
or -c2357, by default all robots there are. The command line wins over the file, an
option with a number over one without, and the later one over the earlier. The word
after an option is always its value.
"""


def help_text() -> str:
    """Return the help: every option with its meaning, by groups."""
    lines = [_HEAD]
    for group in dict.fromkeys(spec.group for spec in OPTIONS):
        lines.append(f"{group}:")
        for spec in OPTIONS:
            if spec.group == group:
                lines.extend(_explain(spec))
        lines.append("")
    return "\n".join(lines).rstrip()


def _explain(spec: OptionSpec) -> list[str]:
    usage = f"  {spec.usage}"
    indent = " " * _COLUMN
    text = textwrap.fill(
        spec.help, _WIDTH, initial_indent=indent, subsequent_indent=indent
    )
    if len(usage) >= _COLUMN:
        return [usage, text]
    return [usage + text[len(usage) :]]
