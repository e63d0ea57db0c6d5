"""One server for all tests, a Chromium per file; a fresh page for each."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect
from websockets.sync.client import connect

from page_driver import PATIENCE, Driver
from testkit.browser import Served, browsing, serving, why_not

WIDTH, HEIGHT = 1280, 800

expect.set_options(timeout=1e3 * PATIENCE)


@pytest.fixture(scope="session")
def served() -> Iterator[Served]:
    if reason := why_not():
        pytest.skip(f"NO BROWSER TESTS: {reason}")
    with serving() as server:
        yield server


# Playwright keeps an event loop in this thread: it must not outlive its tests, for
# others that come after them in the same process start loops of their own.
@pytest.fixture(scope="module")
def chromium(served: Served) -> Iterator[object]:
    with browsing() as browser:
        yield browser


@pytest.fixture
def new_page(served: Served, chromium):
    """Return a function that opens another page, in a browser profile of its own."""
    drivers: list[Driver] = []

    def make(scene: str = "", **wishes: object) -> Driver:
        context = chromium.new_context(
            viewport={"width": WIDTH, "height": HEIGHT},
            reduced_motion="reduce",
            **wishes,
        )
        context.set_default_timeout(1e3 * PATIENCE)
        drivers.append(Driver(context, served))
        driver = drivers[-1]
        driver.load()
        if scene:
            driver.open_scene(scene)
        return driver

    yield make
    problems = [line for driver in drivers for line in driver.unexpected()]
    for driver in drivers:
        driver.context.close()
    close_scene(served)
    assert problems == [], "the browser complained"
    assert served.process.poll() is None, "the server has ended"


def close_scene(served: Served) -> None:
    """End what runs: nobody looks on, and other tests want the cores."""
    where = urlsplit(served.url)
    address = f"ws://{where.netloc}/ws?{where.query}"
    with connect(address, origin=f"http://{where.netloc}") as wire:
        wire.send('{"kind": "close_scene", "id": 1}')
        while '"reply"' not in str(wire.recv(timeout=PATIENCE)):
            pass


@pytest.fixture
def page(new_page) -> Driver:
    """Return a page that shows the gallery."""
    return new_page()
