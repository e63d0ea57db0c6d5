"""Campaigns: one scenario, many seeds, in numbers; and what breaks on the way."""

# --8<-- [start:imports]
import tempfile
from pathlib import Path

import numpy as np

from gelenk.errors import ConfigError
from gelenk.runtime import (
    get_scenario,
    open_recording,
    record_trials,
    run_campaign,
    run_scenario,
    verify_recording,
)
from gelenk.runtime.statistics import success_rate, summarize_all
from gelenk.sim.faults import random_faults

# --8<-- [end:imports]

# --8<-- [start:one]
print(get_scenario("bounce").summary)

values = {"restitution": [0.9, 0.9], "spin": 0.0}  # the rest keeps its default
outcome = run_scenario("bounce", values, seed=3)
print("ok:", outcome.ok, "| bounces:", round(outcome.figures["bounces"]))
# --8<-- [end:one]

# --8<-- [start:config]
try:
    run_scenario("bounce", {"restitutoin": [0.9, 0.9]})
except ConfigError as error:
    print(error)
# --8<-- [end:config]

# --8<-- [start:campaign]
place = Path(__file__).parents[1] / "30_runtime" / "shaky_arm.py"
shaky_arm = get_scenario(f"{place}:shaky_arm")
campaign = run_campaign(shaky_arm, trials=40, seed=1, workers=0)

rate = success_rate(campaign.trials)
low, high = rate.interval
print(f"{rate.successes} of {rate.count} ok, 95 % interval {low:.2f} to {high:.2f}")
for summary in summarize_all(shaky_arm, campaign.trials):
    print(f"{summary.name:12} median {summary.median:.3f}, worst {summary.worst:.3f}")
for trial in campaign.failed:
    print(f"seed {trial.seed}: {trial.reason[:60]} ...")
# --8<-- [end:campaign]

# --8<-- [start:replay]
seed = campaign.failed[0].seed
with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "failed.mcap"
    record_trials(shaky_arm, None, {seed: path})
    with open_recording(path) as recording:
        times, errors = recording.arrays("arm/error", "error")
        worst = np.abs(errors).max(axis=1)
        print(f"above 0.1 rad from {times[worst > 0.1][0]:.1f} s on")
        print("run again, the same bits:", verify_recording(recording).is_equal)
# --8<-- [end:replay]

# --8<-- [start:faults]
for fault in random_faults(
    np.random.default_rng(5),
    {"motor_dead": ["arm/elbow"], "message_delayed": ["arm/state"]},
    rate=0.5,  # per second
    until=10.0,
    mean_duration=1.0,
    amounts={"message_delayed": 0.05},
):
    print(f"{fault.start:5.2f} to {fault.end:5.2f} s: {fault.kind} {fault.target}")
# --8<-- [end:faults]
