from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.runtime.clock import Clock
from gelenk.runtime.controller import Controller
from gelenk.runtime.events import LOG_TOPIC, WATCHDOG_TOPIC
from gelenk.runtime.run import Run
from gelenk.runtime.watchdog import Watchdogs
from point_world import PointWorld


def make(clock: Clock) -> tuple[Watchdogs, list]:
    barks: list = []
    return Watchdogs(clock, barks.append, lambda name, call: call()), barks


@given(st.integers(1, 5000), st.sampled_from([0.0005, 0.001, 0.002]))
def test_fed_at_its_deadline_it_is_silent_one_tick_later_it_barks(ticks, step):
    clock = Clock(step=step, period=step)
    dogs, barks = make(clock)
    dogs.add("dog", ticks * step)

    for _ in range(3):  # deadlines as products of floats, never early by a rounding
        clock.tick += ticks
        dogs.check()
        assert barks == []
        dogs.feed("dog")
    clock.tick += ticks + 1
    dogs.check()

    assert [event.watchdog for event in barks] == ["dog"]


def test_it_barks_once_until_it_is_fed_again():
    clock = Clock(step=0.001, period=0.01)
    dogs, barks = make(clock)
    dogs.add("dog", 0.05)
    for _ in range(20):
        clock.tick += 10
        dogs.check()
    assert [event.last_fed for event in barks] == [0.0]

    dogs.feed("dog")
    for _ in range(20):
        clock.tick += 10
        dogs.check()

    assert [event.last_fed for event in barks] == [0.0, 0.2]


def test_a_removed_one_is_silent_and_unknown_ones_are_named():
    clock = Clock(step=0.001, period=0.01)
    dogs, barks = make(clock)
    dogs.add("left leg", 0.05)
    dogs.remove("left leg")
    clock.tick += 1000
    dogs.check()

    assert barks == []
    dogs.add("left leg", 0.05)
    with pytest.raises(NameNotFoundError, match="Did you mean 'left leg'"):
        dogs.feed("left lg")
    with pytest.raises(ConfigError, match="above 0"):
        dogs.add("x", 0.0)


def test_a_snapshot_brings_hunger_back():
    clock = Clock(step=0.001, period=0.01)
    dogs, barks = make(clock)
    dogs.add("dog", 0.05)
    kept = dogs.snapshot()
    clock.tick = 40
    dogs.feed("dog")

    dogs.restore(kept)
    clock.tick = 60
    dogs.check()

    assert len(barks) == 1


def test_in_a_run_a_starved_watchdog_calls_and_is_published():
    called = []

    class Feeder(Controller):
        def run(self) -> None:
            while self.is_running() and self.time < 0.5:
                self.watchdogs.feed("feeder")
                self.sleep(0.1)

    def bark(event):
        called.append(run.time)
        raise RuntimeError("even then")

    with Run(PointWorld(), [Feeder()], step=0.001) as run:
        seen, log = [], []
        run.bus.subscribe(WATCHDOG_TOPIC, seen.append)
        run.bus.subscribe(LOG_TOPIC, lambda e: log.append((e.source, e.text)))
        run.watchdogs.add("feeder", 0.1, bark)
        run.run(1.0)

    assert called == [pytest.approx(0.51)]
    assert [(e.watchdog, e.deadline, e.last_fed) for e in seen] == [
        ("feeder", 0.1, 0.4)
    ]
    assert any("watchdog feeder" in who and "even then" in what for who, what in log)
