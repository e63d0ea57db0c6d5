"""Interleaved timing. Oracle: a clock that calls turn on, and a record of the calls."""

import gc
import time
from types import SimpleNamespace

import pytest

from benchmarks import timing
from benchmarks.timing import Timings, interleaved


class Clock:
    """A clock that goes only when it is turned on, whatever the machine does."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0  # [ns]
        clock = SimpleNamespace(perf_counter_ns=lambda: self.now)
        monkeypatch.setattr(timing, "time", clock)

    def turn(self, nanoseconds: int) -> None:
        self.now += nanoseconds


def test_a_longer_call_takes_its_multiple_of_the_time(monkeypatch) -> None:
    clock = Clock(monkeypatch)
    timings = interleaved(
        {"short": lambda: clock.turn(2_000_000), "long": lambda: clock.turn(6_000_000)},
        rounds=5,
        warmup=1,
    )

    assert timings.median("short") == pytest.approx(0.002, rel=1e-9)
    assert timings.ratio("long", "short") == pytest.approx(3.0, rel=1e-9)
    assert timings.microseconds()["long"] == pytest.approx(
        1e6 * timings.median("long"), rel=1e-12
    )


def test_competitors_take_turns_and_each_is_first_as_often() -> None:
    order: list[str] = []

    def make(name: str):
        def call() -> None:
            if not order or order[-1] != name:
                order.append(name)
            time.sleep(0.001)

        return call

    interleaved({name: make(name) for name in "abc"}, rounds=6, block=1e-4, warmup=0)

    # 6 rounds abc bca cab ...; the last of a round never starts the next
    rounds = order[-18:]
    assert "".join(rounds) == "abcbcacab" * 2


def test_short_calls_are_repeated_to_fill_a_block(monkeypatch) -> None:
    clock = Clock(monkeypatch)
    timings = interleaved({"short": lambda: clock.turn(100)}, rounds=3, block=1e-3)

    assert timings.calls["short"] == 10_000
    assert len(timings.samples["short"]) == 3
    assert timings.median("short") == pytest.approx(1e-7, rel=1e-9)


def test_calls_longer_than_a_block_are_made_once_per_round() -> None:
    count = 0

    def call() -> None:
        nonlocal count
        count += 1
        time.sleep(0.003)

    timings = interleaved({"slow": call}, rounds=4, block=1e-3, warmup=2)

    assert timings.calls["slow"] == 1
    assert count == 2 + 1 + 4  # warm-up, one to find the block, the rounds


def test_the_garbage_collector_rests_during_the_rounds_only() -> None:
    states: list[bool] = []

    interleaved({"ask": lambda: states.append(gc.isenabled())}, rounds=2, block=1e-5)

    assert states[-1] is False
    assert gc.isenabled()


def test_the_garbage_collector_comes_back_after_an_error() -> None:
    calls = 0

    def fail_late() -> None:
        nonlocal calls
        calls += 1
        time.sleep(1e-3)
        if calls > 4:
            raise RuntimeError

    with pytest.raises(RuntimeError):
        interleaved({"fail": fail_late}, rounds=5)
    assert gc.isenabled()


def test_the_ratio_is_taken_within_the_rounds() -> None:
    """A machine that becomes ten times slower half way does not change a ratio."""
    timings = Timings(
        samples={"a": (2.0, 2.0, 20.0, 20.0, 20.0), "b": (1.0, 1.0, 10.0, 10.0, 10.0)},
        calls={"a": 1, "b": 1},
    )

    assert timings.ratio("a", "b") == 2.0


def test_no_rounds_are_refused() -> None:
    with pytest.raises(ValueError, match="`rounds` must be at least 1, got 0"):
        interleaved({}, rounds=0)
