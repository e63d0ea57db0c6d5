from __future__ import annotations

import itertools
import time

import pytest

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.runtime.controller import Controller, PureController, TriggerProcessor
from gelenk.runtime.controls import (
    ControlRequest,
    ResetRequest,
    SendLineRequest,
    SendTriggerRequest,
)
from gelenk.runtime.events import CONTROLLER_TOPIC, LOG_TOPIC
from gelenk.runtime.executor import (
    ControllerState,
    LifecycleAction,
    LifecycleEvent,
    next_state,
)
from gelenk.runtime.run import Run
from point_world import PointWorld


class Worker(Controller):
    """Counts; forgets its count in `stop`, and logs every call."""

    made = 0

    def __init__(self) -> None:
        type(self).made += 1
        self.calls: list[str] = []
        self.count = 0

    def run(self) -> None:
        self.calls.append(f"run from {self.count}")
        while self.is_running():
            self.count += 1
            self.sleep(0.01)

    def stop(self) -> None:
        self.calls.append("stop")
        self.count = 0


class PausingWorker(Worker):
    def pause(self) -> None:
        self.calls.append("pause")


class FinishingWorker(PausingWorker):
    def run(self) -> None:
        self.calls.append("run")
        self.sleep(0.05)


class StubbornWorker(PausingWorker):
    """Ends only after some more sleeps."""

    more = 3

    def run(self) -> None:
        super().run()
        for _ in range(self.more):
            self.sleep(0.5)
        self.calls.append("ended")


def make_run(*controllers, **options) -> Run:
    return Run(PointWorld(), controllers, step=0.001, **options)


def press(run: Run, action, controller: str = "") -> None:
    run.do(ControlRequest(action=action, controller=controller))


def changes_of(run: Run) -> list[tuple[str, str, str]]:
    seen: list[tuple[str, str, str]] = []
    run.bus.subscribe(
        CONTROLLER_TOPIC, lambda e: seen.append((e.previous, e.state, e.reason))
    )
    return seen


def test_no_event_leads_to_two_runs():
    """A run begins only where none can be alive, and only a return ends one."""
    alive = {ControllerState.RUNNING, ControllerState.STOPPING, ControllerState.PAUSING}
    for state, event, has_pause in itertools.product(
        ControllerState, LifecycleEvent, (False, True)
    ):
        transition = next_state(state, event, has_pause=has_pause)
        if transition is None:
            continue
        if LifecycleAction.RUN in transition.actions:
            assert state not in alive
            assert transition.state is ControllerState.RUNNING
        elif state in alive and event not in (
            LifecycleEvent.RETURNED,
            LifecycleEvent.FAILED,
        ):
            assert transition.state in alive


@pytest.mark.parametrize(
    ("state", "event", "after", "actions"),
    [
        ("idle", "start", "running", "run"),
        ("idle", "stop", "idle", "stop"),
        ("idle", "pause", None, ""),
        ("idle", "resume", None, ""),
        ("running", "start", None, ""),
        ("running", "pause", "pausing", "request_end pause"),
        ("running", "stop", "stopping", "request_end stop"),
        ("running", "returned", "idle", "stop"),
        ("paused", "start", "running", "run"),
        ("paused", "resume", "running", "run"),
        ("paused", "stop", "idle", "stop"),
        ("paused", "pause", None, ""),
        ("pausing", "start", None, ""),
        ("pausing", "returned", "paused", ""),
        ("pausing", "stop", "stopping", "stop"),
        ("stopping", "start", None, ""),
        ("stopping", "pause", None, ""),
        ("stopping", "returned", "idle", "stop"),
        ("running", "failed", "idle", "stop"),
        ("pausing", "failed", "idle", "stop"),
        ("paused", "failed", None, ""),
    ],
)
def test_the_table_of_states(state, event, after, actions):
    transition = next_state(
        ControllerState(state), LifecycleEvent(event), has_pause=True
    )

    assert (transition and transition.state) == (after and ControllerState(after))
    assert " ".join(transition.actions if transition else ()) == actions


