"""MJCF scenes open as worlds: robots, objects, scenery, cameras, lamps, keyframes."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.sim import Ball, CircleZone, World, WorldConfig
from gelenk.sim.appearance import describe_world

BENCH = """
<mujoco model="bench">
  <option timestep="0.002" integrator="RK4" gravity="0 0 -9.7"/>
  <default><geom friction="0.7" rgba="0.1 0.9 0.1 1" group="2"/></default>
  <worldbody>
    <light pos="0 0 3"/>
    <camera name="above" pos="0 0 2" fovy="90" resolution="64 48"/>
    <geom name="floor" type="plane" size="2 2 0.1"/>
    <body name="table" pos="0.5 0 0.2">
      <geom name="plate" type="box" size="0.2 0.2 0.02"/>
    </body>
    <body name="left/base">
      <geom type="cylinder" size="0.05 0.05"/>
      <body name="left/link" pos="0 0 0.1">
        <joint name="left/swing" axis="0 1 0" damping="1"/>
        <geom type="capsule" fromto="0 0 0 0.2 0 0" size="0.02" mass="0.2"/>
        <camera name="left/eye" pos="0.2 0 0" xyaxes="0 -1 0 0 0 1"/>
      </body>
    </body>
    <body name="drone" pos="0 -1 1">
      <freejoint/>
      <geom type="box" size="0.1 0.1 0.02" mass="0.5"/>
      <body pos="0.1 0 0.03">
        <joint axis="0 0 1" damping="0.01"/>
        <geom type="box" size="0.05 0.01 0.002" mass="0.02"/>
      </body>
    </body>
    <body name="cube" pos="0.5 0 0.3">
      <freejoint/>
      <geom type="box" size="0.02 0.02 0.02" mass="0.05"/>
    </body>
    <body name="ball" pos="1 1 0.5">
      <freejoint/><geom name="rubber" size="0.05" mass="0.1"/>
    </body>
    <body name="target" mocap="true" pos="0 0 1">
      <geom size="0.01" contype="0" conaffinity="0"/>
    </body>
  </worldbody>
  <actuator>
    <position name="left/servo" joint="left/swing" kp="40"/>
  </actuator>
  <keyframe>
    <key name="home" ctrl="0.3" mpos="0 0 1.5" qpos="0.3  0 -1 1 1 0 0 0 0
      0.5 0 0.25 1 0 0 0  1 1 0.6 1 0 0 0"/>
    <key name="dropped" ctrl="0" mpos="0 0 1.5" qpos="0  0 -1 0.02 1 0 0 0 0
      0.5 0 0.24 1 0 0 0  1 1 0.05 1 0 0 0"/>
  </keyframe>
