"""Terms of the equations of motion, momenta and regressor, against independent ways."""

from dataclasses import replace

import numpy as np
import pinocchio as pin  # pyright: ignore[reportMissingImports]
import pytest
from numpy.testing import assert_allclose

from gelenk.dynamics.crba import body_visits, mass_matrix_by_symmetry
from gelenk.dynamics.equation_terms import (
    coriolis_matrix,
    coriolis_torques,
    gravity_torques,
    inertial_parameters,
    kinetic_energy,
    mass_matrix_by_columns,
    potential_energy,
    regressor,
    total_energy,
)
from gelenk.dynamics.lagrange import lagrange_coriolis_matrix, lagrange_energies
from gelenk.dynamics.momentum import (
    centre_of_mass,
    centroidal_momentum_matrix,
    com_jacobian,
    link_jacobians,
    momentum,
)
from gelenk.errors import ConfigError, ModelError
from gelenk.models.assembler import assemble
from gelenk.models.catalog import make
from gelenk.models.link import JointType, Link
from gelenk.models.tree import RobotModel
from testkit.multibody import random_cases
from testkit.pinocchio_model import PinocchioRobot
from testkit.random_models import random_configuration, random_tree

CASES = list(random_cases(7, count=16, max_joints=10))
FIXED, FLOATING = CASES[::2], CASES[1::2]


@pytest.mark.capability("GR-58")
def test_the_three_terms_add_up() -> None:
    for case in CASES:
        M = case.model.mass_matrix(case.q)
        parts = M @ case.qdd + coriolis_torques(case.model, case.q, case.qd)
        parts += gravity_torques(case.model, case.q)

        whole = case.model.inverse_dynamics(case.q, case.qd, case.qdd)

        assert_allclose(parts, whole, rtol=1e-12, atol=1e-10)
        assert_allclose(M, M.T, atol=1e-13)
        assert np.linalg.eigvalsh(M)[0] > 0.0


@pytest.mark.capability("GR-59")
def test_forward_dynamics_undoes_inverse_dynamics() -> None:
    for case in CASES:
        tau = case.model.inverse_dynamics(case.q, case.qd, case.qdd)
        again = case.model.forward_dynamics(case.q, case.qd, tau)
        assert_allclose(again, case.qdd, atol=1e-8)


@pytest.mark.capability("GR-65", "GR-66", "GR-67")
def test_three_ways_to_the_mass_matrix_agree() -> None:
    for case in CASES:
        M = case.model.mass_matrix(case.q)
        assert_allclose(mass_matrix_by_columns(case.model, case.q), M, atol=1e-11)
        if not case.model.has_floating_base:
            assert_allclose(mass_matrix_by_symmetry(case.model, case.q), M, atol=1e-11)
    with pytest.raises(ConfigError, match="floats"):
        mass_matrix_by_symmetry(FLOATING[0].model, FLOATING[0].q)


@pytest.mark.capability("GR-66")
def test_half_the_matrix_takes_about_half_the_visits() -> None:
    chain = random_tree(np.random.default_rng(1), num_joints=20, branching=0.0)
    tree = random_tree(np.random.default_rng(1), num_joints=20, branching=0.9)

    assert body_visits(chain) == (400, 210)
    whole, half = body_visits(tree)
    assert whole == 400
    assert half < 150  # branches share nothing


@pytest.mark.capability("GR-58", "GR-61")
def test_coriolis_matrix_by_polarisation_is_the_christoffel_form() -> None:
    for case in FIXED[:5]:
        C = coriolis_matrix(case.model, case.q, case.qd)
        expected = lagrange_coriolis_matrix(case.model, case.q, case.qd)
        assert_allclose(C, expected, atol=1e-10)
        assert_allclose(C @ case.qd, coriolis_torques(case.model, case.q, case.qd),
                        atol=1e-10)  # fmt: skip
    case = FLOATING[0]
    C = coriolis_matrix(case.model, case.q, np.stack([case.qd, 2.0 * case.qd]))
    c = coriolis_torques(case.model, case.q, case.qd)
    assert_allclose(np.matvec(C, [case.qd, 2.0 * case.qd]), [c, 4.0 * c], atol=1e-9)


@pytest.mark.capability("GR-60")
def test_energies_agree_with_those_of_the_lagrangian() -> None:
    for case in FIXED:
        kinetic, potential = lagrange_energies(case.model, case.q, case.qd)
        assert kinetic_energy(case.model, case.q, case.qd) == pytest.approx(kinetic)
        assert potential_energy(case.model, case.q) == pytest.approx(potential)
        total = total_energy(case.model, case.q, case.qd)
        assert total == pytest.approx(kinetic + potential)


def test_momentum_agrees_with_pinocchio() -> None:
    for case in CASES:
        model, theirs = case.model, PinocchioRobot(case.model)
        q, v = theirs._q(case.q), theirs._map(case.q) @ case.qd
        # Pinocchio lumps links that are fixed to the world into its universe.
        fixed_base = not model.has_floating_base
        pin.computeCentroidalMomentum(theirs.model, theirs.data, q, v)
        if fixed_base:
            moving = _moving_links_only(model)
            expected_com = centre_of_mass(moving, case.q)
            found = momentum(moving, case.q, case.qd)
        else:
            expected_com = centre_of_mass(model, case.q)
            found = momentum(model, case.q, case.qd)
        assert_allclose(expected_com, theirs.data.com[0], atol=1e-12)
        assert_allclose(found, theirs.data.hg.vector, atol=1e-11)


