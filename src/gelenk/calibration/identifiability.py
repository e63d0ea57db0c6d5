"""Identifiability: which parameters data can tell apart, in plain words.

Columns of the information are scaled to unit size first, so that units do not matter.
A direction in which it is nearly 0 is a mixture of errors that cancel in every image.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gelenk.calibration.prediction import informations
from gelenk.calibration.problem import CalibrationProblem, Observation
from gelenk.typing import ArrayLike, FloatArray

ROUNDING = 1e-13  # of the terms of a sum that cancel each other
MANY = 100.0  # times better: what was hidden shows
SINGULAR = 2e-5  # of the largest eigenvalue; below, the data cannot tell
TAKES_PART = 0.02  # of the largest share; without less the mixture would show
CORRELATED = 0.95
DEGREES = {"rad": (180.0 / math.pi, "deg"), "m": (1e3, "mm")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Correlation:
    """Parameters whose errors cancel in these data.

    Attributes:
        names: The parameters, the one that takes part most first.
        weights: Amounts of the mixture: a change by these is (almost) invisible, in the
            parameters' units, the first one 1.
        strength: Eigenvalue over the largest one: 0 is exact.
        best_pose: Group of the candidates that would help most, if there are any.
        gain: Factor by which it would shrink the spread of the mixture.
    """

    names: tuple[str, ...]
    weights: tuple[float, ...]
    strength: float
    best_pose: int | None = None
    gain: float = 1.0


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Identifiability:
    """Identifiable parameters, and mixtures that are not.

    Attributes:
        names: Free parameters.
        sigma: Expected standard deviations, priors included, shape (n,).
        sigma_alone: Expected standard deviations, all others known, shape (n,).
        condition: Largest over smallest singular value of the scaled Jacobian.
        confusions: Mixtures that the data cannot see; priors do not count here.
        correlated: Pairs of names with their correlation, strongest first.
        text: Report in words.
    """

    names: tuple[str, ...]
    sigma: FloatArray
    sigma_alone: FloatArray
    condition: float
    confusions: tuple[Correlation, ...]
    correlated: tuple[tuple[str, str, float], ...]
    text: str

    def __str__(self) -> str:
        return self.text


def explain(
    problem: CalibrationProblem,
    observations: Sequence[Observation],
    *,
    values: ArrayLike | None = None,
    noise: float = 1.0,
    candidates: Sequence[Observation] = (),
) -> Identifiability:
    """Return what these observations can tell and what they cannot.

    Args:
        problem: The problem.
        observations: The data; pixels do not matter.
        values: Parameters at which to judge, shape (P,); None: nominal.
        noise: Standard deviation of one pixel coordinate [px].
        candidates: Observations that could be added, by group.

    Example:
        >>> from gelenk.calibration import (
        ...     CalibrationCamera, CalibrationParameter, CalibrationProblem,
        ...     JointOffset, Target, expected_observation, explain,
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
        >>> seen = [
        ...     expected_observation(
        ...         problem, "wrist", "board", q + d, values=[0.01], group=k
        ...     )
        ...     for k, d in enumerate(0.1 * np.eye(6))
        ... ]
        >>> print(explain(problem, seen).sigma.round(5))
        [0.00012]
    """
    free = np.flatnonzero(problem.is_free)
    part = np.ix_(free, free)
    H = informations(problem, values, observations, noise=noise).sum(axis=0)[part]
    extra: list[tuple[int, FloatArray]] = []
    if candidates:
        pool = informations(problem, values, candidates, noise=noise)
        groups = sorted({observation.group for observation in candidates})
        extra = [(g, C[part]) for g, C in zip(groups, pool, strict=True)]
    chosen = [problem.parameters[i] for i in free]
    return explain_information(
        H,
        names=[parameter.name for parameter in chosen],
        units=[parameter.unit for parameter in chosen],
        prior_sigma=[parameter.sigma for parameter in chosen],
        candidates=extra,
    )


def explain_information(
    H: FloatArray,
    *,
    names: Sequence[str],
    units: Sequence[str],
    prior_sigma: Sequence[float],
    candidates: Sequence[tuple[int, FloatArray]] = (),
) -> Identifiability:
    """Return what any data with this information can tell and what they cannot.

    Args:
        H: Information of the data without priors, shape (P, P).
        names: Names of the parameters.
        units: Units of the parameters.
        prior_sigma: Spreads of the priors; infinite: none.
        candidates: Groups of data that could be added, with their information.
    """
    names = tuple(names)
    precision = np.array([sigma**-2.0 for sigma in prior_sigma])
    size = np.sqrt(np.maximum(np.diag(H), 1e-300))
    scaled = H / np.outer(size, size)
    scaled[np.diag(H) <= 0.0, :] = 0.0
    eigen, vectors = np.linalg.eigh(scaled)
    null = vectors[:, eigen < SINGULAR * eigen[-1]]
    confusions = tuple(
        _confusion(v, names, size, scaled, eigen[-1], H, candidates)
        for v in _sparse_basis(null)
    )
    covariance = _inverse(H + np.diag(precision))
    sigma = np.sqrt(np.diag(covariance))
    correlated = _pairs(covariance, names)
    return Identifiability(
        names=names,
        sigma=sigma,
        sigma_alone=1.0 / np.sqrt(np.maximum(np.diag(H) + precision, 1e-300)),
        condition=math.sqrt(float(eigen[-1]) / max(float(eigen[0]), 1e-300)),
        confusions=confusions,
        correlated=correlated,
        text=_words(names, units, prior_sigma, sigma, confusions, correlated),
    )


def _confusion(
    v: FloatArray,
    names: tuple[str, ...],
    size: FloatArray,
    scaled: FloatArray,
    largest: float,
    H: FloatArray,
    candidates: Sequence[tuple[int, FloatArray]],
) -> Correlation:
    """Return a mixture from its scaled direction."""
    share = np.abs(v) / np.abs(v).max()
    part = np.flatnonzero((share >= TAKES_PART) & (v * v > SINGULAR * largest))
    members: list[int] = part[np.argsort(-share[part], kind="stable")].tolist()
    change = v / size
    unit = change / np.linalg.norm(change)
    best, gain = None, 1.0
    have = max(_told(unit, H))
    for group, C in candidates:
        told, least = _told(unit, C)
        more = math.sqrt(1.0 + told / max(have, 1e-300)) if told > least else 1.0
        if more > gain:
            best, gain = group, more
    return Correlation(
        names=tuple(names[i] for i in members),
        weights=tuple(float(change[i] / change[members[0]]) for i in members),
        strength=float(v @ scaled @ v) / (float(v @ v) * float(largest)),
        best_pose=best,
        gain=gain,
    )


def _told(unit: FloatArray, H: FloatArray) -> tuple[float, float]:
    """Return what H says about a direction, and how much rounding alone may say."""
    size = np.abs(unit)
    return float(unit @ H @ unit), ROUNDING * float(size @ np.abs(H) @ size)


def better(gain: float) -> str:
    """Return in words how much better a mixture could be determined."""
    return "" if gain > MANY else f" {gain:.1f} times better"


def _sparse_basis(null: FloatArray) -> list[FloatArray]:
    """Return a basis of the column space in which each vector has a lead of its own.

    Eigenvectors of equal eigenvalues are arbitrary mixtures; elimination with the
    largest entry as pivot separates what need not be mixed.
    """
    rows = null.T.copy()
    done: list[int] = []
    for k in range(len(rows)):
        rest = np.abs(rows[k:])
        i, j = np.unravel_index(int(np.argmax(rest)), rest.shape)
        rows[[k, k + int(i)]] = rows[[k + int(i), k]]
        rows[k] /= rows[k, j]
        for other in range(len(rows)):
            if other != k:
                rows[other] -= rows[other, j] * rows[k]
        done.append(int(j))
    return [row / np.linalg.norm(row) for row in rows]


def _inverse(H: FloatArray) -> FloatArray:
    """Return the inverse of a symmetric matrix, with a ridge where it is singular."""
    size = np.sqrt(np.maximum(np.diag(H), 1e-300))
    eigen, vectors = np.linalg.eigh(H / np.outer(size, size))
    eigen = np.maximum(eigen, 1e-14 * eigen[-1])
    return (vectors / eigen) @ vectors.T / np.outer(size, size)


def _pairs(
    covariance: FloatArray, names: Sequence[str]
) -> tuple[tuple[str, str, float], ...]:
    sigma = np.sqrt(np.diag(covariance))
    correlation = covariance / np.outer(sigma, sigma)
    pairs = [
        (names[i], names[j], float(correlation[i, j]))
        for i in range(len(names))
        for j in range(i)
        if abs(correlation[i, j]) > CORRELATED
    ]
    return tuple(sorted(pairs, key=lambda pair: -abs(pair[2])))


def _words(
    names: Sequence[str],
    units: Sequence[str],
    prior_sigma: Sequence[float],
    sigma: FloatArray,
    confusions: Sequence[Correlation],
    correlated: Sequence[tuple[str, str, float]],
) -> str:
    """Return the findings as sentences."""
    lines: list[str] = []
    for confusion in confusions:
        what = _listing(confusion.names)
        if len(confusion.names) == 1:
            lines.append(f"{what} does not show in these data.")
        else:
            lines.append(f"{what} cannot be told apart in these data.")
        if confusion.best_pose is not None and confusion.gain > 1.1:
            lines.append(
                f"  Pose {confusion.best_pose} would tell them apart"
                f"{better(confusion.gain)}."
            )
        else:
            lines.append("  Freeze all but one of them, or give them a `sigma`.")
    for a, b, value in correlated:
        if not any({a, b} <= set(c.names) for c in confusions):
            lines.append(f"{a} and {b} are correlated by {value:+.3f}.")
    worst = int(np.argmax(sigma / _priors(units, prior_sigma)))
    factor, word = DEGREES.get(units[worst], (1.0, units[worst]))
    if not confusions:
        lines.insert(0, "All parameters can be told apart in these data.")
    lines.append(
        f"Least is learned about {names[worst]}: "
        f"sigma {factor * sigma[worst]:.3g} {word} is to be expected."
    )
    return "\n".join(lines)


def _priors(units: Sequence[str], prior_sigma: Sequence[float]) -> FloatArray:
    """Return the priors' spreads; a tenth of a degree or a millimetre without one."""
    usual = [1e-3 if unit in ("rad", "m") else 1.0 for unit in units]
    pairs = zip(prior_sigma, usual, strict=True)
    return np.array(
        [sigma if math.isfinite(sigma) else width for sigma, width in pairs]
    )


def _listing(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]
