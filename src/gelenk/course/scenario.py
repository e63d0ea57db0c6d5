"""Scenarios of the course for `gelenk run` and `gelenk campaign`: `course/arm_cell` ...

Each is a module of `gelenk.course.scenarios`; none is imported before it runs.
"""

from __future__ import annotations

import importlib
import re
from typing import Any

from gelenk.runtime.scenario import Outcome, Scenario, scenario

ACCEPTANCE = 0.95
SUMMARIES = {
    "arm_cell": "A Puma on lines, arcs and past corners, under computed torque.",
    "window": "Four ways to press a wiper on a pane that nobody has measured.",
    "elastic_arm": "Feed-forward through soft joints, against one that ignores them.",
    "camera_grasp": "Cloud, plane, pose by ICP, approach by image, soft contact.",
    "soccer": "Two robots find a ball by its colour, share it out and shoot a goal.",
    "humanoid": "A walk by its zero-moment point, pushes, a slope, a hopper.",
    "museum": "A map made at night, a tour by day among visitors, along the coast.",
    "rover": "Layers that avoid, wander and explore; each is taken away once.",
    "avatar": "Valves to open after a disaster; an operator allows what is risky.",
}


def _scenario_of(name: str, summary: str) -> Scenario:
    """Return a scenario that calls `run(seed)` of a module."""

    def trial(config: Any, seed: int, recorder: Any) -> Outcome:
        module = importlib.import_module(f"gelenk.course.scenarios.{name}")
        found = module.run(seed)
        # "path [m]" -> "path_m": names of figures are plain words.
        figures = {
            re.sub(r"\W+", "_", key).strip("_"): float(value)
            for key, value in found.figures.items()
        }
        return Outcome(ok=found.is_reached, figures=figures, reason=found.reason)

    trial.__doc__ = summary
    trial.__name__ = trial.__qualname__ = name  # where other processes find it
    return scenario(f"course/{name}", acceptance=ACCEPTANCE)(trial)


for _name, _summary in SUMMARIES.items():
    globals()[_name] = _scenario_of(_name, _summary)
