"""Statics against published vectors, virtual work, MuJoCo's sensors, linear programs."""

import mujoco
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import linprog

from gelenk.dynamics.equation_terms import potential_energy
from gelenk.errors import ConfigError, ModelError, ShapeError
from gelenk.kinematics.statics import (
    bearing_loads,
    cartesian_compliance,
    cartesian_stiffness,
    estimate_wrench,
    force_ellipsoid,
    force_limits,
    motor_share,
    moved_wrench,
    static_torques,
    torques_from_wrench,
    velocity_ellipsoid,
)
from gelenk.models.catalog import make
from testkit.mujoco_model import build_spec
from testkit.random_models import random_configuration, random_tree

ARM = make("planar2r")
Q_ARM = np.deg2rad([30.0, 45.0])
J_ARM = ARM.jacobian(Q_ARM)[:2]
G_ARM = np.array([32.781800, 3.046818])  # gravity torques at Q_ARM [N m]
PUMA = make("puma560")
Q_PUMA = np.array([0.3, -0.4, 0.5, 0.6, -0.7, 0.8])


@pytest.mark.capability("GR-50")
def test_published_torques_of_tool_forces() -> None:
    planar = torques_from_wrench(J_ARM, [10.0, -5.0])
    R = PUMA.forward(Q_PUMA)[:3, :3]
    wrench = np.concatenate([R @ [1.0, 2.0, 3.0], R @ [0.1, 0.2, 0.3]])
    held = static_torques(PUMA, Q_PUMA, wrench, gravity=[0.0, 0.0, 0.0])

    assert_allclose(planar, [-18.092810, -8.762683], atol=1e-6)
    expected = [1.166642, 0.868491, -0.168198, 0.276996, -0.211077, 0.3]
    assert_allclose(held, expected, atol=1e-6)


@pytest.mark.capability("GR-50")
def test_tool_wrench_does_the_work_of_the_joint_torques() -> None:
    """Virtual work, on the manifold: F . dx = tau . dq for small dq."""
    rng = np.random.default_rng(0)
    model = random_tree(rng, num_joints=7)
    q, dq, wrench = (
        random_configuration(rng, model),
        rng.normal(size=7),
        rng.normal(size=6),
    )
    frame, step = model.link_names[-1], 1e-6
    ahead = model.forward(q + step * dq, frame)
    behind = model.forward(q - step * dq, frame)
    R = model.forward(q, frame)[:3, :3]
    turn = (ahead - behind)[:3, :3] @ R.T / (2 * step)
    dx = [*((ahead - behind)[:3, 3] / (2 * step)), turn[2, 1], turn[0, 2], turn[1, 0]]

    tau = torques_from_wrench(model.jacobian(q, frame), wrench)

    assert tau @ dq == pytest.approx(wrench @ dx, abs=1e-7)


@pytest.mark.capability("GR-50", "GR-57")
def test_a_wrench_on_the_tool_is_held_with_the_opposite_sign() -> None:
    """Oracle: the recursive dynamics with that wrench acting on the last link."""
    wrench_on_tool = np.array([1.0, -2.0, 3.0, 0.4, 0.5, -0.6])
    rest = np.zeros(6)

    held = static_torques(PUMA, Q_PUMA, -wrench_on_tool)

    recursive = PUMA.inverse_dynamics(
        Q_PUMA, rest, rest, wrenches={"link_6": wrench_on_tool}
    )
    assert_allclose(held, recursive, atol=1e-12)


@pytest.mark.capability("GR-50")
def test_a_force_at_a_contact_point_is_moved_to_the_tool() -> None:
    wrench = moved_wrench([[0.0, 0.0, -5.0, 1.0, 2.0, 3.0]], [2.0, 0.0, 0.0])

    assert_allclose(wrench, [[0.0, 0.0, -5.0, 1.0, 12.0, 3.0]])


@pytest.mark.capability("GR-285")
def test_ellipsoids_of_force_and_velocity_are_inverse() -> None:
    velocity, force = velocity_ellipsoid(J_ARM), force_ellipsoid(J_ARM)

    assert_allclose(velocity.semi_axes, [1.820669, 0.310702], atol=1e-6)
    assert_allclose(force.semi_axes * velocity.semi_axes, 1.0, atol=1e-14)
    # On the tip of each axis the joint torques have unit norm.
    tips = force.directions * force.semi_axes
    assert_allclose(np.linalg.norm(J_ARM.T @ tips, axis=0), 1.0, atol=1e-14)
    stretched = force_ellipsoid(ARM.jacobian([0.0, 0.0])[:2])
    assert stretched.semi_axes[1] == np.inf
    assert_allclose(np.abs(stretched.directions[:, 1]), [1.0, 0.0], atol=1e-15)


