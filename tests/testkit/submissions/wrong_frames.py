"""Wrong submissions: rotations, frames, Denavit-Hartenberg rows, wrists.

Heading: exercise | kind | names of the mistakes. Kinds: single; double, two mistakes at
once; free, no model of it exists; form, the file itself is at fault.
"""

TEXT = r"""
#== rotation-xz | single | sign-xz
import numpy as np

def rotation_xz(angle):
    # rotation about y, from the formula collection
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])

#== rotation-xz | single | degrees-in
import numpy as np
def rotation_xz(angle):
    angle = np.radians(angle)
    c = np.cos(angle); s = np.sin(angle)
    return np.array([[c, 0, -s], [0, 1, 0], [s, 0, c]])

#== rotation-xz | single | wrong-plane
import math
def rotation_xz(angle):
    return [[math.cos(angle), -math.sin(angle), 0],
            [math.sin(angle), math.cos(angle), 0],
            [0, 0, 1]]

#== rotation-xz | double | sign-xz, degrees-in
import math
def rotation_xz(angle):
    a = angle * math.pi / 180
    return [[math.cos(a), 0, math.sin(a)],
            [0, 1, 0],
            [-math.sin(a), 0, math.cos(a)]]

#== rotation-xz | single | shape
import numpy as np
def rotation_xz(angle):
    return np.array([[np.cos(angle), -np.sin(angle)],
                     [np.sin(angle), np.cos(angle)]])

#== rotation-xz | free | range
import numpy as np
def rotation_xz(angle):
    angle = angle % np.pi      # keep the angle small
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, 0, -s], [0, 1, 0], [s, 0, c]])

#== roto-translation | single | rotation-order
import numpy as np

def rot(angles):
    a, b, c = angles
    Ra = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
    Rb = np.array([[np.cos(b), 0, -np.sin(b)], [0, 1, 0], [np.sin(b), 0, np.cos(b)]])
    Rc = np.array([[1, 0, 0], [0, np.cos(c), -np.sin(c)], [0, np.sin(c), np.cos(c)]])
    # first a, then b, then c
    return Ra @ Rb @ Rc

def apply(angles, t, p):
    return rot(angles) @ p + t

def apply_inverse(angles, t, p):
    return rot(angles).T @ (p - t)

#== roto-translation | single | inverse-translation
import numpy as np

def rot(angles):
    a, b, c = angles
    Ra = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
    Rb = np.array([[np.cos(b), 0, -np.sin(b)], [0, 1, 0], [np.sin(b), 0, np.cos(b)]])
    Rc = np.array([[1, 0, 0], [0, np.cos(c), -np.sin(c)], [0, np.sin(c), np.cos(c)]])
    return Rc @ Rb @ Ra

def apply(angles, t, p):
    return rot(angles) @ p + t

def apply_inverse(angles, t, p):
    return np.linalg.inv(rot(angles)) @ p - t

#== roto-translation | single | inverse-order
from math import cos, sin
import numpy as np

def Rxy(a): return np.array([[cos(a), -sin(a), 0], [sin(a), cos(a), 0], [0, 0, 1]])
def Rxz(a): return np.array([[cos(a), 0, -sin(a)], [0, 1, 0], [sin(a), 0, cos(a)]])
def Ryz(a): return np.array([[1, 0, 0], [0, cos(a), -sin(a)], [0, sin(a), cos(a)]])

def apply(angles, t, p):
    return Ryz(angles[2]) @ Rxz(angles[1]) @ Rxy(angles[0]) @ p + t

def apply_inverse(angles, t, p):
    p = p - t
    p = Rxy(-angles[0]) @ p
    p = Rxz(-angles[1]) @ p
    p = Ryz(-angles[2]) @ p
    return p

#== roto-translation | single | sign-xz
import numpy as np
from math import sin, cos

def matrix(angles):
    a, b, c = angles
    Rz = np.array([[cos(a), -sin(a), 0], [sin(a), cos(a), 0], [0, 0, 1]])
    Ry = np.array([[cos(b), 0, sin(b)], [0, 1, 0], [-sin(b), 0, cos(b)]])
    Rx = np.array([[1, 0, 0], [0, cos(c), -sin(c)], [0, sin(c), cos(c)]])
    return Rx.dot(Ry).dot(Rz)

def apply(angles, t, p):
    return matrix(angles).dot(p) + t

def apply_inverse(angles, t, p):
    return matrix(angles).T.dot(p - t)

#== roto-translation | double | translation-first, inverse-translation
import numpy as np
from math import sin, cos

def matrix(angles):
    a, b, c = angles
    R1 = np.array([[cos(a), -sin(a), 0], [sin(a), cos(a), 0], [0, 0, 1]])
    R2 = np.array([[cos(b), 0, -sin(b)], [0, 1, 0], [sin(b), 0, cos(b)]])
    R3 = np.array([[1, 0, 0], [0, cos(c), -sin(c)], [0, sin(c), cos(c)]])
    return R3 @ R2 @ R1

def apply(angles, t, p):
    moved = p + t
    return matrix(angles) @ moved

def apply_inverse(angles, t, p):
    turned_back = matrix(angles).T @ p
    return turned_back - t

#== roto-translation | double | rotation-order, inverse-translation
import numpy as np
from math import sin, cos

def matrix(angles):
    a, b, c = angles
    R1 = np.array([[cos(a), -sin(a), 0], [sin(a), cos(a), 0], [0, 0, 1]])
    R2 = np.array([[cos(b), 0, -sin(b)], [0, 1, 0], [sin(b), 0, cos(b)]])
    R3 = np.array([[1, 0, 0], [0, cos(c), -sin(c)], [0, sin(c), cos(c)]])
    return R1 @ R2 @ R3

def apply(angles, t, p):
    return matrix(angles) @ p + t

def apply_inverse(angles, t, p):
    return matrix(angles).T @ p - t

#== roto-translation | single | rotation-order
import numpy as np
from math import sin, cos

def turn(p, angles):
    x, y, z = p
    a, b, c = angles
    x, y = cos(a) * x - sin(a) * y, sin(a) * x + cos(a) * y
    y, z = cos(c) * y - sin(c) * z, sin(c) * y + cos(c) * z
    x, z = cos(b) * x - sin(b) * z, sin(b) * x + cos(b) * z
    return np.array([x, y, z])

def apply(angles, t, p):
    return turn(p, angles) + t

def apply_inverse(angles, t, p):
    R = np.array([turn(e, angles) for e in np.eye(3)])
    return R @ (p - t)

#== roto-translation | free | overwritten
import numpy as np
from math import sin, cos

def turn(p, a, i, k):
    q = np.array(p, dtype=float)
    q[i] = cos(a) * q[i] - sin(a) * q[k]
    q[k] = sin(a) * q[i] + cos(a) * q[k]
    return q

def apply(angles, t, p):
    p = turn(p, angles[0], 0, 1)
    p = turn(p, angles[1], 0, 2)
    p = turn(p, angles[2], 1, 2)
    return p + t

def apply_inverse(angles, t, p):
    p = turn(p - t, -angles[2], 1, 2)
    p = turn(p, -angles[1], 0, 2)
    return turn(p, -angles[0], 0, 1)

#== plane-angles | single | atan-quadrant
import numpy as np

def angles_forward(R):
    b = np.arcsin(-R[0, 2])
    a = -np.arctan(R[0, 1] / R[0, 0])
    c = -np.arctan(R[1, 2] / R[2, 2])
    return a, b, c

def angles_reverse(R):
    b = np.arcsin(R[2, 0])
    a = np.arctan(R[1, 0] / R[0, 0])
    c = np.arctan(R[2, 1] / R[2, 2])
    return a, b, c

#== plane-angles | single | rotation-order
import numpy as np

def angles_reverse(R):
    c = -np.arctan2(R[1, 2], R[2, 2])
    b = np.arctan2(-R[0, 2], np.hypot(R[1, 2], R[2, 2]))
    a = -np.arctan2(R[0, 1], R[0, 0])
    return np.array([a, b, c])

def angles_forward(R):
    c = np.arctan2(R[2, 1], R[2, 2])
    b = np.arctan2(R[2, 0], np.hypot(R[2, 1], R[2, 2]))
    a = np.arctan2(R[1, 0], R[0, 0])
    return np.array([a, b, c])

#== plane-angles | single | gimbal-lock
import numpy as np

def angles_forward(R):
    c = -np.arctan2(R[1, 2], R[2, 2])
    b = np.arctan2(-R[0, 2], np.hypot(R[1, 2], R[2, 2]))
    a = -np.arctan2(R[0, 1], R[0, 0])
    return np.array([a, b, c])

def angles_reverse(R):
    c = np.arctan2(R[2, 1], R[2, 2])
    b = np.arctan2(R[2, 0], np.hypot(R[2, 1], R[2, 2]))
    a = np.arctan2(R[1, 0], R[0, 0])
    return np.array([a, b, c])

#== plane-angles | single | degrees-out
import numpy as np

def angles_forward(R):
    c = -np.arctan2(R[1, 2], R[2, 2])
    b = np.arctan2(-R[0, 2], np.hypot(R[1, 2], R[2, 2]))
    a = -np.arctan2(R[0, 1], R[0, 0])
    return np.rad2deg([a, b, c])

def angles_reverse(R):
    c = np.arctan2(R[2, 1], R[2, 2])
    b = np.arctan2(R[2, 0], np.hypot(R[2, 1], R[2, 2]))
    a = np.arctan2(R[1, 0], R[0, 0])
    return np.rad2deg([a, b, c])

#== plane-angles | double | component-order, gimbal-lock
import numpy as np

def angles_forward(R):
    c = -np.arctan2(R[1, 2], R[2, 2])
    b = np.arctan2(-R[0, 2], np.sqrt(R[1, 2] ** 2 + R[2, 2] ** 2))
    a = -np.arctan2(R[0, 1], R[0, 0])
    return np.array([c, b, a])

def angles_reverse(R):
    c = np.arctan2(R[2, 1], R[2, 2])
    b = np.arctan2(R[2, 0], np.sqrt(R[2, 1] ** 2 + R[2, 2] ** 2))
    a = np.arctan2(R[1, 0], R[0, 0])
    return np.array([c, b, a])

#== plane-angles | free | lost-sign
import numpy as np

def angles_forward(R):
    cb = np.sqrt(R[1, 2] ** 2 + R[2, 2] ** 2)
    b = np.arccos(cb)
    c = -np.arctan2(R[1, 2], R[2, 2])
    a = -np.arctan2(R[0, 1], R[0, 0])
    return a, b, c

def angles_reverse(R):
    cb = np.sqrt(R[2, 1] ** 2 + R[2, 2] ** 2)
    b = np.arccos(cb)
    return np.arctan2(R[1, 0], R[0, 0]), b, np.arctan2(R[2, 1], R[2, 2])

#== dh-row | single | dh-convention
import numpy as np
def dh_matrix(theta, d, a, alpha):
    ct, st = np.cos(theta), np.sin(theta)
    ca, sa = np.cos(alpha), np.sin(alpha)
    return np.array([
        [ct, -st, 0, a],
        [st * ca, ct * ca, -sa, -sa * d],
        [st * sa, ct * sa, ca, ca * d],
        [0, 0, 0, 1]])

#== dh-row | single | arguments-swapped
import numpy as np
def dh_matrix(theta, a, d, alpha):
    ct, st = np.cos(theta), np.sin(theta)
    ca, sa = np.cos(alpha), np.sin(alpha)
    return np.array([
        [ct, -st * ca, st * sa, a * ct],
        [st, ct * ca, -ct * sa, a * st],
        [0, sa, ca, d],
        [0, 0, 0, 1]])

#== dh-row | single | shift-not-turned
import numpy as np
def dh_matrix(theta, d, a, alpha):
    Rz = np.array([[np.cos(theta), -np.sin(theta), 0],
                   [np.sin(theta), np.cos(theta), 0], [0, 0, 1]])
    Rx = np.array([[1, 0, 0], [0, np.cos(alpha), -np.sin(alpha)],
                   [0, np.sin(alpha), np.cos(alpha)]])
    T = np.eye(4)
    T[:3, :3] = Rz @ Rx
    T[:3, 3] = [a, 0, d]
    return T

#== dh-row | single | dh-convention
import numpy as np
def rz(t):
    return np.array([[np.cos(t), -np.sin(t), 0, 0], [np.sin(t), np.cos(t), 0, 0],
                     [0, 0, 1, 0], [0, 0, 0, 1]])
def rx(t):
    return np.array([[1, 0, 0, 0], [0, np.cos(t), -np.sin(t), 0],
                     [0, np.sin(t), np.cos(t), 0], [0, 0, 0, 1]])
def trans(x, z):
    T = np.eye(4)
    T[0, 3], T[2, 3] = x, z
    return T
def dh_matrix(theta, d, a, alpha):
    return rx(alpha) @ trans(a, 0) @ trans(0, d) @ rz(theta)

#== dh-row | single | shape
import numpy as np
def dh_matrix(theta, d, a, alpha):
    ct, st = np.cos(theta), np.sin(theta)
    ca, sa = np.cos(alpha), np.sin(alpha)
    return np.array([
        [ct, -st * ca, st * sa, a * ct],
        [st, ct * ca, -ct * sa, a * st],
        [0, sa, ca, d]])

#== dh-row | double | degrees-in, dh-convention
from math import cos, sin, radians
def dh_matrix(theta, d, a, alpha):
    t, al = radians(theta), radians(alpha)
    return [[cos(t), -sin(t), 0, a],
            [sin(t) * cos(al), cos(t) * cos(al), -sin(al), -d * sin(al)],
            [sin(t) * sin(al), cos(t) * sin(al), cos(al), d * cos(al)],
            [0, 0, 0, 1]]

#== dh-row | free | wrong-axis
import numpy as np
def dh_matrix(theta, d, a, alpha):
    Rz = np.array([[np.cos(theta), -np.sin(theta), 0, 0],
                   [np.sin(theta), np.cos(theta), 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    Ry = np.array([[np.cos(alpha), 0, np.sin(alpha), 0], [0, 1, 0, 0],
                   [-np.sin(alpha), 0, np.cos(alpha), 0], [0, 0, 0, 1]])
    T = np.eye(4)
    T[0, 3], T[2, 3] = a, d
    return Rz @ T @ Ry

#== dh-row | free | typing-error
import numpy as np
def dh_matrix(theta, d, a, alpha):
    ct, st = np.cos(theta), np.sin(theta)
    ca, sa = np.cos(alpha), np.sin(alpha)
    return np.array([
        [ct, -st * ca, st * sa, a * ct],
        [st, ct * ca, -ct * ca, a * st],
        [0, sa, ca, d],
        [0, 0, 0, 1]])

#== wrist | single | mount-ignored
import numpy as np
def wrist_angles(R_mount, R_target):
    R = R_target
    w1 = np.arctan2(R[1, 0], R[0, 0])
    w2 = np.arctan2(R[2, 0], np.hypot(R[2, 1], R[2, 2]))
    w3 = np.arctan2(R[2, 1], R[2, 2])
    return w1, w2, w3

#== wrist | single | wrong-side
import numpy as np
def wrist_angles(R_mount, R_target):
    R = R_target @ np.linalg.inv(R_mount)
    w1 = np.arctan2(R[1, 0], R[0, 0])
    w2 = np.arcsin(np.clip(R[2, 0], -1, 1))
    w3 = np.arctan2(R[2, 1], R[2, 2])
    return [w1, w2, w3]

#== wrist | single | rotation-order
import numpy as np
def wrist_angles(R_mount, R_target):
    R = R_mount.T @ R_target
    c = -np.arctan2(R[1, 2], R[2, 2])
    b = np.arctan2(-R[0, 2], np.hypot(R[1, 2], R[2, 2]))
    a = -np.arctan2(R[0, 1], R[0, 0])
    return np.array([a, b, c])

#== wrist | single | sign-xz
import numpy as np
def wrist_angles(R_mount, R_target):
    R = R_mount.T @ R_target
    yaw = np.arctan2(R[1, 0], R[0, 0])
    pitch = np.arctan2(-R[2, 0], np.hypot(R[2, 1], R[2, 2]))
    roll = np.arctan2(R[2, 1], R[2, 2])
    return np.array([yaw, pitch, roll])

#== wrist | double | not-transposed, degrees-out
import numpy as np
def wrist_angles(R_mount, R_target):
    R = R_mount @ R_target
    w1 = np.degrees(np.arctan2(R[1, 0], R[0, 0]))
    w2 = np.degrees(np.arctan2(R[2, 0], np.hypot(R[2, 1], R[2, 2])))
    w3 = np.degrees(np.arctan2(R[2, 1], R[2, 2]))
    return np.array([w1, w2, w3])

#== wrist | free | angles-subtracted
import numpy as np
def angles(R):
    return np.array([np.arctan2(R[1, 0], R[0, 0]),
                     np.arctan2(R[2, 0], np.hypot(R[2, 1], R[2, 2])),
                     np.arctan2(R[2, 1], R[2, 2])])
def wrist_angles(R_mount, R_target):
    return angles(R_target) - angles(R_mount)
"""
