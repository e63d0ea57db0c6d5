"""The API reference has an entry for every public name of every package."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

import gelenk
import make_reference

FACES = [
    package
    for package in make_reference.PACKAGES
    if hasattr(importlib.import_module(package), "__all__")
]


@pytest.mark.parametrize("package", FACES)
def test_the_names_of_a_face_are_found_with_their_homes(package: str) -> None:
    face = importlib.import_module(package)

    found = make_reference.public_names(package)

    assert set(found) == set(face.__all__)
    for name, home in found.items():
        parent, _, last = home.rpartition(".")
        at_home = getattr(importlib.import_module(parent), last, None)
        assert at_home is getattr(face, name), home


@pytest.mark.parametrize("package", make_reference.PACKAGES)
def test_the_page_of_a_package_has_an_entry_for_every_name(package: str) -> None:
    page = make_reference.page(package)

    for name, home in make_reference.public_names(package).items():
        links = f"[{name}]({home}.md)", f".md#{home})"
        assert f"::: {home}\n" in page or any(link in page for link in links)


def test_every_package_has_a_page() -> None:
    packages = {
        f"gelenk.{item.name}"
        for item in pkgutil.iter_modules(gelenk.__path__)
        if item.ispkg and item.name != "robots"
    }

    assert packages <= set(make_reference.PACKAGES)
