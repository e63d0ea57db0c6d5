"""Tests of whole strokes, on the full tables.

Oracles: requests that a simulated stroke has fulfilled, the contact simulation called
anew with the stroke found, the workspace's equation, ranks and differences.
"""

from __future__ import annotations

import time

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.errors import ConfigError, ShapeError
from gelenk.robots.piggy.config import SPEED_LIMIT
from gelenk.robots.piggy.contact import hit
from gelenk.robots.piggy.kinematics import bat_velocity, forward, normal
from gelenk.robots.piggy.planner import BallPath, PlanCfg, Tables, build_tables
from gelenk.robots.piggy.planner import plan as plan_strokes
from gelenk.robots.piggy.planner.cases import Cases, make_cases
from gelenk.robots.piggy.planner.lookup import LookupCfg
from gelenk.robots.piggy.planner.path import reachable_segments
from gelenk.robots.piggy.planner.plan import PLAN, query
from gelenk.robots.piggy.planner.success import (
    deviate,
    sensitivity,
    success_probability,
)
from gelenk.robots.piggy.surface import unit_params
from gelenk.robots.piggy.workspace import height
from testkit.table_lookups import look_up

RADIUS = PLAN.contact.radius_sum


@pytest.fixture(scope="module")
def tables() -> Tables:
    return build_tables()


@pytest.fixture(scope="module")
def cases() -> Cases:
    return make_cases(60, np.random.default_rng(11))


def assert_real(strokes, path: BallPath, index: int) -> None:
    """Play a stroke again from its joint angles and rates alone."""
    q, qd, t = strokes.q[index], strokes.qd[index], strokes.time[index]
    p, v = path.at(float(t))
    apart = p - forward(q)
    assert np.linalg.norm(apart) == pytest.approx(RADIUS, abs=1e-9)
    assert_allclose(apart / RADIUS, strokes.n_c[index], atol=1e-9)
    end = hit(v, apart / np.linalg.norm(apart), bat_velocity(q, qd), cfg=PLAN.contact)
    assert_allclose(end.v_out, strokes.v_out[index], atol=1e-6)


@pytest.mark.capability("BB-103")
def test_every_case_is_solved_by_its_own_stroke_and_drawn_again_by_its_seed(
    cases,
) -> None:
    again = make_cases(60, np.random.default_rng(11))
    assert_allclose(again.v_out, cases.v_out, atol=0.0)
    for k, path in enumerate(cases.paths):
        p, v = path.at(float(cases.time[k]))
        assert_allclose(p - forward(cases.q[k]), RADIUS * cases.n_c[k], atol=1e-12)
        assert_allclose(v, cases.v_in[k], atol=1e-12)
    v_s = bat_velocity(cases.q, cases.qd)
    end = hit(cases.v_in, cases.n_c, v_s, cfg=PLAN.contact)
    assert_allclose(end.v_out, cases.v_out, atol=1e-12)
    assert (end.duration > 0.0).all()
    assert np.abs(cases.qd).max() <= SPEED_LIMIT


@pytest.mark.capability("BB-58")
def test_every_request_at_a_pose_is_met_within_0_2_m_per_s(tables, cases) -> None:
    worst = 0.0
    for k in range(len(cases)):
        strokes = query(tables, cases.v_in[k], cases.v_out[k], cases.normal[k])
        off = np.linalg.norm(strokes.v_out[0] - cases.v_out[k])
        assert off == pytest.approx(strokes.error[0], abs=1e-9)
        assert np.abs(strokes.qd[0]).max() <= SPEED_LIMIT * (1.0 + 1e-9)
        again = hit(
            cases.v_in[k], strokes.n_c[0],
            bat_velocity(strokes.q[0], strokes.qd[0]), cfg=PLAN.contact,
        )  # fmt: skip
        assert_allclose(again.v_out, strokes.v_out[0], atol=1e-9)
        assert_allclose(normal(strokes.q[0]), cases.normal[k], atol=1e-12)
        worst = max(worst, off)
    assert worst < 0.2


@pytest.mark.capability("BB-57")
def test_strokes_over_the_whole_flight_give_the_wanted_velocity(tables, cases) -> None:
    errors = []
    for k, path in enumerate(cases.paths):
        strokes = plan_strokes(tables, path, cases.v_out[k])
        errors.append(strokes.error[0] if len(strokes) else np.inf)
        assert_real(strokes, path, 0)
        assert np.abs(strokes.qd[0]).max() <= SPEED_LIMIT * (1.0 + 1e-9)
    assert np.mean(np.array(errors) < 0.2) >= 0.99


@pytest.mark.capability("BB-53")
def test_the_exact_contact_lies_on_the_workspace(tables, cases) -> None:
    cfg = PlanCfg(method="exact")
    for k in range(12):
        strokes = plan_strokes(tables, cases.paths[k], cases.v_out[k], cfg=cfg)
        for i in range(0, len(strokes), 17):
            p, _ = cases.paths[k].at(float(strokes.time[i]))
            assert abs(height(p - RADIUS * strokes.n_c[i])) < 1e-9
            assert_real(strokes, cases.paths[k], i)


