"""The command line answers at once: help must not load what only computing needs."""

import json
import subprocess
import sys

import pytest

HEAVY = ("numba", "scipy", "mujoco", "llvmlite", "matplotlib", "pinocchio")
COMMANDS = (
    "open",
    "run",
    "list",
    "robot",
    "ik",
    "campaign",
    "armbot",
    "nao",
    "piggy",
    "replay",
    "doctor",
    "warmup",
)


def modules_after(statement: str) -> set[str]:
    """Return the top-level packages that a fresh interpreter has loaded."""
    code = (
        "import contextlib, io, json, sys\n"
        "with contextlib.redirect_stdout(io.StringIO()):\n"
        f"    {statement}\n"
        "print(json.dumps(sorted({name.split('.')[0] for name in sys.modules})))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    return set(json.loads(done.stdout))


def test_importing_gelenk_loads_no_engine() -> None:
    assert modules_after("import gelenk").isdisjoint({*HEAVY, "typer", "numpy"})


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["ik", "--help"],
        ["run", "--help"],
        ["open", "--help"],
        ["armbot", "-?"],
        [],
    ],
)
def test_help_loads_no_engine_and_no_numpy(arguments: list[str]) -> None:
    statement = f"from gelenk.cli.main import main; assert main({arguments}) == 0"

    assert modules_after(statement).isdisjoint({*HEAVY, "numpy"})


def test_listing_the_catalogue_compiles_nothing() -> None:
    statement = "from gelenk.cli.main import main; assert main(['list', 'robot']) == 0"

    assert modules_after(statement).isdisjoint(HEAVY)


def test_loading_a_robot_needs_no_engine() -> None:
    """`gelenk.models` is plain NumPy; only computing with a robot may load numba."""
    assert modules_after("import gelenk; gelenk.load('panda')").isdisjoint(HEAVY)


def test_the_installed_command_shows_every_command_in_its_help() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "gelenk.cli.main", "--help"],
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stderr == ""
    for command in COMMANDS:
        assert command in done.stdout


@pytest.mark.slow
def test_after_the_warmup_everyday_calls_compile_nothing() -> None:
    """In a new process: kernels come from the cache on disk, not from the compiler."""
    subprocess.run([sys.executable, "-m", "gelenk.cli.main", "warmup"], check=True)
    code = (
        "import logging, numpy as np, sys\n"
        "logging.basicConfig(level=logging.INFO, stream=sys.stdout)\n"
        "import gelenk\n"
        "arm = gelenk.load('ur5e')\n"
        "q = np.array(arm.home_configuration)\n"
        "for q in (q, np.stack([q, q])):\n"
        "    v = np.zeros_like(q)\n"
        "    arm.forward(q); arm.jacobian(q); arm.mass_matrix(q)\n"
        "    arm.inverse_dynamics(q, v, v); arm.forward_dynamics(q, v, v)\n"
        "print(arm.inverse(arm.forward(q)[0]).status)\n"
        "from gelenk.sim import Ball, Ground, IdealMotor, Robot, World\n"
        "from gelenk.sim.sensors import Encoder\n"
        "world = World()\n"
        "world.add(Ground())\n"
        "world.add(Ball(name='ball', radius=0.05, mass=0.2, position=(2, 0, 0.2)))\n"
        "motor, sensors = IdealMotor(max_speed=1.0), {'encoders': Encoder()}\n"
        "world.add(Robot(name='arm', model=arm, motors=motor, sensors=sensors))\n"
        "world.run(0.3)\n"
        "world.pose('ball'), world.read('arm/encoders'), world.snapshot()\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )

    assert done.stdout == "converged\n"
