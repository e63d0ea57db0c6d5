"""`gelenk open`: the page in the browser, with a scene, a robot or a file."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from gelenk.cli import exit_codes
from gelenk.cli.console import dim, say, write
from gelenk.errors import ConfigError, NameNotFoundError

if TYPE_CHECKING:
    from gelenk.runtime.scene import SceneSpec
    from gelenk.ui.hub import Hub
    from gelenk.ui.scene_runner import SceneRunner
    from gelenk.ui.server import PageServer

T = TypeVar("T")
MISSING = "the page is not built: `make client` builds it (this needs Node 20 or newer)"


LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True, kw_only=True)
class PageOptions:
    """Options of the page.

    Attributes:
        host: Address to listen on.
        port: Port; None: 8765, or the next one that is free; 0: any.
        token: Secret that pages have to know; None: a new one; empty: none.
        open_browser: Whether a browser is started, if there is a display.
        seed: Seed of all scenes.
    """

    host: str = LOOPBACK
    port: int | None = None
    token: str | None = None
    open_browser: bool = True
    seed: int = 0


def open_(
    target: Annotated[
        str | None,
        typer.Argument(
            metavar="[SCENE|ROBOT|FILE]",
            help="Scene or robot by name (`gelenk list`), robot file, or environment "
            "file; without it the gallery.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of the draws.")] = 0,
    port: Annotated[
        int | None,
        typer.Option(
            "--port", min=0, max=65535, help="Without it 8765 or the next free one."
        ),
    ] = None,
    host: Annotated[
        str, typer.Option("--host", help="Address; 0.0.0.0 for the network.")
    ] = LOOPBACK,
    token: Annotated[
        str | None, typer.Option("--token", help="Token of the page; empty for none.")
    ] = None,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the address only.")
    ] = False,
) -> int:
    """Show a scene, a robot or a file in the browser, until Ctrl-C."""
    if problem := page_problem():
        raise ConfigError(problem)
    options = PageOptions(
        host=host, port=port, token=token, open_browser=not no_browser, seed=seed
    )
    return open_page(None if target is None else lambda: find_scene(target), options)


def find_scene(target: str) -> SceneSpec:
    """Return the scene of a name or a file.

    Args:
        target: Name of a scene, name of a robot, or path of a file.

    Raises:
        NameNotFoundError: If there is neither; the closest of them are named.
        ConfigError: If it cannot be shown.
        GelenkError: If the file has mistakes.
    """
    from gelenk.models import catalog
    from gelenk.runtime.registry import file_suffixes, list_scenes, scene_of_file
    from gelenk.runtime.scenario import list_scenarios
    from gelenk.ui.gallery_arms import scene_of_robot

    scenes, robots = list_scenes(), catalog.names()
    if target in scenes:
        return scenes[target]
    if target in robots:
        return scene_of_robot(target)
    path = Path(target)
    if path.suffix in file_suffixes() or path.is_file():
        spec = scene_of_file(path)
        if spec is None:
            kinds = ", ".join(file_suffixes())
            raise ConfigError(f"cannot open {target}; files that can be: {kinds}")
        return spec
    if any(item.name == target for item in list_scenarios()):
        raise ConfigError(f"{target} has no page; `gelenk run {target}` computes it")
    raise NameNotFoundError("scene or robot", target, {*scenes, *robots})


def page_problem() -> str:
    """Return why no page can be shown here; empty if one can."""
    from importlib.util import find_spec

    if find_spec("websockets") is None:
        return f"`websockets` is missing: {sys.executable} -m pip install websockets"
    from gelenk.ui.site import STATIC

    return "" if (STATIC / "index.html").is_file() else MISSING


def open_page(describe: Callable[[], SceneSpec] | None, options: PageOptions) -> int:
    """Serve the page until Ctrl-C.

    Running code from the page is possible only if nobody else can reach it.

    Args:
        describe: Describes the scene to open; None: the gallery.
        options: Address, port, token, browser and seed.

    Returns:
        Exit code; the end by Ctrl-C is the usual one.

    Raises:
        ConfigError: If the port is taken, or the address not ours.
        GelenkError: If there is no such scene.
    """
    try:
        return asyncio.run(_serve(describe, options))
    except KeyboardInterrupt:  # where a loop cannot hear signals
        return exit_codes.OK


async def _serve(describe: Callable[[], SceneSpec] | None, options: PageOptions) -> int:
    from gelenk.ui.hub import Hub
    from gelenk.ui.server import PageServer, ServerConfig

    hub, end, runner = Hub(), asyncio.Event(), None
    config = ServerConfig(host=options.host, port=options.port, token=options.token)
    server = PageServer(hub, config)
    await server.start()
    _listen_to_signals(end)
    try:
        scenes, first = await _in_thread(lambda: _find_scenes(describe))
        # The browser starts while we load the engine: both take about a second.
        _announce(server, options)
        runner = await _in_thread(lambda: _make_runner(hub, scenes, first, options))
        server.attach(runner)
        await end.wait()
    finally:
        await server.close()
        if runner is not None:
            await _in_thread(runner.close)
    return exit_codes.OK


def _find_scenes(
    describe: Callable[[], SceneSpec] | None,
) -> tuple[dict[str, SceneSpec], str | None]:
    """Return all scenes, and the name of the one to open."""
    from gelenk.plugins import PluginError
    from gelenk.runtime.registry import list_scenes

    problems: list[PluginError] = []
    spec = None if describe is None else describe()
    scenes = list_scenes(problems)
    for problem in problems:
        say(f"gelenk: warning: {problem}")
    if spec is None:
        return scenes, None
    return {spec.name: spec, **scenes}, spec.name


def _make_runner(
    hub: Hub, scenes: dict[str, SceneSpec], first: str | None, options: PageOptions
) -> SceneRunner:
    from gelenk.ui.scene_runner import SceneRunner

    runner = SceneRunner(
        may_run_code=_may_run_code(options),
        send=hub.send,
        send_frame=hub.send_frame,
        send_image=hub.send_image,
        scenes=scenes,
        seed=options.seed,
    )
    if first is not None:
        _open_scene(runner, first)
    return runner


def _may_run_code(options: PageOptions) -> bool:
    from gelenk.ui.access_control import is_loopback

    return is_loopback(options.host)


def _open_scene(runner: SceneRunner, name: str) -> None:
    from gelenk.ui.messages import OpenScene, Reply

    def hear(answer: Reply | bytes) -> None:
        if isinstance(answer, Reply) and not answer.ok:
            say(f"gelenk: {name}: {answer.message}")

    runner.handle(OpenScene(id=0, name=name), hear)


def _announce(server: PageServer, options: PageOptions) -> None:
    """Say where the page is, and show it."""
    if not server.is_built:
        say(f"gelenk: {MISSING}")
    is_shown = options.open_browser and has_display()
    write(f"{'the page is' if is_shown else 'open'} {server.url}")
    with contextlib.suppress(BrokenPipeError):
        sys.stdout.flush()
    if not _may_run_code(options):
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
