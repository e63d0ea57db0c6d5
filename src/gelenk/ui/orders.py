"""Requests of pages to the open scene, carried out between two control ticks."""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gelenk.errors import ConfigError, GelenkError, NameNotFoundError
from gelenk.runtime import controls
from gelenk.runtime.executor import RewindError
from gelenk.ui import messages as m
from gelenk.ui import repeat
from gelenk.ui.files import SceneRecording

if TYPE_CHECKING:
    from gelenk.ui.scene_runner import SceneRunner
    from gelenk.ui.scene_session import SceneSession

Answer = Callable[[m.Reply | bytes], None]

MAX_LINE = 2000  # characters of a typed line or trigger
SLOWEST, FASTEST = 0.05, 100.0  # simulated seconds per second


class RequestFieldError(GelenkError, ValueError):
    """A field of a request is wrong.

    Attributes:
        field: Its name.
    """

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


def carry_out(runner: SceneRunner, request: m.FromPage, answer: Answer) -> None:
    """Do what a request asks for and answer it.

    Raises:
        Exception: Whatever goes wrong; then it is not answered yet.
    """
    if isinstance(request, m.CloseScene):
        runner.close_scene()
        answer(m.Reply(id=request.id, ok=True))
        return
    session = runner.session
    if session is None:
        raise ConfigError("no scene is open")
    if isinstance(request, m.SetParameter) and request.name == repeat.PARAMETER:
        _set_repeat(session, request)
        answer(m.Reply(id=request.id, ok=True, value={"value": request.value}))
        return
    session.repeat.touch()
    if isinstance(request, m.Execute) and request.action == "reset":
        _reset(runner, session, request, answer)
        return
    if session.problem and not isinstance(request, m.SetRecording | m.SetParameter):
        raise ConfigError(
            f"the scene has stopped: {session.problem}. Reset builds it anew"
        )
    value = _do(runner, session, request)
    answer(m.Reply(id=request.id, ok=True, value=value))


def _do(runner: SceneRunner, session: SceneSession, request: m.FromPage) -> Any:
    run = session.live.run
    match request:
        case m.Execute(action=action, controller=number):
            _execute(session, action, number)
        case m.SetPace(pace=pace):
            _set_pace(session, pace)
        case m.Hold(is_held=is_held):
            run.do(controls.HoldRequest() if is_held else controls.ProceedRequest())
        case m.StepOnce(count=count):
            if not 1 <= count <= 1000:
                raise RequestFieldError(
                    "count", f"expected 1 to 1000 ticks, got {count}"
                )
            run.do(controls.SingleStepRequest(count=count))
        case m.ContinueFrom(tick=tick):
            return {"tick": continue_from(session, tick)}
        case m.SendLine(robot=robot, text=text):
            _send_line(session, robot, text)
        case m.SendTrigger(receiver=receiver, text=text):
            _send_trigger(session, receiver, text)
        case m.SetParameter(name=name, value=value):
            return _set_parameter(runner, session, name, value)
        case m.Press(name=name, values=values):
            return {"message": _press(session, name, values)}
        case m.SetRecording(is_on=is_on):
            return _set_recording(runner, session, is_on)
        case _:
            raise ConfigError(f"{type(request).__name__} is not understood here")
    return None


# -- Execute ---------------------------------------------------------------------------


def _execute(session: SceneSession, action: str, number: int | None) -> None:
    hosts = session.live.run.executors
    name = ""
    if number is not None:
        names = {host.instance: host.name for host in hosts}
        if number not in names:
            raise NameNotFoundError("controller", str(number), map(str, names))
        name = names[number]
    if not hosts:
        raise ConfigError("this scene has no controllers; its world runs by itself")
    session.live.run.do(
        controls.ControlRequest(action=_ACTIONS[action], controller=name)
    )


_ACTIONS: dict[str, Any] = {"start": "start", "pause": "pause", "stop": "stop"}


def _reset(
    runner: SceneRunner, session: SceneSession, request: m.Execute, answer: Answer
) -> None:
    """Put the scene to its beginning; built anew where nothing else helps."""
    if session.problem or session.wanted != dict(session.settings):
        runner.reopen()
        if runner.session is not None:
            runner.session.repeat.touch()
        answer(m.Reply(id=request.id, ok=True))
        return

    def done(future: Future[None]) -> None:
        try:
            future.result()
            answer(m.Reply(id=request.id, ok=True))
        except (Exception, CancelledError) as error:
            text = str(error) or "the scene was closed"
            answer(m.Reply(id=request.id, ok=False, message=text))

    session.reset(done)


def _set_pace(session: SceneSession, pace: float | None) -> None:
    if pace is not None and not SLOWEST <= pace <= FASTEST:
        raise RequestFieldError(
            "pace", f"expected {SLOWEST} to {FASTEST:g}, got {pace}"
        )
    session.live.run.do(controls.SetPaceRequest(pace=pace))
    session.pace = pace


# -- time ------------------------------------------------------------------------------


def continue_from(session: SceneSession, tick: int) -> int:
    """Put a scene back to a tick and let it go on from there; return the tick.

    The nearest kept moment before it is restored, and what happened between is done
    again: it comes out the same.

    Raises:
        RewindError: If that is not possible, with the reason.
    """
    run = session.live.run
    kept = [moment for moment in run.history.ticks if moment <= tick]
    if tick > run.clock.tick:
        raise RewindError(
            f"tick {tick} is still to come; the run is at {run.clock.tick}"
        )
    if not kept:
        raise RewindError(_why_not(session, tick))
    run.do(controls.RewindRequest(tick=kept[-1]))
    run.do(controls.SetPaceRequest(pace=None))
    try:
        session.look()
        while run.clock.tick + run.clock.stride <= tick:
            run.tick()
            session.look()
    finally:
        run.do(controls.SetPaceRequest(pace=session.pace))
    session.feeds.say(f"goes on from {run.time:.3f} s", source="page")
    return run.clock.tick


