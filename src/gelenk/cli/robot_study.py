"""Figures of a robot: calls timed, a path followed, efforts, random targets."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np

import gelenk
from gelenk.cli import exit_codes
from gelenk.cli.console import bold, format_table, say, write, write_json
from gelenk.cli.robot import model_facts
from gelenk.models.tree import RobotModel
from gelenk.typing import FloatArray
from gelenk.ui.gallery_arms import ToolPath, figure_eight, follow_poses, joint_swing

NUM_POSES = 240  # of one round of the path
PATH_PERIOD = 6.0  # [s], one round of the path


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Study:
    """Figures of one robot; all times are medians on this machine.

    Attributes:
        model: The robot.
        times_us: Time of one call [us], by function.
        path: Path of the tool.
        peak_effort: Largest effort along the path, per joint [N m] or [N].
        num_targets: Random reachable targets of inverse kinematics.
        num_solved: Those that were solved.
        worst_error: Largest position error among the solved ones [m].
    """

    model: RobotModel
    times_us: dict[str, float]
    path: ToolPath
    peak_effort: FloatArray
    num_targets: int
    num_solved: int
    worst_error: float

    @property
    def ok(self) -> bool:
        """Whether the path and every random target were met."""
        return bool(self.path.converged.all()) and self.num_solved == self.num_targets

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as JSON shows them."""
        return {
            "robot": self.model.name,
            "ok": self.ok,
            "path": {
                "kind": self.path.kind,
                "poses": len(self.path.q),
                "converged": int(self.path.converged.sum()),
                "max_position_error": float(self.path.position_error.max()),
                "peak_effort": self.peak_effort,
            },
            "random_targets": {
                "count": self.num_targets,
                "solved": self.num_solved,
                "max_position_error": self.worst_error,
            },
            "times_us": self.times_us,
        }


def print_study(robot: str, seed: int, *, json: bool) -> int:
    """Compute and print the figures of a robot.

    Args:
        robot: Name of the catalogue, or path of a robot file.
        seed: Seed of the random targets.
        json: Whether the result is one JSON object.

    Returns:
        Exit code.
    """
    say(f"loading {robot} ...")
    study = make_study(gelenk.load(robot), seed)
    if json:
        write_json(study.as_dict() | {"seed": seed})
    else:
        _print(study)
    return exit_codes.OK if study.ok else exit_codes.MISSED


def _print(study: Study) -> None:
    model, path = study.model, study.path
    facts = model_facts(model)
    write(
        f"{bold(model.name)}: {model.num_joints} joints, {facts['mass']:.3g} kg, "
        f"tool {facts['tool']}"
    )
    write(
        f"{path.kind} of {len(path.q)} poses: {int(path.converged.sum())} met, "
        f"worst position error {path.position_error.max():.1e} m"
    )
    write(
        f"{study.num_targets} random targets: {study.num_solved} solved, "
        f"worst position error {study.worst_error:.1e} m"
    )
    write()
    rows = [
        (name.replace("_", " "), f"{micros:.1f} us")
        for name, micros in study.times_us.items()
    ]
    write(format_table(("one call", "median"), rows, align="lr"))
    write()
    rows = []
    for joint, peak in zip(facts["joints"], study.peak_effort, strict=False):
        unit = "N" if joint["kind"] == "prismatic" else "N m"
        limit = joint["max_effort"]
        share = f"{100.0 * peak / limit:.0f} %" if 0.0 < limit < float("inf") else ""
        rows.append((joint["name"], f"{peak:.2f} {unit}", share))
    write(format_table(("joint", "peak effort", "of limit"), rows, align="lrr"))


def make_study(model: RobotModel, seed: int, num_targets: int = 200) -> Study:
    """Compute all figures of a robot.

    Args:
        model: Robot.
        seed: Seed of the random targets.
        num_targets: Number of random targets.
    """
    rng = np.random.default_rng(seed)
    q = np.array(model.home_configuration)
    v = np.zeros(model.nv)
    times = {
        "forward": _time(lambda: model.forward(q)),
        "jacobian": _time(lambda: model.jacobian(q)),
        "inverse_dynamics": _time(lambda: model.inverse_dynamics(q, v, v)),
        "forward_dynamics": _time(lambda: model.forward_dynamics(q, v, v)),
    }
    path = plan_path(model, NUM_POSES)
    solved, worst, times["inverse"] = _solve_random(model, rng, num_targets)
    return Study(
        model=model,
        times_us=times,
        path=path,
        peak_effort=_peak_effort(model, path.q),
        num_targets=num_targets,
        num_solved=solved,
        worst_error=worst,
    )


def plan_path(model: RobotModel, num_poses: int) -> ToolPath:
    """Return a figure eight of the tool, or a joint swing where none can be followed.

    Args:
        model: Robot.
        num_poses: Number of poses of one round.
    """
    path = figure_eight(model, num_poses)
    if path is None:
        T = np.asarray(model.forward(joint_swing(model, num_poses)))
        path = follow_poses(model, "joint swing", T)
        assert path is not None
    return path


def _time(call: Callable[[], object], repeats: int = 200) -> float:
    """Return the median time of a call [us]."""
    call()  # compiles, if this is the first time on this machine
    samples: list[int] = []
    for _ in range(repeats):
        start = time.perf_counter_ns()
        call()
        samples.append(time.perf_counter_ns() - start)
    return median(samples) * 1e-3


def _solve_random(
    model: RobotModel, rng: np.random.Generator, count: int
) -> tuple[int, float, float]:
    """Return how many random targets were solved, the worst error, the time [us]."""
    solved, worst = 0, 0.0
    times: list[int] = []
    n = model.num_joints
    lower, upper = np.clip(model.limits, -np.pi, np.pi)
    for _ in range(count):
        q = np.array(model.home_configuration)
        q[-n:] = rng.uniform(lower, upper)
        T = np.asarray(model.forward(q))
        start = time.perf_counter_ns()
        result = model.inverse(T)
        times.append(time.perf_counter_ns() - start)
        if result.converged:
            solved += 1
            worst = max(worst, result.position_error)
    return solved, worst, median(times) * 1e-3


def _peak_effort(model: RobotModel, q: FloatArray) -> FloatArray:
    """Return the largest effort per velocity coordinate along the closed path."""
    if model.has_floating_base:
        return np.zeros(0)
    dt = PATH_PERIOD / len(q)
    ahead, behind = np.roll(q, -1, axis=0), np.roll(q, 1, axis=0)
    qd, qdd = (ahead - behind) / (2.0 * dt), (ahead - 2.0 * q + behind) / dt**2
    return np.abs(model.inverse_dynamics(q, qd, qdd)).max(axis=0)
