"""The console: what can be typed, what is shown, and how it ends."""

from __future__ import annotations

import io
import os
import pty
import re
import signal
import subprocess
import sys
import threading
import time

import cv2
import pytest

from armbot_cell import ONE, TWO, small_cell
from gelenk.errors import ConfigError
from gelenk.robots.armbot.console import run_console
from gelenk.robots.armbot.console_commands import (
    USAGE,
    Command,
    help_text,
    parse_command,
)
from gelenk.robots.armbot.terminal import LineEditor

# -- what can be typed -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("start", Command(verb="start")),
        ("  STOP 2 ", Command(verb="stop", number=2)),
        ("trigger 3 GO  on", Command(verb="trigger", number=3, text="GO  on")),
        ("trigger -1", Command(verb="trigger", number=-1, text="")),
        ("to 2 grip it", Command(verb="to", number=2, text="grip it")),
        ("grip it", Command(verb="line", text="grip it")),
        ("pace 2", Command(verb="pace", value=2.0)),
        ("pace max", Command(verb="pace", value=None)),
        ("step", Command(verb="step", number=1)),
        ("step 12", Command(verb="step", number=12)),
        ("wait 0.5", Command(verb="wait", value=0.5)),
        ("wait", Command(verb="wait")),
        ("windows triggers", Command(verb="windows", text="triggers")),
        ("show debug_out 5", Command(verb="show", text="debug_out", number=5)),
        ("picture my file.png", Command(verb="picture", text="my file.png")),
        ("exit", Command(verb="quit")),
        ("?", Command(verb="help")),
    ],
)
def test_a_typed_line_means_what_it_says(line, command):
    assert parse_command(line) == command


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("trigger", "trigger: expected a whole number, -1 or more, got nothing"),
        ("trigger x hello", "got 'x'; usage: trigger NUMBER TEXT"),
        ("trigger -2 hello", "-1 or more, got '-2'"),
        ("to 12 x", "0 to 9, got '12'"),
        ("to 1", "a text for the robot"),
        ("robot two", "got 'two'"),
        ("pace -1", "above 0, or max"),
        ("pace nan", "above 0, or max"),
        ("step 0", "1 to"),
        ("wait soon", "got 'soon'"),
        ("picture", "the name of a file"),
        ("hold on", "expected nothing behind it, got 'on'"),
        ("show", "the name of a window"),
        ("start ²", "got '²'"),
    ],
)
def test_an_incomplete_command_is_answered_with_its_usage(line, message):
    with pytest.raises(ConfigError, match=re.escape(message)):
        parse_command(line)


def test_blank_lines_mean_nothing_and_misspelt_commands_are_guessed():
    assert parse_command("   ") is None
    mistyped = parse_command("strart")
    assert mistyped is not None
    assert mistyped.verb == "line"
    assert "`start`" in mistyped.hint


def test_the_help_names_every_command():
    text = help_text()
    for usage in USAGE.values():
        assert usage.text in text
    assert help_text("pace").startswith("pace FACTOR")


# -- keys ------------------------------------------------------------------------------


def type_keys(editor: LineEditor, keys: str) -> list[str]:
    return [line for key in keys if (line := editor.feed(key)) is not None]


def test_keys_become_lines_that_can_be_edited():
    editor = LineEditor()
    assert type_keys(editor, "strat\x7f\x7f\x7fart\r") == ["start"]
    assert type_keys(editor, "bd\x1b[Dc\x1b[Ha\x1b[F!\n") == ["abcd!"]
    assert type_keys(editor, "nonsense\x15ok\r") == ["ok"]
    assert type_keys(editor, "ab\x1b[H\x1b[3~\r") == ["b"]
    assert type_keys(editor, "äö\r") == ["äö"]


def test_arrows_bring_old_lines_back():
    editor = LineEditor()
    type_keys(editor, "one\rtwo\r\rtwo\r")
    assert type_keys(editor, "\x1b[A\r") == ["two"]
    assert type_keys(editor, "\x1b[A\x1b[A\r") == ["one"]
    assert type_keys(editor, "\x1b[A\x1b[A\x1b[B\x1b[B\x1b[Bx\r") == ["x"]


