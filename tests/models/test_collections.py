"""Robots of installed collections are found by name; nothing is installed by itself."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import gelenk
from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.models import collections

URDF = '<robot name="fr9"><link name="a"/></robot>'


def install(folder: Path, package: str, files: dict[str, str]) -> None:
    (folder / package).mkdir()
    for name, text in {"__init__.py": "", **files}.items():
        (folder / package / name).write_text(text)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of packages, before all others and forgotten at the end."""
    monkeypatch.syspath_prepend(tmp_path)
    for name in list(sys.modules):
        if name.partition(".")[0] in ("robot_descriptions", "mujoco_menagerie"):
            monkeypatch.delitem(sys.modules, name)
    (tmp_path / "fr9.urdf").write_text(URDF)
    (tmp_path / "fr9.srdf").write_text('<robot name="fr9"/>')
    return tmp_path


def describe(site: Path, **modules: str) -> None:
    install(
        site,
        "robot_descriptions",
        {f"{name}_description.py": text for name, text in modules.items()},
    )


def forget(name: str) -> None:
    for module in [m for m in sys.modules if m.startswith("robot_descriptions")]:
        del sys.modules[module]


def test_a_name_of_robot_descriptions_gives_its_urdf(site: Path) -> None:
    describe(
        site,
        fr9=f"URDF_PATH = {str(site / 'fr9.urdf')!r}\nPACKAGE_PATH = {str(site)!r}\n"
        f"SRDF_PATH = {str(site / 'fr9.srdf')!r}",
    )
    try:
        assert gelenk.load("fr9").name == "fr9"
        assert gelenk.load("fr9_description").name == "fr9"
        found = collections.find_robot("fr9")
        assert found is not None
        assert (found.srdf, found.package_dirs) == (site / "fr9.srdf", (site,))
        with pytest.raises(NameNotFoundError, match=r"\(installed\) have 'fr9'"):
            gelenk.load("fr8")
    finally:
        forget("fr9")


def test_a_collection_that_cannot_fetch_says_why(site: Path) -> None:
    describe(site, fr9="raise OSError('no network')")
    try:
        with pytest.raises(ConfigError, match=r"knows 'fr9' .*no network; .*connected"):
            gelenk.load("fr9")
    finally:
        forget("fr9")


def test_a_name_of_the_menagerie_gives_its_main_file(site: Path) -> None:
    text = f"""
class Robot:
    default_model = "fr9"
    def xml(self, entry):
        assert entry == "fr9"
        return {str(site / "fr9.urdf")!r}
def names(): return ["acme_fr9", "acme_fr8"]
def get(name): return {{"acme_fr9": Robot()}}[name]
"""
    install(site, "mujoco_menagerie", {"__init__.py": text})
    try:
        assert gelenk.load("acme_fr9").name == "fr9"
        assert collections.find_robot("fr9") is not None
        assert collections.find_robot("fr7") is None
        with pytest.raises(ConfigError, match="cannot give its files"):
            collections.find_robot("acme_fr8")
    finally:
        del sys.modules["mujoco_menagerie"]


def test_without_a_collection_the_message_says_where_more_robots_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(collections, "installed", tuple)

    with pytest.raises(NameNotFoundError, match="pip install robot_descriptions"):
        gelenk.load("fr9")


def test_a_robot_of_the_catalogue_comes_first(site: Path) -> None:
    describe(site, panda="raise OSError('no network')")

    assert gelenk.load("panda").name == "panda"
