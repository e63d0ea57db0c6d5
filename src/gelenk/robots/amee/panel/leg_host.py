"""One leg on its stand, and the page that lets its time pass."""

from __future__ import annotations

import math
from collections import deque

from gelenk.robots.amee.config import HIPS, PARK_ANGLES, LegCfg
from gelenk.robots.amee.coordinator.link import RUBBISH, LocalLeg
from gelenk.robots.amee.panel.traffic import Traffic
from gelenk.robots.amee.robot import standing_angles
from gelenk.robots.amee.terrain.course import SLAB, STONE, tilted_box
from gelenk.robots.amee.wire import (
    Command,
    Message,
    Report,
    Request,
    WireProblem,
    parse_request,
)
from gelenk.robots.amee.world import HUNG_HEIGHT, AmeeWorld, WorldCfg
from gelenk.runtime.controller import Controller
from gelenk.sim.fixed_objects import Box
from gelenk.sim.world import Addable

ENDS = (
    Report.READY,
    Report.ERROR,
    Report.OUT_OF_RANGE,
    Report.COLLISION,
    Report.SENSOR_FAULT,
)
# What the leg does until somebody tells it something else; points in mm.
PROGRAMME = (
    "Move2Point:60:-480:0",
    "DoStep:60:-600:0:-60:-600:0",
    "Move2Point:-40:-460:60",
    "Move2PointTouch:20:-590:0",
)
REST = 0.6  # [s] between two of them
FLOOD = 1000.0  # texts per second


class LegHost(Controller):
    """Lets a leg pass its loop in every control tick.

    Args:
        place: The stand, with its world.
        cfg: Settings of the leg.

    Attributes:
        place: The stand, with its world.
        leg: Its two computers.
        traffic: Messages to and from it.
        is_busy: Whether it goes through its programme.
        releases: Whether `next` is sent whenever the leg waits for it.
        flood_until: When babbling ends [s].
    """

    name = "Leg"
    robot = "amee"

    def __init__(self, place: AmeeWorld, cfg: LegCfg) -> None:
        self.place, self._cfg = place, cfg
        self._begin()

    def _begin(self) -> None:
        self._pins = self.place.legs
        self.leg = LocalLeg(self._cfg, self.place.legs[0])
        self.traffic = Traffic()
        self.is_busy = self.releases = True
        self.flood_until = 0.0
        self._programme = deque(PROGRAMME)
        self._rest_until = self.place.time + 0.2
        self._is_free = True
        self._orders: list[Request] = []

    def run(self) -> None:
        """Pass on and on."""
        if self._pins is not self.place.legs:  # new ones after a reset
            self._begin()
        while self.is_running():
            self.act()
            self.sleep(0.0)

    def stop(self) -> None:
        """Take the current from its drives."""
        self.tell("stop")
        self.act()

    def tell(self, text: str) -> Request | WireProblem:
        """Put a text on the bus as anybody might; return what it is understood as."""
        request = parse_request(text)
        if isinstance(request, Request):
            self._send(request)
        else:
            self.leg.gateway.receive_text(text)  # the bus guardian counts it
        return request

    def act(self) -> None:
        """Let the leg pass once."""
        now = self.place.time
        if now < self.flood_until:
            for k in range(round(FLOOD * self.place.cfg.step)):
                text = RUBBISH[(self.place.tick + k) % len(RUBBISH)]
                self.leg.gateway.receive_text(text)
        if self.is_busy and self._is_free and now >= self._rest_until:
            self.tell(self._programme[0])
            self._programme.rotate(-1)
        orders = [(0, request) for request in self._orders]
        self._orders = []
        said = self.leg.pass_once(now)
        self.traffic.hear(now, (said,), orders)
        for message in said:
            self._answer(now, message)

    def _answer(self, now: float, message: Message) -> None:
        if message.report == Report.SYNC and self.releases:
            self._send(Request(Command.NEXT))
        elif message.report in ENDS:
            self._is_free = True
            self._rest_until = now + REST

    def _send(self, request: Request) -> None:
        if request.command not in (Command.NEXT, Command.STOP):
            self._is_free = False
        elif request.command == Command.STOP:
            self._is_free, self._rest_until = True, self.place.time + REST
        self.leg.send(request)
        self._orders.append(request)


TOP = -0.600  # [m] below the hip: where the ground under the foot is
GREASED = 0.1  # friction: the torso is held, so the foot slides in a stroke
SIZE = (0.60, 0.36, 0.04)  # [m], of the plate
GROUNDS = {
    "level": (0.0, 0.0, 0.0),
    "leans ahead by 8°": (0.0, math.radians(8.0), 0.0),
    "leans aside by 8°": (math.radians(8.0), 0.0, 0.0),
    "leans back by 12°": (0.0, math.radians(-12.0), 0.0),
    "an edge under the toes": (0.0, 0.0, 0.0),
    "nothing": None,
}


def stand_cfg(ground: str, drive: str, seed: int) -> WorldCfg:
    """Return the world of a stand.

    Args:
        ground: One of `GROUNDS`.
        drive: Profile of the drives.
        seed: Of spread and noise.
    """
    folded = tuple(float(angle) for angle in PARK_ANGLES)
    own = tuple(float(angle) for angle in standing_angles(0.5))
    return WorldCfg(
        start="hung",
        drive=drive,
        angles=(*own, *folded, *folded, *folded),
        friction=GREASED,
        extras=tuple(_things(ground)),
        seed=seed,
    )


def _things(ground: str) -> list[Addable]:
    x, y, z = HIPS[0][0], HIPS[0][1], HUNG_HEIGHT + TOP
    turn = GROUNDS[ground]
    if turn is None:
        return []
    things: list[Addable] = [
        tilted_box("plate", size=SIZE, top=(x, y, z), turn=turn, rgba=SLAB),
        Box(
            name="pillar",
            size=(0.14, 0.14, z - 0.09),
            position=(x, y, 0.5 * (z - 0.09)),
            rgba=STONE,
        ),
    ]
    if ground == "an edge under the toes":
        things.append(
            Box(
                name="edge",
                size=(0.20, 0.36, 0.03),
                position=(x + 0.17, y, z + 0.015),
                rgba=STONE,
            )
        )
    return things
