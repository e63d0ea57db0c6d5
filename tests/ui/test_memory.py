"""What a run remembers is bounded in bytes, and what has ended is let go of."""

from __future__ import annotations

import gc
import sys
import threading
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from gelenk.runtime import controls
from gelenk.runtime.bounded_log import BUDGET, SharedLog
from gelenk.runtime.clock import Clock
from gelenk.ui import files as files_module
from gelenk.ui import messages as m
from gelenk.ui import scene_session as show_module
from gelenk.ui.codec import encode
from gelenk.ui.feeds import GREETING_VALUES, KEPT_SAMPLES, WINDOW_BYTES, Feeds
from gelenk.ui.files import Files
from gelenk.ui.scene_session import MOMENT_BYTES, MOMENT_SPAN, SceneSession, moments_of
from ui.stage_rig import PATIENCE, Listener, open_stage, small_scenes


@pytest.fixture
def without_collector() -> Iterator[None]:
    """Only what is done on purpose frees rings of references."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


# -- moments ---------------------------------------------------------------------------


def test_moments_of_large_worlds_are_fewer_and_lie_farther_apart() -> None:
    for nbytes in (0, 1, 10_000, 500_000, MOMENT_BYTES, 100 * MOMENT_BYTES):
        count = moments_of(nbytes)

        assert count * nbytes <= MOMENT_BYTES or count == 1
        assert 1 <= count <= 120
    assert moments_of(10_000) == 120


def test_moments_cover_the_same_time_however_few_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(show_module, "moments_of", lambda nbytes: 5)
    monkeypatch.setattr(show_module, "MOMENT_SPAN", 1.0)
    show = SceneSession(1, small_scenes()["pure"], 0, {})
    run = show.live.run
    try:
        run.do(controls.SetPaceRequest(pace=None))
        while run.time < 4.0:
            run.tick()
            show.look()
            assert len(run.history.ticks) <= 5
        oldest = min(run.history.ticks) * run.clock.step_ns / 1e9
    finally:
        show.close(pytest.fail)

    assert run.time - oldest == pytest.approx(1.0, abs=0.25)
    assert MOMENT_SPAN == 60.0


# -- lines, events, samples --------------------------------------------------------------


def test_long_lines_are_forgotten_sooner() -> None:
    feeds = Feeds(1, Clock(step=0.001, period=0.01, tick=0))
    for i in range(1500):
        text = f"{i} {'x' * 3000}"
        line = m.Line(tick=i, time=0.0, source="robot0", text=text)
        feeds.add_line("debug", line)
        feeds.news(with_samples=False)
    (late,) = feeds.everything()

    assert sum(len(line.text) for line in late.lines) < WINDOW_BYTES
    assert [line.tick for line in late.lines] == list(range(late.start, 1500))
    assert len(late.lines) > 500


def test_a_console_that_prints_megabytes_keeps_the_latest_of_them() -> None:
    scroll: SharedLog[Any] = SharedLog()
    for i in range(100):
        line = m.Line(tick=i, time=0.0, source="x", text="x" * 2**20)
        scroll.append(line)

    assert scroll.count == 100
    assert 0 < sum(len(line.text) for line in scroll.items) <= BUDGET
    assert scroll.items[-1].tick == 99


@pytest.mark.parametrize("num_signals", [1, 73, 400])
def test_who_comes_late_gets_curves_of_bounded_size(num_signals: int) -> None:
    feeds = Feeds(1, Clock(step=0.001, period=0.01, tick=0))
    rng = np.random.default_rng(0)
    for _ in range(2 * KEPT_SAMPLES):
        feeds.add_sample(rng.normal(size=num_signals).astype(np.float32))
        feeds.news(with_samples=False)
    (late,) = feeds.everything()

    num_rows = len(late.times)
    assert num_rows * num_signals <= max(GREETING_VALUES, KEPT_SAMPLES)
    assert num_rows * num_signals >= min(
        0.4 * GREETING_VALUES, KEPT_SAMPLES * num_signals
    )
    assert len(encode(late)) < 10 * GREETING_VALUES


# -- what has ended ----------------------------------------------------------------------


class Asker:
    """Takes an answer, and can be watched."""

    def __init__(self) -> None:
        self.is_answered = threading.Event()

    def __call__(self, answer: object) -> None:
        self.is_answered.set()


def test_a_reset_does_not_hold_the_page_that_asked_for_it() -> None:
    with open_stage() as page:
        page.do(m.OpenScene, name="talk")
        askers: list[weakref.ref[Asker]] = []
        for number in range(6):
            asker = Asker()
            askers.append(weakref.ref(asker))
            page.stage.handle(m.Execute(id=number, action="reset"), asker)
            assert asker.is_answered.wait(PATIENCE)
            del asker

        def num_held() -> int:
            gc.collect()
            return sum(ref() is not None for ref in askers)

        page.wait(lambda: num_held() <= 1)  # the last one until the next


@pytest.mark.usefixtures("without_collector")
def test_a_scene_that_was_closed_is_freed_at_once() -> None:
    with open_stage() as page:
        page.do(m.OpenScene, name="talk")
        gone = _watched(page)
        page.do(m.OpenScene, name="pure")
        page.wait(lambda: [ref() for ref in gone] == [None] * len(gone))
        gone = _watched(page)
        page.do(m.CloseScene)
        page.wait(lambda: [ref() for ref in gone] == [None] * len(gone))


def _watched(page: Listener) -> list[weakref.ref[Any]]:
    show = page.stage.session
    return [weakref.ref(item) for item in (show, show.live.world, show.feeds)]


@pytest.mark.slow
def test_many_scenes_leave_no_objects_behind() -> None:
    def num_objects() -> int:
        gc.collect()
        return len(gc.get_objects())

    with open_stage() as page:
        counts: list[int] = []
        for _ in range(6):
            for name in ("talk", "pure", "fail"):
                page.do(m.OpenScene, name=name)
            page.do(m.CloseScene)
            page.messages.clear()
            page.frames.clear()
            counts.append(num_objects())

    assert counts[-1] - counts[2] < 3 * 100  # a scene has many thousands


# -- files -------------------------------------------------------------------------------


def test_old_files_are_deleted_when_all_together_are_too_large(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(files_module, "MAX_TOTAL", 100)
    files = Files()
    paths = [files.new("x", ".csv") for _ in range(4)]
    kept: list[list[int]] = []
    for path, size in zip(paths, (40, 50, 60, 500), strict=True):
        path.write_bytes(bytes(size))
        files.offer(path)
        kept.append([i for i, path in enumerate(paths) if path.exists()])

    assert kept == [[0], [0, 1], [2], [3]]
    files.close()


def test_a_recording_that_nobody_can_fetch_is_deleted() -> None:
    with open_stage() as page:
        page.do(m.OpenScene, name="pure")
        page.do(m.SetRecording, is_on=True)
        folder = page.stage.files._folder
        assert len(list(folder.iterdir())) == 2
        page.do(m.CloseScene)

        assert list(folder.iterdir()) == []


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="glibc only")
def test_memory_goes_back_to_the_system() -> None:
    psutil = pytest.importorskip("psutil")
    from gelenk.ui.memory import tidy_up

    process = psutil.Process()
    blocks: list[Any] = [bytes(1000) for _ in range(100_000)]
    full = process.memory_info().rss
    ring: list[Any] = [blocks]
    ring.append(ring)
    del blocks, ring
    tidy_up()

    assert process.memory_info().rss < full - 50e6
