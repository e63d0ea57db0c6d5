"""The body of the avatar as its mind knows it: base, arm, and how to hold a wheel.

Where the base is, it only believes: wheels tell its way, beacons correct it once a
second. Motions go on by one cycle at a time.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from gelenk.course.scenarios.avatar_site import T_BASE_ARM, TUBE, WHEEL, Site, make_arm
from gelenk.geometry.grasp import (
    GraspContact,
    GraspPose,
    ObjectTemplate,
    contact_wrenches,
    is_force_closure,
)
from gelenk.kinematics.vehicles_motion import (
    PolarGains,
    arc_step,
    polar_control,
    polar_coordinates,
)
from gelenk.spatial import se3, so3
from gelenk.spatial.angles import wrap_angle
from gelenk.trajectory.ptp import plan_ptp
from gelenk.typing import ArrayLike, FloatArray

DT = 0.1  # [s]
TURN = math.radians(100.0)  # opens a valve
TURN_STEPS = 8
GUESS = np.array([2.88, -1.22, 1.65, -0.43, 1.31, -3.14])
FOLDED = np.array([2.88, -2.0, 2.3, -0.4, 1.31, -3.14])


def make_template() -> ObjectTemplate:
    """Return what is known of hand wheels: where three fingers hold the rim."""
    grasps: dict[str, GraspPose] = {}
    for degrees in range(-150, 211, 30):
        a = math.radians(degrees)
        c, s = math.cos(a), math.sin(a)
        T = np.eye(4)
        T[:3, 0], T[:3, 1], T[:3, 2] = [s, -c, 0.0], [-c, -s, 0.0], [0.0, 0.0, -1.0]
        T[:3, 3] = [WHEEL * c, WHEEL * s, 0.0]
        if is_force_closure(contact_wrenches(fingers(), radius=0.05)):
            grasps[f"{degrees}"] = GraspPose(T_object_grasp=T, approach=0.1)
    return ObjectTemplate(
        name="hand wheel", grasps=grasps, axis=(np.zeros(3), np.array([0.0, 0.0, 1.0]))
    )


def fingers() -> list[GraspContact]:
    """Return where a thumb and two fingers touch a rim, in the hand's axes."""
    places = [(0.0, -TUBE), (0.02, TUBE), (-0.02, TUBE)]  # along it, across it
    return [
        GraspContact(
            point=np.array([x, y, 0.0]),
            normal=np.array([0.0, -np.sign(y), 0.0]),
            friction=0.6,
        )
        for x, y in places
    ]


class AvatarBody:
    """Base and arm.

    Args:
        site: Where they are; its sensors and actuators.
    """

    def __init__(self, site: Site) -> None:
        self.site, self.template = site, make_template()
        self._belief = np.zeros(3)  # starts at a mark
        self._cycles = 0
        site.q = FOLDED

    def go(self, goal: ArrayLike) -> Iterator[None]:
        """Drive to a pose in the world, shape (3,), one cycle after the other."""
        gains = PolarGains(rho=0.8, alpha=2.0, beta=-0.5)
        for _ in range(600):
            rho, alpha, _ = polar_coordinates(self._belief, goal)
            if rho < 0.06:
                break
            v, w = polar_control(self._belief, goal, gains=gains)
            v = v * max(math.cos(alpha), 0.0)  # turn first
            self.roll(min(v, 0.6), max(-1.0, min(1.0, w)))
            yield None
        for _ in range(100):
            off = float(wrap_angle(np.asarray(goal)[2] - self._belief[2]))
            if abs(off) < 0.03:
                break
            self.roll(0.0, max(-0.6, min(0.6, 2.0 * off)))
            yield None

    def roll(self, v: float, w: float) -> None:
        """Roll for one cycle; once a second beacons correct what wheels tell."""
        self.site.drive(v, w, DT)
        self._belief = arc_step(self._belief, [v, 0.0, w], DT)
        self._cycles += 1
        if self._cycles % 10 == 0:
            off = self.site.fix() - self._belief
            off[2] = wrap_angle(off[2])
            self._belief = self._belief + 0.4 * off

    def move_arm(self, q: FloatArray) -> Iterator[None]:
        """Move the arm to joint values [rad], one cycle after the other."""
        way = plan_ptp(self.site.q, q, max_speed=0.8, max_acceleration=2.0)
        for k in range(math.ceil(way.duration / DT)):
            self.site.q = way.sample(min((k + 1) * DT, way.duration))[0]
            yield None

    def can_reach(self, T_base_hand: FloatArray) -> bool:
        """Return whether the hand gets to a pose."""
        return self._solve(T_base_hand, GUESS) is not None

    def inverse(self, T_base_hand: FloatArray) -> FloatArray:
        """Return joint values of a pose that can be reached [rad], shape (6,)."""
        q = self._solve(T_base_hand, GUESS)
        assert q is not None  # asked before
        return q

    def _solve(self, T_base_hand: FloatArray, q0: FloatArray) -> FloatArray | None:
        T_arm_hand = se3.inverse(T_BASE_ARM) @ T_base_hand
        found = make_arm().inverse(T_arm_hand, q0=q0, max_starts=1)
        return np.array(found.q) if found.converged else None

    def turn_path(self, T_base_wheel: FloatArray, grasp: str) -> list[FloatArray]:
        """Return joint values of a turn, nearby ones in sequence; empty: none."""
        path: list[FloatArray] = [
            self.inverse(self.template.placed(T_base_wheel, grasp)[1])
        ]
        for angle in np.linspace(0.0, TURN, TURN_STEPS + 1)[1:]:
            T = self.template.turned(T_base_wheel, grasp, float(angle))
            q = self._solve(T, path[-1])
            if q is None or np.abs(q - path[-1]).max() > 0.6:
                return []
            path.append(q)
        return path

    def _base_frame(self) -> FloatArray:
        x, y, yaw = self._belief
        return se3.pose_from_rotation_translation(so3.rot_z(yaw), [x, y, 0.0])

    def in_world(self, p_base: FloatArray) -> FloatArray:
        """Return where a point before the robot is in the world, as it believes."""
        return se3.transform_point(self._base_frame(), p_base)

    def in_base(self, p_world: FloatArray) -> FloatArray:
        """Return where a point of the world is before the robot, as it believes."""
        return se3.transform_point(se3.inverse(self._base_frame()), p_world)
