"""`gelenk doctor` finds what is wrong and names the command that mends it."""

import importlib.metadata

import pytest
from packaging.specifiers import SpecifierSet

from gelenk.cli import doctor as module
from gelenk.cli import exit_codes
from gelenk.cli.doctor import satisfies


@pytest.fixture
def no_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the look at the graphics library, which takes a process of its own."""
    fine = module.DoctorFinding(state="ok", subject="off-screen rendering", detail="")
    monkeypatch.setattr(module, "rendering", lambda: fine)


@pytest.mark.slow
def test_here_nothing_that_is_needed_is_broken(gelenk) -> None:
    outcome = gelenk("doctor", "--json")

    findings = {finding["subject"]: finding for finding in outcome.json()["findings"]}
    assert outcome.code == exit_codes.OK
    assert findings["numpy"]["detail"] == importlib.metadata.version("numpy")
    assert findings["kernel cache"]["state"] == "ok"
    assert findings["off-screen rendering"]["state"] == "ok"
    assert findings["page"]["state"] == "ok"


@pytest.mark.usefixtures("no_drawing")
def test_a_missing_dependency_is_broken_and_a_missing_extra_is_not(
    gelenk, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = ["numpy>=2.3,<2.6", "gelenk-absent-extra>=1; extra == 'bench'"]
    monkeypatch.setattr(importlib.metadata, "requires", lambda name: lines)

    outcome = gelenk("doctor")

    assert outcome.code == exit_codes.OK
    assert "pip install 'gelenk[bench]'" in outcome.out

    lines.append("gelenk-absent-core>=2,<3")
    outcome = gelenk("doctor")
    assert outcome.code == exit_codes.MISSED
    assert "pip install 'gelenk-absent-core>=2,<3'" in outcome.out


@pytest.mark.usefixtures("no_drawing")
def test_a_page_that_is_not_built_is_named_with_its_command(
    gelenk, monkeypatch: pytest.MonkeyPatch, tmp_path
) -> None:
    monkeypatch.setattr(importlib.metadata, "requires", lambda name: [])
    monkeypatch.setattr(module, "__file__", str(tmp_path / "cli" / "doctor.py"))

    outcome = gelenk("doctor")

    assert outcome.code == exit_codes.OK
    assert "mend: make client" in outcome.out


@pytest.mark.usefixtures("no_drawing")
def test_a_version_out_of_bounds_is_broken(
    gelenk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.metadata, "requires", lambda name: ["numpy<1"])

    outcome = gelenk("doctor")

    assert outcome.code == exit_codes.MISSED
    assert "but <1 is needed" in outcome.out


@pytest.mark.usefixtures("no_drawing")
def test_a_cache_that_cannot_be_written_is_broken(
    gelenk, monkeypatch: pytest.MonkeyPatch
) -> None:
    import tempfile

    def refuse(**_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)

    outcome = gelenk("doctor")

    assert outcome.code == exit_codes.MISSED
    assert "NUMBA_CACHE_DIR" in outcome.out


@pytest.mark.usefixtures("no_drawing")
def test_an_old_interpreter_is_broken(gelenk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MIN_PYTHON", (99, 0))

    outcome = gelenk("doctor")

    assert outcome.code == exit_codes.MISSED
    assert "install Python 99.0 or newer" in outcome.out


@pytest.mark.slow
def test_without_a_graphics_library_the_doctor_says_what_to_install(
    gelenk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MUJOCO_GL", raising=False)
    monkeypatch.setenv("__EGL_VENDOR_LIBRARY_DIRS", "/nonexistent")

    outcome = gelenk("doctor", "--json")

    findings = {finding["subject"]: finding for finding in outcome.json()["findings"]}
    drawing = findings["off-screen rendering"]
    assert outcome.code == exit_codes.OK  # only cameras need it
    assert drawing["state"] == "optional"
    assert "no OpenGL library" in drawing["detail"]
    assert "apt-get install -y libegl1" in drawing["remedy"]


@pytest.mark.slow
def test_a_graphics_test_that_dies_is_reported(
    gelenk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUJOCO_GL", "nonsense")

    drawing = module.rendering()

    assert drawing.state == "optional"
    assert "nonsense" in drawing.detail
    assert drawing.remedy.startswith("unset MUJOCO_GL")


@pytest.mark.parametrize(
    "version", ["0.9", "1.0", "1.2.3", "1.3", "1.10.0", "2", "2.0.1"]
)
@pytest.mark.parametrize(
    "bounds",
    [
        "",
        ">=1.2",
        "<2",
        ">=1.0,<1.3",
        "==1.2.*",
        "!=1.3",
        "~=1.2",
        "<=1.10",
        ">1.0",
        "==2",
    ],
)
def test_bounds_mean_what_pip_means(version: str, bounds: str) -> None:
    assert satisfies(version, bounds) == SpecifierSet(bounds).contains(version)
