"""The life of a controller as a table: which state follows, and what is to be done.

    IDLE --start--> RUNNING --pause--> PAUSING --(run returns)--> PAUSED --start--> ...
                       |--stop---> STOPPING --(run returns)--> IDLE
                       `--(run returns)--> IDLE

Stop and pause only request an end; until `run` has returned nothing can be started, so
one controller never runs twice. A controller without `pause` is stopped instead. The
return of `run` is followed by `stop`, except after a pause, whose progress it would
delete. This module decides; `gelenk.runtime.host` acts.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class State(StrEnum):
    """Where a controller stands."""

    IDLE = "idle"
    RUNNING = "running"
    PAUSED = "paused"
    STOPPING = "stopping"
    PAUSING = "pausing"


class Event(StrEnum):
    """What happens to a controller: requests from outside, or the end of its run."""

    START = "start"
    RESUME = "resume"
    PAUSE = "pause"
    STOP = "stop"
    RETURNED = "returned"
    FAILED = "failed"


class Action(StrEnum):
    """What the runtime does: call the controller's method, or make it end."""

    RUN = "run"
    REQUEST_END = "request_end"
    STOP = "stop"
    PAUSE = "pause"


class Transition(NamedTuple):
    """The next state, and what to do on the way there, in order."""

    state: State
    actions: tuple[Action, ...] = ()


_RUN = (Action.RUN,)
_STOP = (Action.STOP,)
_END_AND_STOP = (Action.REQUEST_END, Action.STOP)

_TABLE: dict[tuple[State, Event], Transition] = {
    (State.IDLE, Event.START): Transition(State.RUNNING, _RUN),
    (State.IDLE, Event.STOP): Transition(State.IDLE, _STOP),
    (State.RUNNING, Event.PAUSE): Transition(
        State.PAUSING, (Action.REQUEST_END, Action.PAUSE)
    ),
    (State.RUNNING, Event.STOP): Transition(State.STOPPING, _END_AND_STOP),
    (State.RUNNING, Event.RETURNED): Transition(State.IDLE, _STOP),
    (State.PAUSED, Event.START): Transition(State.RUNNING, _RUN),
    (State.PAUSED, Event.RESUME): Transition(State.RUNNING, _RUN),
    (State.PAUSED, Event.STOP): Transition(State.IDLE, _STOP),
    (State.PAUSING, Event.RETURNED): Transition(State.PAUSED),
    (State.PAUSING, Event.STOP): Transition(State.STOPPING, _STOP),
    (State.STOPPING, Event.RETURNED): Transition(State.IDLE, _STOP),
}


def next_state(state: State, event: Event, *, has_pause: bool) -> Transition | None:
    """Return what an event makes of a state; None if it is refused and changes nothing.

    Args:
        state: Where the controller stands.
        event: What happens.
        has_pause: Whether the controller can pause; if not it is stopped.
    """
    if event is Event.FAILED:
        # Whatever was to be kept by a pause is in doubt now.
        is_alive = state in (State.RUNNING, State.PAUSING, State.STOPPING)
        return Transition(State.IDLE, _STOP) if is_alive else None
    if event is Event.PAUSE and not has_pause:
        event = Event.STOP if state is State.RUNNING else event
    return _TABLE.get((state, event))
