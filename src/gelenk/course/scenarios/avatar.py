"""Disaster avatar: three valves to open, and an operator who must allow what is risky.

The same site is worked three times: asking before every transition, alone without
asking at all, and with a level that the operator raises when the robot was right and
lowers when it was not. Who asks more makes fewer mistakes and takes longer. The link
between them delays and fails; the robot then waits, and never does what its level does
not allow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gelenk.behavior.state_machines import Autonomy
from gelenk.course.scenarios.avatar_body import DT, TURN
from gelenk.course.scenarios.avatar_film import declare, shoot
from gelenk.course.scenarios.avatar_mind import Avatar, Step
from gelenk.course.scenarios.avatar_operator import (
    Answer,
    Link,
    Operator,
    draw_outages,
)
from gelenk.course.scenarios.avatar_site import Site, make_site, wheel_points
from gelenk.course.scenarios.outcome import Outcome
from gelenk.pointcloud.kd_tree import KdTree

if TYPE_CHECKING:
    from gelenk.course.film import Film

TITLE = "disaster avatar"
MAX_TIME = 300.0  # of the adaptive mission [s]
MAX_MISTAKES = 0  # of the adaptive mission
LIMIT = 900.0  # then a mission is given up [s]
RECOMMENDED = "adaptive"
SETTINGS = {
    "asking": (Autonomy.OFF, False),
    "adaptive": (Autonomy.LOW, True),
    "alone": (Autonomy.FULL, False),
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Run:
    """One mission.

    Attributes:
        site: As it was left.
        robot: Its mind at the end.
        sent: Answers of the operator, with the time [s].
        time: [s].
    """

    site: Site
    robot: Avatar
    sent: Sequence[tuple[float, Answer]]
    time: float

    @property
    def is_done(self) -> bool:
        """Whether all valves are open and the robot is back."""
        is_open = all(angle > 0.95 * TURN for angle in self.site.turned)
        return is_open and bool(np.hypot(*self.site.pose[:2]) < 0.3)


def run(seed: int, film: Film | None = None) -> Outcome:
    """Return how three missions went.

    Figures of each, such as "adaptive time [s]", "adaptive requests", "adaptive
    mistakes", "adaptive slips" (of wet wheels), "adaptive paused [s]" (the hand was
    held still while the link was lost) and "adaptive unallowed" (transitions that
    nobody had allowed).
    """
    figures: dict[str, float] = {}
    done: dict[str, bool] = {}
    for name, (level, adapts) in SETTINGS.items():
        mission = carry_out(
            seed, level, adapts=adapts, film=film if name == RECOMMENDED else None
        )
        done[name] = mission.is_done
        figures |= {
            f"{name} done": float(mission.is_done),
            f"{name} time [s]": mission.time,
            f"{name} requests": float(mission.robot.requests),
            f"{name} mistakes": float(len(mission.site.mistakes)),
            f"{name} slips": float(len(mission.site.dried)),
            f"{name} paused [s]": mission.robot.paused,
            f"{name} unallowed": float(
                count_unallowed(mission.robot.log, mission.sent, start=level)
            ),
        }
    f = figures
    wishes = {
        "the adaptive mission failed": done["adaptive"],
        "adaptive: too slow": f["adaptive time [s]"] < MAX_TIME,
        "adaptive: too many mistakes": f["adaptive mistakes"] <= MAX_MISTAKES,
        "something was done that nobody had allowed": not any(
            f[f"{name} unallowed"] for name in SETTINGS
        ),
        "the order of requests": f["asking requests"]
        > f["adaptive requests"]
        > f["alone requests"],
        "the order of mistakes": max(f["asking mistakes"], f["adaptive mistakes"])
        < f["alone mistakes"],
        "asking was no slower": f["asking time [s]"]
        > max(f["adaptive time [s]"], f["alone time [s]"]),
    }
    problems = [text for text, is_so in wishes.items() if not is_so]
    return Outcome(
        seed=seed, is_reached=not problems, figures=figures, reason="; ".join(problems)
    )


def carry_out(
    seed: int, level: Autonomy, *, adapts: bool, film: Film | None = None
) -> Run:
    """Return one mission on the site of a seed.

    Args:
        seed: Of the site, the sensors, the link and the operator.
        level: At the start.
        adapts: Whether the operator changes it.
        film: Where to show it.
    """
    site = make_site(seed)
    mapped = np.array([valve.mapped for valve in site.valves])
    robot = Avatar(site, mapped, level)
    rngs = [np.random.default_rng([seed, 2, k]) for k in range(3)]
    outages = draw_outages(np.random.default_rng([seed, 3]), LIMIT)
    up, down = (Link(outages=outages, rng=rng) for rng in rngs[:2])
    operator = Operator(
        level=level, adapts=adapts, wheel=KdTree(wheel_points()), rng=rngs[2]
    )
    if film is not None:
        declare(film, site)
    now = 0.0
    while now < LIMIT and not robot.is_done:
        now += DT
        for answer in operator.step(up.receive(now), now):
            down.send(answer, now)
        for request in robot.step(down.receive(now), now):
            up.send(request, now)
        if film is not None and film.wants(now):
            shoot(film, now, site, robot)
    return Run(site=site, robot=robot, sent=operator.sent, time=now)


def count_unallowed(
    log: Sequence[Step], sent: Sequence[tuple[float, Answer]], *, start: Autonomy
) -> int:
    """Return how many transitions neither a level nor an answer had allowed.

    Args:
        log: Transitions of the robot.
        sent: What the operator has really sent, and when [s].
        start: Level at the start.
    """
    count = 0
    for step in log:
        before = [answer for time, answer in sent if time < step.time]
        is_level_given = step.level in {start, *(answer.level for answer in before)}
        is_answered = any(
            answer.number == step.number and answer.verdict in ("confirm", "again")
            for answer in before
            if step.number
        )
        is_allowed = is_level_given and step.level >= step.required
        count += not (is_allowed or is_answered)
    return count
