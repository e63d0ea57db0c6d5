"""Exhibits and cameras on the stage: what pages get, and what it costs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import cv2
import numpy as np
import pytest

from gelenk.runtime.panel import (
    ActionError,
    AnnotatedImage,
    Column,
    GroundField,
    PanelAction,
    PanelCurve,
    PixelCircles,
    RobotPanel,
    Table,
    Value,
    WorldPoints,
)
from gelenk.runtime.run import Run
from gelenk.runtime.scene import LiveScene, SceneSpec
from gelenk.sim import Ball, Ground, World
from gelenk.sim.cameras.description import Camera, looking_at
from gelenk.sim.cameras.gl import RenderError, describe_renderer
from gelenk.ui import messages as m
from gelenk.ui.images import HEADER, MAGIC, Packed, compress, pack_image
from gelenk.ui.scene_runner import SceneRunner
from gelenk.vision.camera import Intrinsics
from ui.stage_rig import Listener

RAMP = np.tile(np.arange(200, dtype=np.uint8), (150, 1))


class Court(RobotPanel):
    """Puts a ball where one clicks, and counts what it is asked for."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.asked: Counter[str] = Counter()
        self.image = RAMP
        self.is_broken = False

    def actions(self) -> tuple[PanelAction, ...]:
        field = GroundField(name="at", title="Place", low=(-1, -1), high=(1, 1))
        return (PanelAction(name="put", title="Put", fields=(field,)),)

    def press(self, name: str, values: Mapping[str, Value]) -> str | None:
        x, y = values["at"]  # type: ignore[misc]
        if x == y:
            raise ActionError("not on the diagonal", field="at")
        T_world_ball = np.eye(4)
        T_world_ball[:3, 3] = x, y, 0.5
        self.world.place("ball", T_world_ball)
        return "done"

    def tables(self) -> tuple[Table, ...]:
        self.asked["tables"] += 1
        if self.is_broken:
            raise ZeroDivisionError("no court")
        columns = (Column(title="x", unit="m"),)
        place = float(self.world.positions(["ball"])[0, 0])
        return (Table(name="ball", title="Ball", columns=columns, rows=((place,),)),)

    def overlays(self) -> tuple[WorldPoints, ...]:
        return (WorldPoints(name="corner", at=[(1.0, 1.0, 0.0)]),)

    def picture_titles(self) -> Mapping[str, str]:
        return {"ramp": "A ramp", "other": "Another"}

    def pictures(self, wanted: frozenset[str]) -> Iterable[AnnotatedImage]:
        self.asked.update(wanted)
        circle = PixelCircles(centers=[(10.0, 20.0)], radii=[5.0])
        yield AnnotatedImage(
            name="ramp", image=self.image, marks=(circle,), caption="0 to 199"
        )

    def curves(self) -> tuple[PanelCurve, ...]:
        height = lambda: float(self.world.positions(["ball"])[0, 2])  # noqa: E731
        return (PanelCurve(name="ball/height", unit="m", read=height),)


class Audience(Listener):
    """Takes images, too."""

    def __init__(self) -> None:
        super().__init__()
        self.images: list[Packed] = []
        self.court: Any = None


@pytest.fixture
def audience() -> Iterator[Audience]:
    listener = Audience()

    def make(seed: int, settings: Any) -> LiveScene:
        world = World(seed=seed)
        world.add(Ground())
        world.add(Ball(name="ball", radius=0.05, mass=0.1, position=(0.5, 0.0, 0.5)))
        lens = Intrinsics.from_field_of_view(width=120, height=90, horizontal=1.0)
        pose = looking_at([0.0, -2.0, 0.8], [0.0, 0.0, 0.3])
        world.add(
            Camera(name="eye", intrinsics=lens, T_parent_camera=pose, color="rgb")
        )
        run = Run(world, [], period=0.01, pace=1.0)
        listener.court = Court(world)
        return LiveScene(run=run, world=world, exhibit=listener.court)

    spec = SceneSpec(name="court", title="Court", summary="", group="", make=make)
    stage = SceneRunner(
        may_run_code=True,
        send=listener.messages.append,
        send_frame=listener.frames.append,
        send_image=listener.images.append,
        scenes={"court": spec},
    )
    listener.stage = stage
    stage.set_audience(1)
    listener.do(m.OpenScene, name="court")
    yield listener
    stage.close()


def unpack(image: Packed) -> tuple[dict[str, Any], Any]:
    """Return the head and the pixels, by the description in `images.py` alone."""
    magic, length = HEADER.unpack_from(image.data)
    assert magic == MAGIC
    head = json.loads(image.data[8 : 8 + length])
    data = np.frombuffer(image.data, dtype=np.uint8, offset=8 + length)
    return head, cv2.imdecode(data, cv2.IMREAD_UNCHANGED) if len(data) else None


def test_an_exhibit_is_told_and_a_new_page_is_greeted_with_it(
    audience: Audience,
) -> None:
    for kind in (m.Actions, m.Tables, m.Overlays, m.PictureTitles):
        audience.wait(lambda kind=kind: audience.of(kind))

    greeting = audience.stage.greet()

    kinds = [type(item) for item in greeting]
    assert kinds.index(m.Scene) < min(kinds.index(k) for k in (m.Tables, m.Overlays))
    titles = next(item for item in greeting if isinstance(item, m.PictureTitles))
    assert titles.titles == {"ramp": "A ramp", "other": "Another"}
    scene = next(item for item in greeting if isinstance(item, m.Scene))
    assert any("ball/height" in name for name in scene.signals)


