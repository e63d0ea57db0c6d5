"""What robots show of themselves: pictures, tables, overlays, actions, cameras."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Locator, expect

from gelenk.runtime.panel import (
    ActionError,
    AnnotatedImage,
    ChoiceField,
    Column,
    Highlight,
    NumberField,
    PanelAction,
    PixelArrows,
    PixelCircles,
    PixelPath,
    PixelPoints,
    PixelTexts,
    RobotPanel,
    SwitchField,
    Table,
    Value,
    WorldArrows,
    WorldPath,
    WorldPoints,
    WorldPolygon,
    WorldSpheres,
    WorldTexts,
    WorldTube,
)
from gelenk.runtime.scene import LiveScene, SceneSpec, Settings
from gelenk.ui.hub import Hub
from gelenk.ui.scene_runner import SceneRunner
from gelenk.ui.server import PageServer, ServerConfig
from page_driver import Driver
from testkit.browser import Served, why_not

pytestmark = pytest.mark.slow

CORNERS = [(0.0, 0.0, 0.01), (0.6, 0.0, 0.01), (0.6, 0.6, 0.01)]


class Toy(RobotPanel):
    """Shows one of everything; `fails` can be pressed to break the overlays."""

    def __init__(self) -> None:
        self.count, self.is_broken = 1.0, False
        ramp = np.arange(320, dtype=np.uint8)
        self.image = np.tile(ramp, (200, 1))

    def actions(self) -> tuple[PanelAction, ...]:
        fields = (
            NumberField(
                name="count", title="Count", default=1.0, minimum=0.0, maximum=20.0
            ),
            ChoiceField(
                name="leg", title="Leg", choices=("left", "right"), default="left"
            ),
            SwitchField(name="is_hard", title="Hard"),
        )
        return (
            PanelAction(name="set", title="Set count", fields=fields, group="Counting"),
            PanelAction(name="break", title="Break overlays"),
            PanelAction(name="fail", title="Fail"),
            PanelAction(name="never", title="Not now", is_enabled=False),
        )

    def press(self, name: str, values: Mapping[str, Value]) -> str | None:
        if name == "fail":
            raise ZeroDivisionError("on purpose")
        if name == "break":
            self.is_broken = True
            return None
        if values["count"] == 13.0:
            raise ActionError("thirteen brings bad luck", field="count")
        self.count = float(values["count"])  # type: ignore[arg-type]
        return f"{values['leg']} leg, {values['is_hard']}"

    def tables(self) -> tuple[Table, ...]:
        columns = (Column(title="Part"), Column(title="Length", unit="m/s^2"))
        rows = (("thigh", self.count), ("shank", None))
        marked = (Highlight(row=1, color="bad"),)
        return (
            Table(
                name="t", title="Parts", columns=columns, rows=rows, highlights=marked
            ),
        )

    def picture_titles(self) -> Mapping[str, str]:
        return {"ramp": "A ramp"}

    def pictures(self, wanted: frozenset[str]) -> Iterable[AnnotatedImage]:
        marks = (
            PixelPoints(at=[(20, 20)], labels=("P",), layer="corners"),
            PixelCircles(centers=[(80, 60)], radii=[20], layer="balls"),
            PixelPath(at=[(0, 0), (50, 90), (100, 20)], is_filled=True, layer="area"),
            PixelArrows(starts=[(10, 10)], ends=[(60, 40)], layer="residuals"),
            PixelTexts(at=[(120, 90)], texts=("word",), layer="words"),
        )
        yield AnnotatedImage(
            name="ramp", image=self.image, marks=marks, caption="From 0 on"
        )

    def overlays(self) -> tuple[Any, ...]:
        if self.is_broken:
            raise RuntimeError("the overlays have fallen off")
        up = [(0.0, 0.0, 0.3)]
        return (
            WorldPoints(name="dots", at=CORNERS),
            WorldPath(name="way", at=CORNERS),
            WorldTube(name="tube", at=CORNERS, radii=[0.02, 0.05, 0.1]),
            WorldPolygon(name="support", corners=CORNERS),
            WorldArrows(name="forces", starts=CORNERS[:1], vectors=up),
            WorldSpheres(name="goal", centers=CORNERS[1:2], radii=[0.1]),
            WorldTexts(name="names", at=CORNERS[:1], texts=("here is the foot",)),
        )


def make_toy(toy: Toy, seed: int, settings: Settings) -> LiveScene:
    from gelenk.runtime.run import Run
    from gelenk.sim import Ball, Ground, World

    world = World(seed=seed)
    world.add(Ground(restitution=0.95))
    world.add(Ball(name="ball", radius=0.1, mass=0.1, position=(0.0, 0.5, 1.0)))
    return LiveScene(
        run=Run(world, [], period=0.01, pace=1.0),
        world=world,
        exhibit=toy,
        eye=(2.0, -2.2, 1.6),
        focus=(0.2, 0.3, 0.3),
    )


class Address:
    """A server of this process, as far as a driver needs to know it."""

    def __init__(self, url: str) -> None:
        self._served = Served(url=url, process=None)  # type: ignore[arg-type]

    def address(self, query: str = "", fragment: str = "") -> str:
        return self._served.address(query, fragment)


@pytest.fixture(scope="module")
def toy_server() -> Iterator[tuple[Address, list[Toy]]]:
    """A page with the toy alone, served by this process."""
    if reason := why_not():
        pytest.skip(f"NO BROWSER TESTS: {reason}")
    toys: list[Toy] = []

    def make(seed: int, settings: Settings) -> LiveScene:
        toys.append(Toy())
        return make_toy(toys[-1], seed, settings)

    piece = SceneSpec(
        name="toy/panel", title="Toy", summary="Everything.", group="Toys", make=make
    )
    box: dict[str, Any] = {}
    is_up = threading.Event()

    async def live() -> None:
        hub = Hub()
        stage = SceneRunner(
            may_run_code=True,
            send=hub.send,
            send_frame=hub.send_frame,
            send_image=hub.send_image,
            scenes={piece.name: piece},
        )
        server = PageServer(hub, ServerConfig(port=0))
        await server.start()
        server.attach(stage)
        box.update(url=server.url, end=asyncio.Event(), loop=asyncio.get_running_loop())
        is_up.set()
        await box["end"].wait()
        await server.close()
        await asyncio.to_thread(stage.close)

    thread = threading.Thread(target=lambda: asyncio.run(live()))
    thread.start()
    assert is_up.wait(60.0)
    yield Address(box["url"]), toys
    box["loop"].call_soon_threadsafe(box["end"].set)
    thread.join(60.0)


@pytest.fixture
def toy_page(toy_server, chromium) -> Iterator[tuple[Driver, Toy]]:
    address, toys = toy_server
    context = chromium.new_context(
        viewport={"width": 1280, "height": 800}, reduced_motion="reduce"
    )
    driver = Driver(context, address)
    driver.load()
    driver.open_scene("Toy")
    driver.wait_until("window.__gelenk.overlays.length === 7")
    yield driver, toys[-1]
    problems = driver.unexpected()
    context.close()
    assert problems == [], "the browser complained"


def form(page: Driver, name: str) -> Locator:
    return page.page.get_by_role("form", name=name, exact=True)


# -- a small exhibit with one of everything --------------------------------------------


def test_a_wrong_value_is_told_beside_its_field_and_changes_nothing(toy_page) -> None:
    page, toy = toy_page
    count = page.field("Count")
    count.fill("99")
    page.press("Set count")
    expect(form(page, "Set count")).to_contain_text("Expected 0 to 20.")
    count.fill("13")  # this one only the robot refuses
    page.press("Set count")
    expect(form(page, "Set count")).to_contain_text("thirteen brings bad luck")
    expect(count).to_have_attribute("aria-invalid", "true")
    assert toy.count == 1.0

    count.fill("4")
    page.page.get_by_role("combobox", name="Leg").select_option("right")
    page.page.get_by_role("checkbox", name="Hard").check()
    page.press("Set count")
    expect(form(page, "Set count")).to_contain_text("right leg, True")
    assert toy.count == 4.0
    expect(count).to_have_attribute("aria-invalid", "false")


def test_an_action_that_fails_says_so_and_one_that_is_not_now_is_grey(toy_page) -> None:
    page, _ = toy_page
    expect(page.button("Not now")).to_be_disabled()
    page.press("Fail")
    expect(form(page, "Fail")).to_contain_text("ZeroDivisionError: on purpose")
    page.wait_for_frames(3)


def test_overlays_are_drawn_switched_off_and_may_fail(toy_page) -> None:
    page, _ = toy_page
    label = page.page.get_by_text("here is the foot")
    expect(label).to_be_visible()
    page.press("What is shown")
    page.page.get_by_role("checkbox", name="Names").uncheck()
    expect(label).to_have_count(0)
    page.page.get_by_role("checkbox", name="Names").check()
    expect(label).to_be_visible()
    page.page.keyboard.press("Escape")

    page.press("Break overlays")
    page.tab("System log")
    expect(page.log("System log")).to_contain_text("the overlays have fallen off")
    page.wait_for_frames(3)


def test_tables_have_units_and_marked_rows(toy_page) -> None:
    page, toy = toy_page
    toy.count = 7.25
    page.tab("Tables")
    table = page.page.get_by_role("region", name="Parts").get_by_role("table")
    expect(table.get_by_role("columnheader", name="Length m/s²")).to_be_visible()
    cell = table.get_by_role("cell", name="7.250")
    expect(cell).to_have_css("text-align", "right")
    marked = table.get_by_role("row", name="shank –")
    expect(marked).not_to_have_css("background-color", "rgba(0, 0, 0, 0)")


def test_a_picture_has_marks_that_can_be_switched_freezes_and_grows(toy_page) -> None:
    page, toy = toy_page
    page.tab("Pictures")
    card = page.page.get_by_role("figure", name="A ramp")
    expect(card).to_contain_text("From 0 on")
    marks = card.locator("svg.marks g")
    expect(marks).to_have_count(5)
    card.get_by_role("button", name="residuals").click()
    expect(marks).to_have_count(4)
    # The middle of the image is what was handed over, give or take what JPEG loses.
    look = (
        "canvas => canvas.getContext('2d')"
        ".getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data[0]"
    )
    canvas = card.locator("canvas")
    assert abs(canvas.evaluate(look) - 160) < 6

    page.press("Freeze: A ramp")
    toy.image = np.full((200, 320), 20, dtype=np.uint8)
    page.wait_for_frames(40)
    assert abs(canvas.evaluate(look) - 160) < 6
    page.press("Let go on: A ramp")
    page.wait_until(f"canvas => ({look})(canvas) < 30", canvas.element_handle())

    page.press("Enlarge: A ramp")
    large = page.page.get_by_role("dialog", name="A ramp")
    expect(large).to_be_visible()
    box = large.locator("canvas").bounding_box()
    assert box is not None
    assert box["width"] > 600
    page.page.keyboard.press("Escape")
    expect(large).to_be_hidden()


# -- scenes of the gallery -------------------------------------------------------------


def test_a_ball_is_thrown_where_one_clicks(new_page) -> None:
    page = new_page("Ball flight")
    throw = form(page, "Throw here")
    page.wait_until("window.__gelenk.overlays.includes('prediction')")

    page.press("Throw here")
    expect(throw).to_contain_text("Choose a place in the view first.")
    place = page.page.get_by_role("button", name="Landing place")
    place.click()
    pill = page.page.get_by_role("status", name="Choosing a place")
    expect(pill).to_be_visible()
    page.page.keyboard.press("Escape")
    expect(pill).to_be_hidden()

    place.click()
    expect(pill).to_be_visible()
    x, y = page.hook("project(1.5, -0.8, 0)")
    page.page.mouse.move(x - 20, y - 20)
    page.page.mouse.click(x, y)
    expect(pill).to_be_hidden()
    expect(throw).to_contain_text(
        re.compile(r"thrown to x 1\.(49|5\d) m, y -0\.\d\d m")
    )
    page.tab("Trigger-Console")
    expect(page.log("Trigger-Console")).to_contain_text(re.compile(r"1\.(49|5)"))

    page.field("Peak").fill("9")
    page.press("Throw here")
    expect(throw).to_contain_text("Expected 1.2 to 3 m.")

    page.tab("Tables")
    table = page.page.get_by_role("region", name="Throws").get_by_role("table")
    expect(table.get_by_role("row")).not_to_have_count(1)
    page.tab("Pictures")
    card = page.page.get_by_role("figure", name="Seen from the side")
    expect(card.locator("canvas")).to_be_visible()
    expect(card).to_contain_text("Camera at")


def test_cameras_are_seen_live(new_page) -> None:
    page = new_page("Cameras")
    page.tab("Cameras")
    for name in ("above", "wrist"):
        card = page.page.get_by_role("figure", name=name)
        expect(card.locator("canvas")).to_be_visible()
    time = page.page.get_by_role("figure", name="wrist").locator("header .number")
    first = time.inner_text()
    expect(time).not_to_have_text(first)
    page.page.get_by_role("checkbox", name="Also in the 3-D view").uncheck()
    page.wait_for_frames(2)
    page.page.get_by_role("checkbox", name="Also in the 3-D view").check()
    page.wait_for_frames(2)
