"""Tests of motion tasks and limits: Jacobians by differences, optima by their laws."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize

import gelenk
from gelenk.collision import Scene
from gelenk.control import (
    AccelerationLimit,
    CollisionLimit,
    ComTask,
    ConfigurationLimit,
    CouplingTask,
    DampingTask,
    FrameTask,
    LookAtTask,
    ManipulabilityTask,
    MotionStatus,
    PlaneLimit,
    PostureTask,
    RobotPosture,
    VelocityLimit,
    solve_motion,
)
from gelenk.control.motion_tasks import MotionTask
from gelenk.errors import ConfigError, NameNotFoundError, ShapeError
from gelenk.kinematics.configuration import integrate
from gelenk.models import JointType
from gelenk.sim import Box
from gelenk.spatial import se3

PANDA = gelenk.load("panda")
NAO = gelenk.load("nao")
NAO = replace(NAO, joint_type=np.array([int(JointType.FLOATING), *NAO.joint_type[1:]]))
HOME = PANDA.home_configuration


def near_home(rng, spread=0.4):
    q = HOME + rng.normal(0.0, spread, 7)
    return np.clip(q, PANDA.limits[0] + 0.1, PANDA.limits[1] - 0.1)


def by_differences(task, model, q, h=1e-6):
    columns = []
    for direction in np.eye(model.nv):
        ends = [
            task.evaluate(
                RobotPosture(model, integrate(model, q, sign * h * direction, 1.0))
            )[0]
            for sign in (1.0, -1.0)
        ]
        columns.append((ends[0] - ends[1]) / (2 * h))
    return np.array(columns).T


def tasks_of_panda(rng):
    return [
        FrameTask(target=PANDA.forward(near_home(rng)), orientation_weight=0.3),
        FrameTask(frame="link_5", target=se3.exp(rng.normal(0, 0.3, 6)), position_weight=[1, 0, 2]),
        FrameTask(reference="link_3", target=se3.exp(rng.normal(0, 0.3, 6))),
        PostureTask(target=HOME, weight=rng.uniform(0.1, 1.0, 7)),
        ComTask(target=[0.1, 0.0, 0.4], weight=[1.0, 2.0, 0.0]),
        CouplingTask(factors={"joint_1": 1.0, "joint_6": -2.0}, value=0.2),
        ManipulabilityTask(wanted=10.0),
    ]  # fmt: skip


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", range(7))
def test_jacobians_of_tasks_are_those_of_finite_differences(seed, kind) -> None:
    rng = np.random.default_rng(seed)
    task = tasks_of_panda(rng)[kind]
    q = near_home(rng)
    J = task.evaluate(RobotPosture(PANDA, q))[1]
    assert np.allclose(J, by_differences(task, PANDA, q), atol=2e-6)


def test_jacobians_of_tasks_of_a_floating_base_are_those_of_finite_differences() -> (
    None
):
    rng = np.random.default_rng(0)
    q = integrate(NAO, NAO.home_configuration, rng.normal(0.0, 0.3, NAO.nv), 1.0)
    assert NAO.has_floating_base
    for task in (
        FrameTask(frame="l_sole", target=se3.exp(rng.normal(0, 0.5, 6))),
        ComTask(target=[0.0, 0.0, 0.3]),
    ):
        J = task.evaluate(RobotPosture(NAO, q))[1]
        assert np.allclose(J, by_differences(task, NAO, q), atol=1e-5)


def test_the_error_of_a_frame_is_the_screw_to_its_target() -> None:
    rng = np.random.default_rng(1)
    for _ in range(50):
        q, T = near_home(rng), se3.exp(rng.normal(0.0, 1.0, 6))
        error = FrameTask(target=T).evaluate(RobotPosture(PANDA, q))[0]
        expected = se3.log(se3.inverse(PANDA.forward(q)) @ T)
        assert np.allclose(error, expected, atol=1e-9)


def test_half_turns_have_an_error_of_half_a_turn() -> None:
    T = PANDA.forward(HOME)
    for axis in np.eye(3):
        turned = T @ se3.exp([0, 0, 0, *(np.pi * axis)])
        error = FrameTask(target=turned).evaluate(RobotPosture(PANDA, HOME))[0]
        assert np.linalg.norm(error[3:]) == pytest.approx(np.pi)


def test_a_step_is_the_optimum_of_its_quadratic_program() -> None:
    """SciPy's solver knows nothing of ours."""
    rng = np.random.default_rng(2)
    for _ in range(5):
        q = near_home(rng)
        tasks = tasks_of_panda(rng)[:4]
        dt, limits = 0.02, [ConfigurationLimit(), VelocityLimit(velocity=0.8)]
        step = solve_motion(PANDA, q, tasks, dt=dt, limits=limits)

        def cost(dq, q=q, tasks=tasks):
            at = RobotPosture(PANDA, q)
            pairs = [task.evaluate(at) for task in tasks]
            return sum(0.5 * np.sum((J @ dq + e) ** 2) for e, J in pairs)

        low = np.maximum(0.95 * (PANDA.limits[0] - q), -0.8 * dt)
        high = np.minimum(0.95 * (PANDA.limits[1] - q), 0.8 * dt)
        best = minimize(
            cost, np.zeros(7), bounds=list(zip(low, high, strict=True)), tol=1e-14
        )
        assert cost(step.qd * dt) <= best.fun + 1e-9
        assert (np.abs(step.qd) <= 0.8 + 1e-9).all()


