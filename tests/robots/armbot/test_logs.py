"""Log files: what stands in them, where they lie, and what happens if they cannot."""

from __future__ import annotations

import re
import threading
import time
from pathlib import Path

import pytest

from armbot_desk import Desk, Pusher
from gelenk.errors import ConfigError
from gelenk.robots.armbot.logs import LogFiles
from gelenk.robots.armbot.options import Options, parse_options
from gelenk.runtime.clock import Pacer
from gelenk.runtime.controller import Controller


def logs_of(desk: Desk, **wishes) -> LogFiles:
    options = Options(**{f"log_{name}": value for name, value in wishes.items()})
    return LogFiles(options, desk.run, desk.debug_out, desk.system_log)


def wishes_of(line: str, folder: Path) -> Options:
    return parse_options([*line.split(), "-logdir", str(folder)])


@pytest.mark.capability("AB-35", "AB-103")
def test_what_controllers_print_stands_in_the_window_and_in_debug_out(tmp_path):
    with Desk() as desk, logs_of(desk, debug=True, folder=tmp_path):
        desk.debug_out.println("gripper öffnet\nfertig", robot=2)
        shown = desk.windows.lines("debug_out")
        during = (tmp_path / "debug.out").read_text("utf-8")

    assert during.splitlines() == list(shown)
    assert during == "0.000 s  robot2: gripper öffnet\n0.000 s  robot2: fertig\n"


@pytest.mark.capability("AB-104")
def test_system_messages_stand_in_syslog_out(tmp_path):
    class Broken(Pusher):
        def run(self) -> None:
            self.sleep(0.03)
            raise ValueError("arm fell off")

    with (
        Desk(Broken(), autostart=True) as desk,
        logs_of(desk, system=True, folder=tmp_path),
    ):
        desk.run.run(0.1)

    text = (tmp_path / "syslog.out").read_text()
    assert "0.000 s  info  Broken_0: idle -> running (start)\n" in text
    assert "0.030 s  error  Broken_0: Traceback" in text
    assert "ValueError: arm fell off\n" in text


class Walker(Controller):
    """Spends its second second in `second_leg`."""

    def run(self) -> None:
        self.first_leg()
        self.second_leg()

    def first_leg(self) -> None:
        self.sleep(1.5)

    def second_leg(self) -> None:
        while self.is_running():
            self.sleep(0.01)


def line_of(function, text: str) -> int:
    """Return the line number in this file where a text stands in a function."""
    code = function.__code__
    lines = Path(__file__).read_text().splitlines()
    found = [i for i, x in enumerate(lines, 1) if i > code.co_firstlineno and text in x]
    return found[0]


@pytest.mark.capability("AB-102")
def test_every_simulated_second_and_robot_state_out_says_where_run_stands(tmp_path):
    pusher = Pusher()
    with Desk(Walker(), pusher) as desk, logs_of(desk, state=True, folder=tmp_path):
        desk.execute.start()
        desk.run.run(2.5)

    lines = (tmp_path / "state.out").read_text().splitlines()
    first, second = (
        line_of(Walker.first_leg, "sleep"),
        line_of(Walker.second_leg, "sleep"),
    )
    of_walker = [line for line in lines if "robot0" in line]
    assert of_walker[1:] == [
        f"1.000 s  robot0  Walker_0  running  {__file__}:{first} in first_leg",
        f"2.000 s  robot0  Walker_0  running  {__file__}:{second} in second_leg",
    ]
    of_pusher = [line for line in lines if "robot1" in line]
    assert of_pusher[1:] == [
        "1.000 s  robot1  Pusher_1  idle",
        "2.000 s  robot1  Pusher_1  idle",
    ]
    assert len(lines) == 6


def test_after_a_reset_the_state_log_begins_at_zero_again(tmp_path):
    with Desk(Pusher()) as desk, logs_of(desk, state=True, folder=tmp_path):
        desk.run.run(1.2)
        done = desk.execute.reset()
        for _ in range(50):
            desk.run.tick()
        assert done.done()

    times = [x.split()[0] for x in (tmp_path / "state.out").read_text().splitlines()]
    assert times == ["0.000", "1.000", "0.000"]


def reports(path: Path) -> list[str]:
    return re.split(r"^==== ", path.read_text(), flags=re.MULTILINE)


@pytest.mark.capability("AB-101")
def test_a_thread_that_is_blocked_appears_with_its_stack(tmp_path):
    class Blocked(Controller):
        def run(self) -> None:
            self.wait_for_a_key()

        def wait_for_a_key(self) -> None:
            is_stuck.set()
            key.wait()

    is_stuck, key = threading.Event(), threading.Event()
    path = tmp_path / "simthreads.out"
    with (
        Desk(Blocked(), budget=None) as desk,
        LogFiles(
            Options(log_threads=True, log_folder=tmp_path),
            desk.run,
            desk.debug_out,
            desk.system_log,
            thread_period=0.01,
        ),
    ):
        desk.execute.start()
        runner = threading.Thread(target=desk.run.run, args=(0.05,), name="the loop")
        runner.start()
        try:
            assert is_stuck.wait(30.0)
            seen = len(reports(path))
            for _ in range(3000):
                if len(reports(path)) > seen + 2:
                    break
                time.sleep(0.01)
            report = reports(path)[-2]  # the last one may be half written
        finally:
            key.set()
            runner.join()

    assert "simulated 0.000 s" in report
    stack = report.split("-- Blocked_0\n")[1].split("\n-- ")[0]
    assert "in wait_for_a_key" in stack
    assert "key.wait()" in stack
    assert "-- the loop\n" in report


