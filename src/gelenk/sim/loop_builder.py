"""Packing of the loops of robots into the bank of a world."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from gelenk.kinematics.chain import CHAIN_COLS
from gelenk.kinematics.loops import closed_form
from gelenk.kinematics.loops.close import assembled_home, independent_rows
from gelenk.kinematics.loops.constraint import evaluate, loop_system
from gelenk.kinematics.loops.patterns import pack, recognize
from gelenk.models.link import LOOP_EQUATIONS, JointType
from gelenk.models.tree import LoopClosure, RobotModel
from gelenk.sim import loop_bank as columns
from gelenk.sim.bridge.robots import PlacedRobot
from gelenk.sim.contact.drive import Drive
from gelenk.sim.loop_bank import LoopBank
from gelenk.sim.motors.descriptions import IdealMotor, Motor
from gelenk.sim.motors.joint import IMMOVABLE_INERTIA
from gelenk.sim.robot import Robot
from gelenk.typing import IntArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LoopUnit:
    """Loops that close together; joints are counted as in `tree_joint_ids`.

    Attributes:
        loops: Indices of the loops in `RobotModel.loops`.
        passive: Joints that the unit sets.
        active: Joints that move it.
        pivots: Independent closure equations, as many as passive joints; empty for a
            pattern.
    """

    loops: tuple[int, ...]
    passive: tuple[int, ...]
    active: tuple[int, ...]
    pivots: IntArray


def written_units(robot: Robot) -> tuple[LoopUnit, ...]:
    """Return the loops of a robot that ideal motors determine, in solving order.

    Returns:
        All loops, or nothing: if a motor in them is not ideal or missing, if its loops
        leave passive joints free, or if the robot is that of an MJCF file, the engine
        holds them.
    """
    model = robot.model
    if robot.is_from_file:
        return ()
    units = find_units(model) if model.loops else None
    names = [model.joint_names_all[i] for i in model.tree_joint_ids]
    for unit in units or ():
        for joint in unit.active:
            is_other_passive = model.is_passive[model.tree_joint_ids[joint]]
            motor = _motor_of(robot, names[joint])
            if not is_other_passive and not isinstance(motor, IdealMotor):
                return ()
    return units or ()


def written_followers(robot: Robot, units: Iterable[LoopUnit]) -> list[int]:
    """Return the links whose joints mimic one that is written or a motor in a loop."""
    model = robot.model
    joints = {j for unit in units for j in (*unit.passive, *unit.active)}
    masters = {int(model.tree_joint_ids[j]) for j in joints}
    followers = np.flatnonzero(np.isin(model.mimic, list(masters)))
    return followers.tolist()


def find_units(model: RobotModel) -> tuple[LoopUnit, ...] | None:
    """Return what closes together; None if motors alone do not determine it."""
    found = recognize(model)
    patterns = [pattern for pattern in found if pattern is not None]
    if len(patterns) < len(found):
        return _general_units(model)
    units: list[LoopUnit] = []
    for pattern in sorted(patterns, key=lambda pattern: pattern.order):
        own = [coord for chain in pattern.chains for coord in chain.coords]
        involved = _involved(model, model.loops[pattern.loop])
        units.append(
            LoopUnit(
                loops=(pattern.loop,),
                passive=tuple(own),
                active=tuple(sorted(involved - set(own))),
                pivots=np.empty(0, dtype=np.int64),
            )
        )
    return tuple(units)


def _general_units(model: RobotModel) -> tuple[LoopUnit, ...] | None:
    system = loop_system(model)
    passive = set(system.passive.tolist())
    groups: list[tuple[set[int], set[int]]] = []  # loops, and joints in them
    for number, loop in enumerate(model.loops):
        loops, joints = {number}, _involved(model, loop)
        for group in [g for g in groups if g[1] & joints & passive]:
            groups.remove(group)
            loops, joints = loops | group[0], joints | group[1]
        groups.append((loops, joints))
    _, A = evaluate(system, assembled_home(model).reshape(1, -1))
    units: list[LoopUnit] = []
    for loops, joints in sorted(groups, key=lambda group: min(group[0])):
        own = sorted(joints & passive)
        rows = [row for k in sorted(loops) for row in _equations(model, k)]
        pivots = independent_rows(A[0][np.ix_(rows, own)])
        if not own or len(pivots) < len(own):
            return None
        units.append(
            LoopUnit(
                loops=tuple(sorted(loops)),
                passive=tuple(own),
                active=tuple(sorted(joints - passive)),
                pivots=pivots,
            )
        )
    return tuple(units)


def _involved(model: RobotModel, loop: LoopClosure) -> set[int]:
    """Return the tree joints in which a loop's chains differ."""
    paths = [_links_to(model, link) for link in loop.links]
    apart = set.union(*paths) - set.intersection(*paths)
    masters = {int(model.mimic[i]) if model.mimic[i] >= 0 else i for i in apart}
    return set(np.flatnonzero(np.isin(model.tree_joint_ids, list(masters))).tolist())


def _links_to(model: RobotModel, link: int) -> set[int]:
    path: set[int] = set()
    while link >= 0:
        path.add(link)
        link = int(model.parent[link])
    return path


