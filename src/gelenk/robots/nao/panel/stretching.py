"""A lying NAO that plays a motion file, and the buttons that choose what it plays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gelenk.errors import NameNotFoundError
from gelenk.robots.nao import config
from gelenk.robots.nao.errors import NaoErrors
from gelenk.robots.nao.framework import (
    SENSOR_TOPICS,
    make_body,
    make_sensor_publisher,
    topics,
)
from gelenk.robots.nao.limbs import motion_process
from gelenk.robots.nao.motion.program import MotionProgram
from gelenk.robots.nao.motion.text import load_motions, shipped_motions
from gelenk.robots.nao.representations import MotionInfo, MotionRequest
from gelenk.robots.nao.robot_with_errors import nominal_model
from gelenk.robots.nao.world import make_world
from gelenk.runtime.bus import Bus
from gelenk.runtime.panel import Column, PanelAction, RobotPanel, Table, Value
from gelenk.runtime.run import Run
from gelenk.runtime.scene import LiveScene

# What is played until somebody chooses, and for how long [s].
PROGRAMME = (("stretchLeft", 10.0), ("stretchRight", 10.0), ("nod", 4.0))
HOLD = 0.8  # [s] at a milestone, as long as nobody chooses
HANDS = ("motion_request", "head_motion_request")


class MotionChooser:
    """Publishes which motion is wanted; call it in every control tick.

    Attributes:
        wanted: Motion that somebody has chosen; empty: the programme is played.
        info: What the motion engine did last.
    """

    def __init__(self) -> None:
        self.wanted, self.info = "", MotionInfo(motion="")
        self._goes_on = False
        self._held_since: float | None = None

    def go_on(self) -> None:
        """Leave the milestone that is held."""
        self._goes_on = True

    def __call__(self, view: Any) -> None:
        self.info = view.bus.latest("motion_info") or self.info
        is_held = self.info.is_at_milestone
        if not is_held:
            self._held_since, self._goes_on = None, False
        elif self._held_since is None:
            self._held_since = view.time
        waited = 0.0 if self._held_since is None else view.time - self._held_since
        is_continuing = is_held and (
            self._goes_on or (not self.wanted and waited >= HOLD)
        )
        request = MotionRequest(
            motion=self.wanted or planned(view.time), is_continuing=is_continuing
        )
        view.bus.publish("motion_request", request, sender="visitor")


def planned(time: float) -> str:
    """Return the motion of the programme at a time [s].

    Example:
        >>> planned(3.0), planned(12.0), planned(27.0)
        ('stretchLeft', 'stretchRight', 'stretchLeft')
    """
    rest = time % sum(duration for _, duration in PROGRAMME)
    for name, duration in PROGRAMME:
        if rest < duration:
            return name
        rest -= duration
    return PROGRAMME[-1][0]


class StretchingExhibit(RobotPanel):
    """A button for every motion, and what the engine does."""

    def __init__(self, chooser: MotionChooser, program: MotionProgram) -> None:
        self._chooser, self._motions = chooser, sorted(program.requests)

    def actions(self) -> tuple[PanelAction, ...]:
        chooser = self._chooser
        motions = tuple(
            PanelAction(
                name=name,
                title=name,
                help="Is played until another one is chosen.",
                group="Motions",
            )
            for name in self._motions
        )
        return (
            *motions,
            PanelAction(
                name="go on",
                title="Go on",
                help="Leaves the milestone that is held.",
                is_enabled=chooser.info.is_at_milestone,
                group="Motions",
            ),
            PanelAction(
                name="programme",
                title="One after the other",
                is_enabled=bool(chooser.wanted),
                group="Motions",
            ),
        )

    def press(self, name: str, values: Mapping[str, Value]) -> str | None:
        if name == "go on":
            self._chooser.go_on()
            return None
        if name == "programme":
            self._chooser.wanted = ""
            return "plays one motion after the other"
        if name not in self._motions:
            raise NameNotFoundError("action", name, self._motions)
        self._chooser.wanted = name
        return f"{name} is wanted"

    def tables(self) -> tuple[Table, ...]:
        info, wanted = self._chooser.info, self._chooser.wanted
        rows = (
            ("chosen", wanted or "one after the other"),
            ("played", info.motion or None),
            ("line", info.token or None),
            ("at a milestone", info.is_at_milestone),
            ("held back by limits", ", ".join(info.clipped) or None),
        )
        columns = (Column(title="What"), Column(title="Now"))
        table = Table(name="motion", title="Motion", columns=columns, rows=rows)
        return (table,)


def stretching_stand(seed: int, **view: Any) -> LiveScene:
    """Return the scene.

    Args:
        seed: Of the world.
        view: `eye` and `focus` of the stand.
    """
    program = load_motions(shipped_motions()["stretch"])
    model, chooser = nominal_model(), MotionChooser()
    world, names = make_world(NaoErrors(), seed=seed)
    bus = Bus(topics(*SENSOR_TOPICS, *HANDS))
    run = Run(
        world,
        (motion_process(program), make_body(model, names)),
        bus=bus,
        period=config.MOTION_PERIOD,
        pace=1.0,
        publishers=(make_sensor_publisher(model, names), chooser),
    )
    exhibit = StretchingExhibit(chooser, program)
    return LiveScene(run=run, world=world, exhibit=exhibit, **view)
