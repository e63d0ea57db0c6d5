"""The hour with a page: what its figures are made of."""

from __future__ import annotations

import mmap
import os

import numpy as np
import pytest

from benchmarks.areas import _page_reloads as bench
from benchmarks.areas import _page_witness as witness
from benchmarks.harness import Settings

Look = bench.Look


def _looks(count: int, growth: float) -> list[Look]:
    """Return looks at a server that grows fast at first and then steadily [MB/h]."""
    return [
        Look(
            time=36.0 * k,
            tick=1000 * k,
            memory=100.0 + 50.0 * min(k, 19) + growth * max(k - 19, 0) / 100.0,
            heap=5.0,
            complaints=(),
        )
        for k in range(count)
    ]


def test_growth_counts_from_a_fifth_of_the_reloads_on() -> None:
    rows = {row.name: row for row in bench._rows(_looks(100, 30.0), "", is_long=True)}

    assert rows["reload_memory"].value == pytest.approx(30.0 * 0.8)
    assert rows["reload_memory_trend"].value == pytest.approx(30.0)
    assert rows["reload_heap"].value == 0.0
    assert [row.ok for row in rows.values()] == [False, False, True]
    flat = bench._rows(_looks(100, 1.0), "", is_long=True)
    assert all(row.ok for row in flat)


def test_the_trend_is_that_of_a_fitted_line() -> None:
    rng = np.random.default_rng(0)
    times, values = np.sort(rng.uniform(0.0, 9.0, 30)), rng.normal(size=30)

    expected = np.polynomial.Polynomial.fit(times, values, 1).convert().coef[1]
    assert bench.trend(list(times), list(values)) == pytest.approx(expected)


def test_own_memory_follows_what_a_process_takes() -> None:
    pytest.importorskip("psutil")
    before = bench.own_memory(os.getpid())
    # from the system itself: an allocator may hand out what it has kept
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    with mmap.mmap(-1, 64_000_000, flags=flags) as taken:
        for _ in range(64):
            taken.write(b"1" * 1_000_000)
        after = bench.own_memory(os.getpid())

    assert after - before == pytest.approx(64.0, abs=15.0)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_picture_and_another_one_does_not() -> None:
    scene, tick = "billiards", 200
    frames = [
        witness._run_alone(scene, tick, Settings(seed=seed)) for seed in (0, 0, 1)
    ]
    first, again, other = (witness._numbers(frame) for frame in frames)

    assert [frame.tick for frame in frames] == [tick] * 3
    assert np.array_equal(first, again)
    assert np.count_nonzero(first != other) > 50
