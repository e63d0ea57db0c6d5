"""What a NAO with errors sees, in closed form: no physics, no images.

For tests and for campaigns of thousands of views. Written with `kinematics` alone: it
shares no code with the calibration that is measured against it. Joints sag and take up
their play under the weight of leg and sandal, as they do in the simulated world:

    true angle = reading + offset + compliance * torque + play * sign(torque)
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from gelenk.robots.nao import config, sandal
from gelenk.robots.nao import robot as nao
from gelenk.robots.nao.errors import NaoErrors
from gelenk.robots.nao.joints import LEG, NUM_BODY, SIDES, Side
from gelenk.robots.nao.kinematics import (
    LEG_BODIES,
    LegLengths,
    camera_pose,
    leg_frames,
    move,
    turn,
)
from gelenk.typing import ArrayLike, BoolArray, FloatArray

_ROUNDS = 4  # of the fixed point of sag and torque; each gains a factor of about 100
# Axes of a leg's joints in the frames of the bodies they carry, B-Human's signs, left;
# of the right one the signs of those about x and of the slanting one's z differ.
_AXES = {
    "pelvis": (0.0, np.sqrt(0.5), -np.sqrt(0.5)),
    "hip": (-1.0, 0.0, 0.0),
    "thigh": (0.0, 1.0, 0.0),
    "tibia": (0.0, 1.0, 0.0),
    "ankle_pitch": (0.0, 1.0, 0.0),
    "ankle": (-1.0, 0.0, 0.0),
}
# Boxes that hide what is behind them: frame, centre and size [m], left leg.
_BOXES = (
    ("thigh", (0.0, 0.0, -0.05), (0.07, 0.07, 0.09)),
    ("tibia", (0.0, 0.0, -0.0514), (0.07, 0.07, 0.09)),
    ("ankle", (0.02, 0.003, -0.0301), (0.15, 0.075, 0.03)),
)


class TrueView(NamedTuple):
    """A board as a camera sees it.

    Attributes:
        pixels: Of the 24 corners, shape (..., 24, 2); not finite behind the camera.
        is_visible: Whether a corner is inside the image, seen from the printed side
            and, where that was asked for, not hidden; shape (..., 24).
    """

    pixels: FloatArray
    is_visible: BoolArray


def true_body(errors: NaoErrors, q22: ArrayLike) -> FloatArray:
    """Return the angles that the joints really have [rad], shape (..., 22).

    Args:
        errors: Of the robot.
        q22: Readings, body vectors in B-Human's signs [rad], shape (..., 22).
    """
    reading = np.array(q22, dtype=np.float64)
    reading[..., LEG["right"].start] = reading[..., LEG["left"].start]
    stiff = reading.copy()
    stiff[..., :2] += errors.neck
    for side in SIDES:
        stiff[..., LEG[side]] += getattr(errors, side)
    compliance = np.zeros(NUM_BODY)
    play = np.zeros(NUM_BODY)
    compliance[LEG["left"].start :] = errors.compliance
    play[LEG["left"].start :] = errors.play
    if not (compliance.any() or play.any()):
        return stiff
    q = stiff
    for _ in range(_ROUNDS):
        torque = gravity_torques(errors, q)
        q = stiff + compliance * torque + play * np.sign(torque)
    return q


def gravity_torques(errors: NaoErrors, q22_true: ArrayLike) -> FloatArray:
    """Return the torques of gravity on the legs' joints when lying, shape (..., 22).

    In B-Human's signs [N m]. The one motor of both HipYawPitch joints carries both
    legs: these two entries are their sum.

    Args:
        errors: For lengths and sandals.
        q22_true: Angles of the joints [rad], shape (..., 22).
    """
    q = np.asarray(q22_true, dtype=np.float64)
    torque = np.zeros(q.shape)
    for side in SIDES:
        torque[..., LEG[side]] = _leg_torques(errors, q[..., LEG[side]], side)
    both = [LEG[side].start for side in SIDES]
    torque[..., both] = torque[..., both].sum(axis=-1, keepdims=True)
    return torque


def project_truth(
    errors: NaoErrors,
    q22: ArrayLike,
    side: Side,
    camera: Literal["lower", "upper"] = "lower",
    *,
    with_hiding: bool = False,
) -> TrueView:
    """Return where the corners of a board appear in a camera, without noise.

    Args:
        errors: Of the robot; those of camera and lens are the lower camera's.
        q22: Readings, body vectors in B-Human's signs [rad], shape (..., 22).
        side: Whose board.
        camera: Which camera.
        with_hiding: Whether corners behind thighs, shanks, feet and the other board
            are marked; as boxes they hide a little more than in images.
    """
    q = true_body(errors, q22)
    T_torso_camera = _camera(errors, q[..., :2], camera)
    T_torso_sandal = _sandal_pose(errors, q, side)
    corners = _apply(T_torso_sandal, sandal.corners())
    p = _apply(_inverse(T_torso_camera), corners)
    pixels = _pixels(errors, p, camera)
    eye = T_torso_camera[..., :3, 3]
    to_eye = eye[..., None, :] - corners
    is_front = np.einsum("...ni,...i->...n", to_eye, T_torso_sandal[..., :3, 2]) > 0.0
    size = np.array(config.IMAGE_SIZE)
    with np.errstate(invalid="ignore"):
        is_inside = ((pixels >= -0.5) & (pixels <= size - 0.5)).all(axis=-1)
    is_visible = is_inside & is_front & (p[..., 0] > 0.0)
    if with_hiding:
        is_visible &= ~_hidden(errors, q, eye, corners, side)
    return TrueView(pixels, is_visible)


def _lengths(errors: NaoErrors, side: Side) -> LegLengths:
    longer, nominal = errors.links, LegLengths()
    names = ("hip", "thigh", "tibia", "foot")
    return LegLengths(
        **{n: getattr(nominal, n) + getattr(longer, f"{side}_{n}") for n in names}
    )


def _camera(
    errors: NaoErrors, q_head: FloatArray, camera: Literal["lower", "upper"]
) -> FloatArray:
    height = nao.NECK_HEIGHT + errors.links.neck
    if camera == "upper":
        return camera_pose(q_head, "upper", height=height)
    T = camera_pose(q_head, height=height, shift=errors.camera_position)
    yaw, pitch, roll = errors.camera
    return T @ turn("y", pitch) @ turn("x", roll) @ turn("z", yaw)


def _sandal_pose(errors: NaoErrors, q22_true: FloatArray, side: Side) -> FloatArray:
    frames = leg_frames(q22_true[..., LEG[side]], side, _lengths(errors, side))
    rot, x, y = getattr(errors, f"{side}_board")
    pitch, roll = getattr(errors, f"{side}_tilt")
    mounting = move(x, y) @ turn("z", rot) @ turn("y", pitch) @ turn("x", roll)
    return frames["sole"] @ mounting


def _pixels(
    errors: NaoErrors, p: FloatArray, camera: Literal["lower", "upper"]
) -> FloatArray:
    """Return the image of points in a frame that looks along x with z up."""
    lens = config.nominal_intrinsics()
    f, centre, distortion = lens.fx, np.array([lens.cx, lens.cy]), (0.0,) * 5
    if camera == "lower":
        f, centre = f * errors.focal_scale, centre + errors.centre
        distortion = errors.distortion
    with np.errstate(divide="ignore", invalid="ignore"):
        u, v = -p[..., 1] / p[..., 0], -p[..., 2] / p[..., 0]
    k1, k2, p1, p2, k3 = distortion
    r2 = u * u + v * v
    radial = 1.0 + r2 * (k1 + r2 * (k2 + r2 * k3))
    bent_u = u * radial + 2.0 * p1 * u * v + p2 * (r2 + 2.0 * u * u)
    bent_v = v * radial + p1 * (r2 + 2.0 * v * v) + 2.0 * p2 * u * v
    return centre + f * np.stack([bent_u, bent_v], axis=-1)


def _leg_torques(errors: NaoErrors, q_leg: FloatArray, side: Side) -> FloatArray:
    """Return the torques of gravity about the six axes of a leg, shape (..., 6)."""
    s = 1.0 if side == "left" else -1.0
    frames = leg_frames(q_leg, side, _lengths(errors, side))
    masses: list[float] = []
    places: list[FloatArray] = []
    for body in LEG_BODIES:
        mass, (x, y, z) = nao.MASSES[body]
        masses.append(mass)
        places.append(_apply(frames[body], np.array([[x, s * y, z]]))[..., 0, :])
    mass, com, _ = sandal.inertial(sandal.SandalCfg())
    rot, x, y = getattr(errors, f"{side}_board")
    pitch, roll = getattr(errors, f"{side}_tilt")
    mounting = move(x, y) @ turn("z", rot) @ turn("y", pitch) @ turn("x", roll)
    masses.append(mass)
    places.append(_apply(frames["sole"] @ mounting, com[None])[..., 0, :])
    torques: list[FloatArray] = []
    for i, body in enumerate(LEG_BODIES):
        x, y, z = _AXES[body]
        axis = frames[body][..., :3, :3] @ np.array([s * x, y, s * z])
        total = np.zeros(axis.shape[:-1])
        for mass, place in zip(masses[i:], places[i:], strict=True):
            arm = place - frames[body][..., :3, 3]
            weight = np.array([-mass * config.GRAVITY, 0.0, 0.0])
            total = total + np.einsum("...i,...i->...", axis, np.cross(arm, weight))
        torques.append(total)
    return np.stack(torques, axis=-1)


def _hidden(
    errors: NaoErrors, q: FloatArray, eye: FloatArray, corners: FloatArray, side: Side
) -> BoolArray:
    """Return which corners lie behind a leg or the other sandal."""
    start = np.broadcast_to(eye[..., None, :], corners.shape)
    hidden = np.zeros(corners.shape[:-1], dtype=bool)
    for other in SIDES:
        frames = leg_frames(q[..., LEG[other]], other, _lengths(errors, other))
        s = 1.0 if other == "left" else -1.0
        boxes = [
            (frames[body], (x, s * y, z), size) for body, (x, y, z), size in _BOXES
        ]
        if other != side:
            T = _sandal_pose(errors, q, other)
            boxes += [(T, *box) for box in sandal.plate_boxes(sandal.SandalCfg())]
        for T, centre, size in boxes:
            T_box_torso = _inverse(T @ move(*centre))
            a, b = _apply(T_box_torso, start), _apply(T_box_torso, corners)
            hidden |= _crosses(a, b, 0.5 * np.array(size))
    return hidden


def _crosses(a: FloatArray, b: FloatArray, half: FloatArray) -> BoolArray:
    """Return whether the segments from `a` to `b` meet a box about the origin."""
    way = np.where(b == a, 1e-300, b - a)
    near, far = (-half - a) / way, (half - a) / way
    first = np.minimum(near, far).max(axis=-1)
    last = np.maximum(near, far).min(axis=-1)
    return (first < last) & (first < 1.0) & (last > 0.0)


def _apply(T: FloatArray, points: FloatArray) -> FloatArray:
    """Return T p for points of shape (..., n, 3)."""
    return points @ T[..., :3, :3].swapaxes(-1, -2) + T[..., None, :3, 3]


def _inverse(T: FloatArray) -> FloatArray:
    out = np.zeros(T.shape)
    R = T[..., :3, :3].swapaxes(-1, -2)
    out[..., :3, :3] = R
    out[..., :3, 3] = -np.einsum("...ij,...j->...i", R, T[..., :3, 3])
    out[..., 3, 3] = 1.0
    return out
