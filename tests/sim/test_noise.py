import math

import numpy as np
import pytest
from scipy import stats

from gelenk.kernels.compile import kernel
from gelenk.sim.noise import gaussian, random_bits, stream_id, uniform

SAMPLES = 200_000


@kernel
def _many(draw_gaussian: bool, seed: int, stream: int, out: np.ndarray) -> None:
    for i in range(out.size):
        out[i] = (
            gaussian(seed, stream, i) if draw_gaussian else uniform(seed, stream, i)
        )


def _draw(draw_gaussian: bool, seed: int = 5, stream: int = 9) -> np.ndarray:
    out = np.empty(SAMPLES)
    _many(draw_gaussian, seed, stream, out)
    return out


@pytest.mark.parametrize(
    ("key", "counter", "expected"),
    [
        # Known answers published with the method (Random123, philox4x32 10).
        ((0, 0), (0, 0, 0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
        (
            (0xFFFFFFFF, 0xFFFFFFFF),
            (0xFFFFFFFF,) * 4,
            (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD),
        ),
        (
            (0xA4093822, 0x299F31D0),
            (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
            (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
        ),
    ],
)
def test_the_bits_are_those_published_with_the_method(key, counter, expected):
    def word(low, high):
        return np.uint64(low | high << 32)

    first, second = random_bits(word(*key), word(*counter[2:]), word(*counter[:2]))

    assert (first, second) == (
        expected[0] | expected[1] << 32,
        expected[2] | expected[3] << 32,
    )


def test_uniform_numbers_follow_the_uniform_law():
    x = _draw(False)

    assert stats.kstest(x, "uniform").pvalue > 1e-3
    assert 0.0 <= x.min() < x.max() < 1.0


def test_gaussian_numbers_follow_the_normal_law_far_into_the_tails():
    x = _draw(True)

    assert stats.kstest(x, "norm").pvalue > 1e-3
    beyond_3 = (np.abs(x) > 3.0).sum()
    expected = SAMPLES * 2.0 * stats.norm.sf(3.0)
    assert abs(beyond_3 - expected) < 4.0 * math.sqrt(expected)


@pytest.mark.parametrize("lag", [1, 2, 3, 17])
def test_neighbours_in_a_stream_are_uncorrelated(lag):
    x = _draw(True)

    correlation = np.mean(x[:-lag] * x[lag:])

    assert abs(correlation) < 4.0 / math.sqrt(SAMPLES)


@pytest.mark.parametrize("other", [{"seed": 6}, {"stream": 10}, {"seed": -5}])
def test_streams_and_seeds_are_independent_of_each_other(other):
    x, y = _draw(True), _draw(True, **other)

    assert abs(np.mean(x * y)) < 4.0 / math.sqrt(SAMPLES)


def test_a_sample_does_not_depend_on_who_was_drawn_before():
    all_in_order = _draw(True)

    assert gaussian(5, 9, 4321) == all_in_order[4321]


def test_stream_names_are_told_apart_where_their_texts_touch():
    names = [("a", "bc"), ("ab", "c"), ("abc",), ("a", "b", "c"), ("abc", 0)]

    ids = {stream_id(*name) for name in names}

    assert len(ids) == len(names)
    assert all(0 <= i < 2**63 for i in ids)
