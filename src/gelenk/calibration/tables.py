"""A problem as flat arrays: what the compiled pass over the observations reads.

For each pair of camera and target there is a route: the chain of moves from the root to
the camera and the chain to the target. A move turns about or slides along the z axis of
its frame by

    value = offset + scale * q[index] + sum of factor * load * unknown,

where the unknowns are parameters and reading errors, and the load is 1, the torque of
gravity, or its sign. The lens of a camera has eight unknowns more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gelenk.calibration.effects import (
    Axis,
    CameraRotation,
    CameraTranslation,
    Distortion,
    FocalLength,
    JointBacklash,
    JointCompliance,
    JointOffset,
    LinkTranslation,
    PrincipalPoint,
    TargetRotation,
    TargetTranslation,
)
from gelenk.calibration.kernel import (
    BASIS,
    ROW_COLS,
    ROW_P,
    ROW_R,
    ROW_TURNS,
    TWISTS,
)
from gelenk.calibration.problem import CalibrationCamera, CalibrationProblem, Target
from gelenk.models.link import JointType
from gelenk.models.tree import link_chain
from gelenk.typing import FloatArray, IntArray

AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


class ProblemTables(NamedTuple):
    """Arrays of all routes.

    chain (E, 16); header (R, 8); place (K, 4): move (or -1 - lens unknown), local
    column, load or -1, unknown; factor (K,); columns (R, C): unknown of each local
    column; counts (R, 3): parameters, shared and single reading errors among them;
    lens (cameras, 9): fx, fy, cx, cy, k1, k2, p1, p2, k3.
    """

    chain: FloatArray
    header: IntArray
    place: IntArray
    factor: FloatArray
    columns: IntArray
    counts: IntArray
    lens: FloatArray


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Compiled:
    """A problem in the form the kernels read.

    Attributes:
        tables: The arrays.
        routes: Number of the route of a camera and a target by name.
        loads: Joint and kind of each column of loads: (joint, is_sign), the torque or
            its sign.
        shared, single: Coordinates whose reading errors are unknowns, of a group and
            of an observation.
        shared_precision, single_precision: 1 / sigma^2 of each.
    """

    tables: ProblemTables
    routes: dict[tuple[str, str], int]
    loads: tuple[tuple[str, bool], ...]
    shared: tuple[int, ...]
    single: tuple[int, ...]
    shared_precision: FloatArray
    single_precision: FloatArray


@dataclass(slots=True)
class _Chain:
    """A chain under construction: rows, the pose since the last move, effects."""

    rows: list[FloatArray]
    T: FloatArray
    effects: list[tuple[int, int, float, int]]  # move, unknown, factor, load

    def fix(self, T: FloatArray) -> None:
        self.T = self.T @ T

    def move(
        self, axis: Sequence[float], *, turns: bool, index: int = -1,
        scale: float = 0.0, offset: float = 0.0,
    ) -> int:  # fmt: skip
        """Append a move about or along `axis`; return its number."""
        T_frame_axis = np.eye(4)
        T_frame_axis[:3, :3] = _frame_with_z(np.asarray(axis))
        row = _row(self.T @ T_frame_axis)
        row[ROW_TURNS:] = turns, index, scale, offset
        self.rows.append(row)
        self.T = T_frame_axis.T.copy()
        return len(self.rows) - 1


def compile_problem(problem: CalibrationProblem) -> Compiled:
    """Return the arrays of a problem, with all routes."""
    builder = _TableBuilder(problem)
    return builder.build()


class _TableBuilder:
    """Collects the rows and effects of all routes."""

    def __init__(self, problem: CalibrationProblem) -> None:
        self.problem = problem
        model = problem.model
        self.loads: list[tuple[str, bool]] = []
        self.shared = tuple(
            model.joint_id(r.joint) for r in problem.readings if r.is_shared
        )
        self.single = tuple(
            model.joint_id(r.joint) for r in problem.readings if not r.is_shared
        )

    def build(self) -> Compiled:
        problem = self.problem
        rows: list[FloatArray] = []
        header: list[list[int]] = []
        effects: list[tuple[int, int, int, int, float]] = []
        columns: list[list[int]] = []
        counts: list[list[int]] = []
        routes: dict[tuple[str, str], int] = {}
        for camera in problem.cameras:
            for target in problem.targets:
                routes[camera.name, target.name] = len(header)
                viewing, seen = self._camera_chain(camera), self._target_chain(target)
                route = self._effects(camera, viewing, seen)
                local = sorted({unknown for _, unknown, _, _ in route})
                basis = BASIS if any(move < 0 for move, *_ in route) else TWISTS
                header.append(
                    [
                        len(rows), len(viewing.rows), len(rows) + len(viewing.rows) + 1,
                        len(seen.rows), len(effects), len(route),
                        problem.camera_id(camera.name), basis,
                    ]
                )  # fmt: skip
                rows += [*viewing.rows, _row(viewing.T), *seen.rows, _row(seen.T)]
                effects += [
                    (move, local.index(unknown), load, unknown, factor)
                    for move, unknown, factor, load in route
                ]
                columns.append(local)
                counts.append(self._kinds(local))
        width = max([len(local) for local in columns] + [1])
        table = np.array(effects, dtype=np.float64).reshape(-1, 5)
        return Compiled(
            tables=ProblemTables(
                chain=np.array(rows).reshape(-1, ROW_COLS),
                header=np.array(header, dtype=np.int64).reshape(-1, 8),
                place=np.ascontiguousarray(table[:, :4].astype(np.int64)),
                factor=np.ascontiguousarray(table[:, 4]),
                columns=np.array(
                    [local + [-1] * (width - len(local)) for local in columns],
                    dtype=np.int64,
                ).reshape(-1, width),
                counts=np.array(counts, dtype=np.int64).reshape(-1, 3),
                lens=np.array([_lens(camera) for camera in problem.cameras]).reshape(
                    -1, 9
                ),
            ),
            routes=routes,
            loads=tuple(self.loads),
            shared=self.shared,
            single=self.single,
            shared_precision=self._precision(is_shared=True),
            single_precision=self._precision(is_shared=False),
        )

    def _precision(self, *, is_shared: bool) -> FloatArray:
        readings = self.problem.readings
        return np.array([r.sigma**-2.0 for r in readings if r.is_shared is is_shared])

    def _kinds(self, local: Sequence[int]) -> list[int]:
        first = len(self.problem.parameters)
        second = first + len(self.shared)
        return [
            sum(u < first for u in local),
            sum(first <= u < second for u in local),
            sum(u >= second for u in local),
        ]

    def _camera_chain(self, camera: CalibrationCamera) -> _Chain:
        chain = self._link_chain(camera.link)
        chain.fix(camera.T_link_mount)
        self._misplace(chain, CameraRotation, CameraTranslation, camera.name)
        chain.fix(camera.T_mount_camera)
        return chain

    def _target_chain(self, target: Target) -> _Chain:
        chain = self._link_chain(target.link)
        chain.fix(target.T_link_target)
        self._misplace(chain, TargetRotation, TargetTranslation, target.name)
        return chain

    def _misplace(self, chain: _Chain, turn: type, shift: type, name: str) -> None:
        """Append the turns and shifts of a camera or a target in their order."""
        found: list[tuple[int, int, bool, Axis]] = []
        for number, parameter in enumerate(self.problem.parameters):
            for effect in parameter.effects:
                if isinstance(effect, CameraRotation | CameraTranslation):
                    owner = effect.camera
                elif isinstance(effect, TargetRotation | TargetTranslation):
                    owner = effect.target
                else:
                    continue
                if isinstance(effect, turn | shift) and owner == name:
                    is_turn = isinstance(effect, turn)
                    found.append((effect.order, number, is_turn, effect.axis))
        for _, number, is_turn, axis in sorted(found, key=lambda entry: entry[0]):
            move = chain.move(AXES[axis], turns=is_turn)
            chain.effects.append((move, number, 1.0, -1))

    def _link_chain(self, link: str | None) -> _Chain:
        chain = _Chain([], np.eye(4), [])
        if link is None:
            return chain
        model = self.problem.model
        for i in link_chain(model, model.link_id(link))[1:]:
            self._shift_link(chain, model.link_names[i])
            chain.fix(model.T_parent_joint[i])
            if model.joint_type[i] != int(JointType.FIXED):
                self._joint(chain, i)
        return chain

    def _shift_link(self, chain: _Chain, link: str) -> None:
        for number, parameter in enumerate(self.problem.parameters):
            for effect in parameter.effects:
                if isinstance(effect, LinkTranslation) and effect.link == link:
                    move = chain.move(AXES[effect.axis], turns=False)
                    chain.effects.append((move, number, effect.scale, -1))

    def _joint(self, chain: _Chain, i: int) -> None:
        """Append joint i with its offset, its give and its reading error."""
        model = self.problem.model
        leader = int(model.mimic[i]) if model.mimic[i] >= 0 else i
        drive, joint = model.joint_names_all[leader], model.joint_names_all[i]
        index, scale = model.joint_id(drive), float(model.multiplier[i])
        move = chain.move(
            model.axis[i].tolist(),
            turns=bool(model.joint_type[i] == int(JointType.REVOLUTE)),
            index=index,
            scale=scale,
            offset=float(model.offset[i]),
        )
        for number, parameter in enumerate(self.problem.parameters):
            for effect in parameter.effects:
                if isinstance(effect, JointOffset) and effect.joint == joint:
                    chain.effects.append((move, number, effect.scale, -1))
                elif (
                    isinstance(effect, JointCompliance | JointBacklash)
                    and effect.joint == drive
                ):
                    load = self._load(drive, isinstance(effect, JointBacklash))
                    chain.effects.append((move, number, scale, load))
        first = len(self.problem.parameters)
        for k, coordinate in enumerate(self.shared + self.single):
            if coordinate == index:
                chain.effects.append((move, first + k, scale, -1))

    def _load(self, joint: str, is_sign: bool) -> int:
        key = (joint, is_sign)
        if key not in self.loads:
            self.loads.append(key)
        return self.loads.index(key)

    def _effects(
        self, camera: CalibrationCamera, viewing: _Chain, seen: _Chain
    ) -> list[tuple[int, int, float, int]]:
        """Return the effects on a route: moves of both chains, then the lens."""
        first = len(viewing.rows)
        effects = list(viewing.effects)
        effects += [(move + first, u, f, load) for move, u, f, load in seen.effects]
        for number, parameter in enumerate(self.problem.parameters):
            for effect in parameter.effects:
                if not isinstance(effect, FocalLength | PrincipalPoint | Distortion):
                    continue
                if effect.camera != camera.name:
                    continue
                if isinstance(effect, FocalLength):
                    unknown = 0
                elif isinstance(effect, PrincipalPoint):
                    unknown = 1 + "xy".index(effect.axis)
                else:
                    unknown = 3 + effect.index
                effects.append((-1 - unknown, number, 1.0, -1))
        return effects


def _row(T: FloatArray) -> FloatArray:
    row = np.zeros(ROW_COLS)
    row[ROW_R:ROW_P] = T[:3, :3].ravel()
    row[ROW_P:ROW_TURNS] = T[:3, 3]
    return row


def _frame_with_z(axis: FloatArray) -> FloatArray:
    """Return a rotation whose third column is the unit vector `axis`."""
    x = np.zeros(3)
    x[np.abs(axis).argmin()] = 1.0
    x = x - (x @ axis) * axis
    x /= np.linalg.norm(x)
    y = (
        axis[1] * x[2] - axis[2] * x[1],
        axis[2] * x[0] - axis[0] * x[2],
        axis[0] * x[1] - axis[1] * x[0],
    )
    return np.stack([x, np.array(y), axis], axis=1)


def _lens(camera: CalibrationCamera) -> tuple[float, ...]:
    lens = camera.intrinsics
    return (lens.fx, lens.fy, lens.cx, lens.cy, *lens.distortion)