def _moving_links_only(model: RobotModel) -> RobotModel:
    mass = np.where(model.compiled.link_body < 0, 0.0, model.mass)
    inertia = np.where((mass > 0)[:, None, None], model.inertia, 0.0)
    return replace(model, mass=mass, inertia=inertia)


def test_com_jacobian_is_the_derivative_of_the_centre_of_mass() -> None:
    model, step = FIXED[1].model, 1e-6
    q = FIXED[1].q
    columns = [
        (centre_of_mass(model, q + dq) - centre_of_mass(model, q - dq)) / (2 * step)
        for dq in step * np.eye(model.nv)
    ]

    assert_allclose(com_jacobian(model, q).T, columns, atol=1e-9)
    for k, name in enumerate(model.link_names):
        J = link_jacobians(model, q)[k]
        assert_allclose(J, model.jacobian(q, name), atol=1e-14)


def test_only_outer_forces_change_the_momentum() -> None:
    """Newton and Euler for the whole robot: rates of momentum are the outer wrench."""
    case = FLOATING[3]
    model = replace(case.model, armature=np.zeros_like(case.model.armature))
    tau, step = case.tau.copy(), 1e-6
    tau[:6] = 0.0  # motors push between links only
    qdd = model.forward_dynamics(case.q, case.qd, tau)

    def moved(t: float) -> tuple[np.ndarray, np.ndarray]:
        from gelenk.spatial import quaternion

        turn = t * case.qd[3:6] + 0.5 * t**2 * qdd[3:6]
        quat = quaternion.multiply(quaternion.exp(turn), case.q[3:7])
        q = case.q.copy()
        q[:3] += t * case.qd[:3] + 0.5 * t**2 * qdd[:3]
        q[3:7] = quat
        q[7:] += t * case.qd[6:] + 0.5 * t**2 * qdd[6:]
        return q, case.qd + t * qdd

    rate = (momentum(model, *moved(step)) - momentum(model, *moved(-step))) / (2 * step)

    weight = model.mass.sum() * model.gravity
    assert_allclose(rate, [*weight, 0.0, 0.0, 0.0], atol=1e-5)


@pytest.mark.capability("GR-63")
def test_regressor_times_parameters_are_the_forces() -> None:
    for case in CASES:
        rigid = replace(case.model, armature=np.zeros_like(case.model.armature))
        Y = regressor(rigid, case.q, case.qd, case.qdd)
        tau = rigid.inverse_dynamics(case.q, case.qd, case.qdd)
        assert_allclose(Y @ inertial_parameters(rigid), tau, rtol=1e-12, atol=1e-10)


@pytest.mark.capability("GR-63")
def test_published_regressor_of_the_puma() -> None:
    puma, rng = make("puma560"), np.random.default_rng(2)
    links = [f"link_{i}" for i in range(1, 7)]
    q, qd, qdd = rng.normal(size=(3, 40, 6))

    Y = regressor(
        puma, [0.3, -0.4, 0.5, 0.6, -0.7, 0.8], [0.1, 0.2, -0.3, 0.4, -0.5, 0.6],
        [1.0, -0.5, 0.7, 0.2, 0.3, -0.4], links=links,
    )  # fmt: skip
    stacked = regressor(puma, q, qd, qdd, links=links).reshape(-1, 60)

    tau = [2.720915, 33.450105, -0.572437, 0.001752, 0.015952, 0.000015]
    assert_allclose(Y @ inertial_parameters(puma, links=links), tau, atol=1e-6)
    assert np.linalg.matrix_rank(stacked, tol=1e-8) == 36


def test_batches_equal_their_elements_one_by_one() -> None:
    rng = np.random.default_rng(9)
    model = random_tree(rng, num_joints=4)
    q, qd, qdd = random_configuration(rng, model, 2, 3), *rng.normal(size=(2, 2, 3, 4))

    results = {
        "A": centroidal_momentum_matrix(model, q),
        "C": coriolis_matrix(model, q, qd),
        "M1": mass_matrix_by_columns(model, q),
        "M2": mass_matrix_by_symmetry(model, q),
        "Y": regressor(model, q, qd, qdd),
        "E": total_energy(model, q, qd),
    }

    for i, j in np.ndindex(2, 3):
        s = q[i, j], qd[i, j]
        one = {
            "A": centroidal_momentum_matrix(model, s[0]),
            "C": coriolis_matrix(model, *s),
            "M1": mass_matrix_by_columns(model, s[0]),
            "M2": mass_matrix_by_symmetry(model, s[0]),
            "Y": regressor(model, *s, qdd[i, j]),
            "E": total_energy(model, *s),
        }
        for name, value in one.items():
            assert_allclose(results[name][i, j], value, atol=1e-13, err_msg=name)


def test_a_robot_without_mass_has_no_centre() -> None:
    hinge = Link(name="a", parent="base", joint_type=JointType.REVOLUTE)
    ghost = assemble("ghost", [Link(name="base"), hinge])
    with pytest.raises(ModelError, match="no mass"):
        centre_of_mass(ghost, [0.1])
