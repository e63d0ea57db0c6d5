"""One leg on its stand: the page lets time pass, its two computers do the rest."""

from __future__ import annotations

from collections import deque

from gelenk.robots.amee.config import LegCfg
from gelenk.robots.amee.coordinator.link import RUBBISH, LocalLeg
from gelenk.robots.amee.panel.traffic import Traffic
from gelenk.robots.amee.wire import (
    Command,
    Message,
    Report,
    Request,
    WireProblem,
    parse_request,
)
from gelenk.robots.amee.world import AmeeWorld
from gelenk.runtime.controller import Controller

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
