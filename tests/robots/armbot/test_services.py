"""Tests of what ArmBot answers to a page: the same as the library says, or why not."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from gelenk.errors import ConfigError
from gelenk.robots.armbot import manipulators
from gelenk.robots.armbot.assets import shipped_cells
from gelenk.robots.armbot.design import design_robot
from gelenk.robots.armbot.environment import grammar
from gelenk.robots.armbot.services import SERVICES
from gelenk.robots.armbot.workbench import race
from gelenk.robots.armbot.workbench.fields import FieldError
from gelenk.robots.armbot.workbench.part_rows import PARTS
from gelenk.spatial.quaternion import matrix_from_quaternion
from gelenk.typing import FloatArray

ARMS = sorted(name for name in dir(manipulators) if name.endswith("Arm"))
PLAIN_ARM: list[dict[str, Any]] = [
    {"part": "servo", "name": "waist", "limits": [-2.0, 2.0]},
    {"part": "segment", "name": "column", "to": [0.0, 0.0, 0.3]},
    {"part": "servo", "name": "shoulder", "axis": "xz", "limits": [-1.5, 1.5]},
    {"part": "segment", "name": "bone", "length": 0.4},
    {"part": "gripper_mount", "name": "mount"},
]


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no method be stopped because the machine is busy."""
    monkeypatch.setattr(race, "MAX_SECONDS", 30.0)


def ask(service: str, /, **value: Any) -> dict[str, Any]:
    """Return an answer after its way through JSON, as a page gets it."""
    answer = SERVICES[f"armbot.{service}"](json.loads(json.dumps(value)))
    return json.loads(json.dumps(answer, allow_nan=False))


def refusal(service: str, /, **value: Any) -> FieldError:
    with pytest.raises(ConfigError) as caught:
        SERVICES[f"armbot.{service}"](value)
    assert isinstance(caught.value, FieldError)
    return caught.value


def pose_of(vector: Any) -> FloatArray:
    T = np.eye(4)
    T[:3, 3] = vector[:3]
    T[:3, :3] = matrix_from_quaternion(vector[3:])
    return T


def with_row(row: int, **fields: Any) -> list[dict[str, Any]]:
    return [r | fields if i == row else r for i, r in enumerate(PLAIN_ARM)]


def test_the_table_is_cheap_to_import() -> None:
    code = (
        "import sys; import gelenk.robots.armbot.services; "
        "print(sorted({'mujoco', 'numba', 'scipy'} & set(sys.modules)))"
    )
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert out.stdout.strip() == "[]"


@pytest.mark.parametrize("name", SERVICES)
@pytest.mark.parametrize("value", [None, [], 3, "text", {"nonsense": 1}])
def test_what_is_no_request_is_refused(name: str, value: Any) -> None:
    with pytest.raises(ConfigError):
        SERVICES[name](value)


# -- check -----------------------------------------------------------------------------


@pytest.mark.parametrize("cell", shipped_cells())
def test_shipped_cells_have_no_problem(cell: str) -> None:
    answer = ask("check", text=shipped_cells()[cell].read_text())
    assert answer["problems"] == []
    assert answer["summary"]["robots"]


def test_a_problem_has_the_place_of_its_word() -> None:
    text = "BORDER -200 -100 100 50\n\n  BALL 0 0 x5 3 0 0 FF0000\nSTEPP 4 808080\n"
    problems = ask("check", text=text)["problems"]
    first = problems[0]
    word = text.splitlines()[first["line"] - 1][first["column"] - 1 :][
        : first["length"]
    ]
    assert (first["line"], word) == (3, "x5")
    assert problems[1]["line"] == 4
    assert "STEP" in problems[1]["text"]


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("MANIPULATOR manipulators.SimpelArm", "SimpleArm"),
        ("MANIPULATOR manipulators.TwoFingerGripper", "SimpleArm"),
        ("GRIPPER grippers.SuctionGriper", "SuctionGripper"),
        ("CONTROLLER robotcontroller.PickAndPlaec", "PickAndPlace"),
    ],
)
def test_a_misspelt_class_is_found_without_running_anything(
    line: str, hint: str
) -> None:
    answer = ask("check", text=f"// a cell\n{line}\n")
    (problem,) = answer["problems"]
    assert problem["line"] == 2
    assert problem["column"] == len(line.split()[0]) + 2
    assert hint in problem["text"]


