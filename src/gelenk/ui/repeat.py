"""Repetition of short scenes, until somebody uses them."""

from __future__ import annotations

import math

CALM = 4.0  # [s] of wall time between the end of a scene and its next beginning
PARAMETER = "page.repeat"  # under which pages switch it


class Repeat:
    """Decides when a scene begins anew; `touch` from any thread.

    Attributes:
        is_on: Whether it does so by itself; None: this scene never does.

    Args:
        is_on: Whether it is on at the beginning.
    """

    def __init__(self, is_on: bool | None) -> None:
        self.is_on = is_on
        self._end: float | None = None  # wall time at which it was seen to be finished

    def switch(self, is_on: bool) -> None:
        """Let it begin anew by itself, or not."""
        if self.is_on is not None:
            self.is_on = is_on
            self._end = None

    def touch(self) -> None:
        """Somebody uses the scene: what he looks at must not run away."""
        self.switch(False)

    def is_due(self, now: float, *, is_finished: bool) -> bool:
        """Return whether the scene begins anew now.

        Args:
            now: Wall time [s].
            is_finished: Whether all controllers have finished.
        """
        if not (self.is_on and is_finished):
            self._end = None
            return False
        if self._end is None:
            self._end = now
        is_due = now - self._end >= CALM
        if is_due:
            self._end = None
        return is_due

    def again_in(self, now: float) -> int | None:
        """Return the whole seconds until it begins anew; None if it does not."""
        end = self._end
        return None if end is None else max(math.ceil(end + CALM - now), 0)
