"""Streams without end are kept in bounded memory, the latest of them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gelenk.runtime.bounded_log import BoundedLog

sizes = st.lists(st.integers(0, 50), max_size=60)


@given(sizes=sizes, count=st.integers(1, 20), budget=st.integers(0, 200))
def test_number_and_bytes_never_exceed_their_bounds(
    sizes: list[int], count: int, budget: int
) -> None:
    kept: BoundedLog[int] = BoundedLog(count, budget=budget, size_of=lambda size: size)
    for i, size in enumerate(sizes):
        kept.append(size)
        left = list(kept)

        assert left == sizes[i + 1 - len(left) : i + 1]
        assert kept.num_bytes == sum(left)
        assert 1 <= len(kept) <= count
        assert kept.num_bytes <= budget or len(kept) == 1


@given(sizes=sizes, budget=st.integers(0, 200))
def test_no_more_is_forgotten_than_has_to_be(sizes: list[int], budget: int) -> None:
    kept: BoundedLog[int] = BoundedLog(100, budget=budget, size_of=lambda size: size)
    kept.extend(sizes)
    gone = len(sizes) - len(kept)

    assert gone == 0 or sum(sizes[gone - 1 :]) > budget


def test_what_was_cleared_takes_no_room() -> None:
    kept: BoundedLog[int] = BoundedLog(5, budget=10, size_of=lambda size: size)
    kept.extend([5, 5])
    kept.clear()
    kept.extend([4, 6])

    assert list(kept) == [4, 6]
    assert kept.num_bytes == 10
