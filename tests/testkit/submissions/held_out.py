"""Wrong and right submissions that were written after the models of mistakes.

Nothing was adjusted to them: they show how far the models reach.
"""

TEXT = r"""
#== rotation-xz | single | sin-cos-swapped
import numpy as np
def rotation_xz(angle):
    return np.array([[np.sin(angle), 0, -np.cos(angle)], [0, 1, 0],
                     [np.cos(angle), 0, np.sin(angle)]])

#== rotation-xz | free | rounding
import numpy as np
def rotation_xz(angle):
    c, s = round(np.cos(angle), 2), round(np.sin(angle), 2)
    return np.array([[c, 0, -s], [0, 1, 0], [s, 0, c]])

#== roto-translation | single | transposed
import numpy as np
from math import cos, sin
def R(angles):
    a, b, c = angles
    return (np.array([[1, 0, 0], [0, cos(c), -sin(c)], [0, sin(c), cos(c)]])
            @ np.array([[cos(b), 0, -sin(b)], [0, 1, 0], [sin(b), 0, cos(b)]])
            @ np.array([[cos(a), -sin(a), 0], [sin(a), cos(a), 0], [0, 0, 1]]))
def apply(angles, t, p):
    return p @ R(angles) + t
def apply_inverse(angles, t, p):
    return R(angles).T @ (p - t)

#== roto-translation | single | translation-missing
import numpy as np
from math import cos, sin
def R(angles):
    a, b, c = angles
    return (np.array([[1, 0, 0], [0, cos(c), -sin(c)], [0, sin(c), cos(c)]])
            @ np.array([[cos(b), 0, -sin(b)], [0, 1, 0], [sin(b), 0, cos(b)]])
            @ np.array([[cos(a), -sin(a), 0], [sin(a), cos(a), 0], [0, 0, 1]]))
def apply(angles, t, p):
    return R(angles) @ p + t
def apply_inverse(angles, t, p):
    return R(angles).T @ p

#== roto-translation | single | inverse, pose-instead-of-inverse
import numpy as np
from math import cos, sin
def R(angles):
    a, b, c = angles
    return (np.array([[1, 0, 0], [0, cos(c), -sin(c)], [0, sin(c), cos(c)]])
            @ np.array([[cos(b), 0, -sin(b)], [0, 1, 0], [sin(b), 0, cos(b)]])
            @ np.array([[cos(a), -sin(a), 0], [sin(a), cos(a), 0], [0, 0, 1]]))
def apply_inverse(angles, t, p):
    return R(angles) @ p + t
def apply(angles, t, p):
    return R(angles).T @ (p - t)

#== roto-translation | double | degrees-in, translation-first
import numpy as np
from math import cos, sin
def R(angles):
    a, b, c = np.radians(angles)
    return (np.array([[1, 0, 0], [0, cos(c), -sin(c)], [0, sin(c), cos(c)]])
            @ np.array([[cos(b), 0, -sin(b)], [0, 1, 0], [sin(b), 0, cos(b)]])
            @ np.array([[cos(a), -sin(a), 0], [sin(a), cos(a), 0], [0, 0, 1]]))
def apply(angles, t, p):
    return R(angles) @ (p + t)
def apply_inverse(angles, t, p):
    return R(angles).T @ p - t

#== plane-angles | single | transposed
import numpy as np
def angles_forward(M):
    c = -np.arctan2(M[2, 1], M[2, 2])
    b = np.arctan2(-M[2, 0], np.hypot(M[2, 1], M[2, 2]))
    a = -np.arctan2(M[1, 0], M[0, 0])
    return a, b, c
def angles_reverse(M):
    c = np.arctan2(M[1, 2], M[2, 2])
    b = np.arctan2(M[0, 2], np.hypot(M[1, 2], M[2, 2]))
    a = np.arctan2(M[0, 1], M[0, 0])
    return a, b, c

#== plane-angles | double | sign-xz, gimbal-lock
import numpy as np
def angles_forward(R):
    return (-np.arctan2(R[0, 1], R[0, 0]), np.arcsin(np.clip(R[0, 2], -1, 1)),
            -np.arctan2(R[1, 2], R[2, 2]))
def angles_reverse(R):
    return (np.arctan2(R[1, 0], R[0, 0]), np.arcsin(np.clip(R[2, 0], -1, 1)),
            np.arctan2(R[2, 1], R[2, 2]))

#== dh-row | single | angle-sign
import numpy as np
def dh_matrix(theta, d, a, alpha):
    ct, st, ca, sa = np.cos(theta), np.sin(theta), np.cos(alpha), np.sin(alpha)
    Rx = np.array([[1, 0, 0, 0], [0, ca, sa, 0], [0, -sa, ca, 0], [0, 0, 0, 1]])
    Rz = np.array([[ct, -st, 0, 0], [st, ct, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    T = np.eye(4); T[:3, 3] = [a, 0, d]
    return Rz @ T @ Rx

#== dh-row | single | inverse
import numpy as np
def dh_matrix(theta, d, a, alpha):
    ct, st, ca, sa = np.cos(theta), np.sin(theta), np.cos(alpha), np.sin(alpha)
    return np.array([[ct, st, 0, -a], [-st*ca, ct*ca, sa, -d*sa],
                     [st*sa, -ct*sa, ca, -d*ca], [0, 0, 0, 1]])

#== dh-row | free | degrees-in
from math import cos, sin, radians
def dh_matrix(theta, d, a, alpha):
    al = radians(alpha)
    return [[cos(theta), -sin(theta)*cos(al), sin(theta)*sin(al), a*cos(theta)],
            [sin(theta), cos(theta)*cos(al), -cos(theta)*sin(al), a*sin(theta)],
            [0, sin(al), cos(al), d], [0, 0, 0, 1]]

#== planar-2r-forward | single | component-sign
import numpy as np
def forward(q, lengths):
    s = np.cumsum(q)
    return [lengths @ np.cos(s), -(lengths @ np.sin(s)), s[1]]

#== planar-2r-forward | single | missing-link
import numpy as np
def forward(q, lengths):
    a = q[0] + q[1]
    x = lengths[1]*np.cos(a)
    y = lengths[1]*np.sin(a)
    return np.array([x, y, a])

#== planar-2r-forward | free | missing-in-y
import numpy as np
def forward(q, lengths):
    x = lengths[0]*np.cos(q[0]) + lengths[1]*np.cos(q[0] + q[1])
    y = lengths[1]*np.sin(q[0] + q[1])
    return np.array([x, y, q[0] + q[1]])

#== planar-2r-inverse | single | atan2-arguments
import numpy as np
def inverse(p, lengths):
    l1, l2 = lengths
    c = (p @ p - l1*l1 - l2*l2) / (2*l1*l2)
    if abs(c) > 1 + 1e-9:
        return []
    out = []
    for s in (1, -1):
        q2 = s*np.arccos(np.clip(c, -1, 1))
        k = np.arctan2(l2*np.sin(q2), l1 + l2*np.cos(q2))
        out.append((np.arctan2(p[0], p[1]) - k, q2))
    return out

#== planar-2r-inverse | single | lengths-swapped
import numpy as np
def inverse(p, lengths):
    l2, l1 = lengths
    c = (p @ p - l1*l1 - l2*l2) / (2*l1*l2)
    if abs(c) > 1 + 1e-9:
        return []
    out = []
    for s in (1, -1):
        q2 = s*np.arccos(np.clip(c, -1, 1))
        k = np.arctan2(l2*np.sin(q2), l1 + l2*np.cos(q2))
        out.append((np.arctan2(p[1], p[0]) - k, q2))
    return out

#== planar-2r-inverse | single | absolute-angle
import numpy as np
def inverse(p, lengths):
    l1, l2 = lengths
    r = np.hypot(*p)
    if r > l1 + l2 + 1e-9 or r < abs(l1 - l2) - 1e-9:
        return []
    g = np.arccos(np.clip((l1**2 + r**2 - l2**2)/(2*l1*r), -1, 1))
    phi = np.arctan2(p[1], p[0])
    out = []
    for s in (1, -1):
        q1 = phi + s*g
        elbow = l1*np.array([np.cos(q1), np.sin(q1)])
        d = p - elbow
        out.append((q1, np.arctan2(d[1], d[0])))
    return out

#== planar-2r-inverse | double | one-elbow, reach-check
from math import acos, atan2, cos, sin
def inverse(p, lengths):
    x, y = p
    l1, l2 = lengths
    c = (x*x + y*y - l1*l1 - l2*l2)/(2*l1*l2)
    q2 = -acos(round(c, 12))
    q1 = atan2(y, x) - atan2(l2*sin(q2), l1 + l2*cos(q2))
    return [[q1, q2]]

#== planar-2r-inverse | free | root-missing
import numpy as np
def inverse(p, lengths):
    l1, l2 = lengths
    r = p[0]**2 + p[1]**2
    g = (l1**2 + r**2 - l2**2)/(2*l1*r)
    b = (l1**2 + l2**2 - r**2)/(2*l1*l2)
    if abs(g) > 1 or abs(b) > 1:
        return []
    g, b, phi = np.arccos(g), np.arccos(b), np.arctan2(p[1], p[0])
    return [(phi - g, np.pi - b), (phi + g, b - np.pi)]

#== simple-arm-forward | single | joint-order
import numpy as np
def forward(q, lengths):
    tibia, femur, stand = q
    r = lengths[1]*np.cos(femur) + lengths[2]*np.cos(femur + tibia)
    z = lengths[0] + lengths[1]*np.sin(femur) + lengths[2]*np.sin(femur + tibia)
    return np.array([r*np.cos(stand), r*np.sin(stand), z])

#== simple-arm-forward | single | tibia-difference
import numpy as np
def forward(q, lengths):
    r = lengths[1]*np.cos(q[1]) + lengths[2]*np.cos(q[1] - q[2])
    z = lengths[0] + lengths[1]*np.sin(q[1]) + lengths[2]*np.sin(q[1] - q[2])
    return np.array([r*np.cos(q[0]), r*np.sin(q[0]), z])

#== simple-arm-forward | single | sin-cos-swapped
import numpy as np
def forward(q, lengths):
    r = lengths[1]*np.cos(q[1]) + lengths[2]*np.cos(q[1] + q[2])
    z = lengths[0] + lengths[1]*np.sin(q[1]) + lengths[2]*np.sin(q[1] + q[2])
    return np.array([r*np.sin(q[0]), r*np.cos(q[0]), z])

#== simple-arm-forward | double | sign-xz, stand-missing
import numpy as np
def forward(q, lengths):
    _, f, t = lengths
    r = f*np.cos(q[1]) + t*np.cos(q[1] + q[2])
    z = -f*np.sin(q[1]) - t*np.sin(q[1] + q[2])
    return np.array([r*np.cos(q[0]), r*np.sin(q[0]), z])

#== simple-arm-inverse | single | inner-angle
import numpy as np
def inverse(p, lengths):
    s, f, t = lengths
    r, h = np.hypot(p[0], p[1]), p[2] - s
    d = np.hypot(r, h)
    if d > f + t + 1e-9 or d < abs(f - t) - 1e-9:
        return None
    gamma = np.arccos(np.clip((f*f + d*d - t*t)/(2*f*d), -1, 1))
    beta = np.arccos(np.clip((d*d - f*f - t*t)/(2*f*t), -1, 1))
    return [np.arctan2(p[1], p[0]), np.arctan2(h, r) + gamma, beta - np.pi]

#== simple-arm-inverse | single | component-order
import numpy as np
def inverse(p, lengths):
    s, f, t = lengths
    r, h = np.hypot(p[0], p[1]), p[2] - s
    d = np.hypot(r, h)
    if d > f + t + 1e-9 or d < abs(f - t) - 1e-9:
        return None
    gamma = np.arccos(np.clip((f*f + d*d - t*t)/(2*f*d), -1, 1))
    beta = np.arccos(np.clip((f*f + t*t - d*d)/(2*f*t), -1, 1))
    return [np.arctan2(h, r) + gamma, beta - np.pi, np.arctan2(p[1], p[0])]

#== simple-arm-inverse | single | lengths-swapped
import numpy as np
def inverse(p, lengths):
    s, t, f = lengths
    r, h = np.hypot(p[0], p[1]), p[2] - s
    d = np.hypot(r, h)
    if d > f + t + 1e-9 or d < abs(f - t) - 1e-9:
        return None
    gamma = np.arccos(np.clip((f*f + d*d - t*t)/(2*f*d), -1, 1))
    beta = np.arccos(np.clip((f*f + t*t - d*d)/(2*f*t), -1, 1))
    return [np.arctan2(p[1], p[0]), np.arctan2(h, r) + gamma, beta - np.pi]

#== simple-arm-inverse | single | reach-check
import numpy as np
def inverse(p, lengths):
    s, f, t = lengths
    r, h = np.hypot(p[0], p[1]), p[2] - s
    d = np.hypot(r, h)
    gamma = np.arccos(np.clip((f*f + d*d - t*t)/(2*f*d), -1, 1))
    beta = np.arccos(np.clip((f*f + t*t - d*d)/(2*f*t), -1, 1))
    return [np.arctan2(p[1], p[0]), np.arctan2(h, r) + gamma, beta - np.pi]

#== simple-arm-inverse | double | stand-missing, degrees-out
import numpy as np
def inverse(p, lengths):
    s, f, t = lengths
    r, h = np.hypot(p[0], p[1]), p[2]
    d = np.hypot(r, h)
    if d > f + t + 1e-9 or d < abs(f - t) - 1e-9:
        return None
    gamma = np.arccos(np.clip((f*f + d*d - t*t)/(2*f*d), -1, 1))
    beta = np.arccos(np.clip((f*f + t*t - d*d)/(2*f*t), -1, 1))
    return np.degrees([np.arctan2(p[1], p[0]), np.arctan2(h, r) + gamma, beta - np.pi])

#== simple-arm-inverse | free | quarter-turn
import numpy as np
def inverse(p, lengths):
    s, f, t = lengths
    r, h = np.hypot(p[0], p[1]), p[2] - s
    d = np.hypot(r, h)
    if d > f + t + 1e-9 or d < abs(f - t) - 1e-9:
        return None
    gamma = np.arccos(np.clip((f*f + d*d - t*t)/(2*f*d), -1, 1))
    beta = np.arccos(np.clip((f*f + t*t - d*d)/(2*f*t), -1, 1))
    return [np.arctan2(p[1], p[0]), np.arctan2(h, r) + gamma - np.pi/2, beta - np.pi]

#== wrist | single | inverse
import numpy as np
def wrist_angles(R_mount, R_target):
    R = R_target.T @ R_mount
    return (np.arctan2(R[1, 0], R[0, 0]), np.arcsin(np.clip(R[2, 0], -1, 1)),
            np.arctan2(R[2, 1], R[2, 2]))

#== wrist | single | component-order
import numpy as np
def wrist_angles(R_mount, R_target):
    R = R_mount.T @ R_target
    return (np.arctan2(R[2, 1], R[2, 2]), np.arcsin(np.clip(R[2, 0], -1, 1)),
            np.arctan2(R[1, 0], R[0, 0]))

#== wrist | double | mount-ignored, atan-quadrant
import numpy as np
def wrist_angles(R_mount, R_target):
    R = R_target
    return (np.arctan(R[1, 0]/R[0, 0]), np.arcsin(np.clip(R[2, 0], -1, 1)),
            np.arctan(R[2, 1]/R[2, 2]))

#== scara | single | absolute-angle
import numpy as np
def forward(q, lengths):
    b, l1, l2, tool = lengths
    x = l1*np.cos(q[0]) + l2*np.cos(q[1])
    y = l1*np.sin(q[0]) + l2*np.sin(q[1])
    return [x, y, b - q[2] - tool, q[0] + q[1] - q[3]]
def inverse(p, lengths, limits):
    b, l1, l2, tool = lengths
    c = (p[0]**2 + p[1]**2 - l1**2 - l2**2)/(2*l1*l2)
    if abs(c) > 1:
        return None
    for s in (1, -1):
        q2 = s*np.arccos(c)
        q1 = np.arctan2(p[1], p[0]) - np.arctan2(l2*np.sin(q2), l1 + l2*np.cos(q2))
        q = np.array([q1, q2, b - tool - p[2], q1 + q2 - p[3]])
        q[[0, 3]] = np.arctan2(np.sin(q[[0, 3]]), np.cos(q[[0, 3]]))
        if (q >= limits[:, 0]).all() and (q <= limits[:, 1]).all():
            return q
    return None

#== scara | single | yaw-of-spindle
import numpy as np
def forward(q, lengths):
    b, l1, l2, tool = lengths
    x = l1*np.cos(q[0]) + l2*np.cos(q[0] + q[1])
    y = l1*np.sin(q[0]) + l2*np.sin(q[0] + q[1])
    return [x, y, b - q[2] - tool, -q[3]]
def inverse(p, lengths, limits):
    b, l1, l2, tool = lengths
    c = (p[0]**2 + p[1]**2 - l1**2 - l2**2)/(2*l1*l2)
    if abs(c) > 1:
        return None
    for s in (1, -1):
        q2 = s*np.arccos(c)
        q1 = np.arctan2(p[1], p[0]) - np.arctan2(l2*np.sin(q2), l1 + l2*np.cos(q2))
        q = np.array([q1, q2, b - tool - p[2], -p[3]])
        q[[0, 3]] = np.arctan2(np.sin(q[[0, 3]]), np.cos(q[[0, 3]]))
        if (q >= limits[:, 0]).all() and (q <= limits[:, 1]).all():
            return q
    return None

#== scara | free | limit-of-one-joint
import numpy as np
def forward(q, lengths):
    b, l1, l2, tool = lengths
    x = l1*np.cos(q[0]) + l2*np.cos(q[0] + q[1])
    y = l1*np.sin(q[0]) + l2*np.sin(q[0] + q[1])
    return [x, y, b - q[2] - tool, q[0] + q[1] - q[3]]
def inverse(p, lengths, limits):
    b, l1, l2, tool = lengths
    c = (p[0]**2 + p[1]**2 - l1**2 - l2**2)/(2*l1*l2)
    if abs(c) > 1:
        return None
    q2 = np.clip(np.arccos(c), limits[1, 0], limits[1, 1])
    q1 = np.arctan2(p[1], p[0]) - np.arctan2(l2*np.sin(q2), l1 + l2*np.cos(q2))
    q3 = np.clip(b - tool - p[2], *limits[2])
    return [q1, q2, q3, q1 + q2 - p[3]]

#== tripod | single | lower-point
import numpy as np
def tip(feet, lengths):
    n1, n2 = 2*(feet[1] - feet[0]), 2*(feet[2] - feet[0])
    sq = (feet**2).sum(axis=1) - lengths**2
    u = np.cross(n1, n2)
    p = np.linalg.solve(np.array([n1, n2, u]), [sq[1] - sq[0], sq[2] - sq[0], 0])
    w = p - feet[0]
    a, b, c = u @ u, 2*u @ w, w @ w - lengths[0]**2
    D = b*b - 4*a*c
    if D < 0:
        return None
    return p + u*(-b - np.sqrt(D))/(2*a)

#== tripod | free | not-squared
import numpy as np
def tip(feet, lengths):
    n1, n2 = 2*(feet[1] - feet[0]), 2*(feet[2] - feet[0])
    sq = (feet**2).sum(axis=1) - lengths
    u = np.cross(n1, n2)
    p = np.linalg.solve(np.array([n1, n2, u]), [sq[1] - sq[0], sq[2] - sq[0], 0])
    w = p - feet[0]
    a, b, c = u @ u, 2*u @ w, w @ w - lengths[0]
    D = b*b - 4*a*c
    if D < 0:
        return None
    ends = [p + u*(-b + s*np.sqrt(D))/(2*a) for s in (1, -1)]
    return max(ends, key=lambda e: e[2])

#== simple-arm-jacobian | single | columns-swapped
from math import cos, sin
def jacobian(q, lengths):
    a, b, c = q
    s, f, t = lengths
    r, h = f*cos(b) + t*cos(b + c), f*sin(b) + t*sin(b + c)
    return [[-r*sin(a), -t*sin(b + c)*cos(a), -h*cos(a)],
            [r*cos(a), -t*sin(b + c)*sin(a), -h*sin(a)],
            [0, t*cos(b + c), r]]

#== simple-arm-jacobian | single | lever
import numpy as np
def jacobian(q, lengths):
    s, f, t = lengths
    z, side = np.array([0, 0, 1]), np.array([np.sin(q[0]), -np.cos(q[0]), 0])
    out = np.array([np.cos(q[0]), np.sin(q[0]), 0])
    hip = s*z
    knee = hip + f*np.cos(q[1])*out + f*np.sin(q[1])*z
    end = knee + t*np.cos(q[1] + q[2])*out + t*np.sin(q[1] + q[2])*z
    return np.array([np.cross(z, end), np.cross(side, end - hip),
                     np.cross(side, end - hip)]).T

#== simple-arm-jacobian | double | degrees-in, transposed
import numpy as np
def jacobian(q, lengths):
    a, b, c = np.deg2rad(q)
    s, f, t = lengths
    r, h = f*np.cos(b) + t*np.cos(b + c), f*np.sin(b) + t*np.sin(b + c)
    return np.array([
        [-r*np.sin(a), r*np.cos(a), 0],
        [-h*np.cos(a), -h*np.sin(a), r],
        [-t*np.sin(b + c)*np.cos(a), -t*np.sin(b + c)*np.sin(a), t*np.cos(b + c)]])

#== simple-arm-jacobian | free | absolute-in-one-column
from math import cos, sin
def jacobian(q, lengths):
    a, b, c = q
    s, f, t = lengths
    r, h = f*cos(b) + t*cos(b + c), f*sin(b) + t*sin(b + c)
    return [[-r*sin(a), -h*cos(a), -t*sin(c)*cos(a)],
            [r*cos(a), -h*sin(a), -t*sin(c)*sin(a)],
            [0, r, t*cos(c)]]

#== numeric-jacobian | single | own-step
import numpy as np
def jacobian(position, q, h):
    h = 1e-6
    return np.array([(position(q + e) - position(q - e))/(2*h)
                     for e in h*np.eye(len(q))]).T

#== numeric-jacobian | single | not-divided
import numpy as np
def jacobian(position, q, h):
    return np.array([position(q + e) - position(q - e) for e in h*np.eye(len(q))]).T

#== numeric-jacobian | single | one-sided
import numpy as np
def jacobian(position, q, h):
    p = position(q)
    return np.array([(p - position(q - e))/h for e in h*np.eye(len(q))]).T

#== pseudo-inverse | single | projector
import numpy as np
def pseudo_inverse(J):
    return J.T @ np.linalg.inv(J @ J.T)
def joint_velocity(J, v, qd_wish):
    return pseudo_inverse(J) @ v + (np.eye(5) - J.T @ J) @ qd_wish

#== pseudo-inverse | single | left-pseudo-inverse
import numpy as np
def pseudo_inverse(J):
    return np.linalg.solve(J.T @ J, J.T)
def joint_velocity(J, v, qd_wish):
    P = np.linalg.pinv(J)
    return P @ v + (np.eye(5) - P @ J) @ qd_wish

#== jacobian-ik | single | target-not-difference
import numpy as np
def solve(position, jacobian, q_start, p_target, alpha, tolerance, max_steps):
    q = q_start.copy()
    for _ in range(max_steps):
        error = np.linalg.norm(p_target - position(q))
        if error <= tolerance:
            return q
        dp = p_target.copy()
        if np.linalg.norm(dp) > alpha:
            dp = dp/np.linalg.norm(dp)*alpha
        q = q + np.linalg.pinv(jacobian(q)) @ dp
    return None

#== jacobian-ik | single | alpha-as-factor
import numpy as np
def solve(position, jacobian, q_start, p_target, alpha, tolerance, max_steps):
    q = q_start.copy()
    for _ in range(max_steps):
        dp = p_target - position(q)
        if np.linalg.norm(dp) <= tolerance:
            return q
        q = q + alpha*np.linalg.pinv(jacobian(q)) @ dp
    return None

#== jacobian-ik | free | limited-by-component
import numpy as np
def solve(position, jacobian, q_start, p_target, alpha, tolerance, max_steps):
    q = q_start.copy()
    for _ in range(max_steps):
        dp = p_target - position(q)
        if np.linalg.norm(dp) <= tolerance:
            return q
        q = q + np.clip(np.linalg.pinv(jacobian(q)) @ dp, -alpha, alpha)*10
    return None

#== straight-line | single | start-missing
import numpy as np
def line(q_start, q_end, count, position, inverse):
    a, b = position(q_start), position(q_end)
    return [inverse(a + (b - a)*i/count) for i in range(1, count + 1)]

#== straight-line | single | backwards
import numpy as np
def line(q_start, q_end, count, position, inverse):
    return [inverse(p) for p in np.linspace(position(q_end), position(q_start), count)]

#== straight-line | free | half-and-half
import numpy as np
def line(q_start, q_end, count, position, inverse):
    rows = np.linspace(q_start, q_end, count)
    points = np.linspace(position(q_start), position(q_end), count)
    for row, p in zip(rows, points):
        row[1:] = inverse(p)[1:]
    return rows

#== rotation-xz | right | composed of known rotations
import numpy as np
def rx(a):
    return np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])
def rz(a):
    return np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
def rotation_xz(angle):
    return rx(np.pi/2) @ rz(angle) @ rx(-np.pi/2)

#== planar-2r-inverse | right | by intersection of circles
import numpy as np
def inverse(p, lengths):
    l1, l2 = lengths
    r = np.linalg.norm(p)
    along = (l1**2 - l2**2 + r**2)/(2*r)
    across = l1**2 - along**2
    if across < -1e-9:
        return []
    u = p/r
    n = np.array([-u[1], u[0]])
    sols = []
    for s in (1, -1):
        elbow = along*u + s*np.sqrt(max(across, 0))*n
        q1 = np.arctan2(elbow[1], elbow[0])
        d = p - elbow
        sols.append((q1, np.arctan2(d[1], d[0]) - q1))
    return sols

#== simple-arm-inverse | right | elbow by vector algebra
import numpy as np
def inverse(p, lengths):
    s, f, t = lengths
    w = complex(np.hypot(p[0], p[1]), p[2] - s)
    d = abs(w)
    if not abs(f - t) - 1e-9 <= d <= f + t + 1e-9:
        return ()
    a = (f*f - t*t + d*d)/(2*d)
    knee = w/d*complex(a, np.sqrt(max(0.0, f*f - a*a)))
    femur = np.angle(knee)
    tibia = np.angle((w - knee)/knee)
    return np.arctan2(p[1], p[0]), femur, tibia

#== jacobian-ik | right | recursion
import numpy as np
def solve(position, jacobian, q_start, p_target, alpha, tolerance, max_steps):
    d = np.asarray(p_target) - position(q_start)
    n = np.linalg.norm(d)
    if n <= tolerance:
        return np.array(q_start)
    if max_steps == 0:
        return None
    step = np.linalg.pinv(jacobian(q_start)) @ (d if n <= alpha else d*alpha/n)
    return solve(position, jacobian, q_start + step, p_target, alpha, tolerance,
                 max_steps - 1)

#== tripod | right | iteration from above
import numpy as np
def tip(feet, lengths):
    p = feet.mean(axis=0) + np.array([0, 0, lengths.max()])
    for _ in range(100):
        d = p - feet
        n = np.linalg.norm(d, axis=1)
        step = np.linalg.lstsq(d/n[:, None], lengths - n, rcond=None)[0]
        p = p + step
    good = np.abs(np.linalg.norm(p - feet, axis=1) - lengths).max() < 1e-8
    return p if good else None

#== scara | right | filtered list
import numpy as np
def forward(q, lengths):
    b, l1, l2, tool = lengths
    a = np.exp(1j*q[0])*(l1 + l2*np.exp(1j*q[1]))
    return a.real, a.imag, b - (q[2] + tool), (q[0] + q[1] - q[3]) % (2*np.pi)
def inverse(p, lengths, limits):
    b, l1, l2, tool = lengths
    w = p[0] + 1j*p[1]
    c = (abs(w)**2 - l1**2 - l2**2)/(2*l1*l2)
    if abs(c) > 1:
        return None
    sols = []
    for s in (-1, 1):
        q2 = s*np.arccos(c)
        q1 = np.angle(w/(l1 + l2*np.exp(1j*q2)))
        q4 = np.angle(np.exp(1j*(q1 + q2 - p[3])))
        sols.append([q1, q2, b - tool - p[2], q4])
    sols = [q for q in sols
            if all(lo <= v <= hi for v, (lo, hi) in zip(q, limits))]
    return sols[0] if sols else None
"""
