"""`World`: robots and objects in one simulated place."""

from __future__ import annotations

import os
import tempfile
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import mujoco
import numpy as np

from gelenk.checks import as_array
from gelenk.closing import Closing
from gelenk.collision.scene import Scene
from gelenk.errors import ConfigError, GelenkError, NameNotFoundError
from gelenk.models.tree import RobotModel
from gelenk.sim import arrangement, objects, snapshot, zone_bank
from gelenk.sim.actuators import actuator_names, command_actuators
from gelenk.sim.bridge.scene_file import read_scene
from gelenk.sim.cameras.boards import Board, Chessboard, PictureBoard
from gelenk.sim.cameras.description import Camera, Light
from gelenk.sim.cameras.rig import Image, ImageKind
from gelenk.sim.collision_shapes import scene_of_world
from gelenk.sim.compiled_world import (
    CompiledWorld,
    Contents,
    WorldItem,
    check_name,
    compile_world,
)
from gelenk.sim.config import WorldConfig
from gelenk.sim.conveyor import command_belt
from gelenk.sim.external_force import WrenchFrame, set_push
from gelenk.sim.faults import Fault
from gelenk.sim.grasp_bank import command_suction
from gelenk.sim.observe import (
    Contact,
    Impact,
    LoopBreak,
    MotionState,
    ZoneEvent,
    body_pose,
    body_twist,
    closed_loops,
    gripper_of,
    list_breaks,
    list_contacts,
    list_impacts,
    motion_state,
    set_body,
)
from gelenk.sim.robot import Robot
from gelenk.sim.sensors.bank import SensorReading, read_sensor
from gelenk.sim.set_points import SetPointWatch
from gelenk.sim.step import NOT_FINITE, Handle, hold, latest_rows, run_held
from gelenk.sim.zones import CircleZone, LightBarrier, Zone
from gelenk.typing import ArrayLike, FloatArray, IntArray

Addable: TypeAlias = WorldItem | RobotModel | Zone | Camera | Light | Board | Fault

_T = TypeVar("_T")

KEPT_IMPACTS = 10_000  # that nobody has asked for: a few MB


class WorldError(GelenkError, RuntimeError):
    """The simulation cannot go on; `report` holds the last states.

    Attributes:
        report: File with the last ticks (numpy .npz).
    """

    def __init__(self, message: str, report: Path) -> None:
        super().__init__(message)
        self.report = report


