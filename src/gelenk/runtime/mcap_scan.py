"""Scan of MCAP files that may be cut off or damaged: everything that is still there.

The whole file is walked once, record by record, and every chunk is unpacked and checked
against its checksum. The index at the end of a file is not needed, so a file whose
writer was killed reads like any other. After a damaged stretch the walk goes on at the
next chunk that is whole.
"""

from __future__ import annotations

import io
import mmap
import struct
import zlib
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import lz4.frame
import zstandard
from mcap.data_stream import ReadDataStream
from mcap.exceptions import McapError
from mcap.opcode import Opcode
from mcap.records import Channel, Metadata, Schema, Statistics

from gelenk.errors import FileFormatError

MAGIC = b"\x89MCAP0\r\n"
MAX_CHUNK_SIZE = 1 << 30  # [bytes]; a larger claim is damage
WHOLE_FILE = 0  # block of messages that stand outside of chunks
OFFSET_BITS = 40
_RECORD = struct.Struct("<BQ")
_CHUNK = struct.Struct("<QQQI")
_MESSAGE = struct.Struct("<HIQQ")
_MARKERS = tuple(
    struct.pack("<I", len(name)) + name for name in (b"zstd", b"lz4")
)  # how a chunk names its compression
_MARKER_OFFSET = _RECORD.size + _CHUNK.size

Buffer: TypeAlias = bytes | mmap.mmap
Progress: TypeAlias = Callable[[int, int], None]


class _DamageError(Exception):
    """A record is not what it should be; caught in this module."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Place of messages: a chunk, or the whole file for those outside of chunks.

    Attributes:
        start: Address of the first byte of the packed data.
        end: Address behind the last byte of the packed data.
        compression: Method of compression: "zstd", "lz4" or "" for none.
        size: Length after unpacking [bytes].
        crc: CRC-32 of the unpacked data, 0 if not known.
    """

    start: int
    end: int
    compression: str
    size: int
    crc: int


@dataclass(slots=True, kw_only=True)
class ChannelIndex:
    """Places of the messages of one channel, in the order of the file.

    Attributes:
        times: Delivery times [ns].
        places: Number of the block, shifted by `OFFSET_BITS`, plus the byte in it.
    """

    times: array[int] = field(default_factory=lambda: array("Q"))
    places: array[int] = field(default_factory=lambda: array("Q"))


@dataclass(slots=True, kw_only=True)
class McapScan:
    """Contents of a file.

    Attributes:
        schemas: Schemas by id.
        channels: Channels by id.
        metadata: Metadata records by name.
        blocks: Parts of the file that hold messages.
        messages: Index of the messages by channel id.
        promised_count: Number of messages according to the file, if it says one.
        problems: Damage and gaps in words; empty for a sound file.
    """

    schemas: dict[int, Schema] = field(default_factory=dict[int, Schema])
    channels: dict[int, Channel] = field(default_factory=dict[int, Channel])
    metadata: dict[str, dict[str, str]] = field(
        default_factory=dict[str, dict[str, str]]
    )
    blocks: list[Block] = field(default_factory=list[Block])
    messages: dict[int, ChannelIndex] = field(default_factory=dict[int, ChannelIndex])
    promised_count: int | None = None
    problems: list[str] = field(default_factory=list[str])


def scan(data: Buffer, path: Path, progress: Progress | None = None) -> McapScan:
    """Return everything that can be read from the bytes of an MCAP file.

    Args:
        data: Bytes or memory map of the file.
        path: File name for error messages.
        progress: Function of the bytes done and bytes in all, called chunk by chunk.

    Raises:
        FileFormatError: If this is no MCAP file at all.
    """
    if len(data) < len(MAGIC) or data[: len(MAGIC)] != MAGIC:
        raise FileFormatError(
            path,
            "this is no MCAP file: it does not begin as one",
            remedy="give a recording, a file that ends in .mcap",
        )
    found = McapScan()
    found.blocks.append(
        Block(start=0, end=len(data), compression="", size=len(data), crc=0)
    )
    position, is_finished = len(MAGIC), False
    while position < len(data) and not is_finished:
        try:
            opcode, body, end = _frame(data, position, len(data))
            is_finished = opcode == Opcode.FOOTER
            if is_finished and end + len(MAGIC) != len(data):
                raise _DamageError("end of the recording")
            _take(found, data, opcode, body, end)
            position = end
        except _DamageError as damage:
            is_finished = False
            position = _skip_damage(found, data, position, str(damage))
        if progress is not None:
            progress(position, len(data))
    if not is_finished and not found.problems:
        found.problems.append(
            "the file ends without its index: the recording was not closed, and what "
            "was not flushed is lost"
        )
    _check_counts(found)
    _check_channels(found)
    return found


