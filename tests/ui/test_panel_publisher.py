"""What an exhibit shows is told when it changes; what fails is told once."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pytest

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.runtime.panel import (
    ActionError,
    Column,
    Highlight,
    NumberField,
    PanelAction,
    PanelCurve,
    RobotPanel,
    Table,
    Value,
    WorldPoints,
)
from gelenk.ui import messages as m
from gelenk.ui.panel_publisher import PanelPublisher, written


class Scale(RobotPanel):
    """Something with a number that can be set."""

    def __init__(self) -> None:
        self.value = 1.0
        self.is_enabled = True
        self.is_broken = False

    def actions(self) -> tuple[PanelAction, ...]:
        field = NumberField(name="to", title="To", default=0.0, maximum=10.0)
        action = PanelAction(
            name="set", title="Set", fields=(field,), is_enabled=self.is_enabled
        )
        return (action,)

    def press(self, name: str, values: Mapping[str, Value]) -> str | None:
        if values["to"] == 7.0:
            raise ActionError("seven is taken", field="to")
        self.value = float(values["to"])  # type: ignore[arg-type]
        return None

    def tables(self) -> tuple[Table, ...]:
        if self.is_broken:
            raise ZeroDivisionError("no weight")
        columns = (Column(title="force", unit="N", format=".1f"),)
        return (Table(name="t", title="T", columns=columns, rows=((self.value,),)),)

    def overlays(self) -> tuple[WorldPoints, ...]:
        return (WorldPoints(name="dot", at=[[self.value, 0.0, 0.0]]),)

    def curves(self) -> tuple[PanelCurve, ...]:
        return (
            PanelCurve(name="scale/force", unit="N", read=lambda: self.value),
            PanelCurve(name="scale/broken", unit="1", read=lambda: 1.0 / 0.0),
        )


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def scale() -> Scale:
    return Scale()


@pytest.fixture
def exhibition(scale: Scale, told: list[str]) -> PanelPublisher:
    return PanelPublisher(3, scale, told.append)


def kinds(found: Any) -> list[str]:
    return [type(item).__name__ for item in found]


def test_everything_is_told_once_and_then_only_what_changes(
    exhibition: PanelPublisher, scale: Scale
) -> None:
    assert kinds(exhibition.news()) == ["Actions", "Tables", "Overlays"]
    assert exhibition.news() == []

    scale.value = 2.0
    found = exhibition.news()

    assert kinds(found) == ["Tables", "Overlays"]
    assert all(item.scene == 3 for item in found)
    tables = found[0]
    assert isinstance(tables, m.Tables)
    assert tables.tables[0].rows == (("2.0",),)


def test_who_comes_late_gets_the_latest_of_each_kind(
    exhibition: PanelPublisher, scale: Scale
) -> None:
    assert exhibition.everything() == ()
    exhibition.news()
    scale.value = 5.0
    exhibition.news()

    known = exhibition.everything()

    assert sorted(kinds(known)) == ["Actions", "Overlays", "Tables"]
    (tables,) = (item for item in known if isinstance(item, m.Tables))
    assert tables.tables[0].rows == (("5.0",),)


def test_of_a_scene_without_an_exhibit_nothing_is_told(told: list[str]) -> None:
    nothing = PanelPublisher(1, None, told.append)

    assert nothing.news() == []
    assert nothing.pictures(frozenset({"x"})) == ()
    assert nothing.curves == ()


def test_a_part_that_fails_is_reported_once_and_the_others_go_on(
    exhibition: PanelPublisher, scale: Scale, told: list[str]
) -> None:
    exhibition.news()
    scale.is_broken, scale.value = True, 4.0

    assert kinds(exhibition.news()) == ["Overlays"]
    exhibition.news()
    assert told == ["tables of the exhibit: ZeroDivisionError: no weight"]

    scale.is_broken = False
    assert kinds(exhibition.news()) == ["Tables"]


def test_a_curve_that_fails_has_no_value(
    exhibition: PanelPublisher, told: list[str]
) -> None:
    one, other = exhibition.sample()
    exhibition.sample()

    assert one == 1.0
    assert math.isnan(other)
    assert len(told) == 1
    assert "scale/broken" in told[0]


def test_what_is_pressed_is_checked_first_and_changes_nothing_if_it_is_wrong(
    exhibition: PanelPublisher, scale: Scale
) -> None:
    for values in ({"to": 11.0}, {"to": "3"}, {"from": 1.0}, {"to": 7.0}):
        with pytest.raises(ActionError) as caught:
            exhibition.press("set", values)
        assert caught.value.field == next(iter(values))
    with pytest.raises(NameNotFoundError, match="'jump'"):
        exhibition.press("jump", {})
    scale.is_enabled = False
    with pytest.raises(ActionError, match="cannot be done now"):
        exhibition.press("set", {"to": 1.0})
    assert scale.value == 1.0

    scale.is_enabled = True
    assert exhibition.press("set", {"to": 3.0}) == ""
    assert scale.value == 3.0


def test_columns_of_numbers_are_told_from_columns_of_words() -> None:
    columns = (Column(title="leg"), Column(title="load", unit="N", format=".0f"))
    rows = (("front left", 12.0), ("hind", None))
    table = Table(name="t", title="T", columns=columns, rows=rows)

    found = written(table)

    assert [head.is_number for head in found.columns] == [False, True]
    assert found.rows == (("front left", "12"), ("hind", "–"))


def test_a_highlight_outside_of_its_table_is_refused() -> None:
    table = Table(
        name="t",
        title="T",
        columns=(Column(title="x"),),
        rows=((1.0,),),
        highlights=(Highlight(row=1),),
    )
    with pytest.raises(ConfigError, match="row 1"):
        written(table)
