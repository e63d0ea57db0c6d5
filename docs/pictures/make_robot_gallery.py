"""Draw twenty robots of the package example-robot-data, as `model.image()` does.

Usage:
    pip install 'gelenk[docs]'
    python docs/pictures/make_robot_gallery.py
"""

from __future__ import annotations

import importlib.metadata
import warnings
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

import gelenk

PACKAGE = "example-robot-data"
ROBOTS = {  # file below the folder of the robots: name in the picture
    "panda_description/urdf/panda.urdf": "Franka Panda",
    "ur_description/urdf/ur5_robot.urdf": "Universal Robots UR5",
    "xarm_description/urdf/xarm7.urdf": "UFACTORY xArm7",
    "z1_description/urdf/z1.urdf": "Unitree Z1",
    "kinova_description/robots/kinova.urdf": "Kinova Jaco",
    "so_arm_description/urdf/so101.urdf": "SO-101",
    "allegro_hand_description/urdf/allegro_right_hand.urdf": "Allegro hand",
    "baxter_description/urdf/baxter.urdf": "Baxter",
    "anymal_c_simple_description/urdf/anymal.urdf": "ANYmal C",
    "go2_description/urdf/go2.urdf": "Unitree Go2",
    "a1_description/urdf/a1.urdf": "Unitree A1",
    "hyq_description/robots/hyq_no_sensors.urdf": "HyQ",
    "solo_description/robots/solo12.urdf": "Solo 12",
    "bolt_description/robots/bolt.urdf": "Bolt",
    "g1_description/urdf/g1_29dof_rev_1_0.urdf": "Unitree G1",
    "talos_data/robots/talos_reduced.urdf": "TALOS",
    "romeo_description/urdf/romeo_small.urdf": "Romeo",
    "centauro_description/urdf/centauro.urdf": "CENTAURO",
    "pr2_description/urdf/pr2.urdf": "PR2",
    "tiago_description/robots/tiago.urdf": "TIAGo",
}
COLUMNS = 5
WIDTH, HEIGHT = 240, 220  # [px], of one robot
COLORS = 256  # of the whole sheet, which keeps the file small
TARGET = Path(__file__).resolve().parent / "robots-gallery.png"


def main() -> None:
    """Write the sheet."""
    place = importlib.metadata.distribution(PACKAGE).locate_file(
        "cmeel.prefix/share/example-robot-data/robots"
    )
    tiles = [_tile(Path(str(place)) / file, name) for file, name in ROBOTS.items()]
    rows = [
        np.concatenate(tiles[k : k + COLUMNS], axis=1)
        for k in range(0, len(tiles), COLUMNS)
    ]
    sheet = Image.fromarray(np.concatenate(rows))
    few = sheet.quantize(COLORS, kmeans=4, dither=Image.Dither.NONE)
    few.save(TARGET, optimize=True)
    print(f"docs/pictures/{TARGET.name}: {TARGET.stat().st_size / 1000:.0f} kB")


def _tile(path: Path, name: str) -> np.ndarray:
    """Return the picture of one robot with its name."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of links without mass and the like
        image = gelenk.load(path).image(width=WIDTH, height=HEIGHT)
    out = np.ascontiguousarray(image)
    font, size = cv2.FONT_HERSHEY_SIMPLEX, 0.42
    cv2.putText(out, name, (8, 16), font, size, (40, 46, 56), 1, cv2.LINE_AA)
    return out


if __name__ == "__main__":
    main()
