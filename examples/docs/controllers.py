"""Controllers in lockstep, messages, triggers, recordings."""

# --8<-- [start:imports]
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

import gelenk
from gelenk.errors import ConfigError
from gelenk.models.tree import RobotModel
from gelenk.runtime import (
    Bus,
    Controller,
    PureController,
    Recorder,
    Run,
    View,
    ZoneTrigger,
    open_recording,
)
from gelenk.runtime.controls import RewindRequest
from gelenk.sim import (
    Ball,
    Conveyor,
    Ground,
    IdealMotor,
    Rect,
    Robot,
    TorqueServo,
    World,
)
from gelenk.sim.faults import Fault
from gelenk.sim.sensors import Encoder, SensorModel
from gelenk.sim.zones import Barrier
from gelenk.typing import FloatArray

# --8<-- [end:imports]

# --8<-- [start:pure]
model = gelenk.load("simple_arm")  # stand, femur, tibia: three joints
motor = TorqueServo(stall_torque=2.0, no_load_speed=60.0, nominal_voltage=12.0)
sampled = SensorModel(rate=100.0, quantisation=1e-4)


class Cfg(NamedTuple):
    """What does not change: model, target [rad], gains [1/s^2], [1/s], pace."""

    model: RobotModel
    target: FloatArray
    kp: float = 60.0
    kd: float = 14.0
    step: float = 0.01  # [rad] per period: the reference moves with 1 rad/s


def computed_torque(
    cfg: Cfg, reference: FloatArray, seen: tuple[FloatArray, FloatArray]
) -> tuple[FloatArray, FloatArray]:
    """Return the next reference [rad], and voltages as shares of the full one."""
    q, qd = seen
    reference = reference + np.clip(cfg.target - reference, -cfg.step, cfg.step)
    qdd = cfg.kp * (reference - q) - cfg.kd * qd
    tau = cfg.model.inverse_dynamics(q, qd, qdd)
    # The motor's line: torque = stall_torque (share - speed / no_load_speed)
    share = tau / motor.stall_torque + qd / motor.no_load_speed
    return reference, np.clip(share, -1.0, 1.0)


def observe(view: View) -> tuple[FloatArray, FloatArray]:
    """Return joint values and speeds as the sensors have them; at first, at rest."""
    angles, speeds = view.world.read("arm/angles"), view.world.read("arm/speeds")
    if not (angles.is_valid and speeds.is_valid):
        return model.home_configuration, np.zeros(3)
    return angles.value, speeds.value


def make_world() -> World:
    """Return an arm with torque motors and encoders."""
    world = World(seed=7)
    arm = Robot(
        name="arm",
        model=model,
        motors=motor,
        sensors={
            "angles": Encoder(model=sampled),
            "speeds": Encoder(quantity="velocity", model=sampled),
        },
        colliding_links=(),
    )
    world.add(arm)
    return world


target = np.array([0.5, 0.4, -0.8])  # [rad]
pilot = PureController(
    name="pilot",
    step=computed_torque,
    cfg=Cfg(model=model, target=target),
    initial=model.home_configuration,
    observe=observe,
    apply=lambda view, share: view.world.command("arm", share),
    robot="arm",
)

with make_world() as world, Run(world, [pilot], period=0.01) as run:
    for _ in range(3):
        run.run(1.0)
        error = np.abs(world.joint_positions("arm") - target).max()
        print(f"{run.time:.0f} s: {error:.4f} rad from the target")
# --8<-- [end:pure]

# --8<-- [start:rewind]
with make_world() as world, Run(world, [pilot], history=500) as run:
    run.run(2.0)
    once = world.state_hash()
    run.do(RewindRequest(tick=1000))  # physics ticks: back to 1 s, controller and all
    run.run(1.0)
    print("again the same bits:", world.state_hash() == once)
# --8<-- [end:rewind]


