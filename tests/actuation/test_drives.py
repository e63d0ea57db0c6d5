"""Tests of hydraulic, pneumatic and electric drives, gears, gaits and materials.

Oracles: SciPy's integrators, the adiabatic law, balance of power, meshing teeth that do
not slip, geometry of a braid, the printed values (TV-6.2, 6.3, D.20).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp

from gelenk.actuation.drives import (
    GAITS,
    TRAITS,
    DriveFamily,
    DriveNeeds,
    Gait,
    choose_drive,
    continuous_current,
    foot_positions,
    get_gait,
    leg_phases,
    standing_legs,
    winding_temperature,
)
from gelenk.actuation.fluid_drives import (
    HydraulicCylinder,
    PneumaticCylinder,
    air_stiffness,
    chamber_rates,
    cylinder_force,
    cylinder_rates,
    orifice_flow,
    steady_speed,
    valve_flow,
)
from gelenk.actuation.materials import (
    AirMuscle,
    MemoryWire,
    air_muscle_force,
    largest_contraction,
    martensite,
    polymer_strain,
    run_memory_wire,
)
from gelenk.actuation.transmissions import (
    PlanetaryGear,
    Shaft,
    belt_ratio,
    belt_resonance,
    belt_stiffness,
    harmonic_ratio,
    is_self_locking,
    mesh_tradeoff,
    output_torque,
    planetary_ratio,
    screw_efficiency,
    screw_force,
    screw_speed,
    spur_ratio,
    third_speed,
)
from gelenk.errors import ConfigError, NameNotFoundError

OIL = HydraulicCylinder()
AIR = PneumaticCylinder()


def press(cylinder: HydraulicCylinder, spool, load, duration, start, mass=200.0):
    """Return the state of a loaded cylinder after a time, by SciPy's stiff solver."""

    def rate(_t, s):
        force = float(cylinder_force(cylinder, s[2], s[3])) - load - 2e3 * s[1]
        return [s[1], force / mass, *cylinder_rates(cylinder, s, spool)]

    run = solve_ivp(rate, (0.0, duration), start, method="LSODA", rtol=1e-7, atol=1e-7)
    return run.y[:, -1]


@pytest.mark.capability("GR-98")
def test_an_open_valve_moves_a_load_at_the_speed_that_flow_allows():
    start = [0.05, 0.0, 6e6, 2e6]

    state = press(OIL, 2e-4, 4e3, 0.8, start)

    # The formula knows no friction; 2e3 N s/m of it count as load.
    speed = steady_speed(OIL, 2e-4, 4e3 + 2e3 * state[1])
    assert state[1] == pytest.approx(speed, rel=0.01)
    assert press(OIL, 4e-4, 4e3, 0.4, start)[1] > 1.8 * state[1]
    assert press(OIL, -2e-4, 4e3, 0.5, [0.3, 0.0, 6e6, 2e6])[1] < 0.0
    flow = orifice_flow(1e-5, [-1e6, 1e6], density=860.0, discharge=0.6)
    assert flow[0] == -flow[1]
    assert_allclose(0.5 * 860.0 * (flow / 6e-6) ** 2, 1e6)  # Bernoulli


@pytest.mark.capability("GR-98")
def test_a_closed_valve_holds_a_load_as_stiffly_as_oil():
    tight = HydraulicCylinder(leakage=0.0)
    start = [0.2, 0.0, 4e6, 6e6]  # in balance: 1.2e-3 * 4e6 = 0.8e-3 * 6e6

    state = press(tight, 0.0, 3e3, 1.5, start)

    volume_a, volume_b = 5e-5 + 1.2e-3 * 0.2, 5e-5 + 0.8e-3 * 0.2
    stiffness = 1.2e9 * (1.2e-3**2 / volume_a + 0.8e-3**2 / volume_b)
    assert state[0] - 0.2 == pytest.approx(-3e3 / stiffness, rel=0.02)
    leaking = press(HydraulicCylinder(leakage=1e-11), 0.0, 3e3, 1.5, start)
    assert leaking[0] < state[0] - 1e-5


