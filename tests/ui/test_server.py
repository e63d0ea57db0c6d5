"""The page's server as pages, strangers and slow readers meet it: over real sockets."""

from __future__ import annotations

import gc
import os
import random
import socket
import threading
import time
from contextlib import ExitStack
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from gelenk.ui import hub as hub_module
from gelenk.ui import server as server_module
from gelenk.ui.codec import encode
from gelenk.ui.frames import ASKED, unpack_frame
from gelenk.ui.messages import (
    GetFrame,
    Hello,
    Hold,
    Line,
    Lines,
    OpenScene,
    Reply,
    Samples,
    Scene,
    Service,
    Status,
    Watch,
)
from gelenk.ui.server import ServerConfig
from ui.page_rig import Page, Rig, make_frame, running


def eventually(condition, seconds: float = 20.0) -> bool:
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.005)
    return condition()


# -- talking ---------------------------------------------------------------------------


def test_a_page_is_greeted_and_its_requests_are_answered(rig: Rig) -> None:
    with rig.open() as socket:
        page = Page(socket)
        assert isinstance(page.receive(), Hello)

        assert page.ask(OpenScene(id=7, name="x/y")).ok
        echoed = page.ask(Service(id=8, name="echo", value={"a": [1, None, "ü"]}))
        socket.send(encode(GetFrame(id=9, tick=42)))
        frame, flags = unpack_frame(page.wait_for(bytes))

    assert echoed.value == {"a": [1, None, "ü"]}
    assert (frame.tick, flags) == (42, ASKED)


def test_two_pages_see_the_same_and_only_the_one_who_asks_is_answered(rig: Rig) -> None:
    with rig.open() as a, rig.open() as b:
        one, two = Page(a), Page(b)
        assert isinstance(one.receive(), Hello)
        assert isinstance(two.receive(), Hello)

        assert one.ask(OpenScene(id=1, name="x/y")).ok
        assert two.receive() == rig.stage.make_scene()
        assert two.receive() == Status(scene=1)
        rig.hub.send_frame(make_frame(5))
        assert unpack_frame(two.wait_for(bytes))[0].tick == 5
        assert unpack_frame(one.wait_for(bytes))[0].tick == 5
        with pytest.raises(TimeoutError):
            two.receive(0.05)


def test_a_page_that_comes_later_gets_the_scene_before_its_frame(rig: Rig) -> None:
    with rig.open() as socket:
        Page(socket).ask(OpenScene(id=1, name="x/y"))

    with rig.open() as socket:
        page = Page(socket)
        assert [type(page.receive()) for _ in range(3)] == [Hello, Scene, bytes]


def test_a_page_that_comes_before_the_stage_waits_for_it(root: Path) -> None:
    config = ServerConfig(port=0, token="", root=root)
    with running(config, with_stage=False) as rig, rig.open() as socket:
        page = Page(socket)
        with pytest.raises(TimeoutError):
            page.receive(0.05)
        rig.loop.call_soon_threadsafe(rig.server.attach, rig.stage)
        assert isinstance(page.receive(), Hello)


def test_a_server_ends_though_its_stage_never_came(root: Path) -> None:
    with ExitStack() as stack:
        with running(
            ServerConfig(port=0, token="", root=root), with_stage=False
        ) as rig:
            page = Page(stack.enter_context(rig.open()))
        with pytest.raises(ConnectionClosed):
            page.receive()


def test_at_the_end_pages_hear_why(root: Path, monkeypatch) -> None:
    monkeypatch.setattr(server_module, "REQUEST_TIMEOUT", 1000.0)
    with ExitStack() as stack:
        with running(ServerConfig(port=0, token="", root=root)) as rig:
            page = Page(stack.enter_context(rig.open()))
            page.wait_for(Hello)
            # A connection that never asks must not hold the end up.
            lazy = socket.create_connection((rig.host, rig.port))
            stack.callback(lazy.close)
            assert rig.get("/")[0] == 200
        with pytest.raises(ConnectionClosed) as end:
            page.wait_for(Reply)
    assert end.value.rcvd is not None
    assert (end.value.rcvd.code, end.value.rcvd.reason) == (1001, "gelenk has ended")


