"""Small MJCF robots with what real files have, and plain MuJoCo beside our world."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from gelenk.models.mjcf import load_mjcf
from gelenk.models.tree import ModelSource, RobotModel
from gelenk.sim import Ground

# A dog on four legs: classes, soft feet, a tail on a spring, servos of two kinds,
# a tendon, an excluded pair, a site, a camera, sensors, two keyframes, a lamp.
DOG = """
<mujoco model="dog">
  <option timestep="0.002" integrator="{integrator}" cone="elliptic" impratio="10"/>
  <default>
    <joint damping="0.4" armature="0.01"/>
    <default class="foot">
      <geom type="sphere" size="0.022" priority="1" solimp="0.015 1 0.03"
        friction="0.8 0.02 0.01" condim="6"/>
    </default>
  </default>
  <worldbody>
    <light pos="0 0 3"/>
    <body name="trunk" pos="0 0 0.3">
      <freejoint name="base"/>
      <geom type="box" size="0.2 0.1 0.05" mass="4"/>
      <camera name="nose" pos="0.2 0 0.1"/>
      <site name="imu" pos="0 0 0.05"/>
      <body name="tail" pos="-0.2 0 0.1">
        <joint name="tail" type="{tail}" stiffness="0.5" damping="0.02"/>
        <geom type="capsule" fromto="0 0 0 -0.1 0 0" size="0.01" mass="0.05"/>
      </body>
      {legs}
    </body>
  </worldbody>
  <contact><exclude body1="trunk" body2="leg_a"/></contact>
  <tendon>
    <fixed name="pair"><joint joint="c" coef="1"/><joint joint="d" coef="1"/></fixed>
  </tendon>
  <actuator>
    <position name="a" joint="a" kp="60"/>
    <position joint="b" kp="60" ctrlrange="-1 1"/>
    <general name="c" joint="c" dyntype="filter" dynprm="0.05" gainprm="60"
      biastype="affine" biasprm="0 -60 0"/>
    <position name="d" joint="d" kp="60"/>
    <motor name="together" tendon="pair"/>
  </actuator>
  <sensor>
    <actuatorfrc name="effort" actuator="a"/>
    <accelerometer name="acceleration" site="imu"/>
  </sensor>
  <keyframe>
    <key name="home" qpos="0 0 0.22 1 0 0 0 {rest} 0.1 0.2 -0.1 0.1"
      act="-0.1" ctrl="0.1 0.2 -0.1 0.1 0.01"/>
    <key name="crouch" qpos="0 0 0.2 1 0 0 0 {rest} 0.6 0.6 -0.6 -0.6"
      act="-0.55" ctrl="0.5 0.6 -0.6 -0.6 0.02"/>
  </keyframe>
</mujoco>
"""
LEG = """
<body name="leg_{name}" pos="{x} {y} 0">
  <joint name="{name}" axis="0 1 0" range="-60 60"/>
  <geom type="capsule" fromto="0 0 0 0 0 -0.18" size="0.02" mass="0.3"/>
  <geom class="foot" pos="0 0 -0.2" mass="0.05"/>
</body>
"""


def write_dog(folder: Path, integrator: str = "Euler", tail: str = "hinge") -> Path:
    """Write the dog's file and return its path.

    Args:
        folder: Folder of the file.
        integrator: Integrator that the file asks for.
        tail: Type of the joint of the tail.
    """
    places = {
        "a": (0.15, 0.1),
        "b": (0.15, -0.1),
        "c": (-0.15, 0.1),
        "d": (-0.15, -0.1),
    }
    legs = "".join(LEG.format(name=n, x=x, y=y) for n, (x, y) in places.items())
    path = folder / "dog.xml"
    rest = "0.9 0.1 0.3 0.3" if tail == "ball" else "0.3"
    text = DOG.format(integrator=integrator, tail=tail, rest=rest, legs=legs)
    path.write_text(text)
    return path


def load_file_robot(path: Path) -> RobotModel:
    """Return the model of a file, with its source."""
    model = load_mjcf(path)
    if model.source is not None:
        return model
    return replace(model, source=ModelSource(kind="mjcf", path=path))


def floor() -> Ground:
    """Return a ground with the friction of a shape without settings."""
    return Ground(friction=1.0, torsion=0.005, rolling=0.0001, condim=3)


def plain_engine(
    path: Path, *, key: str | None = "home", is_passive: bool = False
) -> tuple[Any, Any]:
    """Return model and data of plain MuJoCo: the file and a floor."""
    spec: Any = mujoco.MjSpec.from_file(str(path))
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=(0, 0, 1))
    model = spec.compile()
    if is_passive:
        model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_ACTUATION)
    data = mujoco.MjData(model)
    if key is not None:
        mujoco.mj_resetDataKeyframe(model, data, model.key(key).id)
    return model, data


def run_plain(model: Any, data: Any, seconds: float) -> np.ndarray:
    """Step plain MuJoCo and return its qpos."""
    mujoco.mj_step(model, data, round(seconds / model.opt.timestep))
    return np.array(data.qpos)
