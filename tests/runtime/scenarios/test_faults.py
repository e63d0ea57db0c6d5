"""Every kind of fault, in a running stand: felt, recorded, reported, survived."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gelenk.errors import ConfigError
from gelenk.runtime.recorder import Recorder
from gelenk.runtime.recording import RecordedMessage, open_recording
from gelenk.runtime.scenario import run_scenario
from gelenk.runtime.scenarios import faults as faults_module
from gelenk.runtime.scenarios.fault_evidence import (
    CHECKS,
    Evidence,
    find_problems,
)
from gelenk.runtime.scenarios.faults import FaultsCfg
from gelenk.runtime.verification import verify_recording
from gelenk.sim.faults import FAULT_KINDS, FaultKind

SECONDS = FaultsCfg().seconds


@pytest.mark.slow
@pytest.mark.parametrize("kind", FAULT_KINDS)
def test_a_fault_is_felt_recorded_and_survived(kind: FaultKind, tmp_path: Path) -> None:
    path = tmp_path / "run.mcap"
    with Recorder(path, {"scenario": "faults"}) as recorder:
        outcome = run_scenario("faults", {"kind": kind}, 7, recorder)

    assert outcome.ok, outcome.reason
    with open_recording(path) as recording:
        told = [m.value for m in recording.messages("faults")]
    assert [t["phase"] for t in told if t["phase"] != "hit"] == ["start", "end"]
    assert {t["kind"] for t in told} == {kind}


@pytest.fixture(scope="module")
def quiet() -> Evidence:
    """Return a stand to which nothing happens after 0.2 s of a harmless fault."""
    from tempfile import TemporaryDirectory

    config = FaultsCfg(kind="message_doubled")
    fault = faults_module._draw(config, 3)
    with TemporaryDirectory() as folder:
        return faults_module._try(config, fault, 3, None, Path(folder) / "run.mcap")


@pytest.mark.slow
@pytest.mark.parametrize("kind", [k for k in FAULT_KINDS if k != "message_doubled"])
def test_a_fault_that_only_claims_to_strike_is_found_out(
    kind: FaultKind, quiet: Evidence
) -> None:
    """The arm sways on, whatever the recording says about a fault."""
    amount = 0.1 if kind.startswith("sensor") else 0.08
    claimed = replace(quiet.fault, kind=kind, amount=amount)
    pretended = replace(quiet, fault=claimed)

    assert list(CHECKS[kind](pretended))


@pytest.mark.slow
def test_what_is_missing_in_the_recording_is_missed(quiet: Evidence) -> None:
    def problems(**changes: object) -> str:
        return "; ".join(find_problems(replace(quiet, **changes), SECONDS))

    assert problems() == ""
    starts = [e for e in quiet.events if e.value["phase"] == "start"]
    hits = [e for e in quiet.events if e.value["phase"] == "hit"]
    assert "the recording says [('start'" in problems(events=[*starts, *hits])
    assert "late" in problems(events=hits)
    bark = RecordedMessage("runtime/watchdogs", 0, 0, 0, {})
    assert "barked 1 times instead of 0" in problems(barks=[bark])
    assert "ended at 0.49 s" in problems(
        **{
            name: getattr(quiet, name)[:50]
            for name in ("time", "q", "qd", "reading", "reading_time", "current")
        }
    )
    assert "rad off in the end" in problems(q=quiet.q + 0.5)
    ended = [c for c in quiet.changes if c.value["reason"] != "the run was closed"]
    assert "did not run in the end" in problems(changes=ended)


@pytest.mark.slow
def test_a_recorded_fault_repeats_byte_by_byte(tmp_path: Path) -> None:
    path = tmp_path / "run.mcap"
    facts = {"scenario": "faults", "config": {"kind": "power_gone"}, "seed": 4}
    with Recorder(path, facts) as recorder:
        run_scenario("faults", facts["config"], 4, recorder)

    with open_recording(path) as recording:
        found = verify_recording(recording)

    assert found.is_equal, found.difference
    assert found.num_compared > 300


def test_any_draws_every_kind_and_whole_ticks() -> None:
    drawn = [faults_module._draw(FaultsCfg(), seed) for seed in range(200)]

    assert {fault.kind for fault in drawn} == set(FAULT_KINDS)
    ticks = np.array([(f.start, f.duration) for f in drawn]) / FaultsCfg().step
    np.testing.assert_allclose(ticks, np.rint(ticks), atol=1e-9)


def test_the_kinds_of_the_scenario_are_those_of_the_world() -> None:
    assert set(CHECKS) == set(FAULT_KINDS) == set(faults_module._TARGETS)
    for kind in FAULT_KINDS:
        assert FaultsCfg(kind=kind).kind == kind
    with pytest.raises(ConfigError, match="arm can recover"):
        FaultsCfg(seconds=1.0)
