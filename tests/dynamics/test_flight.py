"""Flights against SciPy's integrator, closed forms, energy, published vectors."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.integrate import solve_ivp

from gelenk.dynamics.flight import (
    FlightCfg,
    flight_energy,
    flight_rate,
    simulate_flight,
)
from gelenk.dynamics.flight_crossing import CrossingPlane, TorusSheet, find_crossing
from gelenk.errors import ConfigError, ShapeError

THROW = (-0.3, 5.0, 1.8, 0.0, -6.5, 4.0)
WORKSPACE = TorusSheet(center=(-0.305, -0.23, 0.898), offset=0.06, radius=0.84)
WINDY = FlightCfg(wind=(1.5, -2.0, 0.3))


def _throws(count, seed=0):
    rng = np.random.default_rng(seed)
    p = np.column_stack(
        [
            rng.normal(-0.3, 0.5, count),
            rng.uniform(5, 6, count),
            rng.uniform(1.4, 1.9, count),
        ]
    )
    v = np.column_stack(
        [
            rng.normal(0, 0.3, count),
            rng.uniform(-8, -6, count),
            rng.uniform(3.5, 5, count),
        ]
    )
    return np.column_stack([p, v, rng.normal(0, 10, (count, 3))])


def _by_scipy(x, cfg, duration, event=None):
    """The same law, written out anew."""

    def rate(t, y):
        u = y[3:] - np.array(cfg.wind)
        drag = -cfg.drag * math.sqrt(u @ u) * u
        s = np.zeros(3) if len(x) == 6 else cfg.lift * x[6:]
        lift = np.array(
            [
                s[1] * u[2] - s[2] * u[1],
                s[2] * u[0] - s[0] * u[2],
                s[0] * u[1] - s[1] * u[0],
            ]
        )
        return np.concatenate([y[3:], np.array(cfg.gravity) + drag + lift])

    return solve_ivp(
        rate,
        (0.0, duration),
        x[:6],
        method="DOP853",
        rtol=1e-13,
        atol=1e-13,
        events=event,
    )


@pytest.mark.capability("BB-45")
def test_the_published_flight_is_reproduced():
    x = simulate_flight(THROW, [0.5], FlightCfg(drag=0.0612))[0]

    assert_allclose(x[:3], (-0.3, 2.0555, 2.4588), atol=6e-5)
    assert_allclose(x[3:], (0.0, -5.3781, -1.1829), atol=6e-5)


@pytest.mark.capability("BB-45")
def test_the_published_crossing_of_the_workspace_is_reproduced():
    meeting = find_crossing(THROW, WORKSPACE)
    x, y, z = meeting.state[:3] - np.array(WORKSPACE.center)

    assert meeting.time == pytest.approx(0.834, abs=5e-4)
    assert math.degrees(math.atan2(x, z)) == pytest.approx(0.43, abs=6e-3)
    assert math.degrees(-math.asin(y / 0.84)) == pytest.approx(-44.41, abs=0.02)
    waiting = TorusSheet(
        center=tuple(meeting.state[:3]), offset=0.0, radius=0.0605 + 0.125
    )
    assert find_crossing(THROW, waiting).time == pytest.approx(0.805, abs=6e-4)


@pytest.mark.capability("BB-45")
def test_without_air_the_path_is_a_parabola():
    x = np.array(_throws(5)[:, :6])
    times = np.linspace(-0.5, 1.0, 7)

    paths = simulate_flight(x, times, FlightCfg(drag=0.0))

    t, g = times[:, None], np.array([0.0, 0.0, -9.81])
    for start, path in zip(x, paths, strict=True):
        assert_allclose(
            path[:, :3], start[:3] + start[3:] * t + 0.5 * g * t**2, atol=1e-12
        )
        assert_allclose(path[:, 3:], start[3:] + g * t, atol=1e-12)


@pytest.mark.capability("BB-45")
@pytest.mark.parametrize("cfg", [FlightCfg(), WINDY])
def test_flights_agree_with_an_adaptive_integrator(cfg):
    for x in _throws(4):
        end = _by_scipy(x, cfg, 0.9).y[:, -1]

        assert_allclose(simulate_flight(x, [0.9], cfg)[0, :6], end, atol=1e-9)


def test_halving_the_step_divides_the_error_by_sixteen():
    x = _throws(1)[0]
    exact = simulate_flight(x, [0.8], max_step=1e-3)[0, :3]
    error = [
        np.linalg.norm(simulate_flight(x, [0.8], max_step=h)[0, :3] - exact)
        for h in (0.1, 0.05)
    ]

    assert 12.0 < error[0] / error[1] < 20.0


def test_drag_takes_energy_and_lift_none():
    x = _throws(6)
    times = np.linspace(0.0, 1.0, 50)

    braked = flight_energy(simulate_flight(x, times))
    lifted = flight_energy(simulate_flight(x, times, FlightCfg(drag=0.0)))

    assert np.all(np.diff(braked, axis=-1) < 0.0)
    assert_allclose(lifted, lifted[:, :1] * np.ones(50), rtol=1e-9)


def test_the_rate_is_the_slope_of_the_path():
    x = _throws(3)
    h = 1e-5

    slope = (
        simulate_flight(x, [h], WINDY)[:, 0] - simulate_flight(x, [-h], WINDY)[:, 0]
    ) / (2 * h)

    assert_allclose(slope, flight_rate(x, WINDY), atol=1e-8)


def test_wind_is_a_moving_frame():
    x = _throws(1)[0]
    w = np.array(WINDY.wind)
    still = simulate_flight(np.concatenate([x[:3], x[3:6] - w, x[6:]]), [0.7])[0]

    moved = simulate_flight(x, [0.7], WINDY)[0]

    assert_allclose(moved[:3], still[:3] + 0.7 * w, atol=1e-12)
    assert_allclose(moved[3:6], still[3:6] + w, atol=1e-12)


def test_a_batch_equals_its_elements():
    x = _throws(6).reshape(2, 3, 9)
    paths, crossings = (
        simulate_flight(x, [0.2, 0.1], WINDY),
        find_crossing(x, WORKSPACE, WINDY),
    )

    assert paths.shape == (2, 3, 2, 9)
    for i in np.ndindex(2, 3):
        assert_array_equal(paths[i], simulate_flight(x[i], [0.2, 0.1], WINDY))
        assert_array_equal(
            crossings.state[i], find_crossing(x[i], WORKSPACE, WINDY).state
        )


@pytest.mark.parametrize(
    "surface", [WORKSPACE, CrossingPlane(normal=(0.0, 0.6, 0.8), offset=0.9)]
)
def test_crossings_agree_with_an_event_of_scipy(surface):
    def value(t, y):
        if isinstance(surface, CrossingPlane):
            return np.dot(surface.normal, y[:3]) - surface.offset
        x, dy, z = y[:3] - np.array(surface.center)
        return (math.hypot(x, z) - surface.offset) ** 2 + dy**2 - surface.radius**2

    value.direction = -1.0
    count = 0
    for x in _throws(12, seed=2):
        solution = _by_scipy(x, WINDY, 2.0, value)
        meeting = find_crossing(x, surface, WINDY)
        assert bool(meeting.found) == (solution.t_events[0].size > 0)
        if meeting.found:
            count += 1
            assert meeting.time == pytest.approx(solution.t_events[0][0], abs=1e-9)
            assert_allclose(meeting.state, solution.y_events[0][0], atol=1e-8)
            assert abs(value(0.0, meeting.state)) < 1e-9
    assert count > 5


def test_a_path_that_dips_in_between_two_steps_is_noticed():
    ball = TorusSheet(center=(0.0, 0.0, 0.0), offset=0.0, radius=1.0)
    free = FlightCfg(gravity=(0.0, 0.0, 0.0), drag=0.0)
    depth = 1e-5  # the chord is 9 mm long, steps are 80 mm
    start = [-1.005, 0.0, 1.0 - depth, 8.0, 0.0, 0.0]

    into, out = (
        find_crossing(start, ball, free),
        find_crossing(start, ball, free, direction="out"),
    )

    half = math.sqrt(1.0 - (1.0 - depth) ** 2)
    assert into.time == pytest.approx((1.005 - half) / 8.0, abs=1e-12)
    assert out.time == pytest.approx((1.005 + half) / 8.0, abs=1e-12)
    start[2] = 1.0 + depth
    assert not find_crossing(start, ball, free).found


def test_directions_are_told_apart():
    ball = TorusSheet(center=(0.0, 0.0, 0.0), offset=0.0, radius=1.0)
    free = FlightCfg(gravity=(0.0, 0.0, 0.0), drag=0.0)
    x = [-3.0, 0.0, 0.0, 4.0, 0.0, 0.0]

    times = [
        find_crossing(x, ball, free, direction=way).time for way in ("in", "out", "any")
    ]
    inside = find_crossing([0.0, 0.0, 0.0, 4.0, 0.0, 0.0], ball, free)

    assert_allclose(times, (0.5, 1.0, 0.5), atol=1e-12)
    assert not inside.found
    assert np.isnan(inside.time)
    assert np.isnan(inside.state).all()


def test_mistakes_are_named():
    with pytest.raises(ConfigError, match="drag"):
        FlightCfg(drag=-1.0)
    with pytest.raises(ShapeError, match="state"):
        simulate_flight(np.zeros(7), [0.1])
    with pytest.raises(ConfigError, match="normal"):
        CrossingPlane(normal=(0.0, 0.0, 2.0), offset=0.0)
    with pytest.raises(ConfigError, match="radius"):
        TorusSheet(center=(0.0, 0.0, 0.0), offset=0.1, radius=0.0)
    with pytest.raises(ConfigError, match="horizon"):
        find_crossing(THROW, WORKSPACE, horizon=0.0)
