"""Tests of elementary motions.

Oracles: SciPy's splines, linear programming, numerical derivatives and integration,
circles by least squares, the printed values of the foundations.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp
from scipy.interpolate import BSpline
from scipy.interpolate import CubicSpline as ScipySpline
from scipy.optimize import linprog
from scipy.spatial.transform import Rotation, Slerp

import gelenk
from gelenk.errors import ConfigError
from gelenk.spatial import se3, so3
from gelenk.trajectory.feasibility import PathTrouble, check_tool_path
from gelenk.trajectory.ptp import (
    TimeLaw,
    fastest_law,
    plan_ptp,
    shortest_duration,
    stretched_trapezoid,
)
from gelenk.trajectory.spline import b_spline, clamped_knots, fit_cubic_spline
from gelenk.trajectory.tool_motion import (
    ToolLimits,
    blend_time,
    circle_through,
    corner_deviation,
    plan_circ,
    plan_fly_by,
    plan_lin,
)
from gelenk.trajectory.vehicle_paths import (
    ArcPath,
    LinePath,
    arc_to_point,
    cubic_to_pose,
)

ARM = gelenk.load("planar2r")
PLANE = (1.0, 1.0, 0.0, 0.0, 0.0, 0.0)
LIMITS = ToolLimits(speed=0.4, acceleration=1.0)
RNG = np.random.default_rng(7)


@pytest.mark.capability("GR-202")
def test_time_laws_have_their_printed_values() -> None:
    law = fastest_law(1.0, max_speed=0.5, max_acceleration=1.0)
    assert (law.duration, law.ramp) == (2.5, 0.5)
    short = fastest_law(0.16, max_speed=0.5, max_acceleration=1.0)
    assert short.duration == pytest.approx(0.8)
    assert 0.16 * short.sample(0.4)[1] == pytest.approx(0.4)
    assert TimeLaw(kind="cubic", duration=2.0).sample(0.5)[0] == pytest.approx(0.15625)
    assert TimeLaw(kind="quintic", duration=2.0).sample(0.5)[0] == pytest.approx(
        0.103516, abs=1e-6
    )


@pytest.mark.capability("GR-202")
@pytest.mark.parametrize(
    "law",
    [
        TimeLaw(kind="trapezoid", duration=2.5, ramp=0.5),
        TimeLaw(kind="trapezoid", duration=2.0, ramp=1.0),
        TimeLaw(kind="cubic", duration=1.7),
        TimeLaw(kind="quintic", duration=1.7),
    ],
    ids=lambda law: f"{law.kind}-{law.ramp}",
)
def test_a_law_goes_from_rest_to_rest_and_its_rates_are_its_derivatives(law) -> None:
    s, v, _ = law.sample([0.0, law.duration])
    assert_allclose(s, [0.0, 1.0], atol=1e-15)
    assert_allclose(v, 0.0, atol=1e-15)
    t, h = np.linspace(0.0, law.duration, 50)[1:-1] + 1e-3, 1e-6
    assert_allclose(
        law.sample(t)[1],
        (law.sample(t + h)[0] - law.sample(t - h)[0]) / (2 * h),
        atol=1e-6,
    )
    assert_allclose(
        law.sample(t)[2],
        (law.sample(t + h)[1] - law.sample(t - h)[1]) / (2 * h),
        atol=1e-5,
    )
    assert_allclose(law.sample([-1.0, 99.0])[0], [0.0, 1.0])


@pytest.mark.capability("GR-202")
@pytest.mark.parametrize("shape", ["straight", "eager"])
def test_joints_start_and_stop_together_within_their_limits(shape) -> None:
    for _ in range(20):
        a, b = RNG.uniform(-2, 2, (2, 4))
        v, acc = RNG.uniform(0.3, 2.0, 4), RNG.uniform(0.5, 5.0, 4)
        motion = plan_ptp(a, b, max_speed=v, max_acceleration=acc, shape=shape)
        t = np.linspace(0.0, motion.duration, 400)
        q, qd, qdd = motion.sample(t)
        assert_allclose(q[[0, -1]], [a, b], atol=1e-12)
        assert np.all(np.abs(qd) <= v * (1 + 1e-9))
        assert np.all(np.abs(qdd) <= acc * (1 + 1e-9))
        assert np.all(np.abs(qd[5:-5]) > 0.0)
        if shape == "straight":
            assert_allclose((q - a) * (b - a)[0], (q - a)[:, :1] * (b - a), atol=1e-9)
            eager = plan_ptp(a, b, max_speed=v, max_acceleration=acc, shape="eager")
            assert eager.duration <= motion.duration + 1e-12


@pytest.mark.capability("GR-202")
def test_a_stretched_trapezoid_keeps_its_acceleration_and_covers_its_way() -> None:
    law = stretched_trapezoid(0.7, duration=3.0, max_acceleration=2.0)
    _, v, a = law.sample(np.linspace(0.0, 3.0, 30_001))
    assert np.abs(0.7 * a).max() == pytest.approx(2.0)
    assert np.trapezoid(0.7 * v, dx=1e-4) == pytest.approx(0.7, abs=1e-6)
    with pytest.raises(ConfigError, match="takes"):
        stretched_trapezoid(10.0, duration=1.0, max_acceleration=2.0)


def furthest(T: float, v: float, a: float, n: int = 120) -> float:
    """Return the longest way from rest to rest in T within limits, by linear programming."""
    h = T / n
    # Unknown: accelerations of n intervals. Speeds are their sums, the way a weighted sum.
    sums = h * np.tril(np.ones((n, n)))
    way = h * h * (n - np.arange(n) - 0.5)
    found = linprog(
        -way,
        A_ub=np.vstack([sums, -sums]),
        b_ub=np.full(2 * n, v),
        A_eq=sums[-1:],
        b_eq=[0.0],
        bounds=[(-a, a)] * n,
    )
    return -found.fun


@pytest.mark.capability("GR-206")
@pytest.mark.parametrize("way", [1.0, 0.16])
def test_no_motion_within_the_limits_is_faster_than_the_trapezoid(way) -> None:
    """Oracle: linear programming over all accelerations."""
    T = fastest_law(way, max_speed=0.5, max_acceleration=1.0).duration
    assert furthest(T, 0.5, 1.0) == pytest.approx(way, rel=1e-3)
    assert furthest(0.97 * T, 0.5, 1.0) < 0.99 * way


@pytest.mark.capability("GR-206")
@pytest.mark.parametrize("kind", ["trapezoid", "cubic", "quintic"])
def test_the_shortest_law_touches_a_limit_and_any_faster_one_breaks_it(kind) -> None:
    for _ in range(30):
        way = RNG.uniform(-2, 2, 3)
        v, a = RNG.uniform(0.3, 2.0, 3), RNG.uniform(0.5, 5.0, 3)
        law = fastest_law(way, max_speed=v, max_acceleration=a, kind=kind)
        t = np.linspace(1e-9, law.duration - 1e-9, 4001)
        _, s, ss = law.sample(t)

        def load(factor, s=s, ss=ss, way=way, v=v, a=a):
            top = np.abs(s).max() * factor * np.abs(way) / v
            return max(
                top.max(), (np.abs(ss).max() * factor**2 * np.abs(way) / a).max()
            )

        assert load(1.0) == pytest.approx(1.0, abs=1e-5)
        assert load(1.01) > 1.005
    assert fastest_law([0.0, 0.0], max_speed=1.0, max_acceleration=1.0).duration == 0.0
    with pytest.raises(ConfigError, match="> 0"):
        fastest_law(1.0, max_speed=0.0, max_acceleration=1.0)


@pytest.mark.capability("GR-206")
def test_a_curved_joint_path_is_stretched_until_its_worst_joint_just_complies() -> None:
    """A straight tool line of the planar arm; oracle: derivatives of a fine spline."""
    law = TimeLaw(kind="quintic", duration=1.0)
    t = np.linspace(0.0, 1.0, 201)
    poses = np.tile(np.eye(4), (201, 1, 1))
    poses[:, 0, 3], poses[:, 1, 3] = 1.3 - 0.6 * law.sample(t)[0], 0.4
    q = check_tool_path(ARM, poses, q_start=[-0.3, 1.3], dt=1.0, weights=PLANE).q
    v, a = np.array([0.8, 1.1]), np.array([3.0, 4.0])
    T = shortest_duration(q, law, max_speed=v, max_acceleration=a)
    spline = ScipySpline(t * T, q)
    speed = np.abs(spline(t * T, 1)).max(axis=0) / v
    bend = np.abs(spline(t * T, 2)).max(axis=0) / a
    assert max(speed.max(), bend.max()) == pytest.approx(1.0, rel=5e-3)


@pytest.mark.capability("GR-203")
def test_the_tool_of_a_six_axis_arm_keeps_to_its_line() -> None:
    """Between start and end the tool stays within 1e-6 m; orientation as SciPy's slerp."""
    arm = gelenk.load("puma560")
    q0 = np.array([0.2, 0.6, -0.8, 0.3, 0.8, 0.1])
    start = arm.forward(q0)
    end = arm.forward(q0 + np.array([0.3, -0.25, -0.3, 0.2, -0.3, 0.2]))
    line = plan_lin(start, end, LIMITS)
    t = np.linspace(0.0, line.law.duration, 60)
    report = check_tool_path(arm, line.pose(t), q_start=q0, dt=t[1])
    assert report.is_feasible
    tool = arm.forward(report.q)
    way = end[:3, 3] - start[:3, 3]
    along = (tool[:, :3, 3] - start[:3, 3]) @ way / (way @ way)
    off = tool[:, :3, 3] - start[:3, 3] - along[:, None] * way
    assert np.linalg.norm(off, axis=1).max() < 1e-6
    slerp = Slerp([0, 1], Rotation.from_matrix([start[:3, :3], end[:3, :3]]))
    assert_allclose(tool[:, :3, :3], slerp(np.clip(along, 0, 1)).as_matrix(), atol=1e-6)
    assert np.abs(np.diff(report.q, axis=0)).max() < 0.1
    assert np.linalg.norm(way) / line.law.duration < LIMITS.speed


