"""Simulated motions against closed solutions, conservation laws and convergence orders."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation
from scipy.special import ellipk

from gelenk.dynamics.equation_terms import total_energy
from gelenk.dynamics.momentum import centre_of_mass, com_jacobian, momentum
from gelenk.dynamics.simulation import SimulationCfg, simulate
from gelenk.errors import ConfigError
from gelenk.models.assembler import assemble
from gelenk.models.catalog import make
from gelenk.models.link import JointType, Link
from gelenk.models.tree import RobotModel
from testkit.random_models import random_configuration, random_tree

G = 9.81
ALL = ["euler", "rk4", "rk45", "implicit"]


def pendulum() -> RobotModel:
    """Return a point of 1 kg, 1 m below a hinge about y; q = 0 hangs straight down."""
    bob = Link(
        name="bob", parent="base", joint_type=JointType.REVOLUTE, axis=(0, 1, 0),
        mass=1.0, com=(0.0, 0.0, -1.0),
    )  # fmt: skip
    return assemble("pendulum", [Link(name="base"), bob])


def slider(damping: float = 0.0) -> RobotModel:
    """Return 2 kg on a horizontal slider."""
    car = Link(
        name="car", parent="base", joint_type=JointType.PRISMATIC, axis=(1, 0, 0),
        mass=2.0, damping=damping,
    )  # fmt: skip
    return assemble("slider", [Link(name="base"), car])


def brick() -> RobotModel:
    """Return a free rigid body with three different moments, without gravity."""
    root = Link(
        name="brick", joint_type=JointType.FLOATING, mass=2.0, com=(0.1, -0.05, 0.2),
        inertia=np.diag([0.1, 0.2, 0.25]),
    )  # fmt: skip
    return assemble("brick", [root], gravity=(0, 0, 0))


@pytest.mark.capability("GR-64")
def test_energy_of_a_pendulum_drifts_less_than_a_hundred_millionth() -> None:
    model = pendulum()

    motion = simulate(model, [2.5], [0.0], cfg=SimulationCfg(duration=10.0, dt=1e-3))

    energy = total_energy(model, motion.q, motion.qd)
    assert motion.t[-1] == pytest.approx(10.0, abs=1e-12)
    assert len(motion.t) == 10_001
    assert np.abs(energy - energy[0]).max() < 1e-8
    assert motion.q.min() < -2.4  # and it did swing


@pytest.mark.capability("GR-64")
@pytest.mark.parametrize(("integrator", "order"), [("euler", 1.0), ("rk4", 4.0)])
def test_errors_shrink_with_the_order_of_the_integrator(
    integrator: str, order: float
) -> None:
    model, q, qd = make("double_pendulum"), [0.8, -0.5], [0.3, 1.0]
    tight = SimulationCfg(
        duration=1.0, dt=1.0, integrator="rk45", rtol=1e-12, atol=1e-13
    )
    exact = simulate(model, q, qd, cfg=tight).q[-1]

    steps = np.array([0.02, 0.01, 0.005])
    errors = [
        np.linalg.norm(
            simulate(
                model, q, qd,
                cfg=SimulationCfg(duration=1.0, dt=h, integrator=integrator),  # type: ignore[arg-type]
            ).q[-1] - exact
        )
        for h in steps
    ]  # fmt: skip

    slope = np.polyfit(np.log(steps), np.log(errors), 1)[0]
    assert slope == pytest.approx(order, abs=0.25)


@pytest.mark.capability("GR-64")
@pytest.mark.parametrize("integrator", ["rk4", "rk45", "implicit"])
def test_a_pendulum_reaches_the_bottom_after_a_quarter_of_its_period(
    integrator: str,
) -> None:
    """Closed form: a quarter period is K(sin^2(q0 / 2)) sqrt(l / g)."""
    cfg = SimulationCfg(duration=5.0, dt=5e-3, integrator=integrator)  # type: ignore[arg-type]

    motion = simulate(
        pendulum(), [2.0], [0.0], cfg=cfg, event=lambda t, q, qd: float(q[0])
    )

    quarter = ellipk(np.sin(1.0) ** 2) / np.sqrt(G)
    assert motion.status == "event"
    assert "the event occurred" in motion.message
    assert motion.t[-1] == pytest.approx(quarter, abs=1e-8)
    assert motion.q[-1, 0] == pytest.approx(0.0, abs=1e-8)


@pytest.mark.capability("GR-64")
@pytest.mark.parametrize("integrator", ["rk4", "rk45"])
def test_a_free_body_turns_as_eulers_equations_say(integrator: str) -> None:
    model = brick()
    q = np.array([0.3, 0.1, -0.2, 1.0, 0.0, 0.0, 0.0])
    qd = np.array([0.5, 0.0, 0.1, 0.05, 3.0, 0.05])  # near the unstable axis
    cfg = SimulationCfg(duration=4.0, dt=2e-3, integrator=integrator)  # type: ignore[arg-type]

    motion = simulate(model, q, qd, cfg=cfg)

    inertia = model.inertia[0]

    def euler(t: float, y: np.ndarray) -> np.ndarray:
        omega = y[4:]
        quat_rate = 0.5 * np.array([
            y[3] * omega[0] + y[1] * omega[2] - y[2] * omega[1],
            y[3] * omega[1] + y[2] * omega[0] - y[0] * omega[2],
            y[3] * omega[2] + y[0] * omega[1] - y[1] * omega[0],
            -y[0] * omega[0] - y[1] * omega[1] - y[2] * omega[2],
        ])  # fmt: skip
        return np.concatenate(
            [quat_rate, np.linalg.solve(inertia, -np.cross(omega, inertia @ omega))]
        )

    expected = solve_ivp(
        euler, (0.0, 4.0), [0, 0, 0, 1, 0.05, 3.0, 0.05], rtol=1e-11, atol=1e-12
    ).y[:4, -1]
    ours = Rotation.from_quat(motion.q[-1, 3:7], scalar_first=True)
    apart = (ours * Rotation.from_quat(expected).inv()).magnitude()
    assert apart < 1e-6
    conserved = momentum(model, motion.q, motion.qd)
    assert_allclose(
        conserved, np.broadcast_to(conserved[0], conserved.shape), atol=1e-7
    )
    assert_allclose(np.linalg.norm(motion.q[:, 3:7], axis=1), 1.0, atol=1e-12)
    assert (motion.q[:, 3] >= 0.0).all()


@pytest.mark.capability("GR-64")
def test_a_falling_robot_follows_a_parabola_whatever_its_joints_do() -> None:
    rng = np.random.default_rng(0)
    model = random_tree(rng, num_joints=6, floating=True)
    model = replace(model, damping=np.full(len(model.link_names), 0.3))
    q, qd = random_configuration(rng, model), 0.5 * rng.normal(size=model.nv)

    def inner(t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        return np.concatenate([np.zeros(6), np.sin(3.0 * t + np.arange(6))])

    cfg = SimulationCfg(duration=0.5, dt=2e-3)
    motion = simulate(model, q, qd, cfg=cfg, torque=inner)

    start, speed = centre_of_mass(model, q), com_jacobian(model, q) @ qd
    t = motion.t[:, None]
    parabola = start + t * speed + 0.5 * t**2 * model.gravity
    assert_allclose(centre_of_mass(model, motion.q), parabola, atol=1e-6)
    spin = momentum(model, motion.q, motion.qd)[:, 3:]
    assert_allclose(spin, np.broadcast_to(spin[0], spin.shape), atol=1e-6)
    assert np.abs(motion.q[-1, 7:] - q[7:]).max() > 0.1  # the joints did move


@pytest.mark.capability("GR-64")
@pytest.mark.parametrize("integrator", ALL)
def test_damping_slows_a_slider_down_exponentially(integrator: str) -> None:
    cfg = SimulationCfg(duration=1.0, dt=1e-3, integrator=integrator)  # type: ignore[arg-type]

    motion = simulate(slider(damping=3.0), [0.0], [2.0], cfg=cfg)

    tolerance = 2e-3 if integrator == "euler" else 1e-7
    assert_allclose(motion.qd[:, 0], 2.0 * np.exp(-1.5 * motion.t), atol=tolerance)


@pytest.mark.capability("GR-64")
def test_a_stiff_problem_takes_the_implicit_integrator_few_evaluations() -> None:
    """2 kg with 2e6 N s/m: time constant 1 us, simulated for 1 s."""
    counts = {}
    for integrator in ("implicit", "rk45"):
        calls = []

        def rubbing(
            q: np.ndarray, qd: np.ndarray, calls: list[int] = calls
        ) -> np.ndarray:
            calls.append(1)
            return 2e6 * qd

        duration = 1.0 if integrator == "implicit" else 1e-3
        cfg = SimulationCfg(
            duration=duration,
            dt=duration / 2,
            integrator=integrator,
            rtol=1e-6,
            atol=1e-9,
        )  # type: ignore[arg-type]
        motion = simulate(slider(), [0.0], [1.0], cfg=cfg, losses=rubbing)
        counts[integrator] = len(calls) / duration
        assert motion.q[-1, 0] == pytest.approx(1e-6, rel=1e-3)  # v0 times 1 us

    assert counts["implicit"] < 1e-3 * counts["rk45"]


@pytest.mark.capability("GR-64")
@pytest.mark.parametrize("integrator", ["euler", "rk4", "rk45"])
def test_a_torque_is_held_between_ticks_of_the_controller(integrator: str) -> None:
    asked = []

    def law(t: float, q: np.ndarray, qd: np.ndarray) -> list[float]:
        asked.append(t)
        return [4.0 if t < 0.25 else -2.0]

    cfg = SimulationCfg(duration=0.6, dt=0.02, control_dt=0.1, integrator=integrator)  # type: ignore[arg-type]
    motion = simulate(slider(), [0.0], [0.0], cfg=cfg, torque=law)

    assert_allclose(asked, [0.0, 0.1, 0.2, 0.3, 0.4, 0.5], atol=1e-12)
    # 2 m/s^2 until the tick at 0.3 s sees t >= 0.25, then -1 m/s^2.
    v = np.where(motion.t < 0.3, 2.0 * motion.t, 0.6 - (motion.t - 0.3))
    assert_allclose(motion.qd[:, 0], v, atol=1e-9)


def test_a_batch_equals_its_elements_one_by_one() -> None:
    model, rng = make("double_pendulum"), np.random.default_rng(1)
    q, qd = rng.normal(size=(2, 3, 2)), rng.normal(size=(3, 2))
    cfg = SimulationCfg(duration=0.05, dt=0.01)

    motion = simulate(model, q, qd, cfg=cfg)

    assert motion.q.shape == (6, 2, 3, 2)
    for i, j in np.ndindex(2, 3):
        one = simulate(model, q[i, j], qd[j], cfg=cfg)
        assert_allclose(motion.q[:, i, j], one.q, atol=1e-13)


def test_a_step_too_large_is_reported_not_raised() -> None:
    cfg = SimulationCfg(duration=100.0, dt=0.1, integrator="euler")

    motion = simulate(slider(damping=1e3), [0.0], [1.0], cfg=cfg)

    assert motion.status == "failed"
    assert "beyond bounds" in motion.message
    assert np.isfinite(motion.q).all()


def test_the_last_step_ends_on_time() -> None:
    cfg = SimulationCfg(duration=0.25, dt=0.1)

    motion = simulate(slider(), [0.0], [1.0], cfg=cfg)

    assert_allclose(motion.t, [0.0, 0.1, 0.2, 0.25])
    assert_allclose(motion.q[:, 0], motion.t, atol=1e-15)


def test_impossible_settings_are_refused() -> None:
    with pytest.raises(ConfigError, match="`dt` must be > 0"):
        SimulationCfg(duration=1.0, dt=0.0)
    with pytest.raises(ConfigError, match="not a whole multiple"):
        SimulationCfg(duration=1.0, dt=0.002, control_dt=0.005)
    with pytest.raises(ConfigError, match="`integrator` must be"):
        SimulationCfg(duration=1.0, integrator="heun")  # type: ignore[arg-type]
    cfg = SimulationCfg(duration=1.0, integrator="rk45")
    with pytest.raises(ConfigError, match="take one state"):
        simulate(slider(), [[0.0]], [[1.0]], cfg=cfg)
