"""Tests of the contact simulation.

Oracles: tables of an independent implementation, numerical integration of the overlap,
the laws of impulse, spin and energy, and the elastic impact of two bodies.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.errors import ConfigError
from gelenk.robots.piggy.contact import (
    CONTACT,
    ContactCfg,
    compression_force,
    hit,
    mirror,
)
from testkit.rigid_body import BodyState, point_velocity, step_body

FINE = ContactCfg(dt=1e-5)
BALL, BAT = CONTACT.ball_mass, CONTACT.bat_mass
RUNS = [  # phi [deg], v_s, v_out, spin, duration [ms]; v_in 5 m/s
    (15, (0, 0, 0), (-2.564, 0, 1.807), (0, 9.36, 0), 14.95),
    (30, (0, 0, 0), (-1.036, 0, 2.956), (0, 17.80, 0), 15.91),
    (45, (0, 0, 0), (0.957, 0, 2.984), (0, 25.80, 0), 17.83),
    (60, (0, 0, 0), (3.262, 0, 1.907), (0, 22.08, 0), 20.71),
    (75, (0, 0, 0), (4.931, 0, 0.132), (0, 1.51, 0), 18.2),
    (20, (0, 0, 0), (-2.1433, 0, 2.2906), (0, 12.265, 0), 15.19),
    (20, (0, 1, 0), (-2.0953, 0.1720, 2.2694), (2.438, 12.188, 6.697), 15.21),
    (20, (-2, 0, 0), (-4.9393, 0, 3.2430), (0, 16.373, 0), 12.87),
    (20, (0, 0, 2), (-3.2123, 0, 3.0140), (0, -1.294, 0), 14.14),
    (20, (-1, 1, 1), (-4.1031, 0.1482, 3.1379), (2.425, 7.888, 6.663), 13.45),
]


def direction(phi_deg: float) -> np.ndarray:
    phi = np.deg2rad(phi_deg)
    return np.array([-np.cos(phi), 0.0, np.sin(phi)])


def random_contacts(count: int, seed: int = 0):
    rng = np.random.default_rng(seed)
    v = rng.normal(0.0, 4.0, (count, 3))
    u, w = rng.normal(0.0, 1.5, (count, 3)), rng.normal(0.0, 10.0, (count, 3))
    n = rng.normal(size=(count, 3))
    n /= np.linalg.norm(n, axis=1, keepdims=True)
    n *= -np.sign(((v - u) * n).sum(axis=1))[:, None]
    return v, n, u, w


@pytest.mark.capability("BB-40")
def test_the_gas_pushes_back_as_tabulated() -> None:
    depth = [0.001, 0.005, 0.010, 0.020, 0.030, 0.0605, 0.09075]
    force = [0.003915, 0.47722, 3.71716, 28.6196, 94.7870, 835.883, 4148.26]
    assert_allclose(compression_force(depth), force, rtol=1e-3)
    assert_allclose(compression_force([0.0, -0.01]), 0.0, atol=0.0)


@pytest.mark.capability("BB-40")
@pytest.mark.parametrize("depth", [0.004, 0.02, 0.05])
def test_the_force_follows_from_the_overlap_integrated_slice_by_slice(depth) -> None:
    b, s = CONTACT.ball_radius, CONTACT.bat_radius
    d = s + b - depth
    x = np.linspace(d - b, s, 400_001)
    area = np.pi * np.minimum(s**2 - x**2, b**2 - (x - d) ** 2)
    overlap = np.trapezoid(np.maximum(area, 0.0), x)
    volume = 4.0 / 3.0 * np.pi * b**3
    over = CONTACT.pressure * (volume / (volume - overlap) - 1.0)
    assert compression_force(depth) == pytest.approx(over * area.max(), rel=1e-5)


@pytest.mark.capability("BB-41", "BB-43")
@pytest.mark.parametrize(("phi", "v_s", "v_out", "spin", "ms"), RUNS)
def test_contacts_end_as_tabulated(phi, v_s, v_out, spin, ms) -> None:
    end = hit((5.0, 0.0, 0.0), direction(phi), v_s, cfg=FINE)
    assert_allclose(end.v_out, v_out, atol=2e-3)
    assert_allclose(end.spin_out, spin, atol=0.02)
    assert float(end.duration) * 1e3 == pytest.approx(ms, abs=0.05)


@pytest.mark.capability("BB-43")
def test_a_head_on_contact_is_the_elastic_impact_of_two_bodies() -> None:
    end = hit((5.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 0.0, 0.0), cfg=FINE)
    assert end.v_out[0] == pytest.approx(5.0 * (BALL - BAT) / (BALL + BAT), abs=1e-3)
    assert end.v_bat[0] == pytest.approx(5.0 * 2.0 * BALL / (BALL + BAT), abs=1e-3)
    assert float(end.penetration) == pytest.approx(0.028, abs=5e-4)
    assert float(end.peak_force) == pytest.approx(76.0, abs=1.0)


@pytest.mark.capability("BB-41", "BB-43")
def test_impulse_and_angular_momentum_are_kept_and_energy_is_not_made() -> None:
    v, n, u, w = random_contacts(2000)
    r = CONTACT.radius_sum
    I_ball = 2.0 / 3.0 * BALL * CONTACT.ball_radius**2
    I_bat = 2.0 / 3.0 * BAT * CONTACT.bat_radius**2

    end = hit(v, n, u, spin=w)

    assert_allclose(BALL * end.v_out + BAT * end.v_bat, BALL * v + BAT * u, atol=1e-12)
    # The bat's place at the end from the common centre, which moves steadily.
    ball = r * n + end.displacement
    centre = BALL * r * n / (BALL + BAT)
    t = end.duration[:, None]
    bat = ((BALL + BAT) * (centre + t * (BALL * v + BAT * u) / (BALL + BAT))
           - BALL * ball) / BAT  # fmt: skip
    before = np.cross(r * n, BALL * v) + I_ball * w
    after = (
        np.cross(ball, BALL * end.v_out) + np.cross(bat, BAT * end.v_bat)
        + I_ball * end.spin_out + I_bat * end.spin_bat
    )  # fmt: skip
    assert_allclose(after, before, atol=1e-12)

    def energy(v, u, w, w_s):
        parts = ((BALL, v), (BAT, u), (I_ball, w), (I_bat, w_s))
        return sum(0.5 * m * (x**2).sum(axis=1) for m, x in parts)

    gain = energy(end.v_out, end.v_bat, end.spin_out, end.spin_bat) / energy(
        v, u, w, 0.0 * w
    )
    assert gain.max() < 1.003
    assert gain.min() < 0.97  # friction takes some


@pytest.mark.capability("BB-44")
def test_energy_comes_back_whole_but_multiplied_in_the_printed_scheme() -> None:
    printed = ContactCfg(scheme="printed")
    for speed, v_out in ((2, -1.5475), (5, -4.3713), (8, -7.6456), (12, -12.6487)):
        given = ((speed, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 0.0, 0.0))
        ours = hit(*given)
        assert (ours.v_bat - ours.v_out)[0] / speed == pytest.approx(1.0, abs=2e-3)
        assert hit(*given, cfg=printed).v_out[0] == pytest.approx(v_out, abs=1e-3)


@pytest.mark.capability("BB-42")
def test_gravity_can_be_had_along_and_across_the_normal() -> None:
    given = ((5.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    free = hit(*given, cfg=FINE).v_out
    gaps = [
        np.linalg.norm(hit(*given, cfg=ContactCfg(dt=1e-5, gravity=g)).v_out - free)
        for g in ((9.81, 0.0, 0.0), (0.0, 0.0, -9.81))
    ]
    assert gaps[0] == pytest.approx(0.027, abs=2e-3)
    # Across it the ball rolls: of g t, a hollow sphere on a hollow sphere keeps
    # 1 - 0.4 m_s / (m_b + m_s).
    rolling = 9.81 * 14.7e-3 * (1.0 - 0.4 * BAT / (BALL + BAT))
    assert gaps[1] == pytest.approx(rolling, rel=0.03)
    assert max(gaps) < 9.81 * 14.7e-3


def test_a_batch_equals_its_contacts_one_by_one() -> None:
    v, n, u, w = random_contacts(5000, seed=2)
    batch = hit(v, n, u, spin=w)
    for k in (0, 17, 4999):
        one = hit(v[k], n[k], u[k], spin=w[k])
        assert_allclose(batch.v_out[k], one.v_out, atol=0.0)
        assert_allclose(batch.spin_out[k], one.spin_out, atol=0.0)


def test_bodies_that_part_do_not_touch() -> None:
    end = hit((1.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    assert_allclose(end.v_out, (1.0, 0.0, 0.0), atol=0.0)
    assert end.duration == 0.0


@pytest.mark.capability("BB-100")
def test_a_mirror_agrees_for_a_heavy_smooth_bat_and_differs_with_friction() -> None:
    # Hard: the ball must not wander along the sphere while it touches.
    heavy = ContactCfg(bat_mass=1e6, friction=0.0, dt=1e-7, pressure=1e12)
    for phi in (0.0, 20.0, 50.0):
        given = ((5.0, 0.0, 0.0), direction(phi), (-0.5, 0.0, 0.3))
        assert_allclose(hit(*given, cfg=heavy).v_out, mirror(*given), atol=0.06)
    gaps = [
        np.linalg.norm(hit(*given).v_out - mirror(*given))
        for given in (((5.0, 0.0, 0.0), direction(p), (0.0, 0.0, 0.0)) for p in (0, 45))
    ]
    assert gaps[0] == pytest.approx(5.0 - 3.127, abs=0.01)
    assert gaps[1] > 1.0


@pytest.mark.capability("BB-39")
def test_a_free_body_flies_its_parabola_and_turns_its_angle() -> None:
    state = BodyState(position=np.zeros(3), velocity=np.array([3.0, 0.0, 4.0]),
                      omega=np.array([0.0, 0.0, 2.0]))  # fmt: skip
    for _ in range(500):
        state = step_body(state, (0.0, 0.0, -9.81), (0.0, 0.0, 1.0), 1e-3)
    assert_allclose(state.position, (1.5, 0.0, 2.0 - 0.5 * 9.81 * 0.25), atol=1e-12)
    assert_allclose(state.velocity, (3.0, 0.0, 4.0 - 9.81 * 0.5), atol=1e-12)
    angle = 2.0 * 0.5 + 0.5 * 0.25
    expected = (np.cos(angle / 2), 0.0, 0.0, np.sin(angle / 2))
    assert_allclose(state.quat, expected, atol=1e-12)
    assert np.linalg.norm(state.quat) == pytest.approx(1.0, abs=1e-15)
    rim = state.position + np.array([0.1, 0.0, 0.0])
    expected = state.velocity + np.array([0.0, 0.1 * 2.5, 0.0])
    assert_allclose(point_velocity(state, rim), expected, atol=1e-12)


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(ConfigError, match="unit vectors"):
        hit((1.0, 0.0, 0.0), (2.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    with pytest.raises(ConfigError, match="dt"):
        ContactCfg(dt=0.1)
    with pytest.raises(ConfigError, match="ball_mass"):
        ContactCfg(ball_mass=-1.0)
