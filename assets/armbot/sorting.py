"""Sorting by colour: a trigger says what has come, and the belt is stopped for it."""

from __future__ import annotations

from collections import deque

import numpy as np

from gelenk.robots.armbot import CM
from gelenk.robots.armbot.controllers import Handling, point_from_text

COLOURS = ("RED", "GREEN", "BLUE")
PRESS = 0.2 * CM  # the cup is set upon the top face and pressed in this much
DROP = 1 * CM  # above the floor, where a cuboid is let go
SIDE = 5 * CM  # from the middle of a bin: where its first and second cuboid go


class Sorter(Handling):
    """Lays what comes along the belt into the bin of its colour."""

    def __init__(self) -> None:
        self.waiting: deque[str] = deque()
        self.num_sorted = dict.fromkeys(COLOURS, 0)

    def requires_configuration(self) -> bool:
        return True

    def configure(self, params: str) -> None:
        settings = dict(part.split("=") for part in params.split(";"))
        self.belt, self.count = int(settings["belt"]), int(settings["count"])
        self.at = point_from_text(settings["at"])
        self.edge = float(settings["edge"]) * CM
        self.bins = {colour: point_from_text(settings[colour]) for colour in COLOURS}

    def receive_trigger(self, trigger: str) -> None:
        if trigger in COLOURS:
            self.send_trigger(self.belt, "STOP")
            self.waiting.append(trigger)

    def run(self) -> None:
        while sum(self.num_sorted.values()) < self.count:
            if not self.wait_until(lambda: bool(self.waiting)):
                return
            if not self.sort(self.waiting.popleft()):
                return

    def sort(self, colour: str) -> bool:
        """Bring what lies at the barrier to its bin; return whether to go on."""
        if not self.pick(np.subtract(self.at, (0.0, 0.0, PRESS)), width=None):
            return False
        self.send_trigger(self.belt, "RUN")
        side = SIDE if self.num_sorted[colour] % 2 else -SIDE
        x, y = self.bins[colour]
        if not self.place((x + side, y, self.edge + DROP)):
            return False
        self.num_sorted[colour] += 1
        self.debug_out.println(f"{colour} number {self.num_sorted[colour]}")
        return True

    def stop(self) -> None:
        super().stop()
        self.waiting.clear()
        self.num_sorted = dict.fromkeys(COLOURS, 0)
