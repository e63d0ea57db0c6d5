"""Schedule of exposures, and the states that images will be made of.

A frame is a few states of the world. The bank keeps them from the exposure until the
next frame has been delivered, so that an image can be drawn when somebody asks for it,
without anything that happened after its exposure. All of it is arrays: a kernel stores
states within the physics tick, and copies of the arrays are a snapshot.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gelenk.errors import ConfigError
from gelenk.kernels.compile import kernel
from gelenk.sim.cameras.description import Camera
from gelenk.typing import FloatArray, IntArray

# Columns of `times` and `counts`.
FIRST, PERIOD = 0, 1
SUB_EXPOSURES, LATENCY, DEPTH, FIRST_SLOT = 0, 1, 2, 3


class CaptureBank(NamedTuple):
    """Schedules, one row each, and the states they have stored.

    Attributes:
        times: Start of the first frame and time between frames [ticks], (n, 2).
        counts: States per frame, latency [ticks], frames kept, first slot, (n, 4).
        offsets: Offsets of a frame's states from its start [ticks], (n, most of them).
        taken: States stored so far, (n,). Changes.
        stamps: Tick of each slot, (slots,). Changes.
        states: State in each slot, (slots, size). Changes.
    """

    times: FloatArray
    counts: IntArray
    offsets: IntArray
    taken: IntArray
    stamps: IntArray
    states: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CapturedState:
    """The states of one frame.

    Attributes:
        number: Number of the frame, counted from 0 in each camera.
        time: Middle of the exposure [ticks].
        states: (sub-exposures, size).
    """

    number: int
    time: float
    states: FloatArray


def make_bank(
    cameras: Sequence[Camera], step: float, size: int
) -> tuple[CaptureBank, tuple[int, ...]]:
    """Return the bank of some cameras, and the row of each camera in it.

    Cameras with the same timing share a row: they are synchronous, and a state is
    stored once.

    Args:
        cameras: Descriptions.
        step: Physics step [s].
        size: Numbers in a state.

    Raises:
        ConfigError: If the timing of a camera does not fit the step.
    """
    keys: dict[tuple[float, ...], int] = {}
    rows = []
    for camera in cameras:
        _require_fit(camera, step)
        key = (
            camera.rate, camera.phase, camera.latency, camera.exposure,
            camera.sub_exposures,
        )  # fmt: skip
        rows.append(keys.setdefault(key, len(keys)))
    times, counts, offsets, slots = [], [], [], 0
    for rate, phase, latency, exposure, subs in keys:
        subs = int(subs)
        times.append((phase / step, 1.0 / (rate * step)))
        delay = round(latency / step)
        spread = np.rint(np.arange(subs) * exposure / (subs * step)).astype(np.int64)
        depth = math.ceil((delay + int(spread[-1])) / times[-1][1]) + 2
        counts.append((subs, delay, depth, slots))
        offsets.append(spread)
        slots += depth * subs
    most = max((len(row) for row in offsets), default=0)
    padded = [np.pad(row, (0, most - len(row))) for row in offsets]
    bank = CaptureBank(
        times=np.array(times).reshape(-1, 2),
        counts=np.array(counts, dtype=np.int64).reshape(-1, 4),
        offsets=np.array(padded, dtype=np.int64).reshape(len(times), most),
        taken=np.zeros(len(times), dtype=np.int64),
        stamps=np.full(slots, -1, dtype=np.int64),
        states=np.zeros((slots, size)),
    )
    return bank, tuple(rows)


@kernel
def capture(
    bank: CaptureBank,
    tick: int,
    qpos: FloatArray,
    mocap_pos: FloatArray,
    mocap_quat: FloatArray,
) -> None:
    """Store the present state for every schedule that exposes now.

    To be called once at every tick from 0 on.

    Args:
        bank: Capture bank of the world.
        tick: Number of the tick.
        qpos: Joint positions, (nq,).
        mocap_pos: Positions of bodies that are put in place [m], (m, 3).
        mocap_quat: Orientations of the same bodies, (m, 4).
    """
    for s in range(bank.taken.shape[0]):
        subs, depth = bank.counts[s, SUB_EXPOSURES], bank.counts[s, DEPTH]
        frame, sub = bank.taken[s] // subs, bank.taken[s] % subs
        start = np.int64(
            np.floor(bank.times[s, FIRST] + frame * bank.times[s, PERIOD] + 0.5)
        )
        if tick < start + bank.offsets[s, sub]:
            continue
        slot = bank.counts[s, FIRST_SLOT] + (frame % depth) * subs + sub
        row = bank.states[slot]
        nq = qpos.shape[0]
        row[:nq] = qpos
        for i in range(mocap_pos.shape[0]):
            row[nq + 7 * i : nq + 7 * i + 3] = mocap_pos[i]
            row[nq + 7 * i + 3 : nq + 7 * i + 7] = mocap_quat[i]
        bank.stamps[slot] = tick
        bank.taken[s] += 1


def newest_frame(bank: CaptureBank, row: int, tick: int) -> CapturedState | None:
    """Return the last frame of a schedule delivered by a tick, or None."""
    subs, latency, depth, first = bank.counts[row].tolist()
    complete = int(bank.taken[row]) // subs
    for number in range(complete - 1, max(complete - depth, 0) - 1, -1):
        slot = first + (number % depth) * subs
        stamps = bank.stamps[slot : slot + subs]
        if stamps[-1] + latency <= tick:
            states = bank.states[slot : slot + subs].copy()
            return CapturedState(
                number=number, time=float(stamps.mean()), states=states
            )
    return None


def state_arrays(bank: CaptureBank) -> tuple[np.ndarray, ...]:
    """Return the arrays that change while the world steps."""
    return bank.taken, bank.stamps, bank.states


def _require_fit(camera: Camera, step: float) -> None:
    if camera.rate * step > 1.0:
        raise ConfigError(
            f"Camera {camera.name!r}: `rate` {camera.rate:g} 1/s is higher than that "
            f"of the physics, {1.0 / step:g} 1/s"
        )
    subs = camera.sub_exposures
    if subs > 1 and camera.exposure < (subs - 1e-9) * step:
        raise ConfigError(
            f"Camera {camera.name!r}: {subs} `sub_exposures` in {camera.exposure:g} s "
            f"lie closer than the physics step {step:g} s; use at most "
            f"{max(1, math.floor(camera.exposure / step + 1e-9))}"
        )
