"""Tests of how circles in a bench of images are counted."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.areas._piggy_circles import CircleTally


def test_what_is_seen_in_a_fifth_of_the_images_is_at_rest() -> None:
    rng = np.random.default_rng(0)
    lamp, often, rare = (100.0, 90.0, 20.0), (300.0, 90.0, 9.0), (500.0, 90.0, 9.0)
    images = []
    for k in range(20):
        things = [lamp]
        things += [often] if k % 4 == 0 else []  # 5 of 20
        things += [rare] if k % 5 == 0 else []  # 4 of 20: a fifth, not more
        circles = np.array(things) + rng.normal(0.0, 0.2, (len(things), 3))
        images.append(circles)
    tally = CircleTally(images=20, others={0: images})

    passing, static = tally.false()

    assert static == pytest.approx((20 + 5) / 20)
    assert passing == pytest.approx(4 / 20)


def test_the_same_place_with_another_radius_is_another_thing() -> None:
    images = [np.array([[50.0, 50.0, 10.0 * 1.2**k]]) for k in range(6)]
    tally = CircleTally(images=6, others={0: images, 1: [np.zeros((0, 3))]})

    assert tally.false() == (1.0, 0.0)
