"""Dynamics of mechanisms with loops.

Oracles: published vectors, energy balance, virtual work, the tree without loops, and
Lagrange multipliers solved as one system.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import gelenk
from gelenk.dynamics.crba import tree_mass_matrix
from gelenk.dynamics.loop_dynamics import acceleration_gap, closure_forces
from gelenk.dynamics.rnea import tree_inverse_dynamics
from gelenk.kinematics.configuration import tree_coordinates
from gelenk.kinematics.loops.acceleration import closure_bias
from gelenk.kinematics.loops.close import velocity_map
from gelenk.kinematics.loops.constraint import evaluate, loop_system
from gelenk.models.assembler import assemble
from gelenk.models.link import JointType, Link, Loop, LoopKind
from gelenk.models.tree import RobotModel
from ring_mechanism import ring

MECHANISMS = ["fourbar", "fivebar", "slider_crank", "delta", "stewart", "jansen"]


def state(model: RobotModel, seed: int = 0) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(seed)
    q = model.home_configuration + 0.05 * rng.normal(size=model.nq)
    return q, 0.4 * rng.normal(size=model.nv), rng.normal(size=model.nv)


@pytest.mark.capability("GR-71")
@pytest.mark.parametrize("name", MECHANISMS)
def test_forward_undoes_inverse_dynamics(name: str) -> None:
    model = gelenk.load(name)
    q, qd, qdd = state(model)
    tau = model.inverse_dynamics(q, qd, qdd)
    assert_allclose(model.forward_dynamics(q, qd, tau), qdd, rtol=1e-9, atol=1e-9)


@pytest.mark.capability("GR-71")
@pytest.mark.parametrize("name", MECHANISMS)
def test_projection_equals_the_system_with_multipliers(name: str) -> None:
    """[[M, A^T], [A, 0]] [qdd; lambda] = [tau - bias; -dA/dt qd], solved as a whole."""
    model = gelenk.load(name)
    q, qd, _ = state(model, 1)
    tau = np.random.default_rng(2).normal(size=model.nv)
    q_tree = tree_coordinates(model, q)[None]
    gamma = velocity_map(model, q_tree)[0]
    qd_tree = (gamma @ qd)[None]
    M = tree_mass_matrix(model, q_tree)[0]
    bias = tree_inverse_dynamics(model, q_tree, qd_tree, np.zeros_like(qd_tree))[0]
    system = loop_system(model)
    A = evaluate(system, q_tree)[1][0]
    load = np.zeros(len(bias))
    load[system.active] = tau
    m, n = A.shape
    K = np.block([[M, A.T], [A, np.zeros((m, m))]])
    rhs = np.concatenate([load - bias, -closure_bias(model, q_tree, qd_tree)[0]])
    qdd_tree = np.linalg.lstsq(K, rhs, rcond=1e-12)[0][:n]

    qdd = model.forward_dynamics(q, qd, tau)

    assert_allclose(qdd, qdd_tree[system.active], rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("name", MECHANISMS)
def test_accelerations_keep_the_loops_closed(name: str) -> None:
    """The second difference of the closed motion equals the computed acceleration."""
    model = gelenk.load(name)
    q, qd, qdd = state(model, 3)
    assert np.abs(acceleration_gap(model, q, qd, qdd)).max() < 1e-12

    h = 2e-4
    points = [
        tree_coordinates(model, q + t * qd + 0.5 * t * t * qdd) for t in (-h, 0, h)
    ]
    measured = (points[0] - 2.0 * points[1] + points[2]) / h**2
    q_tree = points[1][None]
    gamma = velocity_map(model, q_tree)
    from gelenk.kinematics.loops.acceleration import passive_accelerations

    drift = passive_accelerations(model, q_tree, (gamma[0] @ qd)[None])
    assert_allclose(
        gamma[0] @ qdd + drift[0], measured, atol=2e-5 * max(1, abs(measured).max())
    )


@pytest.mark.parametrize("name", MECHANISMS)
def test_mass_matrix_is_the_kinetic_energy_of_the_motors(name: str) -> None:
    model = gelenk.load(name)
    q, _qd, _ = state(model, 4)
    M = model.mass_matrix(q)
    assert_allclose(M, M.T, atol=1e-13)
    assert np.linalg.eigvalsh(M).min() > 0.0
    columns = [
        model.inverse_dynamics(q, np.zeros(model.nv), e, gravity=[0, 0, 0])
        for e in np.eye(model.nv)
    ]
    assert_allclose(M, np.stack(columns, axis=1), rtol=1e-9, atol=1e-12)


@pytest.mark.capability("GR-286")
def test_stewart_legs_carry_a_weight_as_published() -> None:
    """100 N in the platform origin; massless links leave only that load."""
    model = gelenk.load("stewart")
    lengths = [1.050592, 1.248945, 1.193571, 1.413944, 1.229833, 1.253290]
    zero = np.zeros(6)
    weight = {"platform": [0.0, 0.0, -100.0, 0.0, 0.0, 0.0]}
    tau = model.inverse_dynamics(
        lengths, zero, zero, wrenches=weight, gravity=[0, 0, 0]
    )
    expected = [27.934114, 16.400689, 24.864405, 11.131693, 25.699263, 14.664007]
    assert_allclose(tau, expected, atol=2e-4)


def rocker_only(inertia: float) -> RobotModel:
    """Four-bar 4, 1, 3.5, 3 about z with all inertia in the rocker."""

    def at(x: float) -> np.ndarray:
        T = np.eye(4)
        T[0, 3] = x
        return T

    hinge = JointType.REVOLUTE
    degrees = np.deg2rad([60.0, 36.022723 - 60.0, 102.890327])
    return assemble(
        "four-bar",
        [
            Link(name="ground"),
            Link(name="crank", parent="ground", joint_type=hinge, home=degrees[0]),
            Link(
                name="coupler", parent="crank", joint_type=hinge, T_parent_joint=at(1.0),
                is_passive=True, home=degrees[1],
            ),
            Link(
                name="rocker", parent="ground", joint_type=hinge, T_parent_joint=at(4.0),
                is_passive=True, home=degrees[2], inertia=np.diag([0.0, 0.0, inertia]),
            ),
        ],
        loops=[
            Loop(name="pin", links=("coupler", "rocker"), T_link_frame=[at(3.5), at(3.0)])
        ],
    )  # fmt: skip


@pytest.mark.capability("GR-71")
def test_crank_torque_of_the_published_four_bar() -> None:
    """Constant 2 rad/s at 60 degrees, rocker inertia 2 kg m^2: 0.446211 N m."""
    model = rocker_only(2.0)
    tau = model.inverse_dynamics(np.deg2rad([60.0]), [2.0], [0.0], gravity=[0, 0, 0])
    assert tau[0] == pytest.approx(0.446211, abs=1e-6)


def particle_on_a_rod() -> RobotModel:
    """A particle on two sliders, held by a rod of 1 m: a pendulum with a constraint."""
    slide = JointType.PRISMATIC
    return assemble(
        "pendulum",
        [
            Link(name="base"),
            Link(name="x", parent="base", joint_type=slide, axis=(1, 0, 0), home=0.5),
            Link(
                name="particle", parent="x", joint_type=slide, axis=(0, 1, 0), mass=1.0,
                is_passive=True, home=-np.cos(np.pi / 6),
            ),
        ],
        loops=[
            Loop(
                name="rod", kind="distance", links=("base", "particle"), length=1.0,
                T_link_frame=np.tile(np.eye(4), (2, 1, 1)),
            )
        ],
        gravity=(0.0, -9.81, 0.0),
    )  # fmt: skip


@pytest.mark.capability("GR-71")
def test_pendulum_as_a_constraint_has_the_published_rod_force() -> None:
    """30 degrees from the bottom, 2 rad/s: qdd = (-6.247855, 1.011602), 12.495709 N."""
    model = particle_on_a_rod()
    q, qd = [0.5], [2.0 * np.cos(np.pi / 6)]
    qdd = model.forward_dynamics(q, qd, [0.0])
    assert qdd[0] == pytest.approx(-6.247855, abs=1e-6)
    assert closure_forces(model, q, qd, qdd)[0] == pytest.approx(-12.495709, abs=1e-5)


@pytest.mark.parametrize("name", ["fourbar", "delta"])
def test_energy_is_conserved_without_motors(name: str) -> None:
    """Runge-Kutta over 0.2 s; kinetic plus potential energy stays."""
    model = gelenk.load(name)
    q, qd = model.home_configuration.copy(), np.full(model.nv, 0.3)

    def energy(q: np.ndarray, qd: np.ndarray) -> float:
        kinetic = 0.5 * qd @ model.mass_matrix(q) @ qd
        from gelenk.kinematics.forward import link_poses

        T = link_poses(model, q)
        centres = np.einsum("nij,nj->ni", T[:, :3, :3], model.com) + T[:, :3, 3]
        return float(kinetic - model.mass @ (centres @ model.gravity))

    def rate(q: np.ndarray, qd: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return qd, model.forward_dynamics(q, qd, np.zeros(model.nv))

    start = energy(q, qd)
    largest = 0.5 * qd @ model.mass_matrix(q) @ qd
    h = 2e-3
    for _ in range(100):
        v1, a1 = rate(q, qd)
        v2, a2 = rate(q + 0.5 * h * v1, qd + 0.5 * h * a1)
        v3, a3 = rate(q + 0.5 * h * v2, qd + 0.5 * h * a2)
        v4, a4 = rate(q + h * v3, qd + h * a3)
        q = q + h / 6.0 * (v1 + 2 * v2 + 2 * v3 + v4)
        qd = qd + h / 6.0 * (a1 + 2 * a2 + 2 * a3 + a4)
        largest = max(largest, 0.5 * qd @ model.mass_matrix(q) @ qd)
    assert abs(energy(q, qd) - start) < 1e-7 * largest


@pytest.mark.parametrize("kind", ["point", "hinge", "pose"])
def test_spatial_closures_of_every_kind_accelerate_together(kind: LoopKind) -> None:
    """The second difference of a closed motion equals the computed acceleration."""
    rng = np.random.default_rng(5)
    model = ring(kind, rng)
    q = model.home_configuration
    qd, qdd = rng.normal(size=(2, model.nv))
    h = 2e-4
    path = [tree_coordinates(model, q + t * qd + 0.5 * t * t * qdd) for t in (-h, 0, h)]
    gamma = velocity_map(model, path[1])
    A = evaluate(loop_system(model), path[1][None])[1][0]

    # Least-norm steps may differ in freedoms that no equation sees; A does not see them.
    measured = A @ (path[0] - 2.0 * path[1] + path[2]) / h**2
    velocity = (path[2] - path[0]) / (2.0 * h)
    bias = closure_bias(model, path[1][None], velocity[None])[0]

    assert_allclose(A @ velocity, 0.0, atol=1e-6)
    assert_allclose(A @ (gamma @ qd), 0.0, atol=1e-9)
    assert_allclose(measured + bias, 0.0, atol=2e-4)
    assert np.abs(bias).max() > 0.1
