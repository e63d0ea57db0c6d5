"""Tables beside a walking AMEE: automata, joints, feet, messages, decisions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum

from gelenk.robots.amee.battery import COMPUTING_POWER
from gelenk.robots.amee.config import LEG_NAMES, NUM_LEGS, TOE_BITS
from gelenk.robots.amee.coordinator.journal import Entry
from gelenk.robots.amee.coordinator.link import LocalLeg
from gelenk.robots.amee.leg import LegComputer
from gelenk.robots.amee.leg.control.record import Rotation, Torque
from gelenk.robots.amee.panel.drawn import LEG_COLORS, NEAR, SAFE
from gelenk.robots.amee.panel.gauges import Look, currents, temperatures
from gelenk.robots.amee.panel.traffic import Traffic
from gelenk.robots.amee.session import Session
from gelenk.robots.amee.wire import Command
from gelenk.robots.amee.words import doing, reason
from gelenk.robots.amee.world import AmeeWorld
from gelenk.runtime.exhibit import Cell, Color, Column, Highlight, Table

SHOWN_MESSAGES, SHOWN_ENTRIES = 12, 12
WARM, HOT = 273.15 + 60.0, 273.15 + 85.0  # [K]
_BAD = (Rotation.SENSOR_FAULT, Rotation.OUT_OF_RANGE)
_WEIGHTS: dict[str, Color] = {"warning": "warning", "fault": "bad"}


def said(state: IntEnum) -> str:
    """Return the name of a state as people write it.

    Example:
        >>> said(Rotation.CHANGE_DIR)
        'change dir'
    """
    return state.name.lower().replace("_", " ")


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
    rows: tuple[tuple[Cell, ...], ...] = (
        ("does", doing(coordinator) + (f": {why}" if why else "")),
        ("way", f"{verdict.distance:.2f} m ahead, {verdict.sideways:+.2f} m left"),
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


def automata_table(legs: Sequence[LocalLeg]) -> Table:
    """Return the automata of the logic layer of each leg."""
    rows: list[tuple[Cell, ...]] = []
    for number, leg in enumerate(legs, start=1):
        c = leg.mcu.computer
        who = f"{number} {LEG_NAMES[number - 1].replace('_', ' ')}"
        if leg.is_dead:
            rows.append((who, "dead", None, None, None, None))
            continue
        rows.append(
            (
                who,
                said(c.motion.state),
                said(c.step.state),
                said(c.line.state),
                said(c.touch.state),
                toes(c.io.toes),
            )
        )
    return Table(
        name="automata",
        title="Automata of the legs",
        columns=tuple(
            Column(title=title)
            for title in ("Leg", "Motion", "Step", "Line", "Touch", "Toes")
        ),
        rows=tuple(rows),
        highlights=tuple(_leg_marks()),
        caption="Each leg's own computer; toes: front left, front right, rear left, "
        "rear right.",
    )


def joint_table(computers: Sequence[LegComputer]) -> Table:
    """Return RotationCtrl of each joint; collisions and faults stand out."""
    rows: list[tuple[Cell, ...]] = []
    marks = list(_leg_marks(len(computers)))
    for row, computer in enumerate(computers):
        cells: list[Cell] = [str(row + 1)]
        for actor in computer.control.actors:
            cells.append(said(actor.rotation))
            if actor.torque_state == Torque.WAIT or actor.rotation in _BAD:
                marks.append(Highlight(row=row, column=1 + actor.index, color="bad"))
            elif actor.rotation != Rotation.IDLE:
                marks.append(
                    Highlight(row=row, column=1 + actor.index, color="measured")
                )
        rows.append(tuple(cells))
    return Table(
        name="joints",
        title="Joints",
        columns=tuple(
            Column(title=title)
            for title in ("Leg", "A yaw", "B hip", "C knee", "D ankle")
        ),
        rows=tuple(rows),
        highlights=tuple(marks),
        caption="RotationCtrl; red where a collision or a sensor stops a drive.",
    )


def feet_table(look: Look, place: AmeeWorld) -> Table:
    """Return what feet bear, and how warm the drives are."""
    heat, amperes = temperatures(place), currents(place)
    marks = list(_leg_marks())
    rows: list[tuple[Cell, ...]] = []
    for leg in range(NUM_LEGS):
        warmest = int(heat[leg].argmax())
        kelvin = float(heat[leg, warmest])
        rows.append(
            (
                str(leg + 1),
                float(look.forces[leg]),
                float(amperes[leg].sum()),
                kelvin - 273.15,
                "ABCD"[warmest],
            )
        )
        if kelvin > WARM:
            color: Color = "bad" if kelvin > HOT else "warning"
            marks.append(Highlight(row=leg, column=3, color=color))
    return Table(
        name="feet",
        title="Feet and drives",
        columns=(
            Column(title="Leg"),
            Column(title="Bears", unit="N", format=".0f"),
            Column(title="Currents", unit="A", format=".1f"),
            Column(title="Warmest", unit="°C", format=".0f"),
            Column(title="Joint"),
        ),
        rows=tuple(rows),
        highlights=tuple(marks),
    )


def bus_table(traffic: Traffic) -> Table:
    """Return the last messages, newest first."""
    lines = list(traffic.lines)[: -SHOWN_MESSAGES - 1 : -1]
    rows = tuple(
        (
            line.time,
            f"{'to' if line.is_order else 'from'} "
            + " ".join(str(leg + 1) for leg in line.legs),
            line.text,
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


def _leg_marks(count: int = NUM_LEGS) -> Iterator[Highlight]:
    for row in range(count):
        yield Highlight(row=row, column=0, color=LEG_COLORS[row])


def _mm(metres: float) -> str:
    return f"{1e3 * metres:.0f} mm" if math.isfinite(metres) else "none"
