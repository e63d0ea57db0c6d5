"""Cells for tests: one program per robot, and a look at the world in every tick."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from gelenk.robots.armbot import RobotController
from gelenk.robots.armbot.cell import Cell
from gelenk.robots.armbot.environment.description import Environment
from gelenk.robots.armbot.environment.read import parse_environment
from gelenk.robots.armbot.grippers import TwoFingerGripper
from gelenk.robots.armbot.manipulators import SimpleArm
from gelenk.robots.armbot.setup import RobotSetup, Setup
from gelenk.robots.armbot.skills import Skills

# Away from the origin and turned, so that body and world cannot be taken for one.
PLACE: dict[str, float] = {"x": 0.1, "y": -0.2, "heading": 0.4}


def program(task: Callable[[Any], None]) -> type[RobotController]:
    """Return a controller whose `run` is a function of the controller."""

    class Program(RobotController):
        """Does what a test wants."""

        def run(self) -> None:
            task(self)

    return Program


@contextmanager
def cell_of(
    *controllers: type[RobotController] | None,
    arms: tuple[type, ...] = (SimpleArm,),
    gripper: type | None = TwoFingerGripper,
    scene: str = "",
    skills: Skills | None = None,
    config: str | None = None,
    **options: Any,
) -> Iterator[Cell]:
    """Yield a cell whose i-th robot stands 2 m further along x."""
    environment = parse_environment(scene) if scene else Environment()
    robots = tuple(
        RobotSetup(
            number=i,
            manipulator=arm,
            gripper=gripper,
            controller=controller,
            config=config,
            **{**PLACE, "x": PLACE["x"] + 2.0 * i},
        )
        for i, (arm, controller) in enumerate(zip(arms, controllers, strict=True))
    )
    setup = Setup(environment=environment, robots=robots, skills=skills or Skills())
    with Cell(setup, **options) as cell:
        yield cell


def watch(cell: Cell, look: Callable[[Any], Any]) -> list[Any]:
    """Look at the world after every physics tick from now on; return what is seen."""
    seen: list[Any] = []
    step = cell.world.step

    def step_and_look(count: int = 1) -> None:
        for _ in range(count):
            step(1)
            seen.append(np.copy(look(cell.world)))

    cell.world.step = step_and_look  # type: ignore[method-assign]
    return seen


def run_to_end(cell: Cell, seconds: float = 20.0) -> None:
    """Run until the controllers are done, and see that they are and did not fail."""
    assert cell.run.run_until_idle(seconds)
    cell.run.run(0.02)  # the message about the end is on its way
    for number, end in cell.controllers.items():
        assert end.reason == "finished", (number, end)
