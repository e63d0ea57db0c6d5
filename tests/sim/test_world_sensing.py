"""Sensors of a world against what the world itself says about motion."""

from __future__ import annotations

import numpy as np
import pytest

from gelenk.models.assembler import assemble
from gelenk.models.link import Geometry, JointType, Link
from gelenk.models.tree import RobotModel
from gelenk.sim import Ball, IdealMotor, Robot, World, WorldConfig
from gelenk.sim.sensors import Encoder, Imu, SensorModel, TouchSwitch

STEP = 0.001
LATENCY, NOISE = 0.012, 0.02  # [s], [m]
PLATE, BALL = 2.0, 0.5  # [kg]


def plate_model() -> RobotModel:
    """Return a plate that slides up and down."""
    shape = Geometry(kind="box", size=(0.4, 0.4, 0.05), role="collision")
    return assemble(
        "plate",
        [
            Link(name="rail"),
            Link(
                name="plate",
                parent="rail",
                joint="slide",
                joint_type=JointType.PRISMATIC,
                axis=(0.0, 0.0, 1.0),
                mass=PLATE,
                inertia=np.eye(3) * 0.02,
                geometry=(shape,),
            ),
        ],
    )


def test_a_reading_is_the_truth_of_then_with_the_noise_that_was_ordered() -> None:
    sensors = {"slide": Encoder(model=SensorModel(latency=LATENCY, noise=NOISE))}
    with World(WorldConfig(step=STEP), seed=3) as world:
        motor = IdealMotor(max_speed=0.7)
        world.add(
            Robot(name="lift", model=plate_model(), motors=motor, sensors=sensors)
        )
        world.command("lift", [5.0])
        truth, errors = [world.joint_positions("lift")[0]], []
        for _ in range(2000):
            world.step()
            truth.append(world.joint_positions("lift")[0])
            reading = world.read("lift/slide")
            if reading.is_valid:
                assert reading.time == pytest.approx(world.time - LATENCY, abs=1e-9)
                then = round(reading.time / STEP)
                errors.append(reading.value[0] - truth[then])

    errors = np.array(errors)
    assert len(errors) == 2001 - round(LATENCY / STEP)
    n = len(errors)
    assert abs(errors.mean()) < 4.0 * NOISE / np.sqrt(n)
    assert errors.std() == pytest.approx(NOISE, rel=4.0 / np.sqrt(2.0 * n))
    # White: neighbours know nothing of each other.
    assert abs(np.corrcoef(errors[1:], errors[:-1])[0, 1]) < 4.0 / np.sqrt(n)


@pytest.mark.parametrize("rate", [None, 200.0])
def test_imu_and_touch_switch_feel_a_ball_that_hits_a_falling_plate(
    rate: float | None,
) -> None:
    """Both fall freely: the accelerometer reads nothing but the blow."""
    sensors = {
        "imu": Imu(
            link="plate",
            accelerometer=SensorModel(rate=rate),
            gyroscope=SensorModel(rate=rate),
        ),
        "skin": TouchSwitch(links=("plate",), threshold=1.0),
    }
    every = 1 if rate is None else round(1.0 / (rate * STEP))
    with World(WorldConfig(step=STEP)) as world:
        world.add(Robot(name="lift", model=plate_model(), sensors=sensors))
        world.add(
            Ball(
                name="ball",
                radius=0.05,
                mass=BALL,
                position=(0.0, 0.0, -0.2),
                velocity=(0.0, 0.0, 3.0),
                restitution=0.6,
            )
        )
        felt, touched, speeds = [], [], []
        for _ in range(100):
            world.step()
            touched.append(world.read("lift/skin").value[0])
            speeds.append(world.joint_velocities("lift")[0])
            if world.tick % every == 0:
                felt.append(world.read("lift/imu").value[2])
        (impact,) = world.impacts()

    jump = sum(felt) * every * STEP
    # Two free bodies: the plate takes (1 + e) v m / (m + M) of the ball's approach.
    expected = 1.6 * 3.0 * BALL / (BALL + PLATE)
    assert jump == pytest.approx(expected, rel=2e-3)
    gravity = -9.81 * STEP * len(speeds)
    assert speeds[-1] - gravity == pytest.approx(jump, rel=1e-3)
    assert np.flatnonzero(touched).tolist() == [int(impact.time // STEP)]
    assert np.count_nonzero(np.abs(felt) > 1e-6) == 1
