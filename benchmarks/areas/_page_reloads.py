"""A run that is looked at for long, by a page that is loaded again and again."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.areas._page_witness import compare_with_nobody
from benchmarks.harness import Row, Settings
from testkit.browser import Complaints, Served, browsing, serving, why_not

SCENE = "hall"  # goes on without end
WIDTH, HEIGHT = 640, 400  # [px]; the drawing is not what is measured
PATIENCE = 120.0  # [s]; other work on the machine may be in the way
HOUR = 3600.0  # [s]
TARGETS = {
    "reload_memory": ("MB", 10.0),
    "reload_memory_trend": ("MB/h", 10.0),
    "reload_heap": ("MB", 5.0),
    "reload_failures": ("reloads", 0.0),
    "reload_deviation": ("numbers", 0.0),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What was seen before and after one reload.

    Attributes:
        time: Since the begin [s].
        tick: Of a picture after the reload; None if no later one came.
        memory: Of the server [MB].
        heap: Of the page's script just before it was reloaded [MB].
        complaints: Of the browser.
    """

    time: float
    tick: int | None
    memory: float
    heap: float
    complaints: tuple[str, ...]


def reloads(settings: Settings) -> Iterator[Row]:
    """Reload a page again and again while the scene runs.

    100 times within ten minutes; with `long` within an hour; 8 times if quick.
    """
    if reason := why_not():
        for name, (unit, target) in TARGETS.items():
            yield Row(name=name, value=None, unit=unit, target=target, note=reason)
        return
    count = settings.pick(100, 8)
    period = 1.5 if settings.quick else (HOUR / count if settings.long else 6.0)
    with serving(SCENE, "--seed", str(settings.seed)) as served:
        looks = _watch(served, count, period, settings)
        is_alive = served.process.poll() is None
        compared = compare_with_nobody(served, SCENE, settings) if is_alive else None
    spent = looks[-1].time / 60.0
    note = (
        f"`{SCENE}` (six robots, 60 things) for {spent:.1f} min, a page reloaded "
        f"{count} times"
    )
    yield from _rows(looks, note, is_long=not settings.quick)
    failures = sum(look.tick is None or bool(look.complaints) for look in looks)
    said = next((look.complaints[0] for look in looks if look.complaints), "nothing")
    yield _row(
        "reload_failures",
        float(failures + (not is_alive)),
        f"{note}; a failure: the run is not where it has come to, or the browser "
        f"complains, first about {said}",
    )
    if compared is None:
        yield _row("reload_deviation", None, "the server has ended")
        return
    yield _row(
        "reload_deviation",
        float(compared.num_different),
        f"{note}; then held at tick {compared.tick} ({compared.time:.1f} s simulated): "
        f"{compared.num_numbers} numbers of poses and joints against a run of the same "
        "seed at which nobody looked",
    )


def _watch(
    served: Served, count: int, period: float, settings: Settings
) -> Sequence[Look]:
    looks: list[Look] = []
    with browsing() as browser:
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.set_default_timeout(1e3 * PATIENCE)
        complaints = Complaints(page)
        inspector = page.context.new_cdp_session(page)
        page.goto(served.address("quality=low"))
        tick = _wait_for_more(page, -1) or 0
        begin = time.monotonic()
        for number in range(1, count + 1):
            left = begin + number * period - time.monotonic()
            page.wait_for_timeout(1e3 * max(left, 0.1))
            heap = _heap(inspector)
            later = _reload(page, tick, complaints)
            tick = later or tick
            look = Look(
                time=time.monotonic() - begin,
                tick=later,
                memory=own_memory(served.process.pid),
                heap=heap,
                complaints=tuple(complaints.lines),
            )
            complaints.lines.clear()
            looks.append(look)
            settings.tell(_describe(look, number, count))
    return looks


def _reload(page: Any, tick: int, complaints: Complaints) -> int | None:
    """Reload a page; return the tick of a picture that is later than `tick`."""
    from playwright.sync_api import Error

    try:
        page.reload()
        return _wait_for_more(page, tick)
    except Error as error:
        complaints.lines.append(f"the reload failed: {error.message}")
        return None


def _wait_for_more(page: Any, tick: int) -> int | None:
    """Return the tick of a picture that is later than `tick`; None if none comes."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        shown = page.evaluate("window.__gelenk?.ready ? window.__gelenk.tick : -1")
        if shown > tick:
            return int(shown)
        page.wait_for_timeout(100.0)
    return None


def _describe(look: Look, number: int, count: int) -> str:
    lost = "" if look.tick is not None else ", NO LATER PICTURE"
    said = "".join(f"; {line}" for line in look.complaints)
    return (
        f"reload {number}/{count} at {look.time:.0f} s: tick {look.tick}, server "
        f"{look.memory:.1f} MB, script {look.heap:.1f} MB{lost}{said}"
    )


# -- memory ----------------------------------------------------------------------------


def own_memory(pid: int) -> float:
    """Return the memory that a process alone has, without files it has mapped [MB].

    Whether the pages of a library count as its own would depend on who else has loaded
    it at the moment.
    """
    import psutil

    process = psutil.Process(pid)
    info = process.memory_info()
    if hasattr(info, "shared"):  # Linux
        return (info.rss - info.shared) / 1e6
    return process.memory_full_info().uss / 1e6


def _heap(inspector: Any) -> float:
    """Return what the script of a page still needs [MB]."""
    inspector.send("HeapProfiler.collectGarbage")
    return float(inspector.send("Runtime.getHeapUsage")["usedSize"]) / 1e6


def trend(times: Sequence[float], values: Sequence[float]) -> float:
    """Return the slope of the line through points, by least squares [1/s].

    Example:
        >>> round(trend([0.0, 1.0, 2.0], [5.0, 7.0, 9.0]), 9)
        2.0
    """
    x = np.asarray(times) - np.mean(times)
    return float(x @ np.asarray(values) / (x @ x))


def _rows(looks: Sequence[Look], note: str, *, is_long: bool) -> Iterator[Row]:
    warm = len(looks) // 5 - 1
    rest, first, last = looks[warm:], looks[warm], looks[-1]
    memory = [look.memory for look in rest]
    slope = HOUR * trend([look.time for look in rest], memory)
    yield _row(
        "reload_memory",
        last.memory - first.memory,
        f"{note}; the server's own memory after reload {warm + 1}: "
        f"{first.memory:.1f} MB, after the last: {last.memory:.1f} MB, between "
        f"{min(memory):.1f} and {max(memory):.1f} MB",
    )
    yield _row(
        "reload_memory_trend",
        slope,
        f"straight line through the same {len(rest)} values"
        + ("" if is_long else "; too short to say anything about an hour"),
        has_target=is_long,
    )
    heaps = [look.heap for look in rest]
    yield _row(
        "reload_heap",
        heaps[-1] - heaps[0],
        f"{note}; what its script holds before reload {warm + 1}: {heaps[0]:.1f} MB, "
        f"before the last: {heaps[-1]:.1f} MB, most {max(heaps):.1f} MB",
    )


def _row(name: str, value: float | None, note: str, *, has_target: bool = True) -> Row:
    unit, target = TARGETS[name]
    wanted = target if has_target else None
    return Row(name=name, value=value, unit=unit, target=wanted, note=note)
