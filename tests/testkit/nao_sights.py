"""What NAOs with known errors would report: pixels and readings for calibrations.

The pixels come from `robots.nao.truth`, which shares nothing with the calibration.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.calibration.problem import CalibrationProblem, Observation
from gelenk.robots.nao.config import IMAGE_SIZE
from gelenk.robots.nao.errors import NaoErrors
from gelenk.robots.nao.joints import (
    HEAD,
    LEG,
    SIDES,
    limits,
    mirror,
    model_from_body,
)
from gelenk.robots.nao.parameters import EYE
from gelenk.robots.nao.poses.body import body_pose, looking_poses
from gelenk.robots.nao.robot_with_errors import nominal_model
from gelenk.robots.nao.truth import project_truth
from gelenk.typing import FloatArray

BORDER = 10.0  # [px], of random poses


@dataclass(frozen=True, slots=True, kw_only=True)
class SightNoise:
    """How eyes and encoders err.

    Attributes:
        pixel: Standard deviation of a pixel coordinate [px].
        outliers: Share of points that are anywhere within `reach` of the truth.
        reach: [px].
        encoder_step: Width of the steps of all joint readings [rad]; 0: exact.
    """

    pixel: float = 0.035
    outliers: float = 0.0
    reach: float = 40.0
    encoder_step: float = 0.0


def seen_by_nao(
    problem: CalibrationProblem,
    errors: NaoErrors,
    bodies: FloatArray,
    rng: np.random.Generator,
    noise: SightNoise | None = None,
) -> list[Observation]:
    """Return the sights of both boards; a pose of a leg is a group.

    Args:
        problem: Made by `nao_problem`.
        errors: Of the robot.
        bodies: Readings in the poses of the left leg, three head poses each, shape
            (n, 3, 22); the right leg takes their mirror images.
        rng: Draws noise, outliers and the rounding of the readings.
        noise: How eyes and encoders err.
    """
    noise = noise or SightNoise()
    sights: list[Observation] = []
    for side in SIDES:
        readings = bodies if side == "left" else mirror(bodies)
        n, heads, _ = readings.shape
        # A reading is the rounded angle, so the angle is the reading and a bit.
        rest = rng.uniform(-0.5, 0.5, (n, 1, 22)) * np.ones((1, heads, 1))
        rest[..., HEAD] = rng.uniform(-0.5, 0.5, (n, heads, 2))
        rest[..., LEG["right"].start] = rest[..., LEG["left"].start]
        view = project_truth(errors, readings + noise.encoder_step * rest, side)
        pixels = view.pixels + noise.pixel * rng.normal(size=view.pixels.shape)
        wrong = rng.random(pixels.shape[:-1]) < noise.outliers
        far = rng.uniform(-noise.reach, noise.reach, pixels.shape)
        pixels = pixels + wrong[..., None] * far
        q = model_from_body(problem.model, readings)
        first = 0 if side == "left" else n
        for i in range(n):
            for h in range(heads):
                seen = np.flatnonzero(view.is_visible[i, h])
                sights.append(
                    Observation(
                        camera=EYE,
                        target=side,
                        q=q[i, h],
                        points=seen,
                        pixels=pixels[i, h, seen],
                        group=first + i,
                    )
                )
    return sights


def random_bodies(count: int, rng: np.random.Generator) -> FloatArray:
    """Return poses of the left leg whose board the head sees, shape (count, 3, 22).

    Spread over the ranges of the joints; nothing is said about collisions.
    """
    low, high = limits()[:, LEG["left"]]
    model, perfect = nominal_model(), NaoErrors()
    found = np.empty((0, 3, 22))
    while len(found) < count:
        legs = rng.uniform(low, high, (2000, 6))
        bodies, reached = looking_poses(model, body_pose(legs, "left"), "left")
        bodies = bodies[reached]
        view = project_truth(perfect, bodies, "left")
        with np.errstate(invalid="ignore"):
            inside = (view.pixels > BORDER) & (
                view.pixels < np.array(IMAGE_SIZE) - BORDER
            )
        good = (view.is_visible & inside.all(axis=-1)).all(axis=(1, 2))
        found = np.concatenate([found, bodies[good]])
    return found[:count]
