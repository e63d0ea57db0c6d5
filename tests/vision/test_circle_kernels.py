"""Tests of the steps of the circle detector against OpenCV, SciPy and naive loops."""

# pyright: reportAttributeAccessIssue=false
import cv2
import numpy as np
import pytest
from scipy.ndimage import correlate

from gelenk.vision.circle_fit import GAIN, gradient_patch, unit_outline
from gelenk.vision.circle_score import unevenness
from gelenk.vision.circle_search import FIELDS, keep_best, shrink
from gelenk.vision.circle_votes import (
    FIRST,
    PAD,
    best_lane,
    best_peaks,
    count_votes,
    halve,
    roughness,
    sobel,
    vote_centers,
)


def random_image(shape: tuple[int, int], seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, shape, dtype=np.uint8)


def test_halving_equals_means_of_four() -> None:
    image = random_image((31, 46))
    out = np.empty((15, 23), np.uint8)
    halve(image, out)
    means = image[:30].reshape(15, 2, 23, 2).astype(float).mean(axis=(1, 3))
    assert np.array_equal(out, np.floor(means + 0.5))
    small = np.empty((5, 7), np.uint8)
    shrink(image, 3, 2, 4, small)
    part = image[2:22, 3:31].reshape(5, 4, 7, 4).astype(float).mean(axis=(1, 3))
    assert np.array_equal(small, np.floor(part + 0.5))


def test_voting_derivatives_equal_those_of_opencv() -> None:
    image = random_image((40, 57))
    gx, gy, strength = (np.empty(image.shape, np.int16) for _ in range(3))
    sobel(image, gx, gy, strength)
    inner = np.s_[1:-1, 1:-1]
    for ours, order in ((gx, (1, 0)), (gy, (0, 1))):
        assert np.array_equal(ours[inner], cv2.Sobel(image, cv2.CV_16S, *order)[inner])
        assert not ours[0].any()
        assert not ours[:, -1].any()
    assert np.array_equal(strength[inner], (np.abs(gx) + np.abs(gy))[inner])


def test_fine_derivatives_equal_a_correlation_and_know_their_gain() -> None:
    image = random_image((30, 40))
    gx, gy = np.empty((15, 21), np.int16), np.empty((15, 21), np.int16)
    gradient_patch(image, 6, 4, gx, gy)
    mask = np.outer([1, 4, 6, 4, 1], [-1, -2, 0, 2, 1])
    patch = np.s_[4:19, 6:27]
    assert np.array_equal(gx, correlate(image.astype(int), mask)[patch])
    assert np.array_equal(gy, correlate(image.astype(int), mask.T)[patch])
    step = np.full((20, 20), 100, np.uint8)
    step[:, 10:] += 1
    gradient_patch(step, 4, 4, gx[:10, :12], gy[:10, :12])
    assert gx[:10, :12].max() == GAIN


def drawn_votes(r: float, dark: bool) -> tuple[np.ndarray, np.ndarray]:
    y, x = np.mgrid[0:40, 0:40]
    cover = np.clip(r + 0.5 - np.hypot(x - 20, y - 19), 0.0, 1.0)
    image = (200 - 150 * cover if dark else 50 + 150 * cover).astype(np.uint8)
    gx, gy, strength = (np.empty(image.shape, np.int16) for _ in range(3))
    sobel(image, gx, gy, strength)
    shape = (40 + 2 * PAD, 40 + 2 * PAD)
    bits, edges = np.zeros(shape, np.uint64), np.zeros(shape, np.uint8)
    vote_centers(gx, gy, strength, 40.0, bits, edges)
    return bits, edges


def test_a_circle_is_voted_for_from_all_directions_whatever_its_sign() -> None:
    for r in (3.5, 4.4, 5.2, 6.1):
        for dark in (False, True):
            bits, edges = drawn_votes(r, dark)
            counts = np.empty(bits.shape, np.int16)
            count_votes(bits, edges, counts)
            peaks = np.empty((500, 3), np.int32)
            found = best_peaks(counts, 8, peaks, 100)
            x, y, most = max(peaks[:found].tolist(), key=lambda p: p[2])
            assert abs(x - PAD - 20) <= 1
            assert abs(y - PAD - 19) <= 1
            assert most >= 18
            assert abs(FIRST + best_lane(bits, edges, y, x) - r) < 1.6


def test_votes_name_the_side_on_which_the_edge_lies() -> None:
    """An edge to the right of a centre sets one of the first or last two bits."""
    image = np.full((30, 30), 60, np.uint8)
    image[:, 20:] = 180
    gx, gy, strength = (np.empty(image.shape, np.int16) for _ in range(3))
    sobel(image, gx, gy, strength)
    shape = (30 + 2 * PAD, 30 + 2 * PAD)
    bits, edges = np.zeros(shape, np.uint64), np.zeros(shape, np.uint8)
    vote_centers(gx, gy, strength, 40.0, bits, edges)
    column = int(np.flatnonzero(edges[PAD + 15])[0])
    for lane in range(4):
        left = int(bits[PAD + 15, column - 3 - lane]) >> 16 * lane & 0xFFFF
        right = int(bits[PAD + 15, column + 3 + lane]) >> 16 * lane & 0xFFFF
        assert left
        assert left & ~0b1100000000000011 == 0
        assert right
        assert right & ~0b0000001111000000 == 0