def test_repeated_steps_reach_the_target_within_the_limits() -> None:
    rng = np.random.default_rng(3)
    limits = [ConfigurationLimit(), VelocityLimit()]
    for _ in range(10):
        q, target = near_home(rng), PANDA.forward(near_home(rng))
        tasks = [FrameTask(target=target), PostureTask(target=HOME, weight=1e-3)]
        for _ in range(400):
            step = solve_motion(PANDA, q, tasks, dt=0.02, limits=limits)
            assert (np.abs(step.qd) <= PANDA.max_velocity[PANDA.joint_ids] + 1e-9).all()
            q = step.q
            assert (q >= PANDA.limits[0] - 1e-9).all()
            assert (q <= PANDA.limits[1] + 1e-9).all()
        assert np.abs(PANDA.forward(q) - target).max() < 2e-3


def test_a_camera_looks_at_the_point() -> None:
    q, point = HOME, np.array([0.6, 0.3, 0.1])
    for _ in range(200):
        q = solve_motion(
            PANDA,
            q,
            [LookAtTask(point=point, gain=0.3), PostureTask(target=HOME, weight=1e-3)],
            dt=0.05,
            limits=[ConfigurationLimit()],
        ).q
    T = PANDA.forward(q)
    way = point - T[:3, 3]
    assert T[:3, 2] @ way / np.linalg.norm(way) > 1.0 - 1e-5


def test_a_lower_level_does_not_disturb_a_higher_one() -> None:
    rng = np.random.default_rng(4)
    q = near_home(rng)
    first = FrameTask(target=PANDA.forward(near_home(rng)), gain=0.1)
    posture = PostureTask(target=near_home(rng), weight=100.0)
    alone = solve_motion(PANDA, q, [first], dt=0.1)
    both = solve_motion(PANDA, q, [[first], [posture]], dt=0.1)
    J = PANDA.jacobian(q)
    assert np.allclose(J @ both.qd, J @ alone.qd, atol=1e-6)
    error = posture.evaluate(RobotPosture(PANDA, q))[0]
    assert both.qd @ error > alone.qd @ error  # and it does what is left to it


