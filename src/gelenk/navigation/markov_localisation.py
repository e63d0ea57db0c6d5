"""Markov localisation on a grid or a graph of places, and active localisation.

Grid. Measurement: P(x) <- c P(z | x, map) P(x). Motion: P is shifted, multiplied by
what the map allows, and blurred by the noise of the motion, which the formula of the
course leaves out. Any number of hypotheses costs the same; fine grids are expensive.

Graph. Motion: p'(n) = Σ_m P(n | m, u) p(m). Measurement: p(n) <- c P(z | n) p'(n).

Active: u* = argmin_u Σ_z P(z | u) H(p | u, z) + λ cost(u), H(p) = -Σ p log p.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy.ndimage import gaussian_filter, gaussian_filter1d, shift

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.estimation.kalman import reweigh_beliefs
from gelenk.navigation.catalog import PlaceBelief
from gelenk.navigation.odometry import OdometryNoise, odometry_sigmas
from gelenk.spatial.angles import wrap_angle
from gelenk.typing import ArrayLike, BoolArray, FloatArray


def normalize_weights(weights: ArrayLike) -> FloatArray:
    """Return weights divided by their sum.

    Raises:
        ConfigError: If nothing is left of them: the data contradict the belief.
    """
    w = np.asarray(weights, dtype=np.float64)
    total = w.sum()
    if not 0.0 < total < np.inf:
        raise ConfigError("all probability is gone: the data contradict the belief")
    return w / total


def correct_cells(belief: ArrayLike, likelihood: ArrayLike) -> FloatArray:
    """Return P(x) <- c P(z | x, m) P(x) over cells of any shape.

    Example:
        Cells green, red, red, green, green; red is seen: hit 0.6, miss 0.2.

        >>> print(correct_cells(np.ones(5) / 5, [0.2, 0.6, 0.6, 0.2, 0.2]) * 9)
        [1. 3. 3. 1. 1.]
    """
    return normalize_weights(
        as_finite("belief", belief, ()) * np.asarray(likelihood, float)
    )


def shift_cells(belief: ArrayLike, step: int, possible: ArrayLike) -> FloatArray:
    """Return P'(x) = c P(x - Δ) P(x | m): the motion of the course, without noise.

    Args:
        belief: Probabilities along a line of cells, shape (k,).
        step: Δ, in cells; from beyond the ends nothing comes in.
        possible: P(x | m), 0 inside obstacles, shape (k,).

    Example:
        >>> before = np.array([1, 3, 3, 1, 1]) / 9
        >>> print(shift_cells(before, 1, [1, 1, 0, 1, 1]))
        [0.  0.2 0.  0.6 0.2]
    """
    p = as_finite("belief", belief, ())
    moved = np.zeros_like(p)
    if step >= 0:
        moved[step:] = p[: len(p) - step]
    else:
        moved[:step] = p[-step:]
    return normalize_weights(moved * np.asarray(possible, dtype=float))


def blur_ring(belief: ArrayLike, step: int, chances: ArrayLike) -> FloatArray:
    """Return the belief after a noisy step on a ring of cells.

    Args:
        belief: Probabilities around a ring of cells, shape (k,).
        step: Commanded step, in cells.
        chances: Probabilities of falling one short, of arriving, of going one too far,
            shape (3,).

    Example:
        >>> before = np.array([1, 3, 3, 1, 1]) / 9
        >>> print(blur_ring(before, 1, [0.1, 0.8, 0.1]).round(6))
        [0.111111 0.133333 0.311111 0.311111 0.133333]
    """
    p = as_finite("belief", belief, ())
    chance = as_finite("chances", chances, (3,))
    moved = [c * np.roll(p, step + k) for k, c in zip((-1, 0, 1), chance, strict=True)]
    return normalize_weights(np.sum(moved, axis=0))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PoseGrid:
    """Probabilities of poses (x, y, θ) on a grid.

    Attributes:
        origin: Corner of cell (0, 0) [m], shape (2,).
        cell: Side of a cell [m].
        probability: Summing to 1, shape (nx, ny, headings).
        possible: Cells where the robot may be, shape (nx, ny).

    Example:
        >>> from gelenk.navigation import PoseGrid
        >>> from gelenk.navigation.markov_localisation import uniform_grid
        >>> grid = uniform_grid([0, 0], [4, 2], 0.5, 8)
        >>> grid.probability.shape, round(grid.entropy, 3)  # log(8 * 4 * 8)
        ((8, 4, 8), 5.545)
    """

    origin: FloatArray
    cell: float
    probability: FloatArray
    possible: BoolArray

    @property
    def headings(self) -> FloatArray:
        """Of the layers [rad], shape (headings,)."""
        count = self.probability.shape[2]
        return wrap_angle(2.0 * np.pi * np.arange(count, dtype=np.float64) / count)

    def poses(self) -> FloatArray:
        """Return the poses of all cells, shape (nx, ny, headings, 3)."""
        i, j, k = np.indices(self.probability.shape)
        x = self.origin[0] + (i + 0.5) * self.cell
        y = self.origin[1] + (j + 0.5) * self.cell
        return np.stack([x, y, self.headings[k]], axis=-1)

    @property
    def most_likely(self) -> FloatArray:
        """Pose of the likeliest cell, shape (3,)."""
        at = np.unravel_index(np.argmax(self.probability), self.probability.shape)
        return self.poses()[at]

    @property
    def entropy(self) -> float:
        """-Σ p log p [nat]."""
        p = self.probability[self.probability > 0.0]
        return float(-(p * np.log(p)).sum())

    def sensed(self, likelihood: Callable[[FloatArray], ArrayLike]) -> PoseGrid:
        """Return the grid after a measurement.

        Args:
            likelihood: P(z | x) of poses, (..., 3) -> (...).
        """
        p = self.probability * np.asarray(likelihood(self.poses()), dtype=float)
        return replace(self, probability=normalize_weights(p))

    def moved(self, motion: ArrayLike, noise: OdometryNoise) -> PoseGrid:
        """Return the grid after a motion measured by odometry.

        Args:
            motion: Motion (dx, dy, dθ) in the frame before it, shape (3,).
            noise: Noise of the wheels; the grid is blurred by it and by half a cell.
        """
        dx, dy, turn = as_finite("motion", motion, (3,))
        first, way, second = odometry_sigmas(motion, noise)
        layers: list[FloatArray] = []
        for k, heading in enumerate(self.headings):
            c, s = np.cos(heading), np.sin(heading)
            offset = np.array([c * dx - s * dy, s * dx + c * dy]) / self.cell
            layer = self.probability[:, :, k]
            layers.append(
                shift(layer, offset, order=1, mode="constant", prefilter=False)
            )
        p = np.stack(layers, axis=2)
        count = p.shape[2]
        step = turn * count / (2.0 * np.pi)
        whole = int(np.floor(step))
        share = step - whole
        p = (1.0 - share) * np.roll(p, whole, axis=2) + share * np.roll(
            p, whole + 1, axis=2
        )
        spread = np.hypot(way, first * np.hypot(dx, dy)) / self.cell
        angle = np.hypot(first, second) * count / (2.0 * np.pi)
        p = gaussian_filter(
            p, (max(spread, 0.3), max(spread, 0.3), 0.0), mode="constant"
        )
        p = gaussian_filter1d(p, max(angle, 0.3), axis=2, mode="wrap")
        return replace(
            self, probability=normalize_weights(p * self.possible[..., None])
        )


def uniform_grid(
    lower: ArrayLike,
    upper: ArrayLike,
    cell: float,
    headings: int,
    possible: Callable[[FloatArray], ArrayLike] | None = None,
) -> PoseGrid:
    """Return a grid that knows nothing but where the robot cannot be.

    Args:
        lower: Corner of the box [m], shape (2,).
        upper: Opposite corner [m], shape (2,).
        cell: Side of a cell [m].
        headings: Number of layers.
        possible: Whether the robot may stand at places, (..., 2) -> (...).
    """
    low, high = as_finite("lower", lower, (2,)), as_finite("upper", upper, (2,))
    counts = np.ceil((high - low) / cell - 1e-9).astype(int)
    if not (cell > 0.0 and headings > 0 and (counts > 0).all()):
        raise ConfigError("`cell` and `headings` must be positive, `lower` < `upper`")
    centers = low + cell * (np.moveaxis(np.indices(tuple(counts)), 0, -1) + 0.5)
    free = np.ones(tuple(counts), dtype=bool)
    if possible is not None:
        free = np.asarray(possible(centers), dtype=bool)
    p = np.repeat(free[..., None].astype(float), headings, axis=2)
    return PoseGrid(
        origin=low, cell=cell, probability=normalize_weights(p), possible=free
    )


def predict_places(belief: PlaceBelief, transition: ArrayLike) -> PlaceBelief:
    """Return the belief after an action.

    Args:
        belief: Belief before the motion.
        transition: P(n | m, u), row m to column n, rows summing to 1, shape (k, k).

    Example:
        A corridor A-B-C; "forward" succeeds with 0.8, at C the robot stays.

        >>> corridor = PlaceBelief(places=tuple("ABC"), probability=np.ones(3) / 3)
        >>> forward = [[0.2, 0.8, 0.0], [0.0, 0.2, 0.8], [0.0, 0.0, 1.0]]
        >>> print(predict_places(corridor, forward).probability.round(6))
        [0.066667 0.333333 0.6     ]
    """
    count = len(belief.places)
    T = as_finite("transition", transition, (count, count))
    if not ((T >= 0.0).all() and np.allclose(T.sum(axis=1), 1.0, atol=1e-9)):
        raise ConfigError("rows of `transition` must be probabilities that sum to 1")
    return replace(belief, probability=belief.probability @ T)


def correct_places(belief: PlaceBelief, likelihood: ArrayLike) -> PlaceBelief:
    """Return the belief after a measurement.

    Args:
        belief: Belief before the measurement.
        likelihood: P(z | n) of what was seen, shape (k,).

    Example:
        >>> before = PlaceBelief(places=tuple("ABC"), probability=[1/15, 1/3, 3/5])
        >>> print(correct_places(before, [0.7, 0.1, 0.7]).probability.round(6))
        [0.093333 0.066667 0.84    ]
    """
    return replace(belief, probability=reweigh_beliefs(belief.probability, likelihood))


def entropy(probability: ArrayLike) -> FloatArray:
    """Return -Σ p log p [nat] along the last axis, shape (...).

    Example:
        >>> print(entropy([[0.5, 0.5], [1.0, 0.0]]).round(6))
        [0.693147 0.      ]
    """
    p = as_finite("probability", probability, ())
    logs = np.log(np.where(p > 0.0, p, 1.0))
    return np.asarray(-(p * logs).sum(axis=-1)) + 0.0


def expected_entropy(
    belief: ArrayLike, transition: ArrayLike, sight: ArrayLike
) -> FloatArray:
    """Return Σ_z P(z | u) H(p | u, z) of actions [nat].

    Args:
        belief: p(m), shape (k,).
        transition: P(n | m, u), row m to column n, shape (..., k, k).
        sight: P(z | n), row n to column z, shape (k, z).

    Returns:
        One value per action, shape (...).

    Example:
        Two rooms look alike, a third does not; going there tells.

        >>> stay = np.eye(3)
        >>> go = [[0, 0, 1.0], [0, 1.0, 0], [0, 0, 1.0]]  # only from the first one
        >>> sight = [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
        >>> print(expected_entropy([0.5, 0.5, 0.0], [stay, go], sight).round(6))
        [0.693147 0.      ]
    """
    p = as_finite("belief", belief, ())
    T = as_finite("transition", transition, (p.size, p.size))
    Z = as_finite("sight", sight, ())
    after = np.einsum("m,...mn->...n", p, T)
    joint = after[..., None, :] * Z.T
    chance = joint.sum(axis=-1)
    posterior = joint / np.where(chance > 0.0, chance, 1.0)[..., None]
    return (chance * entropy(posterior)).sum(axis=-1)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ActiveChoice:
    """Action that promises the most certain pose.

    Attributes:
        action: Number of the best action.
        entropy: Expected after each action [nat], shape (a,).
        score: Entropy plus price, shape (a,).
    """

    action: int
    entropy: FloatArray
    score: FloatArray


def choose_action(
    belief: ArrayLike,
    transitions: ArrayLike,
    sight: ArrayLike,
    *,
    costs: ArrayLike = 0.0,
    weight: float = 1.0,
) -> ActiveChoice:
    """Return the action after which the robot is expected to know best.

    Args:
        belief: p(m), shape (k,).
        transitions: Transition probabilities of each action, row m to column n, shape
            (a, k, k).
        sight: P(z | n), row n to column z, shape (k, z).
        costs: Costs of the actions (path length, risk), shape (a,).
        weight: λ, entropy that one unit of cost is worth [nat].
    """
    T = as_finite("transitions", transitions, ())
    if T.ndim != 3:
        raise ConfigError(f"`transitions` must have shape (a, k, k), got {T.shape}")
    hopes = expected_entropy(belief, T, sight)
    score = hopes + weight * np.broadcast_to(np.asarray(costs, float), hopes.shape)
    return ActiveChoice(action=int(np.argmin(score)), entropy=hopes, score=score)
