"""Three links that hang in weightlessness; the last one is struck."""

from typing import Any

import mujoco as engine
import numpy as np

mujoco: Any = engine  # its wheel has no types

CHAIN = """
<mujoco>
  <option gravity="0 0 0" timestep="0.001"/>
  <worldbody>
    <body name="upper">
      <joint type="hinge" axis="0 1 0"/>
      <geom type="box" size=".05 .04 .2" pos="0 0 -.2" mass="1.5"/>
      <body name="lower" pos="0 0 -.4" euler="0 20 0">
        <joint type="hinge" axis="0 1 0"/>
        <joint type="hinge" axis="1 0 0"/>
        <geom type="box" size=".03 .05 .15" pos="0 .02 -.15" mass="0.8"/>
        <site name="wrist" pos="0 0 -.02" euler="10 30 50"/>
        <body name="hand" pos="0 0 -.3">
          <joint type="hinge" axis="0 0 1"/>
          <geom type="box" size=".06 .02 .05" pos=".03 0 -.05" mass="0.4"/>
        </body>
      </body>
    </body>
  </worldbody>
  <sensor>
    <accelerometer site="wrist"/><gyro site="wrist"/>
    <force site="wrist"/><torque site="wrist"/>
  </sensor>
</mujoco>"""


def struck_chain(impulse, point_in_hand):
    """Return model, data before, jump of qvel by an impulse on the hand, and point."""
    model = mujoco.MjModel.from_xml_string(CHAIN)
    data = mujoco.MjData(model)
    data.qpos[:] = 0.3, -0.4, 0.2, 0.7
    mujoco.mj_forward(model, data)
    hand = model.body("hand").id
    point = data.xpos[hand] + data.xmat[hand].reshape(3, 3) @ point_in_hand
    J = np.zeros((3, model.nv))
    mujoco.mj_jac(model, data, J, None, point, hand)
    M = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, M)
    return model, data, np.linalg.solve(M, J.T @ impulse), point