def _frame(data: Buffer, position: int, limit: int) -> tuple[int, int, int]:
    """Return opcode, start and end of the body of the record at `position`."""
    body = position + _RECORD.size
    if body > limit:
        raise _DamageError("cut off")
    opcode, length = _RECORD.unpack_from(data, position)
    if opcode == 0 or (opcode > Opcode.DATA_END and opcode < 0x80):
        raise _DamageError(f"unknown record {opcode}")
    if length > limit - body:
        raise _DamageError("cut off")
    return opcode, body, body + length


def _take(found: McapScan, data: Buffer, opcode: int, body: int, end: int) -> None:
    """Add one record of the file itself to what was found."""
    if opcode == Opcode.CHUNK:
        block, content = _open_chunk(data, body, end)
        found.blocks.append(block)
        _index(found, content, len(found.blocks) - 1, 0, len(content))
    elif opcode == Opcode.MESSAGE:
        _index(found, data, WHOLE_FILE, body - _RECORD.size, end)
    else:
        _take_definition(found, data, opcode, body, end)


def _take_definition(
    found: McapScan, data: Buffer, opcode: int, body: int, end: int
) -> None:
    if opcode == Opcode.SCHEMA:
        schema = _parse(Schema, data, body, end)
        found.schemas.setdefault(schema.id, schema)
    elif opcode == Opcode.CHANNEL:
        channel = _parse(Channel, data, body, end)
        found.channels.setdefault(channel.id, channel)
    elif opcode == Opcode.METADATA:
        metadata = _parse(Metadata, data, body, end)
        found.metadata.setdefault(metadata.name, metadata.metadata)
    elif opcode == Opcode.STATISTICS:
        found.promised_count = _parse(Statistics, data, body, end).message_count


def _parse(record_type: Any, data: Buffer, body: int, end: int) -> Any:
    try:
        return record_type.read(ReadDataStream(io.BytesIO(data[body:end])))
    except (McapError, ValueError, struct.error, EOFError) as error:
        raise _DamageError(f"unreadable {record_type.__name__.lower()}") from error


def _open_chunk(data: Buffer, body: int, end: int) -> tuple[Block, Buffer]:
    """Return a chunk's place and its unpacked, checked content."""
    try:
        first_ns, last_ns, size, crc = _CHUNK.unpack_from(data, body)
        position = body + _CHUNK.size
        (length,) = struct.unpack_from("<I", data, position)
        name = bytes(data[position + 4 : min(position + 4 + length, end)])
        (packed,) = struct.unpack_from("<Q", data, position + 4 + length)
        start = position + 12 + length
    except (struct.error, OverflowError) as error:
        raise _DamageError("chunk with a damaged head") from error
    if start + packed > end or size > MAX_CHUNK_SIZE:
        raise _DamageError("chunk with a damaged head")
    block = Block(
        start=start,
        end=start + packed,
        compression=name.decode("ascii", "replace"),
        size=size,
        crc=crc,
    )
    try:
        return block, unpack(data, block)
    except _DamageError as damage:
        span = f"from {first_ns * 1e-9:.6g} s to {last_ns * 1e-9:.6g} s"
        raise _DamageError(f"{damage} (messages {span})") from damage


