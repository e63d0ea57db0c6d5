"""Robots from MJCF files move in a world as in MuJoCo, with all that the files say."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import mujoco
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.sim import Cuboid, Ground, PositionServo, Robot, World, WorldConfig
from gelenk.spatial import se3
from testkit.file_robots import (
    floor,
    load_file_robot,
    plain_engine,
    run_plain,
    write_dog,
)

STEP = 0.002


@pytest.fixture
def dog(tmp_path: Path) -> Path:
    return write_dog(tmp_path)


def _world(path: Path, contact: str = "exact", **options) -> World:
    world = World(WorldConfig(step=STEP, contact=contact))
    world.add(floor())
    world.add(Robot(name="dog", model=load_file_robot(path), **options))
    return world


def _qpos(world: World) -> np.ndarray:
    return np.array(world._compiled().data.qpos)


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicit", "implicitfast"])
def test_with_the_engines_contact_every_bit_is_that_of_plain_mujoco(
    tmp_path: Path, integrator: str
) -> None:
    path = write_dog(tmp_path, integrator)
    expected = run_plain(*plain_engine(path), 0.6)

    with _world(path, "engine") as world:
        world.run(0.6)

        assert len(world.contacts()) >= 3
        assert_array_equal(_qpos(world), expected)


def test_passive_legs_give_way_as_in_plain_mujoco(dog: Path) -> None:
    expected = run_plain(*plain_engine(dog, is_passive=True), 0.5)

    with _world(dog, "engine", motors=None) as world:
        world.run(0.5)

        assert world.actuators("dog") == ()
        assert_allclose(_qpos(world), expected, rtol=0.0, atol=1e-9)


def test_with_our_contact_a_dog_stands_where_plain_mujoco_lets_it_stand(
    dog: Path,
) -> None:
    expected = run_plain(*plain_engine(dog), 2.0)

    with _world(dog) as world:
        world.run(2.0)

        assert np.abs(world.twist("dog")).max() < 1e-2
        assert_allclose(_qpos(world)[:3], expected[:3], rtol=0.0, atol=5e-3)


def test_without_contact_our_mode_is_mujocos_implicitfast(tmp_path: Path) -> None:
    path = write_dog(tmp_path, "implicitfast")
    model, data = plain_engine(path)
    model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
    world = World(WorldConfig(step=STEP))
    world.add(Robot(name="dog", model=load_file_robot(path)))
    world.run(0.4)

    assert_allclose(_qpos(world), run_plain(model, data, 0.4), rtol=0.0, atol=1e-12)
    world.close()


def test_a_start_at_a_keyframe_takes_its_commands_and_activations(dog: Path) -> None:
    crouch = np.array([0, 0, 0.2, 1, 0, 0, 0, 0.3, 0.6, 0.6, -0.6, -0.6])
    with _world(dog, q=crouch) as world:
        data = world._compiled().data

        assert_allclose(data.ctrl, [0.5, 0.6, -0.6, -0.6, 0.02])
        assert_allclose(data.act, [-0.55])


def test_elsewhere_position_servos_hold_and_motors_do_nothing(dog: Path) -> None:
    q = np.array([0, 0, 0.4, 1, 0, 0, 0, 0.0, 0.3, 0.2, -0.3, 0.4])
    with _world(dog, q=q) as world:
        data = world._compiled().data

        assert_allclose(data.ctrl, [0.3, 0.2, -0.3, 0.4, 0.0], atol=1e-12)
        assert_allclose(data.act, [-0.3], atol=1e-12)


def test_commands_go_to_the_actuators_by_order_and_by_name(dog: Path) -> None:
    with _world(dog) as world:
        assert world.actuators("dog") == ("a", "actuator_1", "c", "d", "together")
        world.command("dog", [0.5, np.nan, np.nan, 0.4, 0.0])
        world.command("dog", {"c": -0.2})

        assert_allclose(world._compiled().data.ctrl, [0.5, 0.2, -0.2, 0.4, 0.0])
        with pytest.raises(ConfigError, match="5 finite numbers, one per actuator"):
            world.command("dog", [0.1, 0.2])
        with pytest.raises(NameNotFoundError, match="wing"):
            world.command("dog", {"wing": 1.0})


def test_a_snapshot_brings_commands_and_activations_back_bit_by_bit(
    dog: Path,
) -> None:
    with _world(dog) as world:
        world.run(0.1)
        world.command("dog", [0.3, 0.1, -0.4, 0.2, 0.05])
        world.run(0.05)
        state = world.snapshot()
        hashes = []
        for _ in range(2):
            world.run(0.1)
            hashes.append(world.state_hash())
            world.command("dog", 0.0)
            world.run(0.02)
            world.restore(state)

        assert hashes[0] == hashes[1]
        before = world.state_hash()
        world.command("dog", {"a": 0.31})
        assert world.state_hash() != before


def test_activations_go_back_with_a_substep_that_was_too_long(dog: Path) -> None:
    """Something that bounces cuts ticks into pieces; filters see whole ticks only."""
    worlds = [_world(dog) for _ in range(2)]
    worlds[1].add(
        Cuboid(
            name="die",
            size=(0.1, 0.05, 0.08),
            mass=0.1,
            position=(2.0, 0.0, 0.3),
            quat=tuple(np.array([0.8, 0.2, 0.4, 0.4])),
            restitution=0.8,
        )
    )
    acts = []
    for world in worlds:
        world.command("dog", {"c": 0.5})
        world.run(0.4)
        acts.append(float(world._compiled().data.act[0]))
        world.close()

    # the filter alone: act' = (0.5 - act) / 0.05, from -0.1
    expected = 0.5 - 0.6 * np.exp(-0.4 / 0.05)
    assert acts == pytest.approx([expected, expected], abs=2e-3)


def test_sites_cameras_sensors_springs_and_excludes_come_along(dog: Path) -> None:
    with _world(dog) as world:
        model = world._compiled().model

        trunk = world.pose("dog")
        offset = np.linalg.inv(trunk) @ world.pose("dog/imu")
        assert_allclose(offset, se3.exp([0, 0, 0.05, 0, 0, 0]), atol=1e-12)
        assert model.camera("dog/nose").id >= 0
        assert model.sensor("dog/acceleration").dim[0] == 3
        assert model.joint("dog/tail").stiffness[0] == 0.5
        assert model.nexclude == 1
        assert model.nlight == 2  # the world's own sun and sky


def test_a_ball_joint_has_four_values_and_three_speeds(tmp_path: Path) -> None:
    path = write_dog(tmp_path, tail="ball")
    expected = run_plain(*plain_engine(path), 0.3)
    with _world(path, "engine") as world:
        tail = np.array([0.9, 0.1, 0.3, 0.3])
        assert_allclose(world.joint_positions("dog")[:4], tail, atol=1e-12)
        world.run(0.3)

        assert_array_equal(_qpos(world), expected)
        assert world.joint_positions("dog").shape == (8,)
        assert world.joint_velocities("dog").shape == (7,)


def test_motors_of_ours_take_the_place_of_the_files(dog: Path) -> None:
    servo = PositionServo(kp=60.0, kd=2.0, torque_limit=20.0)
    motors = dict.fromkeys("abcd", servo)
    with _world(dog, motors=motors) as world:
        assert world.actuators("dog") == ()
        target = world.joint_positions("dog")[1:]
        world.run(1.0)

        assert world.pose("dog")[2, 3] > 0.19
        assert_allclose(world.joint_positions("dog")[1:], target, atol=0.1)


def test_two_dogs_stand_side_by_side_and_one_on_a_crate(dog: Path) -> None:
    model = load_file_robot(dog)
    with World(WorldConfig(step=STEP)) as world:
        world.add(Ground())
        for k in range(2):
            T = se3.exp([0.0, float(k), 0.0, 0.0, 0.0, 0.0])
            world.add(Robot(name=f"dog_{k}", model=model, T_world_base=T))
        world.run(1.0)

        heights = [world.pose(f"dog_{k}")[2, 3] for k in range(2)]
        assert heights == pytest.approx([heights[0]] * 2, abs=1e-6)
        assert heights[0] > 0.19
        assert world.pose("dog_1")[1, 3] == pytest.approx(1.0, abs=0.01)


def test_a_model_that_was_changed_is_no_longer_its_file(dog: Path) -> None:
    model = load_file_robot(dog)
    heavy = replace(model, mass=1.5 * model.mass)
    with World() as world:
        world.add(Robot(name="dog", model=heavy))
        with pytest.raises(ConfigError, match=r"the mass of 'trunk'.*source=None"):
            world.step()


def test_motors_by_a_word_that_nobody_knows_are_refused(dog: Path) -> None:
    with pytest.raises(ConfigError, match='"file" or None'):
        Robot(name="dog", model=load_file_robot(dog), motors="files")


def test_a_dog_is_put_into_another_keyframe_and_stays_there(dog: Path) -> None:
    crouch = np.array([0, 0, 0.2, 1, 0, 0, 0, 0.3, 0.6, 0.6, -0.6, -0.6])
    with _world(dog) as world:
        world.run(0.1)
        world.set_configuration("dog", crouch)

        assert_array_equal(_qpos(world), crouch)
        assert_allclose(world._compiled().data.ctrl, [0.5, 0.6, -0.6, -0.6, 0.02])
        world.run(1.0)
        # legs of 0.2 m at 0.6 rad on balls of 22 mm, which sink in by up to 30 mm
        stand = 0.2 * np.cos(0.6) + 0.022
        assert stand - 0.032 < world.pose("dog")[2, 3] < stand + 1e-3
