"""What `gelenk nao` prints for people."""

from __future__ import annotations

from typing import Any

from gelenk.cli.console import bold, dim, format_table, write


def print_calibration(document: dict[str, Any]) -> None:
    """Write a calibration as a table with what surrounds it."""
    from gelenk.robots.nao.report.document import worst_joint_error

    write(f"{bold(document['robot'])}: {document['verdict']}, {document['reason']}")
    rows = [
        (
            item["name"],
            f"{item['estimate']:.4f}",
            "kept" if item["frozen"] else _known(item["sigma"]),
            _known(item["true_error"]),
            _known(item["deviation"]),
            item["unit"],
        )
        for item in document["parameters"]
    ]
    if rows:
        header = ("parameter", "estimate", "sigma", "true", "off by", "unit")
        write(format_table(header, rows, align="lrrrrl"))
        x, y = document["residual_sigma"]["x"], document["residual_sigma"]["y"]
        write(
            f"chi-square {document['chi2_before']:.6g} -> "
            f"{document['chi2_after']:.6g} px^2 in {document['iterations']} "
            f"iterations; residual sigma {_known(x)} px in x, {_known(y)} px in y"
        )
        worst = worst_joint_error(document)
        if worst is not None:
            write(f"largest error of a joint: {worst[1]:.4f} deg ({worst[0]})")
    seen = document["measurements"]
    write(
        f"{seen['views']} of {seen['views_expected']} views, {seen['corners']} corners"
    )
    for miss in document["missed"]:
        write(
            dim(
                f"  missed: {miss['leg']} leg, pose {miss['pose']}, gaze "
                f"{miss['gaze']}: {miss['reason']}"
            )
        )
    if document["simulated_seconds"] is not None:
        write(
            dim(
                f"{document['simulated_seconds']:.0f} s simulated in "
                f"{document['run_compute_seconds']:.0f} s"
            )
        )
    for sentence in document["advice"]:
        write(f"- {sentence}")


def _known(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.4f}"


def print_checks(robot: str, document: dict[str, Any]) -> None:
    """Write the checks of a calibration as a table."""
    write(bold(f"{robot}: {'better' if document['ok'] else 'not good enough'}"))
    rows = [
        (
            "ok" if item["ok"] else "!!",
            item["what"],
            _short(item["before"]),
            _short(item["after"]),
            f"<= {item['limit']:.3g}",
            item["unit"],
        )
        for item in document["checks"]
    ]
    header = ("", "check", "before", "after", "limit", "unit")
    write(format_table(header, rows, align="llrrrl"))


def _short(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.3g}"


def print_found(document: dict[str, Any]) -> None:
    """Write what was found in images."""
    for item in document["images"]:
        write(f"{bold(item['file'])}: {item['status']}; {item['reason']}")
        rows = [
            (str(k), f"{x:.3f}", f"{y:.3f}")
            for k, (x, y) in enumerate(item["corners"] or [])
        ]
        if rows:
            write(format_table(("corner", "x [px]", "y [px]"), rows, align="rrr"))
        write(dim(f"{1e3 * item['compute_seconds']:.1f} ms"))
        if "opencv" in item:
            other = item["opencv"]
            how = "found" if other["found"] else "not found"
            if other["distance"] is not None:
                how += f", {other['distance']:.3f} px from ours (rms)"
            write(f"OpenCV: {how}, {1e3 * other['compute_seconds']:.1f} ms")
