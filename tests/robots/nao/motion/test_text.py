"""What is printed reads back as itself, to the last digit."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gelenk.errors import ConfigError
from gelenk.robots.nao.joints import BODY_JOINTS, mirror
from gelenk.robots.nao.motion.motions import (
    Hardness,
    Label,
    Mirrored,
    Motion,
    MotionFile,
    Move,
    Special,
    Transition,
)
from gelenk.robots.nao.motion.text import (
    calibration_motions,
    make_program,
    parse_motions,
    print_motions,
    shipped_motions,
)
from gelenk.robots.nao.representations import MotionRequest
from robots.nao.motion.sample_motions import Player
from robots.nao.motion.test_parser import CALIBRATION

degrees = st.floats(-360, 360, allow_nan=False)
counts = st.integers(0, 9000)
names = st.from_regex(r"[a-z][a-zA-Z0-9]{0,6}", fullmatch=True).filter(
    lambda name: name not in ("label", "transition", "hardness", "milestone", "motions")
)
trailers = st.fixed_dictionaries(
    {
        "duration_ms": counts,
        "max_speed": counts,
        "is_milestone": st.booleans(),
        "token": names | st.just(""),
    }
)
complete = st.builds(
    lambda values, trailer: Move(
        form="complete", values=tuple(zip(BODY_JOINTS, values, strict=True)), **trailer
    ),
    st.lists(degrees | st.sampled_from(Special), min_size=22, max_size=22),
    trailers,
)
partial = st.builds(
    lambda form, values, trailer: Move(
        form=form, values=tuple(values.items()), **trailer
    ),
    st.sampled_from(["absolute", "relative"]),
    st.dictionaries(st.sampled_from(BODY_JOINTS), degrees, min_size=1),
    trailers,
)
hardness = st.builds(
    Hardness,
    values=st.lists(st.integers(0, 100), min_size=22, max_size=22).map(tuple),
    duration_ms=counts,
)
transitions = st.builds(
    Transition, motion=names, label=names, request=names | st.none()
)
labels = st.builds(Label, name=names)
GOAL = Transition(motion="motions", label="start")
START = Label(name="start")
bodies = st.lists(complete | partial | hardness | transitions | labels, max_size=6)
motions = st.builds(
    lambda name, lines: Motion(name=name, lines=(START, *lines, GOAL)), names, bodies
)
mirrored = st.builds(
    lambda name, source, lines: Mirrored(name=name, source=source, lines=tuple(lines)),
    names,
    names,
    st.lists(labels | transitions, max_size=4),
)
files = st.builds(
    lambda lines, others: MotionFile(
        definitions=(Motion(name="motions", lines=(START, *lines, GOAL)), *others)
    ),
    bodies,
    st.lists(motions | mirrored, max_size=3),
)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(files, st.sampled_from(["", "one", "two\n\nlines"]))
def test_every_file_reads_back_as_itself(file: MotionFile, heading: str) -> None:
    assert parse_motions(print_motions(file, heading=heading)) == file


@pytest.mark.parametrize("text", [CALIBRATION, *(p.read_text() for p in shipped_motions().values())])  # fmt: skip
def test_written_files_read_back_as_themselves(text: str) -> None:
    file = parse_motions(text)

    assert parse_motions(print_motions(file)) == file


def test_a_calibration_is_written_from_poses() -> None:
    rng = np.random.default_rng(1)
    poses = np.deg2rad(rng.uniform([-20, -10, -60, 20, -30, -8], [0, 5, -30, 70, 0, 8], (5, 6)))  # fmt: skip
    base = np.zeros(22)
    base[[5, 9]] = math.radians(-5.0)
    base[:2] = np.nan
    base[17] = math.radians(-25.0)
    file = calibration_motions(poses, base=base, stiffness=[70] * 22, via=[3])
    text = print_motions(file, heading="by a test")

    assert text.startswith("// by a test\n\nmotions\n{\n  label start\n")
    program = make_program(parse_motions(text))
    for motion, turn in (("calibrateLeft", lambda q: q), ("calibrateRight", mirror)):
        player = Player(program)
        player.request = MotionRequest(motion=motion)
        seen = {}
        for _ in range(3000):
            played = player.tick()
            if played.info.is_at_milestone:
                seen[played.info.token] = turn(played.joints.angles)[10:16]
                player.go_on()
            elif played.info.motion == "motions":
                break
        assert list(seen) == ["p01", "p02", "p03", "p04"]
        kept = poses[[0, 1, 2, 4]]
        # Two decimals of a degree are written.
        np.testing.assert_allclose(list(seen.values()), kept, atol=math.radians(0.0051))
        assert player.history[-2].info.token == "end"
        assert player.history[-1].joints.angles[0] == 2000.0  # the head is left alone


def test_poses_of_another_shape_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"`poses` must have shape \(n, 6\)"):
        calibration_motions(np.zeros(6), base=np.zeros(22), stiffness=[70] * 22)
    with pytest.raises(ConfigError, match="`q22` must have 22 angles"):
        calibration_motions(np.zeros((2, 6)), base=np.zeros(20), stiffness=[70] * 22)
