"""Files that cannot be read as text, and how they are decoded."""

from pathlib import Path

import pytest

from gelenk.robots.armbot.environment.problems import EnvironmentFileError
from gelenk.robots.armbot.environment.read import (
    MAX_BYTES,
    parse_environment,
    read_environment,
)
from robots.armbot.environment.sample_files import TWO_ARMS, without_places


def refusal(path: Path) -> str:
    with pytest.raises(EnvironmentFileError) as caught:
        read_environment(path)
    (problem,) = caught.value.problems
    return str(problem)


def test_a_file_is_read_like_its_text(tmp_path: Path) -> None:
    path = tmp_path / "cell.env"
    path.write_bytes(b"\xef\xbb\xbf" + TWO_ARMS.replace("\n", "\r\n").encode())

    environment = read_environment(path)

    assert environment.file == str(path)
    assert environment.obstacles[0].place.line == 22
    assert without_places(environment) == without_places(parse_environment(TWO_ARMS))


def test_a_missing_file_names_a_near_one(tmp_path: Path) -> None:
    (tmp_path / "belt.env").write_text("")

    message = refusal(tmp_path / "blet.env")

    assert message.startswith(f"{tmp_path / 'blet.env'}: expected a file, got none")
    assert message.endswith(f"did you mean {tmp_path / 'belt.env'}?")
    assert "did you mean" not in refusal(tmp_path / "x")
    assert "does not exist" in refusal(tmp_path / "nowhere" / "x.env")


def test_a_folder_and_a_path_that_is_none_are_refused(tmp_path: Path) -> None:
    assert "got a folder" in refusal(tmp_path)
    assert "expected a readable file" in refusal(tmp_path / "a\0b")
    assert "expected a readable file" in refusal(tmp_path / ("x" * 5000))


def test_a_byte_that_is_not_utf_8_is_refused_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "latin.env"
    path.write_bytes("// Käfig\r\n  // K".encode() + b"\xe4fig\n")

    message = refusal(path)

    assert message.startswith(f"{path}:2:7: expected UTF-8 text, got the byte 0xe4")


@pytest.mark.parametrize("character", ["\x00", "\x1b", "\x7f", "\x85"])
def test_control_characters_are_refused_with_their_place(character: str) -> None:
    with pytest.raises(EnvironmentFileError) as caught:
        parse_environment(f"// a\nBALL{character}1")

    (problem,) = caught.value.problems
    assert (problem.place.line, problem.place.column) == (2, 5)
    assert f"the control character {ord(character):#04x}" in problem.text


def test_a_huge_file_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "huge.env"
    with path.open("wb") as stream:
        stream.truncate(1000 * MAX_BYTES)

    assert f"expected at most {MAX_BYTES} bytes" in refusal(path)


def test_an_empty_file_is_an_empty_floor(tmp_path: Path) -> None:
    path = tmp_path / "empty.env"
    path.write_bytes(b"")

    assert read_environment(path).obstacles == ()
