"""A page server in a thread of its own, with a stage that only pretends."""

from __future__ import annotations

import asyncio
import http.client
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from websockets.sync.client import ClientConnection, connect

from gelenk.ui.codec import ANSWERS, decode, encode
from gelenk.ui.frames import ASKED, Frame, pack_frame
from gelenk.ui.hub import Hub
from gelenk.ui.messages import (
    FromPage,
    FromServer,
    GetFrame,
    Hello,
    OpenScene,
    Reply,
    Scene,
    Service,
    Status,
)
from gelenk.ui.readers import MessageLimits
from gelenk.ui.server import PageServer, ServerConfig


def make_frame(tick: int, *, scene: int = 1, bodies: int = 3, flags: int = 0) -> bytes:
    """Return a frame whose tick tells when it was made."""
    empty = np.zeros(0)
    frame = Frame(
        scene, 0.01 * tick, tick, np.zeros((bodies, 7)), empty, empty, np.zeros((0, 6))
    )
    return pack_frame(frame, flags=flags)


class FakeStage:
    """Answers like a stage, and remembers what it was asked."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.requests: list[FromPage] = []
        self.audience: list[int] = []
        self.files: dict[str, Path] = {}
        self.assets: dict[str, bytes] = {}
        self.scene = 0

    def handle(
        self, request: FromPage, answer: Callable[[Reply | bytes], None]
    ) -> None:
        self.requests.append(request)
        match request:
            case GetFrame():
                answer(make_frame(request.tick, flags=ASKED))
            case OpenScene():
                self.scene += 1
                self.hub.send(self.make_scene())
                self.hub.send(Status(scene=self.scene))
                answer(Reply(id=request.id, ok=True))
            case Service(name="raise"):
                raise ZeroDivisionError("on purpose")
            case Service(name="never"):
                pass
            case Service(name="object"):
                answer(Reply(id=request.id, ok=True, value=object()))
            case Service(name="twice"):
                answer(Reply(id=request.id, ok=True, value=1))
                answer(Reply(id=request.id, ok=True, value=2))
            case Service():
                answer(Reply(id=request.id, ok=True, value=request.value))
            case _:
                answer(Reply(id=request.id, ok=True))

    def make_scene(self) -> Scene:
        return Scene(
            number=self.scene, name="x/y", title="x", step=0.001, period=0.01, bodies=()
        )

    def greet(self) -> list[FromServer]:
        hello = Hello(version=1, server="test", may_run_code=False, gallery=())
        return [hello, *([self.make_scene()] if self.scene else [])]

    def greet_frame(self) -> bytes | None:
        return make_frame(0, scene=self.scene) if self.scene else None

    def set_audience(self, count: int) -> None:
        self.audience.append(count)

    def find_file(self, name: str) -> Path | None:
        return self.files.get(name)

    def find_asset(self, name: str) -> bytes | None:
        return self.assets.get(name)


class Rig:
    """A running server, as a person outside of it sees it."""

    def __init__(self, server: PageServer, hub: Hub, stage: FakeStage) -> None:
        self.server, self.hub, self.stage = server, hub, stage
        self.loop = asyncio.get_running_loop()
        parts = urlsplit(server.url)
        self.host, self.port = str(parts.hostname), int(parts.port or 0)
        self.origin = f"http://{self.host}:{self.port}"

    def get(
        self, path: str, headers: dict[str, str] | None = None, method: str = "GET"
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        """Return status, headers and body; the path is sent as it is."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=20)
        try:
            connection.putrequest(method, path, skip_host="Host" in (headers or {}))
            for name, value in (headers or {}).items():
                connection.putheader(name, value)
            connection.endheaders()
            response = connection.getresponse()
            return response.status, response.headers, response.read()
        finally:
            connection.close()

    def open(self, *, path: str = "/ws", **options: Any) -> ClientConnection:
        """Return a socket as a page of ours opens it."""
        options = {"origin": self.origin, "compression": None, "proxy": None} | options
        return connect(f"ws://{self.host}:{self.port}{path}", **options)


class Page:
    """The other end of the socket."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    def receive(self, timeout: float = 20.0) -> FromServer | bytes:
        data = self.socket.recv(timeout)
        return (
            data if isinstance(data, bytes) else decode(data, ANSWERS, MessageLimits())
        )

    def wait_for(self, kind: type, timeout: float = 20.0) -> Any:
        """Return the next message of a kind, passing over all others."""
        while not isinstance(message := self.receive(timeout), kind):
            pass
        return message

    def ask(self, request: FromPage) -> Any:
        """Return the reply, passing over all else."""
        self.socket.send(encode(request))
        while (reply := self.wait_for(Reply)).id != request.id:
            pass
        return reply


@contextmanager
def running(config: ServerConfig, *, with_stage: bool = True) -> Iterator[Rig]:
    """Run a server in another thread, from its first to its last moment."""
    is_up, problems = threading.Event(), []
    box: dict[str, Any] = {}

    async def live() -> None:
        hub = Hub()
        stage = FakeStage(hub)
        server = PageServer(hub, config)
        box["end"] = asyncio.Event()
        await server.start()
        if with_stage:
            server.attach(stage)
        box["rig"] = Rig(server, hub, stage)
        is_up.set()
        await box["end"].wait()
        await server.close()
        left = asyncio.all_tasks() - {asyncio.current_task()}
        box["tasks"] = [task for task in left if not task.done()]

    def run() -> None:
        try:
            asyncio.run(live())
        except BaseException as error:
            problems.append(error)
        finally:
            is_up.set()

    thread = threading.Thread(target=run)
    thread.start()
    is_up.wait()
    if problems:
        thread.join()
        raise problems[0]
    try:
        yield box["rig"]
    finally:
        box["rig"].loop.call_soon_threadsafe(box["end"].set)
        thread.join(30.0)
    assert not thread.is_alive()
    if problems:
        raise problems[0]
    assert box["tasks"] == []
