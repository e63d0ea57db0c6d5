"""The code that greets a new user runs, in the order in which it is read."""

import math
import re
from pathlib import Path

import numpy as np
import pytest

from gelenk.trajectory import JointLimits

README = Path(__file__).parents[1] / "README.md"


@pytest.mark.slow
def test_code_of_the_readme_runs_and_does_what_it_says() -> None:
    blocks = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    assert len(blocks) == 4
    names: dict = {}

    exec(blocks[0], names)  # the arm of the catalogue

    assert names["sol"].converged
    assert abs(names["qdd"]).max() < 1e-9  # it holds itself still
    assert names["J"].shape == (6, 7)

    exec(blocks[1], names)  # around the post

    assert names["found"].found
    limits = JointLimits.of(names["arm"])
    assert names["motion"].worst_ratio(limits) <= 1.0 + 1e-9

    exec(blocks[2], names)  # the arm from parts

    assert names["arm"].num_joints == 5

    exec(blocks[3], names)  # the world

    world, q = names["world"], names["sol"].q
    assert world.tick == 0
    world.run(2.0)
    impacts = world.impacts()
    np.testing.assert_allclose(world.joint_positions("arm"), q, atol=1e-6)
    assert [impact.bodies for impact in impacts] == [("ground", "ball")] * len(impacts)
    assert impacts[0].time == pytest.approx(math.sqrt(2.0 / 9.81), abs=1e-6)
    # Flights between impacts last 2 e^k v / g.
    assert impacts[1].time - impacts[0].time == pytest.approx(
        2.0 * 0.8 * math.sqrt(2.0 / 9.81), abs=1e-6
    )
