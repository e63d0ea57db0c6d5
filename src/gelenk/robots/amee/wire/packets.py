"""Messages as packets on the serial link between the two computers of a leg.

A packet is a 9-bit frame: eight bits of data and one that marks headers. Eight bits
alone cannot tell a `stop` in the middle of a `DoStep` from one of its values; the
USART of the leg sends nine as well as eight.

Values are signed 16 bit, high byte first: tenths of millimetres and of milliradians.
The printed scaling (hundredths of millimetres, 1e-5 rad) overflows beyond 328 mm and
0.33 rad; it is an option, and says where it saturates.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from gelenk.robots.amee.wire.table import (
    COMMANDS,
    REPORTS,
    Command,
    Header,
    Kind,
    Message,
    Report,
    Request,
    WireProblem,
)

Scale = Literal["corrected", "thesis"]
HEADER_BIT = 0x100
# Counts per metre and per radian.
_FACTORS: dict[Scale, dict[Kind, float]] = {
    "corrected": {"point": 1e4, "angle": 1e4},
    "thesis": {"point": 1e5, "angle": 1e5},
}
_LOWEST, _HIGHEST = -(1 << 15), (1 << 15) - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoded:
    """Packets of one message.

    Attributes:
        packets: Frames, the first with the header bit.
        saturated: Indices of values that did not fit into 16 bits.
    """

    packets: tuple[int, ...]
    saturated: tuple[int, ...] = ()


def encode(item: Request | Message, scale: Scale = "corrected") -> Encoded:
    """Return the packets of a command or report."""
    header = item.header
    packets = [HEADER_BIT | header.index]
    saturated: list[int] = []
    for index, value in enumerate(item.values):
        if header.kind == "byte":
            packets.append(min(255, max(0, round(value))))
            continue
        number, fits = _integer(value, header.kind, scale)
        if not fits:
            saturated.append(index)
        packets += ((number >> 8) & 0xFF, number & 0xFF)
    return Encoded(packets=tuple(packets), saturated=tuple(saturated))


def decode_values(
    header: Header, data: Sequence[int], scale: Scale = "corrected"
) -> tuple[float, ...]:
    """Return the values of a message from the bytes behind its header."""
    if header.kind == "byte":
        return tuple(float(byte & 0xFF) for byte in data)
    if header.kind == "none":
        return ()
    factor = _FACTORS[scale][header.kind]
    values: list[float] = []
    for i in range(0, len(data), 2):
        number = (data[i] & 0xFF) << 8 | (data[i + 1] & 0xFF)
        values.append((number - 0x10000 if number > _HIGHEST else number) / factor)
    return tuple(values)


def decode_request(
    packets: Sequence[int], scale: Scale = "corrected"
) -> Request | WireProblem:
    """Return the command of a whole packet sequence."""
    found = _split(packets, COMMANDS)
    if isinstance(found, WireProblem):
        return found
    return Request(Command(found.index), decode_values(found, packets[1:], scale))


def decode_message(
    packets: Sequence[int], scale: Scale = "corrected"
) -> Message | WireProblem:
    """Return the report of a whole packet sequence."""
    found = _split(packets, REPORTS)
    if isinstance(found, WireProblem):
        return found
    return Message(Report(found.index), decode_values(found, packets[1:], scale))


def bytes_from_packets(packets: Sequence[int]) -> bytes:
    """Return frames for a channel of bytes: two for each, its ninth bit first."""
    return b"".join((packet & 0x1FF).to_bytes(2, "big") for packet in packets)


def packets_from_bytes(data: bytes) -> list[int]:
    """Return the frames of a channel of bytes; an odd last byte is left out."""
    pairs = zip(data[::2], data[1::2], strict=False)
    return [(high & 1) << 8 | low for high, low in pairs]


def _integer(value: float, kind: Kind, scale: Scale) -> tuple[int, bool]:
    """Return the 16-bit number of a value, and whether it fits."""
    if kind == "angle" and scale == "corrected":
        value = math.remainder(value, 2.0 * math.pi)
    scaled = value * _FACTORS[scale][kind]
    number = int(scaled) if scale == "thesis" else round(scaled)
    clipped = min(_HIGHEST, max(_LOWEST, number))
    return clipped, clipped == number


def _split(packets: Sequence[int], table: Sequence[Header]) -> Header | WireProblem:
    """Return the row of the table that a sequence of packets belongs to."""
    if not packets or not packets[0] & HEADER_BIT:
        return WireProblem(offset=0, problem="expected a header packet")
    index = packets[0] & 0xFF
    if index >= len(table):
        return WireProblem(
            offset=0,
            problem=f"expected a header from 0 to {len(table) - 1}, got {index}",
        )
    header = table[index]
    for offset, packet in enumerate(packets[1:], start=1):
        if packet & HEADER_BIT:
            return WireProblem(
                offset=offset, problem=f"{header.name} was cut short by another header"
            )
    if len(packets) - 1 != header.packets:
        return WireProblem(
            offset=len(packets),
            problem=f"{header.name} needs {header.packets} packets behind its header, "
            f"got {len(packets) - 1}",
        )
    return header
