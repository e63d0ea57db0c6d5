"""From an environment to things of the simulated world, by the paper's rules.

Balls are positions without rotation: frictionless against the world, equal in mass,
elastic among each other. Cuboids are so heavy that balls take them for walls. Only
touchable parts of robots act on objects, and these parts and running belts have
friction. Roth 2021, ArmBot §3.2, §4.1 and §4.2.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from gelenk.errors import ConfigError
from gelenk.models.link import JointType
from gelenk.models.tree import RobotModel
from gelenk.robots.armbot.config import (
    BALL_MASS,
    BODY_YAW,
    CUBOID_MASS,
    REST_SPEED,
    TILE_SIZE,
    ArmBotCfg,
)
from gelenk.robots.armbot.design import RobotDesign
from gelenk.robots.armbot.environment import description as said
from gelenk.runtime.triggers import ZoneTrigger
from gelenk.sim import objects, zones
from gelenk.sim.bridge.engine import EngineCfg
from gelenk.sim.config import WorldConfig
from gelenk.sim.motors.descriptions import IdealMotor, PositionServo
from gelenk.sim.robot import Gripper, Robot
from gelenk.sim.surface import Rgba, Surface
from gelenk.sim.world import World
from gelenk.typing import FloatArray

# With a slash it is nobody's name.
BALLS = "armbot/balls"  # material of all balls
GRIP_FRICTION = 1.0  # of touchable parts
BELT_FRICTION = 1.0  # of running belts
# A ball is frictionless except where one of these has the last word.
BALL_PRIORITY, CARRIER_PRIORITY = 1, 2
WALL_HEIGHT, WALL_THICKNESS = 3.0, 0.1  # [m], of walls along the border
WALL_RGBA = (0.6, 0.6, 0.6, 0.2)
# Time constant [s] and damping ratio of contacts. Cuboids must not rebound; at a ratio
# of 1, dropped from 30 cm, they do by 2.6 mm, with this by 0.8 mm.
CONTACT_SOLREF = (0.004, 1.3)
# Motors of limited strength: full torque at this error, and how fast they settle.
FULL_TORQUE_ERROR = 0.05  # [rad]
FULL_FORCE_ERROR = 0.01  # [m]
SERVO_FREQUENCY = 40.0  # [rad/s], of the unloaded motor; critically damped


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What was put into a world.

    Attributes:
        zone_triggers: What the zones send, in the order of the file.
        belts: Names of the conveyors that listen to each trigger number.
        balls, cuboids: Names, in the order of the file.
    """

    zone_triggers: tuple[ZoneTrigger, ...]
    belts: Mapping[int, tuple[str, ...]]
    balls: tuple[str, ...]
    cuboids: tuple[str, ...]


def world_config(cfg: ArmBotCfg, environment: said.Environment) -> WorldConfig:
    """Return the settings of the world that an environment stands in."""
    has_balls = any(isinstance(one, said.BallEntry) for one in environment.movables)
    return WorldConfig(
        step=cfg.step,
        gravity=(0.0, 0.0, -cfg.gravity),
        bounce_speed=REST_SPEED,
        restitution_pairs={(BALLS, BALLS): 1.0} if has_balls else {},
        engine=EngineCfg(solref=CONTACT_SOLREF),
    )


def add_scene(
    world: World, environment: said.Environment, cfg: ArmBotCfg | None = None
) -> Scene:
    """Add everything but the robots to a world.

    Args:
        world: Made with `world_config`; empty so far.
        environment: What shall stand in it.
        cfg: Settings.

    Raises:
        ConfigError: If walls are wanted and the environment has no border.
    """
    cfg = cfg or ArmBotCfg()
    world.add(_ground(environment))
    if cfg.border == "wall":
        for wall in _walls(environment):
            world.add(wall)
    belts: dict[int, tuple[str, ...]] = {}
    for obstacle in environment.obstacles:
        world.add(_obstacle(obstacle))
        belt = obstacle.belt if isinstance(obstacle, said.Obstacle) else None
        if belt is not None and belt.number >= 0:
            belts[belt.number] = (*belts.get(belt.number, ()), obstacle.name)
    for entry in environment.movables:
        world.add(_movable(entry, cfg))
    triggers: list[ZoneTrigger] = []
    for i, trigger in enumerate(environment.triggers):
        name = _free_name(f"trigger_{i + 1}", environment)
        world.add(_zone(name, trigger, cfg))
        triggers.append(
            ZoneTrigger(zone=name, receiver=trigger.receiver, text=trigger.text)
        )
    return Scene(
        zone_triggers=tuple(triggers),
        belts=belts,
        balls=_names(environment, said.BallEntry),
        cuboids=_names(environment, said.CuboidEntry),
    )


def _names(environment: said.Environment, kind: type) -> tuple[str, ...]:
    return tuple(one.name for one in environment.movables if isinstance(one, kind))


