"""Tests of the plant's ball against the bat.

Oracles: printed forces, contact runs of an independent implementation with a bat that
flies freely, elastic impacts, conservation laws, a counted overlap.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.robots.piggy import robot as unit
from gelenk.robots.piggy.ball_contact import (
    NOTHING,
    ROD,
    ROD_EQUIVALENT,
    ROD_RADIUS,
    SPHERE,
    BallCfg,
    compression,
    gap_to_bat,
    press,
    press_bat,
    push_ball,
)
from gelenk.robots.piggy.config import BALL_MASS, BALL_PRESSURE, BALL_RADIUS
from gelenk.robots.piggy.kinematics import forward_frames

PRINTED = BallCfg(friction=0.5, restitution=1.0, overpressure=0.0)
BAT_MASS, BAT_RADIUS = 0.230, 0.125
BAT_INERTIA = 2.0 / 3.0 * BAT_MASS * BAT_RADIUS**2
FREE = 1.0 / BAT_MASS + BAT_RADIUS**2 / BAT_INERTIA
RUNS = [  # phi [deg], v_s, v_out, spin; v_in 5 m/s
    (0, (0, 0, 0), (-3.127, 0, 0), (0, 0, 0)),
    (15, (0, 0, 0), (-2.564, 0, 1.807), (0, 9.36, 0)),
    (30, (0, 0, 0), (-1.036, 0, 2.956), (0, 17.80, 0)),
    (45, (0, 0, 0), (0.957, 0, 2.984), (0, 25.80, 0)),
    (60, (0, 0, 0), (3.262, 0, 1.907), (0, 22.08, 0)),
    (75, (0, 0, 0), (4.931, 0, 0.132), (0, 1.51, 0)),
    (20, (0, 1, 0), (-2.0953, 0.1720, 2.2694), (2.438, 12.188, 6.697)),
    (20, (-2, 0, 0), (-4.9393, 0, 3.2430), (0, 16.373, 0)),
    (20, (0, 0, 2), (-3.2123, 0, 3.0140), (0, -1.294, 0)),
    (20, (-1, 1, 1), (-4.1031, 0.1482, 3.1379), (2.425, 7.888, 6.663)),
]


def collide(
    n: np.ndarray,
    v_in: np.ndarray,
    v_bat: tuple[float, ...],
    *,
    ball: BallCfg = PRINTED,
    h: float = 1e-5,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return states of ball and of a free bat (velocity, spin) after a contact."""
    bat_p, bat_v, bat_w = np.zeros(3), np.array(v_bat, dtype=float), np.zeros(3)
    state = np.concatenate([(BALL_RADIUS + BAT_RADIUS - 1e-12) * n, v_in, np.zeros(3)])
    out, calm = np.zeros(9), np.zeros(3)
    law, depth = ball.numbers(), 1.0
    for _ in range(round(0.05 / h)):
        depth = press(state, bat_p, bat_v, bat_w, BAT_RADIUS, law, FREE, h, out)
        if depth == 0.0:
            break
        bat_v -= h * out[:3] / BAT_MASS
        bat_w -= h * np.cross(out[6:9] - bat_p, out[:3]) / BAT_INERTIA
        push_ball(state, out, calm, calm, 0.0, 0.0, h)
        bat_p += h * bat_v
    assert depth == 0.0
    return state, bat_v, bat_w


@pytest.mark.capability("BB-40")
@pytest.mark.parametrize(
    ("depth", "force"),
    [(0.001, 0.003915), (0.005, 0.47722), (0.01, 3.71716), (0.02, 28.6196),
     (0.03, 94.7870), (0.0605, 835.883)],
)  # fmt: skip
def test_compressed_gas_pushes_as_printed(depth: float, force: float) -> None:
    d = BALL_RADIUS + BAT_RADIUS - depth
    pushed = compression(d, BAT_RADIUS, 0.0, BALL_PRESSURE)
    assert pushed == pytest.approx(force, rel=1e-3)


@pytest.mark.capability("BB-41")
@pytest.mark.parametrize(("phi", "v_bat", "v_out", "spin"), RUNS)
def test_contacts_with_a_free_bat_end_as_an_independent_run(
    phi: float,
    v_bat: tuple[float, ...],
    v_out: tuple[float, ...],
    spin: tuple[float, ...],
) -> None:
    n = np.array([-math.cos(math.radians(phi)), 0.0, math.sin(math.radians(phi))])
    state, _, _ = collide(n, np.array([5.0, 0.0, 0.0]), v_bat)
    assert_allclose(state[3:6], v_out, atol=2e-3)
    assert_allclose(state[6:9], spin, atol=0.02)


