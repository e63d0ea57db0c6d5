"""A walk on the page: legs and main controller act, the page lets time pass."""

from __future__ import annotations

from gelenk.robots.amee.coordinator.coordinator import Coordinator
from gelenk.robots.amee.coordinator.diagnosis import Entry
from gelenk.robots.amee.coordinator.link import LinkFault
from gelenk.robots.amee.fault_plan import PlannedFault
from gelenk.robots.amee.panel.steering import Wish, Wishes, follow
from gelenk.robots.amee.panel.traffic import Traffic
from gelenk.robots.amee.port import LegPort
from gelenk.robots.amee.session import Session, WalkCfg
from gelenk.robots.amee.words import name_of
from gelenk.robots.amee.world import AmeeWorld
from gelenk.runtime.controller import Controller
from gelenk.runtime.events import LOG_TOPIC, LogEvent

_LEVELS = {"warning": "warning", "fault": "error"}


class WalkHost(Controller):
    """Lets the four legs and the main controller act in every control tick.

    Attributes:
        place: Where AMEE walks.
        wishes: Of visitors.
        session: Legs and main controller; None before the start.
        traffic: Messages on the bus.
    """

    name = "Robot"
    robot = "amee"

    def __init__(self, place: AmeeWorld, cfg: WalkCfg, wishes: Wishes) -> None:
        self.place, self.wishes = place, wishes
        self._cfg = cfg
        self._told = 0
        self._pins: tuple[LegPort, ...] = ()
        self.session: Session | None = None
        self.traffic = Traffic()

    def run(self) -> None:
        """Walk as visitors want it, until somebody ends it."""
        if self._pins is not self.place.legs:  # new ones after a reset, too
            self._begin()
        else:
            self.go_on(self.wishes.wish)
        while self.is_running():
            self.act()
            self.sleep(0.0)

    def stop(self) -> None:
        """Take the current from all drives."""
        session = self.session
        if session is not None and session.coordinator.state == "walking":
            session.coordinator.stop("the program was ended")
            self.act()  # orders leave
            self.act()  # legs take them

    def act(self) -> None:
        """Let everybody act once; tell what was decided."""
        session = self.session
        assert session is not None
        now = self.place.time
        self.traffic.hear(now, *session.act())
        entries = session.desk.journal.entries
        for entry in entries[self._told :]:
            self._tell(entry)
        self._told = len(entries)

    def go_on(self, wish: Wish) -> None:
        """Take a wish; one that has stopped begins again."""
        session = self.session
        if session is None:
            return
        self.wishes.want(wish)
        if session.coordinator.state != "walking":
            plan = follow(session.walker, self.wishes, is_again=True)
            session.coordinator = Coordinator(session.desk, plan)

    def stop_now(self) -> None:
        """Take the current from all drives in the next loop."""
        if self.session is not None:
            self.session.coordinator.stop("the visitor said stop")

    def break_part(self, fault: PlannedFault) -> None:
        """Let something break."""
        if isinstance(fault, LinkFault):
            if self.session is not None:
                self.session.legs[fault.leg].add(fault)
        else:
            self.place.inject(fault)

    def _begin(self) -> None:
        self.wishes.is_down = False
        self.traffic = Traffic()
        self._told = 0
        self._pins = self.place.legs
        self.session = Session(
            self._cfg, lambda walker: follow(walker, self.wishes), world=self.place
        )

    def _tell(self, entry: Entry) -> None:
        who = "robot" if entry.leg < 0 else name_of(entry.leg)
        level = _LEVELS.get(entry.weight, "info")
        event = LogEvent(level=level, source=who, text=entry.text)  # type: ignore[arg-type]
        self.publish(LOG_TOPIC, event)