def _why_not(session: SceneSession, tick: int) -> str:
    run = session.live.run
    if not session.can_be_resumed:
        busy = [host.name for host in run.executors if str(host.state) != "idle"]
        return (
            f"{', '.join(busy)} cannot be taken back: a program in the middle of its "
            "work remembers what has not happened yet. Stop it and choose a moment at "
            "which it stood, or Reset"
        )
    ticks = run.history.ticks
    if not ticks:
        return "no moment of this run can be gone on from yet"
    first = ticks[0] * run.clock.step_ns / 1e9
    return (
        f"tick {tick} lies before the first moment that can be gone on from, "
        f"{first:.2f} s: controllers were at work then, or it is too long ago"
    )


# -- input -----------------------------------------------------------------------------


def _press(session: SceneSession, name: str, values: dict[str, Any]) -> str:
    """Press a button of the scene or do an action of its exhibit."""
    presses = {item.name: item.press for item in session.live.buttons}
    said = ""
    if name in presses:
        presses[name]()
    else:
        said = session.publisher.press(name, values)
    session.note_input()
    return said


def _send_line(session: SceneSession, robot: int, text: str) -> None:
    _check_text(text)
    robots = session.live.robots
    if robot not in robots:
        message = f"no controller with number {robot} takes typed lines"
        raise RequestFieldError("robot", message)
    if session.live.send_line is not None:
        session.live.send_line(robot, text)
    else:
        session.live.run.do(controls.SendLineRequest(line=text, instance=robot))
    session.note_input()


def _send_trigger(session: SceneSession, receiver: int, text: str) -> None:
    _check_text(text)
    if receiver < -1:
        raise RequestFieldError(
            "receiver", f"expected a number, 0 or more, or -1 for all, got {receiver}"
        )
    session.live.run.do(controls.SendTriggerRequest(receiver=receiver, text=text))
    session.note_input()


def _check_text(text: str) -> None:
    if len(text) > MAX_LINE:
        raise RequestFieldError("text", f"expected up to {MAX_LINE} characters")


def _set_parameter(
    runner: SceneRunner, session: SceneSession, name: str, value: float | str | bool
) -> dict[str, Any]:
    parameters = {item.name: item for item in session.scene.panel.parameters}
    if name not in parameters:
        raise NameNotFoundError("parameter", name, parameters)
    value = check_value(parameters[name], value)
    setter = session.live.setters.get(name)
    if setter is not None:
        setter(value)
        session.note_input()
    else:
        session.wanted[name] = value
    changed = tuple(
        replace(item, value=value) if item.name == name else item
        for item in session.scene.panel.parameters
    )
    panel = replace(session.scene.panel, parameters=changed)
    session.scene = replace(session.scene, panel=panel)
    runner.tell(m.ParameterChanged(scene=session.scene.number, name=name, value=value))
    note = "" if setter is not None else "takes effect after Reset"
    return {"value": value, "note": note}


def _set_repeat(session: SceneSession, request: m.SetParameter) -> None:
    """Let the scene begin anew by itself, or not."""
    if session.repeat.is_on is None:
        raise ConfigError("nothing in this scene finishes: it cannot be repeated")
    if not isinstance(request.value, bool):
        message = f"Repeat: expected true or false, got {request.value!r}"
        raise RequestFieldError("value", message)
    session.repeat.switch(request.value)


def check_value(
    parameter: m.Parameter, value: float | str | bool
) -> float | str | bool:
    """Return a value as a parameter takes it.

    Raises:
        FieldError: If it does not fit; says what would.
    """
    title = parameter.title
    if isinstance(parameter.value, bool):
        if not isinstance(value, bool):
            raise RequestFieldError(
                "value", f"{title}: expected true or false, got {value!r}"
            )
        return value
    if isinstance(parameter.value, str):
        if value not in parameter.choices and parameter.choices:
            choices = ", ".join(parameter.choices)
            raise RequestFieldError(
                "value", f"{title}: expected {choices}, got {value!r}"
            )
        return str(value)
    if isinstance(value, bool | str) or not math.isfinite(value):
        raise RequestFieldError("value", f"{title}: expected a number, got {value!r}")
    low, high = parameter.minimum, parameter.maximum
    if (low is not None and value < low) or (high is not None and value > high):
        ends = " and ".join(
            f"{word} {end:g} {parameter.unit}".rstrip()
            for word, end in (("at least", low), ("at most", high))
            if end is not None
        )
        raise RequestFieldError("value", f"{title}: expected {ends}, got {value:g}")
    return float(value)


# -- files -----------------------------------------------------------------------------


def _set_recording(
    runner: SceneRunner, session: SceneSession, is_on: bool
) -> dict[str, Any]:
    if not is_on:
        return {"files": list(session.end_recording())}
    if session.recording is None:
        session.recording = SceneRecording(
            runner.files,
            session.scene.name,
            session.live.run.bus,
            facts=session.facts,
            columns=session.scene.signals,
        )
    return {"files": []}
