"""Opens the page in the browser and serves it until somebody ends it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from gelenk.cli import exit_codes
from gelenk.cli.console import dim, say, write
from gelenk.errors import NameNotFoundError

if TYPE_CHECKING:
    from gelenk.ui.hub import Hub
    from gelenk.ui.scene_runner import SceneRunner
    from gelenk.ui.server import PageServer
    from gelenk.ui.staged import Entry

T = TypeVar("T")
MISSING = "the page is not built: `make client` builds it (this needs Node 20 or newer)"


@dataclass(frozen=True, slots=True, kw_only=True)
class PageWish:
    """How the page shall be opened.

    Attributes:
        host: Address to listen on.
        port: Port; None: 8765, or the next one that is free; 0: any.
        token: What pages have to know; None: a new one; empty: nothing.
        open_browser: Whether a browser is started, if there is a display.
        seed: Of all scenes.
    """

    host: str = "127.0.0.1"
    port: int | None = None
    token: str | None = None
    open_browser: bool = True
    seed: int = 0


def page_problem() -> str:
    """Return why no page can be shown here; empty if one can."""
    from importlib.util import find_spec

    if find_spec("websockets") is None:
        return f"`websockets` is missing: {sys.executable} -m pip install websockets"
    from gelenk.ui.site import STATIC

    return "" if (STATIC / "index.html").is_file() else MISSING


def open_page(
    scene: str | None, wish: PageWish, *, make_entry: Callable[[], Entry] | None = None
) -> int:
    """Serve the page until Ctrl-C.

    Running code from the page is possible only if nobody else can reach it.

    Args:
        scene: Scene to open; None: the gallery.
        wish: How.
        make_entry: Makes one more scene, which is opened.

    Returns:
        The exit code; the end by Ctrl-C is the usual one.

    Raises:
        ConfigError: If the port is taken, or the address not ours.
        NameNotFoundError: If there is no such scene.
    """
    try:
        return asyncio.run(_serve(scene, wish, make_entry))
    except KeyboardInterrupt:  # where a loop cannot hear signals
        return exit_codes.OK


async def _serve(
    scene: str | None, wish: PageWish, make_entry: Callable[[], Entry] | None
) -> int:
    from gelenk.ui.hub import Hub
    from gelenk.ui.server import PageServer, ServerConfig

    hub, end, stage = Hub(), asyncio.Event(), None
    config = ServerConfig(host=wish.host, port=wish.port, token=wish.token)
    server = PageServer(hub, config)
    await server.start()
    _listen_to_signals(end)
    try:
        scenes, first = await _in_thread(lambda: _find_scenes(scene, make_entry))
        # The browser starts while we load the engine: both take about a second.
        _announce(server, wish)
        stage = await _in_thread(lambda: _make_stage(hub, scenes, first, wish))
        server.attach(stage)
        await end.wait()
    finally:
        await server.close()
        if stage is not None:
            await _in_thread(stage.close)
    return exit_codes.OK


def _find_scenes(
    scene: str | None, make_entry: Callable[[], Entry] | None
) -> tuple[dict[str, Entry], str | None]:
    """Return all scenes, and the name of the one to open.

    Raises:
        NameNotFoundError: If there is no such scene.
    """
    from gelenk.ui.gallery import list_scenes

    scenes = list_scenes()
    if make_entry is not None:
        entry = make_entry()
        scene = entry.card.name
        scenes = {scene: entry, **scenes}
    if scene is not None and scene not in scenes:
        raise NameNotFoundError("scene", scene, scenes)
    return scenes, scene


def _make_stage(
    hub: Hub, scenes: dict[str, Entry], first: str | None, wish: PageWish
) -> SceneRunner:
    from gelenk.ui.scene_runner import SceneRunner

    stage = SceneRunner(
        may_run_code=_may_run_code(wish),
        send=hub.send,
        send_frame=hub.send_frame,
        send_image=hub.send_image,
        scenes=scenes,
        seed=wish.seed,
    )
    if first is not None:
        _open_scene(stage, first)
    return stage


def _may_run_code(wish: PageWish) -> bool:
    from gelenk.ui.access_control import is_loopback

    return is_loopback(wish.host)


def _open_scene(stage: SceneRunner, name: str) -> None:
    from gelenk.ui.messages import OpenScene, Reply

    def hear(answer: Reply | bytes) -> None:
        if isinstance(answer, Reply) and not answer.ok:
            say(f"gelenk: {name}: {answer.message}")

    stage.handle(OpenScene(id=0, name=name), hear)


def _announce(server: PageServer, wish: PageWish) -> None:
    """Say where the page is, and show it."""
    if not server.is_built:
        say(f"gelenk: {MISSING}")
    is_shown = wish.open_browser and has_display()
    write(f"{'the page is' if is_shown else 'open'} {server.url}")
    with contextlib.suppress(BrokenPipeError):
        sys.stdout.flush()
    if not _may_run_code(wish):
        say("others can reach this page with the token; files from it are not run")
    say(dim("Ctrl-C ends it"))
    if is_shown:
        import webbrowser

        threading.Thread(
            target=webbrowser.open, args=(server.url,), daemon=True
        ).start()


def has_display() -> bool:
    """Return whether a browser that is started here would be seen by somebody."""
    if sys.platform in ("win32", "darwin"):
        return "SSH_CONNECTION" not in os.environ
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _listen_to_signals(end: asyncio.Event) -> None:
    """Let the first Ctrl-C end everything in order, the second one at once."""

    def hear() -> None:
        if end.is_set():
            os._exit(exit_codes.INTERRUPTED)
        end.set()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        # Windows has no such handlers: there Ctrl-C raises, as everywhere else.
        with contextlib.suppress(NotImplementedError, ValueError, RuntimeError):
            loop.add_signal_handler(number, hear)


async def _in_thread(work: Callable[[], T]) -> T:
    """Return the result of something slow; its thread does not hold up the end."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def settle(method: Callable[[Any], None], value: Any) -> None:
        if not future.done():
            method(value)

    def run() -> None:
        try:
            call, value = future.set_result, work()
        except BaseException as error:
            call, value = future.set_exception, error
        with contextlib.suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(settle, call, value)

    threading.Thread(target=run, daemon=True).start()
    return await future