</mujoco>
"""


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    path = tmp_path / "bench.xml"
    path.write_text(BENCH)
    return path


def test_a_scene_has_its_things_by_the_names_of_the_file(bench: Path) -> None:
    with World.from_mjcf(bench) as world:
        assert world.config.step == 0.002
        assert world.config.gravity == (0.0, 0.0, -9.7)
        names = set(world.names())
        assert {"table", "left/base", "drone", "cube", "ball", "target"} <= names
        assert world.actuators("left") == ("servo",)
        assert world.actuators("drone") == ()
        assert world.joint_positions("left") == pytest.approx([0.3])
        assert world.pose("ball")[:3, 3] == pytest.approx([1.0, 1.0, 0.6])
        assert world.pose("target")[2, 3] == 1.5
        looks = describe_world(world)
        groups = {body.name: body.group for body in looks.bodies}
        assert groups["table"] == "fixed"
        assert groups["cube"] == groups["left/link"] == "object"
        assert world._compiled().model.nlight == 1


def test_with_the_engines_contact_a_scene_is_plain_mujoco_bit_by_bit(
    bench: Path,
) -> None:
    model = mujoco.MjSpec.from_file(str(bench)).compile()
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_step(model, data, 400)
    config = WorldConfig(step=0.002, gravity=(0.0, 0.0, -9.7), contact="engine")

    with World.from_mjcf(bench, config) as world:
        world.run(0.8)

        assert len(world.contacts()) > 0
        assert_array_equal(world._compiled().data.qpos, data.qpos)


def test_objects_of_a_scene_bounce_rest_and_can_be_placed(bench: Path) -> None:
    pairs = {("ball", "floor"): 0.8}
    with World.from_mjcf(bench, WorldConfig(restitution_pairs=pairs)) as world:
        world.run(0.4)
        (impact,) = world.impacts()
        fall = np.sqrt(2.0 * 0.55 / 9.81)
        assert impact.time == pytest.approx(fall, abs=1e-6)
        assert impact.restitution == 0.8
        world.run(0.6)
        assert world.motion("cube") == "resting"
        assert world.pose("cube")[2, 3] == pytest.approx(0.24, abs=1e-4)
        T = np.eye(4)
        T[:3, 3] = (-0.5, 0.4, 0.02)
        world.place("cube", T)
        world.place("target", T)
        world.run(0.3)
        assert_allclose(world.pose("cube")[:3, 3], T[:3, 3], atol=1e-4)
        assert_array_equal(world.pose("target")[:3, 3], T[:3, 3])


def test_actuators_of_a_scene_are_commanded_by_robot(bench: Path) -> None:
    with World.from_mjcf(bench) as world:
        world.command("left", {"servo": -0.4})
        world.run(2.0)

        # 40 (u - q) holds the weight of the bar, 0.2 kg at 0.1 m
        q = world.joint_positions("left")[0]
        load = 0.2 * 9.7 * 0.1 * np.cos(q)
        assert 40.0 * (-0.4 - q) + load == pytest.approx(0.0, abs=1e-3)


def test_more_can_be_added_to_a_scene_and_gets_nothing_of_its_defaults(
    bench: Path,
) -> None:
    world = World.from_mjcf(bench, WorldConfig())
    world.add(Ball(name="extra", radius=0.05, mass=0.1, position=(-0.5, -0.5, 0.3)))
    world.add(CircleZone(name="spot", center=(1.0, 1.0), radius=0.1, on="enter"))
    with pytest.raises(ConfigError, match="already has something named 'cube'"):
        world.add(Ball(name="cube", radius=0.05, mass=0.1))
    world.run(1.0)

    model = world._compiled().model
    assert model.geom("extra").group[0] == 0
    assert world.pose("extra")[2, 3] == pytest.approx(0.05, abs=1e-4)
    assert world._compiled().watched[-2:] == ("cube", "ball")
    world.close()


def test_a_scene_begins_in_the_keyframe_that_is_named(bench: Path) -> None:
    with World.from_mjcf(bench, key="dropped") as world:
        assert world.pose("ball")[2, 3] == 0.05
        assert world._compiled().data.ctrl[0] == 0.0
    with pytest.raises(NameNotFoundError, match="no keyframe named 'droped'"):
        World.from_mjcf(bench, key="droped")


def test_cameras_of_a_scene_see_as_the_file_says(bench: Path) -> None:
    with World.from_mjcf(bench) as world:
        scene = world._contents.scene
        assert scene is not None
        above, eye = scene.cameras
        k = above.intrinsics
        assert (k.width, k.height, k.fy, k.fx) == pytest.approx((64, 48, 24, 24))
        assert (eye.name, eye.parent, eye.intrinsics.width) == (
            "left_eye",
            "left/link",
            640,
        )
        assert world._compiled().rig.names == ("above", "left_eye")


def test_a_snapshot_of_a_scene_comes_back_bit_by_bit(bench: Path) -> None:
    with World.from_mjcf(bench) as world:
        world.run(0.2)
        state = world.snapshot()
        world.run(0.2)
        later = world.state_hash()
        world.restore(state)
        world.run(0.2)

        assert world.state_hash() == later


def test_a_file_that_mujoco_refuses_is_named(tmp_path: Path) -> None:
    path = tmp_path / "broken.xml"
    path.write_text("<mujoco><worldbody><geom type='cube'/></worldbody></mujoco>")
    with pytest.raises(ConfigError, match=r"broken\.xml: MuJoCo refuses this scene"):
        World.from_mjcf(path)
