"""Pictures of chapter 10: maps and ways found together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from course_pictures.chapter_10 import (
    draw_ellipse,
    room_map,
    scan_at,
    show_cells,
)
from gelenk.navigation.ekf_slam import (
    add_landmark,
    correct_landmark,
    predict_motion,
    start_slam,
)
from gelenk.navigation.fast_slam import fast_slam_step, start_fast_slam
from gelenk.navigation.maps import FeatureMap, fade_probability, grid_from_features
from gelenk.navigation.planar import compose, points_in_world, relative_pose
from gelenk.navigation.pose_graph import (
    MotionEdge,
    close_loops,
    loop_edge,
    optimize_graph,
)
from gelenk.navigation.scan_matching import map_levels, match_scan
from gelenk.navigation.visual_slam import reconstruct
from gelenk.spatial import se3
from gelenk.typing import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

POSTS = np.array([[3.0, 1.0], [1.0, 4.0], [-2.0, 3.0], [-3.0, -1.0], [2.0, -2.0]])
Q, R = np.diag([1e-3, 1e-3, 3e-4]), np.diag([4e-3, 1e-3])
CONTROL, DT = np.array([1.0, 0.5]), 0.5


def _circle(steps: int) -> tuple[FloatArray, FloatArray]:
    """Return true poses and readings of a robot on a circle."""
    rng, x = np.random.default_rng(0), np.zeros(3)
    way, readings = [], []
    for _ in range(steps):
        x = x + DT * np.array([np.cos(x[2]), np.sin(x[2]), 0.5])
        x = x + rng.multivariate_normal(np.zeros(3), Q)
        d = POSTS - x[:2]
        z = np.stack([np.hypot(*d.T), np.arctan2(d[:, 1], d[:, 0]) - x[2]], axis=1)
        readings.append(z + rng.normal(size=z.shape) * np.sqrt(np.diag(R)))
        way.append(x)
    return np.array(way), np.array(readings)


def draw_maps(axes: Axes) -> None:
    """Three features, and the cells made of them."""
    places = np.array([[1.0, 1.5], [3.2, 0.8], [2.1, 3.3]])
    features = FeatureMap(
        places=places, covariances=np.tile(np.eye(2) * 0.02, (3, 1, 1))
    )
    show_cells(axes, grid_from_features(features, [0, 0], [4, 4], 0.1))
    axes.plot(*places.T, "r+")


def draw_ekf_slam(axes: Axes) -> None:
    """Way, landmarks and what the filter knows of them."""
    way, z = _circle(25)
    belief, told = start_slam(), []
    for t in range(len(way)):
        belief = predict_motion(belief, CONTROL, dt=DT, Q=Q)
        for k in range(len(POSTS)):
            if k >= belief.count:
                belief = add_landmark(belief, z[t, k], R)
            else:
                belief, _ = correct_landmark(belief, k, z[t, k], R)
        told.append(belief.pose)
    axes.plot(*way[:, :2].T, "0.6", label="driven")
    axes.plot(*np.array(told)[:, :2].T, "tab:red", label="believed")
    axes.plot(*POSTS.T, "k^")
    for k, place in enumerate(belief.landmarks):
        at = slice(3 + 2 * k, 5 + 2 * k)
        draw_ellipse(axes, place, belief.covariance[at, at], "tab:blue")
    axes.set_aspect("equal")
    axes.legend()


def draw_fast_slam(axes: Axes) -> None:
    """Particles, and the landmarks each of them believes in."""
    _, z = _circle(20)
    rng, cloud = np.random.default_rng(1), start_fast_slam(60, len(POSTS))
    for t in range(20):
        cloud = fast_slam_step(cloud, CONTROL, z[t], dt=DT, Q=Q, R=R, rng=rng)
    axes.plot(*cloud.places.reshape(-1, 2).T, ".", markersize=3, color="tab:blue")
    axes.plot(*cloud.poses[:, :2].T, ".", color="tab:red")
    axes.plot(*POSTS.T, "k^")
    axes.set_aspect("equal")


def _ring() -> tuple[FloatArray, list[MotionEdge], FloatArray]:
    rng, angle = np.random.default_rng(2), 2 * np.pi * np.arange(24) / 24
    truth = np.stack([4 * np.sin(angle), 4 - 4 * np.cos(angle), angle], axis=1)
    sigma = np.array([0.05, 0.05, 0.03])
    edges, guess = [], [truth[0]]
    for k in range(23):
        told = relative_pose(truth[k], truth[k + 1]) + rng.normal(0, sigma)
        edges.append(
            MotionEdge(i=k, j=k + 1, motion=told, information=np.diag(sigma**-2))
        )
        guess.append(compose(guess[-1], told))
    return truth, edges, np.array(guess)


def draw_graph(axes: Axes) -> None:
    """A round by odometry, and after one edge closed it."""
    truth, edges, guess = _ring()
    closing = MotionEdge(
        i=23,
        j=0,
        motion=relative_pose(truth[23], truth[0]),
        information=1e4 * np.eye(3),
    )
    found = optimize_graph(guess, [*edges, closing])
    rows = (("driven", truth), ("odometry", guess), ("graph", found.poses))
    for name, poses in rows:
        axes.plot(*poses[:, :2].T, ".-", label=name)
    axes.set_aspect("equal")
    axes.legend()


def draw_loops(axes: Axes) -> None:
    """Two true loops and a false one that is refused."""
    truth, edges, guess = _ring()
    tight = np.diag([0.02, 0.02, 0.01]) ** 2
    pairs = ((0, 23), (1, 22), (3, 15))
    loops = [loop_edge(i, j, truth[i], truth[j], tight) for i, j in pairs[:2]]
    loops.append(loop_edge(3, 15, truth[3], truth[4], tight))
    found, kept = close_loops(guess, edges, loops)
    axes.plot(*found.poses[:, :2].T, ".-")
    for (i, j), good in zip(pairs, kept, strict=True):
        ends = found.poses[[i, j], :2].T
        axes.plot(*ends, "g-" if good else "r--")
    axes.set_aspect("equal")


def draw_visual(axes: Axes) -> None:
    """Points and cameras, from tracks in eight images."""
    rng = np.random.default_rng(3)
    X = rng.uniform([-1, -1, 2], [1, 1, 4], (60, 3))
    steps = np.arange(8)[:, None] * np.array([-0.06, 0.01, 0.02, 0.01, -0.012, 0.004])
    p = se3.transform_point(se3.exp(steps)[:, None], X)
    tracks = 150.0 * p[..., :2] / p[..., 2:] + rng.normal(0, 0.2, (8, 60, 2))
    found = reconstruct(tracks, 150.0, rng=rng)
    scale = np.linalg.norm(se3.exp(steps[-1])[:3, 3])
    axes.plot(X[:, 0], X[:, 2], "0.6", marker="o", linestyle="", fillstyle="none")
    axes.plot(
        scale * found.points[:, 0], scale * found.points[:, 2], "r.", markersize=3
    )
    places = se3.inverse(found.Ts_camera_world)[:, :3, 3] * scale
    axes.plot(places[:, 0], places[:, 2], "b^-")
    axes.set_xlabel("x [m]")
    axes.set_ylabel("z [m]")


def draw_scan_match(axes: Axes) -> None:
    """A scan at a wrong guess, and where it fits."""
    grid, truth = room_map(), np.array([2.5, 2.0, 0.3])
    scan, guess = scan_at(truth), truth + np.array([0.25, -0.2, 0.12])
    found = match_scan(map_levels(grid), scan, guess)
    show_cells(axes, grid)
    axes.plot(*points_in_world(guess, scan).T, "b.", markersize=2)
    axes.plot(*points_in_world(found.pose, scan).T, "r.", markersize=2)


def draw_living_map(axes: Axes) -> None:
    """How fast a cell forgets that it was occupied."""
    p = [0.98]
    for _ in range(60):
        p.append(float(fade_probability(p[-1], off=0.1, on=0.02)))
    axes.plot(p)
    axes.axhline(0.02 / 0.12, color="0.6")
    axes.set_xlabel("updates")
    axes.set_ylabel("P(occupied)")


PICTURES = {
    "GR-254": draw_maps,
    "GR-255": draw_ekf_slam,
    "GR-256": draw_fast_slam,
    "GR-257": draw_graph,
    "GR-258": draw_loops,
    "GR-259": draw_visual,
    "GR-260": draw_scan_match,
    "GR-261": draw_living_map,
}
