"""Draw the shipped cells of ArmBot with its own renderer.

Usage:
    python docs/pictures/make_armbot.py
"""

from __future__ import annotations

from pathlib import Path

from gelenk.robots.armbot.options import parse_options
from gelenk.robots.armbot.session import open_cell
from gelenk.robots.armbot.view.picture import save_picture

FOLDER = Path(__file__).resolve().parent
MOMENTS = {  # [s] simulated, when there is something to see
    "sorting": 15.4,
    "tower": 33.0,
    "slope": 3.2,
}


def main() -> None:
    """Write one picture per cell."""
    for name, seconds in MOMENTS.items():
        with open_cell(parse_options(["-e", name])) as cell:
            cell.run.run(seconds)
            save_picture(cell, FOLDER / f"armbot-{name}.png")
        print(f"docs/pictures/armbot-{name}.png")


if __name__ == "__main__":
    main()
