"""Disaster avatar: three valves, and an operator behind a bad link; with its film.

The same site is worked three times: asking before every transition, alone without
asking at all, and with a level that the operator raises when the robot was right and
lowers when it was not. Who asks more makes fewer mistakes and takes longer. The link
between them delays and fails; the robot then waits, and never does what its level does
not allow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gelenk.behavior.state_machines import Autonomy
from gelenk.course.film import Film, standing
from gelenk.course.scenarios.avatar_body import DT, TURN
from gelenk.course.scenarios.avatar_mind import Avatar, StateStep
from gelenk.course.scenarios.avatar_operator import (
    Answer,
    Operator,
    RadioLink,
    draw_outages,
)
from gelenk.course.scenarios.avatar_site import (
    GAUGE,
    T_BASE_ARM,
    TUBE,
    WALL,
    WHEEL,
    Site,
    make_arm,
    make_site,
    wheel_points,
)
from gelenk.course.scenarios.outcome import TrialOutcome
from gelenk.pointcloud.kd_tree import KdTree
from gelenk.spatial import se3, so3


def declare(film: Film, site: Site) -> None:
    """Put the site and the robot into a film."""
    film.box("floor", [6.0, 8.0, 0.02], color="light_grey")
    film.box("wall", [0.1, 8.0, 2.0], color="sand")
    poses = {
        "floor": standing([2.0, 0.0, -0.01]),
        "wall": standing([WALL + 0.05, 0.0, 1.0]),
    }
    for k, valve in enumerate(site.valves):
        film.disc(f"wheel {k}", WHEEL, 2.0 * TUBE, color="red")
        film.box(f"mark {k}", [WHEEL, 0.02, 0.04], color="white")
        film.disc(f"gauge {k}", GAUGE, 0.02, color="dark_grey")
        poses[f"gauge {k}"] = se3.pose_from_rotation_translation(
            so3.rot_y(-0.5 * np.pi), valve.gauge
        )
    film.look((-0.75, -0.45, 0.5))  # the valves are on the near side of the wall
    film.box("base", [0.6, 0.5, 0.5], color="blue")
    film.arm("arm", make_arm())
    film.shoot(0.0, poses=poses)


def shoot(film: Film, now: float, site: Site, robot: Avatar) -> None:
    """Show what is really there, what the robot sends, and whom it waits for."""
    base = site.base_frame
    poses = {
        "base": base @ standing([0.0, 0.0, 0.27]),
        "arm": base @ T_BASE_ARM,
    }
    for k, (valve, angle) in enumerate(zip(site.valves, site.turned, strict=True)):
        turned = valve.T_world_wheel @ standing([0.0, 0.0, 0.0], angle)
        poses[f"wheel {k}"] = turned
        poses[f"mark {k}"] = turned @ standing([0.5 * WHEEL, 0.0, 0.0])
    request, level = robot.request, robot.mission.level
    text = f"{robot.mission.state}, level {level.name.lower()}"
    things = np.zeros((0, 3))
    if request is not None:
        text += f", asks: {request.outcome}?"
        things = np.concatenate([things, *request.clusters])
    film.shoot(
        now,
        poses=poses,
        joints={"arm": site.q},
        clouds={"sent": se3.transform_point(base, things)},
        curves={
            "level [1]": float(level),
            "requests [1]": float(robot.requests),
            "mistakes [1]": float(len(site.mistakes)),
        },
        text=text,
    )


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
class AvatarMission:
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


def run(seed: int, film: Film | None = None) -> TrialOutcome:
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
    return TrialOutcome(
        seed=seed, is_reached=not problems, figures=figures, reason="; ".join(problems)
    )


def carry_out(
    seed: int, level: Autonomy, *, adapts: bool, film: Film | None = None
) -> AvatarMission:
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
    up, down = (RadioLink(outages=outages, rng=rng) for rng in rngs[:2])
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
    return AvatarMission(site=site, robot=robot, sent=operator.sent, time=now)


def count_unallowed(
    log: Sequence[StateStep], sent: Sequence[tuple[float, Answer]], *, start: Autonomy
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
