"""Where the kernels find what: one array per robot, frame and task.

Every row has 16 columns. First the chain that `kernels.chain` reads (one row per moving
body and one for the frame), then one row per joint in the order in which it is solved
(held joints before the core, core, held joints behind it), then three rows of
constants: place, reference, header. All axes and points are those of the robot at
q = 0, in the base.
"""

from __future__ import annotations

COLS = 16

# A joint row. The axes of a reversed core are turned round: values keep their sign.
Z = 0  # 3: axis, unit
P = 3  # 3: a point on it, chosen to make terms vanish [m]
KIND = 6  # 1.0 revolute, 0.0 prismatic
INDEX = 7  # index in q; -1: not a joint of the robot, stays 0
LOWER = 8
UPPER = 9
E = 10  # 3: unit vector perpendicular to the axis
F = 13  # 3: Z x E
TURNS_BEFORE = E  # of a prismatic joint in `turn_then_slide`: turns that come before it

# Rows counted from the end.
PLACE = 3  # inverse pose of the frame at q = 0: 9 rotation by rows, 3 translation
REFERENCE = 2
HEADER = 1

# Reference entries
REF_W = 0  # 3: wrist point [m]
REF_H = 3  # 3: direction of the parallel axes
REF_KAPPA = 6  # 2: see `subproblems.solve_cone`, for the wrist
REF_SHOULDER_KAPPA = 8  # 2: the same for the shoulder
REF_ELBOW = 10  # 3: elbow point [m]

# Header entries
CHAIN = 0  # moving bodies on the chain
LEAD = 1  # joints held at q0 before the core
CORE = 2  # joints solved for
TRAIL = 3  # joints held at q0 behind it
REVERSED = 4  # 1.0: the core is solved from its far end, for the inverse target
TASK = 5  # POSE, POSITION or ROTATION
REGIONAL = 6  # joints that place the wrist point
WRIST = 7  # joints that meet in it
FIRST = 8  # which end is solved first: END_NEAR, END_FAR, or COUPLED
ROW = 9  # which of the two equations does it: 0 or 1
CYCLIC = 10  # 1.0: a core joint is taken to the other side of the target
FLIPPED = 11  # 1.0: the parallel joints are solved from their far end
TRIPLE_ROW = 12  # which equation solves the first two of them: 0 height, 1 distance
SLIDES = 13  # prismatic joints that follow the turns
START = 14  # joints of the chain that are the same for all solutions of the wrist

POSE, POSITION, ROTATION = 0, 1, 2
END_NEAR, END_FAR, COUPLED = 0, 1, 2

# Bits of `mode`
WITH_Q0 = 1  # angles near q0, else near 0
RESPECT_LIMITS = 2

NOT_A_POSE = -1  # returned instead of a number of branches
MAX_BRANCHES = 16  # the most that six joints can have
