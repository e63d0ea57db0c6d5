"""The planar bench arm as MuJoCo knows it: a plant that shares no code with ours."""

from __future__ import annotations

from collections.abc import Callable

import mujoco
import numpy as np

MJCF = """
<mujoco><compiler angle="radian"/>
<option gravity="0 -9.81 0" timestep="{dt}" integrator="RK4"><flag contact="disable"/></option>
<worldbody>
  <body><joint axis="0 0 1"/>
    <inertial pos="1 0 0" mass="2" diaginertia="1e-9 1e-9 1e-9"/>
    <body pos="1 0 0"><joint axis="0 0 1"/>
      <inertial pos="0.8 0 0" mass="{tip}" diaginertia="1e-9 1e-9 1e-9"/>
    </body>
  </body>
</worldbody></mujoco>
"""


def run_planar_arm(
    law: Callable[[float, np.ndarray, np.ndarray], np.ndarray],
    q: np.ndarray,
    qd: np.ndarray,
    *,
    duration: float,
    dt: float = 1e-3,
    tip: float = 1.5,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return t, q, qd of the arm under τ = law(t, q, qd), held for each step."""
    model = mujoco.MjModel.from_xml_string(MJCF.format(dt=dt, tip=tip))
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:] = q, qd
    count = round(duration / dt)
    states = np.empty((count + 1, 4))
    for k in range(count + 1):
        states[k] = *data.qpos, *data.qvel
        data.qfrc_applied[:] = law(k * dt, data.qpos.copy(), data.qvel.copy())
        mujoco.mj_step(model, data)
    return dt * np.arange(count + 1), states[:, :2], states[:, 2:]
