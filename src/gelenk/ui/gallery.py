"""The scenes that can be chosen, in the order in which they are offered."""

from __future__ import annotations

from gelenk.ui.gallery_armbot import armbot_entries
from gelenk.ui.gallery_arms import arm_entries
from gelenk.ui.gallery_cameras import CAMERAS
from gelenk.ui.gallery_course import course_entries
from gelenk.ui.gallery_flight import FLIGHT
from gelenk.ui.gallery_robots import entry_of, robot_entries
from gelenk.ui.gallery_worlds import world_entries
from gelenk.ui.staged import Entry


def list_scenes() -> dict[str, Entry]:
    """Return all scenes by name."""
    entries = (
        *armbot_entries(),
        *robot_entries(),
        *world_entries(),
        *map(entry_of, (FLIGHT, CAMERAS)),
        *arm_entries(),
        *course_entries(),
    )
    return {entry.card.name: entry for entry in entries}
