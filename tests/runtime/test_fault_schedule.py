"""Faults of a run: named in one place, on the record with their exact times."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import pytest

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.models.assembler import assemble
from gelenk.models.link import JointType, Link
from gelenk.runtime.bus import Bus, Delivery
from gelenk.runtime.controller import PureController, View
from gelenk.runtime.controls import RewindRequest
from gelenk.runtime.executor import ControllerState
from gelenk.runtime.message_faults import FAULT_TOPIC, MessageFaults
from gelenk.runtime.run import Run
from gelenk.sim.faults import Fault, FaultKind
from point_world import PointWorld


@dataclass(frozen=True, slots=True, kw_only=True)
class Beat:
    """A sign of life."""

    count: int


def _say(view: View, count: int) -> None:
    view.bus.publish("beat", Beat(count=count), sender="clock")


def beating(robot: str = "") -> PureController:
    return PureController(
        name="clock",
        step=lambda cfg, count, observation: (count + 1, count),
        cfg=None,
        initial=0,
        observe=lambda view: None,
        apply=_say,
        robot=robot,
        provides={"beat": Beat},
    )


def fault(kind: FaultKind, target: str, start: float, duration: float) -> Fault:
    amount = 0.03 if kind in ("message_delayed", "sensor_biased") else 0.0
    return Fault(
        kind=kind, target=target, start=start, duration=duration, amount=amount
    )


def listen(run: Run) -> list[Delivery]:
    seen: list[Delivery] = []
    run.bus.subscribe_all(seen.append)
    return seen


def phases(seen: list[Delivery]) -> list[tuple[str, str, float]]:
    events = [delivery.message for delivery in seen if delivery.topic == FAULT_TOPIC]
    return [(e.kind, e.phase, e.time) for e in events if e.phase != "hit"]


def make_run(*faults: Fault, robot: str = "", **options) -> Run:
    world = PointWorld(robots=("arm",))
    return Run(world, [beating(robot)], faults=faults, step=0.001, **options)


def one_joint_world():
    from gelenk.sim import IdealMotor, Robot, World
    from gelenk.sim.sensors import Encoder

    links = [
        Link(name="base"),
        Link(
            name="rod",
            parent="base",
            joint="hinge",
            joint_type=JointType.REVOLUTE,
            axis=(0.0, 1.0, 0.0),
            mass=1.0,
            inertia=((0.1, 0, 0), (0, 0.1, 0), (0, 0, 0.1)),
        ),
    ]
    world = World(seed=11)
    world.add(
        Robot(
            name="arm",
            model=assemble("rod", links),
            motors=IdealMotor(max_speed=1.0),
            sensors={"encoders": Encoder()},
        )
    )
    return world


def test_start_and_end_are_announced_once_with_their_exact_times() -> None:
    lost = fault("message_lost", "beat", 0.0415, 0.0233)
    with make_run(lost) as run:
        seen = listen(run)
        run.run(0.2)

    assert phases(seen) == [
        ("message_lost", "start", 0.0415),
        ("message_lost", "end", 0.0648),
    ]
    # In the first control tick after it, and delivered in the one after that.
    at = [
        d.time_ns for d in seen if d.topic == FAULT_TOPIC and d.message.number is None
    ]
    assert at == [60_000_000, 80_000_000]


def test_a_fault_between_two_control_ticks_is_seen_and_strikes() -> None:
    short = fault("process_killed", "clock", 0.0511, 0.0002)
    with make_run(short) as run:
        seen = listen(run)
        run.run(0.07)
        struck = run.states["clock"]
        run.run(0.05)
        after = run.states["clock"]

    assert [phase for _, phase, _ in phases(seen)] == ["start", "end"]
    assert (struck, after) == (ControllerState.IDLE, ControllerState.RUNNING)


def test_the_run_makes_message_faults_with_the_seed_of_the_world() -> None:
    lossy = Fault(kind="message_lost", target="beat", start=0.0, amount=0.5)

    def received(seed: int) -> list[int]:
        world = PointWorld()
        world.seed = seed  # type: ignore[attr-defined]
        with Run(world, [beating()], faults=[lossy], step=0.001) as run:
            seen = listen(run)
            run.run(1.0)
        return [d.message.count for d in seen if d.topic == "beat"]

    same_by_hand = MessageFaults([lossy], 5)
    expected = [n for n in range(100) if same_by_hand.judge("beat", n, 0).copies]
    assert received(5) == expected
    assert received(6) != expected
    assert 30 < len(expected) < 70


def test_a_bus_with_other_faults_is_refused_and_one_with_the_same_is_not() -> None:
    lost = fault("message_lost", "beat", 0.1, 0.1)
    other = fault("message_lost", "beat", 0.2, 0.1)
    bus = Bus(faults=MessageFaults([lost], 0))

    with make_run(lost, bus=bus) as run:
        run.run(0.05)
    with pytest.raises(ConfigError, match="faults of its own already, on beat"):
        make_run(other, bus=Bus(faults=MessageFaults([lost], 0)))


def test_faults_that_only_the_bus_knows_are_announced_too() -> None:
    lost = fault("message_lost", "beat", 0.05, 0.03)
    bus = Bus(faults=MessageFaults([lost], 3))
    with make_run(bus=bus) as run:
        seen = listen(run)
        run.run(0.2)

    assert [phase for _, phase, _ in phases(seen)] == ["start", "end"]


@pytest.mark.parametrize(
    ("kind", "target", "closest"),
    [
        ("motor_dead", "arm/hinges", "arm/hinge"),
        ("joint_locked", "arm/hing", "arm/hinge"),
        ("joint_limp", "arn/hinge", "arm/hinge"),
        ("sensor_frozen", "arm/encoder", "arm/encoders"),
        ("sensor_biased", "arm/encodes", "arm/encoders"),
        ("power_gone", "arn", "arm"),
        ("process_killed", "clok", "clock"),
        ("message_lost", "beats", "beat"),
        ("message_delayed", "beet", "beat"),
    ],
)
def test_an_unknown_target_is_refused_before_the_first_step(
    kind: FaultKind, target: str, closest: str
) -> None:
    with one_joint_world() as world:
        with (
            pytest.raises(NameNotFoundError, match=f"[Dd]id you mean '{closest}'"),
            Run(world, [beating()], faults=[fault(kind, target, 0.0, 1.0)]) as run,
        ):
            run.tick()
        assert world.tick == 0


def test_a_fault_given_to_the_run_acts_in_the_world() -> None:
    dead = fault("motor_dead", "arm/hinge", 0.1, 0.2)
    with one_joint_world() as world, Run(world, faults=[dead]) as run:
        seen = listen(run)
        assert world.faults == (dead,)
        world.command("arm", [1.0])
        reached = []
        for _ in range(4):
            run.run(0.1)
            reached.append(float(world.joint_positions("arm")[0]))

    assert reached == pytest.approx([0.1, 0.1, 0.1, 0.2], abs=1e-9)
    assert phases(seen) == [("motor_dead", "start", 0.1), ("motor_dead", "end", 0.3)]


def test_faults_of_the_world_are_announced_and_given_twice_they_count_once() -> None:
    frozen = fault("sensor_frozen", "arm/encoders", 0.02, 0.02)
    with one_joint_world() as world:
        world.add(frozen)
        with Run(world, faults=[frozen]) as run:
            seen = listen(run)
            run.run(0.1)

    assert [phase for _, phase, _ in phases(seen)] == ["start", "end"]


def test_motor_faults_come_too_late_for_a_world_that_runs() -> None:
    with one_joint_world() as world:
        world.step()
        with pytest.raises(ConfigError, match="add everything first"):
            Run(world, faults=[fault("motor_dead", "arm/hinge", 0.1, 0.1)])
    with pytest.raises(ConfigError, match="PointWorld knows no faults"):
        make_run(fault("motor_dead", "arm/hinge", 0.1, 0.1))


def test_faults_that_were_over_before_the_run_are_not_announced() -> None:
    with one_joint_world() as world:
        world.add(fault("motor_dead", "arm/hinge", 0.01, 0.02))
        world.add(fault("joint_limp", "arm/hinge", 0.03, 0.1))
        world.run(0.05)
        with Run(world) as run:
            seen = listen(run)
            run.run(0.03)

    assert phases(seen) == [("joint_limp", "start", 0.03)]


def test_a_rewound_run_announces_again_what_lies_ahead() -> None:
    faults = [
        fault("message_lost", "beat", 0.03, 0.02),
        fault("power_gone", "arm", 0.06, 0.02),
    ]
    with make_run(*faults, robot="arm", history=100) as run:
        first = listen(run)
        run.run(0.15)
        told = [(d.time_ns, d.message) for d in first if d.topic == FAULT_TOPIC]
        for tick in (50, 0, 40):
            again = listen(run)
            run.do(RewindRequest(tick=tick))
            run.run(0.15 - tick / 1000)
            expected = [item for item in told if item[0] >= tick * 1_000_000]
            found = [(d.time_ns, d.message) for d in again if d.topic == FAULT_TOPIC]
            assert found == expected
    assert all(a[0] <= b[0] for a, b in pairwise(told))
    assert len([m for _, m in told if m.phase != "hit"]) == 4
