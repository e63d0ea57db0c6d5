"""Where balls meet slanting tops and undersides: at the heights that files say; cm."""

from __future__ import annotations

import numpy as np
import pytest

from armbot_probe import CM, cell, throw

RECT, TRIANGLE = "RECT 0 0 40 40", "POLY 3 -20 -20 20 -20 0 20"
SOLIDS = {
    "step": (f"STEP 12 808080\n{RECT}\nENDSTEP", "x", (12, 12), (0, 0)),
    "slice": (f"SLICE 28 30 808080\n{RECT}\nENDSLICE", "x", (30, 30), (28, 28)),
    "slope x": (f"SLOPE 10 30 x 808080\n{RECT}\nENDSLOPE", "x", (10, 30), (0, 0)),
    "slope y": (f"SLOPE 30 5 y 808080\n{RECT}\nENDSLOPE", "y", (30, 5), (0, 0)),
    "wedge x": (f"WEDGE 40 50 30 20 x 808080\n{RECT}\nENDWEDGE", "x", (40, 50), (30, 20)),
    "wedge y": (f"WEDGE 50 40 20 35 y 808080\n{RECT}\nENDWEDGE", "y", (50, 40), (20, 35)),
    "poly slope": (f"SLOPE 10 30 x 808080\n{TRIANGLE}\nENDSLOPE", "x", (10, 30), (0, 0)),
    "poly wedge": (f"WEDGE 40 50 30 20 y 808080\n{TRIANGLE}\nENDWEDGE", "y", (40, 50), (30, 20)),
}  # fmt: skip
PLACES = ((-7.0, -12.0), (3.0, -5.0), (6.0, -15.0), (0.0, 4.0))


def met_heights(solid: str, *, from_below: bool) -> list[tuple[float, float, float]]:
    """Throw tiny balls straight at a solid and return where each first met it."""
    start, speed = (1.0, 50.0) if from_below else (70.0, -50.0)
    text = "".join(f"BALL {x} {y} {start} 0.2 0 0 FF0000\n" for x, y in PLACES)
    world = cell(text + solid, gravity=0.0)
    for k in range(len(PLACES)):
        throw(world, f"ball_{k + 1}", (0.0, 0.0, speed))
    world.run(1.4)
    met: dict[str, tuple[float, float, float]] = {}
    for blow in world.impacts():
        ball = next(name for name in blow.bodies if name.startswith("ball"))
        x, y, z = blow.position / CM
        met.setdefault(ball, (x, y, z))
    return list(met.values())


def height(ends: tuple[float, float], along: float) -> float:
    return ends[0] + (along + 20.0) / 40.0 * (ends[1] - ends[0])


@pytest.mark.capability("AB-61", "AB-62", "AB-63", "AB-64", "AB-X13")
@pytest.mark.parametrize("name", SOLIDS)
def test_the_top_is_met_at_its_height(name: str):
    solid, axis, top, _ = SOLIDS[name]

    met = met_heights(solid, from_below=False)

    assert len(met) == len(PLACES)
    for point in met:
        expected = height(top, point["xy".index(axis)])
        assert point[2] == pytest.approx(expected, abs=0.01)


@pytest.mark.capability("AB-63", "AB-64", "AB-X13")
@pytest.mark.parametrize("name", ["slice", "wedge x", "wedge y", "poly wedge"])
def test_the_underside_is_met_at_its_height(name: str):
    solid, axis, _, bottom = SOLIDS[name]

    met = met_heights(solid, from_below=True)

    assert len(met) == len(PLACES)
    for point in met:
        expected = height(bottom, point["xy".index(axis)])
        assert point[2] == pytest.approx(expected, abs=0.01)


@pytest.mark.capability("AB-59", "AB-61")
def test_a_concave_outline_is_empty_in_its_notch():
    outline = "POLY 8 -20 -20 20 -20 20 20 10 20 10 0 -10 0 -10 20 -20 20"
    world = cell(
        f"STEP 20 808080\n{outline}\nENDSTEP\n"
        "BALL 0 10 40 2 0 0 FF0000\nBALL 15 10 40 2 0 0 FF0000"
    )

    world.run(1.0)

    heights = [world.pose(f"ball_{k}")[2, 3] / CM for k in (1, 2)]
    assert np.allclose(heights, [2.0, 22.0], atol=0.05)
