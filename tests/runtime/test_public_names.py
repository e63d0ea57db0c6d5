"""`gelenk.runtime` offers its public names without loading what they do not need."""

from __future__ import annotations

import json
import pkgutil
import subprocess
import sys

import pytest

import gelenk.runtime


@pytest.mark.parametrize("name", gelenk.runtime.__all__)
def test_a_public_name_is_the_thing_itself(name: str) -> None:
    found = getattr(gelenk.runtime, name)

    assert found.__name__ == name
    assert found.__module__.startswith("gelenk.runtime.")
    assert name in dir(gelenk.runtime)


def test_no_public_name_is_hidden_by_a_module() -> None:
    """A module that is imported becomes an attribute of its package."""
    modules = {module.name for module in pkgutil.iter_modules(gelenk.runtime.__path__)}

    assert modules.isdisjoint(gelenk.runtime.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(
        AttributeError, match=r"'gelenk.runtime' has no attribute 'Ran'"
    ):
        _ = gelenk.runtime.Ran


@pytest.mark.parametrize(
    ("statement", "unwanted"),
    [
        ("import gelenk.runtime", ["numpy", "mujoco", "numba"]),
        (
            "from gelenk.runtime import list_scenarios; list_scenarios()",
            ["mujoco", "numba"],
        ),
        ("from gelenk.runtime import Recorder, open_recording, Bus", ["mujoco"]),
    ],
)
def test_what_is_not_needed_is_not_loaded(statement: str, unwanted: list[str]) -> None:
    code = f"import json, sys\n{statement}\nprint(json.dumps(sorted(sys.modules)))"

    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )

    assert set(json.loads(done.stdout)).isdisjoint(unwanted)
