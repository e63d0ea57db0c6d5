from __future__ import annotations

import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

from gelenk.runtime.coroutine_thread import (
    NEVER,
    CoThread,
    CoThreadExit,
    OverrunError,
    Scheduler,
    describe,
)

BUDGET = 0.4  # [s], of tests in which somebody hangs


def counting_strands(relay: Scheduler, log: list[str], names: str, jitter=None):
    """Strands that write their name once per slice."""
    strands = [CoThread(name, relay) for name in names]
    for strand in strands:

        def job(strand=strand):
            tick = 0
            while True:
                if jitter is not None:
                    time.sleep(float(jitter.exponential(2e-4)))
                log.append(strand.name)
                tick += 1
                strand.wait_for(tick)

        strand.give(job)
    return strands


def test_a_row_of_strands_runs_in_its_order_and_nobody_else_does():
    relay, log = Scheduler(), []
    strands = counting_strands(relay, log, "abc")

    relay.run(strands)
    relay.run([strands[2], strands[0]])

    assert log == list("abcca")
    for strand in strands:
        strand.close()


def test_random_pauses_in_the_threads_change_no_order():
    logs = []
    for seed in range(2):
        relay, log = Scheduler(), []
        jitter = np.random.default_rng(seed)
        strands = counting_strands(relay, log, "abcde", jitter)
        for _ in range(40):
            relay.run(strands)
        logs.append(log)
        for strand in strands:
            strand.close()

    assert logs[0] == logs[1] == list("abcde") * 40


def test_only_one_thread_runs_at_a_time():
    relay, inside, worst = Scheduler(), [0], [0]
    strands = [CoThread(str(i), relay) for i in range(4)]

    def job(strand):
        while True:
            inside[0] += 1
            worst[0] = max(worst[0], inside[0])
            time.sleep(1e-4)
            inside[0] -= 1
            strand.wait_for(0)

    for strand in strands:
        strand.give(lambda strand=strand: job(strand))
    for _ in range(50):
        relay.run(strands)

    assert worst[0] == 1
    for strand in strands:
        strand.close()


def test_an_exception_ends_the_job_and_is_kept():
    strand = CoThread("s", Scheduler())
    strand.give(lambda: 1 / 0)
    strand.relay.run([strand])

    assert not strand.is_busy
    assert isinstance(strand.error, ZeroDivisionError)
    assert strand.due == NEVER
    assert "ZeroDivisionError" in describe(strand.error)
    strand.close()


def test_ending_unwinds_a_waiting_job_through_its_finally():
    strand, log = CoThread("s", Scheduler()), []

    def job():
        try:
            strand.wait_for(5)
        except Exception:
            log.append("an Exception")
        finally:
            log.append("finally")

    strand.give(job)
    strand.relay.run([strand])
    strand.end()

    assert log == ["finally"]
    assert isinstance(strand.error, CoThreadExit)
    strand.close()


def test_waiting_in_a_thread_of_ones_own_is_refused():
    strand, caught = CoThread("arm", Scheduler()), []

    def stray():
        try:
            strand.wait_for(1)
        except RuntimeError as error:
            caught.append(str(error))

    def job():
        thread = threading.Thread(target=stray)
        thread.start()
        thread.join()

    strand.give(job)
    strand.relay.run([strand])

    assert "arm can wait only in the thread" in caught[0]
    strand.close()


def spin_forever():
    while True:
        pass


def sleep_outside():
    time.sleep(3.0)  # blocked outside Python for longer than anybody waits here


def refuse_to_end():
    deadline = time.monotonic() + 4.0
    while time.monotonic() < deadline:
        try:
            while time.monotonic() < deadline:
                pass
        except BaseException:  # the worst of all users
            continue


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hang", "is_abandoned"),
    [(spin_forever, False), (sleep_outside, True), (refuse_to_end, True)],
)
def test_a_job_that_never_waits_is_named_and_the_others_go_on(hang, is_abandoned):
    relay, log = Scheduler(budget=BUDGET), []
    first, last = counting_strands(relay, log, "ac")
    strand = CoThread("b", relay)
    strand.give(hang)

    relay.run([first, strand, last])
    relay.run([first, last])

    assert log == list("acac")
    assert isinstance(strand.error, OverrunError)
    assert strand.error.is_abandoned == is_abandoned
    assert hang.__name__ in strand.error.place
    assert __file__ in strand.error.place
    assert f"in {hang.__name__}" in describe(strand.error)
    strand.give(lambda: log.append("again"))  # it gets another thread
    relay.run([strand])
    assert log[-1] == "again"
    for item in (first, strand, last):
        item.close()


@pytest.mark.slow
def test_a_job_within_its_budget_is_left_alone():
    relay = Scheduler(budget=1.0)
    strands = [CoThread(str(i), relay) for i in range(3)]
    for strand in strands:
        strand.give(lambda: time.sleep(0.4))  # together more than the budget

    relay.run(strands)

    assert [strand.error for strand in strands] == [None] * 3
    for strand in strands:
        strand.close()


def test_no_budget_means_no_end():
    strand = CoThread("s", Scheduler(budget=None))
    strand.give(lambda: time.sleep(0.05))
    strand.relay.run([strand])

    assert strand.error is None
    strand.close()


def test_closed_strands_leave_no_thread():
    before = set(threading.enumerate())
    relay, log = Scheduler(), []
    strands = counting_strands(relay, log, "abc")
    relay.run(strands)

    for strand in strands:
        strand.close()

    deadline = time.monotonic() + 5.0
    while set(threading.enumerate()) - before and time.monotonic() < deadline:
        time.sleep(1e-3)
    assert set(threading.enumerate()) - before == set()


@pytest.mark.slow
@pytest.mark.parametrize("body", ["sum(range(10**5))", "time.sleep(1000)"])
def test_the_process_ends_even_if_a_job_never_does(body):
    script = f"""
        import time
        from gelenk.runtime import strand as module
        module.MERCY = 0.05
        strand = module.Strand("s", module.Relay(budget=0.5))
        waiting = module.Strand("w", strand.relay)
        def job():
            while True:
                try:
                    {body}
                except BaseException:
                    pass
        strand.give(job)
        waiting.give(lambda: waiting.wait_for(1))
        strand.relay.run([strand, waiting])
        print(strand.error.is_abandoned)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert (done.returncode, done.stdout.strip()) == (0, "True")