@pytest.mark.capability("GR-285")
def test_published_force_limits_of_the_planar_arm() -> None:
    limits = force_limits(
        J_ARM, [[1.0, 0.0], [0.0, 3.0]], max_torque=[60.0, 20.0], torque_offset=G_ARM
    )

    assert_allclose(limits.lowest, [-21.385504, -86.463026], atol=1e-5)
    assert_allclose(limits.highest, [29.824777, 25.364543], atol=1e-5)
    assert limits.lowest_joint.tolist() == [0, 0]
    assert limits.highest_joint.tolist() == [1, 0]


@pytest.mark.capability("GR-285")
def test_force_limits_are_those_of_a_linear_program() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        J, u = rng.normal(size=(6, 7)), rng.normal(size=6)
        cap, load = rng.uniform(1.0, 5.0, 7), rng.uniform(-0.9, 0.9, 7)
        limits = force_limits(J, u, max_torque=cap, torque_offset=load)
        a = J.T @ u / np.linalg.norm(u)
        A, b = (
            np.concatenate([a, -a])[:, None],
            np.concatenate([cap - load, cap + load]),
        )
        best = linprog([-1.0], A_ub=A, b_ub=b, bounds=[(None, None)])
        worst = linprog([1.0], A_ub=A, b_ub=b, bounds=[(None, None)])
        assert limits.highest == pytest.approx(best.x[0], abs=1e-9)
        assert limits.lowest == pytest.approx(worst.x[0], abs=1e-9)


def test_force_limits_tell_when_nothing_is_felt_or_nothing_is_left() -> None:
    J = np.array([[0.0, 1.0], [0.0, 0.0]])

    free = force_limits(J, [0.0, 1.0], max_torque=[1.0, 1.0])
    tired = force_limits(J, [1.0, 0.0], max_torque=[1.0, 1.0], torque_offset=[2.0, 0.0])

    assert (free.lowest, free.highest) == (-np.inf, np.inf)
    assert free.highest_joint == -1
    assert tired.lowest > tired.highest
    with pytest.raises(ConfigError, match="`direction` must have a length"):
        force_limits(J, [0.0, 0.0], max_torque=[1.0, 1.0])


@pytest.mark.capability("GR-285")
def test_wrench_is_read_back_from_torques_in_motion() -> None:
    rng = np.random.default_rng(4)
    q, qd, qdd = rng.uniform(-1, 1, (3, 6)), rng.normal(size=(3, 6)), rng.normal(size=6)
    exerted, rubbing = rng.normal(size=(3, 6)), 0.3 * np.sign(qd)
    tau = PUMA.inverse_dynamics(q, qd, qdd, wrenches={"link_6": -exerted}) + rubbing

    found = estimate_wrench(PUMA, q, tau, qd=qd, qdd=qdd, friction=rubbing)

    assert_allclose(found.wrench, exerted, atol=1e-9)
    assert_allclose(found.blind, 0.0, atol=1e-9)
    assert_allclose(found.residual, 0.0, atol=1e-10)


@pytest.mark.capability("GR-285")
def test_the_estimate_is_blind_to_what_the_structure_carries() -> None:
    stretched = np.zeros(2)  # a pull along the arm is felt by no joint
    tau = static_torques(ARM, stretched, [7.0, 2.0, 0.0, 0.0, 0.0, 0.0])

    found = estimate_wrench(ARM, stretched, tau)

    along = np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    assert_allclose(found.blind @ along, along, atol=1e-12)
    assert abs(found.wrench[0]) < 1e-12
    assert found.residual < 1e-12
    again = static_torques(ARM, stretched, found.wrench)
    assert_allclose(again, tau, atol=1e-12)


@pytest.mark.capability("GR-285")
def test_published_stiffness_of_the_planar_arm() -> None:
    K_q = [1000.0, 500.0]
    K_x = cartesian_stiffness(J_ARM, K_q)
    C_x = cartesian_compliance(J_ARM, K_q)

    expected = [[1933.196564, 2633.989630], [2633.989630, 4397.070389]]
    assert_allclose(K_x, expected, atol=1e-5)
    assert_allclose(C_x @ [10.0, -5.0], [0.036570, -0.023044], atol=1e-6)
    # Oracle: let the joints yield by K_q^-1 J^T F and look where the tool goes.
    force = np.array([1e-4, -2e-4])
    yielded = Q_ARM + (J_ARM.T @ force) / K_q
    moved = (ARM.forward(yielded) - ARM.forward(Q_ARM))[:2, 3]
    assert_allclose(moved, C_x @ force, atol=1e-12)
    with pytest.raises(ConfigError, match="infinitely stiff"):
        cartesian_stiffness(ARM.jacobian(Q_ARM), K_q)
    with pytest.raises(ConfigError, match="`joint_stiffness` must be > 0"):
        cartesian_compliance(J_ARM, [1.0, 0.0])


