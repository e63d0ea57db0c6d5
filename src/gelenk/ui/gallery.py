"""Gallery: scenes and their settings as messages to a page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gelenk.errors import ConfigError
from gelenk.runtime.panel_actions import (
    ChoiceField,
    Field,
    NumberField,
    SwitchField,
    TextField,
)
from gelenk.runtime.scene import LiveScene, SceneSpec
from gelenk.ui.messages import Button, Panel, Parameter, Patch, SceneCard

AFTER_RESET = "Takes effect after Reset."
PICTURES = Path(__file__).parent / "static" / "pictures"


def card_of(spec: SceneSpec) -> SceneCard:
    """Return how a scene is offered, with the picture that travels with the page."""
    file = f"{spec.name.replace('/', '-')}.png"
    has_picture = (PICTURES / file).is_file()
    return SceneCard(
        name=spec.name,
        title=spec.title,
        summary=spec.summary,
        picture=f"/pictures/{file}" if has_picture else "",
        group=spec.group,
    )


def panel_of(live: LiveScene, group: str) -> Panel:
    """Return what a scene adds to the page.

    Args:
        live: The scene.
        group: Title of the panel where the scene has none of its own.

    Raises:
        ConfigError: If a parameter is a point on the ground.
    """
    return Panel(
        title=live.title or group,
        robots=live.robots,
        receivers=dict(live.receivers),
        parameters=tuple(
            _parameter(item, is_live=item.name in live.setters)
            for item in live.parameters
        ),
        buttons=tuple(
            Button(name=item.name, title=item.title, help=item.help)
            for item in live.buttons
        ),
        tools=live.tools,
        source=live.source,
        source_name=live.source_name,
    )


def patches_of(live: LiveScene) -> tuple[Patch, ...]:
    """Return the painted areas on the floor of a scene."""
    return tuple(Patch(corners=item.corners, rgba=item.rgba) for item in live.paints)


def _parameter(item: Field, *, is_live: bool) -> Parameter:
    note = "" if is_live else AFTER_RESET
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