def test_what_pages_want_to_see_is_put_together(rig: Rig) -> None:
    def wish() -> Watch:
        return next(r for r in reversed(rig.stage.requests) if isinstance(r, Watch))

    with rig.open() as a:
        one = Page(a)
        one.ask(Watch(id=1, signals=False, cameras=("left",)))
        assert wish() == Watch(id=0, signals=False, cameras=("left",))
        with rig.open() as b:
            two = Page(b)
            two.ask(Watch(id=1, contacts=True, cameras=("right",)))
            assert wish() == Watch(id=0, contacts=True, cameras=("left", "right"))
            rig.hub.send(Samples(scene=1, times=(0.0,), values="AACAPw=="))
            rig.hub.send(Status(scene=1))
            assert isinstance(two.wait_for(Samples), Samples)
            assert isinstance(one.receive(), Status)  # no samples before it
        assert eventually(lambda: rig.stage.audience[-1] == 1)
        assert wish() == Watch(id=0, signals=False, cameras=("left",))
    assert eventually(lambda: rig.stage.audience[-1] == 0)
    assert max(rig.stage.audience) == 2


def test_without_pages_nothing_is_encoded(rig: Rig, monkeypatch) -> None:
    monkeypatch.setattr(hub_module, "encode", pytest.fail)

    rig.hub.send(Status(scene=1))
    rig.hub.send_frame(b"")


# -- what goes wrong -------------------------------------------------------------------


@pytest.mark.capability("BB-76")
def test_a_stage_that_raises_is_reported_to_who_asked(rig: Rig, caplog) -> None:
    with rig.open() as socket:
        page = Page(socket)
        raised = page.ask(Service(id=1, name="raise"))
        unwritable = page.ask(Service(id=2, name="object"))
        twice = page.ask(Service(id=3, name="twice"))
        after = page.ask(Hold(id=4, is_held=True))

    assert (raised.ok, unwritable.ok, twice.value, after.ok) == (False, False, 1, True)
    assert "ZeroDivisionError: on purpose" in raised.message
    assert "cannot write a object" in unwritable.message
    assert "answered twice" in caplog.text


@pytest.mark.parametrize(
    ("text", "id", "field", "words"),
    [
        ("", 0, "", "expected JSON"),
        ("[]", 0, "", "expected a JSON object with a kind, got list"),
        ('{"id": 3}', 3, "kind", "expected one of open_scene, "),
        ('{"kind": "hello", "id": 3}', 3, "kind", "got 'hello'"),
        ('{"kind": "hold", "id": 3}', 3, "is_held", "is missing"),
        ('{"kind": "hold", "id": 3, "is_held": 1}', 3, "is_held", "true or false"),
        ('{"kind": "hold", "id": -1, "is_held": true}', 0, "id", "at least 0"),
        ('{"kind": "hold", "is_held": true}', 0, "id", "is missing"),
        ('{"kind": "set_pace", "id": 3, "pace": 1e9}', 3, "pace", "0.05 to 100"),
        ('{"kind": "set_pace", "id": 3, "pace": NaN}', 0, "", "NaN is no number"),
        ('{"kind": "set_pace", "id": 3, "pace": 1e999}', 3, "pace", "below 1.8e308"),
    ],
)
def test_wrong_messages_are_answered_with_the_field_that_is_wrong(
    shared: Rig, text: str, id: int, field: str, words: str
) -> None:
    with shared.open() as socket:
        socket.send(text)
        reply = Page(socket).wait_for(Reply)

    assert (reply.ok, reply.id, reply.field) == (False, id, field)
    assert words in reply.message


def test_bytes_are_refused_and_too_much_text_ends_the_connection(shared: Rig) -> None:
    with shared.open() as socket:
        socket.send(b"GLF1")
        assert "expected a text message" in Page(socket).wait_for(Reply).message
        socket.send("x" * (server_module.MAX_MESSAGE + 1))
        with pytest.raises(ConnectionClosed) as end:
            Page(socket).wait_for(Reply)
    assert end.value.rcvd is not None
    assert end.value.rcvd.code == 1009


