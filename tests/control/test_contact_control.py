"""Tests of control in contact.

Oracles: springs in series, closed-form decays, eigenvalues, SciPy's integrator, energy,
reciprocity of twists and wrenches, the printed values of the foundations.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp
from scipy.linalg import eigh

import gelenk
from gelenk.control.constraints import (
    ContactPhase,
    contact_phase,
    drive_screw,
    next_phase,
    peg_in_hole,
    selection_matrices,
    turn_crank,
)
from gelenk.control.force import (
    ForcePiCfg,
    ParallelCfg,
    contact_force,
    force_pi_step,
    force_rest_error,
    hybrid_torque,
    model_force_law,
    parallel_step,
)
from gelenk.control.impedance import (
    AdmittanceCfg,
    AdmittanceState,
    admittance_step,
    commanded_pose,
    contact_growth,
    critical_damping,
    impedance_torque,
    shaped_impedance_torque,
    stiffest_wall,
    wall_force,
)
from gelenk.control.interaction import (
    AdmittancePort,
    Causality,
    ImpactCfg,
    ImpedancePort,
    check_coupling,
    series_stiffness,
    simulate_coupling,
    simulate_impact,
)
from gelenk.control.operational_space import tool_dynamics
from gelenk.control.pd import Oscillator, free_motion, tracking_servo
from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.models.assembler import assemble
from gelenk.models.link import JointType, Link
from gelenk.spatial import so3

ARM = gelenk.load("planar2r")
WINDOW = contact_phase("wipe", blocked=["vy"], wanted={"vx": 0.2, "fy": 10.0})
PHASES = (
    WINDOW,
    turn_crank(1.0, 0.1),
    drive_screw(2.0, 5.0),
    *peg_in_hole(speed=0.05, push=5.0, slide=0.02, limit=8.0),
)


def gantry():
    """Return three sliders along x, y, z with 1, 2 and 3 kg."""
    links = [Link(name="base")]
    for k, axis in enumerate(np.eye(3)):
        links.append(
            Link(
                name=f"slide_{k}",
                parent=links[-1].name,
                joint_type=JointType.PRISMATIC,
                axis=axis,
                mass=1.0 + k,
                inertia=0.01 * np.eye(3),
            )
        )
    return assemble("gantry", links, tool="slide_2")


@pytest.mark.capability("GR-190")
@pytest.mark.parametrize("phase", PHASES, ids=lambda phase: phase.name)
def test_what_the_plan_moves_and_what_it_presses_do_no_work_together(phase) -> None:
    """Reciprocity: every admissible twist and every admissible wrench give no power."""
    rng = np.random.default_rng(0)
    S, S_force = selection_matrices(phase)
    assert_allclose(S + S_force, np.eye(6))
    twists, wrenches = rng.normal(size=(20, 6)) @ S, rng.normal(size=(20, 6)) @ S_force
    assert_allclose(np.sum(twists * wrenches, axis=1), 0.0)
    assert_allclose(S @ phase.wanted_twist, phase.wanted_twist)
    assert_allclose(S_force @ phase.wanted_wrench, phase.wanted_wrench)


@pytest.mark.capability("GR-190")
def test_a_phase_that_is_not_complementary_is_refused() -> None:
    with pytest.raises(ConfigError, match="vy and fy"):
        contact_phase("both", blocked=["vy"], wanted={"vy": 1.0})
    with pytest.raises(ConfigError, match="vx and fx"):
        contact_phase("free axis pressed", wanted={"fx": 1.0})
    with pytest.raises(NameNotFoundError, match="vq"):
        contact_phase("unknown", blocked=["vq"])
    good = WINDOW.artificial
    with pytest.raises(ConfigError, match="vz and fz"):
        ContactPhase(
            name="two natural", natural=(*WINDOW.natural, "vz"), artificial=good
        )


@pytest.mark.capability("GR-190")
def test_a_peg_finds_its_hole_by_the_sequence_of_phases() -> None:
    """World: surface at z = 0, a hole at x in [0.03, 0.04], 0.02 deep, 1e4 N/m."""
    phases = peg_in_hole(speed=0.05, push=5.0, slide=0.02, limit=8.0)
    x, z, index, h, log = 0.0, 0.01, 0, 1e-3, [0]
    twist, wrench = np.zeros(6), np.zeros(6)
    for _ in range(6000):
        index = next_phase(phases, index, twist, wrench)
        if index == len(phases):
            break
        if index != log[-1]:
            log.append(index)
        floor = -0.02 if 0.03 <= x <= 0.04 else 0.0
        push = 1e4 * max(floor - z, 0.0)
        wrench = np.array([0, 0, -push, 0, 0, 0.0])
        S, S_force = selection_matrices(phases[index])
        # A damped hand: velocity on free axes, force error turned into velocity on others.
        miss = phases[index].wanted_wrench - wrench
        twist = S @ phases[index].wanted_twist + 5e-3 * S_force @ miss
        x, z = x + h * twist[0], z + h * twist[2]
    assert log == [0, 1, 2]
    assert index == 3
    assert 0.03 <= x <= 0.04
    assert z == pytest.approx(-0.02, abs=2e-3)


@pytest.mark.capability("GR-191")
def test_the_model_law_gives_the_force_error_its_wanted_decay() -> None:
    """Oracle: e_f of a critical unit mass, on a wall of 1e4 N/m, plant by SciPy."""
    m, k_e, kp, kv = 2.0, 1e4, 400.0, 40.0

    def plant(t, s, load=0.0):
        f = model_force_law(
            k_e * s[0],
            k_e * s[1],
            wanted=(10.0, 0.0, 0.0),
            gains=(kp, kv),
            mass=m,
            stiffness=k_e,
        )
        return [s[1], (f - load - k_e * s[0]) / m]

    t = np.linspace(0.0, 0.4, 30)
    # The contact itself returns k_e e_f / m on top: its own spring is not cancelled.
    unit = Oscillator(mass=1.0, damping=kv, stiffness=kp + k_e / m)
    found = solve_ivp(plant, (0.0, 0.4), [0.0, 0.0], t_eval=t, rtol=1e-9, atol=1e-12)
    assert_allclose(
        10.0 - k_e * found.y[0], free_motion(unit, 10.0, 0.0, t)[0], atol=1e-5
    )
    loaded = solve_ivp(lambda t, s: plant(t, s, 3.0), (0.0, 1.5), [0.0, 0.0], rtol=1e-8)
    left = 10.0 - k_e * loaded.y[0, -1]
    assert left == pytest.approx(
        force_rest_error(3.0, kp=kp, mass=m, stiffness=k_e), rel=1e-4
    )


def press(*, wall, controlled):
    """Return force and place of 2 kg driven against an elastic wall, 1 kHz control."""
    cfg = ForcePiCfg(kp=0.5, ki=15.0, damping=200.0, dt=1e-3)
    x, v, total, fs = -0.002, 0.0, 0.0, []
    for _ in range(1200):
        f = float(contact_force(x, stiffness=wall))
        if controlled:
            u, total = force_pi_step(cfg, total, wanted=20.0, force=f, velocity=v)
        else:
            u = 1e5 * (0.003 - x) - 400.0 * v  # a stiff position loop, 3 mm too deep
        for _ in range(10):
            v += 1e-4 * (float(u) + 2.0 - float(contact_force(x, stiffness=wall))) / 2.0
            x += 1e-4 * v
        fs.append(f)
    return np.array(fs)


@pytest.mark.capability("GR-191")
@pytest.mark.parametrize("wall", [1e4, 5e4])
def test_a_force_step_ends_at_its_value_whatever_the_wall(wall) -> None:
    force = press(wall=wall, controlled=True)
    assert_allclose(force[-300:], 20.0, atol=0.2)
    assert press(wall=wall, controlled=False)[-1] > 25.0
    assert contact_force(-1.0, stiffness=wall) == 0.0


@pytest.mark.capability("GR-192")
def test_the_window_example_selects_its_axes() -> None:
    S, S_force = selection_matrices(WINDOW)
    assert_allclose(np.diag(S)[:3], [1, 0, 1])
    assert_allclose(np.diag(S_force)[:3], [0, 1, 0])


@pytest.mark.slow
@pytest.mark.capability("GR-192")
def test_a_gantry_presses_ten_newtons_while_it_draws_a_circle() -> None:
    """Wall 1e4 N/m at y = 0.1: force within 1 %, circle in x and z within 1 mm."""
    robot, h, k_e = gantry(), 2e-3, 1e4
    q, qd, total = np.array([0.2, 0.1, 0.0]), np.array([0.0, 0.0, 0.4]), 0.0
    cfg = ForcePiCfg(kp=0.5, ki=20.0, damping=150.0, dt=h)
    late = []
    for k in range(900):
        c, s = np.cos(2.0 * k * h), np.sin(2.0 * k * h)
        x_d, v_d, a_d = 0.2 * np.array(
            [[c, 0, s], [-2 * s, 0, 2 * c], [-4 * c, 0, -4 * s]]
        )
        push = float(contact_force(q[1], wall=0.1, stiffness=k_e))
        felt = tool_dynamics(robot, q, qd, rows=(0, 1, 2))
        drive, total = force_pi_step(
            cfg, total, wanted=10.0, force=push, velocity=qd[1]
        )
        tau = hybrid_torque(
            felt,
            WINDOW.is_blocked[:3],
            motion=tracking_servo(x_d - q, v_d - qd, kp=400.0, acceleration=a_d),
            force=[0.0, drive, 0.0],
        )
        load = {"slide_2": np.array([0.0, -push, 0.0, 0.0, 0.0, 0.0])}
        qdd = robot.forward_dynamics(q, qd, tau, wrenches=load)
        q, qd = q + h * qd + 0.5 * h * h * qdd, qd + h * qdd
        if k > 450:
            late.append((push, *(x_d - q)[[0, 2]]))
    late = np.array(late)
    assert_allclose(late[:, 0], 10.0, rtol=0.01)
    assert np.abs(late[:, 1:]).max() < 1e-3


@pytest.mark.capability("GR-192")
def test_selection_before_the_inertia_keeps_motion_out_of_the_force() -> None:
    """Oracle: forward dynamics. With the wall's force in balance the normal stays still."""
    rng = np.random.default_rng(1)
    disturbed = []
    for _ in range(5):
        q, qd = rng.uniform([0.2, 0.5], [0.8, 1.6]), np.zeros(2)
        R = so3.rot_z(rng.uniform(-1, 1))
        felt = tool_dynamics(ARM, q, qd, rows=(0, 1), R_base_task=R)
        tau = hybrid_torque(felt, [False, True], motion=[3.0, 7.0], force=[0.0, 10.0])
        load = np.concatenate([R @ [0.0, -10.0, 0.0], np.zeros(3)])
        qdd = ARM.forward_dynamics(q, qd, tau, wrenches={"link_2": load})
        acc = R.T @ (ARM.jacobian(q)[:3] @ qdd)
        assert_allclose(acc[:2], [3.0, 0.0], atol=1e-9)
        wrong = felt.J.T @ (np.array([1, 0]) * (felt.inertia @ [3.0, 7.0]) + [0, 10.0])
        qdd = ARM.forward_dynamics(
            q, qd, wrong + felt.gravity, wrenches={"link_2": load}
        )
        disturbed.append(abs((R.T @ (ARM.jacobian(q)[:3] @ qdd))[1]))
    assert max(disturbed) > 0.5


