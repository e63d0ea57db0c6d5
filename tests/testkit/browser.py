"""The page in a real browser: a server in its own process, Chromium without a screen.

For tests, measurements and pictures. Needs `playwright` and a Chromium of the system;
nothing is downloaded.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gelenk.errors import GelenkError

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NAMES = ("chromium", "chromium-browser", "google-chrome")
# On every machine as on one without a graphics card: WebGL in SwiftShader, and the page
# put together without it. SwiftShader for that too costs more than the picture itself.
FLAGS = (
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-gpu-compositing",
)
ADDRESS = re.compile(r"https?://[^\s'\"\x1b]+")
START_TIMEOUT = 60.0  # [s]
REMEDY = "on Debian: apt install chromium"


class BrowserError(GelenkError):
    """The page or the browser did not start; the message says why."""


def find_chromium() -> str | None:
    """Return the path of a Chromium of this machine."""
    wanted = os.environ.get("GELENK_CHROMIUM")
    found = (shutil.which(name) for name in ((wanted,) if wanted else NAMES))
    return next(filter(None, found), None)


def why_not() -> str:
    """Return why no browser can be driven here; empty if one can."""
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        return "playwright is missing: pip install 'gelenk[dev]'"
    return "" if find_chromium() else f"found no Chromium; {REMEDY}"


@dataclass(slots=True, kw_only=True)
class Served:
    """A server of the page that runs.

    Attributes:
        url: Address with its token.
        process: Its process.
        output: What it has printed so far.
    """

    url: str
    process: subprocess.Popen[str]
    output: list[str] = field(default_factory=list[str])

    def address(self, query: str = "", fragment: str = "") -> str:
        """Return the address of the page with more in its query."""
        base, _, old = self.url.partition("?")
        whole = "&".join(filter(None, (old, query)))
        return base + (f"?{whole}" if whole else "") + fragment


@contextlib.contextmanager
def serving(*arguments: str) -> Iterator[Served]:
    """Run `gelenk open --no-browser --port 0` until the end of the block.

    Args:
        arguments: More of them.

    Raises:
        BrowserError: If no address was printed.
    """
    script = (
        "import sys; from gelenk.cli.main import main; sys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", script, "open", "--no-browser", "--port", "0"]
    with subprocess.Popen(
        [*command, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:
        try:
            served = Served(url="", process=process)
            _wait_for_address(served)
            yield served
        finally:
            process.terminate()
            try:
                process.wait(10.0)
            except subprocess.TimeoutExpired:
                process.kill()


def _wait_for_address(served: Served) -> None:
    """Read what the server prints, the address first and then for ever."""
    is_known = threading.Event()

    def listen() -> None:
        assert served.process.stdout is not None
        for line in served.process.stdout:
            served.output.append(line)
            if not served.url and (found := ADDRESS.search(line)):
                served.url = found[0]
                is_known.set()
        is_known.set()

    threading.Thread(target=listen, daemon=True).start()
    is_known.wait(START_TIMEOUT)
    if not served.url:
        raise BrowserError(
            "the page's server printed no address: " + "".join(served.output[-20:])
        )


@contextlib.contextmanager
def browsing() -> Iterator[Browser]:
    """Run Chromium until the end of the block.

    Raises:
        BrowserError: If there is none.
    """
    if reason := why_not():
        raise BrowserError(reason)
    from playwright.sync_api import sync_playwright

    with (
        tempfile.TemporaryDirectory(prefix="gelenk-browser-") as home,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(
            executable_path=find_chromium(),
            args=list(FLAGS),
            env={**os.environ, "HOME": home},
        )
        try:
            yield browser
        finally:
            browser.close()


class Complaints:
    """Everything that a browser has to complain about a page.

    Args:
        page: Listened to from now on.
    """

    def __init__(self, page: Page) -> None:
        self.lines: list[str] = []
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.lines.append(f"thrown: {error}"))
        page.on("crash", lambda _: self.lines.append("the page crashed"))

    def _hear(self, message: Any) -> None:
        if message.type == "error":
            place = message.location.get("url", "")
            self.lines.append(f"{message.text} ({place})")

    def beyond(self, *expected: str) -> list[str]:
        """Return all lines in which none of the expected words occurs."""
        return [line for line in self.lines if not any(e in line for e in expected)]
