"""A depth camera carried through a corner of a room: its way and the mesh it leaves."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from gelenk.errors import ConfigError
from gelenk.navigation.dense_slam import dense_slam_step, locate_depth
from gelenk.pointcloud.tsdf import empty_volume, with_depth
from gelenk.vision.camera import Intrinsics

CAMERA = Intrinsics(width=80, height=60, fx=75.0, fy=75.0, cx=39.5, cy=29.5)


def _pose(rotvec, place):
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = Rotation.from_rotvec(rotvec).as_matrix(), place
    return T


def _depth(T_world_camera):
    """Return z of a back wall at 2 m, a side wall at 0.8 m and a floor 0.6 m below."""
    v, u = np.mgrid[0:60, 0:80]
    ray = np.stack([(u - 39.5) / 75, (v - 29.5) / 75, np.ones(u.shape)], axis=-1)
    way, at = ray @ T_world_camera[:3, :3].T, T_world_camera[:3, 3]
    z = np.full(u.shape, np.inf)
    for axis, where in ((2, 2.0), (0, 0.8), (1, 0.6)):
        with np.errstate(divide="ignore"):
            s = (where - at[axis]) / way[..., axis]
        z = np.minimum(z, np.where(s > 0.0, s, np.inf))
    return z


@pytest.mark.capability("GR-261")
def test_the_way_is_tracked_and_the_mesh_lies_on_the_walls():
    """Oracles: the way that was rendered, the planes of the walls."""
    way = [
        _pose([0.004 * k, 0.006 * k, 0], [0.01 * k, 0, -0.008 * k]) for k in range(7)
    ]
    volume = empty_volume([-1.0, -0.8, 0.4], [1.0, 0.8, 2.2], 0.04, truncation=0.16)
    volume = with_depth(volume, _depth(way[0]), CAMERA, way[0])
    guess = way[0]
    for T in way[1:]:
        step = dense_slam_step(volume, _depth(T), CAMERA, guess)
        volume, guess = step.volume, step.T_world_camera
        assert step.overlap > 0.5
    gap = np.linalg.inv(way[-1]) @ guess
    assert np.linalg.norm(gap[:3, 3]) < 0.008
    assert Rotation.from_matrix(gap[:3, :3]).magnitude() < np.deg2rad(0.4)
    p = volume.mesh().vertices
    off = np.min(
        np.abs(np.stack([p[:, 2] - 2.0, p[:, 0] - 0.8, p[:, 1] - 0.6])), axis=0
    )
    assert np.quantile(off, 0.95) < 0.02
    with pytest.raises(ConfigError, match="lost"):
        locate_depth(volume, _depth(way[0]), CAMERA, _pose([0, 3, 0], [5.0, 0, 0]))
