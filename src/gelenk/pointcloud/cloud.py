"""`PointCloud`: points in space, with colours if they have some.

A cloud is a value: every operation returns a new one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from scipy.spatial import KDTree

from gelenk.checks import as_array, as_finite
from gelenk.errors import ConfigError, ShapeError
from gelenk.typing import ArrayLike, FloatArray, IntArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PointCloud:
    """Points in one frame.

    Attributes:
        points: Positions [m], shape (n, 3).
        colors: RGB in [0, 1], shape (n, 3), or None.

    Example:
        >>> from gelenk.pointcloud import PointCloud
        >>> cloud = PointCloud(points=[[0.0, 0.0, 0.0], [2.0, 0.0, 1.0]])
        >>> len(cloud), cloud.centroid.tolist()
        (2, [1.0, 0.0, 0.5])
    """

    points: FloatArray
    colors: FloatArray | None = None

    def __post_init__(self) -> None:
        points = _rows("points", self.points)
        object.__setattr__(self, "points", points)
        if self.colors is None:
            return
        colors = _rows("colors", self.colors)
        if len(colors) != len(points):
            raise ShapeError(
                "colors", expected=f"({len(points)}, 3)", actual=colors.shape
            )
        if colors.size and not (colors.min() >= 0.0 and colors.max() <= 1.0):
            raise ConfigError(
                f"`colors` must be 0 to 1, got {colors.min()} to {colors.max()}"
            )
        object.__setattr__(self, "colors", colors)

    def __len__(self) -> int:
        return len(self.points)

    # -- facts ---------------------------------------------------------------------

    @property
    def bounds(self) -> tuple[FloatArray, FloatArray]:
        """Smallest and largest coordinates [m], shape (3,) each.

        Raises:
            ConfigError: If the cloud is empty.
        """
        self._require_points("bounds")
        return self.points.min(axis=0), self.points.max(axis=0)

    @property
    def centroid(self) -> FloatArray:
        """Mean of the points [m], shape (3,).

        Raises:
            ConfigError: If the cloud is empty.
        """
        self._require_points("a centroid")
        return self.points.mean(axis=0)

    def nearest(self, queries: ArrayLike) -> tuple[FloatArray, IntArray]:
        """Return distance and number of the nearest point of the cloud.

        Args:
            queries: Positions [m], shape (..., 3).

        Returns:
            Distances [m] and indices into `points`, shape (...) each.

        Raises:
            ConfigError: If the cloud is empty.
        """
        self._require_points("a nearest point")
        places = as_finite("queries", queries, (3,))
        distance, index = KDTree(self.points).query(places)
        return np.asarray(distance, dtype=np.float64), np.asarray(index, dtype=np.int64)

    # -- other clouds --------------------------------------------------------------

    def transformed(self, T_new_old: ArrayLike) -> PointCloud:
        """Return the same points in another frame.

        Args:
            T_new_old: Pose of this cloud's frame in the new one, shape (4, 4).
        """
        T = as_finite("T_new_old", T_new_old, (4, 4))
        if T.shape != (4, 4):
            raise ShapeError("T_new_old", expected="(4, 4)", actual=T.shape)
        return PointCloud(
            points=self.points @ T[:3, :3].T + T[:3, 3], colors=self.colors
        )

    def cropped(self, low: ArrayLike, high: ArrayLike) -> PointCloud:
        """Return the points inside a box, its faces included.

        Args:
            low: Smallest coordinates [m], shape (3,); minus infinity: no limit.
            high: Largest coordinates [m], shape (3,).
        """
        low, high = as_array("low", low, (3,)), as_array("high", high, (3,))
        return self.where(((self.points >= low) & (self.points <= high)).all(axis=1))

    def where(self, chosen: ArrayLike) -> PointCloud:
        """Return some of the points.

        Args:
            chosen: Mask or indices, shape (n,) or (k,).
        """
        chosen = np.asarray(chosen)
        colors = None if self.colors is None else self.colors[chosen]
        return PointCloud(points=self.points[chosen], colors=colors)

    def thinned(self, voxel: float) -> PointCloud:
        """Return one point per cube: the mean of those in it, and of their colours.

        Args:
            voxel: Edge of the cubes [m]; they stand on whole multiples of it.
        """
        if not (np.isfinite(voxel) and voxel > 0.0):
            raise ConfigError(f"`voxel` must be above 0 m, got {voxel}")
        cells = np.floor(self.points / voxel)
        _, owner, count = np.unique(
            cells, axis=0, return_inverse=True, return_counts=True
        )
        owner = owner.reshape(-1)

        def mean(rows: FloatArray) -> FloatArray:
            sums = np.zeros((len(count), 3))
            np.add.at(sums, owner, rows)
            return sums / count[:, None]

        colors = None if self.colors is None else np.clip(mean(self.colors), 0.0, 1.0)
        return PointCloud(points=mean(self.points), colors=colors)

    @classmethod
    def merged(cls, clouds: Iterable[PointCloud]) -> PointCloud:
        """Return all points of clouds in one frame.

        Raises:
            ConfigError: If some of them have colours and others have none.
        """
        clouds = [cloud for cloud in clouds if len(cloud)]
        if not clouds:
            return cls(points=np.zeros((0, 3)))
        colors = [cloud.colors for cloud in clouds if cloud.colors is not None]
        if colors and len(colors) != len(clouds):
            raise ConfigError(
                f"{len(colors)} of {len(clouds)} clouds have colours; give colours to "
                "all of them or to none"
            )
        return cls(
            points=np.concatenate([cloud.points for cloud in clouds]),
            colors=np.concatenate(colors) if colors else None,
        )

    def _require_points(self, what: str) -> None:
        if not len(self.points):
            raise ConfigError(f"an empty cloud has no {what.removeprefix('a ')}")


def _rows(name: str, value: ArrayLike) -> FloatArray:
    """Return a read-only copy of finite rows of three."""
    rows = np.array(
        as_finite(name, value, (3,)) if np.size(value) else np.zeros((0, 3))
    )
    if rows.ndim != 2:
        raise ShapeError(name, expected="(n, 3)", actual=rows.shape)
    rows.setflags(write=False)
    return rows
