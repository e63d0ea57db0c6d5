"""Tests of the corner experiments: small versions of what the benchmark prints."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.areas._nao_corners import (
    BIAS,
    SIGMA,
    Tally,
    corner_precision,
    detection_times,
    distracted_tally,
    easy_view,
    light_tally,
    ordering_tally,
)
from benchmarks.areas._nao_views import (
    BoardView,
    distracted,
    lit,
    rendered_views,
)
from gelenk.sim.cameras.gl import RenderError, describe_renderer

try:
    describe_renderer()
    WHY_NOT = ""
except RenderError as error:
    WHY_NOT = str(error)
pytestmark = pytest.mark.skipif(
    bool(WHY_NOT), reason=f"nothing can be drawn: {WHY_NOT}"
)


@pytest.mark.slow
@pytest.mark.capability("CA-45", "CA-46")
@pytest.mark.parametrize("noise", [0.0, 2.0])
def test_rendered_corners_are_precise_and_better_than_opencvs(noise: float) -> None:
    views = list(rendered_views(10, np.random.default_rng(1), noise=noise))
    found = corner_precision(views)
    ours, peer = found["ours"], found["SB"]
    assert len(ours.boards) == len(views)
    assert ours.sigma.max() <= SIGMA
    assert np.abs(ours.bias).max() <= BIAS
    assert ours.only(peer.boards).sigma.max() <= peer.sigma.max()
    assert ours.sigma.max() <= found["cornerSubPix"].sigma.max()


@pytest.mark.slow
@pytest.mark.capability("CA-56")
def test_boards_are_numbered_rightly_at_every_light() -> None:
    for lux, tally in light_tally(6, np.random.default_rng(2)).items():
        assert tally.found == tally.count == 6, f"{lux} lx: {tally.describe()}"


@pytest.mark.slow
@pytest.mark.capability("CA-55")
def test_false_corners_neither_hide_a_board_nor_number_it_wrongly() -> None:
    ours, peer = distracted_tally(12, np.random.default_rng(3))
    assert ours.wrong == 0
    assert ours.found == 12, ours.describe()
    assert ours.found >= peer.found


@pytest.mark.slow
def test_lists_are_ordered_better_than_as_printed() -> None:
    ours, printed = ordering_tally(100, np.random.default_rng(4))
    assert ours.found == 100, ours.describe()
    assert printed.found < ours.found


@pytest.mark.slow
def test_detection_takes_a_fraction_of_opencvs_time() -> None:
    times = detection_times(easy_view(np.random.default_rng(5)), rounds=7)
    assert times.ratio("ours", "SB") < 0.5
    assert times.ratio("ours, region", "SB") < 0.5


def test_a_corner_beside_its_place_makes_a_board_wrong() -> None:
    corners = 30.0 * np.stack(
        np.meshgrid(np.arange(6.0), np.arange(4.0)), axis=-1
    ).reshape(-1, 2)
    view = BoardView(image=np.zeros((1, 1), np.uint8), corners=corners)
    tally = Tally()
    tally.add(view, corners + 0.2, "found")
    tally.add(view, np.roll(corners, 1, axis=0), "found")
    tally.add(view, corners[::-1], "found")
    tally.add(view, None, "no grid")
    assert (tally.found, tally.wrong, tally.missed) == (1, 2, {"no grid": 1})
    assert tally.percent == 25.0


@pytest.mark.slow
def test_light_shade_and_false_corners_are_what_they_say() -> None:
    rng = np.random.default_rng(6)
    view = next(iter(rendered_views(1, rng)))
    dim = lit(view, 45.0, rng)
    assert dim.image.mean() == pytest.approx(
        view.image.mean() * 8.0 * 45.0 / 711.0, rel=0.02
    )
    shaded = lit(view, 711.0, rng, shade=7.0).image.astype(float) / np.maximum(
        view.image, 1
    )
    assert np.quantile(shaded, 0.999) > 0.9  # the lit side
    assert ((shaded > 0.08) & (shaded < 0.22)).mean() > 0.05  # the other one
    marked = distracted(view, rng).image != view.image
    assert 3 * 60 < marked.sum() < 3 * 230
