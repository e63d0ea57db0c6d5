"""Texts out of streams: whole, in pieces, and wrong."""

from __future__ import annotations

import numpy as np
import pytest

from gelenk.robots.amee.bus.http import MAX_HEAD, TextInbox

CURL = (
    b"GET /Move2Point:0:-400:0 HTTP/1.1\r\nHost: localhost:3550\r\n"
    b"User-Agent: curl/8.5.0\r\nAccept: */*\r\n\r\n"
)
POST = b"POST /stop HTTP/1.1\r\nContent-Length: 7\r\n\r\nignored"
WORDS = b"speed:120\n"
LINES = [b"GET /Move2Point:0:-400:0 HTTP/1.1", b"POST /stop HTTP/1.1", b"speed:120"]


@pytest.mark.capability("QW-89")
@pytest.mark.parametrize("seed", range(5))
def test_requests_come_whole_however_the_stream_is_cut(seed: int) -> None:
    stream = (CURL + POST + WORDS) * 4
    rng = np.random.default_rng(seed)
    cuts = np.sort(rng.integers(0, len(stream), 40)).tolist()
    inbox, lines = TextInbox(), []
    for begin, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        lines += inbox.feed(stream[begin:end])
    assert lines == LINES * 4
    assert not inbox.is_waiting


def test_a_text_without_end_breaks_the_stream_and_takes_no_memory() -> None:
    inbox = TextInbox()
    for _ in range(100):
        assert inbox.feed(b"x" * 100) == []
        if inbox.is_broken:
            break
    assert inbox.is_broken
    assert len(inbox._buffer) <= MAX_HEAD + 100
    huge = TextInbox()
    huge.feed(b"POST /stop HTTP/1.1\r\nContent-Length: 99999\r\n\r\n")
    assert huge.is_broken


def test_words_that_end_with_the_connection_count() -> None:
    inbox = TextInbox()
    assert inbox.feed(b"stop") == []
    assert inbox.is_waiting
    assert inbox.finish() == [b"stop"]
    half = TextInbox()
    half.feed(CURL[:60])  # a head that never ended is no request
    assert half.finish() == []


def test_who_asks_to_close_is_heard() -> None:
    inbox = TextInbox()
    inbox.feed(b"GET /stop HTTP/1.1\r\nConnection: close\r\n\r\n")
    assert inbox.wants_close
    inbox.feed(CURL)
    assert not inbox.wants_close
