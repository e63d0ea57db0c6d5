"""Closed chains of ideal motors in a world: written in every tick, exactly closed.

Oracles: poses computed by the engine, differences of positions, lengths and angles of
plane triangles, the law of impact.
"""

from __future__ import annotations

import time

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from closed_mechanisms import (
    CRANK,
    CRANK_END,
    FEET,
    GROUND,
    MECHANISMS,
    START,
    gap,
    tripod,
)
from gelenk.errors import NameNotFoundError
from gelenk.kinematics.configuration import tree_coordinates
from gelenk.models.parts import Assembly, BodyPart
from gelenk.models.tree import RobotModel
from gelenk.sim import (
    Ball,
    Cuboid,
    Fault,
    Ground,
    IdealMotor,
    PositionServo,
    Robot,
    World,
    WorldConfig,
)
from gelenk.sim.objects import Surface
from gelenk.sim.observe import LoopBreak
from gelenk.spatial.so3 import angle_between

MEETS = 1e-8  # [m]
PATTERNS = ["tripod", "tight_len", "tight_rot", "tight_pseudo", "stacked"]
GENERAL = [
    "fourbar",
    "two_fourbars",
    "fivebar",
    "delta",
    "stewart",
    "jansen",
    "slider_crank",
]
WEIGHTLESS = WorldConfig(gravity=(0.0, 0.0, 0.0))
HOLDING = PositionServo(kp=400.0, kd=40.0, torque_limit=500.0, rotor_inertia=0.5)


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(7)


def robot_of(name: str, model: RobotModel, *, speed: float = 1.0, **more) -> Robot:
    motors = more.pop("motors", IdealMotor(max_speed=speed))
    settings = {"colliding_links": (), "q": START.get(name), **more}
    return Robot(name="r", model=model, motors=motors, **settings)


def world_of(name: str, *, speed: float = 1.0, **more) -> tuple[World, RobotModel]:
    model = MECHANISMS[name]()
    world = World()
    world.add(robot_of(name, model, speed=speed, **more))
    return world, model


def state(world: World) -> np.ndarray:
    """qpos and qvel."""
    data = world._compiled().data
    return np.stack([data.qpos.copy(), data.qvel.copy()])


def turned(change: np.ndarray) -> np.ndarray:
    """Angles without whole turns; lengths here are far below one."""
    return (change + np.pi) % (2.0 * np.pi) - np.pi


def sweep(name: str, rng: np.random.Generator) -> np.ndarray:
    """Motor targets, each reachable, in the order of a tour, shape (k, n)."""
    model = MECHANISMS[name]()
    q = np.array(START.get(name, model.home_configuration), dtype=np.float64)
    reach = {"tight_rot": 0.06, "tight_pseudo": 0.7, "delta": 0.4}.get(name, 0.08)
    if name in ("fourbar", "jansen", "slider_crank"):
        return q + np.array([[4.0], [-3.0]])  # their cranks turn round
    return q + rng.uniform(-reach, reach, (4, len(q)))


# -- closed in every tick --------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.capability("AB-151", "AB-X11")
@pytest.mark.parametrize("name", [*PATTERNS, *GENERAL])
def test_points_meet_in_every_tick_and_no_constraint_holds_them(name, rng) -> None:
    world, model = world_of(name)
    worst = 0.0
    for target in sweep(name, rng):
        world.command("r", target)
        for _ in range(250):
            world.step()
            worst = max(worst, gap(world, "r", model))
            assert world._compiled().data.nefc == 0
        assert all(world.loops_closed("r").values())
    assert worst < MEETS
    assert world.loop_breaks() == ()


@pytest.mark.parametrize("name", [*PATTERNS, *GENERAL])
def test_joints_are_those_of_kinematics(name, rng) -> None:
    world, model = world_of(name)
    q = sweep(name, rng)[0]
    world.command("r", q)
    world.run(1.5 if name not in ("fourbar", "jansen", "slider_crank") else 5.0)

    assert_array_equal(world.joint_positions("r"), q)
    data = world._compiled().data
    names = [f"r/{model.joint_names_all[i]}" for i in model.tree_joint_ids]
    found = np.array([data.joint(joint).qpos[0] for joint in names])
    is_length = model.joint_type[model.tree_joint_ids] == 2
    change = found - tree_coordinates(model, q)
    assert_allclose(np.where(is_length, change, turned(change)), 0.0, atol=1e-9)


