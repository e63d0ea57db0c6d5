"""Scenes that robots offer: `gelenk.robots.NAME.showcase.SHOWPIECES`."""

from __future__ import annotations

import importlib
import importlib.util
import logging
import pkgutil
from collections.abc import Iterator
from functools import partial
from typing import Any

from gelenk.errors import ConfigError
from gelenk.runtime.panel_actions import (
    ChoiceField,
    Field,
    NumberField,
    SwitchField,
    TextField,
)
from gelenk.runtime.scene import Showpiece, Stand
from gelenk.ui.messages import Panel, Parameter, SceneCard
from gelenk.ui.pictures import picture_of
from gelenk.ui.staged import Entry, Settings, Staged

AFTER_RESET = "Takes effect after Reset."

logger = logging.getLogger(__name__)


def robot_entries() -> Iterator[Entry]:
    """Yield the scenes of all robots that have a showcase."""
    import gelenk.robots

    for robot in pkgutil.iter_modules(gelenk.robots.__path__):
        name = f"gelenk.robots.{robot.name}.showcase"
        if importlib.util.find_spec(name) is None:
            continue
        try:
            pieces: tuple[Showpiece, ...] = importlib.import_module(name).SHOWPIECES
        except Exception:  # one broken robot does not close the gallery
            logger.exception("the showcase of %s cannot be opened", robot.name)
            continue
        yield from map(entry_of, pieces)


def entry_of(piece: Showpiece) -> Entry:
    """Return a showpiece as a scene of the gallery."""
    card = SceneCard(
        name=piece.name,
        title=piece.title,
        summary=piece.summary,
        picture=picture_of(piece.name),
        group=piece.group,
    )
    return Entry(card=card, make=partial(_make, piece))


def _make(piece: Showpiece, seed: int, settings: Settings) -> Staged:
    stand = piece.make(seed, settings)
    try:
        parameters = tuple(parameter_of(item, stand) for item in stand.parameters)
    except BaseException:
        _close(stand)
        raise
    return Staged(
        run=stand.run,
        world=stand.world,
        close=partial(_close, stand),
        panel=Panel(
            title=piece.group,
            robots=stand.robots,
            receivers=dict(stand.receivers),
            parameters=parameters,
        ),
        setters=stand.setters,
        exhibit=stand.exhibit,
        eye=stand.eye,
        focus=stand.focus,
        zone_texts=stand.zone_texts,
        facts={"scene": piece.name, "seed": seed, **stand.facts},
    )


def _close(stand: Stand) -> None:
    stand.run.close()
    stand.world.close()
    if stand.close is not None:
        stand.close()


def parameter_of(item: Field, stand: Stand) -> Parameter:
    """Return a field of a stand as a parameter of the panel.

    Raises:
        ConfigError: If it is a point on the ground.
    """
    note = "" if item.name in stand.setters else AFTER_RESET
    about: dict[str, Any] = {
        "name": item.name,
        "title": item.title,
        "help": f"{item.help} {note}".strip(),
    }
    match item:
        case NumberField():
            return Parameter(
                **about,
                value=item.default,
                unit=item.unit,
                minimum=item.minimum,
                maximum=item.maximum,
            )
        case ChoiceField():
            return Parameter(**about, value=item.default, choices=item.choices)
        case SwitchField() | TextField():
            return Parameter(**about, value=item.default)
        case _:
            raise ConfigError(
                f"the parameter {item.name!r} is a point on the ground; only actions "
                "have those"
            )
