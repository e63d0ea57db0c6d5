"""Recognition of objects by features or templates, and their spatial relations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError, ShapeError
from gelenk.typing import ArrayLike, BoolArray, FloatArray, IntArray
from gelenk.vision.filters import box_sums
from gelenk.vision.image_types import as_levels
from gelenk.vision.segmentation import label_components

Classifier = Callable[[FloatArray], str]
"""Names what features (d,) or an image (rows, columns) show: a net fits, too."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NearestNeighbor:
    """Names features by the nearest examples; every feature counts by its spread.

    Attributes:
        examples: Features, shape (n, d).
        names: Names of the n examples.
        count: Examples that vote; ties go to the nearer one.

    Example:
        >>> by_size = NearestNeighbor(examples=[[1.0], [2.0], [9.0]],
        ...                           names=("nut", "nut", "wheel"))
        >>> by_size([7.0])
        'wheel'
    """

    examples: FloatArray
    names: Sequence[str]
    count: int = 1

    def __post_init__(self) -> None:
        examples = as_finite("examples", self.examples, ())
        if examples.ndim != 2 or len(examples) != len(self.names) or not len(examples):
            expected = f"({len(self.names)}, d), one row per name"
            raise ShapeError("examples", expected=expected, actual=examples.shape)
        if not 1 <= self.count <= len(examples):
            raise ConfigError(f"`count` must be 1 to {len(examples)}, got {self.count}")
        object.__setattr__(self, "examples", examples)

    def __call__(self, features: ArrayLike) -> str:
        x = as_finite("features", features, (self.examples.shape[1],))
        spread = self.examples.std(axis=0)
        scale = np.where(spread > 0.0, spread, 1.0)
        distance = np.linalg.norm((self.examples - x) / scale, axis=1)
        nearest = np.argsort(distance, kind="stable")[: self.count]
        votes = [self.names[int(k)] for k in nearest]
        return max(votes, key=votes.count)  # of equals the first, so the nearest


def template_response(image: ArrayLike, template: ArrayLike) -> FloatArray:
    """Return the normalised cross-correlation of a template at all its places.

    c = sum (f - mean f)(t - mean t) / sqrt(sum (f - mean f)^2 sum (t - mean t)^2),
    from -1 to 1; gain and offset of the light do not matter. 0 where f is even.

    Args:
        image: Gray levels, shape (rows, columns).
        template: Gray levels, shape (m, n), not all the same.

    Returns:
        Shape (rows - m + 1, columns - n + 1), by the place of its first pixel.
    """
    f, t = as_levels("image", image), as_levels("template", template)
    if t.shape[0] > f.shape[0] or t.shape[1] > f.shape[1]:
        raise ShapeError("template", expected=f"at most {f.shape}", actual=t.shape)
    t = t - t.mean()
    energy = np.sum(t**2)
    if not energy > 0.0:
        raise ConfigError("a template of one level matches everything and nothing")
    f = f - f.mean()  # changes nothing but rounding
    windows = np.lib.stride_tricks.sliding_window_view(f, t.shape)
    product = np.einsum("ijkl,kl->ij", windows, t)
    n = t.size
    shape = (t.shape[0], t.shape[1])
    sums, squares = box_sums(f, shape), box_sums(f**2, shape)
    power = squares - sums**2 / n
    # below the rounding of the running sums a window counts as even
    is_even = power <= 1e-10 * max(float(squares.max()), 1e-300)
    return np.where(
        is_even, 0.0, product / np.sqrt(np.where(is_even, 1.0, power) * energy)
    )


def match_template(
    image: ArrayLike, template: ArrayLike
) -> tuple[tuple[int, int], float]:
    """Return where a template fits best, (x, y) of its first pixel, and how well.

    Args:
        image: Gray levels, shape (rows, columns).
        template: Gray levels of the template, shape (m, n).

    Example:
        >>> from gelenk.vision import match_template
        >>> image = np.random.default_rng(0).uniform(size=(20, 30))
        >>> place, score = match_template(image, 3.0 * image[5:9, 11:17] + 7.0)
        >>> place, round(score, 9)
        ((5, 11), 1.0)
    """
    response = template_response(image, template)
    x, y = np.unravel_index(int(np.argmax(response)), response.shape)
    return (int(x), int(y)), float(response[x, y])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TemplateClassifier:
    """Names an image by the template that fits best anywhere in it.

    Attributes:
        templates: Gray levels, shape (m, n) each.
        names: Names of the templates.
    """

    templates: Sequence[FloatArray]
    names: Sequence[str]

    def __call__(self, image: ArrayLike) -> str:
        scores = [match_template(image, template)[1] for template in self.templates]
        return self.names[int(np.argmax(scores))]


def confusion_matrix(
    classify: Classifier,
    samples: Sequence[ArrayLike],
    truth: Sequence[str],
    names: Sequence[str],
) -> IntArray:
    """Return how often each kind (row) was taken for each (column), shape (k, k).

    Args:
        classify: Function that names a sample.
        samples: Features or images.
        truth: True classes of the objects.
        names: Kinds, in the order of rows and columns.
    """
    matrix = np.zeros((len(names), len(names)), dtype=np.int64)
    order = list(names)
    for sample, name in zip(samples, truth, strict=True):
        said = classify(np.asarray(sample, dtype=float))
        matrix[order.index(name), order.index(said)] += 1
    return matrix


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
class RecognizedObject:
    """One object of a scene.

    Attributes:
        name: Unique in the scene.
        mask: Mask of the object's pixels, bool, shape (rows, columns).
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
) -> list[RecognizedObject]:
    """Return the objects of a label image, 0: background.

    Args:
        labels: Labels of the objects, shape (rows, columns).
        name: Says what an object is; a second one of a kind gets a number. By default
            objects are called by their labels.
    """
    image = np.asarray(labels)
    seen: dict[str, int] = {}
    found: list[RecognizedObject] = []
    for label in np.unique(image[image > 0]).tolist():
        mask = np.asarray(image == label)
        word = str(label) if name is None else name(mask)
        seen[word] = seen.get(word, 0) + 1
        found.append(
            RecognizedObject(
                name=word if seen[word] == 1 else f"{word} {seen[word]}", mask=mask
            )
        )
    return found


def relations(
    objects: Sequence[RecognizedObject], *, near: float = 0.0, larger: float = 1.5
) -> list[Relation]:
    """Return all relations that hold between pairs of objects, each with its inverse.

    Args:
        objects: Objects of one image, with names of their own.
        near: Largest gap that is still "near" [px], 0: none is.
        larger: Ratio of areas from which on an object is "larger than" another.

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


def _holds(
    a: RecognizedObject, b: RecognizedObject, near: float, larger: float
) -> list[str]:
    a_top, a_bottom, a_left, a_right = a.box
    b_top, b_bottom, b_left, b_right = b.box
    words: list[str] = []
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