def test_code_of_a_user_is_not_run(tmp_path: Any, monkeypatch: Any) -> None:
    (tmp_path / "evil.py").write_text("raise SystemExit('was run')")
    monkeypatch.chdir(tmp_path)
    text = "CONTROLLER evil.Controller\nMANIPULATOR evil.py:Arm\n"
    assert ask("check", text=text)["problems"] == []


def test_a_summary_counts_what_the_cell_holds() -> None:
    text = (
        "MULTIROBOT 2\nROBOT1 10 20 90\nMANIPULATOR1 manipulators.ScaraArm\n"
        "BALL 0 0 5 5 0 0 FF0000\nBALL 30 0 5 5 0 0 FF0000\n"
        "CUBOID 60 0 5 5 5 5 00FF00\nSPHERE 0 90 5 5 0000FF\n"
    )
    summary = ask("check", text=text)["summary"]
    counts = {key: value for key, value in summary.items() if key.startswith("num")}
    assert counts == {
        "num_robots": 2, "num_balls": 2, "num_cuboids": 1, "num_cylinders": 0,
        "num_obstacles": 1, "num_triggers": 0,
    }  # fmt: skip
    (robot,) = summary["robots"]
    assert robot["manipulator"] == "manipulators.ScaraArm"
    assert_allclose(robot["pose"], [0.1, 0.2, np.pi / 2.0])


def test_a_text_that_is_too_long_or_none_is_refused() -> None:
    assert refusal("check", text="x" * 300_000).field == "text"
    assert refusal("check", text=7).field == "text"


@given(
    st.lists(
        st.one_of(
            st.sampled_from(sorted(grammar.RESERVED)),
            st.text(max_size=8),
            st.integers().map(str),
            st.sampled_from(
                ["\n", "\r\n", "//", "/*", "*/", "_I{1+1}_", "\x00", "\ufeff"]
            ),
        ),
        max_size=25,
    ).map(" ".join)
)
@settings(max_examples=80, deadline=None)
def test_any_text_gets_an_answer_with_places_inside_of_it(text: str) -> None:
    answer = ask("check", text=text)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for problem in answer["problems"]:
        assert 1 <= problem["line"] <= len(lines)
        assert 1 <= problem["column"] <= len(lines[problem["line"] - 1]) + 1
        assert problem["length"] >= 1
    assert (answer["summary"] is None) <= bool(answer["problems"])


# -- grammar, arms ---------------------------------------------------------------------


def test_the_grammar_names_every_keyword_of_the_reader() -> None:
    answer = ask("grammar")
    words = {item["word"] for item in answer["directives"]}
    words |= {item["variant"] for item in answer["directives"] if item["variant"]}
    words |= {end for item in answer["directives"] for end in item["ends"]}
    words |= {item["word"] for item in answer["plans"]} | set(answer["choices"])
    digits = {word.rstrip("0123456789") for word in grammar.RESERVED}
    assert digits <= words
    assert all(item["text"] and item["usage"] for item in answer["directives"])


def test_arms_are_described_as_they_are_built() -> None:
    answer = ask("arms")
    assert sorted(arm["name"] for arm in answer["arms"]) == ARMS
    for arm in answer["arms"]:
        model = design_robot(getattr(manipulators, arm["name"])(), None).arm
        assert [joint["name"] for joint in arm["joints"]] == list(model.joint_names)
        low = [-np.inf if j["minimum"] is None else j["minimum"] for j in arm["joints"]]
        assert_allclose(low, model.limits[0])
        assert_allclose(arm["home"], model.forward(model.home_configuration)[:3, 3])
        assert arm["preferred"] in arm["methods"]
    assert {item["grasp"] for item in answer["grippers"]} == {"fingers", "suction"}


# -- forward ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", ARMS)
def test_poses_are_those_of_the_model(name: str) -> None:
    arm = design_robot(getattr(manipulators, name)(), None).arm
    low, high = (np.clip(limit, -1.0, 1.0) for limit in arm.limits)
    home = arm.home_configuration
    q = home + 0.05 * (np.clip(0.5 * (low + high), low, high) - home)
    answer = ask("forward", arm=name, q=q.tolist())
    assert [body["name"] for body in answer["bodies"]] == list(arm.link_names)
    for body, pose in zip(answer["bodies"], answer["poses"], strict=True):
        T = arm.forward(q, frame=body["name"])
        assert_allclose(pose_of(pose), T, atol=1e-8)
    assert_allclose(pose_of(answer["tool"]), arm.forward(q), atol=1e-8)


