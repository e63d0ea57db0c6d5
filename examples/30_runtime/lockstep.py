"""Two arms, two ways to write a controller, one clock.

The left arm is driven by a pure function that is called in every control tick; the
right one by a program that does one thing after the other and waits in between. The
world stands still while they think, so a slow machine changes nothing.
"""

from __future__ import annotations

import time

import numpy as np

import gelenk
from gelenk.runtime import Controller, PureController, Run
from gelenk.sim import IdealMotor, Robot, World
from gelenk.spatial import se3
from gelenk.typing import FloatArray

MODEL = gelenk.load("simple_arm")
HOME = MODEL.home_configuration


def sway(speed: float, t: float, q: FloatArray) -> tuple[float, FloatArray]:
    """Return the next time [s], and joint values that swing about home [rad]."""
    return t + 0.01, HOME + 0.3 * np.sin(speed * t) * np.ones(len(q))


class Waver(Controller):
    """Waves three times, each time when the last wave has ended."""

    name = "waver"
    nap = 0.0  # [s] of wall time that it wastes before each wave

    def run(self) -> None:
        for _ in range(3):
            time.sleep(self.nap)
            for side in (0.4, -0.4):
                self.command("right", HOME + np.array([side, 0.0, 0.0]))
                if not self.wait_motion("right", timeout=5.0):
                    return
            self.sleep(0.2)


def simulate(nap: float) -> tuple[str, float]:
    """Return the fingerprint of the last state and the simulated time [s]."""
    world = World(seed=1)
    for name, y in (("left", 0.5), ("right", -0.5)):
        T_world_base = se3.pose_from_rotation_translation(np.eye(3), [0.0, y, 0.0])
        motors = IdealMotor(max_speed=2.0)
        world.add(
            Robot(name=name, model=MODEL, T_world_base=T_world_base, motors=motors)
        )
    swayer = PureController(
        name="swayer",
        step=sway,
        cfg=2.0,
        initial=0.0,
        observe=lambda view: view.world.joint_positions("left"),
        apply=lambda view, q: view.world.command("left", q),
    )
    waver = Waver()
    waver.nap = nap
    with world, Run(world, [swayer, waver], period=0.01) as run:
        run.tick()  # it has started
        run.run(20.0, until=lambda: run.states["waver"] == "idle")
        return world.state_hash(), run.time


def main(headless: bool = False, steps: int | None = None) -> None:
    """Run twice, the second time with a controller that dawdles."""
    quick, end = simulate(nap=0.0)
    slow, _ = simulate(nap=0.05)
    print(f"three waves took {end:.2f} s of simulated time")
    print("a controller that dawdles changes nothing:", quick == slow)
    assert quick == slow


if __name__ == "__main__":
    main()
