"""AMEE stands: on both kinds of drives, against weight times lever arm."""

from __future__ import annotations

import math

import mujoco
import numpy as np
import pytest
from numpy.testing import assert_allclose

from amee_body import exact_world, set_all, stand
from gelenk.robots.amee.drives import DriveCfg
from gelenk.robots.amee.leg.hardware import Bridge
from gelenk.robots.amee.robot import standing_angles
from gelenk.robots.amee.world import AmeeWorld, WorldCfg, make_world
from gelenk.sim.appearance import compiled_world_of

WEIGHT = 35.6 * 9.81  # [N]


def torso(world: AmeeWorld) -> np.ndarray:
    return world.world.pose("amee/torso")[:3, 3]


@pytest.mark.slow
@pytest.mark.parametrize("profile", ["thesis", "geared"])
def test_it_stands_for_ten_seconds_without_drift(profile: str) -> None:
    world = make_world(WorldCfg(drive=profile, seed=3))
    angles = standing_angles()
    stand(world, angles, 1.0)
    before = torso(world)
    stand(world, angles, 10.0)
    assert np.abs(torso(world) - before).max() < 0.0002
    verdict = world.truth.verdict()
    assert not verdict.has_fallen
    assert verdict.min_margin > 0.2
    assert verdict.max_torque.max() < 22.0
    assert all(leg.read_toes() == 0b1111 for leg in world.legs)


@pytest.mark.slow
def test_worn_gears_let_the_torso_wander_by_millimetres_not_by_their_play() -> None:
    world = make_world(WorldCfg(drive=DriveCfg(worn=True), seed=3))
    stand(world, standing_angles(), 1.0)
    before = torso(world)
    stand(world, standing_angles(), 4.0)
    assert np.abs(torso(world) - before).max() < 0.010  # of 55 mm at each foot
    assert not world.truth.verdict().has_fallen


def knee_loads(world: AmeeWorld) -> np.ndarray:
    """What the gears of the four knees bear, from the engine's friction rows [N m]."""
    plant = compiled_world_of(world.world)
    model, data = plant.model, plant.data
    is_friction = data.efc_type == int(mujoco.mjtConstraint.mjCNSTR_FRICTION_DOF)
    force = {
        int(data.efc_id[r]): data.efc_force[r] for r in np.flatnonzero(is_friction)
    }
    dofs = [int(model.joint(f"amee/C{k}").dofadr[0]) for k in range(1, 5)]
    return np.array([force[dof] + data.qfrc_applied[dof] for dof in dofs])


# Knee torque with massless legs and a fourth of the weight amid each foot, as derived
# from the source [N m].
TABLE = {0.40: 22.2, 0.50: 18.8, 0.55: 16.3, 0.60: 13.0, 0.63: 10.0, 0.65: 7.1}


@pytest.mark.parametrize("height", TABLE)
def test_knees_bear_weight_times_lever_arm(height: float) -> None:
    # Without friction of the soles all forces are vertical, and the knee bears
    # force on the foot times arm, minus the weights of shank and foot times theirs.
    world = exact_world("geared", stance=height, friction=0.0)
    set_all(world, Bridge.HOLD)
    world.step_to(0.5)
    moment = world.truth.look()
    assert moment.forces.sum() == pytest.approx(WEIGHT, rel=2e-3)
    plant = compiled_world_of(world.world)
    data, model = plant.data, plant.model
    loads, massless = knee_loads(world), []
    for leg in range(1, 5):
        hip = world.world.pose(f"amee/shoulder_{leg}")[:2, 3]
        is_own = np.linalg.norm(moment.points[:, :2] - hip, axis=1) < 0.25
        force, x = moment.forces[is_own], moment.points[is_own, 0]
        knee = world.world.pose(f"amee/shank_{leg}")[0, 3]
        expected = force @ (x - knee)
        amid = world.world.pose(f"amee/sole_{leg}")[0, 3] - knee
        massless.append(force.sum() * amid)
        for body, mass in (("shank", 0.5), ("foot", 1.2)):
            com = data.xipos[model.body(f"amee/{body}_{leg}").id, 0]
            expected -= mass * 9.81 * (com - knee)
        # the ground pushes the shank up: the gear holds against it
        assert -loads[leg - 1] == pytest.approx(expected, abs=0.05)
    # soles sink in by a millimetre, which bends no knee
    assert np.mean(massless) == pytest.approx(TABLE[height], abs=0.1)


@pytest.mark.capability("QW-119")
@pytest.mark.parametrize(
    ("profile", "height", "sags"),
    [("thesis", 0.63, False), ("thesis", 0.50, True), ("geared", 0.50, False)],
)
def test_without_power_it_sags_where_the_knees_bear_more_than_the_gears_resist(
    profile: str, height: float, sags: bool
) -> None:
    world = exact_world(profile, stance=height)
    set_all(world, Bridge.STOP, 0)
    world.step_to(1.0)
    sunk = height - torso(world)[2]
    assert sunk > 0.05 if sags else sunk < 0.003
    assert world.truth.look().margin > 0.0  # it does not tip


@pytest.mark.capability("QW-104")
def test_three_standing_legs_do_not_tip_when_the_power_fails() -> None:
    # Leg 1 is folded up; the others stand as long as the centre of mass is over them.
    lifted = standing_angles(0.50)
    angles = np.tile(standing_angles(0.63, 0.06), (4, 1))  # body shifted to the rear
    angles[0] = lifted
    world = exact_world("geared", angles=tuple(angles.ravel().tolist()))
    set_all(world, Bridge.HOLD)
    world.step_to(0.5)
    assert 0.0 < world.truth.look().margin < 0.2
    set_all(world, Bridge.STOP, 0)
    world.step_to(1.5)
    look = world.truth.look()
    assert look.margin > 0.0
    assert look.tilt < math.radians(10.0)


def test_one_seed_gives_one_world_bit_by_bit() -> None:
    hashes, readings = [], []
    for seed in (7, 7, 8):
        world = make_world(WorldCfg(terrain="rubble", seed=seed))
        stand(world, standing_angles(0.64), 0.2)
        hashes.append(world.world.state_hash())
        readings.append(world.legs[1].read_adc().copy())
    assert hashes[0] == hashes[1] != hashes[2]
    assert_allclose(readings[0], readings[1])


@pytest.mark.capability("QW-96")
def test_a_leg_computer_that_falls_silent_loses_its_drives() -> None:
    world = make_world(WorldCfg(start="hung", seed=1))
    ways = np.array([Bridge.LEFT, Bridge.HOLD, Bridge.HOLD, Bridge.HOLD])
    for leg in world.legs:
        leg.kick_watchdog()
        leg.set_motors(ways, np.array([60, 255, 255, 255]))
    command = compiled_world_of(world.world).banks.motors.command
    for k in range(110):
        world.legs[1].kick_watchdog()  # leg 2 lives
        world.step_to(0.01 * (k + 1))
        if k == 97:
            assert command[:4].any()
    assert not command[:4].any()
    assert command[4:8].any()
