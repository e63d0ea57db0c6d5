"""Scenes: what a page can open, described by a `SceneSpec` and built as a `LiveScene`.

A robot or any installed package offers its scenes through the entry point group
`gelenk.scenes` (see `gelenk.runtime.registry`). The module that lists them is imported
to show the gallery, so it loads no engine: everything heavy is imported inside of
`make`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

from gelenk.errors import ConfigError
from gelenk.runtime.panel_actions import ChoiceField, Field

if TYPE_CHECKING:
    from gelenk.runtime.panel import RobotPanel
    from gelenk.runtime.run import Run
    from gelenk.sim.world import World

Settings: TypeAlias = Mapping[str, float | str | bool]
Setter: TypeAlias = Callable[[Any], None]
Window: TypeAlias = Literal["debug", "commander", "triggers", "system"]
Level: TypeAlias = Literal["info", "warning", "error", "input"]
Point3: TypeAlias = tuple[float, float, float]


class SceneLog(Protocol):
    """Windows and time line of the page, as a scene writes into them."""

    def add_text(
        self,
        window: Window,
        text: str,
        *,
        source: str,
        tick: int,
        time: float,
        level: Level = "info",
        receiver: int | None = None,
    ) -> None:
        """Add a line to a window; may be called from any thread."""
        ...

    def add_event(self, what: str, text: str, time: float | None = None) -> None:
        """Mark a moment of the time line."""
        ...

    def say(
        self,
        text: str,
        *,
        level: Literal["info", "warning", "error"] = "info",
        source: str = "page",
    ) -> None:
        """Add a line to the system log."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneButton:
    """A button of a scene.

    Attributes:
        name: Name by which a page presses it.
        title: Text on the button.
        press: Function that is called between two ticks when it is pressed.
        help: Explanation in one sentence.
    """

    name: str
    title: str
    press: Callable[[], None]
    help: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorPaint:
    """Painted area on the floor, which the world knows nothing of.

    Attributes:
        corners: Corners of a polygon [m], flat: x, y, x, y, ...
        rgba: Colour and opacity, 0 to 1 each.
    """

    corners: tuple[float, ...]
    rgba: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LiveScene:
    """A scene, built and ready to run.

    Attributes:
        run: World and controllers; only the page takes it through time.
        world: World of the run.
        exhibit: Panel of what the scene shows of itself; None: nothing but the world.
        close: Function that frees all but run and world, after both were closed.
        title: Heading of the scene's settings; empty: the group of the scene.
        parameters: Fields that can be set, `default` being the value now; no
            `GroundField`.
        setters: Functions that change a parameter while the scene runs, by its name. A
            parameter without one takes effect when the scene is built anew: it comes as
            a setting to `SceneSpec.make`.
        buttons: Buttons beside the parameters.
        robots: Numbers of robots whose controllers take typed lines.
        send_line: Function that hands a typed line to the robot with a number; None:
            through the run.
        receivers: Numbers that triggers can be sent to, with who they are.
        zone_texts: Texts that zones send, by name of the zone, for people.
        paints: Painted areas on the floor.
        connect: Function called once with the windows of the page, to write into them.
        eye, focus: Point to look from and point to look at [m]; None: all is seen.
        tools: Special views that the page knows, such as "armbot-editor".
        source: Text that made the scene, such as an environment file.
        source_name: File name of that text.
        facts: Facts that a recording states about the scene besides its name and seed.

    Example:
        >>> from gelenk.runtime import LiveScene, Run
        >>> from gelenk.sim import World
        >>> world = World(seed=1)
        >>> live = LiveScene(run=Run(world, period=0.01), world=world)
        >>> live.parameters
        ()
        >>> live.free()
    """

    run: Run
    world: World
    exhibit: RobotPanel | None = None
    close: Callable[[], None] | None = None
    title: str = ""
    parameters: tuple[Field, ...] = ()
    setters: Mapping[str, Setter] = field(default_factory=dict[str, Setter])
    buttons: tuple[SceneButton, ...] = ()
    robots: tuple[int, ...] = ()
    send_line: Callable[[int, str], None] | None = None
    receivers: Mapping[str, str] = field(default_factory=dict[str, str])
    zone_texts: Mapping[str, str] = field(default_factory=dict[str, str])
    paints: tuple[FloorPaint, ...] = ()
    connect: Callable[[SceneLog], None] | None = None
    eye: Point3 | None = None
    focus: Point3 | None = None
    tools: tuple[str, ...] = ()
    source: str = ""
    source_name: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def __post_init__(self) -> None:
        names = [item.name for item in self.parameters]
        for name in self.setters:
            if name not in names:
                raise ConfigError(
                    f"a setter for {name!r}, but the parameters are {names}"
                )

    def free(self) -> None:
        """Close run and world, then what `close` frees."""
        self.run.close()
        self.world.close()
        if self.close is not None:
            self.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneSpec:
    """Description of a scene and the way to build it.

    Attributes:
        name: Name that users say, such as `hall` or `piggy/play`.
        title: Title in a few words.
        summary: Summary in one sentence.
        group: Heading in the gallery, such as "Piggy".
        make: Function that builds the scene from a seed and those parameters that
            differ from their defaults, by name.
        repeats: Whether it begins anew by itself when all programs have finished; None:
            nothing in it ever finishes.

    Example:
        >>> from gelenk.runtime import LiveScene, Run, SceneSpec
        >>> def make(seed, settings):
        ...     from gelenk.sim import World
        ...     world = World(seed=seed)
        ...     return LiveScene(run=Run(world, period=0.01), world=world)
        >>> spec = SceneSpec(
        ...     name="mine/empty", title="Empty", summary="Nothing.", group="Mine",
        ...     make=make,
        ... )
        >>> spec.make(0, {}).world.time
        0.0
    """

    name: str
    title: str
    summary: str
    group: str
    make: Callable[[int, Settings], LiveScene]
    repeats: bool | None = None


@dataclass(frozen=True, slots=True)
class SceneService:
    """Service that answers a page with a scene, which is then opened.

    It runs code that a page sends: it is refused where the page is on the network.

    Attributes:
        make: Describes the scene of a request.
    """

    make: Callable[[dict[str, Any]], SceneSpec]

    def __call__(self, value: dict[str, Any]) -> SceneSpec:
        """Return the description of the scene of a request."""
        return self.make(value)


def choices(
    settings: Settings, *fields: tuple[str, str, tuple[str, ...], str], **first: str
) -> tuple[ChoiceField, ...]:
    """Return fields to choose from, with what is chosen now.

    Args:
        settings: Parameters that differ from their defaults, by name.
        fields: Name, title, choices and a sentence of help of each field.
        first: Default by name of the field, where it is not the first choice.

    Example:
        >>> (light,) = choices({}, ("light", "Light", ("on", "off"), "Lamp overhead."))
        >>> light.default
        'on'
    """
    return tuple(
        ChoiceField(
            name=name,
            title=title,
            choices=words,
            default=str(settings.get(name, first.get(name, words[0]))),
            help=about,
        )
        for name, title, words, about in fields
    )
