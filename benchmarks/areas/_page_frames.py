"""Pictures per second with the busiest cell of ArmBot."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from benchmarks.harness import Row, Settings
from testkit.browser import browsing, serving, why_not

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SCENE = "armbot/line"
QUALITIES = {"low": 30.0, "full": None}  # with what is promised


def frames_per_second(settings: Settings) -> Iterator[Row]:
    """Count what is drawn in some seconds while ten robots work."""
    names = {quality: f"page_frames_{quality}" for quality in QUALITIES}
    if reason := why_not():
        for quality, name in names.items():
            target = QUALITIES[quality]
            yield Row(
                name=name,
                value=None,
                unit="1/s",
                target=target,
                direction=">=",
                note=reason,
            )
        return
    seconds = float(settings.pick(12, 4))
    with browsing() as browser:
        for quality, name in names.items():
            drawn, received, speed = _count(browser, quality, seconds)
            yield Row(
                name=name,
                value=drawn,
                unit="1/s",
                target=QUALITIES[quality],
                direction=">=",
                note=f"`{SCENE}` (ten robots), 1280 x 800, headless Chromium that "
                f"draws in software, {seconds:g} s; {received:.0f} frames/s received, "
                f"simulated at {speed:.2f} x",
            )


def _count(
    browser: Browser, quality: str, seconds: float
) -> tuple[float, float, float]:
    """Return pictures drawn and frames received per second, and the speed."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    query = "quality=low" if quality == "low" else ""
    look = "[window.__gelenk.drawn, window.__gelenk.frames, window.__gelenk.tick]"
    try:
        with serving(SCENE) as served:
            page.goto(served.address(query))
            while not page.evaluate("window.__gelenk?.ready"):
                page.wait_for_timeout(50.0)
            page.wait_for_timeout(2500.0)  # shaders, first layout
            begin, first = time.perf_counter(), page.evaluate(look)
            page.wait_for_timeout(1e3 * seconds)
            end, last = time.perf_counter(), page.evaluate(look)
    finally:
        context.close()
    passed = end - begin
    drawn, received, ticks = (b - a for a, b in zip(first, last, strict=True))
    return drawn / passed, received / passed, 1e-3 * ticks / passed  # steps of 1 ms
