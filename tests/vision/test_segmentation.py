"""Thresholds, regions, features, classes and relations.

Oracles: OpenCV (Otsu, moments, contours, templates, adaptive thresholds), SciPy's
labels, partitions, invariance, the numbers of the course.
"""

from __future__ import annotations

import cv2
import networkx
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import ndimage

from gelenk.errors import ConfigError, ShapeError
from gelenk.vision.image_types import hsi_from_rgb, rgb_from_hsi
from gelenk.vision.recognition import (
    INVERSE,
    NearestNeighbor,
    TemplateClassifier,
    confusion_matrix,
    match_template,
    relations,
    scene_objects,
    template_response,
)
from gelenk.vision.segmentation import (
    adaptive_threshold,
    grow_regions,
    label_components,
    mask_outline,
    otsu_threshold,
    region_means,
    split_and_merge,
    threshold_classes,
    valley_threshold,
)
from gelenk.vision.shapes import (
    count_holes,
    euler_number,
    hu_moments,
    mean_color,
    raw_moment,
    shape_features,
)


def three_levels(noise: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    x, y = np.mgrid[0:60, 0:90]
    truth = (y // 30).astype(np.int64)
    image = np.array([40.0, 120.0, 210.0])[truth]
    return truth, image + noise * np.random.default_rng(seed).normal(size=x.shape)


@pytest.mark.capability("GR-152")
def test_each_pixel_has_a_class_those_on_a_threshold_the_upper_one():  # E-27
    assert threshold_classes([49.9, 50.0, 99.9, 100.0], [50, 100]).tolist() == [
        0,
        1,
        1,
        2,
    ]
    with pytest.raises(ConfigError, match="rise"):
        threshold_classes([1.0], [3.0, 2.0])


@pytest.mark.capability("GR-152")
def test_the_valleys_of_the_histogram_cut_three_levels():
    truth, image = three_levels(12.0)
    cuts = valley_threshold(image, classes=3)
    assert 50.0 < cuts[0] < 110.0
    assert 130.0 < cuts[1] < 200.0
    assert np.mean(threshold_classes(image, cuts) == truth) > 0.995
    with pytest.raises(ConfigError, match="hills"):
        valley_threshold(image, classes=40)


@pytest.mark.capability("GR-152")
def test_otsu_cuts_where_opencv_does():
    for seed in range(5):
        rng = np.random.default_rng(seed)
        image = np.where(
            rng.uniform(size=(80, 80)) < 0.3, rng.normal(180, 15, (80, 80)), 0.0
        )
        image = np.where(image > 0, image, rng.normal(70, 20, (80, 80)))
        levels = np.clip(image, 0, 255).astype(np.uint8)
        cut, theirs = cv2.threshold(levels, 0, 1, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
        ours = otsu_threshold(levels, bins=int(np.ptp(levels)) + 1)
        assert ours == pytest.approx(cut, abs=1.5)
        assert np.mean((levels > ours) == theirs.astype(bool)) > 0.99


@pytest.mark.capability("GR-152")
def test_adaptive_thresholds_see_letters_under_a_lamp_that_fixed_ones_miss():
    x, y = np.mgrid[0:64, 0:96]
    light = 30.0 + 2.0 * y
    letters = ((x // 8) % 2 == 1) & ((y // 8) % 3 == 1)
    image = light * np.where(letters, 1.0, 0.7)
    found = adaptive_threshold(image, size=25, offset=0.0)
    fixed = image > otsu_threshold(image)
    assert np.mean(found == letters) > 0.9
    assert np.mean(fixed == letters) < 0.7
    levels = np.random.default_rng(0).integers(0, 256, (40, 50)).astype(np.uint8)
    theirs = cv2.adaptiveThreshold(
        levels, 1, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, 11, -4
    )
    ours = adaptive_threshold(levels, size=11, offset=4.0)
    assert np.mean(ours == theirs.astype(bool)) > 0.99  # they round the mean


@pytest.mark.capability("GR-152")
def test_hue_tells_colours_apart_where_brightness_changes():
    x, y = np.mgrid[0:40, 0:60]
    is_orange = np.hypot(x - 20.0, y - 30.0) < 12.0
    hue = np.where(is_orange, 0.5, 2.1)
    light = 40.0 + 3.0 * y
    rgb = rgb_from_hsi(np.stack([hue, np.full(hue.shape, 0.8), light], axis=-1))
    found = threshold_classes(hsi_from_rgb(rgb)[..., 0], [1.0]) == 0
    assert np.array_equal(found, is_orange)


@pytest.mark.capability("GR-153")
@pytest.mark.parametrize("criterion", ["neighbor", "seed", "mean"])
@pytest.mark.parametrize("connectivity", [4, 8])
def test_regions_are_a_partition_into_connected_pieces(criterion, connectivity):
    image = np.random.default_rng(0).integers(0, 6, (24, 30)) * 10.0
    labels = grow_regions(image, 10.0, criterion=criterion, connectivity=connectivity)
    assert labels.min() == 0
    assert np.array_equal(np.unique(labels), np.arange(labels.max() + 1))
    structure = np.ones((3, 3)) if connectivity == 8 else None
    for k in range(labels.max() + 1):
        assert ndimage.label(labels == k, structure)[1] == 1


@pytest.mark.capability("GR-153")
def test_regions_do_not_depend_on_the_seeds():
    image = np.random.default_rng(1).integers(0, 4, (20, 20)) * 10.0
    first = grow_regions(image, 10.0)
    other = grow_regions(image, 10.0, seeds=[(19, 3), (4, 11), (10, 10)])
    pairs = {*zip(first.ravel().tolist(), other.ravel().tolist(), strict=True)}
    assert len(pairs) == first.max() + 1 == other.max() + 1


@pytest.mark.capability("GR-153")
def test_with_zero_tolerance_regions_are_the_components_of_scipy():
    mask = np.random.default_rng(2).uniform(size=(30, 40)) < 0.5
    for connectivity, structure in ((4, None), (8, np.ones((3, 3)))):
        ours, count = label_components(mask, connectivity=connectivity)
        theirs, number = ndimage.label(mask, structure)
        assert count == number
        assert np.array_equal(ours, theirs)
        total = number + ndimage.label(~mask, structure)[1]
        grown = grow_regions(mask.astype(float), 0.0, connectivity=connectivity)
        assert grown.max() + 1 == total


@pytest.mark.capability("GR-153")
def test_regions_are_the_components_of_the_graph_of_like_neighbours():
    image = np.random.default_rng(5).integers(0, 8, (15, 18)) * 10.0
    graph = networkx.grid_2d_graph(15, 18)
    graph.remove_edges_from(
        [(a, b) for a, b in graph.edges if abs(image[a] - image[b]) > 20.0]
    )
    labels = grow_regions(image, 20.0)
    parts = list(networkx.connected_components(graph))
    assert labels.max() + 1 == len(parts)
    assert all(len({int(labels[p]) for p in part}) == 1 for part in parts)


@pytest.mark.capability("GR-153")
def test_splitting_and_merging_finds_the_patches_of_a_picture():
    image = np.full((37, 50), 20.0)
    image[5:20, 8:30] = 120.0
    image[15:33, 25:44] = 200.0
    noisy = image + np.random.default_rng(0).uniform(-9.0, 9.0, image.shape)
    labels = split_and_merge(noisy, 40.0)
    assert labels.max() + 1 == 3
    assert_allclose(
        np.sort(region_means(noisy, labels)), [20.0, 120.0, 200.0], atol=1.0
    )
    for k in range(3):
        assert np.ptp(noisy[labels == k]) <= 40.0
        assert len(np.unique(image[labels == k])) == 1


@pytest.mark.capability("GR-153")
def test_growing_from_means_bounds_a_ramp_that_neighbours_run_along():
    ramp = np.tile(np.arange(0.0, 100.0, 5.0), (4, 1))
    assert grow_regions(ramp, 6.0).max() == 0
    assert grow_regions(ramp, 6.0, criterion="mean").max() > 2
    seeded = grow_regions(ramp, 6.0, criterion="seed")
    assert max(np.ptp(ramp[seeded == k]) for k in range(seeded.max() + 1)) <= 12.0


def plate() -> np.ndarray:
    image = np.zeros((9, 11))
    image[2:7, 2:9] = 1.0
    image[4, 5] = 0.0
    return image


@pytest.mark.capability("GR-154")
def test_the_plate_of_the_course():  # TV-7.12
    found = shape_features(plate())
    assert (found.area, found.holes, found.perimeter) == (34, 1, 20)
    contours, _ = cv2.findContours(
        plate().astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE
    )
    theirs = {(v, u) for u, v in contours[0][:, 0].tolist()}
    assert theirs == {*map(tuple, np.argwhere(mask_outline(plate() > 0)).tolist())}


@pytest.mark.capability("GR-154")
def test_moments_are_those_of_opencv():
    g = np.random.default_rng(0).uniform(size=(20, 30))
    theirs = cv2.moments(g)
    for p, q in ((0, 0), (1, 0), (0, 1), (1, 1), (2, 1), (0, 3)):
        assert raw_moment(g, p, q) == pytest.approx(theirs[f"m{q}{p}"])
    # rows and columns change places: a mirror, which only the last one feels
    hu = cv2.HuMoments(theirs).ravel() * np.array([1, 1, 1, 1, 1, 1, -1])
    assert_allclose(hu_moments(g), hu, rtol=1e-9)


@pytest.mark.capability("GR-154")
def test_holes_are_counted_the_same_by_components_and_by_windows():
    for seed in range(20):
        mask = np.random.default_rng(seed).uniform(size=(20, 20)) < 0.55
        objects = label_components(mask, connectivity=8)[1]
        assert euler_number(mask) == objects - count_holes(mask)


def drawn(kind: str, size: float, angle: float, place=(64.0, 64.0)) -> np.ndarray:
    """Return a shape, drawn by its equation, as a binary image."""
    x, y = np.mgrid[0:128, 0:128]
    a = (np.cos(angle) * (x - place[0]) + np.sin(angle) * (y - place[1])) / size
    b = (-np.sin(angle) * (x - place[0]) + np.cos(angle) * (y - place[1])) / size
    r = np.hypot(a, b)
    return {
        "disc": r < 1.0,
        "ring": (r < 1.0) & (r > 0.5),
        "bar": (np.abs(a) < 1.0) & (np.abs(b) < 0.25),
        "square": (np.abs(a) < 0.8) & (np.abs(b) < 0.8),
        "ell": ((np.abs(a) < 0.9) & (np.abs(b + 0.6) < 0.25))
        | ((np.abs(a + 0.65) < 0.25) & (np.abs(b) < 0.85)),
    }[kind]


KINDS = ("disc", "ring", "bar", "square", "ell")


@pytest.mark.capability("GR-154")
@pytest.mark.parametrize("kind", KINDS)
def test_features_do_not_change_when_a_shape_moves_turns_and_grows(kind):
    first = shape_features(drawn(kind, 30.0, 0.4))  # pixels are a thirtieth of it
    for size, angle, place in (
        (30.0, 0.7, (60, 70)),
        (45.0, 0.2, (64, 64)),
        (22.0, 1.4, (50, 66)),
    ):
        other = shape_features(drawn(kind, size, angle, place))
        assert other.holes == first.holes
        assert other.elongation == pytest.approx(first.elongation, rel=0.05)
        assert other.roundness == pytest.approx(first.roundness, rel=0.08)
        assert_allclose(other.hu[:2], first.hu[:2], rtol=0.08, atol=2e-4)
        assert other.area == pytest.approx(first.area * (size / 30.0) ** 2, rel=0.06)


@pytest.mark.capability("GR-154")
def test_direction_and_roundness_are_those_of_geometry():
    for angle in (0.0, 0.5, -1.2):
        found = shape_features(drawn("bar", 40.0, angle))
        off = (found.orientation - angle + np.pi / 2) % np.pi - np.pi / 2
        assert abs(off) < 0.01
        assert found.elongation == pytest.approx(4.0, rel=0.05)  # 79 x 19 pixels
        assert_allclose(found.centroid, [64.0, 64.0], atol=0.2)
    assert shape_features(drawn("disc", 40.0, 0.0)).roundness == pytest.approx(
        1.0, rel=0.02
    )
    square = shape_features(drawn("square", 40.0, 0.3))
    assert square.roundness == pytest.approx(np.pi / 4.0, rel=0.05)
    color = mean_color(np.full((128, 128, 3), (9.0, 8.0, 7.0)), drawn("disc", 9.0, 0.0))
    assert color.tolist() == [9.0, 8.0, 7.0]
    with pytest.raises(ConfigError, match="one object"):
        shape_features(np.eye(3)[[0, 2, 1]] * 0)


def random_shapes(count: int, seed: int) -> tuple[list[np.ndarray], list[str]]:
    rng = np.random.default_rng(seed)
    shapes, names = [], []
    for k in range(count):
        kind = KINDS[k % len(KINDS)]
        size, angle = rng.uniform(20.0, 40.0), rng.uniform(-np.pi, np.pi)
        shapes.append(drawn(kind, size, angle, tuple(rng.uniform(55.0, 73.0, 2))))
        names.append(kind)
    return shapes, names


@pytest.mark.capability("GR-155")
@pytest.mark.parametrize("votes", [1, 3])
def test_shapes_are_named_by_their_features(votes):
    shapes, names = random_shapes(25, 0)
    features = [shape_features(shape).invariants for shape in shapes]
    classify = NearestNeighbor(examples=np.array(features), names=names, count=votes)
    shapes, truth = random_shapes(50, 1)
    samples = [shape_features(shape).invariants for shape in shapes]
    table = confusion_matrix(classify, samples, truth, KINDS)
    assert table.sum(axis=1).tolist() == [10] * 5
    assert np.trace(table) >= 49
    with pytest.raises(ShapeError, match="one row per name"):
        NearestNeighbor(examples=np.array(features), names=names[:3])


@pytest.mark.capability("GR-155")
def test_templates_match_as_those_of_opencv():
    rng = np.random.default_rng(0)
    image = ndimage.gaussian_filter(rng.normal(size=(60, 80)), 2.0).astype(np.float32)
    template = image[20:35, 30:52]
    theirs = cv2.matchTemplate(image, template, cv2.TM_CCOEFF_NORMED)
    assert_allclose(template_response(image, template), theirs, atol=1e-4)
    darker = 0.3 * template - 0.01
    place, score = match_template(image + 0.05 * rng.normal(size=image.shape), darker)
    assert place == (20, 30)
    assert score > 0.8


@pytest.mark.capability("GR-155")
def test_templates_and_any_other_function_can_name_images():
    names = ("disc", "square", "bar")
    templates = [drawn(k, 16.0, 0.0)[44:85, 44:85].astype(float) for k in names]
    classify = TemplateClassifier(templates=templates, names=names)
    images = [drawn(k, 16.0, 0.1, (40.0, 70.0)).astype(float) for k in names]
    assert np.array_equal(confusion_matrix(classify, images, names, names), np.eye(3))
    stubborn = confusion_matrix(lambda image: "bar", images, names, names)
    assert stubborn[:, 2].tolist() == [1, 1, 1]
    with pytest.raises(ConfigError, match="one level"):
        template_response(np.zeros((5, 5)), np.ones((2, 2)))


def table_scene() -> np.ndarray:
    """A table (1) with a plate on it (2), a cup above (3), touching it, a crumb (4)."""
    picture = np.zeros((40, 60), dtype=int)
    picture[20:35, 5:50] = 1
    picture[24:30, 10:20] = 2
    picture[14:20, 30:36] = 3
    picture[27, 23] = 4
    return picture


@pytest.mark.capability("GR-156")
def test_relations_of_a_table_are_those_one_sees():
    words = {1: "table", 2: "plate", 3: "cup", 4: "crumb"}
    picture = table_scene()
    found = scene_objects(picture, lambda mask: words[int(picture[mask][0])])
    said = {*relations(found, near=5.0)}
    for sentence in (
        ("plate", "inside", "table"),
        ("crumb", "inside", "table"),
        ("cup", "above", "table"),
        ("cup", "touches", "table"),
        ("plate", "left of", "crumb"),
        ("plate", "near", "crumb"),
        ("table", "larger than", "plate"),
        ("crumb", "smaller than", "cup"),
    ):
        assert sentence in said
    assert ("cup", "inside", "table") not in said
    assert ("plate", "touches", "crumb") not in said
    assert ("plate", "near", "cup") not in said


@pytest.mark.capability("GR-156")
def test_relations_come_with_their_inverse_and_turn_with_the_image():
    picture = table_scene()
    said = relations(scene_objects(picture), near=5.0)
    back = {**INVERSE, **{b: a for a, b in INVERSE.items()}}
    assert all((b, back[word], a) in said for a, word, b in said)
    mirrored = {*relations(scene_objects(picture[:, ::-1]), near=5.0)}
    flip = {"left of": "right of", "right of": "left of"}
    assert mirrored == {(a, flip.get(word, word), b) for a, word, b in said}


@pytest.mark.capability("GR-156")
def test_two_of_a_kind_are_told_apart():
    picture = np.zeros((6, 12), dtype=int)
    picture[2:4, 1:3], picture[2:4, 8:10] = 1, 2
    things = scene_objects(picture, lambda mask: "nut")
    assert [thing.name for thing in things] == ["nut", "nut 2"]
    assert ("nut", "left of", "nut 2") in relations(things)
    with pytest.raises(ConfigError, match="names of their own"):
        relations([things[0], things[0]])