@pytest.mark.capability("BB-44")
@pytest.mark.parametrize("speed", [2.0, 5.0, 8.0, 12.0])
def test_the_ticks_of_the_world_make_no_energy(speed: float) -> None:
    n = np.array([-1.0, 0.0, 0.0])
    v_in = np.array([speed, 0.0, 0.0])
    state, bat_v, _ = collide(n, v_in, (0.0, 0.0, 0.0), h=5e-4)
    elastic = speed * (BALL_MASS - BAT_MASS) / (BALL_MASS + BAT_MASS)
    assert state[3] == pytest.approx(elastic, rel=6e-3)
    energy = BALL_MASS * state[3] ** 2 + BAT_MASS * bat_v[0] ** 2
    assert energy <= 1.004 * BALL_MASS * speed**2


def test_linear_and_angular_momentum_stay_in_an_oblique_contact() -> None:
    n = np.array([-0.8, 0.0, 0.6])
    v_in = np.array([6.0, 0.5, -1.0])
    state, bat_v, bat_w = collide(n, v_in, (0.0, 1.0, 0.5), h=5e-4)
    before = BALL_MASS * v_in + BAT_MASS * np.array([0.0, 1.0, 0.5])
    assert_allclose(BALL_MASS * state[3:6] + BAT_MASS * bat_v, before, atol=1e-12)
    assert np.linalg.norm(bat_w) > 1.0  # friction has turned both


@pytest.mark.parametrize("e", [0.7, 0.9, 1.0])
@pytest.mark.parametrize("speed", [3.0, 9.0])
def test_the_share_that_comes_back_is_the_same_at_any_speed(
    e: float, speed: float
) -> None:
    ball = BallCfg(restitution=e, overpressure=2000.0)
    v_in = np.array([speed, 0.0, 0.0])
    state, bat_v, _ = collide(np.array([-1.0, 0, 0]), v_in, (0.0, 0.0, 0.0), ball=ball)
    assert (bat_v[0] - state[3]) / speed == pytest.approx(e, abs=0.01)


def test_the_rod_takes_as_much_of_the_ball_as_the_sphere_that_stands_for_it() -> None:
    depth = 0.008
    grid = np.linspace(-BALL_RADIUS, BALL_RADIUS, 401)
    x, y = np.meshgrid(grid, grid, indexing="ij")
    ball = np.sqrt(np.maximum(BALL_RADIUS**2 - x**2 - y**2, 0.0))
    low = -ball + BALL_RADIUS + ROD_RADIUS - depth  # its lower side, rod's axis at 0
    rod = np.sqrt(np.maximum(ROD_RADIUS**2 - x**2, 0.0)) * (np.abs(x) < ROD_RADIUS)
    both = np.maximum(np.minimum(rod, low + 2.0 * ball) - low, 0.0) * (ball > 0.0)
    volume = both.sum() * (grid[1] - grid[0]) ** 2
    r, s = BALL_RADIUS, ROD_EQUIVALENT
    d = r + s - depth
    lens = depth**2 * (d * d + 2 * d * (r + s) - 3 * (r - s) ** 2) * math.pi / (12 * d)
    assert lens == pytest.approx(volume, rel=0.06)


def bat_at(roll: float, tilt: float) -> np.ndarray:
    return forward_frames(np.array([roll, tilt]))[1]


def test_a_ball_meets_sphere_rod_or_nothing_where_they_are() -> None:
    T = bat_at(0.2, -0.4)
    rod, side = -T[:3, 1], T[:3, 0]
    out, still = np.zeros(9), np.zeros(6)
    for length, away, met in (
        (unit.BAT_LENGTH, BAT_RADIUS + BALL_RADIUS - 0.005, SPHERE),
        (unit.BAT_LENGTH, BAT_RADIUS + BALL_RADIUS + 0.005, NOTHING),
        (0.4, ROD_RADIUS + BALL_RADIUS - 0.005, ROD),
        (0.4, ROD_RADIUS + BALL_RADIUS + 0.005, NOTHING),
    ):
        p = T[:3, 3] + length * rod + away * side
        state = np.concatenate([p, -5.0 * side, np.zeros(3)])
        found = press_bat(state, T, still, BallCfg().numbers(), 5e-4, out)
        assert found == met
        assert (gap_to_bat(p, T) < 0.0) == (met != NOTHING)
        if met != NOTHING:
            assert_allclose(out[:3] / np.linalg.norm(out[:3]), side, atol=1e-9)


def test_friction_takes_the_ball_along_with_a_moving_bat() -> None:
    T = bat_at(0.0, 0.0)  # the rod points up
    twist = np.array([0.0, 0.0, 0.0, 0.0, 2.0, 0.0])  # rolls to the right
    p = T[:3, 3] + [0.0, 0.0, unit.BAT_LENGTH + BAT_RADIUS + BALL_RADIUS - 0.01]
    state = np.concatenate([p, np.zeros(6)])
    out = np.zeros(9)
    assert press_bat(state, T, twist, BallCfg().numbers(), 5e-4, out) == SPHERE
    assert out[0] > 0.0
    assert out[0] == pytest.approx(BallCfg().friction * out[2], rel=1e-9)
    assert out[4] < 0.0  # and the ball turns against the bat, as gears do
