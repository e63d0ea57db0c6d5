import numpy as np
import pytest
from scipy.integrate import solve_ivp

from gelenk.actuation.dc_motor import (
    DCMotor,
    dc_motor_rates,
    heat_winding,
    line_torque,
    motor_poles,
    stall_torque,
    steady_state,
)
from gelenk.errors import ConfigError

MOTOR = DCMotor(
    resistance=1.2,
    inductance=0.5e-3,
    torque_constant=0.05,
    voltage_constant=0.05,
    rotor_inertia=1e-5,
)


@pytest.mark.capability("GR-101")
def test_steady_state_stall_and_no_load_are_those_of_the_published_example():
    current, speed = steady_state(MOTOR, 24.0, 0.2)

    np.testing.assert_allclose([current, speed], [4.0, 384.0], rtol=1e-12)
    np.testing.assert_allclose(stall_torque(MOTOR, 24.0), 1.0, rtol=1e-12)
    np.testing.assert_allclose(steady_state(MOTOR, 24.0, 0.0)[1], 480.0, rtol=1e-12)


@pytest.mark.capability("GR-101")
def test_the_step_of_the_published_example_runs_as_printed():
    def rates(_t, x):
        return np.array(dc_motor_rates(MOTOR, x[0], x[1], voltage=24.0))

    x = solve_ivp(rates, (0.0, 5e-3), (0.0, 0.0), rtol=1e-10, atol=1e-12).y[:, -1]

    np.testing.assert_allclose(x, [7.819416, 310.345630], atol=1e-5)
    np.testing.assert_allclose(
        motor_poles(MOTOR), [-2169.535971, -230.464029], atol=1e-5
    )


def test_poles_are_the_eigenvalues_of_the_rates():
    motor = DCMotor(
        resistance=0.3,
        inductance=2e-3,
        torque_constant=0.04,
        voltage_constant=0.06,
        rotor_inertia=3e-5,
        viscous_friction=1e-4,
    )
    columns = [dc_motor_rates(motor, *unit, voltage=0.0) for unit in np.eye(2)]

    expected = np.linalg.eigvals(np.array(columns).T)

    np.testing.assert_allclose(
        np.sort_complex(np.array(motor_poles(motor))),
        np.sort_complex(expected),
        rtol=1e-12,
    )


def test_the_rates_vanish_in_the_steady_state_of_a_whole_batch():
    motor = DCMotor(
        resistance=0.8,
        inductance=1e-3,
        torque_constant=0.03,
        voltage_constant=0.05,
        rotor_inertia=2e-5,
        viscous_friction=3e-4,
    )
    voltage, load = np.linspace(-12, 12, 7)[:, None], np.linspace(-0.2, 0.2, 5)

    current, speed = steady_state(motor, voltage, load)
    rates = dc_motor_rates(motor, current, speed, voltage=voltage, load_torque=load)

    assert current.shape == (7, 5)
    np.testing.assert_allclose(rates[0], 0.0, atol=1e-9)
    np.testing.assert_allclose(rates[1], 0.0, atol=1e-9)


def test_the_line_is_the_motor_without_inductance():
    speed = np.linspace(-100.0, 600.0, 15)
    stall, no_load = stall_torque(MOTOR, 24.0), steady_state(MOTOR, 24.0, 0.0)[1]

    torque = line_torque(0.5, speed, float(stall), float(no_load))

    expected = 0.05 * (12.0 - 0.05 * speed) / 1.2
    np.testing.assert_allclose(torque, expected, rtol=1e-12, atol=1e-12)


def test_warming_is_exact_whatever_the_step():
    rise = 50.0 * 2.0  # 50 W through 2 K/W

    one = heat_winding(293.0, 50.0, 30.0, 2.0, 30.0, 293.0)
    many = 293.0
    for _ in range(1000):
        many = heat_winding(many, 50.0, 0.03, 2.0, 30.0, 293.0)

    np.testing.assert_allclose(one, 293.0 + rise * (1 - np.exp(-1.0)), rtol=1e-13)
    np.testing.assert_allclose(many, one, rtol=1e-12)


@pytest.mark.parametrize("bad", [0.0, -1.0, np.nan, np.inf])
def test_a_motor_without_resistance_is_refused(bad):
    with pytest.raises(ConfigError, match="`resistance`"):
        DCMotor(
            resistance=bad,
            inductance=1e-3,
            torque_constant=0.1,
            voltage_constant=0.1,
            rotor_inertia=1e-5,
        )
