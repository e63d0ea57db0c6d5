"""What an MJCF file says about its joints outside the tree of bodies.

Couplings, motors and the home keyframe; and the notes in <custom> by which `mjcf_write`
keeps what MJCF has no place for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gelenk.models.link import JointType, Loop
from gelenk.models.mjcf_link import Row
from gelenk.models.mjcf_loop import Mimic
from gelenk.models.xml import Element

CUSTOM_PREFIX = "gelenk:"  # of the <custom> texts that `mjcf_write` leaves


def custom_texts(root: Element) -> dict[str, Element]:
    """Return the notes that `mjcf_write` left in <custom>, by key."""
    texts = (text for section in root.all("custom") for text in section.all("text"))
    return {
        name.removeprefix(CUSTOM_PREFIX): text
        for text in texts
        if (name := text.attributes.get("name", "")).startswith(CUSTOM_PREFIX)
    }


def with_mimics(rows: Sequence[Row], mimics: Sequence[Mimic]) -> list[Row]:
    """Return the rows with the joints that follow others."""
    followers: dict[str, Mimic] = {}
    for mimic in mimics:
        if mimic.joint in followers:
            raise mimic.element.error(
                f"joint {mimic.joint!r:.80} already follows another joint",
                "keep one of the two equalities",
            )
        followers[mimic.joint] = mimic
    return [
        _changed(row, mimic=m.followed, multiplier=m.multiplier, offset=m.offset)
        if (m := followers.get(row.link.joint)) is not None
        else row
        for row in rows
    ]


def with_passive_flags(
    rows: Sequence[Row], root: Element, custom: dict[str, Element]
) -> list[Row]:
    """Return the rows with joints marked that no actuator drives.

    Nothing is marked if the file has no <actuator> section, or an actuator that pulls
    at something else than joints, so that the driven joints are not known. Joints that
    follow another are passive only if <custom> says so.
    """
    sections = root.all("actuator")
    fixed_tendons = {
        tendon.attributes.get("name", ""): tendon
        for section in root.all("tendon")
        for tendon in section.all("fixed")
    }
    driven: set[str] = set()
    for actuator in (child for section in sections for child in section.children):
        attributes = actuator.attributes
        joint = attributes.get("joint", "") or attributes.get("jointinparent", "")
        tendon = fixed_tendons.get(attributes.get("tendon", ""))
        if joint:
            driven.add(joint)
        elif tendon is not None:
            driven |= {part.attributes.get("joint", "") for part in tendon.children}
        else:
            return list(rows)
    if not sections:
        return list(rows)
    return [
        _changed(row, is_passive=f"passive:{row.link.joint}" in custom)
        if row.link.mimic is not None
        else _changed(row, is_passive=row.moves and row.link.joint not in driven)
        for row in rows
    ]


def with_home(rows: Sequence[Row], root: Element) -> list[Row]:
    """Return the rows with the home values of the keyframe "home", if there is one."""
    keys = [key for section in root.all("keyframe") for key in section.all("key")]
    key = next((k for k in keys if k.attributes.get("name") == "home"), None)
    if key is None or "qpos" not in key.attributes:
        return list(rows)
    widths = [
        7 if row.link.joint_type == JointType.FLOATING else int(row.moves)
        for row in rows
    ]
    values = key.numbers("qpos", sum(widths))
    starts = np.cumsum([0, *widths])
    return [
        _changed(row, home=values[starts[i]]) if row.moves else row
        for i, row in enumerate(rows)
    ]


def with_locks(rows: Sequence[Row], locks: dict[str, float]) -> list[Row]:
    """Return the rows with equal limits for the joints that are held at a value."""
    return [
        _changed(row, lower=locks[row.link.joint], upper=locks[row.link.joint])
        if row.link.joint in locks
        else row
        for row in rows
    ]


def with_noted_limits(rows: Sequence[Row], custom: dict[str, Element]) -> list[Row]:
    """Return the rows with the largest speeds and efforts noted in <custom>."""
    result = list(rows)
    for name in ("max_velocity", "max_effort"):
        for i, row in enumerate(result):
            note = custom.get(f"{name}:{row.link.joint}")
            if note is not None:
                result[i] = _changed(row, **{name: note.number("data")})
    return result


def with_branch(loop: Loop, custom: dict[str, Element]) -> Loop:
    """Return a loop with the assembly branch noted in <custom>."""
    note = custom.get(f"branch:{loop.name}")
    if note is None:
        return loop
    return replace(loop, branch=int(note.choice("data", ("-1", "0", "1"), "0")))


def _changed(row: Row, **changes: Any) -> Row:
    return replace(row, link=replace(row.link, **changes))
