"""The grammar of the environment file: every directive, parameter and limit, once.

The parser walks this table, its messages quote it, the reference is printed from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from gelenk.robots.armbot.config import MAX_ROBOTS

FAR = 1e5  # [cm]; nothing is larger or farther away than a kilometre
SMALL = 1e-2  # [cm]; nothing is smaller than a tenth of a millimetre
MAX_NUMBER = 2**31 - 1
MAX_CORNERS = 200  # of a POLY; crossing edges are looked for among all pairs

Form: TypeAlias = Literal[
    "number", "whole", "range", "color", "filter", "choice", "class", "name", "label",
    "word", "line",
]  # fmt: skip
Unit: TypeAlias = Literal["", "cm", "cm/s", "degrees", "kg"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """What a parameter may be.

    Attributes:
        form: How it is written.
        text: What it is, for messages and the reference.
        unit: Of a number.
        low, high: Limits of a number, both allowed.
        choices: The words of a choice.
        embeds: Whether a text may hold computed values such as `_I{1+1}_`.
    """

    form: Form
    text: str
    unit: Unit = ""
    low: float = 0.0
    high: float = 0.0
    choices: tuple[str, ...] = ()
    embeds: bool = False


@dataclass(frozen=True, slots=True)
class Param:
    """A parameter: the name it has in the reference, and its kind."""

    name: str
    kind: Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Directive:
    """A keyword and what follows it.

    Attributes:
        word: The keyword.
        variant: A second keyword that belongs to it, as in TRIGGER BALLENTERS.
        params: In order.
        plans: Keywords of the plans it may have; none: it has no plan.
        ends: Keywords that may close it.
        is_numbered: Whether a robot's digit may be glued to the keyword.
        text: Meaning.
    """

    word: str
    variant: str = ""
    params: tuple[Param, ...]
    plans: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    is_numbered: bool = False
    text: str

    @property
    def title(self) -> str:
        return f"{self.word} {self.variant}" if self.variant else self.word

    @property
    def usage(self) -> str:
        return " ".join(
            [
                self.title + ("[nr]" if self.is_numbered else ""),
                *(f"<{param.name}>" for param in self.params),
                *(["|".join(self.plans) + " ..."] if self.plans else []),
                *(["|".join(self.ends)] if self.ends else []),
            ]
        )


LENGTH = Kind(form="number", text="a length", unit="cm", low=-FAR, high=FAR)
HEIGHT = Kind(form="number", text="a height", unit="cm", low=0.0, high=FAR)
SIZE = Kind(form="number", text="a size", unit="cm", low=SMALL, high=FAR)
ANGLE = Kind(form="number", text="an angle", unit="degrees", low=-FAR, high=FAR)
SPEED = Kind(form="number", text="a speed", unit="cm/s", low=-FAR, high=FAR)
DRIFT = Kind(form="number", text="a speed", unit="cm/s", low=0.0, high=FAR)
SHARE = Kind(form="number", text="a share", low=0.0, high=1.0)
ALPHA = Kind(
    form="number",
    text="an opacity (up to 1 a share, above that of 255)",
    low=0.0,
    high=255.0,
)
MASS = Kind(form="number", text="a mass", unit="kg", low=1e-6, high=1e6)
VALUE = Kind(form="number", text="a number", low=-1e308, high=1e308)
COUNT = Kind(form="whole", text="a count of robots", low=1, high=MAX_ROBOTS)
CORNERS = Kind(form="whole", text="a count of corners", low=3, high=MAX_CORNERS)
RECEIVER = Kind(
    form="whole", text="a receiver (-1: all controllers)", low=-1, high=MAX_NUMBER
)
LISTENER = Kind(
    form="whole", text="an own number (-1: hears nothing)", low=-1, high=MAX_NUMBER
)
PROCESSOR = Kind(form="whole", text="an own number", low=0, high=MAX_NUMBER)
TILES = Kind(
    form="range", text="a tile number, or two with ~ between,", low=0, high=MAX_NUMBER
)
COLOR = Kind(form="color", text="a colour of 6 hex digits RRGGBB")
FILTER = Kind(form="filter", text="a colour of 6 hex digits RRGGBB, or * for any")
AXIS = Kind(form="choice", text="an axis", choices=("x", "y"))
STATE = Kind(form="choice", text="a state", choices=("RUN", "STOP"))
CLASS = Kind(form="class", text="a class: package.Class or file.py:Class")
NEW_NAME = Kind(form="name", text="a new name of letters, digits and _")
LABEL = Kind(form="label", text="a word without blanks and `/`")
MESSAGE = Kind(form="word", text="a text without blanks", embeds=True)
TEXT = Kind(form="line", text="the rest of the line", embeds=True)


def _params(names: str, kind: Kind) -> tuple[Param, ...]:
    return tuple(Param(name, kind) for name in names.split())


COLORED = _params("hexcol", COLOR)
FOOTPRINTS = ("RECT", "CIRCLE", "POLY")
STRAIGHT = ("RECT", "POLY")  # a top that slants needs two straight ends
CENTER = _params("cx cy cz", LENGTH)
SENDS = (Param("instance", RECEIVER), Param("triggerstr", MESSAGE))
SEEN = (Param("height", HEIGHT), Param("col", FILTER))

PLANS = {
    "RECT": _params("centrex centrey", LENGTH) + _params("sizex sizey", SIZE),
    "CIRCLE": _params("centrex centrey", LENGTH) + _params("rad", SIZE),
    "POLY": (Param("n", CORNERS),),  # followed by n points
}
POINT = _params("x y", LENGTH)

DIRECTIVES = (
    Directive(
        word="DEBUGNAME",
        params=(Param("name", LABEL),),
        text="names the very next obstacle, ball, cuboid or cylinder",
    ),
    Directive(
        word="MASS",
        params=(Param("mass", MASS),),
        text="weight of the very next BALL, CUBOID or CYLINDER [kg]",
    ),
    Directive(
        word="NUMBER",
        params=(Param("name", NEW_NAME), Param("value", VALUE)),
        text="a name for a number, for use in every expression below",
    ),
    Directive(
        word="STRING",
        params=(Param("name", NEW_NAME), Param("string", TEXT)),
        text="a name for a text, for use as `_S{name}_` below",
    ),
    Directive(
        word="MULTIROBOT",
        params=(Param("count", COUNT),),
        text="how many robots there are; stands before all that speaks of a robot. "
        "Without it there is robot 0 only",
    ),
    Directive(
        word="ROBOT",
        params=_params("x y", LENGTH) + _params("angle", ANGLE),
        is_numbered=True,
        text="where a robot stands; 0 degrees looks along +y, -90 along +x",
    ),
    Directive(
        word="BORDER",
        params=_params("minx miny maxx maxy", LENGTH),
        text="limits of the floor",
    ),
    Directive(
        word="TILE",
        params=_params("rangex rangey", TILES) + COLORED,
        text="colours floor tiles of 50 cm; tile 0 0 has the smallest x and y",
    ),
    Directive(
        word="CONTROLLER",
        params=(Param("class", CLASS),),
        is_numbered=True,
        text="the program of a robot",
    ),
    Directive(
        word="CONFIG",
        params=(Param("config", TEXT),),
        is_numbered=True,
        text="text that the controller is configured with",
    ),
    Directive(
        word="MANIPULATOR",
        params=(Param("class", CLASS),),
        is_numbered=True,
        text="the arm of a robot",
    ),
    Directive(
        word="GRIPPER",
        params=(Param("class", CLASS),),
        is_numbered=True,
        text="the gripper of a robot",
    ),
    Directive(
        word="TRIGGERPROCESSOR",
        params=(Param("instnr", PROCESSOR), Param("class", CLASS)),
        text="the program that receives the triggers sent to `instnr`",
    ),
    Directive(
        word="TPCONFIG",
        params=(Param("config", TEXT),),
        text="text that the trigger processor is configured with",
    ),
    Directive(
        word="BOTTOMPAINT",
        params=(*COLORED, Param("alpha", ALPHA)),
        plans=FOOTPRINTS,
        ends=("ENDBOTTOMPAINT", "ENDSLICK"),
        text="paint on the floor, only to look at",
    ),
    Directive(
        word="STEP",
        params=_params("height", SIZE) + COLORED,
        plans=FOOTPRINTS,
        ends=("ENDSTEP",),
        text="block from the floor up to `height`",
    ),
    Directive(
        word="SLOPE",
        params=(*_params("h1 h2", HEIGHT), Param("dir", AXIS), *COLORED),
        plans=STRAIGHT,
        ends=("ENDSLOPE",),
        text="block with a top from `h1` at the smaller to `h2` at the larger x or y",
    ),
    Directive(
        word="SLICE",
        params=_params("hbottom htop", LENGTH) + COLORED,
        plans=FOOTPRINTS,
        ends=("ENDSLICE",),
        text="slab between two heights",
    ),
    Directive(
        word="WEDGE",
        params=(*_params("up1 up2 low1 low2", LENGTH), Param("dir", AXIS), *COLORED),
        plans=STRAIGHT,
        ends=("ENDWEDGE",),
        text="block with slanting top and underside, heights as in SLOPE",
    ),
    Directive(
        word="CONVEYOR",
        params=(
            Param("instnr", LISTENER),
            Param("initial", STATE),
            *_params("h1 h2", HEIGHT),
            Param("dir", AXIS),
            Param("speed", SPEED),
            Param("tomiddlespeed", DRIFT),
            *COLORED,
        ),
        plans=STRAIGHT,
        ends=("ENDCONVEYOR",),
        text="a SLOPE that carries what lies on it along `dir`, and towards its middle "
        "line; the triggers RUN and STOP to `instnr` switch it",
    ),
    Directive(
        word="SPHERE",
        params=CENTER + _params("rad", SIZE) + COLORED,
        text="fixed ball-shaped obstacle, anywhere",
    ),
    Directive(
        word="BALL",
        params=CENTER
        + _params("rad", SIZE)
        + _params("resistance bounce", SHARE)
        + COLORED,
        text="movable ball; `resistance` is the share of its speed lost in a second, "
        "`bounce` the share that it comes back with",
    ),
    Directive(
        word="CUBOID",
        params=CENTER + _params("sizex sizey sizez", SIZE) + COLORED,
        text="movable box, at first along the axes",
    ),
    Directive(
        word="CYLINDER",
        params=CENTER + _params("rad height", SIZE) + COLORED,
        text="movable cylinder, at first upright",
    ),
    *(
        Directive(
            word="TRIGGER",
            variant=variant,
            params=SENDS + _params("x y", LENGTH) + _params("rad", SIZE) + SEEN,
            text=f"sends `triggerstr` when the centre of a {what} {when} a circle",
        )
        for variant, what, when in (
            ("BALLENTERS", "ball", "enters"),
            ("CUBOIDENTERS", "cuboid", "enters"),
            ("BALLLEAVES", "ball", "leaves"),
            ("CUBOIDLEAVES", "cuboid", "leaves"),
        )
    ),
    *(
        Directive(
            word="TRIGGER",
            variant=variant,
            params=SENDS + _params("x1 y1 x2 y2", LENGTH) + SEEN,
            text=f"sends `triggerstr` when the centre of a {what} crosses a line from "
            "left to right, seen from point 1 towards point 2",
        )
        for variant, what in (("BALLBARRIER", "ball"), ("CUBOIDBARRIER", "cuboid"))
    ),
)

VARIANTS = {d.variant: d for d in DIRECTIVES if d.variant}
# A word of the file, with a robot's digit if it has one -> the directive (or, for
# TRIGGER, its first variant) and the digit.
KEYWORDS: Mapping[str, tuple[Directive, int | None]] = {
    d.word: (d, None) for d in reversed(DIRECTIVES)
} | {
    f"{d.word}{number}": (d, number)
    for d in DIRECTIVES
    if d.is_numbered
    for number in range(MAX_ROBOTS)
}
WORDS = tuple(dict.fromkeys(d.word for d in DIRECTIVES))
ENDS = {end: d for d in DIRECTIVES for end in d.ends}
RESERVED = frozenset([*KEYWORDS, *VARIANTS, *ENDS, *PLANS, *STATE.choices])
