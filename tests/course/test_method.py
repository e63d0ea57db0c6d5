"""Methods of the course know where they live."""

from __future__ import annotations

import pytest

from gelenk.course.method import Method
from gelenk.errors import ConfigError
from gelenk.spatial import so3


def method(*names: str) -> Method:
    return Method(id="GR-05", title="turns", objects=names, formula="R = exp(w)")


def test_functions_and_methods_are_found_by_their_full_names() -> None:
    found = method(
        "gelenk.spatial.so3.rot_z", "gelenk.models.tree.RobotModel.forward"
    ).load()

    assert found[0] is so3.rot_z
    assert found[1].__name__ == "forward"


@pytest.mark.parametrize("name", ["gelenk.spatial.so3.rot_q", "nowhere.at.all"])
def test_a_name_that_leads_nowhere_is_told(name: str) -> None:
    with pytest.raises(ConfigError, match=f"GR-05: {name} leads nowhere"):
        method(name).load()


def test_a_method_without_code_is_refused() -> None:
    with pytest.raises(ConfigError, match="at least one function"):
        method()