def unpack(data: Buffer, block: Block) -> Buffer:
    """Return the content of a block, checked; damage raises inside this module only.

    Blocks that `scan` lists have been checked and unpack without error.
    """
    if block.compression == "" and block.crc == 0:
        return data if block.end == len(data) else bytes(data[block.start : block.end])
    packed = bytes(data[block.start : block.end])
    try:
        content = _decompress(packed, block)
    # Foreign decoders on damaged input: each has errors of its own.
    except Exception as error:
        raise _DamageError("chunk that cannot be unpacked") from error
    if len(content) != block.size:
        raise _DamageError("chunk of a wrong length")
    if block.crc and zlib.crc32(content) != block.crc:
        raise _DamageError("chunk with a wrong checksum")
    return content


def _decompress(packed: bytes, block: Block) -> bytes:
    if block.compression == "zstd":
        claimed = zstandard.frame_content_size(packed)
        if claimed > block.size:  # would be allocated unseen
            raise _DamageError("chunk of a wrong length")
        decompressor = zstandard.ZstdDecompressor()
        return decompressor.decompress(packed, max_output_size=block.size)
    if block.compression == "lz4":
        return lz4.frame.decompress(packed)
    if block.compression == "":
        return packed
    raise _DamageError(f"chunk packed with {block.compression!r}")


def _index(
    found: McapScan, content: Buffer, block_id: int, position: int, end: int
) -> None:
    """Add the messages and definitions between two places of a block."""
    base = block_id << OFFSET_BITS
    unpack_message, messages = _MESSAGE.unpack_from, found.messages
    while position < end:
        opcode, body, stop = _frame(content, position, end)
        if opcode == Opcode.MESSAGE:
            if stop - body < _MESSAGE.size:
                raise _DamageError("message that is cut off")
            channel_id, _, time_ns, _ = unpack_message(content, body)
            entry = messages.get(channel_id)
            if entry is None:
                entry = messages[channel_id] = ChannelIndex()
            entry.times.append(time_ns)
            entry.places.append(base | body)
        else:
            _take_definition(found, content, opcode, body, stop)
        position = stop


def read_message(content: Buffer, body: int) -> tuple[int, int, int, int, bytes]:
    """Return channel id, number, both times [ns] and data of an indexed message."""
    channel_id, number, time_ns, publish_ns = _MESSAGE.unpack_from(content, body)
    (length,) = struct.unpack_from("<Q", content, body - 8)
    data = bytes(content[body + _MESSAGE.size : body + length])
    return channel_id, number, time_ns, publish_ns, data


def _skip_damage(found: McapScan, data: Buffer, position: int, damage: str) -> int:
    """Note a damaged stretch and return where the next whole chunk begins."""
    for start in _chunk_candidates(data, position + 1):
        try:
            opcode, body, end = _frame(data, start, len(data))
            if opcode == Opcode.CHUNK:
                _open_chunk(data, body, end)
                found.problems.append(
                    f"{damage} at byte {position}: {start - position} bytes are lost, "
                    "reading goes on after them"
                )
                return start
        except _DamageError:
            continue
    found.problems.append(
        f"{damage} at byte {position}: the last {len(data) - position} bytes are lost"
    )
    return len(data)


def _chunk_candidates(data: Buffer, position: int) -> Iterator[int]:
    """Yield the places after `position` where a chunk may begin, in order."""
    nexts = [data.find(marker, position + _MARKER_OFFSET) for marker in _MARKERS]
    while any(place >= 0 for place in nexts):
        place = min(place for place in nexts if place >= 0)
        yield place - _MARKER_OFFSET
        which = nexts.index(place)
        nexts[which] = data.find(_MARKERS[which], place + 1)


def _check_counts(found: McapScan) -> None:
    """Compare with the count in the file: a changed record type hides a chunk."""
    count = sum(len(entry.times) for entry in found.messages.values())
    if found.promised_count not in (None, count):
        found.problems.append(
            f"{count} messages could be read of the {found.promised_count} that the "
            "recording had"
        )


def _check_channels(found: McapScan) -> None:
    """Drop messages that nobody can name any more, and say how many."""
    for channel_id in sorted(found.messages.keys() - found.channels.keys()):
        count = len(found.messages.pop(channel_id).times)
        found.problems.append(
            f"{count} messages of channel {channel_id} are lost: its topic is not known"
        )
    for channel in found.channels.values():
        found.messages.setdefault(channel.id, ChannelIndex())
