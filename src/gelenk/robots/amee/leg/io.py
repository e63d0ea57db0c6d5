"""Hardware layer and converter's filter: the part that another processor exchanges.

Angles are smoothed over the newest conversions, as the converter's interrupt does it;
the pulse widths are registers that controllers read back rather than remember.
"""

from __future__ import annotations

import numpy as np

from gelenk.kernels.compile import kernel
from gelenk.robots.amee.config import NUM_ACTORS, LegCfg
from gelenk.robots.amee.leg.hardware import Bridge, LegHardware
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


_STOP = int(Bridge.STOP)


class LegIo:
    """Registers of converter, bridges and toes.

    Args:
        cfg: Settings of the leg.
        hardware: What the registers are wired to.

    Attributes:
        angles: Smoothed angles of A..D [counts].
        torques: Motor currents of A..D [counts], mean of the newest conversions.
        toes: Closed contacts as bits.
        codes: Bridge codes of A..D.
        speeds: Pulse widths of A..D, 0..255.
        changed_at: When the raw angle of A..D last changed [s].
    """

    __slots__ = (
        "_codes",
        "_doubted_at",
        "_doubts",
        "_filled",
        "_hardware",
        "_jump",
        "_last",
        "_median",
        "_out",
        "_ring",
        "_speeds",
        "_window",
        "_written",
        "angles",
        "changed_at",
        "codes",
        "speeds",
        "toes",
        "torques",
    )

    def __init__(self, cfg: LegCfg, hardware: LegHardware) -> None:
        self._hardware = hardware
        self._window = cfg.average
        self._median = cfg.filter == "median"
        self._ring: IntArray = np.zeros((cfg.average, 2 * NUM_ACTORS), dtype=np.int64)
        self._out: IntArray = np.zeros(3 * NUM_ACTORS, dtype=np.int64)
        self._filled = 0
        self._jump, self._doubts = cfg.rotation.jump, cfg.rotation.jump_period
        self._doubted_at = [-1.0] * NUM_ACTORS
        self._last: list[int] = []
        self._codes: IntArray = np.zeros(NUM_ACTORS, dtype=np.int64)
        self._speeds: IntArray = np.zeros(NUM_ACTORS, dtype=np.int64)
        self.angles = [0] * NUM_ACTORS
        self.torques = [0] * NUM_ACTORS
        self.codes = [_STOP] * NUM_ACTORS
        self.speeds = [0] * NUM_ACTORS
        self.changed_at = [0.0] * NUM_ACTORS
        self.toes = 0
        self._written: tuple[list[int], list[int]] = ([], [])

    @property
    def has_settled(self) -> bool:
        """Whether the average is full."""
        return self._filled >= self._window

    def sample(self, now: float) -> None:
        """Take the conversions since the last pass into the average; read the toes."""
        block = self._hardware.read_adc()
        if block.dtype != np.int64 or not block.flags.c_contiguous:
            block = np.ascontiguousarray(block, dtype=np.int64)
        self._filled = smooth(block, self._ring, self._filled, self._median, self._out)
        values: list[int] = self._out.tolist()
        angles = values[:NUM_ACTORS]
        for i, angle in enumerate(angles):
            if abs(angle - self.angles[i]) > self._jump:
                angles[i] = self._doubt(i, angle, now)
            else:
                self._doubted_at[i] = -1.0
        self.angles = angles
        self.torques = values[NUM_ACTORS : 2 * NUM_ACTORS]
        fingerprint = values[2 * NUM_ACTORS :]
        if fingerprint != self._last:
            for i, pair in enumerate(zip(fingerprint, self._last, strict=False)):
                if pair[0] != pair[1]:
                    self.changed_at[i] = now
            self._last = fingerprint
        self.toes = self._hardware.read_toes()

    def _doubt(self, actor: int, angle: int, now: float) -> int:
        """Return the last angle for a while instead of one that no joint turns to.

        A worn joint that falls through its play is so fast that its sensor loses its
        wiper for some milliseconds; what stays is a broken sensor.
        """
        if self._doubted_at[actor] < 0.0:
            self._doubted_at[actor] = now
        if not self._last or now - self._doubted_at[actor] >= self._doubts:
            self._doubted_at[actor] = -1.0
            return angle
        return self.angles[actor]

    def set_motor(self, actor: int, code: int, speed: int) -> None:
        """Set bridge and pulse width of one drive; speed is brake strength in hold."""
        self.codes[actor] = code
        self.speeds[actor] = 0 if code == _STOP else min(255, max(0, speed))

    def stop_all(self) -> None:
        """Take the current from all drives."""
        for actor in range(NUM_ACTORS):
            self.codes[actor] = _STOP
            self.speeds[actor] = 0

    def write(self) -> None:
        """Hand the registers to the bridges, and say that the loop is alive.

        Bridges keep what they were told; only what is new is written.
        """
        codes, speeds = self._written
        if codes != self.codes or speeds != self.speeds:
            self._written = (self.codes.copy(), self.speeds.copy())
            self._codes[:] = self.codes
            self._speeds[:] = self.speeds
            self._hardware.set_motors(self._codes, self._speeds)
        self._hardware.kick_watchdog()
