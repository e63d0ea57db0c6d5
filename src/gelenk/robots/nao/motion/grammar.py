"""The words of a motion file, and its grammar.

    file       = motions { definition | mirrored }
    motions    = "motions" "{" "label" "start" { line }
                 "transition" "motions" "start" "}"
    definition = name "{" label { line } goto "}"
    mirrored   = name "|" name "{" [ label ] { label | goto | branch } "}"
    line       = label | complete | absolute | relative | goto | branch | hardness
    label      = "label" name
    complete   = "(" angle { [","] angle } ")" trailer            22 angles in order
    absolute   = "(" joint number { [","] joint number } ")" [ trailer ]
    relative   = "{" joint number { [","] joint number } "}" trailer
    goto       = "transition" name name                           motion, label
    branch     = "transition" name name name                      request, motion, label
    hardness   = "hardness" "(" count { [","] count } ")" [ count ]   22 times 0 to 100
    trailer    = count count [ "milestone" ] [ name ]             ms, deg/s, token
    angle      = number | "*" | "#"                               keep, motor off
    name       = letter { letter | digit }                        no keyword
    count      = ["+"] digit { digit }
    number     = ["+" | "-"] digit { digit } [ "." { digit } ]

Angles are degrees in the convention of `gelenk.robots.nao.joints.bh_from_nao`. From
`//` to the end of a line stands a comment. Blanks are needed only between words and
between numbers.
"""

from __future__ import annotations

import re

from gelenk.robots.nao.joints import BODY_JOINTS

JOINTS = frozenset(BODY_JOINTS)
NUM_JOINTS = len(BODY_JOINTS)
LINE_WORDS = ("label", "transition", "hardness")
KEYWORDS = frozenset((*LINE_WORDS, "milestone", *BODY_JOINTS))
ENTRY = "motions"
ENTRY_LABEL = "start"

MAX_BYTES = 256 * 1024  # of a file; the calibration has some ten thousand
MAX_TRANSITIONS = 500  # of a file, mirrored ones included
MAX_LINES = 20_000  # of a file, mirrored ones included
MAX_ANGLE = 360.0  # [deg] that a number may be away from 0
MAX_DURATION_MS = 600_000
MAX_SPEED = 10_000  # [deg/s]

TOKEN = re.compile(
    r"(?P<word>[A-Za-z][A-Za-z0-9]*)"
    r"|(?P<number>[+-]?[0-9]+(?:\.[0-9]*)?)"
    r"|(?P<sign>[(){},|*#])"
)
BLANK = re.compile(r"(?:\s|//[^\n]*)+")
# After a number these need a blank, or it is a slip such as 1.2.3 or 10ms.
GLUED = re.compile(r"[A-Za-z0-9_.]+")
ODD = re.compile(r"[^\s(){},|*#/]+|/")
