"""Wrong submissions: planar arm, Simple Arm, SCARA, tripod; forms of failure."""

TEXT = r"""
#== planar-2r-forward | single | absolute-angle
from math import cos, sin
def forward(q, lengths):
    x = lengths[0] * cos(q[0]) + lengths[1] * cos(q[1])
    y = lengths[0] * sin(q[0]) + lengths[1] * sin(q[1])
    return x, y, q[1]

#== planar-2r-forward | single | absolute-angle
from math import cos, sin
def forward(q, lengths):
    x = lengths[0] * cos(q[0]) + lengths[1] * cos(q[1])
    y = lengths[0] * sin(q[0]) + lengths[1] * sin(q[1])
    return [x, y, q[0] + q[1]]

#== planar-2r-forward | single | degrees-in
import numpy as np
def forward(q, lengths):
    q1, q2 = np.deg2rad(q)
    l1, l2 = lengths
    return np.array([l1 * np.cos(q1) + l2 * np.cos(q1 + q2),
                     l1 * np.sin(q1) + l2 * np.sin(q1 + q2), q1 + q2])

#== planar-2r-forward | single | lengths-swapped
import numpy as np
def forward(q, lengths):
    l2, l1 = lengths
    a = q[0]; b = q[0] + q[1]
    return (l1*np.cos(a) + l2*np.cos(b), l1*np.sin(a) + l2*np.sin(b), b)

#== planar-2r-forward | single | sin-cos-swapped
import numpy as np
def forward(q, lengths):
    s = np.cumsum(q)
    return [lengths @ np.sin(s), lengths @ np.cos(s), s[1]]

#== planar-2r-forward | double | lengths-swapped, angle-sign
import numpy as np
def forward(q, lengths):
    a, b = lengths[1], lengths[0]
    x = a * np.cos(q[0]) + b * np.cos(q[0] - q[1])
    y = a * np.sin(q[0]) + b * np.sin(q[0] - q[1])
    return np.array([x, y, q[0] - q[1]])

#== planar-2r-forward | free | direction-of-position
import numpy as np
def forward(q, lengths):
    x = lengths[0] * np.cos(q[0]) + lengths[1] * np.cos(q[0] + q[1])
    y = lengths[0] * np.sin(q[0]) + lengths[1] * np.sin(q[0] + q[1])
    return np.array([x, y, np.arctan2(y, x)])

#== planar-2r-inverse | single | one-elbow
import numpy as np
def inverse(p, lengths):
    x, y = p
    l1, l2 = lengths
    c2 = (x*x + y*y - l1*l1 - l2*l2) / (2*l1*l2)
    if abs(c2) > 1 + 1e-9:
        return []
    q2 = np.arccos(np.clip(c2, -1, 1))
    q1 = np.arctan2(y, x) - np.arctan2(l2*np.sin(q2), l1 + l2*np.cos(q2))
    return [(q1, q2)]

#== planar-2r-inverse | single | atan-quadrant
import numpy as np
def inverse(p, lengths):
    x, y = p
    l1, l2 = lengths
    r = np.sqrt(x**2 + y**2)
    if r > l1 + l2 + 1e-9 or r < abs(l1 - l2) - 1e-9:
        return []
    phi = np.arctan(y / x)
    gamma = np.arccos(np.clip((l1**2 + r**2 - l2**2) / (2*l1*r), -1, 1))
    beta = np.arccos(np.clip((l1**2 + l2**2 - r**2) / (2*l1*l2), -1, 1))
    return [[phi - gamma, np.pi - beta], [phi + gamma, beta - np.pi]]

#== planar-2r-inverse | single | mixed-elbows
import numpy as np
def inverse(p, lengths):
    x, y = p
    l1, l2 = lengths
    c2 = (x*x + y*y - l1*l1 - l2*l2) / (2*l1*l2)
    if c2 > 1.0000001 or c2 < -1.0000001:
        return []
    c2 = min(1.0, max(-1.0, c2))
    q2 = np.arccos(c2)
    q1 = np.arctan2(y, x) - np.arctan2(l2*np.sin(q2), l1 + l2*np.cos(q2))
    return [(q1, q2), (q1, -q2)]

#== planar-2r-inverse | single | inner-angle
from math import *
def inverse(p, lengths):
    l1, l2 = lengths
    r = hypot(p[0], p[1])
    if r > l1 + l2 + 1e-9 or r < abs(l1 - l2) - 1e-9:
        return []
    def ac(x): return acos(max(-1, min(1, x)))
    g = ac((l1**2 + r**2 - l2**2) / (2*l1*r))
    b = ac((l1**2 + l2**2 - r**2) / (2*l1*l2))
    phi = atan2(p[1], p[0])
    return [(phi - g, b), (phi + g, -b)]

#== planar-2r-inverse | single | reach-check
import math
def inverse(p, lengths):
    x, y = p
    l1, l2 = lengths
    c2 = (x*x + y*y - l1*l1 - l2*l2) / (2*l1*l2)
    if abs(abs(c2) - 1) < 1e-9:
        c2 = round(c2)
    sols = []
    for sign in (1, -1):
        q2 = sign * math.acos(c2)
        q1 = math.atan2(y, x) - math.atan2(l2*math.sin(q2), l1 + l2*math.cos(q2))
        sols.append((q1, q2))
    return sols

#== planar-2r-inverse | single | reach-check
import numpy as np
def inverse(p, lengths):
    x, y = p
    l1, l2 = lengths
    c2 = np.clip((x*x + y*y - l1*l1 - l2*l2) / (2*l1*l2), -1, 1)
    sols = []
    for s in (+1, -1):
        q2 = s * np.arccos(c2)
        q1 = np.arctan2(y, x) - np.arctan2(l2*np.sin(q2), l1 + l2*np.cos(q2))
        sols.append([q1, q2])
    return np.array(sols)

#== planar-2r-inverse | double | degrees-out, one-elbow
import numpy as np
def inverse(p, lengths):
    x, y = p
    l1, l2 = lengths
    c2 = (x*x + y*y - l1*l1 - l2*l2) / (2*l1*l2)
    if abs(c2) > 1 + 1e-9:
        return []
    q2 = np.arccos(np.clip(c2, -1, 1))
    q1 = np.arctan2(y, x) - np.arctan2(l2*np.sin(q2), l1 + l2*np.cos(q2))
    return [(np.degrees(q1), np.degrees(q2))]

#== planar-2r-inverse | free | half-angle
import numpy as np
def inverse(p, lengths):
    x, y = p
    l1, l2 = lengths
    c2 = (x*x + y*y - l1*l1 - l2*l2) / (2*l1*l2)
    if abs(c2) > 1 + 1e-9:
        return []
    q2 = np.arccos(np.clip(c2, -1, 1))
    phi = np.arctan2(y, x)
    return [(phi - q2 / 2, q2), (phi + q2 / 2, -q2)]

#== simple-arm-forward | single | stand-missing
import numpy as np
def forward(q, lengths):
    a, b, c = q
    ls, lf, lt = lengths
    r = lf * np.cos(b) + lt * np.cos(b + c)
    z = lf * np.sin(b) + lt * np.sin(b + c)
    return np.array([r * np.cos(a), r * np.sin(a), z])

#== simple-arm-forward | single | absolute-angle
import numpy as np
def forward(q, lengths):
    r = lengths[1] * np.cos(q[1]) + lengths[2] * np.cos(q[2])
    z = lengths[0] + lengths[1] * np.sin(q[1]) + lengths[2] * np.sin(q[2])
    return [r * np.cos(q[0]), r * np.sin(q[0]), z]

#== simple-arm-forward | single | sign-xz
import numpy as np
def Ry(a):
    return np.array([[np.cos(a), 0, np.sin(a)], [0, 1, 0], [-np.sin(a), 0, np.cos(a)]])
def Rz(a):
    return np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
def forward(q, lengths):
    ls, lf, lt = lengths
    p = np.array([lt, 0, 0])
    p = Ry(q[2]) @ p + np.array([lf, 0, 0])
    p = Ry(q[1]) @ p + np.array([0, 0, ls])
    return Rz(q[0]) @ p

#== simple-arm-forward | single | lengths-swapped
import math
def forward(q, lengths):
    ls, lt, lf = lengths
    r = lf * math.cos(q[1]) + lt * math.cos(q[1] + q[2])
    z = ls + lf * math.sin(q[1]) + lt * math.sin(q[1] + q[2])
    return r * math.cos(q[0]), r * math.sin(q[0]), z

#== simple-arm-forward | single | centimetres
import numpy as np
def forward(q, lengths):
    ls, lf, lt = lengths * 100
    r = lf * np.cos(q[1]) + lt * np.cos(q[1] + q[2])
    z = ls + lf * np.sin(q[1]) + lt * np.sin(q[1] + q[2])
    return np.array([r * np.cos(q[0]), r * np.sin(q[0]), z])

#== simple-arm-forward | double | stand-missing, degrees-in
import numpy as np
def forward(q, lengths):
    q = np.radians(q)
    r = lengths[1] * np.cos(q[1]) + lengths[2] * np.cos(q[1] + q[2])
    return np.array([r * np.cos(q[0]), r * np.sin(q[0]),
                     lengths[1] * np.sin(q[1]) + lengths[2] * np.sin(q[1] + q[2])])

#== simple-arm-forward | double | absolute-angle, lengths-swapped
import numpy as np
def forward(q, lengths):
    stand, tibia, femur = lengths
    r = femur * np.cos(q[1]) + tibia * np.cos(q[2])
    z = stand + femur * np.sin(q[1]) + tibia * np.sin(q[2])
    return np.array([r * np.cos(q[0]), r * np.sin(q[0]), z])

#== simple-arm-forward | free | stand-horizontal
import numpy as np
def forward(q, lengths):
    r = lengths[0] + lengths[1] * np.cos(q[1]) + lengths[2] * np.cos(q[1] + q[2])
    z = lengths[1] * np.sin(q[1]) + lengths[2] * np.sin(q[1] + q[2])
    return np.array([r * np.cos(q[0]), r * np.sin(q[0]), z])

#== simple-arm-forward | free | height-turned-too
import numpy as np
def forward(q, lengths):
    r = lengths[1] * np.cos(q[1]) + lengths[2] * np.cos(q[1] + q[2])
    z = lengths[0] + lengths[1] * np.sin(q[1]) + lengths[2] * np.sin(q[1] + q[2])
    return np.array([r * np.cos(q[0]), z * np.sin(q[0]), z])

#== simple-arm-forward | single | prints-only
import numpy as np
def forward(q, lengths):
    r = lengths[1] * np.cos(q[1]) + lengths[2] * np.cos(q[1] + q[2])
    z = lengths[0] + lengths[1] * np.sin(q[1]) + lengths[2] * np.sin(q[1] + q[2])
    print(r * np.cos(q[0]), r * np.sin(q[0]), z)

#== simple-arm-inverse | single | misprint
import numpy as np
def inverse(p, lengths):
    LS, LF, LT = lengths
    stand = np.arctan2(p[1], p[0])
    x = np.sqrt(p[0]**2 + p[1]**2)
    z = p[2] - LS
    L = np.sqrt(x**2 + z**2)
    if L > LF + LT + 1e-9 or L < abs(LF - LT) - 1e-9:
        return None
    gamma = np.arccos(np.clip((LF**2 + L**2 - LT**2) / (2*LF*L), -1, 1))
    beta = np.arccos(np.clip((LF**2 + LT**2 - L**2) / (2*LF*LT), -1, 1))
    femur = gamma - np.arctan2(z, x)
    return np.array([stand, femur, beta - np.pi])

#== simple-arm-inverse | single | stand-missing
import numpy as np
def inverse(p, lengths):
    _, f, t = lengths
    x, y, z = p
    r = np.hypot(x, y)
    d = np.hypot(r, z)
    if d > f + t + 1e-9 or d < abs(f - t) - 1e-9:
        return None
    gamma = np.arccos(np.clip((f*f + d*d - t*t) / (2*f*d), -1, 1))
    beta = np.arccos(np.clip((f*f + t*t - d*d) / (2*f*t), -1, 1))
    return np.arctan2(y, x), np.arctan2(z, r) + gamma, beta - np.pi

#== simple-arm-inverse | single | inner-angle
from math import atan2, acos, hypot
def inverse(p, lengths):
    s, f, t = lengths
    x, y, z = p
    r = hypot(x, y)
    z -= s
    d = hypot(r, z)
    if d > f + t + 1e-9 or d < abs(f - t) - 1e-9:
        return None
    gamma = acos(min(1, (f*f + d*d - t*t) / (2*f*d)))
    beta = acos(max(-1, (f*f + t*t - d*d) / (2*f*t)))
    return [atan2(y, x), atan2(z, r) + gamma, beta]

#== simple-arm-inverse | single | reach-check
from math import atan2, acos, hypot, pi
def inverse(p, lengths):
    s, f, t = lengths
    x, y, z = p
    r = hypot(x, y)
    z -= s
    d = hypot(r, z)
    if abs(d - f - t) < 1e-9:
        return [atan2(y, x), atan2(z, r), 0]
    gamma = acos((f*f + d*d - t*t) / (2*f*d))
    beta = acos((f*f + t*t - d*d) / (2*f*t))
    return [atan2(y, x), atan2(z, r) + gamma, beta - pi]

#== simple-arm-inverse | single | atan-quadrant
import numpy as np
def inverse(p, lengths):
    s, f, t = lengths
    x, y, z = p
    r = np.sqrt(x*x + y*y)
    h = z - s
    d = np.sqrt(r*r + h*h)
    if d > f + t + 1e-9 or d < abs(f - t) - 1e-9:
        return None
    gamma = np.arccos(np.clip((f*f + d*d - t*t) / (2*f*d), -1, 1))
    beta = np.arccos(np.clip((f*f + t*t - d*d) / (2*f*t), -1, 1))
    stand = np.arctan(y / x) if x != 0 else np.pi / 2
    return np.array([stand, gamma + np.arctan2(h, r), beta - np.pi])

#== simple-arm-inverse | single | degrees-out
import numpy as np
def inverse(p, lengths):
    s, f, t = lengths
    r, h = np.hypot(p[0], p[1]), p[2] - s
    d = np.hypot(r, h)
    if d > f + t + 1e-9 or d < abs(f - t) - 1e-9:
        return None
    c = (d*d - f*f - t*t) / (2*f*t)
    tibia = -np.arccos(np.clip(c, -1, 1))
    femur = np.arctan2(h, r) - np.arctan2(t*np.sin(tibia), f + t*np.cos(tibia))
    return np.rad2deg([np.arctan2(p[1], p[0]), femur, tibia])

#== simple-arm-inverse | single | mixed-elbows
import numpy as np
def inverse(p, lengths):
    s, f, t = lengths
    r, h = np.hypot(p[0], p[1]), p[2] - s
    d = np.hypot(r, h)
    if d > f + t + 1e-9 or d < abs(f - t) - 1e-9:
        return None
    gamma = np.arccos(np.clip((f*f + d*d - t*t) / (2*f*d), -1, 1))
    beta = np.arccos(np.clip((f*f + t*t - d*d) / (2*f*t), -1, 1))
    return np.array([np.arctan2(p[1], p[0]), np.arctan2(h, r) + gamma, np.pi - beta])

#== simple-arm-inverse | double | misprint, degrees-out
import numpy as np
def inverse(p, lengths):
    LS, LF, LT = lengths
    x = np.sqrt(p[0]**2 + p[1]**2)
    z = p[2] - LS
    L = np.sqrt(x**2 + z**2)
    if L > LF + LT + 1e-9 or L < abs(LF - LT) - 1e-9:
        return None
    gamma = np.degrees(np.arccos(np.clip((LF**2 + L**2 - LT**2) / (2*LF*L), -1, 1)))
    beta = np.degrees(np.arccos(np.clip((LF**2 + LT**2 - L**2) / (2*LF*LT), -1, 1)))
    stand = np.degrees(np.arctan2(p[1], p[0]))
    femur = gamma - np.degrees(np.arctan2(z, x))
    return [stand, femur, beta - 180]

#== simple-arm-inverse | double | misprint, reach-check
from math import acos, atan2, sqrt, pi
def inverse(p, lengths):
    LS, LF, LT = lengths
    x = sqrt(p[0]**2 + p[1]**2)
    z = p[2] - LS
    L = sqrt(x**2 + z**2)
    gamma = acos((LF**2 + L**2 - LT**2) / (2*LF*L))
    beta = acos((LF**2 + LT**2 - L**2) / (2*LF*LT))
    return (atan2(p[1], p[0]), gamma - atan2(z, x), beta - pi)

#== simple-arm-inverse | single | distance
import numpy as np
def inverse(p, lengths):
    s, f, t = lengths
    x, y, z = p
    h = z - s
    d = np.sqrt(x*x + h*h)
    if d > f + t + 1e-9 or d < abs(f - t) - 1e-9:
        return None
    gamma = np.arccos(np.clip((f*f + d*d - t*t) / (2*f*d), -1, 1))
    beta = np.arccos(np.clip((f*f + t*t - d*d) / (2*f*t), -1, 1))
    return np.array([np.arctan2(y, x), gamma + np.arctan2(h, x), beta - np.pi])

#== simple-arm-inverse | free | law-of-cosines
import numpy as np
def inverse(p, lengths):
    s, f, t = lengths
    r, h = np.hypot(p[0], p[1]), p[2] - s
    d = np.hypot(r, h)
    if d > f + t + 1e-9 or d < abs(f - t) - 1e-9:
        return None
    gamma = np.arccos(np.clip((f*f + d*d - t*t) / (f*d), -1, 1))
    beta = np.arccos(np.clip((f*f + t*t - d*d) / (f*t), -1, 1))
    return np.array([np.arctan2(p[1], p[0]), np.arctan2(h, r) + gamma, beta - np.pi])

#== simple-arm-inverse | free | isosceles
import numpy as np
def inverse(p, lengths):
    s, f, t = lengths
    r, h = np.hypot(p[0], p[1]), p[2] - s
    d = np.hypot(r, h)
    if d > f + t + 1e-9 or d < abs(f - t) - 1e-9:
        return None
    beta = np.arccos(np.clip((f*f + t*t - d*d) / (2*f*t), -1, 1))
    gamma = (np.pi - beta) / 2
    return np.array([np.arctan2(p[1], p[0]), np.arctan2(h, r) + gamma, beta - np.pi])

#== scara | single | spindle-sign
import numpy as np
def forward(q, lengths):
    b, l1, l2, tool = lengths
    x = l1*np.cos(q[0]) + l2*np.cos(q[0] + q[1])
    y = l1*np.sin(q[0]) + l2*np.sin(q[0] + q[1])
    return np.array([x, y, b + q[2] - tool, q[0] + q[1] - q[3]])
def inverse(p, lengths, limits):
    b, l1, l2, tool = lengths
    c2 = (p[0]**2 + p[1]**2 - l1**2 - l2**2) / (2*l1*l2)
    if abs(c2) > 1:
        return None
    for sign in (1, -1):
        q2 = sign * np.arccos(c2)
        q1 = np.arctan2(p[1], p[0]) - np.arctan2(l2*np.sin(q2), l1 + l2*np.cos(q2))
        q = np.array([q1, q2, p[2] + tool - b, q1 + q2 - p[3]])
        q[[0, 3]] = (q[[0, 3]] + np.pi) % (2*np.pi) - np.pi
        if np.all(q >= limits[:, 0]) and np.all(q <= limits[:, 1]):
            return q
    return None

#== scara | single | limits-ignored
import numpy as np
def forward(q, lengths):
    b, l1, l2, tool = lengths
    x = l1*np.cos(q[0]) + l2*np.cos(q[0] + q[1])
    y = l1*np.sin(q[0]) + l2*np.sin(q[0] + q[1])
    return np.array([x, y, b - q[2] - tool, q[0] + q[1] - q[3]])
def inverse(p, lengths, limits):
    b, l1, l2, tool = lengths
    c2 = (p[0]**2 + p[1]**2 - l1**2 - l2**2) / (2*l1*l2)
    if abs(c2) > 1:
        return None
    q2 = np.arccos(c2)
    q1 = np.arctan2(p[1], p[0]) - np.arctan2(l2*np.sin(q2), l1 + l2*np.cos(q2))
    return np.array([q1, q2, b - tool - p[2], q1 + q2 - p[3]])

#== scara | single | yaw-sign
import numpy as np
def forward(q, lengths):
    b, l1, l2, tool = lengths
    x = l1*np.cos(q[0]) + l2*np.cos(q[0] + q[1])
    y = l1*np.sin(q[0]) + l2*np.sin(q[0] + q[1])
    return x, y, b - q[2] - tool, q[0] + q[1] + q[3]
def inverse(p, lengths, limits):
    b, l1, l2, tool = lengths
    c2 = (p[0]**2 + p[1]**2 - l1**2 - l2**2) / (2*l1*l2)
    if abs(c2) > 1:
        return None
    for sign in (1, -1):
        q2 = sign * np.arccos(c2)
        q1 = np.arctan2(p[1], p[0]) - np.arctan2(l2*np.sin(q2), l1 + l2*np.cos(q2))
        q = np.array([q1, q2, b - tool - p[2], p[3] - q1 - q2])
        q[[0, 3]] = (q[[0, 3]] + np.pi) % (2*np.pi) - np.pi
        if np.all(q >= limits[:, 0]) and np.all(q <= limits[:, 1]):
            return q
    return None

#== scara | single | tool-missing
import numpy as np
def forward(q, lengths):
    b, l1, l2, tool = lengths
    x = l1*np.cos(q[0]) + l2*np.cos(q[0] + q[1])
    y = l1*np.sin(q[0]) + l2*np.sin(q[0] + q[1])
    return x, y, b - q[2], q[0] + q[1] - q[3]
def inverse(p, lengths, limits):
    b, l1, l2, tool = lengths
    c2 = (p[0]**2 + p[1]**2 - l1**2 - l2**2) / (2*l1*l2)
    if abs(c2) > 1:
        return None
    for sign in (1, -1):
        q2 = sign * np.arccos(c2)
        q1 = np.arctan2(p[1], p[0]) - np.arctan2(l2*np.sin(q2), l1 + l2*np.cos(q2))
        q = np.array([q1, q2, b - p[2], q1 + q2 - p[3]])
        q[[0, 3]] = (q[[0, 3]] + np.pi) % (2*np.pi) - np.pi
        if np.all(q >= limits[:, 0]) and np.all(q <= limits[:, 1]):
            return q
    return None

#== scara | single | reach-check
import numpy as np
def forward(q, lengths):
    b, l1, l2, tool = lengths
    x = l1*np.cos(q[0]) + l2*np.cos(q[0] + q[1])
    y = l1*np.sin(q[0]) + l2*np.sin(q[0] + q[1])
    return x, y, b - q[2] - tool, q[0] + q[1] - q[3]
def inverse(p, lengths, limits):
    b, l1, l2, tool = lengths
    c2 = (p[0]**2 + p[1]**2 - l1**2 - l2**2) / (2*l1*l2)
    c2 = np.clip(c2, -1, 1)
    for sign in (1, -1):
        q2 = sign * np.arccos(c2)
        q1 = np.arctan2(p[1], p[0]) - np.arctan2(l2*np.sin(q2), l1 + l2*np.cos(q2))
        q = np.array([q1, q2, b - tool - p[2], q1 + q2 - p[3]])
        q[[0, 3]] = (q[[0, 3]] + np.pi) % (2*np.pi) - np.pi
        if np.all(q >= limits[:, 0]) and np.all(q <= limits[:, 1]):
            return q
    return None

#== scara | single | one-elbow
import numpy as np
def forward(q, lengths):
    b, l1, l2, tool = lengths
    x = l1*np.cos(q[0]) + l2*np.cos(q[0] + q[1])
    y = l1*np.sin(q[0]) + l2*np.sin(q[0] + q[1])
    return x, y, b - q[2] - tool, q[0] + q[1] - q[3]
def inverse(p, lengths, limits):
    b, l1, l2, tool = lengths
    c2 = (p[0]**2 + p[1]**2 - l1**2 - l2**2) / (2*l1*l2)
    if abs(c2) > 1:
        return None
    q2 = np.arccos(c2)
    q1 = np.arctan2(p[1], p[0]) - np.arctan2(l2*np.sin(q2), l1 + l2*np.cos(q2))
    q = np.array([q1, q2, b - tool - p[2], q1 + q2 - p[3]])
    q[[0, 3]] = (q[[0, 3]] + np.pi) % (2*np.pi) - np.pi
    if np.all(q >= limits[:, 0]) and np.all(q <= limits[:, 1]):
        return q
    return None

#== scara | double | tool-missing, yaw-sign
import numpy as np
def forward(q, lengths):
    b, l1, l2, tool = lengths
    x = l1*np.cos(q[0]) + l2*np.cos(q[0] + q[1])
    y = l1*np.sin(q[0]) + l2*np.sin(q[0] + q[1])
    return x, y, b - q[2], q[0] + q[1] + q[3]
def inverse(p, lengths, limits):
    b, l1, l2, tool = lengths
    c2 = (p[0]**2 + p[1]**2 - l1**2 - l2**2) / (2*l1*l2)
    if abs(c2) > 1:
        return None
    for sign in (1, -1):
        q2 = sign * np.arccos(c2)
        q1 = np.arctan2(p[1], p[0]) - np.arctan2(l2*np.sin(q2), l1 + l2*np.cos(q2))
        q = np.array([q1, q2, b - p[2], p[3] - q1 - q2])
        q[[0, 3]] = (q[[0, 3]] + np.pi) % (2*np.pi) - np.pi
        if np.all(q >= limits[:, 0]) and np.all(q <= limits[:, 1]):
            return q
    return None

#== tripod | single | lower-point
import numpy as np
def tip(feet, lengths):
    p1, p2, p3 = feet
    r1, r2, r3 = lengths
    ex = (p2 - p1) / np.linalg.norm(p2 - p1)
    i = ex @ (p3 - p1)
    ey = (p3 - p1 - i * ex) / np.linalg.norm(p3 - p1 - i * ex)
    ez = np.cross(ex, ey)
    d = np.linalg.norm(p2 - p1)
    j = ey @ (p3 - p1)
    x = (r1**2 - r2**2 + d**2) / (2*d)
    y = (r1**2 - r3**2 + i**2 + j**2) / (2*j) - i / j * x
    zz = r1**2 - x**2 - y**2
    if zz < 0:
        return None
    return p1 + x*ex + y*ey + np.sqrt(zz)*ez

#== tripod | single | reach-check
import numpy as np
def tip(feet, lengths):
    p1, p2, p3 = feet
    r1, r2, r3 = lengths
    ex = (p2 - p1) / np.linalg.norm(p2 - p1)
    i = ex @ (p3 - p1)
    ey = (p3 - p1 - i * ex) / np.linalg.norm(p3 - p1 - i * ex)
    ez = np.cross(ex, ey)
    d = np.linalg.norm(p2 - p1)
    j = ey @ (p3 - p1)
    x = (r1**2 - r2**2 + d**2) / (2*d)
    y = (r1**2 - r3**2 + i**2 + j**2) / (2*j) - i / j * x
    z = np.sqrt(r1**2 - x**2 - y**2)
    a = p1 + x*ex + y*ey + z*ez
    b = p1 + x*ex + y*ey - z*ez
    return a if a[2] > b[2] else b

#== tripod | single | feet-heights
import numpy as np
def tip(feet, lengths):
    # all feet stand on the floor
    (x1, y1, _), (x2, y2, _), (x3, y3, _) = feet
    r1, r2, r3 = lengths
    A = 2 * np.array([[x2 - x1, y2 - y1], [x3 - x1, y3 - y1]])
    b = np.array([r1**2 - r2**2 - x1**2 + x2**2 - y1**2 + y2**2,
                  r1**2 - r3**2 - x1**2 + x3**2 - y1**2 + y3**2])
    x, y = np.linalg.solve(A, b)
    h = r1**2 - (x - x1)**2 - (y - y1)**2
    if h < 0:
        return None
    return np.array([x, y, np.sqrt(h)])

#== tripod | single | shift-missing
import numpy as np
def tip(feet, lengths):
    p1, p2, p3 = feet
    r1, r2, r3 = lengths
    d = np.linalg.norm(p2 - p1)
    ex = (p2 - p1) / d
    i = ex @ (p3 - p1)
    ey = p3 - p1 - i * ex
    ey = ey / np.linalg.norm(ey)
    ez = np.cross(ex, ey)
    if ez[2] < 0:
        ez = -ez
    j = ey @ (p3 - p1)
    x = (r1**2 - r2**2 + d**2) / (2*d)
    y = (r1**2 - r3**2 + i**2 + j**2) / (2*j) - i / j * x
    zz = r1**2 - x**2 - y**2
    if zz < 0:
        return None
    return x*ex + y*ey + np.sqrt(zz)*ez

#== tripod | free | mean-of-feet
import numpy as np
def tip(feet, lengths):
    centre = feet.mean(axis=0)
    r = np.linalg.norm(feet[0] - centre)
    h2 = lengths.mean()**2 - r**2
    if h2 < 0:
        return None
    return centre + np.array([0, 0, np.sqrt(h2)])

#== planar-2r-forward | form | syntax
import numpy as np
def forward(q, lengths)
    return q

#== planar-2r-inverse | form | missing-function
import numpy as np
def inverse_kinematics(p, lengths):
    return []

#== simple-arm-forward | form | import
import numpy as np
import gelenk
def forward(q, lengths):
    return gelenk.load("simple_arm").forward(q)[:3, 3]

#== simple-arm-jacobian | form | raises
import numpy as np
def jacobian(q, lengths):
    ls, lf = lengths
    return np.eye(3)

#== dh-row | form | signature
import numpy as np
def dh_matrix(row):
    theta, d, a, alpha = row
    return np.eye(4)
"""
