"""Robots in MuJoCo stand where their models say, whatever world they are put into."""

from dataclasses import replace
from typing import Any

import mujoco
import numpy as np
import pytest
from numpy.testing import assert_allclose

import gelenk
from gelenk.errors import ConfigError
from gelenk.kinematics.configuration import integrate
from gelenk.models.assembler import assemble
from gelenk.models.link import Geometry, JointType, Link
from gelenk.models.tree import RobotModel
from gelenk.sim.bridge.robots import PlacedRobot, add_robot
from gelenk.sim.bridge.shapes import add_object, apply_start, new_spec
from gelenk.sim.objects import Ball, Ground, Robot, Surface
from gelenk.spatial import se3

T_WORLD_BASE = se3.exp([0.4, -0.3, 0.7, 0.2, -0.5, 1.1])


def compiled(*robots: Robot) -> tuple[Any, Any, list[PlacedRobot]]:
    spec = new_spec()
    placed = [add_robot(spec, robot) for robot in robots]
    model: Any = spec.compile()
    data: Any = mujoco.MjData(model)
    for one in placed:
        apply_start(model, data, one)
    mujoco.mj_forward(model, data)
    return model, data, placed


def pose(data: Any, body: str) -> np.ndarray:
    T = np.eye(4)
    T[:3, :3] = data.body(body).xmat.reshape(3, 3)
    T[:3, 3] = data.body(body).xpos
    return T


def limited(model: RobotModel, rng: np.random.Generator) -> np.ndarray:
    """A configuration near home that respects the limits."""
    q = np.array(model.home_configuration)
    lower, upper = np.clip(model.limits, -1.0, 1.0)
    room = np.minimum(0.2 * (upper - lower), 0.2)
    q[-model.num_joints :] += rng.uniform(-1.0, 1.0, model.num_joints) * room
    return q


def dog() -> RobotModel:
    """A floating trunk with a leg; the foot has no mass, the root is off its origin."""
    return assemble(
        "dog",
        [
            Link(
                name="trunk",
                joint_type=JointType.FLOATING,
                mass=3.0,
                inertia=np.diag([0.02, 0.03, 0.04]),
            ),
            Link(
                name="thigh",
                parent="trunk",
                joint="hip",
                joint_type=JointType.REVOLUTE,
                T_parent_joint=se3.exp([0.2, 0.1, 0.0, 0.3, 0.0, 0.0]),
                axis=(0, 1, 0),
                mass=0.5,
                com=(0, 0, -0.1),
                inertia=np.diag([0.002, 0.002, 0.001]),
                geometry=(Geometry(kind="capsule", size=(0.02, 0.1)),),
            ),
            Link(
                name="foot",
                parent="thigh",
                joint="ankle",
                joint_type=JointType.PRISMATIC,
                T_parent_joint=se3.exp([0.0, 0.0, -0.2, 0.0, 0.0, 0.0]),
                geometry=(Geometry(kind="sphere", size=(0.03,), role="collision"),),
            ),
        ],
    )


@pytest.mark.parametrize("name", ["panda", "ur5e", "stewart", "delta", "scara", "dog"])
def test_every_link_is_where_forward_kinematics_puts_it(name: str) -> None:
    model = dog() if name == "dog" else gelenk.load(name)
    rng = np.random.default_rng(5)
    for k in range(3):
        q = limited(model, rng)
        if model.has_floating_base:
            q[:7] = integrate(
                model, model.home_configuration, rng.normal(size=model.nv), 1.0
            )[:7]

        robot = Robot(name=f"r{k}", model=model, T_world_base=T_WORLD_BASE, q=q)
        _, data, (placed,) = compiled(robot)

        assert placed.bodies == tuple(f"r{k}/{link}" for link in model.link_names)
        for link in model.link_names:
            expected = T_WORLD_BASE @ model.forward(q, frame=link)
            assert_allclose(pose(data, f"r{k}/{link}"), expected, atol=1e-12)


