"""Controllers that ship, by the short name `robotcontroller`."""

from gelenk.robots.armbot.controllers.handling import Handling as Handling
from gelenk.robots.armbot.controllers.handling import HandlingError as HandlingError
from gelenk.robots.armbot.controllers.handling import point_from_text as point_from_text
from gelenk.robots.armbot.controllers.pick_and_place import Job as Job
from gelenk.robots.armbot.controllers.pick_and_place import (
    PickAndPlace as PickAndPlace,
)
