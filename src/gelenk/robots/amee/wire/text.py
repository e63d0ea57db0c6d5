"""Messages as text: `GET /Move2Point:0:-400:0 HTTP/1.1`, millimetres and radians.

A leg also understands the bare words and a whole address. Nothing here raises over
what comes from the wire: a broken text yields a `WireProblem` that says where.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from gelenk.robots.amee.config import BUS_PORT
from gelenk.robots.amee.wire.table import (
    COMMANDS_BY_NAME,
    REPORTS_BY_NAME,
    Command,
    Header,
    Message,
    Report,
    Request,
    WireProblem,
)

MAX_TEXT = 512  # bytes: one TCP segment, and the buffer of the network chip
_NUMBER = re.compile(rb"[+-]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})\Z")
_METHOD = re.compile(rb"(?:GET|POST|PUT) +")
_ADDRESS = re.compile(rb"http://[^/\s]*/", re.IGNORECASE)


def parse_request(raw: bytes | str) -> Request | WireProblem:
    """Return the command that a text says, values in metres and radians."""
    parsed = _parse(raw, COMMANDS_BY_NAME)
    if isinstance(parsed, WireProblem):
        return parsed
    return Request(Command(parsed[0].index), parsed[1])


def parse_message(raw: bytes | str) -> Message | WireProblem:
    """Return the report that a text says, values in metres and radians."""
    parsed = _parse(raw, REPORTS_BY_NAME)
    if isinstance(parsed, WireProblem):
        return parsed
    return Message(Report(parsed[0].index), parsed[1])


def format_words(item: Request | Message) -> str:
    """Return header and values, separated by colons: `Found:12.3:-630:0`."""
    header = item.header
    scale = 1e3 if header.kind == "point" else 1.0
    return ":".join((header.name, *(_decimal(v * scale) for v in item.values)))


def format_request(request: Request, host: str = f"localhost:{BUS_PORT}") -> str:
    """Return the HTTP text of a command."""
    return f"GET /{format_words(request)} HTTP/1.1\r\nHost: {host}\r\n\r\n"


def format_message(message: Message, host: str = "localhost") -> str:
    """Return the HTTP text of a report."""
    return f"GET /{format_words(message)} HTTP/1.1\r\nHost: {host}\r\n\r\n"


def format_response(status: int, text: str) -> str:
    """Return the answer to an HTTP request: 200, or 400 with what was wrong."""
    reason = {200: "OK", 400: "Bad Request", 503: "Service Unavailable"}[status]
    body = text + "\n"
    return (
        f"HTTP/1.1 {status} {reason}\r\nContent-Type: text/plain; charset=utf-8\r\n"
        f"Content-Length: {len(body.encode())}\r\n\r\n{body}"
    )


def _parse(
    raw: bytes | str, table: Mapping[str, Header]
) -> tuple[Header, tuple[float, ...]] | WireProblem:
    """Return the row and the values of one text, or what is wrong with it."""
    data = raw.encode("utf-8", "replace") if isinstance(raw, str) else bytes(raw)
    if len(data) > MAX_TEXT:
        return WireProblem(
            offset=MAX_TEXT,
            problem=f"a message has at most {MAX_TEXT} bytes, got {len(data)}",
        )
    line = re.split(rb"[\r\n]", data, maxsplit=1)[0]
    begin = _start_of_words(line)
    words = line[begin:].split(b" ", maxsplit=1)[0]
    fields = words.split(b":")
    name = fields[0].decode("ascii", "replace")
    header = table.get(name)
    if header is None:
        known = ", ".join(table)
        return _problem(begin, f"unknown header; known: {known}", fields[0])
    if len(fields) - 1 != header.count:
        return _problem(
            begin, f"{name} needs {header.count} values, got {len(fields) - 1}", words
        )
    values: list[float] = []
    offset = begin + len(fields[0]) + 1
    for text in fields[1:]:
        value = _value(text, header)
        if isinstance(value, str):
            return _problem(offset, value, text)
        values.append(value)
        offset += len(text) + 1
    return header, tuple(values)


def _start_of_words(line: bytes) -> int:
    """Return where the header begins: behind method, address or slash."""
    begin = 0
    if match := _METHOD.match(line):
        begin = match.end()
    if match := _ADDRESS.match(line, begin):
        return match.end()
    return begin + 1 if line[begin : begin + 1] == b"/" else begin


def _value(text: bytes, header: Header) -> float | str:
    """Return the value in SI, or what was expected instead."""
    if not _NUMBER.match(text):
        return "expected a decimal number"
    number = float(text)
    if header.kind == "byte":
        if not number.is_integer() or not 0 <= number <= 255:
            return "expected a whole number from 0 to 255"
        return number
    return number / 1e3 if header.kind == "point" else number


def _decimal(value: float) -> str:
    """Return a value with up to six decimals and no exponent."""
    if not math.isfinite(value):
        value = 0.0
    text = f"{value:.6f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def _problem(offset: int, problem: str, near: bytes) -> WireProblem:
    return WireProblem(
        offset=offset, problem=problem, excerpt=near[:40].decode("ascii", "replace")
    )
