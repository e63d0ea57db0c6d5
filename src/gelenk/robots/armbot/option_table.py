"""The table of all options; the parser and the help are made from it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gelenk.robots.armbot import option_values as values
from gelenk.robots.armbot.skills import parse_skills

HELP = """\
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

Cell:
  -?                      prints this help
  -e <file>               reads the environment file, or a cell that ships; without it:
                          an empty floor
  -man[nrs] <class>       sets the arm class (MANIPULATOR)
  -gri[nrs] <class>       sets the gripper class (GRIPPER)
  -ik <method>            chooses the inverse kinematics: pref, what the arm prefers
                          (default); closed, a formula, if the arm has one; down,
                          downhill simplex; jac, Jacobian
  -c[nrs] <class>         sets the controller class (CONTROLLER)
  -cfg[nr] <text>         hands a text to the controller before it starts (CONFIG)
  -robot[nr] <pose>       places a robot: "x y angle" in cm and degrees, also with , or
                          ; (ROBOT)
  -tp <number>:<class>    sets the trigger processor and its number (TRIGGERPROCESSOR)
  -tpcfg <text>           hands a text to the trigger processor (TPCONFIG)
  -skills <list>          switches skills on and off: mandirkin and maninvkin, direct
                          and inverse kinematics; by default +mandirkin,+maninvkin
  --set KEY=VALUE         sets a physical constant or rule, such as gravity=1.62

Log files:
  -simst                  writes where each thread stands to simthreads.out, again and
                          again
  -logstate               writes where each controller stands to state.out, again and
                          again
  -logdebug               writes Debug-Out to debug.out
  -logsys                 writes system messages to syslog.out
  -logall                 does all of them: -logmss, -logstate, -logdebug, -logsys and
                          -simst
  -logmss                 is accepted and does nothing
  -logdir <folder>        sets the folder of the log files
  -lognames <text>        appends _<text> to their names: state_<text>.out

View and time:
  -render <how>           chooses how it is drawn: native, with polygons and no 3D
                          library (default), or fx, with the graphics card where there
                          is one
  -renderms <ms>          draws at most once in so many milliseconds
  -renderflags <flags>    highlights, by T or F each: moving servos, servos at 95 % of
                          their top speed, trigger areas
  -simtime <ms>           sets the real milliseconds per 100 ms of simulated time: 50 is
                          twice as fast as real, 0 as fast as possible; by default 100,
                          and 0 with --headless
  --console               keeps to this terminal; without it the cell opens in the
                          browser
  --port <number>         sets the port of the page; by default 8765 or the next free
                          one
  --no-browser            prints the address of the page only

Without windows:
  --headless              shows nothing: controllers start at once, the result is
                          printed at the end
  --seconds <s>           ends after so much simulated time; without it when all
                          controllers have ended
  --seed <number>         sets the seed of all that is random
  --json                  prints the result as one JSON document
  --record <file.mcap>    writes all messages to a new file for `gelenk replay`
  --picture <file.png>    draws the cell at the end into a file
  --help                  prints this help
  -h                      prints this help"""
_ENTRY = re.compile(
    r"^  (?P<name>-\S+?)(?:\[(?P<selector>nrs?)\])?(?: (?P<value>\S+))?"
    r" {2,}(?P<help>.+(?:\n {26}.+)*)$",
    re.MULTILINE,
)
# Where the value of an option goes in `Options`, and how it is read. "log_all" goes to
# all logs, "" nowhere; options that are not here switch on the field of their name.
_FIELDS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "-?": ("help", values.flag),
    "-h": ("help", values.flag),
    "-e": ("environment", values.name),
    "-man": ("manipulators", values.name),
    "-gri": ("grippers", values.name),
    "-ik": ("ik", values.one_of("pref", "closed", "down", "jac")),
    "-c": ("controllers", values.name),
    "-cfg": ("configs", values.words),
    "-robot": ("poses", values.pose),
    "-tp": ("processor", values.processor),
    "-tpcfg": ("processor_config", values.words),
    "-skills": ("skills", parse_skills),
    "--set": ("settings", values.setting),
    "-simst": ("log_threads", values.flag),
    "-logstate": ("log_state", values.flag),
    "-logdebug": ("log_debug", values.flag),
    "-logsys": ("log_system", values.flag),
    "-logall": ("log_all", values.flag),
    "-logmss": ("", values.flag),
    "-logdir": ("log_folder", values.path),
    "-lognames": ("log_suffix", values.file_part),
    "-render": ("render", values.one_of("native", "fx")),
    "-renderms": ("render_period", values.milliseconds),
    "-renderflags": ("render_flags", values.flags),
    "-simtime": ("simtime", values.positive),
    "--port": ("port", values.port),
    "--seconds": ("seconds", values.positive),
    "--seed": ("seed", values.whole),
    "--record": ("record", values.path),
    "--picture": ("picture", values.path),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionSpec:
    """One option.

    Attributes:
        name: With its minus.
        value: What follows it, for people; empty if nothing does.
        selector: Whether a robot number ("nr") or several ("nrs") may be glued to it.
        help: What it does, after "-x ...".
    """

    name: str
    value: str = ""
    selector: str = ""
    help: str

    @property
    def usage(self) -> str:
        """The option as the help writes it."""
        glued = f"[{self.selector}]" if self.selector else ""
        return f"{self.name}{glued} {self.value}".rstrip()

    @property
    def field(self) -> str:
        """Where it goes in `Options`; "" if nowhere, "log_all" to all logs."""
        return self._reading[0]

    def convert(self, text: str) -> Any:
        """Return the value that the word behind the option means."""
        return self._reading[1](text)

    @property
    def _reading(self) -> tuple[str, Callable[[str], Any]]:
        switched = self.name.strip("-").replace("-", "_")
        return _FIELDS.get(self.name, (switched, values.flag))


OPTIONS = tuple(
    OptionSpec(
        name=entry["name"],
        value=entry["value"] or "",
        selector=entry["selector"] or "",
        help=" ".join(entry["help"].split()),
    )
    for entry in _ENTRY.finditer(HELP)
)
