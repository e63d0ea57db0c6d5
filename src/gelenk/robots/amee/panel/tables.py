"""Tables beside a walking AMEE: automata, joints, feet, messages, decisions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from enum import IntEnum

from gelenk.robots.amee.battery import COMPUTING_POWER
from gelenk.robots.amee.config import TOE_BITS
from gelenk.robots.amee.coordinator.diagnosis import Entry
from gelenk.robots.amee.coordinator.link import LocalLeg
from gelenk.robots.amee.leg.control.record import Rotation, Torque
from gelenk.robots.amee.panel.drawn import (
    LEG_COLORS,
    NEAR,
    SAFE,
    Look,
    currents,
    temperatures,
)
from gelenk.robots.amee.panel.traffic import Traffic
from gelenk.robots.amee.session import Session
from gelenk.robots.amee.wire import Command
from gelenk.robots.amee.words import doing, reason
from gelenk.robots.amee.world import AmeeWorld
from gelenk.runtime.panel import Cell, Color, Column, Highlight, Table

SHOWN_MESSAGES, SHOWN_ENTRIES = 12, 12
WARM, HOT = 273.15 + 60.0, 273.15 + 85.0  # [K]
_BAD = (Rotation.SENSOR_FAULT, Rotation.OUT_OF_RANGE)
SHORT_LEGS = ("front R", "front L", "rear L", "rear R")
ROWS = (
    "",
    "Motion",
    "Step",
    "Line",
    "Touch",
    "Toes",
    *"ABCD",
    "Bears",
    "Draws",
    "Heat",
)
_BRIEF = {
    "MOVE_POINT": "point",
    "MOVE_POINT_TOUCH": "to touch",
    "MOVE_ANGLE": "angle",
    "MOVE_ANGLE_TOUCH": "to touch",
    "DO_STEP": "step",
    "LINE_TOUCH": "line",
    "WAIT_FIRST_SYNC": "in the air",
    "WAIT_LINE_MOVER": "put down",
    "UNSAFE_MOVE": "tilts",
    "CORRECTION": "correct",
    "CORRECTION_FAIL": "failed",
    "SEARCHING": "search",
    "ACCELERATING": "accel.",
    "DECELERATING": "decel.",
    "BREAKING": "brake",
    "CHANGE_DIR": "back",
    "SENSOR_FAULT": "sensor!",
    "OUT_OF_RANGE": "range!",
}
_WEIGHTS: dict[str, Color] = {"warning": "warning", "fault": "bad"}


def said(state: IntEnum) -> str:
    """Return the name of a state as people write it.

    Example:
        >>> said(Rotation.CHANGE_DIR)
        'change dir'
    """
    return state.name.lower().replace("_", " ")


def brief(state: IntEnum) -> str:
    """Return the name of a state in one short word or two.

    Example:
        >>> brief(Rotation.DECELERATING)
        'decel.'
    """
    return _BRIEF.get(state.name, said(state))


def toes(bits: int) -> str:
    """Return closed contacts, front left, front right, rear left, rear right.

    Example:
        >>> toes(0x05)
        '●○ ●○'
    """
    marks = ["●" if bits & bit else "○" for bit in TOE_BITS]
    return f"{marks[0]}{marks[1]} {marks[2]}{marks[3]}"


def leg_words(legs: Sequence[LocalLeg]) -> list[str]:
    """Return what each leg does, in a word or two, after its number."""
    words: list[str] = []
    for number, leg in enumerate(legs, start=1):
        computer = leg.mcu.computer
        state = computer.motion.state
        if leg.is_dead:
            word = "is dead"
        elif leg.mcu.is_hung:
            word = "hangs"
        elif state == Command.DO_STEP:
            word = f"step: {said(computer.step.state)}"
        elif state == Command.IDLE:
            word = ""
        else:
            word = said(state)
        words.append(f"{number} {word}".rstrip())
    return words


def robot_table(session: Session, look: Look, place: AmeeWorld) -> Table:
    """Return how the whole robot is."""
    coordinator, desk = session.coordinator, session.desk
    verdict, moment = place.truth.verdict(), look.moment
    computing = COMPUTING_POWER * moment.time / place.cfg.battery.full
    left = 1.0 - (verdict.charge + computing) / place.cfg.battery.capacity
    margin = desk.margin()
    why = reason(coordinator.cause)
    side = "left" if verdict.sideways >= 0.0 else "right"
    rows: tuple[tuple[Cell, ...], ...] = (
        ("does", doing(coordinator) + (f": {why}" if why else "")),
        (
            "way",
            f"{verdict.distance:.2f} m ahead, {abs(verdict.sideways):.2f} m {side}",
        ),
        ("steps", f"{session.walker.steps}"),
        ("margin", f"{_mm(moment.margin)} (it believes {_mm(margin)})"),
        ("torso", f"{math.degrees(moment.tilt):.1f}° off level"),
        ("battery", f"{place.voltage:.1f} V, {100.0 * left:.1f} % left"),
        ("drives", f"draw {place.current:.1f} A"),
        ("energy", f"{verdict.energy / 1e3:.2f} kJ for the drives"),
    )
    color: Color = "good" if moment.margin >= SAFE else "warning"
    color = color if moment.margin >= NEAR else "bad"
    highlights = [Highlight(row=3, column=1, color=color)]
    if coordinator.state in ("stopped", "fallen"):
        highlights.append(Highlight(row=0, column=1, color="bad"))
    return Table(
        name="robot",
        title="Robot",
        columns=(Column(title="What"), Column(title="Now")),
        rows=rows,
        highlights=tuple(highlights),
    )


def legs_table(legs: Sequence[LocalLeg], look: Look, place: AmeeWorld) -> Table:
    """Return the automata of all legs, what feet bear, how warm drives are."""
    heat, amperes = temperatures(place), currents(place)
    columns: list[list[Cell]] = []
    marks: list[Highlight] = []
    for leg, link in enumerate(legs):
        warmest = int(heat[leg].argmax())
        states = _states(link)
        kelvin = float(heat[leg, warmest])
        columns.append(
            [
                SHORT_LEGS[leg],
                *(word for word, _ in states),
                f"{look.forces[leg]:.0f} N",
                f"{amperes[leg].sum():.1f} A",
                f"{kelvin - 273.15:.0f} °C {'ABCD'[warmest]}",
            ]
        )
        marks.append(Highlight(row=0, column=1 + leg, color=LEG_COLORS[leg]))
        marks += [
            Highlight(row=1 + row, column=1 + leg, color=color)
            for row, (_, color) in enumerate(states)
            if color is not None
        ]
        if kelvin > WARM:
            color: Color = "bad" if kelvin > HOT else "warning"
            marks.append(Highlight(row=len(ROWS) - 1, column=1 + leg, color=color))
    return Table(
        name="legs",
        title="Automata of the legs",
        columns=tuple(Column(title=t) for t in ("Leg", "1", "2", "3", "4")),
        rows=tuple(zip(ROWS, *columns, strict=True)),
        highlights=tuple(marks),
        caption="A yaw, B hip, C knee, D ankle: RotationCtrl. Red: a collision or a "
        "sensor stops the drive. Toes: front left, front right, rear left, rear right.",
    )


def _states(leg: LocalLeg) -> list[tuple[str, Color | None]]:
    """Return the automata of a leg, each with a colour if it is not idle."""
    if leg.is_dead:
        return [("dead", "bad"), *[("–", None)] * 8]
    computer = leg.mcu.computer
    if leg.mcu.is_hung:
        return [("hangs", "bad"), *[("–", None)] * 8]
    logic = (
        computer.motion.state,
        computer.step.state,
        computer.line.state,
        computer.touch.state,
    )
    found: list[tuple[str, Color | None]] = [
        (brief(state), "measured" if state else None) for state in logic
    ]
    found.append((toes(computer.io.toes), None))
    for actor in computer.control.actors:
        color: Color | None = "measured" if actor.rotation else None
        if actor.torque_state == Torque.WAIT or actor.rotation in _BAD:
            color = "bad"
        found.append((brief(actor.rotation), color))
    return found


def bus_table(traffic: Traffic) -> Table:
    """Return the last messages, newest first."""
    lines = list(traffic.lines)[: -SHOWN_MESSAGES - 1 : -1]
    rows = tuple(
        (
            line.time,
            f"{'to' if line.is_order else 'from'} "
            + " ".join(str(leg + 1) for leg in line.legs),
            line.text + (f" × {line.count}" if line.count > 1 else ""),
        )
        for line in lines
    )
    return Table(
        name="bus",
        title="Messages on the bus",
        columns=(
            Column(title="Time", unit="s", format=".2f"),
            Column(title="Legs"),
            Column(title="Message"),
        ),
        rows=rows,
        caption=f"{traffic.num_orders} orders and {traffic.num_reports} reports; "
        "points in mm: forward, up, left of the hip.",
    )


def log_table(entries: Iterable[Entry]) -> Table:
    """Return the last decisions, newest first."""
    shown = list(entries)[: -SHOWN_ENTRIES - 1 : -1]
    return Table(
        name="log",
        title="What it decides, and why",
        columns=(
            Column(title="Time", unit="s", format=".1f"),
            Column(title="Who"),
            Column(title="What"),
        ),
        rows=tuple(
            (entry.time, "robot" if entry.leg < 0 else str(entry.leg + 1), entry.text)
            for entry in shown
        ),
        highlights=tuple(
            Highlight(row=row, color=_WEIGHTS[entry.weight])
            for row, entry in enumerate(shown)
            if entry.weight in _WEIGHTS
        ),
    )


def _mm(metres: float) -> str:
    return f"{1e3 * metres:.0f} mm" if math.isfinite(metres) else "none"
