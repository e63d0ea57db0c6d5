"""A calibration on the terminal: a bar, and a small picture of what the robot sees."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING, Any, TextIO

from gelenk.cli.console import LiveArea, has_color, progress_bar

if TYPE_CHECKING:
    from rich.console import RenderableType

    from gelenk.robots.nao.command import Moment

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
