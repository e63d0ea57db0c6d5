"""A run that is looked at for long, by a page that is loaded again and again."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from gelenk.testing.bench.harness import Row, Settings
from gelenk.testing.browser import Complaints, browsing, serving, why_not

SCENE = "world/hall"  # goes on without end
MAX_GROWTH = 20.0  # [MB]
PATIENCE = 60.0  # [s]


def reloads(settings: Settings) -> Iterator[Row]:
    """Reload a page many times while the scene runs as fast as possible."""
    units = {"reload_memory": ("MB", MAX_GROWTH), "reload_failures": ("reloads", 0.0)}
    if reason := why_not():
        for name, (unit, target) in units.items():
            yield Row(name=name, value=None, unit=unit, target=target, note=reason)
        return
    count, pause = settings.pick(100, 6), (6.0 if not settings.quick else 1.0)
    warm = count // 5
    with serving(SCENE) as served, browsing() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        complaints = Complaints(page)
        page.goto(served.address("quality=low"))
        _wait_for_more(page, -1)
        page.get_by_role("combobox", name="Speed").select_option("max")
        begin, sizes, tick, failures = time.monotonic(), [], 0, 0
        for _ in range(count):
            page.wait_for_timeout(1e3 * pause)
            page.reload()
            later = _wait_for_more(page, tick)
            failures += later is None or bool(complaints.lines)
            complaints.lines.clear()
            tick = later or tick
            sizes.append(_resident(served.process.pid))
        simulated = _simulated_seconds(page) / 60.0
        minutes = (time.monotonic() - begin) / 60.0
        failures += served.process.poll() is not None
    growth = sizes[-1] - sizes[warm]
    note = (
        f"`{SCENE}` (six robots, 60 things) as fast as possible for {minutes:.1f} min, "
        f"{simulated:.0f} min simulated, a page reloaded {count} times"
    )
    yield Row(
        name="reload_memory",
        value=growth,
        unit="MB",
        target=MAX_GROWTH,
        note=f"{note}; resident memory of the server after reload {warm + 1}: "
        f"{sizes[warm]:.0f} MB, after the last: {sizes[-1]:.0f} MB",
    )
    yield Row(
        name="reload_failures",
        value=float(failures),
        unit="reloads",
        target=0.0,
        note=f"{note}; a failure: the run is not where it has come to, or the browser "
        "complains",
    )


def _wait_for_more(page: Any, tick: int) -> int | None:
    """Return the tick of a picture that is later than `tick`; None if none comes."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        shown = page.evaluate("window.__gelenk?.ready ? window.__gelenk.tick : -1")
        if shown > tick:
            return int(shown)
        page.wait_for_timeout(50.0)
    return None


def _simulated_seconds(page: Any) -> float:
    """Return how far the run has come [s], as the time line says it."""
    line = page.get_by_role("slider", name="Time line")
    return float(line.get_attribute("aria-valuetext").split(" ")[0])


def _resident(pid: int) -> float:
    """Return the resident memory of a process [MB]."""
    import psutil

    return psutil.Process(pid).memory_info().rss / 1e6
