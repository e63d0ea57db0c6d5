"""Workspaces: what a tool reaches, and what it reaches in every orientation.

The reachable workspace holds the points that some configuration reaches, the dexterous
one those that can be reached in all orientations (Damken 2023 §3.2).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.kinematics.chain import CHAIN_P, frame_chain
from gelenk.kinematics.forward import frame_pose
from gelenk.models.link import JointType
from gelenk.models.tree import RobotModel, link_chain
from gelenk.typing import ArrayLike, BoolArray, FloatArray, IntArray

MAX_VOXELS = 50_000_000  # 400 MB of counts; more is a mistake in the voxel size
_CHUNK = 100_000  # configurations at a time


class Converged(Protocol):
    """Answer of an inverse-kinematics solver, as far as a workspace needs it."""

    @property
    def converged(self) -> bool:
        """Whether the pose is met within the joint limits."""
        ...


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ReachabilityMap:
    """Voxels with the number of random configurations that hit each.

    Attributes:
        corner: Corner of voxel (0, 0, 0) with the smallest coordinates [m], shape (3,).
        voxel: Edge of a voxel [m].
        counts: Number of hits of each voxel, shape (nx, ny, nz).
    """

    corner: FloatArray
    voxel: float
    counts: IntArray

    @property
    def volume(self) -> float:
        """Volume of all voxels that were hit [m^3]."""
        return float(np.count_nonzero(self.counts)) * self.voxel**3

    def contains(self, points: ArrayLike) -> BoolArray:
        """Return whether points lie in a voxel that was hit, shape (...).

        Args:
            points: Positions in the base [m], shape (..., 3).
        """
        points = as_finite("points", points, (3,))
        index = np.floor((points - self.corner) / self.voxel).astype(np.int64)
        fits = (index >= 0) & (index < self.counts.shape)
        inside = fits[..., 0] & fits[..., 1] & fits[..., 2]
        i, j, k = np.moveaxis(np.where(inside[..., None], index, 0), -1, 0)
        return inside & (self.counts[i, j, k] > 0)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Dexterity:
    """Orientations in which each point can be reached.

    Attributes:
        points: Positions in the base [m], shape (n, 3).
        reached: Whether each orientation is reached at each point, shape (n, k).
    """

    points: FloatArray
    reached: BoolArray

    @property
    def share(self) -> FloatArray:
        """Share of orientations in [0, 1], shape (n,)."""
        return self.reached.mean(axis=1)

    @property
    def is_reachable(self) -> BoolArray:
        return self.share > 0.0

    @property
    def is_dexterous(self) -> BoolArray:
        return self.share == 1.0


def reach_radius(model: RobotModel, *, frame: str | None = None) -> float:
    """Return a bound on the distance of a frame from the first joint [m].

    The arm stretched out: all offsets behind the first joint and the longest strokes of
    the sliders. The true reach is at most this, and equal for a planar arm of hinges.

    Returns:
        Infinite if a slider has no limit.
    """
    chain = frame_chain(model, frame)
    if len(chain) == 1:
        raise ConfigError("no joint moves the frame, so it has no workspace")
    lengths = np.linalg.norm(chain[1:, CHAIN_P : CHAIN_P + 3], axis=1)
    stroke = 0.0
    for k in link_chain(model, model.link_id(frame)):
        if model.joint_type[k] == JointType.PRISMATIC:
            stroke += float(max(abs(model.lower[k]), abs(model.upper[k])))
    return float(lengths.sum()) + stroke


def planar_annulus(link_lengths: ArrayLike) -> tuple[float, float]:
    """Return inner and outer radius that a planar arm of hinges reaches [m].

    The outer one is all links stretched; inside stays a hole only if one link is longer
    than all others together.

    Args:
        link_lengths: Lengths [m], shape (n,).

    Example:
        >>> inner, outer = planar_annulus([1.0, 0.8])
        >>> print(round(inner, 12), outer)
        0.2 1.8
    """
    lengths = as_finite("link_lengths", link_lengths, np.shape(link_lengths))
    if lengths.ndim != 1 or len(lengths) == 0 or not (lengths >= 0.0).all():
        raise ConfigError("`link_lengths` must be a list of lengths >= 0 m")
    total = float(lengths.sum())
    return max(0.0, 2.0 * float(lengths.max()) - total), total


def sample_configurations(
    model: RobotModel, count: int, rng: np.random.Generator
) -> FloatArray:
    """Return configurations uniform within the joint limits, shape (count, nq).

    Hinges without limits take a full turn.

    Raises:
        ConfigError: If the base floats or a slider has no limits.
    """
    if model.has_floating_base:
        raise ConfigError(f"robot {model.name!r} floats, so it reaches everything")
    lower, upper = model.limits
    is_hinge = model.joint_type[model.joint_ids] == JointType.REVOLUTE
    turn_back = np.where(np.isfinite(upper), upper - 2.0 * np.pi, -np.pi)
    lower = np.where(is_hinge & ~np.isfinite(lower), turn_back, lower)
    upper = np.where(is_hinge, np.minimum(upper, lower + 2.0 * np.pi), upper)
    if not (np.isfinite(lower) & np.isfinite(upper)).all():
        names = ", ".join(
            name
            for name, ok in zip(
                model.joint_names, np.isfinite(upper - lower), strict=True
            )
            if not ok
        )
        raise ConfigError(f"sliders need limits to be sampled: {names}")
    return rng.uniform(lower, upper, (count, len(lower)))


def reachability_map(
    model: RobotModel,
    *,
    rng: np.random.Generator,
    samples: int = 200_000,
    voxel: float = 0.05,
    frame: str | None = None,
) -> ReachabilityMap:
    """Return the voxels that a frame reaches in random configurations.

    Every voxel that is hit is reachable; one that is not hit may be reachable still, if
    few configurations lead there.

    Args:
        model: Robot with a fixed base.
        rng: Source of randomness.
        samples: Number of configurations.
        voxel: Edge of a voxel [m].
        frame: Name of a link; by default the tool.

    Raises:
        ConfigError: If the map would be too large.

    Example:
        >>> import gelenk
        >>> arm = gelenk.load("planar2r")
        >>> rng = np.random.default_rng(0)
        >>> found = reachability_map(arm, rng=rng, samples=1000, voxel=0.2)
        >>> type(found).__name__
        'ReachabilityMap'
    """
    if samples < 1 or not voxel > 0.0:
        raise ConfigError(
            f"need `samples` >= 1 and `voxel` > 0, got {samples}, {voxel}"
        )
    chunks = [
        frame_pose(
            model,
            sample_configurations(model, min(_CHUNK, samples - start), rng),
            frame=frame,
        )[:, :3, 3]
        for start in range(0, samples, _CHUNK)
    ]
    index = np.floor(np.concatenate(chunks) / voxel).astype(np.int64)
    first = index.min(axis=0)
    shape = tuple((index.max(axis=0) - first + 1).tolist())
    count = math.prod(shape)
    if count > MAX_VOXELS:
        raise ConfigError(
            f"the map would have {count} voxels; choose a `voxel` larger than {voxel} m"
        )
    flat = np.ravel_multi_index(tuple((index - first).T), shape)
    counts = np.bincount(flat, minlength=count).reshape(shape)
    return ReachabilityMap(corner=first * voxel, voxel=voxel, counts=counts)


def spread_orientations(num_directions: int = 16, num_rolls: int = 4) -> FloatArray:
    """Return rotations spread over all orientations, shape (n, 3, 3).

    z axes on a spiral of equal areas, each with rolls about it.

    Args:
        num_directions: Directions of the z axis.
        num_rolls: Turns about each.
    """
    k = np.arange(num_directions) + 0.5
    height = 1.0 - 2.0 * k / num_directions
    turn = np.pi * (1.0 + np.sqrt(5.0)) * k  # golden angle
    radius = np.sqrt(1.0 - height**2)
    z = np.stack([radius * np.cos(turn), radius * np.sin(turn), height], axis=1)
    helper = np.eye(3)[np.abs(z).argmin(axis=1)]
    x = helper - np.vecdot(helper, z)[:, None] * z
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    y = np.cross(z, x)
    roll = 2.0 * np.pi * np.arange(num_rolls) / num_rolls
    c, s = np.cos(roll)[:, None, None], np.sin(roll)[:, None, None]
    R = np.stack(
        [c * x + s * y, c * y - s * x, np.broadcast_to(z, (num_rolls, *z.shape))]
    )
    return np.moveaxis(R, 0, -1).reshape(-1, 3, 3)


def dexterity(
    model: RobotModel,
    points: ArrayLike,
    *,
    orientations: ArrayLike | None = None,
    solve: Callable[[FloatArray], Converged] | None = None,
) -> Dexterity:
    """Return in which orientations points can be reached, by inverse kinematics.

    Args:
        model: Robot.
        points: Positions of the tool in the base [m], shape (n, 3).
        orientations: Rotations to try, shape (k, 3, 3); by default 64 spread evenly.
        solve: Inverse kinematics from a pose of shape (4, 4); by default
            `model.inverse`. A solver that gives up too early makes the share smaller.
    """
    points = as_finite("points", points, (3,)).reshape(-1, 3)
    rotations = spread_orientations() if orientations is None else orientations
    rotations = as_finite("orientations", rotations, (3, 3)).reshape(-1, 3, 3)
    solve = solve or model.inverse
    reached = np.zeros((len(points), len(rotations)), dtype=np.bool_)
    T = np.eye(4)
    for i, p in enumerate(points):
        for k, R in enumerate(rotations):
            T[:3, :3], T[:3, 3] = R, p
            reached[i, k] = solve(T.copy()).converged
    return Dexterity(points=points, reached=reached)
