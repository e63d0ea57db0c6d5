"""Tables of a running calibration: where it is, what it found, and what is true."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from gelenk.calibration.problem import CalibrationProblem
from gelenk.robots.nao.automaton import AutomatonState, Phase, Verdict
from gelenk.robots.nao.errors import NaoErrors
from gelenk.robots.nao.fit import Fit
from gelenk.robots.nao.parameters import values_from_errors
from gelenk.robots.nao.poses.view import TARGETS
from gelenk.runtime.panel import Cell, Column, Highlight, Table

DOUBT = 3.0  # standard deviations
MAX_MISSED = 12  # rows
TRUE = "true (simulator)"
PHASES = {
    Phase.IDLE: "waits for the left bumper",
    Phase.INIT: "begins",
    Phase.MOVE_LEG: "moves the leg",
    Phase.AIM: "looks at the board, waits for rest",
    Phase.DETECT: "searches the board",
    Phase.STORE: "keeps the view",
    Phase.SKIP: "gives the view up",
    Phase.NEXT_HEAD: "turns the head",
    Phase.NEXT_LEG: "changes legs",
    Phase.OPTIMISE: "fits the parameters",
    Phase.APPLY: "applies them",
    Phase.DONE: "done",
    Phase.FAIL: "ended without a result",
}
# How people read a unit: factor, its name, and what is measured in it.
UNITS = {
    "rad": (math.degrees(1.0), "deg", "Angles"),
    "m": (1e3, "mm", "Lengths"),
    "rad/(N m)": (math.degrees(1.0), "deg/(N m)", "Elasticity of drives"),
    "1": (1e2, "%", "Lens"),
    "px": (1.0, "px", "Image"),
}


def progress_table(state: AutomatonState, poses: int, time: float) -> Table:
    """Return where the automaton is.

    Args:
        state: Of the automaton.
        poses: Of each leg.
        time: Now [s].
    """
    total = 2 * poses * len(TARGETS)
    begun = not math.isnan(state.started)
    spent = (state.ended if state.is_over else time) - state.started
    rows: list[tuple[Cell, ...]] = [
        ("state", PHASES[state.phase]),
        ("leg", state.side if begun else None),
        ("pose", f"{max(state.pose + 1, 0)} of {poses}" if begun else None),
        ("gaze", f"{state.gaze + 1} of {len(TARGETS)}" if begun else None),
        ("views found", f"{len(state.views)} of {total}"),
        ("views missed", str(len(state.missed))),
        ("time spent", f"{spent:.1f} s" if begun else None),
        ("verdict", state.verdict.value if state.is_over else None),
    ]
    marks: tuple[Highlight, ...] = ()
    if state.is_over:
        is_good = state.verdict is Verdict.CALIBRATED
        marks = (Highlight(row=7, color="good" if is_good else "bad"),)
    if state.missed:
        marks += (Highlight(row=5, color="warning"),)
    return Table(
        name="progress",
        title="Calibration",
        columns=(Column(title="What"), Column(title="Now")),
        rows=tuple(rows),
        highlights=marks,
        caption=state.reason,
    )


def missed_table(state: AutomatonState) -> Table:
    """Return the last views that brought nothing, newest first."""
    rows = tuple(
        (view.time, view.side, view.pose + 1, view.gaze + 1, view.reason)
        for view in reversed(state.missed[-MAX_MISSED:])
    )
    return Table(
        name="missed",
        title="Missed views",
        columns=(
            Column(title="Time", unit="s", format=".1f"),
            Column(title="Leg"),
            Column(title="Pose", format="d"),
            Column(title="Gaze", format="d"),
            Column(title="Reason"),
        ),
        rows=rows,
    )


def parameter_tables(
    problem: CalibrationProblem, fit: Fit | None, errors: NaoErrors
) -> Iterator[Table]:
    """Yield all parameters beside what is true, a table for each unit.

    Args:
        problem: What will be fitted, as long as nothing is.
        fit: Result; None: not yet.
        errors: What is really wrong with the robot; only a simulator knows.
    """
    problem = problem if fit is None else fit.problem
    truth = values_from_errors(problem, errors)
    units = dict.fromkeys(parameter.unit for parameter in problem.parameters)
    about = (
        f"Only the simulator knows what is in the column {TRUE}; the robot does not. "
        f"A row is marked where it lies outside of {DOUBT:g} sigma."
    )
    for number, unit in enumerate(units):
        factor, name, title = UNITS[unit]
        rows: list[tuple[Cell, ...]] = []
        marks: list[Highlight] = []
        for i, parameter in enumerate(problem.parameters):
            if parameter.unit != unit:
                continue
            true, value, sigma = factor * float(truth[i]), None, None
            if fit is not None:
                value = factor * float(fit.calibration.values[i])
                sigma = factor * float(fit.calibration.sigma[i])
                if abs(value - true) > DOUBT * sigma:
                    marks.append(Highlight(row=len(rows), color="bad"))
                sigma = sigma if math.isfinite(sigma) else None
            rows.append((_short(parameter.name), value, sigma, true))
        yield Table(
            name=f"parameters {unit}",
            title=title,
            columns=(
                Column(title="Parameter"),
                Column(title="Estimate", unit=name, format="+.3f"),
                Column(title="± sigma", unit=name, format=".3f"),
                Column(title=TRUE, unit=name, format="+.3f"),
            ),
            rows=tuple(rows),
            highlights=tuple(marks),
            caption=about if number == 0 else "",
        )


def _short(name: str) -> str:
    """Return a name that leaves room for numbers: LeftKneePitch is L KneePitch."""
    return name.replace("Left", "L ").replace("Right", "R ")


def figures_table(
    state: AutomatonState, fit: Fit, problem: CalibrationProblem
) -> Table:
    """Return the figures of a result.

    Args:
        state: Of the automaton.
        fit: Its result.
        problem: The robot before; only for its size.
    """
    found = fit.calibration
    x, y = found.residual_sigma
    before = np.sqrt(found.chi2_before / max(2 * found.num_points, 1))
    more = len(fit.problem.parameters) - len(problem.parameters)
    kind = "as published" if more == 0 else f"as published and {more} more"
    rows: tuple[tuple[Cell, ...], ...] = (
        ("verdict", fit.answer.verdict.value),
        ("corners measured", f"{found.num_points}"),
        ("of these doubted", f"{found.num_outliers}"),
        ("parameters", f"{len(fit.problem.parameters)}, {kind}"),
        ("chi-square before", f"{found.chi2_before:.0f} px²"),
        ("chi-square after", f"{found.chi2_after:.2f} px²"),
        ("residual sigma before", f"{before:.2f} px"),
        ("residual sigma x", f"{x:.4f} px"),
        ("residual sigma y", f"{y:.4f} px"),
        ("steps", f"{found.iterations}"),
        ("simulated time", f"{state.duration:.1f} s" if state.is_over else None),
        ("time of the fit", f"{fit.seconds:.2f} s"),
    )
    return Table(
        name="figures",
        title="Result",
        columns=(Column(title="What"), Column(title="Value")),
        rows=rows,
    )
