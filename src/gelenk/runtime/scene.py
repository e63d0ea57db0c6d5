"""How robots offer scenes to the page: `gelenk.robots.NAME.showcase.SHOWPIECES`.

A showcase module is imported to list the scenes, so it loads no engine: everything
heavy is imported inside of `make`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from gelenk.errors import ConfigError
from gelenk.runtime.panel_actions import ChoiceField, Field

if TYPE_CHECKING:
    from gelenk.runtime.panel import Exhibit
    from gelenk.runtime.run import Run
    from gelenk.sim.world import World

Settings: TypeAlias = Mapping[str, float | str | bool]
Setter: TypeAlias = Callable[[Any], None]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stand:
    """A scene of a robot, built and ready to run.

    Attributes:
        run: World and controllers; the page alone takes it through time.
        world: Its world.
        exhibit: What the robot shows; None: nothing but the world.
        close: Frees everything else than run and world, which are closed first and
            in this order.
        parameters: What can be set, `default` being the value now; no `GroundField`.
        setters: What changes a parameter while the scene runs, by its name. A parameter
            without one takes effect when the scene is built anew: it comes as a setting
            to `Showpiece.make`.
        robots: Numbers of robots whose controllers take typed lines.
        receivers: Numbers that triggers can be sent to, with who they are.
        zone_texts: What zones send, by name, for people.
        eye, focus: Where to look from, and at [m]; None: so that all is seen.
        facts: For recordings, such as seed and scene.
    """

    run: Run
    world: World
    exhibit: Exhibit | None = None
    close: Callable[[], None] | None = None
    parameters: tuple[Field, ...] = ()
    setters: Mapping[str, Setter] = field(default_factory=dict[str, Setter])
    robots: tuple[int, ...] = ()
    receivers: Mapping[str, str] = field(default_factory=dict[str, str])
    zone_texts: Mapping[str, str] = field(default_factory=dict[str, str])
    eye: tuple[float, float, float] | None = None
    focus: tuple[float, float, float] | None = None
    facts: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def __post_init__(self) -> None:
        names = [item.name for item in self.parameters]
        for name in self.setters:
            if name not in names:
                raise ConfigError(
                    f"a setter for {name!r}, but the parameters are {names}"
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class Showpiece:
    """A scene that a robot offers.

    Attributes:
        name: Its address, `robot/scene`, such as `piggy/catch`.
        title: A few words.
        summary: One sentence.
        group: Heading in the gallery, such as "Piggy".
        make: Builds it from a seed and those parameters that differ from their
            defaults, by name.
    """

    name: str
    title: str
    summary: str
    group: str
    make: Callable[[int, Settings], Stand]


def choices(
    settings: Settings, *fields: tuple[str, str, tuple[str, ...], str], **first: str
) -> tuple[ChoiceField, ...]:
    """Return fields to choose from, with what is chosen now.

    Args:
        settings: What differs from the defaults.
        fields: Name, title, choices and a sentence of each.
        first: Defaults by name, where it is not the first choice.

    Example:
        >>> (light,) = choices({}, ("light", "Light", ("on", "off"), "Of the room."))
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