@pytest.mark.parametrize("name", [*PATTERNS, *GENERAL])
def test_velocities_are_differences_of_positions(name, rng) -> None:
    world, _ = world_of(name)
    world.step()
    before, fastest = state(world), 0.0
    for target in sweep(name, rng)[:2]:
        world.command("r", target)
        for _ in range(100):
            world.step()
            now = state(world)
            assert_allclose(now[1], turned(now[0] - before[0]) / 1e-3, atol=1e-9)
            before, fastest = now, max(fastest, np.abs(now[1]).max())
    assert fastest > 0.1


def test_rods_that_mimic_others_are_written_too(rng) -> None:
    world, model = world_of("delta")
    world.command("r", sweep("delta", rng)[0])
    world.run(0.1)
    data = world._compiled().data
    followers = np.flatnonzero(model.mimic >= 0)
    assert len(followers) == 6
    for i in followers:
        own, master = (
            data.joint(f"r/{model.joint_names_all[k]}") for k in (i, model.mimic[i])
        )
        value = model.multiplier[i] * master.qpos[0] + model.offset[i]
        assert own.qpos[0] == pytest.approx(value, abs=1e-15)
        assert own.qvel[0] == model.multiplier[i] * master.qvel[0]


def test_chains_on_a_body_that_falls_stay_closed() -> None:
    robot = Assembly(
        BodyPart("body", mass=2.0, inertia=0.02 * np.eye(3), is_floating=True)
    )
    legs = [
        robot.fullrot(f"foot_{i}", at=at).linear_motor(
            f"leg_{i}", limits=(0.2, 0.5), mass=0.1
        )
        for i, at in enumerate(FEET)
    ]
    robot.closed_chain("apex", legs).gripper_mount()
    model = robot.build("flying")
    world = World()
    q = np.concatenate([model.home_configuration[:7], [0.3, 0.3, 0.3]])
    world.add(robot_of("flying", model, q=q))
    world.command("r", [0.33, 0.3, 0.35])
    for _ in range(100):
        world.step()
        assert gap(world, "r", model) < MEETS
    assert world.pose("r")[2, 3] == pytest.approx(-0.5 * 9.81 * 0.1**2, rel=0.2)


# -- branches --------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.capability("AB-191")
@pytest.mark.parametrize("name", PATTERNS[:4])
def test_sweeps_never_make_the_union_or_what_is_behind_it_jump(name, rng) -> None:
    world, model = world_of(name)
    closure = model.loops[0]
    first = f"r/{model.link_names[closure.links[0]]}"
    last = f"r/{model.link_names[-1]}"
    world.step()
    poses = [(world.pose(first), world.pose(last))]
    for target in sweep(name, rng):
        world.command("r", target)
        for _ in range(200):
            world.step()
            poses.append((world.pose(first), world.pose(last)))
    T = np.array(poses)  # (ticks, 2, 4, 4)
    steps = np.linalg.norm(np.diff(T[..., :3, 3], axis=0), axis=-1)
    turns = angle_between(T[:-1, ..., :3, :3], T[1:, ..., :3, :3])
    assert 1e-4 < steps.max() < 0.01  # motors move by 1e-3 m or rad in a tick
    assert turns.max() < 0.05


@pytest.mark.capability("AB-191")
@pytest.mark.parametrize("name", PATTERNS[:4])
def test_a_pose_is_the_same_after_a_thousand_others(name, rng) -> None:
    world, _ = world_of(name, speed=1e3)  # every target within one tick
    tour = sweep(name, rng)[:1]
    others = tour.mean(axis=0) + rng.uniform(-0.3, 0.3, (1000, tour.shape[1]))
    world.command("r", tour[0])
    world.step()
    before = world._compiled().data.qpos.copy()
    for other in others:
        world.command("r", other)
        world.step()
    world.command("r", tour[0])
    world.step()
    assert all(world.loops_closed("r").values())
    assert_array_equal(world._compiled().data.qpos, before)


# Motor values at which a loop cannot close, and the way there through values at which
# it can.
TORN = {
    "tripod": [0.06, 0.06, 0.06],
    "tight_len": [0.2, 0.02],
    "tight_rot": [0.25],
    "tight_pseudo": [np.pi / 2.0, 0.0],
    "two_fourbars": [CRANK_END + 0.2, 0.3],
    "fivebar": [2.6, 0.3],
    "stewart": [0.85, 0.85, 0.85, 1.6, 1.6, 1.6],
}


