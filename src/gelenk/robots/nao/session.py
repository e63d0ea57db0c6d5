"""A whole calibration in the simulated world, live or once more from its messages."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from gelenk.closing import Closing
from gelenk.robots.nao import config
from gelenk.robots.nao.automaton import AutomatonState, Phase, Verdict
from gelenk.robots.nao.cognition import HEARD, CognitionCfg, Leading, cognition_process
from gelenk.robots.nao.compensation import Compensation
from gelenk.robots.nao.errors import NaoErrors
from gelenk.robots.nao.fit import Fit
from gelenk.robots.nao.framework import (
    SENSOR_TOPICS,
    make_body,
    make_sensor_publisher,
    topics,
)
from gelenk.robots.nao.joints import Side
from gelenk.robots.nao.limbs import motion_process
from gelenk.robots.nao.motion.program import MotionProgram
from gelenk.robots.nao.parameters import nao_problem
from gelenk.robots.nao.world import (
    Level,
    NaoWorldCfg,
    make_world,
    press_bumper,
    release_bumper,
)
from gelenk.runtime.bus import Bus
from gelenk.runtime.events import CONTROLLER_TOPIC, ControllerEvent
from gelenk.runtime.executor import ControllerState
from gelenk.runtime.recorder import Recorder
from gelenk.runtime.recording import Recording
from gelenk.runtime.replay import Replay
from gelenk.runtime.run import Run
from gelenk.sim.faults import Fault

_START_AT, _PRESS_TIME = 0.3, 0.3  # [s]
_WAIT_FOR_START = 2.0  # [s]
_AFTERWARDS = 3.0  # [s] at most, until the robot is at rest after its verdict
_GOING_OFF = 0.8  # [s], until motors are off after a failure: longer than `SILENCE`
_TICKS = 10  # control ticks between two looks


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionCfg:
    """The simulated situation and the settings of the calibration.

    Attributes:
        level: Of what is simulated, see `world.make_world`.
        light: Name of the light scene.
        seed: Of all noise.
        cognition: Settings of detector, automaton and fit.
        world: What else is in the world, or missing.
        faults: What goes wrong on the way.
        is_started: Whether somebody presses the left foot's bumper.
        abort_at: When somebody presses the right foot's bumper [s].
    """

    level: Level = 1
    light: str = "711lx"
    seed: int = 0
    cognition: CognitionCfg = field(default_factory=CognitionCfg)
    world: NaoWorldCfg = field(default_factory=NaoWorldCfg)
    faults: tuple[Fault, ...] = ()
    is_started: bool = True
    abort_at: float = math.inf


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outcome:
    """What a calibration came to.

    Attributes:
        automaton: Views, missed views, verdict, trace.
        fit: Parameters; None if it did not come to that.
        simulated: From the start of the collection to the verdict [s].
        searches: Images that the detector has searched.
        seconds: Wall time of the whole run [s]; differs from run to run.
    """

    automaton: AutomatonState
    fit: Fit | None
    simulated: float
    searches: int
    seconds: float

    @property
    def verdict(self) -> Verdict:
        """How it ended."""
        return self.automaton.verdict


class Session(Closing):
    """A NAO in its world with everything that calibrates it; use as a context manager.

    Args:
        errors: What is wrong with it; only the world knows.
        program: Motions, with those of the calibration.
        cfg: Situation and settings.
        recorder: Gets every message, images included.
        compensation: Of an earlier calibration, applied to readings and commands.
        publishers: Called in every control tick, as `Run` takes them.
    """

    def __init__(
        self,
        errors: NaoErrors,
        program: MotionProgram,
        cfg: SessionCfg | None = None,
        *,
        recorder: Recorder | None = None,
        compensation: Compensation | None = None,
        publishers: Iterable[Callable[[Any], None]] = (),
    ) -> None:
        self.cfg = cfg = cfg or SessionCfg()
        self.problem = nao_problem()
        # Motors and sensors must know their faults before the world is built.
        surroundings = replace(cfg.world, extras=(*cfg.world.extras, *cfg.faults))
        self.world, self.names = make_world(
            errors, light=cfg.light, level=cfg.level, seed=cfg.seed, cfg=surroundings
        )
        model = self.problem.model
        sensors = make_sensor_publisher(
            model,
            self.names,
            camera=self.names.lower,
            on_demand=True,
            has_thermometers=cfg.world.heating is not None,
            compensation=compensation,
        )
        self._fingers = list(_presses(cfg))
        self._events: list[ControllerEvent] = []
        self._last = Leading()
        bus = Bus(topics(*SENSOR_TOPICS))
        bus.declare(CONTROLLER_TOPIC, ControllerEvent)
        bus.subscribe(CONTROLLER_TOPIC, self._events.append)
        self.run = Run(
            self.world,
            (
                motion_process(program, encoder_step=cfg.cognition.fit.encoder_step),
                cognition_process(cfg.cognition, self.problem),
                make_body(
                    model,
                    self.names,
                    watched=("joint_request", "motion_request"),
                    compensation=compensation,
                ),
            ),
            bus=bus,
            period=config.MOTION_PERIOD,
            # The fit takes its time, and a busy machine must not change a result.
            budget=None,
            recorder=recorder,
            publishers=[self._press, sensors, *publishers],
        )

    def _press(self, view: Any) -> None:
        """Move the finger of the person who starts and ends calibrations."""
        while self._fingers and view.time >= self._fingers[0][0]:
            _, side = self._fingers.pop(0)
            if side is None:
                release_bumper(self.world, self.names)
            else:
                press_bumper(self.world, self.names, side)

    @property
    def leading(self) -> Leading:
        """What the calibrator knows; after its end, what it knew."""
        if self._host("Cognition").state is ControllerState.RUNNING:
            self._last = self._host("Cognition").value.states[1]
        return self._last

    @property
    def searches(self) -> int:
        """Images searched so far."""
        return self._host("Cognition").value.states[0].calls

    def _host(self, name: str) -> Any:
        return next(host for host in self.run.executors if host.name == name)

    def finish(
        self,
        timeout: float = 1200.0,
        progress: Callable[[AutomatonState], None] | None = None,
    ) -> Outcome:
        """Let time pass until there is a verdict, and the robot is at rest.

        Args:
            timeout: Longest simulated time [s].
            progress: Called ten times per simulated second.
        """
        begin = time.perf_counter()
        state = self.leading.automaton
        while not state.is_over and self.world.time < timeout:
            self._tick()
            state = self._judged(self.leading.automaton)
            if progress is not None:
                progress(state)
            if state.phase is Phase.IDLE and self.world.time > _WAIT_FOR_START:
                break
        if not state.is_over and state.phase is not Phase.IDLE:
            reason = f"no verdict after {timeout:g} s"
            state = _ended(state, Verdict.TIMED_OUT, reason, self.world.time)
        outcome = Outcome(
            automaton=state,
            fit=self.leading.fit,
            simulated=state.duration,
            searches=self.searches,
            seconds=time.perf_counter() - begin,
        )
        self._come_to_rest()
        return outcome

    def _tick(self) -> None:
        for _ in range(_TICKS):
            self.run.tick()

    def _judged(self, state: AutomatonState) -> AutomatonState:
        """Return the calibrator's state, with a verdict if a process has ended."""
        dead = self._dead()
        if not dead or state.is_over:
            return state
        why = [event.reason for event in self._events if event.controller == dead[0]]
        text = f"{dead[0]}: {why[-1] if why else 'ended'}"
        return _ended(state, Verdict.PROCESS_ENDED, text, self.world.time)

    def _come_to_rest(self) -> None:
        """Let the robot reach the end of its move, or its motors go off."""
        start = self.world.time
        while self.world.time < start + _AFTERWARDS:
            self._tick()
            joints = self.run.bus.latest("filtered_joint_data")
            is_at_rest = joints is None or not math.isnan(joints.still_since)
            request = self.run.bus.latest("motion_request")
            is_off = self._dead() or (request is not None and request.is_off)
            if (is_at_rest or is_off) and self.world.time > start + _GOING_OFF:
                break

    def _dead(self) -> list[str]:
        """Return the names of processes that have ended."""
        return [
            host.name
            for host in self.run.executors
            if host.state is not ControllerState.RUNNING
        ]

    def close(self) -> None:
        """Free the world."""
        self.run.close()
        self.world.close()


