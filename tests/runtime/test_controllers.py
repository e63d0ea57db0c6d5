"""Controllers of both kinds in lockstep with a world."""

from __future__ import annotations

import logging
import multiprocessing
import threading
import time
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from gelenk.errors import ConfigError
from gelenk.runtime.controller import Controller, PureController
from gelenk.runtime.events import CONTROLLER_TOPIC, LOG_TOPIC
from gelenk.runtime.executor import ControllerState
from gelenk.runtime.run import Run
from point_world import PointWorld


def make_run(controllers=(), **options) -> Run:
    world = options.pop("world", None) or PointWorld()
    return Run(world, controllers, step=0.001, **options)


def messages(run: Run, topic: str) -> list:
    """All messages of a topic that the run delivers from now on."""
    seen: list = []
    run.bus.subscribe(topic, seen.append)
    return seen


class Script(Controller):
    """Runs a function of itself."""

    def __init__(self, body=lambda self: None, name: str = "") -> None:
        self.body, self.name, self.log = body, name, []

    def run(self) -> None:
        self.body(self)


def count_to(cfg: int, state: int, observation: float) -> tuple[int, float]:
    return state + cfg, observation


def counter(name: str = "counter", **options) -> PureController:
    settings = {
        "step": count_to,
        "cfg": 1,
        "initial": 0,
        "observe": lambda view: view.time,
        "apply": lambda view, command: None,
    }
    return PureController(name=name, **(settings | options))


@pytest.mark.capability("AB-16")
def test_run_has_a_thread_of_its_own():
    threads = []
    with make_run([Script(lambda c: threads.append(threading.get_ident()))]) as run:
        run.tick()

    assert threads
    assert threads[0] != threading.get_ident()


def test_time_stands_still_while_a_controller_works_and_goes_on_while_it_sleeps():
    times = []

    def body(c):
        for seconds in (0.05, 0.3, 0.01, 1.0 / 3.0):
            before = c.time
            time.sleep(0.002)
            times.append((before, c.time))
            assert c.sleep(seconds)
        times.append((c.time, c.time))

    with make_run([Script(body)]) as run:
        assert run.run_until_idle(2.0)

    starts = [start for start, _ in times]
    assert all(start == end for start, end in times)
    # 1/3 s is 33.3 control ticks, so it ends at the 34th.
    np.testing.assert_allclose(starts, [0.0, 0.05, 0.35, 0.36, 0.70], atol=1e-12)


@pytest.mark.parametrize("period", [0.001, 0.003, 0.01])
def test_many_short_sleeps_add_up_exactly(period):
    ticks = []

    def body(c):
        for _ in range(300):
            c.sleep(period)
        ticks.append(c.world.tick)

    with make_run([Script(body)], period=period) as run:
        run.run_until_idle(4.0)

    assert ticks == [round(300 * period / 0.001)]


def test_a_sleep_of_nothing_waits_for_the_next_control_tick():
    times = []

    def body(c):
        c.sleep(0.0)
        times.append(c.time)

    with make_run([Script(body)]) as run:
        run.run_until_idle(1.0)

    assert times == [0.01]


def test_wait_until_ends_with_its_condition_or_its_timeout():
    results = []

    def body(c):
        results.append((c.wait_until(lambda: c.time >= 0.2), c.time))
        results.append((c.wait_until(lambda: False, timeout=0.1), c.time))
        results.append((c.wait_until(lambda: False, timeout=0.0), c.time))

    with make_run([Script(body)]) as run:
        run.run_until_idle(1.0)

    assert results == [(True, 0.2), (False, 0.3), (False, 0.3)]


@pytest.mark.capability("AB-08")
def test_a_controller_moves_its_robot_and_waits_for_the_motion():
    found = []

    def body(c):
        c.command("arm", [0.7])
        assert c.wait_motion("arm", timeout=5.0)
        found.append((c.world.joint_positions("arm")[0], c.time))

    world = PointWorld()
    with make_run([Script(body)], world=world) as run:
        run.run_until_idle(10.0)

    position, at = found[0]
    assert position == pytest.approx(0.7, abs=1e-3)
    # Critically damped, 10 1/s: |error| = 0.7 (1 + 10 t) exp(-10 t) = 1e-3 at 0.92 s.
    assert 0.85 < at < 1.0


def test_wait_motion_wants_to_know_where_to():
    with make_run([Script(lambda c: c.wait_motion("arm"))]) as run:
        log = messages(run, LOG_TOPIC)
        run.run(0.05)

    assert any("needs a `target`" in event.text for event in log)


