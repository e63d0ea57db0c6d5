"""What a leg on its stand shows on the page, and what can be told to it."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Mapping

import numpy as np

from gelenk.robots.amee.config import ACTOR_NAMES, HIPS, TOE_BITS
from gelenk.robots.amee.coordinator.link import LinkFault
from gelenk.robots.amee.faults import BodyFault
from gelenk.robots.amee.leg.logic.data import Point
from gelenk.robots.amee.panel import leg_tables, tables
from gelenk.robots.amee.panel.leg_host import LegHost
from gelenk.robots.amee.wire import Command, WireProblem
from gelenk.robots.amee.words import JOINTS
from gelenk.robots.amee.world import HUNG_HEIGHT, ROBOT
from gelenk.runtime.panel import (
    ActionError,
    ChoiceField,
    NumberField,
    Overlay,
    PanelAction,
    PanelCurve,
    RobotPanel,
    SwitchField,
    Table,
    TextField,
    Value,
    WorldPath,
    WorldPoints,
    WorldSpheres,
)
from gelenk.typing import FloatArray

HIP = np.array((HIPS[0][0], HIPS[0][1], HUNG_HEIGHT))
TOES = ("fl", "fr", "rl", "rr")
TRAIL = 120  # places
POSED = (20.0, -120.0, 80.0, 140.0)  # [deg], with which its fields begin
FLOOD_TIME = 3.0  # [s]
FAULTS: dict[str, tuple[str, str]] = {  # kind, and what it needs
    "joint locked": ("joint_locked", "joint"),
    "joint limp": ("joint_limp", "joint"),
    "motor wire broken": ("motor_wire", "joint"),
    "drive too hot": ("drive_hot", "joint"),
    "angle sensor frozen": ("sensor_frozen", "joint"),
    "angle sensor wire broken": ("sensor_wire", "joint"),
    "magnet lost": ("magnet_lost", "joint"),
    "loop hangs": ("hung", ""),
    "supply sags to 5 V": ("supply_sag", ""),
}


def world_point(point: Point) -> FloatArray:
    """Return a point of the leg's frame in world axes [m], (3,)."""
    return HIP + np.array((point[0], point[2], point[1]))


