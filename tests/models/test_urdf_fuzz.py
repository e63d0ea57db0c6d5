"""Damaged URDF files are read or refused, never anything else, and quickly."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gelenk.errors import FileFormatError
from gelenk.models.tree import RobotModel
from gelenk.models.urdf import load_urdf, model_from_urdf
from gelenk.models.urdf_write import urdf_from_model
from robot_files import URDF
from xml_mutations import mutated

BOUND = 2.0  # [s] for a file of 4 kB on a loaded machine; usual: 5 ms


def read_or_refused(text: str | bytes, strict: bool = False) -> RobotModel | None:
    """Read a text; a refusal must say where and what to do."""
    model, refusal = None, None
    start = time.perf_counter()
    try:
        model = model_from_urdf(text, path="fuzz.urdf", strict=strict)
    except FileFormatError as error:
        refusal = error
    assert time.perf_counter() - start < BOUND
    if refusal is not None:
        assert str(refusal).startswith("fuzz.urdf")
        assert refusal.remedy or ";" in str(refusal)
    return model


@pytest.mark.filterwarnings("ignore::gelenk.errors.ModelWarning")
@pytest.mark.parametrize("strict", [False, True])
@settings(max_examples=500)
@given(rng=st.randoms(use_true_random=False))
def test_damaged_files_are_read_or_refused(strict: bool, rng: random.Random) -> None:
    model = read_or_refused(mutated(URDF, rng), strict)

    if model is not None:
        back = model_from_urdf(urdf_from_model(model))
        assert back.link_names == model.link_names
        assert back.joint_names_all[1:] == model.joint_names_all[1:]


@pytest.mark.filterwarnings("ignore::gelenk.errors.ModelWarning")
@settings(max_examples=200)
@given(text=st.text(max_size=60))
@example(text="\ud800")
def test_random_text_is_refused(text: str) -> None:
    assert read_or_refused(text) is None
    read_or_refused(f'<robot name="r"><link name="a"/>{text}</robot>')


@pytest.mark.filterwarnings("ignore::gelenk.errors.ModelWarning")
@settings(max_examples=200)
@given(data=st.binary(max_size=200))
@example(data=b"\xff\xfe")
@example(data=b'<?xml version="1.0" encoding="utf-32"?><robot/>')
def test_random_bytes_are_refused(data: bytes) -> None:
    assert read_or_refused(data) is None


@pytest.mark.parametrize("encoding", ["utf-7", "rot13", "idna", "undefined", "base64"])
def test_strange_encodings_are_refused_or_read(tmp_path, encoding: str) -> None:
    path = tmp_path / "strange.urdf"
    path.write_bytes(f'<?xml version="1.0" encoding="{encoding}"?><robot/>'.encode())

    with pytest.raises(FileFormatError):
        load_urdf(path)