def test_a_pure_controller_steps_once_per_period():
    seen = []
    fast = counter(apply=lambda view, command: seen.append(("fast", command)))
    slow = counter(
        "slow", period=0.03, apply=lambda view, c: seen.append(("slow", round(c, 6)))
    )
    with make_run([fast, slow]) as run:
        run.run(0.09)
        values = [host.value for host in run.executors]

    assert [t for name, t in seen if name == "slow"] == [0.0, 0.03, 0.06]
    assert values == [9, 3]


def test_a_pure_controller_ends_when_its_state_says_so():
    with make_run([counter(is_done=lambda state: state == 5)]) as run:
        changes = messages(run, CONTROLLER_TOPIC)
        assert run.run_until_idle(1.0)
        assert run.time == pytest.approx(0.05)

    assert [(c.state, c.reason) for c in changes][-1] == ("idle", "finished")


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"period": 0.015}, "not a whole multiple of the control period 0.01 s"),
        ({"period": 0.0105}, "not a whole multiple of the physics step 0.001 s"),
    ],
)
def test_periods_that_do_not_fit_are_refused(options, text):
    with pytest.raises(ConfigError, match=text):
        make_run([counter(**options)])


def test_a_control_period_between_ticks_is_refused_with_its_neighbours():
    with pytest.raises(ConfigError, match=r"use 0.002 or 0.003"):
        make_run(period=0.0025)


def test_controllers_act_in_the_order_of_their_numbers_whatever_their_kind():
    order = []

    def body(c):
        while c.is_running():
            order.append(c.instance_number)
            c.sleep(0.01)

    def pure(number):
        return counter(f"p{number}", apply=lambda view, _: order.append(number))

    crew = {7: Script(body), 2: pure(2), 0: Script(body), 3: pure(3), 5: Script(body)}
    with make_run(crew) as run:
        run.run(0.05)

    assert order == [0, 2, 3, 5, 7] * 5


@pytest.mark.capability("AB-27")
def test_two_controllers_of_one_class_know_their_numbers():
    seen = []
    with make_run([Script(lambda c: seen.append(c.instance_number))] * 1) as run:
        run.tick()
    crew = [Script(lambda c: seen.append((c.instance_number, c.name))) for _ in "ab"]
    with make_run(crew) as run:
        run.tick()

    assert seen == [0, (0, "Script_0"), (1, "Script_1")]


def wander(seed: int, jitter: bool):
    """A controller with many waits of random length, coupled to others by triggers."""
    rng = np.random.default_rng(seed)
    noise = np.random.default_rng(time.monotonic_ns())

    def body(c):
        while c.is_running():
            if jitter:
                time.sleep(float(noise.exponential(3e-4)))
            c.command(c.name, [rng.uniform(-1, 1) + 0.1 * len(c.log)])
            c.send_trigger(int(rng.integers(0, 4)), f"{c.name} {c.time:.3f}")
            if rng.random() < 0.5:
                c.sleep(rng.uniform(0.0, 0.05))
            else:
                goal = rng.uniform(-0.3, 0.3)
                c.wait_until(
                    lambda goal=goal: c.world.joint_positions(c.name)[0] > goal,
                    timeout=0.08,
                )

    return body


class Wanderer(Script):
    def receive_trigger(self, trigger: str) -> None:
        self.log.append((self.time, trigger))


def wander_run(jitter: bool) -> tuple[str, list]:
    names = tuple("abcd")
    world = PointWorld(names)
    crew = [Wanderer(wander(i, jitter), name) for i, name in enumerate(names)]
    pull = counter(
        "pure",
        observe=lambda view: float(world.joint_positions("a")[0]),
        apply=lambda view, q: view.world.command("d", [0.5 * q]),
    )
    with make_run([*crew, pull], world=world) as run:
        run.run(1.5)
    return world.state_hash(), [c.log for c in crew]


def burn(stop) -> None:
    while not stop.is_set():
        sum(range(10_000))


@pytest.mark.slow
def test_results_do_not_depend_on_threads_or_the_load_of_the_machine():
    calm = wander_run(jitter=False)
    context = multiprocessing.get_context("spawn")
    stop = context.Event()
    burners = [context.Process(target=burn, args=(stop,)) for _ in range(2)]
    for process in burners:
        process.start()
    try:
        loaded = [wander_run(jitter=False), wander_run(jitter=True)]
    finally:
        stop.set()
        for process in burners:
            process.join()

    assert len(calm[1][0]) > 5
    assert loaded == [calm, calm]
    assert wander_run(jitter=True) == calm