class World(Closing):
    """A simulated place: things are added, then it is stepped.

    Args:
        config: Settings.
        seed: Seed of everything random; one seed, one result.

    Example:
        >>> from gelenk.sim import Ball, Ground, World
        >>> world = World(seed=1)
        >>> world.add(Ground())
        'ground'
        >>> world.add(Ball(name="ball", radius=0.05, mass=0.2, position=(0, 0, 1.05),
        ...     restitution=0.8))
        'ball'
        >>> world.run(0.6)
        >>> [round(impact.speed, 3) for impact in world.impacts()]
        [4.429]
    """

    def __init__(self, config: WorldConfig | None = None, *, seed: int = 0) -> None:
        if config is not None and not isinstance(config, WorldConfig):
            raise ConfigError(
                f"`config` must be a WorldConfig, got {config!r}; a step is set by "
                "World(WorldConfig(step=0.001))"
            )
        if not isinstance(seed, int | np.integer) or seed < 0:
            raise ConfigError(f"`seed` must be a whole number >= 0, got {seed!r}")
        self.config = config or WorldConfig()
        self.seed = int(seed)
        self._contents = Contents()
        self._built: CompiledWorld | None = None
        self._handle: Handle | None = None
        self._is_fresh = True
        self._is_closed = False
        self._impacts: deque[np.ndarray] = deque()
        self._num_impacts = 0
        self._bodies: dict[tuple[str, ...], IntArray] = {}
        self._zone_events: deque[np.ndarray] = deque()
        self._told_breaks: IntArray | int = 0
        self._watches: dict[str, SetPointWatch] = {}

    # -- building ------------------------------------------------------------------

    @classmethod
    def from_mjcf(
        cls,
        path: str | os.PathLike[str],
        config: WorldConfig | None = None,
        *,
        key: str | None = None,
        seed: int = 0,
    ) -> World:
        """Return the world of an MJCF scene; more can be added to it.

        Names are those of the file. A body below the world with a free joint alone is a
        movable object, one with other joints a robot with the actuators of the file;
        cameras are read by `image`.

        Args:
            path: File.
            config: Settings; by default step, gravity and air are those of the file.
            key: Keyframe in which it begins; by default "home", if there is one.
            seed: Seed of everything random.

        Raises:
            ConfigError: If MuJoCo refuses the file.
            NameNotFoundError: If there is no such keyframe.
        """
        scene = read_scene(path, key)
        option = scene.compiled.opt
        world = cls(
            config
            or WorldConfig(
                step=option.timestep,
                gravity=tuple(option.gravity.tolist()),
                air_density=option.density,
                air_viscosity=option.viscosity,
            ),
            seed=seed,
        )
        world._contents.scene = scene
        return world

    def add(self, item: Addable) -> str:
        """Add an object, robot, zone, camera, light, board or fault; return its name.

        A bare `RobotModel` becomes a robot of the model's name at the origin.

        Raises:
            ConfigError: If the name is taken or the world already runs.
        """
        if isinstance(item, RobotModel):
            item = Robot(name=item.name, model=item)
        contents = self._contents
        places: tuple[tuple[Any, list[Any]], ...] = (
            ((objects.SceneObject, Robot), contents.things),
            ((CircleZone, LightBarrier), contents.zones),
            (Camera, contents.cameras),
            ((Chessboard, PictureBoard), contents.boards),
            (Light, contents.lights),
            (Fault, contents.faults),
        )
        where: list[Any] | None = next(
            (to for kind, to in places if isinstance(item, kind)), None
        )
        if where is None:
            raise ConfigError(
                "expected a scene object, a Robot, a RobotModel, a zone, a camera, a "
                f"light, a board or a Fault, got {type(item).__name__}"
            )
        name = getattr(item, "name", "")
        if self._built is not None:
            raise ConfigError(
                f"cannot add {name or item!r}: the world has been stepped or asked "
                "already; add everything first, or build a new world"
            )
        if name:
            check_name(contents, name)
        where.append(item)
        return name

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The faults that were added."""
        return tuple(self._contents.faults)

    def _compiled(self) -> CompiledWorld:
        if self._is_closed:
            raise ConfigError("the world is closed; build a new one")
        if self._built is None:
            self._built = compile_world(self.config, self._contents, self.seed)
            self._handle = hold(self._built.table, self._built.banks)
        return self._built

    # -- time ----------------------------------------------------------------------

    @property
    def tick(self) -> int:
        """Number of ticks so far."""
        return 0 if self._built is None else int(self._built.banks.clock[0])

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return self.tick * self.config.step

    def step(self, count: int = 1) -> None:
        """Advance by `count` ticks.

        Raises:
            ConfigError: If it is not a whole number of ticks, 0 or more.
            WorldError: If a state stops being finite; says which body did it.
        """
        compiled = self._compiled()
        if count != int(count) or count < 0:  # half a tick would never be done
            raise ConfigError(
                f"`count` must be a whole number of ticks, 0 or more, got {count}; "
                "`run` takes seconds"
            )
        assert self._handle is not None
        left = int(count)
        self._is_fresh = False
        while left > 0:
            before = compiled.banks.clock[0]
            reason = run_held(self._handle, self.config.step, left)
            left -= int(compiled.banks.clock[0] - before)
            self._drain(compiled)
            if reason == NOT_FINITE:
                self._report_broken(compiled)

    def run(self, seconds: float) -> None:
        """Advance by a time [s], rounded to whole ticks."""
        if not (np.isfinite(seconds) and seconds >= 0.0):
            raise ConfigError(f"`seconds` must be finite and >= 0, got {seconds}")
        self.step(round(seconds / self.config.step))

    def _drain(self, compiled: CompiledWorld) -> None:
        counters = compiled.banks.contact.counters
        if counters[0]:
            self._impacts.append(compiled.banks.contact.events[: counters[0]].copy())
            self._num_impacts += int(counters[0])
            counters[0] = 0
            while self._num_impacts - len(self._impacts[0]) >= KEPT_IMPACTS:
                self._num_impacts -= len(self._impacts.popleft())
        if compiled.banks.zones.filled[0]:
            self._zone_events.append(zone_bank.drain(compiled.banks.zones))

    def _report_broken(self, compiled: CompiledWorld) -> None:
        model = compiled.model
        bad = np.flatnonzero(~np.isfinite(compiled.data.qvel))
        names = [model.body(int(model.dof_bodyid[dof])).name for dof in bad]
        culprit = names[0] if names else "unknown"
        ticks, states = latest_rows(compiled.banks.black_box, self.tick)
        folder = Path(tempfile.mkdtemp(prefix="gelenk-"))
        report = folder / "last_ticks.npz"
        np.savez(
            report,
            tick=ticks,
            qpos=states[:, : model.nq],
            qvel=states[:, model.nq :],
            bodies=np.array([model.body(i).name for i in range(model.nbody)]),
            dof_body=model.dof_bodyid,
        )
        raise WorldError(
            f"the state of {culprit!r} stopped being finite in tick {self.tick} "
            f"({self.time:.3f} s); the last {len(ticks)} ticks are in {report}. Often "
            "a shorter step helps, or a mass or motor that is not absurd",
            report,
        )

    # -- looking -------------------------------------------------------------------

    def names(self) -> tuple[str, ...]:
        """Return the names of everything that has a pose."""
        compiled = self._compiled()
        return tuple(
            body for placed in compiled.placed.values() for body in placed.bodies
        )

    def scene(self, robot: str, **options: Any) -> Scene:
        """Return the scene of one robot among everything else, as it stands now.

        Args:
            robot: Name of the robot; its configuration is what the scene is asked for.
            options: Options of `gelenk.collision.Scene`.
        """
        return scene_of_world(self, robot, self._contents.things, **options)

    def pose(self, name: str) -> FloatArray:
        """Return the pose of an object or of a robot's link, T_world_name, (4, 4)."""
        return body_pose(self._looked_at(), self._body(name))

    def positions(self, names: Sequence[str]) -> FloatArray:
        """Return the positions of many frames at once, world [m], (n, 3)."""
        key = tuple(names)
        if key not in self._bodies:
            self._bodies[key] = np.array([self._body(name) for name in key], dtype=int)
        return self._looked_at().data.xpos[self._bodies[key]]

    def twist(self, name: str) -> FloatArray:
        """Return velocity and angular velocity of a frame, world axes, (6,)."""
        return body_twist(self._looked_at(), self._body(name))

    def place(
        self, name: str, T_world_body: ArrayLike, twist: ArrayLike | None = None
    ) -> None:
        """Put a movable object somewhere else; zones do not take it for a crossing.

        Args:
            name: Name of the object.
            T_world_body: New pose, (4, 4).
            twist: New velocity and angular velocity, world axes, (6,); at rest if None.
        """
        compiled = self._compiled()
        set_body(compiled, self._body(name), T_world_body, twist)
        if name in compiled.watched and len(compiled.zones):
            zone_bank.forget(compiled.banks.zones, compiled.watched.index(name))
        self._is_fresh = False

    def contacts(self) -> tuple[Contact, ...]:
        """Return the contacts of the last tick with their forces."""
        return list_contacts(self._compiled())

    def impacts(self) -> tuple[Impact, ...]:
        """Return the impacts since the last call, in their order.

        Of impacts that nobody asks for the last 10,000 are kept.
        """
        compiled = self._compiled()
        rows = [row for block in self._impacts for row in block]
        self._impacts.clear()
        self._num_impacts = 0
        return list_impacts(compiled, rows)

    def zone_events(self) -> tuple[ZoneEvent, ...]:
        """Return what the zones noticed since the last call, in their order."""
        compiled = self._compiled()
        rows = [row for block in self._zone_events for row in block]
        self._zone_events.clear()
        return tuple(
            ZoneEvent(
                tick=int(tick),
                time=int(tick) * self.config.step,
                zone=compiled.zones[zone].name,
                item=compiled.watched[item],
            )
            for tick, zone, item in rows
        )

    def read(self, sensor: str) -> SensorReading:
        """Return what a sensor says now: late, noisy, or nothing.

        Args:
            sensor: Name "robot/sensor".
        """
        compiled = self._compiled()
        if sensor not in compiled.sensors:
            raise NameNotFoundError("sensor", sensor, tuple(compiled.sensors))
        bank, row = compiled.banks.senses.sensors, compiled.sensors[sensor]
        return read_sensor(bank, row, self.tick, step=self.config.step)

    def image(self, camera: str, kind: ImageKind = "color") -> Image | None:
        """Return the newest image that a camera has delivered; None before the first.

        Depth and segmentation are of the same moment as the coloured image, and come as
        late; through the same lens, but without blur, noise and vignetting.

        Args:
            camera: Name of the camera.
            kind: "color" for what the camera's sensor sees; "depth" for distances along
                the optical axis [m]; "segmentation" for the body in each pixel.

        Raises:
            RenderError: If nothing can be drawn on this machine.
        """
        if kind not in ("color", "depth", "segmentation"):
            raise ConfigError(
                f"`kind` must be 'color', 'depth' or 'segmentation', got {kind!r}"
            )
        rig = self._compiled().rig
        if kind == "color":
            return rig.image(camera, self.tick)
        return rig.measured(camera, self.tick, kind)

    def images(self) -> dict[str, Image | None]:
        """Return the newest images of all cameras; synchronous ones show one state."""
        return self._compiled().rig.images(self.tick)

    def holder(self, name: str) -> str | None:
        """Return the body of the gripper that holds an object, or None."""
        return gripper_of(self._compiled(), self._body(name))

    def motion(self, name: str) -> MotionState:
        """Say whether an object flew, rolled, rested or was gripped in the last tick.

        A ball that slides without turning "rolls", too.
        """
        return motion_state(self._looked_at(), self._body(name))

    def _looked_at(self) -> CompiledWorld:
        compiled = self._compiled()
        if not self._is_fresh:
            snapshot.refresh(compiled)
            self._is_fresh = True
        return compiled

    def _body(self, name: str) -> int:
        compiled = self._compiled()
        if name in compiled.placed:
            name = compiled.placed[name].bodies[0]
        body = mujoco.mj_name2id(compiled.model, mujoco.mjtObj.mjOBJ_BODY, name)
        if body < 0:
            raise NameNotFoundError("object or link", name, self.names())
        return body

    # -- robots and belts ----------------------------------------------------------

    def joint_positions(self, robot: str) -> FloatArray:
        """Return the joint values of a robot in the order of its model [rad], [m]."""
        compiled = self._compiled()
        return compiled.data.qpos[self._of_robot(compiled.joints, robot)[0]]

    def joint_velocities(self, robot: str) -> FloatArray:
        """Return the joint speeds of a robot in the order of its model."""
        compiled = self._compiled()
        return compiled.data.qvel[self._of_robot(compiled.joints, robot)[1]]

    def configuration(self, robot: str) -> FloatArray:
        """Return `q` of a robot as its model counts it, (nq,).

        Those are the joint values; a floating base comes first, relative to the
        robot's `T_world_base`.
        """
        return arrangement.configuration(self._compiled(), robot)

    def velocity(self, robot: str) -> FloatArray:
        """Return `qd` of a robot as its model counts it, (nv,)."""
        return arrangement.velocity(self._compiled(), robot)

    def set_configuration(
        self, robot: str, q: ArrayLike, qd: ArrayLike | None = None
    ) -> None:
        """Put a robot into a configuration, at any time, as if it had begun there.

        Joints that follow others and closed chains come along. Motors stand where their
        joints are and are commanded to stay: targets become the joint values, target
        speeds the joint speeds, torques and voltages 0. What its grippers hold is let
        go and stays where it is. Temperatures, wear and faults remain.

        Args:
            robot: Name.
            q: Configuration as `configuration` returns it, (nq,).
            qd: Velocity, (nv,); at rest if None. Ideal motors take it up only if they
                have a `max_acceleration`.

        Raises:
            LoopError: If its closed chains cannot be assembled there.
        """
        arrangement.set_configuration(self._compiled(), robot, q, qd)
        self._is_fresh = False

    def robot_model(self, robot: str) -> RobotModel:
        """Return the model of a robot as it moves here: with the rotors of its motors.

        A rotor inertia that a motor states replaces the armature of the joint, so that
        torques computed with this model move the robot as they should.
        """
        return arrangement.used_model(self._compiled(), robot)

    def apply_wrench(
        self,
        name: str,
        wrench: ArrayLike,
        *,
        point: ArrayLike | None = None,
        frame: WrenchFrame = "world",
        duration: float | None = None,
    ) -> None:
        """Push an object or a link, from the coming tick on.

        It replaces what pushed this body before; zeros end it. What ideal motors move
        nothing can push.

        Args:
            name: Name of a movable object, or "robot/link".
            wrench: Force [N] and torque about the point [N m], in axes of `frame`,
                (6,).
            point: Point where it acts, as it is now in `frame` [m], (3,); it moves with
                the body. None: the origin of the body's frame.
            frame: "world", or "body" for axes and point that turn with the body.
            duration: Time that it acts [s], in whole ticks; None: until told otherwise.
        """
        compiled, body = self._looked_at(), self._body(name)
        if not compiled.model.body_weldid[body]:
            raise ConfigError(
                f"{name!r} does not move, so that nothing can push it; name a movable "
                "object or a link that a joint carries"
            )
        end = np.inf
        if duration is not None:
            if not (np.isfinite(duration) and duration > 0.0):
                raise ConfigError(f"`duration` must be finite and > 0, got {duration}")
            end = self.tick + max(round(duration / self.config.step), 1)
        T_world_body = body_pose(compiled, body)
        set_push(compiled.banks.pushes, body, wrench, point, frame, T_world_body, end)

    def loops_closed(self, robot: str) -> dict[str, bool]:
        """Return whether each loop of a robot is closed, see `observe.closed_loops`."""
        self.joint_positions(robot)  # says if there is no such robot
        return closed_loops(self._compiled(), robot)

    def loop_breaks(self) -> tuple[LoopBreak, ...]:
        """Return the loops that broke since the last call, each of them once."""
        compiled = self._compiled()
        told, self._told_breaks = self._told_breaks, compiled.banks.loops.breaks.copy()
        return list_breaks(compiled, told, self.config.step)

    def command(
        self,
        robot: str,
        values: ArrayLike | Mapping[str, float],
        second: ArrayLike | None = None,
    ) -> None:
        """Command the motors of a robot.

        Args:
            robot: Name.
            values: One number per joint of the model, in its order: what the motor's
                description says (target, torque share, duty cycle); nan leaves a motor
                as it is. Actuators of an MJCF file: one number per actuator in the
                order of `actuators`, or numbers by their names.
            second: The motors' second channel: speed share, stiffness, hold.
        """
        compiled = self._compiled()
        if robot in compiled.actuators and second is None:
            command_actuators(compiled, robot, values)
            return
        rows = self._of_robot(compiled.motor_rows, robot)
        if isinstance(values, Mapping):
            raise ConfigError(
                f"robot {robot!r} has motors, which are commanded by one number per "
                "joint; only actuators of an MJCF file have names"
            )
        channels = [
            (column, as_array("command", given, ()))
            for column, given in ((0, values), (1, second))
            if given is not None
        ]
        for _, array in channels:  # all of them before the first takes effect
            # a sum is finite only if all are: the quick way, for commands as they are
            is_odd = not np.isfinite(array.sum()) and np.isinf(array).any()
            if is_odd or array.shape not in ((), rows.shape):
                raise ConfigError(
                    f"commands of robot {robot!r} must be {len(rows)} finite numbers, "
                    f"one per joint, or one for all, got {array}"
                )
        watch = self._watches.get(robot) or self._watch_set_points(robot)
        before = None if watch.is_idle else compiled.banks.motors.command[:, 0].copy()
        for column, array in channels:
            is_whole = array.shape == rows.shape and compiled.is_driven[robot]
            if is_whole and np.isfinite(array.sum()):
                compiled.banks.motors.command[rows, column] = array
                continue
            is_meant = (rows >= 0) & ~np.isnan(array)
            array = np.broadcast_to(array, rows.shape)
            compiled.banks.motors.command[rows[is_meant], column] = array[is_meant]
        if before is not None:
            watch.note(compiled.banks.motors, before, self.tick)

    def _watch_set_points(self, robot: str) -> SetPointWatch:
        compiled = self._compiled()
        placed = arrangement.placed_robot(compiled, robot)
        kinds = [compiled.model.joint(name).type[0] for name in placed.joints]
        slide = mujoco.mjtJoint.mjJNT_SLIDE
        watch = self._watches[robot] = SetPointWatch(
            compiled.banks.motors,
            compiled.motor_rows[robot],
            is_slide=[bool(kind == slide) for kind in kinds],
            robot=robot,
            joints=placed.robot.model.joint_names,
            step=self.config.step,
        )
        return watch

    def actuators(self, robot: str) -> tuple[str, ...]:
        """Return the names of the actuators that a robot's MJCF file brings along."""
        compiled = self._compiled()
        self._of_robot(compiled.joints, robot)  # says if there is no such robot
        return actuator_names(compiled, robot)

    def _of_robot(self, table: Mapping[str, _T], robot: str) -> _T:
        if robot not in table:
            raise NameNotFoundError("robot", robot, tuple(table))
        return table[robot]

    def command_conveyor(
        self,
        name: str,
        *,
        running: bool | None = None,
        speed: float | None = None,
        to_middle_speed: float | None = None,
    ) -> None:
        """Start, stop or reverse a conveyor; what is None stays as it is."""
        compiled = self._compiled()
        if name not in compiled.belts:
            raise NameNotFoundError("conveyor", name, tuple(compiled.belts))
        command_belt(
            compiled.banks.belts,
            compiled.belts[name],
            running=running,
            speed=speed,
            to_middle_speed=to_middle_speed,
        )

    def command_gripper(self, robot: str, index: int = 0, *, active: bool) -> None:
        """Switch a suction gripper of a robot on or off; at the start it is off.

        Args:
            robot: Name.
            index: Number of the gripper, in the order of `Robot.grippers`.
            active: Whether it shall hold what its cups touch.
        """
        compiled = self._compiled()
        self._of_robot(compiled.joints, robot)  # raises for an unknown robot
        robots = [item for item in self._contents.things if isinstance(item, Robot)]
        command_suction(compiled.banks.grasps, robots, robot, index, active=active)

    # -- state ---------------------------------------------------------------------

    def snapshot(self) -> snapshot.Snapshot:
        """Return the state; events that were not read yet are not part of it."""
        return snapshot.take_snapshot(self._compiled())

    def restore(self, state: snapshot.Snapshot) -> None:
        """Go back (or on) to a state; events that were not read yet are dropped."""
        snapshot.restore_snapshot(self._compiled(), state)
        self._impacts.clear()
        self._num_impacts = 0
        self._zone_events.clear()
        self._told_breaks = self._compiled().banks.loops.breaks.copy()
        self._is_fresh = True

    def state_hash(self) -> str:
        """Return a fingerprint of the state, equal only if every bit is."""
        return snapshot.hash_state(self._compiled())

    def energy(self) -> float:
        """Return kinetic plus gravitational energy of everything that moves [J]."""
        compiled = self._looked_at()
        mujoco.mj_energyPos(compiled.model, compiled.data)
        mujoco.mj_energyVel(compiled.model, compiled.data)
        # the engine also counts the weight of what is fixed
        is_fixed = compiled.model.body_weldid == 0
        mass, place = compiled.model.body_mass[is_fixed], compiled.data.xipos[is_fixed]
        fixed = -float(mass @ (place @ compiled.model.opt.gravity))
        return float(compiled.data.energy.sum()) - fixed

    def close(self) -> None:
        """Free what the world holds; closing twice does no harm."""
        if self._built is not None:
            self._built.rig.close()
        self._built = self._handle = None
        self._is_closed = True
