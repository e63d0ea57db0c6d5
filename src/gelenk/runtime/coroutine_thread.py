"""Coroutine threads: threads that run only while it is their turn.

The scheduler gives the turn to a row of threads, each hands it to the next, and the
last one gives it back. A thread passes its turn on by waiting (`wait_for`) or by
finishing its job. At any moment one thread runs and all others are blocked on locks: a
thread gives user code a stack of its own but never concurrency, and neither the machine
nor its load can change an order.

A job that keeps its turn beyond the budget has overrun. It is named with the line
where it hangs and ended by an exception from outside. If it does not take that (it may
be blocked outside Python) its thread is abandoned. Neither blocks the scheduler or the
exit of the process.
"""

from __future__ import annotations

import ctypes
import itertools
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from types import FrameType

from gelenk.errors import GelenkError

DEFAULT_BUDGET = 5.0  # [s] of wall time; a slice takes microseconds to milliseconds
MERCY = 1.0  # [s] that an overrun job has to end after it was told to
NEVER = sys.maxsize  # tick at which nothing is due
_BELOW = (__file__, threading.__file__)  # of no interest to users
_PATIENCE = 0.05  # [s] between two exceptions sent to an overrun job


class CoThreadExit(BaseException):
    """Exception that ends a waiting thread; not an error of anybody."""


class OverrunInterrupt(BaseException):
    """Exception sent from outside into a job that kept its turn too long."""


class OverrunError(GelenkError, TimeoutError):
    """Error of a job that did not wait within its budget of wall time.

    Attributes:
        place: File, line and function where the job hung.
        stack: Stack of the job, as text.
        is_abandoned: Whether its thread could not be ended and was left behind.
    """

    def __init__(self, name: str, budget: float, frame: FrameType | None) -> None:
        self.place, self.stack = _place(frame), _stack_text(frame)
        self.is_abandoned = False
        super().__init__(
            f"{name} did not wait within {budget:g} s of wall time; it hangs at "
            f"{self.place}; loops must contain a wait, long work a larger budget"
        )


class Scheduler:
    """Owner of the turn: gives it to threads and takes it back.

    Attributes:
        budget: Wall time that a turn may take [s]; None: no limit.
    """

    def __init__(self, *, budget: float | None = DEFAULT_BUDGET) -> None:
        self.budget = budget
        self.back = threading.Lock()
        self.back.acquire()
        self.running: CoThread | None = None
        self.since = 0.0
        self._row: list[_Thread] = []

    def run(self, cothreads: Sequence[CoThread]) -> None:
        """Let each thread run until it waits or its job ends, one after the other."""
        if not cothreads:
            return
        threads = [cothread.open_thread() for cothread in cothreads]
        for thread, following in itertools.pairwise(threads):
            thread.next = following.go
        threads[-1].next = self.back
        self._row = threads
        self.running, self.since = cothreads[0], time.monotonic()
        threads[0].go.release()
        self._collect()

    def recover(self) -> None:
        """Take the turn back after an interrupt (Ctrl-C) of the waiting owner."""
        num_looks = 0  # one look may fall between a thread's taking it and saying so
        while self.running is not None:
            is_here = not any(thread.is_on_turn() for thread in self._row)
            num_looks = num_looks + 1 if is_here and self.back.locked() else 0
            if self.back.acquire(timeout=_PATIENCE) or num_looks > 1:
                self.running = None
            elif self.since + (self.budget or DEFAULT_BUDGET) < time.monotonic():
                self.running.interrupt(self.budget or DEFAULT_BUDGET)

    def _collect(self) -> None:
        """Wait until the turn is back, and end those who keep it."""
        if self.budget is None:
            self.back.acquire()
        else:
            wait = self.budget
            while not self.back.acquire(timeout=wait):
                wait = self.since + self.budget - time.monotonic()
                if wait <= 0.0 and self.running is not None:
                    self.running.interrupt(self.budget)
                wait = max(wait, _PATIENCE)
        self.running = None