def mutated(rng: random.Random, text: str) -> str:
    """Return a text with a few characters changed, lost or doubled."""
    letters = list(text)
    for _ in range(rng.randint(1, 4)):
        i = rng.randrange(len(letters)) if letters else 0
        match rng.randrange(3):
            case 0:
                letters[i : i + 1] = rng.choice('"{}[]:,0-9eE.\\ntu\u00fc\x00aN')
            case 1:
                letters[i : i + rng.randint(1, 5)] = []
            case _:
                letters[i:i] = letters[i : i + rng.randint(1, 9)]
    return "".join(letters)


def test_two_thousand_damaged_messages_are_all_answered(rig: Rig, monkeypatch) -> None:
    monkeypatch.setattr(server_module, "RATE", 1e6)
    rng = random.Random(5)
    seeds = [
        encode(message)
        for message in (
            OpenScene(id=1, name="armbot/sorting"),
            Hold(id=2, is_held=True),
            GetFrame(id=3, tick=100),
            Service(id=4, name="echo", value={"a": [1.5, {"b": None}]}),
            Watch(id=5, cameras=("left", "right")),
        )
    ]
    with rig.open() as socket:
        page = Page(socket)
        for start in range(0, 2000, 100):
            for k in range(start, start + 100):
                if k % 4 == 0:
                    noise = rng.randbytes(rng.randint(0, 200))
                    socket.send(noise if k % 8 else noise.decode("latin-1"))
                else:
                    socket.send(mutated(rng, rng.choice(seeds)))
            answers = 0
            while answers < 100:
                message = page.receive()
                answers += isinstance(message, Reply) or (
                    isinstance(message, bytes) and unpack_frame(message)[1] == ASKED
                )
        assert page.ask(Hold(id=99, is_held=False)).ok
    with rig.open() as socket:
        assert isinstance(Page(socket).receive(), Hello)


def test_noise_instead_of_http_does_no_harm(rig: Rig) -> None:
    rng = random.Random(6)
    heads = [b"", b"GET / HTTP/1.1\r\n", b"GET /ws HTTP/1.1\r\nHost: ", b"\x16\x03\x01"]
    for _ in range(100):
        with socket.create_connection((rig.host, rig.port), timeout=20) as wire:
            wire.sendall(rng.choice(heads) + rng.randbytes(rng.randint(1, 300)))
            wire.shutdown(socket.SHUT_WR)
            wire.recv(4096)
    with rig.open() as page:
        assert isinstance(Page(page).receive(), Hello)


def test_requests_that_are_never_answered_are_bounded(rig: Rig, monkeypatch) -> None:
    monkeypatch.setattr(server_module, "MAX_OPEN", 5)
    with rig.open() as socket:
        for k in range(5):
            socket.send(encode(Service(id=k, name="never")))
        reply = Page(socket).ask(Service(id=9, name="never"))

    assert not reply.ok
    assert "5 requests wait" in reply.message


# -- slow readers, many readers --------------------------------------------------------


def open_unread(rig: Rig) -> socket.socket:
    """Return a page that does the handshake and then reads nothing."""
    wire = socket.socket()
    wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
    wire.connect((rig.host, rig.port))
    wire.sendall(
        f"GET /ws HTTP/1.1\r\nHost: {rig.host}:{rig.port}\r\nOrigin: {rig.origin}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
    )
    assert wire.recv(12) == b"HTTP/1.1 101"
    return wire


def is_cut(wire: socket.socket) -> bool:
    try:
        return wire.recv(1) == b""
    except ConnectionResetError:
        return True


