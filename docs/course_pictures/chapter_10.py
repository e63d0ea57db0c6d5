"""Pictures of chapter 10: where a robot is, from motion, marks and distributions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gelenk.estimation.fitting import fit_sphere, solve_weighted
from gelenk.estimation.kalman import (
    Belief,
    chi2_gate,
    extended_predict,
    kalman_update,
    reweigh_beliefs,
)
from gelenk.navigation.catalog import CATALOG
from gelenk.navigation.dead_reckoning import (
    dead_reckon,
    euler_step,
    inertial_drift,
    unicycle_flow,
)
from gelenk.navigation.landmark_filter import track_landmarks
from gelenk.navigation.landmarks import (
    corners_of_scan,
    pose_from_tag,
    position_from_ranges,
    scan_points,
)
from gelenk.navigation.markov_localisation import (
    blur_ring,
    correct_cells,
    correct_places,
    expected_entropy,
    predict_places,
)
from gelenk.navigation.monte_carlo import MonteCarlo
from gelenk.navigation.odometry import WheelPair, integrate_wheels
from gelenk.navigation.planar import points_in_world
from gelenk.navigation.scan_matching import match_maps
from gelenk.navigation.sensor_models import likelihood_field
from gelenk.planning.occupancy import OccupancyGrid, add_scan, empty_grid
from gelenk.planning.world import PolygonWorld, cast_rays
from gelenk.typing import ArrayLike, FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROOM = PolygonWorld(
    [
        np.array([[5.0, 3.0], [7.0, 3.0], [7.0, 6.0], [5.0, 6.0]]),
        np.array([[1.0, 5.5], [2.0, 5.5], [2.0, 7.0], [1.0, 7.0]]),
    ],
    np.zeros(2),
    np.array([10.0, 8.0]),
)
BEAMS = np.linspace(-np.pi, np.pi, 120, endpoint=False)


def draw_room(axes: Axes) -> None:
    """Draw the obstacles and walls of the chapter's room."""
    for corners in ROOM.obstacles:
        axes.fill(*corners.T, color="0.7")
    axes.plot([0, 10, 10, 0, 0], [0, 0, 8, 8, 0], "0.4")
    axes.set_aspect("equal")
    axes.set_xlabel("x [m]")
    axes.set_ylabel("y [m]")


def draw_ellipse(
    axes: Axes, mean: ArrayLike, covariance: ArrayLike, color: str
) -> None:
    """Draw where two of three draws of a normal distribution fall (2 sigma)."""
    angle = np.linspace(0.0, 2.0 * np.pi, 60)
    values, vectors = np.linalg.eigh(np.asarray(covariance, dtype=float)[:2, :2])
    ring = 2.0 * np.sqrt(np.maximum(values, 0.0)) * np.stack(
        [np.cos(angle), np.sin(angle)], axis=1
    )  # fmt: skip
    x, y = (ring @ vectors.T + np.asarray(mean, dtype=float)[:2]).T
    axes.plot(x, y, color=color, linewidth=1)


def room_map() -> OccupancyGrid:
    """Return the room as cells, from six scans."""
    grid = empty_grid([-0.55, -0.55], [10.55, 8.55], 0.1)
    for x, y in ((2, 2), (8, 2), (8, 7), (3, 7), (3, 4), (4, 5)):
        reach = cast_rays(ROOM, [x, y], BEAMS, 12.0)
        grid = add_scan(grid, [x, y, 0], BEAMS, reach, max_range=12.0)
    return grid


def scan_at(pose: ArrayLike) -> FloatArray:
    """Return the ends of beams at a pose, robot axes [m]."""
    x = np.asarray(pose, dtype=float)
    return scan_points(BEAMS, cast_rays(ROOM, x[:2], BEAMS + x[2], 12.0))


def draw_odometry(axes: Axes) -> None:
    """A square, as driven and as wheels of slightly wrong size tell it."""
    wheels = WheelPair()
    side = np.full((40, 2), 1.0)
    corner = np.tile([-1.0, 1.0], (40, 1)) * np.pi / 4 * 0.3 / 0.05 / 40
    turns = np.concatenate([side, corner] * 4)
    worn = WheelPair(right_radius=0.0505)
    for pair, name in ((wheels, "driven"), (worn, "told, one wheel 1 % larger")):
        x, y, _ = integrate_wheels(pair, np.zeros(3), turns).T
        axes.plot(x, y, label=name)
    axes.set_aspect("equal")
    axes.legend()


