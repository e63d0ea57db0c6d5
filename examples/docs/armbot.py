"""What docs/armbot.md shows: a cell from a text, its report, and a move refused."""

# --8<-- [start:imports]
from gelenk.robots.armbot.cell import Cell
from gelenk.robots.armbot.environment.read import parse_environment
from gelenk.robots.armbot.interface import CM, DEG, RobotController
from gelenk.robots.armbot.options import parse_options
from gelenk.robots.armbot.report import make_report
from gelenk.robots.armbot.setup import make_setup

# --8<-- [end:imports]


# --8<-- [start:controller]
class Reach(RobotController):
    """Reaches for three points and says what became of it."""

    def run(self) -> None:
        for x, z in ((40, 20), (30, 10), (90, 20)):
            asked = self.manipulator.move_wrist_line(x * CM, 0, z * CM, 0, -90 * DEG, 0)
            done = self.manipulator.wait_movement_completed() if asked else asked
            self.debug_out.println(f"{x} cm: {done.code} {done.message}".rstrip())


# --8<-- [end:controller]

# --8<-- [start:run]
environment = parse_environment(
    """
    MANIPULATOR manipulators.SimpleArm
    GRIPPER     grippers.TwoFingerGripper
    CONTROLLER  __main__.Reach
    BALL 20 30 30 4 0.3 0.7 FF0000
    """
)
with Cell(make_setup(environment, parse_options([])), seed=1) as cell:
    cell.run.run_until_idle(20.0)
    cell.finish()
    report = make_report(cell)

for line in report.debug_out:
    print(f"{line.time:.2f} s: {line.text}")
print(report.robots[0].controller.state, report.robots[0].controller.reason)
print([round(x, 3) for x in report.balls["ball_1"].position])
# --8<-- [end:run]

# --8<-- [start:mistakes]
from gelenk.robots.armbot.environment.problems import EnvironmentFileError  # noqa: E402

try:
    parse_environment("BAL 0 0 5\nSTEP 10 A08060 RECT 0 0 20 ENDSTEP\n", "cell.env")
except EnvironmentFileError as error:
    print(error)
# --8<-- [end:mistakes]
