"""Scenarios: found by name, module or file; run by seed."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import light_scenarios
from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.runtime.config import ConfigLayer, InvalidConfigError
from gelenk.runtime.scenario import (
    Outcome,
    get_scenario,
    list_scenarios,
    run_scenario,
    scenario,
)

FILE = Path(light_scenarios.__file__)


def test_a_seed_gives_the_same_outcome_and_another_seed_another_one() -> None:
    first = run_scenario("light_scenarios:throw", None, 7)

    assert run_scenario("light_scenarios:throw", None, 7) == first
    assert run_scenario("light_scenarios:throw", None, 8) != first


def test_module_and_file_lead_to_the_same_scenario() -> None:
    by_file = get_scenario(f"{FILE}:throw")

    assert get_scenario("light_scenarios:throw") is light_scenarios.throw
    assert by_file.reference == f"{FILE}:throw"
    assert light_scenarios.throw.reference == "light_scenarios:throw"
    assert by_file.source_digest == light_scenarios.throw.source_digest
    assert run_scenario(by_file, None, 3) == run_scenario(light_scenarios.throw, {}, 3)


def test_a_file_may_import_its_neighbours(tmp_path: Path) -> None:
    (tmp_path / "my_neighbour.py").write_text("LENGTH = 2.5\n")
    (tmp_path / "mine.py").write_text(
        "from my_neighbour import LENGTH\n"
        "from gelenk.runtime.scenario import Outcome, scenario\n"
        "@scenario('mine')\n"
        "def mine(config, seed, recorder):\n"
        "    return Outcome(ok=True, figures={'x': LENGTH})\n"
    )

    assert run_scenario(f"{tmp_path / 'mine.py'}:mine").figures == {"x": 2.5}


def test_partial_values_are_filled_up_and_unknown_ones_refused() -> None:
    far = run_scenario("light_scenarios:throw", {"speed": 20}, 1)

    assert far.figures["distance"] > 30.0
    with pytest.raises(InvalidConfigError, match="did you mean 'speed'"):
        run_scenario("light_scenarios:throw", {"sped": 20}, 1)


def test_layers_of_robot_and_scenario_lie_over_the_defaults() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Cfg:
        a: int = 0
        b: int = 0
        c: int = 0

    robot = ConfigLayer(origin="robot", values={"a": 1, "b": 1, "c": 1})
    own = ConfigLayer(origin="scenario", values={"b": 2, "c": 2})

    @scenario("sum", config=Cfg, layers=[robot, own])
    def total(config: Cfg, seed: int, recorder: object) -> Outcome:
        figures = {"a": config.a, "b": config.b, "c": config.c}
        return Outcome(ok=True, figures={k: float(v) for k, v in figures.items()})

    assert run_scenario(total, {"c": 3}).figures == {"a": 1.0, "b": 2.0, "c": 3.0}
    assert total.resolve().origins == {"a": "robot", "b": "scenario", "c": "scenario"}


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("light_scenarios:thro", NameNotFoundError, "Did you mean 'throw'"),
        ("light_scenarios:plain", ConfigError, "put @scenario"),
        ("no_such_module:x", ConfigError, "no module named 'no_such_module'"),
        ("/no/such/file.py:x", ConfigError, "there is no file"),
        ("no_such_scenario", NameNotFoundError, "no scenario or scene named"),
        ("no-robot/such scenario", NameNotFoundError, "no scenario or scene named"),
    ],
)
def test_a_wrong_name_says_what_is_wrong(name, error, message) -> None:
    with pytest.raises(error, match=message):
        get_scenario(name)


def test_a_file_with_a_mistake_is_named_and_can_be_mended(tmp_path: Path) -> None:
    path = tmp_path / "broken.py"
    path.write_text("1 / 0\n")
    with pytest.raises(ConfigError, match=r"broken\.py cannot be loaded: ZeroDivision"):
        get_scenario(f"{path}:x")

    path.write_text(FILE.read_text())

    assert get_scenario(f"{path}:throw").name == "throw"


def test_a_scenario_inside_a_function_cannot_be_sent_to_other_processes() -> None:
    @scenario("inner")
    def inner(config: object, seed: int, recorder: object) -> Outcome:
        return Outcome(ok=True)

    assert run_scenario(inner).ok
    with pytest.raises(ConfigError, match="move it to the top of its module"):
        _ = inner.reference


def test_a_scenario_of_a_script_is_found_by_its_file(tmp_path: Path) -> None:
    """The main module of another process is another one: the name would mislead."""
    script = tmp_path / "script.py"
    script.write_text(
        "from gelenk.runtime.campaign import run_campaign\n"
        "from gelenk.runtime.scenario import Outcome, scenario\n"
        "@scenario('mine')\n"
        "def mine(config, seed, recorder):\n"
        "    return Outcome(ok=True, figures={'seed': float(seed)})\n"
        "if __name__ == '__main__':\n"
        "    done = run_campaign(mine, seeds=[4, 2], workers=1)\n"
        "    print([trial.figures['seed'] for trial in done.trials])\n"
    )

    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, check=True
    )

    assert done.stdout == "[4.0, 2.0]\n"


def test_acceptance_is_a_share() -> None:
    with pytest.raises(ConfigError, match="from 0 to 1"):
        scenario("x", acceptance=95.0)


def test_every_scenario_that_ships_is_found_by_its_name() -> None:
    for found in list_scenarios():
        assert get_scenario(found.name) is found
        assert get_scenario(found.reference) is found
        assert found.address == found.name
        assert found.summary
        found.resolve()
