"""Shakes the golden net: one constant of each area is changed, and the net must fail.

A copy of the package with the changed constant is run in a process of its own; the
package itself stays as it is.

Usage:
    PYTHONPATH=tests python -m golden.shake [AREA ...]    all areas by default
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Shake:
    """A constant that is changed.

    Attributes:
        file: Module below `src/gelenk`.
        old: Text that stands there once.
        new: Text in its place.
        record: Name of the record that must see it.
    """

    file: str
    old: str
    new: str
    record: str


SHAKES = {
    "world": Shake("sim/config.py", "-9.81)", "-9.8101)", "tower"),
    "catalogue": Shake("models/catalog/franka.py", "-0.316", "-0.3161", "panda"),
    "armbot": Shake(
        "robots/armbot/controllers/handling.py",
        "CLEARANCE = 0.08",
        "CLEARANCE = 0.0801",
        "pick_place",
    ),
    "piggy": Shake(
        "robots/piggy/config.py", "MASS = 0.053 ", "MASS = 0.0531 ", "thesis_hit"
    ),
    "amee": Shake(
        "robots/amee/config.py", "OFFSET = -0.020", "OFFSET = -0.0201", "flat"
    ),
    "nao": Shake("robots/nao/robot.py", "LEG = 0.1029", "LEG = 0.10291", "case_1"),
    "course": Shake(
        "course/scenarios/arm_cell.py", "KP = 900.0", "KP = 900.1", "arm_cell"
    ),
}


def is_seen(area: str, shake: Shake) -> bool:
    """Return whether the net fails for an area once its constant is changed."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "src"
        for name in ("src", "assets"):
            shutil.copytree(ROOT / name, Path(folder) / name)
        path = source / "gelenk" / shake.file
        text = path.read_text(encoding="utf-8")
        if text.count(shake.old) != 1:
            raise SystemExit(f"{shake.file}: {shake.old!r} does not stand there once")
        path.write_text(text.replace(shake.old, shake.new), encoding="utf-8")
        script = (
            "import sys; from golden.areas import AREAS, DRAWN;"
            "from golden.records import differences, fingerprint, read_values;"
            "import gelenk; assert gelenk.__file__.startswith(sys.argv[3]);"
            "area, name = sys.argv[1:3];"
            "values = read_values(area); kept = values['records'][name];"
            "same = values['fingerprint'] == fingerprint(draws=area in DRAWN);"
            "found = AREAS[area][name]();"
            "sys.exit(3 * any(differences(found, kept, is_same_machine=same)))"
        )
        paths = [str(source), str(ROOT / "tests"), str(ROOT)]
        done = subprocess.run(
            [sys.executable, "-c", script, area, shake.record, folder],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
            cwd=folder,
            check=False,
        )
    if done.returncode not in (0, 3):
        raise SystemExit(f"{area}/{shake.record} did not run: {done.returncode}")
    return done.returncode == 3


def main(areas: list[str]) -> int:
    """Shake areas, print what was seen; return 1 if anything was not."""
    missed = 0
    for area in areas or SHAKES:
        shake = SHAKES[area]
        seen = is_seen(area, shake)
        missed += not seen
        verdict = "fails, as it must" if seen else "NOT SEEN"
        sys.stdout.write(
            f"{shake.file}: {shake.old} -> {shake.new}; "
            f"{area}/{shake.record} {verdict}\n"
        )
    return min(missed, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
