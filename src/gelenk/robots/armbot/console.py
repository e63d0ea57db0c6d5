"""The console of a cell: its windows and menus in a terminal.

Simulation and commands take turns in one thread: a command is carried out between two
control ticks, never while a world steps.
"""

from __future__ import annotations

import queue
import sys
import time
from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, TextIO, assert_never

from gelenk.errors import GelenkError
from gelenk.robots.armbot.console_commands import Command, help_text, parse_command
from gelenk.robots.armbot.consoles import CommandLine, SystemLine
from gelenk.robots.armbot.terminal import Terminal
from gelenk.robots.armbot.view.picture import FrameLimiter
from gelenk.runtime.controls import (
    HoldRequest,
    ProceedRequest,
    SetPaceRequest,
    SingleStepRequest,
)

if TYPE_CHECKING:
    from gelenk.robots.armbot.cell import Cell
    from gelenk.robots.armbot.options import Options

OK, INTERRUPTED = 0, 130  # exit codes; the second is what shells expect of Ctrl-C
STATUS_PERIOD = 0.1  # [s] of wall time between two looks at the status
INPUT_GRACE = 0.5  # [s] of wall time that piped input has to arrive
SETTLE_TICKS = 3  # control ticks until a command has had all its effects
OPEN_AT_FIRST = ("debug_out", "commander", "triggers")


def run_console(
    cell: Cell,
    options: Options,
    *,
    source: TextIO | None = None,
    target: TextIO | None = None,
) -> int:
    """Show a cell in a terminal and do what is typed, until the user leaves.

    Without a terminal, commands are read to the end of the input and carried out one
    after the other; then it goes on until all controllers are idle.

    Args:
        cell: Ready to run; nothing has been started.
        options: The command line: pace, end, picture.
        source: Where commands come from; None: standard input.
        target: Where everything is shown; None: standard output.

    Returns:
        Exit code: 0, or 130 if the user interrupted.
    """
    terminal = Terminal(source or sys.stdin, target or sys.stdout)
    with terminal:
        console = Console(cell, options, terminal)
        try:
            console.run()
        except KeyboardInterrupt:
            terminal.print("interrupted")
            return INTERRUPTED
        finally:
            console.close()
    return OK


