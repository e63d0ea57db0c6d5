"""Files of methods are read as they stand; mistakes are told with file and place."""

from __future__ import annotations

from pathlib import Path

import pytest

from gelenk.course import register
from gelenk.course.method import Method
from gelenk.course.method_file import read_methods
from gelenk.errors import FileFormatError

FIRST = '[GR-07]\ntitle = "turn"\nobjects = ["a.b", "a.c"]\nformula = "R = 1"\n'
SECOND = FIRST.replace("GR-07", "GR-11")


def written(folder: Path, text: str) -> Path:
    path = folder / "02.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_each_table_is_a_method_in_the_order_of_the_file(tmp_path: Path) -> None:
    path = written(tmp_path, FIRST + "# a remark\n" + SECOND + 'erratum = "E-1: q̇"\n')

    first, second = read_methods(path)

    assert first == Method(
        id="GR-07", title="turn", objects=("a.b", "a.c"), formula="R = 1"
    )
    assert (second.id, second.erratum) == ("GR-11", "E-1: q̇")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            FIRST + SECOND.replace("formula", "formular"),
            "line 5, GR-11: no such key 'formular'; did you mean 'formula'?",
        ),
        (FIRST + FIRST, r"is not TOML: .*GR-07.*line 5"),
        (SECOND + FIRST, "line 5, GR-07: stands after GR-11"),
        (FIRST + SECOND.replace("formula", "erratum"), "GR-11: 'formula' is missing"),
        (FIRST.replace('"turn"', "3"), "'title' must be a text that is not empty, got"),
        (FIRST.replace('"R = 1"', '" "'), "'formula' must be a text"),
        (FIRST.replace('["a.b", "a.c"]', "[]"), "'objects' must list full names"),
        (FIRST.replace('["a.b", "a.c"]', '"a.b"'), "'objects' must list full names"),
        (FIRST.replace("GR-07", "dijkstra"), "line 1, dijkstra: expected a table"),
        ('title = "x"\n' + FIRST, "line 1, title: expected a table"),
        (FIRST + "[GR", "is not TOML: Expected"),
    ],
)
def test_a_mistake_is_told_with_file_and_place(
    text: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(FileFormatError, match=f"02.toml.*{message}"):
        read_methods(written(tmp_path, text))


def test_an_id_in_two_files_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("02.toml", "03.toml"):
        (tmp_path / "methods").mkdir(exist_ok=True)
        (tmp_path / "methods" / name).write_text(FIRST, encoding="utf-8")
    monkeypatch.setattr(register, "__file__", str(tmp_path / "register.py"))
    monkeypatch.setattr(register, "TITLES", {2: "Rates", 3: "Kinematics"})

    with pytest.raises(FileFormatError, match="GR-07: stands in 02"):
        register.chapters.__wrapped__()