@pytest.mark.capability("GR-204")
def test_a_circle_through_three_points_is_the_printed_one() -> None:
    circle = circle_through([1, 0, 0], [0, 1, 1], [-1, 0, 2])
    assert_allclose(circle.centre, [0, -0.5, 1], atol=1e-12)
    assert circle.radius == pytest.approx(1.5)
    assert_allclose(circle.normal, [0.707107, 0, 0.707107], atol=1e-6)
    with pytest.raises(ConfigError, match="line"):
        circle_through([0, 0, 0], [1, 1, 1], [2, 2, 2])


@pytest.mark.capability("GR-204")
def test_an_arc_keeps_its_radius_passes_its_via_point_and_turns_over_it() -> None:
    for _ in range(20):
        p, via, q = RNG.normal(size=(3, 3))
        start = se3.pose_from_rotation_translation(so3.exp(RNG.normal(size=3)), p)
        end = se3.pose_from_rotation_translation(so3.exp(RNG.normal(size=3)), q)
        arc = plan_circ(start, via, end, LIMITS)
        poses = arc.pose(np.linspace(0.0, arc.law.duration, 2001))
        places = poses[:, :3, 3]
        # Centre and plane by least squares from the samples, not from the planner.
        plane = np.linalg.svd(places - places.mean(axis=0), full_matrices=False)[2][2]
        assert_allclose((places - p) @ plane, 0.0, atol=1e-9)
        A = np.column_stack([2.0 * places, np.ones(len(places))])
        A = np.vstack([A, [*plane, 0.0]])
        b = np.append(np.sum(places**2, axis=1), plane @ p)
        centre = np.linalg.lstsq(A, b)[0][:3]
        assert_allclose(
            np.linalg.norm(places - centre, axis=1), arc.circle.radius, rtol=1e-6
        )
        assert (
            np.linalg.norm(places - via, axis=1).min() < 0.01 * arc.circle.radius + 1e-3
        )
        assert_allclose(poses[[0, -1]], [start, end], atol=1e-9)


