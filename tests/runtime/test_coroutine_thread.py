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


def counting_threads(scheduler: Scheduler, log: list[str], names: str, jitter=None):
    """Threads that write their name once per slice."""
    threads = [CoThread(name, scheduler) for name in names]
    for thread in threads:

        def job(thread=thread):
            tick = 0
            while True:
                if jitter is not None:
                    time.sleep(float(jitter.exponential(2e-4)))
                log.append(thread.name)
                tick += 1
                thread.wait_for(tick)

        thread.give(job)
    return threads


def test_a_row_of_threads_runs_in_its_order_and_nobody_else_does():
    scheduler, log = Scheduler(), []
    threads = counting_threads(scheduler, log, "abc")

    scheduler.run(threads)
    scheduler.run([threads[2], threads[0]])

    assert log == list("abcca")
    for thread in threads:
        thread.close()


def test_random_pauses_in_the_threads_change_no_order():
    logs = []
    for seed in range(2):
        scheduler, log = Scheduler(), []
        jitter = np.random.default_rng(seed)
        threads = counting_threads(scheduler, log, "abcde", jitter)
        for _ in range(40):
            scheduler.run(threads)
        logs.append(log)
        for thread in threads:
            thread.close()

    assert logs[0] == logs[1] == list("abcde") * 40


def test_only_one_thread_runs_at_a_time():
    scheduler, inside, worst = Scheduler(), [0], [0]
    threads = [CoThread(str(i), scheduler) for i in range(4)]

    def job(thread):
        while True:
            inside[0] += 1
            worst[0] = max(worst[0], inside[0])
            time.sleep(1e-4)
            inside[0] -= 1
            thread.wait_for(0)

    for thread in threads:
        thread.give(lambda thread=thread: job(thread))
    for _ in range(50):
        scheduler.run(threads)

    assert worst[0] == 1
    for thread in threads:
        thread.close()


def test_an_exception_ends_the_job_and_is_kept():
    thread = CoThread("s", Scheduler())
    thread.give(lambda: 1 / 0)
    thread.scheduler.run([thread])

    assert not thread.is_busy
    assert isinstance(thread.error, ZeroDivisionError)
    assert thread.due == NEVER
    assert "ZeroDivisionError" in describe(thread.error)
    thread.close()


def test_ending_unwinds_a_waiting_job_through_its_finally():
    thread, log = CoThread("s", Scheduler()), []

    def job():
        try:
            thread.wait_for(5)
        except Exception:
            log.append("an Exception")
        finally:
            log.append("finally")

    thread.give(job)
    thread.scheduler.run([thread])
    thread.end()

    assert log == ["finally"]
    assert isinstance(thread.error, CoThreadExit)
    thread.close()


def test_waiting_in_a_thread_of_ones_own_is_refused():
    thread, caught = CoThread("arm", Scheduler()), []

    def stray():
        try:
            thread.wait_for(1)
        except RuntimeError as error:
            caught.append(str(error))

    def job():
        thread = threading.Thread(target=stray)
        thread.start()
        thread.join()

    thread.give(job)
    thread.scheduler.run([thread])

    assert "arm can wait only in the thread" in caught[0]
    thread.close()


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
    scheduler, log = Scheduler(budget=BUDGET), []
    first, last = counting_threads(scheduler, log, "ac")
    thread = CoThread("b", scheduler)
    thread.give(hang)

    scheduler.run([first, thread, last])
    scheduler.run([first, last])

    assert log == list("acac")
    assert isinstance(thread.error, OverrunError)
    assert thread.error.is_abandoned == is_abandoned
    assert hang.__name__ in thread.error.place
    assert __file__ in thread.error.place
    assert f"in {hang.__name__}" in describe(thread.error)
    thread.give(lambda: log.append("again"))  # it gets another thread
    scheduler.run([thread])
    assert log[-1] == "again"
    for item in (first, thread, last):
        item.close()


@pytest.mark.slow
def test_a_job_within_its_budget_is_left_alone():
    scheduler = Scheduler(budget=1.0)
    threads = [CoThread(str(i), scheduler) for i in range(3)]
    for thread in threads:
        thread.give(lambda: time.sleep(0.4))  # together more than the budget

    scheduler.run(threads)

    assert [thread.error for thread in threads] == [None] * 3
    for thread in threads:
        thread.close()


def test_no_budget_means_no_end():
    thread = CoThread("s", Scheduler(budget=None))
    thread.give(lambda: time.sleep(0.05))
    thread.scheduler.run([thread])

    assert thread.error is None
    thread.close()


def test_closed_threads_leave_no_thread():
    before = set(threading.enumerate())
    scheduler, log = Scheduler(), []
    threads = counting_threads(scheduler, log, "abc")
    scheduler.run(threads)

    for thread in threads:
        thread.close()

    deadline = time.monotonic() + 5.0
    while set(threading.enumerate()) - before and time.monotonic() < deadline:
        time.sleep(1e-3)
    assert set(threading.enumerate()) - before == set()


@pytest.mark.slow
@pytest.mark.parametrize("body", ["sum(range(10**5))", "time.sleep(1000)"])
def test_the_process_ends_even_if_a_job_never_does(body):
    script = f"""
        import time
        from gelenk.runtime import coroutine_thread as module
        module.MERCY = 0.05
        thread = module.CoThread("s", module.Scheduler(budget=0.5))
        waiting = module.CoThread("w", thread.scheduler)
        def job():
            while True:
                try:
                    {body}
                except BaseException:
                    pass
        thread.give(job)
        waiting.give(lambda: waiting.wait_for(1))
        thread.scheduler.run([thread, waiting])
        print(thread.error.is_abandoned)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert (done.returncode, done.stdout.strip()) == (0, "True")
