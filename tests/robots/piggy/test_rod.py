"""Tests of the bending rod. Oracles: beam theory, SciPy's integrator, measured decay."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp

from experiments.piggy.structure import rod_ringing
from gelenk.errors import ConfigError
from gelenk.robots.piggy.rod import ROD, RodCfg, deflections

DT = 1e-3


@pytest.mark.capability("BB-19")
def test_a_bent_rod_rings_down_at_the_frequency_and_damping_of_its_tube() -> None:
    """Both are read from the ringing; a 14 mm tube bends by F l^3 / (3 E I)."""
    area_moment = math.pi * (0.014**4 - 0.011**4) / 64.0
    assert_allclose(ROD.stiffness, 3.0 * 120e9 * area_moment / 0.575**3)
    u = deflections(np.zeros(2000), DT, start=(0.01, 0.0))

    tops = np.flatnonzero((u[1:-1] > u[:-2]) & (u[1:-1] > u[2:])) + 1
    hertz = 1.0 / (DT * np.diff(tops).mean())
    fading = -np.log(u[tops[1:]] / u[tops[:-1]]).mean()

    assert 13.0 < hertz < 17.0
    assert hertz == pytest.approx(ROD.frequency / (2.0 * math.pi), rel=0.01)
    assert fading == pytest.approx(2.0 * math.pi * ROD.damping, rel=0.05)


def test_any_motion_of_the_joint_gives_the_deflection_of_another_integrator() -> None:
    rng = np.random.default_rng(0)
    a = np.repeat(rng.normal(0.0, 20.0, 12), 10)
    w, d = ROD.frequency, ROD.damping

    def rate(t: float, x: np.ndarray) -> list[float]:
        k = min(int(t / DT), len(a) - 1)
        return [x[1], -a[k] - 2.0 * d * w * x[1] - w * w * x[0]]

    ends = DT * np.arange(1, len(a) + 1)
    found = solve_ivp(rate, (0.0, ends[-1]), [0.0, 0.0], t_eval=ends, max_step=DT / 8)
    assert_allclose(deflections(a, DT), found.y[0], atol=2e-5)
    assert np.abs(found.y[0]).max() > 1e-3


def test_a_rod_without_stiffness_or_that_never_rings_is_refused() -> None:
    for make in (
        lambda: RodCfg(modulus=0.0),
        lambda: RodCfg(damping=1.0),
        lambda: RodCfg(length=-1.0),
    ):
        with pytest.raises(ConfigError, match="damping"):
            make()


@pytest.mark.slow
@pytest.mark.capability("BB-19")
def test_an_abrupt_move_makes_the_sphere_ring_more_than_a_pattern() -> None:
    direct, smooth, _ = rod_ringing()
    assert direct.value > 2.0 * smooth.value
    assert direct.value > 2.0