@pytest.mark.capability("GR-99")
def test_air_flows_as_published_and_never_faster_than_sound_allows():
    flow = valve_flow(7e5, [1e5, 5e5], conductance=2e-8)
    assert_allclose(flow, [0.016590, 0.013372], atol=5e-7)
    ratios = np.linspace(0.0, 1.0, 200)
    curve = valve_flow(7e5, 7e5 * ratios, conductance=2e-8)
    assert_allclose(curve[ratios <= 0.3], curve[0])
    assert curve[-1] == 0.0
    assert (np.diff(curve) <= 1e-15).all()
    assert_allclose(
        valve_flow(5e5, 7e5, conductance=2e-8), -valve_flow(7e5, 5e5, conductance=2e-8)
    )


@pytest.mark.capability("GR-99")
def test_closed_chambers_of_air_follow_the_adiabatic_law():
    def rate(t, s):
        v = 0.2 * np.cos(4 * t)
        return chamber_rates(AIR, [s[0], v, *s[1:]], 0.0)

    run = solve_ivp(
        lambda t, s: [0.2 * np.cos(4 * t), *rate(t, s)],
        (0, 0.3),
        [0.2, 4e5, 3e5],
        rtol=1e-9,
    )

    x, p_a, p_b = run.y[:, -1]
    volume = 2e-5 + 1.2e-3 * np.array([x, 0.4 - x, 0.2, 0.2])
    assert p_a == pytest.approx(4e5 * (volume[2] / volume[0]) ** 1.4, rel=1e-6)
    assert p_b == pytest.approx(3e5 * (volume[3] / volume[1]) ** 1.4, rel=1e-6)
    h = 1e-5
    force = [
        1.2e-3
        * (
            4e5 * (volume[2] / (volume[2] + s)) ** 1.4
            - 3e5 * (volume[3] / (volume[3] - s)) ** 1.4
        )
        for s in (1.2e-3 * h, -1.2e-3 * h)
    ]
    exact = -(force[0] - force[1]) / (2 * h)
    assert air_stiffness(AIR, 0.2, 4e5, 3e5) == pytest.approx(exact, rel=1e-6)


@pytest.mark.capability("GR-99")
def test_air_gives_way_more_and_fills_more_slowly_than_oil():
    oil = 1.2e9 * 1.2e-3**2 / (5e-5 + 1.2e-3 * 0.2)
    assert air_stiffness(AIR, 0.2, 4e5, 3e5) < oil / 100.0

    def time_to_fill(rate, start, goal):
        def full(_t, p):
            return p[0] - goal

        full.terminal = True  # type: ignore[attr-defined]
        run = solve_ivp(rate, (0, 1), [start], events=full, max_step=1e-3)
        return run.t[-1]

    air = time_to_fill(
        lambda _t, p: [chamber_rates(AIR, [0.2, 0.0, p[0], 1e5], 1.0)[0]], 1e5, 4e5
    )
    fluid = time_to_fill(
        lambda _t, p: [cylinder_rates(OIL, [0.2, 0.0, p[0], 1e5], 1e-3)[0]], 1e5, 7e6
    )
    assert air > 20.0 * fluid


@pytest.mark.capability("GR-100")
@pytest.mark.parametrize(
    ("needs", "family"),
    [
        (DriveNeeds(force=1.0, holding=0.6, must_be_mobile=True), "hydraulic"),
        (DriveNeeds(gentleness=1.0, cost=0.5), "pneumatic"),
        (DriveNeeds(precision=1.0, cost=0.3, must_be_mobile=True), "electric"),
        (
            DriveNeeds(precision=0.3, must_not_spark=True, must_be_clean=True),
            "pneumatic",
        ),
        (DriveNeeds(force=1.0, must_be_clean=True, precision=0.6), "electric"),
    ],
)
def test_the_selector_chooses_what_an_engineer_would(needs, family):
    assert choose_drive(needs)[0] == family
    with pytest.raises(ConfigError, match="no family"):
        choose_drive(
            DriveNeeds(must_be_mobile=True, must_not_spark=True, must_be_clean=True)
        )
    assert set(TRAITS) == set(DriveFamily)


