"""Messages of a running scene: what a page asks, and what the server tells."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from gelenk.ui.messages_scene import SceneCard


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenScene:
    """Open a scene of the gallery; what runs is ended."""

    id: int
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseScene:
    """Go back to the gallery."""

    id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Execute:
    """Press Start, Pause, Stop or Reset; for all controllers, or one by number."""

    id: int
    action: Literal["start", "pause", "stop", "reset"]
    controller: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SetPace:
    """Simulated seconds per second, 0.1 to 10; None: as fast as possible."""

    id: int
    pace: float | None = field(metadata={"minimum": 0.05, "maximum": 100.0})


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """Let simulated time stand still, or go on."""

    id: int
    is_held: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StepOnce:
    """Do some control ticks, then hold."""

    id: int
    count: int = field(default=1, metadata={"minimum": 1, "maximum": 1000})


@dataclass(frozen=True, slots=True, kw_only=True)
class GetFrame:
    """Show the moment at or just before a tick: the answer is a binary frame.

    Only the one who asks sees it; the run goes on.
    """

    id: int
    tick: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ContinueFrom:
    """Put the run back to a tick and go on from there; refused with the reason."""

    id: int
    tick: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SendLine:
    """Hand a typed line to a robot's controller."""

    id: int
    robot: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SendTrigger:
    """Send a trigger to a number, or to all controllers with -1."""

    id: int
    receiver: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SetParameter:
    """Change a parameter of the panel."""

    id: int
    name: str
    value: float | str | bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Press:
    """Press a special button of the panel, or do an action of the exhibit.

    Attributes:
        name: Name of the button or action.
        values: Values of the fields of an action, by name; points as [x, y] [m].
    """

    id: int
    name: str
    values: dict[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """Ask a robot's own service, such as `armbot.check`; the answer is in the reply."""

    id: int
    name: str
    value: dict[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class SetRecording:
    """Begin to record to a file, or end it; the reply has where it can be fetched."""

    id: int
    is_on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """Wishes of a page: plots cost, images cost.

    Attributes:
        signals: Send curves.
        contacts: Send contact points and forces with the frames.
        cameras: Names of cameras whose images are wanted.
        pictures: Names of pictures of the exhibit that are wanted.
    """

    id: int
    signals: bool = True
    contacts: bool = False
    cameras: tuple[str, ...] = ()
    pictures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Hello:
    """The first message on every connection.

    Attributes:
        version: Version of the protocol; a page of another one asks to be reloaded.
        server: Version of gelenk.
        may_run_code: Whether the page may hand in programs and files to run.
        gallery: The scenes.
    """

    version: int
    server: str
    may_run_code: bool
    gallery: tuple[SceneCard, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ControllerStatus:
    """Status of a controller, with the buttons that would change it.

    Attributes:
        number, name: Number and name of the controller.
        state: "idle", "running", "paused", ...
        reason: Reason of the state; empty if that is not known.
        buttons: Those of start, pause, stop that would change something.
    """

    number: int
    name: str
    state: str
    reason: str = ""
    buttons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """Contents of the transport bar; sent on every change and twice a second.

    Attributes:
        scene: Number of the scene; 0: none is open.
        is_loading: A scene is being built.
        loading: Progress of the loading in a few words; empty: nobody says.
        state: State of all controllers together: "idle", "paused", ...; "running"
            where there are none.
        buttons: Those of start, pause, stop, reset that would change something.
        controllers: Each of them.
        time: Simulated time [s].
        tick: Physics tick.
        first_tick: The earliest one that can be scrubbed to.
        is_held: Simulated time stands still.
        pace: Wanted simulated seconds per second; None: as fast as possible.
        speed: Reached in the last second.
        is_recording: A recording is being written.
        problem: Reason why the scene stands, if it broke.
        is_finished: All controllers have come to the end of their programs.
        repeats: Whether the scene then begins anew by itself; None: it never does. Set
            as parameter "page.repeat"; who uses the scene switches it off.
        again_in: Whole seconds until it begins anew; None: it does not.
    """

    scene: int
    is_loading: bool = False
    loading: str = ""
    state: str = "idle"
    buttons: tuple[str, ...] = ()
    controllers: tuple[ControllerStatus, ...] = ()
    time: float = 0.0
    tick: int = 0
    first_tick: int = 0
    is_held: bool = False
    pace: float | None = 1.0
    speed: float = 0.0
    is_recording: bool = False
    problem: str = ""
    is_finished: bool = False
    repeats: bool | None = None
    again_in: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of a window.

    Attributes:
        tick, time: Moment as physics tick and in seconds.
        source: Speaker: "robot0", a controller, a sender.
        text: Text of the line.
        level: "info", "warning", "error"; "input" for what a person typed.
        receiver: Receiver of a trigger.
    """

    tick: int
    time: float
    source: str
    text: str
    level: Literal["info", "warning", "error", "input"] = "info"
    receiver: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """New lines of a window; `start` counts from the first line of the scene."""

    scene: int
    window: Literal["debug", "commander", "triggers", "system"]
    start: int
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A moment worth jumping to.

    Attributes:
        tick, time: Moment as physics tick and in seconds.
        what: Kind: "trigger", "impact", "collision", "grasp", "fault", "controller",
            "error".
        text: Description in a few words.
    """

    tick: int
    time: float
    what: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Events:
    """New events of the scene, counted like lines."""

    scene: int
    start: int
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Samples:
    """New points of all curves, in the order of `Scene.signals`.

    Attributes:
        times: [s], one per row.
        values: All rows, one after the other: float32, little endian, as base64; not a
            number where there is none.
    """

    scene: int
    times: tuple[float, ...]
    values: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The answer to a request.

    Attributes:
        id: Number of the request.
        ok: Whether it was carried out.
        message: Reason of a refusal, for people; shown beside the field.
        field: Name of the field that is wrong, if it is one.
        value: Answer that was asked for.
    """

    id: int
    ok: bool
    message: str = ""
    field: str = ""
    value: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterChanged:
    """Somebody has changed a parameter of the panel."""

    scene: int
    name: str
    value: float | str | bool
