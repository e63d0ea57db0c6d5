"""Small cells with real arms and controllers, from files, for tests around them."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path

from gelenk.robots.armbot.options import parse_options
from gelenk.robots.armbot.session import open_cell

PROGRAM = '''
from gelenk.robots.armbot import RobotController


class Waver(RobotController):
    """Turns its stand to and fro three times."""

    def __init__(self):
        self.count = 0

    def run(self):
        while self.count < 3 and self.is_running():
            self.debug_out.println(f"turn {self.count}")
            target = 0.4 if self.count % 2 == 0 else -0.4
            self.manipulator.motors[0].set_target(target)
            if not self.sleep(0.3):
                return
            self.count += 1
        self.send_trigger(0, f"done by {self.instance_number}")

    def pause(self):
        self.manipulator.hold()

    def stop(self):
        super().stop()
        self.count = 0

    def receive_command(self, line):
        self.commander.success(f"heard {line}")

    def receive_trigger(self, trigger):
        self.debug_out.println(f"trigger {trigger}")


class Broken(RobotController):
    """Fails at once."""

    def run(self):
        raise ValueError("no arm today")
'''

ONE = """
BORDER -150 -150 150 150
MANIPULATOR manipulators.SimpleArm
GRIPPER grippers.TwoFingerGripper
CONTROLLER program.Waver
DEBUGNAME red
BALL 60 0 30 5 0.3 0.5 FF0000
STEP 10 A08060
  RECT 60 0 30 30
ENDSTEP
TRIGGER BALLENTERS 0 IN 60 0 20 10 *
"""

TWO = """
MULTIROBOT 2
BORDER -100 -150 200 150
MANIPULATOR0 manipulators.SimpleArm
CONTROLLER0 program.Waver
MANIPULATOR1 manipulators.SimpleArm
CONTROLLER1 program.Waver
ROBOT1 120 0 0
"""


@contextmanager
def small_cell(folder: Path, text: str = ONE, *words: str, **options):
    """Open a cell of an environment text; `words` are further options."""
    (folder / "program.py").write_text(PROGRAM)
    path = folder / "cell.env"
    path.write_text(text)
    options.setdefault("autostart", False)
    with open_cell(parse_options(["-e", str(path), *words]), **options) as cell:
        yield cell
