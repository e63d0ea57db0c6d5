"""The weight that the servos feel. Oracle: mass and levers of the plant's model."""

from __future__ import annotations

import numpy as np
import pytest

import gelenk
from gelenk.robots.piggy.calibration.guided import weigh_bat
from gelenk.robots.piggy.config import UNIT
from gelenk.robots.piggy.setup import nominal_setup
from gelenk.robots.piggy.world import SceneCfg, make_world


@pytest.mark.slow
@pytest.mark.parametrize("drive", ["thesis", "tight"])
def test_the_weight_is_that_of_the_bat_at_its_lever(drive) -> None:
    world = make_world(SceneCfg(drive=drive))
    found = weigh_bat(world, nominal_setup(drive=drive))
    world.close()

    # Torque at a quarter turn of tilt, by the mathematics of the model.
    model = gelenk.load("piggy")
    torque = model.inverse_dynamics([0.0, np.pi / 2], np.zeros(2), np.zeros(2))
    assert found == pytest.approx(abs(torque[1]) / UNIT.bat_length, rel=0.15)
