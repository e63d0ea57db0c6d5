"""People on two circles around the robot: places, throws, catches, and their skills.

They belong to the simulated world: they see the ball itself, the robot does not.
Only the arc in front of the robot is used, because its cameras look there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.robots.piggy.config import UNIT
from gelenk.typing import ArrayLike, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """What a person can do with a ball.

    Attributes:
        name: "beginner", "average" or "skilled".
        throw_sigma: Scatter of throws across and up, at the robot [m].
        flight_times: Shortest and longest of throws from the outer circle [s].
        spin_sigma: Of throws, about each axis [rad/s].
        hands: Probability of holding a ball that is well in reach.
        reaction: Before anything moves after the robot's hit [s].
        arm_time: From the start of the arms' motion until they are stretched [s].
        arms: Reach of the stretched arms from the body's axis [m].
        step_speed: Of stepping towards a ball [m/s].
        leap: Above the stretched arms, by jumping [m].
    """

    name: str
    throw_sigma: float
    flight_times: tuple[float, float]
    spin_sigma: float
    hands: float
    reaction: float
    arm_time: float
    arms: float
    step_speed: float
    leap: float


SKILLS: Mapping[str, Skill] = {
    skill.name: skill
    for skill in (
        Skill(
            name="beginner",
            throw_sigma=0.20,
            flight_times=(0.7, 1.0),
            spin_sigma=5.0,
            hands=0.80,
            reaction=0.35,
            arm_time=0.30,
            arms=0.60,
            step_speed=0.7,
            leap=0.0,
        ),
        Skill(
            name="average",
            throw_sigma=0.13,
            flight_times=(0.75, 0.98),
            spin_sigma=4.0,
            hands=0.93,
            reaction=0.30,
            arm_time=0.25,
            arms=0.70,
            step_speed=1.1,
            leap=0.1,
        ),
        Skill(
            name="skilled",
            throw_sigma=0.06,
            flight_times=(0.82, 0.95),
            spin_sigma=3.0,
            hands=0.998,
            reaction=0.25,
            arm_time=0.20,
            arms=0.80,
            step_speed=1.6,
            leap=0.2,
        ),
    )
}


def get_skill(name: str | Skill) -> Skill:
    """Return a skill by its name."""
    if isinstance(name, Skill):
        return name
    if name not in SKILLS:
        raise NameNotFoundError("skill", name, SKILLS)
    return SKILLS[name]


OUTER, INNER = 3.4, 2.0  # [m], of the two circles about the robot
TEAM_ARC = math.radians(
    18.0
)  # [rad] to either side: both cameras still see raised arms
OPPONENT_ARC = math.radians(11.0)  # [rad]
CENTRE = (UNIT.origin[0], UNIT.origin[1])  # [m], of both circles
BODY = 0.22  # [m], what a person covers without moving
SHOULDERS = 0.82  # of the body's height
STEP_DELAY = 0.1  # [s], after the arms have begun to move
LOWEST_CATCH = 0.4  # [m]
HANDS_HEIGHT = 1.0  # of the body's height: team-mates hold their hands up
EDGE = 0.3  # of the reach, from its end: where holding the ball gets difficult
LONGEST = 1.6  # [s], after which the ball is on the floor

Side = Literal["team", "opponents"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody who plays.

    Attributes:
        name: In the log.
        side: "team" stands on the outer circle, "opponents" on the inner one.
        place: On the floor [m], world x and y.
        height: Of the body [m].
        skill: What they can do.
        grey: Of the clothes, 0 to 1.
    """

    name: str
    side: Side
    place: tuple[float, float]
    height: float
    skill: Skill
    grey: float = 0.3

    @property
    def hands(self) -> FloatArray:
        """Where they would like to catch [m], (3,)."""
        return np.array([*self.place, HANDS_HEIGHT * self.height])


@dataclass(frozen=True, slots=True, kw_only=True)
class Catch:
    """Who got the ball, and when [s] after the robot's hit."""

    person: Person
    time: float


def spot(radius: float, azimuth: float) -> tuple[float, float]:
    """Return the place on a circle; azimuth to the robot's right of straight ahead."""
    return (
        CENTRE[0] + radius * math.sin(azimuth),
        CENTRE[1] + radius * math.cos(azimuth),
    )


