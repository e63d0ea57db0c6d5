"""What can be measured on a running world, all of it at once: angles, torques, errors.

A `Gauges` object knows where every number lies and copies them with a few array reads;
it changes nothing and computes no physics. Torques are those that the last tick was
stepped with:

- of a drive, what the motor gives before friction;
- of an infinitely strong motor, what it bears: weight, Coriolis forces and springs of
  its joint. Such a motor changes its speed at once and gives way to nothing, so that
  the torque of its acceleration is a blow, and that of a contact any number.

Ideal motors in closed chains share their load in a way that nobody computes; their
torques are not shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gelenk.core.typing import IntArray
from gelenk.sim.appearance import Appearance, LookJoint, plant_of
from gelenk.sim.conveyor import RUNNING, SPEED
from gelenk.sim.motors import columns as c
from gelenk.sim.plant import Plant
from gelenk.sim.world import World

Quantity: TypeAlias = Literal[
    "value", "speed", "torque", "error", "command", "current", "temperature",
    "belt", "energy",
]  # fmt: skip

_KINDS: tuple[tuple[Quantity, str, str, str, str], ...] = (
    # quantity, name and unit of a joint that turns, ... of one that slides
    ("value", "angle", "rad", "position", "m"),
    ("speed", "speed", "rad/s", "speed", "m/s"),
    ("torque", "torque", "N*m", "force", "N"),
    ("error", "control error", "rad", "control error", "m"),
    ("command", "command", "1", "command", "1"),
    ("current", "motor current", "A", "motor current", "A"),
    ("temperature", "motor temperature", "K", "motor temperature", "K"),
)


class Gauge(NamedTuple):
    """A number of the world that changes with time.

    Attributes:
        robot: Whose it is; empty: the world's.
        part: Joint of the robot, or conveyor; empty: of everything.
        quantity: What is measured. "error": target minus value, of motors that are
            given a target; "command": of those that are given a share of their
            voltage.
        kind: The same in words, such as "angle".
        unit: SI; "1" for shares.
    """

    robot: str
    part: str
    quantity: Quantity
    kind: str
    unit: str

    @property
    def name(self) -> str:
        """All of it: `robot/joint angle [rad]`."""
        owner = "/".join(word for word in (self.robot, self.part) if word)
        return f"{owner} {self.kind} [{self.unit}]".lstrip()


Fill = Callable[[NDArray[np.float32]], None]


class Gauges:
    """Reads everything that can be measured; in the thread that steps.

    Attributes:
        gauges: What there is: by robot, then by quantity, then by joint; belts; the
            energy, where there is no robot.

    Args:
        world: The world.
        appearance: Its joints.
    """

    def __init__(self, world: World, appearance: Appearance) -> None:
        plant = plant_of(world)
        found = list(_gauges_of_joints(plant, appearance))
        joints, motors = [pair[1:] for pair in found], [gauge for gauge, *_ in found]
        belts = tuple(
            Gauge("", name, "belt", "belt speed", "m/s") for name in plant.belts
        )
        energy = (Gauge("", "", "energy", "energy", "J"),) if not joints else ()
        self.gauges: tuple[Gauge, ...] = (*motors, *belts, *energy)
        self._fills = [
            *_fill_joints(
                plant, motors, [j for j, _ in joints], [r for _, r in joints]
            ),
            *_fill_belts(plant, len(motors), len(belts)),
        ]
        if energy:
            self._fills.append(lambda out: out.__setitem__(-1, world.energy()))

    def read(self) -> NDArray[np.float32]:
        """Return all numbers as they are now, shape (gauges,)."""
        out = np.empty(len(self.gauges), dtype=np.float32)
        for fill in self._fills:
            fill(out)
        return out


def _gauges_of_joints(
    plant: Plant, appearance: Appearance
) -> Iterator[tuple[Gauge, LookJoint, int]]:
    """Yield what can be measured at joints: gauge, joint, row of its motor."""
    for robot in appearance.robots:
        own = [joint for joint in appearance.joints if joint.robot == robot]
        rows = plant.motor_rows[robot].tolist()
        is_closed = any(row >= 0 for row in plant.loops[robot].values())
        for quantity, *words in _KINDS:
            for joint, row in zip(own, rows, strict=True):
                if not _has(plant, quantity, row, is_closed=is_closed):
                    continue
                kind, unit = words[2:] if joint.is_linear else words[:2]
                yield Gauge(robot, joint.name, quantity, kind, unit), joint, row


def _has(plant: Plant, quantity: Quantity, row: int, *, is_closed: bool) -> bool:
    """Return whether a joint with the motor of a row (-1: none) has a quantity."""
    if quantity in ("value", "speed"):
        return True
    if row < 0:
        return False
    bank = plant.banks.motors
    kind = bank.ints[row, c.KIND]
    match quantity:
        case "torque":
            return not (is_closed and kind == c.IDEAL)
        case "error":
            return kind in (c.IDEAL, c.POSITION_SERVO)
        case "command":
            return kind in (c.TORQUE_SERVO, c.DC_GEAR_MOTOR)
        case "current":
            return bool(bank.params[row, c.STALL_CURRENT] > 0.0)
        case _:
            return bool(bank.params[row, c.WINDING_RESISTANCE] > 0.0)


def _fill_joints(
    plant: Plant, gauges: list[Gauge], joints: list[LookJoint], rows: list[int]
) -> Iterator[Fill]:
    """Yield what reads one quantity of all joints at once."""
    qpos = np.array([joint.qpos for joint in joints], dtype=int)
    dof = np.array([joint.dof for joint in joints], dtype=int)
    row = np.array(rows, dtype=int)
    quantity = np.array([gauge.quantity for gauge in gauges])
    bank = plant.banks.motors
    is_ideal = np.zeros(len(row), dtype=bool)
    is_ideal[row >= 0] = bank.ints[row[row >= 0], c.KIND] == c.IDEAL

    def of(name: Quantity, is_meant: Any = True) -> tuple[IntArray, ...] | None:
        at = np.flatnonzero((quantity == name) & is_meant)
        return (at, qpos[at], dof[at], row[at]) if at.size else None

    if (found := of("value")) is not None:
        yield _copy(found[0], lambda: plant.data.qpos, found[1])
    if (found := of("speed")) is not None:
        yield _copy(found[0], lambda: plant.data.qvel, found[2])
    if (found := of("torque", is_ideal)) is not None:
        yield _fill_loads(plant, found[0], found[2], found[3])
    if (found := of("error")) is not None:
        yield _fill_errors(plant, found[0], found[1], found[3])
    columns: dict[Quantity, int] = {
        "torque": c.TORQUE,
        "current": c.CURRENT,
        "temperature": c.TEMPERATURE,
    }
    for name, column in columns.items():
        if (found := of(name, ~is_ideal)) is not None:
            yield _copy(found[0], lambda k=column: bank.state[:, k], found[3])
    if (found := of("command")) is not None:
        shares = bank.params[:, c.COMMAND_RANGE]
        yield _copy(found[0], lambda: bank.command[:, c.COMMAND] / shares, found[3])


def _copy(at: IntArray, source: Callable[[], Any], places: IntArray) -> Fill:
    def fill(out: NDArray[np.float32]) -> None:
        out[at] = source()[places]

    return fill


def _fill_loads(plant: Plant, at: IntArray, dof: IntArray, row: IntArray) -> Fill:
    """Return what reads the load of ideal motors; torn ones bear nothing."""
    data, fault = plant.data, plant.banks.motors.fault

    def fill(out: NDArray[np.float32]) -> None:
        load = data.qfrc_bias[dof] - data.qfrc_passive[dof]
        out[at] = np.where(fault[row] & c.JOINT_LIMP, 0.0, load)

    return fill


def _fill_errors(plant: Plant, at: IntArray, qpos: IntArray, row: IntArray) -> Fill:
    data, command = plant.data, plant.banks.motors.command

    def fill(out: NDArray[np.float32]) -> None:
        out[at] = command[row, c.COMMAND] - data.qpos[qpos]

    return fill


def _fill_belts(plant: Plant, first: int, count: int) -> Iterator[Fill]:
    if not count:
        return
    command = plant.banks.belts.command

    def fill(out: NDArray[np.float32]) -> None:
        out[first : first + count] = command[:, SPEED] * (command[:, RUNNING] != 0.0)

    yield fill
