from typing import Any

import numpy as np
import pytest

from gelenk.errors import ConfigError
from gelenk.sim.motors import (
    Backlash,
    DCGearMotor,
    IdealMotor,
    PositionServo,
    TorqueServo,
)
from gelenk.sim.motors import bank as c
from gelenk.sim.motors.advance import advance_motors
from gelenk.sim.motors.bank import pack_motors, place_motors, state_arrays

PLAY = Backlash(half_gap=0.01, stiffness=300.0, damping=1.0)
MOTORS = (
    IdealMotor(max_speed=1.0, latency=0.003),
    TorqueServo(
        stall_torque=2.0,
        no_load_speed=6.0,
        nominal_voltage=12.0,
        rotor_inertia=0.01,
        backlash=PLAY,
        latency=0.005,
    ),
    DCGearMotor(
        stall_torque=2.0, no_load_speed=6.0, nominal_voltage=12.0, rotor_inertia=0.01
    ),
    PositionServo(kp=20.0, kd=0.5, torque_limit=3.0, rotor_inertia=0.01),
)
DOFS = [3, 0, 2, 5]
_advance: Any = advance_motors  # arrays come as one list here


def _bank():
    return pack_motors(MOTORS, DOFS, [4, 1, 3, 6], step=1e-3, q=[0.1, 0.2, 0.3, 0.4])


def _arrays() -> Any:
    qpos, others = np.zeros(8), [np.full(7, 0.25) for _ in range(7)]
    return [qpos, *others]


def _run(bank, arrays, first, ticks):
    """Move unit inertias at each joint by what the motors say."""
    qpos, qvel, force, p_q, _p_v, _armature, damping, _dry = arrays
    for tick in range(first, first + ticks):
        bank.command[:] = np.sin(0.1 * tick), 1.0
        _advance(bank, *arrays, 1e-3, tick)
        for dof, adr in zip(bank.ints[:, c.DOF], bank.ints[:, c.QPOS], strict=True):
            qvel[dof] = (qvel[dof] + 1e-3 * force[dof]) / (1 + 1e-3 * damping[dof])
            qpos[adr] += 1e-3 * qvel[dof]
            if not np.isnan(p_q[dof]):
                qpos[adr] = p_q[dof]


def test_only_the_joints_with_motors_are_written():
    arrays = _arrays()

    _advance(_bank(), *arrays, 1e-3, 0)

    for array in arrays[2:]:
        np.testing.assert_array_equal(array[[1, 4, 6]], 0.25)
    prescribed = arrays[3]
    assert prescribed[3] == 0.1
    assert np.isnan(prescribed[[0, 2, 5]]).all()


def test_own_friction_of_the_joints_is_added_to_that_of_the_motors():
    arrays = _arrays()
    bank = pack_motors(
        MOTORS,
        DOFS,
        [4, 1, 3, 6],
        step=1e-3,
        q=np.zeros(4),
        joint_passive=[[0.5] * 4, [0.6] * 4, [0.7] * 4],
    )

    _advance(bank, *arrays, 1e-3, 0)

    armature, damping, dry = arrays[5:]
    assert armature[DOFS[1:]].tolist() == [0.5, 0.51, 0.51]
    assert damping[DOFS[1:]].tolist() == pytest.approx([0.6, 0.6, 1.1])
    assert dry[DOFS[1:]].tolist() == [0.7, 0.7, 0.7]
    assert armature[DOFS[0]] == 1e4


def test_a_copy_of_the_state_arrays_resumes_bit_by_bit():
    bank, arrays = _bank(), _arrays()
    _run(bank, arrays, 0, 37)
    saved = [a.copy() for a in (*state_arrays(bank), *arrays)]
    _run(bank, arrays, 37, 50)
    straight = [a.copy() for a in (*state_arrays(bank), *arrays)]

    other, other_arrays = _bank(), _arrays()
    for target, source in zip(
        (*state_arrays(other), *other_arrays), saved, strict=True
    ):
        target[...] = source
    _run(other, other_arrays, 37, 50)

    resumed = (*state_arrays(other), *other_arrays)
    for a, b in zip(straight, resumed, strict=True):
        np.testing.assert_array_equal(a, b)


def test_placed_motors_rest_at_their_new_values():
    bank, arrays = _bank(), _arrays()
    _run(bank, arrays, 0, 50)

    place_motors(bank, [1], [1.5])
    arrays[0][1], arrays[1][0] = 1.5, 0.0
    bank.command[1] = 0.0
    bank.ring[1] = 0.0
    _advance(bank, *arrays, 1e-3, 50)
    _advance(bank, *arrays, 1e-3, 51)

    assert bank.state[1, c.ROTOR_ANGLE] == 1.5
    assert arrays[2][0] == 0.0


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"step": 0.0}, "step"),
        ({"q": [0.0]}, "q"),
        ({"names": ["a"]}, "names"),
    ],
)
def test_lists_that_do_not_fit_are_refused_by_name(change, word):
    good = {"step": 1e-3, "q": np.zeros(4)}

    with pytest.raises(ConfigError, match=f"`{word}`"):
        pack_motors(MOTORS, DOFS, [4, 1, 3, 6], **(good | change))


def test_a_bank_without_motors_does_nothing():
    bank = pack_motors([], [], [], step=1e-3, q=[])
    arrays = _arrays()

    _advance(bank, *arrays, 1e-3, 0)

    assert (arrays[2] == 0.25).all()
