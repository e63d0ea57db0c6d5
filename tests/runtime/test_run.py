"""The loop: requests from other threads, holding, stepping, pace, rewinding, the end."""

from __future__ import annotations

import dataclasses
import signal
import threading
import time
from dataclasses import dataclass

import numpy as np
import pytest

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.runtime.controller import Controller, PureController
from gelenk.runtime.controls import (
    ControlRequest,
    HoldRequest,
    ProceedRequest,
    QuitRequest,
    RewindRequest,
    SendTriggerRequest,
    SetPaceRequest,
    SingleStepRequest,
)
from gelenk.runtime.events import CONTROLLER_TOPIC, LOG_TOPIC, TRIGGER_TOPIC
from gelenk.runtime.executor import ControllerState, RewindError
from gelenk.runtime.recorder import Recorder
from gelenk.runtime.recording import open_recording
from gelenk.runtime.run import Run
from point_world import PointWorld


@dataclass(frozen=True)
class Memory:
    count: int
    heard: tuple[str, ...]
    trace: np.ndarray


def swing(cfg: float, state: Memory, q: float) -> tuple[Memory, float]:
    trace = np.append(state.trace, q)[-20:]
    command = cfg * np.sin(0.7 * state.count) - 0.3 * q + 0.01 * len(state.heard)
    return Memory(state.count + 1, state.heard, trace), float(command)


def swinger() -> PureController:
    return PureController(
        name="swing",
        step=swing,
        cfg=1.5,
        initial=Memory(0, (), np.zeros(0)),
        observe=lambda view: float(view.world.joint_positions("arm")[0]),
        apply=lambda view, command: view.world.command("arm", [command]),
        on_trigger=lambda cfg, state, text: Memory(
            state.count, (*state.heard, text), state.trace
        ),
    )


class Idle(Controller):
    def run(self) -> None:
        while self.is_running():
            self.sleep(0.01)


def make_run(*controllers, **options) -> Run:
    return Run(PointWorld(), controllers, step=0.001, **options)


def in_background(run: Run, seconds=None) -> threading.Thread:
    thread = threading.Thread(target=run.run, args=(seconds,))
    thread.start()
    return thread


def test_requests_from_another_thread_are_carried_out_between_ticks():
    ticks: list[int] = []
    with make_run(swinger(), history=0, autostart=False) as run:
        thread = in_background(run)
        run.post(HoldRequest()).result(10)
        held_at = run.clock.tick
        time.sleep(0.02)
        assert run.clock.tick == held_at
        assert held_at % 10 == 0
        assert run.is_held

        run.post(ControlRequest(action="start")).result(10)
        assert run.states == {"swing": ControllerState.RUNNING}
        run.post(SingleStepRequest(count=3)).result(10)
        deadline = time.monotonic() + 10
        while run.clock.tick < held_at + 30 and time.monotonic() < deadline:
            time.sleep(1e-3)
        time.sleep(0.02)
        ticks.append(run.clock.tick - held_at)

        run.post(ProceedRequest()).result(10)
        while run.clock.tick <= held_at + 100 and time.monotonic() < deadline:
            time.sleep(1e-3)
        ticks.append(run.clock.tick - held_at)
        with pytest.raises(NameNotFoundError, match="Did you mean 'swing'"):
            run.post(ControlRequest(action="stop", controller="swingg")).result(10)
        run.post(QuitRequest()).result(10)
        thread.join(10)
        assert not thread.is_alive()

    assert ticks[0] == 30
    assert ticks[1] > 100


def test_a_refused_request_is_logged_and_the_run_goes_on():
    with make_run(swinger()) as run:
        log: list[str] = []
        run.bus.subscribe(LOG_TOPIC, lambda e: log.append(e.text))
        future = run.post(RewindRequest(tick=5))
        run.run(0.05)

    assert isinstance(future.exception(0), RewindError)
    assert any("keeps no history" in text for text in log)


def test_pace_holds_simulated_time_back_and_can_change():
    with make_run(pace=1000.0) as run:
        start = time.monotonic()
        run.run(1.0)
        quick = time.monotonic() - start
        run.do(SetPaceRequest(pace=2.0))
        start = time.monotonic()
        run.run(1.0)
        slow = time.monotonic() - start

    assert slow > 0.48
    assert quick < 0.5 * slow


def test_a_request_does_not_wait_for_a_slow_pace():
    with make_run(pace=1e-4) as run:
        thread = in_background(run)
        run.post(QuitRequest()).result(20)
        thread.join(20)

        assert not thread.is_alive()


def hashes_of(run: Run, count: int) -> list[str]:
    world, values = run.executors[0].services.world, []
    for _ in range(count):
        run.tick()
        values.append(world.state_hash())
    return values


