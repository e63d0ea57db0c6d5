"""Plans, heights and tiles.

Oracles: areas by counting points against areas by formula, planes through given points.
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gelenk.robots.armbot.environment.description import (
    CirclePlan,
    Obstacle,
    Plan,
    PolyPlan,
    RectPlan,
)
from gelenk.robots.armbot.environment.read import parse_environment
from testkit.environment_plans import (
    DARK_TILE,
    LIGHT_TILE,
    bottom_height,
    contains,
    count_tiles,
    extent,
    tile_color,
    top_height,
    top_normal,
)


def read_obstacle(text: str) -> Obstacle:
    (obstacle,) = parse_environment(text).obstacles
    assert isinstance(obstacle, Obstacle)
    return obstacle


def read_plan(text: str) -> Plan:
    return read_obstacle(f"STEP 10 FF0000 {text} ENDSTEP").plan


def counted_area(plan: Plan) -> float:
    """Return the share of a fine grid over 2 m x 2 m that lies inside, as area."""
    ticks = np.linspace(-1.0, 1.0, 80, endpoint=False) + 1.0 / 80.0
    inside = sum(contains(plan, (x, y)) for x in ticks for y in ticks)
    return inside * (2.0 / 80.0) ** 2


@pytest.mark.capability("AB-57")
def test_a_rectangle_contains_what_is_between_its_edges() -> None:
    plan = read_plan("RECT 10 -20 40 60")

    assert plan == RectPlan(center=(0.1, -0.2), size=(0.4, 0.6))
    for x, y, is_inside in (
        (0.1, -0.2, True), (0.29, 0.09, True), (-0.09, -0.49, True),
        (0.31, 0.0, False), (-0.11, 0.0, False), (0.1, 0.11, False), (0.1, -0.51, False),
    ):  # fmt: skip
        assert contains(plan, (x, y)) == is_inside
    assert counted_area(plan) == pytest.approx(0.24, abs=0.03)


@pytest.mark.capability("AB-58")
def test_a_circle_contains_what_is_near_its_centre() -> None:
    plan = read_plan("CIRCLE 10 -20 50")

    assert plan == CirclePlan(center=(0.1, -0.2), radius=0.5)
    for angle in np.linspace(0.0, 6.0, 7):
        direction = np.array([math.cos(angle), math.sin(angle)])
        inner, outer = (np.array([0.1, -0.2]) + r * direction for r in (0.499, 0.501))
        assert contains(plan, (inner[0], inner[1]))
        assert not contains(plan, (outer[0], outer[1]))
    assert counted_area(plan) == pytest.approx(math.pi * 0.25, abs=0.03)


@pytest.mark.capability("AB-59")
@pytest.mark.parametrize("order", [1, -1])
def test_a_concave_polygon_does_not_contain_its_notch(order: int) -> None:
    corners = ["0 0", "60 0", "60 20", "20 20", "20 60", "0 60"][::order]

    plan = read_plan(f"POLY 6 {' '.join(corners)}")

    assert isinstance(plan, PolyPlan)
    assert contains(plan, (0.1, 0.5))
    assert contains(plan, (0.5, 0.1))
    assert not contains(plan, (0.5, 0.5))
    assert not contains(plan, (-0.01, 0.1))
    assert counted_area(plan) == pytest.approx(0.2, abs=0.02)


@pytest.mark.parametrize("axis", ["x", "y"])
def test_the_extent_of_a_plan_is_where_its_points_end(axis: str) -> None:
    plans = (
        read_plan("RECT 10 -20 40 60"),
        read_plan("CIRCLE 10 -20 50"),
        read_plan("POLY 3 -30 -40 20 10 0 70"),
    )
    expected = {
        "x": [(-0.1, 0.3), (-0.4, 0.6), (-0.3, 0.2)],
        "y": [(-0.5, 0.1), (-0.7, 0.3), (-0.4, 0.7)],
    }

    for plan, ends in zip(plans, expected[axis], strict=True):
        assert extent(plan, "x" if axis == "x" else "y") == pytest.approx(ends)


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("SLOPE 10 30 x FF0000 RECT 50 0 40 20 ENDSLOPE", (0.3, 0.7, 0.1, 0.3)),
        ("SLOPE 30 0 x FF0000 RECT 50 0 40 20 ENDSLOPE", (0.3, 0.7, 0.3, 0.0)),
        ("CONVEYOR 1 RUN 5 15 x 9 0 FF0000 RECT 50 0 40 20 ENDCONVEYOR",
         (0.3, 0.7, 0.05, 0.15)),
        ("SLOPE 10 30 x FF0000 POLY 3 30 0 70 -10 70 10 ENDSLOPE", (0.3, 0.7, 0.1, 0.3)),
    ],
)  # fmt: skip
@pytest.mark.capability("AB-62")
def test_a_slope_rises_from_its_smaller_to_its_larger_coordinate(
    text: str, ends: tuple[float, float, float, float]
) -> None:
    low, high, height_low, height_high = ends
    along_x, along_y = read_obstacle(text), read_obstacle(turned(text))

    for share in (0.0, 0.25, 0.5, 1.0):
        u = low + share * (high - low)
        height = (1.0 - share) * height_low + share * height_high
        assert top_height(along_x, u, 0.05) == pytest.approx(height, abs=1e-12)
        assert top_height(along_y, 0.05, u) == pytest.approx(height, abs=1e-12)
        assert bottom_height(along_x, u, 0.05) == 0.0


def turned(text: str) -> str:
    """Return a slope along y whose plan is the mirror image of one along x."""
    head, plan = text.replace(" x ", " y ").split(" FF0000 ")
    words = plan.split()
    if words[0] == "RECT":
        words[1:5] = [words[2], words[1], words[4], words[3]]
    else:
        words[2:8] = [words[i] for i in (3, 2, 5, 4, 7, 6)]
    return f"{head} FF0000 {' '.join(words)}"


@pytest.mark.capability("AB-64")
def test_a_wedge_has_a_slanting_top_and_underside() -> None:
    wedge = read_obstacle("WEDGE 40 60 10 50 y FF0000 RECT 0 10 30 20 ENDWEDGE")

    tops = [top_height(wedge, 0.07, y) for y in (0.0, 0.1, 0.2)]
    bottoms = [bottom_height(wedge, -0.07, y) for y in (0.0, 0.1, 0.2)]

    assert tops == pytest.approx([0.4, 0.5, 0.6], abs=1e-12)
    assert bottoms == pytest.approx([0.1, 0.3, 0.5], abs=1e-12)


def test_a_step_and_a_slice_are_level() -> None:
    step = read_obstacle("STEP 30 FF0000 CIRCLE 0 0 10 ENDSTEP")
    slab = read_obstacle("SLICE 28 30 FF0000 RECT 0 0 10 10 ENDSLICE")

    for x, y in ((0.0, 0.0), (0.03, -0.04)):
        assert (bottom_height(step, x, y), top_height(step, x, y)) == (0.0, 0.3)
        assert (bottom_height(slab, x, y), top_height(slab, x, y)) == (0.28, 0.3)


@pytest.mark.capability("AB-X13")
def test_a_slope_over_a_polygon_rises_over_its_whole_extent() -> None:
    text = "SLOPE 0 20 x FF0000 POLY 5 0 0 20 -10 40 0 20 10 10 5 ENDSLOPE"

    slope = read_obstacle(text)

    assert [top_height(slope, x, 0.0) for x in (0.0, 0.2, 0.4)] == [0.0, 0.1, 0.2]


@given(h1=st.integers(0, 50), h2=st.integers(0, 50), axis=st.sampled_from("xy"))
def test_the_normal_stands_on_the_top_and_points_up(
    h1: int, h2: int, axis: str
) -> None:
    if h1 == h2 == 0:
        return
    slope = read_obstacle(f"SLOPE {h1} {h2} {axis} FF0000 RECT 5 -5 30 20 ENDSLOPE")
    corners = [
        np.array([x, y, top_height(slope, x, y)])
        for x, y in ((0.0, 0.0), (0.1, 0.0), (0.0, 0.1))
    ]

    normal = np.array(top_normal(slope))

    assert normal @ normal == pytest.approx(1.0)
    assert normal[2] > 0.0
    for corner in corners[1:]:
        assert normal @ (corner - corners[0]) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.capability("AB-50")
def test_tiles_have_their_colour_and_the_others_are_a_checkerboard() -> None:
    environment = parse_environment(
        "TILE 10 7~12 F0E0A0\nTILE 0~2 0 00FF00\nTILE 1 0 0000FF\n"
    )

    tan = (0xF0, 0xE0, 0xA0)
    for column in range(9, 12):
        for row in range(5, 15):
            color = tile_color(environment, column, row)
            is_in = column == 10 and 7 <= row <= 12
            board = DARK_TILE if (column + row) % 2 == 0 else LIGHT_TILE
            assert color == (tan if is_in else board)
    row_0 = [tile_color(environment, column, 0) for column in range(3)]
    assert row_0 == [(0, 255, 0), (0, 0, 255), (0, 255, 0)]  # the last one counts
    assert DARK_TILE != LIGHT_TILE


def test_tiles_of_50_cm_cover_the_border_even_if_it_follows() -> None:
    environment = parse_environment("TILE 0~2000000000 0 FF0000\nBORDER -300 0 300 110")

    assert environment.border is not None
    assert count_tiles(environment.border) == (12, 3)
    assert tile_color(environment, 11, 0) == (255, 0, 0)
