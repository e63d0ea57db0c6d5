"""`gelenk run SCENARIO`: figures, exit codes, recordings, pace, the live line."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

import light_scenarios
from gelenk.cli import exit_codes
from gelenk.runtime.recording import open_recording
from gelenk.runtime.scenario import list_scenarios, run_scenario
from terminal import run_on_terminal

FILE = str(Path(light_scenarios.__file__))
THROW = f"{FILE}:throw"
BILLIARDS = ("run", "billiards", "--set", "count=3", "--seconds", "0.2")


def test_the_json_has_the_figures_of_the_scenario(gelenk) -> None:
    outcome = gelenk(*BILLIARDS, "--seed", "5", "--json")

    result = outcome.json()
    expected = run_scenario("billiards", {"count": 3, "seconds": 0.2}, 5)
    assert outcome.code == exit_codes.OK
    assert outcome.err == ""
    values = {name: figure["value"] for name, figure in result["figures"].items()}
    assert values == expected.figures
    assert result["ok"] is True
    assert result["seed"] == 5
    assert result["simulated_time"] == pytest.approx(0.2)
    assert result["real_time_factor"] == pytest.approx(0.2 / result["wall_time"])
    assert result["config"]["count"]["origin"] == "option --set count=3"


def test_the_table_says_the_same_as_the_json(gelenk) -> None:
    table = gelenk(*BILLIARDS).out
    result = gelenk(*BILLIARDS, "--json").json()

    assert table.startswith("billiards, seed 0: ok\n0.20 s simulated in ")
    for name, figure in result["figures"].items():
        assert re.search(rf"^{name} +{figure['value']:.5g}", table, re.MULTILINE)


def test_a_missed_criterion_ends_with_1_and_says_why(gelenk) -> None:
    arguments = ("run", THROW, "--set", "least=1000")

    outcome = gelenk(*arguments)

    assert outcome.code == exit_codes.MISSED
    assert "throw, seed 0: missed: " in outcome.out
    assert "m is not far enough" in outcome.out
    assert gelenk(*arguments, "--json").json()["ok"] is False


def test_a_recording_can_be_verified(gelenk, tmp_path: Path) -> None:
    path = tmp_path / "run.mcap"

    outcome = gelenk(*BILLIARDS, "--seed", "8", "--record", str(path))

    assert outcome.code == exit_codes.OK
    assert f"recorded: {path}" in outcome.out
    with open_recording(path) as recording:
        assert recording.metadata["seed"] == 8
        assert recording.metadata["config"]["count"] == 3
        assert recording.count("body/ball_2") == 21
    assert gelenk("replay", str(path), "--verify").code == exit_codes.OK


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "target", "count"),
    [("joint_limp", "boom/hinge", 1), ("message_lost", "heartbeat", 20)],
)
def test_the_recording_of_a_fault_tells_what_struck(
    gelenk, tmp_path: Path, kind: str, target: str, count: int
) -> None:
    path = tmp_path / "run.mcap"
    fault = ("start=[0.3,0.3]", "duration=[0.2,0.2]", f"kind={kind}")
    options = [word for text in fault for word in ("--set", text)]

    assert gelenk("run", "faults", *options, "--record", str(path)).code == 0

    (told,) = gelenk("replay", str(path), "--json").json()["faults"]
    assert told == {"kind": kind, "target": target, "count": count, "first": 0.3}


def test_the_list_names_every_scenario(gelenk) -> None:
    names = [scenario.name for scenario in list_scenarios()]

    subjects = gelenk("list", "scenario", "--json").json()["subjects"]
    assert [item["name"] for item in subjects] == names
    table = gelenk("list", "scenario").out
    assert all(name in table for name in names)


def test_a_scene_without_a_scenario_is_computed(gelenk) -> None:
    result = gelenk("run", "cameras", "--set", "seconds=0.05", "--json").json()

    assert result["ok"] is True
    assert result["scenario"] == "cameras"
    assert result["figures"]["control_ticks"]["value"] == 5.0
    assert result["simulated_time"] == pytest.approx(0.05)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ("bouncy",),
            "no scenario, scene or robot named 'bouncy'. Did you mean 'bounce'",
        ),
        (("panta",), "no scenario, scene or robot named 'panta'. Did you mean 'panda'"),
        (("bounce", "--seconds", "2"), "'bounce' has no such setting"),
        (("bounce", "--set", "heigth=1"), "height"),
        (("bounce", "--simtime", "0"), "`pace` must be above 0"),
        (("panda", "--set", "a=1"), "--set belongs to a scenario"),
        (("panda", "--record", "x.mcap"), "--record belongs to a scenario"),
        (("bounce", "--record", FILE), "exists already"),
        ((f"{FILE}:throe",), "Did you mean 'throw'"),
        (("missing.urdf",), "missing.urdf: no such file"),
    ],
)
def test_what_cannot_be_run_ends_with_2_and_a_remedy(gelenk, arguments, words) -> None:
    outcome = gelenk("run", *arguments)

    assert outcome.code == exit_codes.IMPOSSIBLE
    assert outcome.out == ""
    assert words in outcome.err


def test_a_scenario_of_ones_own_that_raises_is_not_called_our_defect(gelenk) -> None:
    trouble = ("run", f"{FILE}:trouble", "--set", "kind=raise", "--set", "every=1")

    outcome = gelenk(*trouble)

    assert outcome.code == exit_codes.MISSED
    assert "scenario 'trouble' raised ValueError: seed 0 is bad" in outcome.err
    assert "light_scenarios.py" in outcome.err
    assert "defect" not in outcome.err


def test_a_scenario_that_hides_its_time_cannot_be_paced_and_that_is_said(
    gelenk,
) -> None:
    outcome = gelenk("run", THROW, "--simtime", "1")

    assert outcome.code == exit_codes.OK
    assert "--simtime had no effect: throw keeps its time to itself" in outcome.err
    assert "simulated in" not in outcome.out


def test_paced_runs_take_at_least_their_time_and_change_no_figure(gelenk) -> None:
    fast = gelenk(*BILLIARDS, "--json").json()
    paced = gelenk(*BILLIARDS, "--simtime", "0.5", "--json").json()

    assert paced["figures"] == fast["figures"]
    # From the first look on: 0.19 s of simulated time at half speed.
    assert paced["wall_time"] > 0.37


@pytest.mark.slow
def test_on_a_terminal_a_line_tells_the_time_and_goes_away() -> None:
    command = [sys.executable, "-m", "gelenk.cli.main", *BILLIARDS, "--simtime", "0.5"]

    code, out, screen = run_on_terminal(command)
    quiet = run_on_terminal([*command, "--json"])

    assert code == exit_codes.OK
    assert re.search(r"billiards 0\.\d\d s, 0\.\d+x real time", screen)
    assert screen.rstrip().endswith("\x1b[2K")
    assert "\x1b" not in out
    assert quiet[2] == ""
