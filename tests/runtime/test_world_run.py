"""Runs over the simulated world: zones, motors, belts, rewinding, reset."""

from __future__ import annotations

import math

import numpy as np
import pytest

import gelenk
from gelenk.runtime.controller import Controller, PureController
from gelenk.runtime.controls import ResetRequest, RewindRequest
from gelenk.runtime.run import Run
from gelenk.runtime.triggers import ZoneTrigger
from gelenk.sim import Ball, Conveyor, Ground, IdealMotor, Robot, World
from gelenk.sim.objects import RectOutline
from gelenk.sim.zones import CircleZone, LightBarrier

pytestmark = pytest.mark.slow

FALL = 1.0  # [m], from the ball's start to the top of the volume
TOP = 0.3  # [m]
TARGET = np.array([0.3, 0.2, -0.5])  # [rad]


class Hearer(Controller):
    def __init__(self) -> None:
        self.heard: list[tuple[float, str]] = []

    def run(self) -> None:
        self.wait_until(lambda: len(self.heard) >= 2)

    def receive_trigger(self, trigger: str) -> None:
        self.heard.append((self.time, trigger))


class Mover(Controller):
    """Moves the arm to a target, and starts a belt when it is there."""

    def run(self) -> None:
        self.command("arm", TARGET)
        self.arrived = self.wait_motion("arm", timeout=5.0), self.time
        self.send_trigger(50, "RUN")
        self.sleep(0.5)


def make_world() -> World:
    world = World(seed=3)
    world.add(Ground())
    motor = IdealMotor(max_speed=1.5)
    world.add(Robot(name="arm", model=gelenk.load("simple_arm"), motors=motor))
    world.add(
        Ball(
            name="ball",
            radius=0.05,
            mass=0.2,
            position=(2.0, 0.0, TOP + FALL),
            velocity=(1.0, 0.0, 0.0),
            restitution=0.8,
        )
    )
    world.add(
        Conveyor(
            name="belt",
            plan=RectOutline(center=(-2.0, 0.0), size=(2.0, 0.5)),
            h1=0.2,
            h2=0.2,
            speed=0.4,
            running=False,
        )
    )
    world.add(Ball(name="cargo", radius=0.05, mass=0.2, position=(-2.5, 0.0, 0.25)))
    volume = CircleZone(
        name="volume", on="enter", center=(2.5, 0), radius=0.5, heights=(-1, TOP)
    )
    world.add(volume)
    world.add(LightBarrier(name="gate", start=(2.25, -1.0), end=(2.25, 1.0)))
    world.add(LightBarrier(name="wrong way", start=(2.25, 1.0), end=(2.25, -1.0)))
    return world


TRIGGERS = (
    ZoneTrigger(zone="volume", receiver=0, text="down"),
    ZoneTrigger(zone="gate", receiver=0, text="past"),
    ZoneTrigger(zone="wrong way", receiver=0, text="never"),
)


@pytest.mark.capability("AB-09", "AB-169")
def test_a_falling_ball_tells_a_controller_when_it_comes():
    hearer = Hearer()
    with make_world() as world, Run(world, [hearer], zone_triggers=TRIGGERS) as run:
        assert run.run_until_idle(1.0)

    # Free fall: past the gate at 0.25 s, into the volume after sqrt(2 h / g) = 0.4515 s.
    fall = math.sqrt(2.0 * FALL / 9.81)
    assert [text for _, text in hearer.heard] == ["past", "down"]
    assert hearer.heard[0][0] in (0.25, 0.26)
    assert hearer.heard[1][0] == math.ceil(fall * 100) / 100


@pytest.mark.capability("AB-08", "AB-67")
def test_a_controller_moves_an_arm_and_starts_a_belt_by_a_trigger():
    mover, world = Mover(), make_world()
    belt = {
        50: lambda text: world.command_conveyor("belt", running=text == "RUN"),
    }
    with world, Run(world, [mover], receivers=belt) as run:
        start = world.joint_positions("arm")
        assert run.run_until_idle(5.0)
        carried = world.pose("cargo")[0, 3]

        has_arrived, at = mover.arrived
        way = np.abs(TARGET - start).max()
        assert has_arrived
        assert at == pytest.approx(way / 1.5, abs=0.02)
        np.testing.assert_allclose(world.joint_positions("arm"), TARGET, atol=1e-6)
        assert carried > -2.45  # it lay still before, and was carried for half a second


def sway(cfg: float, count: int, q: np.ndarray) -> tuple[int, np.ndarray]:
    return count + 1, TARGET * math.sin(0.1 * count) + 0.1 * q


def swaying() -> PureController:
    return PureController(
        name="sway",
        step=sway,
        cfg=1.0,
        initial=0,
        observe=lambda view: view.world.joint_positions("arm"),
        apply=lambda view, command: view.world.command("arm", command),
    )


def test_a_rewound_world_repeats_its_bits_and_a_reset_one_its_beginning():
    with make_world() as world, Run(world, [swaying()], history=200) as run:
        first = []
        for _ in range(150):
            run.tick()
            first.append(world.state_hash())

        for tick in (1490, 700, 20, 300):
            if tick in run.history.ticks:
                run.do(RewindRequest(tick=tick))
            run.tick()
            assert world.state_hash() == first[world.tick // 10 - 1]

        run.do(ResetRequest())
        run.tick()
        assert world.tick == 10
        with make_world() as fresh:
            fresh.step(10)
            assert world.state_hash() == fresh.state_hash()
