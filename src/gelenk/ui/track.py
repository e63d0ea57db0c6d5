"""Past of a scene: every control tick, kept so that one can look back to any.

Rows of equal length are written to a file without a name, which is gone with the
process whatever ends it; memory holds one block of rows and a small index. When the
budget is reached, two neighbouring old blocks become one that has every second of
their rows: the past gets coarser, never shorter. Finding a row takes one search in
the index and one in a block.
"""

from __future__ import annotations

import bisect
import os
import tempfile
import threading
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gelenk.closing import Closing
from gelenk.errors import ConfigError

BUDGET = 256 * 1024 * 1024  # [bytes]
BLOCK_ROWS = 256
MIN_BLOCKS = 4


class TrackRow(NamedTuple):
    """Row of the past, with its tick.

    Attributes:
        tick: Physics tick.
        values: Numbers, shape (width,).
    """

    tick: int
    values: NDArray[np.float32]


class _Block(NamedTuple):
    """Rows in the file: first tick, place, how many, how often they were halved."""

    first: int
    slot: int
    num_rows: int
    level: int


class PictureTrack(Closing):
    """Rows by rising tick; safe to use from several threads, and a context manager.

    Args:
        width: Numbers of a row.
        budget: Largest size of the file [bytes].
        block_rows: Rows that are written together.

    Raises:
        ConfigError: If the budget holds less than `MIN_BLOCKS` blocks.
    """

    def __init__(
        self, width: int, *, budget: int = BUDGET, block_rows: int = BLOCK_ROWS
    ) -> None:
        self._dtype = np.dtype([("tick", "<i8"), ("values", "<f4", (width,))])
        self._block_bytes = self._dtype.itemsize * block_rows
        self._max_blocks = budget // self._block_bytes
        if self._max_blocks < MIN_BLOCKS:
            raise ConfigError(
                f"a track of {width} numbers per row needs at least "
                f"{MIN_BLOCKS * self._block_bytes} bytes, got {budget}"
            )
        self._lock = threading.Lock()
        self._blocks: list[_Block] = []
        self._firsts: list[int] = []
        self._free: list[int] = []
        self._num_slots = 0
        self._newest = np.zeros(block_rows, dtype=self._dtype)
        self._filled = 0
        self._file: Any = tempfile.TemporaryFile(prefix="gelenk-track-", buffering=0)  # noqa: SIM115

    # -- looking -------------------------------------------------------------------

    @property
    def first_tick(self) -> int | None:
        """The earliest tick; None while there is nothing."""
        with self._lock:
            if self._blocks:
                return self._blocks[0].first
            return int(self._newest["tick"][0]) if self._filled else None

    @property
    def last_tick(self) -> int | None:
        """The latest tick; None while there is nothing."""
        with self._lock:
            return self._last_tick()

    @property
    def num_rows(self) -> int:
        """How many rows are kept."""
        with self._lock:
            return sum(block.num_rows for block in self._blocks) + self._filled

    @property
    def num_bytes(self) -> int:
        """Size of the file [bytes]."""
        return self._num_slots * self._block_bytes

    def find(self, tick: int) -> TrackRow | None:
        """Return the row at or before a tick, or the first; None if there is none.

        Args:
            tick: Physics tick.
        """
        with self._lock:
            rows = self._rows_around(tick)
            if not len(rows):
                return None
            i = max(int(np.searchsorted(rows["tick"], tick, side="right")) - 1, 0)
            return TrackRow(int(rows["tick"][i]), np.array(rows["values"][i]))

    def _rows_around(self, tick: int) -> NDArray[Any]:
        newest = self._newest[: self._filled]
        if self._filled and (tick >= newest["tick"][0] or not self._blocks):
            return newest
        if not self._blocks:
            return newest
        i = max(bisect.bisect_right(self._firsts, tick) - 1, 0)
        return self._read(self._blocks[i])

    def _last_tick(self) -> int | None:
        if self._filled:
            return int(self._newest["tick"][self._filled - 1])
        if self._blocks:
            return int(self._read(self._blocks[-1])["tick"][-1])
        return None

    # -- writing -------------------------------------------------------------------

    def append(self, tick: int, values: NDArray[np.float32]) -> None:
        """Add a row; one that is not later than others takes their place.

        Args:
            tick: Physics tick.
            values: Shape (width,).
        """
        with self._lock:
            last = self._last_tick() if not self._filled or self._is_back(tick) else -1
            if last is not None and tick <= last:
                self._cut(tick)
            if self._filled == len(self._newest):
                self._store(self._newest, level=0)
                self._filled = 0
            row = self._newest[self._filled]
            row["tick"], row["values"] = tick, values
            self._filled += 1

    def cut(self, tick: int) -> None:
        """Forget everything from a tick on."""
        with self._lock:
            self._cut(tick)

    def _is_back(self, tick: int) -> bool:
        return bool(tick <= self._newest["tick"][self._filled - 1])

    def _cut(self, tick: int) -> None:
        ticks = self._newest["tick"][: self._filled]
        self._filled = int(np.searchsorted(ticks, tick))
        if self._filled:
            return
        while self._blocks and self._blocks[-1].first >= tick:
            self._drop(len(self._blocks) - 1)
        if self._blocks:  # the last block becomes the newest one again
            rows = self._read(self._blocks[-1])
            kept = int(np.searchsorted(rows["tick"], tick))
            self._drop(len(self._blocks) - 1)
            self._newest[:kept], self._filled = rows[:kept], kept

    def _store(self, rows: NDArray[Any], *, level: int) -> None:
        if not self._free and self._num_slots >= self._max_blocks:
            self._thin()
        block = self._write(rows, level)
        self._blocks.append(block)
        self._firsts.append(block.first)

    def _write(self, rows: NDArray[Any], level: int) -> _Block:
        if self._free:
            slot = self._free.pop()
        else:
            slot, self._num_slots = self._num_slots, self._num_slots + 1
        data = memoryview(rows.tobytes())
        offset = slot * self._block_bytes
        while len(data):
            done = os.pwrite(self._file.fileno(), data, offset)
            data, offset = data[done:], offset + done
        return _Block(int(rows["tick"][0]), slot, len(rows), level)

    def _read(self, block: _Block) -> NDArray[Any]:
        size = block.num_rows * self._dtype.itemsize
        data = os.pread(self._file.fileno(), size, block.slot * self._block_bytes)
        return np.frombuffer(data, dtype=self._dtype)

    def _thin(self) -> None:
        """Make one block of two neighbours in the older half, the finest of them."""
        half = max(len(self._blocks) // 2, 2)
        pairs = range(half - 1)
        levels = [block.level for block in self._blocks]
        i = min(pairs, key=lambda k: max(levels[k], levels[k + 1]))
        one, other = self._blocks[i], self._blocks[i + 1]
        rows = np.concatenate([self._read(one), self._read(other)])[::2]
        level = max(one.level, other.level) + 1
        self._drop(i + 1)
        self._drop(i)
        block = self._write(rows, level)
        self._blocks.insert(i, block)
        self._firsts.insert(i, block.first)

    def _drop(self, i: int) -> None:
        self._free.append(self._blocks.pop(i).slot)
        self._firsts.pop(i)

    # -- the end -------------------------------------------------------------------

    def close(self) -> None:
        """Delete the file; twice does no harm, and nothing is found any more."""
        with self._lock:
            self._file.close()
            self._blocks, self._firsts, self._filled = [], [], 0
