"""Steps of differential inverse kinematics beside mink's, and of whole bodies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import gelenk
from benchmarks.areas._motion_checker import PathChecker
from benchmarks.areas._motion_scenes import meshed_panda
from benchmarks.harness import Row, Settings, interleaved
from benchmarks.peers import find_peer, missing_note
from gelenk.collision import Scene
from gelenk.control import (
    CollisionLimit,
    ConfigurationLimit,
    FrameTask,
    PointContact,
    PostureTask,
    VelocityLimit,
    solve_motion,
    solve_whole_body,
)
from gelenk.control.motion_limits import MotionLimit
from gelenk.control.motion_tasks import MotionTask
from gelenk.models import JointType, RobotModel
from gelenk.sim import Box
from gelenk.spatial import se3
from gelenk.typing import FloatArray

DT = 0.005  # [s]
PAIRS = 20
LEAST, WITHIN = 0.005, 0.1  # [m]
POSTURE = 1e-2  # weight


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Case:
    """A problem of differential inverse kinematics, ours and mink's.

    Attributes:
        model: Robot.
        q: Configuration.
        tasks, limits: Ours.
        scene: Scene of the collision limit, or None.
        frames: Frames, targets and weights of the frame tasks.
        boxes: Obstacles.
        shapes: Role of the shapes that count.
    """

    model: RobotModel
    q: FloatArray
    frames: Sequence[tuple[str, FloatArray, float, float]]
    scene: Scene | None = None
    boxes: Sequence[Box] = ()
    shapes: str = "visual"

    @property
    def tasks(self) -> list[MotionTask]:
        weighted: list[MotionTask] = [
            FrameTask(frame=f, target=T, position_weight=p, orientation_weight=r)
            for f, T, p, r in self.frames
        ]
        return [*weighted, PostureTask(target=self.q, weight=_posture(self.model))]

    @property
    def limits(self) -> list[MotionLimit]:
        found: list[MotionLimit] = [ConfigurationLimit(), VelocityLimit()]
        if self.scene is not None:
            found.append(CollisionLimit(scene=self.scene, least=LEAST, within=WITHIN))
        return found

    def ours(self) -> Callable[[], FloatArray]:
        """Return our step: q to joint velocities."""
        tasks, limits, model, q = self.tasks, self.limits, self.model, self.q
        return lambda: solve_motion(model, q, tasks, dt=DT, limits=limits).qd

    def minks(self, mink: Any) -> Callable[[], FloatArray]:
        """Return mink's step of the same problem."""
        scene = self.scene or Scene(self.model, shapes=self.shapes)  # pyright: ignore[reportArgumentType]
        theirs = PathChecker(scene, self.boxes, self.shapes).model
        _write_limits(theirs, self.model)
        at = mink.Configuration(theirs)
        joints = [theirs.joint(name) for name in self.model.joint_names]
        base = 7 if self.model.has_floating_base else 0
        q = np.zeros(theirs.nq)  # joints that follow others rest at 0
        q[:base] = self.q[:base]
        q[[int(joint.qposadr[0]) for joint in joints]] = self.q[base:]
        own = [*range(6 if base else 0), *(int(joint.dofadr[0]) for joint in joints)]
        tasks: list[Any] = []
        for frame, T, position, orientation in self.frames:
            task = mink.FrameTask(frame, "body", position, orientation)
            task.set_target(mink.SE3.from_matrix(T))
            tasks.append(task)
        cost = np.full(theirs.nv, POSTURE)
        cost[own] = _posture(self.model)
        tasks.append(mink.PostureTask(theirs, cost=cost))
        tasks[-1].set_target(q)
        most = {
            name: self.model.max_velocity[link]
            for name, link in zip(
                self.model.joint_names, self.model.joint_ids.tolist(), strict=True
            )
            if np.isfinite(self.model.max_velocity[link])
        }
        limits = [mink.ConfigurationLimit(theirs), mink.VelocityLimit(theirs, most)]
        if self.scene is not None:
            geoms = {
                theirs.body(b).name: np.flatnonzero(theirs.geom_bodyid == b).tolist()
                for b in range(theirs.nbody)
            }
            limits.append(
                mink.CollisionAvoidanceLimit(
                    theirs,
                    [(geoms[a], geoms[b]) for a, b in self.scene.pairs],
                    minimum_distance_from_collisions=LEAST,
                    collision_detection_distance=WITHIN,
                )
            )

        def step() -> FloatArray:
            at.update(q)
            return mink.solve_ik(at, tasks, DT, "daqp", limits=limits)[own]

        return step