@pytest.mark.capability("AB-14", "AB-22")
def test_one_object_serves_many_starts_and_begins_anew_after_each_stop():
    before = Worker.made
    worker = Worker()
    with make_run(worker) as run:
        for _ in range(3):
            run.run(0.05)
            press(run, "stop")
            run.run(0.02)
            press(run, "start")
        run.run(0.02)

    assert Worker.made == before + 1
    assert [call for call in worker.calls if "run" in call] == ["run from 0"] * 4


@pytest.mark.capability("AB-17", "AB-19")
def test_a_task_that_is_done_is_idle_and_stopped():
    worker = FinishingWorker()
    with make_run(worker) as run:
        seen = changes_of(run)
        assert run.run_until_idle(1.0)
        assert run.time == pytest.approx(0.06)
        run.run(0.02)

    assert worker.calls == ["run", "stop"]
    assert seen == [("idle", "running", "start"), ("running", "idle", "finished")]


@pytest.mark.capability("AB-18", "AB-19")
def test_stop_cuts_a_sleep_short_and_is_called_twice():
    class Sleeper(Worker):
        def run(self) -> None:
            self.calls.append(f"sleep: {self.sleep(100.0)}")
            self.calls.append(f"running: {self.is_running()}")

    worker = Sleeper()
    with make_run(worker) as run:
        run.run(0.1)
        press(run, "stop")
        run.tick()
        state = run.states["Sleeper_0"]
        press(run, "stop")

    assert state is ControllerState.IDLE
    assert worker.calls == ["stop", "sleep: False", "running: False", "stop", "stop"]


@pytest.mark.capability("AB-20", "AB-22")
def test_pause_keeps_the_progress_and_start_goes_on_with_it():
    worker = PausingWorker()
    with make_run(worker) as run:
        seen = changes_of(run)
        run.run(0.05)
        press(run, "pause")
        run.run(0.05)
        assert run.states["PausingWorker_0"] is ControllerState.PAUSED
        press(run, "resume")
        run.run(0.05)

    assert worker.calls[:3] == ["run from 0", "pause", "run from 5"]
    assert [state for _, state, _ in seen][:4] == [
        "running",
        "pausing",
        "paused",
        "running",
    ]


@pytest.mark.capability("AB-21")
def test_a_controller_without_pause_is_stopped_instead():
    worker = Worker()
    with make_run(worker) as run:
        run.run(0.05)
        press(run, "pause")
        run.tick()
        state = run.states["Worker_0"]

    assert state is ControllerState.IDLE
    assert worker.calls == ["run from 0", "stop", "stop"]


@pytest.mark.capability("AB-193")
@pytest.mark.parametrize("action", ["stop", "pause"])
def test_nothing_starts_before_the_old_run_has_ended(action):
    worker = StubbornWorker()
    with make_run(worker) as run:
        run.run(0.05)
        press(run, action)
        for _ in range(2):
            run.tick()
            press(run, "start")
            assert run.states["StubbornWorker_0"] in (
                ControllerState.STOPPING,
                ControllerState.PAUSING,
            )
        run.run(0.1)
        runs_so_far = worker.calls.count("run from 0")
        final = run.states["StubbornWorker_0"]

    assert runs_so_far == 1
    assert "ended" in worker.calls
    assert final is (
        ControllerState.IDLE if action == "stop" else ControllerState.PAUSED
    )


@pytest.mark.capability("AB-193")
def test_the_return_after_a_pause_does_not_call_stop():
    worker = PausingWorker()
    with make_run(worker) as run:
        run.run(0.05)
        press(run, "pause")
        run.run(0.1)
        calls = list(worker.calls)

    assert calls == ["run from 0", "pause"]