@pytest.mark.capability("GR-204")
def test_a_circle_is_driven_as_slowly_as_its_bend_asks() -> None:
    start, end = np.eye(4), np.eye(4)
    start[:3, 3], end[:3, 3] = [0.1, 0, 0], [-0.1, 0, 0]
    arc = plan_circ(start, [0, 0.1, 0], end, ToolLimits(speed=9.0, acceleration=1.0))
    t, h = np.linspace(0.01, arc.law.duration - 0.01, 200), 1e-6
    v = (arc.pose(t + h)[:, :3, 3] - arc.pose(t - h)[:, :3, 3]) / (2 * h)
    assert (np.sum(v * v, axis=1) / 0.1).max() <= 1.0 + 1e-6


@pytest.mark.capability("GR-205")
@pytest.mark.parametrize("ends", ["natural", "clamped"])
def test_cubic_splines_are_those_of_scipy_and_smooth_at_their_knots(ends) -> None:
    t = np.cumsum(RNG.uniform(0.2, 1.0, 7))
    y, (m, n) = RNG.normal(size=(7, 3)), RNG.normal(size=(2, 3))
    ours = fit_cubic_spline(t, y, ends=ends, slopes=(m, n))
    theirs = ScipySpline(
        t, y, bc_type="natural" if ends == "natural" else ((1, m), (1, n))
    )
    fine = np.linspace(t[0], t[-1], 100)
    for k, found in enumerate(ours.sample(fine)):
        assert_allclose(found, theirs(fine, k), atol=1e-9)
    for before, after in zip(
        ours.sample(t[1:-1] - 1e-9), ours.sample(t[1:-1] + 1e-9), strict=True
    ):
        assert_allclose(before, after, atol=1e-6)


