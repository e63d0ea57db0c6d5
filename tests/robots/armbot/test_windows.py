"""Windows and menus without a screen: what they show, what they send, what is lit."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from numpy.testing import assert_allclose

from armbot_cell import small_cell
from armbot_desk import Desk, Pusher, Slow
from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.robots.armbot.debug_out import DebugOut
from gelenk.runtime.bounded_log import SharedLog
from gelenk.runtime.controller import Controller
from gelenk.runtime.controls import QuitRequest
from gelenk.runtime.executor import ControllerState
from gelenk.runtime.run_controls import Buttons


def lit(buttons: Buttons) -> str:
    return " ".join(name for name, on in buttons._asdict().items() if on)


# -- Debug-Out -------------------------------------------------------------------------


def test_lines_carry_the_time_and_the_robot_that_printed_them():
    class Talker(Controller):
        out: DebugOut

        def run(self) -> None:
            self.sleep(0.02)
            self.out.println(f"here is {self.instance_number}", self.instance_number)

    talkers = [Talker(), Talker()]
    with Desk(*talkers, autostart=True) as desk:
        for talker in talkers:
            talker.out = desk.debug_out
        desk.run.run(0.1)
        lines = desk.debug_out.lines

    assert [(x.tick, x.time, x.robot, x.text) for x in lines] == [
        (20, 0.02, 0, "here is 0"),
        (20, 0.02, 1, "here is 1"),
    ]


def test_a_text_of_several_lines_becomes_several_and_an_empty_one_is_a_line():
    out = DebugOut(lambda: (0, 0.0))
    out.println("one\ntwo\n")
    out.println()
    out.println(3.5)
    assert [line.text for line in out.lines] == ["one", "two", "", "3.5"]


def test_a_stack_trace_names_the_function_that_raised():
    def grip_nothing() -> None:
        raise ValueError("no ball")

    out = DebugOut(lambda: (0, 0.0))
    try:
        grip_nothing()
    except ValueError as error:
        out.print_stack_trace(error)
    text = "\n".join(line.text for line in out.lines)
    assert "in grip_nothing" in text
    assert text.endswith("ValueError: no ball")


def test_listeners_hear_every_line_until_they_stop():
    out = DebugOut(lambda: (0, 0.0))
    heard: list[str] = []
    stop = out.listen(lambda line: heard.append(line.text))
    out.println("a")
    stop()
    out.println("b")
    assert heard == ["a"]


def test_a_listener_that_fails_harms_neither_the_writer_nor_others():
    scroll: SharedLog[int] = SharedLog()
    heard: list[int] = []
    scroll.listen(lambda item: 1 // 0)
    scroll.listen(heard.append)
    scroll.append(1)
    scroll.append(2)
    assert heard == [1, 2]
    assert scroll.items == (1, 2)


def test_a_reader_gets_what_came_since_it_last_looked_as_far_as_it_is_kept():
    scroll: SharedLog[int] = SharedLog(kept=3)
    for i in range(5):
        scroll.append(i)
    assert scroll.count == 5
    assert scroll.items == (2, 3, 4)
    assert scroll.since(4) == (4,)
    assert scroll.since(0) == (2, 3, 4)
    assert scroll.since(5) == scroll.since(9) == ()


def test_many_threads_may_write_while_others_read():
    scroll: SharedLog[int] = SharedLog(kept=100)
    writers = [
        threading.Thread(target=lambda: [scroll.append(i) for i in range(2000)])
        for _ in range(4)
    ]
    for thread in writers:
        thread.start()
    while any(thread.is_alive() for thread in writers):
        assert len(scroll.items) <= 100
    assert scroll.count == 8000


# -- Trigger Console -------------------------------------------------------------------


@pytest.mark.capability("AB-37")
def test_a_trigger_sent_by_hand_is_delivered_and_stands_in_the_history():
    pusher = Pusher()
    with Desk(pusher) as desk:
        desk.run.run(0.05)
        done = desk.triggers.send(0, "GO ÄÖ 漢")
        desk.run.run(0.03)
        record = desk.triggers.history[0]

    assert done.result(0) is None
    assert pusher.heard == ["GO ÄÖ 漢"]
    assert (record.tick, record.time, record.sender) == (50, 0.05, "user")
    assert (record.receiver, record.text, record.num_receivers) == (0, "GO ÄÖ 漢", 1)


@pytest.mark.capability("AB-37")
def test_the_history_shows_what_controllers_send_to_each_other_and_to_nobody():
    class Sender(Pusher):
        def run(self) -> None:
            self.send_trigger(1, "take it")
            self.send_trigger(-1, "hello")
            self.send_trigger(77, "lost")

    sender, other = Sender(), Pusher()
    with Desk(sender, other) as desk:
        desk.execute.start(0)
        desk.run.run(0.05)
        history = desk.triggers.history

    assert other.heard == ["take it", "hello"]
    assert [(x.receiver, x.num_receivers) for x in history] == [
        (1, 1),
        (-1, 2),
        (77, 0),
    ]
    assert str(history[1]) == "0.000 s  Sender_0 -> all: hello"
    assert "dropped" in str(history[2])


@pytest.mark.parametrize(("receiver", "text"), [(-2, "x"), (True, "x"), (0, 5)])
def test_what_is_no_trigger_is_refused_at_once(receiver, text):
    with Desk(Pusher()) as desk, pytest.raises(ConfigError, match="needs a number"):
        desk.triggers.send(receiver, text)


# -- Commander -------------------------------------------------------------------------


def test_typed_lines_go_to_the_selected_robot():
    pushers = [Pusher(), Pusher()]
    with Desk(*pushers) as desk:
        desk.commander.send("first")
        desk.commander.select(1)
        desk.commander.send("second")
        desk.commander.send("third", robot=0)
        desk.run.run(0.02)

    assert [x.lines for x in pushers] == [["first", "third"], ["second"]]


def test_answers_stand_beside_the_lines_they_belong_to():
    class Echo(Pusher):
        desk: Desk

        def receive_command(self, line: str) -> None:
            self.desk.commander.answer(f"did {line}\nfine", self.instance_number)

    echo = Echo()
    with Desk(echo) as desk:
        echo.desk = desk
        desk.commander.send("grip")
        desk.run.run(0.02)
        desk.commander.send("open")
        desk.run.run(0.02)
        texts = [str(line) for line in desk.commander.scroll.items]
        answers = [line.text for line in desk.commander.answers]

    assert answers == ["did grip", "fine", "did open", "fine"]
    assert texts[0] == "0.000 s  robot0 > grip"
    assert texts[1] == "0.000 s  robot0 < did grip"


def test_a_robot_without_controller_takes_no_lines():
    with Desk(Pusher()) as desk:
        with pytest.raises(NameNotFoundError, match="Available: 0"):
            desk.commander.send("hello", robot=3)
        with pytest.raises(NameNotFoundError):
            desk.commander.select(3)
        assert desk.commander.scroll.count == 0


# -- Execute ---------------------------------------------------------------------------


@pytest.mark.capability("AB-17", "AB-38", "AB-85")
def test_start_runs_the_controller_and_its_end_is_seen_on_the_buttons():
    pusher = Pusher()
    with Desk(pusher) as desk:
        execute = desk.execute
        assert (execute.state, lit(execute.buttons)) == (
            ControllerState.IDLE,
            "start reset",
        )
        execute.start()
        desk.run.run(0.05)
        assert (execute.state, lit(execute.buttons)) == (
            ControllerState.RUNNING,
            "pause stop reset",
        )
        desk.run.run(1.0)
        assert (execute.state, lit(execute.buttons)) == (
            ControllerState.IDLE,
            "start reset",
        )

    assert pusher.starts == [0]


@pytest.mark.capability("AB-38", "AB-86")
def test_after_stop_the_controller_begins_anew():
    pusher = Pusher()
    with Desk(pusher) as desk:
        desk.execute.start()
        desk.run.run(0.05)
        desk.execute.stop()
        desk.run.run(0.02)
        assert desk.execute.state is ControllerState.IDLE
        desk.execute.start()
        desk.run.run(0.05)

    assert pusher.starts == [0, 0]


@pytest.mark.capability("AB-38", "AB-87")
def test_after_pause_the_controller_goes_on():
    pusher = Pusher()
    with Desk(pusher) as desk:
        desk.execute.start()
        desk.run.run(0.05)
        desk.execute.pause()
        desk.run.run(0.05)
        assert lit(desk.execute.buttons) == "start stop reset"
        assert desk.execute.state is ControllerState.PAUSED
        kept = pusher.count
        desk.execute.start()
        desk.run.run(0.01)

    assert kept > 1
    assert pusher.starts == [0, kept]


@pytest.mark.capability("AB-38")
def test_reset_puts_the_world_to_its_beginning_and_says_when():
    pusher = Pusher()
    with Desk(pusher) as desk:
        desk.execute.start()
        desk.run.run(0.1)
        assert desk.world.joint_positions("robot0")[0] > 0.01
        done = desk.execute.reset()
        assert lit(desk.execute.buttons) == "pause stop"
        assert not done.done()
        for _ in range(5):
            desk.run.tick()
            if done.done():
                break
        assert done.result(0) is None
        assert desk.run.time <= 0.01
        assert desk.world.joint_positions("robot0")[0] == 0.0
        assert lit(desk.execute.buttons) == "start reset"


def test_during_a_reset_nothing_can_be_started():
    with Desk(Pusher(), Slow()) as desk:
        desk.execute.start(1)
        desk.run.run(0.05)
        assert desk.execute.buttons_of(0).start
        done = desk.execute.reset()
        desk.run.tick()
        assert not done.done()  # the slow one has not ended
        assert not desk.execute.buttons_of(0).start
        desk.execute.start(0)
        desk.run.tick()
        assert desk.execute.states[0] is ControllerState.IDLE


@pytest.mark.capability("AB-88")
def test_reset_brings_joints_and_objects_of_a_cell_home(tmp_path):
    with small_cell(tmp_path) as cell:
        arm = cell.robots[0].manipulator
        q, ball = arm.joint_values().copy(), cell.world.pose("red").copy()
        cell.execute.start()
        cell.run.run(0.3)
        assert np.abs(arm.joint_values() - q).max() > 0.1
        assert np.abs(cell.world.pose("red") - ball).max() > 0.05
        done = cell.execute.reset()
        while not done.done():
            cell.run.tick()
        assert cell.run.time == pytest.approx(0.01)  # the tick after the reset
        assert_allclose(arm.joint_values(), q, atol=1e-12)
        assert_allclose(cell.world.pose("red"), ball, atol=0.002)  # falls since 10 ms
        cell.execute.start()
        cell.run.run(0.1)
        turns = [line.text for line in cell.debug_out.lines]

    assert turns[-1] == "turn 0"  # the controller begins anew
    assert turns.count("turn 0") == 2


@pytest.mark.parametrize(
    ("button", "state"), [("stop", "stopping"), ("pause", "pausing")]
)
def test_while_an_end_is_awaited_start_is_dark(button, state):
    with Desk(Slow()) as desk:
        desk.execute.start()
        desk.run.run(0.05)
        desk.execute.press(button)
        desk.run.run(0.02)
        assert desk.execute.state == state
        # A pause that is under way can still become a stop.
        assert lit(desk.execute.buttons) == (
            "stop reset" if button == "pause" else "reset"
        )


@pytest.mark.capability("AB-17")
def test_buttons_for_several_robots_say_what_would_happen_to_one_of_them_at_least():
    quick, slow = Pusher(), Slow()
    with Desk(quick, slow) as desk:
        execute = desk.execute
        execute.start()
        desk.run.run(0.5)
        assert execute.states == {0: ControllerState.IDLE, 1: ControllerState.RUNNING}
        assert execute.state is ControllerState.RUNNING
        assert lit(execute.buttons) == "start pause stop reset"
        assert lit(execute.buttons_of(0)) == "start reset"
        assert lit(execute.buttons_of(1)) == "pause stop reset"
        execute.pause(1)
        desk.run.run(0.2)
        assert execute.state is ControllerState.PAUSED
        execute.start(1)
        desk.run.run(0.02)
        assert (len(quick.starts), len(slow.starts)) == (1, 2)


def test_without_controllers_only_reset_is_lit():
    with Desk() as desk:
        assert (desk.execute.state, lit(desk.execute.buttons)) == (
            ControllerState.IDLE,
            "reset",
        )


def test_buttons_work_from_another_thread_while_the_run_goes_on():
    pusher = Slow()
    with Desk(pusher, pace=1.0) as desk:
        thread = threading.Thread(target=desk.run.run, args=(20.0,))
        thread.start()
        desk.execute.start().result(10.0)
        states = [desk.execute.state]
        desk.execute.reset().result(10.0)
        states.append(desk.execute.state)
        desk.run.post(QuitRequest())
        thread.join(10.0)

    assert states == [ControllerState.RUNNING, ControllerState.IDLE]


def test_a_button_and_a_robot_that_do_not_exist_are_named():
    with Desk(Pusher()) as desk:
        with pytest.raises(NameNotFoundError, match="Did you mean 'start'"):
            desk.execute.press("stert")  # type: ignore[arg-type]
        with pytest.raises(NameNotFoundError, match="Available: 0"):
            desk.execute.start(4)


# -- system log ------------------------------------------------------------------------


def test_the_system_log_has_descriptions_changes_and_failures():
    class Broken(Pusher):
        def get_description(self) -> str:
            return "breaks soon"

        def run(self) -> None:
            self.sleep(0.03)
            raise ValueError("arm fell off")

    with Desk(Broken()) as desk:
        desk.execute.start()
        desk.run.run(0.1)
        lines = desk.system_log.lines

    texts = [str(line) for line in lines]
    assert "0.000 s  info  Broken_0: breaks soon" in texts
    assert "0.000 s  info  Broken_0: idle -> running (start)" in texts
    error = next(line for line in lines if line.level == "error")
    assert error.time == 0.03
    assert error.text.endswith("ValueError: arm fell off")
    assert any("running -> idle (failed: ValueError" in text for text in texts)


# -- windows ---------------------------------------------------------------------------


@pytest.mark.capability("AB-84", "AB-89")
def test_the_menu_has_an_entry_for_every_window_and_toggles_it():
    with Desk(Pusher()) as desk:
        windows = desk.windows
        changes: list[tuple[str, bool]] = []
        windows.listen(lambda name, is_open: changes.append((name, is_open)))
        titles = {action.title for action in windows.menu}
        assert {"Debug-Out", "Commander", "Trigger Console"} <= titles
        assert not any(action.is_checked for action in windows.menu)
        for action in windows.menu:
            assert windows.toggle(action.window)
            windows.open(action.window)  # is open already
        assert all(action.is_checked for action in windows.menu)
        windows.close("triggers")
        assert not windows.is_open("triggers")
        assert windows.is_open("commander")

    assert changes[-1] == ("triggers", False)
    assert len(changes) == len(windows.menu) + 1


@pytest.mark.capability("AB-84")
def test_a_closed_window_shows_later_what_came_meanwhile():
    with Desk(Pusher()) as desk:
        desk.debug_out.println("nobody looks")
        desk.debug_out.println("still nobody")
        desk.windows.open("debug_out")
        shown = desk.windows.lines("debug_out")
        newer = desk.windows.lines("debug_out", since=1)

    assert [line.split(": ")[1] for line in shown] == ["nobody looks", "still nobody"]
    assert newer == shown[1:]


def test_an_unknown_window_is_named_with_what_there_is():
    with Desk(Pusher()) as desk, pytest.raises(NameNotFoundError, match="debug_out"):
        desk.windows.open("debugout")
