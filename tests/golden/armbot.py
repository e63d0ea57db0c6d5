"""The eight cells of ArmBot, their first seconds.

Robots that grasp and put down forget small deviations, so that on another machine
things lie nearly where they lay, and the same triggers are sent. A tie, such as a ball
that may fall to either side, is decided by the last bit.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np

from gelenk.robots.armbot.assets import shipped_cells
from gelenk.robots.armbot.options import parse_options
from gelenk.robots.armbot.report import Report, make_report
from gelenk.robots.armbot.session import open_cell
from golden.records import Found, Record, digest, figure

SECONDS = 12.0  # [s], simulated
EXERCISE = "student"  # ships without its solution
SOLUTION = Path(__file__).parents[1] / "robots/armbot/cells/student_solution.py"


def run_cell(name: str) -> Found:
    """Run a shipped cell; return its state and its report without names and words."""
    words = ["-e", name, "--seed", "1"]
    if name == EXERCISE:
        words += ["-c", f"{SOLUTION}:Student"]
    with open_cell(parse_options(words)) as cell:
        cell.run.run(SECONDS)
        cell.finish()
        return look(make_report(cell), cell.world.state_hash())


def look(report: Report, state: str) -> Found:
    """Return what is kept of a report."""
    things = [*report.balls.values(), *report.cuboids.values()]
    things += report.cylinders.values()
    places = np.array([item.position for item in things])
    motors = np.array(
        [(m.value, m.target) for robot in report.robots for m in robot.motors.values()]
    )
    triggers = report.triggers
    bits = {
        "state": state,
        "things": digest(places, np.array([item.quaternion for item in things])),
        "motors": digest(motors),
        "triggers": digest(*(f"{t.tick} {t.receiver} {t.text};" for t in triggers)),
        "lines": digest(np.array([(n.tick, n.robot) for n in report.debug_out])),
    }
    figures = {
        "ok": figure(report.ok),
        "tick": figure(report.tick),
        "triggers": figure(len(triggers), absolute=1.0),
        "lines": figure(len(report.debug_out), absolute=1.0),
        "motors": figure(motors.mean(), absolute=0.02),
    }
    for axis, value in zip("xyz", places.mean(axis=0), strict=True):
        figures[axis] = figure(value, absolute=0.03)
    return Found(bits, figures)


RECORDS: dict[str, Record] = {name: partial(run_cell, name) for name in shipped_cells()}
