"""Texts of `gelenk nao` for people: tables, and a calibration while it goes."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING, Any, TextIO

from gelenk.cli.console import (
    LiveArea,
    bold,
    dim,
    format_table,
    has_color,
    progress_bar,
    write,
)

if TYPE_CHECKING:
    from rich.console import RenderableType

    from gelenk.robots.nao.command import Moment


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


PICTURE = (56, 42)  # columns, and rows of half blocks: two per line
WORDS = {
    "move_leg": "leg moves",
    "aim": "head turns",
    "detect": "looking for the board",
    "optimise": "fitting",
}


def can_show_pictures(stream: TextIO) -> bool:
    """Return whether a terminal has colours and room for a small picture."""
    if not has_color(stream):
        return False
    term, color = os.environ.get("TERM", ""), os.environ.get("COLORTERM", "")
    size = shutil.get_terminal_size((0, 0))
    is_large = size.columns >= PICTURE[0] + 4 and size.lines >= PICTURE[1] // 2 + 6
    return is_large and ("256color" in term or color in ("truecolor", "24bit"))


def half_blocks(image: Any, corners: Any = ()) -> list[str]:
    """Return a gray image as lines of half blocks, corners in cyan.

    Args:
        image: Gray levels, (rows, columns).
        corners: Places to mark [px], (n, 2).
    """
    import numpy as np

    columns, rows = PICTURE
    height, width = image.shape
    row = np.linspace(0, height, rows, endpoint=False).astype(int)
    column = np.linspace(0, width, columns, endpoint=False).astype(int)
    sums = np.add.reduceat(np.add.reduceat(image.astype(float), row, 0), column, 1)
    counts = np.outer(np.diff([*row, height]), np.diff([*column, width]))
    gray = sums / counts
    gray = gray * (255.0 / max(float(gray.max()), 1.0))
    shade = 232 + np.clip(gray / 256.0 * 24.0, 0, 23).astype(int)  # 24 grays of xterm
    for x, y in corners:
        u, v = int(x * columns / width), int(y * rows / height)
        if 0 <= u < columns and 0 <= v < rows:
            shade[v, u] = 51
    return [
        "".join(
            f"\x1b[38;5;{top};48;5;{low}m▀"
            for top, low in zip(shade[k], shade[k + 1], strict=True)
        )
        + "\x1b[0m"
        for k in range(0, rows, 2)
    ]


class CalibrationProgress(LiveArea):
    """Shows where a calibration is, on stderr; silent where that is no terminal."""

    def __init__(self) -> None:
        super().__init__()
        self._has_picture = can_show_pictures(sys.stderr)

    def show(self, moment: Moment) -> None:
        """Draw a moment, not more often than eyes can follow."""
        if not self.is_due:
            return
        from rich.console import Group
        from rich.text import Text

        lines: list[RenderableType] = [progress_line(moment)]
        if self._has_picture and moment.image is not None:
            views = moment.state.views
            is_found = moment.state.phase.value in ("store", "next_head", "aim")
            corners = views[-1].corners if views and is_found else ()
            picture = "\n".join(half_blocks(moment.image, corners))
            lines.insert(0, Text.from_ansi(picture))
        self.draw(Group(*lines))


def progress_line(moment: Moment) -> RenderableType:
    """Return a moment as one line: bar, views found, leg, pose, gaze, what happens."""
    done = len(moment.state.views) + len(moment.state.missed)
    return progress_bar(done / max(moment.num_views, 1), progress_text(moment))


def progress_text(moment: Moment) -> str:
    """Return a moment in words: views found, leg, pose, gaze, what happens."""
    state = moment.state
    missed = f", {len(state.missed)} missed" if state.missed else ""
    where = f"{state.side} leg"
    if state.pose >= 0:
        where += f", pose {state.pose + 1}, gaze {state.gaze + 1}"
    what = WORDS.get(state.phase.value, "")
    return f"{len(state.views)} of {moment.num_views} views{missed} | {where}" + (
        f": {what}" if what else ""
    )
