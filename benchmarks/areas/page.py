"""The page in a real browser: start, frames, what it costs, and how long it lasts."""

from __future__ import annotations

from benchmarks.areas._page_frames import frames_per_second
from benchmarks.areas._page_price import slow_down
from benchmarks.areas._page_reloads import reloads
from benchmarks.areas._page_start import start_to_motion

TITLE = "The page in Chromium: start, frames, price of looking on, many reloads"

FIGURES = (start_to_motion, frames_per_second, slow_down, reloads)