@pytest.mark.capability("BB-53")
def test_segments_are_in_reach_exactly_where_the_ball_can_be_touched() -> None:
    """Straight down on the workspace's top: reach is the radius sum, both ways."""
    z = np.arange(2.4, 1.2, -0.02)
    position = np.stack([np.full_like(z, -0.305), np.full_like(z, -0.23), z], axis=1)
    time = 0.01 * np.arange(len(z))
    path = BallPath(time=time, position=position, velocity=0.0 * position - (0, 0, 2.0))
    found, ends = reachable_segments(path.rows, RADIUS, unit_params(PLAN.unit))
    away = z - 1.798
    expected = [
        k for k in range(len(z) - 1)
        if away[k] >= -RADIUS and away[k + 1] <= RADIUS
    ]  # fmt: skip
    assert found.tolist() == expected
    assert_allclose(ends[:, 0], away[found], atol=1e-12)


@pytest.mark.capability("BB-53")
def test_the_printed_check_keeps_contacts_of_the_right_height(tables, cases) -> None:
    cfg = PlanCfg(method="printed", height_tolerance=0.02)
    for k in range(8):
        path = cases.paths[k]
        strokes = plan_strokes(tables, path, cases.v_out[k], cfg=cfg)
        for i in range(0, len(strokes), 29):
            # Pose, place of the ball and direction fit each other.
            t = float(strokes.time[i])
            p, _ = path.at(t)
            apart = p - forward(strokes.q[i])
            assert np.linalg.norm(apart) == pytest.approx(RADIUS, abs=0.02)


@pytest.mark.capability("BB-56")
def test_finalists_move_along_the_workspace_as_fast_as_their_candidate(tables) -> None:
    v_in, v_out, q = np.array([0.3, -6.0, -2.0]), np.array([0.8, 3.5, 2.5]), (0.2, -0.4)
    cfg = PlanCfg(method="exact", rate_limit=50.0, lookup=LookupCfg(spread=0))
    strokes = query(tables, v_in, v_out, normal(q), cfg=cfg)
    found = look_up(
        tables, (v_in, v_out), normal(q), cosines=(cfg.lowest, 1.0), cfg=cfg.lookup
    )
    assert_allclose(strokes.v_s @ normal(q), 0.0, atol=1e-12)
    assert_allclose(
        np.sort(np.linalg.norm(strokes.v_s, axis=1)),
        np.sort(np.linalg.norm(found.v_s, axis=1)),
        atol=1e-9,
    )
    limit = cfg.lookup.rating.v_out
    assert_allclose(strokes.rating, np.maximum(1.0 - strokes.error / limit, 0.0))


@pytest.mark.capability("BB-59")
def test_a_request_has_several_strokes_and_four_inputs_move_three_outputs(
    tables, cases
) -> None:
    strokes = query(tables, cases.v_in[0], cases.v_out[0], cases.normal[0])
    v_s = bat_velocity(cases.q, cases.qd)
    k = int(((v_s - cases.v_in) * cases.n_c).sum(axis=1).argmax())  # no graze
    good = strokes.error < 0.05
    assert good.sum() > 1
    rows = np.column_stack([strokes.q, strokes.qd, strokes.n_c])
    assert len(np.unique(np.round(rows, 9), axis=0)) == len(strokes)
    assert (np.diff(np.round(strokes.rating, 2)) <= 0.0).all()

    q, qd, n = cases.q[k], cases.qd[k], cases.n_c[k]
    e1 = np.cross(n, (0.3, 0.5, 0.8))
    e1 /= np.linalg.norm(e1)
    e2 = np.cross(n, e1)

    def outgoing(x):
        m = n + x[0] * e1 + x[1] * e2
        v_s = bat_velocity(q, qd + x[2:])
        return hit(cases.v_in[k], m / np.linalg.norm(m), v_s, cfg=PLAN.contact).v_out

    h = 1e-3 * np.eye(4)
    J = np.stack([(outgoing(x) - outgoing(-x)) / 2e-3 for x in h], axis=1)
    assert np.linalg.matrix_rank(J, tol=1e-2 * np.linalg.norm(J)) == 3


@pytest.mark.parametrize("speed", [2.5, 3.5, 4.5])
def test_balls_are_sent_straight_back(tables, speed) -> None:
    v_in = np.array([0.1, -6.0, -2.5])
    strokes = query(
        tables, v_in, -speed * v_in / np.linalg.norm(v_in), normal((0.0, -0.7))
    )
    assert strokes.error[0] < 0.05