def test_values_beyond_the_limits_are_cut_and_wrong_ones_are_refused() -> None:
    assert ask("forward", arm="SimpleArm", q=[0.0, 99.0, 0.0])["q"][1] < 2.0
    assert refusal("forward", arm="SimpleArm", q=[0.0, 1.0]).field == "q"
    assert refusal("forward", arm="SimpleArm", q=[0.0, "a", 1.0]).field == "q"
    assert refusal("forward", arm="SimpleArm", q=[0.0, float("nan"), 1.0]).field == "q"


def test_an_unknown_arm_is_answered_with_the_nearest_one() -> None:
    error = refusal("forward", arm="SimpelArm")
    assert error.field == "arm"
    assert "SimpleArm" in str(error)


def test_a_tripod_whose_legs_do_not_meet_is_refused() -> None:
    error = refusal("forward", arm="TripodArm", q=[0.45, 1.05, 0.45])
    assert error.field == "q"
    assert "meet" in str(error)


# -- race ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ARMS)
def test_every_method_that_says_so_is_at_the_target(name: str) -> None:
    arm = design_robot(getattr(manipulators, name)(), None).arm
    target = arm.forward(arm.home_configuration)[:3, 3] + [-0.03, 0.05, -0.04]
    answer = ask("race", arm=name, target=target.tolist())
    entries = {entry["method"]: entry for entry in answer["entries"]}
    assert list(entries) == ["closed", "down", "jac", "lm"]
    assert sum(entry.get("ok", False) for entry in entries.values()) >= 3
    for entry in entries.values():
        if not entry["has_method"]:
            continue
        p = arm.forward(entry["q"])[:3, 3]
        assert_allclose(np.linalg.norm(p - target), entry["error"], atol=1e-9)
        assert entry["ok"] == (entry["error"] <= 1e-4)
        tool = entry["poses"][arm.link_names.index(arm.tool)]
        assert_allclose(tool[:3], p, atol=1e-8)
        assert entry["time_us"] > 0.0


def test_a_way_only_gets_nearer_and_ends_at_the_error() -> None:
    answer = ask("race", arm="SixAxisArm", target=[0.3, 0.2, 0.3])
    for entry in answer["entries"]:
        tries, residuals, *mount = np.array(entry["path"]).T
        distances = np.linalg.norm(np.array(mount).T - [0.3, 0.2, 0.3], axis=1)
        assert_allclose(distances, residuals, atol=1e-8)
        assert (np.diff(tries) > 0).all()
        assert (np.diff(residuals) < 0).all()
        assert_allclose(residuals[-1], entry["error"], rtol=1e-3, atol=1e-9)
    lm, jac = answer["entries"][3], answer["entries"][2]
    assert lm["iterations"] < jac["iterations"]
    assert_allclose(jac["path"][0][1], answer["start"]["residual"])
    assert_allclose(lm["path"][0][1], answer["start"]["residual"])


def test_a_pose_can_be_given_as_matrix_or_with_a_quaternion() -> None:
    arm = design_robot(manipulators.SixAxisArm(), None).arm
    T = arm.forward(arm.home_configuration + 0.1)
    forms = [
        T.tolist(),
        ask("forward", arm="SixAxisArm", q=(arm.home_configuration + 0.1).tolist())[
            "tool"
        ],
    ]
    for form in forms:
        answer = ask("race", arm="SixAxisArm", target=form)
        assert answer["task"] == "pose"
        lm = answer["entries"][3]
        assert lm["ok"]
        assert_allclose(arm.forward(lm["q"]), T, atol=1e-5)


def test_a_target_beyond_the_arm_is_reached_by_nobody() -> None:
    answer = ask("race", arm="SimpleArm", target=[2.0, 0.0, 0.2])
    assert not any(entry["ok"] for entry in answer["entries"])
    assert answer["entries"][3]["status"] == "out of reach"
    for entry in answer["entries"]:
        assert entry["error"] > 1.0


def test_a_method_is_stopped_in_time_with_what_it_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(race, "MAX_SECONDS", 0.0)
    answer = ask("race", arm="ScaraArm", target=[2.0, 0.0, 0.2])
    for entry in answer["entries"][1:3]:
        assert entry["status"] == "stopped"
        assert entry["iterations"] is None
        assert entry["tries"] == 1
        assert entry["q"] == answer["start"]["q"]


