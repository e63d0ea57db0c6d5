"""Self-test of a leg: what can be known before the first step.

At rest the sensors, currents and toes are judged; with leave to move, each joint is
driven a little to and fro, which finds dead drives, swapped wires and frozen sensors.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gelenk.robots.amee.config import ADC_MAX, NUM_ACTORS, TOES_ALL, LegCfg
from gelenk.robots.amee.leg.hardware import Bridge, LegHardware
from gelenk.typing import IntArray

Cause = Literal[
    "cable", "magnet", "frozen", "range", "current", "toe", "drive", "swapped", "supply"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something that is wrong.

    Attributes:
        cause: Kind of defect.
        actor: 0..3, or -1 where it concerns no actor.
        text: What was expected and what was found.
    """

    cause: Cause
    actor: int
    text: str


def check_at_rest(
    cfg: LegCfg, hardware: LegHardware, advance: Callable[[], None], passes: int = 25
) -> list[Finding]:
    """Return what is wrong with a leg that hangs or stands without current.

    Args:
        cfg: Settings of the leg.
        hardware: Pins of the leg.
        advance: Lets one pass of time go by.
        passes: How long to look.
    """
    blocks, toes = _watch(hardware, advance, passes)
    found: list[Finding] = []
    for i in range(NUM_ACTORS):
        found += _judge_sensor(cfg, i, blocks[:, i], blocks[:, NUM_ACTORS + i])
    if toes & TOES_ALL not in (0, TOES_ALL):
        text = f"expected all toes open or all closed, always closed: {toes:#06b}"
        found.append(Finding(cause="toe", actor=-1, text=text))
    volts = hardware.read_supply()
    if volts < 10.0:
        text = f"expected 10 V or more on the bus, got {volts:.1f} V"
        found.append(Finding(cause="supply", actor=-1, text=text))
    return found


def _judge_sensor(
    cfg: LegCfg, i: int, angle: IntArray, current: IntArray
) -> list[Finding]:
    """Return what is wrong with one actor's two channels."""
    value = float(np.median(angle))
    low, high = cfg.limit_counts[i]
    tolerance, spare = cfg.rotation.fault_tolerance, cfg.rotation.range_tolerance
    found: list[Finding] = []

    def add(cause: Cause, text: str) -> None:
        found.append(Finding(cause=cause, actor=i, text=text))

    if value <= tolerance:
        add("cable", f"angle reads {value:.0f}: its cable is broken")
    elif value >= ADC_MAX - tolerance:
        add("magnet", f"angle reads {value:.0f}: magnet or wiper is lost")
    elif np.all(angle == angle[0]):
        add("frozen", f"angle reads exactly {value:.0f} all the time, without noise")
    elif not low - spare <= value <= high + spare:
        add("range", f"angle reads {value:.0f}, expected {low} to {high}")
    if np.median(current) > cfg.torque_counts(1.0):
        add("current", f"current reads {np.median(current):.0f} without being driven")
    return found


def check_in_motion(
    cfg: LegCfg,
    hardware: LegHardware,
    advance: Callable[[], None],
    *,
    counts: int = 12,
    speed: int = 150,
    passes: int = 400,
) -> list[Finding]:
    """Return what is wrong with the drives; moves each joint a few counts and back.

    Args:
        cfg: Settings of the leg.
        hardware: Pins of a leg that hangs free.
        advance: Lets one pass of time go by.
        counts: Way that proves a drive.
        speed: Pulse width of the drive.
        passes: Longest time for one way.
    """
    found: list[Finding] = []
    for i in range(NUM_ACTORS):
        low, high = cfg.limit_counts[i]
        here = int(np.median(hardware.read_adc()[:, i]))
        first = Bridge.LEFT if here - low < high - here else Bridge.RIGHT
        back = Bridge.RIGHT if first == Bridge.LEFT else Bridge.LEFT
        moved, felt = _nudge(hardware, advance, i, first, counts, speed, passes)
        sign = 1 if first == Bridge.LEFT else -1
        if abs(moved) < counts:
            cause: Cause = "drive" if felt < cfg.torque_counts(1.0) else "frozen"
            why = "without current" if cause == "drive" else "under current"
            text = f"expected {counts} counts of motion, got {moved} {why}"
            found.append(Finding(cause=cause, actor=i, text=text))
        elif moved * sign < 0:
            text = f"driven {first.name.lower()} the angle went {moved} counts"
            found.append(Finding(cause="swapped", actor=i, text=text))
        _nudge(hardware, advance, i, back, abs(moved), speed, passes)
    return found


def _nudge(
    hardware: LegHardware,
    advance: Callable[[], None],
    actor: int,
    code: Bridge,
    counts: int,
    speed: int,
    passes: int,
) -> tuple[int, float]:
    """Drive one actor until it has moved; return the way and the largest current."""
    codes = np.full(NUM_ACTORS, int(Bridge.HOLD), dtype=np.int64)
    speeds = np.full(NUM_ACTORS, 255, dtype=np.int64)
    codes[actor], speeds[actor] = int(code), speed
    start = int(np.median(hardware.read_adc()[:, actor]))
    moved, felt = 0, 0.0
    for _ in range(passes):
        hardware.set_motors(codes, speeds)
        hardware.kick_watchdog()
        advance()
        block = hardware.read_adc()
        moved = int(np.median(block[:, actor])) - start
        felt = max(felt, float(np.median(block[:, NUM_ACTORS + actor])))
        if abs(moved) >= counts:
            break
    hardware.set_motors(np.zeros(NUM_ACTORS, dtype=np.int64), speeds * 0)
    return moved, felt


def _watch(
    hardware: LegHardware, advance: Callable[[], None], passes: int
) -> tuple[IntArray, int]:
    """Return all conversions of some passes, shape (n, 8), and toes always closed."""
    blocks: list[IntArray] = []
    toes = TOES_ALL
    for _ in range(passes):
        blocks.append(hardware.read_adc().copy())
        toes &= hardware.read_toes()
        hardware.kick_watchdog()
        advance()
    return np.concatenate(blocks), toes