def _free_name(name: str, environment: said.Environment) -> str:
    """Return a name that no object of the environment has: with lines behind it."""
    taken = {one.name for one in (*environment.obstacles, *environment.movables)}
    while name in taken:
        name += "_"
    return name


# -- fixed things ------------------------------------------------------------------


def _ground(environment: said.Environment) -> objects.Ground:
    border, tiles = environment.border, ()
    if border is not None:
        counts = [
            math.ceil((border.high[k] - border.low[k]) / TILE_SIZE) for k in range(2)
        ]
        tiles = tuple(
            objects.Tile(column=column, row=row, rgba=_rgba(tile.color))
            for tile in environment.tiles
            for column in _within(tile.columns, counts[0])
            for row in _within(tile.rows, counts[1])
        )
    return objects.Ground(
        tile_size=TILE_SIZE,
        tiles=tiles,
        border=_border_rect(border) if border else None,
    )


def _within(ends: tuple[int, int], count: int) -> range:
    """Return the indices from first to last that lie on the floor."""
    return range(max(ends[0], 0), min(ends[1], count - 1) + 1)


def _border_rect(border: said.Border) -> objects.RectOutline:
    (x1, y1), (x2, y2) = border.low, border.high
    return objects.RectOutline(
        center=(0.5 * (x1 + x2), 0.5 * (y1 + y2)), size=(x2 - x1, y2 - y1)
    )


def _walls(environment: said.Environment) -> list[objects.Box]:
    border = environment.border
    if border is None:
        raise ConfigError(
            f"walls are wanted but {environment.file or 'the environment'} has no "
            "BORDER; add one, or set `border` to open"
        )
    rect = _border_rect(border)
    walls: list[objects.Box] = []
    for axis in range(2):
        for side in (-1.0, 1.0):
            size = [length + 2.0 * WALL_THICKNESS for length in rect.size]
            size[axis] = WALL_THICKNESS
            place = list(rect.center)
            place[axis] += side * 0.5 * (rect.size[axis] + WALL_THICKNESS)
            name = f"border_{'low' if side < 0.0 else 'high'}_{'xy'[axis]}"
            walls.append(
                objects.Box(
                    name=_free_name(name, environment),
                    size=(size[0], size[1], WALL_HEIGHT),
                    position=(place[0], place[1], 0.5 * WALL_HEIGHT),
                    rgba=WALL_RGBA,
                )
            )
    return walls


def _obstacle(one: said.Obstacle | said.FixedSphere) -> objects.FixedObject:
    common: dict[str, Any] = {"name": one.name, "rgba": _rgba(one.color)}
    if isinstance(one, said.FixedSphere):
        return objects.Sphere(position=one.center, radius=one.radius, **common)
    common["plan"] = _plan(one.plan)
    if one.kind == "step":
        return objects.Step(height=one.top[0], **common)
    if one.kind == "slice":
        return objects.Slice(bottom=one.bottom[0], top=one.top[0], **common)
    common["direction"] = one.direction
    if one.kind == "wedge":
        return objects.Wedge(top=one.top, bottom=one.bottom, **common)
    if one.belt is None:
        return objects.Slope(h1=one.top[0], h2=one.top[1], **common)
    return objects.Conveyor(
        h1=one.top[0],
        h2=one.top[1],
        speed=one.belt.speed,
        to_middle_speed=one.belt.to_middle_speed,
        running=one.belt.is_running,
        friction=BELT_FRICTION,
        condim=3,
        priority=CARRIER_PRIORITY,
        stopped_priority=0,
        **common,
    )


def _plan(plan: said.Plan) -> objects.GroundOutline:
    if isinstance(plan, said.RectPlan):
        return objects.RectOutline(center=plan.center, size=plan.size)
    if isinstance(plan, said.CirclePlan):
        return objects.CircleOutline(center=plan.center, radius=plan.radius)
    return objects.PolygonOutline(plan.points)


# -- movable things ----------------------------------------------------------------


def _movable(entry: said.Movable, cfg: ArmBotCfg) -> objects.MovableObject:
    common: dict[str, Any] = {
        "name": entry.name,
        "position": entry.center,
        "rgba": _rgba(entry.color),
    }
    if isinstance(entry, said.BallEntry):
        return _ball(entry, cfg, common)
    if isinstance(entry, said.CuboidEntry):
        mass = _mass(entry.mass, math.prod(entry.size), cfg, CUBOID_MASS)
        half = 0.5 * entry.yaw
        quat = (math.cos(half), 0.0, 0.0, math.sin(half))
        return objects.Cuboid(size=entry.size, mass=mass, quat=quat, **common)
    volume = math.pi * entry.radius**2 * entry.height
    mass = _mass(entry.mass, volume, cfg, CUBOID_MASS)
    return objects.MovableCylinder(
        radius=entry.radius, length=entry.height, mass=mass, **common
    )


