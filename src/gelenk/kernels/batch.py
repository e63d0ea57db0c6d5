"""Large batches in pieces on all cores.

Kernels release the GIL, so threads suffice. Every state is computed on its own:
the result does not depend on the number of threads.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache

MIN_PIECE = 1024  # states; below, handing a piece to a thread costs more than it saves


def in_pieces(count: int, work: Callable[[slice], None]) -> None:
    """Call `work` with slices that cover range(count), on all cores if worth it.

    Args:
        count: Number of rows of the batch.
        work: Function that computes the rows of a slice.

    Example:
        >>> import numpy as np
        >>> from gelenk.kernels import in_pieces
        >>> squares = np.arange(5000.0)
        >>> def square(part: slice) -> None:
        ...     squares[part] **= 2
        >>> in_pieces(len(squares), square)
        >>> float(squares[4000])
        16000000.0
    """
    pieces = min(num_cores(), count // MIN_PIECE)
    if pieces < 2:
        work(slice(0, count))
        return
    bounds = [count * k // pieces for k in range(pieces + 1)]
    jobs = [
        _pool().submit(work, slice(bounds[k], bounds[k + 1])) for k in range(1, pieces)
    ]
    work(slice(0, bounds[1]))
    for job in jobs:
        job.result()


@cache
def num_cores() -> int:
    """Return the number of cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(num_cores(), thread_name_prefix="gelenk-batch")
