"""An arm that must hold its pose although motors die and sensors lie.

A scenario: what breaks, when and for how long is drawn from the seed. Run it over many
seeds, and repeat a failing one, with

    gelenk campaign examples/30_runtime/shaky_arm.py:shaky_arm --trials 200
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

import gelenk
from gelenk.runtime import Bus, Figure, Outcome, PureController, Run, View, run_scenario
from gelenk.runtime.scenario import scenario
from gelenk.sim import Encoder, PositionServo, Robot, World, random_faults
from gelenk.sim.sensors import SensorModel
from gelenk.typing import FloatArray

TARGET = np.array([0.5, 0.4, -0.8])  # [rad]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShakyCfg:
    """How much breaks, and what is demanded.

    Attributes:
        rate: Faults per second [1/s].
        mean_duration: Mean time until one is repaired [s].
        seconds: Simulated time; nothing breaks in its last second [s].
        tolerance: Largest error at the end [rad].
    """

    rate: float = 0.5
    mean_duration: float = 0.5
    seconds: float = 5.0
    tolerance: float = 0.02


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ArmError:
    """How far the joints are from their targets."""

    error: FloatArray = field(metadata={"unit": "rad"})


def correct(
    gain: float, offset: FloatArray, q: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the integral of the error, and targets that make good for the sag."""
    offset = np.clip(offset + gain * (TARGET - q), -0.3, 0.3)
    return offset, TARGET + offset


def make_world(seed: int) -> World:
    """Return the arm with servos and an encoder."""
    world = World(seed=seed)
    angles = SensorModel(rate=100.0, noise=2e-4)
    world.add(
        Robot(
            name="arm",
            model=gelenk.load("simple_arm"),
            motors=PositionServo(kp=20.0, kd=0.6, torque_limit=3.0),
            sensors={"angles": Encoder(model=angles)},
            q=TARGET,
            colliding_links=(),
        )
    )
    return world


@scenario(
    "shaky_arm",
    config=ShakyCfg,
    figures={
        "final_error": Figure(unit="rad", help="largest joint error at the end"),
        "worst_error": Figure(unit="rad", help="largest joint error on the way"),
        "faults": Figure(help="number of faults that struck"),
    },
    acceptance=0.9,
)
def shaky_arm(config: ShakyCfg, seed: int, recorder: Any) -> Outcome:
    """Hold a pose for five seconds while motors die and sensors lie."""
    joints = [f"arm/{joint}" for joint in gelenk.load("simple_arm").joint_names]
    faults = random_faults(
        np.random.default_rng(seed),
        {
            "motor_dead": joints,
            "joint_locked": joints,
            "sensor_biased": ["arm/angles"],
            "sensor_frozen": ["arm/angles"],
        },
        config.rate,
        config.seconds - 1.0,
        mean_duration=config.mean_duration,
        amounts={"sensor_biased": 0.1},  # [rad]
    )
    errors: list[FloatArray] = []

    def watch(view: View) -> None:
        error = view.world.joint_positions("arm") - TARGET
        errors.append(error)
        view.bus.publish("arm/error", ArmError(error=error), sender="judge")

    keeper = PureController(
        name="keeper",
        step=correct,
        cfg=0.05,
        initial=np.zeros(3),
        observe=lambda view: np.nan_to_num(view.world.read("arm/angles").value),
        apply=lambda view, q: view.world.command("arm", q),
    )
    bus = Bus({"arm/error": ArmError})
    with (
        make_world(seed) as world,
        Run(
            world,
            [keeper],
            bus=bus,
            recorder=recorder,
            publishers=[watch],
            faults=faults,
        ) as run,
    ):
        world.command("arm", TARGET)
        run.run(config.seconds)
    sizes = np.abs(errors).max(axis=1)
    final, worst = float(sizes[-1]), float(sizes.max())
    struck = ", ".join(f"{fault.kind} {fault.target}" for fault in faults)
    reason = f"{final:.3f} rad off at the end, after {struck}"
    ok = final <= config.tolerance
    figures = {
        "final_error": final,
        "worst_error": worst,
        "faults": float(len(faults)),
    }
    return Outcome(ok=ok, figures=figures, reason="" if ok else reason)


def main(headless: bool = False, steps: int | None = None) -> None:
    """Run one seed and print what came of it."""
    outcome = run_scenario(shaky_arm, seed=7)
    print("met" if outcome.ok else outcome.reason)
    for name, value in outcome.figures.items():
        print(f"  {name}: {value:.4f} {shaky_arm.figures[name].unit}")


if __name__ == "__main__":
    main()