class CoThread:
    """Stack for user code that waits; the thread below it is made when needed.

    Attributes:
        name: Name in messages and of the thread.
        due: Control tick at which a waiting job goes on.
        error: Exception that ended the last job; None if it returned.
    """

    def __init__(self, name: str, scheduler: Scheduler) -> None:
        self.name, self.scheduler = name, scheduler
        self.due = NEVER
        self.error: BaseException | None = None
        self._thread: _Thread | None = None
        self._job: Callable[[], object] | None = None
        self._is_ending = False

    @property
    def is_busy(self) -> bool:
        """Whether a job was given and has not ended."""
        return self._job is not None

    def is_own_thread(self) -> bool:
        """Return whether the caller runs on this thread."""
        return self._thread is not None and threading.get_ident() == self._thread.ident

    def frame(self) -> FrameType | None:
        """Return where the job stands now; None without a job, or before it began."""
        if self._thread is None or not self.is_busy:
            return None
        return sys._current_frames().get(self._thread.ident)

    def give(self, job: Callable[[], object], *, due: int = 0) -> None:
        """Assign a job, which begins at the next turn."""
        assert self._job is None, f"thread {self.name} is busy"
        self._job, self.error, self._is_ending, self.due = job, None, False, due

    def wait_for(self, due: int) -> None:
        """Pass the turn on until tick `due`; called by the job itself.

        Raises:
            CoThreadExit: If the job is to end.
        """
        thread = self._thread
        if thread is None or not self.is_own_thread():
            raise RuntimeError(
                f"{self.name} can wait only in the thread that the runtime gave it"
            )
        if not self._is_ending:
            self.due = due
            thread.pass_on()
            if not thread.take():
                raise CoThreadExit
        # Not `else`: the owner may have set it meanwhile.
        if self._is_ending:
            raise CoThreadExit

    def end(self) -> None:
        """End the job at its wait, as if the wait had raised; harmless without one."""
        self.scheduler.recover()
        self._is_ending = True
        if self._job is not None and self._thread is not None:
            self.scheduler.run([self])
        self._job = None

    def close(self) -> None:
        """End the job and the thread."""
        self.end()
        self._retire()

    def open_thread(self) -> _Thread:
        """Return the thread below, made now if there is none."""
        if self._thread is None:
            self._thread = _Thread(self)
        return self._thread

    def run_job(self, thread: _Thread) -> None:
        """Run the job to its end; called by the thread below."""
        outcome: BaseException | None = None
        try:
            if self._job is not None and not self._is_ending:
                self._job()
        except BaseException as error:  # the owner judges, whatever it is
            outcome = error
        if self._thread is thread:  # else it was abandoned, and others work here now
            self._job, self.due, self.error = None, NEVER, outcome

    def interrupt(self, budget: float) -> None:
        """Send exceptions into the job until it ends, or give its thread up."""
        thread = self._thread
        assert thread is not None
        frame = sys._current_frames().get(thread.ident)
        if not thread.has_turn:
            return
        if is_compiling(frame):  # is no hanging, and cannot be interrupted
            self.scheduler.since = time.monotonic()
            return
        overrun = OverrunError(self.name, budget, frame)
        del frame  # a frame keeps alive all that its function knew
        self._is_ending = True
        deadline = time.monotonic() + MERCY
        while thread.has_turn and time.monotonic() < deadline:
            raise_in_thread(thread.ident, OverrunInterrupt)
            time.sleep(1e-3)
        raise_in_thread(thread.ident, None)
        # Even a thread that obeyed may have an exception under way: use it no more.
        overrun.is_abandoned = thread.has_turn
        self._retire()
        self._job, self.due, self.error = None, NEVER, overrun

    def _retire(self) -> None:
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.retire()


class _Thread:
    """Thread below a `CoThread`, which gets another one if this one is abandoned."""

    def __init__(self, cothread: CoThread) -> None:
        self._cothread = cothread
        self.go = threading.Lock()
        self.go.acquire()
        self.next = cothread.scheduler.back
        self.has_turn = False
        self._is_retired = False
        thread = threading.Thread(target=self._main, name=cothread.name, daemon=True)
        thread.start()
        self.ident = thread.ident or 0

    def take(self) -> bool:
        """Wait for the turn; return False if there will be none any more."""
        self.go.acquire()
        if self._is_retired:
            return False
        self.has_turn = True
        scheduler = self._cothread.scheduler
        scheduler.running, scheduler.since = self._cothread, time.monotonic()
        return True

    def is_on_turn(self) -> bool:
        """Return whether it has the turn or was just given it."""
        return self.has_turn or not (self.go.locked() or self._is_retired)

    def pass_on(self) -> None:
        """Hand the turn to the next; at most once."""
        # Between the test and the release no other thread can come: the interpreter
        # changes threads and raises exceptions from outside only behind calls.
        if self.has_turn:
            self.has_turn = False
            self.next.release()

    def retire(self) -> None:
        """Let the thread end when it next looks, and pass its turn on."""
        self._is_retired = True
        self.pass_on()
        if self.go.locked():
            self.go.release()

    def _main(self) -> None:
        try:
            while self.take():
                self._run_job()
        except OverrunInterrupt:
            return  # came late, between two jobs; another thread has taken over

    def _run_job(self) -> None:
        # Functions of their own: an exception from outside that hits a bare endless
        # loop skips handlers in the function of the loop.
        try:
            self._cothread.run_job(self)
        finally:
            self.pass_on()


def describe(error: BaseException) -> str:
    """Return an exception with its traceback as text, our own frames left out."""
    if isinstance(error, OverrunError):
        return f"{error}\n{error.stack}"
    lines = traceback.TracebackException.from_exception(error)
    frames = [frame for frame in lines.stack if frame.filename not in _BELOW]
    lines.stack = traceback.StackSummary.from_list(frames)
    return "".join(lines.format())


def raise_in_thread(ident: int, exception: type[BaseException] | None) -> None:
    """Raise an exception in another thread; None takes back one not yet raised."""
    pointer = ctypes.py_object(exception) if exception is not None else None
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(ident), pointer)


def is_compiling(frame: FrameType | None) -> bool:
    """Return whether numba is at work somewhere on the stack."""
    while frame is not None:
        if frame.f_globals.get("__name__", "").startswith("numba.core."):
            return True
        frame = frame.f_back
    return False


def _place(frame: FrameType | None) -> str:
    if frame is None:
        return "an unknown place"
    code = frame.f_code
    return f'"{code.co_filename}", line {frame.f_lineno}, in {code.co_name}'


def _stack_text(frame: FrameType | None) -> str:
    if frame is None:
        return ""
    stack = [
        item for item in traceback.extract_stack(frame) if item.filename not in _BELOW
    ]
    return "".join(traceback.StackSummary.from_list(stack).format())
