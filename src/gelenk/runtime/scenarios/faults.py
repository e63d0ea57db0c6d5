"""`faults`: something breaks; it is felt, recorded, reported, and survived."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from gelenk.errors import ConfigError
from gelenk.runtime.config import setting
from gelenk.runtime.scenario import Figure, Outcome, scenario
from gelenk.runtime.scenarios import fault_stand
from gelenk.runtime.scenarios.fault_evidence import (
    SETTLE,
    Evidence,
    find_problems,
    read_evidence,
    recovery_error,
    report_delay,
)
from gelenk.sim.faults import FaultKind

if TYPE_CHECKING:
    from gelenk.runtime.recorder import Recorder
    from gelenk.sim.faults import Fault

Kind: TypeAlias = Literal["any"] | FaultKind
_TARGETS: dict[FaultKind, str] = {
    "motor_dead": "arm/shoulder",
    "joint_locked": "arm/elbow",
    "joint_limp": "boom/hinge",
    "sensor_frozen": "arm/encoders",
    "sensor_biased": "arm/encoders",
    "sensor_noisy": "arm/encoders",
    "message_lost": "heartbeat",
    "message_delayed": "heartbeat",
    "message_doubled": "heartbeat",
    "process_killed": "brain",
    "power_gone": "arm",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultsCfg:
    """The fault, and what is demanded.

    Attributes:
        kind: Kind of the fault; "any" draws one.
        start: Range of the time at which it begins [s].
        duration: Range of its duration [s].
        bias: Bias of biased encoders [rad].
        noise: Standard deviation of noisy encoders [rad].
        delay: Delay of late heartbeats [s], whole control ticks; more than the
            watchdog's deadline.
        seconds: Simulated time [s].
        step: Physics step [s].
    """

    kind: Kind = "any"
    start: tuple[float, float] = setting((0.3, 0.5), unit="s", minimum=0.1)
    duration: tuple[float, float] = setting((0.2, 0.3), unit="s", minimum=0.15)
    bias: float = setting(0.1, unit="rad")
    noise: float = setting(0.05, unit="rad", minimum=0.01)
    delay: float = setting(0.08, unit="s", minimum=0.06)
    seconds: float = setting(1.7, unit="s", minimum=0.5)
    step: float = setting(0.001, unit="s", minimum=1e-5, maximum=0.002)

    def __post_init__(self) -> None:
        for name in ("start", "duration"):
            low, high = getattr(self, name)
            if low > high:
                raise ConfigError(
                    f"{name} must go from low to high, got {low} to {high}"
                )
        needed = self.start[1] + self.duration[1] + SETTLE + 0.05
        if self.seconds < needed:
            raise ConfigError(
                f"`seconds` must be at least {needed:g} s, so that the arm can recover "
                f"from the latest fault, got {self.seconds}"
            )


@scenario(
    "faults",
    config=FaultsCfg,
    figures={
        "problems": Figure(help="number of things that were not as they should be"),
        "report_delay": Figure(unit="s", help="from the fault to the word about it"),
        "recovery_error": Figure(unit="rad", help="of the arm, some time after it"),
    },
    warm_up=lambda: _warm_up(),
)
def faults(config: FaultsCfg, seed: int, recorder: Any) -> Outcome:
    """Break something in a running stand: it is felt, recorded and survived.

    An arm with torque servos sways, driven by a process of its own; a boom with an
    ideal motor sways beside it; a watchdog waits for heartbeats. The fault must have
    exactly the effect that its name says (a limp boom falls like a free rod, a noisy
    encoder has that much noise), be announced in the recording at its start and its
    end, alarm the watchdog if heartbeats fail, and leave everything running after it.
    All this is judged by the recording alone.
    """
    fault = _draw(config, seed)
    with tempfile.TemporaryDirectory(prefix="gelenk-faults-") as folder:
        seen = _try(config, fault, seed, recorder, Path(folder) / "run.mcap")
    problems = find_problems(seen, config.seconds)
    figures = {
        "problems": float(len(problems)),
        "report_delay": report_delay(seen),
        "recovery_error": recovery_error(seen),
    }
    reason = f"{fault.kind}: {'; '.join(problems)}" if problems else ""
    return Outcome(ok=not problems, figures=figures, reason=reason)


def _draw(config: FaultsCfg, seed: int) -> Fault:
    """Return the fault of a seed; its times are whole physics ticks."""
    from gelenk.sim.faults import FAULT_KINDS, Fault

    rng = np.random.default_rng(seed)
    drawn = FAULT_KINDS[rng.integers(len(FAULT_KINDS))]
    kind = drawn if config.kind == "any" else config.kind
    start, duration = (
        round(rng.uniform(*limits) / config.step) * config.step
        for limits in (config.start, config.duration)
    )
    amounts = {
        "sensor_biased": config.bias,
        "sensor_noisy": config.noise,
        "message_delayed": config.delay,
    }
    return Fault(
        kind=kind,
        target=_TARGETS[kind],
        start=start,
        duration=duration,
        amount=amounts.get(kind, 0.0),
    )


def _try(
    config: FaultsCfg, fault: Fault, seed: int, recorder: Recorder | None, spare: Path
) -> Evidence:
    """Run the stand and return its recording, which goes to `spare` if nowhere else."""
    from gelenk.runtime.recorder import Recorder

    own = Recorder(spare) if recorder is None else recorder
    try:
        _run(config, fault, seed, own)
        own.flush()
        return read_evidence(own.path, fault)
    finally:
        if recorder is None:
            own.close()


def _run(config: FaultsCfg, fault: Fault, seed: int, recorder: Recorder) -> None:
    from gelenk.runtime.bus import Bus
    from gelenk.runtime.run import Run

    with (
        fault_stand.make_world((), seed, config.step) as world,
        Run(
            world,
            fault_stand.make_controllers(),
            bus=Bus({"stand": fault_stand.StandState}),
            recorder=recorder,
            period=fault_stand.PERIOD,
            faults=[fault],
            publishers=[fault_stand.publish_state],
        ) as run,
    ):
        run.watchdogs.add("heartbeat", fault_stand.DEADLINE)
        run.run(config.seconds)


def _warm_up() -> None:
    """Load and compile what a trial needs, but start no process."""
    with fault_stand.make_world((), 0, FaultsCfg().step) as world:
        world.step()
        world.read("arm/encoders")