def test_a_root_that_is_off_its_origin_or_named_world_stands_at_the_base() -> None:
    arm = gelenk.load("planar2r")
    T_file = se3.exp([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    shapes = (Geometry(kind="sphere", size=(0.05,)),)
    model = replace(
        arm,
        link_names=("world", *arm.link_names[1:]),
        T_parent_joint=np.concatenate([T_file[None], arm.T_parent_joint[1:]]),
        geometry=(shapes, *arm.geometry[1:]),
    )

    _, data, (placed,) = compiled(
        Robot(
            name="arm", model=model, T_world_base=T_WORLD_BASE, q=np.array([0.3, 0.4])
        )
    )

    assert placed.bodies[0] == "arm/world"
    assert_allclose(pose(data, "arm/world"), T_WORLD_BASE, atol=1e-12)
    tool = T_WORLD_BASE @ model.forward([0.3, 0.4])
    assert_allclose(pose(data, placed.bodies[model.link_id()]), tool, atol=1e-12)
    assert_allclose(data.geom(placed.geoms[0]).xpos, T_WORLD_BASE[:3, 3], atol=1e-12)


def test_masses_are_those_of_the_model_and_shapes_weigh_nothing() -> None:
    for robot in (gelenk.load("panda"), dog()):
        model, _, _ = compiled(Robot(name="r", model=robot))
        for i, link in enumerate(robot.link_names):
            body = model.body(f"r/{link}").id
            assert model.body_mass[body] == pytest.approx(robot.mass[i], abs=2e-14)


def test_accelerations_are_those_of_our_dynamics() -> None:
    robot = gelenk.load("panda")
    rng = np.random.default_rng(0)
    q, qd = limited(robot, rng), rng.normal(size=7)
    tau = rng.normal(size=7)
    model, data, (placed,) = compiled(
        Robot(name="r", model=robot, q=q, qd=qd, colliding_links=())
    )
    dofs = [int(model.joint(joint).dofadr[0]) for joint in placed.joints]

    data.qfrc_applied[dofs] = tau
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    model.dof_frictionloss[:] = 0.0
    mujoco.mj_forward(model, data)

    expected = replace(robot, friction=np.zeros_like(robot.friction)).forward_dynamics(
        q, qd, tau
    )
    assert_allclose(data.qacc[dofs], expected, rtol=1e-9, atol=1e-9)


def test_a_floating_base_starts_with_its_twist_in_world_axes() -> None:
    robot = dog()
    q = integrate(robot, robot.home_configuration, 0.3 * np.arange(1.0, 9.0), 1.0)
    qd = np.array([1.0, -2.0, 0.5, 0.3, 0.2, -0.4, 0.7, 0.1])

    model, data, (placed,) = compiled(
        Robot(name="r", model=robot, T_world_base=T_WORLD_BASE, q=q, qd=qd)
    )

    twist = np.zeros(6)
    foot = model.body("r/foot").id
    mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_XBODY, foot, twist, 0)
    R = T_WORLD_BASE[:3, :3]
    v, omega = np.split(robot.jacobian(q, frame="foot") @ qd, 2)
    assert_allclose(twist, [*(R @ omega), *(R @ v)], atol=1e-12)
    assert placed.base_joint == "r/trunk_joint"
    assert placed.joints == ("r/hip", "r/ankle")


def test_a_follower_starts_where_its_law_puts_it() -> None:
    def finger(name: str, side: float, **law: Any) -> Link:
        return Link(
            name=name,
            parent="palm",
            joint_type=JointType.PRISMATIC,
            axis=(side, 0, 0),
            mass=0.1,
            inertia=np.eye(3) * 1e-4,
            **law,
        )

    gripper = assemble(
        "gripper",
        [
            Link(name="palm", mass=1.0, inertia=np.eye(3) * 1e-3),
            finger("left", 1.0),
            finger("right", -1.0, mimic="left_joint", multiplier=2.0, offset=0.01),
        ],
    )

    model, data, (placed,) = compiled(
        Robot(
            name="g",
            model=gripper,
            q=np.array([0.02]),
            qd=np.array([0.3]),
        )
    )

    assert placed.joints == ("g/left_joint",)
    assert data.joint("g/right_joint").qpos[0] == pytest.approx(0.05)
    assert data.joint("g/right_joint").qvel[0] == pytest.approx(0.6)
    assert model.neq == 1
    assert abs(data.efc_pos[0]) < 1e-15


def test_loops_hold_while_the_mechanism_falls() -> None:
    robot = gelenk.load("fourbar")
    model, data, _ = compiled(Robot(name="r", model=robot, colliding_links=()))
    for _ in range(500):
        mujoco.mj_step(model, data)
    assert data.qvel.any()
    assert np.abs(data.efc_pos[: data.ne]).max() < 1e-4


def touching_ball(robot: Robot, at: str) -> list[Any]:
    """Contacts of a ball put into the first shape of a link."""
    spec = new_spec()
    placed = add_robot(spec, robot)
    add_object(spec, Ball(name="b", mass=1.0, radius=0.01))
    model: Any = spec.compile()
    data: Any = mujoco.MjData(model)
    apply_start(model, data, placed)
    mujoco.mj_forward(model, data)
    geom = model.geom(
        next(g for g in placed.geoms if g.startswith(f"{robot.name}/{at}"))
    )
    adr = int(model.joint("b").qposadr[0])
    data.qpos[adr : adr + 3] = data.geom_xpos[geom.id] + 1e-3
    mujoco.mj_forward(model, data)
    ball = model.geom("b").id
    return [c for c in data.contact[: data.ncon] if ball in c.geom]


def test_drawn_shapes_collide_where_a_model_has_no_others() -> None:
    robot = gelenk.load("planar2r")
    link = "link_1"
    assert touching_ball(Robot(name="r", model=robot), link)
    assert not touching_ball(Robot(name="r", model=robot, colliding_links=()), link)
    assert touching_ball(Robot(name="r", model=robot, colliding_links=(link,)), link)


def test_drawn_shapes_do_not_collide_beside_collision_shapes() -> None:
    robot = Robot(name="r", model=dog())
    assert not touching_ball(robot, "thigh")
    assert touching_ball(robot, "foot")


def test_links_carry_their_own_contact_properties() -> None:
    rubber = Surface(friction=1.5, priority=3, restitution=0.4)
    (contact,) = touching_ball(
        Robot(name="r", model=dog(), surfaces={"foot": rubber}), "foot"
    )
    assert contact.friction[0] == 1.5
    model, _, (placed,) = compiled(
        Robot(name="r", model=dog(), surfaces={"foot": rubber})
    )
    assert model.geom_user[:, 0].tolist() == [-1.0, 0.4]
    assert placed.geoms == ("r/thigh/0", "r/foot/0")


def test_links_of_one_robot_pass_through_each_other_unless_asked() -> None:
    planar = gelenk.load("planar3r")
    folded = np.array([0.0, np.pi - 0.01, -np.pi + 0.02])
    counts = []
    for self_collision in (False, True):
        _, data, _ = compiled(
            Robot(name="r", model=planar, q=folded, self_collision=self_collision)
        )
        counts.append(int(data.ncon))
    assert counts[0] == 0
    assert counts[1] > 0


def test_two_robots_touch_each_other() -> None:
    planar = gelenk.load("planar2r")
    _, data, _ = compiled(Robot(name="a", model=planar), Robot(name="b", model=planar))
    assert data.ncon > 0


def test_two_robots_of_one_name_are_refused() -> None:
    spec = new_spec()
    add_object(spec, Ground(name="arm"))
    robot = Robot(name="arm", model=gelenk.load("planar2r"))
    with pytest.raises(ConfigError, match="two objects named 'arm'"):
        add_robot(spec, robot)
    add_robot(spec, replace(robot, name="leg"))
    with pytest.raises(ConfigError, match="two objects named 'leg'"):
        add_robot(spec, replace(robot, name="leg"))
