"""The demonstration: an arm at work in the terminal, with what it costs to compute."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from gelenk.cli import exit_codes
from gelenk.cli.console import (
    bold,
    dim,
    format_table,
    has_color,
    say,
    write,
    write_json,
)
from gelenk.cli.facts import model_facts

if TYPE_CHECKING:
    from gelenk.cli.demo.study import Study


def show_robot(
    robot: str, headless: bool, seconds: float, seed: int, *, json: bool
) -> int:
    """Let an arm follow a figure eight and say what that costs.

    Args:
        robot: Catalogue name or file.
        headless: Whether the moving picture is left out.
        seconds: Length of the picture [s].
        seed: Of the random targets.
        json: Whether the result is one JSON object.

    Returns:
        The exit code.
    """
    say(f"loading {robot} ...")
    import gelenk
    from gelenk.cli.demo.study import make_study

    study = make_study(gelenk.load(robot), seed)
    if json:
        write_json(study.as_dict() | {"seed": seed})
    else:
        if not headless and has_color(sys.stderr):
            from gelenk.cli.demo.film import play

            play(study, seconds)
        _print(study, with_picture=not headless)
    return exit_codes.OK if study.ok else exit_codes.MISSED


def _print(study: Study, *, with_picture: bool) -> None:
    model, path = study.model, study.path
    facts = model_facts(model)
    write(
        f"{bold(model.name)}: {model.num_joints} joints, {facts['mass']:.3g} kg, "
        f"tool {facts['tool']}"
    )
    if with_picture and not has_color(sys.stderr):
        from gelenk.cli.demo.film import still

        write("\n".join(still(study)))
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
    write(_effort_table(study))
    say(dim("\nnext: gelenk run --list, gelenk models, gelenk ik --help"))


def _effort_table(study: Study) -> str:
    joints = model_facts(study.model)["joints"]
    rows: list[tuple[str, ...]] = []
    for joint, peak in zip(joints, study.peak_effort, strict=False):
        unit = "N" if joint["kind"] == "prismatic" else "N m"
        limit = joint["max_effort"]
        share = f"{100.0 * peak / limit:.0f} %" if 0.0 < limit < float("inf") else ""
        rows.append((joint["name"], f"{peak:.2f} {unit}", share))
    return format_table(("joint", "peak effort", "of limit"), rows, align="lrr")