@pytest.mark.capability("GR-100")
def test_a_winding_warms_as_published_and_burns_beyond():
    motor: dict[str, Any] = {
        "resistance": 1.2,
        "thermal_resistance": 5.0,
        "ambient": 25.0,
    }
    cold = winding_temperature(4.0, **motor, copper=False)
    warm = winding_temperature(4.0, **motor)
    assert_allclose([cold, warm], [121.0, 182.191675], atol=5e-7)

    def rate(_t, T):
        return (16.0 * 1.2 * (1 + 0.00393 * (T - 20)) - (T - 25) / 5.0) / 40.0

    run = solve_ivp(rate, (0, 4000), [25.0], rtol=1e-9)
    assert run.y[0, -1] == pytest.approx(warm, abs=1e-3)
    limit = continuous_current(155.0, **motor)
    assert winding_temperature(limit, **motor) == pytest.approx(155.0, abs=1e-9)
    with pytest.raises(ConfigError, match="burns"):
        winding_temperature(7.0, **motor)


@pytest.mark.capability("GR-103")
def test_a_screw_turns_torque_into_force_as_published():
    assert_allclose(
        screw_force(1.0, lead=0.005, efficiency=0.9), 1130.973355, atol=5e-7
    )
    omega = 3000 * 2 * np.pi / 60
    assert_allclose(screw_speed(omega, lead=0.005), 0.25, atol=1e-12)
    power = screw_force(1.0, lead=0.005, efficiency=0.9) * screw_speed(
        omega, lead=0.005
    )
    assert_allclose(power, 0.9 * omega, rtol=1e-12)
    # Forces on the unrolled thread: pushing a block up a slope with friction.
    for lead, friction in ((0.004, 0.1), (0.004, 0.2), (0.02, 0.1)):
        slope = lead / (np.pi * 0.012)
        push = (slope + friction) / (1 - friction * slope)  # per unit of load
        eta = screw_efficiency(lead, 0.012, friction)
        assert_allclose(eta, slope / push, rtol=1e-12)
        locks = is_self_locking(lead, 0.012, friction)
        assert locks == (slope < friction)
        assert (eta < 0.5) or not locks


@pytest.mark.capability("GR-104")
def test_belts_transmit_by_their_radii_and_resonate():
    assert belt_ratio(0.02, 0.06) == pytest.approx(3.0)
    # The same belt speed on both pulleys: v = r_1 ω_1 = r_2 ω_2, same sense.
    assert pytest.approx(0.06 * 3.0 / belt_ratio(0.02, 0.06)) == 0.02 * 3.0
    k = belt_stiffness(modulus_area=2e4, span=0.4, joint_radius=0.06)
    strand = 2e4 / 0.4 * 0.06 * 0.01  # force of one strand at 0.01 rad
    assert 2 * strand * 0.06 == pytest.approx(k * 0.01)
    A = np.array(
        [
            [0, 0, 1, 0],
            [0, 0, 0, 1],
            [-k / 0.3, k / 0.3, 0, 0],
            [k / 0.5, -k / 0.5, 0, 0],
        ]
    )
    fastest = np.abs(np.linalg.eigvals(A).imag).max()
    assert belt_resonance(k, motor_inertia=0.3, load_inertia=0.5) == pytest.approx(
        fastest
    )


@pytest.mark.capability("GR-105")
def test_stages_multiply_and_play_is_traded_for_friction():
    stages = [(20, 60), (15, 45), (12, 30)]
    omega = 1.0
    for driving, driven in stages:  # equal pitch speed, opposite sense
        omega = -omega * driving / driven
    assert spur_ratio(stages) == pytest.approx(1.0 / omega)
    play, friction = mesh_tradeoff(np.linspace(0, 5e-5, 30), module=1e-3)
    assert (np.diff(play) > 0).all()
    assert (np.diff(friction) < 0).all()
    assert play[0] == 0.0
    with pytest.raises(ConfigError, match="module"):
        mesh_tradeoff(2e-3, module=1e-3)


