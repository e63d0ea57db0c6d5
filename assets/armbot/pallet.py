"""Palletising: where each brick goes, and the program that brings it there."""

from __future__ import annotations

import numpy as np

from gelenk.robots.armbot import CM, DEG
from gelenk.robots.armbot.controllers import Handling, point_from_text

PRESS = 0.2 * CM  # the cup is set upon the top face and pressed in this much
DROP = 0.1 * CM  # above its place, where a brick is let go
GAP = 1.0 * CM  # between neighbours: bricks come a little turned


class Palletizer(Handling):
    """Lays bricks onto a pallet: four lengthwise, four crosswise on top of them."""

    clearance = 10 * CM

    def __init__(self) -> None:
        self.num_waiting = 0

    def requires_configuration(self) -> bool:
        return True

    def configure(self, params: str) -> None:
        settings = dict(part.split("=") for part in params.split(";"))
        self.belt = int(settings["belt"])
        self.pick_point = point_from_text(settings["pick"])
        self.places = crossed_bond(
            point_from_text(settings["pallet"]), point_from_text(settings["brick"])
        )

    def receive_trigger(self, trigger: str) -> None:
        if trigger == "BRICK":
            self.send_trigger(self.belt, "STOP")
            self.num_waiting += 1

    def run(self) -> None:
        for top, yaw in self.places:
            if not self.wait_until(lambda: self.num_waiting > 0):
                return
            self.num_waiting -= 1
            if not self.pick(np.subtract(self.pick_point, (0, 0, PRESS)), width=None):
                return
            self.send_trigger(self.belt, "RUN")
            if not self.place(np.add(top, (0, 0, DROP - PRESS)), yaw=yaw):
                return
        self.debug_out.println(f"{len(self.places)} bricks after {self.time:.1f} s")

    def stop(self) -> None:
        super().stop()
        self.num_waiting = 0


def crossed_bond(
    pallet: np.ndarray, brick: np.ndarray
) -> list[tuple[np.ndarray, float]]:
    """Return where the tops of eight bricks go, and how they are turned.

    Args:
        pallet: Middle of its top face [m], shape (3,).
        brick: Length, width and height [m], shape (3,).
    """
    length, width, height = brick
    along, across = length + GAP, width + GAP
    lower = [
        (np.add(pallet, (x * along, y * across, height)), 0.0)
        for x in (-0.5, 0.5)
        for y in (-0.5, 0.5)
    ]
    upper = [
        (np.add(pallet, (x * across, 0.0, 2 * height)), 90 * DEG)
        for x in (-1.5, -0.5, 0.5, 1.5)
    ]
    return lower + upper
