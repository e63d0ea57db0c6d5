"""The grammar of the environment file: every directive, parameter and limit, once.

The parser walks this table, its messages quote it, the reference is printed from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
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


KINDS: Mapping[str, Kind] = {
    "length": Kind(form="number", text="a length", unit="cm", low=-FAR, high=FAR),
    "height": Kind(form="number", text="a height", unit="cm", low=0.0, high=FAR),
    "size": Kind(form="number", text="a size", unit="cm", low=SMALL, high=FAR),
    "angle": Kind(form="number", text="an angle", unit="degrees", low=-FAR, high=FAR),
    "speed": Kind(form="number", text="a speed", unit="cm/s", low=-FAR, high=FAR),
    "drift": Kind(form="number", text="a speed", unit="cm/s", low=0.0, high=FAR),
    "share": Kind(form="number", text="a share", low=0.0, high=1.0),
    "alpha": Kind(
        form="number",
        text="an opacity (up to 1 a share, above that of 255)",
        low=0.0,
        high=255.0,
    ),
    "mass": Kind(form="number", text="a mass", unit="kg", low=1e-6, high=1e6),
    "value": Kind(form="number", text="a number", low=-1e308, high=1e308),
    "count": Kind(form="whole", text="a count of robots", low=1, high=MAX_ROBOTS),
    "corners": Kind(form="whole", text="a count of corners", low=3, high=MAX_CORNERS),
    "receiver": Kind(
        form="whole", text="a receiver (-1: all controllers)", low=-1, high=MAX_NUMBER
    ),
    "listener": Kind(
        form="whole", text="an own number (-1: hears nothing)", low=-1, high=MAX_NUMBER
    ),
    "processor": Kind(form="whole", text="an own number", low=0, high=MAX_NUMBER),
    "tiles": Kind(
        form="range",
        text="a tile number, or two with ~ between,",
        low=0,
        high=MAX_NUMBER,
    ),
    "color": Kind(form="color", text="a colour of 6 hex digits RRGGBB"),
    "filter": Kind(form="filter", text="a colour of 6 hex digits RRGGBB, or * for any"),
    "axis": Kind(form="choice", text="an axis", choices=("x", "y")),
    "state": Kind(form="choice", text="a state", choices=("RUN", "STOP")),
    "class": Kind(form="class", text="a class: package.Class or file.py:Class"),
    "new_name": Kind(form="name", text="a new name of letters, digits and _"),
    "label": Kind(form="label", text="a word without blanks and `/`"),
    "message": Kind(form="word", text="a text without blanks", embeds=True),
    "text": Kind(form="line", text="the rest of the line", embeds=True),
}

_GRAMMAR = """
DEBUGNAME name:label
    names the very next obstacle, ball, cuboid or cylinder
MASS mass:mass
    weight of the very next BALL, CUBOID or CYLINDER [kg]
NUMBER name:new_name value:value
    a name for a number, for use in every expression below
STRING name:new_name string:text
    a name for a text, for use as `_S{name}_` below
MULTIROBOT count:count
    how many robots there are; stands before all that speaks of a robot.
    Without it there is robot 0 only
ROBOT[nr] x,y:length angle:angle
    where a robot stands; 0 degrees looks along +y, -90 along +x
BORDER minx,miny,maxx,maxy:length
    limits of the floor
TILE rangex,rangey:tiles hexcol:color
    colours floor tiles of 50 cm; tile 0 0 has the smallest x and y
CONTROLLER[nr] class:class
    the program of a robot
CONFIG[nr] config:text
    text that the controller is configured with
MANIPULATOR[nr] class:class
    the arm of a robot
GRIPPER[nr] class:class
    the gripper of a robot
TRIGGERPROCESSOR instnr:processor class:class
    the program that receives the triggers sent to `instnr`
TPCONFIG config:text
    text that the trigger processor is configured with
BOTTOMPAINT hexcol:color alpha:alpha RECT|CIRCLE|POLY ENDBOTTOMPAINT|ENDSLICK
    paint on the floor, only to look at
STEP height:size hexcol:color RECT|CIRCLE|POLY ENDSTEP
    block from the floor up to `height`