def _equations(model: RobotModel, number: int) -> range:
    """Return the rows of a loop among all closure equations."""
    counts = [LOOP_EQUATIONS[k.kind] * (len(k.links) - 1) for k in model.loops]
    start = sum(counts[:number])
    return range(start, start + counts[number])


def _motor_of(robot: Robot, joint: str) -> Motor | None:
    given = robot.motors
    return given.get(joint) if isinstance(given, Mapping) else given


def prepare_loops(spec: Any, robots: Iterable[PlacedRobot]) -> None:
    """Make the joints of a specification that will be written immovable."""
    for placed in robots:
        model = placed.robot.model
        units = written_units(placed.robot)
        own = [model.tree_joint_ids[j] for unit in units for j in unit.passive]
        for i in (*own, *written_followers(placed.robot, units)):
            joint = spec.joint(f"{placed.name}/{model.joint_names_all[i]}")
            joint.armature = joint.armature + IMMOVABLE_INERTIA


def pack_loops(
    model: mujoco.MjModel, data: mujoco.MjData, robots: Sequence[PlacedRobot]
) -> tuple[LoopBank, dict[str, dict[str, int]]]:
    """Return the bank of all written loops, and the row of each loop by robot and name.

    The constraints of the engine that it replaces are switched off. Loops that the
    engine holds have the row -1.
    """
    packer = _Packer(model, data)
    rows: dict[str, dict[str, int]] = {}
    for placed in robots:
        units = written_units(placed.robot)
        rows[placed.name] = {loop.name: -1 for loop in placed.robot.model.loops}
        if units:
            rows[placed.name].update(packer.add(placed, units))
    bank = packer.bank()
    model.eq_active0[bank.equalities] = False
    data.eq_active[bank.equalities] = False
    # Else the engine keeps the inertia of simple bodies as compiled.
    model.dof_simplenum[written_dofs(bank)[0]] = 0
    return bank, rows


def written_dofs(bank: LoopBank) -> IntArray:
    """Return dofs and addresses in qpos of the joints that a bank writes, (2, n)."""
    own = bank.coords[bank.coords[:, columns.IS_OWN] == 1]
    dofs = np.concatenate([own[:, columns.DOF], bank.followers[:, columns.FOLLOWER]])
    qpos = np.concatenate([own[:, columns.QPOS], bank.followers[:, columns.PLACE]])
    return np.stack([dofs, qpos])


def add_written(drive: Drive, bank: LoopBank) -> Drive:
    """Return a drive that also moves the joints that a bank writes."""
    dofs, qpos = written_dofs(bank)
    return drive._replace(
        dofs=np.concatenate([drive.dofs, dofs]),
        qpos=np.concatenate([drive.qpos, qpos]),
    )


