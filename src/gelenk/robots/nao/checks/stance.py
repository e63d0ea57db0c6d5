"""How a NAO stands: where the ground is, and what its weight does to the legs.

The sandals are off. Ground frames have their origin halfway between the soles, x ahead
and z up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from gelenk.dynamics.momentum import centre_of_mass
from gelenk.dynamics.rnea import inverse_dynamics
from gelenk.kinematics.forward import link_poses
from gelenk.models.tree import RobotModel
from gelenk.robots.nao import config
from gelenk.robots.nao.compensation import Load
from gelenk.robots.nao.errors import NaoErrors
from gelenk.robots.nao.joints import (
    LEG,
    NUM_BODY,
    SIDES,
    Side,
    body_from_model,
    model_from_body,
)
from gelenk.robots.nao.robot_with_errors import nominal_model, true_model
from gelenk.typing import ArrayLike, FloatArray

# Upright, knees bent, arms hanging [deg], B-Human's signs: the soles are level.
_STAND_ARM = (-90.0, 8.0, 0.0, -10.0)
_STAND_LEG = (0.0, 0.0, -25.0, 50.0, -25.0, 0.0)
# x and y of the ends of a foot on the ground [m]: the box that B-Human's scene has.
FOOT_X = (-0.055, 0.095)
FOOT_Y = {"left": (-0.0345, 0.0405), "right": (-0.0405, 0.0345)}
_FLAT = 1e-7  # [m] that a point may be below the ground
_ROUNDS = 5  # of load and give


def stand_body(head: tuple[float, float] = (0.0, 0.0)) -> FloatArray:
    """Return the body vector of a robot that stands [rad], (22,).

    Args:
        head: HeadYaw and HeadPitch [rad].
    """
    legs = (*_STAND_LEG, *_STAND_LEG)
    q = np.deg2rad((0.0, 0.0, *_STAND_ARM, *_STAND_ARM, *legs))
    q[:2] = head
    return q


def mean_ground(
    soles: Mapping[Side, FloatArray], up: FloatArray | None = None
) -> FloatArray:
    """Return `T_torso_ground` of the plane that lies best under both soles, (4, 4).

    Args:
        soles: `T_torso_sole`, (4, 4) each.
        up: What an accelerometer at rest reads in the torso's axes, (3,): it knows the
            slope of the torso however loose the legs are. None: the soles decide.
    """
    left, right = soles["left"], soles["right"]
    if up is None:
        up = left[:3, 2] + right[:3, 2]
    ahead = left[:3, 0] + right[:3, 0]
    middle = 0.5 * (left[:3, 3] + right[:3, 3])
    return _ground(up, ahead, middle)


def resting_ground(soles: Mapping[Side, FloatArray], com: FloatArray) -> FloatArray:
    """Return `T_torso_ground` of the floor on which a stiff robot comes to rest.

    Three corners of its feet touch it, none is below, and its weight is above their
    triangle. If it would tip over, the plane under both soles is returned.

    Args:
        soles: `T_torso_sole`, (4, 4) each.
        com: Centre of mass in the torso [m], (3,).
    """
    plain = mean_ground(soles)
    corners = np.concatenate(
        [
            soles[side][:3, :3] @ (x, y, 0.0) + soles[side][:3, 3]
            for side in SIDES
            for x in FOOT_X
            for y in FOOT_Y[side]
        ]
    ).reshape(-1, 3)
    best, nearest = None, -np.inf
    for chosen in combinations(range(len(corners)), 3):
        a, b, c = corners[list(chosen)]
        up = np.cross(b - a, c - a)
        area = np.linalg.norm(up)
        if area < 1e-5:  # [m^2]
            continue
        up = up / area
        if up @ plain[:3, 2] < 0.0:
            b, c, up = c, b, -up
        if ((corners - a) @ up).min() < -_FLAT:
            continue
        edges = ((a, b), (b, c), (c, a))
        inside = min(
            float(np.cross(q - p, com - p) @ up / np.linalg.norm(q - p))
            for p, q in edges
        )
        if inside > nearest:
            best, nearest = (up, a), inside
    if best is None or nearest < -_FLAT:
        return plain
    up, touched = best
    middle = plain[:3, 3] - up * float(up @ (plain[:3, 3] - touched))
    return _ground(up, plain[:3, 0], middle)


def _ground(up: FloatArray, ahead: FloatArray, origin: FloatArray) -> FloatArray:
    z = up / np.linalg.norm(up)
    x = ahead - z * (z @ ahead)
    x = x / np.linalg.norm(x)
    T = np.eye(4)
    T[:3, :3] = np.stack([x, np.cross(z, x), z], axis=1)
    T[:3, 3] = origin
    return T


def standing_load(lifted: Side | None = None) -> Load:
    """Return the torques on the joints of the documented robot when it stands.

    The ground carries it with vertical forces below the soles, shared so that it does
    not tip; feet that push against each other sideways are left out.

    Args:
        lifted: A foot that is in the air.
    """
    model = nominal_model(sandals=False)

    def load(q22: FloatArray) -> FloatArray:
        angles = np.asarray(q22, dtype=np.float64)
        flat = angles.reshape(-1, NUM_BODY)
        joints = model_from_body(model, flat)
        torques = [stance_torques(model, q, lifted) for q in joints]
        return np.array(torques).reshape(angles.shape)

    return load


def stance_torques(
    model: RobotModel, q: FloatArray, lifted: Side | None = None
) -> FloatArray:
    """Return the torques of weight and ground, a body vector [N m], (22,).

    Args:
        model: Robot without sandals.
        q: Its joint values, (25,).
        lifted: A foot that is in the air.
    """
    T = link_poses(model, q)
    soles: dict[Side, FloatArray] = {
        side: T[model.link_id(f"{side[0]}_sole")] for side in SIDES
    }
    com = centre_of_mass(model, q)
    T_torso_ground = mean_ground(soles) if lifted is None else _below(soles, lifted)
    up = T_torso_ground[:3, 2]
    weight = float(np.sum(model.mass)) * config.GRAVITY
    feet = [soles[side][:3, 3] for side in SIDES]
    shares = _shares(feet, com, up, lifted)
    pressed = shares[0] * feet[0] + shares[1] * feet[1]
    shift = com - pressed
    shift = shift - up * float(up @ shift)
    wrenches = {}
    for side, share in zip(SIDES, shares, strict=True):
        force = share * weight * up
        wrenches[f"{side[0]}_sole"] = np.concatenate([force, np.cross(shift, force)])
    rest = np.zeros_like(q)
    held = inverse_dynamics(
        model, q, rest, rest, wrenches=wrenches, gravity=-config.GRAVITY * up
    )
    return body_from_model(model, -held)


def _below(soles: Mapping[Side, FloatArray], lifted: Side) -> FloatArray:
    """Return `T_torso_ground` under the foot that stands."""
    T = soles["right" if lifted == "left" else "left"]
    return _ground(T[:3, 2], T[:3, 0], T[:3, 3])


def _shares(
    feet: list[FloatArray], com: FloatArray, up: FloatArray, lifted: Side | None
) -> tuple[float, float]:
    """Return the parts of the weight on the left and the right foot."""
    if lifted is not None:
        return (0.0, 1.0) if lifted == "left" else (1.0, 0.0)
    across = feet[0] - feet[1]
    across = across - up * float(up @ across)
    left = float(across @ (com - feet[1])) / float(across @ across)
    left = min(max(left, 0.0), 1.0)
    return left, 1.0 - left


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stand:
    """A robot as it really stands.

    Attributes:
        readings: Of its joints, body vector [rad], (22,).
        soles: `T_torso_sole` of both feet, (4, 4).
        T_torso_ground: The floor.
        T_torso_camera, T_torso_upper: The lower and the upper camera, x ahead, z up.
    """

    readings: FloatArray
    soles: Mapping[Side, FloatArray]
    T_torso_ground: FloatArray
    T_torso_camera: FloatArray
    T_torso_upper: FloatArray

    @property
    def height_difference(self) -> float:
        """How much higher the left sole is than the right one above the floor [m]."""
        up = self.T_torso_ground[:3, 2]
        return float(up @ (self.soles["left"][:3, 3] - self.soles["right"][:3, 3]))

    @property
    def tilts(self) -> tuple[float, float]:
        """Angles between the soles and the floor, left and right [rad]."""
        up = self.T_torso_ground[:3, 2]
        slopes = [
            float(np.linalg.norm(np.cross(self.soles[side][:3, 2], up)))
            for side in SIDES
        ]
        left, right = np.arcsin(np.clip(slopes, 0.0, 1.0))
        return float(left), float(right)


def true_stand(
    errors: NaoErrors,
    readings: ArrayLike,
    lifted: Side | None = None,
    *,
    model: RobotModel | None = None,
) -> Stand:
    """Return how a robot with errors stands, in closed form; drives give way.

    Play takes the side to which the weight presses it, and the feet are stiff: on both
    feet a robot with play stands a little differently, see `standing`.

    Args:
        errors: What is wrong with it.
        readings: What its encoders read, body vector [rad], (22,).
        lifted: A foot that is in the air.
        model: `true_model` of the errors without sandals, if it is at hand.
    """
    model = model or true_model(errors, sandals=False)
    raw = np.array(readings, dtype=np.float64)
    compliance, play = np.zeros(NUM_BODY), np.zeros(NUM_BODY)
    compliance[LEG["left"].start :] = errors.compliance
    play[LEG["left"].start :] = errors.play
    q = model_from_body(model, raw)
    if compliance.any() or play.any():
        for _ in range(_ROUNDS):
            torque = stance_torques(model, q, lifted)
            give = compliance * torque + play * np.sign(torque)
            q = model_from_body(model, raw + give)
    T = link_poses(model, q)
    soles: dict[Side, FloatArray] = {
        side: T[model.link_id(f"{side[0]}_sole")] for side in SIDES
    }
    if lifted is None:
        T_torso_ground = resting_ground(soles, centre_of_mass(model, q))
    else:
        T_torso_ground = _below(soles, lifted)
    return Stand(
        readings=raw,
        soles=soles,
        T_torso_ground=T_torso_ground,
        T_torso_camera=T[model.link_id("camera_bottom")],
        T_torso_upper=T[model.link_id("camera_top")],
    )
