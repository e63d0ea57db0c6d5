"""Pictures of the scenes, which travel with the page."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent / "static" / "pictures"


def picture_of(name: str) -> str:
    """Return where the server has the picture of a scene, empty if there is none."""
    file = f"{name.replace('/', '-')}.png"
    return f"/pictures/{file}" if (FOLDER / file).is_file() else ""
