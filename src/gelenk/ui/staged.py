"""`Staged`: a scene that was built, with all that is needed to run and show it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gelenk.ui.messages import Panel, Patch, SceneCard, Vec3

if TYPE_CHECKING:  # the gallery is listed without loading the engine
    from gelenk.runtime.panel import RobotPanel
    from gelenk.runtime.run import Run
    from gelenk.sim.world import World
    from gelenk.ui.feeds import Feeds

Setter = Callable[[Any], None]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Staged:
    """A scene, ready to run.

    Attributes:
        run: World and controllers; nobody else takes it through time.
        world: Its world.
        close: Frees everything.
        panel: What the scene adds to the page.
        connect: Hands what its windows show to the feeds, beside what the bus says.
        send_line: Hands a typed line to the robot with a number; None: through the run.
        setters: What changes a parameter while the scene runs, by its name. All other
            parameters of the panel take effect when the scene is built anew.
        presses: What special buttons do, by name.
        exhibit: What the robot shows of itself; None: nothing.
        eye, focus: Where to look from, and at [m]; None: so that all is seen.
        zone_texts: What zones send, by name, for people.
        paints: Areas on the floor that the world knows nothing of.
        facts: For recordings.
    """

    run: Run
    world: World
    close: Callable[[], None]
    panel: Panel = field(default_factory=Panel)
    connect: Callable[[Feeds], None] | None = None
    send_line: Callable[[int, str], None] | None = None
    setters: Mapping[str, Setter] = field(default_factory=dict[str, Setter])
    presses: Mapping[str, Callable[[], None]] = field(
        default_factory=dict[str, Callable[[], None]]
    )
    exhibit: RobotPanel | None = None
    eye: Vec3 | None = None
    focus: Vec3 | None = None
    zone_texts: Mapping[str, str] = field(default_factory=dict[str, str])
    paints: tuple[Patch, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict[str, Any])


Settings = Mapping[str, float | str | bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A scene of the gallery.

    Attributes:
        card: How it is offered.
        make: Builds it from a seed and parameters that differ from their defaults.
        repeats: Whether it begins anew by itself when all programs have finished; None:
            nothing in it ever finishes.
    """

    card: SceneCard
    make: Callable[[int, Settings], Staged]
    repeats: bool | None = None
