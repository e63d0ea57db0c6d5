"""What it costs the simulation that somebody looks on."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Any, TypeVar

from benchmarks.harness import Row, Settings
from testkit.browser import browsing, why_not

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from gelenk.ui.messages import FromPage
    from gelenk.ui.scene_runner import SceneRunner

T = TypeVar("T")
SCENE = "armbot/line"
BEGIN, END = 1.0, 7.0  # [s] simulated; the same work in every turn
TIMEOUT = 120.0  # [s]


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What the same simulated seconds took: wall time, and of the stage's thread."""

    wall: float
    cpu: float


def slow_down(settings: Settings) -> Iterator[Row]:
    """Run the same seconds by turns with and without a page."""
    names = ("slow_down", "slow_down_of_thread")
    if reason := why_not():
        for name in names:
            target = 10.0 if name == "slow_down" else None
            yield Row(name=name, value=None, unit="%", target=target, note=reason)
        return
    pairs = settings.pick(6, 2)
    seen: list[Turn] = []
    unseen: list[Turn] = []
    with _stage() as (stage, url), browsing() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        _run(stage, page, "")  # caches
        for pair in range(pairs):
            for is_seen in (True, False) if pair % 2 else (False, True):
                turn = _run(stage, page, f"{url}&quality=low" if is_seen else "")
                (seen if is_seen else unseen).append(turn)
    for name, attribute in zip(names, ("wall", "cpu"), strict=True):
        ratios = [
            getattr(a, attribute) / getattr(b, attribute)
            for a, b in zip(seen, unseen, strict=True)
        ]
        speed = (END - BEGIN) / median(turn.wall for turn in unseen)
        what = {
            "wall": "wall time; the browser draws in software on the same cores",
            "cpu": "CPU time of the simulator's thread: what the page itself costs it",
        }[attribute]
        yield Row(
            name=name,
            value=100.0 * (median(ratios) - 1.0),
            unit="%",
            target=10.0 if name == "slow_down" else None,
            note=f"{what}. `{SCENE}` as fast as possible ({speed:.1f} x), "
            f"{END - BEGIN:g} s simulated, median of {pairs} pairs by turns",
        )


def _run(stage: SceneRunner, page: Page, url: str) -> Turn:
    """Open the scene anew, with a page or without, and time it."""
    from gelenk.ui.messages import Hold, OpenScene, SetPace

    page.goto("about:blank")
    _ask(stage, OpenScene(id=1, name=SCENE))
    _ask(stage, Hold(id=2, is_held=True))  # while the page loads
    if url:
        page.goto(url)
        _wait(lambda: bool(page.evaluate("window.__gelenk?.ready")), page)
    show = stage.show
    assert show is not None
    run = show.live.run
    assert run.time < BEGIN, f"{run.time} s have passed: the turns would not be equal"
    _ask(stage, SetPace(id=3, pace=None))
    _ask(stage, Hold(id=4, is_held=False))
    _wait_quietly(lambda: run.time >= BEGIN)
    wall, cpu = time.perf_counter(), _stage_seconds()
    _wait_quietly(lambda: run.time >= END)
    return Turn(wall=time.perf_counter() - wall, cpu=_stage_seconds() - cpu)


def _ask(stage: SceneRunner, request: FromPage) -> None:
    from gelenk.ui.messages import Reply

    done = threading.Event()
    replies: list[object] = []

    def hear(answer: object) -> None:
        replies.append(answer)
        done.set()

    stage.handle(request, hear)
    assert done.wait(TIMEOUT), f"no answer to {request}"
    reply = replies[0]
    assert isinstance(reply, Reply), reply
    assert reply.ok, reply.message


def _wait(predicate: Callable[[], bool], page: Page) -> None:
    end = time.monotonic() + TIMEOUT
    while not predicate():
        if time.monotonic() > end:
            raise TimeoutError("the page does not show the scene")
        page.wait_for_timeout(50.0)


def _wait_quietly(predicate: Callable[[], bool]) -> None:
    end = time.monotonic() + TIMEOUT
    while not predicate():
        if time.monotonic() > end:
            raise TimeoutError("the scene does not get on")
        time.sleep(0.005)


def _stage_seconds() -> float:
    """Return the CPU time of the simulator's thread so far [s]."""
    import psutil

    ids = {t.native_id for t in threading.enumerate() if t.name == "stage"}
    threads = psutil.Process().threads()
    return sum(t.user_time + t.system_time for t in threads if t.id in ids)


@contextlib.contextmanager
def _stage() -> Iterator[tuple[SceneRunner, str]]:
    """Serve a page from this process, whose clocks can be read."""
    from gelenk.runtime.registry import list_scenes
    from gelenk.ui.hub import Hub
    from gelenk.ui.scene_runner import SceneRunner
    from gelenk.ui.server import PageServer, ServerConfig

    hub, loop = Hub(), asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()

    def do(work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, loop).result(TIMEOUT)

    async def start() -> PageServer:
        server = PageServer(hub, ServerConfig(port=0))
        await server.start()
        return server

    server = do(start())
    stage = SceneRunner(
        may_run_code=False,
        send=hub.send,
        send_frame=hub.send_frame,
        scenes=list_scenes(),
    )
    try:
        server.attach(stage)
        yield stage, server.url
    finally:
        do(server.close())
        stage.close()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
