"""The pins of a leg between the process that simulates it and the one that thinks.

What a converter reads goes one way, what bridges shall do the other; numbers travel as
they are, so that a leg in a process of its own does bit by bit what one here does.
"""

from __future__ import annotations

import json
import socket
import struct
from enum import IntEnum
from typing import Any

import numpy as np

from gelenk.robots.amee.bus.children import receive_exactly
from gelenk.robots.amee.config import NUM_ACTORS
from gelenk.robots.amee.leg.hardware import LegHardware
from gelenk.typing import IntArray

_HEAD = struct.Struct("<BH")  # kind, length
_READING = struct.Struct("<ddB")  # time, supply, toes; conversions follow
_DRIVING = struct.Struct("<BB4B4B")  # flags, reports on the bus, codes, speeds
_HAS_MOTORS, _HAS_KICK = 1, 2
_CHANNELS = 8


class Kind(IntEnum):
    """What is said between the two."""

    READY = 0
    PASS = 1
    DRIVE = 2
    HANG = 3
    ASK = 4
    TELL = 5


def send(sock: socket.socket, kind: Kind, payload: bytes = b"") -> None:
    """Say something to the other end."""
    sock.sendall(_HEAD.pack(kind, len(payload)) + payload)


def receive(sock: socket.socket) -> tuple[Kind, bytes]:
    """Return what the other end says.

    Raises:
        EOFError: If it has gone.
        TimeoutError: If it says nothing for too long.
    """
    kind, size = _HEAD.unpack(receive_exactly(sock, _HEAD.size))
    return Kind(kind), receive_exactly(sock, size) if size else b""


def pack_reading(now: float, hardware: LegHardware) -> bytes:
    """Return what a leg computer would read now."""
    head = _READING.pack(now, hardware.read_supply(), hardware.read_toes())
    return head + hardware.read_adc().astype("<i2").tobytes()


def apply_driving(payload: bytes, hardware: LegHardware) -> int:
    """Do to the pins what the leg computer did; return its reports on the bus."""
    flags, reports, *rest = _DRIVING.unpack(payload)
    if flags & _HAS_MOTORS:
        codes = np.array(rest[:NUM_ACTORS], dtype=np.int64)
        hardware.set_motors(codes, np.array(rest[NUM_ACTORS:], dtype=np.int64))
    if flags & _HAS_KICK:
        hardware.kick_watchdog()
    return int(reports)


def pack_facts(facts: dict[str, Any]) -> bytes:
    """Return facts for the eye."""
    return json.dumps(facts).encode()


def unpack_facts(payload: bytes) -> dict[str, Any]:
    """Return facts for the eye."""
    return json.loads(payload)


class RemotePins:
    """`LegHardware` in the leg's own process: values of the newest reading."""

    __slots__ = ("_adc", "_codes", "_flags", "_speeds", "_supply", "_toes", "now")

    def __init__(self) -> None:
        self._adc: IntArray = np.zeros((1, _CHANNELS), dtype=np.int64)
        self._toes, self._supply, self.now = 0, 12.0, 0.0
        self._codes = self._speeds = [0] * NUM_ACTORS
        self._flags = 0

    def take(self, payload: bytes) -> None:
        """Take a reading; forget what was written since the last one."""
        self.now, self._supply, self._toes = _READING.unpack_from(payload)
        values = np.frombuffer(payload, dtype="<i2", offset=_READING.size)
        self._adc = values.astype(np.int64).reshape(-1, _CHANNELS)
        self._flags = 0

    def pack_driving(self, reports: int) -> bytes:
        """Return what was written since the last reading.

        Args:
            reports: How many the pass has put on the bus.
        """
        return _DRIVING.pack(self._flags, reports, *self._codes, *self._speeds)

    def read_adc(self) -> IntArray:
        """Return the newest conversions, (k, 8)."""
        return self._adc

    def read_toes(self) -> int:
        """Return closed contacts as bits."""
        return self._toes

    def set_motors(self, codes: IntArray, speeds: IntArray) -> None:
        """Take what the bridges shall do."""
        self._codes, self._speeds = codes.tolist(), speeds.tolist()
        self._flags |= _HAS_MOTORS

    def read_supply(self) -> float:
        """Return the voltage of the bus [V]."""
        return self._supply

    def kick_watchdog(self) -> None:
        """Note a sign of life."""
        self._flags |= _HAS_KICK
