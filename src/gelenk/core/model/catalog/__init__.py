"""Ready robots by name: `catalog.make("panda")`."""

from gelenk.core.model.catalog.registry import CatalogEntry as CatalogEntry
from gelenk.core.model.catalog.registry import describe as describe
from gelenk.core.model.catalog.registry import make as make
from gelenk.core.model.catalog.registry import names as names
