"""The scenes of ArmBot: what can be set on a cell is told from its settings."""

from __future__ import annotations

from gelenk.robots.armbot.config import ArmBotCfg
from gelenk.robots.armbot.showcase import _parameters
from gelenk.runtime.panel_actions import ChoiceField, NumberField, SwitchField


def test_parameters_have_units_ranges_and_choices() -> None:
    fields = {field.name: field for field in _parameters(ArmBotCfg(gravity=1.62))}

    gravity, border, spin = (fields[name] for name in ("gravity", "border", "spin"))
    assert isinstance(gravity, NumberField)
    assert (gravity.default, gravity.unit) == (1.62, "m/s^2")
    assert (gravity.minimum, gravity.maximum) == (0.0, None)
    assert isinstance(border, ChoiceField)
    assert border.choices == ("open", "wall")
    assert isinstance(spin, SwitchField)
    assert set(fields) == set(ArmBotCfg.__dataclass_fields__)
