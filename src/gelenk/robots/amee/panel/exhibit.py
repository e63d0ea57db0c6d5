"""What a walking AMEE shows on the page, and what visitors may do."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from gelenk.errors import ConfigError, GelenkError
from gelenk.robots.amee.config import LEG_NAMES, NUM_LEGS
from gelenk.robots.amee.fault_plan import LINK_FAULTS, PlannedFault, read_fault
from gelenk.robots.amee.faults import BODY_FAULTS, ROBOT_FAULTS, TOE_FAULTS
from gelenk.robots.amee.gaits.config import GaitName
from gelenk.robots.amee.panel import drawn, tables
from gelenk.robots.amee.panel.drawn import Look, look, temperatures
from gelenk.robots.amee.panel.host import WalkHost
from gelenk.robots.amee.words import name_of
from gelenk.runtime.panel import (
    ActionError,
    ChoiceField,
    GroundField,
    Overlay,
    PanelAction,
    PanelCurve,
    RobotPanel,
    Table,
    Value,
)

GAITS: tuple[GaitName, ...] = ("save", "crawl", "fast", "auto")
GAIT_HELP = (
    "save: one foot at a time, then all push; crawl: likewise, pushing twice a round; "
    "fast: diagonal pairs; auto: fast until it runs into things."
)
LEGS = {f"{i + 1} {name.replace('_', ' ')}": i for i, name in enumerate(LEG_NAMES)}
JOINTS = {"A hip yaw": "A", "B hip": "B", "C knee": "C", "D ankle": "D"}
TOES = {f"toe {i}": f"t{i}" for i in range(1, 5)}
LASTS = {"for good": 0.0, "2 s": 2.0, "10 s": 10.0}
FAULTS = tuple(kind.replace("_", " ") for kind in (*BODY_FAULTS, *LINK_FAULTS))
SAG = 7.0  # [V]
LOST = 20.0  # [%]
BRICK = "brick"
BRICK_SIZE = (0.08, 0.20, 0.09)  # [m]
BRICK_AWAY = (-1.6, -1.2)  # [m], where it lies first
_WORDS = {
    "ahead": "walks ahead",
    "left": "turns left on the spot",
    "right": "turns right on the spot",
    "halt": "halts as soon as all feet stand",
    "park": "lies down and folds its legs",
}


class WalkExhibit(RobotPanel):
    """Steering, faults, automata, support polygon, messages."""

    def __init__(self, host: WalkHost) -> None:
        self._host = host
        self._trails = drawn.Trails()
        self._seen: tuple[int, Look] | None = None

    @property
    def _look(self) -> Look:
        """How the robot stands, looked at once per tick."""
        place = self._host.place
        if self._seen is None or self._seen[0] != place.tick:
            self._seen = place.tick, look(place)
        return self._seen[1]

    # -- what can be pressed -----------------------------------------------------------

    def actions(self) -> tuple[PanelAction, ...]:
        session, wishes = self._host.session, self._host.wishes
        state = "walking" if session is None else session.coordinator.state
        can_move = session is not None and state != "fallen"
        return (
            PanelAction(
                name="ahead",
                title="Walk ahead",
                help="In the direction in which it looks; stands up first if it lies.",
                fields=(
                    ChoiceField(
                        name="gait",
                        title="Gait",
                        choices=GAITS,
                        default=wishes.gait,
                        help=GAIT_HELP,
                    ),
                ),
                is_enabled=can_move,
                group="Steer",
            ),
            PanelAction(
                name="left", title="Turn left", is_enabled=can_move, group="Steer"
            ),
            PanelAction(
                name="right", title="Turn right", is_enabled=can_move, group="Steer"
            ),
            PanelAction(
                name="halt",
                title="Halt",
                help="Stands still as soon as the present step is done.",
                is_enabled=can_move,
                group="Steer",
            ),
            PanelAction(
                name="park",
                title="Park",
                help="Torso down, then legs folded to it.",
                is_enabled=can_move and not wishes.is_down,
                group="Steer",
            ),
            PanelAction(
                name="stop",
                title="Stop now",
                help="No drive has current after one loop, wherever the feet are.",
                is_enabled=state == "walking",
                group="Steer",
            ),
            self._fault_action(),
            self._brick_action(),
        )

    @staticmethod
    def _fault_action() -> PanelAction:
        return PanelAction(
            name="fault",
            title="Break it",
            help="Breaks at once; the robot finds out by itself. Reset mends all.",
            fields=(
                ChoiceField(
                    name="kind", title="What", choices=FAULTS, default="joint locked"
                ),
                ChoiceField(
                    name="leg",
                    title="Leg",
                    choices=tuple(LEGS),
                    default=next(iter(LEGS)),
                ),
                ChoiceField(
                    name="part",
                    title="Part",
                    choices=(*JOINTS, *TOES),
                    default="C knee",
                    help="A joint; a toe where toes break. Computers have none.",
                ),
                ChoiceField(
                    name="lasts",
                    title="Lasts",
                    choices=tuple(LASTS),
                    default="for good",
                ),
            ),
            group="Faults",
        )

    def _brick_action(self) -> PanelAction:
        x, y = self._host.place.world.pose("amee/torso")[:2, 3].tolist()
        return PanelAction(
            name="brick",
            title="Put a brick here",
            help="6 kg, 9 cm high; feet lift 5 cm on level ground.",
            fields=(
                GroundField(
                    name="place",
                    title="Place",
                    low=(round(x - 2.5, 1), round(y - 2.5, 1)),
                    high=(round(x + 2.5, 1), round(y + 2.5, 1)),
                ),
            ),
            group="Ground",
        )

    def press(self, name: str, values: Mapping[str, Value]) -> str | None:
        host = self._host
        match name:
            case "ahead" | "left" | "right" | "halt" | "park":
                if "gait" in values:
                    host.wishes.gait = GAITS[GAITS.index(str(values["gait"]))]  # type: ignore[arg-type]
                host.go_on(name)
                return f"it {_WORDS[name]}"
            case "stop":
                host.stop_now()
                return "all drives are without current"
            case "fault":
                fault = self._fault(values)
                host.break_part(fault)
                return f"{values['kind']} now; see what it makes of it"
            case "brick":
                x, y = values["place"]  # type: ignore[misc]
                self._place_brick(float(x), float(y))
                return f"a brick lies at x {x:.2f} m, y {y:.2f} m"
            case _:
                return super().press(name, values)

    def _fault(self, values: Mapping[str, Value]) -> PlannedFault:
        """Return the fault that is wanted, from now on.

        Raises:
            ActionError: If its part does not suit it.
        """
        kind = str(values["kind"]).replace(" ", "_")
        part, leg = str(values["part"]), LEGS[str(values["leg"])] + 1
        place = f":{leg}{TOES.get(part, JOINTS.get(part, ''))}"
        if kind in ROBOT_FAULTS:
            place = ""
        elif kind in LINK_FAULTS:
            place = f":{leg}"
        elif (kind in TOE_FAULTS) != (part in TOES):
            suits = "a toe" if kind in TOE_FAULTS else "a joint"
            raise ActionError(f"{values['kind']} needs {suits}", field="part")
        lasts = LASTS[str(values["lasts"])]
        if kind in LINK_FAULTS and lasts:
            raise ActionError(f"{values['kind']} is for good", field="lasts")
        amounts = {"supply_sag": f"={SAG:g}", "messages_lost": f"={LOST:g}%"}
        text = f"{kind}{place}@{self._host.place.time:.6f}"
        text += f"+{lasts:g}" if lasts else ""
        try:
            return read_fault(text + amounts.get(kind, ""))
        except GelenkError as error:
            raise ActionError(str(error)) from error

    def _place_brick(self, x: float, y: float) -> None:
        T_world_brick = np.eye(4)
        soles = self._look.soles
        if np.hypot(*(soles[:, :2] - (x, y)).T).min() < 0.17:
            raise ActionError("a foot stands there; choose a place beside it")
        T_world_brick[:3, 3] = x, y, self._ground(x, y) + 0.5 * BRICK_SIZE[2] + 0.01
        try:
            self._host.place.world.place(BRICK, T_world_brick)
        except ConfigError as error:
            raise ActionError(str(error), field="place") from error

    def _ground(self, x: float, y: float) -> float:
        """Return about how high the ground is: that of the nearest foot [m]."""
        soles = self._look.soles
        nearest = int(np.argmin(np.hypot(*(soles[:, :2] - (x, y)).T)))
        return max(float(soles[nearest, 2]), 0.0)

    # -- what is shown -----------------------------------------------------------------

    def overlays(self) -> tuple[Overlay, ...]:
        session, seen = self._host.session, self._look
        self._trails.note(seen)
        shown = [*drawn.support(seen), *drawn.forces(seen), *self._trails.drawn()]
        if session is not None:
            shown += drawn.believed(session.desk, seen.moment.T_world_torso)
            shown += drawn.labels(seen, tables.leg_words(session.legs))
        return tuple(shown)

    def tables(self) -> tuple[Table, ...]:
        host, session = self._host, self._host.session
        if session is None:
            return ()
        return (
            tables.robot_table(session, self._look, host.place),
            tables.legs_table(session.legs, self._look, host.place),
            tables.log_table(session.desk.journal.entries),
            tables.bus_table(host.traffic),
        )

    def curves(self) -> tuple[PanelCurve, ...]:
        place = self._host.place
        feet = tuple(
            PanelCurve(
                name=f"foot forces/{name_of(leg)}",
                unit="N",
                read=lambda i=leg: float(self._look.forces[i]),
            )
            for leg in range(NUM_LEGS)
        )
        return (
            PanelCurve(name="margin/true", unit="mm", read=lambda: self._margin(False)),
            PanelCurve(
                name="margin/as believed", unit="mm", read=lambda: self._margin(True)
            ),
            *feet,
            PanelCurve(
                name="torso/off level",
                unit="deg",
                read=lambda: math.degrees(self._look.moment.tilt),
            ),
            PanelCurve(name="battery/current", unit="A", read=lambda: place.current),
            PanelCurve(name="battery/voltage", unit="V", read=lambda: place.voltage),
            PanelCurve(
                name="drives/warmest",
                unit="°C",
                read=lambda: float(temperatures(place).max()) - 273.15,
            ),
        )

    def _margin(self, is_believed: bool) -> float:
        session = self._host.session
        if is_believed:
            margin = math.nan if session is None else session.desk.margin()
        else:
            margin = self._look.moment.margin
        return 1e3 * margin if math.isfinite(margin) else math.nan