def make_people(
    rng: np.random.Generator,
    *,
    team: Sequence[str | Skill],
    opponents: Sequence[str | Skill],
    wobble: float = math.radians(1.0),
) -> tuple[Person, ...]:
    """Return people spread over both arcs.

    Args:
        rng: Source of heights, clothes and small deviations.
        team: Skill of each team-mate.
        opponents: Skill of each opponent.
        wobble: Standard deviation of their azimuth [rad].
    """
    if not team:
        raise ConfigError("`team` must name at least one skill, got none")
    people: list[Person] = []
    rows: tuple[tuple[Side, Sequence[str | Skill], float, float], ...] = (
        ("team", team, OUTER, TEAM_ARC),
        ("opponents", opponents, INNER, OPPONENT_ARC),
    )
    for side, skills, radius, arc in rows:
        count = len(skills)
        middles = np.linspace(-arc, arc, count) if count > 1 else np.zeros(count)
        for k, (skill, middle) in enumerate(zip(skills, middles, strict=True)):
            person = Person(
                name=f"{side} {k + 1}",
                side=side,
                place=spot(radius, float(middle + wobble * rng.normal())),
                height=float(np.clip(rng.normal(1.74, 0.06), 1.6, 1.95)),
                skill=get_skill(skill),
                grey=float(rng.uniform(0.08, 0.45)),
            )
            people.append(person)
    return tuple(people)


def swap(a: Person, b: Person) -> tuple[Person, Person]:
    """Return both with side and place exchanged."""
    return (
        replace(a, side=b.side, place=b.place),
        replace(b, side=a.side, place=a.place),
    )


def reach_at(person: Person, time: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return how far somebody has got after the hit: by the arms, and by a step [m].

    First the body alone, then the arms, then a step.

    Args:
        person: Who.
        time: Since the robot's hit [s], any shape.
    """
    skill = person.skill
    moving = np.maximum(np.asarray(time, dtype=np.float64) - skill.reaction, 0.0)
    arms = (skill.arms - BODY) * np.minimum(moving / skill.arm_time, 1.0)
    return BODY + arms, skill.step_speed * np.maximum(moving - STEP_DELAY, 0.0)


def catch_chance(
    person: Person, time: ArrayLike, position: ArrayLike
) -> tuple[float, float]:
    """Return with which probability and when somebody catches a flying ball.

    Arms reach as far as they are long from the shoulders: above the head not as wide as
    before the chest.

    Args:
        person: Who.
        time: Since the robot's hit [s], (n,).
        position: Of the ball [m], (n, 3).

    Returns:
        Probability, and the time of the best moment; 0 and NaN if there is none.
    """
    t = as_finite("time", time, ())
    p = as_finite("position", position, (3,))
    away = np.hypot(p[:, 0] - person.place[0], p[:, 1] - person.place[1])
    arms, step = reach_at(person, t)
    shoulder = SHOULDERS * person.height + person.skill.leap
    above = np.maximum(p[:, 2] - shoulder, 0.0)
    distance = np.hypot(np.maximum(away - step, 0.0), above)
    is_level = (p[:, 2] >= LOWEST_CATCH) & (t <= LONGEST)
    ease = np.clip((arms - distance) / (EDGE * arms), 0.0, 1.0)
    ease = np.where(is_level, ease, 0.0)
    k = int(np.argmax(ease))
    if ease[k] <= 0.0:
        return 0.0, math.nan
    return float(person.skill.hands * ease[k]), float(t[k])


def try_catch(
    people: Sequence[Person],
    time: ArrayLike,
    position: ArrayLike,
    rng: np.random.Generator,
) -> Catch | None:
    """Return who catches the ball; each who can tries once, in order of time.

    Args:
        people: All who stand around.
        time: Since the robot's hit [s], (n,).
        position: Of the ball [m], (n, 3).
        rng: Source of luck.
    """
    tries = [(*catch_chance(person, time, position), person) for person in people]
    for chance, when, person in sorted(
        (item for item in tries if item[0] > 0.0), key=lambda item: item[1]
    ):
        if rng.uniform() < chance:
            return Catch(person=person, time=when)
    return None
