"""Columns of the arrays that describe routes; see `tables`."""

from __future__ import annotations

# Columns of a chain row; the layout of `kinematics.chain`, index -1: no joint reads.
ROW_R, ROW_P, ROW_TURNS, ROW_INDEX, ROW_SCALE, ROW_OFFSET = 0, 9, 12, 13, 14, 15
ROW_COLS = 16
# Columns of a header row.
HEAD_CAMERA, HEAD_CAMERA_MOVES, HEAD_TARGET, HEAD_TARGET_MOVES = 0, 1, 2, 3
HEAD_EFFECT, HEAD_EFFECTS, HEAD_EYE, HEAD_BASIS = 4, 5, 6, 7
TWISTS = 6  # the basis of a rigid view: twists of the camera against the target
BASIS = 14  # and of a lens: focal, cx, cy, k1, k2, p1, p2, k3
