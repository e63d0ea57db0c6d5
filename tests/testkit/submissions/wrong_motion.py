"""Wrong submissions: Jacobians, pseudo-inverse, steps along the Jacobian, lines."""

TEXT = r"""
#== simple-arm-jacobian | single | lever
import numpy as np
def jacobian(q, lengths):
    s, f, t = lengths
    r = f*np.cos(q[1]) + t*np.cos(q[1] + q[2])
    p = np.array([r*np.cos(q[0]), r*np.sin(q[0]),
                  s + f*np.sin(q[1]) + t*np.sin(q[1] + q[2])])
    z = np.array([0, 0, 1.0])
    side = np.array([np.sin(q[0]), -np.cos(q[0]), 0])
    return np.column_stack([np.cross(z, p), np.cross(side, p), np.cross(side, p)])

#== simple-arm-jacobian | single | wrong-frame
import numpy as np
def jacobian(q, lengths):
    s, f, t = lengths
    b, c = q[1], q[1] + q[2]
    r = f*np.cos(b) + t*np.cos(c)
    return np.array([[0, -f*np.sin(b) - t*np.sin(c), -t*np.sin(c)],
                     [r, 0, 0],
                     [0, f*np.cos(b) + t*np.cos(c), t*np.cos(c)]])

#== simple-arm-jacobian | single | sign-xz
import numpy as np
def jacobian(q, lengths):
    s, f, t = lengths
    c0, s0 = np.cos(q[0]), np.sin(q[0])
    r1, h1 = f*np.cos(q[1]), f*np.sin(q[1])
    r2, h2 = t*np.cos(q[1] + q[2]), t*np.sin(q[1] + q[2])
    o2 = np.array([0, 0, s])
    o3 = np.array([r1*c0, r1*s0, s + h1])
    p = np.array([(r1 + r2)*c0, (r1 + r2)*s0, s + h1 + h2])
    y = np.array([-s0, c0, 0])     # femur and tibia turn about y
    return np.array([np.cross([0, 0, 1], p), np.cross(y, p - o2),
                     np.cross(y, p - o3)]).T

#== simple-arm-jacobian | single | chain-rule
from math import cos, sin
def jacobian(q, lengths):
    a, b, c = q
    s, f, t = lengths
    r = f*cos(b) + t*cos(b + c)
    return [[-r*sin(a), -f*sin(b)*cos(a), -t*sin(b + c)*cos(a)],
            [r*cos(a), -f*sin(b)*sin(a), -t*sin(b + c)*sin(a)],
            [0, f*cos(b), t*cos(b + c)]]

#== simple-arm-jacobian | single | transposed
import numpy as np
def f(q, L):
    r = L[1]*np.cos(q[1]) + L[2]*np.cos(q[1] + q[2])
    return np.array([r*np.cos(q[0]), r*np.sin(q[0]),
                     L[0] + L[1]*np.sin(q[1]) + L[2]*np.sin(q[1] + q[2])])
def jacobian(q, lengths):
    J = []
    for i in range(3):
        d = np.zeros(3); d[i] = 1e-6
        J.append((f(q + d, lengths) - f(q - d, lengths)) / 2e-6)
    return np.array(J)

#== simple-arm-jacobian | single | missing-cross
import numpy as np
def jacobian(q, lengths):
    side = np.array([np.sin(q[0]), -np.cos(q[0]), 0])
    return np.column_stack([np.array([0, 0, 1]), side, side])

#== simple-arm-jacobian | double | transposed, chain-rule
import numpy as np
def jacobian(q, lengths):
    a, b, c = q
    s, f, t = lengths
    r = f*np.cos(b) + t*np.cos(b + c)
    J = np.zeros((3, 3))
    J[0] = [-r*np.sin(a), r*np.cos(a), 0]
    J[1] = [-f*np.sin(b)*np.cos(a), -f*np.sin(b)*np.sin(a), f*np.cos(b)]
    J[2] = [-t*np.sin(b + c)*np.cos(a), -t*np.sin(b + c)*np.sin(a), t*np.cos(b + c)]
    return J

#== simple-arm-jacobian | free | typing-error
from math import cos, sin
def jacobian(q, lengths):
    a, b, c = q
    s, f, t = lengths
    r = f*cos(b) + t*cos(b + c)
    h = f*sin(b) + t*sin(b + c)
    return [[r*sin(a), -h*cos(a), -t*sin(b + c)*cos(a)],
            [r*cos(a), -h*sin(a), -t*sin(b + c)*sin(a)],
            [0, r, t*cos(b + c)]]

#== simple-arm-jacobian | single | per-degree
import numpy as np
def f(q, L):
    r = L[1]*np.cos(q[1]) + L[2]*np.cos(q[1] + q[2])
    return np.array([r*np.cos(q[0]), r*np.sin(q[0]),
                     L[0] + L[1]*np.sin(q[1]) + L[2]*np.sin(q[1] + q[2])])
def jacobian(q, lengths):
    J = np.zeros((3, 3))
    h = 0.001   # degrees
    for i in range(3):
        d = np.zeros(3); d[i] = np.radians(h)
        J[:, i] = (f(q + d, lengths) - f(q - d, lengths)) / (2*h)
    return J

#== numeric-jacobian | single | one-sided
import numpy as np
def jacobian(position, q, h):
    p0 = position(q)
    J = np.zeros((2, 3))
    for i in range(3):
        q2 = q.copy()
        q2[i] += h
        J[:, i] = (position(q2) - p0) / h
    return J

#== numeric-jacobian | single | factor-two
import numpy as np
def jacobian(position, q, h):
    J = np.zeros((2, len(q)))
    for i in range(len(q)):
        a = q.copy(); a[i] += h
        b = q.copy(); b[i] -= h
        J[:, i] = (position(a) - position(b)) / h
    return J

#== numeric-jacobian | single | aliasing
import numpy as np
def jacobian(position, q, h):
    q = np.array(q)
    J = np.zeros((2, len(q)))
    for i in range(len(q)):
        a = q
        b = q
        a[i] += h
        b[i] -= h
        J[:, i] = (position(a) - position(b)) / (2 * h)
    return J

#== numeric-jacobian | single | joint-stays-shifted
import numpy as np
def jacobian(position, q, h):
    q = q.copy()
    cols = []
    for i in range(len(q)):
        q[i] += h
        p1 = position(q)
        q[i] -= 2*h
        p2 = position(q)
        cols.append((p1 - p2) / (2*h))
    return np.array(cols).T

#== numeric-jacobian | single | transposed
import numpy as np
def jacobian(position, q, h):
    rows = []
    for i in range(len(q)):
        e = np.zeros(len(q)); e[i] = h
        rows.append((position(q + e) - position(q - e)) / (2*h))
    return np.array(rows)

#== numeric-jacobian | single | factor-two
import numpy as np
def jacobian(position, q, h):
    rows = []
    for i in range(len(q)):
        e = np.zeros(len(q)); e[i] = h
        rows.append((position(q + e) - position(q - e)) / 2 * h)
    return np.array(rows).T

#== numeric-jacobian | single | changes-arguments
import numpy as np
def jacobian(position, q, h):
    J = np.zeros((2, 3))
    for i in range(3):
        q[i] += h
        p1 = position(q)
        q[i] -= 2*h
        p2 = position(q)
        J[:, i] = (p1 - p2) / (2*h)
    return J

#== numeric-jacobian | double | one-sided, difference-sign
import numpy as np
def jacobian(position, q, h):
    J = np.zeros((2, 3))
    for i in range(3):
        e = np.zeros(3)
        e[i] = h
        J[:, i] = (position(q) - position(q + e)) / h
    return J

#== numeric-jacobian | free | wrong-joint
import numpy as np
def jacobian(position, q, h):
    J = np.zeros((2, 3))
    for i in range(2):
        e = np.zeros(3)
        e[i] = h
        J[:, i] = (position(q + e) - position(q - e)) / (2 * h)
    return J

#== pseudo-inverse | single | left-pseudo-inverse
import numpy as np
def pseudo_inverse(J):
    return np.linalg.inv(J.T @ J) @ J.T
def joint_velocity(J, v, qd_wish):
    P = pseudo_inverse(J)
    return P @ v + (np.eye(5) - P @ J) @ qd_wish

#== pseudo-inverse | single | transpose-only
import numpy as np
def pseudo_inverse(J):
    return J.T
def joint_velocity(J, v, qd_wish):
    P = pseudo_inverse(J)
    return P @ v + (np.eye(5) - P @ J) @ qd_wish

#== pseudo-inverse | single | null-space-missing
import numpy as np
def pseudo_inverse(J):
    return J.T @ np.linalg.inv(J @ J.T)
def joint_velocity(J, v, qd_wish):
    return pseudo_inverse(J) @ v

#== pseudo-inverse | single | not-projected
import numpy as np
def pseudo_inverse(J):
    return np.linalg.pinv(J)
def joint_velocity(J, v, qd_wish):
    return pseudo_inverse(J) @ v + qd_wish

#== pseudo-inverse | single | damped
import numpy as np
def pseudo_inverse(J):
    return J.T @ np.linalg.inv(J @ J.T + 0.1**2 * np.eye(3))
def joint_velocity(J, v, qd_wish):
    P = np.linalg.pinv(J)
    return P @ v + (np.eye(5) - P @ J) @ qd_wish

#== pseudo-inverse | single | transposed
import numpy as np
def pseudo_inverse(J):
    return np.linalg.inv(J @ J.T) @ J
def joint_velocity(J, v, qd_wish):
    P = np.linalg.pinv(J)
    return P @ v + (np.eye(5) - P @ J) @ qd_wish

#== pseudo-inverse | double | transpose-only, null-space-missing
import numpy as np
def pseudo_inverse(J):
    return J.T
def joint_velocity(J, v, qd_wish):
    return np.linalg.pinv(J) @ v

#== pseudo-inverse | free | basic-solution
import numpy as np
def pseudo_inverse(J):
    # use three joints, the others stay
    P = np.zeros((5, 3))
    P[:3] = np.linalg.inv(J[:, :3])
    return P
def joint_velocity(J, v, qd_wish):
    P = pseudo_inverse(J)
    return P @ v + (np.eye(5) - P @ J) @ qd_wish

#== jacobian-ik | single | always-alpha
import numpy as np
def solve(position, jacobian, q_start, p_target, alpha, tolerance, max_steps):
    q = q_start.copy()
    for _ in range(max_steps):
        dp = p_target - position(q)
        if np.linalg.norm(dp) <= tolerance:
            return q
        dp = dp / np.linalg.norm(dp) * alpha
        q = q + np.linalg.pinv(jacobian(q)) @ dp
    return None

#== jacobian-ik | single | difference-sign
import numpy as np
def solve(position, jacobian, q_start, p_target, alpha, tolerance, max_steps):
    q = q_start.copy()
    for _ in range(max_steps):
        dp = position(q) - p_target
        n = np.linalg.norm(dp)
        if n <= tolerance:
            return q
        if n > alpha:
            dp = dp / n * alpha
        q = q + np.linalg.pinv(jacobian(q)) @ dp
    return None

#== jacobian-ik | single | not-square
import numpy as np
def solve(position, jacobian, q_start, p_target, alpha, tolerance, max_steps):
    q = q_start.copy()
    for _ in range(max_steps):
        dp = p_target - position(q)
        n = np.linalg.norm(dp)
        if n <= tolerance:
            return q
        if n > alpha:
            dp = dp / n * alpha
        q = q + np.linalg.inv(jacobian(q)) @ dp
    return None

#== jacobian-ik | single | transpose-only
import numpy as np
def solve(position, jacobian, q_start, p_target, alpha, tolerance, max_steps):
    q = np.array(q_start)
    for _ in range(max_steps):
        dp = p_target - position(q)
        n = np.linalg.norm(dp)
        if n <= tolerance:
            return q
        dp = dp * min(1, alpha / n)
        q = q + jacobian(q).T @ dp
    return None

#== jacobian-ik | single | step-not-limited
import numpy as np
def solve(position, jacobian, q_start, p_target, alpha, tolerance, max_steps):
    q = np.array(q_start)
    for _ in range(max_steps):
        dp = p_target - position(q)
        if np.linalg.norm(dp) <= tolerance:
            return q
        q = q + np.linalg.pinv(jacobian(q)) @ dp
    return None

#== jacobian-ik | single | no-failure-reported
import numpy as np
def solve(position, jacobian, q_start, p_target, alpha, tolerance, max_steps):
    q = np.array(q_start)
    while True:
        dp = p_target - position(q)
        n = np.linalg.norm(dp)
        if n <= tolerance:
            return q
        if n > alpha:
            dp = dp / n * alpha
        q = q + np.linalg.pinv(jacobian(q)) @ dp

#== jacobian-ik | single | no-failure-reported
import numpy as np
def solve(position, jacobian, q_start, p_target, alpha, tolerance, max_steps):
    q = np.array(q_start)
    for _ in range(max_steps):
        dp = p_target - position(q)
        n = np.linalg.norm(dp)
        if n <= tolerance:
            break
        if n > alpha:
            dp = dp / n * alpha
        q = q + np.linalg.pinv(jacobian(q)) @ dp
    return q

#== jacobian-ik | single | stops-early
import numpy as np
def solve(position, jacobian, q_start, p_target, alpha, tolerance, max_steps):
    q = np.array(q_start)
    for _ in range(max_steps):
        dp = p_target - position(q)
        n = np.linalg.norm(dp)
        if n <= alpha:
            return q
        q = q + np.linalg.pinv(jacobian(q)) @ (dp / n * alpha)
    return None

#== jacobian-ik | single | changes-arguments
import numpy as np
def solve(position, jacobian, q_start, p_target, alpha, tolerance, max_steps):
    q = q_start
    for _ in range(max_steps):
        dp = p_target - position(q)
        n = np.linalg.norm(dp)
        if n <= tolerance:
            return q
        if n > alpha:
            dp *= alpha / n
        q += np.linalg.pinv(jacobian(q)) @ dp
    return None

#== jacobian-ik | single | one-step
import numpy as np
def solve(position, jacobian, q_start, p_target, alpha, tolerance, max_steps):
    q = q_start.copy()
    for _ in range(max_steps):
        dp = p_target - position(q)
        n = np.linalg.norm(dp)
        if n > alpha:
            dp = dp / n * alpha
        q = q + np.linalg.pinv(jacobian(q)) @ dp
        if np.linalg.norm(dp) <= tolerance:
            return q
        return q

#== jacobian-ik | free | constant-jacobian
import numpy as np
def solve(position, jacobian, q_start, p_target, alpha, tolerance, max_steps):
    q = q_start.copy()
    P = np.linalg.pinv(jacobian(q))
    for _ in range(max_steps):
        dp = p_target - position(q)
        n = np.linalg.norm(dp)
        if n <= tolerance:
            return q
        if n > alpha:
            dp = dp / n * alpha
        q = q + P @ dp
    return None

#== jacobian-ik | double | always-alpha, no-failure-reported
import numpy as np
def solve(position, jacobian, q_start, p_target, alpha, tolerance, max_steps):
    q = q_start.copy()
    for _ in range(max_steps):
        dp = p_target - position(q)
        if np.linalg.norm(dp) < tolerance:
            break
        dp = alpha * dp / np.linalg.norm(dp)
        q = q + np.linalg.pinv(jacobian(q)) @ dp
    return q

#== straight-line | single | joint-space
import numpy as np
def line(q_start, q_end, count, position, inverse):
    return [q_start + (q_end - q_start) * i / (count - 1) for i in range(count)]

#== straight-line | single | end-missing
import numpy as np
def line(q_start, q_end, count, position, inverse):
    a, b = position(q_start), position(q_end)
    return np.array([inverse(a + (b - a) * i / count) for i in range(count)])

#== straight-line | single | number-of-points
import numpy as np
def line(q_start, q_end, count, position, inverse):
    a, b = position(q_start), position(q_end)
    return np.array([inverse(a + (b - a) * i / count) for i in range(count + 1)])

#== straight-line | single | positions-returned
import numpy as np
def line(q_start, q_end, count, position, inverse):
    return np.linspace(position(q_start), position(q_end), count)

#== straight-line | double | joint-space, end-missing
import numpy as np
def line(q_start, q_end, count, position, inverse):
    rows = []
    for i in range(count):
        s = i / count
        rows.append((1 - s) * q_start + s * q_end)
    return np.array(rows)

#== straight-line | free | spacing
import numpy as np
def line(q_start, q_end, count, position, inverse):
    a, b = position(q_start), position(q_end)
    s = np.linspace(0, 1, count)
    s = 3*s**2 - 2*s**3         # slow at both ends
    return np.array([inverse(a + (b - a) * x) for x in s])
"""