class LegExhibit(RobotPanel):
    """Commands, automata, registers, messages and faults of one leg."""

    def __init__(self, host: LegHost) -> None:
        self._host = host
        self._trail: deque[FloatArray] = deque(maxlen=TRAIL)
        self._time = 0.0

    # -- what can be pressed -----------------------------------------------------------

    def actions(self) -> tuple[PanelAction, ...]:
        host = self._host
        return (
            PanelAction(
                name="move",
                title="Move the foot",
                help="Its middle, from the hip.",
                fields=(
                    _millimetres("x", "Ahead", 40.0, -400.0, 500.0),
                    _millimetres("y", "Up", -500.0, -660.0, -250.0),
                    _millimetres("z", "Left", 0.0, -300.0, 300.0),
                    SwitchField(
                        name="touch",
                        title="On until it feels ground",
                        help="Move2PointTouch instead of Move2Point.",
                    ),
                ),
                group="Tell it",
            ),
            PanelAction(
                name="angles",
                title="Set the joints",
                fields=tuple(self._angle_fields()),
                group="Tell it",
            ),
            PanelAction(
                name="tell",
                title="Send",
                help="As curl would; numbers in mm, angles in rad.",
                fields=(
                    TextField(
                        name="text",
                        title="Message",
                        default="DoStep:60:-600:0:-60:-600:0",
                    ),
                ),
                group="Tell it",
            ),
            PanelAction(
                name="next",
                title="Release",
                help="next: goes on from the via point at which it waits.",
                is_enabled=not host.releases,
                group="Tell it",
            ),
            PanelAction(name="stop", title="Stop", help="Drives off.", group="Tell it"),
            PanelAction(
                name="ways",
                title="Set",
                fields=(
                    SwitchField(
                        name="busy", title="Goes through its programme",
                        default=host.is_busy,
                    ),
                    SwitchField(
                        name="releases", title="Is released at every via point",
                        default=host.releases,
                    ),
                ),
                group="By itself",
            ),
            PanelAction(
                name="fault",
                title="Break it",
                help="For 4 s; then it is whole again.",
                fields=(
                    ChoiceField(
                        name="kind", title="What", choices=tuple(FAULTS),
                        default="joint locked",
                    ),
                    ChoiceField(
                        name="joint", title="Joint", choices=JOINTS, default=JOINTS[2]
                    ),
                ),
                group="Trouble",
            ),
            PanelAction(
                name="flood",
                title="Flood the bus",
                help="1000 texts per second that make no sense, for 3 s.",
                group="Trouble",
            ),
        )  # fmt: skip

    def press(self, name: str, values: Mapping[str, Value]) -> str | None:
        host = self._host
        match name:
            case "move":
                word = "Move2PointTouch" if values["touch"] else "Move2Point"
                return self._tell(
                    f"{word}:{values['x']:g}:{values['y']:g}:{values['z']:g}"
                )
            case "angles":
                angles = (math.radians(float(values[n])) for n in ACTOR_NAMES)  # type: ignore[arg-type]
                return self._tell(
                    ":".join(["Move2Angle", *(f"{a:.4f}" for a in angles)])
                )
            case "tell":
                return self._tell(str(values["text"]).strip(), field="text")
            case "next" | "stop":
                if name == "stop":
                    host.is_busy = False
                host.tell(name)
                return None
            case "ways":
                host.is_busy = bool(values["busy"])
                host.releases = bool(values["releases"])
                return None
            case "fault":
                return self._break(values)
            case "flood":
                host.flood_until = host.place.time + FLOOD_TIME
                return "the bus guardian refuses them; the leg notices nothing"
            case _:
                return super().press(name, values)

    def _angle_fields(self) -> Iterator[NumberField]:
        limits = self._host.leg.mcu.computer.cfg.limits
        for name, title, angle, (low, high) in zip(
            ACTOR_NAMES, JOINTS, POSED, limits, strict=True
        ):
            yield NumberField(
                name=name,
                title=title,
                default=angle,
                unit="deg",
                minimum=round(math.degrees(low)),
                maximum=round(math.degrees(high)),
            )

    def _tell(self, text: str, field: str = "") -> str:
        understood = self._host.tell(text)
        if isinstance(understood, WireProblem):
            raise ActionError(f"400 Bad Request: {understood}", field=field)
        self._host.is_busy = False
        return f"200 OK: {text}"

    def _break(self, values: Mapping[str, Value]) -> str:
        host = self._host
        kind, needs = FAULTS[str(values["kind"])]
        part = JOINTS.index(str(values["joint"]))
        now = host.place.time
        if kind == "hung":
            host.leg.add(LinkFault(kind="hung", leg=0, start=now))
            return "its loop stands still until the watchdog bites"
        host.place.inject(
            BodyFault(
                kind=kind,  # type: ignore[arg-type]
                leg=0,
                part=part if needs else 0,
                start=now,
                duration=4.0,
                amount=host.place.voltage - 5.0 if kind == "supply_sag" else 0.0,
            )
        )
        return f"{values['kind']}" + (f", {JOINTS[part]}" if needs else "")

    # -- what is shown -----------------------------------------------------------------

    def overlays(self) -> tuple[Overlay, ...]:
        return tuple(self._drawn())

    def _drawn(self) -> Iterator[Overlay]:
        place = self._host.place
        pose = place.world.pose
        if place.time < self._time:
            self._trail.clear()
        self._time = place.time
        foot = pose(f"{ROBOT}/sole_1")[:3, 3].copy()
        if not self._trail or np.abs(self._trail[-1] - foot).max() > 0.002:
            self._trail.append(foot)
        if len(self._trail) > 1:
            yield WorldPath(name="way of the foot", at=list(self._trail), color="one")
        computer = self._host.leg.mcu.computer
        logic = computer.logic
        if computer.motion.state != Command.IDLE:
            yield WorldSpheres(
                name="where it goes", centers=[world_point(logic.goal)], radii=[0.02]
            )
        if computer.motion.state in (Command.DO_STEP, Command.LINE, Command.LINE_TOUCH):
            ends = [world_point(logic.begin), world_point(logic.end)]
            yield WorldPath(name="line on the ground", at=ends, color="target")
        bits = computer.io.toes
        closed = [
            pose(f"{ROBOT}/toe_1_{toe}")[:3, 3]
            for toe, bit in zip(TOES, TOE_BITS, strict=True)
            if bits & bit
        ]
        if closed:
            yield WorldPoints(
                name="closed contacts", at=closed, radius=0.02, color="good"
            )

    def tables(self) -> tuple[Table, ...]:
        host = self._host
        computer = host.leg.mcu.computer
        return (
            leg_tables.automata_table(computer),
            leg_tables.joint_table(computer),
            leg_tables.register_table(computer),
            tables.bus_table(host.traffic),
            leg_tables.journal_table(computer),
            leg_tables.guardian_table(host.leg),
        )

    def curves(self) -> tuple[PanelCurve, ...]:
        return tuple(self._curves())

    def _curves(self) -> Iterator[PanelCurve]:
        host = self._host
        for i, name in enumerate(ACTOR_NAMES):
            yield PanelCurve(
                name=f"angles/{name}", unit="deg", read=lambda i=i: self._angle(i)
            )
        for i, name in enumerate(ACTOR_NAMES):
            yield PanelCurve(
                name=f"pulse width/{name}",
                unit="%",
                read=lambda i=i: leg_tables.pulse(host.leg.mcu.computer, i),
            )

    def _angle(self, actor: int) -> float:
        computer = self._host.leg.mcu.computer
        if not computer.is_ready:
            return math.nan
        return math.degrees(computer.logic.measured_angles()[actor])


def _millimetres(
    name: str, title: str, default: float, low: float, high: float
) -> NumberField:
    return NumberField(
        name=name, title=title, default=default, unit="mm", minimum=low, maximum=high
    )
