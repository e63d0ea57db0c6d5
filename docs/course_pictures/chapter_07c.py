"""Pictures of chapter 7.2.3: sensing in space, and point clouds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gelenk.pointcloud.cloud import PointCloud
from gelenk.pointcloud.filters import are_inliers, estimate_normals, smooth_points
from gelenk.pointcloud.kd_tree import KdTree
from gelenk.pointcloud.laser_scan import (
    cast_boxes,
    cloud_from_ranges,
    nodding_directions,
)
from gelenk.pointcloud.octree import Octree
from gelenk.pointcloud.planes import find_planes
from gelenk.pointcloud.registration import IcpCfg, align_clouds
from gelenk.pointcloud.tsdf import fuse_distance, iso_surface
from gelenk.spatial import so3
from gelenk.typing import FloatArray
from gelenk.vision.depth_cameras import (
    distance_from_gates,
    distance_from_phase,
    gated_charges,
    gray_patterns,
    phase_from_samples,
    phase_samples,
    projected_texture,
)
from gelenk.vision.stereo import depth_error, depth_from_disparity, disparity_image

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def _wave(n: int, seed: int, noise: float = 0.0) -> FloatArray:
    """Return points of a wavy sheet of 2 m x 2 m [m], shape (n, 3)."""
    rng = np.random.default_rng(seed)
    x, y = rng.uniform(-1.0, 1.0, (2, n))
    z = 0.2 * np.sin(3.0 * x) + 0.15 * np.cos(2.5 * y)
    return np.column_stack([x, y, z + noise * rng.normal(size=n)])


def _side(axes: Axes, points: FloatArray, style: str, label: str = "") -> None:
    """Draw points as seen from the side, x to the right and z up."""
    axes.plot(points[:, 0], points[:, 2], style, markersize=2, label=label or None)
    axes.set_xlabel("x [m]")
    axes.set_ylabel("z [m]")


def draw_stereo(axes: Axes) -> None:
    """Depth over disparity, and how far a pixel errs."""
    d = np.linspace(4.0, 80.0, 200)
    z = depth_from_disparity(d, baseline=0.12, focal=700.0)
    error = depth_error(z, 1.0, baseline=0.12, focal=700.0)
    axes.plot(d, z, label="Z = B f / d")
    axes.fill_between(d, z - error, z + error, alpha=0.3, label="1 px")
    axes.set_xlabel("disparity [px]")
    axes.set_ylabel("depth [m]")
    axes.legend()


def draw_structured_light(axes: Axes) -> None:
    """Stripes of the Gray code, one pattern per row."""
    axes.imshow(gray_patterns(64), cmap="gray", aspect="auto")
    axes.set_xlabel("column of the projector")
    axes.set_ylabel("pattern")


def draw_projected_texture(axes: Axes) -> None:
    """Disparity of an even wall: without light nothing, under dots all of it."""
    v, u = np.indices((40, 90)).astype(float)
    dots = 100.0 * (np.random.default_rng(2).uniform(size=(64, 64)) < 0.3)
    found = []
    for light in (0.0, projected_texture(0.8 * u + 5.3, 0.8 * v + 2.1, dots)):
        right = 120.0 + light + 0.0 * u
        left = np.roll(right, 8, axis=1)
        found.append(disparity_image(left, right, max_disparity=12))
    axes.imshow(
        np.vstack([found[0], np.full((4, 90), 12.0), found[1]]), vmin=0, vmax=12
    )
    axes.set_title("disparity: even wall, unknown; the same under dots", fontsize=8)


def draw_time_of_flight(axes: Axes) -> None:
    """What phase and shutter say of true distances."""
    d = np.linspace(0.0, 12.0, 300)
    samples = phase_samples(d, frequency=20e6, amplitude=1.0, offset=3.0)
    axes.plot(d, distance_from_phase(phase_from_samples(samples)[0], frequency=20e6),
              label="phase, 20 MHz")  # fmt: skip
    near = d[d < 8.9]
    axes.plot(near, distance_from_gates(*gated_charges(near, pulse=30e-9), pulse=30e-9),
              label="shutter, 30 ns")  # fmt: skip
    axes.set_xlabel("distance [m]")
    axes.set_ylabel("measured [m]")
    axes.legend()


def draw_laser_scan(axes: Axes) -> None:
    """Points of a nodding scanner in a room with a crate, from the side."""
    beams = nodding_directions(
        np.radians(np.arange(-60.0, 61.0, 3.0)), np.radians(np.arange(-30.0, 60.0, 2.0))
    )
    boxes = np.array(
        [[[-1, -3, -1], [5, 3, 2]], [[2, -0.5, -1], [3, 0.5, 0.2]]], dtype=float
    )
    cloud = cloud_from_ranges(cast_boxes(np.zeros(3), beams, boxes), beams)
    _side(axes, cloud.points, ".")
    axes.plot(0, 0, "r^")


def draw_clouds(axes: Axes) -> None:
    """Two clouds, one moved, joined and thinned."""
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = so3.rot_y(0.4), (1.5, 0.0, 0.3)
    first = PointCloud(points=_wave(600, 0))
    both = PointCloud.merged([first, first.transformed(T)])
    _side(axes, both.points, ".", "both")
    _side(axes, both.thinned(0.3).points, "o", "one per 0.3 m")
    axes.legend()


def draw_kd_tree(axes: Axes) -> None:
    """Boxes of the leaves over points of a plane."""
    points = np.random.default_rng(0).normal(size=(300, 2))
    tree = KdTree(points)
    axes.plot(*points.T, "k.", markersize=2)
    for a, b, _, c, d, _ in tree.boxes[2**tree.depth - 1 :]:
        axes.plot([a, c, c, a, a], [b, b, d, d, b], linewidth=0.8)
    axes.set_aspect("equal")


def draw_octree(axes: Axes) -> None:
    """Cubes with points on a circle, all levels, from above."""
    angle = np.linspace(0.0, 2.0 * np.pi, 200)
    tree = Octree([0.0, 0.0, 0.0], 4.0, depth=5)
    tree.insert_all(
        np.column_stack([1.5 * np.cos(angle), np.sin(angle), 0.1 + 0.0 * angle])
    )
    for node in sorted(tree.nodes(), key=lambda node: node.count > 0):
        (x, y, _), h = node.center, node.half
        if node.count or node.center[2] > 0.0:
            axes.plot(
                [x - h, x + h, x + h, x - h, x - h],
                [y - h, y - h, y + h, y + h, y - h],
                color="tab:blue" if node.count else "0.85",
                linewidth=0.5,
            )
    axes.set_aspect("equal")


def draw_tsdf(axes: Axes) -> None:
    """Distances fused from two sides of a disc, and the surface at zero."""
    x, y = np.meshgrid(np.linspace(-1, 1, 61), np.linspace(-1, 1, 61), indexing="ij")
    D, W = np.zeros(x.shape), np.zeros(x.shape)
    with np.errstate(invalid="ignore"):
        for a, b in ((x, y), (-x, y), (y, x), (-y, x)):
            front = np.sqrt(0.6**2 - b**2)  # where light along -a meets the disc
            D, W = fuse_distance(D, W, a - front, truncation=0.2)
    shown = axes.imshow(
        np.where(W > 0, D, np.nan).T, extent=(-1, 1, 1, -1), cmap="RdBu"
    )
    axes.figure.colorbar(shown, label="D")
    layers = np.repeat(np.where(W > 0, D, np.nan)[..., None], 2, axis=2)
    edge = iso_surface(layers, origin=[-1, -1, 0], cell=1.0 / 30.0).vertices
    axes.plot(edge[:, 0], edge[:, 1], "k.", markersize=1)


def draw_cloud_outliers(axes: Axes) -> None:
    """Points that are too far from their neighbours."""
    rng = np.random.default_rng(0)
    points = np.concatenate([_wave(500, 0), rng.uniform(-1.0, 1.0, (25, 3))])
    good = are_inliers(points, count=8)
    _side(axes, points[good], ".", "kept")
    _side(axes, points[~good], "rx", "removed")
    axes.legend()


def draw_smoothed(axes: Axes) -> None:
    """A noisy sheet, and what local polynomials make of it."""
    noisy = _wave(1500, 0, noise=0.04)
    strip = np.abs(noisy[:, 1]) < 0.1
    smooth = smooth_points(noisy, width=0.3, queries=noisy[strip])
    _side(axes, noisy[strip], ".", "noisy")
    _side(axes, smooth, "o", "smoothed")
    axes.legend()


def draw_normals(axes: Axes) -> None:
    """Normals of a sheet, from the side."""
    points = _wave(1500, 0)
    normals = estimate_normals(points, sensor=[0.0, 0.0, 5.0])
    strip = np.abs(points[:, 1]) < 0.05
    _side(axes, points[strip], ".")
    axes.quiver(
        points[strip, 0],
        points[strip, 2],
        normals[strip, 0],
        normals[strip, 2],
        width=2e-3,
    )
    axes.set_ylim(-0.3, 0.8)
    axes.set_aspect("equal")


def draw_planes(axes: Axes) -> None:
    """Walls and floor of a room, each plane in its colour, from above and aslant."""
    rng = np.random.default_rng(0)
    room = []
    for axis, level in ((0, 0.0), (0, 4.0), (1, 3.0), (2, 0.0)):
        p = rng.uniform(0, 1, (250, 3)) * [4.0, 3.0, 2.5]
        p[:, axis] = level
        room.append(p)
    points = np.concatenate([*room, rng.uniform(0.3, 2.2, (100, 3))])
    points = points + 0.01 * rng.normal(size=points.shape)
    view = points @ [[1.0, 0.1], [0.35, 0.5], [0.0, 1.0]]
    axes.plot(*view.T, ".", color="0.8", markersize=2)
    for plane in find_planes(points, tolerance=0.03, rng=rng, min_points=120):
        axes.plot(*view[plane.members].T, ".", markersize=3)
    axes.set_axis_off()


def draw_icp(axes: Axes) -> None:
    """The error of the pairs, round by round, to points and to planes."""
    target = _wave(1500, 0)
    source = (_wave(1200, 1) - [0.1, 0.05, -0.05]) @ so3.rot_y(np.radians(10.0))
    normals = estimate_normals(target, sensor=[0.0, 0.0, 5.0])
    for method in ("point", "plane"):
        cfg = IcpCfg(method=method, max_iterations=40)
        found = align_clouds(source, target, normals=normals, cfg=cfg)
        axes.semilogy(found.errors, "o-", markersize=3, label=method)
    axes.set_xlabel("round")
    axes.set_ylabel("error [m]")
    axes.legend()


PICTURES = {
    "GR-157": draw_stereo,
    "GR-158": draw_structured_light,
    "GR-159": draw_projected_texture,
    "GR-160": draw_time_of_flight,
    "GR-161": draw_laser_scan,
    "GR-162": draw_clouds,
    "GR-163": draw_kd_tree,
    "GR-164": draw_octree,
    "GR-165": draw_tsdf,
    "GR-166": draw_cloud_outliers,
    "GR-167": draw_smoothed,
    "GR-168": draw_normals,
    "GR-169": draw_planes,
    "GR-170": draw_icp,
}