def test_a_plane_is_not_crossed() -> None:
    q = HOME
    target = PANDA.forward(q)
    height = target[2, 3] - 0.05
    target[2, 3] -= 0.3
    wall = PlaneLimit(point=[0.0, 0.0, height], normal=[0.0, 0.0, 1.0])
    for _ in range(300):
        q = solve_motion(
            PANDA, q, [FrameTask(target=target)], dt=0.02,
            limits=[wall, ConfigurationLimit(), VelocityLimit()],
        ).q  # fmt: skip
        assert PANDA.forward(q)[2, 3] > height - 1e-4
    assert PANDA.forward(q)[2, 3] < height + 1e-3


def test_pairs_of_a_scene_keep_their_distance() -> None:
    box = Box(name="box", size=(0.2, 0.2, 0.2), position=(0.55, 0.0, 0.25))
    scene = Scene(PANDA, [box], shapes="visual")
    q, target = HOME, PANDA.forward(HOME)
    target[:3, 3] = [0.6, 0.0, 0.25]  # inside of the box
    limits = [CollisionLimit(scene=scene, least=0.02), ConfigurationLimit(), VelocityLimit()]  # fmt: skip
    tasks = [FrameTask(target=target), PostureTask(target=HOME, weight=1e-2)]
    nearest = np.inf
    for _ in range(300):
        q = solve_motion(PANDA, q, tasks, dt=0.02, limits=limits).q
        nearest = min(nearest, scene.distance(q).distance.min())
    assert nearest > 0.015  # a step is a straight line, distances are not
    assert nearest < 0.03  # and it goes as near as it may
    with pytest.raises(ConfigError, match="`least` must be"):
        CollisionLimit(scene=scene, least=0.2)


def test_speeds_change_no_faster_than_allowed() -> None:
    before = np.full(7, 0.2)
    step = solve_motion(
        PANDA, HOME, [PostureTask(target=HOME - 1.0, weight=1.0)], dt=0.01,
        limits=[AccelerationLimit(acceleration=3.0, velocity=before)],
    )  # fmt: skip
    assert np.allclose(step.qd, 0.2 - 0.03)


def test_limits_that_exclude_each_other_are_told() -> None:
    walls = [
        PlaneLimit(point=[0, 0, 5.0], normal=[0, 0, 1.0]),
        PlaneLimit(point=[0, 0, -5.0], normal=[0, 0, -1.0]),
        VelocityLimit(),
    ]
    step = solve_motion(PANDA, HOME, [DampingTask()], dt=0.01, limits=walls)
    assert step.status is MotionStatus.INFEASIBLE
    assert not step.qd.any()
    assert np.array_equal(step.q, HOME)


def test_a_task_of_ones_own_is_solved_like_any_other() -> None:
    class Elbow:
        gain, damping = 1.0, 0.0

        def evaluate(self, at):
            J = np.zeros((1, at.model.nv))
            J[0, 3] = -1.0
            return np.array([-1.5 - at.q[3]]), J

    assert isinstance(Elbow(), MotionTask)
    step = solve_motion(PANDA, HOME, [Elbow(), DampingTask(weight=1e-6)], dt=1.0)
    assert step.q[3] == pytest.approx(-1.5)


def test_mistakes_are_told() -> None:
    with pytest.raises(ConfigError, match="`tasks` is empty"):
        solve_motion(PANDA, HOME, [], dt=0.01)
    with pytest.raises(ConfigError, match="`dt` must be a time > 0"):
        solve_motion(PANDA, HOME, [DampingTask()], dt=0.0)
    with pytest.raises(ConfigError, match="`gain` must be between 0 and 1"):
        FrameTask(gain=2.0)
    with pytest.raises(ShapeError):
        FrameTask(target=np.eye(3))
    with pytest.raises(NameNotFoundError):
        solve_motion(PANDA, HOME, [FrameTask(frame="nose")], dt=0.01)
    with pytest.raises(NameNotFoundError):
        solve_motion(PANDA, HOME, [CouplingTask(factors={"nose": 1.0})], dt=0.01)