# --8<-- [start:blocking]
class Packer(Controller):
    """Waits for a ball at the gate, stops the belt, waves, and lets it run again."""

    def __init__(self) -> None:
        self.has_come = False

    def receive_trigger(self, trigger: str) -> None:
        self.has_come = self.has_come or trigger == "ball"

    def run(self) -> None:
        if not self.wait_until(lambda: self.has_come, timeout=10.0):
            return
        print(f"{self.time:.2f} s: a ball has come")
        self.send_trigger(50, "STOP")
        for q in ([0.6, 0.3, -0.3], [0.0, 0.0, 0.0]):
            self.command("arm", q)
            self.wait_motion("arm", timeout=5.0)
        print(f"{self.time:.2f} s: waved")
        self.send_trigger(50, "RUN")
        self.sleep(0.5)


def switch_belt(text: str) -> None:
    """Start or stop the belt, as a trigger says."""
    hall.command_conveyor("belt", running=text == "RUN")


hall = World(seed=7)
hall.add(Ground())
hall.add(
    Robot(
        name="arm",
        model=model,
        motors=IdealMotor(max_speed=1.0),
        colliding_links=(),
    )
)
belt = Rect(center=(0.0, 1.0), size=(3.0, 0.4))
hall.add(Conveyor(name="belt", plan=belt, h1=0.3, h2=0.3, speed=0.5))
hall.add(Ball(name="red", radius=0.04, mass=0.1, position=(-1, 1, 0.34), spins=False))
hall.add(Barrier(name="gate", start=(0.0, 0.5), end=(0.0, 1.5)))
with (
    hall,
    Run(
        hall,
        [Packer()],
        zone_triggers=[ZoneTrigger(zone="gate", receiver=0, text="ball")],
        receivers={50: switch_belt},
    ) as run,
):
    print("all done:", run.run_until_idle(20.0))
    print(f"{run.time:.2f} s: the ball is at x = {hall.pose('red')[0, 3]:.2f} m")
# --8<-- [end:blocking]


# --8<-- [start:messages]
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ArmState:
    """What the arm says of itself."""

    q: FloatArray = field(metadata={"unit": "rad"})
    is_there: bool


def tell(view: View) -> None:
    """Publish the state of the arm."""
    q = view.world.joint_positions("arm")
    there = bool(np.abs(q - target).max() < 0.01)
    view.bus.publish("arm/state", ArmState(q=q, is_there=there), sender="arm")


class Listener(Controller):
    """Ends as soon as it hears that the arm is there."""

    name = "listener"
    requires = {"arm/state": ArmState}  # noqa: RUF012

    def run(self) -> None:
        self.wait_until(lambda: self.is_there())
        print(f"{self.time:.2f} s: heard that the arm is there")

    def is_there(self) -> bool:
        state = self.latest("arm/state")
        return state is not None and state.is_there


try:
    Run(make_world(), [Listener()], bus=Bus({"arm/sate": ArmState}))
except ConfigError as error:
    print("before the first step:", error)
# --8<-- [end:messages]

# --8<-- [start:record]
folder = tempfile.TemporaryDirectory()
path = Path(folder.name) / "run.mcap"
faults = (
    Fault(kind="motor_dead", target="arm/femur", start=1.0, duration=0.1),
    Fault(kind="message_lost", target="arm/state", start=0.0, amount=0.3),
)
with (
    make_world() as world,
    Recorder(path, {"seed": 7}) as recorder,
    Run(
        world,
        [pilot, Listener()],
        bus=Bus({"arm/state": ArmState}),
        recorder=recorder,
        publishers=[tell],
        faults=faults,
    ) as run,
):
    run.run(2.0)
# --8<-- [end:record]

# --8<-- [start:read]
with open_recording(path) as recording:
    for topic in recording.topics:
        print(f"{topic:22} {recording.count(topic):4} messages")
    times, q = recording.arrays("arm/state", "q[1]")
    lowest = int(np.argmin(q))
    print(f"lowest femur: {q[lowest]:.2f} rad at {times[lowest]:.2f} s")
    for message in recording.messages("faults"):
        if message.value["kind"] == "motor_dead":
            print(
                message.value["phase"], "of motor_dead at", message.value["time"], "s"
            )
folder.cleanup()
# --8<-- [end:read]