def test_a_rewound_run_repeats_itself_bit_by_bit():
    with make_run(swinger(), history=1000) as run:
        run.watchdogs.add("dog", 0.3)
        changes: list = []
        run.bus.subscribe(CONTROLLER_TOPIC, changes.append)
        run.run(0.2)
        run.do(SendTriggerRequest(receiver=0, text="once"))  # under way at tick 200
        first = hashes_of(run, 50)
        memory = run.executors[0].value
        changed = len(changes)

        run.do(RewindRequest(tick=210))
        assert (run.clock.tick, run.time) == (210, 0.21)
        again = hashes_of(run, 49)

        assert again == first[1:]
        assert run.executors[0].value.heard == memory.heard == ("once",)
        np.testing.assert_array_equal(run.executors[0].value.trace, memory.trace)
        assert len(changes) == changed

        for tick in np.random.default_rng(3).permutation(np.arange(200, 700, 10))[:20]:
            if int(tick) in run.history.ticks:
                run.do(RewindRequest(tick=int(tick)))
                assert hashes_of(run, 1) == [first[(int(tick) - 200) // 10]]


def test_a_pure_state_that_is_changed_in_place_is_still_rewound():
    def sloppy(cfg, state, q):
        state[0] += 1.0
        return state, None

    controller = PureController(
        name="sloppy",
        step=sloppy,
        cfg=None,
        initial=np.zeros(1),
        observe=lambda view: None,
        apply=lambda view, command: None,
    )
    with make_run(controller, history=100) as run:
        run.run(0.1)
        run.do(RewindRequest(tick=30))

        assert run.executors[0].value[0] == 3.0


def test_the_history_is_bounded_and_says_what_it_holds():
    with make_run(swinger(), history=10) as run:
        run.run(1.0)

        assert run.history.ticks == tuple(range(900, 1000, 10))
        with pytest.raises(RewindError, match=r"from 900 to 990; the nearest is 900"):
            run.do(RewindRequest(tick=500))


def test_a_run_with_a_program_at_work_refuses_to_go_back():
    with make_run(Idle(), history=100) as run:
        run.run(0.1)
        with pytest.raises(RewindError, match="'Idle_0' is running"):
            run.do(RewindRequest(tick=50))
        run.do(ControlRequest(action="stop"))
        run.run(0.1)
        with pytest.raises(RewindError, match="'Idle_0' was then running"):
            run.do(RewindRequest(tick=50))
        run.do(RewindRequest(tick=150))

        assert run.clock.tick == 150


def test_a_run_ends_after_its_time_in_whole_ticks():
    with make_run() as run:
        run.run(0.1)
        run.run(0.3)
        assert run.clock.tick == 400
        run.run(0.001)
        assert run.clock.tick == 410


def test_publishers_speak_in_every_tick_with_the_time_of_the_tick():
    seen = []
    with make_run(publishers=[lambda view: seen.append((view.time, view.bus))]) as run:
        run.run(0.03)

    assert [time for time, _ in seen] == [0.0, 0.01, 0.02]
    assert seen[0][1] is run.bus


def test_a_world_that_does_not_tell_its_step_must_be_told():
    with pytest.raises(ConfigError, match="give the physics step"):
        Run(PointWorld())


def test_a_broken_world_ends_the_run_but_not_its_controllers_threads():
    class Broken(PointWorld):
        def step(self, n: int = 1) -> None:
            if self.tick >= 50:
                raise FloatingPointError("not finite")
            super().step(n)

    before = set(threading.enumerate())
    with (
        pytest.raises(FloatingPointError),
        Run(Broken(), [Idle(), Idle()], step=0.001) as run,
    ):
        run.run(1.0)

    deadline = time.monotonic() + 5.0
    while set(threading.enumerate()) - before and time.monotonic() < deadline:
        time.sleep(1e-3)
    assert set(threading.enumerate()) - before == set()


@pytest.mark.parametrize("place", ["run", "stop", "step"])
def test_an_interrupt_from_the_keyboard_ends_the_run_and_all_its_threads(place):
    def interrupt(seconds=0.05):
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            pass

    class Interrupting(Idle):
        def run(self) -> None:
            interrupt() if place == "run" else None
            super().run()

        def stop(self) -> None:
            if place == "stop" and not ended:
                ended.append(True)
                interrupt()

    def step(cfg, state, observation):
        if place == "step" and not ended:
            ended.append(True)
            interrupt()
        return state, None

    ended: list[bool] = []
    controller = Interrupting()
    pure = dataclasses.replace(swinger(), step=step, apply=lambda view, command: None)
    before = set(threading.enumerate())

    def go() -> None:
        with make_run(controller, Idle(), pure) as run:
            run.run(0.05)
            run.do(ControlRequest(action="stop"))
            run.run(0.05)

    with pytest.raises(KeyboardInterrupt):
        go()

    deadline = time.monotonic() + 5.0
    while set(threading.enumerate()) - before and time.monotonic() < deadline:
        time.sleep(1e-3)
    assert set(threading.enumerate()) - before == set()


def test_everything_that_happened_is_in_the_recording(tmp_path):
    path = tmp_path / "run.mcap"
    with Recorder(path) as recorder:
        with make_run(Idle(), recorder=recorder) as run:
            run.run(0.05)
            run.do(SendTriggerRequest(receiver=0, text="hello"))
            run.run(0.02)
        run.close()

    with open_recording(path) as recording:
        states = [m.value["state"] for m in recording.messages(CONTROLLER_TOPIC)]
        triggers = [m.value for m in recording.messages(TRIGGER_TOPIC)]
    assert states == ["running", "idle"]
    assert [(t["time"], t["text"]) for t in triggers] == [(0.05, "hello")]
