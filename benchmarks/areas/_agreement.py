"""Whether our trees move as those of Pinocchio and MuJoCo do."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.harness import Row, Settings
from benchmarks.peers import find_peer, missing_note
from testkit.multibody import random_cases

TOLERANCE = 1e-10  # relative to max(1, magnitude)
TREES = 200


def agreement_on_random_trees(settings: Settings) -> Iterator[Row]:
    """Compare FK, Jacobian, RNEA, CRBA and ABA over random trees."""
    count = settings.pick(TREES, TREES // 5)
    cases = list(random_cases(settings.seed, count=count))
    for title, module in (("Pinocchio", "pinocchio"), ("MuJoCo", "mujoco")):
        name = f"tree_deviation_from_{module}"
        if find_peer(module) is None:
            yield Row(name=name, value=None, unit="1", note=missing_note(title))
            continue
        if module == "pinocchio":
            from testkit.pinocchio_model import compare_with_pinocchio as compare
        else:
            from testkit.mujoco_model import compare_with_mujoco as compare
        worst = compare(cases)
        details = ", ".join(f"{key} {value:.0e}" for key, value in worst.items())
        yield Row(
            name=name,
            value=max(worst.values()),
            unit="1",
            target=TOLERANCE,
            note=f"{count} random trees, half with a floating base: {details}",
        )
