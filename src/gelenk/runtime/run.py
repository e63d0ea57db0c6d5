"""`Run`: a world, its controllers, and the loop that takes them through time together.

One control tick: requests from outside are carried out; messages and triggers of the
tick before are delivered; watchdogs bark; trigger handlers and then controllers have
their turns while time stands still; the world is stepped to the next control tick.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from typing import Any, assert_never

from gelenk.closing import Closing
from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.runtime import controls
from gelenk.runtime.bus import Bus
from gelenk.runtime.clock import Clock, Pacer, nanoseconds
from gelenk.runtime.controller import TriggerProcessor, View
from gelenk.runtime.controller_setup import (
    AnyController,
    configure,
    configure_processors,
    make_executors,
    wire,
)
from gelenk.runtime.controls import present_spectator
from gelenk.runtime.coroutine_thread import DEFAULT_BUDGET
from gelenk.runtime.executor import ControllerState, Executor, LifecycleEvent
from gelenk.runtime.fault_schedule import (
    ControllerFaults,
    FaultSchedule,
    distribute_faults,
)
from gelenk.runtime.lockstep import History, Lockstep, RunState
from gelenk.runtime.recorder import Recorder
from gelenk.runtime.services import Services, SteppedWorld
from gelenk.runtime.thread_executor import ProcessorExecutor, ThreadExecutor
from gelenk.runtime.triggers import Receipt, ZoneTrigger, ZoneTriggers
from gelenk.runtime.watchdog import Watchdogs
from gelenk.sim.faults import Fault

_HOLD_WAIT = 0.1  # [s] of wall time between two looks while time stands still


class Run(Closing):
    """A world and its controllers on their way through time; use as a context manager.

    Args:
        world: World to step: `gelenk.sim.World` or anything with `tick`, `step`,
            `snapshot` and `restore`.
        controllers: Controllers in the order of their instance numbers, or by number.
        bus: Bus for messages; a new one if None.
        recorder: Recorder of every message; the caller closes it.
        period: Time between two control ticks [s], a multiple of the physics step.
        step: Physics step [s]; None: that of `world.config.step`.
        pace: Simulated seconds per second of wall time; None: what a spectator
            wants, by default as fast as possible.
        budget: Wall time after which a controller that does not wait is ended [s];
            None: never.
        history: Number of control ticks that can be gone back to.
        faults: Faults in addition to those of the world; faults of motors, sensors and
            power are handed on to the world, which must not run yet. Each fault is
            announced on the topic `faults`.
        zone_triggers: Triggers that zones of the world send.
        processors: Trigger processors by number.
        receivers: Further receivers of triggers by number, such as conveyors.
        configurations: Configuration texts of controllers by instance number.
        processor_configurations: Configuration texts of trigger processors by number.
        publishers: Functions that publish data of the world, called in every control
            tick.
        autostart: Whether the controllers start in the first tick.

    Raises:
        ConfigError: If periods, names, configurations, wiring or faults do not fit.
        NameNotFoundError: If a fault strikes something that does not exist; for topics
            the first tick says so, before it steps the world.

    Example:
        >>> from gelenk.runtime import Run
        >>> from gelenk.sim import Ground, World
        >>> world = World()
        >>> _ = world.add(Ground())
        >>> with Run(world) as run:
        ...     run.run(0.05)
        ...     print(run.time)
        0.05
    """

    def __init__(
        self,
        world: SteppedWorld,
        controllers: Sequence[AnyController] | Mapping[int, AnyController] = (),
        *,
        bus: Bus | None = None,
        recorder: Recorder | None = None,
        period: float = 0.01,
        step: float | None = None,
        pace: float | None = None,
        budget: float | None = DEFAULT_BUDGET,
        history: int = 0,
        faults: Iterable[Fault] = (),
        zone_triggers: Iterable[ZoneTrigger] = (),
        processors: Mapping[int, TriggerProcessor] | None = None,
        receivers: Mapping[int, Callable[[str], None]] | None = None,
        configurations: Mapping[int, str] | None = None,
        processor_configurations: Mapping[int, str] | None = None,
        publishers: Iterable[Callable[[View], None]] = (),
        autostart: bool = True,
    ) -> None:
        clock = Clock(step=_physics_step(world, step), period=period, tick=world.tick)
        self.clock, self.bus = clock, bus if bus is not None else Bus()
        self._services = Services(world, clock, self.bus, budget=budget)
        executors = make_executors(controllers, self._services)
        programs = [
            ProcessorExecutor(item, number, self._services)
            for number, item in (processors or {}).items()
        ]
        self._lockstep = Lockstep(executors, programs, self._services)
        self.executors: tuple[Executor, ...] = self._lockstep.executors
        wire(self.executors, self.bus)
        everything = distribute_faults(faults, world, self.bus)
        self._schedule = FaultSchedule(everything, clock, self.bus)
        self._outages = ControllerFaults(everything, self.executors, self._services)
        self._register(receivers or {})
        self._zone_triggers = ZoneTriggers(zone_triggers)
        self._publishers = tuple(publishers)
        self._requests = controls.RequestQueue()
        self._spectator = present_spectator()
        if pace is None and self._spectator is not None:
            pace = self._spectator.pace
        self._pacer = Pacer(pace, sleep=self._requests.wait)
        self._is_held, self._steps_left, self._is_quitting = False, 0, False
        self._resets: list[Future[None]] = []
        self._is_resetting, self._is_closed = False, False
        services = self._services
        parts = (world, self.bus, services.triggers, services.watchdogs, self._outages)
        self._restorable = RunState(clock, parts, self.executors)
        try:
            configure(self.executors, configurations or {}, services)
            configure_processors(programs, processor_configurations or {}, services)
            if recorder is not None:
                recorder.attach(self.bus)
            self._beginning = self._restorable.take()
        except BaseException:
            self.close()
            raise
        self.history = History(history)
        if autostart:
            self.do(controls.ControlRequest(action="start"))

    # -- looking -------------------------------------------------------------------

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return self.clock.time

    @property
    def states(self) -> dict[str, ControllerState]:
        """Where each controller stands, by name."""
        return {executor.name: executor.state for executor in self.executors}

    @property
    def is_active(self) -> bool:
        """Whether a controller runs or has not yet ended."""
        return any(
            h.state not in (ControllerState.IDLE, ControllerState.PAUSED)
            for h in self.executors
        )

    @property
    def is_held(self) -> bool:
        """Whether simulated time stands still."""
        return self._is_held

    @property
    def watchdogs(self) -> Watchdogs:
        """Named deadlines: `add`, `feed`, `remove`."""
        return self._services.watchdogs

    # -- going on ------------------------------------------------------------------

    def run(
        self,
        seconds: float | None = None,
        *,
        until: Callable[[], bool] | None = None,
    ) -> None:
        """Go on for a time, until a condition holds, or until somebody quits.

        Args:
            seconds: Simulated time [s], rounded up to whole control ticks; None: no
                limit.
            until: Condition that ends the run, tested before every control tick.
        """
        end: int | None = None
        if seconds is not None:
            end = self.clock.tick + -(-nanoseconds(seconds) // self.clock.step_ns)
        self._is_quitting = False
        self._pacer.restart()
        while (end is None or self.clock.tick < end) and not (until and until()):
            self._carry_out_posted()
            if self._is_quitting:
                return
            if not self._is_held or self._steps_left > 0 or self._is_resetting:
                self._steps_left = max(self._steps_left - 1, 0)
                self.tick()
            else:
                self._requests.wait(_HOLD_WAIT)
                self._pacer.restart()

    def run_until_idle(self, timeout: float) -> bool:
        """Go on until all controllers have ended; return whether they have.

        Args:
            timeout: Longest simulated time [s].
        """
        self.run(timeout, until=lambda: not self.is_active)
        return not self.is_active

    def tick(self) -> None:
        """Do one control tick, whether time is held or not."""
        self._carry_out_posted()
        self._finish_reset()
        services, clock = self._services, self.clock
        self.history.keep(self._restorable)
        self.bus.advance(clock.time_ns)
        for publish in self._publishers:
            publish(services.view("runtime"))
        self._outages.strike(self._schedule.announce())
        services.triggers.deliver()
        services.watchdogs.check()
        self._lockstep.run_handlers()
        self._lockstep.run_controllers()
        services.world.step(clock.stride)
        self._zone_triggers.send(services.world, services.triggers)
        clock.tick = services.world.tick
        if self._spectator is not None:
            self._spectator.see(clock.time)
        self._pacer.wait(clock.time)

    # -- requests ------------------------------------------------------------------

    def post(self, request: controls.Request) -> Future[None]:
        """Ask for something from any thread; carried out before the next control tick.

        Returns:
            Done when it was carried out; holds the exception if it was refused.
        """
        return self._requests.post(request)

    def do(self, request: controls.Request) -> None:
        """Carry a request out now; only for the thread that runs, between two ticks.

        Raises:
            NameNotFoundError: If it names a controller that does not exist.
            RewindError: If it wants to go back and that is impossible.
        """
        self._carry_out(request, Future())

    def _carry_out_posted(self) -> None:
        for request, future in self._requests.take():
            try:
                self._carry_out(request, future)
            except Exception as error:  # the one who asked is told, the run goes on
                self._services.log("warning", "request", f"refused: {error}")
                future.set_exception(error)

    def _carry_out(self, request: controls.Request, future: Future[None]) -> None:
        match request:
            case controls.ControlRequest(action=action, controller=name):
                for executor in self._find(name):
                    if action in ("pause", "stop") or self._may_start(executor):
                        executor.request(LifecycleEvent(action))
            case controls.ResetRequest():
                self._is_resetting = True
                self._resets.append(future)
                for executor in self.executors:
                    executor.request(LifecycleEvent.STOP, "reset")
                return  # the future is done when the reset is
            case controls.HoldRequest():
                self._is_held, self._steps_left = True, 0
            case controls.ProceedRequest():
                self._is_held = False
            case controls.SingleStepRequest(count=count):
                self._is_held = True
                self._steps_left += count
            case controls.SetPaceRequest(pace=pace):
                self._pacer.pace = pace
            case controls.SendTriggerRequest(receiver=receiver, text=text):
                self._services.triggers.send(receiver, text, sender="user")
            case controls.SendLineRequest(line=line, instance=instance):
                self._send_line(line, instance)
            case controls.RewindRequest(tick=tick):
                self.history.rewind(tick, self._restorable)
                self._pacer.restart()
            case controls.QuitRequest():
                self._is_quitting = True
            case _:
                assert_never(request)
        future.set_result(None)

    def _may_start(self, executor: Executor) -> bool:
        if not self._outages.allows(executor):
            self._services.log("warning", executor.name, "cannot start: a fault lasts")
            return False
        return not self._is_resetting

    def _find(self, name: str) -> Sequence[Executor]:
        if not name:
            return self.executors
        found = [executor for executor in self.executors if executor.name == name]
        if not found:
            raise NameNotFoundError("controller", name, self.states)
        return found

    def _send_line(self, line: str, instance: int) -> None:
        for executor in self.executors:
            if executor.instance == instance and isinstance(executor, ThreadExecutor):
                executor.receive_command(line)
                return
        raise ConfigError(f"no controller with number {instance} takes typed lines")

    def _finish_reset(self) -> None:
        """Put the world to its beginning once all controllers have ended."""
        if not self._is_resetting:
            return
        for executor in self.executors:
            if executor.is_late:
                executor.kill("reset")
        if any(
            executor.state is not ControllerState.IDLE for executor in self.executors
        ):
            return
        for executor in self.executors:
            if isinstance(executor, ThreadExecutor):
                executor.inbox.clear()
        self.bus.advance(max(self.clock.time_ns, self.bus.time_ns + 1))  # last words
        self._restorable.restore(self._beginning)
        for item in self._lockstep.processors:
            item.reset()
        self.history.clear()
        self._pacer.restart()
        self._is_resetting, done = False, self._resets
        self._resets = []
        for future in done:
            future.set_result(None)

    # -- the end -------------------------------------------------------------------

    def close(self) -> None:
        """End all controllers and deliver the last messages; twice does no harm."""
        if self._is_closed:
            return
        self._is_closed = True
        for executor in self.executors:
            if executor.state is not ControllerState.IDLE:
                executor.kill("the run was closed")
        self._lockstep.close()
        self._services.close()
        for _, future in self._requests.take():
            future.cancel()
        # Time must move on for the last messages to arrive.
        self.bus.advance(max(self.clock.time_ns, self.bus.time_ns + 1))

    # -- inside --------------------------------------------------------------------

    def _register(self, receivers: Mapping[int, Callable[[str], None]]) -> None:
        triggers = self._services.triggers
        for executor in self.executors:
            triggers.register(executor.instance, executor.deliver, is_controller=True)
        for item in self._lockstep.processors:
            triggers.register(item.number, item.deliver)
        for number, deliver in receivers.items():
            triggers.register(number, self._guarded(number, deliver))

    def _guarded(
        self, number: int, deliver: Callable[[str], None]
    ) -> Callable[[str, Receipt | None], None]:
        name = f"receiver {number}"
        call = self._services.call_and_report

        def deliver_guarded(text: str, receipt: Receipt | None) -> None:
            is_handled = call(name, lambda: deliver(text))
            if receipt is not None:
                receipt.note(is_handled=is_handled)

        return deliver_guarded


def _physics_step(world: object, step: float | None) -> float:
    """Return the physics step [s], by word or from the world."""
    if step is not None:
        return step
    config: Any = getattr(world, "config", None)
    if not hasattr(config, "step"):
        raise ConfigError(
            f"{type(world).__name__} has no `config.step`; give the physics step [s] "
            "as `step`"
        )
    return config.step
