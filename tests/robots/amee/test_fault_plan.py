"""Plans of faults: what people write, and what they are told when it is wrong."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gelenk.errors import ConfigError, FileFormatError
from gelenk.robots.amee.config import LEG_NAMES
from gelenk.robots.amee.coordinator.link import LinkFault
from gelenk.robots.amee.fault_plan import LINK_FAULTS, fault_text, read_fault, read_plan
from gelenk.robots.amee.faults import BODY_FAULTS, ROBOT_FAULTS, TOE_FAULTS, BodyFault


@pytest.mark.parametrize(
    "text",
    [
        "joint-locked:front-left:B@12.5+4",
        "joint_locked:2B@12.5+4s",
        " Joint-Locked:2:b@12.5 + 4 ",
    ],
)
def test_one_fault_can_be_written_in_several_ways(text: str) -> None:
    wanted = BodyFault(kind="joint_locked", leg=1, part=1, start=12.5, duration=4.0)

    assert read_fault(text) == wanted


def test_faults_of_computers_toes_and_supply_have_their_own_places() -> None:
    killed, lost, toe, sag = read_plan(
        "killed:rear-left@8, messages-lost:4@5=10%, toe-dead:1t3@2, supply-sag@20=7V"
    )
    (babble,) = read_plan("babble:2@3=400/s")

    assert babble == LinkFault(kind="babble", leg=1, start=3.0, rate=400.0)

    assert killed == LinkFault(kind="killed", leg=2, start=8.0)
    assert lost == LinkFault(kind="messages_lost", leg=3, start=5.0, share=0.1)
    assert toe == BodyFault(kind="toe_dead", leg=0, part=2, start=2.0)
    assert sag == BodyFault(kind="supply_sag", start=20.0, amount=7.0)


@given(
    kind=st.sampled_from((*BODY_FAULTS, *LINK_FAULTS)),
    leg=st.integers(0, 3),
    part=st.integers(0, 3),
    start=st.integers(0, 9999).map(lambda n: n / 8.0),
    named=st.booleans(),
)
def test_what_is_written_is_read_as_the_same_fault(
    kind: str, leg: int, part: int, start: float, named: bool
) -> None:
    who = LEG_NAMES[leg].replace("_", "-") if named else str(leg + 1)
    place = f":{who}:{f't{part + 1}' if kind in TOE_FAULTS else 'ABCD'[part]}"
    if kind in ROBOT_FAULTS:
        place = ""
    elif kind in LINK_FAULTS:
        place = f":{who}"
    amount = "=5" if kind == "supply_sag" else ""

    fault = read_fault(f"{kind}{place}@{start}{amount}")

    assert (fault.kind, fault.start) == (kind, start)
    assert kind in ROBOT_FAULTS or fault.leg == leg
    assert read_fault(fault_text(fault)) == fault


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        ("joint-lokced:3C@2", ["fault 1", "'joint_locked'"]),
        ("killed:2@1, hung:front-lft@2", ["fault 2", "'front_left'"]),
        ("joint-limp:3E@2", ["A to D", "'E'"]),
        ("joint-limp:3@2", ["needs a leg and a part", "front-left:B"]),
        ("killed:3C@2", ["no part", "killed:2@8"]),
        ("killed:3@soon", ["start", "seconds", "'soon'"]),
        ("toe-dead:3C@2", ["such as 2t4"]),
        ("supply-sag@2", ["volts"]),
        ("messages-lost:2@3=200%", ["0..100 %"]),
        ("hung:2@3+4", ["no duration"]),
        ("joint-limp:3B", ["kind:leg:part@start"]),
        ("nowhere.txt", ["neither a file nor a fault"]),
    ],
)
def test_a_bad_plan_is_refused_with_place_and_remedy(
    plan: str, words: list[str]
) -> None:
    with pytest.raises(ConfigError) as caught:
        read_plan(plan)
    for word in words:
        assert word in str(caught.value)


def test_a_file_has_one_fault_per_line_and_mistakes_have_line_numbers(
    tmp_path: Path,
) -> None:
    path = tmp_path / "plan.txt"
    path.write_text("# a bad day\n\nkilled:2@8  # leg 2\njoint-limp:3B@9\n")
    assert [fault.kind for fault in read_plan(str(path))] == ["killed", "joint_limp"]
    assert math.isinf(read_plan(str(path))[1].duration)  # type: ignore[union-attr]

    path.write_text("killed:2@8\njoint-limp:9B@9\n")
    with pytest.raises(FileFormatError, match=r"line 2.*no leg named '9'") as caught:
        read_plan(str(path))
    assert caught.value.line == 2