@pytest.mark.capability("GR-106")
def test_a_planetary_gear_has_the_published_ratios():
    gear = PlanetaryGear(sun=24, ring=72)
    expected = {
        (Shaft.SUN, Shaft.RING): 4.0,
        (Shaft.SUN, Shaft.CARRIER): -3.0,
        (Shaft.RING, Shaft.SUN): 4.0 / 3.0,
        (Shaft.CARRIER, Shaft.RING): 0.25,
        (Shaft.RING, Shaft.CARRIER): -1.0 / 3.0,
        (Shaft.CARRIER, Shaft.SUN): 0.75,
    }
    for (driven, fixed), ratio in expected.items():
        assert planetary_ratio(gear, driven=driven, fixed=fixed) == pytest.approx(ratio)
    together = third_speed(gear, {Shaft.SUN: 2.0, Shaft.RING: 2.0})
    assert together[Shaft.CARRIER] == pytest.approx(2.0)
    # The figure: the carrier turned by 45° with a fixed ring turns the sun by 180°.
    turned = third_speed(gear, {Shaft.CARRIER: 45.0, Shaft.RING: 0.0})
    assert turned[Shaft.SUN] == pytest.approx(180.0)
    with pytest.raises(ConfigError, match="planets"):
        PlanetaryGear(sun=24, ring=71)


@pytest.mark.capability("GR-106")
def test_teeth_of_a_planetary_gear_do_not_slip():
    rng = np.random.default_rng(3)
    gear = PlanetaryGear(sun=20, ring=64)
    assert gear.planet == 22
    for sun, ring in rng.normal(size=(20, 2)):
        carrier = third_speed(gear, {Shaft.SUN: sun, Shaft.RING: ring})[Shaft.CARRIER]
        # Pitch radii are as the teeth; the planet's centre goes round at r_s + r_p.
        centre = carrier * (20 + 22)
        spin = (ring * 64 - sun * 20) / (2 * 22)
        assert_allclose([centre - spin * 22, centre + spin * 22], [20 * sun, 64 * ring])


@pytest.mark.capability("GR-107")
def test_half_a_turn_of_a_harmonic_drive_moves_one_tooth():
    assert harmonic_ratio(200) == -100.0
    assert harmonic_ratio(200, fixed="flex") == 101.0
    half = 180.0 / harmonic_ratio(200)
    assert half == pytest.approx(-1.8)
    assert half == pytest.approx(-360.0 / 200)  # one tooth of the flexspline
    # Willis with the wave generator as carrier: z_fs ω_fs - z_cs ω_cs = (z_fs - z_cs) ω_wg.
    assert 200 / harmonic_ratio(200) == pytest.approx(200 - 202)
    assert -202 / harmonic_ratio(200, fixed="flex") == pytest.approx(200 - 202)
    with pytest.raises(ConfigError, match="circular"):
        harmonic_ratio(200, fixed="wave")


@pytest.mark.capability("GR-108")
def test_gaits_put_their_feet_down_in_their_order():
    t = np.linspace(0.0, 1.0, 2001)[:-1]
    for name, least in (
        ("walk", 3),
        ("trot", 2),
        ("pace", 2),
        ("bound", 2),
        ("tripod", 3),
    ):
        gait = GAITS[name]
        down = standing_legs(gait, t, 1.0)
        assert down.sum(axis=1).min() == least
        assert_allclose(down.mean(axis=0), gait.duty, atol=1e-3)
    down = standing_legs(GAITS["walk"], t, 1.0)
    touch = [
        t[np.flatnonzero(~np.roll(down[:, k], 1) & down[:, k])[0]] for k in range(4)
    ]
    assert np.argsort(np.round(touch, 3)).tolist() == [0, 3, 1, 2]  # LF, RH, RF, LH
    assert np.array_equal(*standing_legs(GAITS["trot"], [0.1, 1.1], 1.0))
    with pytest.raises(NameNotFoundError, match="trot"):
        get_gait("trott")
    with pytest.raises(ConfigError, match="duty"):
        Gait(offsets=(0.0,), duty=1.0)


