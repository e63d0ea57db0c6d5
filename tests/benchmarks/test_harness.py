"""The harness finds areas, runs their figures, and survives missing peers."""

import subprocess
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from numpy.testing import assert_allclose

import gelenk
from benchmarks import machine, peers
from benchmarks.areas import _inverse, _speed
from benchmarks.harness import (
    Figure,
    Row,
    Settings,
    area_names,
    measure,
    run_area,
)
from gelenk.errors import NameNotFoundError
from testkit.random_models import random_configuration

QUICK = Settings(quick=True, seed=1)


def ignore(done: int, total: int, label: str) -> None:
    pass


def test_the_areas_are_found_by_name() -> None:
    assert "kinematics" in area_names()
    assert not any(name.startswith("_") for name in area_names())


def test_an_unknown_area_gets_the_closest_name() -> None:
    with pytest.raises(NameNotFoundError, match="Did you mean 'kinematics'"):
        run_area("kinematic", QUICK)


def test_figures_may_return_one_row_or_several_and_are_announced() -> None:
    steps: list[tuple[int, int, str]] = []

    def one_row(settings: Settings) -> Row:
        return Row(name="one", value=1.0, unit="s")

    def two_rows(settings: Settings) -> list[Row]:
        return [Row(name=f"two {settings.seed}", value=2.0, unit="s"), one("three")]

    def one(name: str) -> Row:
        return Row(name=name, value=3.0, unit="s")

    result = measure(
        "area", (one_row, two_rows), QUICK, on_step=lambda *step: steps.append(step)
    )

    assert [row.name for row in result.rows] == ["one", "two 1", "three"]
    assert steps == [(0, 2, "one row"), (1, 2, "two rows")]
    assert {"cpu", "cores", "system", "python", "packages"} <= set(result.machine)


def test_two_rows_of_one_name_are_refused() -> None:
    def figure(settings: Settings) -> Row:
        return Row(name="same", value=1.0, unit="s")

    with pytest.raises(AssertionError, match="several rows named same"):
        measure("area", (figure, figure), QUICK, on_step=ignore)


def test_settings_choose_counts_and_draws() -> None:
    assert (Settings().pick(100, 5), QUICK.pick(100, 5)) == (100, 5)
    assert QUICK.rng().random() == Settings(seed=1).rng().random()
    assert QUICK.rng().random() != Settings(seed=2).rng().random()


@pytest.mark.parametrize(
    ("module", "figure"),
    [
        (_speed, _speed.speed_of_one_call),
        (_speed, _speed.speed_of_batches),
        (_inverse, _inverse.time_against_robotics_toolbox),
    ],
)
def test_a_missing_peer_leaves_rows_with_a_note_and_no_crash(
    monkeypatch: pytest.MonkeyPatch, module: ModuleType, figure: Figure
) -> None:
    monkeypatch.setattr(module, "find_peer", lambda name: None)

    result = measure("area", (figure,), QUICK, on_step=ignore)

    assert result.rows
    for row in result.rows:
        assert row.value is None
        assert row.peers == {}
        assert "pip install 'gelenk[bench]'" in row.note
    assert not result.ok


def test_a_peer_is_none_if_it_cannot_be_imported() -> None:
    assert peers.find_peer("gelenk_absent_peer") is None
    assert peers.find_peer("json") is not None


def test_pinocchio_is_asked_the_same_questions() -> None:
    """The competitors of the timed figures give the same answers."""
    pin = pytest.importorskip("pinocchio")
    model = gelenk.load(_speed.ARM)
    rng = QUICK.rng()
    q = random_configuration(rng, model)
    qd, u = rng.normal(size=(2, model.nv))
    theirs = _speed.PinocchioCalls(pin, model)

    T, J = theirs.pose_jacobian(q)
    assert_allclose(T, model.forward(q), rtol=0.0, atol=1e-12)
    assert_allclose(J, model.jacobian(q), rtol=0.0, atol=1e-12)
    assert_allclose(theirs.rnea(q, qd, u), model.inverse_dynamics(q, qd, u), atol=1e-10)
    assert_allclose(np.triu(theirs.crba(q)), np.triu(model.mass_matrix(q)), atol=1e-12)
    assert_allclose(theirs.aba(q, qd, u), model.forward_dynamics(q, qd, u), rtol=1e-8)


def git(folder: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=n", "-c", "user.email=e@example.org")
    done = subprocess.run(
        ["git", *identity, *arguments], cwd=folder, capture_output=True, text=True
    )
    return done.stdout.strip()


def test_the_commit_of_a_changed_checkout_carries_a_plus(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "first")
    head = git(tmp_path, "rev-parse", "--short=12", "HEAD")
    monkeypatch.setattr(machine, "__file__", str(tmp_path / "benchmarks/machine.py"))

    assert machine.describe_commit() == head
    (tmp_path / "pyproject.toml").write_text("changed = 1")
    assert machine.describe_commit() == f"{head}+"


def test_an_installed_package_reports_its_version_instead_of_a_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gelenk import __version__

    monkeypatch.setattr(machine, "__file__", str(tmp_path / "benchmarks/machine.py"))

    assert machine.describe_commit() == __version__