@pytest.mark.capability("GR-205")
def test_the_printed_spline_values() -> None:
    for ends, value in (("natural", 0.6875), ("clamped", 0.5)):
        spline = fit_cubic_spline([0, 1, 2], [0, 1, 0], ends=ends)
        assert spline.sample(0.5)[0][0] == pytest.approx(value, abs=1e-12)
    with pytest.raises(ConfigError, match="increasing"):
        fit_cubic_spline([0, 1, 1], [0, 1, 0])


@pytest.mark.capability("GR-205")
@pytest.mark.parametrize("degree", [1, 2, 3, 5])
def test_b_splines_are_those_of_scipy(degree) -> None:
    points, knots = RNG.normal(size=(9, 2)), clamped_knots(9, degree)
    u = np.linspace(0.0, 1.0, 77)
    assert_allclose(
        b_spline(knots, points, degree, u),
        BSpline(knots, points, degree)(u),
        atol=1e-12,
    )
    assert_allclose(
        b_spline(knots, points, degree, [0.0, 1.0]), points[[0, -1]], atol=1e-12
    )


def planar_poses(points):
    poses = np.tile(np.eye(4), (len(points), 1, 1))
    poses[:, :2, 3] = points
    return poses


def line(a, b, count=60):
    return planar_poses(np.linspace(a, b, count))


@pytest.mark.capability("GR-207")
def test_three_crafted_paths_fail_for_their_three_reasons() -> None:
    """2R arm, 1.0 + 0.8 m: a hole of radius 0.2 m about its foot cannot be entered."""
    elbow = np.array([-0.9, 2.2])

    def check(a, b, **options):
        poses = line(a, b)
        start = ARM.inverse(poses[0], weights=PLANE, q0=elbow).q
        return check_tool_path(ARM, poses, q_start=start, weights=PLANE, **options)

    good = check([0.9, 0.5], [1.2, -0.2], dt=0.05, max_speed=2.0)
    through = check([0.9, 0.1], [-0.9, 0.1], dt=0.05)
    near = check([0.9, 0.25], [-0.9, 0.25], dt=0.02, max_speed=2.0)
    assert good.is_feasible
    assert not np.isnan(good.q).any()
    assert PathTrouble.UNREACHABLE in through.kinds
    assert PathTrouble.TOO_FAST in near.kinds
    assert PathTrouble.UNREACHABLE not in near.kinds
    worst = [
        issue.sample for issue in near.issues if issue.kind is PathTrouble.TOO_FAST
    ]
    assert 15 <= min(worst) <= max(worst) <= 44

    # The goal in the other configuration: reached by the tool, not by the path.
    goal = planar_poses([[1.2, -0.2]])[0]
    other = good.q[-1] * [1.0, -1.0]
    other[0] += 2.0 * np.arctan2(
        0.8 * np.sin(good.q[-1, 1]), 1.0 + 0.8 * np.cos(good.q[-1, 1])
    )
    assert_allclose(ARM.forward(other)[:2, 3], goal[:2, 3], atol=1e-6)
    mismatch = check([0.9, 0.5], [1.2, -0.2], dt=0.05, q_end=other)
    assert mismatch.kinds == {PathTrouble.BRANCH}
    assert check([0.9, 0.5], [1.2, -0.2], dt=0.05, q_end=good.q[-1]).is_feasible


@pytest.mark.capability("GR-208")
def test_a_corner_is_missed_by_the_printed_distance() -> None:
    assert blend_time(-1.5, 2.0) == pytest.approx(0.75)
    assert corner_deviation(-1.5, 2.0) == pytest.approx(0.140625)
    # The same corner as a motion in one dimension: 1 m/s there, 0.5 m/s back.
    motion = plan_fly_by([[0.0], [4.0], [2.0]], speed=[1.0, 0.5], acceleration=2.0)
    assert 4.0 - motion.sample(motion.corners[1])[0][0] == pytest.approx(0.140625)
    assert motion.blends[1] == pytest.approx(0.75)