@pytest.mark.capability("AB-191")
@pytest.mark.parametrize("name", TORN)
def test_a_broken_chain_keeps_its_joints_and_closes_on_its_old_branch(name) -> None:
    world, model = world_of(name)
    home = world.joint_positions("r")
    loop = model.loops[0].name
    assert world.loops_closed("r")[loop]
    way: list[np.ndarray] = []
    world.command("r", TORN[name])
    while world.loops_closed("r")[loop] and len(way) < 3000:
        world.step()
        way.append(state(world)[0])
    broken_at = world.tick
    assert world.loop_breaks()[0] == LoopBreak(
        tick=broken_at, time=broken_at * 1e-3, robot="r", loop=loop
    )
    world.run(0.2)
    motors = world._compiled().joints["r"][0]
    passive = np.setdiff1d(np.arange(len(way[0])), motors)
    own = passive[:2] if name == "two_fourbars" else passive
    assert_array_equal(world._compiled().data.qpos[own], way[-2][own])
    assert_array_equal(world._compiled().data.qvel[own], 0.0)
    assert world.loop_breaks() == ()
    assert not world.loops_closed("r")[loop]

    world.command("r", home)
    seen: list[np.ndarray] = []
    for _ in range(3000):
        world.step()
        if world.loops_closed("r")[loop]:
            assert gap(world, "r", model) < MEETS
        seen.append(state(world)[0])
        if (world.joint_positions("r") == home).all():
            break
    assert all(world.loops_closed("r").values())
    assert_allclose(turned(seen[-1] - tree_of(world, model, home)), 0.0, atol=1e-9)


def tree_of(world: World, model: RobotModel, q: np.ndarray) -> np.ndarray:
    """qpos of a robot that is alone in its world."""
    with World() as other:
        other.add(Robot(name="r", model=model, q=q, colliding_links=()))
        other._compiled()
        return other._compiled().data.qpos.copy()


def test_a_linkage_that_cannot_close_does_not_stop_another() -> None:
    world, model = world_of("two_fourbars")
    world.command("r", [CRANK_END + 0.3, 0.3])
    world.run(1.5)
    assert world.loops_closed("r") == {"left": False, "right": True}
    assert gap(world, "r", model, loop=1) < MEETS
    world.command("r", [CRANK_END + 0.3, 0.9])
    world.run(1.0)
    assert gap(world, "r", model, loop=1) < MEETS
    # its rocker stopped where it is stretched, up to what a tick of 1 mrad leaves
    stretched = CRANK * np.exp(1j * CRANK_END) - GROUND
    x, _, z = world.pose("r/left_rocker")[:3, 0]
    assert abs(np.angle((x + 1j * z) / stretched)) < 0.06


# -- one state, one future -------------------------------------------------------------


@pytest.mark.parametrize("name", ["tripod", "two_fourbars", "fivebar"])
def test_runs_and_rewinds_agree_in_every_bit_while_broken(name) -> None:
    def begun() -> World:
        world, _ = world_of(name)
        world.command("r", TORN[name])
        world.run(1.0)
        return world

    world, twin = begun(), begun()
    assert not all(world.loops_closed("r").values())
    assert world.state_hash() == twin.state_hash()
    home = MECHANISMS[name]().home_configuration if name not in START else START[name]
    saved = world.snapshot()
    hashes: list[str] = []
    for each in (world, twin, world):
        if each is world and hashes:
            each.restore(saved)
            assert not all(each.loops_closed("r").values())
            assert each.loop_breaks() == ()
        each.command("r", home)
        each.run(2.0)
        assert all(each.loops_closed("r").values())
        hashes.append(each.state_hash())
    assert len(set(hashes)) == 1


# -- what it touches -------------------------------------------------------------------


def tip_robot(speed: float, bounce: float) -> Robot:
    return robot_of(
        "tripod",
        tripod(),
        speed=speed,
        colliding_links=("tip",),
        surface=Surface(restitution=bounce, group="touch"),
    )


@pytest.mark.capability("AB-125")
@pytest.mark.parametrize("bounce", [0.0, 0.5, 0.9])
def test_a_ball_struck_by_the_tip_of_a_tripod_flies_off(bounce: float) -> None:
    world = World(WEIGHTLESS)
    world.add(tip_robot(0.3, bounce))
    height = np.sqrt(0.3**2 - 0.15**2)
    ball = Ball(
        name="ball",
        radius=0.02,
        mass=0.01,
        position=(0.0, 0.0, height + 0.06),
        restitution=bounce,
        friction=0.0,
    )
    world.add(ball)
    world.command("r", [0.5, 0.5, 0.5])
    while not world.twist("ball")[:3].any():
        world.step()
    # the apex stands at sqrt(L^2 - R^2) while all legs lengthen at 0.3 m/s
    legs = world.joint_positions("r")[0]
    u = 0.3 * legs / np.sqrt(legs**2 - 0.15**2)
    if bounce:
        world.run(0.1)
    v = world.twist("ball")[:3]
    assert v[2] == pytest.approx((1.0 + bounce) * u, rel=0.03)
    assert np.hypot(v[0], v[1]) < np.tan(np.deg2rad(2.0)) * v[2]


