"""Ready robots by name: `catalog.make("panda")`."""

from gelenk.models.catalog.registry import RobotSpec as RobotSpec
from gelenk.models.catalog.registry import describe as describe
from gelenk.models.catalog.registry import make as make
from gelenk.models.catalog.registry import names as names
