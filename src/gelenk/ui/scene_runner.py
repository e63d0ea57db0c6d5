"""Runner of scenes: one at a time, in a thread of its own, steered by requests.

Requests come from any thread, wait in a queue and are carried out between two control
ticks. Whatever goes wrong in a scene is told and ends nothing but that scene.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import gelenk
from gelenk.errors import ConfigError, GelenkError, NameNotFoundError
from gelenk.kernels.announce import counting_kernels
from gelenk.runtime import controls
from gelenk.runtime.registry import find_service, list_scenes
from gelenk.runtime.scene import SceneService, SceneSpec, Settings
from gelenk.ui import messages as m
from gelenk.ui.files import Files
from gelenk.ui.gallery import card_of
from gelenk.ui.images import Packed
from gelenk.ui.memory import tidy_up
from gelenk.ui.orders import carry_out
from gelenk.ui.progress import telling
from gelenk.ui.scene_session import SceneSession
from gelenk.ui.service_pool import ServicePool

FRAME_PERIOD = 1.0 / 60.0  # [s] of wall time
NEWS_PERIOD = 0.1  # [s]
EXHIBIT_PERIOD = 0.1  # [s]
LOOK_PERIOD = 0.05  # [s] between two looks whether the status has changed
STATUS_PERIOD = 0.5  # [s]
END_TIMEOUT = 20.0  # [s]

logger = logging.getLogger(__name__)

Answer = Callable[[m.Reply | bytes], None]
Job = Callable[[], None]


class SceneRunner:
    """Opens scenes and runs them, one at a time, in a thread of its own.

    Args:
        may_run_code: Whether pages may hand in files to run.
        send: Takes messages for all pages; called from the simulator's thread.
        send_frame: Takes pictures for all pages; called from the simulator's thread.
        send_image: Takes images of cameras and robots; called from any thread.
        scenes: Scenes by name; None: those of all installed packages.
        seed: Seed of all scenes.

    Example:
        >>> from gelenk.ui import Hub, SceneRunner
        >>> hub = Hub()
        >>> runner = SceneRunner(
        ...     may_run_code=False, send=hub.send, send_frame=hub.send_frame, scenes={}
        ... )
        >>> runner.greet()[0].gallery
        ()
        >>> runner.close()
    """

    def __init__(
        self,
        *,
        may_run_code: bool,
        send: Callable[[m.FromServer], None],
        send_frame: Callable[[bytes], None],
        send_image: Callable[[Packed], None] = lambda image: None,
        scenes: Mapping[str, SceneSpec] | None = None,
        seed: int = 0,
    ) -> None:
        self.may_run_code = may_run_code
        self._send, self._send_frame, self._seed = send, send_frame, seed
        self._send_image = send_image
        self.scenes = dict(list_scenes() if scenes is None else scenes)
        self.files = Files()
        self.session: SceneSession | None = None
        self._number = 0
        self._pool = ServicePool()
        self._looker = ThreadPoolExecutor(1, thread_name_prefix="look back")
        self._jobs: queue.SimpleQueue[Job] = queue.SimpleQueue()
        self._has_job = threading.Event()
        self._is_closing = False
        self._audience = 0
        self._watch = m.Watch(id=0, signals=True)
        self._status = m.Status(scene=0)
        self._num_opens = 0
        self._failure = ""  # why the last scene could not be opened
        self._next_frame = self._next_news = self._next_look = 0.0
        self._next_status = self._next_exhibit = 0.0
        self._thread = threading.Thread(target=self._live, name="stage", daemon=True)
        self._thread.start()

    # -- from any thread -------------------------------------------------------------

    def handle(self, request: m.FromPage, answer: Answer) -> None:
        """Begin to carry out a request; returns at once.

        Args:
            request: Request of a page.
            answer: Called exactly once, from any thread: with a reply, or for
                `GetFrame` with a packed frame.
        """
        try:
            self._accept(request, answer)
        except Exception as error:
            answer(refusal(request, error))

    def greet(self) -> list[m.FromServer]:
        """Return what a new page has to know."""
        cards = tuple(card_of(spec) for spec in self.scenes.values())
        found: list[m.FromServer] = [
            m.Hello(
                version=m.VERSION,
                server=gelenk.__version__,
                may_run_code=self.may_run_code,
                gallery=cards,
            )
        ]
        session = self.session
        if session is not None:
            found.append(session.scene)
        found.append(self._status)
        if session is not None:
            found += session.feeds.everything()
            found += session.publisher.everything()
        return found

    def greet_frame(self) -> bytes | None:
        """Return the latest picture; None if no scene is open."""
        session = self.session
        return None if session is None else session.latest_frame()

    def set_audience(self, count: int) -> None:
        """Hear how many pages look on; without any, no pictures are made."""
        self._audience = count

    def find_file(self, name: str) -> Path | None:
        """Return the file that is offered under a name."""
        return self.files.find(name)

    def find_asset(self, name: str) -> bytes | None:
        """Return the bytes of a mesh or texture of the open scene."""
        session = self.session
        return None if session is None else session.assets.find(name)

    def close(self) -> None:
        """End the scene and the thread, and delete all files; twice does no harm."""
        self._is_closing = True
        self._wake()
        self._thread.join(END_TIMEOUT)
        self._looker.shutdown()
        self.files.close()

    def _accept(self, request: m.FromPage, answer: Answer) -> None:
        if self._is_closing:
            raise ConfigError("the page is being closed")
        match request:
            case m.GetFrame():
                self._look_back(request, answer)
            case m.Watch():
                self._watch = request
                if self.session is not None:
                    self.session.images.forget()
                answer(m.Reply(id=request.id, ok=True))
            case m.Service():
                self._serve(request, answer)
            case m.OpenScene(name=name):
                if name not in self.scenes:
                    raise NameNotFoundError("scene", name, self.scenes)
                self._ask_to_open(request, self.scenes[name], {}, answer)
            case _:
                if isinstance(request, m.CloseScene):
                    self._num_opens += 1  # what is being built is not wanted any more
                self._put(lambda: self._carry_out(request, answer))

    def _look_back(self, request: m.GetFrame, answer: Answer) -> None:
        session = self.session
        if session is None:
            raise ConfigError("no scene is open")

        def look() -> None:
            try:
                frame = session.asked_frame(request.tick)
            except Exception as error:
                answer(refusal(request, error))
                return
            closed = ConfigError("the scene was closed")
            answer(refusal(request, closed) if frame is None else frame)

        self._looker.submit(look)

    def _serve(self, request: m.Service, answer: Answer) -> None:
        """Have a service answer, aside; a scene that it makes is opened."""
        service, value = find_service(request.name), request.value
        makes_scene = isinstance(service, SceneService)
        if makes_scene and not self.may_run_code:
            raise ConfigError(
                "files from the page are not run, because this server listens on the "
                "network"
            )

        def done(result: Any, error: Exception | None) -> None:
            if error is not None:
                answer(refusal(request, error))
            elif makes_scene:
                self._ask_to_open(request, result, {}, answer)
            else:
                answer(m.Reply(id=request.id, ok=True, value=result))

        self._pool.do(request.name, lambda: service(value), done)

    def _ask_to_open(
        self, request: m.FromPage, spec: SceneSpec, settings: Settings, answer: Answer
    ) -> None:
        self._num_opens += 1
        turn = self._num_opens

        def open_it() -> None:
            if self._is_closing:
                raise ConfigError("the page is being closed")
            if turn != self._num_opens:
                raise ConfigError("another scene was opened meanwhile")
            self.open(spec, settings)
            answer(m.Reply(id=request.id, ok=True, value={"scene": self._number}))

        self._put(lambda: self._guard(request, answer, open_it))

    def _put(self, job: Job) -> None:
        self._jobs.put(job)
        self._wake()

    def _wake(self) -> None:
        self._has_job.set()
        session = self.session
        if session is not None:
            session.live.run.post(controls.QuitRequest())

    # -- the simulator's thread ------------------------------------------------------

    def _live(self) -> None:
        with counting_kernels(self._tell_kernel):
            while not self._is_closing:
                try:
                    self._do_jobs()
                    self._go_on()
                except Exception:  # the last net: the runner outlives its own mistakes
                    logger.exception("the scene runner stumbled")
            self._close_session()
            self._do_jobs()

    def _go_on(self) -> None:
        """Run the scene until there is something else to do."""
        session = self.session
        if session is None or session.problem:
            self._has_job.wait(LOOK_PERIOD)
            self._has_job.clear()
            self._tell()
            return
        try:
            session.live.run.run(until=self._between)
        except Exception as error:
            logger.exception("scene %s broke", session.scene.name)
            session.problem = f"{type(error).__name__}: {error}"
            session.feeds.say(session.problem, level="error", source="world")
            session.feeds.add_event("error", session.problem)
            self._tell(at_once=True)

    def _do_jobs(self) -> None:
        is_done = False
        while not self._jobs.empty():
            self._jobs.get()()
            is_done = True
        if is_done:
            self._tell(at_once=True)

    def _between(self) -> bool:
        """Look at the scene between two ticks; return whether something else waits."""
        assert self.session is not None
        self.session.look()
        self._tell()
        return self._is_closing or not self._jobs.empty()

    def _tell(self, *, at_once: bool = False) -> None:
        """Send what is due: pictures, news, status."""
        now, session = time.monotonic(), self.session
        is_due = at_once or now >= self._next_frame
        if self._audience and session is not None and is_due:
            self._next_frame = now + FRAME_PERIOD
            frame = session.live_frame(with_contacts=self._watch.contacts)
            if frame is not None:
                self._call(self._send_frame, frame)
        if session is not None and (at_once or now >= self._next_news):
            self._next_news = now + NEWS_PERIOD
            for message in session.feeds.news(with_samples=self._watch.signals):
                self._call(self._send, message)
        if self._audience and session is not None and now >= self._next_exhibit:
            self._next_exhibit = now + EXHIBIT_PERIOD
            self._tell_exhibit(session)
        if at_once or now >= self._next_look:
            self._next_look = now + LOOK_PERIOD
            self._tell_status(now, at_once=at_once)

    def _tell_exhibit(self, session: SceneSession) -> None:
        if session.problem:
            return
        for message in session.publisher.news():
            self._call(self._send, message)
        session.images.serve(self._watch, self._send_image)

    def _tell_status(self, now: float, *, at_once: bool) -> None:
        session = self.session
        empty = m.Status(scene=0, problem=self._failure)
        status = empty if session is None else session.status()
        old, self._status = self._status, status
        if at_once or now >= self._next_status or _differs(status, old):
            self._next_status = now + STATUS_PERIOD
            self._call(self._send, status)

    def _tell_wait(self, text: str) -> None:
        """Say why nothing moves; the next status ends it."""
        self._status = replace(self._status, is_loading=True, loading=text)
        self._call(self._send, self._status)

    def _tell_kernel(self, number: int) -> None:
        if threading.current_thread() is self._thread:  # others hold nothing up
            self._tell_wait(f"Compiling for this machine, only this once: {number}")

    def tell(self, message: m.FromServer) -> None:
        """Tell all pages something; only from the simulator's thread."""
        self._call(self._send, message)

    def _call(self, send: Callable[[Any], None], what: Any) -> None:
        try:
            send(what)
        except Exception:
            logger.exception("a message could not be sent")

    # -- carrying out ----------------------------------------------------------------

    def _carry_out(self, request: m.FromPage, answer: Answer) -> None:
        self._guard(request, answer, lambda: carry_out(self, request, answer))

    def _guard(self, request: m.FromPage, answer: Answer, what: Job) -> None:
        try:
            what()
        except Exception as error:
            if not isinstance(error, GelenkError):
                logger.exception("request %s failed", type(request).__name__)
            answer(refusal(request, error))

    def open(self, spec: SceneSpec, settings: Settings) -> None:
        """Close what runs and open a scene; in the simulator's thread.

        Raises:
            Exception: Whatever the scene raises; then none is open.
        """
        self._close_session()
        self._failure = ""
        self._status = m.Status(scene=0, is_loading=True)
        self._call(self._send, self._status)
        turn = self._num_opens

        def tell(text: str) -> None:
            if self._is_closing or turn != self._num_opens:
                raise ConfigError("something else was asked for meanwhile")
            self._tell_wait(text)

        try:
            with telling(tell):
                session = SceneSession(self._number + 1, spec, self._seed, settings)
        except BaseException as error:
            self._failure = f"{spec.title}: {error}"
            raise
        self._number += 1
        self.session = session
        self._call(self._send, session.scene)
        self._tell(at_once=True)

    def reopen(self) -> None:
        """Build the open scene anew, with the parameters that are wanted by now."""
        session = self.session
        assert session is not None
        self.open(session.spec, dict(session.wanted))

    def close_scene(self) -> None:
        """Go back to the gallery; in the simulator's thread."""
        self._failure = ""
        self._close_session()

    def _close_session(self) -> None:
        session, self.session = self.session, None
        if session is not None:
            session.close(lambda text: logger.warning("%s", text))
            del session
            tidy_up()


def refusal(request: m.FromPage, error: Exception) -> m.Reply:
    """Return the answer to a request that could not be carried out."""
    is_ours = isinstance(error, GelenkError)
    text = str(error) if is_ours else f"{type(error).__name__}: {error}"
    field = getattr(error, "field", "")
    return m.Reply(
        id=request.id,
        ok=False,
        message=text,
        field=field if isinstance(field, str) else "",
    )


def _differs(one: m.Status, other: m.Status) -> bool:
    """Return whether more than the time has changed."""

    def without_time(status: m.Status) -> m.Status:
        return replace(status, time=0.0, tick=0, first_tick=0, speed=0.0)

    return without_time(one) != without_time(other)
