"""`gelenk run ROBOT`: figures of a robot are what they claim."""

import numpy as np
import pytest

import gelenk as package
from gelenk.cli import exit_codes
from gelenk.cli.robot_study import plan_path


def test_the_figures_as_json_are_complete_and_met(gelenk) -> None:
    outcome = gelenk("run", "panda", "--seed", "3", "--json")

    result = outcome.json()
    assert outcome.code == exit_codes.OK
    assert result["ok"] is True
    assert result["seed"] == 3
    assert result["path"]["kind"] == "figure eight"
    assert result["path"]["converged"] == result["path"]["poses"] == 240
    assert result["path"]["max_position_error"] < 2e-6
    assert result["random_targets"]["solved"] == result["random_targets"]["count"]
    assert len(result["path"]["peak_effort"]) == 7
    assert all(micros > 0.0 for micros in result["times_us"].values())


def test_one_seed_one_result(gelenk) -> None:
    def figures(seed: str) -> object:
        result = gelenk("run", "scara", "--seed", seed, "--json").json()
        del result["times_us"]
        return result

    assert figures("5") == figures("5")
    assert figures("5") != figures("6")


def test_the_table_tells_path_targets_times_and_efforts(gelenk) -> None:
    outcome = gelenk("run", "ur5e")

    assert outcome.code == exit_codes.OK
    assert "figure eight of 240 poses: 240 met" in outcome.out
    assert "200 random targets: 200 solved" in outcome.out
    assert "inverse dynamics" in outcome.out
    assert "joint_1" in outcome.out


@pytest.mark.parametrize("name", ["panda", "ur5e", "scara", "planar2r", "rp"])
def test_a_path_is_closed_smooth_and_met(name: str) -> None:
    model = package.load(name)

    path = plan_path(model, 120)

    p = model.forward(path.q)[:, :3, 3]
    assert path.converged.all()
    np.testing.assert_allclose(p, path.T_base_tool[:, :3, 3], rtol=0.0, atol=2e-6)
    steps = np.linalg.norm(np.diff(p, axis=0, append=p[:1]), axis=1)
    assert steps.max() < 0.1
    assert p.max(axis=0).max() > p.min(axis=0).min()


def test_a_misspelt_name_is_told_with_the_closest(gelenk) -> None:
    outcome = gelenk("run", "pigy/play")

    assert outcome.code == exit_codes.IMPOSSIBLE
    assert "Did you mean 'piggy/play'?" in outcome.err
    assert "no such file" in gelenk("run", "robots/arm.urdf").err
