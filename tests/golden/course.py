"""The nine scenarios of the course, from their start to their verdict.

Those that decide on the way, where to go or whether to ask, part on two machines after
a while; elsewhere only their verdict must be the same.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from gelenk.course.scenarios.arm_cell import run as run_arm_cell
from gelenk.course.scenarios.avatar import run as run_avatar
from gelenk.course.scenarios.camera_grasp import run as run_camera_grasp
from gelenk.course.scenarios.elastic_arm import run as run_elastic_arm
from gelenk.course.scenarios.humanoid import run as run_humanoid
from gelenk.course.scenarios.museum import run as run_museum
from gelenk.course.scenarios.outcome import TrialOutcome
from gelenk.course.scenarios.rover import run as run_rover
from gelenk.course.scenarios.soccer import run as run_soccer
from gelenk.course.scenarios.window import run as run_window
from golden.records import Found, Record, digest, figure

# Of the figures of what follows a fixed way, between two machines: its noise is drawn
# alike, but steps of encoders and dry friction turn round earlier or later.
WITHIN, FLOOR = 0.05, 1e-5
Run = Callable[[int], TrialOutcome]


def judge(run: Run, *, decides: bool) -> Found:
    """Run a scenario; its figures count in the order in which it tells them."""
    outcome = run(0)
    values = np.array(list(outcome.figures.values()))
    figures = {"is_reached": figure(outcome.is_reached)}
    if not decides:
        for k, value in enumerate(values):
            figures[f"figure_{k + 1}"] = figure(value, absolute=FLOOR, relative=WITHIN)
    return Found({"figures": digest(values)}, figures)


FIXED: dict[str, Run] = {
    "arm_cell": run_arm_cell,
    "window": run_window,
    "elastic_arm": run_elastic_arm,
    "camera_grasp": run_camera_grasp,
    "humanoid": run_humanoid,
}
DECIDING: dict[str, Run] = {
    "museum": run_museum,
    "rover": run_rover,
    "avatar": run_avatar,
    "soccer": run_soccer,
}
RECORDS: dict[str, Record] = {
    name: partial(judge, run, decides=name in DECIDING)
    for name, run in (FIXED | DECIDING).items()
}
