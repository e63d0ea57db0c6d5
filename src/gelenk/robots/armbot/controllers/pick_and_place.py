"""`PickAndPlace`: fetch objects where they are expected and put them elsewhere.

Its configuration is a list of jobs, parted by `;`. A job is a list of `key=value`, with
lengths in centimetres, angles in degrees, and places in the world:

    from=35,0,3 to=0,30,12 width=5 ; from=35,10,3 via=30,20,15 to=0,30,12 width=5
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from gelenk.robots.armbot.controllers.handling import Handling
from gelenk.robots.armbot.interface.controller import CM, DEG

Point: TypeAlias = tuple[float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One object and its way. Places are those of the grip point in the world [m].

    Attributes:
        pick, place: Where the object is gripped, and where it is let go.
        via: Points on the way, joined by straight lines.
        width: To which the fingers close [m]; None: fully, or by suction.
        turn: Heading of the gripper when it picks [rad].
        turn_to: ... and when it places.
        is_centred: Whether the object is squeezed at right angles first.
        travel: Least height on the way across [m].
    """

    pick: Point
    place: Point
    via: tuple[Point, ...] = ()
    width: float | None = None
    turn: float = 0.0
    turn_to: float = 0.0
    is_centred: bool = False
    travel: float = 0.0


class PickAndPlace(Handling):
    """Fetches objects one after the other and puts them where they belong.

    It grasps where an object is expected, and feels nothing: fingers that close around
    it bring it to their middle.
    """

    jobs: tuple[Job, ...] = ()

    def requires_configuration(self) -> bool:
        return True

    def configure(self, params: str) -> None:
        self.jobs = parse_jobs(params)

    def run(self) -> None:
        for number, job in enumerate(self.jobs, start=1):
            if not self.do(job):
                return
            self.debug_out.println(f"job {number} of {len(self.jobs)} is done")

    def do(self, job: Job) -> bool:
        """Do one job; return whether the task shall go on."""
        self.travel = job.travel
        if not self.pick(
            job.pick, width=job.width, yaw=job.turn, is_centred=job.is_centred
        ):
            return False
        for point in job.via:
            if not self.move_line(point, yaw=job.turn_to):
                return False
        return self.place(job.place, yaw=job.turn_to)


# -- the configuration -------------------------------------------------------------


def parse_jobs(text: str) -> tuple[Job, ...]:
    """Return the jobs of a configuration.

    Raises:
        ValueError: If the text does not have the layout above; names job and word.

    Example:
        >>> (job,) = parse_jobs("from=35,0,3 to=0,30,12 width=5 turn=90")
        >>> job.place, job.width
        ((0.0, 0.3, 0.12), 0.05)
    """
    parts = [part for part in text.split(";") if part.strip()]
    if not parts:
        raise ValueError("expected jobs such as 'from=35,0,3 to=0,30,12', got none")
    return tuple(_parse_job(part, i) for i, part in enumerate(parts, start=1))


def _parse_job(text: str, number: int) -> Job:
    values: dict[str, Any] = {}
    for word in text.split():
        key, sign, value = word.partition("=")
        if not sign or key not in _KEYS:
            raise ValueError(
                f"job {number}: expected key=value with a key of {', '.join(_KEYS)}, "
                f"got {word!r}"
            )
        field, read = _KEYS[key]
        if field in values:
            raise ValueError(f"job {number}: {key!r} is given twice; leave one out")
        try:
            values[field] = read(value)
        except ValueError as error:
            raise ValueError(f"job {number}, {word!r}: {error}") from None
    for key in ("from", "to"):
        if _KEYS[key][0] not in values:
            raise ValueError(f"job {number}: {key!r} is missing; add {key}=x,y,z [cm]")
    if values.get("is_centred") and "width" not in values:
        raise ValueError(f"job {number}: centring needs a width; add width=... [cm]")
    values.setdefault("turn_to", values.get("turn", 0.0))
    return Job(**values)


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = np.nan
    if not np.isfinite(value):
        raise ValueError(f"expected a number, got {text!r}")
    return value


def _length(text: str) -> float:
    value = _number(text) * CM
    if value < 0.0:
        raise ValueError(f"expected a length of at least 0 cm, got {text}")
    return value


def _angle(text: str) -> float:
    return _number(text) * DEG


def _point(text: str) -> Point:
    parts = text.split(",")
    if len(parts) != 3:
        raise ValueError(f"expected a point x,y,z [cm], got {text!r}")
    x, y, z = (_number(part) * CM for part in parts)
    return x, y, z


def _points(text: str) -> tuple[Point, ...]:
    return tuple(_point(part) for part in text.split("|"))


def _choice(text: str) -> bool:
    if text not in ("yes", "no"):
        raise ValueError(f"expected yes or no, got {text!r}")
    return text == "yes"


# Word of the configuration: field of a job, and how its value is read.
_KEYS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "from": ("pick", _point),
    "to": ("place", _point),
    "via": ("via", _points),
    "width": ("width", _length),
    "turn": ("turn", _angle),
    "turn_to": ("turn_to", _angle),
    "centre": ("is_centred", _choice),
    "travel": ("travel", _length),
}