class _Packer:
    """Lays the loops of one robot after the other into arrays."""

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        self.model, self.data = model, data
        self.parts: dict[str, list[Any]] = {name: [] for name in _SHAPES}
        self.sizes = dict.fromkeys(_SHAPES, 0)

    def add(self, placed: PlacedRobot, units: tuple[LoopUnit, ...]) -> dict[str, int]:
        """Add the loops of a robot; return their rows by name."""
        robot = placed.robot
        model, prefix = robot.model, f"{placed.name}/"
        names = [prefix + name for name in model.joint_names_all]
        places = np.array([self._place(names[i]) for i in model.tree_joint_ids])
        moved_by = sorted({j for unit in units for j in unit.active})
        kinds = model.is_passive[model.tree_joint_ids]
        followers = written_followers(robot, units)
        span = [self.sizes["units"], self.sizes["units"] + len(units)]
        span += self._put("motors", [places[j, 1] for j in moved_by if not kinds[j]])
        span += self._put("equalities", self._constraints(placed, followers))
        span += self._put(
            "followers",
            [
                (*self._place(names[i])[::-1], self._place(names[model.mimic[i]])[1])
                for i in followers
            ],
        )
        self._put("laws", [(model.multiplier[i], model.offset[i]) for i in followers])
        self._put("robots", [span])
        rows: dict[str, int] = {}
        add_unit = self._pattern_adder(model) or self._general_adder(model)
        for unit in units:
            first = self.sizes["broken"]
            rows |= {model.loops[k].name: first + i for i, k in enumerate(unit.loops)}
            loops = self._put("broken", [0] * len(unit.loops))
            coords = self._put_coords(model, unit, places)
            self._put("units", [add_unit(unit, coords, loops)])
        return rows

    def bank(self) -> LoopBank:
        """Return everything that was added."""
        arrays = {
            name: np.array(self.parts[name], dtype=dtype).reshape(-1, *shape)
            for name, (dtype, shape) in _SHAPES.items()
        }
        engine = self.model
        loose = np.zeros((engine.nv, 3))
        loose[:, 0] = np.maximum(engine.dof_armature - IMMOVABLE_INERTIA, 0.0)
        if engine.nv:  # a world may have nothing that moves
            loose[:, 1] = engine.dof_damping.reshape(engine.nv, -1)[:, 0]
        loose[:, 2] = engine.dof_frictionloss
        count = len(arrays["q"])
        return LoopBank(
            **arrays,
            loose=loose,
            tried=np.full(count, np.nan),
            trial=np.zeros(count),
            mode=np.zeros(len(arrays["units"]), dtype=np.int64),
            breaks=np.zeros((len(arrays["broken"]), 2), dtype=np.int64),
        )

    def _put(self, name: str, rows: Sequence[Any]) -> list[int]:
        """Append rows to a table; return where they begin and end."""
        start = self.sizes[name]
        self.parts[name] += list(rows)
        self.sizes[name] += len(rows)
        return [start, self.sizes[name]]

    def _place(self, joint: str) -> tuple[int, int]:
        """Return the addresses of a joint in qpos and in qvel."""
        found = self.model.joint(joint)
        return int(found.qposadr[0]), int(found.dofadr[0])

    def _put_coords(
        self, model: RobotModel, unit: LoopUnit, places: IntArray
    ) -> list[int]:
        ids = model.tree_joint_ids
        table = np.zeros((len(ids), columns.COORD_COLS), dtype=np.int64)
        table[:, [columns.QPOS, columns.DOF]] = places
        table[:, columns.IS_REVOLUTE] = model.joint_type[ids] == JointType.REVOLUTE
        table[list(unit.passive), columns.IS_OWN] = 1
        self._put("q", self.data.qpos[places[:, 0]].tolist())
        home = model.home[ids] if not len(unit.pivots) else assembled_home(model)
        self._put("home", home.tolist())
        return self._put("coords", table.tolist())

    def _pattern_adder(self, model: RobotModel) -> Any:
        """Return what makes the row of a pattern; None if there is a general loop."""
        found = recognize(model)
        if None in found:
            return None
        plan, segments = pack(found)
        first = self._put("segments", segments.tolist())[0]
        plan[:, closed_form.PLAN_START :] += first
        rows = iter(range(*self._put("plan", plan.tolist())))

        def add_pattern(unit: LoopUnit, coords: list[int], loops: list[int]) -> Any:
            return [next(rows), *coords, *loops, *[0] * 8]

        return add_pattern

    def _general_adder(self, model: RobotModel) -> Any:
        system = loop_system(model)
        first = self._put("chains", system.rows.tolist())[0]

        def add_general(unit: LoopUnit, coords: list[int], loops: list[int]) -> Any:
            own = [k for k, x in enumerate(system.loop_of_pair) if x in unit.loops]
            pairs = system.pairs[own].copy()
            pairs[:, [1, 3]] += first
            sizes = [
                LOOP_EQUATIONS[model.loops[system.loop_of_pair[k]].kind] for k in own
            ]
            pairs[:, 5] = np.cumsum([0, *sizes[:-1]])
            self._put("lengths", system.lengths[own].tolist())
            return [
                *(-1, *coords, *loops, *self._put("pairs", pairs.tolist())),
                *self._put("passive", unit.passive),
                *self._put("active", unit.active),
                *self._put("pivots", unit.pivots.tolist()),
            ]

        return add_general

    def _constraints(self, placed: PlacedRobot, followers: list[int]) -> list[int]:
        """Return the engine's constraints for the loops and followers of a robot."""
        model, engine = placed.robot.model, self.model
        loops = {f"{placed.name}/{name}" for name in _constraint_names(model)}
        joints = {
            engine.joint(f"{placed.name}/{model.joint_names_all[i]}").id
            for i in followers
        }
        is_joint = engine.eq_type == mujoco.mjtEq.mjEQ_JOINT
        return [
            e
            for e in range(engine.neq)
            if engine.equality(e).name in loops
            or (is_joint[e] and int(engine.eq_obj1id[e]) in joints)
        ]


def _constraint_names(model: RobotModel) -> Iterable[str]:
    """Yield the names under which `mjcf_write_loop` writes the loops."""
    for loop in model.loops:
        for k in range(1, len(loop.links)):
            name = loop.name if k == 1 else f"{loop.name}:{k}"
            yield from (name, f"{name}:axis")


_INT, _FLOAT = np.int64, np.float64
# Type and shape of a row in each table that is filled robot by robot.
_SHAPES: dict[str, tuple[Any, tuple[int, ...]]] = {
    "robots": (_INT, (columns.ROBOT_COLS,)),
    "motors": (_INT, ()),
    "equalities": (_INT, ()),
    "followers": (_INT, (3,)),
    "laws": (_FLOAT, (2,)),
    "units": (_INT, (columns.UNIT_COLS,)),
    "coords": (_INT, (columns.COORD_COLS,)),
    "plan": (_INT, (closed_form.PLAN_COLS,)),
    "segments": (_FLOAT, (CHAIN_COLS,)),
    "pairs": (_INT, (6,)),
    "chains": (_FLOAT, (CHAIN_COLS,)),
    "lengths": (_FLOAT, ()),
    "active": (_INT, ()),
    "passive": (_INT, ()),
    "pivots": (_INT, ()),
    "home": (_FLOAT, ()),
    "q": (_FLOAT, ()),
    "broken": (_INT, ()),
}