def _posture(model: RobotModel) -> FloatArray:
    """Return the weights of the posture task; a floating base is free."""
    weight = np.full(model.nv, POSTURE)
    weight[: 6 if model.has_floating_base else 0] = 0.0
    return weight


def _write_limits(theirs: Any, model: RobotModel) -> None:
    for name, link in zip(model.joint_names, model.joint_ids.tolist(), strict=True):
        joint = theirs.joint(name)
        theirs.jnt_limited[joint.id] = 1
        theirs.jnt_range[joint.id] = model.lower[link], model.upper[link]


def _panda_case(
    model: RobotModel, rng: np.random.Generator, *, with_pairs: bool, shapes: str
) -> Case:
    low, high = model.limits
    home = np.clip(model.home_configuration, low, high)
    names = [
        n
        for n in model.link_names
        if n.endswith(("hand_tcp", "hand", "link_4", "link4"))
    ]
    elbow = next(n for n in names if n.endswith("4"))
    hand = names[-1]
    boxes = [
        Box(name="table", size=(0.6, 1.2, 0.05), position=(0.6, 0.0, 0.1)),
        Box(name="post", size=(0.08, 0.08, 0.8), position=(0.55, 0.4, 0.5)),
        Box(name="shelf", size=(0.3, 1.0, 0.04), position=(0.6, 0.0, 0.85)),
    ]
    scene = Scene(model, boxes, shapes=shapes)  # pyright: ignore[reportArgumentType]
    while True:
        q = home + rng.normal(0.0, 0.2, model.nq) * (np.arange(model.nq) < 7)
        q = np.clip(q, low + 0.01 * (high - low), high - 0.01 * (high - low))
        if scene.distance(q).distance.min() > LEAST:
            break
    order = np.argsort(scene.distance(q).distance, kind="stable")
    scene = scene.with_allowed([scene.pairs[k] for k in order[PAIRS:]])
    frames: list[tuple[str, FloatArray, float, float]] = []
    for frame, position, orientation in ((hand, 1.0, 1.0), (elbow, 0.3, 0.0)):
        step = se3.exp(np.concatenate([rng.normal(0, 0.02, 3), rng.normal(0, 0.05, 3)]))
        T = model.forward(q, frame) @ step
        frames.append((frame, T, position, orientation))
    return Case(
        model=model,
        q=q,
        frames=frames,
        scene=scene if with_pairs else None,
        boxes=boxes if with_pairs else (),
        shapes=shapes,
    )


def _two_pandas() -> RobotModel:
    arm = gelenk.load("panda")
    T = se3.exp([0.0, -0.7, 0.0, 0.0, 0.0, 0.0])
    return arm.with_attached("base", arm, T_link_root=T, prefix="right_")


def _two_arm_case(rng: np.random.Generator) -> Case:
    model = _two_pandas()
    q = model.home_configuration + rng.normal(0.0, 0.2, model.nq)
    q = np.clip(q, *model.limits)
    frames: list[tuple[str, FloatArray, float, float]] = []
    for frame, orientation in (
        ("hand_tcp", 1.0),
        ("right_hand_tcp", 1.0),
        ("link_4", 0.0),
    ):
        step = se3.exp(np.concatenate([rng.normal(0, 0.02, 3), rng.normal(0, 0.05, 3)]))
        T = model.forward(q, frame) @ step
        frames.append((frame, T, 1.0 if orientation else 0.2, orientation))
    return Case(model=model, q=q, frames=frames)


def _humanoid() -> RobotModel:
    """Return NAO on a floating base, its coupled hip joints each on its own."""
    nao = gelenk.load("nao")
    kinds = np.array([int(JointType.FLOATING), *nao.joint_type[1:]])
    return replace(nao, joint_type=kinds, mimic=np.full_like(nao.mimic, -1))


def _humanoid_case(rng: np.random.Generator) -> Case:
    model = _humanoid()
    q = model.home_configuration
    q[7:] = np.clip(q[7:] + rng.normal(0.0, 0.1, len(q) - 7), *model.limits)
    frames: list[tuple[str, FloatArray, float, float]] = []
    for frame, position, orientation in (
        ("l_sole", 10.0, 10.0),
        ("r_sole", 10.0, 10.0),
        ("r_hand", 1.0, 0.0),
    ):
        step = se3.exp(np.concatenate([rng.normal(0, 0.01, 3), np.zeros(3)]))
        T = model.forward(q, frame) @ (step if frame == "r_hand" else np.eye(4))
        frames.append((frame, T, position, orientation))
    return Case(model=model, q=q, frames=frames)


