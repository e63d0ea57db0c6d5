"""Damaged MJCF files are read or refused, never anything else, and quickly."""

from __future__ import annotations

import random
import time

from hypothesis import example, given, settings
from hypothesis import strategies as st

from gelenk.errors import ConfigError, FileFormatError
from gelenk.models import catalog
from gelenk.models.mjcf import model_from_mjcf
from gelenk.models.mjcf_write import mjcf_from_model
from gelenk.models.tree import RobotModel
from robot_files import MJCF
from xml_mutations import mutated

BOUND = 2.0  # [s] for a file of 4 kB on a loaded machine; usual: 8 ms

FLOATING = """<mujoco><compiler angle="radian"/>
  <worldbody><body name="trunk"><freejoint name="f"/><geom size="0.1"/>
    <body name="leg"><joint name="x" pos="0 0 0.1" ref="0.3"/>
      <geom type="box" size="0.1 0.1 0.1"/></body></body></worldbody>
  <equality><weld body1="leg"/>
    <connect name="c" body1="trunk" body2="leg" anchor="0 0 0"/></equality>
  <keyframe><key name="home" qpos="0 0 0 1 0 0 0 0.4"/></keyframe></mujoco>"""
TEXTS = (MJCF, FLOATING, mjcf_from_model(catalog.make("fourbar")))


def read_or_refused(text: str | bytes) -> RobotModel | None:
    """Read a text; a refusal must say where and what to do."""
    model, refusal = None, None
    start = time.perf_counter()
    try:
        model = model_from_mjcf(text, path="fuzz.xml")
    except FileFormatError as error:
        refusal = error
    assert time.perf_counter() - start < BOUND
    if refusal is not None:
        assert str(refusal).startswith("fuzz.xml")
        assert refusal.remedy or ";" in str(refusal)
    return model


@settings(max_examples=600)
@given(rng=st.randoms(use_true_random=False))
def test_damaged_files_are_read_or_refused(rng: random.Random) -> None:
    model = read_or_refused(mutated(rng.choice(TEXTS), rng))

    if model is not None:
        assert_readable_again(model)


def assert_readable_again(model: RobotModel) -> None:
    try:
        text = mjcf_from_model(model)
    except ConfigError:  # a name with a character that XML cannot hold
        return
    back = read_or_refused(text)
    if back is None:  # doubled half sizes may exceed the largest number that is read
        sizes = [x for row in model.geometry for shape in row for x in shape.size]
        assert max(sizes) >= 1e29
        return
    assert back.link_names == model.link_names
    assert back.joint_names_all == model.joint_names_all
    assert [loop.name for loop in back.loops] == [loop.name for loop in model.loops]


@settings(max_examples=200)
@given(text=st.text(max_size=60))
@example(text="\ud800")
def test_random_text_is_refused(text: str) -> None:
    assert read_or_refused(text) is None
    read_or_refused(f"<mujoco><worldbody>{text}</worldbody></mujoco>")


@settings(max_examples=200)
@given(data=st.binary(max_size=200))
@example(data=b"\xff\xfe")
def test_random_bytes_are_refused(data: bytes) -> None:
    assert read_or_refused(data) is None
