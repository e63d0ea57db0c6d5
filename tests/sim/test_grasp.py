"""Grippers hold what is between their fingers, exactly, and let it fly when they open.

The engine alone is stepped here; joints follow prescribed motions, as strong motors do.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import mujoco
import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.models.assembler import assemble
from gelenk.models.link import Geometry, JointType, Link
from gelenk.models.tree import RobotModel
from gelenk.sim.bridge.layout import address_table
from gelenk.sim.bridge.robots import add_robot
from gelenk.sim.bridge.shapes import add_object, apply_start, new_spec
from gelenk.sim.grasp import carry_held
from gelenk.sim.grasp_bank import FREE, list_grippers, pack_grasps, state_arrays
from gelenk.sim.grasp_points import carried_pose, relative_pose
from gelenk.sim.objects import (
    Ball,
    Cuboid,
    Gripper,
    Ground,
    Movable,
    MovableCylinder,
    Robot,
    Surface,
)
from gelenk.spatial import se3
from gelenk.spatial.quaternion import quaternion_from_matrix

STEP = 0.001
STRONG = 1e4  # [kg m^2], inertia of joints that nothing moves
OPEN = 0.1  # [m] from the middle to the inner face of a finger


def hand(axis: int = 0, *, has_round_thumb: bool = False) -> RobotModel:
    """A palm that rises, shifts and turns about x, with two fingers along an axis."""

    def solid(name: str, joint: str, parent: str | None, **fields: Any) -> Link:
        return Link(
            name=name,
            joint=joint,
            parent=parent,
            mass=0.5,
            inertia=np.eye(3) * 1e-3,
            **fields,
        )

    def finger(name: str, side: float) -> Link:
        size = np.full(3, 0.06)
        size[axis] = 0.02
        direction = np.zeros(3)
        direction[axis] = side
        T = np.eye(4)
        T[:3, 3] = direction * (OPEN + 0.01)
        shape = Geometry(
            kind="box", size=tuple(size), T_link_geometry=T, role="collision"
        )
        if has_round_thumb and side > 0.0:
            shape = replace(shape, kind="capsule", size=(0.01, 0.04))
        return solid(
            name,
            f"{name}_slide",
            "palm",
            joint_type=JointType.PRISMATIC,
            axis=-direction,
            geometry=(shape,),
        )

    slide, hinge = JointType.PRISMATIC, JointType.REVOLUTE
    return assemble(
        "hand",
        [
            Link(name="mast"),
            solid("lift", "rise", "mast", joint_type=slide),
            solid("beam", "shift", "lift", joint_type=slide, axis=(0, 1, 0)),
            solid("palm", "turn", "beam", joint_type=hinge, axis=(1, 0, 0)),
            finger("left", -1.0),
            finger("right", 1.0),
        ],
    )


HAND = Gripper(base="palm", fingers=("left", "right"))


class Scene:
    """Robots whose joints move as told, and things they may hold."""

    def __init__(
        self, robots: Mapping[str, Robot], *things: Any, weak: tuple[str, ...] = ()
    ) -> None:
        spec = new_spec()
        placed = [add_robot(spec, robot) for robot in robots.values()]
        for joint in spec.joints:
            joint.armature = 0.01 if joint.name in weak else STRONG
        placed += [add_object(spec, thing) for thing in things]
        self.model: Any = spec.compile()
        self.data: Any = mujoco.MjData(self.model)
        for one in placed:
            apply_start(self.model, self.data, one)
        num_dofs = sum(robot.model.nv for robot in robots.values())
        self.dofs = np.arange(num_dofs - len(weak))  # fingers come last
        grippers = list_grippers(robots.values())
        self.names = [thing.name for thing in things if isinstance(thing, Movable)]
        self.bank = pack_grasps(self.model, self.data, grippers, self.names)
        mujoco.mj_forward(self.model, self.data)
        self.table = address_table(self.model, self.data)

    def move(self, seconds: float, **speeds: float) -> None:
        """Move joints `robot__joint` with constant speeds, all others not at all."""
        qd = np.zeros(len(self.dofs))
        for name, speed in speeds.items():
            joint = self.model.joint(name.replace("__", "/"))
            qd[int(joint.dofadr[0])] = speed
        for _ in range(round(seconds / STEP)):
            q = self.data.qpos[self.dofs] + STEP * qd
            self.data.qvel[self.dofs] = qd
            mujoco.mj_step1(self.model, self.data)
            # Strong motors carry the arm: its weight must not be felt by what it holds.
            self.data.qfrc_applied[self.dofs] = self.data.qfrc_bias[self.dofs]
            mujoco.mj_step2(self.model, self.data)
            self.data.qpos[self.dofs], self.data.qvel[self.dofs] = q, qd
            carry_held(self.table, self.bank)
        mujoco.mj_kinematics(self.model, self.data)
        mujoco.mj_comPos(self.model, self.data)
        mujoco.mj_comVel(self.model, self.data)

    def pose(self, body: str) -> np.ndarray:
        T = np.eye(4)
        T[:3, :3] = self.data.body(body).xmat.reshape(3, 3)
        T[:3, 3] = self.data.body(body).xpos
        return T

    def twist(self, body: str) -> np.ndarray:
        twist = np.zeros(6)
        kind, index = mujoco.mjtObj.mjOBJ_XBODY, self.model.body(body).id
        mujoco.mj_objectVelocity(self.model, self.data, kind, index, twist, 0)
        return np.concatenate([twist[3:], twist[:3]])

    def relative(self, thing: str, palm: str = "hand/palm") -> np.ndarray:
        return se3.inverse(self.pose(palm)) @ self.pose(thing)

    def holder(self, thing: str) -> int:
        return int(self.bank.holder[self.names.index(thing)])


def placed_hand(name: str = "hand", axis: int = 0, **options: Any) -> Robot:
    T = np.eye(4)
    T[2, 3] = 0.05
    return Robot(
        name=name,
        model=options.pop("model", None) or hand(axis),
        T_world_base=T,
        grippers=options.pop("grippers", (HAND,)),
        **options,
    )


CUBOID = Cuboid(name="c", size=(0.1, 0.1, 0.1), mass=0.5, position=(0.01, 0, 0.05))


def grasping(*others: Any, thing: Any = CUBOID) -> Scene:
    """A hand that has closed around a thing which stood 1 cm off its middle."""
    scene = Scene({"hand": placed_hand()}, Ground(), thing, *others)
    scene.move(0.6, hand__left_slide=0.1, hand__right_slide=0.1)
    return scene


@pytest.mark.capability("AB-140")
def test_fingers_push_first_and_hold_once_both_touch() -> None:
    scene = Scene({"hand": placed_hand()}, Ground(), CUBOID)

    scene.move(0.45, hand__left_slide=0.1, hand__right_slide=0.1)
    assert scene.holder("c") == FREE  # the right finger has pushed, the left not yet
    assert scene.pose("c")[0, 3] < 0.006

    scene.move(0.1, hand__left_slide=0.1, hand__right_slide=0.1)
    assert scene.holder("c") == 0


@pytest.mark.parametrize(
    "thing",
    [
        CUBOID,
        MovableCylinder(
            name="c", radius=0.05, length=0.1, mass=0.5, position=(0.01, 0, 0.05)
        ),
        Ball(name="c", radius=0.05, mass=0.5, spins=False, position=(0.01, 0, 0.05)),
    ],
)
@pytest.mark.capability("AB-140", "AB-X04")
def test_what_is_held_moves_as_a_part_of_the_arm(thing: Any) -> None:
    scene = grasping(thing=thing)
    before = scene.relative("c")
    turns = not isinstance(thing, Ball)

    scene.move(1.0, hand__rise=0.2, hand__shift=0.1)
    scene.move(1.0, hand__turn=np.pi / 2, hand__shift=-0.3)

    after = scene.relative("c")
    assert scene.pose("c")[2, 3] > 0.2
    if turns:
        assert_allclose(after, before, atol=1e-12)
        twist, (v, omega) = scene.twist("c"), np.split(scene.twist("hand/palm"), 2)
        arm = scene.pose("c")[:3, 3] - scene.pose("hand/palm")[:3, 3]
        assert_allclose(twist, [*(v + np.cross(omega, arm)), *omega], atol=1e-12)
    else:
        assert_allclose(after[:3, 3], before[:3, 3], atol=1e-12)


@pytest.mark.capability("AB-188")
def test_a_turned_cuboid_is_set_down_on_another_face() -> None:
    scene = grasping()
    scene.move(1.0, hand__rise=0.2)
    scene.move(1.0, hand__turn=np.pi / 2)
    down = (scene.pose("c")[2, 3] - 0.05) / 1.0
    scene.move(1.0, hand__rise=-down)
    place = scene.pose("c")

    scene.move(0.5, hand__left_slide=-0.1, hand__right_slide=-0.1)
    scene.move(0.5)

    assert scene.holder("c") == FREE
    assert_allclose(scene.pose("c")[:3, 3], place[:3, 3], atol=1e-3)
    assert scene.pose("c")[2, 1] == pytest.approx(1.0, abs=1e-3)  # its y axis is up


def test_a_thing_let_go_flies_on_with_the_velocity_of_the_gripper() -> None:
    scene = grasping()
    scene.move(1.0, hand__rise=1.0)
    scene.move(0.2, hand__rise=0.5, hand__shift=0.3, hand__turn=0.4)
    # Fingers open at once: the touch ends with the first tick.
    scene.move(
        0.001,
        hand__rise=0.5,
        hand__shift=0.3,
        hand__turn=0.4,
        hand__left_slide=-40.0,
        hand__right_slide=-40.0,
    )
    p, twist = scene.pose("c")[:3, 3], scene.twist("c")

    scene.move(0.2)

    assert scene.holder("c") == FREE
    assert_allclose(twist[[1, 2]], (0.3, 0.5), atol=0.05)
    t, g = 0.2, np.array([0.0, 0.0, -9.81])
    flight = p + twist[:3] * t + 0.5 * g * t * (t + STEP)  # first-order steps
    assert_allclose(scene.pose("c")[:3, 3], flight, atol=2e-3)
    assert_allclose(scene.twist("c")[3:], (0.4, 0.0, 0.0), atol=1e-3)


def test_fingers_of_different_shapes_hold_too() -> None:
    """The engine orders the two bodies of a contact by shape: box, cylinder, capsule."""
    can = MovableCylinder(
        name="c", radius=0.05, length=0.1, mass=0.5, position=(0, 0, 0.05)
    )
    robot = placed_hand(model=hand(has_round_thumb=True))
    scene = Scene({"hand": robot}, Ground(), can)
    scene.move(0.51, hand__left_slide=0.1, hand__right_slide=0.1)
    assert scene.holder("c") == 0


def test_a_finger_within_a_hair_still_holds() -> None:
    scene = Scene({"hand": placed_hand()}, Ground(), CUBOID)
    scene.move(0.501, hand__left_slide=0.1, hand__right_slide=0.1)
    gap = 5e-5
    left = scene.data.joint("hand/left_slide").qpos[0]
    face = scene.relative("c")[0, 3] - 0.05 + OPEN  # where its left face is
    scene.move(0.01, hand__left_slide=100 * (face - gap - left))
    assert scene.holder("c") == 0
    scene.move(0.01, hand__left_slide=-100 * 2e-4)
    assert scene.holder("c") == FREE


def test_a_hold_lasts() -> None:
    scene = grasping()
    before = scene.relative("c")
    for k in range(10):
        scene.move(0.3, hand__rise=0.05 * (-1) ** k, hand__turn=0.3 * (-1) ** k)
        assert scene.holder("c") == 0
    assert_allclose(scene.relative("c"), before, atol=1e-11)


def test_touching_one_side_pushes_and_does_not_hold() -> None:
    scene = Scene({"hand": placed_hand()}, Ground(), CUBOID)
    scene.move(1.0, hand__right_slide=0.1)
    assert scene.holder("c") == FREE
    # The finger's face has come from 0.1 to 0; the cuboid's from 0.06.
    assert scene.pose("c")[0, 3] == pytest.approx(-0.05, abs=2e-3)


def test_a_finger_of_nobody_does_not_count() -> None:
    half = Gripper(base="palm", fingers=("left",))
    scene = Scene({"hand": placed_hand(grippers=(half,))}, Ground(), CUBOID)
    scene.move(0.6, hand__left_slide=0.1, hand__right_slide=0.1)
    assert scene.data.ncon >= 8  # both fingers press
    assert scene.holder("c") == FREE


def test_fingers_without_a_gripper_never_hold() -> None:
    scene = Scene({"hand": placed_hand(grippers=())}, Ground(), CUBOID)
    scene.move(0.55, hand__left_slide=0.1, hand__right_slide=0.1)
    assert scene.bank.holder.tolist() == [FREE]


@pytest.mark.capability("AB-137")
def test_others_cannot_push_what_is_held() -> None:
    bullet = Ball(name="bullet", radius=0.03, mass=0.3, position=(0.0, -0.5, 0.3))
    scene = grasping(bullet)
    scene.move(1.0, hand__rise=0.25)
    before = scene.relative("c")
    scene.data.qpos[-7:-4], scene.data.qvel[-6:] = bullet.position, (0, 4, 0, 0, 0, 0)

    scene.move(0.3)

    assert scene.pose("bullet")[1, 3] < -0.07  # it was stopped in its way
    assert_allclose(scene.relative("c"), before, atol=1e-12)
    assert scene.holder("c") == 0


@pytest.mark.capability("AB-139")
def test_a_second_gripper_takes_over() -> None:
    one, other = placed_hand("one", axis=0), placed_hand("other", axis=1)
    scene = Scene({"one": one, "other": other}, Ground(), CUBOID)
    close = {"left_slide": 0.1, "right_slide": 0.1}

    def speeds(name: str, sign: float = 1.0) -> dict[str, float]:
        return {f"{name}__{joint}": sign * v for joint, v in close.items()}

    scene.move(0.6, **speeds("one"))
    assert scene.holder("c") == 0
    # A one-sided touch of the second does not end the hold of the first.
    scene.move(0.505, other__left_slide=0.1)
    assert scene.holder("c") == 0
    before = scene.pose("c")
    # Both hold: nobody's, and it stays where it is.
    scene.move(0.505, other__right_slide=0.1)
    assert scene.holder("c") == FREE
    scene.move(0.3)
    assert_allclose(scene.pose("c"), before, atol=2e-3)
    # The first opens: the second has it, where it is now.
    scene.move(0.3, **speeds("one", -1.0))
    assert scene.holder("c") == 1
    held = scene.relative("c", "other/palm")
    scene.move(0.5, other__rise=0.2)
    assert_allclose(scene.relative("c", "other/palm"), held, atol=1e-12)
    assert scene.pose("c")[2, 3] == pytest.approx(0.15, abs=2e-3)


def test_a_restored_state_goes_on_to_the_same_bits() -> None:
    scene = grasping()
    scene.move(0.1, hand__rise=0.2)
    signature = mujoco.mjtState.mjSTATE_INTEGRATION
    state = np.empty(mujoco.mj_stateSize(scene.model, signature))
    mujoco.mj_getState(scene.model, scene.data, state, signature)
    arrays = [
        array.copy() for array in (*state_arrays(scene.bank), scene.model.dof_armature)
    ]

    def go_on() -> bytes:
        scene.move(0.2, hand__turn=1.0)
        scene.move(0.3, hand__left_slide=-0.1, hand__right_slide=-0.1)
        return scene.data.qpos.tobytes() + scene.data.qvel.tobytes()

    first = go_on()
    assert scene.holder("c") == FREE
    mujoco.mj_setState(scene.model, scene.data, state, signature)
    for target, source in zip(
        (*state_arrays(scene.bank), scene.model.dof_armature), arrays, strict=True
    ):
        target[...] = source
    assert scene.holder("c") == 0
    assert go_on() == first


def test_inertia_is_given_back_on_release() -> None:
    scene = grasping()
    assert scene.model.dof_armature[-6:].min() > 1e3
    scene.move(0.3, hand__left_slide=-0.1, hand__right_slide=-0.1)
    assert not scene.model.dof_armature[-6:].any()


def test_poses_are_composed_as_matrices_are() -> None:
    rng = np.random.default_rng(2)
    for _ in range(20):
        T_world_gripper, T_world_thing = se3.exp(rng.normal(size=(2, 6)))
        places = [
            (T[:3, 3].copy(), quaternion_from_matrix(T[:3, :3]))
            for T in (T_world_gripper, T_world_thing)
        ]
        relative = np.zeros(7)
        relative_pose(*places[0], *places[1], relative)
        T = se3.inverse(T_world_gripper) @ T_world_thing
        assert_allclose(relative[:3], T[:3, 3], atol=1e-14)
        quat = quaternion_from_matrix(T[:3, :3])
        assert abs(relative[3:] @ quat) == pytest.approx(1.0, abs=1e-14)
        back = np.array(carried_pose(*places[0], relative))
        assert_allclose(back[:3], places[1][0], atol=1e-14)
        assert abs(back[3:] @ places[1][1]) == pytest.approx(1.0, abs=1e-14)


def test_grippers_name_links_that_exist_and_can_touch() -> None:
    with pytest.raises(NameNotFoundError, match="no link named 'thumb'"):
        placed_hand(grippers=(Gripper(base="palm", fingers=("thumb",)),))
    with pytest.raises(ConfigError, match="needs `fingers`"):
        Gripper(base="palm", fingers=())
    with pytest.raises(ConfigError, match="'hand/lift' has no shape that can touch"):
        Scene(
            {"hand": placed_hand(grippers=(Gripper(base="palm", fingers=("lift",)),))},
            CUBOID,
        )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("thing", "creep"),
    [
        (
            Ball(name="c", radius=0.05, mass=0.1, position=(0, 0, 0.05), friction=1.0),
            0.067e-3,
        ),
        (
            Cuboid(
                name="c", size=(0.1,) * 3, mass=0.2, position=(0, 0, 0.05), friction=1.0
            ),
            0.024e-3,
        ),
    ],
)
def test_friction_alone_holds_with_little_creep(thing: Any, creep: float) -> None:
    """Two fingers of 10 N: lift by 0.3 m, then hold for 10 s."""
    robot = placed_hand(grippers=(), surface=Surface(friction=1.0))
    fingers = ("hand/left_slide", "hand/right_slide")
    scene = Scene({"hand": robot}, Ground(), thing, weak=fingers)
    for name in fingers:
        scene.model.dof_damping[scene.model.joint(name).dofadr] = 50.0
        scene.data.joint(name).qfrc_applied = 10.0
    scene.move(1.5)
    start = scene.relative("c")[2, 3]

    for t in np.arange(0.005, 1.0, 0.01):  # gently: a jump in speed would slip
        scene.move(0.01, hand__rise=0.6 * np.sin(np.pi * t) ** 2)
    lifted = scene.relative("c")[2, 3]
    scene.move(10.0)

    assert scene.pose("c")[2, 3] > 0.34
    assert abs(lifted - start) < 0.1e-3
    assert abs(scene.relative("c")[2, 3] - lifted) < creep
