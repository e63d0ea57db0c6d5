"""Dynamics from energies against the compiled recursion, and published closed forms."""

from dataclasses import replace

import numpy as np
import pytest
import sympy as sp
from numpy.testing import assert_allclose

from gelenk.dynamics.crba import mass_matrix_by_symmetry
from gelenk.dynamics.lagrange import (
    SymbolicBody,
    christoffel_symbols,
    lagrange_coriolis_matrix,
    lagrange_energies,
    lagrange_gravity,
    lagrange_inverse_dynamics,
    lagrange_mass_matrix,
    symbolic_dynamics,
)
from gelenk.errors import ConfigError, ModelError
from gelenk.kinematics.forward import frame_pose
from gelenk.kinematics.jacobian import point_jacobian
from gelenk.kinematics.symbolic import symbolic_chain_from_dh
from gelenk.models.assembler import assemble
from gelenk.models.catalog import make
from gelenk.models.edit import disassemble
from gelenk.models.link import JointType
from testkit.multibody import TreeCase, random_cases
from testkit.random_models import random_tree

QN = np.array([0.0, np.pi / 4, np.pi, 0.0, np.pi / 4, 0.0])
SMALL = list(random_cases(11, count=24, max_joints=6))[::2]  # fixed bases


@pytest.mark.capability("GR-60")
@pytest.mark.parametrize("case", SMALL, ids=range(len(SMALL)))
def test_energies_give_the_same_forces_as_the_recursion(case: TreeCase) -> None:
    model, state = case.model, (case.q, case.qd, case.qdd)

    M = lagrange_mass_matrix(model, case.q)
    tau = lagrange_inverse_dynamics(model, *state)

    assert not model.has_floating_base
    assert_allclose(M, model.mass_matrix(case.q), atol=1e-12)
    assert_allclose(tau, model.inverse_dynamics(*state), rtol=1e-12, atol=1e-11)


@pytest.mark.capability("GR-60")
@pytest.mark.parametrize("seed", range(4))
def test_joints_that_follow_others_carry_their_share_of_inertia(seed: int) -> None:
    """Mimic laws enter energies through the joint values, the recursion through M."""
    rng = np.random.default_rng(seed)
    links, _ = disassemble(random_tree(rng, num_joints=6))
    moving = [k for k, link in enumerate(links) if link.joint_type != JointType.FIXED]
    for k, followed in ((moving[3], moving[0]), (moving[4], moving[5])):
        links[k] = replace(
            links[k], mimic=links[followed].joint, multiplier=-0.7, offset=0.2,
            armature=0.3,
        )  # fmt: skip
    model = assemble("coupled", links)
    q, qd, qdd = rng.uniform(-0.3, 0.3, 4), rng.normal(size=4), rng.normal(size=4)

    tau = lagrange_inverse_dynamics(model, q, qd, qdd)

    assert model.nv == 4
    assert_allclose(model.inverse_dynamics(q, qd, qdd), tau, atol=1e-11)
    assert_allclose(model.mass_matrix(q), lagrange_mass_matrix(model, q), atol=1e-12)
    assert_allclose(mass_matrix_by_symmetry(model, q), model.mass_matrix(q), atol=1e-12)
    assert_allclose(model.forward_dynamics(q, qd, tau), qdd, atol=1e-8)


@pytest.mark.capability("GR-60")
def test_inertia_must_be_turned_into_the_axes_of_the_jacobian() -> None:
    """PUMA at qn: 2.875345 is right; the printed formula mixes axes and gives 2.710735."""
    puma = make("puma560")
    right = lagrange_mass_matrix(puma, QN)
    printed = np.zeros((6, 6))
    for k, name in enumerate(puma.link_names):
        J = point_jacobian(puma, QN, puma.com[k], frame=name)
        printed += puma.mass[k] * J[:3].T @ J[:3]
        printed += J[3:].T @ puma.inertia[k] @ J[3:]

    assert right[0, 0] == pytest.approx(2.875345, abs=1e-6)
    assert printed[0, 0] == pytest.approx(2.710735, abs=1e-6)
    assert_allclose(right, puma.mass_matrix(QN), atol=1e-12)


