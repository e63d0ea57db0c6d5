"""What the legs are told: converter counts against straight lines and printed laws."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from amee_body import counts_of, exact_world, motor_state, set_all, set_one
from gelenk.errors import ConfigError
from gelenk.models.assembler import assemble
from gelenk.models.catalog.shapes import shift
from gelenk.models.link import Geometry, JointType, Link
from gelenk.robots.amee import config
from gelenk.robots.amee.faults import BodyFault
from gelenk.robots.amee.leg.hardware import Bridge
from gelenk.robots.amee.sensors import SensorCfg
from gelenk.robots.amee.terrain.terrains import spike
from gelenk.robots.amee.world import AmeeWorld, WorldCfg, make_world
from gelenk.sim import IdealMotor, Robot
from gelenk.sim.appearance import compiled_world_of
from gelenk.sim.motors.bank import SUPPLY

YAW, HIP, KNEE, ANKLE = range(4)
QUIET = SensorCfg(noise=0.0, has_peaks=False)


def turning(speed: float) -> AmeeWorld:
    """A world in which yaw 1 turns at a given speed for a moment [rad/s]."""
    world = exact_world(start="hung", angles=(0.0, -1.57, 0.0, 1.57) * 4)
    compiled_world_of(world.world).data.qvel[0] = speed
    world.step_to(0.002)
    return world


def test_counts_follow_the_line_of_each_sensor() -> None:
    angles = (0.3, -2.0, 0.8, 1.9) * 4
    world = exact_world(start="hung", angles=angles, sensors=QUIET)
    for leg in world.legs:
        counts = leg.read_adc()
        assert counts.shape == (10, 8)
        assert_allclose(counts[:, :4], np.tile(counts_of(angles[:4]), (10, 1)))


def test_each_leg_has_its_own_true_lines() -> None:
    lines = tuple(
        tuple(
            config.SensorLine(slope=195.4, offset=b + leg) for b in (512, 665, 219, 9)
        )
        for leg in range(4)
    )
    world = exact_world(
        start="hung", angles=(0.0, -1.0, 0.5, 1.0) * 4, sensors=SensorCfg(lines=lines, noise=0.0)
    )  # fmt: skip
    assert [leg.read_adc()[-1, 0] for leg in world.legs] == [512, 513, 514, 515]


@pytest.mark.capability("QW-15")
@pytest.mark.parametrize(
    ("profile", "torque"), [("thesis", 22.0), ("geared", 22.0 * 400 / 210)]
)
def test_two_volts_of_the_current_output_mean_the_stall_torque(
    profile: str, torque: float
) -> None:
    fault = BodyFault(kind="joint_locked", leg=0, part=KNEE)
    world = exact_world(profile, start="hung", faults=(fault,))
    set_one(world, 0, KNEE, Bridge.RIGHT, 255)
    world.step_to(0.01)
    counts = world.legs[0].read_adc()[-1, 4 + KNEE]
    volts = counts * 5.0 / 1023
    assert volts == pytest.approx(2.0, abs=5.0 / 1023)
    assert volts * 6.0 * torque / 12.0 == pytest.approx(torque, rel=0.003)
    drive = config.DRIVES[profile]
    assert counts * drive.torque_per_count == pytest.approx(torque, rel=0.003)


@pytest.mark.capability("QW-17")
def test_a_foil_that_turns_faster_than_80_rpm_reads_like_a_lost_magnet() -> None:
    rpm = 2.0 * math.pi / 60.0
    assert turning(75.0 * rpm).legs[0].read_adc()[-1, YAW] < 600
    world = turning(90.0 * rpm)
    assert world.legs[0].read_adc()[-1, YAW] == 1023
    compiled_world_of(world.world).data.qvel[0] = 0.0
    world.step_to(0.006)  # back at once below the limit
    assert world.legs[0].read_adc()[-1, YAW] < 600


@pytest.mark.capability("QW-18")
def test_a_dip_of_the_supply_does_not_change_a_count() -> None:
    angles = (0.3, -1.2, 0.3, 1.3) * 4
    sag = BodyFault(kind="supply_sag", start=0.010, amount=4.0)
    world = exact_world(start="hung", angles=angles, sensors=QUIET, faults=(sag,))
    set_all(world, Bridge.HOLD)
    world.step_to(0.010)
    before = world.legs[0].read_adc().copy()
    world.step_to(0.020)
    assert motor_state(world, SUPPLY)[0] == pytest.approx(8.0)
    assert world.legs[0].read_supply() == pytest.approx(8.0)
    assert_allclose(world.legs[0].read_adc(), before)


def readings(speed: int, *, has_peaks: bool = True) -> np.ndarray:
    """Angle counts of a blocked yaw joint that runs with a pulse width, (n,)."""
    fault = BodyFault(kind="joint_locked", leg=0, part=YAW)
    sensors = SensorCfg(noise=0.0, has_peaks=has_peaks, conversions=36)
    world = exact_world(start="hung", sensors=sensors, faults=(fault,))
    set_one(world, 0, YAW, Bridge.LEFT, speed)
    found = []
    for k in range(200):
        world.step_to(0.002 * (k + 1))
        found.append(world.legs[0].read_adc()[:, YAW].copy())
    return np.concatenate(found)


@pytest.mark.capability("QW-19")
def test_a_slow_drive_lifts_every_15th_to_20th_sample_by_a_tenth() -> None:
    slow = readings(70)
    assert set(slow.tolist()) == {512, 563}  # 512 and a tenth more
    share = np.mean(slow == 563)
    assert 1 / 20.5 < share < 1 / 14.5
    # periodic: the spectrum has its lines there and nothing as high elsewhere
    first = np.flatnonzero(slow == 563)
    # 36 of the 36.2 samples of a tick are given; the newest of tick n is n * 36.23
    ticks, place = np.divmod(first, 36)
    number = np.floor((ticks + 1) * 0.002 / 55.2e-6).astype(int) - 35 + place
    period = int(np.median(np.diff(number)))
    assert 15 <= period <= 20
    assert set((number % period).tolist()) == {0}
    assert set(readings(80).tolist()) == {512}  # 31 % of the voltage
    assert set(readings(70, has_peaks=False).tolist()) == {512}


def test_noise_is_of_one_count_and_different_in_each_conversion() -> None:
    world = make_world(
        WorldCfg(start="hung", sensors=SensorCfg(conversions=36), seed=3)
    )
    set_all(world, Bridge.HOLD)
    world.step_to(0.2)
    found = []
    for k in range(100):
        world.step_to(0.202 + 0.002 * k)
        found.append(world.legs[2].read_adc()[:, :4].copy())
    counts = np.concatenate(found)
    # Uniform noise of +-1 count on top of a value between two counts.
    assert np.ptp(counts, axis=0).max() <= 3
    sigma = counts.std(axis=0)
    assert_allclose(sigma, math.sqrt(1 / 3 + 1 / 12), atol=0.08)
    correlation = np.corrcoef(counts.T)[np.triu_indices(4, 1)]
    assert np.abs(correlation).max() < 0.06
    shifted = np.corrcoef(counts[1:, 0], counts[:-1, 0])[0, 1]
    assert abs(shifted) < 0.06


def press(x: float, y: float, top: float) -> Robot:
    """A plate on an infinitely strong slider below a foot."""
    shape = Geometry(
        kind="box", size=(0.3, 0.3, 0.02), T_link_geometry=shift(z=top - 0.01)
    )
    plate = Link(
        name="plate",
        parent="stand",
        joint="lift",
        joint_type=JointType.PRISMATIC,
        mass=1.0,
        inertia=0.01 * np.eye(3),
        geometry=(shape,),
    )
    model = assemble("press", [Link(name="stand"), plate], tool="plate")
    motor = IdealMotor(max_speed=0.004)
    return Robot(name="press", model=model, T_world_base=shift(x, y), motors=motor)


@pytest.mark.capability("QW-06")
def test_toes_close_at_12_newtons_and_open_again_below_8() -> None:
    x, y, _ = config.HIPS[0]
    plate = press(x, y, 1.0 - config.STANCE_HEIGHT - 0.001)
    world = exact_world(start="hung", extras=(plate,), sensors=QUIET)
    set_all(world, Bridge.HOLD)
    plant = compiled_world_of(world.world)
    touch = plant.banks.senses.touch
    names = [f"amee/toe_1_{name}" for name in ("fl", "fr", "rl", "rr")]
    toes = [plant.model.body(name).id for name in names]
    forces, closed = [], []
    for target in (0.02, -0.01):
        world.world.command("press", [target])
        for _ in range(900):
            world.step_to(world.time + 0.002)
            forces.append(touch[toes].copy())
            bits = world.legs[0].read_toes()
            closed.append([bits >> k & 1 for k in range(4)])
            if target > 0.0 and forces[-1].min() > 20.0:
                break
    force, is_closed = np.array(forces), np.array(closed, dtype=bool)
    assert is_closed.any(axis=0).all()
    assert not is_closed[-1].any()
    for k in range(4):
        # the force rises and falls once; around its bounds the contact bounces for 3 ms
        top = int(force[:, k].argmax())
        shut = int(np.argmax(force[:, k] >= 12.0))
        opened = top + int(np.argmax(force[top:, k] < 8.0))
        assert not is_closed[:shut, k].any()
        assert is_closed[shut + 3 : opened, k].all()
        assert not is_closed[opened + 3 :, k].any()


@pytest.mark.capability("QW-120")
def test_the_centre_contact_feels_what_no_toe_feels() -> None:
    for has_centre in (False, True):
        hip = config.HIPS[0]
        post = spike("post", hip[0], hip[1], 0.05)
        world = exact_world(
            start="hung",
            torso=(0.0, 0.0, 0.673),
            extras=(post,),
            sensors=SensorCfg(noise=0.0, has_centre_contact=has_centre),
        )
        set_one(world, 0, KNEE, Bridge.RIGHT, 80)
        world.step_to(0.5)
        bits = world.legs[0].read_toes()
        assert bits == (config.TOE_CENTRE if has_centre else 0)


def test_settings_that_no_converter_has_are_refused() -> None:
    with pytest.raises(ConfigError, match="conversions"):
        SensorCfg(conversions=0)
    with pytest.raises(ConfigError, match="noise"):
        SensorCfg(noise=-1.0)
