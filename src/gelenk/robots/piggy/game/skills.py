"""How well people throw, catch and step in: three skills, chosen, no measurement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gelenk.errors import NameNotFoundError


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