@pytest.mark.capability("AB-105", "AB-106")
def test_log_all_writes_every_file_into_the_folder(tmp_path):
    folder = tmp_path / "new" / "logs"
    with (
        Desk(Pusher()) as desk,
        LogFiles(
            wishes_of("-logall", folder), desk.run, desk.debug_out, desk.system_log
        ),
    ):
        desk.debug_out.println("x")
        desk.run.run(0.02)

    sizes = {path.name: path.stat().st_size for path in folder.iterdir()}
    assert set(sizes) == {"debug.out", "state.out", "syslog.out", "simthreads.out"}
    assert min(sizes.values()) > 0


@pytest.mark.capability("AB-107")
def test_log_names_are_extended_behind_the_stem(tmp_path):
    wishes = wishes_of("-logall -lognames abc", tmp_path)
    with (
        Desk(Pusher()) as desk,
        LogFiles(wishes, desk.run, desk.debug_out, desk.system_log),
    ):
        names = {path.name for path in tmp_path.iterdir()}

    assert names == {
        "debug_abc.out",
        "state_abc.out",
        "syslog_abc.out",
        "simthreads_abc.out",
    }


def test_without_wishes_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with Desk(Pusher()) as desk, logs_of(desk):
        desk.debug_out.println("x")
        desk.run.run(0.02)
    assert list(tmp_path.iterdir()) == []


def test_old_files_are_begun_anew(tmp_path):
    path = tmp_path / "debug.out"
    path.write_text("yesterday\n")
    with Desk() as desk, logs_of(desk, debug=True, folder=tmp_path):
        desk.debug_out.println("today")
    assert path.read_text() == "0.000 s  robot0: today\n"


def test_a_file_that_cannot_be_written_is_named_and_nothing_is_half_done(tmp_path):
    kept = tmp_path / "debug.out"
    kept.write_text("yesterday\n")
    (tmp_path / "simthreads.out").mkdir()  # no file can be there
    with Desk() as desk, pytest.raises(ConfigError, match="choose another folder"):
        logs_of(desk, debug=True, state=True, threads=True, folder=tmp_path)

    assert kept.read_text() == "yesterday\n"
    assert {path.name for path in tmp_path.iterdir()} == {"debug.out", "simthreads.out"}


def test_a_folder_below_a_file_is_refused_and_no_folder_is_left_behind(tmp_path):
    (tmp_path / "taken").write_text("")
    with Desk() as desk, pytest.raises(ConfigError, match="-logdir"):
        logs_of(desk, debug=True, folder=tmp_path / "taken" / "logs")
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


@pytest.mark.parametrize("suffix", ["../x", "a\\b"])
def test_a_suffix_that_is_a_path_is_refused(suffix, tmp_path):
    with Desk() as desk, pytest.raises(ConfigError, match="part of a file name"):
        logs_of(desk, debug=True, folder=tmp_path, suffix=suffix)
    assert list(tmp_path.iterdir()) == []


def test_after_the_end_the_files_are_closed_and_the_thread_has_ended(tmp_path):
    with Desk(Pusher()) as desk:
        logs = logs_of(desk, debug=True, threads=True, folder=tmp_path)
        logs.close()
        logs.close()
        desk.debug_out.println("late")
        desk.run.run(0.02)

    assert (tmp_path / "debug.out").read_text() == ""
    assert not any(thread.name == "thread log" for thread in threading.enumerate())


def test_signs_that_utf_8_cannot_write_do_no_harm(tmp_path):
    with Desk() as desk, logs_of(desk, debug=True, folder=tmp_path):
        desk.debug_out.println("broken \ud800 sign")
        desk.debug_out.println("next")
    assert re.search(
        r"broken \\ud800 sign\n.*next", (tmp_path / "debug.out").read_text()
    )


@pytest.mark.capability("AB-185")
@pytest.mark.parametrize(("simtime", "wall"), [("50", 0.5), ("100", 1.0), ("200", 2.0)])
def test_one_simulated_second_takes_the_wall_time_that_simtime_says(simtime, wall):
    now = 0.0

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds

    options = parse_options(["-simtime", simtime])
    pacer = Pacer(options.pace, clock=lambda: now, sleep=sleep)
    for tick in range(101):
        pacer.wait(tick * 0.01)
    assert now == pytest.approx(wall, abs=1e-12)
