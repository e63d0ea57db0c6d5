"""A whole calibration in the simulated world, from the bumper to the verdict."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from gelenk.robots.nao import config
from gelenk.robots.nao.automaton import AutomatonState
from gelenk.robots.nao.cognition import CognitionCfg, Leading, cognition_process
from gelenk.robots.nao.errors import NaoErrors
from gelenk.robots.nao.fit import Fit
from gelenk.robots.nao.limbs import SENSED, motion_process, motor_provider, sense
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
from gelenk.runtime.recorder import Recorder
from gelenk.runtime.run import Run
from gelenk.sim.faults import Fault

_PRESS_AT, _RELEASE_AT = 0.3, 0.6  # [s]


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
    """

    level: Level = 1
    light: str = "711lx"
    seed: int = 0
    cognition: CognitionCfg = field(default_factory=CognitionCfg)
    world: NaoWorldCfg = field(default_factory=NaoWorldCfg)
    faults: tuple[Fault, ...] = ()
    is_started: bool = True


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


class Session:
    """A NAO in its world with everything that calibrates it; use as a context manager.

    Args:
        errors: What is wrong with it; only the world knows.
        program: Motions, with those of the calibration.
        cfg: Situation and settings.
        recorder: Gets every message, images included.
        publishers: Called in every control tick, as `Run` takes them.
    """

    def __init__(
        self,
        errors: NaoErrors,
        program: MotionProgram,
        cfg: SessionCfg | None = None,
        *,
        recorder: Recorder | None = None,
        publishers: Iterable[Callable[[Any], None]] = (),
    ) -> None:
        self.cfg = cfg = cfg or SessionCfg()
        self.problem = nao_problem()
        self.world, self.names = make_world(
            errors, light=cfg.light, level=cfg.level, seed=cfg.seed, cfg=cfg.world
        )
        model = self.problem.model
        self._pressed = 0
        publish: list[Callable[[Any], None]] = [sense(self.names, model), *publishers]
        if cfg.is_started:
            publish.insert(0, self._press)
        bus = Bus()
        for topic, kind in SENSED.items():
            bus.declare(topic, kind)
        self.run = Run(
            self.world,
            (
                motion_process(program, encoder_step=cfg.cognition.fit.encoder_step),
                cognition_process(cfg.cognition, self.problem),
                motor_provider(self.names, model),
            ),
            bus=bus,
            period=config.MOTION_PERIOD,
            recorder=recorder,
            faults=cfg.faults,
            publishers=publish,
        )

    def _press(self, view: Any) -> None:
        """Press the bumper once, as the person does who starts the calibration."""
        if self._pressed == 0 and view.time >= _PRESS_AT:
            press_bumper(self.world, self.names, "left")
            self._pressed = 1
        elif self._pressed == 1 and view.time >= _RELEASE_AT:
            release_bumper(self.world, self.names)
            self._pressed = 2

    @property
    def leading(self) -> Leading:
        """What the calibrator knows now."""
        return self._cognition.states[1]

    @property
    def searches(self) -> int:
        """Images searched so far."""
        return self._cognition.states[0].calls

    @property
    def _cognition(self) -> Any:
        host = next(host for host in self.run.hosts if host.name == "Cognition")
        return host.value  # type: ignore[attr-defined]

    def finish(
        self,
        timeout: float = 1200.0,
        progress: Callable[[AutomatonState], None] | None = None,
    ) -> Outcome:
        """Let time pass until there is a verdict.

        Args:
            timeout: Longest simulated time [s].
            progress: Called ten times per simulated second.
        """
        begin = time.perf_counter()
        ticks = 10
        while not self.leading.automaton.is_over and self.world.time < timeout:
            if not self.cfg.is_started and self.world.time > 2.0:
                break
            for _ in range(ticks):
                self.run.tick()
            if not self.run.is_active:
                break  # a process has ended by an exception, which it has told
            if progress is not None:
                progress(self.leading.automaton)
        state = self.leading.automaton
        return Outcome(
            automaton=state,
            fit=self.leading.fit,
            simulated=state.duration,
            searches=self.searches,
            seconds=time.perf_counter() - begin,
        )

    def close(self) -> None:
        """Free the world."""
        self.run.close()
        self.world.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
