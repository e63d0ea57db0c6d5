"""Web server of the page: files over HTTP, messages and frames over one socket.

Everything here runs in one asyncio loop. The stage has threads of its own; what it says
comes through the hub.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import os
import socket
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any, Protocol, cast
from urllib.parse import urlsplit

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from gelenk.errors import ConfigError
from gelenk.ui.access_control import AccessControl, new_token
from gelenk.ui.codec import RequestError, decode_request
from gelenk.ui.hub import CLOSE_TIMEOUT, Hub, PageClient, answer_once, write_letters
from gelenk.ui.messages import FromPage, FromServer, Reply, Watch
from gelenk.ui.site import STATIC, StaticSite

logger = logging.getLogger(__name__)

DEFAULT_PORT = 8765
NUM_PORTS = 20  # tried one after the other
MAX_MESSAGE = 2**20  # from a page [bytes]
MAX_PAGES = 64
MAX_OPEN = 256  # requests of one page that wait for their answers
RATE = 200.0  # requests of one page per second, in the long run
BURST = 400.0  # requests at once
REQUEST_TIMEOUT = 10.0  # from a connection to its request [s]
DOWNLOAD_TIMEOUT = 600.0  # [s]
SEND_BUFFER = 2**18  # of the system, per page [bytes]; what lies there is old
GOING_AWAY, DEFECT, NO_TOKEN, TOO_MANY = 1001, 1011, 4401, 4429  # close codes


class PageBackend(Protocol):
    """Backend of the page server; see `gelenk.ui.scene_runner`."""

    def handle(
        self, request: FromPage, answer: Callable[[Reply | bytes], None]
    ) -> None:
        """Begin to carry out a request; its one answer may come from any thread."""
        ...

    def greet(self) -> Iterable[FromServer]:
        """Return what a new page has to know."""
        ...

    def greet_frame(self) -> bytes | None:
        """Return the latest frame."""
        ...

    def set_audience(self, count: int) -> None:
        """Hear how many pages look on."""
        ...

    def find_file(self, name: str) -> Path | None:
        """Return the file of a download that was offered."""
        ...

    def find_asset(self, name: str) -> bytes | None:
        """Return a mesh or texture of the open scene."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerConfig:
    """Configuration of the page server.

    Attributes:
        host: Address to listen on.
        port: Port; None: 8765, or the next one that is free; 0: any.
        token: Secret that pages have to know; None: a new one; empty: none.
        root: Folder of the client's bundle.

    Example:
        >>> from gelenk.ui import ServerConfig
        >>> ServerConfig(port=9000).host
        '127.0.0.1'
    """

    host: str = "127.0.0.1"
    port: int | None = None
    token: str | None = None
    root: Path = STATIC


