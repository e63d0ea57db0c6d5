"""Calls: functions by name, blocking or not, here or in another process, one interface.

A `LocalCaller` calls at once; a `RemoteCaller` sends one line of JSON over TCP to a
`CallServer` and waits for one line back. Values are what JSON holds, in both cases, so
that a program cannot tell the difference but by the time it takes.
"""

from __future__ import annotations

import json
import socket
import socketserver
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Protocol, Self

from gelenk.errors import ConfigError, GelenkError, NameNotFoundError

Functions = Mapping[str, Callable[..., Any]]
MAX_LINE = 1_000_000  # [B] of one request or answer


class CallFailedError(GelenkError, RuntimeError):
    """The called function raised, or nobody answered in time."""


class Caller(Protocol):
    """Calls functions by name."""

    def call(self, name: str, *, timeout: float = 5.0, **arguments: object) -> Any:
        """Call and wait for the answer, at most `timeout` [s]."""
        ...

    def call_later(self, name: str, **arguments: object) -> Future[Any]:
        """Call and go on; the answer is in the future."""
        ...

    def close(self) -> None:
        """End calls that are under way and give back what was used."""
        ...


class _Pooled:
    """Threads for calls that nobody waits for."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(2, thread_name_prefix="gelenk-call")

    def _now(self, name: str, arguments: dict[str, Any], timeout: float) -> Any:
        raise NotImplementedError

    def call(self, name: str, *, timeout: float = 5.0, **arguments: object) -> Any:
        """Call and wait for the answer, at most `timeout` [s].

        Raises:
            CallFailedError: If the function raised, or the time was not enough.
            NameNotFoundError: If there is no such function.
        """
        future = self._pool.submit(self._now, name, arguments, timeout)
        try:
            return future.result(timeout)
        except TimeoutError as error:
            raise CallFailedError(
                f"no answer of {name!r} within {timeout} s"
            ) from error

    def call_later(self, name: str, **arguments: object) -> Future[Any]:
        """Call and go on; the answer is in the future."""
        return self._pool.submit(self._now, name, arguments, 60.0)

    def close(self) -> None:
        """End the threads; calls that wait are dropped."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class LocalCaller(_Pooled):
    """Calls functions of this process.

    Args:
        functions: Functions that can be called, by name.

    Example:
        >>> with LocalCaller({"add": lambda a, b: a + b}) as caller:
        ...     later = caller.call_later("add", a=1, b=2)
        ...     caller.call("add", a=2, b=3), later.result()
        (5, 3)
    """

    def __init__(self, functions: Functions) -> None:
        super().__init__()
        self._functions = dict(functions)

    def _now(self, name: str, arguments: dict[str, Any], timeout: float) -> Any:
        request = json.dumps({"name": name, "arguments": arguments})
        return _unpacked(name, answer(self._functions, request), self._functions)


class RemoteCaller(_Pooled):
    """Calls functions of a `CallServer`."""

    def __init__(self, address: tuple[str, int]) -> None:
        super().__init__()
        self._address = address

    def _now(self, name: str, arguments: dict[str, Any], timeout: float) -> Any:
        request = json.dumps({"name": name, "arguments": arguments})
        try:
            with socket.create_connection(self._address, timeout=timeout) as line:
                line.sendall(request.encode() + b"\n")
                with line.makefile("rb") as stream:
                    reply = stream.readline(MAX_LINE).decode()
        except OSError as error:
            host, port = self._address
            raise CallFailedError(f"{host}:{port} does not answer: {error}") from error
        return _unpacked(name, reply, ())


class CallServer:
    """Answers calls of other processes, each on a thread of its own.

    Args:
        functions: Functions that can be called, by name.
        address: Host and port to listen at; port 0: any free one, see `address`.
    """

    def __init__(
        self, functions: Functions, address: tuple[str, int] = ("127.0.0.1", 0)
    ) -> None:
        known = dict(functions)

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                request = self.rfile.readline(MAX_LINE).decode()
                self.wfile.write(answer(known, request).encode() + b"\n")

        self._server = socketserver.ThreadingTCPServer(address, Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(
            target=self._server.serve_forever,
            kwargs={"poll_interval": 0.05},
            daemon=True,
        )
        self._thread.start()

    @property
    def address(self) -> tuple[str, int]:
        """Host and port that it listens at."""
        host, port = self._server.server_address[:2]
        return str(host), int(port)

    def close(self) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def answer(functions: Functions, request: str) -> str:
    """Return the answer to a request, both as JSON; what raises becomes a text.

    Example:
        >>> answer({"double": lambda x: 2 * x},
        ...        '{"name": "double", "arguments": {"x": 4}}')
        '{"value": 8}'
    """
    try:
        asked = json.loads(request)
        name, arguments = asked["name"], asked["arguments"]
    except (ValueError, KeyError, TypeError):
        return json.dumps({"error": "a call is {'name': ..., 'arguments': {...}}"})
    if name not in functions:
        return json.dumps({"unknown": sorted(functions)})
    try:
        return json.dumps({"value": functions[name](**arguments)})
    except Exception as error:
        return json.dumps({"error": f"{type(error).__name__}: {error}"})


def _unpacked(name: str, reply: str, functions: object) -> Any:
    try:
        found = json.loads(reply)
    except ValueError as error:
        raise CallFailedError(f"{name!r}: the line was cut") from error
    if "unknown" in found:
        raise NameNotFoundError("function", name, found["unknown"])
    if "error" in found:
        raise CallFailedError(f"{name!r} failed: {found['error']}")
    if "value" not in found:
        raise ConfigError(f"{name!r}: an answer without a value")
    return found["value"]
