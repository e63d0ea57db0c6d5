"""Strands: threads that run only while they hold the baton.

The owner of a relay hands a baton through a row of strands, each to the next, and goes
on when the last one brings it back. A strand passes it on by waiting (`wait_for`) or by
finishing its job. At any moment one thread runs and all others are blocked on locks: a
thread gives user code a stack of its own but never concurrency, and neither the machine
nor its load can change an order.

A job that keeps the baton beyond the budget is a runaway. It is named with the line
where it hangs and ended by an exception from outside; if it does not take that (it may
be blocked outside Python) its thread is abandoned. Neither blocks the owner or the exit
of the process.
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
MERCY = 1.0  # [s] that a runaway has to end after it was told to
NEVER = sys.maxsize  # tick at which nothing is due
_BELOW = (__file__, threading.__file__)  # of no interest to users
_PATIENCE = 0.05  # [s] between two exceptions sent to a runaway


class CoThreadExit(BaseException):
    """Raised in a waiting strand that is to end now; not an error of anybody."""


class OverrunInterrupt(BaseException):
    """Raised in a strand that kept the baton too long."""


class OverrunError(GelenkError, TimeoutError):
    """A job did not wait within its budget of wall time.

    Attributes:
        place: File, line and function where it hung.
        stack: All of its stack, as text.
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
    """The owner's end of the baton.

    Attributes:
        budget: Wall time that a slice may take [s]; None: as long as it wants.
    """

    def __init__(self, *, budget: float | None = DEFAULT_BUDGET) -> None:
        self.budget = budget
        self.back = threading.Lock()
        self.back.acquire()
        self.running: CoThread | None = None
        self.since = 0.0
        self._row: list[_Thread] = []

    def run(self, strands: Sequence[CoThread]) -> None:
        """Let each strand run until it waits or its job ends, one after the other."""
        if not strands:
            return
        threads = [strand.open_thread() for strand in strands]
        for thread, following in itertools.pairwise(threads):
            thread.next = following.go
        threads[-1].next = self.back
        self._row = threads
        self.running, self.since = strands[0], time.monotonic()
        threads[0].go.release()
        self._collect()

    def recover(self) -> None:
        """Get the baton back after an interrupt (Ctrl-C) while the owner waited."""
        num_looks = 0  # one look may fall between a strand's taking it and saying so
        while self.running is not None:
            is_here = not any(thread.is_on_turn() for thread in self._row)
            num_looks = num_looks + 1 if is_here and self.back.locked() else 0
            if self.back.acquire(timeout=_PATIENCE) or num_looks > 1:
                self.running = None
            elif self.since + (self.budget or DEFAULT_BUDGET) < time.monotonic():
                self.running.end_runaway(self.budget or DEFAULT_BUDGET)

    def _collect(self) -> None:
        """Wait until the baton is back, and end those who keep it."""
        if self.budget is None:
            self.back.acquire()
        else:
            wait = self.budget
            while not self.back.acquire(timeout=wait):
                wait = self.since + self.budget - time.monotonic()
                if wait <= 0.0 and self.running is not None:
                    self.running.end_runaway(self.budget)
                wait = max(wait, _PATIENCE)
        self.running = None


class CoThread:
    """A stack for user code that waits; the thread below it is made when needed.

    Attributes:
        name: Its name in messages and of its thread.
        due: Tick at which a waiting job wants to go on.
        error: What ended the last job: None, or the exception that left it.
    """

    def __init__(self, name: str, relay: Scheduler) -> None:
        self.name, self.relay = name, relay
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
        """Return whether this code runs on the strand."""
        return self._thread is not None and threading.get_ident() == self._thread.ident

    def frame(self) -> FrameType | None:
        """Return where the job stands now; None without a job, or before it began."""
        if self._thread is None or not self.is_busy:
            return None
        return sys._current_frames().get(self._thread.ident)

    def give(self, job: Callable[[], object], *, due: int = 0) -> None:
        """Give it a job, which begins when the baton next comes by."""
        assert self._job is None, f"strand {self.name} is busy"
        self._job, self.error, self._is_ending, self.due = job, None, False, due

    def wait_for(self, due: int) -> None:
        """Pass the baton on until tick `due`; called by the job itself.

        Raises:
            StrandEnd: If the job is to end.
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
        self.relay.recover()
        self._is_ending = True
        if self._job is not None and self._thread is not None:
            self.relay.run([self])
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
        except BaseException as error:  # the strand's owner judges, whatever it is
            outcome = error
        if self._thread is thread:  # else it was abandoned, and others work here now
            self._job, self.due, self.error = None, NEVER, outcome

    def end_runaway(self, budget: float) -> None:
        """Send exceptions into the job until it ends, or give its thread up."""
        thread = self._thread
        assert thread is not None
        frame = sys._current_frames().get(thread.ident)
        if not thread.has_baton:
            return
        if is_compiling(frame):  # is no hanging, and cannot be interrupted
            self.relay.since = time.monotonic()
            return
        overrun = OverrunError(self.name, budget, frame)
        del frame  # a frame keeps alive all that its function knew
        self._is_ending = True
        deadline = time.monotonic() + MERCY
        while thread.has_baton and time.monotonic() < deadline:
            raise_in_thread(thread.ident, OverrunInterrupt)
            time.sleep(1e-3)
        raise_in_thread(thread.ident, None)
        # Even a thread that obeyed may have an exception under way: use it no more.
        overrun.is_abandoned = thread.has_baton
        self._retire()
        self._job, self.due, self.error = None, NEVER, overrun

    def _retire(self) -> None:
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.retire()


class _Thread:
    """The thread below a strand; a runaway keeps it when its strand gets another."""

    def __init__(self, strand: CoThread) -> None:
        self._strand = strand
        self.go = threading.Lock()
        self.go.acquire()
        self.next = strand.relay.back
        self.has_baton = False
        self._is_retired = False
        thread = threading.Thread(target=self._main, name=strand.name, daemon=True)
        thread.start()
        self.ident = thread.ident or 0

    def take(self) -> bool:
        """Wait for the baton; return False if there will be none any more."""
        self.go.acquire()
        if self._is_retired:
            return False
        self.has_baton = True
        relay = self._strand.relay
        relay.running, relay.since = self._strand, time.monotonic()
        return True

    def is_on_turn(self) -> bool:
        """Return whether it has the baton or was just given it."""
        return self.has_baton or not (self.go.locked() or self._is_retired)

    def pass_on(self) -> None:
        """Hand the baton to the next; at most once."""
        # Between the test and the release no other thread can come: the interpreter
        # changes threads and raises exceptions from outside only behind calls.
        if self.has_baton:
            self.has_baton = False
            self.next.release()

    def retire(self) -> None:
        """Let the thread end when it next looks; take the baton if it has it."""
        self._is_retired = True
        self.pass_on()
        if self.go.locked():
            self.go.release()

    def _main(self) -> None:
        try:
            while self.take():
                self._run_job()
        except OverrunInterrupt:
            return  # came late, between two jobs; the strand has another thread by now

    def _run_job(self) -> None:
        # Functions of their own: an exception from outside that hits a bare endless
        # loop skips handlers in the function of the loop.
        try:
            self._strand.run_job(self)
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
