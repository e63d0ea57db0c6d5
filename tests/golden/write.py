"""Writes the golden values anew: `python -m golden.write [AREA ...]`, all by default."""

from __future__ import annotations

import sys
import time

from golden.areas import AREAS, DRAWN
from golden.records import write_values


def main(areas: list[str]) -> int:
    """Write the values of areas; return the exit code."""
    unknown = [area for area in areas if area not in AREAS]
    if unknown:
        known = ", ".join(AREAS)
        sys.stderr.write(f"golden: no area {', '.join(unknown)}; there are {known}\n")
        return 2
    for area in areas or AREAS:
        start = time.process_time()
        found = {name: run() for name, run in AREAS[area].items()}
        path = write_values(area, found, draws=area in DRAWN)
        seconds = time.process_time() - start
        sys.stderr.write(f"golden: {path.name} written, {seconds:.1f} s of CPU\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
