"""The three joint values and the torque mean in the engine what the motors think."""

from typing import Any

import mujoco as engine
import numpy as np
import pytest

from gelenk.sim.motors import Backlash, DCGearMotor, Friction, Motor, TorqueServo
from gelenk.sim.motors import bank as c
from gelenk.sim.motors.advance import advance_motors
from gelenk.sim.motors.bank import pack_motors
from one_joint import OneJoint

mujoco: Any = engine  # its wheel has no types

SERVO = TorqueServo(
    stall_torque=8.392,
    no_load_speed=np.radians(437.0),
    nominal_voltage=14.8,
    rotor_inertia=0.0071,
    friction=Friction(coulomb=0.02),
)
WORN = TorqueServo(
    stall_torque=8.392,
    no_load_speed=np.radians(437.0),
    nominal_voltage=14.8,
    rotor_inertia=0.0071,
    backlash=Backlash(half_gap=np.radians(3.0), stiffness=220.0, damping=4.7),
)


def _run(motor: Motor, h: float, ticks: int, command: float, load: float = 0.0):
    """Return (q, qd, *motor state) of a link of 0.191 kg m^2 in weightlessness."""
    model = mujoco.MjModel.from_xml_string(
        f"""
        <mujoco>
          <option timestep="{h}" integrator="implicitfast" gravity="0 0 0"/>
          <worldbody><body>
            <joint type="hinge" axis="0 1 0" solimpfriction="0.9999 0.9999 0.001"
              solreffriction="{2 * h} 1"/>
            <inertial pos="0 0 0" mass="1" diaginertia="0.191 0.191 0.191"/>
          </body></worldbody>
        </mujoco>"""
    )
    # Else the engine takes the diagonal of this simple body's inertia as compiled.
    model.dof_simplenum[:] = 0
    data = mujoco.MjData(model)
    bank = pack_motors([motor], [0], [0], step=h, q=[0.0])
    bank.command[0, 0] = command
    prescribed = np.zeros((2, 1))
    rows = []
    for tick in range(ticks):
        advance_motors(
            bank, data.qpos, data.qvel, data.qfrc_applied, prescribed[0], prescribed[1],
            model.dof_armature, model.dof_damping, model.dof_frictionloss, h, tick,
        )  # fmt: skip
        data.qfrc_applied[0] += load
        mujoco.mj_step(model, data)
        rows.append([data.qpos[0], data.qvel[0], *bank.state[0]])
    return np.array(rows)


@pytest.mark.parametrize("motor", [SERVO, WORN])
@pytest.mark.parametrize("h", [1e-3, 4e-3])
def test_a_driven_link_moves_in_the_engine_as_in_the_textbook_integrator(motor, h):
    joint = OneJoint(motor, inertia=0.191, h=h)
    joint.command(0.7)

    expected = joint.run(0.4)
    found = _run(motor, h, len(expected), 0.7)

    np.testing.assert_allclose(found[:, :2], expected[:, :2], atol=2e-5)


def test_a_resting_gear_holds_its_load_in_the_engine():
    gear = DCGearMotor(
        stall_torque=22.0,
        no_load_speed=2.199,
        nominal_voltage=12.0,
        gear_ratio=210.0,
        rotor_inertia=1e-5,
        back_drive_torque=11.0,
    )

    log = _run(gear, 1e-3, 500, 0.0, load=-10.0)

    # The engine's dry friction is soft: it creeps by a few microradians per second.
    assert abs(log[-1, 1]) < 1e-5
    assert abs(log[-1, 0]) < 1e-5


def test_play_takes_energy_out_of_the_engine_and_never_feeds_it():
    log = _run(WORN, 2e-3, 600, 0.0, load=0.0)
    kicked = _run(WORN, 2e-3, 100, 1.0)

    assert (log[:, :2] == 0.0).all()
    rotor = kicked[1:, 2 + c.ROTOR_SPEED]
    stored = kicked[1:, 2 + c.TOOTH_ENERGY]
    kinetic = 0.5 * 0.0071 * rotor**2 + 0.5 * 0.191 * kicked[:-1, 1] ** 2 + stored
    torque = kicked[:-1, 2 + c.TORQUE]
    # The drive's work is at most its torque at the start of a tick times the way.
    work = np.cumsum(np.maximum(torque, 0.0) * rotor * 2e-3)
    assert (kinetic <= work + 1e-9).all()
