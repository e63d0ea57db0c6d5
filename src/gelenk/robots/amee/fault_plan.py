"""Plans of what breaks on a walk, as people write them.

One fault is `kind:leg:part@start+duration=amount`, such as

    joint-locked:front-left:B@12.5
    sensor-wire:4C@3
    toe-dead:rear-right:t1@0+20
    killed:2@8
    messages-lost:front-right@5=10%
    babble:3@6=1000
    supply-sag@20=7

Kinds are those of `faults` (body) and of `coordinator.link` (leg computers, bus); `-`
and `_` are the same. A leg is 1 to 4 or its name. A plan is some faults with commas
between them, or a file with one per line and remarks after `#`.
"""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import TypeAlias, get_args

from gelenk.errors import (
    ConfigError,
    FileFormatError,
    GelenkError,
    NameNotFoundError,
)
from gelenk.robots.amee.config import ACTOR_NAMES, LEG_NAMES, NUM_LEGS
from gelenk.robots.amee.coordinator.link import LinkFault, LinkFaultKind
from gelenk.robots.amee.faults import (
    BODY_FAULTS,
    ROBOT_FAULTS,
    TOE_FAULTS,
    BodyFault,
)

PlannedFault: TypeAlias = BodyFault | LinkFault

LINK_FAULTS: tuple[LinkFaultKind, ...] = get_args(LinkFaultKind)
FORM = "kind:leg:part@start+duration=amount"
_ENTRY = re.compile(
    r"(?P<kind>[\w-]+?)(:(?P<place>[^@]+))?@(?P<when>[^=+]+)"
    r"(\+(?P<duration>[^=]+))?(=(?P<amount>.+))?"
)
_SHORT = re.compile(r"(?P<leg>\d)(?P<part>[A-Za-z]\d?)")


def read_plan(text: str) -> tuple[PlannedFault, ...]:
    """Return the faults of a plan.

    Args:
        text: The plan itself, or the name of a file that holds it.

    Example:
        >>> [fault.kind for fault in read_plan("joint-limp:3B@4, killed:front-left@9")]
        ['joint_limp', 'killed']

    Raises:
        ConfigError: If a fault cannot be read; the message says which one.
        FileFormatError: Likewise in a file, with the line.
    """
    path = Path(text)
    if "@" not in text and ":" not in text:
        if not path.is_file():
            raise ConfigError(
                f"{text!r} is neither a file nor a fault; a fault is written {FORM}, "
                "such as joint-locked:front-left:B@12.5"
            )
        return _read_file(path)
    faults: list[PlannedFault] = []
    for number, entry in enumerate(text.split(","), start=1):
        try:
            faults.append(read_fault(entry))
        except GelenkError as error:
            raise ConfigError(f"fault {number}, {entry.strip()!r}: {error}") from error
    return tuple(faults)


def _read_file(path: Path) -> tuple[PlannedFault, ...]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise FileFormatError(path, f"cannot be read as text: {error}") from error
    faults: list[PlannedFault] = []
    for number, line in enumerate(lines, start=1):
        entry = line.partition("#")[0].strip()
        if not entry:
            continue
        try:
            faults.append(read_fault(entry))
        except GelenkError as error:
            raise FileFormatError(
                path, str(error), line=number, element=repr(entry)
            ) from error
    return tuple(faults)


def read_fault(text: str) -> PlannedFault:
    """Return one fault.

    Raises:
        ConfigError: If the text has another form.
        NameNotFoundError: If there is no such kind of fault, or no such leg.
    """
    found = _ENTRY.fullmatch(text.strip())
    if found is None:
        raise ConfigError(
            f"a fault is written {FORM}, such as joint-locked:front-left:B@12.5 or "
            "supply-sag@20=7"
        )
    kind = found["kind"].replace("-", "_").lower()
    if kind not in (*BODY_FAULTS, *LINK_FAULTS):
        raise NameNotFoundError("fault", kind, (*BODY_FAULTS, *LINK_FAULTS))
    start = _number(found["when"], "start", "s")
    leg, part = _place(found["place"] or "")
    if kind in LINK_FAULTS:
        return _link_fault(kind, leg, part, start, found)
    if kind in ROBOT_FAULTS and leg >= 0:
        raise ConfigError(f"a {kind} fault is one of the whole robot: leave out where")
    is_toe = kind in TOE_FAULTS
    if kind not in ROBOT_FAULTS and (not part or (part[0] == "t") != is_toe):
        example = "2t4" if is_toe else "front-left:B"
        raise ConfigError(f"a {kind} fault needs a leg and a part, such as {example}")
    amount = _number(found["amount"], "amount", "V") if found["amount"] else 0.0
    if kind == "supply_sag" and amount == 0.0:
        raise ConfigError("a supply_sag needs its volts, such as supply-sag@20=7")
    return BodyFault(
        kind=BODY_FAULTS[BODY_FAULTS.index(kind)],  # type: ignore[arg-type]
        leg=max(leg, 0),
        part=int(part[1]) - 1 if is_toe else ACTOR_NAMES.index(part) if part else 0,
        start=start,
        duration=_duration(found["duration"]),
        amount=amount,
    )


