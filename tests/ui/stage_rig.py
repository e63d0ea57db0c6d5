"""A stage with small scenes, and somebody who listens to it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

import numpy as np

from gelenk.runtime.controller import Controller, PureController
from gelenk.runtime.panel_actions import ChoiceField, NumberField, SwitchField
from gelenk.runtime.run import Run
from gelenk.runtime.scene import LiveScene, SceneButton, SceneSpec, Settings
from gelenk.sim import Ball, Conveyor, Ground, World
from gelenk.sim.objects import RectOutline
from gelenk.sim.zones import CircleZone
from gelenk.ui import messages as m
from gelenk.ui.frames import Frame, unpack_frame
from gelenk.ui.scene_runner import SceneRunner

Message = TypeVar("Message")
PATIENCE = 60.0  # [s]; only a broken stage needs it


class Listener:
    """Takes what the stage says, and asks it."""

    def __init__(self) -> None:
        self.messages: list[Any] = []
        self.frames: list[bytes] = []
        self.stage: Any = None
        self._number = 0

    def ask(self, kind: type[Any], **fields: Any) -> Any:
        """Send a request and return its only answer; frames come unpacked."""
        self._number += 1
        answers: list[Any] = []
        is_answered = threading.Event()

        def answer(value: m.Reply | bytes) -> None:
            answers.append(value)
            is_answered.set()

        self.stage.handle(kind(id=self._number, **fields), answer)
        assert is_answered.wait(PATIENCE), f"{kind.__name__} was not answered"
        (value,) = answers
        if isinstance(value, bytes):
            return unpack_frame(value)
        assert value.id == self._number
        return value

    def do(self, kind: type[Any], **fields: Any) -> Any:
        """Send a request that must succeed; return the value of the reply."""
        reply = self.ask(kind, **fields)
        assert reply.ok, reply.message
        return reply.value

    def refused(self, kind: type[Any], **fields: Any) -> m.Reply:
        """Send a request that must be refused."""
        reply = self.ask(kind, **fields)
        assert isinstance(reply, m.Reply)
        assert not reply.ok
        assert reply.message
        return reply

    def of(self, kind: type[Message]) -> list[Message]:
        """Return the messages of a kind."""
        return [item for item in list(self.messages) if isinstance(item, kind)]

    def wait(self, condition: Callable[[], Any]) -> Any:
        """Wait until something holds, and return it."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            value = condition()
            if value:
                return value
            time.sleep(0.005)
        raise AssertionError("it did not happen")

    def status(self, condition: Callable[[m.Status], Any]) -> m.Status:
        """Wait for a status of which something holds."""

        def last() -> m.Status | None:
            found = self.of(m.Status)
            return found[-1] if found and condition(found[-1]) else None

        return self.wait(last)

    def lines(self, window: str) -> list[str]:
        """Return the texts of a window."""
        found = [item for item in self.of(m.Lines) if item.window == window]
        return [line.text for item in found for line in item.lines]

    def events(self, what: str) -> list[str]:
        """Return the texts of events of a kind."""
        found = [event for item in self.of(m.Events) for event in item.events]
        return [event.text for event in found if event.what == what]

    def latest(self) -> Frame:
        """Return the newest live frame."""
        return unpack_frame(self.frames[-1])[0]


@contextmanager
def open_stage(
    scenes: Mapping[str, SceneSpec] | None = None, *, may_run_code: bool = True
) -> Iterator[Listener]:
    """Yield a listener to a stage with small scenes, or with given ones."""
    listener = Listener()
    stage = SceneRunner(
        may_run_code=may_run_code,
        send=listener.messages.append,
        send_frame=listener.frames.append,
        scenes=small_scenes() if scenes is None else scenes,
    )
    listener.stage = stage
    stage.set_audience(1)
    try:
        yield listener
    finally:
        stage.close()


class Talker(Controller):
    """Waits, prints lines it was sent, and never ends by itself."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def run(self) -> None:
        while self.sleep(0.05):
            pass

    def receive_command(self, line: str) -> None:
        self.heard.append(line)
        self.send_trigger(7, f"heard {line}")


class Failing(Controller):
    """Raises after a tenth of a second."""

    def run(self) -> None:
        self.sleep(0.1)
        raise RuntimeError("the arm has fallen off")


def _counting() -> Any:
    return PureController(
        name="counter",
        cfg=None,
        initial=0,
        observe=lambda view: None,
        step=lambda cfg, state, seen: (state + 1, None),
        apply=lambda view, command: None,
        on_trigger=lambda cfg, state, text: state + 1000,
    )


def make_small(
    seed: int, settings: Settings, *, controllers: Callable[[], list[Any]]
) -> LiveScene:
    """Build a ball on a belt over the ground, with a circle around it."""
    world = World(seed=seed)
    world.add(Ground(restitution=0.8))
    world.add(
        Conveyor(
            name="belt", plan=RectOutline(size=(2.0, 0.5)), h1=0.1, h2=0.1, speed=0.0
        )
    )
    height = float(settings.get("height", 1.0))
    world.add(Ball(name="ball", radius=0.05, mass=0.1, position=(0.0, 1.0, height)))
    world.add(CircleZone(name="ring", on="leave", center=(0.0, 1.0), radius=0.2))
    run = Run(world, controllers(), period=0.01, pace=1.0)

    def break_world() -> None:
        world._compiled().data.qvel[:] = np.nan

    def fail() -> None:
        raise ZeroDivisionError("nothing to share")

    parameters = (
        NumberField(
            name="speed",
            title="Speed",
            default=0.0,
            unit="m/s",
            minimum=-1.0,
            maximum=1.0,
        ),
        NumberField(
            name="height", title="Height", default=height, unit="m", minimum=0.5
        ),
        ChoiceField(name="mode", title="Mode", default="a", choices=("a", "b")),
        SwitchField(name="flag", title="Flag"),
    )
    return LiveScene(
        run=run,
        world=world,
        robots=(0,),
        parameters=parameters,
        setters={
            "speed": lambda value: world.command_conveyor("belt", speed=value),
            "mode": lambda value: None,
            "flag": lambda value: None,
        },
        buttons=(
            SceneButton(name="break", title="Break", press=break_world),
            SceneButton(name="bad", title="Bad", press=fail),
        ),
    )


def small_scenes() -> dict[str, SceneSpec]:
    """Return scenes that are built within milliseconds."""

    def spec(name: str, make: Callable[[int, Settings], LiveScene]) -> SceneSpec:
        return SceneSpec(name=name, title=name, summary="", group="Small", make=make)

    def with_controllers(*classes: Any) -> Callable[[int, Settings], LiveScene]:
        return lambda seed, settings: make_small(
            seed, settings, controllers=lambda: [make() for make in classes]
        )

    def impossible(seed: int, settings: Settings) -> LiveScene:
        raise ValueError("this scene cannot be built")

    specs = (
        spec("pure", with_controllers(_counting)),
        spec("talk", with_controllers(Talker)),
        spec("fail", with_controllers(Failing, Talker)),
        spec("still", with_controllers()),
        spec("impossible", impossible),
    )
    return {one.name: one for one in specs}