@pytest.mark.capability("GR-193")
@pytest.mark.parametrize("wall", [0.100, 0.095, 0.105])
def test_a_wall_off_its_model_takes_the_position_error_and_not_the_force(wall) -> None:
    """The plan believes the wall at 0.1 m; axes: x along it, y into it; 2 kg each."""
    cfg = ParallelCfg(kp=300.0, kv=np.array([50.0, 300.0]), kf=0.5, ki=20.0, dt=1e-3)
    x, v, total = np.array([0.0, 0.09]), np.zeros(2), np.zeros(2)
    for _ in range(1500):
        force = np.array([0.0, float(contact_force(x[1], wall=wall, stiffness=1e4))])
        goal = np.array([0.05, 0.1])
        wanted = np.array([0.0, 10.0])
        u, total = parallel_step(
            cfg, total, motion=(goal - x, v), wanted=wanted, force=force
        )
        for _ in range(10):
            push = np.array([0.0, float(contact_force(x[1], wall=wall, stiffness=1e4))])
            v = v + 1e-4 * (u - push) / 2.0
            x = x + 1e-4 * v
    assert force[1] == pytest.approx(10.0, abs=0.02)
    assert x[0] == pytest.approx(0.05, abs=1e-4)
    assert x[1] == pytest.approx(wall + 10.0 / 1e4, abs=1e-5)