def test_a_page_that_falls_asleep_skips_frames_and_others_do_not(rig: Rig) -> None:
    count, size = 300, 20_000  # frames of 560 kB, more than any buffer holds
    with rig.open() as one, rig.open(max_size=None, max_queue=1) as other:
        quick, sleeper = Page(one), Page(other)
        quick.receive()
        sleeper.receive()
        assert eventually(lambda: rig.hub.num_clients == 2)
        for tick in range(count):
            rig.hub.send_frame(make_frame(tick, bodies=size))
            assert unpack_frame(quick.wait_for(bytes))[0].tick == tick
        rig.hub.send(Status(scene=1))
        seen = []
        while not isinstance(message := sleeper.receive(), Status):
            assert isinstance(message, bytes)
            seen.append(unpack_frame(message)[0].tick)
        if not seen or seen[-1] != count - 1:  # the last one may follow the status
            seen.append(unpack_frame(sleeper.wait_for(bytes))[0].tick)

    assert seen[-1] == count - 1
    assert len(seen) < count / 10
    assert seen == sorted(seen)


def test_a_page_that_never_reads_is_sent_away_and_its_memory_freed(
    rig: Rig, monkeypatch
) -> None:
    monkeypatch.setattr(hub_module, "MAX_BACKLOG", 2**20)
    monkeypatch.setattr(hub_module, "SEND_TIMEOUT", 1000.0)
    monkeypatch.setattr(hub_module, "CLOSE_TIMEOUT", 0.2)
    lines = Lines(
        scene=1,
        window="debug",
        start=0,
        lines=(Line(tick=0, time=0.0, source="robot0", text="x" * 100_000),),
    )
    with rig.open() as socket:
        reader = Page(socket)
        reader.receive()
        wire = open_unread(rig)
        assert eventually(lambda: rig.hub.num_clients == 2)
        for k in range(60):
            rig.hub.send(lines)
            assert reader.wait_for(Lines) == lines, k
        assert eventually(lambda: rig.hub.num_clients == 1)
        assert reader.ask(Hold(id=1, is_held=True)).ok
        wire.close()


def test_a_page_that_takes_nothing_for_too_long_is_cut_off(
    rig: Rig, monkeypatch
) -> None:
    monkeypatch.setattr(hub_module, "SEND_TIMEOUT", 0.1)
    with open_unread(rig):
        assert eventually(lambda: rig.hub.num_clients == 1)
        for tick in range(3):
            rig.hub.send_frame(make_frame(tick, bodies=100_000))
            time.sleep(0.01)
        assert eventually(lambda: rig.hub.num_clients == 0)


def test_a_connection_that_asks_nothing_is_cut_off(root: Path, monkeypatch) -> None:
    monkeypatch.setattr(server_module, "REQUEST_TIMEOUT", 0.05)
    with (
        running(ServerConfig(port=0, token="", root=root)) as rig,
        rig.open() as page,
        socket.create_connection((rig.host, rig.port), timeout=20) as lazy,
    ):
        assert is_cut(lazy)
        assert Page(page).ask(Hold(id=1, is_held=True)).ok  # this one asked


def test_a_flood_of_requests_is_slowed_down_and_answered(rig: Rig, monkeypatch) -> None:
    monkeypatch.setattr(server_module, "BURST", 5.0)
    monkeypatch.setattr(server_module, "RATE", 100.0)
    with rig.open() as socket:
        page, start = Page(socket), time.monotonic()
        for k in range(35):
            socket.send(encode(Hold(id=k, is_held=True)))
        replies = [page.wait_for(Reply).id for _ in range(35)]
        wall = time.monotonic() - start

    assert replies == list(range(35))
    assert wall > 0.25  # 30 of them at 100 per second


def test_a_hundred_reconnects_leave_nothing_behind(rig: Rig) -> None:
    def num_clients() -> int:
        gc.collect()
        return sum(type(item) is hub_module.PageClient for item in gc.get_objects())

    def num_files() -> int:
        return len(os.listdir("/proc/self/fd"))

    files, threads = num_files(), threading.active_count()
    for k in range(100):
        with rig.open() as page:
            Page(page).receive()
            if k % 2:
                page.socket.shutdown(socket.SHUT_RDWR)  # without a goodbye
    assert eventually(lambda: rig.hub.num_clients == 0)

    assert eventually(lambda: rig.server._connections == set())
    assert num_clients() == 0
    assert num_files() <= files + 2
    assert threading.active_count() <= threads + 32  # the pool of the loop is bounded
    assert rig.stage.audience[-1] == 0