@pytest.mark.capability("GR-108")
def test_feet_on_the_ground_carry_the_body_at_its_speed():
    gait, period, speed = GAITS["walk"], 0.8, 0.5
    t = np.linspace(0.0, 0.8, 4001)

    feet = foot_positions(gait, t, period=period, speed=speed, lift=0.06)

    rate = np.diff(feet, axis=0) / (t[1] - t[0])
    down = standing_legs(gait, t, period)
    both = down[1:] & down[:-1]
    assert_allclose(rate[both], np.tile([-speed, 0.0], (both.sum(), 1)), atol=1e-9)
    assert feet[..., 1].max() == pytest.approx(0.06, rel=1e-4)
    assert np.abs(np.diff(rate[..., 0], axis=0)).max() < 0.02  # no jump of speed
    phases = leg_phases(gait, t, period)
    assert ((phases >= 0.0) & (phases < 1.0)).all()


@pytest.mark.capability("GR-109")
def test_an_air_muscle_pulls_as_published_and_stops_at_its_braid():
    muscle = AirMuscle()
    force = air_muscle_force(muscle, [0.0, 0.2], 3e5)
    assert_allclose(force, [1328.635863, 560.278696], atol=5e-6)
    limit = largest_contraction(muscle)
    assert limit == pytest.approx(0.385597, abs=5e-7)
    assert abs(float(air_muscle_force(muscle, limit, 3e5))) < 1e-9
    # Virtual work F dl = -p dV with threads of fixed length b wound n times.
    length, radius = 0.2, 0.01
    thread = length / np.cos(muscle.braid_angle)
    around = np.sqrt(thread**2 - length**2) / radius

    def volume(now):
        return np.pi * (thread**2 - now**2) / around**2 * now

    for epsilon in (0.0, 0.1, 0.3):
        now, h = length * (1 - epsilon), 1e-6
        pull = 3e5 * (volume(now + h) - volume(now - h)) / (2 * h)
        assert_allclose(-pull, air_muscle_force(muscle, epsilon, 3e5), rtol=1e-5)


@pytest.mark.capability("GR-109")
def test_memory_wires_have_hysteresis_and_polymers_thin_with_the_square():
    wire = MemoryWire()
    up = [martensite(wire, T, 1.0) for T in (60.0, 77.5, 90.0)]
    down = [martensite(wire, T, 0.0) for T in (65.0, 52.5, 30.0)]
    assert_allclose([*up, *down], [1.0, 0.5, 0.0, 0.0, 0.5, 1.0], atol=1e-12)
    power = np.repeat([1.5, 0.0], 400)
    temperature, strain = run_memory_wire(wire, power, dt=0.01)
    assert temperature[99] == pytest.approx(25 + 90 * (1 - np.exp(-1)), abs=0.5)
    assert strain[399] == pytest.approx(0.0, abs=1e-12)
    assert strain[-1] == pytest.approx(0.04, abs=1e-6)
    at_65 = [
        strain[np.argmin(abs(temperature[:400] - 65))],
        strain[400 + np.argmin(abs(temperature[400:] - 65))],
    ]
    assert at_65[0] > at_65[1] + 0.03
    strains = polymer_strain([1e3, 2e3], thickness=5e-5, permittivity=3, stiffness=1e6)
    assert_allclose(strains[1], 4 * strains[0])
    # A capacitor of 1 m²: the force of its plates is U² dC/dd / 2, stress is twice that
    # in a film of constant volume (Pelrine).
    C = 8.8541878128e-12 * 3 / 5e-5
    assert_allclose(strains[0], -2 * (0.5 * 1e6 * C / 5e-5) / 1e6, rtol=1e-9)


def test_gears_and_screws_agree_on_efficiency():
    # A screw is a gear of 2π / p rad/m.
    assert_allclose(
        output_torque(1.0, 2 * np.pi / 0.005, efficiency=0.9),
        screw_force(1.0, lead=0.005, efficiency=0.9),
    )
