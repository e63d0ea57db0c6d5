"""The public face of the package: names without engines, packages as attributes."""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
import subprocess
import sys

import pytest

import gelenk

FACES = (
    "spatial",
    "geometry",
    "models",
    "models.parts",
    "models.catalog",
    "kinematics",
)

PROBE = """
import json, sys
import gelenk
listed = dir(gelenk)
before = sorted({"numba", "mujoco", "scipy", "numpy"} & set(sys.modules))
turn = gelenk.spatial.rot_z(0.0).tolist()
after = sorted({"numba", "mujoco"} & set(sys.modules))
print(json.dumps([listed, before, turn, after]))
"""


def test_import_lists_the_face_and_loads_no_engine() -> None:
    """`import gelenk` in a fresh interpreter, and the first use of a package."""
    done = subprocess.run(
        [sys.executable, "-c", PROBE], capture_output=True, text=True, check=True
    )
    listed, before, turn, after = json.loads(done.stdout)
    assert set(gelenk.__all__) <= set(listed)
    assert {"load", "RobotModel", "World", "Run", "spatial", "sim"} <= set(listed)
    assert before == []
    assert turn == [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    assert after == []


def test_every_name_of_the_face_leads_somewhere() -> None:
    """Packages are packages, everything else has a docstring."""
    for name in gelenk.__all__:
        assert inspect.getdoc(getattr(gelenk, name)), name


@pytest.mark.parametrize("package", FACES)
def test_public_names_of_a_package_are_no_names_of_its_modules(package: str) -> None:
    """Importing a module sets it on its package, where it would hide the name."""
    face = importlib.import_module(f"gelenk.{package}")
    modules = {module.name for module in pkgutil.iter_modules(face.__path__)}
    for name in face.__all__:
        value = getattr(face, name)
        assert inspect.ismodule(value) or name not in modules, name
        assert inspect.getdoc(value), name