def draw_inertial(axes: Axes) -> None:
    """How far accelerometers lead astray."""
    t = np.linspace(0.0, 60.0, 200)
    axes.plot(t, inertial_drift(t, bias=0.01), label="bias 0.01 m/s²")
    axes.plot(t, inertial_drift(t, noise=0.005), label="noise 0.005 m/s²/√Hz")
    axes.set_xlabel("time [s]")
    axes.set_ylabel("error [m]")
    axes.legend()


def draw_dead_reckoning(axes: Axes) -> None:
    """Heading of a biased gyro alone, and corrected by wheels."""
    rng = np.random.default_rng(0)
    t = 0.02 * np.arange(1501)
    rate = 0.4 * np.sin(0.3 * t[:-1])
    told = dead_reckon(
        np.zeros(3), 0.5 + 0 * rate, rate + rng.normal(0, 0.15, 1500), rate + 0.05, 0.02
    )
    axes.plot(t, told.bias, label="bias of the gyro, estimated")
    axes.axhline(0.05, color="0.6", label="true")
    axes.set_xlabel("time [s]")
    axes.set_ylabel("[rad/s]")
    axes.legend()


def draw_beacons(axes: Axes) -> None:
    """Three ranges that do not quite meet, and the best place."""
    beacons, ranges = np.array([[0.0, 0], [10, 0], [0, 10]]), (5.1, 8.0, 6.8)
    angle = np.linspace(0, 2 * np.pi, 200)
    for (x, y), r in zip(beacons, ranges, strict=True):
        axes.plot(x + r * np.cos(angle), y + r * np.sin(angle), "0.7")
    axes.plot(*beacons.T, "k^")
    axes.plot(*position_from_ranges(beacons, ranges).value, "r*", markersize=12)
    axes.set_aspect("equal")


def draw_tag(axes: Axes) -> None:
    """A robot that sees a tag of known pose."""
    T_world_tag, T_robot_tag = np.eye(4), np.eye(4)
    T_world_tag[:2, 3], T_robot_tag[0, 3] = (3.0, 2.0), 2.0
    c, s = np.cos(0.5), np.sin(0.5)
    T_robot_tag[:2, :2] = [[c, s], [-s, c]]
    T = pose_from_tag(T_world_tag, T_robot_tag)
    for pose, name in ((T_world_tag, "tag"), (T, "robot")):
        x, y = pose[:2, 3]
        axes.quiver([x, x], [y, y], pose[0, :2], pose[1, :2], color=["r", "g"], scale=8)
        axes.text(x, y, name)
    axes.plot([T_world_tag[0, 3], T[0, 3]], [T_world_tag[1, 3], T[1, 3]], "0.7")
    axes.set_aspect("equal")


def draw_features(axes: Axes) -> None:
    """Corners found in a scan."""
    pose = np.array([3.5, 7.2, 1.5])
    fine = np.linspace(-np.pi, np.pi, 720, endpoint=False)
    points = scan_points(fine, cast_rays(ROOM, pose[:2], fine + pose[2], 12.0))
    corners = corners_of_scan(points, gap=0.04, least=8)
    draw_room(axes)
    axes.plot(*points_in_world(pose, points).T, ".", markersize=2)
    axes.plot(*points_in_world(pose, corners).T, "ro", fillstyle="none")


def draw_map_matching(axes: Axes) -> None:
    """A local map laid onto the map of the house."""
    house, pose = room_map(), np.array([2.6, 3.4, 2.1])
    local = empty_grid([-5, -5], [5, 5], 0.1)
    reach = cast_rays(ROOM, pose[:2], BEAMS + pose[2], 5.0)
    local = add_scan(local, [0, 0, 0], BEAMS, reach, max_range=5.0)
    found = match_maps(local, house, headings=36)
    show_cells(axes, house)
    walls = local.centers()[local.probability > 0.65]
    axes.plot(*points_in_world(found.pose, walls).T, "r.", markersize=3)


def show_cells(axes: Axes, grid: OccupancyGrid) -> None:
    """Draw a map of cells, dark where occupied."""
    low, high = grid.origin, grid.origin + grid.cell * np.array(grid.odds.shape)
    axes.imshow(
        grid.probability.T, origin="lower", cmap="Greys",
        extent=(low[0], high[0], low[1], high[1]),
    )  # fmt: skip


