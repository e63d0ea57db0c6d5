"""Dynamics: forces for a motion, motion from forces, and the matrix between them."""

import numpy as np

import gelenk

arm = gelenk.load("ur5e")
rng = np.random.default_rng(3)
q = arm.home_configuration
qd, qdd = rng.normal(size=(2, arm.nv))  # [rad/s], [rad/s^2]

# --8<-- [start:there]
tau = arm.inverse_dynamics(q, qd, qdd)  # [N m]
again = arm.forward_dynamics(q, qd, tau)  # [rad/s^2]

print("tau [N m]:", tau.round(2))
print("qdd comes back to 1e-9:", bool(np.abs(again - qdd).max() < 1e-9))
# --8<-- [end:there]

# --8<-- [start:parts]
zero = np.zeros(arm.nv)
M = arm.mass_matrix(q)
gravity_load = arm.inverse_dynamics(q, zero, zero)
velocity_load = (
    arm.inverse_dynamics(q, qd, zero) - gravity_load
)  # Coriolis, centrifugal

rest = M @ qdd + velocity_load + gravity_load - tau
print("M qdd + C qd + G - tau, largest:", float(np.abs(rest).max().round(9)))
# --8<-- [end:parts]

# --8<-- [start:wrench]
# Someone pulls the tool down with 20 N: what do the motors feel?
pull = {"link_6": [0.0, 0.0, -20.0, 0.0, 0.0, 0.0]}  # [f; tau], base axes, link origin
extra = arm.inverse_dynamics(q, zero, zero, wrenches=pull) - gravity_load
by_statics = -arm.jacobian(q).T @ pull["link_6"]
print("extra torque [N m]:", extra.round(2) + 0.0)
print("as statics say:    ", by_statics.round(2) + 0.0)
# --8<-- [end:wrench]

# --8<-- [start:swing]
# A double pendulum let go: its energy stays, to the accuracy of the integrator.
pendulum = gelenk.load("double_pendulum")
dt = 1e-3  # [s]


def rate(state: np.ndarray) -> np.ndarray:
    """Return the time derivative of [q, qd]."""
    q, qd = state[:2], state[2:]
    return np.concatenate([qd, pendulum.forward_dynamics(q, qd, np.zeros(2))])


def energy(state: np.ndarray) -> float:
    """Return kinetic plus potential energy [J]."""
    q, qd = state[:2], state[2:]
    kinetic = 0.5 * qd @ pendulum.mass_matrix(q) @ qd
    heights = [
        pendulum.forward(q, frame=link)[:3] @ [*com, 1.0]
        for link, com in zip(pendulum.link_names, pendulum.com, strict=True)
    ]
    return float(kinetic - pendulum.mass @ (np.array(heights) @ pendulum.gravity))


state = np.array([1.0, 0.5, 0.0, 0.0])
before = energy(state)
for _ in range(2000):  # two seconds, fourth-order Runge-Kutta
    k1 = rate(state)
    k2 = rate(state + 0.5 * dt * k1)
    k3 = rate(state + 0.5 * dt * k2)
    k4 = rate(state + dt * k3)
    state = state + dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
print("energy kept to 1e-7 J:", abs(energy(state) - before) < 1e-7)
# --8<-- [end:swing]
