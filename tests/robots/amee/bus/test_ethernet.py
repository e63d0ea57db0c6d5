"""The Ethernet computer on real sockets, with a leg's end of the serial link here."""

from __future__ import annotations

import select
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from gelenk.robots.amee.bus.client import Caller, ReportInbox
from gelenk.robots.amee.bus.ethernet import EthernetCfg, EthernetComputer, open_server
from gelenk.robots.amee.bus.serial import LegEnd, SerialLink
from gelenk.robots.amee.bus.visitors import MAX_VISITORS
from gelenk.robots.amee.wire import (
    Command,
    Message,
    Report,
    Request,
    decode_request,
    encode,
)

STEP = Request(Command.DO_STEP, (0.07, -0.63, 0.0, -0.07, -0.63, 0.0))
STOP_FRAME = 0x101
FOUND = Message(Report.FOUND, (0.01, -0.63, 0.0))


@dataclass
class Board:
    """An Ethernet computer in a thread, and both its sides."""

    port: int
    leg: LegEnd
    link: SerialLink
    inbox: ReportInbox

    def frames(self, count: int, room: int = 3, wait: float = 5.0) -> list[int]:
        """Take frames as a leg does, pass by pass."""
        got: list[int] = []
        end = time.monotonic() + wait
        while len(got) < count and time.monotonic() < end:
            new = self.leg.take(room)
            assert len(new) <= room
            got += new
            if not new:
                select.select([self.link], [], [], 0.01)
        return got

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), 5.0)


@pytest.fixture
def board() -> Iterator[Board]:
    ours, theirs = socket.socketpair()
    lifeline, other = socket.socketpair()
    inbox = ReportInbox()
    server = open_server(0)
    cfg = EthernetCfg(port=0, reports_to=inbox.port)
    computer = EthernetComputer(cfg, server, SerialLink(theirs), other)
    thread = threading.Thread(target=computer.run)
    thread.start()
    link = SerialLink(ours)
    try:
        yield Board(server.getsockname()[1], LegEnd(link, in_step=False), link, inbox)
    finally:
        lifeline.close()  # the parent goes
        thread.join(5.0)
        assert not thread.is_alive()
        for sock in (server, theirs, other, link, inbox):
            sock.close()


def counts(board: Board) -> dict[str, int]:
    caller = Caller(board.port)
    status, text = caller.call_text("GET /counts HTTP/1.1\r\n\r\n")
    caller.close()
    assert status == 200
    return {name: int(n) for name, n in (line.split() for line in text.splitlines())}


@pytest.mark.capability("QW-86", "QW-89")
def test_known_texts_become_frames_and_unknown_ones_an_answer(board: Board) -> None:
    caller = Caller(board.port)
    status, text = caller.call_text("GET /Explode:1 HTTP/1.1\r\n\r\n")
    assert status == 400
    assert "unknown header" in text
    status, text = caller.call(STEP)
    assert (status, text) == (200, "DoStep:70:-630:0:-70:-630:0")
    assert decode_request(board.frames(13)) == STEP
    assert board.frames(1, wait=0.05) == []
    caller.close()