def test_unknown_keys_are_swallowed_and_the_end_of_input_ends():
    editor = LineEditor()
    assert type_keys(editor, "a\x1b[5~\x1b[1;5C\x1bx\x02b\r") == ["ab"]
    with pytest.raises(EOFError):
        editor.feed("\x04")
    editor.feed("a")
    editor.feed("\x04")  # deletes, does not end


# -- with a cell -----------------------------------------------------------------------


def console(folder, text: str, script: str, *words: str, **options) -> tuple[int, str]:
    """Let a console read a script; return exit code and what it showed."""
    target = io.StringIO()
    with small_cell(folder, text, *words, **options) as cell:
        code = run_console(
            cell, cell.setup.options, source=io.StringIO(script), target=target
        )
    return code, target.getvalue()


def test_piped_commands_run_the_controllers_until_they_are_idle(tmp_path):
    code, shown = console(tmp_path, ONE, "start\n")
    assert code == 0
    assert "0.000 s  robot0: turn 0\n" in shown
    assert "0.600 s  robot0: turn 2\n" in shown
    assert "-> 0: done by 0\n" in shown
    assert "robot0: trigger done by 0" in shown


def test_without_input_it_ends_at_once(tmp_path):
    code, shown = console(tmp_path, ONE, "")
    assert (code, shown) == (0, "")


def test_lines_triggers_and_selection_reach_the_right_robot(tmp_path):
    script = "hello\nrobot 1\nhow are you\nto 0 grip\ntrigger 1 NOW\ntrigger 77 LOST\n"
    _, shown = console(tmp_path, TWO, script)
    assert "robot0 < success: heard hello\n" in shown
    assert "robot1 < success: heard how are you\n" in shown
    assert "robot0 < success: heard grip\n" in shown
    assert "robot1: trigger NOW\n" in shown
    assert "user -> 77: LOST  (dropped: nobody has this number)" in shown


def test_pause_stop_and_reset_do_what_they_say(tmp_path):
    script = (
        "start\nwait 0.4\npause\nwait 0.1\nstate\nstart\nwait\nstate\n"
        "start\nwait 0.1\nreset\nwait\nstate\nstop\n"
    )
    _, shown = console(tmp_path, ONE, script)
    assert "robot 0: paused; start, stop, reset possible" in shown
    assert shown.count("turn 0") == 2  # going on did not begin anew
    assert shown.count("robot 0: idle; start, reset possible") == 2
    last = shown[shown.rindex("robot 0: idle") :]
    assert "stop changes nothing for no controller now (0: idle)" in last


def test_time_can_be_held_and_stepped(tmp_path):
    script = "hold\nstep 5\nwait 0.05\nstate\ngo\nwait 0.1\nhold\nstate\n"
    _, shown = console(tmp_path, ONE, script)
    states = re.findall(r"^([\d.]+) s (\S+) 0:idle", shown, re.MULTILINE)
    assert states[0] == ("0.05", "held")
    assert float(states[1][0]) == pytest.approx(0.15, abs=0.021)
    assert shown.endswith("time is held and there is no more input\n")


def test_mistakes_are_explained_and_the_rest_is_done(tmp_path):
    script = "trigger x\nto 5 hello\nwindows nope\nshow nope\nstart 7\nhello\npicture a.jpg\n"
    code, shown = console(tmp_path, ONE, script)
    assert code == 0
    for message in (
        "usage: trigger NUMBER TEXT",
        "no controller that takes lines named '5'",
        "no window named 'nope'",
        "no controller named '7'",
        "heard hello",
        "ends with .png",
    ):
        assert message in shown


