"""The settings of one leg as a file: TOML, SI units and radians, with a version."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from gelenk.errors import ConfigError, FileFormatError
from gelenk.robots.amee.config import BUS_PORT, LegCfg
from gelenk.runtime.config import InvalidConfigError, resolve
from gelenk.runtime.config_toml import file_layer, to_toml
from gelenk.runtime.files import replace_text

FORMAT = "gelenk amee leg 1"


@dataclass(frozen=True, slots=True, kw_only=True)
class LegFile:
    """What a file holds.

    Attributes:
        format: Kind and version of the file.
        port: Where the leg listens.
        leg: Limits, sensor lines, lengths, thresholds, watchdogs.
    """

    format: str = FORMAT
    port: int = BUS_PORT
    leg: LegCfg = field(default_factory=LegCfg)


def write_leg(path: str | Path, leg: LegCfg, *, port: int | None = None) -> None:
    """Write the settings of a leg; a file of that name is replaced.

    Args:
        path: Where.
        leg: Settings.
        port: Where it listens; by default one for each number.
    """
    chosen = BUS_PORT + leg.number - 1 if port is None else port
    replace_text(Path(path), to_toml(LegFile(port=chosen, leg=leg)))


def read_leg(path: str | Path) -> LegFile:
    """Return the settings of a leg; what a file leaves out is as usual.

    Raises:
        FileFormatError: If it is missing or something else; with line and key.
    """
    path = Path(path)
    try:
        layer = file_layer(path)
        found = layer.values.get("format")
        if found != FORMAT:
            problem = f"expected {FORMAT!r}, got {found!r:.40}: another kind of file"
            raise FileFormatError(path, problem, element="format")
        return resolve(LegFile, [layer]).config
    except InvalidConfigError as error:
        raise FileFormatError(path, str(error)) from error
    except FileFormatError:
        raise
    except ConfigError as error:
        raise FileFormatError(path, f"cannot be read: {error}") from error
