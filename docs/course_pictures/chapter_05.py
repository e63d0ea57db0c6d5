"""Pictures of chapter 5: friction, elasticity, muscles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import gelenk
from course_pictures.drawing import label
from gelenk.actuation.transmissions import backlash_torque
from gelenk.dynamics.elastic_joints import (
    ElasticJoints,
    PowerSpring,
    elastic_forward_dynamics,
    elastic_inverse_dynamics,
    extended_inertia,
)
from gelenk.dynamics.elastic_links import mode_shape, round_rod
from gelenk.dynamics.friction import (
    JointFriction,
    forward_dynamics_with_friction,
    sliding_friction,
    sticking_friction,
    stribeck_friction,
)
from gelenk.dynamics.muscle import force_length, force_velocity, passive_force
from gelenk.dynamics.musculoskeletal import WobblingBody, landing_force, split_sense
from gelenk.typing import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

JOINTS = ElasticJoints(stiffness=[400.0, 200.0], rotor_inertia=[0.2, 0.1])


def draw_sliding(axes: Axes) -> None:
    """Draw Coulomb and viscous friction over speed."""
    v = np.linspace(-1.0, 1.0, 401)
    axes.plot(v, sliding_friction(v, coulomb=1.0), label="Coulomb")
    axes.plot(v, sliding_friction(v, coulomb=1.0, viscous=0.6), label="and viscous")
    label(axes, "q̇ [rad/s]", "F [N m]")


def draw_stick_slip(axes: Axes) -> None:
    """Draw a mass on a slow belt: it sticks, the spring tears it loose, it slips."""
    for static in (1.0, 1.6):
        x, v, belt, h = 0.0, 0.1, 0.1, 5e-3
        places: list[float] = []
        for _ in range(1600):
            pull = -10.0 * x - 0.5 * (v - belt)
            slip = 0.0 if abs(v - belt) < 1e-9 else v - belt
            friction = sticking_friction(slip, pull, static=static, coulomb=1.0)
            after = v + h * float(pull - friction)
            v = belt if slip * (after - belt) < 0.0 else after
            x += h * v
            places.append(x)
        axes.plot(h * np.arange(1600), places, label=f"static {static} N, sliding 1 N")
    label(axes, "t [s]", "x [m]")


def draw_stribeck(axes: Axes) -> None:
    """Draw the Stribeck curve and its lowest point, beyond q̇_s."""
    v = np.linspace(1e-3, 1.0, 300)
    F = stribeck_friction(v, coulomb=1.0, static=1.5, stribeck_speed=0.05, viscous=0.2)
    axes.plot(v, F)
    k = int(np.argmin(F))
    axes.plot(v[k], F[k], "ro", label="minimum")
    axes.axvline(0.05, color="0.7", label="q̇_s")
    label(axes, "q̇ [rad/s]", "F [N m]")


def draw_arm_friction(axes: Axes) -> None:
    """Draw an arm that falls from rest, with and without friction."""
    arm = gelenk.load("planar2r")
    for name, scale in (("none", 0.0), ("dry and viscous", 1.0)):
        friction = JointFriction(
            coulomb=[4.0 * scale, 1.5 * scale],
            viscous=[6.0 * scale, 3.0 * scale],
            rest_speed=2e-3,
        )
        q, qd, h = np.array([0.5, 0.2]), np.zeros(2), 8e-3
        angles: list[float] = []
        for _ in range(400):
            motion = forward_dynamics_with_friction(
                arm, q, qd, np.zeros(2), friction=friction
            )
            after = qd + h * motion.qdd
            qd = np.where((qd * after < 0.0) & (scale > 0.0), 0.0, after)
            q = q + h * qd
            angles.append(float(q[0]))
        axes.plot(h * np.arange(400), angles, label=name)
    label(axes, "t [s]", "q₁ [rad]")


def draw_play(axes: Axes) -> None:
    """Draw what teeth with play transmit, and the limit cycle that follows from it."""
    theta, omega, q, rate, h = 0.0, 0.0, 0.3, 0.0, 2e-3
    link: list[float] = []
    speed: list[float] = []
    for _ in range(4000):
        torque = float(backlash_torque(theta - q, half_gap=0.05, stiffness=200.0))
        torque += 0.3 * (omega - rate) if torque else 0.0
        drive = -20.0 * q - 1.0 * omega  # position of the link, speed of the motor
        omega += h * (drive - torque) / 0.2
        rate += h * torque / 0.5
        theta, q = theta + h * omega, q + h * rate
        link.append(q)
        speed.append(rate)
    axes.plot(link, speed, linewidth=0.8)
    label(axes, "q of the link [rad]", "q̇ [rad/s]")


def draw_springs(axes: Axes) -> None:
    """Draw the three characteristics of springs."""
    s = np.linspace(0.0, 1.5, 100)
    for name, n in (("progressive", 2.0), ("linear", 1.0), ("degressive", 0.5)):
        axes.plot(s, PowerSpring(stiffness=1.0, exponent=n).force(s), label=name)
    label(axes, "deflection", "force")


def draw_elastic_motion(axes: Axes) -> None:
    """Draw a motor that pushes a link through a spring: both swing."""
    arm = gelenk.load("planar2r")
    q = np.array([-np.pi / 2, 0.0])
    state = [q, q.copy(), np.zeros(2), np.zeros(2)]
    links: list[FloatArray] = []
    motors: list[FloatArray] = []
    h = 2e-3
    for k in range(500):
        push = np.array([20.0, 0.0]) if k < 25 else np.zeros(2)
        a, b = elastic_forward_dynamics(arm, JOINTS, tuple(state), push)
        rates = [state[2] + h * a, state[3] + h * b]
        state = [state[0] + h * rates[0], state[1] + h * rates[1], *rates]
        links.append(state[0])
        motors.append(state[1])
    t = h * np.arange(500)
    axes.plot(t, np.array(motors)[:, 0], label="motor")
    axes.plot(t, np.array(links)[:, 0], label="link")
    label(axes, "t [s]", "angle [rad]")


def draw_elastic_inverse(axes: Axes) -> None:
    """Draw the motor torque of one motion, for a rigid and an elastic arm."""
    arm = gelenk.load("planar2r")
    t = np.linspace(0.0, 2.0, 120)
    amplitude, rates = np.array([0.4, -0.5]), np.array([5.0, 7.0])
    rows = [
        amplitude * rates**k * np.sin(rates * t[:, None] + k * np.pi / 2)
        for k in range(5)
    ]
    soft = ElasticJoints(stiffness=[120.0, 40.0], rotor_inertia=[0.2, 0.1])
    drive = elastic_inverse_dynamics(arm, soft, np.stack(rows, axis=1))
    rigid = drive.spring_torque + np.array([0.2, 0.1]) * rows[2]
    axes.plot(t, drive.motor_torque[:, 1], label="elastic")
    axes.plot(t, rigid[:, 1], "--", label="rigid")
    label(axes, "t [s]", "τ₂ of the motor [N m]")


def draw_beam(axes: Axes) -> None:
    """Draw the first modes of a clamped rod."""
    rod = round_rod(length=0.5, radius=0.01, youngs_modulus=70e9, density=2700.0)
    x = np.linspace(0.0, 0.5, 100)
    for k in range(3):
        axes.plot(x, mode_shape(rod, k, x), label=f"mode {k + 1}")
    label(axes, "x [m]", "shape")


def draw_extended_inertia(axes: Axes) -> None:
    """Draw the inertia matrix of links and rotors, coupled."""
    S = np.array([[0.0, 0.4], [0.0, 0.0]])
    joints = ElasticJoints(stiffness=1.0, rotor_inertia=[2.0, 1.0], coupling=S)
    axes.imshow(extended_inertia(gelenk.load("planar2r"), joints, [0.5, 0.8]))
    axes.set_xticks(range(4), ["q₁", "q₂", "θ₁", "θ₂"])
    axes.set_yticks(range(4), ["q₁", "q₂", "θ₁", "θ₂"])


def draw_muscle(axes: Axes) -> None:
    """Draw the force of a muscle over its length and over its speed."""
    length, speed = np.linspace(0.4, 1.6, 100), np.linspace(-1.0, 1.0, 100)
    axes.plot(length, force_length(length), label="over length, active")
    axes.plot(length, passive_force(length), label="over length, passive")
    axes.plot(speed, force_velocity(speed), label="over speed")
    label(axes, "l / l_opt, or v / v_max", "F / F_max")


def draw_wobbling(axes: Axes) -> None:
    """Draw the force of a landing, with soft tissue and without."""
    for name, rigid in (("rigid", True), ("soft tissue", False)):
        t, force = landing_force(WobblingBody(), speed=1.0, rigid=rigid)
        axes.plot(1e3 * t, 1e-3 * force, label=name)
    label(axes, "t [ms]", "force [kN]")


def draw_reafference(axes: Axes) -> None:
    """Draw a sense, what oneself caused of it, and what the world did."""
    t = np.linspace(0.0, 4.0, 200)
    command = np.sin(3.0 * t)
    push = np.where((t > 2.0) & (t < 2.4), 0.8, 0.0)
    split = split_sense(
        command / 2.0 + push, [2.0], command, model=lambda x, u: u / x, threshold=0.1
    )
    axes.plot(t, split.predicted + split.external, "0.6", label="felt")
    axes.plot(t, split.predicted, label="predicted")
    axes.plot(t, split.external, label="from outside")
    label(axes, "t [s]", "acceleration")


PICTURES = {
    "GR-72": draw_sliding,
    "GR-73": draw_stick_slip,
    "GR-74": draw_stribeck,
    "GR-75": draw_arm_friction,
    "GR-76": draw_play,
    "GR-77": draw_springs,
    "GR-78": draw_elastic_motion,
    "GR-79": draw_elastic_inverse,
    "GR-80": draw_beam,
    "GR-81": draw_extended_inertia,
    "GR-82": draw_muscle,
    "GR-83": draw_wobbling,
    "GR-84": draw_reafference,
    "GR-287": draw_arm_friction,
}
