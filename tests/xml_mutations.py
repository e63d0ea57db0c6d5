"""Damage to XML files: characters, attributes, numbers, elements.

Each function takes a source of choices, so that Hypothesis can find and shrink the
damage that breaks a reader, and a long run by hand can use plain random numbers.
"""

from __future__ import annotations

import copy
import random
import xml.etree.ElementTree as ET
from collections.abc import Callable

JUNK_VALUES = (
    "", " ", "nan", "inf", "-inf", "1e400", "-1e308", "1e30", "1e29", "-1e29", "1e-320",
    "0", "-0.0", "1", "-1", "0 0 0", "1 2", "1 2 3", "-1 -1 -1", "0 0 0 0", "1 0 0 0",
    "1 2 3 4 5 6", "1 2 3 4 5 6 7", "1e29 1e29 1e29", "1e-30 1e-30 1e-30", "0x10",
    "1_000", "٣", "1,5", "true", "false", "auto", "world", "base", "main", "x" * 300,
    "a:0", "a:1", "a:axis", "../..", "/etc/passwd", "\u0085", "🤖", "mesh", "free", "ball",
    "fixed", "floating", "planar", "revolute", "hinge", "slide", "capsule", "plane",
)  # fmt: skip
JUNK_CHARACTERS = "<>&\"'/= \n\t0-.eé🤖\x00\x07\ufffe"
JUNK_NAMES = (
    "name", "pos", "size", "type", "quat", "euler", "xyaxes", "zaxis", "axisangle",
    "fromto", "range", "ref", "class", "childclass", "mass", "density", "joint", "link",
    "body", "geom", "site", "frame", "default", "inertial", "include", "worldbody",
    "equality", "connect", "weld", "tendon", "spatial", "mimic", "limit", "xyz", "rpy",
    "parent", "child", "origin", "freejoint", "compiler", "custom", "text", "keyframe",
)  # fmt: skip


def mutated(text: str, rng: random.Random) -> str:
    """Return the text after one to three pieces of damage, mostly one."""
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        text = rng.choice(MUTATIONS)(text, rng)
    return text


def change_character(text: str, rng: random.Random) -> str:
    at = rng.randint(0, max(len(text) - 1, 0))
    end = at + rng.choice([0, 1, 1, 5])
    return text[:at] + rng.choice(["", rng.choice(JUNK_CHARACTERS)]) + text[end:]


def cut(text: str, rng: random.Random) -> str:
    return text[: rng.randint(0, len(text))]


def on_tree(
    change: Callable[[ET.Element, list[ET.Element], random.Random], None],
) -> Callable[[str, random.Random], str]:
    """Turn a change of the element tree into one of the text; broken text stays."""

    def apply(text: str, rng: random.Random) -> str:
        try:
            root = ET.fromstring(text.encode("utf-8", "replace"))
        except (ET.ParseError, ValueError):
            return text
        change(root, list(root.iter()), rng)
        return ET.tostring(root, encoding="unicode")

    return apply


@on_tree
def change_value(_: ET.Element, elements: list[ET.Element], rng: random.Random) -> None:
    holders = [element for element in elements if element.attrib]
    if not holders:
        return
    element, other = rng.choice(holders), rng.choice(holders)
    key = rng.choice(sorted(element.attrib))
    stolen = other.attrib[rng.choice(sorted(other.attrib))]
    element.attrib[key] = rng.choice([rng.choice(JUNK_VALUES), stolen])


@on_tree
def change_number(
    _: ET.Element, elements: list[ET.Element], rng: random.Random
) -> None:
    holders = [
        (element, key)
        for element in elements
        for key, value in sorted(element.attrib.items())
        if any(letter.isdigit() for letter in value)
    ]
    if not holders:
        return
    element, key = rng.choice(holders)
    words = element.attrib[key].split()
    if words:
        words[rng.randrange(len(words))] = rng.choice(JUNK_VALUES[:20])
        element.attrib[key] = " ".join(words)


@on_tree
def change_attribute(
    _: ET.Element, elements: list[ET.Element], rng: random.Random
) -> None:
    element = rng.choice(elements)
    if element.attrib and rng.random() < 0.6:
        value = element.attrib.pop(rng.choice(sorted(element.attrib)))
    else:
        value = rng.choice(JUNK_VALUES)
    if rng.random() < 0.6:
        element.attrib[rng.choice(JUNK_NAMES)] = value.replace("\x00", "")


@on_tree
def change_tag(_: ET.Element, elements: list[ET.Element], rng: random.Random) -> None:
    rng.choice(elements).tag = rng.choice([*JUNK_NAMES, rng.choice(elements).tag])


@on_tree
def change_structure(
    root: ET.Element, elements: list[ET.Element], rng: random.Random
) -> None:
    """Delete, double or move an element."""
    parents = [element for element in elements if len(element)]
    if not parents:
        return
    parent = rng.choice(parents)
    child = rng.choice(list(parent))
    kind = rng.choice(["delete", "double", "move", "wrap"])
    if kind in ("delete", "move", "wrap"):
        parent.remove(child)
    if kind == "move":
        inside = set(child.iter())
        homes = [element for element in root.iter() if element not in inside]
        rng.choice(homes).append(child)
    elif kind == "wrap":
        ET.SubElement(parent, rng.choice(JUNK_NAMES)).append(child)
    elif kind == "double":
        rng.choice([parent, child]).append(copy.deepcopy(child))


MUTATIONS = (
    change_character,
    cut,
    change_value,
    change_value,
    change_number,
    change_number,
    change_attribute,
    change_tag,
    change_structure,
    change_structure,
)
