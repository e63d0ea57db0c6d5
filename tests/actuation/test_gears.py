import numpy as np
import pytest

from gelenk.actuation.transmissions import (
    backlash_torque,
    fastest_ratio,
    output_speed,
    output_torque,
    reflected_inertia,
)


@pytest.mark.capability("GR-102")
def test_a_gear_keeps_power_and_loses_only_what_its_efficiency_says():
    torque, speed, ratio = 0.3, 200.0, np.array([2.0, 50.0, 184.0])

    power = output_torque(torque, ratio, efficiency=0.7) * output_speed(speed, ratio)

    np.testing.assert_allclose(power, 0.7 * torque * speed, rtol=1e-14)


@pytest.mark.capability("GR-102")
def test_reflected_inertia_carries_the_kinetic_energy_of_the_rotor():
    speed, ratio = 7.0, 100.0

    inertia = reflected_inertia(1e-5, ratio)

    np.testing.assert_allclose(inertia, 0.1, rtol=1e-14)
    energy = 0.5 * 1e-5 * (ratio * speed) ** 2
    np.testing.assert_allclose(0.5 * inertia * speed**2, energy, rtol=1e-14)


def test_the_fastest_ratio_beats_its_neighbours():
    ratios = np.linspace(1.0, 400.0, 40_000)
    acceleration = output_torque(1.0, ratios) / (0.3 + reflected_inertia(2e-5, ratios))

    best = ratios[np.argmax(acceleration)]

    assert abs(best - fastest_ratio(0.3, 2e-5)) < 0.02


@pytest.mark.capability("GR-76")
def test_teeth_with_play_transmit_nothing_inside_the_gap():
    twist = np.array([-0.3, -0.1, -0.05, 0.0, 0.1, 0.25])

    torque = backlash_torque(twist, half_gap=0.1, stiffness=40.0)

    np.testing.assert_allclose(torque, [-8.0, 0.0, 0.0, 0.0, 0.0, 6.0], atol=1e-12)
