"""Robots with ball joints against MuJoCo and against finite differences."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest

from gelenk.dynamics import forward_dynamics, inverse_dynamics, mass_matrix
from gelenk.errors import ConfigError, ModelError, ModelWarning
from gelenk.kinematics.configuration import (
    configuration_rate,
    difference,
    integrate,
    normalized,
)
from gelenk.kinematics.forward import frame_pose, link_motion
from gelenk.kinematics.jacobian import (
    frame_jacobian,
    jacobian_partials,
    jacobian_rate,
)
from gelenk.models import (
    JointType,
    Link,
    Loop,
    RobotModel,
    assemble,
    mjcf_from_model,
    model_from_urdf,
    urdf_from_model,
)
from gelenk.spatial import quaternion, se3
from gelenk.typing import FloatArray

BODIES = (  # name, parent, joint, axis, placement, mass, centre
    ("upper", "torso", "ball", None, (0.1, 0.2, 0.3), 1.3, (0.02, 0.05, -0.1)),
    ("elbow", "upper", "hinge", (0.3, 1.0, 0.2), (0.0, 0.1, -0.4), 0.8, (0.1, 0, 0.03)),
    ("rod", "elbow", "slide", (1.0, 0.0, 0.4), (0.2, 0.0, 0.0), 0.4, (0.0, 0.04, 0.0)),
    ("wrist", "rod", "ball", None, (0.05, -0.1, 0.1), 0.5, (0.03, -0.02, 0.06)),
    ("finger", "wrist", "hinge", (0.0, 0.0, 1.0), (0.0, 0.0, 0.1), 0.2, (0.05, 0, 0)),
)
TURN = quaternion.matrix_from_quaternion([0.8, 0.36, -0.48, 0.0])
INERTIA = np.array([[0.02, 0.001, 0.002], [0.001, 0.03, 0.003], [0.002, 0.003, 0.025]])
KINDS = {
    "ball": JointType.BALL,
    "hinge": JointType.REVOLUTE,
    "slide": JointType.PRISMATIC,
}


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(2711)


def make_robot(*, floats: bool) -> RobotModel:
    root = JointType.FLOATING if floats else JointType.FIXED
    links = [Link(name="torso", joint_type=root, mass=3.0, inertia=INERTIA)]
    for name, parent, kind, axis, place, mass, com in BODIES:
        T = np.eye(4)
        T[:3, :3], T[:3, 3] = TURN, place
        links.append(
            Link(
                name=name,
                parent=parent,
                joint_type=KINDS[kind],
                T_parent_joint=T,
                axis=axis or (0.0, 0.0, 1.0),
                mass=mass,
                com=com,
                inertia=mass * INERTIA,
                armature=0.01,
            )
        )
    return assemble("balls", links)


def make_engine(*, floats: bool) -> Any:
    def inertial(mass: float, com: Any, scale: float) -> str:
        full = scale * INERTIA[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
        return (
            f'<inertial mass="{mass}" pos="{" ".join(map(str, com))}" '
            f'fullinertia="{" ".join(map(str, full))}"/>'
        )

    quat = " ".join(map(str, quaternion.quaternion_from_matrix(TURN)))
    inner = ""
    for name, _, kind, axis, place, mass, com in reversed(BODIES):
        turned = f'axis="{" ".join(map(str, axis))}"' if axis else ""
        inner = (
            f'<body name="{name}" pos="{" ".join(map(str, place))}" quat="{quat}">'
            f'<joint type="{kind}" {turned} armature="0.01"/>'
            f"{inertial(mass, com, mass)}{inner}</body>"
        )
    free = "<freejoint/>" if floats else ""
    text = (
        '<mujoco><option gravity="0 0 -9.81"/><worldbody><body name="torso">'
        f"{free}{inertial(3.0, (0, 0, 0), 1.0)}{inner}</body></worldbody></mujoco>"
    )
    return mujoco.MjModel.from_xml_string(text)


def random_state(
    model: RobotModel, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray, FloatArray]:
    q = normalized(model, rng.normal(size=model.nq))
    return q, rng.normal(size=model.nv), rng.normal(size=model.nv)


def engine_velocity(
    model: RobotModel, q: FloatArray, qd: FloatArray, *, back: bool = False
) -> FloatArray:
    """Return velocities with the base's turn in its own axes, or back in the world's."""
    out = qd.copy()
    if model.has_floating_base:
        R = quaternion.matrix_from_quaternion(q[3:7])
        out[3:6] = R @ qd[3:6] if back else R.T @ qd[3:6]
    return out


@pytest.mark.parametrize("floats", [False, True])
def test_poses_jacobians_and_inertia_of_ball_joints_are_those_of_mujoco(
    floats: bool, rng: np.random.Generator
) -> None:
    model, engine = make_robot(floats=floats), make_engine(floats=floats)
    data = mujoco.MjData(engine)
    assert (model.nq, model.nv) == (engine.nq, engine.nv)
    for _ in range(5):
        q, qd, _ = random_state(model, rng)
        data.qpos[:], data.qvel[:] = q, engine_velocity(model, q, qd)
        mujoco.mj_forward(engine, data)
        for name in ("upper", "rod", "finger"):
            T = frame_pose(model, q, frame=name)
            np.testing.assert_allclose(T[:3, 3], data.body(name).xpos, atol=1e-14)
            R = data.body(name).xmat.reshape(3, 3)
            np.testing.assert_allclose(T[:3, :3], R, atol=1e-14)
            J = np.zeros((6, model.nv))
            mujoco.mj_jacBody(engine, data, J[:3], J[3:], data.body(name).id)
            twist = frame_jacobian(model, q, frame=name) @ qd
            np.testing.assert_allclose(twist, J @ data.qvel, atol=1e-13)
        M = np.zeros((model.nv, model.nv))
        mujoco.mj_fullM(engine, data, M)
        E = np.column_stack([engine_velocity(model, q, e) for e in np.eye(model.nv)])
        np.testing.assert_allclose(mass_matrix(model, q), E.T @ M @ E, atol=1e-13)


@pytest.mark.parametrize("floats", [False, True])
def test_forces_of_ball_joints_are_those_of_mujoco(
    floats: bool, rng: np.random.Generator
) -> None:
    model, engine = make_robot(floats=floats), make_engine(floats=floats)
    data = mujoco.MjData(engine)
    for _ in range(5):
        q, qd, tau = random_state(model, rng)
        data.qpos[:], data.qvel[:] = q, engine_velocity(model, q, qd)
        data.qfrc_applied[:] = engine_velocity(model, q, tau)
        mujoco.mj_forward(engine, data)
        wanted = engine_velocity(model, q, data.qacc, back=True)
        got = forward_dynamics(model, q, qd, tau)
        np.testing.assert_allclose(got, wanted, atol=1e-11)
        back = inverse_dynamics(model, q, qd, got)
        np.testing.assert_allclose(back, tau, atol=1e-12)


def test_jacobian_rates_and_partials_of_ball_joints_are_differences(
    rng: np.random.Generator,
) -> None:
    model, h = make_robot(floats=True), 1e-6
    q, qd, _ = random_state(model, rng)
    ahead, behind = integrate(model, q, qd, h), integrate(model, q, qd, -h)
    change = (frame_jacobian(model, ahead) - frame_jacobian(model, behind)) / (2 * h)
    np.testing.assert_allclose(jacobian_rate(model, q, qd), change, atol=1e-8)

    H = jacobian_partials(model, q)
    for k, e in enumerate(np.eye(model.nv)):
        ahead, behind = integrate(model, q, e, h), integrate(model, q, e, -h)
        change = (frame_jacobian(model, ahead) - frame_jacobian(model, behind)) / 2 / h
        np.testing.assert_allclose(H[..., k], change, atol=1e-8)


def test_link_motions_of_ball_joints_follow_the_jacobian(
    rng: np.random.Generator,
) -> None:
    model = make_robot(floats=False)
    q, qd, qdd = random_state(model, rng)
    twist, acceleration = link_motion(model, q, qd, qdd)
    J, J_dot = frame_jacobian(model, q), jacobian_rate(model, q, qd)
    last = model.link_id("finger")
    np.testing.assert_allclose(twist[last], J @ qd, atol=1e-13)
    np.testing.assert_allclose(acceleration[last], J @ qdd + J_dot @ qd, atol=1e-12)


def test_a_step_and_the_difference_of_two_configurations_are_inverse(
    rng: np.random.Generator,
) -> None:
    model = make_robot(floats=True)
    q, qd, _ = random_state(model, rng)
    q_end = integrate(model, q, qd, 0.3)
    np.testing.assert_allclose(difference(model, q_end, q), 0.3 * qd, atol=1e-12)
    rate = (integrate(model, q, qd, 1e-7) - integrate(model, q, qd, -1e-7)) / 2e-7
    np.testing.assert_allclose(configuration_rate(model, q, qd), rate, atol=1e-7)


def test_inverse_kinematics_reaches_poses_with_ball_joints(
    rng: np.random.Generator,
) -> None:
    model = make_robot(floats=False)
    for _ in range(10):
        q, _, _ = random_state(model, rng)
        goal = model.forward(q)
        found = model.inverse(goal)
        assert found.converged
        assert found.q.shape == (model.nq,)
        np.testing.assert_allclose(model.forward(found.q), goal, atol=1e-5)
        near = model.inverse(goal, q0=q)
        np.testing.assert_allclose(model.forward(near.q), goal, atol=1e-5)
    with pytest.raises(ConfigError, match="ball joints"):
        model.inverse(goal, method="jacobian")


def test_coordinates_of_ball_joints_are_unit_quaternions() -> None:
    model = make_robot(floats=True)
    home = model.home_configuration
    assert (model.nq, model.nv) == (18, 15)
    assert model.q_starts.tolist() == [7, 11, 12, 13, 17]
    assert model.v_starts.tolist() == [6, 9, 10, 11, 14]
    np.testing.assert_array_equal(home[7:11], [1, 0, 0, 0])
    np.testing.assert_array_equal(home[13:17], [1, 0, 0, 0])
    assert model.limits.shape == (2, 11)
    assert "BRPBR" in repr(model)


def test_a_ball_in_a_robot_with_loops_is_refused_by_name() -> None:
    links = [
        Link(name="base"),
        Link(name="a", parent="base", joint_type=JointType.BALL, mass=1.0),
        Link(name="b", parent="base", joint_type=JointType.REVOLUTE, mass=1.0),
    ]
    pin = Loop(name="pin", links=("a", "b"), T_link_frame=np.stack([np.eye(4)] * 2))
    with pytest.raises(ModelError, match="'a_joint' is a ball"):
        assemble("looped", links, loops=[pin])


def test_a_floating_pose_in_front_of_balls_moves_the_whole_robot(
    rng: np.random.Generator,
) -> None:
    fixed, free = make_robot(floats=False), make_robot(floats=True)
    q, _, _ = random_state(fixed, rng)
    base = np.array([0.3, -0.2, 1.0, 0.6, 0.0, 0.8, 0.0])
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = quaternion.matrix_from_quaternion(base[3:]), base[:3]
    moved = free.forward(np.concatenate([base, q]))
    np.testing.assert_allclose(moved, se3.compose(T, fixed.forward(q)), atol=1e-14)


def test_a_ball_joint_survives_a_round_trip_through_mujoco() -> None:
    model = make_robot(floats=True)
    engine: Any = mujoco.MjModel.from_xml_string(mjcf_from_model(model))
    assert (engine.nq, engine.nv) == (model.nq, model.nv)
    assert engine.jnt_type.tolist() == [0, 1, 3, 2, 1, 3]
    with pytest.warns(ModelWarning, match="save_mjcf"):
        text = urdf_from_model(make_robot(floats=False))
    with pytest.warns(ModelWarning, match="as a ball joint"):
        assert model_from_urdf(text).nq == make_robot(floats=False).nq