def test_an_exception_ends_one_controller_and_nothing_else(caplog):
    def broken(c):
        c.sleep(0.02)
        raise ValueError("the gripper is not there")

    def sound(c):
        while c.is_running():
            c.log.append(c.time)
            c.sleep(0.01)

    other = Script(sound)
    bad = counter("bad", step=lambda cfg, state, obs: 1 / (2 - state))
    with make_run([Script(broken, "arm"), bad, other]) as run:
        log = messages(run, LOG_TOPIC)
        changes = messages(run, CONTROLLER_TOPIC)
        with caplog.at_level(logging.ERROR):
            run.run(0.1)
        states = run.states

    assert states == {
        "arm": ControllerState.IDLE,
        "bad": ControllerState.IDLE,
        "Script_2": ControllerState.RUNNING,
    }
    assert len(other.log) == 10
    texts = {event.source: event.text for event in log if event.level == "error"}
    assert "in broken" in texts["arm"]
    assert "ValueError: the gripper is not there" in texts["arm"]
    assert "the gripper is not there" in caplog.text
    assert ("arm", "failed: ValueError: the gripper is not there") in [
        (change.controller, change.reason) for change in changes
    ]


def hang(*_):
    while True:
        pass


@pytest.mark.slow
def test_a_controller_that_never_waits_is_named_and_the_run_goes_on():
    def sound(c):
        while c.is_running():
            c.log.append(c.time)
            c.sleep(0.01)

    crew = [
        Script(hang, "spinning"),
        counter("before"),
        counter("stuck", step=hang),
        counter("behind"),
        Script(sound, "sound"),
    ]
    with make_run(crew, budget=0.4) as run:
        log = messages(run, LOG_TOPIC)
        run.run(0.1)
        states, values = run.states, [run.executors[i].value for i in (1, 3)]

    assert states["spinning"] is states["stuck"] is ControllerState.IDLE
    assert states["sound"] is ControllerState.RUNNING
    assert values == [10, 10]
    assert len(crew[4].log) == 10
    errors = {event.source: event.text for event in log if event.level == "error"}
    for name in ("spinning", "stuck"):
        assert f"{name} did not wait within 0.4 s" in errors[name]
        assert "test_controllers.py" in errors[name]
        assert "in hang" in errors[name]


def test_the_constructor_cannot_act():
    class Eager(Controller):
        def __init__(self) -> None:
            self.command("arm", [1.0])

    with pytest.raises(RuntimeError, match="a constructor only prepares"):
        Eager()


def test_a_thread_of_the_users_own_cannot_act():
    caught = []

    def stray(c):
        for act in (lambda: c.sleep(0.1), lambda: c.send_trigger(0, "x")):
            try:
                act()
            except RuntimeError as error:
                caught.append(str(error))

    def body(c):
        thread = threading.Thread(target=stray, args=(c,))
        thread.start()
        thread.join()

    with make_run([Script(body)]) as run:
        run.tick()

    assert len(caught) == 2
    assert "the runtime does not know" in caught[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    text: str


class Talker(Script):
    provides: ClassVar = {"notes": Note}


class Listener(Script):
    requires: ClassVar = {"notes": Note}


def test_messages_reach_others_one_tick_later():
    def listen(c):
        c.subscribe("notes", lambda note: c.log.append(("called", c.time, note.text)))
        while c.is_running():
            c.log.append((c.time, c.latest("notes")))
            c.sleep(0.01)

    def talk(c):
        c.sleep(0.02)
        c.publish("notes", Note(text="hello"))

    listener = Listener(listen)
    with make_run([listener, Talker(talk)]) as run:
        run.run(0.04)

    assert listener.log == [
        (0.0, None),
        (0.01, None),
        (0.02, None),
        ("called", 0.03, "hello"),
        (0.03, Note(text="hello")),
    ]


def test_a_message_that_nobody_provides_is_missed_before_the_first_step():
    with pytest.raises(ConfigError, match="'notes'"):
        make_run([Listener()])


def test_a_class_in_place_of_an_object_is_refused():
    with pytest.raises(ConfigError, match="a class must be instantiated"):
        make_run([Script])


def test_equal_names_are_refused():
    with pytest.raises(ConfigError, match="2 controllers are named 'x'"):
        make_run([counter("x"), counter("x")])


def test_a_view_shows_the_time_of_the_tick():
    times = []
    with make_run([counter(observe=lambda view: times.append(view.time))]) as run:
        run.run(0.03)

    assert times == [0.0, 0.01, 0.02]