def draw_least_squares(axes: Axes) -> None:
    """A curve through points that do not count alike."""
    rng, t = np.random.default_rng(0), np.linspace(0, 2, 20)
    w = rng.uniform(0.2, 4.0, 20)
    y = 2.0 * np.exp(-1.3 * t) + rng.normal(0, 0.2, 20) / np.sqrt(w)
    p = solve_weighted(lambda p: p[0] * np.exp(-p[1] * t) - y, [1.0, 1.0], w).x
    axes.scatter(t, y, s=20 * w)
    axes.plot(t, p[0] * np.exp(-p[1] * t), "r")


def draw_ball(axes: Axes) -> None:
    """The circle through six points of the course."""
    x, y = [5.05, 2.1, -1.03, 1.95, 4.1, -0.1], [-1.02, 1.97, -0.95, -4.04, 1.15, -3.1]
    ball, angle = fit_sphere(np.stack([x, y], axis=1)), np.linspace(0, 2 * np.pi, 100)
    axes.plot(x, y, "o")
    axes.plot(
        ball.center[0] + ball.radius * np.cos(angle),
        ball.center[1] + ball.radius * np.sin(angle),
        "r",
    )
    axes.set_aspect("equal")


def draw_catalog(axes: Axes) -> None:
    """Which methods need a map, a start, and how many hypotheses they keep."""
    rows = [
        (m.needs_map, m.scope == "global", m.hypotheses != "one", m.is_probabilistic)
        for m in CATALOG
    ]
    axes.imshow(np.array(rows, dtype=float), cmap="Greens", vmax=1.5, aspect="auto")
    axes.set_yticks(range(len(CATALOG)), [m.name for m in CATALOG], fontsize=7)
    names = ["map", "finds itself", "many hypotheses", "says how sure"]
    axes.set_xticks(range(4), names, fontsize=7)


def draw_discretize(axes: Axes) -> None:
    """A circle in Euler's steps, long and short."""
    for count in (8, 32, 128):
        x = [np.zeros(3)]
        for _ in range(count):
            u = np.array([1.0, 1.0])
            x.append(euler_step(unicycle_flow, x[-1], u, 2 * np.pi / count))
        axes.plot(*np.array(x)[:, :2].T, label=f"{count} steps")
    axes.set_aspect("equal")
    axes.legend()


def draw_prediction(axes: Axes) -> None:
    """What a robot believes while it only drives."""
    belief = Belief(mean=np.zeros(3), covariance=np.diag([1e-3, 1e-3, 4e-3]))
    for _ in range(6):
        draw_ellipse(axes, belief.mean, belief.covariance, "tab:blue")
        axes.plot(*belief.mean[:2], "k.")
        belief = extended_predict(
            belief,
            lambda x: x + np.array([np.cos(x[2]), np.sin(x[2]), 0.25]),
            lambda x: np.array(
                [[1, 0, -np.sin(x[2])], [0, 1, np.cos(x[2])], [0, 0, 1]]
            ),
            np.diag([2e-3, 2e-3, 2e-3]),
        )
    axes.set_aspect("equal")


def draw_correction(axes: Axes) -> None:
    """A drive corrected by two landmarks."""
    rng, posts = np.random.default_rng(1), np.array([[4.0, 5.0], [6.0, -1.0]])
    u = np.tile([0.8, 0.05], (40, 1))
    x, z = np.array([0.0, 0.0, 0.3]), []
    way = []
    for v, w in u:
        x = x + 0.2 * np.array([v * np.cos(x[2]), v * np.sin(x[2]), w])
        d = posts - x[:2]
        z.append(
            np.stack([np.hypot(*d.T), np.arctan2(d[:, 1], d[:, 0]) - x[2]], axis=1)
            + rng.normal(0, 1, (2, 2)) * [0.1, 0.05]
        )
        way.append(x)
    start = Belief(
        mean=np.array([0.2, -0.3, 0.2]), covariance=np.diag([0.1, 0.1, 0.05])
    )
    track = track_landmarks(
        start, u, np.array(z), posts, dt=0.2, Q=np.diag([4e-4, 4e-4, 1e-4]),
        R=np.diag([0.01, 0.0025]),
    )  # fmt: skip
    axes.plot(*np.array(way)[:, :2].T, "0.6", label="driven")
    axes.plot(*track.mean[:, :2].T, "tab:red", label="believed")
    for k in range(0, 40, 6):
        draw_ellipse(axes, track.mean[k], track.covariance[k], "tab:blue")
    axes.plot(*posts.T, "k^")
    axes.set_aspect("equal")
    axes.legend()


