"""Processes that end with whoever started them.

A child holds one end of a socket, its parent the other: when the parent closes it, or
dies in whatever way, the child reads the end of it and leaves.
"""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import socket
import struct
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

START_TIMEOUT = 60.0  # [s], for a new interpreter and its imports
_LEAVE_WAIT = 3.0  # [s], for a child to leave by itself
_LENGTH = struct.Struct("<I")
_CODE = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from gelenk.robots.amee.bus.{module} import main; main(*map(int, sys.argv[2:]))"
)
_ONE_THREAD = dict.fromkeys(
    (
        "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "MKL_NUM_THREADS",
        "NUMBA_NUM_THREADS",
    ),
    "1",
)


def start_child(
    module: str, sockets: Sequence[socket.socket]
) -> subprocess.Popen[bytes]:
    """Start a process; it gets the sockets, and ours of them are closed.

    Args:
        module: Of this package; its `main` gets the numbers of the sockets.
        sockets: Ends that belong to the child.
    """
    fds = [s.fileno() for s in sockets]
    path = json.dumps([entry or os.getcwd() for entry in sys.path])
    try:
        return subprocess.Popen(
            [
                sys.executable,
                "-c",
                _CODE.format(module=module),
                path,
                *map(str, fds),
            ],
            pass_fds=fds,
            stdin=subprocess.DEVNULL,
            stdout=2,  # stdout is for results
            env=os.environ | _ONE_THREAD,
            start_new_session=True,  # Ctrl-C is for the parent
        )
    finally:
        for own in sockets:
            own.close()


def end_child(process: subprocess.Popen[bytes]) -> int:
    """Wait until a child has left, kill it if it does not; return its exit code.

    Its sockets must have been closed before.
    """
    try:
        return process.wait(_LEAVE_WAIT)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        return process.wait()


def send_setup(sock: socket.socket, setup: Any) -> None:
    """Hand a child its settings."""
    data = pickle.dumps(setup)
    sock.sendall(_LENGTH.pack(len(data)) + data)


def receive_setup(sock: socket.socket) -> Any:
    """Take the settings from the parent.

    Raises:
        EOFError: If the parent has gone.
    """
    size = _LENGTH.unpack(receive_exactly(sock, _LENGTH.size))[0]
    return pickle.loads(receive_exactly(sock, size))


def receive_exactly(sock: socket.socket, size: int) -> bytes:
    """Return so many bytes.

    Raises:
        EOFError: If the other end has gone.
        TimeoutError: If the socket's time-out passes.
    """
    data = bytearray()
    while len(data) < size:
        try:
            more = sock.recv(size - len(data))
        except (ConnectionResetError, BrokenPipeError):
            more = b""
        if not more:
            raise EOFError("the other end of a socket has gone")
        data += more
    return bytes(data)
