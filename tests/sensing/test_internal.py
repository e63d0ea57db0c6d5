"""Tests of sensors of the robot's own state.

Oracles: SciPy's rotations, integrators and random processes, signals whose derivatives
are known, rigid-body laws, the printed values (TV-7.1 to 7.4).
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from gelenk.errors import ConfigError
from gelenk.sensing.encoders import (
    angle_from_word,
    count_quadrature,
    count_single_track,
    counted_rate,
    encoder_resolution,
    encoder_tracks,
    encoder_word,
    filtered_rate,
    home_count,
    local_polynomial_rate,
    rate_price,
    resolver_angle,
    resolver_signals,
    track_resolver,
)
from gelenk.sensing.force_torque import (
    bridge_voltage,
    calibrate_wrench_sensor,
    contact_centre,
    identify_tool,
    pressure_image,
    proximity_switch,
    tool_wrench,
)
from gelenk.sensing.inertial import (
    EARTH_RATE,
    AttitudeEstimate,
    GyroGrade,
    InertialState,
    TuningFork,
    apparent_turn,
    compass_heading,
    complementary_step,
    coriolis_amplitude,
    demodulate_fork,
    estimate_tilt,
    integrate_strapdown,
    mahony_step,
    position_drift,
    precession_rate,
    rate_from_amplitude,
    specific_force,
    without_gravity,
)


@pytest.mark.capability("GR-118")
def test_two_tracks_count_with_direction_and_one_track_without():
    assert np.degrees(encoder_resolution(1024)) == pytest.approx(0.087891, abs=5e-7)
    t = np.linspace(0.0, 4.0, 20_001)
    angle = 1.5 * np.sin(t) + 0.2
    tracks = encoder_tracks(angle, 100)

    counts, wrong = count_quadrature(tracks.a, tracks.b)

    step = encoder_resolution(100)
    assert not wrong.any()
    assert np.abs(counts * step - (angle - angle[0])).max() <= step + 1e-12
    single = count_single_track(tracks.a)
    assert (np.diff(single) >= 0).all()
    travelled = np.abs(np.diff(angle)).sum()
    assert single[-1] * encoder_resolution(100, tracks=1) == pytest.approx(
        travelled, abs=4 * step
    )


@pytest.mark.capability("GR-118")
def test_the_index_gives_the_same_zero_from_either_side_and_lost_samples_are_flagged():
    for way in (np.linspace(-1.0, 1.0, 5001), np.linspace(1.0, -1.0, 5001)):
        tracks = encoder_tracks(way, 50)
        counts, _ = count_quadrature(tracks.a, tracks.b)
        home = home_count(counts, tracks.index)
        assert home is not None
        angle = (counts - home) * encoder_resolution(50)
        assert np.abs(angle - way).max() <= encoder_resolution(50) + 1e-12
    far = encoder_tracks(np.linspace(0.5, 1.0, 100), 50)
    assert home_count(np.zeros(100), far.index) is None
    fast = encoder_tracks(np.arange(20) * 2.0 * encoder_resolution(50), 50)
    assert count_quadrature(fast.a, fast.b)[1][1:].all()


@pytest.mark.capability("GR-119")
def test_neighbouring_code_words_differ_in_one_bit():
    words = encoder_word((np.arange(8) + 0.5) * np.pi / 4, 3)
    expected = ["000", "001", "011", "010", "110", "111", "101", "100"]
    assert [format(int(w), "03b") for w in words] == expected
    angle = (np.arange(4096) + 0.5) * 2 * np.pi / 4096
    words = encoder_word(angle, 12)
    changes = words ^ np.roll(words, 1)
    assert all(int(c).bit_count() == 1 for c in changes)
    assert_allclose(angle_from_word(words, 12), angle, atol=1e-12)


@pytest.mark.capability("GR-120")
def test_a_resolver_finds_its_angle_and_tracks_without_lag():
    t = np.arange(400) / 80e3
    for angle in np.linspace(-3.1, 3.1, 9):
        signals = resolver_signals(angle, t, carrier=4e3, amplitude=2.0)
        found = resolver_angle(signals, t, carrier=4e3)
        assert abs(np.degrees(found - angle)) < 0.01
    moving = 3.0 + 20.0 * np.arange(4000) * 1e-4
    angles, rates = track_resolver(
        np.sin(moving), np.cos(moving), dt=1e-4, bandwidth=300.0
    )
    assert rates[-1] == pytest.approx(20.0, rel=1e-6)
    lag = np.angle(np.exp(1j * (moving[-1] - angles[-1])))
    assert abs(np.degrees(lag)) < 0.01


@pytest.mark.capability("GR-121")
def test_rates_follow_a_sine_with_the_noise_and_the_lag_that_are_told():
    dt, omega = 1e-3, 6.0
    t = dt * np.arange(4000)
    for smoothing in (0.5, 0.9):
        sigma, delay = rate_price(smoothing, dt=dt, noise=1e-4)
        found = filtered_rate(np.sin(omega * t), dt=dt, smoothing=smoothing)[1000:]
        late = omega * np.cos(omega * (t - delay))[1000:]
        assert np.abs(found - late).max() < 0.01 * omega
        rng = np.random.default_rng(1)
        shaken = filtered_rate(rng.normal(0, 1e-4, 60_000), dt=dt, smoothing=smoothing)
        assert shaken[100:].std() == pytest.approx(sigma, rel=0.03)
    with pytest.raises(ConfigError, match="smoothing"):
        filtered_rate([0.0, 1.0], dt=dt, smoothing=1.0)


@pytest.mark.capability("GR-121")
def test_polynomials_and_timed_counts_are_exact_where_they_should_be():
    t = 1e-2 * np.arange(60)
    cubic = 2.0 + 3.0 * t - t**2 + 0.5 * t**3
    slope = 3.0 - 2.0 * t + 1.5 * t**2
    assert_allclose(local_polynomial_rate(cubic, dt=1e-2), slope, atol=1e-9)
    # 0.7 counts per sample: counting alone would read 0 or 1.
    step, speed = 0.01, 0.7
    samples = np.arange(1.0, 40.0)
    counts = np.floor(speed * samples)
    edges = counts / speed
    moved = np.diff(counts) > 0
    rate = counted_rate(counts, edges, resolution=step)
    assert_allclose(rate[moved], speed * step, rtol=1e-9)


@pytest.mark.capability("GR-122")
def test_accelerometers_feel_the_ground_push_and_nothing_in_free_fall():
    assert_allclose(specific_force(np.eye(3), np.zeros(3)), [0, 0, 9.81])
    R = Rotation.random(20, rng=np.random.default_rng(2)).as_matrix()
    assert_allclose(specific_force(R, [0, 0, -9.81]), 0.0, atol=1e-12)
    a = np.random.default_rng(3).normal(size=(20, 3))
    reading = specific_force(R, a, bias=[0.1, 0, 0])
    assert_allclose(without_gravity(R, reading - [0.1, 0, 0]), a, atol=1e-12)
    # Another way: differentiate the place of a swinging pendulum's body twice.
    angle, rate, length = 0.4, 0.7, 1.3
    acc = -9.81 / length * np.sin(angle)
    R = Rotation.from_euler("y", -angle).as_matrix()
    h = 1e-4
    places = [
        length * np.array([np.sin(x), 0.0, -np.cos(x)])
        for x in (angle + s * h * rate + 0.5 * (s * h) ** 2 * acc for s in (-1, 0, 1))
    ]
    world = (places[0] - 2 * places[1] + places[2]) / h**2
    felt = specific_force(R, world)
    # A pendulum feels along its rod g cos θ + l θ̇², and nothing across.
    assert_allclose(felt, [0, 0, 9.81 * np.cos(angle) + length * rate**2], atol=1e-4)


@pytest.mark.capability("GR-123")
def test_tilt_and_compass_give_the_angles_of_a_resting_body():
    rng = np.random.default_rng(4)
    north = np.array([0.2, 0.0, -0.45])  # dips into the ground
    for yaw, pitch, roll in rng.uniform([-3, -1.4, -3], [3, 1.4, 3], (20, 3)):
        R = Rotation.from_euler("ZYX", [yaw, pitch, roll]).as_matrix()
        found = estimate_tilt(specific_force(R, np.zeros(3)))
        assert_allclose(found, [roll, pitch], atol=1e-9)
        assert_allclose(compass_heading(R.T @ north, roll, pitch), yaw, atol=1e-9)


@pytest.mark.capability("GR-123")
def test_fusion_bounds_the_drift_of_gyros():
    angle = 0.0
    for rate, reference in ((0.1, 0.05), (0.1, 0.06), (0.1, 0.08)):
        angle = complementary_step(angle, rate, reference, dt=0.01, trust=0.98)
    assert angle == pytest.approx(0.006618, abs=5e-7)

    rng = np.random.default_rng(5)
    bias, dt = np.array([0.02, -0.015, 0.01]), 0.05
    rate = np.array([0.3, -0.2, 0.4])
    truth = Rotation.identity()
    fused = AttitudeEstimate(quat=np.array([1.0, 0, 0, 0]), bias=np.zeros(3))
    gyro_only = Rotation.identity()
    for k in range(800):
        omega = rate * np.sin(0.01 * k + np.arange(3))
        truth = truth * Rotation.from_rotvec(omega * dt)
        read = omega + bias + rng.normal(0, 0.005, 3)
        R = truth.as_matrix()
        force = specific_force(R, np.zeros(3)) + rng.normal(0, 0.1, 3)
        fused = mahony_step(
            fused, read, force, dt=dt, north=R.T @ [0.2, 0.0, -0.45], bias_gain=0.2
        )
        gyro_only = gyro_only * Rotation.from_rotvec(read * dt)
    found = Rotation.from_quat(fused.quat, scalar_first=True)
    assert (found.inv() * truth).magnitude() < 0.04
    assert (gyro_only.inv() * truth).magnitude() > 0.15
    assert_allclose(fused.bias, bias, atol=4e-3)


@pytest.mark.capability("GR-124")
def test_mechanical_gyroscopes_drift_and_precess_as_their_laws_say():
    assert position_drift(GyroGrade.AIRCRAFT, hours=1.0) == 1850.0
    assert position_drift(GyroGrade.HIGH_END, hours=9.0, distance=1e6) == pytest.approx(
        1e3
    )
    # dL/dt = τ with a torque that follows the rotor, integrated without the formula.
    start, size = np.array([0.0, 2.0, 0.0]), 0.05

    def rate(_t, L):
        return size * np.cross(L / 2.0, [0.0, 0.0, 1.0])

    run = solve_ivp(rate, (0, 10), start, rtol=1e-10, atol=1e-12)
    turned = np.arctan2(-run.y[0, -1], run.y[1, -1])
    torque = size * np.cross(start / 2.0, [0.0, 0.0, 1.0])
    omega = precession_rate(torque, start)
    assert_allclose(omega, [0.0, 0.0, turned / 10.0], atol=1e-9)
    assert omega[2] == pytest.approx(-size / 2.0)
    # A free gyroscope at the pole sees a day, one at the equator nothing upwards.
    assert_allclose(apparent_turn(np.pi / 2), [0, 0, EARTH_RATE], atol=1e-18)
    assert apparent_turn(0.0)[2] == 0.0
    assert 2 * np.pi / EARTH_RATE == pytest.approx(86164, abs=1)


@pytest.mark.capability("GR-125")
def test_a_tuning_fork_swings_in_proportion_to_the_rate_of_turn():
    fork = TuningFork(
        drive_frequency=1000.0, sense_frequency=1150.0, amplitude=1e-3, quality=15.0
    )

    def sense(omega):
        """Return samples of ten drive periods after the answer has settled."""

        def rate(t, s):
            swing = 1e-3 * 1000.0 * np.cos(1000.0 * t)
            return [s[1], -2 * omega * swing - 1150 / 15 * s[1] - 1150**2 * s[0]]

        end = 2 * np.pi / 1000 * 35
        t = end + 2 * np.pi / 1000 * np.arange(400) / 40
        run = solve_ivp(rate, (0, t[-1]), [0, 0], t_eval=t, rtol=1e-6, atol=1e-12)
        return run.y[0], t

    for omega in (0.5, -1.0):
        y, t = sense(omega)
        amplitude = float(coriolis_amplitude(fork, abs(omega)))
        assert np.abs(y).max() == pytest.approx(amplitude, rel=0.01)
        assert demodulate_fork(y, t, fork) == pytest.approx(omega, rel=0.01)
    assert_allclose(
        coriolis_amplitude(fork, [1.0, 2.0, 4.0]) / [1, 2, 4],
        coriolis_amplitude(fork, 1.0),
    )
    assert rate_from_amplitude(fork, coriolis_amplitude(fork, 0.3)) == pytest.approx(
        0.3
    )


@pytest.mark.capability("GR-126")
def test_strapped_down_sensors_retrace_a_motion_and_grow_with_their_bias():
    rest = InertialState(
        quat=np.array([1.0, 0, 0, 0]), velocity=np.zeros(3), place=np.zeros(3)
    )
    state = rest
    for _ in range(60):
        state = integrate_strapdown(state, np.zeros(3), [0.01, 0, 9.81], dt=1.0)
    assert_allclose(state.place, [18.0, 0.0, 0.0], atol=1e-9)

    # A helix: constant rates and forces in the body, so that any step is exact.
    omega, radius, climb = 0.8, 2.0, 0.3
    start = InertialState(
        quat=np.array([1.0, 0, 0, 0]),
        velocity=np.array([0.0, omega * radius, climb]),
        place=np.array([radius, 0.0, 0.0]),
    )
    state = start
    for _ in range(7):
        state = integrate_strapdown(
            state, [0, 0, omega], [-radius * omega**2, 0.0, 9.81], dt=0.9
        )
    t = 6.3
    c, s = np.cos(omega * t), np.sin(omega * t)
    assert_allclose(state.place, [radius * c, radius * s, climb * t], atol=1e-10)
    assert_allclose(state.velocity[:2], omega * radius * np.array([-s, c]), atol=1e-10)


@pytest.mark.capability("GR-126")
def test_perfect_samples_of_a_tumbling_body_lead_home():
    dt = 2e-3
    rate = np.array([0.5, -0.3, 0.8])
    state = InertialState(
        quat=np.array([1.0, 0, 0, 0]), velocity=np.array([0.4, 0, 0]), place=np.zeros(3)
    )
    for k in range(500):
        t = (k + 0.5) * dt
        R = Rotation.from_rotvec(rate * t).as_matrix()
        acceleration = np.array([-0.8 * np.sin(2 * t), 0.3 * np.cos(t), 0.1])
        state = integrate_strapdown(state, rate, specific_force(R, acceleration), dt=dt)

    exact = [0.2 * np.sin(2.0), 0.3 * (1 - np.cos(1.0)), 0.05]
    assert_allclose(state.place, exact, atol=2e-6)


@pytest.mark.capability("GR-127")
def test_a_force_sensor_is_calibrated_and_freed_of_its_tool():
    R = np.column_stack([[1, 0, 0], [0, 0, 1], [0, -1, 0]]).astype(float)
    wrench = tool_wrench(R, mass=0.8, com=[0, 0, 0.05])
    assert_allclose(wrench, [0, -7.848, 0, 0.3924, 0, 0], atol=1e-12)

    rng = np.random.default_rng(6)
    C = rng.normal(size=(6, 8))
    voltages = rng.normal(size=(40, 8))
    noisy = voltages @ C.T + rng.normal(0, 1e-3, (40, 6))
    assert_allclose(calibrate_wrench_sensor(voltages, noisy), C, atol=2e-3)
    with pytest.raises(ConfigError, match="loads"):
        calibrate_wrench_sensor(voltages[:5], noisy[:5])

    turns = Rotation.random(12, rng=rng).as_matrix()
    offset = np.array([1.0, -2.0, 0.5, 0.1, 0.0, -0.2])
    readings = tool_wrench(turns, mass=1.4, com=[0.02, -0.01, 0.08]) + offset
    tool = identify_tool(turns, readings + rng.normal(0, 1e-3, readings.shape))
    assert tool.mass == pytest.approx(1.4, abs=1e-3)
    assert_allclose(tool.com, [0.02, -0.01, 0.08], atol=1e-4)
    assert_allclose(tool.offset, offset, atol=5e-3)
    with pytest.raises(ConfigError, match="orientations"):
        identify_tool(turns[:1], readings[:1])


@pytest.mark.capability("GR-127")
def test_bridges_follow_kirchhoff():
    def divider(r1, r2, r3, r4):  # two voltage dividers against each other
        return r2 / (r1 + r2) - r4 / (r3 + r4)

    e = 2.0 * 1.5e-3
    quarter = divider(1, 1 + e, 1, 1)
    half = divider(1 - e, 1 + e, 1, 1)
    full = divider(1 - e, 1 + e, 1 + e, 1 - e)
    kinds: dict[Literal["quarter", "half", "full"], float] = {
        "quarter": quarter,
        "half": half,
        "full": full,
    }
    for kind, exact in kinds.items():
        found = bridge_voltage(1.5e-3, supply=1.0, bridge=kind)
        assert found == pytest.approx(exact, rel=1e-12)
    assert quarter == pytest.approx(e / 4, rel=2e-3)


@pytest.mark.capability("GR-128")
def test_a_skin_shows_where_it_is_pressed_and_a_switch_has_hysteresis():
    rng = np.random.default_rng(7)
    points = rng.uniform([0, 0], [0.07, 0.05], (5, 2))
    forces = rng.uniform(1, 4, 5)

    image = pressure_image(points, forces, shape=(6, 8), pitch=0.01)
    force, centre = contact_centre(image, pitch=0.01)

    assert force == pytest.approx(forces.sum())
    assert_allclose(centre, forces @ points / forces.sum(), atol=1e-12)
    assert (image >= 0).all()
    one = pressure_image([[0.03, 0.02]], [1.0], shape=(6, 8), pitch=0.01)
    assert np.argwhere(one > 0).tolist() == [[2, 3]]
    states = proximity_switch([9, 4, 5, 7, 5, 3.9], close=4, release=6)
    assert states.tolist() == [False, True, True, False, False, True]
    with pytest.raises(ConfigError, match="outside"):
        pressure_image([[0.2, 0.0]], [1.0], shape=(6, 8), pitch=0.01)
