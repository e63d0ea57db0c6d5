"""The compiled dynamics against published vectors (bench robots, Robotics Toolbox)."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.dynamics.crba import mass_matrix_by_symmetry
from gelenk.dynamics.equation_terms import (
    coriolis_torques,
    gravity_torques,
    mass_matrix_by_columns,
)
from gelenk.models.catalog import make
from gelenk.models.link import JointType

PUMA = make("puma560")
QN = np.array([0.0, np.pi / 4, np.pi, 0.0, np.pi / 4, 0.0])
Q_PUMA = np.array([0.3, -0.4, 0.5, 0.6, -0.7, 0.8])
QD_PUMA = np.array([0.1, 0.2, -0.3, 0.4, -0.5, 0.6])
QDD_PUMA = np.array([1.0, -0.5, 0.7, 0.2, 0.3, -0.4])
RPR = make("rpr")
Q_RPR, QD_RPR = np.array([0.3, 0.2, -0.5]), np.array([0.7, -0.4, 1.1])
QDD_RPR = np.array([0.5, 0.6, -0.8])


@pytest.mark.capability("GR-56", "GR-67")
def test_puma_agrees_with_published_outputs_of_the_robotics_toolbox() -> None:
    q = np.arange(1.0, 7.0)
    gear = np.array([-62.6111, 107.815, -53.7063, 76.0364, 71.923, 76.686])
    rotor = np.array([200e-6] * 3 + [33e-6] * 3)
    armature = np.zeros(len(PUMA.link_names))
    armature[PUMA.joint_ids] = gear**2 * rotor
    geared = replace(PUMA, armature=armature)

    assert_allclose(
        PUMA.forward(np.zeros(6))[:3, 3], [0.4521, -0.15, 0.4318], atol=1e-4
    )
    assert_allclose(
        gravity_torques(PUMA, q), [0, -7.9683, 8.4581, -0.0197, 0.0027, 0], atol=5e-5
    )
    M = geared.mass_matrix(q)
    assert_allclose(
        np.diag(M), [2.6152, 4.3038, 0.9366, 0.1926, 0.1713, 0.1941], atol=1e-4
    )
    assert_allclose([M[0, 1], M[0, 2], M[1, 2]], [-0.6550, -0.0363, 0.2953], atol=1e-4)


@pytest.mark.capability("GR-56", "GR-58", "GR-65", "GR-66", "GR-67")
def test_gravity_and_inertia_of_the_puma_at_its_nominal_pose() -> None:
    assert_allclose(
        gravity_torques(PUMA, QN), [0, 31.639880, 6.035138, 0, 0.028253, 0], atol=1e-6
    )
    for method in (PUMA.mass_matrix, lambda q: mass_matrix_by_columns(PUMA, q),
                   lambda q: mass_matrix_by_symmetry(PUMA, q)):  # fmt: skip
        M = method(QN)
        diagonal = [2.875345, 2.088927, 0.360968, 0.001741, 0.000642, 0.000040]
        assert_allclose(np.diag(M), diagonal, atol=1e-6)
        found = [M[0, 1], M[0, 2], M[1, 2], M[0, 3], M[1, 4], M[2, 4], M[3, 5]]
        expected = [
            -0.404361,
            0.100614,
            0.350891,
            -0.002517,
            0.002360,
            0.001480,
            2.8e-5,
        ]
        assert_allclose(found, expected, atol=1e-6)


@pytest.mark.capability("GR-56", "GR-58", "GR-59", "GR-69")
def test_motion_of_the_puma() -> None:
    tau = [2.720915, 33.450105, -0.572437, 0.001752, 0.015952, 0.000015]
    c = [0.003343, 0.008297, 0.017889, 0.000111, 0.000052, -0.000005]
    G = [0, 34.081830, -0.612463, -0.001026, 0.016330, 0]

    assert_allclose(PUMA.inverse_dynamics(Q_PUMA, QD_PUMA, QDD_PUMA), tau, atol=1e-6)
    assert_allclose(coriolis_torques(PUMA, Q_PUMA, QD_PUMA), c, atol=1e-6)
    assert_allclose(gravity_torques(PUMA, Q_PUMA), G, atol=1e-6)

    push = [1.0, 2.0, 3.0, 0.1, 0.2, 0.3]
    qdd = [2.187353, -20.785091, 20.813991, -80.950518, 298.937145, 7560.265016]
    assert_allclose(PUMA.forward_dynamics(Q_PUMA, QD_PUMA, push), qdd, atol=1e-5)
    # By solving with the mass matrix, as the textbook does.
    bias = coriolis_torques(PUMA, Q_PUMA, QD_PUMA) + gravity_torques(PUMA, Q_PUMA)
    solved = np.linalg.solve(PUMA.mass_matrix(Q_PUMA), push - bias)
    assert_allclose(solved, qdd, atol=1e-5)


@pytest.mark.capability("GR-56", "GR-58", "GR-67", "GR-69")
def test_motion_of_the_skew_arm() -> None:
    tau = np.array([0.281494, 14.733193, -0.431016])
    M = [
        [0.468351, 0.571197, 0.067043],
        [0.571197, 2.7, 0.126570],
        [0.067043, 0.126570, 0.038106],
    ]

    assert_allclose(RPR.inverse_dynamics(Q_RPR, QD_RPR, QDD_RPR), tau, atol=1e-6)
    assert_allclose(RPR.mass_matrix(Q_RPR), M, atol=1e-6)
    c = [-0.241764, -0.314649, -0.027108]
    assert_allclose(coriolis_torques(RPR, Q_RPR, QD_RPR), c, atol=1e-6)
    assert_allclose(gravity_torques(RPR, Q_RPR), [0, 13.2435, -0.482887], atol=1e-6)
    # From rounded torques the accelerations come back to what rounding leaves.
    assert_allclose(RPR.forward_dynamics(Q_RPR, QD_RPR, tau), QDD_RPR, atol=1e-4)


@pytest.mark.capability("GR-56")
def test_forces_of_an_arm_on_a_moving_base() -> None:
    kinds = RPR.joint_type.copy()
    kinds[0] = JointType.FLOATING
    carried = replace(RPR, joint_type=kinds)
    q = np.concatenate([[0, 0, 0, 1, 0, 0, 0], Q_RPR])
    expected = [-2.497361, 9.051336, -0.943426]

    for v_base in ([0.0, 0.0, 0.0], [3.0, -1.0, 2.0]):  # speed alone takes no force
        qd = np.concatenate([v_base, [0.1, -0.2, 0.3], QD_RPR])
        qdd = np.concatenate([[1.0, -2.0, 0.5], [0.5, 0.1, -0.4], QDD_RPR])
        assert_allclose(carried.inverse_dynamics(q, qd, qdd)[6:], expected, atol=1e-6)


@pytest.mark.capability("GR-51", "GR-56", "GR-58")
def test_planar_arms() -> None:
    arm, q = make("planar2r"), np.deg2rad([30.0, 45.0])
    assert_allclose(
        arm.inverse_dynamics(q, [0.5, -0.3], [1.0, 2.0]),
        [42.734104, 6.987478],
        atol=1e-6,
    )
    M = [[6.157056, 1.808528], [1.808528, 0.96]]
    assert_allclose(arm.mass_matrix(q), M, atol=1e-6)
    assert_allclose(
        coriolis_torques(arm, q, [0.5, -0.3]), [0.178191, 0.212132], atol=1e-6
    )
    assert_allclose(gravity_torques(arm, q), [32.781800, 3.046818], atol=1e-6)

    # Torque of the hinge [N m], force of the slider [N].
    slider, q = make("rp"), [np.deg2rad(30.0), 0.7]
    tau = slider.inverse_dynamics(q, [0.5, 0.2], [1.0, -0.5])
    assert_allclose(tau, [12.004422, 4.23], atol=1e-6)
