"""Run a program whose stderr is a terminal."""

from __future__ import annotations

import contextlib
import os
import pty
import subprocess
import threading
from collections.abc import Mapping, Sequence


def run_on_terminal(
    command: Sequence[str], env: Mapping[str, str] | None = None
) -> tuple[int, str, str]:
    """Return exit code, stdout (a pipe) and what appeared on stderr (a terminal)."""
    leader, follower = pty.openpty()
    size = {"TERM": "xterm", "COLUMNS": "40", "LINES": "12"}
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=follower,
        text=True,
        env=os.environ | size | dict(env or {}),
    )
    os.close(follower)
    chunks: list[bytes] = []
    # A terminal holds few bytes: without a reader the program would stand still.
    reader = threading.Thread(target=_drain, args=(leader, chunks))
    reader.start()
    out, _ = process.communicate(timeout=300)
    reader.join()
    os.close(leader)
    return process.returncode, out, b"".join(chunks).decode()


def _drain(fd: int, chunks: list[bytes]) -> None:
    with contextlib.suppress(OSError):  # Linux says EIO when the last writer leaves
        while chunk := os.read(fd, 65536):
            chunks.append(chunk)