@pytest.mark.parametrize(
    "target",
    [None, [], [1.0], [0.1, 0.2, "x"], [0.1, 0.2, 1e9], "here", [[1.0] * 4] * 4,
     [0.3, 0.0, 0.3, 0.0, 0.0, 0.0, 0.0]],
)  # fmt: skip
def test_a_target_that_is_none_is_refused(target: Any) -> None:
    assert refusal("race", arm="SimpleArm", target=target).field == "target"


def test_an_own_arm_can_race() -> None:
    answer = ask("race", rows=PLAIN_ARM, target=[0.3, 0.1, 0.45])
    assert len(answer["entries"]) == 4
    error = refusal("race", rows=PLAIN_ARM, arm="SimpleArm", target=[0.3, 0.1, 0.4])
    assert error.field == "rows"


def test_answers_are_the_same_from_several_threads() -> None:
    def poses(_: int) -> Any:
        entries = ask("race", arm="ScaraArm", target=[0.3, 0.1, 0.3])["entries"]
        return entries[0]["poses"], entries[3]["poses"]  # those that nothing stops

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(poses, range(8)))
    assert all(answer == answers[0] for answer in answers)


# -- assemble --------------------------------------------------------------------------


@pytest.mark.parametrize("name", ARMS)
def test_the_rows_of_an_arm_build_this_arm_and_so_does_their_source(name: str) -> None:
    arm = design_robot(getattr(manipulators, name)(), None).arm
    answer = ask("assemble", rows=ask("rows", arm=name)["rows"], name="Copy")
    assert answer["ok"], answer["problems"]
    space: dict[str, Any] = {}
    exec(answer["source"], space)
    written = design_robot(space["Copy"](), None).arm
    assert written.joint_names == arm.joint_names
    assert_allclose(written.limits, arm.limits, atol=1e-9)
    assert_allclose(written.mass.sum(), arm.mass.sum())
    q = arm.home_configuration + 0.02
    poses = dict(
        zip((b["name"] for b in answer["bodies"]), answer["poses"], strict=True)
    )
    for frame in arm.link_names:
        home = arm.forward(arm.home_configuration, frame=frame)
        assert_allclose(pose_of(poses[frame]), home, atol=1e-7)
        T = arm.forward(q, frame=frame)
        assert_allclose(written.forward(q, frame=frame), T, atol=1e-7)


def test_a_plain_arm_stretches_as_far_as_its_segments() -> None:
    answer = ask("assemble", rows=PLAIN_ARM)
    assert answer["ok"]
    assert [joint["name"] for joint in answer["joints"]] == ["waist", "shoulder"]
    mount = [body["name"] for body in answer["bodies"]].index("mount")
    assert_allclose(answer["poses"][mount][:3], [0.4, 0.0, 0.3], atol=1e-9)
    assert_allclose(answer["reach"], 0.7)


@pytest.mark.parametrize(
    ("row", "fields", "field"),
    [
        (0, {"part": "servoo"}, "part"),
        (0, {"part": None}, "part"),
        (0, {"name": "3rd"}, "name"),
        (0, {"name": "class"}, "name"),
        (2, {"name": "waist"}, "name"),
        (0, {"limits": [1.0, -1.0]}, "limits"),
        (0, {"limits": [1.0]}, "limits"),
        (0, {"home": 3.0}, "limits"),
        (0, {"axis": "zz"}, "axis"),
        (0, {"length": 0.3}, "length"),
        (0, {"parent": "nowhere"}, "parent"),
        (3, {"length": -0.1}, "length"),
        (3, {"length": "long"}, "length"),
        (3, {"to": [0.1, 0.1, 0.1]}, "length"),
        (3, {"radius": -1.0}, "radius"),
        (3, {"at": [0.1, 0.0, 0.0]}, "at"),
        (3, {"turn": [0.1, 0.0]}, "turn"),
        (3, {"mass": float("inf")}, "mass"),
        (3, {"collor": 1}, "collor"),
    ],
)
def test_a_wrong_cell_is_told_with_its_row_and_the_rest_is_still_shown(
    row: int, fields: dict[str, Any], field: str
) -> None:
    answer = SERVICES["armbot.assemble"]({"rows": with_row(row, **fields)})
    json.dumps(answer, allow_nan=False)
    assert not answer["ok"]
    assert answer["source"] == ""
    problem = answer["problems"][0]
    assert (problem["row"], problem["field"]) == (row, field)
    assert answer["waiting"] == list(range(row + 1, 5))
    assert bool(answer["bodies"]) == (row > 0)


