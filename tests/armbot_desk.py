"""A run on a small world with its windows, for tests of what surrounds a run."""

from __future__ import annotations

from gelenk.robots.armbot.consoles import Commander, SystemLog, TriggerConsole
from gelenk.robots.armbot.debug_out import DebugOut
from gelenk.robots.armbot.windows import Windows
from gelenk.runtime.controller import Controller
from gelenk.runtime.run import Run
from gelenk.runtime.run_controls import RunControls
from point_world import PointWorld


class Desk:
    """What a cell offers to those who look at it, around any controllers."""

    def __init__(self, *controllers: Controller, **options) -> None:
        options.setdefault("autostart", False)
        self.world = PointWorld(tuple(f"robot{i}" for i in range(len(controllers))))
        self.run = Run(self.world, controllers, step=0.001, **options)
        clock = self.run.clock
        self.debug_out = DebugOut(lambda: (clock.tick, clock.time))
        self.commander = Commander(self.run)
        self.triggers = TriggerConsole(self.run)
        self.system_log = SystemLog(self.run)
        self.execute = RunControls(self.run)
        self.windows = Windows(
            self.debug_out, self.commander, self.triggers, self.system_log
        )

    def __enter__(self) -> Desk:
        return self

    def __exit__(self, *_: object) -> None:
        self.run.close()


class Pusher(Controller):
    """Pushes its mass ten steps of 0.1 m and ends; remembers where it is in a pause."""

    def __init__(self) -> None:
        self.count, self.starts, self.heard, self.lines = 0, [], [], []

    def run(self) -> None:
        self.starts.append(self.count)
        while self.count < 10 and self.is_running():
            self.count += 1
            self.command(f"robot{self.instance_number}", [0.1 * self.count])
            self.sleep(0.02)

    def pause(self) -> None:
        """Keep everything."""

    def stop(self) -> None:
        self.count = 0

    def receive_trigger(self, trigger: str) -> None:
        self.heard.append(trigger)

    def receive_command(self, line: str) -> None:
        self.lines.append(line)


class Slow(Pusher):
    """Takes 0.05 s to end after it was asked to."""

    def run(self) -> None:
        self.starts.append(self.count)
        while self.is_running():
            self.count += 1
            self.sleep(0.01)
        for _ in range(5):
            self.sleep(0.01)