@pytest.mark.capability("GR-208")
def test_flying_by_is_smooth_within_its_zone_and_faster_than_stopping() -> None:
    points = np.array([[0.0, 0.0], [1.0, 0.1], [1.2, 1.0], [0.2, 1.1]])
    motion = plan_fly_by(points, speed=0.6, acceleration=1.5, zone=0.02)
    t, h = np.linspace(0.0, motion.duration, 3001), 1e-6
    p, v, a = motion.sample(t)
    assert_allclose(p[[0, -1]], points[[0, -1]], atol=1e-9)
    assert_allclose(v[[0, -1]], 0.0, atol=1e-9)
    numeric = (motion.sample(t[1:-1] + h)[0] - motion.sample(t[1:-1] - h)[0]) / (2 * h)
    assert_allclose(v[1:-1], numeric, atol=1e-5)
    assert np.linalg.norm(a, axis=1).max() <= 1.5 * (1 + 1e-9)
    for k in (1, 2):
        nearest = np.linalg.norm(p - points[k], axis=1).min()
        assert nearest <= motion.deviations[k] + 1e-4 <= 0.0201
        assert nearest > 0.2 * motion.deviations[k]
    assert max(motion.deviations[1:-1]) == pytest.approx(0.02)
    top = np.linalg.norm(v, axis=1).max()
    lengths = np.linalg.norm(np.diff(points, axis=0), axis=1)
    stops = sum(
        fastest_law(d, max_speed=top, max_acceleration=1.5).duration for d in lengths
    )
    assert motion.duration < stops
    with pytest.raises(ConfigError, match="lower its speed"):
        plan_fly_by([[0.0], [0.1], [0.0]], speed=2.0, acceleration=1.0)


def drive(start, speed, curvature):
    """Return the pose that a unicycle reaches, by SciPy; u from 0 to 1."""
    found = solve_ivp(
        lambda u, s: [
            speed(u) * np.cos(s[2]),
            speed(u) * np.sin(s[2]),
            speed(u) * curvature(u),
        ],
        (0.0, 1.0),
        start,
        rtol=1e-10,
        atol=1e-12,
    )
    return found.y[:, -1]


@pytest.mark.capability("GR-209")
def test_lines_turn_the_short_way_and_know_who_can_drive_them() -> None:
    path = LinePath(start=np.array([0.0, 0.0, 3.0]), end=np.array([2.0, 1.0, -3.0]))
    assert_allclose(path.pose(0.5), [1.0, 0.5, np.pi], atol=1e-12)
    assert not path.is_drivable
    ahead = LinePath(
        start=np.array([0.0, 0.0, 0.5]),
        end=np.array([2 * np.cos(0.5), 2 * np.sin(0.5), 0.5]),
    )
    assert ahead.is_drivable
    assert ahead.length == pytest.approx(2.0)
    assert_allclose(
        drive(ahead.start, lambda u: 2.0, lambda u: 0.0), ahead.pose(1.0), atol=1e-9
    )


@pytest.mark.capability("GR-209")
def test_arcs_end_where_a_driven_unicycle_does() -> None:
    for curvature, length in ((1.3, 2.0), (-0.7, 3.0), (1e-12, 1.5), (2.0, -1.0)):
        arc = ArcPath(
            start=np.array([0.3, -0.2, 0.8]), curvature=curvature, length=length
        )
        end = drive(arc.start, lambda u, s=length: s, lambda u, c=curvature: c)
        assert_allclose(arc.end, end, atol=1e-8)
    for goal in ([1.0, 2.0], [-0.5, 0.4], [2.0, -0.1]):
        arc = arc_to_point([0.1, 0.2, 0.6], goal)
        assert_allclose(
            drive(arc.start, lambda u, a=arc: a.length, lambda u, a=arc: a.curvature)[
                :2
            ],
            goal,
            atol=1e-8,
        )
    with pytest.raises(ConfigError, match="behind"):
        arc_to_point([0, 0, 0], [-1, 0])


@pytest.mark.capability("GR-209")
def test_cubics_end_in_their_pose_when_driven_by_speed_and_curvature() -> None:
    for end in ([2.0, 1.0, 0.3], [1.0, 1.5, 2.0], [1.5, -1.0, -1.2]):
        path = cubic_to_pose([0.2, -0.1, 0.4], end)
        assert_allclose(path.pose(0.0), [0.2, -0.1, 0.4], atol=1e-12)
        assert_allclose(path.pose(1.0), end, atol=1e-12)
        reached = drive([0.2, -0.1, 0.4], path.speed, path.curvature)
        assert_allclose(reached, end, atol=1e-7)
        u = np.linspace(0.0, 1.0, 20_001)
        polyline = np.linalg.norm(np.diff(path.pose(u)[:, :2], axis=0), axis=1).sum()
        assert path.length == pytest.approx(polyline, rel=1e-6)
