"""The past of a run: any tick is found, in bounded space, in the right order."""

from __future__ import annotations

import os

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gelenk.errors import ConfigError
from gelenk.ui.track import PictureTrack

WIDTH = 3
ROW_BYTES = 8 + 4 * WIDTH


def _row(tick: int) -> np.ndarray:
    return np.array([tick, -tick, 0.5], dtype=np.float32)


def _track(blocks: int, block_rows: int = 4) -> PictureTrack:
    budget = blocks * block_rows * ROW_BYTES
    return PictureTrack(WIDTH, budget=budget, block_rows=block_rows)


def _all_ticks(track: PictureTrack) -> list[int]:
    """Return all ticks that are kept, by asking for each possible one."""
    last = track.last_tick
    if last is None:
        return []
    found = {row.tick for t in range(last + 1) if (row := track.find(t)) is not None}
    return sorted(found)


@given(
    gaps=st.lists(st.integers(1, 7), min_size=1, max_size=60),
    asked=st.integers(-3, 300),
)
def test_any_tick_finds_the_row_at_or_before_it(gaps: list[int], asked: int) -> None:
    """Oracle: a list that keeps everything."""
    with _track(blocks=100) as track:
        ticks = np.cumsum(gaps).tolist()
        for tick in ticks:
            track.append(tick, _row(tick))

        found = track.find(asked)

        expected = max((t for t in ticks if t <= asked), default=ticks[0])
        assert found is not None
        assert found.tick == expected
        np.testing.assert_array_equal(found.values, _row(expected))
        assert (track.first_tick, track.last_tick) == (ticks[0], ticks[-1])
        assert track.num_rows == len(ticks)


@given(count=st.integers(1, 400), blocks=st.integers(4, 9))
@settings(deadline=None)
def test_thinning_keeps_order_budget_first_and_latest_rows(
    count: int, blocks: int
) -> None:
    with _track(blocks) as track:
        for tick in range(count):
            track.append(tick, _row(tick))

        kept = _all_ticks(track)

        assert track.num_bytes <= blocks * 4 * ROW_BYTES
        assert kept == sorted(set(kept))
        assert kept[0] == 0
        assert kept[-1] == count - 1
        assert track.num_rows == len(kept)
        newest = kept[-4:]
        assert newest == list(range(max(count - 4, 0), count))
        for tick in kept:
            found = track.find(tick)
            assert found is not None
            np.testing.assert_array_equal(found.values, _row(tick))


def test_the_past_gets_coarser_and_stays_even() -> None:
    with _track(blocks=8, block_rows=16) as track:
        for tick in range(16 * 8 * 16):
            track.append(tick, _row(tick))

        kept = np.array(_all_ticks(track))

        middle = kept[len(kept) // 4], kept[len(kept) // 2], kept[3 * len(kept) // 4]
        assert np.diff(kept).max() < 0.35 * kept[-1]
        assert middle[0] < middle[1] < middle[2] < kept[-1]


@given(data=st.data())
@settings(deadline=None)
def test_going_back_in_time_forgets_what_came_after(data: st.DataObject) -> None:
    """Oracle: a list from which everything not earlier is taken out."""
    with _track(blocks=100) as track:
        kept: list[int] = []
        for _ in range(data.draw(st.integers(1, 6))):
            start = data.draw(st.integers(0, (kept[-1] if kept else 0) + 5))
            for tick in range(start, start + data.draw(st.integers(1, 25))):
                kept = [*(t for t in kept if t < tick), tick]
                track.append(tick, _row(tick))

        assert _all_ticks(track) == kept
        assert track.num_rows == len(kept)


def test_cutting_everything_leaves_nothing() -> None:
    with _track(blocks=8) as track:
        for tick in range(30):
            track.append(tick, _row(tick))

        track.cut(0)

        assert track.find(10) is None
        assert (track.first_tick, track.last_tick, track.num_rows) == (None, None, 0)


def test_freed_room_is_used_again_after_a_reset() -> None:
    with _track(blocks=8) as track:
        for _ in range(20):
            for tick in range(28):
                track.append(tick, _row(tick))

        assert track.num_bytes <= 8 * 4 * ROW_BYTES
        assert _all_ticks(track) == list(range(28))


def test_the_file_has_no_name_so_that_nothing_stays_behind(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with _track(blocks=8) as track:
        for tick in range(30):
            track.append(tick, _row(tick))

        assert os.listdir(str(tmp_path)) == []
        track.close()
        track.close()
        assert track.find(3) is None


def test_a_budget_for_less_than_four_blocks_is_refused() -> None:
    with pytest.raises(ConfigError, match="at least"):
        PictureTrack(1000, budget=1000)