def test_a_run_that_does_not_end_is_named_after_five_simulated_seconds():
    class Deaf(Worker):
        def run(self) -> None:
            while True:
                self.sleep(0.1)

    with make_run(Deaf()) as run:
        log: list = []
        run.bus.subscribe(LOG_TOPIC, lambda e: log.append((e.level, e.source, e.text)))
        press(run, "stop")
        run.run(4.9)
        assert log == [("info", "Deaf_0", "Deaf")]
        run.run(0.3)

    assert log[1][:2] == ("warning", "Deaf_0")
    assert "it must test is_running()" in log[1][2]


def test_nothing_runs_before_start_and_start_reaches_one_or_all():
    first, second = Worker(), Worker()
    with make_run(first, second, autostart=False) as run:
        run.run(0.05)
        assert first.calls == second.calls == []
        press(run, "start", "Worker_1")
        run.run(0.05)
        assert (first.count, second.count) == (0, 5)
        press(run, "start")
        run.run(0.05)
        assert (first.count, second.count) == (5, 10)
        with pytest.raises(NameNotFoundError, match="Did you mean 'Worker_1'"):
            press(run, "stop", "Wrker_1")


@pytest.mark.capability("AB-195")
def test_the_world_goes_on_while_controllers_are_idle_or_paused():
    world = PointWorld()
    world.command("arm", [1.0])
    with Run(world, [PausingWorker()], step=0.001, autostart=False) as run:
        run.run(0.1)
        moved = world.joint_positions("arm")[0]
        press(run, "start")
        run.run(0.1)
        press(run, "pause")
        run.run(0.1)

    assert 0.0 < moved < world.joint_positions("arm")[0]
    assert world.tick == 300


def test_stop_must_not_wait():
    class Waiting(Worker):
        def stop(self) -> None:
            self.sleep(0.1)

    with make_run(Waiting()) as run:
        log: list[str] = []
        run.bus.subscribe(LOG_TOPIC, lambda event: log.append(event.text))
        press(run, "stop")
        run.run(0.05)

    assert any("but not in stop()" in text for text in log)


@pytest.mark.slow
def test_a_stop_that_hangs_or_raises_does_not_take_the_run_down():
    class Bad(Worker):
        def stop(self) -> None:
            raise OSError("motor does not answer")

    class Hanging(Worker):
        def stop(self) -> None:
            while True:
                time.monotonic()

    with make_run(Bad(), Hanging(), budget=0.4) as run:
        log: list[str] = []
        run.bus.subscribe(LOG_TOPIC, lambda event: log.append(event.text))
        press(run, "stop")
        run.run(0.05)
        assert set(run.states.values()) == {ControllerState.IDLE}

    assert any("motor does not answer" in text for text in log)
    assert any("Hanging_1.stop() did not wait" in text for text in log)


@pytest.mark.capability("AB-24")
def test_the_configuration_comes_once_and_before_the_first_run():
    class Configured(Worker):
        def requires_configuration(self) -> bool:
            return True

        def configure(self, params: str) -> None:
            self.calls.append(f"configure {params} for {self.instance_number}")

    worker = Configured()
    with make_run(worker, configurations={0: "3;4"}) as run:
        run.run(0.02)
        run.do(ResetRequest())
        run.run(0.02)
        press(run, "start")
        run.run(0.02)

    assert worker.calls[:2] == ["configure 3;4 for 0", "run from 0"]
    assert sum("configure" in call for call in worker.calls) == 1
    with pytest.raises(ConfigError, match="requires a configuration"):
        make_run(Configured())


@pytest.mark.capability("AB-25")
def test_a_refused_configuration_prevents_the_run_with_a_message():
    class Picky(Worker):
        def configure(self, params: str) -> None:
            raise ValueError("expected two numbers")

    worker = Picky()
    with pytest.raises(ConfigError, match=r"'Picky_0' refuses .*'x'.*two numbers"):
        make_run(worker, configurations={0: "x"})
    assert worker.calls == []
    with pytest.raises(ConfigError, match="number 5"):
        make_run(Worker(), configurations={5: "x"})


