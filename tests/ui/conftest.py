"""Servers to be visited."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from gelenk.ui.server import ServerConfig
from ui.page_rig import Rig, running


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "pictures").mkdir()
    (folder / "index.html").write_text("<!doctype html><title>Test</title>")
    (folder / "assets" / "main-abc123.js").write_text("export {}")
    (folder / "pictures" / "one.png").write_bytes(b"\x89PNG")
    (folder / "notes.secret").write_text("no type, no answer")
    (folder.parent / "secret.txt").write_text("outside")
    (folder / "link.txt").symlink_to(folder.parent / "secret.txt")
    return folder


@pytest.fixture(scope="module")
def shared(root: Path) -> Iterator[Rig]:
    """A server without a token, for tests that leave it as it was."""
    with running(ServerConfig(port=0, token="", root=root)) as rig:
        yield rig


@pytest.fixture
def rig(root: Path) -> Iterator[Rig]:
    with running(ServerConfig(port=0, token="", root=root)) as rig:
        yield rig
