"""Environment files that several tests read."""

from __future__ import annotations

import dataclasses
from typing import Any

from gelenk.robots.armbot.environment.description import Environment, Place
from gelenk.robots.armbot.environment.problems import EnvironmentFileError
from gelenk.robots.armbot.environment.read import parse_environment

TWO_ARMS = """\
// two arms, one belt, logic in a trigger processor
MULTIROBOT 2
NUMBER BX 120
STRING ARRIVED BALL_ARRIVED
BORDER -300 -300 300 300
TILE 0~2 0 F0E0A0
MANIPULATOR0 manipulators.SimpleArm
GRIPPER0     manipulators.TwoFingerGripper
CONTROLLER0  robotcontroller.PickAndPlace
CONFIG0      pick=_D{BX/2}_;retries=_I{1+1}_
ROBOT0 0 0 -90
MANIPULATOR1 manipulators.TripodArm
GRIPPER1     manipulators.TwoFingerGripper
CONTROLLER1  robotcontroller.Waiter
ROBOT1 BX*2 -100 45
TRIGGERPROCESSOR 50 robotcontroller.BeltLogic
TPCONFIG belt=20
BOTTOMPAINT 80FF80 0.5
  CIRCLE BX 0 30
ENDBOTTOMPAINT
DEBUGNAME table
SLICE 28 30 A08060
  RECT 60 0 40 40
ENDSLICE
CONVEYOR 20 STOP 5 15 x 20 5 404040
  RECT BX 100 100 30
ENDCONVEYOR
BALL 60 0 35 5 0.3 0.5 FF0000
CUBOID 60 12 34 8 8 8 00FF00
TRIGGER BALLENTERS 50 _S{ARRIVED}_ BX 100 20 10 *
TRIGGER CUBOIDBARRIER -1 CUBE_OUT 200 -50 200 50 20 00FF00
"""

ALL_SHAPES = """\
/* every directive that the other file
   does not have */
NUMBER D 10
STRING HOST http://host/_I{D}_ // where it listens
MANIPULATOR robots.py:Arm
CONFIG url=_S{HOST}_ ; level=_D{-(D+2)/4}_
ROBOT 0 0 0
BOTTOMPAINT 000000 128 RECT 0 0 D D ENDSLICK
STEP 5 112233 POLY 6
  0 0   2*D 0   2*D D   D D   D 2*D   0 2*D
ENDSTEP
SLOPE 0 10 y 445566 RECT 50 0 20 40 ENDSLOPE
SLOPE 3 1 x 445566 POLY 3 0 0 10 0 0 10 ENDSLOPE
WEDGE 20 30 5 10 x 778899 RECT -50 0 20 40 ENDWEDGE
CONVEYOR -1 RUN 5 5 y -20 0 404040 POLY 4 100 0 120 0 120 50 100 50 ENDCONVEYOR
DEBUGNAME lamp
SPHERE 0 0 100 D/2 FFFFFF
DEBUGNAME lamp
MASS 0.25
CYLINDER 0 0 20 3 8 00FFFF
MASS 2 BALL 1 2 3 1 0 1 abcdef
TRIGGER CUBOIDENTERS 3 GO_I{2*D}_ 0 0 D 0 00FF00
TRIGGER BALLLEAVES 3 _S{HOST}_ 0 0 D 0 *
TRIGGER CUBOIDLEAVES 3 RUN 0 0 D 0 *
TRIGGER BALLBARRIER 3 STOP 0 0 D 0 1 *
"""


def problems_of(text: str) -> list[str]:
    """Return what is wrong with a text, as `line:column: message`."""
    try:
        parse_environment(text, "f")
    except EnvironmentFileError as error:
        return [str(problem).removeprefix("f:") for problem in error.problems]
    return []


def without_places(environment: Environment) -> Environment:
    """Return the environment as if all of it stood nowhere."""
    return dataclasses.replace(_strip(environment), file="")


def _strip(value: Any) -> Any:
    if isinstance(value, Place):
        return Place("")
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in dataclasses.fields(value)]
        changes = {name: _strip(getattr(value, name)) for name in names}
        return dataclasses.replace(value, **changes)
    if isinstance(value, tuple):
        return tuple(_strip(item) for item in value)
    return value
