"""Tests of whole-body control: equations of motion, cones, and a robot that stands."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import gelenk
from gelenk.control import (
    ComTask,
    FrameTask,
    MotionStatus,
    PointContact,
    PostureTask,
    RobotPosture,
    solve_whole_body,
)
from gelenk.dynamics import centre_of_mass
from gelenk.kinematics.configuration import integrate
from gelenk.kinematics.jacobian import point_jacobian
from gelenk.models import JointType


def floating(name):
    """A robot of the catalogue that nothing holds."""
    model = gelenk.load(name)
    kinds = model.joint_type.copy()
    kinds[0] = int(JointType.FLOATING)
    return replace(model, joint_type=kinds)


AMEE = floating("amee")
SOLES = [PointContact(frame=f"sole_{i}") for i in range(1, 5)]


def standing(seed=0):
    rng = np.random.default_rng(seed)
    return integrate(AMEE, AMEE.home_configuration, rng.normal(size=AMEE.nv), 0.02)


def contact_jacobian(q):
    return np.concatenate(
        [point_jacobian(AMEE, q, [0, 0, 0], frame=c.frame)[:3] for c in SOLES]
    )


@pytest.mark.parametrize("seed", range(3))
def test_torques_and_forces_obey_the_equations_of_motion(seed) -> None:
    rng = np.random.default_rng(seed)
    q = standing(seed)
    qd = 0.05 * rng.normal(size=AMEE.nv)
    com = centre_of_mass(AMEE, q)
    tasks = [
        ComTask(target=com + np.array([0.03, 0.0, 0.0])),
        PostureTask(target=q, weight=0.1),
    ]
    step = solve_whole_body(AMEE, q, qd, tasks, SOLES, effort=500.0)
    assert step.status is MotionStatus.SOLVED
    left = AMEE.inverse_dynamics(q, qd, step.qdd)
    right = step.tau + contact_jacobian(q).T @ step.forces.ravel()
    assert np.allclose(left, right, atol=1e-5)
    assert not step.tau[:6].any()


def test_points_that_stand_do_not_accelerate() -> None:
    q = standing()
    tasks = [ComTask(target=centre_of_mass(AMEE, q) + np.array([0.05, 0.02, 0.0]))]
    step = solve_whole_body(AMEE, q, np.zeros(AMEE.nv), tasks, SOLES, effort=500.0)
    assert np.abs(contact_jacobian(q) @ step.qdd).max() < 1e-6


def test_forces_stay_in_the_cones_and_carry_the_weight() -> None:
    q = standing()
    tasks = [ComTask(target=centre_of_mass(AMEE, q)), PostureTask(target=q, weight=0.1)]
    step = solve_whole_body(AMEE, q, np.zeros(AMEE.nv), tasks, SOLES, effort=500.0)
    assert (step.forces[:, 2] >= -1e-9).all()
    sideways = np.linalg.norm(step.forces[:, :2], axis=1)
    assert (sideways <= 0.6 * step.forces[:, 2] + 1e-6).all()
    weight = AMEE.mass.sum() * 9.81
    assert step.forces.sum(axis=0) == pytest.approx([0.0, 0.0, weight], abs=0.5)


def test_torques_stay_within_their_limits() -> None:
    q = standing()
    tasks = [ComTask(target=centre_of_mass(AMEE, q) + np.array([0.0, 0.0, 0.1]))]
    strong = solve_whole_body(AMEE, q, np.zeros(AMEE.nv), tasks, SOLES, effort=500.0)
    limit = 0.98 * np.abs(strong.tau).max()
    step = solve_whole_body(AMEE, q, np.zeros(AMEE.nv), tasks, SOLES, effort=limit)
    assert step.status is MotionStatus.SOLVED
    assert np.abs(step.tau).max() <= limit + 1e-6
    weak = solve_whole_body(AMEE, q, np.zeros(AMEE.nv), tasks, SOLES, effort=0.01)
    assert np.abs(weak.tau).max() <= 0.01 + 1e-6
    assert weak.qdd[2] < -1.0  # it sinks, and says so beforehand


def test_an_arm_under_gravity_reaches_its_target() -> None:
    """Integrated by forward dynamics, which the controller does not use."""
    arm = gelenk.load("panda")
    q, qd = arm.home_configuration, np.zeros(7)
    target = arm.forward(q)
    target[:3, 3] += [0.1, -0.1, 0.1]
    tasks = [FrameTask(target=target), PostureTask(target=q, weight=0.01)]
    h = 0.002
    for _ in range(1500):
        step = solve_whole_body(arm, q, qd, tasks)
        assert (np.abs(step.tau) <= arm.max_effort[arm.joint_ids] + 1e-6).all()
        qd = qd + h * arm.forward_dynamics(q, qd, step.tau)
        q = q + h * qd
    assert np.abs(arm.forward(q) - target).max() < 1e-3
    assert RobotPosture(arm, q).frame()[0].shape == (4, 4)