def test_a_browser_gets_the_list_of_commands(board: Board) -> None:
    caller = Caller(board.port)
    status, text = caller.call_text("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    assert status == 200
    assert "/Move2Point" in text
    caller.close()


def test_reports_reach_the_main_controller_and_all_who_listen(board: Board) -> None:
    listener = board.connect()
    listener.sendall(b"GET /listen HTTP/1.1\r\nConnection: close\r\n\r\n")
    assert listener.recv(999).startswith(b"HTTP/1.1 200 OK")
    board.leg.give([*encode(FOUND).packets, *encode(Message(Report.READY)).packets])
    assert board.inbox.take(2) == [FOUND, Message(Report.READY)]
    heard = b""
    while heard.count(b"\n") < 2:
        heard += listener.recv(999)
    assert heard == b"Found:10:-630:0\nready\n"
    listener.close()


def test_a_main_controller_that_hung_up_is_called_again(board: Board) -> None:
    board.leg.give(encode(Message(Report.SYNC)).packets)
    assert board.inbox.take(1) == [Message(Report.SYNC)]
    board.inbox._hang_up()
    board.leg.give(encode(Message(Report.READY)).packets)
    assert board.inbox.take(1) == [Message(Report.READY)]


@pytest.mark.capability("QW-87", "QW-88")
def test_stop_gets_through_a_flood_of_several_babbling_nodes(board: Board) -> None:
    board.leg.take(3)
    idiots = [board.connect() for _ in range(3)]
    for idiot in idiots:
        idiot.setblocking(False)
    text = b"Move2Point:0:-500:0\nExplode\nGET /\xff\xfe HTTP/1.1\r\n\r\n" * 20
    over = threading.Event()

    def babble() -> None:
        while not over.is_set():
            for idiot in idiots:
                try:
                    idiot.send(text)
                except BlockingIOError:
                    time.sleep(0.001)
                except OSError:
                    over.set()

    thread = threading.Thread(target=babble)
    thread.start()
    caller = Caller(board.port)
    try:
        time.sleep(0.1)
        for _ in range(20):
            assert caller.call(Request(Command.STOP)) == (200, "stop")
            got: list[int] = []
            end = time.monotonic() + 5.0
            while STOP_FRAME not in got and time.monotonic() < end:
                got += board.frames(1, wait=0.1)
            assert STOP_FRAME in got
    finally:
        over.set()
        thread.join()
        caller.close()
        for idiot in idiots:
            idiot.close()
    assert counts(board)["refused"] > 100


def test_half_open_connections_and_half_texts_cost_only_their_own(
    board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gelenk.robots.amee.bus.visitors._PATIENCE", 0.1)
    monkeypatch.setattr("gelenk.robots.amee.bus.ethernet._SWEEP", 0.05)
    silent = [board.connect() for _ in range(MAX_VISITORS + 5)]
    half = board.connect()
    half.sendall(b"GET /stop HTTP/1.1\r\nHost:")
    endless = board.connect()
    endless.sendall(b"y" * 8000)
    caller = Caller(board.port)
    assert caller.call(Request(Command.NEXT))[0] == 200
    assert half.recv(99) == b""  # closed, and nothing of it reached the leg
    assert endless.recv(999).startswith(b"HTTP/1.1 400")
    assert board.frames(1) == [0x102]
    assert board.frames(1, wait=0.05) == []
    assert counts(board)["visitors"] <= MAX_VISITORS
    for sock in (*silent, half, endless, caller):
        sock.close()


def test_who_never_reads_its_answers_is_dropped(board: Board) -> None:
    deaf = board.connect()
    deaf.settimeout(5.0)

    def flood() -> None:
        for _ in range(4000):
            deaf.sendall(b"GET / HTTP/1.1\r\n\r\n" * 50)

    with pytest.raises(ConnectionError):
        flood()
    caller = Caller(board.port)
    assert caller.call(Request(Command.STOP))[0] == 200
    caller.close()
    deaf.close()


@pytest.mark.capability("QW-90")
def test_a_slow_leg_loses_nothing_and_a_stuck_one_stops_nobody(board: Board) -> None:
    caller = Caller(board.port)
    caller.call(STEP)
    got: list[int] = []
    for _ in range(40):
        got += board.leg.take(1)
        time.sleep(0.002)
    assert decode_request(got) == STEP
    for _ in range(50):  # the leg takes nothing any more
        assert caller.call(STEP)[0] == 200
    caller.close()


def test_a_leg_that_is_gone_is_named(board: Board) -> None:
    board.link.close()
    caller = Caller(board.port)
    end = time.monotonic() + 5.0
    while (answer := caller.call(STEP))[0] != 503 and time.monotonic() < end:
        pass
    assert answer == (503, "the leg computer is gone")
    caller.close()
