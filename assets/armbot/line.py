"""A line of ten robots: each passes on what it is told to fetch.

`Passer` is the program of every robot, `Dispatcher` the logic between them. They talk
in triggers alone: the dispatcher says FETCH, a robot answers TAKEN_i when place i is
empty again and PUT_k when it has let go at place k; light barriers and circles of the
environment say IN_k. A place counts as occupied when both have spoken: something came
in, and the robot that brought it has let go.
"""

from __future__ import annotations

import numpy as np

from gelenk.robots.armbot import CM, TriggerProcessor
from gelenk.robots.armbot.controllers import Handling

DISPATCHER = 50


class Passer(Handling):
    """Fetches a cuboid and puts it down at the next place, whenever it is told to."""

    clearance = 6 * CM
    squeeze = 0.4 * CM  # fingers close a little more than the cuboid is wide

    def __init__(self) -> None:
        self.num_orders = self.num_passed = 0
        self.is_over = False

    def requires_configuration(self) -> bool:
        return True

    def configure(self, params: str) -> None:
        numbers = [float(part) * CM for part in params.split(";")]
        if len(numbers) != 8:
            raise ValueError("expected x;y;z;x;y;z;width;shift in cm")
        self.here, self.there = np.array(numbers[:3]), np.array(numbers[3:6])
        self.width = numbers[6] - self.squeeze
        self.shift = np.array([0.0, numbers[7], 0.0])  # from one cuboid to the next

    def receive_trigger(self, trigger: str) -> None:
        if trigger == "FETCH":
            self.num_orders += 1
        elif trigger == "END":
            self.is_over = True

    def run(self) -> None:
        number = self.instance_number
        while self.wait_until(lambda: self.num_orders > 0 or self.is_over):
            if self.is_over:
                return
            self.num_orders -= 1
            if not self.pick(self.here, width=self.width):
                return
            self.send_trigger(DISPATCHER, f"TAKEN_{number}")
            if not self.place(self.there + self.num_passed * self.shift):
                return
            self.num_passed += 1
            self.send_trigger(DISPATCHER, f"PUT_{number + 1}")

    def stop(self) -> None:
        super().stop()
        self.num_orders = self.num_passed = 0
        self.is_over = False


class Dispatcher(TriggerProcessor):
    """Sends a robot to fetch when its place is occupied and the next one is free."""

    def configure(self, params: str) -> None:
        settings = dict(part.split("=") for part in params.split(";"))
        self.num_robots = int(settings["robots"])
        self.belt = int(settings["belt"])
        self.num_cuboids = int(settings["cuboids"])
        self.reset()

    def reset(self) -> None:
        count = self.num_robots + 1
        self.has_come = [False] * count
        self.is_put = [False] * count
        self.is_put[0] = True  # the belt lets go by itself
        self.is_promised = [False] * count
        self.is_busy = [False] * self.num_robots
        self.num_done = 0

    def receive_trigger(self, trigger: str) -> None:
        word, _, number = trigger.partition("_")
        place = int(number)
        if word == "IN":
            self.has_come[place] = True
            if place == 0:
                self.send_trigger(self.belt, "STOP")
        elif word == "TAKEN":
            self.has_come[place] = False
            if place == 0:
                self.send_trigger(self.belt, "RUN")
            else:
                self.is_put[place] = self.is_promised[place] = False
        elif word == "PUT":
            self.is_put[place] = True
            self.is_busy[place - 1] = False
        self.count_delivered()
        self.send_out()

    def count_delivered(self) -> None:
        last = self.num_robots
        if self.has_come[last] and self.is_put[last]:
            self.has_come[last] = self.is_put[last] = self.is_promised[last] = False
            self.num_done += 1
            if self.num_done == self.num_cuboids:
                self.send_trigger(-1, "END")

    def send_out(self) -> None:
        for robot in range(self.num_robots):
            is_there = self.has_come[robot] and self.is_put[robot]
            if is_there and not (self.is_busy[robot] or self.is_promised[robot + 1]):
                self.is_busy[robot] = self.is_promised[robot + 1] = True
                self.send_trigger(robot, "FETCH")
