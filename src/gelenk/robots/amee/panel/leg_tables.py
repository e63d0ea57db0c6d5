"""Tables beside a leg on its stand: automata, registers, journal, bus guardian."""

from __future__ import annotations

import math

from gelenk.robots.amee.config import ADC_MAX, ADC_REFERENCE, CURRENT_PER_VOLT
from gelenk.robots.amee.coordinator.link import LocalLeg
from gelenk.robots.amee.leg import LegComputer
from gelenk.robots.amee.leg.control.record import Rotation, Torque
from gelenk.robots.amee.leg.hardware import Bridge
from gelenk.robots.amee.panel.tables import said, toes
from gelenk.runtime.panel import Cell, Color, Column, Highlight, Table

SHOWN = 12  # lines of the journal
AMPERES = ADC_REFERENCE / ADC_MAX * CURRENT_PER_VOLT  # [A] per count


def automata_table(computer: LegComputer) -> Table:
    """Return the automata of the logic layer."""
    rows = (
        ("MotionCtrl", said(computer.motion.state)),
        ("DoStep", said(computer.step.state)),
        ("LineMover", said(computer.line.state)),
        ("TouchCtrl", said(computer.touch.state)),
        ("Toes", toes(computer.io.toes)),
    )
    return Table(
        name="automata",
        title="Automata",
        columns=(Column(title="Automaton"), Column(title="State")),
        rows=rows,
        highlights=tuple(
            Highlight(row=row, column=1, color="measured")
            for row, (_, state) in enumerate(rows[:-1])
            if state != "idle"
        ),
        caption="Toes: front left, front right, rear left, rear right.",
    )


def joint_table(computer: LegComputer) -> Table:
    """Return the automata of the control layer, and what the bridges do."""
    rows: list[tuple[Cell, ...]] = []
    marks: list[Highlight] = []
    for row, actor in enumerate(computer.control.actors):
        code = Bridge(computer.io.codes[row]).name.lower()
        strength = f" {abs(pulse(computer, row)):.0f} %" if code != "stop" else ""
        rotation = said(actor.rotation) + (" (brute)" if actor.brute_force else "")
        torque = said(actor.torque_state)
        rows.append(("ABCD"[row], rotation, torque, code + strength))
        if actor.rotation != Rotation.IDLE:
            is_bad = actor.rotation in (Rotation.SENSOR_FAULT, Rotation.OUT_OF_RANGE)
            color: Color = "bad" if is_bad else "measured"
            marks.append(Highlight(row=row, column=1, color=color))
        if actor.torque_state == Torque.WAIT:
            marks.append(Highlight(row=row, column=2, color="bad"))
    return Table(
        name="joints",
        title="Joints",
        columns=tuple(
            Column(title=title)
            for title in ("Joint", "RotationCtrl", "TorqueCtrl", "Bridge")
        ),
        rows=tuple(rows),
        highlights=tuple(marks),
    )


def register_table(computer: LegComputer) -> Table:
    """Return what the control layer holds of each joint."""
    rows: list[tuple[Cell, ...]] = []
    for actor in computer.control.actors:
        line = computer.cfg.sensors[actor.index]
        rows.append(
            (
                "ABCD"[actor.index],
                actor.actual,
                math.degrees(line.angle_from_counts(actor.actual)),
                math.degrees(line.angle_from_counts(actor.target)),
                actor.torque * AMPERES,
            )
        )
    return Table(
        name="registers",
        title="Registers",
        columns=(
            Column(title="Joint"),
            Column(title="Converter", unit="of 1023", format="d"),
            Column(title="Angle", unit="deg", format=".1f"),
            Column(title="Target", unit="deg", format=".1f"),
            Column(title="Current", unit="A", format=".1f"),
        ),
        rows=tuple(rows),
    )


def pulse(computer: LegComputer, actor: int) -> float:
    """Return the pulse width of a drive, negative to the right [%]."""
    sign = -1.0 if computer.io.codes[actor] == Bridge.RIGHT else 1.0
    return sign * 100.0 * computer.io.speeds[actor] / 255.0


def journal_table(computer: LegComputer) -> Table:
    """Return what the leg has decided, newest first."""
    return Table(
        name="journal",
        title="Its journal",
        columns=(Column(title="Time", unit="s", format=".2f"), Column(title="What")),
        rows=tuple(list(computer.journal)[: -SHOWN - 1 : -1]),
    )


def guardian_table(leg: LocalLeg) -> Table:
    """Return what the Ethernet computer has kept away from the leg."""
    gateway = leg.gateway
    return Table(
        name="guardian",
        title="Bus guardian",
        columns=(Column(title="What"), Column(title="Count", format="d")),
        rows=(
            ("texts refused", gateway.refused),
            ("orders overwritten by newer ones", gateway.overwritten),
            ("broken reports", gateway.broken),
            ("restarts of the leg's chip", leg.mcu.restarts),
        ),
    )
