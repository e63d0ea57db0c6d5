"""Show a scene as moving pictures in a terminal."""

from __future__ import annotations

import math
import shutil
import sys
import time

from gelenk.cli.demo.canvas import Canvas
from gelenk.cli.demo.scene import Scene
from gelenk.cli.demo.study import PATH_PERIOD, Study

FRAME_RATE = 25.0  # [1/s]
START_AZIMUTH = 0.6  # [rad]
SWAY = 0.5  # [rad], how far the camera turns to either side


def still(study: Study, columns: int = 60, rows: int = 20) -> list[str]:
    """Return one picture, of the robot after three quarters of its path."""
    canvas = Canvas(columns, rows)
    step = 3 * len(study.path.q) // 4
    make_scene(study).draw(canvas, step, START_AZIMUTH)
    return canvas.lines()


def make_scene(study: Study) -> Scene:
    """Return the scene of a study."""
    return Scene(study.model, study.path.q, study.path.T_base_tool[:, :3, 3])


def play(study: Study, seconds: float) -> None:
    """Draw the robot along its path for `seconds`, in place, on stderr's terminal."""
    size = shutil.get_terminal_size()
    columns, rows = min(size.columns - 1, 100), max(min(size.lines - 4, 28), 8)
    scene = make_scene(study)
    out = sys.stderr
    num_steps = len(study.path.q)
    start = time.perf_counter()
    out.write("\x1b[?25l" + "\n" * rows)  # hide the cursor, make room
    try:
        while (t := time.perf_counter() - start) < seconds:
            step = int(t / PATH_PERIOD * num_steps) % num_steps
            azimuth = START_AZIMUTH + SWAY * math.sin(2.0 * math.pi * t / 12.0)
            canvas = Canvas(columns, rows)
            scene.draw(canvas, step, azimuth)
            picture = "\n".join(f"{line}\x1b[K" for line in canvas.lines(color=True))
            out.write(f"\x1b[{rows}A\r{picture}\n")
            out.flush()
            ahead = start + (math.floor(t * FRAME_RATE) + 1) / FRAME_RATE
            time.sleep(max(0.0, ahead - time.perf_counter()))
    finally:
        out.write("\x1b[?25h")
        out.flush()