@pytest.mark.capability("GR-194")
def test_illegal_couplings_are_refused_and_legal_ones_pass() -> None:
    spring = ImpedancePort(name="spring", stiffness=10.0)
    damper = ImpedancePort(name="damper", stiffness=0.0, damping=2.0)
    mass = AdmittancePort(name="mass", mass=1.0)
    for a, b in ((mass, mass), (spring, spring)):
        with pytest.raises(ConfigError, match=f"{a.name} and {b.name}.*complement"):
            simulate_coupling(a, b, duration=1.0, dt=0.1)
    for a, b in ((mass, spring), (spring, mass), (mass, damper)):
        assert len(simulate_coupling(a, b, duration=1.0, dt=0.1).t) == 11
    check_coupling(Causality.EITHER, Causality.ADMITTANCE)
    with pytest.raises(ConfigError, match="store motion"):
        simulate_coupling(damper, spring, duration=1.0, dt=0.1)


@pytest.mark.capability("GR-194")
def test_coupled_ports_move_as_an_oscillator_and_balance_their_power() -> None:
    arm = ImpedancePort(name="arm", stiffness=40.0, damping=3.0)
    ball = AdmittancePort(name="ball", mass=2.0)
    motion = simulate_coupling(arm, ball, duration=3.0, dt=0.005, flow=1.0)
    same = Oscillator(mass=2.0, damping=3.0, stiffness=40.0)
    x, _ = free_motion(same, 0.0, 1.0, motion.t)
    assert_allclose(motion.place, x, atol=1e-8)
    taken = np.trapezoid(motion.effort * motion.flow, motion.t)
    lost = 0.5 * 2.0 * (1.0 - motion.flow[-1] ** 2)  # by the mass
    assert taken == pytest.approx(lost, abs=1e-4)