class PageConnection(ServerConnection):
    """A connection that is cut if it stays silent: browsers open some in advance."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to wait for the request."""
        super().connection_made(transport)
        self._deadline = self.loop.call_later(REQUEST_TIMEOUT, self._cut)
        sock = transport.get_extra_info("socket")
        with contextlib.suppress(OSError):
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop to wait."""
        self._deadline.cancel()
        super().connection_lost(exc)

    def _cut(self) -> None:
        if self.request is None:
            self.transport.abort()


class PageServer:
    """Server of the page.

    Pages may come before the scene runner does; they wait for it.

    Args:
        hub: Hub into which the scene runner sends.
        config: Address, port and token.

    Example:
        >>> import asyncio
        >>> from gelenk.ui import Hub, PageServer, ServerConfig
        >>> async def serve() -> str:
        ...     server = PageServer(Hub(), ServerConfig(port=0, token=""))
        ...     await server.start()
        ...     try:
        ...         return server.url.rpartition(":")[0]
        ...     finally:
        ...         await server.close()
        >>> asyncio.run(serve())
        'http://127.0.0.1'
    """

    def __init__(self, hub: Hub, config: ServerConfig) -> None:
        self._hub = hub
        self._config = config
        self._stage: PageBackend | None = None
        self._is_ready = asyncio.Event()
        self._connections: set[PageConnection] = set()
        self._server: Server | None = None
        self._guard = AccessControl(host="127.0.0.1", port=0)
        self._site = self._make_site()

    @property
    def url(self) -> str:
        """Address of the page, with its token."""
        return self._guard.url

    @property
    def is_built(self) -> bool:
        """Whether there is a bundle to serve."""
        return self._site.is_built

    async def start(self) -> None:
        """Begin to listen.

        Raises:
            ConfigError: If that is not possible; it says what to do.
        """
        token = new_token() if self._config.token is None else self._config.token
        host = self._config.host
        AccessControl(host=host, port=0, token=token)  # refuses before anything is open
        self._server = await self._listen(host)
        port = self._server.sockets[0].getsockname()[1]
        self._guard = AccessControl(host=host, port=port, token=token)
        self._site = self._make_site()
        await self._server.start_serving()

    def attach(self, stage: PageBackend) -> None:
        """Put the scene runner behind the page."""
        self._stage = stage
        self._is_ready.set()

    async def close(self, reason: str = "gelenk has ended") -> None:
        """Say goodbye to all pages and stop to listen."""
        if self._server is None:
            return
        self._is_ready.set()
        await self._hub.close(GOING_AWAY, reason)
        self._server.close(close_connections=False)
        for connection in list(self._connections):
            connection.transport.abort()
        await self._server.wait_closed()

    # -- listening -----------------------------------------------------------------

    async def _listen(self, host: str) -> Server:
        wanted = self._config.port
        first = range(DEFAULT_PORT, DEFAULT_PORT + NUM_PORTS)
        ports = (*first, 0) if wanted is None else (wanted,)
        for port in ports:
            try:
                return await self._serve(host, port)
            except OSError as error:
                if error.errno != errno.EADDRINUSE:
                    raise ConfigError(_listen_problem(host, port, error)) from None
        raise ConfigError(
            f"port {wanted} is taken; leave `--port` out to get a free one, or end "
            "what uses it"
        )

    async def _serve(self, host: str, port: int) -> Server:
        socket_logger = logging.getLogger(f"{__name__}.socket")
        if not os.environ.get("GELENK_DEBUG"):
            socket_logger.setLevel(logging.CRITICAL)  # strangers knock all the time
        return await serve(
            self._talk,
            # localhost may be two addresses, and then two ports
            "127.0.0.1" if host == "localhost" else host,
            port,
            process_request=self._answer_http,
            # anything that makes one will do
            create_connection=cast("type[ServerConnection]", self._connect),
            compression=None,
            max_size=MAX_MESSAGE,
            open_timeout=DOWNLOAD_TIMEOUT,
            close_timeout=DOWNLOAD_TIMEOUT,
            write_limit=0,  # a message is gone when the system has taken it
            server_header=None,
            logger=socket_logger,
            start_serving=False,
        )

    def _connect(self, *args: Any, **kwargs: Any) -> PageConnection:
        connection = PageConnection(*args, **kwargs)
        self._connections.add(connection)
        connection.connection_lost_waiter.add_done_callback(
            lambda _: self._connections.discard(connection)
        )
        return connection

    async def _answer_http(
        self, connection: ServerConnection, request: Request
    ) -> Response | None:
        """Return the answer to a plain request, None for one that wants the socket."""
        if urlsplit(request.path).path == "/ws":
            refused = self._guard.refusal(request.headers, needs_origin=True)
            if refused:
                return connection.respond(HTTPStatus.FORBIDDEN, f"{refused}\n")
            return None
        try:
            return await asyncio.to_thread(self._site.respond, request)
        except OSError as error:
            logger.warning("%s: %s", request.path, error)
            return connection.respond(HTTPStatus.NOT_FOUND, "it cannot be read\n")

    def _make_site(self) -> StaticSite:
        return StaticSite(
            self._guard,
            find_file=self._find_file,
            find_asset=self._find_asset,
            root=self._config.root,
        )

    def _find_file(self, name: str) -> Path | None:
        return None if self._stage is None else self._stage.find_file(name)

    def _find_asset(self, name: str) -> bytes | None:
        return None if self._stage is None else self._stage.find_asset(name)

    # -- talking -------------------------------------------------------------------

    async def _talk(self, connection: ServerConnection) -> None:
        """Serve one page until it leaves."""
        connection.close_timeout = CLOSE_TIMEOUT
        request = connection.request
        if request is None or not self._guard.knows(request.path, request.headers):
            await connection.close(
                NO_TOKEN, "open the address that gelenk printed; it has the token"
            )
            return
        if self._hub.num_clients >= MAX_PAGES:
            await connection.close(TOO_MANY, f"{MAX_PAGES} pages are open already")
            return
        await self._is_ready.wait()
        if self._stage is None:  # it ended before it began
            return
        client = self._hub.join(connection)
        writer = asyncio.create_task(client.write())
        try:
            self._tell_audience()
            await self._greet(client, self._stage)
            with contextlib.suppress(ConnectionClosed):
                await self._listen_to(client, self._stage)
        finally:
            self._hub.leave(client)
            writer.cancel()
            self._tell_audience()

    async def _greet(self, client: PageClient, stage: PageBackend) -> None:
        try:
            greeting = await asyncio.to_thread(lambda: write_letters(stage.greet()))
            frame = await asyncio.to_thread(stage.greet_frame)
            client.greet(greeting, frame)
        except Exception:
            logger.exception("the scene runner could not greet a page")
            await client.end(DEFECT, "the scene could not be shown; see the terminal")

    async def _listen_to(self, client: PageClient, stage: PageBackend) -> None:
        loop = asyncio.get_running_loop()
        allowance, last = BURST, loop.time()
        async for data in client.connection:
            now = loop.time()
            allowance = min(BURST, allowance + RATE * (now - last)) - 1.0
            last = now
            if allowance < 0.0:
                await asyncio.sleep(-allowance / RATE)
            self._handle(client, data, stage)

    def _handle(
        self, client: PageClient, data: str | bytes, stage: PageBackend
    ) -> None:
        answer = answer_once(self._hub, client)
        try:
            if isinstance(data, bytes):
                raise RequestError("expected a text message, got bytes")
            request = decode_request(data)
        except RequestError as error:
            answer(error.as_reply())
            return
        if client.num_open > MAX_OPEN:
            problem = f"{MAX_OPEN} requests wait for their answers; wait for some"
            answer(Reply(id=request.id, ok=False, message=problem))
            return
        if isinstance(request, Watch):
            client.watch = request
            self._tell_audience()
            answer(Reply(id=request.id, ok=True))
            return
        try:
            stage.handle(request, answer)
        except Exception as error:
            logger.exception("the scene runner could not handle %.200r", request)
            problem = f"a defect of ours: {type(error).__name__}: {error}"
            answer(Reply(id=request.id, ok=False, message=problem))

    def _tell_audience(self) -> None:
        """Let the scene runner know how many pages look on, and at what."""
        if self._stage is None:
            return
        try:
            self._stage.set_audience(self._hub.num_clients)
            self._stage.handle(self._hub.watched(), lambda _: None)
        except Exception:
            logger.exception("the scene runner could not be told who looks on")


def _listen_problem(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EACCES:
        return f"port {port} is for the administrator; use one above 1023"
    return (
        f"cannot listen on {host}:{port}: {error.strerror or error}; `--host` takes an "
        "address of this machine, 127.0.0.1 for this machine alone, 0.0.0.0 for all"
    )
