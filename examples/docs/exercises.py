"""Exercises: a wrong submission, the mended one, and an exercise of one's own."""

import tempfile
from pathlib import Path

import numpy as np

from gelenk.robots.armbot.exercise import check_submission, cli_main
from gelenk.robots.armbot.exercise.record import (
    Answer,
    Argument,
    Case,
    Exercise,
    Function,
    Mistake,
)
from gelenk.robots.armbot.exercise.report import verdict_text

folder = Path(tempfile.mkdtemp())

# --8<-- [start:list]
cli_main(["--list"])  # gelenk armbot exercise --list
# --8<-- [end:list]

# --8<-- [start:wrong]
WRONG = """
from math import acos, atan2, hypot, pi

def inverse(p, lengths):
    stand, femur, tibia = lengths
    x, z = hypot(p[0], p[1]), p[2] - stand
    d = hypot(x, z)
    gamma = acos((femur**2 + d**2 - tibia**2) / (2 * femur * d))
    beta = acos((femur**2 + tibia**2 - d**2) / (2 * femur * tibia))
    return atan2(p[1], p[0]), gamma - atan2(z, x), beta - pi
"""
mine = folder / "mine.py"
mine.write_text(WRONG)

# gelenk armbot exercise simple-arm-inverse --submission mine.py
cli_main(["simple-arm-inverse", "--submission", str(mine)])
# --8<-- [end:wrong]

# --8<-- [start:mended]
MENDED = """
import numpy as np

def inverse(p, lengths):
    stand, femur, tibia = lengths
    x, z = np.hypot(p[0], p[1]), p[2] - stand
    d = np.hypot(x, z)
    if not abs(femur - tibia) - 1e-9 <= d <= femur + tibia + 1e-9:
        return None
    at_femur = (femur**2 + d**2 - tibia**2) / (2 * femur * d)
    at_knee = (femur**2 + tibia**2 - d**2) / (2 * femur * tibia)
    gamma, beta = np.arccos(np.clip([at_femur, at_knee], -1, 1))
    return np.arctan2(p[1], p[0]), gamma + np.arctan2(z, x), beta - np.pi
"""
mine.write_text(MENDED)

cli_main(["simple-arm-inverse", "--submission", str(mine)])
# --8<-- [end:mended]


# --8<-- [start:own]
def draw(rng: np.random.Generator) -> list[Case]:
    """Return the hidden cases."""
    return [
        Case(args={"angle": a, "length": b}) for a, b in rng.uniform(0.1, 1.5, (12, 2))
    ]


HEIGHT = Exercise(
    name="height",
    title="How high the end of a segment is.",
    task="A segment of the given length rises from the floor by the given angle.",
    functions=(
        Function(
            name="height",
            text="Return the height of its upper end.",
            arguments=(
                Argument(name="angle", text="from the floor", unit="rad"),
                Argument(name="length", text="of the segment", unit="m"),
            ),
            answer=Answer(text="the height", shape=(), unit="m"),
            solve=lambda angle, length: length * np.sin(angle),
            draw=draw,
            mistakes=(
                Mistake(
                    name="sin-cos-swapped",
                    cause="this is how far out the end is, not how high",
                    look="the height is opposite to the angle: take the sine",
                    instead=lambda angle, length: length * np.cos(angle),
                ),
            ),
        ),
    ),
)

mine.write_text(
    "import numpy as np\n"
    "def height(angle, length):\n"
    "    return length * np.cos(np.radians(angle))\n"
)
print(verdict_text(check_submission(HEIGHT, mine)))
# --8<-- [end:own]
