"""Messages: what a page asks of the server."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal


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
        name: Of the button or action.
        values: Of the fields of an action, by name; points as [x, y] [m].
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
    """What this page wants to see: plots cost, images cost.

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