SLOPE h1,h2:height dir:axis hexcol:color RECT|POLY ENDSLOPE
    block with a top from `h1` at the smaller to `h2` at the larger x or y
SLICE hbottom,htop:length hexcol:color RECT|CIRCLE|POLY ENDSLICE
    slab between two heights
WEDGE up1,up2,low1,low2:length dir:axis hexcol:color RECT|POLY ENDWEDGE
    block with slanting top and underside, heights as in SLOPE
CONVEYOR instnr:listener initial:state h1,h2:height dir:axis speed:speed \
tomiddlespeed:drift hexcol:color RECT|POLY ENDCONVEYOR
    a SLOPE that carries what lies on it along `dir`, and towards its middle line;
    the triggers RUN and STOP to `instnr` switch it
SPHERE cx,cy,cz:length rad:size hexcol:color
    fixed ball-shaped obstacle, anywhere
BALL cx,cy,cz:length rad:size resistance,bounce:share hexcol:color
    movable ball; `resistance` is the share of its speed lost in a second, `bounce`
    the share that it comes back with
CUBOID cx,cy,cz:length sizex,sizey,sizez:size hexcol:color
    movable box, at first along the axes
CYLINDER cx,cy,cz:length rad,height:size hexcol:color
    movable cylinder, at first upright
TRIGGER BALLENTERS instance:receiver triggerstr:message x,y:length rad:size \
height:height col:filter
    sends `triggerstr` when the centre of a ball enters a circle
TRIGGER CUBOIDENTERS instance:receiver triggerstr:message x,y:length rad:size \
height:height col:filter
    sends `triggerstr` when the centre of a cuboid enters a circle
TRIGGER BALLLEAVES instance:receiver triggerstr:message x,y:length rad:size \
height:height col:filter
    sends `triggerstr` when the centre of a ball leaves a circle
TRIGGER CUBOIDLEAVES instance:receiver triggerstr:message x,y:length rad:size \
height:height col:filter
    sends `triggerstr` when the centre of a cuboid leaves a circle
TRIGGER BALLBARRIER instance:receiver triggerstr:message x1,y1,x2,y2:length \
height:height col:filter
    sends `triggerstr` when the centre of a ball crosses a line from left to right,
    seen from point 1 towards point 2
TRIGGER CUBOIDBARRIER instance:receiver triggerstr:message x1,y1,x2,y2:length \
height:height col:filter
    sends `triggerstr` when the centre of a cuboid crosses a line from left to right,
    seen from point 1 towards point 2
"""


def _params(words: str) -> tuple[Param, ...]:
    """Return the parameters of words such as `x,y:length`: names and their kind."""
    pairs = (word.split(":") for word in words.split())
    return tuple(
        Param(n, KINDS[kind]) for names, kind in pairs for n in names.split(",")
    )


def _directives(text: str) -> Iterator[Directive]:
    """Yield what a text describes: a form on a line, its meaning on indented ones."""
    for form, meaning in re.findall(r"^(\S.*)\n((?: +.*\n)+)", text, re.MULTILINE):
        found = re.fullmatch(
            r"(?P<word>[A-Z]+)(?P<nr>\[nr\])?(?P<variant> [A-Z]+)?"
            r"(?P<params>(?: [a-z]\S+)+)(?: (?P<plans>\S+) (?P<ends>\S+))?",
            form,
        )
        assert found is not None, form
        yield Directive(
            word=found["word"],
            variant=(found["variant"] or "").strip(),
            params=_params(found["params"]),
            plans=tuple(found["plans"].split("|")) if found["plans"] else (),
            ends=tuple(found["ends"].split("|")) if found["ends"] else (),
            is_numbered=found["nr"] is not None,
            text=" ".join(meaning.split()),
        )


PLANS = {
    "RECT": _params("centrex,centrey:length sizex,sizey:size"),
    "CIRCLE": _params("centrex,centrey:length rad:size"),
    "POLY": _params("n:corners"),  # followed by n points
}
POINT = _params("x,y:length")
DIRECTIVES = tuple(_directives(_GRAMMAR))

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
RESERVED = frozenset([*KEYWORDS, *VARIANTS, *ENDS, *PLANS, *KINDS["state"].choices])