@pytest.mark.capability("AB-39")
def test_nothing_in_its_way_changes_the_path_of_a_closed_chain() -> None:
    def path(*, blocked: bool) -> tuple[np.ndarray, set[str]]:
        world = World()
        world.add(Ground(position=(0.0, 0.0, -1.0)))
        world.add(tip_robot(0.2, 0.0))
        if blocked:
            load = {"size": (0.2, 0.2, 0.05), "mass": 50.0}
            world.add(Cuboid(name="load", position=(0.0, 0.0, 0.32), **load))
            world.add(
                Ball(name="ball", radius=0.02, mass=1.0, position=(0.0, 0.0, 0.4))
            )
        engine = world._compiled().model
        joints = [engine.joint(i).name for i in range(engine.njnt)]
        joints = [name for name in joints if name.startswith("r/")]
        rows, touched = [], set()
        for target in ([0.4, 0.35, 0.42], [0.3, 0.45, 0.33], [0.33, 0.33, 0.33]):
            world.command("r", target)
            for _ in range(200):
                world.step()
                data = world._compiled().data
                rows.append([data.joint(j).qpos[0] for j in joints])
                touched |= {name for c in world.contacts() for name in c.bodies}
        return np.array(rows), touched

    free, _ = path(blocked=False)
    blocked, touched = path(blocked=True)
    assert {"r/tip", "load"} <= touched
    assert_array_equal(free, blocked)


# -- when motors are not ideal ---------------------------------------------------------


@pytest.mark.parametrize("name", ["delta", "fourbar"])
def test_loops_of_motors_that_give_way_are_held_by_forces(name: str) -> None:
    world, model = world_of(name, motors=HOLDING)
    world.run(0.1)
    assert world._compiled().data.ne > 0
    assert all(world.loops_closed("r").values())
    assert 0.0 < gap(world, "r", model) < 1e-3


def test_a_joint_without_motor_leaves_the_loop_to_the_engine() -> None:
    model = tripod()
    motors = {"leg_0": IdealMotor(max_speed=1.0), "leg_1": IdealMotor(max_speed=1.0)}
    world = World()
    world.add(robot_of("tripod", model, motors=motors))
    world.run(0.05)
    assert world._compiled().data.ne > 0


@pytest.mark.parametrize("name", ["tripod", "delta"])
def test_a_torn_joint_falls_with_its_chain_and_is_caught_again(name: str) -> None:
    model = MECHANISMS[name]()
    joint = model.joint_names[0]
    world = World()
    world.add(robot_of(name, model))
    world.add(Fault(kind="joint_limp", target=f"r/{joint}", start=0.1, duration=0.15))
    world.run(0.1)
    start = world.joint_positions("r")
    assert world._compiled().data.ne == 0
    world.run(0.12)
    assert world._compiled().data.ne > 0
    assert abs(world.joint_positions("r")[0] - start[0]) > 1e-3
    assert_array_equal(world.joint_positions("r")[1:], start[1:])
    assert gap(world, "r", model) < 1e-3
    world.run(0.1)
    assert world._compiled().data.ne == 0
    assert gap(world, "r", model) < MEETS
    assert all(world.loops_closed("r").values())
    world.command("r", start)
    world.run(1.0)
    assert gap(world, "r", model) < MEETS
    assert_allclose(
        turned(state(world)[0] - tree_of(world, model, start)), 0, atol=1e-9
    )


def test_robots_of_other_names_have_no_loops() -> None:
    world, _ = world_of("tripod")
    with pytest.raises(NameNotFoundError, match="robot"):
        world.loops_closed("tripodd")


# -- cost ------------------------------------------------------------------------------


@pytest.mark.capability("AB-160")
@pytest.mark.parametrize("name", ["tripod", "delta"])
def test_a_tick_with_closed_chains_takes_less_than_a_millisecond(name: str) -> None:
    world, model = world_of(name, speed=0.05)
    world.step()
    seconds = []
    for direction in (1.0, -1.0, 1.0, -1.0, 1.0):
        world.command("r", world.joint_positions("r") + 0.01 * direction)
        start = time.perf_counter()
        world.step(100)
        seconds.append((time.perf_counter() - start) / 100)
    assert np.median(seconds) < 1e-3 * len(model.loops)
