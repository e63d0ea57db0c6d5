"""What is measured on a world: torques, errors, currents, against other sources."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gelenk.dynamics.rnea import inverse_dynamics
from gelenk.models.loader import load
from gelenk.sim import (
    Ball,
    Conveyor,
    Ground,
    IdealMotor,
    PositionServo,
    Robot,
    TorqueServo,
    World,
)
from gelenk.sim.appearance import describe_world
from gelenk.sim.faults import Fault
from gelenk.sim.motors import Heating
from gelenk.sim.objects import RectOutline
from gelenk.sim.signals import Signals

HELD = np.array([0.4, -1.0, 0.9, 0.3, -0.5, 0.2])


class Meter:
    """Reads gauges of one kind of one robot by name."""

    def __init__(self, world: World) -> None:
        self.gauges = Signals(world, describe_world(world))

    def __call__(self, robot: str, quantity: str) -> np.ndarray:
        values = self.gauges.read()
        return np.array(
            [
                value
                for gauge, value in zip(self.gauges.signals, values, strict=True)
                if (gauge.robot, gauge.quantity) == (robot, quantity)
            ]
        )


def _arm(motor: Any, **options: Any) -> World:
    world = World()
    robot = Robot(name="arm", model=load("ur5e"), motors=motor, q=HELD, **options)
    world.add(robot)
    return world


def test_the_torque_of_a_held_arm_carries_its_weight() -> None:
    """Oracle: recursive Newton-Euler of the core, which knows nothing of the engine."""
    expected = inverse_dynamics(load("ur5e"), HELD, np.zeros(6), np.zeros(6))
    with _arm(IdealMotor(max_speed=2.0)) as world:
        meter = Meter(world)
        at_the_start = meter("arm", "torque")
        world.run(0.2)

        held = meter("arm", "torque")

    assert np.abs(expected).max() > 10.0
    np.testing.assert_allclose(held, expected, atol=1e-3)
    np.testing.assert_allclose(at_the_start, expected, atol=1e-3)


def test_a_moving_ideal_arm_bears_weight_and_coriolis_forces() -> None:
    model = load("ur5e")
    with _arm(IdealMotor(max_speed=2.0)) as world:
        meter = Meter(world)
        world.command("arm", HELD + np.array([1.0, 0.8, -0.7, 0.5, 0.4, 0.3]))
        world.run(0.1)
        # the last tick was stepped with what was at its beginning
        q, qd = world.joint_positions("arm"), world.joint_velocities("arm")
        world.step(1)

        torque = meter("arm", "torque")

    expected = inverse_dynamics(model, q, qd, np.zeros(6))
    still = inverse_dynamics(model, q, np.zeros(6), np.zeros(6))
    np.testing.assert_allclose(torque, expected, atol=2e-3)
    assert np.abs(expected - still).max() > 0.1


def test_a_position_servo_holds_the_arm_with_the_torque_of_its_spring() -> None:
    """Oracle: at rest its torque is stiffness times error, and equals the weight."""
    kp = 20_000.0
    motor = PositionServo(
        torque_limit=300.0,
        stall_current=10.0,
        rotor_inertia=0.5,
        kp=kp,
        kd=2_000.0,
    )
    with _arm(motor) as world:
        meter = Meter(world)
        world.run(3.0)
        q = world.joint_positions("arm")
        torque, error = meter("arm", "torque"), meter("arm", "error")
        current = meter("arm", "current")

    expected = inverse_dynamics(load("ur5e"), q, np.zeros(6), np.zeros(6))
    np.testing.assert_allclose(torque, expected, atol=0.02)
    np.testing.assert_allclose(kp * error, expected, atol=0.02)
    np.testing.assert_allclose(current, 10.0 * torque / 300.0, atol=1e-4)


def test_the_control_error_is_the_target_minus_the_value() -> None:
    target = HELD + np.array([0.5, -0.4, 0.3, 0.2, 0.1, -0.6])
    with _arm(IdealMotor(max_speed=0.7)) as world:
        meter = Meter(world)
        expected = np.zeros(6)
        for _ in range(4):
            world.command("arm", target)
            world.run(0.1)

            expected = target - world.joint_positions("arm")

            np.testing.assert_allclose(meter("arm", "error"), expected, atol=1e-6)
        assert np.abs(expected).max() > 0.1
        np.testing.assert_allclose(
            meter("arm", "value"), world.joint_positions("arm"), atol=1e-6
        )
        np.testing.assert_allclose(
            meter("arm", "speed"), world.joint_velocities("arm"), atol=1e-6
        )


def test_a_motor_that_is_given_a_voltage_shows_its_command_and_no_error() -> None:
    heating = Heating(
        winding_resistance=2.0, thermal_resistance=5.0, time_constant=60.0
    )
    motor = TorqueServo(
        stall_torque=200.0,
        no_load_speed=5.0,
        stall_current=10.0,
        nominal_voltage=48.0,
        rotor_inertia=0.1,
        heating=heating,
    )
    with _arm(motor) as world:
        meter = Meter(world)
        world.command("arm", [0.5, -0.25, 0.0, 0.1, 0.0, 0.0])
        before = meter("arm", "temperature")
        world.run(0.3)

        assert meter("arm", "error").size == 0
        np.testing.assert_allclose(
            meter("arm", "command"), [0.5, -0.25, 0.0, 0.1, 0.0, 0.0]
        )
        assert (meter("arm", "temperature") > before)[:2].all()


def test_a_joint_that_is_torn_off_its_motor_bears_nothing() -> None:
    with _arm(IdealMotor(max_speed=2.0)) as world:
        world.add(Fault(kind="joint_limp", target="arm/joint_2", start=0.1))
        meter = Meter(world)
        world.run(0.05)
        before = meter("arm", "torque")
        world.run(0.1)
        after = meter("arm", "torque")

    assert abs(before[1]) > 10.0
    assert after[1] == 0.0
    assert abs(after[2]) > 1.0


def test_gauges_come_by_robot_then_by_quantity_with_units() -> None:
    with World() as world:
        for name in ("one", "two"):
            world.add(
                Robot(name=name, model=load("scara"), motors=IdealMotor(max_speed=1.0))
            )
        found = Signals(world, describe_world(world)).signals

    robots = [gauge.robot for gauge in found]
    assert robots == sorted(robots)
    first = [gauge for gauge in found if gauge.robot == "one"]
    order = [gauge.quantity for gauge in first]
    n = order.count("value")
    assert order == [
        *["value"] * n, *["speed"] * n, *["torque"] * n, *["error"] * n
    ]  # fmt: skip
    units = {(gauge.kind, gauge.unit) for gauge in found}
    assert units == {
        ("angle", "rad"), ("speed", "rad/s"), ("torque", "N*m"),
        ("control error", "rad"), ("position", "m"), ("speed", "m/s"), ("force", "N"),
        ("control error", "m"),
    }  # fmt: skip
    assert len({gauge.name for gauge in found}) == len(found)


def test_a_world_without_robots_shows_its_belts_and_its_energy() -> None:
    with World() as world:
        world.add(Ground())
        world.add(Ball(name="ball", radius=0.1, mass=2.0, position=(0.0, 0.0, 1.0)))
        belt = Conveyor(
            name="belt", plan=RectOutline(center=(5.0, 0.0), size=(2.0, 0.5)), h1=0.1, h2=0.1,
            speed=0.3,
        )  # fmt: skip
        world.add(belt)
        gauges = Signals(world, describe_world(world))
        running = gauges.read()
        world.command_conveyor("belt", speed=-0.2)
        reversed_ = gauges.read()
        world.command_conveyor("belt", running=False)
        stopped = gauges.read()

    assert [gauge.name for gauge in gauges.signals] == [
        "belt belt speed [m/s]",
        "energy [J]",
    ]
    np.testing.assert_allclose(
        [running[0], reversed_[0], stopped[0]], [0.3, -0.2, 0.0], rtol=1e-6
    )
    assert running[1] == pytest.approx(2.0 * 9.81 * 1.0, rel=1e-3)


def test_reading_changes_nothing() -> None:
    with _arm(IdealMotor(max_speed=2.0)) as one, _arm(IdealMotor(max_speed=2.0)) as two:
        meter = Signals(one, describe_world(one))
        for _ in range(30):
            for world in (one, two):
                world.command("arm", np.zeros(6))
                world.step(10)
            meter.read()

        assert one.state_hash() == two.state_hash()
