"""`Cell`: a world with robots, controllers, triggers and windows, ready to run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from gelenk.closing import Closing
from gelenk.models.link import JointType
from gelenk.robots.armbot import messages
from gelenk.robots.armbot.classes import make_instance
from gelenk.robots.armbot.config import CONTROL_PERIOD
from gelenk.robots.armbot.consoles import Commander, SystemLog, TriggerConsole
from gelenk.robots.armbot.debug_out import DebugOut
from gelenk.robots.armbot.design import RobotDesign, design_robot
from gelenk.robots.armbot.drive import WorldDrive
from gelenk.robots.armbot.interface.controller import RobotController
from gelenk.robots.armbot.interface.gripper import Gripper
from gelenk.robots.armbot.interface.manipulator import ArmFacts, Manipulator
from gelenk.robots.armbot.interface.motor import Motor, MotorFacts
from gelenk.robots.armbot.kinematics import make_direct, make_inverse
from gelenk.robots.armbot.scene import add_scene, base_pose, make_robot, world_config
from gelenk.robots.armbot.windows import Windows
from gelenk.runtime.controller import View
from gelenk.runtime.events import (
    CONTROLLER_TOPIC,
    LOG_TOPIC,
    ControllerEvent,
    LogEvent,
)
from gelenk.runtime.executor import ControllerState
from gelenk.runtime.run import Run
from gelenk.runtime.run_controls import RunControls
from gelenk.sim.world import World

if TYPE_CHECKING:
    from gelenk.robots.armbot.setup import RobotSetup, Setup
    from gelenk.runtime.recorder import Recorder


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CellRobot:
    """One robot of a cell.

    Attributes:
        number: Its number.
        name: Its name in the world.
        design: What it is made of.
        manipulator, gripper: As its controller sees them.
        controller: Its program, if it has one.
        drive: Its motors.
    """

    number: int
    name: str
    design: RobotDesign
    manipulator: Manipulator
    gripper: Gripper | None
    controller: RobotController | None
    drive: WorldDrive


@dataclass(frozen=True, slots=True, kw_only=True)
class ControllerEnd:
    """Where a controller stands, and why: "finished", "failed: ...", "start"."""

    state: str
    reason: str


class Cell(Closing):
    """Everything of one environment, taken through time by `run`; a context manager.

    Attributes:
        setup: What it was made of.
        world: The simulated world.
        scene: What of the environment is in it.
        robots: Robots by rising number.
        run: The loop; `run.run(seconds)` goes on.
        debug_out, triggers, commander, system_log, execute, windows: The windows.

    Args:
        setup: Environment and command line together.
        seed: Of everything random in the world.
        recorder: Gets every message; the caller closes it.
        pace: Simulated seconds per second; None: as fast as possible.
        autostart: Whether the controllers start in the first tick.
        budget: Wall time after which a controller that does not wait is ended [s];
            None: the runtime's.

    Raises:
        ConfigError: If robots cannot be built or programs refuse their configuration.
    """

    def __init__(
        self,
        setup: Setup,
        *,
        seed: int = 0,
        recorder: Recorder | None = None,
        pace: float | None = None,
        autostart: bool = True,
        **options: Any,
    ) -> None:
        environment, cfg = setup.environment, setup.cfg
        self.setup, self.seed = setup, seed
        self.world = world = World(world_config(cfg, environment), seed=seed)
        try:
            self.scene = add_scene(world, environment, cfg)
            self.debug_out = DebugOut(lambda: (world.tick, world.time))
            self.robots = tuple(self._add_robot(item) for item in setup.robots)
            self._has_loops = any(robot.design.robot.loops for robot in self.robots)
            self.run = self._make_run(recorder, pace, autostart, options)
        except BaseException:
            world.close()
            raise
        run = self.run
        self.triggers = TriggerConsole(run)
        self.commander = Commander(run)
        self.system_log = SystemLog(run)
        self.execute = RunControls(run)
        self.windows = Windows(
            self.debug_out, self.commander, self.triggers, self.system_log
        )
        self._ends: dict[str, ControllerEvent] = {}
        self._final: dict[int, ControllerEnd] | None = None
        run.bus.subscribe(LOG_TOPIC, self._show_failure)
        run.bus.subscribe(CONTROLLER_TOPIC, self._note_state)
        if recorder is not None:
            messages.declare_topics(run.bus, (robot.name for robot in self.robots))
            self.debug_out.listen(partial(messages.publish_line, run.bus))

    # -- looking -------------------------------------------------------------------

    @property
    def controllers(self) -> dict[int, ControllerEnd]:
        """Where the controllers stand, by number; after `finish`, where they stood."""
        if self._final is not None:
            return self._final
        ends: dict[int, ControllerEnd] = {}
        for host in self.run.executors:
            event = self._ends.get(host.name)
            reason = event.reason if event is not None else ""
            ends[host.instance] = ControllerEnd(state=str(host.state), reason=reason)
        return ends

    def motor_values(self) -> dict[int, tuple[Motor, ...]]:
        """Return all motors by the number of their robot."""
        return {
            robot.number: (
                *robot.manipulator.motors,
                *robot.manipulator.wrist_motors,
                *(robot.gripper.motors if robot.gripper else ()),
            )
            for robot in self.robots
        }

    # -- the end -------------------------------------------------------------------

    def finish(self) -> None:
        """End the run and deliver its last messages; the world can still be asked."""
        if self._final is not None:
            return
        going = {
            host.instance: ControllerEnd(state=str(host.state), reason="")
            for host in self.run.executors
            if host.state not in (ControllerState.IDLE, ControllerState.PAUSED)
        }
        self.run.close()
        final = {**self.controllers, **going}
        self._final = {number: final[number] for number in sorted(final)}

    def close(self) -> None:
        """End the run and free the world; twice does no harm."""
        self.finish()
        self.world.close()

    # -- building ------------------------------------------------------------------

    def _add_robot(self, item: RobotSetup) -> CellRobot:
        setup, name = self.setup, f"robot{item.number}"
        owner = f"robot {item.number}"
        gripper_model = None
        if item.gripper is not None:
            gripper_model = make_instance(item.gripper, owner=owner)
        arm_model = make_instance(item.manipulator, owner=owner)
        design = design_robot(arm_model, gripper_model)
        T_world_body = base_pose(item.x, item.y, item.heading)
        self.world.add(make_robot(name, design, T_world_body, setup.cfg))
        facts = motor_facts(design)
        drive = WorldDrive(
            self.world,
            name,
            (*facts.values(),),
            CONTROL_PERIOD,
            is_limited=setup.cfg.motors == "limited",
        )
        motors = {fact.name: Motor(fact, drive) for fact in facts.values()}
        direct = make_direct(design) if setup.skills.direct else None
        inverse = None
        if setup.skills.inverse and direct is not None:
            inverse = make_inverse(design, direct, setup.ik)
        manipulator = Manipulator(
            ArmFacts(
                T_world_body=T_world_body,
                T_gripper_tcp=design.T_gripper_tcp,
                has_own_wrist=design.manipulator.has_own_wrist,
            ),
            [motors[joint] for joint in design.arm_joints],
            [motors[joint] for joint in design.wrist_joints],
            drive,
            direct=direct,
            inverse=inverse,
        )
        gripper = None
        if gripper_model is not None:
            fingers = [motors[joint] for joint in design.gripper_joints]
            switch = None
            if gripper_model.grasp == "suction":
                switch = partial(_switch_suction, self.world, name)
            gripper = Gripper(gripper_model, fingers, drive, switch=switch)
        controller = None
        if item.controller is not None:
            controller = self._make_controller(item, name, manipulator, gripper)
        return CellRobot(
            number=item.number,
            name=name,
            design=design,
            manipulator=manipulator,
            gripper=gripper,
            controller=controller,
            drive=drive,
        )

    def _make_controller(
        self,
        item: RobotSetup,
        name: str,
        manipulator: Manipulator,
        gripper: Gripper | None,
    ) -> RobotController:
        assert item.controller is not None
        controller = make_instance(item.controller, owner=f"robot {item.number}")
        controller.robot = name
        controller._manipulator, controller._gripper = manipulator, gripper
        controller._debug_out = _RobotPrinter(self.debug_out, item.number)
        controller._commander = _RobotAnswers(lambda: self.commander, item.number)
        for part in (manipulator, gripper):
            if part is not None:
                part._connect(controller.wait_until, controller.is_running)
        return controller

    def _make_run(
        self,
        recorder: Recorder | None,
        pace: float | None,
        autostart: bool,
        options: dict[str, Any],
    ) -> Run:
        setup = self.setup
        controllers = {
            robot.number: robot.controller
            for robot in self.robots
            if robot.controller is not None
        }
        texts = {
            item.number: item.config
            for item in setup.robots
            if item.config is not None and item.number in controllers
        }
        processors: dict[int, Any] = {}
        if setup.processor is not None:
            number = setup.processor.number
            owner = f"trigger processor {number}"
            processors[number] = make_instance(setup.processor.processor, owner=owner)
            if setup.processor.config is not None:
                texts_of_processors = {number: setup.processor.config}
                options["processor_configurations"] = texts_of_processors
        publishers: list[Callable[[Any], None]] = [self._drive_motors]
        if recorder is not None:
            publishers.append(partial(messages.publish_state, self))
        return Run(
            self.world,
            controllers,
            recorder=recorder,
            period=CONTROL_PERIOD,
            pace=pace,
            zone_triggers=self.scene.zone_triggers,
            processors=processors,
            receivers={
                number: partial(_switch_belts, self.world, names)
                for number, names in self.scene.belts.items()
            },
            configurations=texts,
            publishers=publishers,
            autostart=autostart,
            **options,
        )

    # -- inside --------------------------------------------------------------------

    def _drive_motors(self, view: View) -> None:
        for robot in self.robots:
            robot.drive.tick()
        if self._has_loops:
            for broken in self.world.loop_breaks():
                text = (
                    f"closed chain {broken.loop!r} cannot close at these motor values; "
                    "its passive parts stay where they were"
                )
                event = LogEvent(level="warning", source=broken.robot, text=text)
                view.bus.publish(LOG_TOPIC, event, sender=broken.robot)

    def _show_failure(self, event: LogEvent) -> None:
        """Bring what a controller's exception says to Debug-Out."""
        if event.level != "error":
            return
        for host in self.run.executors:
            if event.source == host.name or event.source.startswith(f"{host.name}."):
                self.debug_out.println(event.text, robot=host.instance)

    def _note_state(self, event: ControllerEvent) -> None:
        self._ends[event.controller] = event


