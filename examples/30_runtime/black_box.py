"""What happened? A fault strikes, a recording tells, a second run gives the same bits.

The arm's shoulder motor dies for a moment and its encoder lies afterwards. Everything
that was said is in an MCAP file: it opens in Foxglove, in Rerun, with `gelenk replay`,
and here.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import gelenk
from gelenk.runtime import Bus, Recorder, Run, View, open_recording
from gelenk.sim import Encoder, Fault, PositionServo, Robot, World
from gelenk.typing import FloatArray

MODEL = gelenk.load("simple_arm")
FAULTS = (
    Fault(kind="motor_dead", target="arm/femur", start=0.5, duration=0.2),
    Fault(kind="sensor_biased", target="arm/angles", start=1.5, amount=0.1),
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Angles:
    """What the encoders say, and what is true."""

    measured: FloatArray = field(metadata={"unit": "rad"})
    true: FloatArray = field(metadata={"unit": "rad"})


def tell(view: View) -> None:
    """Publish the angles."""
    measured, true = view.world.read("arm/angles"), view.world.joint_positions("arm")
    view.bus.publish("angles", Angles(measured=measured.value, true=true))


def record(path: Path, seconds: float) -> None:
    """Run the arm for a while and write down what it says."""
    world = World(seed=7)
    arm = Robot(
        name="arm",
        model=MODEL,
        motors=PositionServo(kp=20.0, kd=0.6, torque_limit=3.0),
        sensors={"angles": Encoder()},
        colliding_links=(),
    )
    world.add(arm)
    bus = Bus({"angles": Angles})
    with (
        world,
        Recorder(path, {"scenario": "black_box", "seed": 7}) as recorder,
        Run(world, bus=bus, recorder=recorder, publishers=[tell], faults=FAULTS) as run,
    ):
        world.command("arm", MODEL.home_configuration)
        run.run(seconds)


def main(headless: bool = False, steps: int | None = None) -> None:
    """Record twice, look into the first recording, compare both."""
    seconds = 2.0 if steps is None else 0.01 * steps
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in ("first.mcap", "second.mcap")]
        for path in paths:
            record(path, seconds)
        with open_recording(paths[0]) as recording:
            times, true = recording.arrays("angles", "true[1]")
            _, measured = recording.arrays("angles", "measured[1]")
        lowest = int(np.argmin(true))
        print(f"shoulder falls to {true[lowest]:.2f} rad at {times[lowest]:.2f} s")
        print(f"at the end its encoder is off by {measured[-1] - true[-1]:.3f} rad")
        same = paths[0].read_bytes() == paths[1].read_bytes()
        print("both recordings are equal, byte by byte:", same)
        assert same


if __name__ == "__main__":
    main()
