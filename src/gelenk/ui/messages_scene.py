"""Messages about a scene: what does not move in it, its panel, what its robot shows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from gelenk.runtime.panel import Highlight, Mark, Overlay, PanelAction

Vec3: TypeAlias = tuple[float, float, float]
Quat: TypeAlias = tuple[float, float, float, float]
Rgba: TypeAlias = tuple[float, float, float, float]


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
        position, quaternion: Pose in the body.
        rgba: Colour; white for a mesh with colours of its own.
        role: Whether it is looked at, touches, or both; what only touches is drawn on
            demand.
        mesh: Name of the mesh, fetched from `/meshes/NAME`, see `mesh_assets.py`.
        coarse: Name of the mesh with few triangles, for those who draw without a
            graphics card; empty where it has few already.
        texture: Name of its texture, fetched likewise; empty if it has none.
        bounds: Lowest and highest corner of the mesh [m]: x, y, z, x, y, z.
    """

    shape: Literal["box", "sphere", "capsule", "cylinder", "ellipsoid", "plane", "mesh"]
    size: tuple[float, ...] = ()
    position: Vec3 = (0.0, 0.0, 0.0)
    quaternion: Quat = (1.0, 0.0, 0.0, 0.0)
    rgba: Rgba = (0.6, 0.6, 0.6, 1.0)
    role: Literal["visual", "collision", "both"] = "both"
    mesh: str = ""
    coarse: str = ""
    texture: str = ""
    bounds: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """Something that has a pose; its place in the list is its place in a frame.

    Attributes:
        name: Name in the world.
        group: "fixed", "object", "robot"; decides on materials and menus.
        robot: Name of the robot it is a link of, or empty.
        shapes: Shapes that are looked at or touch.
    """

    name: str
    group: Literal["fixed", "object", "robot"]
    robot: str = ""
    shapes: tuple[Shape, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Joint:
    """A motor of a robot; its place in the list is its place in a frame.

    Attributes:
        name: Name of the joint.
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
        name: Name in the world.
        form: "circle" (center, radius) or "barrier" (start, end).
        on: Event that is noticed: "enter", "leave" or "cross".
        points: Centre, or start and end [m]: x, y, x, y.
        radius: Radius of a circle [m].
        height: Height to which it is drawn [m].
        text: Text that it sends, and to whom, for people.
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
        unit: Unit of a number.
        minimum, maximum: Range of a number; None without end.
        choices: Possible texts; empty: any.
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
    """Additions of a robot to the page, as data.

    Attributes:
        title: Title of the panel.
        robots: Numbers of robots whose controllers take typed lines.
        receivers: Numbers that triggers can be sent to, with who they are.
        parameters: Parameters that can be set.
        buttons: Buttons that can be pressed.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Belt:
    """A surface that moves along itself; its place in the list is that in a frame.

    Attributes:
        name: Name of the conveyor.
        corners: Outline of the surface in the world [m], flat: x, y, z, x, ...
        along: Unit vector of positive travel.
    """

    name: str
    corners: tuple[float, ...]
    along: Vec3


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """Owner of a curve; its place in the list is that of its name in `signals`.

    Attributes:
        robot: Robot that it belongs to; empty: the scene.
        part: Joint, conveyor; empty: of everything.
        kind: Such as "angle", "torque", "control error"; curves of one kind and unit
            share a picture.
        unit: SI; "1" for plain numbers.
    """

    robot: str
    part: str
    kind: str
    unit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A scene was opened: everything that does not move. Frames name it by `number`.

    Attributes:
        number: Counts the scenes of this server.
        name, title, summary: Texts of the gallery.
        step: Physics step [s].
        period: Time between two control ticks [s].
        bodies, joints, zones, floor, cameras, panel: Contents of the scene.
        signals: Names of the curves that can be plotted, with units: `name [unit]`.
        curves: Owner and kind of each signal.
        belts: Surfaces that move along themselves.
        eye, focus: Points to look from, and at [m].
        is_view_chosen: Whether the scene has chosen them; else all is to be seen.
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
    curves: tuple[Curve, ...] = ()
    belts: tuple[Belt, ...] = ()
    eye: Vec3 = (2.0, -2.0, 1.5)
    focus: Vec3 = (0.0, 0.0, 0.2)
    is_view_chosen: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Actions:
    """All buttons of the exhibit; replaces those that were."""

    scene: int
    actions: tuple[PanelAction, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnHead:
    """A column of a table.

    Attributes:
        title: A word or two.
        unit: Unit of the numbers.
        is_number: Whether it holds numbers, which stand to the right.
    """

    title: str
    unit: str
    is_number: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TableText:
    """A table, written.

    Attributes:
        name, title: Name and title of the table.
        columns: Its heads.
        rows: Texts of its cells.
        highlights: Cells that stand out.
        caption: A sentence below.
    """

    name: str
    title: str
    columns: tuple[ColumnHead, ...]
    rows: tuple[tuple[str, ...], ...]
    highlights: tuple[Highlight, ...] = ()
    caption: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """All tables of the exhibit; replaces those that were."""

    scene: int
    tables: tuple[TableText, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlays:
    """Everything that the exhibit draws into the world; replaces what was."""

    scene: int
    overlays: tuple[Overlay, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureTitles:
    """Titles of the pictures of a panel, by name."""

    scene: int
    titles: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageHead:
    """Head of an image, before its bytes; see `images.py`.

    Attributes:
        scene: Number of the scene.
        source: "camera" of the world, or "picture" of the exhibit.
        name: Name of the camera or picture.
        time: Simulated time that it shows [s].
        width, height: [px].
        format: MIME type of its bytes.
        marks: Drawn over it.
        caption: A sentence below.
    """

    scene: int
    source: Literal["camera", "picture"]
    name: str
    time: float
    width: int
    height: int
    format: Literal["image/jpeg", "image/png"]
    marks: tuple[Mark, ...] = ()
    caption: str = ""
