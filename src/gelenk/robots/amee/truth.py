"""What really happens to a simulated AMEE: for judges and tests, never for its legs.

The judge looks at the engine itself: contacts with their forces, the centre of mass of
everything that belongs to the robot, the torso's pose. A fall is a torso that leans
more than `FALL_TILT` or lies on something.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gelenk.geometry.support_polygons import support_margin
from gelenk.robots.amee.battery import CHARGE, ENERGY
from gelenk.sim.compiled_world import CompiledWorld
from gelenk.sim.motors.bank import TEMPERATURE, TORQUE
from gelenk.typing import FloatArray, IntArray

FALL_TILT = math.radians(40.0)  # a slope of 15 degrees, and a foot in a hole on top
BEARING = 1.0  # [N], contacts with less do not carry
JUDGE_PERIOD = 0.020  # [s]


class Moment(NamedTuple):
    """The robot at one moment.

    Attributes:
        time: [s].
        T_world_torso: Pose of the torso, (4, 4).
        com: Centre of mass, world [m], (3,).
        points: Contact points that bear, world [m], (n, 3).
        forces: Their normal forces [N], (n,).
        margin: How far the centre of mass is inside the support polygon [m].
        tilt: Angle of the torso's z axis to the vertical [rad].
        lies: Whether the torso itself lies on something.
    """

    time: float
    T_world_torso: FloatArray
    com: FloatArray
    points: FloatArray
    forces: FloatArray
    margin: float
    tilt: float
    lies: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a judge has seen until now.

    Attributes:
        time: Simulated [s].
        distance: Of the torso along the start's x axis [m].
        sideways: Along its y axis [m].
        turned: Heading against that of the start [rad].
        has_fallen: Whether it fell, ever.
        fall_time: When; NaN if it did not.
        min_margin: Least margin that was seen [m].
        unsafe_time: For how long the margin was negative [s].
        max_tilt: Largest lean [rad].
        heave: Highest minus lowest height of the torso over the mean of its contact
            points [m].
        energy: That the drives took from the battery [J].
        charge: Likewise [C].
        cost: Energy per metre [J/m]; infinite without way.
        max_torque: Largest torque of each drive, (16,) [N m].
        max_temperature: Of the warmest drive [K].
    """

    time: float
    distance: float
    sideways: float
    turned: float
    has_fallen: bool
    fall_time: float
    min_margin: float
    unsafe_time: float
    max_tilt: float
    heave: float
    energy: float
    charge: float
    cost: float
    max_torque: FloatArray
    max_temperature: float


class Truth:
    """The judge of one world.

    Args:
        plant: The compiled world.
        robot: Name of the robot in it.
        account: Of its battery.
        step: Length of a tick [s].
    """

    def __init__(
        self, plant: CompiledWorld, robot: str, account: FloatArray, step: float
    ) -> None:
        model = plant.model
        names = [model.body(i).name for i in range(model.nbody)]
        self._plant, self._account, self._step = plant, account, step
        self._torso = names.index(f"{robot}/torso")
        own = np.array([name.startswith(f"{robot}/") for name in names])
        self._is_own: FloatArray = own[model.geom_bodyid]
        self._is_torso = model.geom_bodyid == self._torso
        self._start = self._pose()
        self._fall_time = math.nan
        self._margin, self._unsafe, self._tilt = math.inf, 0.0, 0.0
        self._heights = [math.inf, -math.inf]
        self._rows = plant.motor_rows[robot]
        self._torque = np.zeros(len(self._rows))
        self._last = 0.0

    def look(self) -> Moment:
        """Return the present moment; poses and contacts are those of the last tick."""
        points, forces, lies = self._contacts()
        com = np.array(self._plant.data.subtree_com[self._torso])
        T = self._pose()
        margin = support_margin(points[:, :2], com[:2])
        tilt = math.acos(min(max(T[2, 2], -1.0), 1.0))
        return Moment(self._time(), T, com, points, forces, margin, tilt, lies)

    def judge(self) -> None:
        """Take the present moment into the verdict."""
        now = self.look()
        self._margin = min(self._margin, now.margin)
        if now.margin < 0.0:
            self._unsafe += now.time - self._last
        self._last = now.time
        self._tilt = max(self._tilt, now.tilt)
        if len(now.points):
            height = float(now.T_world_torso[2, 3] - now.points[:, 2].mean())
            self._heights[0] = min(self._heights[0], height)
            self._heights[1] = max(self._heights[1], height)
        torques = np.abs(self._plant.banks.motors.state[self._rows, TORQUE])
        np.maximum(self._torque, torques, out=self._torque)
        is_down = now.tilt > FALL_TILT or now.lies
        if is_down and math.isnan(self._fall_time):
            self._fall_time = now.time

    def verdict(self) -> Verdict:
        """Return what was seen until now."""
        T = np.linalg.solve(self._start, self._pose())
        distance = float(T[0, 3])
        energy = float(self._account[ENERGY])
        temperatures = self._plant.banks.motors.state[self._rows, TEMPERATURE]
        spread = self._heights[1] - self._heights[0]
        return Verdict(
            time=self._time(),
            distance=distance,
            sideways=float(T[1, 3]),
            turned=math.atan2(T[1, 0], T[0, 0]),
            has_fallen=not math.isnan(self._fall_time),
            fall_time=self._fall_time,
            min_margin=self._margin,
            unsafe_time=self._unsafe,
            max_tilt=self._tilt,
            heave=spread if math.isfinite(spread) else 0.0,
            energy=energy,
            charge=float(self._account[CHARGE]),
            cost=energy / distance if distance > 1e-3 else math.inf,
            max_torque=self._torque.copy(),
            max_temperature=float(temperatures.max()),
        )

    @property
    def margin(self) -> float:
        """Of the present moment [m]."""
        return self.look().margin

    def _time(self) -> float:
        return int(self._plant.banks.clock[0]) * self._step

    def _pose(self) -> FloatArray:
        data = self._plant.data
        T = np.eye(4)
        T[:3, :3] = data.xmat[self._torso].reshape(3, 3)
        T[:3, 3] = data.xpos[self._torso]
        return T

    def _contacts(self) -> tuple[FloatArray, FloatArray, bool]:
        """Return points and forces of what bears, and whether the torso lies on it."""
        data = self._plant.data
        contact = data.contact
        rows: IntArray = np.asarray(contact.efc_address)
        if not len(rows):
            return np.zeros((0, 3)), np.zeros(0), False
        geoms = np.asarray(contact.geom)
        is_outer = self._is_own[geoms[:, 0]] != self._is_own[geoms[:, 1]]
        forces = np.where(rows >= 0, data.efc_force[np.maximum(rows, 0)], 0.0)
        bears = is_outer & (forces > BEARING)
        lies = bool(self._is_torso[geoms[bears]].any())
        return np.array(contact.pos[bears]), forces[bears], lies