@pytest.mark.capability("GR-285")
@pytest.mark.parametrize("floating", [False, True])
def test_recursion_of_bearing_loads_equals_gravity_plus_transposed_jacobian(
    floating: bool,
) -> None:
    rng = np.random.default_rng(5)
    model = random_tree(rng, num_joints=9, floating=floating)
    q = random_configuration(rng, model, 4)
    frame, pushed = model.link_names[-1], rng.normal(size=(4, 6))

    loads = bearing_loads(model, q, wrenches={frame: -pushed})

    assert loads.shape == (4, len(model.link_names), 6)
    expected = static_torques(model, q, pushed, frame=frame)
    assert_allclose(motor_share(model, q, loads), expected, atol=1e-11)
    # The ground carries all of the weight and the push.
    ground = -model.mass.sum() * model.gravity + pushed[:, :3]
    assert_allclose(loads[:, 0, :3], ground, atol=1e-11)


@pytest.mark.capability("GR-285")
def test_bearing_loads_equal_mujocos_force_sensors() -> None:
    """MuJoCo's sensors give the interaction force at a site, in site axes."""
    rng = np.random.default_rng(6)
    model = random_tree(rng, num_joints=5)
    q = random_configuration(rng, model)
    spec = build_spec(model)
    for name in model.link_names[1:]:
        spec.body(name).add_site(name=name)
        for kind in (mujoco.mjtSensor.mjSENS_FORCE, mujoco.mjtSensor.mjSENS_TORQUE):
            spec.add_sensor(
                type=kind, objtype=mujoco.mjtObj.mjOBJ_SITE, objname=name,
                name=f"{kind}{name}",
            )  # fmt: skip
    theirs = spec.compile()
    data = mujoco.MjData(theirs)
    data.qpos = q
    mujoco.mj_forward(theirs, data)
    # Held still: the motors balance gravity.
    data.qfrc_applied = data.qfrc_bias
    mujoco.mj_forward(theirs, data)
    assert_allclose(data.qacc, 0.0, atol=1e-9)

    loads = bearing_loads(model, q)

    readings = data.sensordata.reshape(-1, 2, 3)
    for k, name in enumerate(model.link_names[1:], start=1):
        R = data.site(name).xmat.reshape(3, 3)
        assert_allclose(loads[k, :3], R @ readings[k - 1, 0], atol=1e-8)
        assert_allclose(loads[k, 3:], R @ readings[k - 1, 1], atol=1e-8)


@pytest.mark.capability("GR-50")
@pytest.mark.parametrize("name", ["fourbar", "fivebar", "delta", "slider_crank"])
def test_motors_of_a_closed_mechanism_do_the_work_of_weight_and_tool(name: str) -> None:
    """Virtual work with the loops closed at every step."""
    model, step = make(name), 1e-6
    q = model.home_configuration + 0.05
    frame, wrench = model.link_names[-1], np.array([1.0, 2.0, 3.0, 0.1, 0.2, 0.3])
    R = model.forward(q, frame)[:3, :3]
    work = []
    for dq in step * np.eye(model.nv):
        ahead, behind = model.forward(q + dq, frame), model.forward(q - dq, frame)
        turn = (ahead - behind)[:3, :3] @ R.T
        dx = [*(ahead - behind)[:3, 3], turn[2, 1], turn[0, 2], turn[1, 0]]
        lifted = potential_energy(model, q + dq) - potential_energy(model, q - dq)
        work.append((wrench @ dx + lifted) / (2.0 * step))

    tau = static_torques(model, q, wrench, frame=frame)

    assert_allclose(tau, work, rtol=1e-6, atol=1e-6)


def test_requests_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ShapeError, match=r"`wrench` must have shape \(\.\.\., 2\)"):
        torques_from_wrench(J_ARM, [1.0, 2.0, 3.0])
    with pytest.raises(ModelError, match="has loops"):
        bearing_loads(make("fourbar"), [0.5])