def test_an_unfinished_arm_is_shown_and_says_what_is_missing() -> None:
    answer = ask("assemble", rows=PLAIN_ARM[:3])
    assert [problem["row"] for problem in answer["problems"]] == [2]
    assert "gripper mount" in answer["problems"][0]["text"]
    assert len(answer["joints"]) == 2


def test_a_passive_joint_outside_of_a_closed_chain_is_refused_at_its_row() -> None:
    rows = [*PLAIN_ARM[:4], {"part": "axisrot", "name": "hinge"}, PLAIN_ARM[4]]
    answer = ask("assemble", rows=rows)
    assert [problem["row"] for problem in answer["problems"]] == [4]
    assert "closed chain" in answer["problems"][0]["text"]


def test_a_second_mount_and_a_second_child_are_refused_at_their_rows() -> None:
    second = {"part": "gripper_mount", "name": "other", "parent": "body"}
    answer = ask("assemble", rows=[*PLAIN_ARM, second])
    assert [problem["row"] for problem in answer["problems"]] == [5]
    twice = {"part": "segment", "length": 0.1, "parent": "column"}
    answer = ask("assemble", rows=[*PLAIN_ARM, twice])
    assert [problem["row"] for problem in answer["problems"]] == [5]
    assert "t-connector" in answer["problems"][0]["text"]


def test_a_chain_waits_for_an_end_that_is_wrong() -> None:
    rows = ask("rows", arm="TripodArm")["rows"]
    wrong = next(i for i, row in enumerate(rows) if row["name"] == "leg_2")
    rows[wrong]["limits"] = [2.0, 1.0]
    answer = ask("assemble", rows=rows)
    assert [problem["row"] for problem in answer["problems"]] == [wrong]
    union = next(i for i, row in enumerate(rows) if row["part"] == "closed_chain")
    assert {wrong + 1, union, union + 1} <= set(answer["waiting"])


@pytest.mark.parametrize("rows", [None, [], {}, [{}] * 201])
def test_what_is_no_table_is_refused(rows: Any) -> None:
    assert refusal("assemble", rows=rows).field == "rows"


def test_a_class_name_must_be_one() -> None:
    assert refusal("assemble", rows=PLAIN_ARM, name="My Arm").field == "name"
    assert refusal("assemble", rows=PLAIN_ARM, name="x\ny").field == "name"


_JUNK = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5),
    st.lists(st.one_of(st.floats(-1, 1), st.text(max_size=3)), max_size=4),
)  # fmt: skip
_ROWS = st.lists(
    st.one_of(
        _JUNK,
        st.fixed_dictionaries(
            {"part": st.sampled_from([*PARTS, "closed_chain"])},
            optional={
                "name": st.sampled_from(["a", "b", "c", "d"]),
                "parent": st.sampled_from(["body", "a", "b", "c"]),
                "length": st.one_of(st.floats(0.1, 0.5), _JUNK),
                "limits": st.one_of(st.just([-1.0, 1.0]), _JUNK),
                "home": st.one_of(st.floats(-1.0, 1.0), st.just([0.1, 0.2])),
                "turn": st.one_of(st.just([0.0, 1.0, 0.0]), _JUNK),
                "ends": st.one_of(st.just(["a", "b"]), st.just(["b", "c", "d"]), _JUNK),
                "branch": _JUNK,
            },
        ),
        st.sampled_from(PLAIN_ARM),
    ),
    min_size=1,
    max_size=9,
)


@given(_ROWS)
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_table_gets_an_answer(rows: list[Any]) -> None:
    answer = SERVICES["armbot.assemble"]({"rows": rows})
    json.dumps(answer, allow_nan=False)
    assert answer["ok"] == (not answer["problems"])
    for problem in answer["problems"]:
        assert problem["row"] is None or 0 <= problem["row"] < len(rows)
        assert problem["text"]
    if answer["ok"]:
        exec(answer["source"], {})
        SERVICES["armbot.forward"]({"rows": rows})
