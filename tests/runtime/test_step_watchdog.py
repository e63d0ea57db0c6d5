from __future__ import annotations

import signal
import threading
import time
from functools import partial

import pytest

from gelenk.runtime.coroutine_thread import OverrunError
from gelenk.runtime.watchdog import StepWatchdog

BUDGET = 0.1  # [s]


@pytest.fixture
def guard():
    guard = StepWatchdog(BUDGET)
    yield guard
    guard.close()


def spin():
    while True:
        pass


def sleep_outside_python():
    time.sleep(60.0)


def wait_for_a_lock():
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()


def test_what_goes_well_is_left_alone(guard):
    done = []

    assert guard.call("a", lambda: done.append(1)) is None
    assert done == [1]


def test_an_exception_is_returned(guard):
    assert isinstance(guard.call("a", lambda: 1 / 0), ZeroDivisionError)
    assert isinstance(guard.call("a", lambda: exit(3)), SystemExit)


@pytest.mark.parametrize("hang", [spin, sleep_outside_python, wait_for_a_lock])
def test_in_the_main_thread_everything_that_hangs_is_ended(guard, hang):
    error = guard.call("leg", hang)

    assert isinstance(error, OverrunError)
    assert "leg did not wait within 0.1 s" in str(error)
    assert f"in {hang.__name__}" in error.place


def test_in_another_thread_an_endless_loop_is_ended(guard):
    errors = []
    thread = threading.Thread(target=lambda: errors.append(guard.call("leg", spin)))
    thread.start()
    thread.join(10.0)

    assert isinstance(errors[0], OverrunError)


@pytest.mark.slow
def test_what_cannot_be_ended_is_reported_with_its_place(guard, caplog):
    def blocked():
        time.sleep(2.5)

    errors = []
    thread = threading.Thread(target=lambda: errors.append(guard.call("leg", blocked)))
    thread.start()
    thread.join(10.0)

    assert isinstance(errors[0], OverrunError)
    assert "in blocked" in caplog.text
    assert caplog.text.count("it cannot be interrupted") == 1


def end_around_the_budget() -> set[type]:
    """Calls that end about in time, many of them, each followed by code of ours."""
    guard = StepWatchdog(0.004)
    outcomes = set()

    def work_for(seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            pass

    for k in range(150):
        call = partial(work_for, 0.003 + 0.0001 * k)
        outcomes.add(type(guard.call("leg", call)))
        for _ in range(100):  # an exception under way would hit here
            time.monotonic()
    guard.close()
    return outcomes


@pytest.mark.slow
@pytest.mark.parametrize("is_main", [True, False])
def test_no_exception_arrives_late(is_main):
    found: list[set[type]] = []
    thread = threading.Thread(target=lambda: found.append(end_around_the_budget()))
    if is_main:
        thread.run()
    else:
        thread.start()
        thread.join()

    assert found[0] <= {type(None), OverrunError}
    assert OverrunError in found[0]


def test_the_signal_is_given_back(guard):
    assert signal.getsignal(signal.SIGUSR2) is signal.SIG_DFL
    guard.call("a", lambda: None)
    assert signal.getsignal(signal.SIGUSR2) is not signal.SIG_DFL
    guard.close()

    assert signal.getsignal(signal.SIGUSR2) is signal.SIG_DFL


def test_two_guards_at_once_do_not_disturb_each_other(guard):
    other = StepWatchdog(BUDGET)
    guard.call("a", lambda: None)

    assert isinstance(other.call("b", spin), OverrunError)
    assert isinstance(guard.call("a", spin), OverrunError)
    assert guard.call("a", lambda: None) is None
    other.close()


def test_without_a_budget_nothing_is_watched():
    guard = StepWatchdog(None)

    assert guard.call("a", lambda: time.sleep(0.01)) is None
    guard.close()
