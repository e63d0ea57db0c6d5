"""`gelenk open` and `gelenk armbot` open the page; Ctrl-C ends it in order."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.sync.client import connect
from websockets.typing import Origin

from gelenk.cli import exit_codes, open_page
from gelenk.ui import site
from gelenk.ui.frames import unpack_frame
from gelenk.ui.server import PageServer

QUIET = ("--no-browser", "--port", "0")


@contextmanager
def served(*words: str, **options: Any) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run `gelenk` until the page is there; return the process and the address."""
    process = subprocess.Popen(
        [sys.executable, "-m", "gelenk.cli.main", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )
    try:
        assert process.stdout is not None
        for line in process.stdout:
            if found := re.search(r"http://\S+", line):
                yield process, found[0]
                break
        else:
            pytest.fail(f"no address: {process.communicate()}")
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def visit(url: str):
    """Return the socket of a page at an address with or without a token."""
    parts = urlsplit(url)
    query = f"?{parts.query}" if parts.query else ""
    origin = Origin(f"http://{parts.netloc}")
    return connect(f"ws://{parts.netloc}/ws{query}", origin=origin, proxy=None)


def end(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Press Ctrl-C; return the exit code and what was said last."""
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    return process.returncode, err


@pytest.mark.slow
def test_open_serves_the_gallery_until_ctrl_c() -> None:
    with served("open", *QUIET) as (process, url):
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=[\w-]{20,}", url)
        with visit(url) as socket:
            hello = json.loads(socket.recv(60))
            code, err = end(process)

    assert hello["kind"] == "hello"
    assert hello["may_run_code"] is True
    assert "armbot/sorting" in [card["name"] for card in hello["gallery"]]
    assert code == exit_codes.OK
    assert err == "Ctrl-C ends it\n"


@pytest.mark.slow
@pytest.mark.capability("BB-87")
def test_a_scene_by_name_moves_before_anybody_presses_anything() -> None:
    with served("open", "scara", "--token", "", *QUIET) as (process, url):
        assert url.endswith("/")
        with visit(url) as socket:
            scene, ticks = "", []
            deadline = time.monotonic() + 60.0
            while len(ticks) < 3 and time.monotonic() < deadline:
                data = socket.recv(60)
                if isinstance(data, bytes):
                    ticks.append(unpack_frame(data)[0].tick)
                elif (message := json.loads(data))["kind"] == "scene":
                    scene = message["name"]
        code, _ = end(process)

    assert scene == "scara"
    assert ticks[0] < ticks[-1]
    assert code == exit_codes.OK


@pytest.mark.slow
def test_armbot_opens_the_page_with_the_file_if_somebody_sits_there(
    tmp_path: Path,
) -> None:
    (tmp_path / "mine.env").write_text("// A ball.\nBALL 0 0 35 5 0.3 0.5 FF0000\n")
    leader, follower = pty.openpty()
    words = ("armbot", "-e", "mine.env", *QUIET)
    with served(*words, stdin=follower, cwd=tmp_path) as (process, url):
        with visit(url) as socket:
            while (message := json.loads(socket.recv(60)))["kind"] != "scene":
                pass
        code, _ = end(process)
    os.close(leader)
    os.close(follower)

    assert message["title"] == "mine.env"
    assert "BALL 0 0 35 5" in message["panel"]["source"]
    assert code == exit_codes.OK


# -- which of them opens it ------------------------------------------------------------


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """Return the pages that would be opened."""
    calls: list[tuple[Any, ...]] = []

    def note(describe: Callable[[], Any] | None, options: Any) -> int:
        calls.append((None if describe is None else describe().name, options))
        return exit_codes.OK

    monkeypatch.setattr(open_page, "open_page", note)
    monkeypatch.setattr(open_page, "page_problem", lambda: "")
    return calls


def test_options_reach_the_page(gelenk, opened: list[Any]) -> None:
    words = ("--seed", "4", "--port", "9000", "--host", "0.0.0.0", "--token", "x")

    assert gelenk("open").code == exit_codes.OK
    assert gelenk("open", "armbot/sorting", *words, "--no-browser").code == 0

    wish = open_page.PageOptions(
        host="0.0.0.0", port=9000, token="x", open_browser=False, seed=4
    )
    assert opened == [(None, open_page.PageOptions()), ("armbot/sorting", wish)]


def test_scenes_robots_and_files_are_opened(
    gelenk, opened: list[Any], tmp_path: Path
) -> None:
    cell, arm = tmp_path / "mine.env", tmp_path / "arm.urdf"
    cell.write_text("BALL 0 0 35 5 0.3 0.5 FF0000\n")
    arm.write_text("<robot name='arm'><link name='base'/></robot>")

    for target in ("hall", "fourbar", str(cell), str(arm)):
        assert gelenk("open", target).code == exit_codes.OK

    names = [name for name, _ in opened]
    assert names == ["hall", "fourbar", "armbot/file/mine.env", str(arm)]


def test_without_a_bundle_it_says_how_to_build_one(
    gelenk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(site, "STATIC", tmp_path)

    outcome = gelenk("open")

    assert outcome.code == exit_codes.IMPOSSIBLE
    assert "make client" in outcome.err


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("armbot/sortng",), "Did you mean 'armbot/sorting'"),
        (("faults",), "faults has no page; `gelenk run faults` computes it"),
        ((__file__,), "files that can be: .env"),
        (("--host", "0.0.0.0", "--token", ""), "so a token is needed"),
        (("--host", "203.0.113.7"), "cannot listen on 203.0.113.7"),
        (("--port", "70000"), "--port"),
    ],
)
def test_what_cannot_be_shown_ends_with_2(gelenk, words, complaint: str) -> None:
    outcome = gelenk("open", *words)

    assert outcome.code == exit_codes.IMPOSSIBLE
    assert outcome.out == ""
    assert complaint in outcome.err


def test_a_taken_port_is_named(gelenk) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        outcome = gelenk("open", "--port", port)

    assert outcome.code == exit_codes.IMPOSSIBLE
    assert f"port {port} is taken; leave `--port` out" in outcome.err


@pytest.mark.parametrize(
    ("words", "is_page"),
    [
        ((), True),
        (("--port", "9000", "--no-browser", "--seed", "3"), True),
        (("--console",), False),
        (("--picture", "end.png"), False),
        (("-logall",), False),
    ],
)
def test_armbot_takes_the_page_where_it_can_do_what_is_wanted(
    gelenk, opened: list[Any], monkeypatch: pytest.MonkeyPatch, tmp_path, words, is_page
) -> None:
    (tmp_path / "cell.env").write_text("BALL 0 0 35 5 0.3 0.5 FF0000\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr("gelenk.cli.armbot._run_console", lambda options: 17)

    code = gelenk("armbot", "-e", "cell.env", *words).code

    assert code == (exit_codes.OK if is_page else 17)
    if is_page:
        ((name, wish),) = opened
        assert name == "armbot/file/cell.env"
        is_quiet = bool(words)
        assert wish == open_page.PageOptions(
            port=9000 if is_quiet else None,
            open_browser=not is_quiet,
            seed=3 if is_quiet else 0,
        )


def test_mistakes_in_a_file_are_told_before_a_browser_opens(
    gelenk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "cell.env").write_text("BALL 0 0\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr(open_page, "_announce", pytest.fail)

    outcome = gelenk("armbot", "-e", "cell.env")

    assert outcome.code == exit_codes.IMPOSSIBLE
    assert "cell.env" in outcome.err
    assert "cell.env:1:1: BALL is incomplete" in outcome.err


# -- the browser -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("display", "wanted", "is_opened"),
    [(":0", True, True), (":0", False, False), ("", True, False)],
)
def test_a_browser_is_started_where_somebody_would_see_it(
    monkeypatch: pytest.MonkeyPatch, capsys, display, wanted, is_opened
) -> None:
    urls: list[str] = []
    monkeypatch.setattr("webbrowser.open", urls.append)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("DISPLAY", display)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setattr(PageServer, "url", "http://127.0.0.1:1/")
    server = PageServer.__new__(PageServer)
    monkeypatch.setattr(PageServer, "is_built", True)

    open_page._announce(server, open_page.PageOptions(open_browser=wanted))

    deadline = time.monotonic() + 10.0
    while is_opened and not urls and time.monotonic() < deadline:
        time.sleep(0.01)
    assert urls == (["http://127.0.0.1:1/"] if is_opened else [])
    assert "http://127.0.0.1:1/" in capsys.readouterr().out


def test_the_network_is_told_that_code_is_off(monkeypatch, capsys) -> None:
    monkeypatch.setattr(PageServer, "url", "http://box:1/?token=x")
    monkeypatch.setattr(PageServer, "is_built", True)
    server = PageServer.__new__(PageServer)

    open_page._announce(
        server, open_page.PageOptions(host="0.0.0.0", open_browser=False)
    )

    assert "files from it are not run" in capsys.readouterr().err
