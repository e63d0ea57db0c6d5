"""The course: its compiled loops against code as one writes it in Python."""

from __future__ import annotations

from gelenk.testing.bench.areas._course_clouds import icp_speed

TITLE = "The course: compiled loops against plain Python"

FIGURES = (icp_speed,)
