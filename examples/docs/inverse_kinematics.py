"""Inverse kinematics: four methods, one result, every way it can end."""

import numpy as np

import gelenk

arm = gelenk.load("panda")
lower, upper = arm.limits
T_home = arm.forward(arm.home_configuration)

# --8<-- [start:default]
T = T_home.copy()
T[:3, 3] += [0.05, 0.25, 0.1]  # [m]

result = arm.inverse(T)

if result.converged:
    print("within the limits:", bool(np.all((lower <= result.q) & (result.q <= upper))))
else:
    print("no solution:", result.message)
# --8<-- [end:default]

# --8<-- [start:status]
far = T_home.copy()
far[:3, 3] = [2.0, 0.0, 0.5]  # [m]; the arm is shorter

result = arm.inverse(far)

print(result.status, "-", result.message)
print(
    "q is the best found; it misses by about a metre:", 1 < result.position_error < 1.5
)
# --8<-- [end:status]

# --8<-- [start:start]
# From one pose to the next: start where the arm is, and the elbow stays where it is.
path = [arm.home_configuration]
for k in range(1, 20):
    T = T_home.copy()
    T[1, 3] += 0.01 * k  # [m]
    path.append(arm.inverse(T, q0=path[-1]).q)
largest_step = np.abs(np.diff(path, axis=0)).max()
print("no joint moves more than 0.05 rad per step:", bool(largest_step < 0.05))
# --8<-- [end:start]

# --8<-- [start:task]
# A drill: position and direction of the z axis matter, the turn about it does not.
drill = arm.inverse(T, task="position_axis")
print(drill.status, "with 5 of 6 components asked for")

# Seven joints, six equations: use the freedom to stay near home.
home = arm.home_configuration
near_home = arm.inverse(T, q0=path[-1], prefer=home)
before, after = (np.linalg.norm(q - home) for q in (path[-1], near_home.q))
print("nearer to home than before:", bool(after <= before))
# --8<-- [end:task]

# --8<-- [start:closed]
ur5e = gelenk.load("ur5e")
T_tool = ur5e.forward([0.3, -1.2, 1.4, -0.9, -1.1, 0.4])

every = ur5e.inverse(T_tool, method="closed")

errors = np.abs(ur5e.forward(every.solutions) - T_tool).max(axis=(1, 2))
print(
    len(every.solutions), "solutions, all exact to 1e-10:", bool(errors.max() < 1e-10)
)
print("iterations:", every.iterations)
# --8<-- [end:closed]

# --8<-- [start:study]
# The two methods of the ArmBot paper (Roth 2021, §5.1), from the same start.
three = gelenk.load("simple_arm")
T3 = three.forward(three.home_configuration + 0.2)
for method in ("lm", "jacobian", "simplex"):
    found = three.inverse(T3, method=method, task="position")
    print(
        f"{method:9s} {found.status}, error below 0.1 mm: {found.position_error < 1e-4}"
    )
# --8<-- [end:study]
