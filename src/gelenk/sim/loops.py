"""Which loops of a robot are written in every tick.

Loops whose motors are all ideal follow from the motor values (`loop_bank`). All others
are held by the engine's constraints: where motors give way, so do loops.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from gelenk.kinematics.loops.close import assembled_home, independent_rows
from gelenk.kinematics.loops.constraint import evaluate, loop_system
from gelenk.kinematics.loops.patterns import recognize
from gelenk.models.link import LOOP_EQUATIONS
from gelenk.models.tree import LoopClosure, RobotModel
from gelenk.sim.motors import IdealMotor, Motor
from gelenk.sim.robot import Robot
from gelenk.typing import IntArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LoopUnit:
    """Loops that close together; joints are counted as in `tree_joint_ids`.

    Attributes:
        loops: Their indices in `RobotModel.loops`.
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
        All loops, or nothing: if a motor in them is not ideal or missing, or if its
        loops leave passive joints free, the engine holds them.
    """
    model = robot.model
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