def naive_tally(bits: np.ndarray, edges: np.ndarray) -> np.ndarray:
    out = np.zeros(bits.shape, int)
    for y in range(2, bits.shape[0] - 2):
        for x in range(2, bits.shape[1] - 2):
            near = 0
            for value in bits[y - 1 : y + 2, x - 1 : x + 2].ravel():
                near |= int(value)
            scores = []
            for lane in range(4):
                w = 1 if lane == 0 else 2
                inside = int(edges[y - w : y + w + 1, x - w : x + w + 1].sum())
                pair = (near, int(bits[y, x]))
                ones = sum((v >> 16 * lane & 0xFFFF).bit_count() for v in pair)
                scores.append(ones - inside)
            out[y, x] = max(scores)
    return out


def test_the_tally_equals_a_naive_one() -> None:
    rng = np.random.default_rng(1)
    bits = rng.integers(0, 2**63, (18, 25), dtype=np.uint64)
    bits &= rng.integers(0, 2**63, (18, 25), dtype=np.uint64)
    edges = (rng.uniform(size=bits.shape) < 0.2).astype(np.uint8)
    out = np.empty(bits.shape, np.int16)
    count_votes(bits, edges, out)
    assert np.array_equal(out, naive_tally(bits, edges))


def test_the_best_peaks_are_the_highest_local_maxima() -> None:
    rng = np.random.default_rng(2)
    counts = rng.integers(0, 30, (40, 50)).astype(np.int16)
    peaks = np.empty((900, 3), np.int32)
    every = peaks[: best_peaks(counts, 1, peaks, 900)].copy()
    for x, y, value in every:
        assert value == counts[y, x] == counts[y - 1 : y + 2, x - 1 : x + 2].max()
    few = peaks[: best_peaks(counts, 1, peaks, 12)].copy()
    assert len(few) == 12
    assert sorted(few[:, 2]) == sorted(every[:, 2])[-12:]


def test_an_outline_has_the_area_of_a_circle_and_normals_across_it() -> None:
    points, normals = np.empty((720, 2)), np.empty((720, 2))
    unit_outline(720, 3.0, 4.0, 1.2, points, normals)
    x, y = points.T
    area = 0.5 * np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))
    assert abs(area - np.pi) < 1e-3
    along, across = points @ [0.6, 0.8], points @ [-0.8, 0.6]
    assert abs(along.max() / across.max() - 1.2) < 1e-4
    tangents = np.roll(points, -1, axis=0) - np.roll(points, 1, axis=0)
    tangents /= np.linalg.norm(tangents, axis=1, keepdims=True)
    assert np.abs(np.sum(tangents * normals, axis=1)).max() < 1e-3
    assert np.allclose(np.linalg.norm(normals, axis=1), 1.0)


def test_of_overlapping_circles_the_best_stays() -> None:
    rng = np.random.default_rng(3)
    circles = np.zeros((60, FIELDS))
    circles[:, :2] = rng.uniform(0.0, 100.0, (60, 2))
    circles[:, 2], circles[:, 3] = rng.uniform(6.0, 20.0, 60), rng.normal(size=60)
    order = np.empty(60, np.int64)
    kept = order[: keep_best(circles, 60, 0.8, order)]
    expected: list[int] = []
    for k in sorted(range(60), key=lambda k: -circles[k, 3]):
        if all(
            np.hypot(*(circles[k, :2] - circles[m, :2]))
            >= 0.8 * max(circles[k, 2], circles[m, 2])
            for m in expected
        ):
            expected.append(k)
    assert kept.tolist() == expected


def test_discs_lit_unevenly_are_even_and_leaves_are_not() -> None:
    """Only what a slope or a bulge cannot explain counts: here, noise of known size."""
    rng = np.random.default_rng(12)
    y, x = np.mgrid[0:60, 0:60].astype(float)
    u, v = (x - 30.0) / 12.0, (y - 30.0) / 12.0
    slope = 110.0 + 30.0 * u - 20.0 * v
    bulge = slope - 25.0 * u * u + 12.0 * u * v - 15.0 * v * v
    leaves = np.where((x // 4 + y // 4) % 2, 150.0, 70.0)
    for noise in (1.0, 3.0):
        dirt = noise * rng.standard_normal((60, 60))
        even = [np.rint(levels + dirt).astype(np.uint8) for levels in (slope, bulge)]
        assert roughness(even[0], 30, 30, 12.0) == pytest.approx(noise, rel=0.25)
        assert unevenness(even[0], 30.2, 29.7, 12.0) == pytest.approx(noise, rel=0.25)
        assert unevenness(even[1], 30.2, 29.7, 12.0) == pytest.approx(noise, rel=0.25)
        rough = np.rint(leaves + dirt).astype(np.uint8)
        assert roughness(rough, 30, 30, 12.0) > 30.0
        assert unevenness(rough, 30.2, 29.7, 12.0) > 30.0