class Console:
    """Carries out what is typed, and shows what happens.

    Args:
        cell: What is shown and controlled.
        options: The command line.
        terminal: Where to read and write.
    """

    def __init__(self, cell: Cell, options: Options, terminal: Terminal) -> None:
        self._cell, self._options, self._terminal = cell, options, terminal
        self._pace = options.pace
        self._limiter = FrameLimiter(STATUS_PERIOD)
        self._pending: list[Future[None]] = []
        self._is_over, self._is_at_end = False, False
        self._wait_until: float | None = None
        self._settled_tick = 0
        for name in OPEN_AT_FIRST:
            cell.windows.open(name)
        self._stops = [
            cell.debug_out.listen(lambda line: self._show("debug_out", line)),
            cell.triggers.scroll.listen(lambda line: self._show("triggers", line)),
            cell.commander.scroll.listen(self._show_answer),
            cell.system_log.scroll.listen(self._show_system),
        ]

    def run(self) -> None:
        """Go on until the user leaves, or the end is reached."""
        if self._terminal.is_live:
            self._terminal.print("type help for what can be typed, start to begin")
        else:
            self._await_input()
        run = self._cell.run
        while not self._is_over:
            run.run(until=self._has_something_to_do)
            self._do_what_waits()

    def close(self) -> None:
        """Show nothing any more."""
        for stop in self._stops:
            stop()

    # -- taking turns --------------------------------------------------------------

    def _await_input(self) -> None:
        """Give a file or a pipe the chance to be heard before the first tick."""
        deadline = time.monotonic() + INPUT_GRACE
        while self._terminal.lines.empty() and time.monotonic() < deadline:
            time.sleep(0.005)

    def _has_something_to_do(self) -> bool:
        """Look up between two ticks; renew the status now and then."""
        if self._limiter.is_due():
            self._terminal.show_status(self._status(), self._prompt())
        self._check_end()
        return self._is_over or (
            self._wait_until is None and not self._terminal.lines.empty()
        )

    def _check_end(self) -> None:
        run, seconds = self._cell.run, self._options.seconds
        if seconds is not None and run.time >= seconds - 1e-9:
            self._is_over = True
        if self._wait_until is not None and self._has_waited():
            self._wait_until = None
        if self._is_at_end and self._wait_until is None and self._is_quiet():
            self._is_over = True
        if self._is_at_end and run.is_held:
            self._terminal.print("time is held and there is no more input")
            self._is_over = True

    def _has_waited(self) -> bool:
        run = self._cell.run
        if self._wait_until == float("inf"):
            return self._is_quiet()
        return self._wait_until is not None and run.time >= self._wait_until - 1e-9

    def _is_quiet(self) -> bool:
        """Whether nothing runs and all commands have had their effects."""
        run = self._cell.run
        self._pending = [future for future in self._pending if not future.done()]
        if self._pending or run.is_active:
            self._settle()
            return False
        return run.clock.tick >= self._settled_tick or run.is_held

    def _settle(self) -> None:
        """Wait for what the present tick brings about: messages are under way."""
        clock = self._cell.run.clock
        self._settled_tick = clock.tick + SETTLE_TICKS * clock.stride

    def _do_what_waits(self) -> None:
        while self._wait_until is None and not self._is_over:
            try:
                line = self._terminal.lines.get_nowait()
            except queue.Empty:
                return
            if line is None:
                self._is_at_end = True
                self._is_over = self._terminal.is_live  # Ctrl-D
                return
            self._do_line(line)

    def _do_line(self, line: str) -> None:
        try:
            command = parse_command(line)
            if command is not None:
                self._do(command)
        except GelenkError as error:
            self._terminal.print(str(error))

    def _asked(self, future: Future[None]) -> None:
        """Take note of a request; what becomes of it is told when it is done."""
        self._settle()
        self._pending.append(future)
        future.add_done_callback(self._tell_failure)

    def _tell_failure(self, future: Future[None]) -> None:
        if not future.cancelled() and (error := future.exception()) is not None:
            self._terminal.print(f"refused: {error}")

    # -- commands ------------------------------------------------------------------

    def _do(self, command: Command) -> None:
        cell, run = self._cell, self._cell.run
        match command.verb:
            case "start" | "stop" | "pause":
                self._press(command)
            case "reset":
                self._asked(cell.execute.reset())
            case "trigger":
                self._asked(cell.triggers.send(command.number or 0, command.text))
            case "to" | "line":
                self._asked(cell.commander.send(command.text, command.number))
                if command.hint:
                    self._terminal.print(f"sent to the robot; {command.hint}")
            case "robot":
                cell.commander.select(command.number or 0)
                self._terminal.print(f"robot {command.number} is selected")
            case "windows":
                self._windows(command.text)
            case "show":
                lines = cell.windows.lines(command.text)[-(command.number or 1) :]
                self._terminal.print("\n".join(lines) or "nothing yet")
            case "state":
                self._terminal.print(self._describe())
            case "picture":
                self._picture(Path(command.text).expanduser())
            case "pace":
                self._pace = command.value
                self._asked(run.post(SetPaceRequest(pace=command.value)))
            case "hold":
                self._asked(run.post(HoldRequest()))
            case "go":
                self._asked(run.post(ProceedRequest()))
            case "step":
                self._asked(run.post(SingleStepRequest(count=command.number or 1)))
            case "wait":
                wait = command.value
                self._wait_until = float("inf") if wait is None else run.time + wait
            case "help":
                self._terminal.print(help_text(command.text))
            case "quit":
                self._is_over = True
            case _:
                assert_never(command.verb)

    def _press(self, command: Command) -> None:
        """Press a button, and say so if it does nothing."""
        execute, verb, robot = self._cell.execute, command.verb, command.number
        if not getattr(execute.buttons_of(robot), verb):
            who = "no controller" if robot is None else f"robot {robot}"
            states = ", ".join(f"{n}: {s}" for n, s in execute.states.items())
            self._terminal.print(
                f"{verb} changes nothing for {who} now ({states or 'none is there'})"
            )
            return
        self._asked(getattr(execute, verb)(robot))

    def _windows(self, name: str) -> None:
        windows = self._cell.windows
        if name:
            is_open = windows.toggle(name)
            self._terminal.print(f"{name} is {'open' if is_open else 'closed'}")
            return
        for action in windows.menu:
            mark = "x" if action.is_checked else " "
            self._terminal.print(f"[{mark}] {action.window}: {action.title}")

    def _picture(self, path: Path) -> None:
        from gelenk.robots.armbot.view.picture import save_picture

        options = self._options
        save_picture(
            self._cell, path, flags=options.render_flags, renderer=options.render
        )
        self._terminal.print(f"drawn: {path}")

    # -- showing -------------------------------------------------------------------

    def _show(self, window: str, line: object) -> None:
        if self._cell.windows.is_open(window):
            self._terminal.print(str(line))

    def _show_answer(self, line: CommandLine) -> None:
        self._show("commander", line)

    def _show_system(self, line: SystemLine) -> None:
        """Show the system log if it is open, and warnings always.

        Failures of controllers stand in Debug-Out already.
        """
        if self._cell.windows.is_open("system_log") or line.level == "warning":
            self._terminal.print(str(line))

    def _status(self) -> str:
        run = self._cell.run
        pace = "max" if self._pace is None else f"x{self._pace:g}"
        if run.is_held:
            pace = "held"
        states = self._cell.execute.states
        return f"{run.time:8.2f} s {pace} " + " ".join(
            f"{number}:{state}" for number, state in states.items()
        )

    def _prompt(self) -> str:
        return f"robot{self._cell.commander.selected}> "

    def _describe(self) -> str:
        lines = [f"{self._status().strip()}"]
        for number, state in self._cell.execute.states.items():
            buttons = self._cell.execute.buttons_of(number)
            lines.append(f"robot {number}: {state}; {_possible(buttons)} possible")
        return "\n".join(lines)


def _possible(buttons: Sequence[bool]) -> str:
    names = ("start", "pause", "stop", "reset")
    chosen = [name for name, is_on in zip(names, buttons, strict=True) if is_on]
    return ", ".join(chosen) or "nothing"