def run_impedance(*, shaped, duration=1.0):
    """Return places of a 2R tool pressed 20 mm into a wall along x, K = 500 N/m."""
    start = np.array([0.3, 1.4])
    p0, h = ARM.forward(start)[:2, 3], 2e-3
    goal, q, qd, xs, fs = p0 + np.array([0.02, 0.0]), start, np.zeros(2), [], []
    K = np.diag([500.0, 500.0])
    for _ in range(round(duration / h)):
        felt = tool_dynamics(ARM, q, qd, rows=(0, 1))
        push = float(contact_force(felt.T[0, 3], wall=p0[0], stiffness=1e4))
        e, rate = goal - felt.T[:2, 3], -felt.twist
        if shaped:
            inertia = np.diag([4.0, 4.0])
            tau = shaped_impedance_torque(
                felt,
                e,
                rate,
                inertia=inertia,
                stiffness=K,
                damping=critical_damping(K, inertia),
                external=[-push, 0.0],
            )
        else:
            D = critical_damping(K, felt.inertia)
            tau = impedance_torque(felt, e, rate, stiffness=K, damping=D)
        load = {"link_2": np.array([-push, 0, 0, 0, 0, 0])}
        qdd = ARM.forward_dynamics(q, qd, tau, wrenches=load)
        q, qd = q + h * (qd + h * qdd), qd + h * qdd
        xs.append(felt.T[:2, 3])
        fs.append(push)
    return np.array(xs), np.array(fs)


