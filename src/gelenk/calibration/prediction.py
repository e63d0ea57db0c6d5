"""Predicted pixels of observations, their residuals, derivatives and information."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from gelenk.calibration.passes import make_observation_set
from gelenk.calibration.problem import CalibrationProblem, Observation
from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray

ResidualMode = Literal["xy", "distance"]


def predict(
    problem: CalibrationProblem, values: ArrayLike | None, observation: Observation
) -> FloatArray:
    """Return where the points of an observation should appear [px], shape (k, 2).

    Args:
        problem: The problem.
        values: Parameters, shape (P,); None: nominal.
        observation: Camera, target and posture; pixels do not matter.
    """
    campaign, X = make_observation_set(problem, observation, values)
    return campaign.predict(X)


def residuals(
    problem: CalibrationProblem,
    values: ArrayLike | None,
    observations: Observation | Sequence[Observation],
    *,
    mode: ResidualMode = "xy",
) -> FloatArray:
    """Return prediction - observation of all points, in the given order [px].

    Args:
        problem: The problem.
        values: Parameters, shape (P,); None: nominal.
        observations: Observation or sequence of observations.
        mode: "xy": two numbers per point, shape (2 N,); "distance": their length, (N,),
            as Kastner 2014 Eq. 4.9 has it. Their sums of squares are equal.
    """
    campaign, X = make_observation_set(problem, observations, values)
    r = np.empty((campaign.num_points, 2))
    r[campaign.point_order] = campaign.residuals(X)
    if mode == "xy":
        return r.reshape(-1)
    if mode == "distance":
        return np.hypot(r[:, 0], r[:, 1])
    raise ConfigError(f"`mode` must be 'xy' or 'distance', got {mode!r}")


def jacobian(
    problem: CalibrationProblem,
    values: ArrayLike | None,
    observations: Observation | Sequence[Observation],
) -> FloatArray:
    """Return the derivatives of `residuals` ("xy") by the parameters, (2 N, P).

    The loads of compliance and play count as constants: they change by a hundredth of
    what they cause.
    """
    campaign, X = make_observation_set(problem, observations, values)
    _, J = campaign.jacobian(X)
    out = np.empty_like(J).reshape(-1, 2, len(X.x))
    out[campaign.point_order] = J.reshape(-1, 2, len(X.x))
    return out.reshape(J.shape)


def information(
    problem: CalibrationProblem,
    values: ArrayLike | None,
    observations: Observation | Sequence[Observation],
    *,
    noise: float = 1.0,
) -> FloatArray:
    """Return the information about the parameters, J^T J / noise^2, shape (P, P).

    Reading errors count: what they hide is not information. Priors are not included.

    Args:
        problem: The problem.
        values: Parameters, shape (P,); None: nominal.
        observations: Observation or sequence of observations; pixels do not matter.
        noise: Standard deviation of a pixel coordinate [px].
    """
    campaign, X = make_observation_set(problem, observations, values)
    return campaign.evaluate(X, noise=noise).H


def informations(
    problem: CalibrationProblem,
    values: ArrayLike | None,
    observations: Sequence[Observation],
    *,
    noise: float = 1.0,
) -> FloatArray:
    """Return the information of each group, by rising number, shape (G, P, P)."""
    campaign, X = make_observation_set(problem, observations, values)
    return campaign.evaluate(X, noise=noise, by_group=True).parts


def expected_observation(
    problem: CalibrationProblem,
    camera: str,
    target: str,
    q: ArrayLike,
    *,
    values: ArrayLike | None = None,
    points: ArrayLike | None = None,
    group: int = 0,
) -> Observation:
    """Return the observation that `predict` promises: a candidate to choose from.

    Args:
        problem: The problem.
        camera: Name of the camera.
        target: Name of the target.
        q: Posture, shape (nq,).
        values: Parameters, shape (P,); None: nominal.
        points: Numbers of the points; by default all.
        group: Number of the pose.

    Raises:
        ConfigError: If a point is not before the camera.

    Example:
        >>> from gelenk.calibration import (
        ...     CalibrationCamera, CalibrationParameter, CalibrationProblem,
        ...     JointOffset, Target, expected_observation,
        ... )
        >>> import gelenk
        >>> from gelenk.vision import Intrinsics
        >>> arm, q = gelenk.load("ur5e"), np.array([0.0, -1.5, 1.5, -1.5, -1.5, 0.0])
        >>> lens = Intrinsics(width=640, height=480, fx=586, fy=586, cx=320, cy=240)
        >>> points = np.mgrid[-0.1:0.1:5j, -0.1:0.1:4j, 0.4:0.4:1j].reshape(3, -1).T
        >>> camera = CalibrationCamera(name="wrist", link=arm.tool, intrinsics=lens)
        >>> board = Target(
        ...     name="board", link=None, points=points, T_link_target=arm.forward(q)
        ... )
        >>> offset = CalibrationParameter(effect=JointOffset("joint_3"))
        >>> problem = CalibrationProblem(
        ...     model=arm, cameras=(camera,), targets=(board,), parameters=(offset,)
        ... )
        >>> seen = expected_observation(problem, "wrist", "board", q, points=[0])
        >>> print(seen.pixels.round(2))
        [[173.5  93.5]]
    """
    count = len(problem.targets[problem.target_id(target)].points)
    numbers = np.arange(count) if points is None else np.asarray(points, dtype=np.int64)
    blank = Observation(
        camera=camera,
        target=target,
        q=np.asarray(q, dtype=np.float64),
        points=numbers,
        pixels=np.zeros((len(numbers), 2)),
        group=group,
    )
    pixels = predict(problem, values, blank)
    if not np.isfinite(pixels).all():
        raise ConfigError(
            f"camera {camera!r} has points of {target!r} behind it in this posture"
        )
    return Observation(
        camera=camera,
        target=target,
        q=blank.q,
        points=numbers,
        pixels=pixels,
        group=group,
    )
