"""Tests of the contact with a bat on its rod. Oracles: energy, momentum, limits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.robots.piggy.config import BALL_MASS, BALL_RADIUS
from gelenk.robots.piggy.contact import ContactCfg, hit
from gelenk.robots.piggy.kinematics import bat_velocity, normal
from gelenk.robots.piggy.rebound import REBOUND, ReboundCfg
from testkit.bat_rebounds import rebound

ELASTIC = replace(REBOUND, restitution=1.0, contact=ContactCfg(dt=2e-5, friction=0.0))
POSE = np.array([0.2, -0.4])
SPAN = np.array([0.3, -0.5])


def inertias(cfg: ReboundCfg, tilt: float) -> np.ndarray:
    return np.array(cfg.bat.inertias(tilt)) + cfg.rotor


def test_along_the_rod_the_bat_is_a_wall() -> None:
    n = normal(POSE)
    end = rebound(POSE, np.zeros(2), n, -6.0 * n, cfg=ELASTIC)
    assert_allclose(end.v_out, 6.0 * n, atol=5e-3)


def test_across_the_rod_it_gives_way_as_its_inertia_at_the_sphere_says() -> None:
    """Elastic impact of two masses: the bat's is its inertia over its length squared."""
    tilt = np.array([0.0, 0.0])
    n = np.array([0.0, 1.0, 0.0])  # along the bat's own motion when it tilts
    end = rebound(tilt, np.zeros(2), n, -5.0 * n, cfg=ELASTIC)
    mass = inertias(ELASTIC, 0.0)[1] / 0.84**2
    expected = -(BALL_MASS - mass) / (BALL_MASS + mass) * 5.0
    assert_allclose(end.v_out @ n, expected, rtol=0.01)


def test_no_energy_is_made_and_none_lost_without_friction() -> None:
    n = np.array([0.1, 0.85, 0.5])
    n /= np.linalg.norm(n)
    v = np.array([0.3, -6.0, -2.5])
    end = rebound(POSE, SPAN, n, v, cfg=ELASTIC)
    lossy = rebound(POSE, SPAN, n, v, cfg=replace(ELASTIC, restitution=0.8))
    M = inertias(ELASTIC, POSE[1])
    before = 0.5 * BALL_MASS * v @ v + 0.5 * M @ SPAN**2
    # The impulse on the ball turns both joints back by its moment.
    impulse = BALL_MASS * (end.v_out - v)
    J = _touch_jacobian(POSE, n)
    qd = SPAN - J.T @ impulse / M
    after = 0.5 * BALL_MASS * end.v_out @ end.v_out + 0.5 * M @ qd**2
    assert_allclose(after, before, rtol=0.03)  # the normal turns during the contact
    assert lossy.v_out @ lossy.v_out < end.v_out @ end.v_out


def _touch_jacobian(q: np.ndarray, n: np.ndarray) -> np.ndarray:
    """By differences of a point that is fixed to the bat."""
    from gelenk.robots.piggy.kinematics import forward, forward_frames

    T = forward_frames(q)[1]
    local = np.linalg.inv(T) @ np.append(forward(q) + 0.125 * n, 1.0)
    columns = []
    for k in range(2):
        step = np.zeros(2)
        step[k] = 1e-6
        ends = [forward_frames(q + s * step)[1] @ local for s in (1.0, -1.0)]
        columns.append((ends[0] - ends[1])[:3] / 2e-6)
    return np.stack(columns, axis=1)


def test_a_light_rod_less_bat_would_fly_freely() -> None:
    """Where the bat can give way, both models agree if the masses do."""
    n = np.array([0.0, 1.0, 0.0])
    mass = inertias(ELASTIC, 0.0)[1] / 0.84**2
    free = hit(-5.0 * n, n, np.zeros(3), cfg=ContactCfg(dt=2e-5, bat_mass=mass))
    rod = rebound(np.zeros(2), np.zeros(2), n, -5.0 * n, cfg=ELASTIC)
    assert_allclose(rod.v_out @ n, free.v_out @ n, rtol=0.01)
    assert_allclose(rod.duration, free.duration, rtol=0.05)


def test_friction_makes_a_ball_roll_off_and_spin() -> None:
    """Rolling without slip: the touched point of the ball moves with the bat."""
    n = normal(POSE)
    aside = bat_velocity(POSE, np.array([1.0, 0.0]))
    aside /= np.linalg.norm(aside)
    cfg = replace(ELASTIC, contact=ContactCfg(dt=2e-5, friction=5.0))
    end = rebound(POSE, np.zeros(2), n, -5.0 * n + 1.0 * aside, cfg=cfg)
    slip = end.v_out @ aside - BALL_RADIUS * np.cross(end.spin_out, n) @ aside
    assert abs(slip) < 0.35
    assert np.linalg.norm(end.spin_out) > 3.0


def test_a_ball_that_moves_away_stays_as_it_is() -> None:
    n = normal(POSE)
    end = rebound(POSE, np.zeros(2), n, 3.0 * n, cfg=ELASTIC)
    assert_allclose(end.v_out, 3.0 * n, atol=1e-6)


@pytest.mark.parametrize("count", [1, 4])
def test_a_batch_is_its_elements_one_by_one(count: int) -> None:
    rng = np.random.default_rng(count)
    q, qd = rng.uniform(-0.5, 0.5, (2, count, 2))
    v = np.array([0.0, -6.0, -2.0]) + rng.normal(size=(count, 3))
    n = -v / np.linalg.norm(v, axis=1, keepdims=True)
    batch = rebound(q, qd, n, v)
    for k in range(count):
        assert_allclose(batch.v_out[k], rebound(q[k], qd[k], n[k], v[k]).v_out)


def test_where_the_ball_turns_within_a_time_step_makes_no_jump() -> None:
    """Slopes over hundredths of the contact direction are alike: no step shows."""
    x = np.linspace(0.0, 0.02, 41)
    n = np.stack([np.full(41, 0.2), 0.62 + x, np.full(41, 0.7)], axis=1)
    n /= np.linalg.norm(n, axis=1, keepdims=True)
    end = rebound(POSE, SPAN, n, np.array([-0.9, -3.4, -3.3]))
    slopes = np.diff(end.v_out[:, 1]) / np.diff(x)
    assert np.ptp(slopes) < 0.2 * abs(slopes.mean())
