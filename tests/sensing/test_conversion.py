import numpy as np
import pytest
from scipy.optimize import brentq

from gelenk.sensing.encoders import quantised, saturated, wiper_share


def test_quantisation_error_is_uniform_over_one_step():
    x = np.random.default_rng(2).uniform(-4.5, 4.5, 100_000)

    error = quantised(x, 0.3) - x

    # A uniform law over a step has standard deviation step / sqrt(12).
    assert np.abs(error).max() <= 0.15 + 1e-12
    assert abs(error.std() - 0.3 / np.sqrt(12.0)) < 5e-4
    assert abs(error.mean()) < 1e-3
    np.testing.assert_allclose(
        np.histogram(error, 10, (-0.15, 0.15))[0], 10_000, atol=450
    )


def test_quantised_values_are_whole_numbers_of_steps():
    steps = quantised(np.array([0.149, 0.151, -0.151, 7.0]), 0.3) / 0.3

    np.testing.assert_allclose(steps, [0, 1, -1, 23], atol=1e-9)


def test_saturation_keeps_what_fits():
    out = saturated(np.array([-9.0, 0.5, 9.0, np.inf]), -1.0, 2.0)

    assert out.tolist() == [-1.0, 0.5, 2.0, 2.0]


@pytest.mark.capability("GR-117")
def test_the_wiper_divides_the_supply_in_proportion_to_its_angle():
    share = wiper_share(np.array([-2.0, -1.0, 0.0, 2.0, 3.0, 4.0]), -1.0, 3.0, 0.0)

    np.testing.assert_allclose(share, [0.0, 0.0, 0.25, 0.75, 1.0, 1.0], atol=1e-15)


@pytest.mark.capability("GR-117")
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_load_pulls_the_wiper_down_as_kirchhoff_says(share):
    upper, lower, load = (1.0 - share) * 5e3, share * 5e3, 2e4

    def excess_current(voltage):
        return (1.0 - voltage) / upper - voltage / lower - voltage / load

    exact = brentq(excess_current, 0.0, 1.0)
    found = wiper_share(share, 0.0, 1.0, 5e3 / 2e4)

    assert abs(found - exact) < 1e-12