def draw_gate(axes: Axes) -> None:
    """Residuals inside and outside of the gate."""
    rng, S = np.random.default_rng(2), np.array([[1.0, 0.6], [0.6, 0.8]])
    r = rng.multivariate_normal(np.zeros(2), S, 200)
    r[:12] += 4.0
    belief = Belief(mean=np.zeros(2), covariance=0.5 * S)
    good = [
        kalman_update(belief, z, np.eye(2), 0.5 * S, gate=chi2_gate(2)).accepted
        for z in r
    ]
    axes.plot(*r[good].T, ".", label="believed")
    axes.plot(*r[~np.array(good)].T, "rx", label="refused")
    axes.set_aspect("equal")
    axes.legend()


def draw_hypotheses(axes: Axes) -> None:
    """Weights of three hypotheses before and after a sight."""
    before, fits = [0.5, 0.3, 0.2], [0.1, 0.4, 0.05]
    axes.bar(np.arange(3) - 0.2, before, 0.4, label="before")
    axes.bar(np.arange(3) + 0.2, reweigh_beliefs(before, fits), 0.4, label="after")
    axes.legend()


def draw_grid(axes: Axes) -> None:
    """Five cells in a ring: uniform, after seeing red, after a noisy step."""
    belief = np.ones(5) / 5
    seen = correct_cells(belief, [0.2, 0.6, 0.6, 0.2, 0.2])
    moved = blur_ring(seen, 1, [0.1, 0.8, 0.1])
    for k, (name, p) in enumerate((("start", belief), ("red", seen), ("step", moved))):
        axes.bar(np.arange(5) + 0.25 * (k - 1), p, 0.25, label=name)
    axes.legend()


def draw_particles(axes: Axes) -> None:
    """Particles anywhere, and after some looks."""
    rng, field = np.random.default_rng(3), likelihood_field(room_map())
    poses = rng.uniform([0, 0, -np.pi], [10, 8, np.pi], (3000, 3))
    cloud = MonteCarlo(poses=poses, log_weights=np.zeros(3000))
    draw_room(axes)
    axes.plot(*cloud.poses[:, :2].T, ",", color="0.5")
    x = np.array([2.6, 1.8, 0.35])
    for _ in range(4):
        step = 0.3 * np.array([np.cos(x[2]), np.sin(x[2])])
        x = np.array([*(x[:2] + step), x[2] + 0.2])
        cloud = cloud.moved([0.3, 0.0, 0.2], rng).seen(field, scan_at(x)[::4])
        cloud = cloud.resampled(rng)
    axes.plot(*cloud.poses[:, :2].T, "r.", markersize=2)
    axes.plot(*x[:2], "b*")


def draw_active(axes: Axes) -> None:
    """What each action is expected to leave unknown."""
    sight = np.full((12, 3), 0.05)
    kinds = [0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 2, 0]
    sight[np.arange(12), kinds] = 0.9
    belief = np.zeros(12)
    belief[[0, 4, 11]] = 1 / 3
    moves = np.array([np.roll(np.eye(12), k, axis=1) for k in (-1, 0, 1)])
    axes.bar(["left", "stay", "right"], expected_entropy(belief, moves, sight))
    axes.set_ylabel("expected entropy [nat]")


def draw_places(axes: Axes) -> None:
    """A corridor of three places: start, forward, a door seen."""
    from gelenk.navigation.catalog import PlaceBelief

    start = PlaceBelief(places=tuple("ABC"), probability=np.ones(3) / 3)
    moved = predict_places(start, [[0.2, 0.8, 0], [0, 0.2, 0.8], [0, 0, 1]])
    seen = correct_places(moved, [0.7, 0.1, 0.7])
    steps = (("start", start), ("forward", moved), ("door seen", seen))
    for k, (name, belief) in enumerate(steps):
        axes.bar(np.arange(3) + 0.25 * (k - 1), belief.probability, 0.25, label=name)
    axes.set_xticks(range(3), list("ABC"))
    axes.legend()


PICTURES = {
    "GR-236": draw_odometry,
    "GR-237": draw_inertial,
    "GR-238": draw_dead_reckoning,
    "GR-239": draw_beacons,
    "GR-240": draw_tag,
    "GR-241": draw_features,
    "GR-242": draw_map_matching,
    "GR-243": draw_least_squares,
    "GR-244": draw_ball,
    "GR-245": draw_catalog,
    "GR-246": draw_discretize,
    "GR-247": draw_prediction,
    "GR-248": draw_correction,
    "GR-249": draw_gate,
    "GR-250": draw_hypotheses,
    "GR-251": draw_grid,
    "GR-252": draw_particles,
    "GR-253": draw_active,
    "GR-289": draw_places,
}
