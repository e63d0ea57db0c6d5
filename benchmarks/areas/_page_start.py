"""From Enter to a moving robot in the browser."""

from __future__ import annotations

import time
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.harness import Row, Settings
from testkit.browser import browsing, serving, why_not

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SCENE = "armbot/sorting"
TIMEOUT = 60.0  # [s]
# Looks at every picture and notes when something was seen first.
WATCH = """() => {
  const marks = (window.marks = {});
  let first = null;
  const look = () => {
    const page = window.__gelenk;
    if (page) {
      marks.page ??= Date.now();
      if (page.scene) marks.scene ??= Date.now();
      if (page.ready) {
        marks.frame ??= Date.now();
        first ??= { tick: page.tick, drawn: page.drawn };
        const hasMoved = page.tick > first.tick && page.drawn > first.drawn;
        if (hasMoved) marks.motion ??= Date.now();
      }
    }
    if (!marks.motion) requestAnimationFrame(look);
  };
  look();
}"""


class Start(NamedTuple):
    """When something was there, since Enter [s]."""

    address: float
    page: float
    scene: float
    frame: float
    motion: float


def start_to_motion(settings: Settings) -> Row:
    """Start the command many times and watch the page with the eyes of the browser."""
    name, unit, target = "start_to_motion", "s", 3.0
    if reason := why_not():
        return Row(name=name, value=None, unit=unit, target=target, note=reason)
    count = settings.pick(7, 2)
    with browsing() as browser:
        _start_once(browser)  # caches of the browser and of the system
        starts = [_start_once(browser) for _ in range(count)]
    middle = Start(*(median(column) for column in zip(*starts, strict=True)))
    worst = max(start.motion for start in starts)
    return Row(
        name=name,
        value=middle.motion,
        unit=unit,
        target=target,
        note=f"`gelenk open {SCENE}` in a new process until its arm has moved in a new "
        "tab of a browser that is open, software drawing, `quality=low`, medians of "
        f"{count}: import and address {middle.address:.2f} s, page loaded "
        f"+{middle.page - middle.address:.2f}, scene built and received "
        f"+{middle.scene - middle.page:.2f}, first picture "
        f"+{middle.frame - middle.scene:.2f}, motion "
        f"+{middle.motion - middle.frame:.2f}; slowest {worst:.2f} s",
    )


def _start_once(browser: Browser) -> Start:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.add_init_script(f"({WATCH})()")
    begin = time.time()
    try:
        with serving(SCENE) as served:
            address = time.time() - begin
            page.goto(served.address("quality=low"))
            end = time.monotonic() + TIMEOUT
            while not page.evaluate("window.marks.motion ?? 0"):
                if time.monotonic() > end:
                    raise TimeoutError("the robot does not move in the page")
                page.wait_for_timeout(20.0)
            marks = page.evaluate("window.marks")
    finally:
        context.close()
    later = [1e-3 * marks[key] - begin for key in ("page", "scene", "frame", "motion")]
    return Start(address, *later)
