"""Controllers in processes of their own, and faults that strike controllers."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest

import remote_steps
from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.runtime.controller import Controller, PureController
from gelenk.runtime.controls import ControlRequest, RewindRequest
from gelenk.runtime.events import CONTROLLER_TOPIC, LOG_TOPIC
from gelenk.runtime.executor import ControllerState
from gelenk.runtime.message_faults import FAULT_TOPIC
from gelenk.runtime.process import ProcessController, ProcessExecutor
from gelenk.runtime.run import Run
from gelenk.sim.faults import Fault
from point_world import PointWorld


def remote(step, *, name="leg", timeout=10.0, robot="", seen=None, initial=0):
    controller = PureController(
        name=name,
        step=step,
        cfg=None,
        initial=initial,
        observe=lambda view: None,
        apply=lambda view, command: None if seen is None else seen.append(command),
        robot=robot,
    )
    return ProcessController(controller=controller, timeout=timeout)


def steering(name: str = "steering") -> PureController:
    return PureController(
        name=name,
        step=remote_steps.integrate,
        cfg=0.8,
        initial=np.zeros(2),
        observe=lambda view: float(view.world.joint_positions("arm")[0]),
        apply=lambda view, command: view.world.command("arm", [command]),
    )


def make_run(*controllers, **options) -> Run:
    return Run(PointWorld(), controllers, step=0.001, **options)


def listen(run: Run, topic: str) -> list:
    seen: list = []
    run.bus.subscribe(topic, seen.append)
    return seen


class Counting(Controller):
    def __init__(self) -> None:
        self.count = 0

    def run(self) -> None:
        while self.is_running():
            self.count += 1
            self.sleep(0.01)

    def stop(self) -> None:
        self.count = 0


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"


@pytest.mark.slow
def test_a_process_decides_as_the_same_step_does_here():
    hashes = []
    for controller in (steering(), ProcessController(controller=steering())):
        with make_run(controller, history=100) as run:
            run.run(0.3)
            world = run.executors[0].services.world
            hashes.append(world.state_hash())
            run.do(RewindRequest(tick=150))
            run.run(0.15)
            hashes.append(world.state_hash())

    assert len(set(hashes)) == 1


@pytest.mark.slow
def test_each_has_a_process_of_its_own_that_ends_with_the_run():
    first, second = [], []
    crew = [
        remote(remote_steps.report_pid, name="fl", seen=first),
        remote(remote_steps.report_pid, name="fr", seen=second),
    ]
    with make_run(*crew) as run:
        run.run(0.05)
        pids = {*first, *second}
        assert len(pids) == 2
        assert os.getpid() not in pids
        assert all(is_alive(pid) for pid in pids)

    assert not any(is_alive(pid) for pid in pids)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("step", "words"),
    [
        (remote_steps.hang_at_five, ["did not answer within", "hang_at_five"]),
        (remote_steps.raise_at_five, ["ValueError: five is too much", "raise_at_five"]),
        (remote_steps.die_at_five, ["was killed by SIGKILL"]),
    ],
)
def test_a_process_that_fails_is_named_and_the_run_goes_on(step, words):
    other = Counting()
    crew = [remote(step, timeout=0.5), other]
    with make_run(*crew) as run:
        log = listen(run, LOG_TOPIC)
        run.run(0.3)
        assert run.states["leg"] is ControllerState.IDLE
        assert other.count == 30
        host = run.executors[0]
        assert isinstance(host, ProcessExecutor)
        assert host.pid is None

    errors = [event.text for event in log if event.level == "error"]
    assert len(errors) == 1
    for word in ("leg", *words):
        assert word in errors[0]


@pytest.mark.slow
def test_a_step_that_cannot_travel_is_reported():
    with make_run(remote(lambda cfg, state, observation: (state, None))) as run:
        log = listen(run, LOG_TOPIC)
        run.run(0.03)
        assert run.states["leg"] is ControllerState.IDLE

    assert any("pickle" in event.text for event in log)
    with pytest.raises(ConfigError, match="above 0"):
        make_run(remote(remote_steps.report_pid, timeout=0.0))


@pytest.mark.slow
def test_a_killed_process_boots_again_when_the_fault_is_over():
    pids: list[int] = []
    fault = Fault(kind="process_killed", target="leg", start=0.05, duration=0.1)
    with make_run(remote(remote_steps.report_pid, seen=pids), faults=[fault]) as run:
        faults, changes = listen(run, FAULT_TOPIC), listen(run, CONTROLLER_TOPIC)
        run.run(0.1)
        assert run.states["leg"] is ControllerState.IDLE
        assert not is_alive(pids[0])
        run.do(ControlRequest(action="start"))  # refused: it is dead
        assert run.states["leg"] is ControllerState.IDLE
        run.run(0.1)
        assert run.states["leg"] is ControllerState.RUNNING
        value = run.executors[0].value

    assert [pids.count(pid) for pid in dict.fromkeys(pids)] == [5, 5]
    assert value == 5  # from the beginning
    assert [(f.kind, f.target, f.phase, f.time) for f in faults] == [
        ("process_killed", "leg", "start", 0.05),
        ("process_killed", "leg", "end", 0.15),
    ]
    assert "fault: process_killed (leg)" in [change.reason for change in changes]


def test_without_power_all_controllers_of_the_robot_end():
    class Driver(Counting):
        robot = "arm"

    arm, other = Driver(), Counting()
    pure = steering()
    fault = Fault(kind="power_gone", target="arm", start=0.05, duration=0.1)
    with make_run(arm, other, pure, faults=[fault], history=100) as run:
        run.run(0.1)
        assert [run.states[n] for n in ("Driver_0", "Counting_1")] == [
            ControllerState.IDLE,
            ControllerState.RUNNING,
        ]
        assert arm.count == 0
        run.run(0.1)
        assert run.states["Driver_0"] is ControllerState.RUNNING
        assert (arm.count, other.count) == (5, 20)
        assert run.executors[2].state is ControllerState.RUNNING


def test_a_run_rewound_into_an_outage_repeats_itself():
    fault = Fault(kind="power_gone", target="arm", start=0.05, duration=0.1)
    controller = dataclasses.replace(steering(), robot="arm")
    with make_run(controller, faults=[fault], history=100) as run:
        world, first = run.executors[0].services.world, []
        for _ in range(30):
            run.tick()
            first.append((world.state_hash(), run.executors[0].state))
        assert {state for _, state in first} == {
            ControllerState.IDLE,
            ControllerState.RUNNING,
        }

        for tick in (160, 120, 70, 40):
            run.do(RewindRequest(tick=tick))
            again = []
            for _ in range(30 - tick // 10):
                run.tick()
                again.append((world.state_hash(), run.executors[0].state))
            assert again == first[tick // 10 :]


def test_a_fault_that_kills_nobody_known_is_refused():
    fault = Fault(kind="process_killed", target="lge", start=0.0)
    with pytest.raises(NameNotFoundError, match="no controller named 'lge'"):
        make_run(faults=[fault])


@pytest.mark.slow
def test_processes_do_not_outlive_a_run_that_is_killed():
    script = """
        import os, sys
        sys.path.insert(0, {tests!r})
        import remote_steps
        from point_world import PointWorld
        from gelenk.runtime.controller import PureController
        from gelenk.runtime.process import ProcessController
        from gelenk.runtime.run import Run
        if __name__ == "__main__":
            pids = []
            controller = PureController(
                name="leg", step=remote_steps.report_pid, cfg=None, initial=0,
                observe=lambda view: None, apply=lambda view, pid: pids.append(pid))
            run = Run(PointWorld(), [ProcessController(controller=controller)], step=0.001)
            run.run(0.02)
            print(pids[0], flush=True)
            os.kill(os.getpid(), 9)
    """
    tests = str(Path(__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script).format(tests=tests)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    pid = int(done.stdout)
    deadline = time.monotonic() + 10.0
    while is_alive(pid) and time.monotonic() < deadline:
        time.sleep(0.01)

    assert done.returncode == -9
    assert not is_alive(pid)