def _compared(
    name: str, case: Case, target: float, note: str, settings: Settings
) -> Row:
    """Return the row of a step's time, ours and mink's in turns."""
    mink = find_peer("mink")
    calls = {"ours": case.ours()}
    if mink is not None:
        calls["mink"] = case.minks(mink)
    times = interleaved(calls, rounds=settings.pick(300, 60)).microseconds()
    return Row(
        name=name,
        value=times.pop("ours"),
        unit="us",
        target=target,
        peers=times,
        note=note if mink is not None else missing_note("mink"),
    )


def differential_steps(settings: Settings) -> Iterator[Row]:
    """Steps of differential inverse kinematics: the same solution, and how fast."""
    mink = find_peer("mink")
    panda = gelenk.load("panda")
    worst = 0.0
    count = settings.pick(200, 20)
    makers: list[Callable[[np.random.Generator], Case]] = [
        lambda rng: _panda_case(panda, rng, with_pairs=False, shapes="visual"),
        _two_arm_case,
        _humanoid_case,
    ]
    rng = settings.rng()
    each: list[float] = []
    for make in makers:
        worst = 0.0
        for _ in range(count if mink is not None else 0):
            case = make(rng)
            gap = np.abs(case.ours()() - case.minks(mink)()).max()
            worst = max(worst, DT * float(gap))
        each.append(worst)
    yield Row(
        name="difference of steps from mink's, the same problem",
        value=max(each) if mink is not None else None,
        unit="rad",
        target=1e-6,
        note=(
            f"without collisions, {count} each: arm {each[0]:.1g}, two arms "
            f"{each[1]:.1g}, humanoid {each[2]:.1g}"
            if mink is not None
            else missing_note("mink")
        ),
    )
    rng = settings.rng()
    plain = "two frames, posture, limits of configuration and speed"
    yield _compared("step of an arm", makers[0](rng), 100.0, plain, settings)
    arms = [("visual", panda, "capsules")]
    meshed = meshed_panda()
    if meshed is not None:
        arms.append(("collision", meshed, "meshes"))
    for shapes, model, words in arms:
        case = _panda_case(model, rng, with_pairs=True, shapes=shapes)
        near = (
            (case.scene.distance(case.q).distance < WITHIN).sum() if case.scene else 0
        )
        note = f"{plain}, {PAIRS} pairs, {near} of them nearer than {WITHIN} m"
        yield _compared(
            f"step of an arm with {PAIRS} pairs, {words}", case, 100.0, note, settings
        )
    yield _compared(
        "step of two arms", _two_arm_case(rng), 300.0, "14 joints, 4 tasks", settings
    )
    yield _compared(
        "step of a humanoid",
        _humanoid_case(rng),
        300.0,
        "NAO on a floating base, 32 velocities, 4 tasks",
        settings,
    )


def whole_body_steps(settings: Settings) -> Row:
    """Time of a step of whole-body control: a humanoid on both feet."""
    model = _humanoid()
    q = model.home_configuration
    qd = np.zeros(model.nv)
    corners = [(x, y, 0.0) for x in (-0.03, 0.06) for y in (-0.02, 0.02)]
    contacts = [
        PointContact(frame=foot, point=corner)
        for foot in ("l_sole", "r_sole")
        for corner in corners
    ]
    hand = model.forward(q, "r_hand")
    hand[:3, 3] += 0.01
    tasks: list[MotionTask] = [
        FrameTask(frame="torso", target=model.forward(q, "torso")),
        FrameTask(frame="r_hand", target=hand, orientation_weight=0.0),
        PostureTask(target=q, weight=0.1),
    ]
    times = interleaved(
        {"ours": lambda: solve_whole_body(model, q, qd, tasks, contacts)},
        rounds=settings.pick(200, 40),
    ).microseconds()
    found = solve_whole_body(model, q, qd, tasks, contacts)
    return Row(
        name="step of whole-body control, humanoid",
        value=times["ours"],
        unit="us",
        target=1000.0,
        note=f"32 velocities, 8 contacts, 3 tasks, {found.status.value}",
    )
