"""One leg on its stand on the page: it is told, it answers, it is disturbed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from gelenk.robots.amee.panel.leg_exhibit import HIP, LegExhibit
from gelenk.robots.amee.panel.leg_host import FLOOD
from gelenk.robots.amee.showcase import make_leg
from gelenk.runtime.controls import SetPaceRequest
from gelenk.runtime.panel import ActionError
from gelenk.runtime.panel_actions import check_values

COMPLAINT = "Error:8"  # of the Ethernet computer, about the flood


class Bench:
    """A stand whose time passes as fast as it can."""

    def __init__(self) -> None:
        self.stand = make_leg(0, {})
        self.run = self.stand.run
        self.run.do(SetPaceRequest(pace=None))
        assert isinstance(self.stand.exhibit, LegExhibit)
        self.exhibit: LegExhibit = self.stand.exhibit

    def press(self, name: str, **values: Any) -> str | None:
        (action,) = (item for item in self.exhibit.actions() if item.name == name)
        return self.exhibit.press(name, check_values(action, values))

    def foot(self) -> list[float]:
        """Middle of the sole from the hip: ahead, up, left [mm]."""
        x, y, z = 1e3 * (self.stand.world.pose("amee/sole_1")[:3, 3] - HIP)
        return [float(x), float(z), float(y)]

    def rows(self, name: str) -> list[tuple[Any, ...]]:
        (table,) = (item for item in self.exhibit.tables() if item.name == name)
        return list(table.rows)

    def close(self) -> None:
        self.run.close()
        self.stand.world.close()


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench()
    yield made
    made.close()


@pytest.mark.slow
def test_a_leg_goes_where_it_is_told_and_a_flood_does_not_disturb_it(
    bench: Bench,
) -> None:
    bench.run.run(0.1)
    assert bench.press("move", x=100.0, y=-450.0, z=-50.0) == (
        "200 OK: Move2Point:100:-450:-50"
    )
    bench.press("flood")
    bench.run.run(0.5)
    assert dict(bench.rows("automata"))["MotionCtrl"] == "move point"
    bench.run.run(2.0)

    assert bench.foot() == pytest.approx([100.0, -450.0, -50.0], abs=8.0)
    said = [(who, text) for _, who, text in bench.rows("bus")]
    said = [item for item in said if not item[1].startswith(COMPLAINT)]
    assert said == [("from 1", "ready"), ("to 1", "Move2Point:100:-450:-50")]
    refused = dict(bench.rows("guardian"))["texts refused"]
    assert refused == pytest.approx(FLOOD * 2.5, rel=0.05)


def test_a_text_that_is_no_message_is_refused_with_its_place(bench: Bench) -> None:
    with pytest.raises(ActionError, match="byte 16: expected a decimal") as caught:
        bench.press("tell", text="Move2Point:0:40:left")
    assert caught.value.field == "text"
    assert dict(bench.rows("guardian"))["texts refused"] == 1


@pytest.mark.slow
@pytest.mark.capability("QW-114")
def test_joints_and_foot_are_posed_in_the_view(bench: Bench) -> None:
    bench.run.run(0.1)
    wanted = {"A": -30.0, "B": -110.0, "C": 70.0, "D": 140.0}
    bench.press("angles", **wanted)
    bench.run.run(2.5)
    q = np.degrees(bench.stand.world.joint_positions("amee")[:4])
    assert q == pytest.approx(list(wanted.values()), abs=2.0)
    with pytest.raises(ActionError, match="at most 90 deg"):
        bench.press("angles", A=120.0)


@pytest.mark.slow
def test_left_alone_it_goes_through_its_programme_and_names_a_lost_sensor(
    bench: Bench,
) -> None:
    bench.run.run(1.0)
    assert bench.rows("bus")[-1][1:] == ("to 1", "Move2Point:60:-480:0")
    assert "where it goes" in {item.name for item in bench.exhibit.overlays()}
    bench.press("fault", kind="magnet lost", joint="C, knee")
    bench.run.run(0.2)
    assert "sensor of actor 2 failed" in " ".join(
        text for _, text in bench.rows("journal")
    )
    assert ("from 1", "SensorFault:2") in [(w, t) for _, w, t in bench.rows("bus")]
