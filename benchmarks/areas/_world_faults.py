"""How many kinds of faults are felt, recorded, reported and survived?"""

from __future__ import annotations

from benchmarks.harness import Row, Settings
from gelenk.runtime.scenario import get_scenario
from gelenk.runtime.trial import LoadedJob, TrialTask, make_job
from gelenk.sim.faults import FAULT_KINDS


def fault_kinds(settings: Settings) -> Row:
    """Inject every kind of fault into a running stand and judge the recordings."""
    scenario = get_scenario("faults")
    repeats = settings.pick(3, 1)
    missed: dict[str, str] = {}
    for kind in FAULT_KINDS:
        job = LoadedJob(make_job(scenario, scenario.as_config({"kind": kind})))
        for repeat in range(repeats):
            trial = job.run(TrialTask(index=repeat, seed=settings.seed + repeat))
            if not trial.ok:
                missed[kind] = trial.reason
    handled = len(FAULT_KINDS) - len(missed)
    note = (
        f"{repeats} runs of `faults` each: effect measured, start and end in the "
        "recording, watchdog where heartbeats fail, all running again afterwards"
    )
    if missed:
        note = "; ".join(f"{kind}: {reason}" for kind, reason in missed.items())
    return Row(
        name="fault_kinds",
        value=float(handled),
        unit=f"of {len(FAULT_KINDS)}",
        target=float(len(FAULT_KINDS)),
        direction=">=",
        note=note,
    )
