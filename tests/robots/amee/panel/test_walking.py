"""AMEE walking on the page: what it shows, and what its buttons do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from gelenk.robots.amee.config import ROBOT_MASS
from gelenk.robots.amee.panel.exhibit import BRICK, WalkExhibit
from gelenk.robots.amee.panel.host import WalkHost
from gelenk.robots.amee.showcase import TERRAINS, make_walk
from gelenk.robots.amee.terrain import terrain_from_text
from gelenk.runtime.controls import ControlRequest, ResetRequest, SetPaceRequest
from gelenk.runtime.panel import ActionError, Table, WorldPolygon
from gelenk.runtime.panel_actions import check_values
from gelenk.runtime.scene import LiveScene
from gelenk.sim.appearance import compiled_world_of


class Scene:
    """A stand whose time passes as fast as it can."""

    def __init__(self, seed: int = 0) -> None:
        self.stand: LiveScene = make_walk(seed, {})
        self.run = self.stand.run
        self.run.do(SetPaceRequest(pace=None))
        assert isinstance(self.stand.exhibit, WalkExhibit)
        self.exhibit: WalkExhibit = self.stand.exhibit

    @property
    def host(self) -> WalkHost:
        return self.exhibit._host

    @property
    def state(self) -> str:
        assert self.host.session is not None
        return self.host.session.coordinator.state

    def run_to(self, time: float) -> None:
        self.run.run(time - self.run.time)

    def press(self, name: str, **values: Any) -> str | None:
        (action,) = (item for item in self.exhibit.actions() if item.name == name)
        return self.exhibit.press(name, check_values(action, values))

    def table(self, name: str) -> Table:
        (table,) = (item for item in self.exhibit.tables() if item.name == name)
        return table

    def currents(self) -> np.ndarray:
        return compiled_world_of(self.stand.world).banks.motors.command[:16, 0]

    def close(self) -> None:
        self.run.close()
        self.stand.world.close()


@pytest.fixture
def scene() -> Iterator[Scene]:
    made = Scene()
    yield made
    made.close()


def cell(table: Table, row: str, column: int) -> object:
    return next(cells[column] for cells in table.rows if cells[0] == row)


def test_feet_bear_the_weight_and_the_polygon_holds_it(scene: Scene) -> None:
    scene.run_to(0.9)
    legs = scene.table("legs")
    forces = [float(str(cell(legs, "Bears", i)).split()[0]) for i in range(1, 5)]
    assert sum(forces) == pytest.approx(9.81 * ROBOT_MASS, rel=0.03)

    overlays = {item.name: item for item in scene.exhibit.overlays()}
    polygon = overlays["support polygon"]
    assert isinstance(polygon, WorldPolygon)
    assert polygon.color == "good"
    corners = np.asarray(polygon.corners)
    x, y = corners[:, 0], corners[:, 1]
    area = 0.5 * abs(x @ np.roll(y, 1) - y @ np.roll(x, 1))
    assert 0.7 * 0.4 < area < 0.9 * 0.55  # hips, and hips with feet around them
    for name in ("centre of mass", "feet as believed", "what legs do"):
        assert name in overlays


@pytest.mark.slow
def test_a_stop_takes_the_current_and_another_wish_begins_again(scene: Scene) -> None:
    now = 2.0
    scene.run_to(now)
    assert cell(scene.table("legs"), "Motion", 4) == "step"
    while not scene.currents().any():  # drives rest between two moves of a step
        now += 0.02
        assert now < 3.0
        scene.run_to(now)
    messages = [row[2] for row in scene.table("bus").rows]
    assert any(str(text).startswith("DoStep:") for text in messages)

    scene.press("stop")
    scene.run_to(now + 0.01)
    assert not scene.currents().any()
    assert scene.state == "stopped"
    assert "the visitor said stop" in str(scene.table("log").rows[0][2])

    scene.press("halt")
    scene.run_to(now + 0.1)
    assert scene.state == "walking"


@pytest.mark.slow
def test_halt_lets_the_present_step_end_and_then_nothing_moves(scene: Scene) -> None:
    scene.run_to(2.0)
    session = scene.host.session
    assert session is not None
    assert len(session.desk.standing()) == 3
    scene.press("halt")
    scene.run_to(5.5)
    assert len(session.desk.standing()) == 4
    ordered = session.desk.order_count
    scene.run_to(6.5)
    assert session.desk.order_count == ordered
    assert not any(link.mcu.computer.motion.state for link in session.legs)


@pytest.mark.slow
def test_a_broken_wire_is_named_and_reset_mends_everything(scene: Scene) -> None:
    hashes: list[str] = []
    for _ in range(2):
        scene.run.do(ResetRequest())
        scene.run.tick()  # controllers end
        scene.run.tick()  # back at the beginning
        scene.run.do(ControlRequest(action="start"))
        scene.run_to(1.5)
        assert scene.state == "walking"
        hashes.append(scene.stand.world.state_hash())
        told = scene.press("fault", kind="sensor wire", leg="4 rear right")
        assert told is not None
        assert told.startswith("sensor wire")
        scene.run_to(1.7)
        assert scene.state == "stopped"
        assert "joint C: angle sensor C" in str(cell(scene.table("robot"), "does", 1))
    assert hashes[0] == hashes[1]


def test_wrong_wishes_are_refused_where_they_are_wrong(scene: Scene) -> None:
    scene.run_to(0.01)
    with pytest.raises(ActionError, match="needs a toe") as caught:
        scene.press("fault", kind="toe dead", part="B hip")
    assert caught.value.field == "part"
    with pytest.raises(ActionError, match="for good") as caught:
        scene.press("fault", kind="killed", lasts="2 s")
    assert caught.value.field == "lasts"
    with pytest.raises(ActionError, match="a foot stands there"):
        scene.press("brick", place=(0.35, 0.2))

    scene.press("brick", place=(0.8, 0.2))
    place = scene.stand.world.pose(BRICK)[:3, 3]
    assert place[:2] == pytest.approx((0.8, 0.2))


def test_all_terrains_that_can_be_chosen_exist() -> None:
    for text in TERRAINS.values():
        assert terrain_from_text(text)
