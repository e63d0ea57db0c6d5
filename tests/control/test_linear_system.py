"""Tests of linear systems. Oracles: scipy.signal, closed-form responses."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import signal

from gelenk.control.linear_system import (
    LinearSystem,
    feedback,
    hold_input,
    step_response,
)
from gelenk.errors import ConfigError

NUM, DEN = [0.5, 1.0, 3.0], [2.0, 3.0, 5.0, 7.0]


def test_a_held_input_is_solved_as_scipy_does() -> None:
    system = LinearSystem.from_transfer_function(NUM, DEN)
    Ad, Bd = hold_input(system, 0.13)
    expected = signal.cont2discrete((system.A, system.B, system.C, system.D), 0.13)
    assert_allclose(Ad, expected[0], atol=1e-13)
    assert_allclose(Bd, expected[1], atol=1e-13)


@pytest.mark.parametrize("numerator", [NUM, [1.0], [1.0, 2.0, 0.5, 4.0]])
def test_step_responses_are_those_of_scipy(numerator) -> None:
    t, y = step_response(
        LinearSystem.from_transfer_function(numerator, DEN), dt=0.05, duration=6.0
    )
    _, expected = signal.step((numerator, DEN), T=t)
    assert_allclose(y[:, 0], expected, atol=1e-9)


def test_closing_the_loop_moves_the_poles_to_the_roots_of_den_plus_k_num() -> None:
    system = LinearSystem.from_transfer_function([1.0, 4.0], [1.0, 3.0, 3.0, 1.0])
    poles = feedback(system, 2.5).poles
    roots = np.roots(np.polyadd([1.0, 3.0, 3.0, 1.0], 2.5 * np.array([1.0, 4.0])))
    assert_allclose(np.sort_complex(poles), np.sort_complex(roots), atol=1e-9)


def test_an_improper_transfer_function_is_refused() -> None:
    with pytest.raises(ConfigError, match="denominator"):
        LinearSystem.from_transfer_function([1.0, 0.0, 0.0], [1.0, 1.0])