def test_what_does_not_change_is_not_sent_again(audience: Audience) -> None:
    audience.wait(lambda: len(audience.of(m.Tables)) > 0)
    audience.do(m.Hold, is_held=True)
    asked = audience.court.asked["tables"]
    audience.wait(lambda: audience.court.asked["tables"] > asked + 2)
    count = len(audience.of(m.Tables))
    asked = audience.court.asked["tables"]
    audience.wait(lambda: audience.court.asked["tables"] > asked + 3)
    assert len(audience.of(m.Tables)) == count
    assert len(audience.of(m.Overlays)) == 1


def test_an_action_is_done_and_a_wrong_one_changes_nothing(audience: Audience) -> None:
    world = audience.court.world
    audience.do(m.Hold, is_held=True)
    before = world.pose("ball")
    for values in ({"at": [3.0, 0.0]}, {"at": [0.2, 0.2]}, {"at": None}, {"to": 1}):
        reply = audience.refused(m.Press, name="put", values=values)
        assert reply.field == next(iter(values))
    audience.refused(m.Press, name="pit", values={})
    assert np.array_equal(world.pose("ball"), before)

    said = audience.do(m.Press, name="put", values={"at": [-0.5, 0.25]})

    assert said == {"message": "done"}
    assert world.pose("ball")[:2, 3].tolist() == [-0.5, 0.25]


def test_a_part_that_fails_is_told_in_the_log_and_the_run_goes_on(
    audience: Audience,
) -> None:
    audience.court.is_broken = True
    audience.wait(lambda: any("no court" in t for t in audience.lines("system")))
    time = audience.of(m.Status)[-1].time
    audience.status(lambda status: status.time > time + 0.2 and not status.problem)


def test_pictures_are_made_only_while_somebody_looks_and_sent_when_they_change(
    audience: Audience,
) -> None:
    audience.wait(lambda: audience.court.asked["tables"] > 3)
    assert audience.court.asked["ramp"] == 0
    assert audience.images == []

    audience.do(m.Watch, pictures=("ramp",))
    audience.wait(lambda: audience.images)
    audience.wait(lambda: audience.court.asked["ramp"] > 4)

    assert len(audience.images) == 1
    assert audience.court.asked["other"] == 0
    head, pixels = unpack(audience.images[0])
    assert (head["source"], head["name"], head["caption"]) == (
        "picture",
        "ramp",
        "0 to 199",
    )
    assert (head["width"], head["height"]) == (200, 150)
    assert head["marks"][0] | {"layer": ""} == {
        "kind": "circles",
        "centers": [[10.0, 20.0]],
        "radii": [5.0],
        "labels": [],
        "color": "measured",
        "layer": "",
    }
    assert np.abs(pixels.astype(int) - RAMP).max() <= 4

    audience.court.image = 255 - RAMP
    audience.wait(lambda: len(audience.images) == 2)
    audience.do(m.Watch, pictures=("ramp",))  # somebody else has come
    audience.wait(lambda: len(audience.images) == 3)


@pytest.mark.slow
def test_a_watched_camera_delivers_what_the_world_sees(audience: Audience) -> None:
    try:
        describe_renderer()
    except RenderError as error:
        pytest.skip(f"nothing can be drawn here: {error}")
    audience.wait(lambda: audience.court.asked["tables"] > 3)
    assert audience.images == []
    audience.do(m.Hold, is_held=True)

    audience.do(m.Watch, cameras=("eye", "of a scene before"))
    audience.wait(lambda: audience.images)

    head, pixels = unpack(audience.images[0])
    expected = audience.court.world.image("eye")
    assert (head["source"], head["name"]) == ("camera", "eye")
    assert head["time"] == expected.time
    assert np.array_equal(pixels[..., ::-1], expected.pixels)  # small ones are exact
    assert pixels.std() > 5.0
    asked = audience.court.asked["tables"]
    audience.wait(lambda: audience.court.asked["tables"] > asked + 4)
    assert len(audience.images) == 1  # nothing moves
    audience.do(m.Hold, is_held=False)
    audience.wait(lambda: len(audience.images) > 2)


def test_a_machine_that_cannot_draw_says_so_in_place_of_the_image(
    audience: Audience, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: Any) -> Any:
        raise RenderError("no graphics", remedy="get some")

    viewfinder = audience.stage.session.images._viewfinder
    monkeypatch.setattr(type(viewfinder), "draw", fail)
    audience.do(m.Watch, cameras=("eye",))
    audience.wait(lambda: audience.images)

    head, pixels = unpack(audience.images[0])

    assert pixels is None
    assert "no graphics" in head["caption"]
    time = audience.of(m.Status)[-1].time
    audience.status(lambda status: status.time > time + 0.1)


def test_small_images_are_exact_and_colours_are_in_their_order() -> None:
    rng = np.random.default_rng(2)
    image = rng.integers(0, 256, (40, 30, 3), dtype=np.uint8)

    kind, data = compress(image)

    assert kind == "image/png"
    again: Any = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert np.array_equal(again[..., ::-1], image)
    head = m.ImageHead(
        scene=1, source="camera", name="é", time=0.5, width=30, height=40, format=kind
    )
    found, pixels = unpack(pack_image(head, data))
    assert found["name"] == "é"
    assert np.array_equal(pixels, again)