def motor_facts(design: RobotDesign) -> dict[str, MotorFacts]:
    """Return the motors of a robot in the order of its model, by name."""
    model = design.robot
    low, high = model.limits
    home, ids = model.home_configuration, model.joint_ids
    is_linear = model.joint_type[ids] == JointType.PRISMATIC
    facts: dict[str, MotorFacts] = {}
    for index, name in enumerate(model.joint_names):
        facts[name] = MotorFacts(
            name=name,
            kind="linear" if is_linear[index] else "servo",
            min_value=float(low[index]),
            max_value=float(high[index]),
            max_speed=float(model.max_velocity[ids[index]]),
            initial_value=float(home[index]),
            index=index,
        )
    return facts


class _RobotPrinter:
    """Debug-Out as one robot's controller sees it."""

    def __init__(self, debug_out: DebugOut, robot: int) -> None:
        self._debug_out, self._robot = debug_out, robot

    def println(self, text: object = "") -> None:
        self._debug_out.println(text, robot=self._robot)

    def print_stack_trace(self, error: BaseException) -> None:
        self._debug_out.print_stack_trace(error, robot=self._robot)


class _RobotAnswers:
    """The Commander as one robot's controller sees it."""

    def __init__(self, commander: Callable[[], Commander], robot: int) -> None:
        self._commander, self._robot = commander, robot

    def println(self, text: object = "") -> None:
        self._commander().answer(text, robot=self._robot)

    def success(self, text: object = "") -> None:
        self.println(f"success: {text}" if text else "success")

    def failure(self, text: object = "") -> None:
        self.println(f"failure: {text}" if text else "failure")


def _switch_belts(world: World, names: tuple[str, ...], text: str) -> None:
    """Carry out what a trigger asks of conveyors; other texts mean nothing to them."""
    if text in ("RUN", "STOP"):
        for name in names:
            world.command_conveyor(name, running=text == "RUN")


def _switch_suction(world: World, robot: str, is_holding: bool) -> None:
    world.command_gripper(robot, 0, active=is_holding)
