"""Trajectories: paths of joints with their timing."""

from __future__ import annotations

import csv
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np

from gelenk.errors import ConfigError
from gelenk.trajectory.joint_path import JointPath
from gelenk.trajectory.limits import JointLimits
from gelenk.typing import ArrayLike, FloatArray, IntArray


class TrajectorySample(NamedTuple):
    """Motion of joints at some times.

    Attributes:
        q: Joint values [rad] or [m], shape (..., n).
        qd: Joint velocities [rad/s] or [m/s], shape (..., n).
        qdd: Joint accelerations [rad/s^2] or [m/s^2], shape (..., n).
        qddd: Joint jerks [rad/s^3] or [m/s^3], shape (..., n).
    """

    q: FloatArray
    qd: FloatArray
    qdd: FloatArray
    qddd: FloatArray


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Trajectory:
    """A path and the law s(t) by which it is travelled, piecewise cubic in time.

    Attributes:
        path: Path of the joints.
        times: Times at which pieces of the law meet [s], from 0, shape (k + 1,).
        law: Coefficients of (t - time)^0 to ^3 of s in each piece, shape (k, 4).
        joint_names: Names of the joints, or empty.

    Example:
        >>> from gelenk.trajectory import JointLimits, round_corners
        >>> path = round_corners([[0.0, 0.0], [1.0, 0.5]])
        >>> motion = path.timed(JointLimits(velocity=1.0, acceleration=2.0))
        >>> round(motion.duration, 4), motion.sample(0.75).qd.round(4).tolist()
        (1.5, [1.0, 0.5])
    """

    path: JointPath
    times: FloatArray
    law: FloatArray
    joint_names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self.times.setflags(write=False)
        self.law.setflags(write=False)

    @property
    def duration(self) -> float:
        """Time from start to end [s]."""
        return float(self.times[-1])

    def sample(self, time: ArrayLike) -> TrajectorySample:
        """Return values and derivatives at times; before and after, it stands still.

        Args:
            time: Times [s], shape (...).
        """
        t = np.asarray(time, np.float64)
        inside = np.clip(t, 0.0, self.duration)
        row = np.searchsorted(self.times, inside, "right") - 1
        row = np.clip(row, 0, len(self.law) - 1)
        is_moving = ((t >= 0.0) & (t <= self.duration))[..., None]
        u = inside - self.times[row]
        c0, c1, c2, c3 = (self.law[row, i] for i in range(4))
        s = c0 + u * (c1 + u * (c2 + u * c3))
        rates = (
            (c1 + u * (2.0 * c2 + 3.0 * u * c3)),
            (2.0 * c2 + 6.0 * u * c3),
            6.0 * c3 + 0.0 * u,
        )
        # the piece of the path in the middle of that of the law: no ambiguous ends
        width = self.times[row + 1] - self.times[row]
        w = 0.5 * width
        middle = c0 + w * (c1 + w * (c2 + w * c3))
        breaks = self.path.breaks
        piece = cast("IntArray", np.digitize(middle, breaks[1:-1]))
        offset = np.clip(s, 0.0, self.path.length) - breaks[piece]
        d = [self.path.sample_pieces(piece, offset, order) for order in range(4)]
        v, a, j = (rate[..., None] for rate in rates)
        qd = d[1] * v
        qdd = d[2] * v**2 + d[1] * a
        qddd = d[3] * v**3 + 3.0 * d[2] * v * a + d[1] * j
        return TrajectorySample(d[0], qd * is_moving, qdd * is_moving, qddd * is_moving)

    def times_every(self, step: float) -> FloatArray:
        """Return times from 0 to the end, `step` [s] apart, the end included."""
        if not (np.isfinite(step) and step > 0.0):
            raise ConfigError(f"`step` must be a time > 0 s, got {step}")
        return np.append(
            np.arange(0.0, self.duration - 1e-9 * step, step), self.duration
        )

    def slowed(self, factor: float) -> Trajectory:
        """Return the same motion, `factor` times as long.

        Args:
            factor: Ratio of the durations, > 0; 2 halves all speeds.
        """
        if not (np.isfinite(factor) and factor > 0.0):
            raise ConfigError(f"`factor` must be a number > 0, got {factor}")
        powers = factor ** -np.arange(4.0)
        return Trajectory(
            path=self.path,
            times=self.times * factor,
            law=self.law * powers,
            joint_names=self.joint_names,
        )

    def stretched_to(self, limits: JointLimits, per_piece: int = 24) -> Trajectory:
        """Return the same motion, slower or faster, so that it reaches a limit.

        Args:
            limits: Limits of the joints; that of effort is not looked at.
            per_piece: Number of samples in each piece of the law.
        """
        speed, acceleration, jerk = self.worst_ratios(limits, per_piece)
        factor = max(speed, acceleration**0.5, jerk ** (1.0 / 3.0))
        return self.slowed(factor * (1.0 + 1e-12))

    def then(self, other: Trajectory) -> Trajectory:
        """Return this motion followed by another that begins where it ends."""
        law = np.array(other.law)
        law[:, 0] += self.path.length
        return Trajectory(
            path=self.path.then(other.path),
            times=np.concatenate([self.times, self.duration + other.times[1:]]),
            law=np.concatenate([self.law, law]),
            joint_names=self.joint_names,
        )

    def worst_ratio(self, limits: JointLimits, per_piece: int = 24) -> float:
        """Return the largest ratio of a rate to its limit; above 1 it is exceeded.

        Effort is not looked at: it needs the robot.

        Args:
            limits: Limits of the joints.
            per_piece: Number of samples in each piece of the law.
        """
        return max(self.worst_ratios(limits, per_piece))

    def worst_ratios(
        self, limits: JointLimits, per_piece: int = 24
    ) -> tuple[float, float, float]:
        """Return the largest ratios of speed, acceleration and jerk to their limits.

        Args:
            limits: Limits of the joints.
            per_piece: Number of samples in each piece of the law.
        """
        own = limits.for_joints(self.path.num_joints)
        shares = np.linspace(0.0, 1.0, per_piece)
        # just inside of the ends, where rates of neighbours differ
        shares[0], shares[-1] = 1e-9, 1.0 - 1e-9
        t = self.times[:-1, None] + np.diff(self.times)[:, None] * shares
        at = self.sample(t)
        return (
            _peak(at.qd, own.velocity),
            _peak(at.qdd, own.acceleration),
            _peak(at.qddd, own.jerk),
        )

    def save_csv(self, path: str | os.PathLike[str], *, step: float = 0.01) -> None:
        """Write times, values and derivatives as a table.

        Args:
            path: File to be written.
            step: Time between rows [s].
        """
        t = self.times_every(step)
        at = self.sample(t)
        names = self.joint_names or [f"joint_{i + 1}" for i in range(at.q.shape[1])]
        head = ["time", *_columns(names, ("", ".velocity", ".acceleration"))]
        with Path(path).open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(head)
            writer.writerows(
                [repr(float(x)) for x in row]
                for row in np.column_stack([t, at.q, at.qd, at.qdd])
            )


def _peak(rate: FloatArray, limit: ArrayLike) -> float:
    """Return the largest share of a limit, also between samples, by parabolas.

    Args:
        rate: Samples of each piece, shape (k, m, n).
        limit: Limits, shape (n,).
    """
    if not np.isfinite(limit).any() or not rate.size:
        return 0.0
    share = np.abs(rate) / limit
    before, here, after = share[:, :-2], share[:, 1:-1], share[:, 2:]
    bend = 2.0 * here - before - after
    is_peak = (here >= before) & (here >= after) & (bend > 0.0)
    rise = (after - before) ** 2 / (8.0 * np.where(is_peak, bend, 1.0)) * is_peak
    return float(max(share.max(), (here + rise).max(initial=0.0)))


def _columns(names: Sequence[str], ends: Sequence[str]) -> list[str]:
    return [name + end for end in ends for name in names]