@pytest.mark.capability("GR-60", "GR-61")
def test_rate_of_the_mass_matrix_minus_twice_coriolis_is_skew() -> None:
    rpr, step = make("rpr"), 1e-6
    q, qd = np.array([0.3, 0.2, -0.5]), np.array([0.7, -0.4, 1.1])
    ahead = lagrange_mass_matrix(rpr, q + step * qd)
    behind = lagrange_mass_matrix(rpr, q - step * qd)

    skew = (ahead - behind) / (2 * step) - 2.0 * lagrange_coriolis_matrix(rpr, q, qd)

    assert np.abs(skew).max() > 0.1
    assert_allclose(skew + skew.T, 0.0, atol=1e-9)
    symbols = christoffel_symbols(rpr, q)
    assert_allclose(symbols, symbols.swapaxes(-1, -2), atol=1e-15)


@pytest.mark.capability("GR-60")
def test_power_of_the_forces_is_the_rate_of_the_energy() -> None:
    rng = np.random.default_rng(3)
    model, step = random_tree(rng, num_joints=5), 1e-5
    q, qd, qdd = rng.uniform(-0.4, 0.4, 5), rng.normal(size=5), rng.normal(size=5)

    def energy(t: float) -> float:
        moved = q + t * qd + 0.5 * t**2 * qdd
        return float(sum(lagrange_energies(model, moved, qd + t * qdd)))

    rate = (energy(step) - energy(-step)) / (2 * step)
    assert rate == pytest.approx(
        lagrange_inverse_dynamics(model, q, qd, qdd) @ qd, abs=1e-6
    )


def test_gravity_is_the_slope_of_the_height_energy() -> None:
    puma, step = make("puma560"), 1e-6
    q = np.array([[0.3, -0.4, 0.5, 0.6, -0.7, 0.8], [1, 2, 3, 4, 5, 6]])

    def height(q: np.ndarray) -> float:
        return 9.81 * sum(
            puma.mass[k] * (frame_pose(puma, q, frame=name) @ [*puma.com[k], 1.0])[2]
            for k, name in enumerate(puma.link_names)
        )

    numeric = [
        [(height(row + dq) - height(row - dq)) / (2 * step) for dq in step * np.eye(6)]
        for row in q
    ]
    assert_allclose(lagrange_gravity(puma, q), numeric, atol=1e-7)
    assert lagrange_energies(puma, q, np.zeros(6))[1][0] == pytest.approx(height(q[0]))


@pytest.mark.capability("GR-61")
def test_formulas_of_the_two_link_arm_are_the_textbooks() -> None:
    m1, m2, l1, l2, g = sp.symbols("m1 m2 l1 l2 g", positive=True)
    t1, t2 = sp.symbols("t1 t2", real=True)
    chain = symbolic_chain_from_dh([(0, 0, l1, 0), (0, 0, l2, 0)], "RR", (t1, t2))
    bodies = [
        SymbolicBody(mass=m1, com=(l1, 0, 0)),
        SymbolicBody(mass=m2, com=(l2, 0, 0)),
    ]

    found = symbolic_dynamics(chain, bodies, gravity=(0, -g, 0))

    (v1, v2), (a1, a2) = found.qd, found.qdd
    c1, c2, s2, c12 = sp.cos(t1), sp.cos(t2), sp.sin(t2), sp.cos(t1 + t2)
    tau1 = (
        m2 * l2**2 * (a1 + a2) + m2 * l1 * l2 * c2 * (2 * a1 + a2)
        + (m1 + m2) * l1**2 * a1 - m2 * l1 * l2 * s2 * (v2**2 + 2 * v1 * v2)
        + m2 * l2 * g * c12 + (m1 + m2) * l1 * g * c1
    )  # fmt: skip
    tau2 = (
        m2 * l1 * l2 * c2 * a1 + m2 * l1 * l2 * s2 * v1**2
        + m2 * l2 * g * c12 + m2 * l2**2 * (a1 + a2)
    )  # fmt: skip
    for ours, textbook in zip(found.tau, (tau1, tau2), strict=True):
        assert sp.simplify(sp.expand_trig(ours - textbook)) == 0
    numbers = {
        m1: 2, m2: 1.5, l1: 1, l2: 0.8, g: 9.81, t1: np.deg2rad(30), t2: np.deg2rad(45),
        v1: 0.5, v2: -0.3, a1: 1, a2: 2,
    }  # fmt: skip
    assert_allclose(
        np.array(found.tau.subs(numbers), dtype=float)[:, 0],
        [42.734104, 6.987478],
        atol=1e-6,
    )