def fault_text(fault: PlannedFault) -> str:
    """Return a fault as it is written in a plan.

    Example:
        >>> fault_text(read_fault("joint-locked:front-left:B@12.5"))
        'joint_locked:2B@12.5'
    """
    if isinstance(fault, LinkFault):
        amounts = {
            "messages_lost": f"={100.0 * fault.share:g}%",
            "babble": f"={fault.rate:g}",
        }
        amount = amounts.get(fault.kind, "")
        return f"{fault.kind}:{fault.leg + 1}@{fault.start:.9g}{amount}"
    place = f":{fault.place}" if fault.place else ""
    lasts = f"+{fault.duration:.9g}" if math.isfinite(fault.duration) else ""
    amount = f"={fault.amount:.9g}" if fault.amount else ""
    return f"{fault.kind}{place}@{fault.start:.9g}{lasts}{amount}"


def _link_fault(
    kind: str, leg: int, part: str, start: float, found: re.Match[str]
) -> LinkFault:
    if leg < 0 or part:
        raise ConfigError(f"a {kind} fault needs a leg and no part, such as {kind}:2@8")
    if found["duration"]:
        raise ConfigError(f"a {kind} fault has no duration: what is gone stays so")
    known: LinkFaultKind = LINK_FAULTS[LINK_FAULTS.index(kind)]  # type: ignore[arg-type]
    if not found["amount"]:
        return LinkFault(kind=known, leg=leg, start=start)
    text = found["amount"].strip()
    if kind == "babble":
        rate = _number(text, "rate", "/s")
        return LinkFault(kind=known, leg=leg, start=start, rate=rate)
    if kind != "messages_lost":
        raise ConfigError(f"a {kind} fault has no amount")
    share = _number(text.removesuffix("%"), "share", "%" if text[-1] == "%" else "")
    share = share / 100.0 if text.endswith("%") else share
    if not 0.0 < share <= 1.0:
        raise ConfigError(
            f"the share of lost messages must lie in 0..100 %, got {text}"
        )
    return LinkFault(kind=known, leg=leg, start=start, share=share)


def _place(text: str) -> tuple[int, str]:
    """Return the index of a leg, -1 without one, and its part, empty without one."""
    words = [word.strip() for word in text.split(":")] if text else []
    if not words:
        return -1, ""
    if len(words) == 1 and (short := _SHORT.fullmatch(words[0])):
        words = [short["leg"], short["part"]]
    if len(words) > 2:
        raise ConfigError(f"a place is a leg and a part, such as 3C, got {text!r}")
    leg = _leg(words[0])
    part = words[1] if len(words) == 2 else ""
    part = part.lower() if part[:1] in "tT" else part.upper()
    if part and part not in ("A", "B", "C", "D", "t1", "t2", "t3", "t4"):
        raise ConfigError(
            f"a part is a joint A to D (yaw, hip, knee, ankle) or a toe t1 to t4, got "
            f"{words[1]!r}"
        )
    return leg, part


def _leg(text: str) -> int:
    name = text.replace("-", "_").lower()
    if name in LEG_NAMES:
        return LEG_NAMES.index(name)
    numbers = [str(i + 1) for i in range(NUM_LEGS)]
    if name not in numbers:
        raise NameNotFoundError("leg", name, (*numbers, *LEG_NAMES))
    return int(name) - 1


def _duration(text: str | None) -> float:
    if text is None:
        return math.inf
    duration = _number(text, "duration", "s")
    if duration <= 0.0:
        raise ConfigError(f"a fault must last, got a duration of {duration:g} s")
    return duration


def _number(text: str, what: str, unit: str) -> float:
    try:
        value = float(text.strip().removesuffix(unit))
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value >= 0.0):
        expected = f"a number of {unit}".replace("of s", "of seconds").strip()
        raise ConfigError(f"the {what} must be {expected} >= 0, got {text.strip()!r}")
    return value
