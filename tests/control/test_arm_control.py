"""Tests of control by models of the arm.

Oracles: MuJoCo as plant, closed-form error decays, Lyapunov's function, the printed
values of the foundations, Gaussian conditioning by the precision matrix.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp

import gelenk
from gelenk.control.gain_schedule import (
    design_schedule,
    linearize,
    linearize_robot,
    scheduled_input,
)
from gelenk.control.model_based import (
    AdaptiveCfg,
    adaptive_torque,
    computed_torque,
    feedforward_torque,
    fit_gaussian_process,
    predict_gaussian_process,
    reference_regressor,
)
from gelenk.control.operational_space import (
    ToolTarget,
    pose_error,
    resolved_acceleration,
    tool_dynamics,
    transpose_torque,
)
from gelenk.control.pd import Oscillator, free_motion
from gelenk.dynamics.equation_terms import inertial_parameters
from gelenk.dynamics.lagrange import lagrange_coriolis_matrix
from gelenk.errors import ConfigError
from gelenk.models.edit import with_payload
from gelenk.spatial import se3, so3
from planar_arm_plant import run_planar_arm

ARM = gelenk.load("planar2r")
WAVE = np.array([1.0, 1.7])


def wave(t):
    """Return a smooth joint motion: q, qd, qdd."""
    s, c = np.sin(WAVE * t), np.cos(WAVE * t)
    return 0.6 * s + 0.4, 0.6 * WAVE * c, -0.6 * WAVE**2 * s


def pendulum(x, u):
    return [x[1], -9.81 * np.sin(x[0]) + u[0]]


@pytest.mark.capability("GR-185")
def test_a_pendulum_has_its_printed_eigenvalues() -> None:
    A, B = linearize(pendulum, [np.pi, 0.0], [0.0])
    assert_allclose(np.sort(np.linalg.eigvals(A)), [-3.132092, 3.132092], atol=1e-6)
    assert_allclose(B, [[0.0], [1.0]], atol=1e-9)
    hanging = np.linalg.eigvals(linearize(pendulum, [0.0, 0.0], [0.0])[0])
    assert_allclose(np.abs(hanging.imag), np.sqrt(9.81), atol=1e-6)


@pytest.mark.capability("GR-185")
def test_the_linear_model_errs_by_the_square_of_the_distance() -> None:
    x0, u0 = np.array([0.7, -0.4]), np.array([2.0])
    A, B = linearize(pendulum, x0, u0)
    f0 = np.array(pendulum(x0, u0))

    def error(size):
        dx, du = size * np.array([0.6, -0.8]), size * np.array([0.5])
        return np.linalg.norm(
            np.array(pendulum(x0 + dx, u0 + du)) - f0 - A @ dx - B @ du
        )

    assert error(0.02) / error(0.01) == pytest.approx(4.0, rel=0.02)


@pytest.mark.capability("GR-185")
def test_the_linear_arm_has_the_frequencies_of_its_mass_matrix_and_weight() -> None:
    """Oracle: ω² are the generalised eigenvalues of (∂G/∂q, M), G by closed form."""
    q = np.array([-np.pi / 2, 0.0])
    A, B = linearize_robot(ARM, q, [0, 0], [0, 0])
    g, m1, m2, l1, l2 = 9.81, 2.0, 1.5, 1.0, 0.8
    K = np.array(
        [[(m1 + m2) * g * l1 + m2 * g * l2, m2 * g * l2], [m2 * g * l2, m2 * g * l2]]
    )
    M = np.array(
        [
            [
                (m1 + m2) * l1**2 + m2 * l2**2 + 2 * m2 * l1 * l2,
                m2 * l2**2 + m2 * l1 * l2,
            ],
            [m2 * l2**2 + m2 * l1 * l2, m2 * l2**2],
        ]
    )
    expected = np.sqrt(np.linalg.eigvals(np.linalg.solve(M, K)))
    found = np.sort(np.abs(np.linalg.eigvals(A).imag))[::2]
    assert_allclose(found, np.sort(expected), rtol=1e-6)
    assert_allclose(B[2:], np.linalg.inv(M), atol=1e-7)


@pytest.mark.capability("GR-186")
def test_computed_torque_has_its_printed_value() -> None:
    tau = computed_torque(
        ARM,
        (np.deg2rad([30, 45]), [0.5, -0.3]),
        ([0.6, 0.7], [0.4, -0.2], [1.0, 2.0]),
        kp=100.0,
        kv=20.0,
    )
    assert_allclose(tau, [65.633213, 10.909574], atol=1e-6)


@pytest.mark.capability("GR-186")
def test_joint_errors_decay_alone_on_a_plant_of_mujoco() -> None:
    """Each error is that of a critical unit mass, e(t) = (c₁ + c₂ t) e^{-5t}."""
    kp, kv = np.array([25.0, 100.0]), np.array([10.0, 20.0])
    q_d, qd_d, _ = wave(0.0)
    offset = np.array([0.2, 0.0])
    t, q, _ = run_planar_arm(
        lambda t, q, qd: computed_torque(ARM, (q, qd), wave(t), kp=kp, kv=kv),
        q_d - offset,
        qd_d,
        duration=1.5,
    )
    e = np.array([wave(s)[0] for s in t]) - q
    unit = Oscillator(mass=1.0, damping=10.0, stiffness=25.0)
    assert_allclose(e[:, 0], free_motion(unit, 0.2, 0.0, t)[0], atol=2e-3)
    assert_allclose(e[:, 1], 0.0, atol=2e-3)


@pytest.mark.capability("GR-186")
def test_feed_forward_follows_and_a_wrong_mass_leaves_an_error() -> None:
    def late(tip):
        q_d, qd_d, _ = wave(0.0)
        t, q, _ = run_planar_arm(
            lambda t, q, qd: feedforward_torque(
                ARM, (q, qd), wave(t), kp=300.0, kv=60.0
            ),
            q_d,
            qd_d,
            duration=1.5,
            tip=tip,
        )
        return np.abs(np.array([wave(s)[0] for s in t]) - q).max()

    assert late(1.5) < 2e-3
    assert late(3.0) > 0.02


@pytest.mark.capability("GR-187")
def test_changing_models_track_where_one_linear_model_fails() -> None:
    """A pendulum is turned slowly from hanging to upright."""

    def rest(angle):
        return [angle, 0.0], 9.81 * np.sin(angle)

    def worst(schedule):
        def wanted(t):
            return min(t / 6.0, 1.0) * np.pi

        found = solve_ivp(
            lambda t, x: pendulum(x, [scheduled_input(schedule, x, wanted(t))]),
            (0.0, 9.0),
            [0.0, 0.0],
            t_eval=np.linspace(0.0, 9.0, 200),
            rtol=1e-6,
        )
        return np.abs(found.y[0] - [wanted(t) for t in found.t]).max()

    many = design_schedule(
        pendulum, np.linspace(0.0, np.pi, 13), rest, poles=[-4.0, -5.0]
    )
    # One model around hanging: its rest states and inputs grow with the angle as sin' = 1.
    one = design_schedule(
        pendulum, [0.0, np.pi], lambda a: ([a, 0.0], 9.81 * a), poles=[-4.0, -5.0]
    )
    one = type(one)(
        points=one.points,
        states=one.states,
        inputs=one.inputs,
        gains=[one.gains[0]] * 2,
    )
    assert worst(many) < 0.3
    assert worst(one) > 1.0
    with pytest.raises(ConfigError, match="increasing"):
        design_schedule(pendulum, [1.0, 0.0], rest, poles=[-4.0, -5.0])


@pytest.mark.capability("GR-187")
def test_every_point_of_the_schedule_has_the_wanted_poles() -> None:
    schedule = design_schedule(
        pendulum,
        [0.0, 1.0, 2.0],
        lambda a: ([a, 0.0], 9.81 * np.sin(a)),
        poles=[-4.0, -5.0],
    )
    for a, K in zip(schedule.points, schedule.gains, strict=True):
        closed = np.array([[0.0, 1.0], [-9.81 * np.cos(a) - K[0], -K[1]]])
        assert_allclose(np.sort(np.linalg.eigvals(closed)), [-5.0, -4.0], atol=1e-5)


@pytest.mark.capability("GR-188")
def test_the_regressor_uses_the_christoffel_matrix() -> None:
    """Oracle: M q̈_r + C(q, q̇) q̇_r + G with C from derivatives of the mass matrix."""
    puma = gelenk.load("puma560")
    rng = np.random.default_rng(0)
    q, qd, qd_r, qdd_r = rng.normal(size=(4, 6))
    Y = reference_regressor(puma, (q, qd), (qd_r, qdd_r))
    expected = lagrange_coriolis_matrix(puma, q, qd) @ qd_r
    expected += puma.inverse_dynamics(q, np.zeros(6), qdd_r)
    armature = puma.armature[puma.joint_ids] * qdd_r
    assert_allclose(Y @ inertial_parameters(puma), expected - armature, atol=1e-9)


LINKS = ("link_1", "link_2")


def run_adaptive(*, learning, duration, h=0.004):
    """Return largest errors and learned tip masses; the tip is 2 kg heavier than known."""
    cfg = AdaptiveCfg(rate=6.0, damping=12.0, learning=learning, links=LINKS)
    guess = [inertial_parameters(ARM, links=LINKS)]
    rows = []

    def law(t, q, qd):
        tau, rate = adaptive_torque(ARM, cfg, (q, qd), wave(t), guess[0])
        rows.append((np.abs(wave(t)[0] - q).max(), guess[0][10]))
        guess[0] = guess[0] + h * rate
        return tau

    q_d, qd_d, _ = wave(0.0)
    run_planar_arm(law, q_d, qd_d, duration=duration, dt=h, tip=3.5)
    return np.array(rows)


@pytest.mark.slow
@pytest.mark.capability("GR-188")
def test_a_payload_is_learned_and_the_error_dies_out() -> None:
    learning = np.zeros(20)
    learning[10] = 6.0
    rows = run_adaptive(learning=learning, duration=3.6)
    fixed = run_adaptive(learning=np.zeros(20), duration=1.2)
    assert rows[-1, 1] == pytest.approx(3.5, rel=0.02)
    assert rows[-100:, 0].max() < 0.1 * fixed[-100:, 0].max()


@pytest.mark.capability("GR-188")
def test_the_energy_like_function_falls_exactly_as_fast_as_damping_takes() -> None:
    """V = ½ sᵀ M s + ½ π̃ᵀ Γ⁻¹ π̃ has dV/dt = -sᵀ K_D s for every state and guess."""
    rng = np.random.default_rng(5)
    heavy = with_payload(ARM, "link_2", mass=2.0)
    truth, damping = inertial_parameters(heavy, links=LINKS), np.array([9.0, 4.0])
    learning = rng.uniform(0.5, 3.0, 20)
    cfg = AdaptiveCfg(rate=6.0, damping=damping, learning=learning, links=LINKS)
    for t in (0.3, 1.1, 2.0):
        q, qd = wave(t)[0] + rng.normal(0, 0.3, 2), wave(t)[1] + rng.normal(0, 0.3, 2)
        guess = truth + rng.normal(size=20)
        tau, rate = adaptive_torque(ARM, cfg, (q, qd), wave(t), guess)
        qdd = heavy.forward_dynamics(q, qd, tau)

        def s_and_V(h, t=t, q=q, qd=qd, qdd=qdd, guess=guess, rate=rate):
            q_h, qd_h = q + h * qd + 0.5 * h * h * qdd, qd + h * qdd
            q_d, qd_d, _ = wave(t + h)
            s = qd_d - qd_h + cfg.rate * (q_d - q_h)
            wrong = guess + h * rate - truth
            return s, 0.5 * s @ heavy.mass_matrix(q_h) @ s + 0.5 * wrong**2 @ (
                1 / learning
            )

        fall = (s_and_V(1e-5)[1] - s_and_V(-1e-5)[1]) / 2e-5
        s = s_and_V(0.0)[0]
        assert fall == pytest.approx(-(damping @ s**2), rel=1e-6)


@pytest.mark.capability("GR-188")
def test_a_gaussian_process_has_its_printed_values() -> None:
    gp = fit_gaussian_process([0, 1, 2], [0, 1, 0], length=1.0, sigma=1.0, noise=0.1)
    mean, variance = predict_gaussian_process(gp, [0.5])
    assert mean[0] == pytest.approx(0.661668, abs=1e-6)
    assert variance[0] == pytest.approx(0.025020, abs=1e-6)


@pytest.mark.capability("GR-188")
def test_predictions_are_conditioned_gaussians() -> None:
    """Oracle: blocks of the joint precision matrix: mean -P₁₁⁻¹ P₁₂ y, covariance P₁₁⁻¹."""
    rng = np.random.default_rng(3)
    X, x, y = rng.normal(size=(8, 3)), rng.normal(size=(1, 3)), rng.normal(size=8)
    length = np.array([0.5, 1.0, 2.0])
    both = np.concatenate([x, X]) / length
    gap = np.sum((both[:, None] - both[None]) ** 2, axis=-1)
    joint = 4.0 * np.exp(-0.5 * gap)
    joint[1:, 1:] += 0.09 * np.eye(8)
    P = np.linalg.inv(joint)
    gp = fit_gaussian_process(X, y, length=length, sigma=2.0, noise=0.3)
    mean, variance = predict_gaussian_process(gp, x)
    assert mean[0] == pytest.approx(-(P[0, 1:] @ y) / P[0, 0], rel=1e-9)
    assert variance[0] == pytest.approx(1.0 / P[0, 0], rel=1e-9)


@pytest.mark.capability("GR-188")
def test_a_process_that_learned_the_residual_torque_removes_the_error() -> None:
    """The model knows nothing of 1 kg on the tip; the residual is learned over q at rest."""
    rng = np.random.default_rng(4)
    qs = rng.uniform(-0.5, 1.5, (60, 2))
    angles = np.stack([qs[:, 0], qs[:, 0] + qs[:, 1]], axis=1)
    c = 9.81 * np.cos(angles)
    missing = np.stack([c[:, 0] + 0.8 * c[:, 1], 0.8 * c[:, 1]], axis=1)
    noisy = missing + rng.normal(0.0, 0.05, missing.shape)
    gp = fit_gaussian_process(qs, noisy, length=1.5, sigma=20.0, noise=0.05)
    goal = np.array([0.4, 0.7])

    def rest_error(learned):
        def law(t, q, qd):
            extra = predict_gaussian_process(gp, q[None])[0][0] if learned else 0.0
            held = (goal, np.zeros(2), np.zeros(2))
            return computed_torque(ARM, (q, qd), held, kp=100.0) + extra

        return np.abs(
            run_planar_arm(law, goal, np.zeros(2), duration=2.0, tip=2.5)[1][-1] - goal
        ).max()

    assert rest_error(True) < 0.05 * rest_error(False)


@pytest.mark.capability("GR-189")
def test_the_tool_error_decays_as_a_critical_unit_mass() -> None:
    """Resolved acceleration: e(t) = (0.1 + 0.5 t) e^{-5t} on every axis; plant: MuJoCo."""
    centre, radius, w = np.array([0.9, 0.7]), 0.25, 2.0

    def target(t):
        c, s = np.cos(w * t), np.sin(w * t)
        T = np.eye(4)
        T[:2, 3] = centre + radius * np.array([c, s])
        twist, acc = np.zeros(6), np.zeros(6)
        twist[:2] = radius * w * np.array([-s, c])
        acc[:2] = -radius * w * w * np.array([c, s])
        return ToolTarget(T=T, twist=twist, acceleration=acc)

    start = target(0.0)
    T = start.T.copy()
    T[:2, 3] -= 0.1
    q = _planar_ik(T[:2, 3])
    qd = np.linalg.solve(ARM.jacobian(q)[:2], start.twist[:2])
    t, qs, _ = run_planar_arm(
        lambda t, q, qd: resolved_acceleration(
            ARM, (q, qd), target(t), kp=25.0, rows=(0, 1)
        ),
        q,
        qd,
        duration=1.2,
    )
    wanted = np.array([target(s).T[:2, 3] for s in t])
    e = wanted - ARM.forward(qs)[:, :2, 3]
    unit = Oscillator(mass=1.0, damping=10.0, stiffness=25.0)
    expected = free_motion(unit, 0.1, 0.0, t)[0]
    assert_allclose(e, np.stack([expected, expected], axis=1), atol=2e-3)


def _planar_ik(p):
    c2 = (p @ p - 1.0 - 0.64) / 1.6
    s2 = np.sqrt(1.0 - c2 * c2)
    return np.array(
        [
            np.arctan2(p[1], p[0]) - np.arctan2(0.8 * s2, 1.0 + 0.8 * c2),
            np.arctan2(s2, c2),
        ]
    )


@pytest.mark.capability("GR-189")
def test_the_transposed_jacobian_brings_all_six_axes_home_and_energy_falls() -> None:
    """Plant: our forward dynamics. V = ½ q̇ᵀ M q̇ + ½ eᵀ K e never rises."""
    # A tool with inertia: the bare wrist has 1e-4 kg m², which no step of 1 ms bears.
    tool = {"mass": 4.0, "inertia": 0.2 * np.eye(3)}
    puma = with_payload(gelenk.load("puma560"), "link_6", **tool)
    goal = puma.forward([0.3, 0.5, -0.4, 0.2, 0.6, 0.1])
    q, qd, h = np.array([0.35, 0.4, -0.3, 0.25, 0.5, 0.2]), np.zeros(6), 1e-3
    kp = np.array([800.0] * 3 + [60.0] * 3)
    kv = np.array([160.0] * 3 + [12.0] * 3)
    target, values = ToolTarget(T=goal), []
    for k in range(2000):
        tau = transpose_torque(puma, (q, qd), target, kp=kp, kv=kv)
        if k % 25 == 0:
            e = pose_error(goal, puma.forward(q))
            values.append(0.5 * qd @ puma.mass_matrix(q) @ qd + 0.5 * kp @ (e * e))
        qd = qd + h * puma.forward_dynamics(q, qd, tau)
        q = q + h * qd
    assert np.linalg.norm(pose_error(goal, puma.forward(q))) < 0.02 * np.linalg.norm(
        pose_error(goal, puma.forward([0.35, 0.4, -0.3, 0.25, 0.5, 0.2]))
    )
    assert np.all(np.diff(values) < 1e-3 * values[0])


@pytest.mark.capability("GR-189")
def test_a_pose_error_applied_leads_to_the_wanted_pose() -> None:
    rng = np.random.default_rng(1)
    A, B = se3.exp(rng.normal(size=(2, 5, 6)))
    e = pose_error(A, B)
    assert_allclose(so3.exp(e[:, 3:]) @ B[:, :3, :3], A[:, :3, :3], atol=1e-12)
    assert_allclose(B[:, :3, 3] + e[:, :3], A[:, :3, 3], atol=1e-12)


@pytest.mark.capability("GR-189")
def test_tool_forces_accelerate_the_tool_by_its_felt_inertia() -> None:
    """τ = Jᵀ (Λ a + μ) + G gives the tool the acceleration a; oracle: forward dynamics."""
    rng = np.random.default_rng(2)
    puma = gelenk.load("puma560")
    q, qd, a = rng.normal(size=(3, 6))
    R = so3.exp(rng.normal(size=3))
    felt = tool_dynamics(puma, q, qd, R_base_task=R)
    tau = felt.J.T @ (felt.inertia @ a + felt.coriolis) + felt.gravity
    qdd = puma.forward_dynamics(q, qd, tau)
    step = 1e-6

    def twist(s):
        now = q + s * qd + 0.5 * s * s * qdd
        return puma.jacobian(now) @ (qd + s * qdd)

    rate = (twist(step) - twist(-step)) / (2.0 * step)
    seen = np.concatenate([R.T @ rate[:3], R.T @ rate[3:]])
    assert_allclose(seen, a, atol=1e-6)
