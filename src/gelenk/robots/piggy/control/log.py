"""Every internal quantity of motion control, cycle by cycle."""

from __future__ import annotations

from collections import deque
from dataclasses import fields
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from gelenk.errors import ConfigError
from gelenk.robots.piggy.control.state import MotionState


class MotionLog:
    """The last cycles of motion control.

    Args:
        kept: How many.
    """

    def __init__(self, *, kept: int) -> None:
        self._states: deque[MotionState] = deque(maxlen=kept)

    def __len__(self) -> int:
        return len(self._states)

    @property
    def last(self) -> MotionState:
        """The newest cycle.

        Raises:
            ConfigError: If there is none.
        """
        if not self._states:
            raise ConfigError("motion control has not been stepped yet; call `step`")
        return self._states[-1]

    def latest(self, count: int) -> list[MotionState]:
        """Return the newest cycles, oldest first; fewer if there are not so many."""
        return [*islice(reversed(self._states), count)][::-1]

    def append(self, state: MotionState) -> None:
        """Keep one more cycle."""
        self._states.append(state)

    def clear(self) -> None:
        """Forget all cycles."""
        self._states.clear()

    def table(self) -> dict[str, np.ndarray[Any, Any]]:
        """Return all cycles, one array per quantity, the first axis is time."""
        return {
            field.name: np.array([getattr(s, field.name) for s in self._states])
            for field in fields(MotionState)
        }

    def write(self, path: str | Path) -> None:
        """Write the table to a numpy .npz file."""
        table = self.table()
        for name in ("mode", "reason"):
            table[name] = np.array([str(text) for text in table[name]], dtype=np.str_)
        with Path(path).open("wb") as file:
            np.savez_compressed(file, allow_pickle=False, **table)
