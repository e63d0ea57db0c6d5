"""What the avatar does by itself: drive, look, grasp, turn, leave, and ask.

Each state of its mission is a script that goes on by one cycle at a time. Outcomes that
need more autonomy than the robot has wait for an answer to their request; answers to
older requests and levels of older messages do not count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from gelenk.behavior.state_machines import (
    Autonomy,
    Mission,
    MissionReport,
    StateOutcome,
    Task,
)
from gelenk.course.scenarios.avatar_body import DT, FOLDED, TURN, AvatarBody
from gelenk.course.scenarios.avatar_operator import (
    EVEN,
    RESEND,
    Answer,
    Request,
    find_things,
    fit_wheel,
)
from gelenk.course.scenarios.avatar_site import Site, wheel_points
from gelenk.geometry.grasp import reachable_grasps
from gelenk.pointcloud.kd_tree import KdTree
from gelenk.typing import FloatArray

STAND = 0.62  # of the base before a wheel [m]
SURE = 0.012  # mean distance of what is seen from the template [m]
SILENCE = 4.0  # without a sign of life the link is lost [s]
SCAN_TIME = 2.0  # [s]
SCRIPTS = ("drive", "look", "grasp", "turn", "leave", "home")


@dataclass(frozen=True, slots=True, kw_only=True)
class StateStep:
    """A transition that the robot made.

    Attributes:
        time: [s].
        state: That it left.
        outcome: By which.
        required: Level that it needs.
        level: That the robot had.
        number: Of the request that was answered; 0: none.
    """

    time: float
    state: str
    outcome: str
    required: Autonomy
    level: Autonomy
    number: int = 0


class Avatar:
    """The robot's mind.

    Args:
        site: Its sensors and actuators; the truth in there is not for it.
        mapped: Where the old map has the valves [m], shape (k, 3).
        level: Autonomy at the start.
    """

    def __init__(self, site: Site, mapped: FloatArray, level: Autonomy) -> None:
        self.site, self.mapped = site, mapped
        self.body, self.wheel = AvatarBody(site), KdTree(wheel_points())
        self.tasks = self._make_tasks()
        self.mission = Mission(self.tasks, "drive", level=level)
        self.log: list[StateStep] = []
        self.requests = self.stale = 0
        self.paused = 0.0  # while the link was lost [s]
        self.is_done = False
        self.now = 0.0
        self._heard, self._newest = 0.0, 0
        self.request: Request | None = None
        self._resend = 0.0
        self._script: Iterator[str | None] | None = None
        self._valve = 0
        self._failed: list[FloatArray] = []
        self._correction: FloatArray | None = None
        self._things: tuple[FloatArray, ...] = ()
        self._T_base_wheel: FloatArray | None = None
        self._grip, self._uneven = "", 0.0

    # -- one cycle ---------------------------------------------------------------------

    def step(self, mail: list[object], now: float) -> list[Request]:
        """Return what it sends after one cycle.

        Args:
            mail: What has come from the operator.
            now: Time [s].
        """
        self.now = now
        for answer in mail:
            if isinstance(answer, Answer):
                self._take(answer)
        is_lost = now - self._heard > SILENCE
        is_touching = self.mission.state in ("grasp", "turn")
        if is_lost and is_touching and self.mission.level < Autonomy.FULL:
            self.paused += DT  # nobody could stop it
            return []
        before, level = self.mission.state, self.mission.level
        report = self.mission.step(self)
        self.is_done = report.is_done
        if report.waiting:
            return self._ask(report)
        if self.mission.history and self.mission.state != before:
            self._note(before, level)
        return []

    def _note(self, state: str, level: Autonomy) -> None:
        _, outcome, is_confirmed = self.mission.history[-1]
        required = self.tasks[state].outcomes[outcome].required
        number = self.request.number if is_confirmed and self.request else 0
        self.log.append(
            StateStep(
                time=self.now,
                state=state,
                outcome=outcome,
                required=required,
                level=level,
                number=number,
            )
        )
        self.request = None

    def _ask(self, report: MissionReport) -> list[Request]:
        if self.request is None:
            self.requests += 1
            self.request = Request(
                number=self.requests,
                state=report.state,
                outcome=report.waiting,
                clusters=self._things if report.state == "look" else (),
                T_base_object=self._T_base_wheel,
                uneven=self._uneven,
            )
            self._resend = 0.0
        if self.now < self._resend:
            return []
        self._resend = self.now + RESEND
        return [self.request]

    def _take(self, answer: Answer) -> None:
        self._heard = self.now
        if answer.count > self._newest:
            self._newest, self.mission.level = answer.count, answer.level
        if not answer.number:
            return
        if self.request is None or answer.number != self.request.number:
            self.stale += 1
            return
        if answer.verdict == "confirm":
            self.mission.confirm()
        elif answer.verdict == "correct":
            self._correction = answer.T_base_object
            self.mission.reject()
            self.request = None
        else:
            before, level = self.mission.state, self.mission.level
            self.site.open_hand()
            self.mission.force("missed")
            self._note(before, level)

    # -- the mission -------------------------------------------------------------------

    def _make_tasks(self) -> dict[str, Task]:
        low, high, full = Autonomy.LOW, Autonomy.HIGH, Autonomy.FULL
        table: dict[str, dict[str, tuple[str, Autonomy]]] = {
            "drive": {"arrived": ("look", low)},
            "look": {
                "sure": ("grasp", high),
                "doubtful": ("grasp", full),
                "nothing": ("look again", low),
            },
            "look again": {"go": ("look", Autonomy.OFF)},
            "grasp": {
                "held": ("turn", high),
                "held badly": ("turn", full),
                "missed": ("look", low),
                "out of reach": ("drive", low),
            },
            "turn": {"open": ("leave", low), "slipped": ("look", low)},
            "leave": {"next": ("drive", low), "all": ("home", low)},
            "home": {"arrived": ("done", low)},
            "done": {},
        }
        return {
            name: Task(
                run=self._runner(name),
                outcomes={
                    way: StateOutcome(target=target, required=required)
                    for way, (target, required) in ways.items()
                },
            )
            for name, ways in table.items()
        }

    def _runner(self, name: str) -> Callable[[Avatar], str | None]:
        def run(world: Avatar) -> str | None:
            if name == "look again":
                return "go"
            if name not in SCRIPTS:
                return None
            script = self._script or getattr(self, f"_{name}")()
            self._script, outcome = script, next(script)
            if outcome is not None:
                self._script = None
            return outcome

        return run

    # -- scripts: None while they go on, then the outcome ----------------------------

    def _drive(self) -> Iterator[str | None]:
        if self._T_base_wheel is not None:  # it was seen, but out of reach
            x, y = self.body.in_world(self._T_base_wheel[:3, 3])[:2]
        else:
            x, y = self.mapped[self._valve, :2]
        yield from self.body.go([x - STAND, y, 0.0])
        yield "arrived"

    def _home(self) -> Iterator[str | None]:
        yield from self.body.go([0.0, 0.0, 0.0])
        yield "arrived"

    def _leave(self) -> Iterator[str | None]:
        yield from self.body.move_arm(FOLDED)
        for _ in range(round(1.0 / (0.4 * DT))):
            self.body.roll(-0.4, 0.0)
            yield None
        self._valve += 1
        self._failed, self._T_base_wheel = [], None
        yield "next" if self._valve < len(self.mapped) else "all"

    def _look(self) -> Iterator[str | None]:
        self.site.open_hand()
        yield from self.body.move_arm(FOLDED)
        for _ in range(round(SCAN_TIME / DT)):
            yield None
        self._things = find_things(self.site.scan())
        start, self._correction = self._correction, None
        expected = self.body.in_base(self.mapped[self._valve])
        if start is not None:
            expected = start[:3, 3]
        things = [t for t in self._things if start is not None or self._is_new(t)]
        if not things:
            self._failed = []  # nothing else left: what failed gets another chance
            yield "nothing"
            return
        away = [np.linalg.norm(t.mean(axis=0) - expected) for t in things]
        thing = things[int(np.argmin(away))]
        off, self._T_base_wheel = fit_wheel(thing, self.wheel, T_start=start)
        yield "sure" if off < SURE else "doubtful"

    def _grasp(self) -> Iterator[str | None]:
        T_base_wheel = self._T_base_wheel
        assert T_base_wheel is not None
        names = reachable_grasps(self.body.template, T_base_wheel, self.body.can_reach)
        name = next((n for n in names if self.body.turn_path(T_base_wheel, n)), "")
        if not name:
            yield "out of reach"
            return
        self._grip = name
        before, at = self.body.template.placed(T_base_wheel, name)
        for T in (before, at):
            yield from self.body.move_arm(self.body.inverse(T))
        holds, self._uneven = self.site.close_hand()
        if not holds:
            self._failed.append(self.body.in_world(T_base_wheel[:3, 3]))
            yield "missed"
            return
        yield "held" if self._uneven < EVEN else "held badly"

    def _turn(self) -> Iterator[str | None]:
        assert self._T_base_wheel is not None
        path = self.body.turn_path(self._T_base_wheel, self._grip)
        for q in path[1:]:
            for _ in range(5):
                yield None
            if self.site.turn_hand(q, TURN / (len(path) - 1)):
                yield "slipped"
                return
        self.site.open_hand()
        yield "open"

    def _is_new(self, thing: FloatArray) -> bool:
        place = self.body.in_world(thing.mean(axis=0))
        return all(np.linalg.norm(place - failed) > 0.15 for failed in self._failed)
