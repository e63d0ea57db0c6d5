"""Which files are served, and to whom: over real sockets."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed, InvalidStatus

from gelenk.errors import ConfigError
from gelenk.ui.access_control import AccessControl
from gelenk.ui.messages import (
    Hello,
)
from gelenk.ui.server import DEFAULT_PORT, ServerConfig
from ui.page_rig import Page, Rig, running

# -- files -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "content_type", "cache"),
    [
        ("/", "text/html; charset=utf-8", "no-store"),
        ("/index.html", "text/html; charset=utf-8", "no-store"),
        ("/?quality=low", "text/html; charset=utf-8", "no-store"),
        ("/assets/main-abc123.js", "text/javascript; charset=utf-8", "immutable"),
        ("/pictures/one.png", "image/png", "no-cache"),
    ],
)
def test_files_of_the_bundle_are_served(shared: Rig, path, content_type, cache) -> None:
    status, headers, body = shared.get(path)

    assert status == 200
    assert headers["Content-Type"] == content_type
    assert cache in headers["Cache-Control"]
    assert int(headers["Content-Length"]) == len(body) > 0
    assert headers["X-Content-Type-Options"] == "nosniff"
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'self'; ")
    assert "unsafe-eval" not in policy
    assert "script-src" not in policy  # so that 'self' holds for scripts


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/assets/../../secret.txt",
        "/assets/../index.html",
        "/assets/./main-abc123.js",
        "//index.html",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/%2e%2e%2fsecret.txt",
        "/..\\secret.txt",
        "/..%5csecret.txt",
        "//etc/passwd",
        "/%00",
        "/assets/%00.js",
        "/" + "a" * 5000 + ".js",
        "/link.txt",
        "/assets/",
        "/assets",
        "/notes.secret",
        "/missing.js",
        "/files/../secret.txt",
        "/files/%2e%2e%2fsecret.txt",
        "/files/",
        "/C:/secret.txt",
    ],
)
def test_nothing_else_is_served(shared: Rig, path: str) -> None:
    status, _, body = shared.get(path)

    assert status in (404, 414)
    assert b"outside" not in body


def test_a_picture_that_has_not_changed_is_not_sent_again(shared: Rig) -> None:
    _, headers, _ = shared.get("/pictures/one.png")

    status, _, body = shared.get(
        "/pictures/one.png", {"If-None-Match": headers["ETag"]}
    )

    assert (status, body) == (304, b"")


def test_a_head_has_no_body_and_a_post_is_refused(shared: Rig) -> None:
    with socket.create_connection((shared.host, shared.port), timeout=20) as wire:
        host = f"{shared.host}:{shared.port}"
        wire.sendall(f"HEAD / HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        answer = b"".join(iter(lambda: wire.recv(4096), b""))

    assert answer.startswith(b"HTTP/1.1 200 ")
    assert answer.endswith(b"\r\n\r\n")
    assert b"\r\nContent-Length: 34\r\n" in answer
    assert shared.get("/", method="POST")[0] == 405


def test_downloads_are_those_that_the_stage_offers(shared: Rig, tmp_path: Path) -> None:
    file = tmp_path / "Lauf größer 1.mcap"
    file.write_bytes(bytes(range(256)) * 4096)
    shared.stage.files["run1"] = file

    status, headers, body = shared.get("/files/run1")

    assert status == 200
    assert body == file.read_bytes()
    assert headers["Content-Disposition"] == (
        "attachment; filename*=UTF-8''Lauf%20gr%C3%B6%C3%9Fer%201.mcap"
    )
    assert shared.get(f"/files/{file.name.split()[0]}")[0] == 404


def test_a_missing_bundle_says_how_to_build_it(tmp_path: Path) -> None:
    with running(ServerConfig(port=0, root=tmp_path)) as rig:
        status, _, body = rig.get("/")

    assert status == 200
    assert b"make client" in body


# -- who may talk ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "host",
    [
        "evil.example:{port}",
        "evil.example",
        "127.0.0.1",
        "127.0.0.1:1",
        "x@127.0.0.1:{port}",
        "",
        "a b",
    ],
)
def test_requests_to_another_host_are_refused(shared: Rig, host: str) -> None:
    name = host.format(port=shared.port)

    status, headers, _ = shared.get("/", {"Host": name})

    assert status == 403
    assert "evil" not in str(headers)


def test_every_name_of_this_machine_is_its_own(shared: Rig) -> None:
    for name in ("localhost", "127.0.0.1", "LOCALHOST", "[::1]"):
        assert shared.get("/", {"Host": f"{name}:{shared.port}"})[0] == 200


@pytest.mark.parametrize(
    "origin",
    [
        None,
        "null",
        "http://evil.example",
        "http://127.0.0.1",
        "https://127.0.0.1:{port}",
        "http://127.0.0.1:{port}.evil.example",
        "http://localhost:{port}",  # of ours, but not the host that is asked
    ],
)
def test_sockets_of_other_pages_are_refused(shared: Rig, origin: str | None) -> None:
    value = None if origin is None else origin.format(port=shared.port)

    with pytest.raises(InvalidStatus) as refused:
        shared.open(origin=value)

    assert refused.value.response.status_code == 403


def test_other_pages_cannot_load_files_either(shared: Rig) -> None:
    assert shared.get("/", {"Origin": "http://evil.example"})[0] == 403
    assert shared.get("/", {"Origin": shared.origin})[0] == 200


def test_meshes_are_served_for_ever_to_those_with_the_token(root: Path) -> None:
    with running(ServerConfig(port=0, token="geheim", root=root)) as rig:
        rig.stage.assets |= {"a1": b"triangles", "b2.png": b"pixels"}
        known = {"Cookie": f"gelenk_{rig.port}=geheim"}

        status, headers, body = rig.get("/meshes/a1", known)
        assert (status, body) == (200, b"triangles")
        assert headers["Content-Type"] == "application/octet-stream"
        assert "immutable" in headers["Cache-Control"]
        assert "private" in headers["Cache-Control"]
        assert rig.get("/meshes/b2.png", known)[1]["Content-Type"] == "image/png"
        assert rig.get("/meshes/a1")[0] == 403
        for name in ("", "other", "../index.html", "%2e%2e%2findex.html"):
            assert rig.get(f"/meshes/{name}", known)[0] == 404


def test_the_token_opens_the_socket_by_address_or_cookie(root: Path) -> None:
    with running(ServerConfig(port=0, token="geheim", root=root)) as rig:
        assert rig.server.url == f"{rig.origin}/?token=geheim"
        _, headers, _ = rig.get("/?token=geheim")
        cookie = headers["Set-Cookie"]
        assert cookie.startswith(f"gelenk_{rig.port}=geheim; ")
        assert "SameSite=Strict" in cookie
        assert "HttpOnly" in cookie
        sent = {"Cookie": f"theme=dark; {cookie.split(';')[0]}"}

        ways: list[dict[str, Any]] = [
            {"path": "/ws?token=geheim"},
            {"additional_headers": sent},
        ]
        for options in ways:
            with rig.open(**options) as socket:
                assert isinstance(Page(socket).receive(), Hello)


def test_without_the_token_nothing_is_told(root: Path, tmp_path: Path) -> None:
    with running(ServerConfig(port=0, root=root)) as rig:
        rig.stage.files["run1"] = tmp_path
        token = rig.server.url.partition("=")[2]
        wrong = {"Cookie": f"gelenk_{rig.port}=falsch; gelenk_1={token}"}
        ways: list[dict[str, Any]] = [
            {},
            {"path": "/ws?token=falsch"},
            {"path": "/ws?token="},
            {"additional_headers": wrong},
        ]
        for options in ways:
            with rig.open(**options) as socket, pytest.raises(ConnectionClosed) as end:
                socket.recv(20)
            assert end.value.rcvd is not None
            assert end.value.rcvd.code == 4401
            assert "gelenk printed" in end.value.rcvd.reason
        assert rig.get("/files/run1")[0] == 403
        status, headers, _ = rig.get("/?token=falsch")
        assert status == 403
        assert "Set-Cookie" not in headers
        assert rig.stage.audience == []


def test_the_network_is_not_served_without_a_token() -> None:
    for host in ("0.0.0.0", "::", "192.168.7.7"):
        with (
            pytest.raises(ConfigError, match="token"),
            running(ServerConfig(host=host, port=0, token="")),
        ):
            pass


def test_on_the_network_addresses_are_heard_and_foreign_names_are_not() -> None:
    guard = AccessControl(host="0.0.0.0", port=8765, token="x")

    def refusal(host: str) -> str:
        return guard.refusal(Headers([("Host", host)]), needs_origin=False)

    assert refusal("192.168.7.7:8765") == ""
    assert refusal("[fe80::1]:8765") == ""
    assert refusal(f"{socket.gethostname()}:8765") == ""
    assert "this server is not" in refusal("evil.example:8765")
    assert "this server is not" in refusal("192.168.7.7:80")


# -- ports -----------------------------------------------------------------------------


def test_a_taken_port_is_named_and_the_next_one_taken(root: Path) -> None:
    with running(ServerConfig(port=0, root=root)) as first:
        wanted = ServerConfig(port=first.port, root=root)
        with (
            pytest.raises(ConfigError, match=f"port {first.port} is taken"),
            running(wanted),
        ):
            pass
    with (
        running(ServerConfig(root=root)) as one,
        running(ServerConfig(root=root)) as two,
    ):
        assert one.port != two.port
        assert min(one.port, two.port) >= DEFAULT_PORT


def test_an_address_of_another_machine_is_refused_with_a_remedy(root: Path) -> None:
    config = ServerConfig(host="203.0.113.7", port=0, token="x", root=root)

    with pytest.raises(ConfigError, match="address of this machine"), running(config):
        pass
