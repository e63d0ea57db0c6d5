"""All exercises, in the order of a course."""

from __future__ import annotations

from gelenk.errors import NameNotFoundError
from gelenk.robots.armbot.exercise.record import Exercise
from gelenk.robots.armbot.exercise.tasks import (
    dh,
    differential,
    lines,
    orientation,
    planar,
    redundancy,
    rotations,
    scara,
    simple_arm,
    simple_arm_inverse,
    steps,
    tripod,
)

EXERCISES: tuple[Exercise, ...] = (
    rotations.ROTATION_XZ,
    rotations.ROTO_TRANSLATION,
    orientation.PLANE_ANGLES,
    dh.DH_ROW,
    planar.PLANAR_FORWARD,
    planar.PLANAR_INVERSE,
    simple_arm.SIMPLE_FORWARD,
    simple_arm_inverse.SIMPLE_INVERSE,
    orientation.WRIST,
    scara.SCARA,
    tripod.TRIPOD,
    simple_arm.SIMPLE_JACOBIAN,
    differential.NUMERIC_JACOBIAN,
    redundancy.PSEUDO_INVERSE,
    steps.JACOBIAN_IK,
    lines.STRAIGHT_LINE,
)


def get_exercise(name: str) -> Exercise:
    """Return the exercise of this name.

    Raises:
        NameNotFoundError: If there is none; it names the closest one.
    """
    for exercise in EXERCISES:
        if exercise.name == name:
            return exercise
    raise NameNotFoundError("exercise", name, [e.name for e in EXERCISES])
