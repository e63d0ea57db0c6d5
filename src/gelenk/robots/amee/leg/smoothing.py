"""The converter's filter: what its interrupt does between two passes of the loop."""

from __future__ import annotations

from gelenk.kernels.compile import kernel
from gelenk.typing import IntArray

ANGLES = 4  # the first channels; the others are currents


@kernel
def smooth(
    block: IntArray, ring: IntArray, filled: int, use_median: bool, out: IntArray
) -> int:
    """Take conversions into the ring and write what it holds; return its fill.

    Args:
        block: New conversions, oldest first, shape (k, 8).
        ring: The newest conversions, newest last, shape (w, 8); changed.
        filled: Rows of the ring that hold conversions.
        use_median: Whether angles are medians; else means, as currents always are.
        out: Smoothed angles and currents, then sums of the angles, shape (12,).
    """
    count, window = block.shape[0], ring.shape[0]
    kept = max(0, window - count)
    for row in range(kept):
        for channel in range(8):
            ring[row, channel] = ring[row + window - kept, channel]
    for row in range(kept, window):
        for channel in range(8):
            ring[row, channel] = block[row + count - window, channel]
    filled = min(window, filled + count)
    first = window - filled
    for channel in range(8):
        total = 0
        for row in range(first, window):
            total += ring[row, channel]
        out[channel] = (total + filled // 2) // filled
        if channel < ANGLES:
            out[8 + channel] = total
            if use_median:
                out[channel] = _median(ring, first, channel)
    return filled


@kernel
def _median(ring: IntArray, first: int, channel: int) -> int:
    """Return the median of a channel's rows from `first` on, halves rounded up."""
    count = ring.shape[0] - first
    low, high = 0, 0
    for row in range(first, ring.shape[0]):
        value = ring[row, channel]
        below, same = 0, 0
        for other in range(first, ring.shape[0]):
            below += ring[other, channel] < value
            same += ring[other, channel] == value
        if below <= (count - 1) // 2 < below + same:
            low = value
        if below <= count // 2 < below + same:
            high = value
    return (low + high + 1) // 2