def test_closed_windows_are_silent_and_can_be_read_later(tmp_path):
    script = "windows debug_out\nstart\nwait\nshow debug_out 3\nwindows\n"
    _, shown = console(tmp_path, ONE, script)
    closed, read = shown.split("debug_out is closed\n")[1].split("0.300 s", 1)
    assert "turn" not in closed
    assert read.startswith("  robot0: turn 1\n0.600 s  robot0: turn 2\n")
    assert "[ ] debug_out: Debug-Out" in shown
    assert "[x] triggers: Trigger Console" in shown


def test_failures_are_shown_with_their_lines(tmp_path):
    _, shown = console(tmp_path, ONE.replace("Waver", "Broken"), "start\n")
    assert "ValueError: no arm today" in shown
    assert "program.py" in shown


def test_a_picture_shows_the_ball(tmp_path):
    path = tmp_path / "a b.png"
    _, shown = console(tmp_path, ONE, f"picture {path}\n")
    assert f"drawn: {path}" in shown
    image = cv2.imread(str(path))
    assert image is not None
    red = image[..., 2].astype(int) - image[..., :2].max(axis=-1)
    assert (red > 100).sum() > 100


def test_quit_leaves_at_once_and_seconds_end_it(tmp_path):
    _, shown = console(tmp_path, ONE, "start\nwait 0.1\nquit\nhello\n")
    assert "turn 0" in shown
    assert "turn 1" not in shown
    assert "hello" not in shown
    _, shown = console(tmp_path, ONE, "start\n", "--seconds", "0.5")
    assert "turn 1" in shown
    assert "turn 2" not in shown


# -- on a terminal ---------------------------------------------------------------------

PROGRAM = "import sys; from gelenk.cli.commands import main; sys.exit(main())"
CONSOLE = [sys.executable, "-c", PROGRAM, "armbot", "--console"]


class OnTerminal:
    """A console on a terminal of its own."""

    def __init__(self, folder) -> None:
        with small_cell(folder):
            pass  # writes the files
        self._leader, follower = pty.openpty()
        env = os.environ | {"TERM": "xterm", "COLUMNS": "100", "LINES": "20"}
        command = [*CONSOLE, "-e", str(folder / "cell.env"), "-simtime", "20"]
        self.process = subprocess.Popen(
            command,
            stdin=follower,
            stdout=follower,
            stderr=follower,
            env=env,
            start_new_session=True,
        )
        os.close(follower)
        self._chunks: list[str] = []
        self._thread = threading.Thread(target=self._drain, daemon=True)
        self._thread.start()

    @property
    def shown(self) -> str:
        return "".join(self._chunks)

    def type(self, text: str) -> None:
        os.write(self._leader, text.encode())

    def wait_for(self, text: str) -> None:
        for _ in range(6000):
            if text in self.shown or self.process.poll() is not None:
                break
            time.sleep(0.01)
        if text not in self.shown:
            self.process.kill()
        assert text in self.shown, self.shown

    def end(self) -> int:
        code = self.process.wait(60)
        self._thread.join(10)
        os.close(self._leader)
        return code

    def _drain(self) -> None:
        try:
            while chunk := os.read(self._leader, 65536):
                self._chunks.append(chunk.decode(errors="replace"))
        except OSError:
            pass


@pytest.mark.slow
def test_a_terminal_has_a_live_line_and_takes_keys(tmp_path):
    terminal = OnTerminal(tmp_path)
    terminal.wait_for("0:idle")
    terminal.type("stat\x7f\x7f\x7f\x7fstart\r")
    terminal.wait_for("robot0: turn 2")
    terminal.wait_for("0:running")
    terminal.type("quit\r")
    assert terminal.end() == 0
    assert "robot0> start" in terminal.shown


@pytest.mark.slow
def test_ctrl_c_leaves_cleanly(tmp_path):
    terminal = OnTerminal(tmp_path)
    terminal.type("start\r")
    terminal.wait_for("robot0: turn 1")
    os.killpg(terminal.process.pid, signal.SIGINT)
    code = terminal.end()
    assert code == 130, terminal.shown
    assert "Traceback" not in terminal.shown
    assert "interrupted" in terminal.shown
