"""The site of the disaster avatar: what is really there, and what sensors say.

Hand wheels of valves hang on a wall, each beside a gauge that looks much like one. A
base on wheels carries an arm with three fingers; dust and rubble spoil what its scanner
sees, the map of the site is old, and rusty valves turn hard. Nothing here knows what
the robot believes; every mistake is counted by what its hand really did.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

import numpy as np

import gelenk
from gelenk.kinematics.vehicles_motion import arc_step
from gelenk.models.tree import RobotModel
from gelenk.spatial import se3, so3
from gelenk.spatial.angles import wrap_angle
from gelenk.typing import FloatArray

WHEEL, TUBE, GAUGE = 0.12, 0.015, 0.10  # radii of wheel, its rim, and a gauge [m]
WALL = 4.0  # x of the wall [m]
STAND_OFF = 0.12  # of wheels and gauges before the wall [m]
VALVES = 3
T_BASE_ARM = se3.pose_from_rotation_translation(np.eye(3), [0.0, 0.0, 0.55])

CLOUD_NOISE = 4e-3  # [m]
DRIVE_NOISE = 0.02  # of the ways of the wheels
FIX_NOISE = np.array([0.03, 0.03, np.radians(1.0)])  # of the beacons [m], [rad]
HAND_NOISE = 3e-3  # of the arm, once for all [m]
HAND_REACH = 0.04  # the fingers close around what is no farther off [m]
GRIP = 30.0  # what a centred grasp holds [N m]
HAZE, HAZE_BIAS = 0.15, (0.02, 0.035)  # share of scans that see all too far, by [m]
WET = 0.25  # share of the wheels from which the first grasp slips


@cache
def make_arm() -> RobotModel:
    """Return the arm of the avatar."""
    return gelenk.load("ur5e")


def wheel_points() -> FloatArray:
    """Return points of a hand wheel in its frame, z out of the wall [m], (k, 3)."""
    around = 2.0 * np.pi * np.arange(48) / 48
    rim = WHEEL * np.stack([np.cos(around), np.sin(around)], axis=1)
    along = np.linspace(0.02, 0.10, 8)
    spoke = 2.0 * np.pi * np.arange(3) / 3
    spokes = np.stack(
        [
            np.outer(along, np.cos(spoke)).ravel(),
            np.outer(along, np.sin(spoke)).ravel(),
        ],
        axis=1,
    )
    flat = np.concatenate([rim, spokes, np.zeros((4, 2))])
    return np.column_stack([flat, np.zeros(len(flat))])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Valve:
    """A valve, its gauge, and what the map says.

    Attributes:
        T_world_wheel: Pose of the wheel, z out of the wall, shape (4, 4).
        gauge: Middle of the gauge in the world [m], shape (3,).
        mapped: Where the old map has the valve [m], shape (3,).
        load: Torque that it takes to turn it [N m].
        is_wet: Whether the first grasp slips, whoever asked for it.
        hidden: From which angle on a quarter of the wheel is behind rubble [rad].
    """

    T_world_wheel: FloatArray
    gauge: FloatArray
    mapped: FloatArray
    load: float
    is_wet: bool
    hidden: float


@dataclass(slots=True, kw_only=True, eq=False)
class Site:
    """The true state of one mission.

    Attributes:
        valves: On the wall.
        rng: Draws the noise of all sensors.
        pose: Of the base, shape (3,).
        q: Of the arm [rad], shape (6,).
        turned: Angle of each valve [rad].
        mistakes: What went wrong, in words.
        holding: Valve in the hand; None: nothing.
        dried: Wet valves that a hand has rubbed dry, by slipping once.
    """

    valves: tuple[Valve, ...]
    rng: np.random.Generator
    T_tool_error: FloatArray
    pose: FloatArray = field(default_factory=lambda: np.zeros(3))
    q: FloatArray = field(default_factory=lambda: np.zeros(6))
    turned: list[float] = field(default_factory=lambda: [0.0] * VALVES)
    mistakes: list[str] = field(default_factory=list[str])
    holding: int | None = None
    dried: list[int] = field(default_factory=list[int])
    _offset: float = 0.0

    @property
    def base_frame(self) -> FloatArray:
        """T_world_base in truth, shape (4, 4)."""
        x, y, yaw = self.pose
        return se3.pose_from_rotation_translation(so3.rot_z(yaw), [x, y, 0.0])

    def drive(self, v: float, w: float, dt: float) -> None:
        """Roll for a time [s]; wheels slip a little."""
        slip = 1.0 + DRIVE_NOISE * self.rng.normal(size=2)
        self.pose = arc_step(self.pose, [v * slip[0], 0.0, w * slip[1]], dt)

    def fix(self) -> FloatArray:
        """Return the pose as beacons of the site give it, shape (3,)."""
        told = self.pose + FIX_NOISE * self.rng.normal(size=3)
        return np.array([*told[:2], float(wrap_angle(told[2]))])

    def scan(self) -> FloatArray:
        """Return what the scanner sees, in base axes [m], shape (k, 3)."""
        rng = self.rng
        T_base_world = se3.inverse(self.base_frame)
        parts = [rng.uniform([WALL, -1, 0.4], [WALL, 1, 1.5], (160, 3))]
        parts[0][:, 1] += self.pose[1]
        for valve in self.valves:
            wheel = wheel_points()
            angle = np.arctan2(wheel[:, 1], wheel[:, 0])
            hidden = wrap_angle(angle - valve.hidden - np.pi) > 0.5 * np.pi
            parts.append(se3.transform_point(valve.T_world_wheel, wheel[~hidden]))
            r, a = GAUGE * np.sqrt(rng.uniform(size=55)), rng.uniform(0, 2 * np.pi, 55)
            disc = np.column_stack([np.zeros(55), r * np.cos(a), r * np.sin(a)])
            parts.append(valve.gauge + disc)
        cloud = np.concatenate(parts)
        cloud = cloud[np.abs(cloud[:, 1] - self.pose[1]) < 0.8]
        cloud = cloud[rng.uniform(size=len(cloud)) > 0.1]
        cloud = cloud + CLOUD_NOISE * rng.normal(size=cloud.shape)
        dust = self.pose[:2] + rng.uniform([0.3, -0.6], [0.9, 0.6], (15, 2))
        dust = np.column_stack([dust, rng.uniform(0.4, 1.5, 15)])
        seen = se3.transform_point(T_base_world, np.concatenate([cloud, dust]))
        is_hazy, bias = rng.uniform() < HAZE, rng.uniform(*HAZE_BIAS)
        return seen + np.array([bias if is_hazy else 0.0, 0.0, 0.0])

    def close_hand(self) -> tuple[bool, float]:
        """Close the fingers; return whether they hold, and how unevenly [m]."""
        p = self._hand()
        for k, valve in enumerate(self.valves):
            off = self._rim_offset(p, valve)
            if off < HAND_REACH:
                self.holding, self._offset = k, off
                return True, abs(off + 2e-3 * self.rng.normal())
        near = [np.linalg.norm(p - valve.gauge) for valve in self.valves]
        self.mistakes.append("gauge hit" if min(near) < 0.16 else "grasp in vain")
        return False, 0.0

    def turn_hand(self, q: FloatArray, angle: float) -> bool:
        """Move the hand that holds by an angle [rad]; return whether it slips."""
        self.q = q
        if self.holding is None:
            return True
        valve = self.valves[self.holding]
        off = max(self._offset, self._rim_offset(self._hand(), valve))
        is_slipping = GRIP * (1.0 - (off / HAND_REACH) ** 2) < valve.load
        if is_slipping:
            self.mistakes.append("uneven grasp")
        elif valve.is_wet and self.holding not in self.dried:
            self.dried.append(self.holding)
            is_slipping = True
        if is_slipping:
            self.holding = None
            return True
        self.turned[self.holding] += angle
        return False

    def open_hand(self) -> None:
        """Let go."""
        self.holding = None

    def _hand(self) -> FloatArray:
        T = self.base_frame @ T_BASE_ARM @ make_arm().forward(self.q)
        return (T @ self.T_tool_error)[:3, 3]

    @staticmethod
    def _rim_offset(p_world: FloatArray, valve: Valve) -> float:
        p = se3.transform_point(se3.inverse(valve.T_world_wheel), p_world)
        return float(np.hypot(np.hypot(p[0], p[1]) - WHEEL, p[2]))


def make_valves(rng: np.random.Generator) -> tuple[Valve, ...]:
    """Return valves along the wall; of one the map leads rather to its gauge."""
    misled = int(rng.integers(VALVES))
    found: list[Valve] = []
    out = np.array([[0.0, 0.0, -1.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    for k in range(VALVES):
        place = np.array([WALL - STAND_OFF, 2.2 * (k - 1), rng.uniform(0.8, 0.95)])
        place[1] += rng.uniform(-0.2, 0.2)
        tilt = so3.exp(np.radians([*rng.uniform(-8, 8, 2), rng.uniform(-60, 60)]))
        aside = rng.choice([-1.0, 1.0]) * rng.uniform(0.28, 0.34)
        gauge = place + np.array([0.0, aside, rng.uniform(-0.05, 0.05)])
        share = rng.uniform(0.6, 0.75) if k == misled else rng.uniform(-0.3, 0.3)
        mapped = place + share * (gauge - place) + 0.02 * rng.normal(size=3)
        found.append(
            Valve(
                T_world_wheel=se3.pose_from_rotation_translation(out @ tilt, place),
                gauge=gauge,
                mapped=mapped,
                load=float(rng.uniform(8.0, 20.0)),
                is_wet=bool(rng.uniform() < WET),
                hidden=float(rng.uniform(-np.pi, np.pi)),
            )
        )
    return tuple(found)


def make_site(seed: int) -> Site:
    """Return the site of a seed; the same for every mission of that seed."""
    valves = make_valves(np.random.default_rng(seed))
    rng = np.random.default_rng([seed, 1])
    error = se3.pose_from_rotation_translation(
        np.eye(3), HAND_NOISE * rng.uniform(-1.0, 1.0, 3)
    )
    return Site(valves=valves, rng=rng, T_tool_error=error)
