"""A first controller: fetch a cube from the floor and put it onto the table."""

from gelenk.robots.armbot import CM, DEG, RobotController


class Lift(RobotController):
    """Lifts a cube, turns it by 45 degrees and puts it onto a table."""

    def run(self) -> None:
        self.go(35, 0, 12)
        self.go(35, 0, 3)
        self.gripper.close(width=5.5 * CM)
        self.gripper.wait()
        self.go(35, 0, 20)
        self.go(20, 30, 20, turn=45)
        self.go(20, 30, 11.2, turn=45)
        self.gripper.open()
        self.gripper.wait()
        self.go(20, 30, 20, turn=45)

    def go(self, x: float, y: float, z: float, turn: float = 0.0) -> None:
        """Move the grip point, the gripper pointing down; centimetres, degrees."""
        up = 7 * CM  # from the grip point to the mount
        done = self.manipulator.move_wrist_to(
            x * CM, y * CM, z * CM + up, turn * DEG, -90 * DEG, 0.0
        )
        if not done.ok:
            self.debug_out.println(done.message)
        self.manipulator.wait_movement_completed()

    def receive_trigger(self, trigger: str) -> None:
        self.debug_out.println(f"{trigger} at {self.time:.2f} s")


if __name__ == "__main__":
    import sys
    from pathlib import Path

    from gelenk.cli.commands import main

    cell = str(Path(__file__).with_name("first.env"))
    sys.exit(main(["armbot", "-e", cell, "--headless"]))