@pytest.mark.capability("BB-48")
def test_a_request_straight_back_is_looked_up_in_several_planes(tables) -> None:
    v_in, n = np.array([0.3, -6.0, -2.0]), np.array([0.36, 0.48, 0.8])
    found = look_up(tables, (v_in, -0.6 * v_in), n)
    rows = np.round(np.concatenate([found.n_c, found.v_s, found.v_out], axis=1), 9)
    assert len(np.unique(rows, axis=0)) == len(rows)  # none twice
    e_x = v_in / np.linalg.norm(v_in)
    across = found.n_c - (found.n_c @ e_x)[:, None] * e_x
    angle = np.arctan2(across @ np.cross(e_x, n), across @ n)
    off = np.linalg.norm(across, axis=1) > 1e-6
    assert np.ptp(angle[off]) > np.pi  # not in one plane


def test_the_wanted_velocity_may_change_along_the_flight(tables, cases) -> None:
    path = cases.paths[3]
    ramp = np.linspace(0.9, 1.1, len(path.time))[:, None]
    wanted = ramp * cases.v_out[3]
    strokes = plan_strokes(tables, path, wanted)
    then = [np.interp(strokes.time[0], path.time, wanted[:, k]) for k in range(3)]
    off = np.linalg.norm(strokes.v_out[0] - then)
    assert off == pytest.approx(strokes.error[0], abs=1e-9)
    assert off < 0.2
    with pytest.raises(ShapeError, match="v_out"):
        plan_strokes(tables, path, wanted[:5])


def test_a_flight_out_of_reach_has_no_stroke(tables) -> None:
    t = np.linspace(0.0, 0.3, 31)
    far = np.tile([3.0, 4.0, 2.0], (31, 1))
    path = BallPath(time=t, position=far, velocity=np.tile([0.0, -5.0, 0.0], (31, 1)))
    assert len(plan_strokes(tables, path, (0.0, 3.0, 3.0))) == 0
    with pytest.raises(ConfigError, match="unit vector"):
        query(tables, (0.0, -5.0, 0.0), (0.0, 3.0, 3.0), (0.0, 0.0, 2.0))
    with pytest.raises(ConfigError, match="time"):
        BallPath(time=t[::-1], position=far, velocity=far)


@pytest.mark.capability("BB-60")
def test_a_prediction_is_answered_within_a_frame_of_the_cameras(tables, cases) -> None:
    """Processor time of all its segments; a quarter of the 20 ms is usual."""
    busy = []
    for path, v_out in zip(cases.paths[:21], cases.v_out, strict=False):
        start = time.thread_time()
        assert len(plan_strokes(tables, path, v_out))
        busy.append(time.thread_time() - start)
    assert np.median(busy) < 0.02


@pytest.mark.capability("BB-61")
def test_tables_stay_within_their_memory(tables) -> None:
    assert tables.grid.num_runs == pytest.approx(400_000, rel=1e-3)
    assert tables.num_bytes < 400e6


# -- the chance of a stroke ------------------------------------------------------------


@pytest.fixture(scope="module")
def stroke(tables, cases):
    return query(tables, cases.v_in[1], cases.v_out[1], cases.normal[1])


def test_a_ball_as_predicted_leaves_as_planned(stroke) -> None:
    v_out, is_hit = deviate(stroke, np.zeros(6))
    assert is_hit.all()
    assert_allclose(v_out[0], stroke.v_out[0], atol=1e-9)


def test_moving_ball_and_bat_path_together_along_the_flight_changes_nothing(
    stroke,
) -> None:
    """Earlier on the same relative path: the same contact, but for gravity."""
    w = stroke.v_in[0] - stroke.v_s[0]
    v_out, _ = deviate(stroke, [*(-0.002 * w), 0.0, 0.0, 0.0])
    assert_allclose(v_out[0], stroke.v_out[0], atol=0.03)


def test_both_ways_to_the_chance_agree_where_errors_are_small(stroke) -> None:
    P = np.diag([1e-3] * 3 + [1e-2] * 3) ** 2
    given = {"tolerance": 0.06, "samples": 20_000}
    chances = [
        success_probability(
            stroke, stroke.v_out[0], P, np.random.default_rng(4), method=m, **given
        )
        for m in ("sampled", "linear")
    ]
    assert 0.2 < chances[0].probability < 0.98
    assert chances[0].probability == pytest.approx(chances[1].probability, abs=0.03)
    J = sensitivity(stroke)
    assert_allclose(chances[1].covariance, J @ P @ J.T, rtol=0.1, atol=1e-6)


def test_the_chance_falls_with_the_uncertainty_and_misses_are_told(stroke) -> None:
    chances = [
        success_probability(
            stroke, stroke.v_out[0], np.diag([s * s] * 3 + [0.0] * 3),
            np.random.default_rng(5), tolerance=0.5, samples=4000,
        )
        for s in (0.001, 0.01, 0.05, 0.3)
    ]  # fmt: skip
    p = [c.probability for c in chances]
    assert p == sorted(p, reverse=True)
    assert p[0] > 0.99
    assert chances[0].hit_probability == 1.0
    assert chances[-1].hit_probability < 0.9
