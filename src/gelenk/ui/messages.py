"""What the page and its server say to each other.

Every text message is one JSON object with a `kind`, the name of its dataclass in
snake case, and its fields. Poses go as binary frames (`frames.py`). The TypeScript of
the client is generated from this file; `VERSION` changes whenever a meaning does.
SI and radians; positions in the world; quaternions (w, x, y, z).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

VERSION = 1

Vec3: TypeAlias = tuple[float, float, float]
Quat: TypeAlias = tuple[float, float, float, float]
Rgba: TypeAlias = tuple[float, float, float, float]

# -- what the page draws ---------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneCard:
    """A scene in the gallery.

    Attributes:
        name: Its address, such as `armbot/sorting`.
        title: A few words.
        summary: One sentence.
        picture: Path of its picture on the server, empty if there is none.
        group: Heading in the gallery, such as "ArmBot".
    """

    name: str
    title: str
    summary: str
    picture: str = ""
    group: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A solid of a body.

    Attributes:
        shape: "box" (full edges), "sphere" (radius), "capsule" and "cylinder" (radius,
            length without caps, along z), "ellipsoid" (half axes), "plane" (edges),
            "mesh".
        size: Its numbers [m], see above; empty for a mesh.
        position, quaternion: In the body.
        rgba: Colour.
        vertices: Of a mesh [m], flat: x, y, z, x, ...
        triangles: Corners of a mesh by index, flat.
    """

    shape: Literal["box", "sphere", "capsule", "cylinder", "ellipsoid", "plane", "mesh"]
    size: tuple[float, ...] = ()
    position: Vec3 = (0.0, 0.0, 0.0)
    quaternion: Quat = (1.0, 0.0, 0.0, 0.0)
    rgba: Rgba = (0.6, 0.6, 0.6, 1.0)
    vertices: tuple[float, ...] = ()
    triangles: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """Something that has a pose; its place in the list is its place in a frame.

    Attributes:
        name: In the world.
        group: "fixed", "object", "robot"; decides on materials and menus.
        robot: Name of the robot it is a link of, or empty.
        shapes: What it looks like.
    """

    name: str
    group: Literal["fixed", "object", "robot"]
    robot: str = ""
    shapes: tuple[Shape, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Joint:
    """A motor of a robot; its place in the list is its place in a frame.

    Attributes:
        name: Of the joint.
        robot: Name of its robot.
        body: Name of the body that it moves; highlighted with it.
        unit: "rad" or "m".
        minimum, maximum: Range; None without end.
        max_speed: [unit/s]; None: unknown.
    """

    name: str
    robot: str
    body: str
    unit: Literal["rad", "m"]
    minimum: float | None = None
    maximum: float | None = None
    max_speed: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Zone:
    """An area or a line on the floor that notices objects; drawn on demand.

    Attributes:
        name: In the world.
        form: "circle" (center, radius) or "barrier" (start, end).
        on: What is noticed: "enter", "leave" or "cross".
        points: Centre, or start and end [m]: x, y, x, y.
        radius: Of a circle [m].
        height: To which it is drawn [m].
        text: What it sends, and to whom, for people.
    """

    name: str
    form: Literal["circle", "barrier"]
    on: Literal["enter", "leave", "cross"]
    points: tuple[float, ...]
    radius: float = 0.0
    height: float = 0.1
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Patch:
    """A flat coloured area on the floor.

    Attributes:
        corners: x, y, x, y, ... [m].
        rgba: Colour.
    """

    corners: tuple[float, ...]
    rgba: Rgba


@dataclass(frozen=True, slots=True, kw_only=True)
class Floor:
    """The floor: its limits, its tiles and its paint.

    Attributes:
        low, high: Corners [m].
        tile: Edge of a tile of the checkerboard [m]; 0: plain.
        patches: Tiles and paints of other colours; later ones lie over earlier ones.
    """

    low: tuple[float, float] = (-2.0, -2.0)
    high: tuple[float, float] = (2.0, 2.0)
    tile: float = 0.5
    patches: tuple[Patch, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Camera:
    """A camera of the world: its body, its field of view, and where its image is."""

    name: str
    body: str
    width: int
    height: int
    fov_y: float = field(metadata={"unit": "rad"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A number, choice or switch that can be changed while the scene runs.

    Attributes:
        name: Address for `set_parameter`.
        title: A few words.
        value: Now: number, text or boolean.
        unit: Of a number.
        minimum, maximum: Of a number; None without end.
        choices: Of a text; empty: any.
        help: One sentence.
    """

    name: str
    title: str
    value: float | str | bool
    unit: str = ""
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()
    help: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Button:
    """Something to press that is special to a scene, sent back as `press`."""

    name: str
    title: str
    help: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """What a robot adds to the page, as data.

    Attributes:
        title: Of the panel.
        robots: Numbers of robots whose controllers take typed lines.
        receivers: Numbers that triggers can be sent to, with who they are.
        parameters: What can be set.
        buttons: What can be pressed.
        tools: Special views that the client knows: "armbot-editor", "ik-race",
            "assembly".
        source: Text that made the scene, such as an environment file.
        source_name: Its name.
    """

    title: str = ""
    robots: tuple[int, ...] = ()
    receivers: dict[str, str] = field(default_factory=dict[str, str])
    parameters: tuple[Parameter, ...] = ()
    buttons: tuple[Button, ...] = ()
    tools: tuple[str, ...] = ()
    source: str = ""
    source_name: str = ""


# -- from the server -------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Hello:
    """The first message on every connection.

    Attributes:
        version: Of the protocol; a page of another version asks to be reloaded.
        server: Version of gelenk.
        may_run_code: Whether the page may hand in programs and files to run.
        gallery: The scenes.
    """

    version: int
    server: str
    may_run_code: bool
    gallery: tuple[SceneCard, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A scene was opened: everything that does not move. Frames name it by `number`.

    Attributes:
        number: Counts the scenes of this server.
        name, title, summary: As in the gallery.
        step: Physics step [s].
        period: Between two control ticks [s].
        bodies, joints, zones, floor, cameras, panel: What there is.
        signals: Names of the curves that can be plotted, with units: `name [unit]`.
        eye, focus: Where to look from, and at [m].
    """

    number: int
    name: str
    title: str
    summary: str = ""
    step: float
    period: float
    bodies: tuple[Body, ...]
    joints: tuple[Joint, ...] = ()
    zones: tuple[Zone, ...] = ()
    floor: Floor = field(default_factory=Floor)
    cameras: tuple[Camera, ...] = ()
    panel: Panel = field(default_factory=Panel)
    signals: tuple[str, ...] = ()
    eye: Vec3 = (2.0, -2.0, 1.5)
    focus: Vec3 = (0.0, 0.0, 0.2)


@dataclass(frozen=True, slots=True, kw_only=True)
class ControllerState:
    """Where a controller stands, and which buttons would change that."""

    number: int
    name: str
    state: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """What the transport bar shows; sent on every change and twice a second.

    Attributes:
        scene: Number of the scene; 0: none is open.
        is_loading: A scene is being built.
        state: Of all controllers together: "idle", "running", "paused", ...
        buttons: Which of start, pause, stop, reset would change something.
        controllers: Each of them.
        time: Simulated time [s].
        tick: Physics tick.
        first_tick: The earliest one that can be scrubbed to.
        is_held: Simulated time stands still.
        pace: Wanted simulated seconds per second; None: as fast as possible.
        speed: Reached in the last second.
        is_recording: A recording is being written.
        problem: Why the scene stands, if it broke.
    """

    scene: int
    is_loading: bool = False
    state: str = "idle"
    buttons: tuple[str, ...] = ()
    controllers: tuple[ControllerState, ...] = ()
    time: float = 0.0
    tick: int = 0
    first_tick: int = 0
    is_held: bool = False
    pace: float | None = 1.0
    speed: float = 0.0
    is_recording: bool = False
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of a window.

    Attributes:
        tick, time: When; seconds.
        source: Who says it: "robot0", a controller, a sender.
        text: What.
        level: "info", "warning", "error"; "input" for what a person typed.
        receiver: Of a trigger.
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
        tick, time: When; seconds.
        what: Kind: "trigger", "impact", "grasp", "fault", "controller", "error".
        text: In a few words.
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
        rows: Values; None where there is none.
    """

    scene: int
    times: tuple[float, ...]
    rows: tuple[tuple[float | None, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The answer to a request.

    Attributes:
        id: Of the request.
        ok: Whether it was carried out.
        message: Why not, for people; shown beside the field.
        field: Name of the field that is wrong, if it is one.
        value: What was asked for.
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


FromServer: TypeAlias = (
    Hello | Scene | Status | Lines | Events | Samples | ParameterChanged | Reply
)

# -- from the page ---------------------------------------------------------------------


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
    """Press a special button of the panel."""

    id: int
    name: str


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
    """What this page wants to see: plots cost, images cost.

    Attributes:
        signals: Send curves.
        contacts: Send contact points and forces with the frames.
        cameras: Names of cameras whose images are wanted.
    """

    id: int
    signals: bool = True
    contacts: bool = False
    cameras: tuple[str, ...] = ()


FromPage: TypeAlias = (
    OpenScene
    | CloseScene
    | Execute
    | SetPace
    | Hold
    | StepOnce
    | GetFrame
    | ContinueFrom
    | SendLine
    | SendTrigger
    | SetParameter
    | Press
    | Service
    | SetRecording
    | Watch
)