@pytest.mark.capability("GR-195")
@pytest.mark.parametrize("shaped", [False, True])
def test_the_tool_presses_as_two_springs_in_series(shaped) -> None:
    _, force = run_impedance(shaped=shaped)
    assert wall_force(0.02, stiffness=500.0, wall_stiffness=1e4) == pytest.approx(
        9.523810, abs=1e-6
    )
    assert force[-1] == pytest.approx(9.523810, rel=1e-3)


@pytest.mark.capability("GR-195")
def test_a_shaped_inertia_is_what_an_external_push_feels() -> None:
    """Oracle: forward dynamics; Λ_d ë + D ė + K e = -f_ext at random states of an arm."""
    rng = np.random.default_rng(2)
    puma = gelenk.load("puma560")
    q, qd = rng.normal(size=(2, 6))
    felt = tool_dynamics(puma, q, qd)
    A = rng.normal(size=(6, 6))
    inertia = A @ A.T + 6.0 * np.eye(6)
    K, D = np.diag(rng.uniform(50, 90, 6)), np.diag(rng.uniform(5, 9, 6))
    e, rate, push, a_d = rng.normal(size=(4, 6))
    tau = shaped_impedance_torque(
        felt,
        e,
        rate,
        inertia=inertia,
        stiffness=K,
        damping=D,
        external=push,
        acceleration=a_d,
    )
    qdd = puma.forward_dynamics(q, qd, tau, wrenches={"link_6": push})
    step = 1e-6
    after = puma.jacobian(q + step * qd) @ (qd + step * qdd)
    before = puma.jacobian(q - step * qd) @ (qd - step * qdd)
    edd = a_d - (after - before) / (2.0 * step)
    assert_allclose(inertia @ edd + D @ rate + K @ e, -push, atol=1e-4)


@pytest.mark.capability("GR-195")
def test_critical_damping_of_matrices_is_critical_in_every_mode() -> None:
    """Oracle: poles of the quadratic pencil are real and in pairs -√k of (K, Λ)."""
    rng = np.random.default_rng(3)
    A, B = rng.normal(size=(2, 4, 4))
    K, L = A @ A.T + np.eye(4), B @ B.T + np.eye(4)
    D = critical_damping(K, L)
    zero, one = np.zeros((4, 4)), np.eye(4)
    pencil = np.block([[zero, one], [-np.linalg.solve(L, K), -np.linalg.solve(L, D)]])
    poles = np.sort(np.linalg.eigvals(pencil).real)
    expected = np.sort(np.repeat(-np.sqrt(eigh(K, L, eigvals_only=True)), 2))
    assert_allclose(poles, expected, atol=1e-5)


@pytest.mark.capability("GR-196")
def test_a_push_of_ten_newtons_gives_way_by_five_centimetres() -> None:
    """And on the way as the continuous body does; oracle: closed-form oscillator."""
    cfg = AdmittanceCfg(mass=2.0, damping=30.0, stiffness=200.0, dt=1e-4)
    state, xs = AdmittanceState(), []
    for _ in range(20_000):
        state = admittance_step(cfg, state, [0, 10.0, 0, 0, 0, 0])
        xs.append(state.offset[1])
    body = Oscillator(mass=2.0, damping=30.0, stiffness=200.0)
    t = 1e-4 * np.arange(1, 20_001)
    assert_allclose(xs, 0.05 + free_motion(body, -0.05, 0.0, t)[0], atol=5e-5)
    assert xs[-1] == pytest.approx(0.05, abs=1e-6)