def test_a_controller_introduces_itself():
    class Described(Worker):
        def get_description(self) -> str:
            return "sorts balls by colour"

    with make_run(Described()) as run:
        log: list = []
        run.bus.subscribe(LOG_TOPIC, lambda event: log.append(event.text))
        run.tick()
        run.tick()

    assert log == ["sorts balls by colour"]


@pytest.mark.capability("AB-36")
def test_typed_lines_reach_the_controller_with_the_number():
    class Obedient(Worker):
        def receive_command(self, line: str) -> None:
            self.calls.append(line)

    first, second = Obedient(), Obedient()
    with make_run(first, second, autostart=False) as run:
        run.do(SendLineRequest(line="open 20"))
        run.do(SendLineRequest(line="close", instance=1))
        run.tick()

    assert first.calls == ["open 20"]
    assert second.calls == ["close"]


class Remembering(TriggerProcessor):
    def __init__(self) -> None:
        self.seen = 0

    def receive_trigger(self, trigger: str) -> None:
        self.seen += 1

    def reset(self) -> None:
        self.seen = 0


def test_reset_waits_for_the_runs_and_begins_the_world_anew():
    world, fresh = PointWorld(), PointWorld()
    fresh.step(10)
    worker, processor = StubbornWorker(), Remembering()
    pure = PureController(
        name="pure",
        step=lambda cfg, state, obs: (state + 1, 1.0),
        cfg=None,
        initial=0,
        observe=lambda view: None,
        apply=lambda view, command: view.world.command("arm", [command]),
    )
    with Run(world, [worker, pure], step=0.001, processors={9: processor}) as run:
        run.watchdogs.add("dog", 10.0)
        run.run(0.2)
        run.executors[0].services.triggers.send(9, "x", sender="test")
        run.run(0.02)
        assert processor.seen == 1
        run.do(ResetRequest())
        run.tick()
        assert run.time > 0.2  # the stubborn one still runs, so time goes on
        run.run(1.0, until=lambda: run.time < 0.2)

        assert world.tick == 10  # the tick that reset went on from the beginning
        assert run.states == {
            "StubbornWorker_0": ControllerState.IDLE,
            "pure": ControllerState.IDLE,
        }
        assert run.executors[1].value == 0
        assert processor.seen == 0
        assert world.state_hash() == fresh.state_hash()


def test_reset_ends_a_run_that_ignores_it():
    class Deaf(Worker):
        def run(self) -> None:
            while True:
                self.sleep(0.1)

    with make_run(Deaf()) as run:
        run.run(0.1)
        future = run.post(ResetRequest())
        run.run(6.0, until=future.done)

        assert future.done()
        assert run.states["Deaf_0"] is ControllerState.IDLE
        assert run.time < 0.1


def test_reset_forgets_triggers_under_way_and_handlers_at_work():
    class Slow(Worker):
        def receive_trigger(self, trigger: str) -> None:
            self.calls.append(f"begin {trigger}")
            self.sleep(0.1)
            self.calls.append(f"end {trigger}")

    worker = Slow()
    with make_run(worker, autostart=False) as run:
        for text in "ab":
            run.do(SendTriggerRequest(receiver=0, text=text))
        run.run(0.05)
        run.do(SendTriggerRequest(receiver=0, text="c"))
        run.do(ResetRequest())
        run.run(0.5)

    assert [call for call in worker.calls if call != "stop"] == ["begin a"]


@pytest.mark.capability("AB-15")
def test_motor_commands_are_refused_during_construction():
    world = PointWorld()

    class Eager(Controller):
        def __init__(self) -> None:
            self.command("arm", [1.0])

    with pytest.raises(RuntimeError, match="a constructor only prepares"):
        Eager()
    world.step(10)
    assert world.joint_positions("arm")[0] == 0.0


def test_what_was_said_in_the_last_tick_before_a_reset_is_still_heard():
    with make_run(Worker()) as run:
        seen = changes_of(run)
        run.run(0.05)
        run.do(ResetRequest())
        run.run(0.05)
    assert [state for _, state, _ in seen] == ["running", "stopping", "idle"]