def _ball(
    entry: said.BallEntry, cfg: ArmBotCfg, common: dict[str, Any]
) -> objects.Ball:
    lost = entry.resistance
    if cfg.resistance_is_remaining:
        lost = 1.0 - lost
    mass = BALL_MASS if entry.mass is None else entry.mass
    if entry.mass is None and cfg.light_cuboids:
        mass = cfg.ball_density * 4.0 / 3.0 * math.pi * entry.radius**3
    if cfg.spin:
        touch: dict[str, Any] = {"condim": 3, "rolling": 0.0, "torsion": 0.0}
    else:
        touch = {"condim": 1, "friction": 0.0, "priority": BALL_PRIORITY}
    return objects.Ball(
        radius=entry.radius,
        mass=mass,
        spins=cfg.spin,
        restitution=entry.bounce,
        rolling_resistance=lost,
        flight_resistance=lost if cfg.resistance == "always" else 0.0,
        material=BALLS,
        **touch,
        **common,
    )


def _mass(given: float | None, volume: float, cfg: ArmBotCfg, heavy: float) -> float:
    if given is not None:
        return given
    return cfg.cuboid_density * volume if cfg.light_cuboids else heavy


def _rgba(color: said.Color) -> Rgba:
    red, green, blue = color
    return red / 255.0, green / 255.0, blue / 255.0, 1.0


# -- triggers ----------------------------------------------------------------------


def _zone(name: str, trigger: said.Trigger, cfg: ArmBotCfg) -> zones.Zone:
    top = trigger.height if cfg.trigger_heights else math.inf
    common: dict[str, Any] = {
        "name": name,
        "watches": trigger.watches,
        "color": trigger.color,
        "heights": (-math.inf, top),
    }
    if isinstance(trigger, said.BarrierTrigger):
        return zones.LightBarrier(start=trigger.start, end=trigger.end, **common)
    return zones.CircleZone(
        on=trigger.on, center=trigger.center, radius=trigger.radius, **common
    )


# -- robots ------------------------------------------------------------------------


def base_pose(x: float, y: float, heading: float) -> FloatArray:
    """Return T_world_body of a robot, (4, 4).

    Args:
        x: Place on the floor [m].
        y: Place on the floor [m].
        heading: Counter-clockwise, 0 looks along +y [rad]; the body's x axis looks
            there.
    """
    yaw = heading + BODY_YAW
    T = np.eye(4)
    T[:2, :2] = [[math.cos(yaw), -math.sin(yaw)], [math.sin(yaw), math.cos(yaw)]]
    T[:2, 3] = x, y
    return T


def make_robot(
    name: str,
    design: RobotDesign,
    T_world_base: FloatArray,
    cfg: ArmBotCfg | None = None,
) -> Robot:
    """Return a robot for the world.

    Its touchable parts act on objects and on nothing else; all other parts pass through
    everything. Motors have the speeds of the model. What the fingers of its gripper
    hold belongs to the arm.

    Args:
        name: `robot0` to `robot9`.
        design: Arm and gripper.
        T_world_base: Pose of its body, see `base_pose`.
        cfg: Settings.
    """
    cfg = cfg or ArmBotCfg()
    grippers: tuple[Gripper, ...] = ()
    if design.gripper is not None and design.fingers:
        hold = "suction" if design.gripper.grasp == "suction" else "pinch"
        grippers = (
            Gripper(base=design.gripper_base, fingers=design.fingers, hold=hold),
        )
    return Robot(
        name=name,
        model=design.robot,
        T_world_base=T_world_base,
        motors=_motors(design.robot, cfg),
        colliding_links=design.touch_links,
        grippers=grippers,
        surface=Surface(
            group="touch",
            friction=GRIP_FRICTION,
            condim=3,
            priority=CARRIER_PRIORITY,
        ),
    )


def _motors(model: RobotModel, cfg: ArmBotCfg) -> dict[str, IdealMotor | PositionServo]:
    return {
        joint: _limited(model, int(i), cfg)
        if cfg.motors == "limited"
        else IdealMotor(max_speed=float(model.max_velocity[i]))
        for joint, i in zip(model.joint_names, model.joint_ids, strict=True)
    }


def _limited(model: RobotModel, i: int, cfg: ArmBotCfg) -> PositionServo:
    turns = model.joint_type[i] == JointType.REVOLUTE
    strongest = cfg.max_torque if turns else cfg.max_force
    strongest = min(strongest, float(model.max_effort[i]))
    kp = strongest / (FULL_TORQUE_ERROR if turns else FULL_FORCE_ERROR)
    return PositionServo(
        kp=kp,
        kd=2.0 * kp / SERVO_FREQUENCY,
        torque_limit=strongest,
        no_load_speed=float(model.max_velocity[i]),
        rotor_inertia=kp / SERVO_FREQUENCY**2,
    )