@pytest.mark.capability("GR-196")
def test_the_stability_limit_of_contact_is_where_simulated_contact_swings_up() -> None:
    cfg = AdmittanceCfg(mass=2.0, damping=40.0, stiffness=200.0, dt=0.01)
    limit = stiffest_wall(cfg)
    for wall, delay in ((0.9 * limit, 0), (1.1 * limit, 0), (500.0, 3), (20_000.0, 3)):
        state, late = AdmittanceState(offset=np.array([0.001, 0, 0, 0, 0, 0])), []
        places = [0.001] * (delay + 1)
        for _ in range(1500):
            push = -wall * places[-1 - delay]
            state = admittance_step(cfg, state, [push, 0, 0, 0, 0, 0])
            places.append(float(state.offset[0]))
            if abs(places[-1]) > 1e6:
                break
        grows = abs(places[-1]) > 0.001
        late.append(grows)
        assert grows == (contact_growth(cfg, wall, delay=delay) > 1.0)
    assert contact_growth(cfg, 0.999 * limit) < 1.0 < contact_growth(cfg, 1.001 * limit)


@pytest.mark.capability("GR-196")
def test_a_dead_band_ignores_noise_and_torques_turn_the_command() -> None:
    cfg = AdmittanceCfg(
        mass=1.0, damping=20.0, stiffness=100.0, dt=0.005, dead_band=1.0
    )
    state = admittance_step(cfg, AdmittanceState(), [0.9, -0.9, 0, 0, 0, 0])
    assert not state.offset.any()
    state = AdmittanceState()
    for _ in range(1000):
        state = admittance_step(cfg, state, [0, 0, 0, 0, 0, 31.0])
    T = commanded_pose(np.eye(4), state)
    assert_allclose(T[:3, :3], so3.rot_z(0.3), atol=1e-6)


@pytest.mark.capability("GR-197")
def test_a_built_in_spring_takes_the_blow_and_control_sets_what_follows() -> None:
    """Oracles: v √(k m) of the masses that take part; springs in series at rest."""
    hit = {"motor_mass": 2.0, "link_mass": 0.5, "wall": 1e5, "speed": 0.5}
    active = {"stiffness": 300.0, "damping": 120.0, "target": 0.02, "delay": 0.01}
    stiff = simulate_impact(ImpactCfg(spring=None, **hit, **active), duration=0.03)
    soft = simulate_impact(
        ImpactCfg(spring=1000.0, spring_damping=20.0, **hit, **active),
        duration=1.5,
        dt=5e-5,
    )
    # Before the controller answers it cannot help: the rigid blow is that of all masses.
    assert stiff.peak == pytest.approx(0.5 * np.sqrt(1e5 * 2.5), rel=0.03)
    assert soft.peak == pytest.approx(0.5 * np.sqrt(1e5 * 0.5), rel=0.05)
    assert soft.peak < 0.5 * stiff.peak
    felt = series_stiffness(300.0, 1000.0, 1e5)
    assert soft.force[-1] == pytest.approx(felt * 0.02, rel=1e-3)


@pytest.mark.capability("GR-197")
def test_without_control_a_spring_conserves_what_the_wall_gives_back() -> None:
    hit = {"motor_mass": 2.0, "link_mass": 0.5, "wall": 1e5, "speed": 0.5}
    impact = simulate_impact(ImpactCfg(spring=None, **hit), duration=0.04)
    assert (impact.link[-1] - impact.link[-2]) / 2e-5 == pytest.approx(-0.5, rel=1e-3)
    with pytest.raises(ConfigError, match="series"):
        series_stiffness(0.0, 1.0)