@pytest.mark.capability("GR-61")
def test_formulas_of_hinge_and_slider_are_the_textbooks() -> None:
    m1, m2, lc, I1, I2, g = sp.symbols("m1 m2 lc I1 I2 g", positive=True)
    theta, d = sp.symbols("theta d", real=True)
    rows = [(sp.pi / 2, 0, 0, sp.pi / 2), (0, 0, 0, 0)]
    chain = symbolic_chain_from_dh(rows, "RP", (theta, d))
    # Behind the hinge the axes are those before the twist of the DH row: x, y turned.
    bodies = [
        SymbolicBody(
            mass=m1, com=(0, -lc, 0), inertia=((0, 0, 0), (0, 0, 0), (0, 0, I1))
        ),
        SymbolicBody(mass=m2, inertia=((0, 0, 0), (0, I2, 0), (0, 0, 0))),
    ]

    found = symbolic_dynamics(chain, bodies, gravity=(0, -g, 0))

    (v1, v2), (a1, a2) = found.qd, found.qdd
    tau1 = (m1 * lc**2 + I1 + I2 + m2 * d**2) * a1 + 2 * m2 * d * v1 * v2
    tau1 += (m1 * lc + m2 * d) * g * sp.cos(theta)
    tau2 = m2 * (a2 - d * v1**2 + g * sp.sin(theta))
    assert sp.simplify(found.tau[0] - tau1) == 0
    assert sp.simplify(found.tau[1] - tau2) == 0
    # dM/dt - 2 C is skew, as a formula.
    C = found.coriolis_matrix()
    M_dot = found.M.diff(theta) * v1 + found.M.diff(d) * v2
    skew = M_dot - 2 * C
    assert (skew + skew.T).applyfunc(sp.simplify) == sp.zeros(2, 2)
    assert (C * sp.Matrix(found.qd) - found.c).applyfunc(sp.simplify) == sp.zeros(2, 1)


def test_a_batch_equals_its_elements_one_by_one() -> None:
    rpr, rng = make("rpr"), np.random.default_rng(5)
    q, qd, qdd = rng.normal(size=(3, 2, 4, 3))[:3]

    tau = lagrange_inverse_dynamics(rpr, q, qd, qdd)

    for i, j in np.ndindex(2, 4):
        one = lagrange_inverse_dynamics(rpr, q[i, j], qd[i, j], qdd[i, j])
        assert_allclose(tau[i, j], one, atol=1e-13)


def test_floating_bases_loops_and_missing_bodies_are_refused() -> None:
    floating = random_tree(np.random.default_rng(0), num_joints=2, floating=True)
    with pytest.raises(ConfigError, match="floats"):
        lagrange_mass_matrix(floating, np.zeros(9))
    with pytest.raises(ModelError, match="has loops"):
        lagrange_mass_matrix(make("fourbar"), [0.5])
    t = sp.symbols("t1")
    with pytest.raises(ConfigError, match="one body for each of 1 joints"):
        symbolic_dynamics(
            symbolic_chain_from_dh([(0, 0, 1, 0)], "R", (t,)), [], gravity=(0, 0, 0)
        )