def _presses(cfg: SessionCfg) -> Iterable[tuple[float, Side | None]]:
    """Yield when which bumper is pressed [s]; None: the finger is taken away."""
    if cfg.is_started:
        yield _START_AT, "left"
        yield _START_AT + _PRESS_TIME, None
    if math.isfinite(cfg.abort_at):
        yield cfg.abort_at, "right"
        yield cfg.abort_at + _PRESS_TIME, None


def _ended(
    state: AutomatonState, verdict: Verdict, reason: str, now: float
) -> AutomatonState:
    """Return a state to which somebody else than the automaton has put an end."""
    trace = (*state.trace, (now, Phase.FAIL.value))
    return replace(
        state,
        phase=Phase.FAIL,
        since=now,
        ended=now,
        verdict=verdict,
        reason=reason,
        trace=trace,
    )


def rerun_calibration(
    recording: Recording,
    cfg: CognitionCfg,
    *,
    recorder: Recorder | None = None,
) -> Leading:
    """Return what the calibrator makes of a recorded run.

    Args:
        recording: Of a `Session`, with its images.
        cfg: Settings; those of the recorded run give its result.
        recorder: Gets every message of the second run.
    """
    replay = Replay(recording, topics(*HEARD), period=config.MOTION_PERIOD)
    with Run(
        replay,
        [cognition_process(cfg)],
        bus=replay.bus,
        step=replay.period,
        period=replay.period,
        budget=None,
        recorder=recorder,
        publishers=[replay.publish],
    ) as run:
        cognition: Any = run.executors[0]
        leading = Leading()
        end = replay.duration
        while run.time < end and not leading.automaton.is_over:
            run.tick()
            if cognition.state is ControllerState.RUNNING:
                leading = cognition.value.states[1]
        return leading
