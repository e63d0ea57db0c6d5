"""Text files: what is no text is refused with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from gelenk.text_file import TextFileError, decode, plain_text, read_text


def test_text_comes_as_it_was_written(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes("\ufeffGrün\r\nzwei".encode())
    text = read_text(file, max_bytes=100, what="a note")
    assert plain_text(text, what="a note") == "Grün\r\nzwei"


def test_a_byte_that_is_no_utf8_is_located() -> None:
    with pytest.raises(TextFileError, match="got the byte 0xff") as refused:
        decode("eins\r\nzwä".encode() + b"\xff")
    assert (refused.value.line, refused.value.column) == (2, 4)


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_a_control_character_is_located_whatever_ends_the_lines(end: str) -> None:
    with pytest.raises(TextFileError, match="0x00; is it a note") as refused:
        plain_text(f"\ufeffone{end}two\0", what="a note")
    assert (refused.value.line, refused.value.column) == (2, 4)


def test_files_that_are_none_are_refused_with_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("12345")
    for path, words in (
        (tmp_path / "note.txt", "did you mean .*notes.txt"),
        (tmp_path / "none" / "note.txt", "does not exist"),
        (tmp_path, "got a folder"),
        (tmp_path / "notes.txt", "at most 4 bytes, got more; is it a note"),
    ):
        with pytest.raises(TextFileError, match=words) as refused:
            read_text(path, max_bytes=4, what="a note")
        assert refused.value.line == 0
