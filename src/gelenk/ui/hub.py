"""Hub of the pages that look on, between simulator's thread and server's loop.

Messages are kept in order and never dropped: a page that does not read them is sent
away. Of frames and of each image, a page gets the latest one when it is ready for it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable
from typing import NamedTuple

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from gelenk.errors import ConfigError
from gelenk.ui.codec import encode
from gelenk.ui.images import Packed
from gelenk.ui.messages import FromServer, Reply, Samples, Scene, Status, Watch

logger = logging.getLogger(__name__)

MAX_BACKLOG = 64 * 2**20  # messages that wait for one page [bytes]
SEND_TIMEOUT = 20.0  # for one message [s]
CLOSE_TIMEOUT = 2.0  # [s]
TOO_SLOW = 4408  # close code


class Letter(NamedTuple):
    """Something on its way to the pages.

    Attributes:
        message: Message before it was packed, None for bytes.
        data: Text or bytes that are sent.
        client: Page that gets it; None: all.
    """

    message: FromServer | None
    data: str | bytes
    client: PageClient | None


class PageClient:
    """One page; lives in the server's loop.

    Attributes:
        connection: Its socket.
        watch: Request that says what the page wants to see.
        num_open: Its messages that are not answered yet.
    """

    def __init__(self, connection: ServerConnection) -> None:
        self.connection = connection
        self.watch = Watch(id=0)
        self.num_open = 0
        self._queue: deque[str | bytes] = deque()
        self._num_bytes = 0
        self._frame: bytes | None = None
        self._images: dict[tuple[str, str], Packed] = {}
        self._is_image_due = False
        self._early: list[Letter] | None = []  # what came before the greeting
        self._wake = asyncio.Event()
        self._is_ending = False

    def greet(self, greeting: Iterable[Letter], frame: bytes | None) -> None:
        """Let it know where things stand, then all that came meanwhile."""
        early, self._early = self._early or [], None
        scene = 0
        for letter in greeting:
            if isinstance(letter.message, Scene):
                scene = letter.message.number
            self._put(letter.data)
        self.offer_frame(frame)
        for letter in early:
            if not _is_older(letter.message, scene):
                self._put(letter.data)

    def post(self, letter: Letter) -> None:
        """Send a message after those that wait."""
        if isinstance(letter.message, Samples) and not self.watch.signals:
            return
        if self._early is not None:
            self._early.append(letter)
            return
        if isinstance(letter.message, Scene):
            self._frame = None  # of the scene before
            self._images.clear()
        self._put(letter.data)

    def offer_frame(self, frame: bytes | None) -> None:
        """Replace the frame that waits; the latest wins."""
        if self._early is None and frame is not None:
            self._frame = frame
            self._wake.set()

    def offer_image(self, image: Packed) -> None:
        """Replace the image of that name that waits, if the page looks at it."""
        watch = self.watch
        wanted = watch.cameras if image.source == "camera" else watch.pictures
        if self._early is None and image.name in wanted:
            self._images[image.source, image.name] = image
            self._wake.set()

    def _put(self, data: str | bytes) -> None:
        self._queue.append(data)
        self._num_bytes += len(data)
        self._wake.set()

    def _take(self) -> str | bytes | None:
        if self._queue:
            data = self._queue.popleft()
            self._num_bytes -= len(data)
            return data
        # By turns: neither frames nor images keep the others waiting.
        if self._images and (self._is_image_due or self._frame is None):
            self._is_image_due = False
            return self._images.pop(next(iter(self._images))).data
        self._is_image_due = True
        frame, self._frame = self._frame, None
        return frame

    @property
    def backlog(self) -> int:
        """Bytes of messages that wait."""
        return self._num_bytes

    async def write(self) -> None:
        """Send what waits, for as long as the page is there."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            while (data := self._take()) is not None:
                try:
                    async with asyncio.timeout(SEND_TIMEOUT):
                        await self.connection.send(data)
                except (TimeoutError, ConnectionClosed):
                    self.connection.transport.abort()
                    return

    async def end(self, code: int, reason: str) -> None:
        """Say goodbye; a page that does not listen is cut off."""
        if self._is_ending:
            return
        self._is_ending = True
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_TIMEOUT):
                await self.connection.close(code, reason)
        self.connection.transport.abort()


