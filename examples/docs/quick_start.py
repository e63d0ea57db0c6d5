"""The first ten minutes: load an arm, ask where it is, move it, load its motors."""

# --8<-- [start:load]
import numpy as np

import gelenk

arm = gelenk.load("panda")  # catalogue name, or a path to a .urdf or .xml (MJCF) file

print(arm)
print(arm.joint_names[:2], "...")
print("limits of joint_1 [rad]:", arm.limits[:, 0])
# --8<-- [end:load]

# --8<-- [start:forward]
q = arm.home_configuration  # [rad], one value per name in arm.joint_names

T_base_tool = arm.forward(q)  # pose of the tool in the base, shape (4, 4)
J_base_tool = arm.jacobian(q)  # shape (6, 7), rows [v; omega]

print("tool at [m]:", T_base_tool[:3, 3].round(4) + 0.0)
print("link_4 at [m]:", arm.forward(q, frame="link_4")[:3, 3].round(4) + 0.0)
# --8<-- [end:forward]

# --8<-- [start:inverse]
T_base_target = T_base_tool.copy()
T_base_target[:3, 3] += [0.1, 0.2, -0.1]  # [m]

solution = arm.inverse(T_base_target)

print(solution.status, "with q of shape", solution.q.shape)
print("wanted [m]:", T_base_target[:3, 3].round(4))
print("there  [m]:", arm.forward(solution.q)[:3, 3].round(4))
# --8<-- [end:inverse]

# --8<-- [start:dynamics]
at_rest = np.zeros(arm.nv)

tau = arm.inverse_dynamics(q, at_rest, at_rest)  # what holds the arm against gravity
qdd = arm.forward_dynamics(q, at_rest, tau)  # nothing moves: the way back
M = arm.mass_matrix(q)

print("holding torque [N m]:", tau.round(2) + 0.0)
print("moves under it:", bool(np.abs(qdd).max() > 1e-9))
print("M is", M.shape, "and positive definite:", bool(np.linalg.eigvalsh(M)[0] > 0))
# --8<-- [end:dynamics]

# --8<-- [start:batch]
rng = np.random.default_rng(7)
lower, upper = arm.limits
qs = rng.uniform(lower, upper, size=(1000, arm.nq))

Ts_base_tool = arm.forward(qs)  # any leading axes: here (1000, 4, 4)
taus = arm.inverse_dynamics(qs, np.zeros_like(qs), np.zeros_like(qs))

print(Ts_base_tool.shape, taus.shape)
print("farthest of 1000 tool positions [m]:",
      np.linalg.norm(Ts_base_tool[:, :3, 3], axis=1).max().round(3))  # fmt: skip
# --8<-- [end:batch]

# --8<-- [start:errors]
try:
    arm.forward([0.0, 0.1])
except gelenk.errors.ShapeError as error:
    print(error)
try:
    arm.forward(q, frame="link4")
except gelenk.errors.NameNotFoundError as error:
    print(str(error)[:48], "...")
# --8<-- [end:errors]
