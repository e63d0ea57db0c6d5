"""What an image says in words: objects, and how they lie to each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, BoolArray, FloatArray
from gelenk.vision.regions import label_components

Relation = tuple[str, str, str]
"""(object, relation, object), read as a sentence: ("cup", "left of", "plate")."""

INVERSE = {
    "left of": "right of",
    "above": "below",
    "inside": "around",
    "larger than": "smaller than",
    "touches": "touches",
    "near": "near",
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SceneObject:
    """One object of a scene.

    Attributes:
        name: Unique in the scene.
        mask: Its pixels, bool, shape (rows, columns).
    """

    name: str
    mask: BoolArray

    @property
    def area(self) -> int:
        """Number of pixels."""
        return int(self.mask.sum())

    @property
    def box(self) -> tuple[int, int, int, int]:
        """First row, last row, first column, last column."""
        x, y = np.nonzero(self.mask)
        return int(x.min()), int(x.max()), int(y.min()), int(y.max())


def scene_objects(
    labels: ArrayLike, name: Callable[[BoolArray], str] | None = None
) -> list[SceneObject]:
    """Return the objects of a label image, 0: background.

    Args:
        labels: Of the objects, shape (rows, columns).
        name: Says what an object is; a second one of a kind gets a number. By default
            objects are called by their labels.
    """
    image = np.asarray(labels)
    seen: dict[str, int] = {}
    found = []
    for label in np.unique(image[image > 0]).tolist():
        mask = np.asarray(image == label)
        word = str(label) if name is None else name(mask)
        seen[word] = seen.get(word, 0) + 1
        found.append(
            SceneObject(
                name=word if seen[word] == 1 else f"{word} {seen[word]}", mask=mask
            )
        )
    return found


def relations(
    objects: Sequence[SceneObject], *, near: float = 0.0, larger: float = 1.5
) -> list[Relation]:
    """Return all relations that hold between pairs of objects, each with its inverse.

    Args:
        objects: Of one image, with names of their own.
        near: Largest gap that is still "near" [px], 0: none is.
        larger: How many times the area of the other is "larger than".

    Example:
        >>> picture = np.zeros((5, 9), dtype=int)
        >>> picture[1:4, 1:3], picture[2, 6] = 1, 2
        >>> for words in relations(scene_objects(picture)):
        ...     print(*words)
        1 larger than 2
        1 left of 2
        2 right of 1
        2 smaller than 1
    """
    names = [thing.name for thing in objects]
    if len(set(names)) != len(names):
        raise ConfigError(f"objects need names of their own, got {', '.join(names)}")
    found: set[Relation] = set()
    for a in objects:
        for b in objects:
            if a is not b:
                for word in _holds(a, b, near, larger):
                    found.add((a.name, word, b.name))
                    found.add((b.name, INVERSE[word], a.name))
    return sorted(found)


def _holds(a: SceneObject, b: SceneObject, near: float, larger: float) -> list[str]:
    a_top, a_bottom, a_left, a_right = a.box
    b_top, b_bottom, b_left, b_right = b.box
    words = []
    if a_right < b_left and a_top <= b_bottom and b_top <= a_bottom:
        words.append("left of")
    if a_bottom < b_top and a_left <= b_right and b_left <= a_right:
        words.append("above")
    if a.area > larger * b.area:
        words.append("larger than")
    if np.all(_filled(b.mask)[a.mask]):
        words.append("inside")
    gap = _gap(a.mask, b.mask)
    if gap < 2.0:  # neighbours across a corner are sqrt 2 apart
        words.append("touches")
    elif gap - 1.0 <= near:
        words.append("near")
    return words


def _filled(mask: BoolArray) -> BoolArray:
    """Return an object together with what it encloses."""
    ground, _ = label_components(~np.pad(mask, 1), connectivity=4)
    return np.asarray(ground[1:-1, 1:-1] != ground[0, 0])


def _gap(a: BoolArray, b: BoolArray) -> float:
    """Return the least distance between pixel centres [px]."""
    p: FloatArray = np.argwhere(a).astype(float)
    q: FloatArray = np.argwhere(b).astype(float)
    return float(
        min(np.sqrt(((q - one) ** 2).sum(axis=1)).min() for one in p)
        if len(p) <= len(q)
        else _gap(b, a)
    )