class Hub:
    """Hands what a scene runner says to all pages that look on.

    `send`, `send_frame` and `send_image` may be called from any thread.

    Example:
        >>> from gelenk.ui import Hub
        >>> Hub().num_clients
        0
    """

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._clients: set[PageClient] = set()
        self._lock = threading.Lock()
        self._letters: list[Letter] = []
        self._frame: bytes | None = None
        self._images: dict[tuple[str, str], Packed] = {}
        self._is_called = False
        self._endings: set[asyncio.Task[None]] = set()

    @property
    def num_clients(self) -> int:
        """How many pages look on."""
        return len(self._clients)

    # -- from any thread -----------------------------------------------------------

    def send(self, message: FromServer) -> None:
        """Send a message to all pages."""
        if self._clients and (data := _encode(message)):
            self._post(Letter(message, data, None))

    def send_frame(self, frame: bytes) -> None:
        """Show a frame to all pages that are ready for one."""
        if self._clients:
            with self._lock:
                self._frame = frame
            self._call()

    def send_image(self, image: Packed) -> None:
        """Show an image to all pages that look at it and are ready for one."""
        if self._clients:
            with self._lock:
                self._images[image.source, image.name] = image
            self._call()

    def answer(self, client: PageClient, answer: Reply | bytes) -> None:
        """Send an answer to the page that asked."""
        if isinstance(answer, Reply):
            self._post(Letter(answer, _encode(answer), client))
        else:
            self._post(Letter(None, answer, client))

    def _post(self, letter: Letter) -> None:
        with self._lock:
            self._letters.append(letter)
        self._call()

    def _call(self) -> None:
        """Wake the loop, once for all that it will find."""
        with self._lock:
            if self._is_called or self._loop is None:
                return
            self._is_called = True
            # RuntimeError: the loop has ended
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._hand_out)

    # -- in the loop ---------------------------------------------------------------

    def join(self, connection: ServerConnection) -> PageClient:
        """Add a page; it hears nothing before `PageClient.greet`."""
        self._loop = asyncio.get_running_loop()
        client = PageClient(connection)
        self._clients.add(client)
        return client

    def leave(self, client: PageClient) -> None:
        """Remove a page."""
        self._clients.discard(client)

    def watched(self) -> Watch:
        """Return what at least one page wants to see."""
        wishes = [client.watch for client in self._clients]
        cameras = {name for wish in wishes for name in wish.cameras}
        pictures = {name for wish in wishes for name in wish.pictures}
        return Watch(
            id=0,
            signals=any(wish.signals for wish in wishes),
            contacts=any(wish.contacts for wish in wishes),
            cameras=tuple(sorted(cameras)),
            pictures=tuple(sorted(pictures)),
        )

    async def close(self, code: int, reason: str) -> None:
        """Say goodbye to all pages."""
        await asyncio.gather(*(client.end(code, reason) for client in self._clients))

    def _hand_out(self) -> None:
        with self._lock:
            letters, self._letters = self._letters, []
            frame, self._frame = self._frame, None
            images, self._images = self._images, {}
            self._is_called = False
        for client in self._clients:
            for letter in letters:
                if letter.client is client:
                    client.num_open -= 1
                if letter.client in (None, client):
                    client.post(letter)
            client.offer_frame(frame)
            for image in images.values():
                client.offer_image(image)
            if client.backlog > MAX_BACKLOG:
                self._send_away(client)

    def _send_away(self, client: PageClient) -> None:
        reason = f"this page reads too slowly: {client.backlog >> 20} MiB wait for it"
        task = asyncio.ensure_future(client.end(TOO_SLOW, reason))
        self._endings.add(task)
        task.add_done_callback(self._endings.discard)


def answer_once(hub: Hub, client: PageClient) -> Callable[[Reply | bytes], None]:
    """Return what takes the one answer to a request; more are ignored."""
    client.num_open += 1
    is_open = threading.Lock()

    def answer(value: Reply | bytes) -> None:
        if is_open.acquire(blocking=False):
            hub.answer(client, value)
        else:
            logger.error("a request was answered twice, with %.200r", value)

    return answer


def _is_older(message: FromServer | None, scene: int) -> bool:
    """Return whether a message is of a scene before the one of the greeting."""
    match message:
        case Scene(number=number):
            return number <= scene
        case Status(scene=number):
            return 0 < number < scene
    return False


def write_letters(messages: Iterable[FromServer]) -> list[Letter]:
    """Return messages as they are sent; those that cannot be written are left out."""
    letters = [Letter(message, _encode(message), None) for message in messages]
    return [letter for letter in letters if letter.data]


def _encode(message: FromServer) -> str:
    """Return the text of a message; of an answer that cannot be written, a refusal."""
    try:
        return encode(message)
    except ConfigError as error:
        logger.error("%s", error)
        if not isinstance(message, Reply):
            return ""
        return encode(Reply(id=message.id, ok=False, message=f"no answer: {error}"))
