"""Right submissions in various manners: none of them may be rejected."""

TEXT = r"""
#== rotation-xz | right | plain lists
import math
def rotation_xz(angle):
    c, s = math.cos(angle), math.sin(angle)
    return [[c, 0, -s], [0, 1, 0], [s, 0, c]]

#== rotation-xz | right | Rodrigues' formula, single precision
import numpy as np
def rotation_xz(angle):
    K = np.array([[0, 0, -1], [0, 0, 0], [1, 0, 0]], dtype=np.float32)
    R = np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K
    return R.astype(np.float32)

#== rotation-xz | right | np.matrix would do, too; prints on the way
import numpy as np
print("loaded")
def rotation_xz(angle):
    print("angle", angle)
    e = np.exp(1j * angle)
    return ((e.real, 0, -e.imag), (0, 1, 0), (e.imag, 0, e.real))

#== roto-translation | right | matrices
import numpy as np
def matrix(angles):
    a, b, c = angles
    Ra = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
    Rb = np.array([[np.cos(b), 0, -np.sin(b)], [0, 1, 0], [np.sin(b), 0, np.cos(b)]])
    Rc = np.array([[1, 0, 0], [0, np.cos(c), -np.sin(c)], [0, np.sin(c), np.cos(c)]])
    return Rc @ Rb @ Ra
def apply(angles, t, p):
    return matrix(angles) @ p + t
def apply_inverse(angles, t, p):
    return np.linalg.solve(matrix(angles), p - t)

#== roto-translation | right | turn by turn, columns
from math import cos, sin
import numpy as np
def turn(p, i, k, a):
    p = list(p)
    p[i], p[k] = cos(a) * p[i] - sin(a) * p[k], sin(a) * p[i] + cos(a) * p[k]
    return p
def apply(angles, t, p):
    p = turn(turn(turn(p, 0, 1, angles[0]), 0, 2, angles[1]), 1, 2, angles[2])
    return np.array(p).reshape(3, 1) + np.reshape(t, (3, 1))
def apply_inverse(angles, t, p):
    p = [a - b for a, b in zip(p, t)]
    return turn(turn(turn(p, 1, 2, -angles[2]), 0, 2, -angles[1]), 0, 1, -angles[0])

#== plane-angles | right | factor taken out
import numpy as np
def angles_forward(R):
    x, y, z = angles_reverse(np.transpose(R))
    return -x, -y, -z
def angles_reverse(R):
    lever = np.hypot(R[2, 1], R[2, 2])
    c = np.arctan2(R[2, 1], R[2, 2]) if lever > 1e-9 else 0.0
    b = np.arctan2(R[2, 0], lever)
    a = np.arctan2(np.sin(c) * R[0, 2] - np.cos(c) * R[0, 1],
                   np.cos(c) * R[1, 1] - np.sin(c) * R[1, 2])
    return a, b, c

#== plane-angles | right | case distinction, the other branch of xz
import numpy as np
def angles_forward(R):
    if abs(R[0, 2]) > 1 - 1e-10:
        return np.array([np.arctan2(R[1, 0], R[1, 1]), -np.sign(R[0, 2])*np.pi/2, 0])
    b = np.pi - np.arcsin(-R[0, 2])
    return np.array([-np.arctan2(R[0, 1] / np.cos(b), R[0, 0] / np.cos(b)), b,
                     -np.arctan2(R[1, 2] / np.cos(b), R[2, 2] / np.cos(b))])
def angles_reverse(R):
    if abs(R[2, 0]) > 1 - 1e-10:
        return np.array([np.arctan2(-R[0, 1], R[1, 1]), np.sign(R[2, 0])*np.pi/2, 0])
    b = np.arcsin(R[2, 0])
    return [np.arctan2(R[1, 0], R[0, 0]), b, np.arctan2(R[2, 1], R[2, 2])]

#== dh-row | right | product of four
import numpy as np
def dh_matrix(theta, d, a, alpha):
    Rz = np.eye(4); Rz[:2, :2] = [[np.cos(theta), -np.sin(theta)],
                                  [np.sin(theta), np.cos(theta)]]
    Rx = np.eye(4); Rx[1:3, 1:3] = [[np.cos(alpha), -np.sin(alpha)],
                                    [np.sin(alpha), np.cos(alpha)]]
    T = np.eye(4); T[0, 3] = a; T[2, 3] = d
    return Rz @ T @ Rx

#== dh-row | right | written out
from math import cos, sin
def dh_matrix(theta, d, a, alpha):
    return [[cos(theta), -sin(theta)*cos(alpha), sin(theta)*sin(alpha), a*cos(theta)],
            [sin(theta), cos(theta)*cos(alpha), -cos(theta)*sin(alpha), a*sin(theta)],
            [0, sin(alpha), cos(alpha), d],
            [0, 0, 0, 1]]

#== planar-2r-forward | right | sums
import numpy as np
def forward(q, lengths):
    s = np.cumsum(q)
    return np.array([lengths @ np.cos(s), lengths @ np.sin(s), s[-1]])

#== planar-2r-forward | right | complex numbers, wrapped angle
import cmath, math
def forward(q, lengths):
    z = lengths[0]*cmath.exp(1j*q[0]) + lengths[1]*cmath.exp(1j*(q[0] + q[1]))
    return z.real, z.imag, math.remainder(q[0] + q[1], 2 * math.pi)

#== planar-2r-inverse | right | two triangles
import numpy as np
def inverse(p, lengths):
    x, y = p
    l1, l2 = lengths
    r = np.hypot(x, y)
    if r > l1 + l2 + 1e-9 or r < abs(l1 - l2) - 1e-9:
        return []
    g = np.arccos(np.clip((l1**2 + r**2 - l2**2) / (2*l1*r), -1, 1))
    b = np.arccos(np.clip((l1**2 + l2**2 - r**2) / (2*l1*l2), -1, 1))
    phi = np.arctan2(y, x)
    return [(phi + g, b - np.pi), (phi - g, np.pi - b)]

#== planar-2r-inverse | right | array, angles in 0 ... 2 pi, None for nothing
import numpy as np
def inverse(p, lengths):
    l1, l2 = lengths
    c = (p @ p - l1*l1 - l2*l2) / (2*l1*l2)
    if abs(c) > 1 + 1e-9:
        return None
    c = min(1, max(-1, c))
    s = np.sqrt(1 - c*c)
    rows = []
    for s2 in {s, -s}:
        q2 = np.arctan2(s2, c)
        q1 = np.arctan2(p[1], p[0]) - np.arctan2(l2*s2, l1 + l2*c)
        rows.append([q1, q2])
    return np.array(rows) % (2*np.pi)

#== planar-2r-inverse | right | set of tuples
import math
def inverse(p, lengths):
    x, y = float(p[0]), float(p[1])
    a, b = lengths
    c = (x*x + y*y - a*a - b*b) / (2*a*b)
    if c > 1 + 1e-9 or c < -1 - 1e-9:
        return set()
    q = math.acos(max(-1.0, min(1.0, c)))
    base = math.atan2(y, x)
    k = math.atan2(b*math.sin(q), a + b*math.cos(q))
    return {(base - k, q), (base + k, -q)}

#== simple-arm-forward | right | formula
from math import cos, sin
def forward(q, lengths):
    ls, lf, lt = lengths
    r = lf*cos(q[1]) + lt*cos(q[1] + q[2])
    return r*cos(q[0]), r*sin(q[0]), ls + lf*sin(q[1]) + lt*sin(q[1] + q[2])

#== simple-arm-forward | right | homogeneous matrices, returns a column
import numpy as np
def T(R, t):
    M = np.eye(4); M[:3, :3] = R; M[:3, 3] = t
    return M
def Rz(a): return [[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]]
def Rb(a): return [[np.cos(a), 0, -np.sin(a)], [0, 1, 0], [np.sin(a), 0, np.cos(a)]]
def forward(q, lengths):
    M = T(Rz(q[0]), [0, 0, 0]) @ T(Rb(q[1]), [0, 0, lengths[0]])
    M = M @ T(Rb(q[2]), [lengths[1], 0, 0]) @ T(np.eye(3), [lengths[2], 0, 0])
    return M[:3, 3:4]

#== simple-arm-inverse | right | the paper's formula, corrected
import numpy as np
def inverse(p, lengths):
    LS, LF, LT = lengths
    x, z = np.hypot(p[0], p[1]), p[2] - LS
    L = np.hypot(x, z)
    if L > LF + LT + 1e-9 or L < abs(LF - LT) - 1e-9:
        return None
    gamma = np.arccos(np.clip((LF**2 + L**2 - LT**2) / (2*LF*L), -1, 1))
    beta = np.arccos(np.clip((LF**2 + LT**2 - L**2) / (2*LF*LT), -1, 1))
    return [np.arctan2(p[1], p[0]), gamma + np.arctan2(z, x), beta - np.pi]

#== simple-arm-inverse | right | elbow down, facing backwards
import numpy as np
def inverse(p, lengths):
    s, f, t = lengths
    r, h = -np.hypot(p[0], p[1]), p[2] - s
    c = (r*r + h*h - f*f - t*t) / (2*f*t)
    if abs(c) > 1 + 1e-9:
        return None
    tibia = np.arccos(np.clip(c, -1, 1))
    femur = np.arctan2(h, r) - np.arctan2(t*np.sin(tibia), f + t*np.cos(tibia))
    return np.array([np.arctan2(p[1], p[0]) + np.pi, femur, tibia])

#== simple-arm-inverse | right | iteration instead of a formula
import numpy as np
def inverse(p, lengths):
    s, f, t = lengths
    r, h = np.hypot(p[0], p[1]), p[2] - s
    d = np.hypot(r, h)
    if d > f + t + 1e-9 or d < abs(f - t) - 1e-9:
        return None
    lo, hi = 0.0, np.pi         # bend until the distance fits
    for _ in range(60):
        mid = (lo + hi) / 2
        if abs(f + t*np.exp(1j*mid)) > d:
            lo = mid
        else:
            hi = mid
    k = (lo + hi) / 2
    femur = np.arctan2(h, r) + np.angle(f + t*np.exp(1j*k))
    return np.array([np.arctan2(p[1], p[0]), femur, -k])

#== wrist | right | decomposition
import numpy as np
def wrist_angles(R_mount, R_target):
    R = R_mount.T @ R_target
    return (np.arctan2(R[1, 0], R[0, 0]),
            np.arctan2(R[2, 0], np.hypot(R[2, 1], R[2, 2])),
            np.arctan2(R[2, 1], R[2, 2]))

#== wrist | right | with SciPy
import numpy as np
from scipy.spatial.transform import Rotation
def wrist_angles(R_mount, R_target):
    a, b, c = Rotation.from_matrix(R_mount.T @ R_target).as_euler("ZYX")
    return [a, -b, c]

#== scara | right | both elbows tried
import numpy as np
def forward(q, lengths):
    b, l1, l2, tool = lengths
    return np.array([l1*np.cos(q[0]) + l2*np.cos(q[0] + q[1]),
                     l1*np.sin(q[0]) + l2*np.sin(q[0] + q[1]),
                     b - q[2] - tool, q[0] + q[1] - q[3]])
def inverse(p, lengths, limits):
    b, l1, l2, tool = lengths
    c2 = (p[0]**2 + p[1]**2 - l1**2 - l2**2) / (2*l1*l2)
    if abs(c2) > 1:
        return None
    for sign in (1, -1):
        q2 = sign * np.arccos(c2)
        q1 = np.arctan2(p[1], p[0]) - np.arctan2(l2*np.sin(q2), l1 + l2*np.cos(q2))
        q = np.array([q1, q2, b - tool - p[2], q1 + q2 - p[3]])
        q[[0, 3]] = (q[[0, 3]] + np.pi) % (2*np.pi) - np.pi
        if np.all(q >= limits[:, 0]) and np.all(q <= limits[:, 1]):
            return q
    return None

#== scara | right | the other elbow first, lists, q4 not wrapped
from math import acos, atan2, cos, pi, sin, remainder
def forward(q, lengths):
    b, l1, l2, tool = lengths
    yaw = remainder(q[0] + q[1] - q[3], 2*pi)
    return [l1*cos(q[0]) + l2*cos(q[0] + q[1]), l1*sin(q[0]) + l2*sin(q[0] + q[1]),
            b - q[2] - tool, yaw]
def inverse(p, lengths, limits):
    b, l1, l2, tool = lengths
    x, y, z, yaw = p
    c2 = (x*x + y*y - l1*l1 - l2*l2) / (2*l1*l2)
    q3 = b - tool - z
    if abs(c2) > 1 or not limits[2][0] <= q3 <= limits[2][1]:
        return None
    for q2 in (-acos(c2), acos(c2)):
        if limits[1][0] <= q2 <= limits[1][1]:
            q1 = atan2(y, x) - atan2(l2*sin(q2), l1 + l2*cos(q2))
            return [q1, q2, q3, q1 + q2 - yaw]

#== tripod | right | local frame
import numpy as np
def tip(feet, lengths):
    p1, p2, p3 = feet
    r1, r2, r3 = lengths
    d = np.linalg.norm(p2 - p1)
    ex = (p2 - p1) / d
    i = ex @ (p3 - p1)
    ey = p3 - p1 - i*ex
    ey /= np.linalg.norm(ey)
    ez = np.cross(ex, ey)
    j = ey @ (p3 - p1)
    x = (r1**2 - r2**2 + d**2) / (2*d)
    y = (r1**2 - r3**2 + i**2 + j**2) / (2*j) - i/j*x
    zz = r1**2 - x**2 - y**2
    if zz < 0:
        return None
    z = np.sqrt(zz) * np.sign(ez[2])
    return p1 + x*ex + y*ey + z*ez

#== tripod | right | line of two planes meets a sphere
import numpy as np
def tip(feet, lengths):
    n1, n2 = 2*(feet[1] - feet[0]), 2*(feet[2] - feet[0])
    sq = (feet**2).sum(axis=1) - lengths**2
    u = np.cross(n1, n2)
    p = np.linalg.solve(np.array([n1, n2, u]), [sq[1] - sq[0], sq[2] - sq[0], 0])
    w = p - feet[0]
    a, b, c = u @ u, 2*u @ w, w @ w - lengths[0]**2
    disc = b*b - 4*a*c
    if disc < 0:
        return []
    ends = [p + u*(-b + s*np.sqrt(disc))/(2*a) for s in (1, -1)]
    return max(ends, key=lambda e: e[2]).tolist()

#== simple-arm-jacobian | right | derivatives by hand
from math import cos, sin
def jacobian(q, lengths):
    a, b, c = q
    s, f, t = lengths
    r = f*cos(b) + t*cos(b + c)
    h = f*sin(b) + t*sin(b + c)
    return [[-r*sin(a), -h*cos(a), -t*sin(b + c)*cos(a)],
            [r*cos(a), -h*sin(a), -t*sin(b + c)*sin(a)],
            [0, r, t*cos(b + c)]]

#== simple-arm-jacobian | right | central differences
import numpy as np
def f(q, L):
    r = L[1]*np.cos(q[1]) + L[2]*np.cos(q[1] + q[2])
    return np.array([r*np.cos(q[0]), r*np.sin(q[0]),
                     L[0] + L[1]*np.sin(q[1]) + L[2]*np.sin(q[1] + q[2])])
def jacobian(q, lengths):
    h = 1e-4
    return np.array([(f(q + e, lengths) - f(q - e, lengths)) / (2*h)
                     for e in h*np.eye(3)]).T

#== numeric-jacobian | right | loop with copies
import numpy as np
def jacobian(position, q, h):
    J = np.zeros((2, len(q)))
    for i in range(len(q)):
        a = q.copy(); a[i] += h
        b = q.copy(); b[i] -= h
        J[:, i] = (position(a) - position(b)) / (2*h)
    return J

#== numeric-jacobian | right | lists all the way
def jacobian(position, q, h):
    q = list(q)
    cols = []
    for i in range(3):
        a = position(q[:i] + [q[i] + h] + q[i+1:])
        b = position(q[:i] + [q[i] - h] + q[i+1:])
        cols.append([(x - y) / (2*h) for x, y in zip(a, b)])
    return [[c[0] for c in cols], [c[1] for c in cols]]

#== pseudo-inverse | right | formula
import numpy as np
def pseudo_inverse(J):
    return J.T @ np.linalg.inv(J @ J.T)
def joint_velocity(J, v, qd_wish):
    P = pseudo_inverse(J)
    return P @ v + (np.eye(5) - P @ J) @ qd_wish

#== pseudo-inverse | right | SVD and least squares
import numpy as np
def pseudo_inverse(J):
    return np.linalg.pinv(J)
def joint_velocity(J, v, qd_wish):
    step, *_ = np.linalg.lstsq(J, v - J @ qd_wish, rcond=None)
    return qd_wish + step

#== jacobian-ik | right | as in the task
import numpy as np
def solve(position, jacobian, q_start, p_target, alpha, tolerance, max_steps):
    q = q_start.copy()
    for _ in range(max_steps + 1):
        dp = p_target - position(q)
        n = np.linalg.norm(dp)
        if n <= tolerance:
            return q
        if n > alpha:
            dp = dp / n * alpha
        J = jacobian(q)
        q = q + J.T @ np.linalg.solve(J @ J.T, dp)
    return None

#== jacobian-ik | right | lists, slightly damped, while loop
import numpy as np
def solve(position, jacobian, q_start, p_target, alpha, tolerance, max_steps):
    q, steps = list(q_start), 0
    while steps <= max_steps:
        dp = np.subtract(p_target, position(q))
        n = np.sqrt(dp @ dp)
        if n < tolerance:
            return q
        J = np.array(jacobian(q))
        dq = J.T @ np.linalg.inv(J @ J.T + 1e-6*np.eye(2)) @ (dp * min(1, alpha/n))
        q = [a + b for a, b in zip(q, dq)]
        steps += 1

#== jacobian-ik | right | numeric Jacobian of its own
import numpy as np
def solve(position, jacobian, q_start, p_target, alpha, tolerance, max_steps):
    q = np.array(q_start)
    for _ in range(max_steps):
        dp = p_target - position(q)
        n = np.linalg.norm(dp)
        if n <= tolerance:
            return q
        J = np.array([(position(q + e) - position(q - e)) / 2e-5
                      for e in 1e-5*np.eye(3)]).T
        q = q + np.linalg.pinv(J) @ (dp * min(1.0, alpha / n))
    return q if np.linalg.norm(p_target - position(q)) <= tolerance else None

#== straight-line | right | linspace
import numpy as np
def line(q_start, q_end, count, position, inverse):
    points = np.linspace(position(q_start), position(q_end), count)
    return np.array([inverse(p) for p in points])

#== straight-line | right | list of lists
def line(q_start, q_end, count, position, inverse):
    a, b = position(q_start), position(q_end)
    rows = []
    for i in range(count):
        s = i / (count - 1)
        rows.append(list(inverse([(1 - s)*x + s*y for x, y in zip(a, b)])))
    return rows
"""
