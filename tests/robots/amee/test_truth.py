"""The judge: does it see falls, ways, margins and forces as they are?"""

from __future__ import annotations

import math

import numpy as np
import pytest

from amee_body import exact_world, set_all
from gelenk.errors import ConfigError
from gelenk.robots.amee.leg.hardware import Bridge
from gelenk.robots.amee.robot import standing_angles
from gelenk.robots.amee.world import WorldCfg, body_model, start_angles
from gelenk.sim.appearance import compiled_world_of

WEIGHT = 35.6 * 9.81  # [N]


def test_forces_of_a_standing_robot_are_its_weight_amid_its_feet() -> None:
    world = exact_world()
    set_all(world, Bridge.HOLD)
    world.step_to(0.5)
    moment = world.truth.look()
    assert moment.forces.sum() == pytest.approx(WEIGHT, rel=1e-3)
    middle = moment.forces @ moment.points / moment.forces.sum()
    assert middle[:2] == pytest.approx(moment.com[:2], abs=1e-4)  # else it would tip
    # feet of +-80 x +-60 mm at hips 700 x 400 mm apart: 0.2 + 0.06 m to either side
    assert moment.margin == pytest.approx(0.26, abs=1e-3)


def test_the_centre_of_mass_is_that_of_all_links() -> None:
    world = exact_world()
    set_all(world, Bridge.HOLD)
    world.step_to(0.002)
    model = body_model(floats=False)
    q = start_angles(world.cfg)
    Ts = np.stack([model.forward(q, name) for name in model.link_names])
    centres = np.einsum("nij,nj->ni", Ts[:, :3, :3], model.com) + Ts[:, :3, 3]
    com = model.mass @ centres / model.mass.sum() + (0.0, 0.0, 0.63)
    assert world.truth.look().com == pytest.approx(com, abs=1e-4)


def test_a_robot_that_tips_is_seen_to_lose_its_margin_and_to_fall() -> None:
    # Both right legs are lifted from the start.
    angles = np.tile(standing_angles(0.63), (4, 1))
    angles[[0, 3]] = standing_angles(0.40)
    world = exact_world("geared", angles=tuple(angles.ravel()))
    set_all(world, Bridge.HOLD)
    world.step_to(0.03)
    # the left feet end 0.2 - 0.06 m left of the centre of mass
    assert world.truth.look().margin == pytest.approx(-0.14, abs=0.005)
    assert not world.truth.verdict().has_fallen
    world.step_to(2.5)
    verdict = world.truth.verdict()
    assert verdict.has_fallen
    assert 0.3 < verdict.fall_time < 2.0
    assert verdict.unsafe_time > 0.2
    assert verdict.min_margin < -0.1
    assert verdict.max_tilt > math.radians(10.0)


@pytest.mark.filterwarnings("ignore:'ground' and 'amee/toe")  # pushed out at once
def test_a_robot_that_lies_on_its_belly_has_fallen_though_it_is_level() -> None:
    # Feet far ahead carry nothing: the limp legs let the torso down.
    world = exact_world(start="standing", torso=(0.0, 0.0, 0.06), stance=0.63,
                        angles=(0.0, 0.0, 0.0, math.pi) * 4)  # fmt: skip
    set_all(world, Bridge.HOLD)
    world.step_to(0.5)
    assert world.truth.look().lies
    assert world.truth.verdict().has_fallen
    assert world.truth.verdict().max_tilt < math.radians(10.0)


@pytest.mark.parametrize(("degrees", "has_fallen"), [(35.0, False), (45.0, True)])
def test_leaning_beyond_40_degrees_is_falling_even_in_the_air(
    degrees: float, has_fallen: bool
) -> None:
    world = exact_world(torso=(0.0, 0.0, 2.0))
    half = math.radians(degrees) / 2.0
    compiled_world_of(world.world).data.qpos[3:7] = (
        math.cos(half),
        math.sin(half),
        0.0,
        0.0,
    )
    world.step_to(0.02)
    assert world.truth.look().tilt == pytest.approx(2.0 * half, abs=1e-3)
    assert world.truth.verdict().has_fallen == has_fallen
    assert world.truth.look().margin == -math.inf


def test_a_parked_robot_lies_on_its_legs_and_has_not_fallen() -> None:
    world = exact_world(start="parked")
    world.step_to(0.8)
    assert not world.truth.verdict().has_fallen
    assert world.truth.look().margin > 0.1
    assert world.truth.look().T_world_torso[2, 3] < 0.08


def test_the_way_is_measured_along_the_start() -> None:
    world = exact_world()
    set_all(world, Bridge.HOLD)
    world.step_to(0.1)
    plant = compiled_world_of(world.world)
    plant.data.qpos[:2] += (0.5, -0.2)
    world.step_to(0.104)
    verdict = world.truth.verdict()
    assert verdict.distance == pytest.approx(0.5, abs=1e-3)
    assert verdict.sideways == pytest.approx(-0.2, abs=1e-3)
    assert verdict.turned == pytest.approx(0.0, abs=1e-3)


def test_the_torso_feels_gravity_and_whoever_coordinates_may_read_it() -> None:
    world = exact_world()
    set_all(world, Bridge.HOLD)
    world.step_to(0.5)
    assert world.read_imu()[:3] == pytest.approx([0.0, 0.0, 9.81], abs=0.4)
    assert world.read_imu()[3:] == pytest.approx([0.0, 0.0, 0.0], abs=0.05)


@pytest.mark.parametrize(
    "wrong",
    [{"start": "sitting"}, {"stance": 0.9}, {"angles": (0.0, 1.0)}],
)
def test_a_start_that_cannot_be_is_refused(wrong: dict) -> None:
    with pytest.raises(ConfigError):
        WorldCfg(**wrong)


def test_time_that_is_no_time_is_refused_and_the_past_is_ignored() -> None:
    world = exact_world(start="hung")
    world.step_to(0.01)
    world.step_to(0.004)
    assert world.time == pytest.approx(0.01)
    with pytest.raises(ConfigError, match="finite"):
        world.step_to(math.nan)
