"""How exact is a bounce? Our world beside plain MuJoCo and PyBullet."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.areas import _world_bullet, _world_ours, _world_plain
from benchmarks.areas._world_cases import (
    PAIRINGS,
    RESTITUTIONS,
    Case,
    Flight,
    Pairing,
    cases,
)
from benchmarks.harness import Row, Settings
from benchmarks.peers import find_peer, missing_note

ERROR, ERROR_TORQUE, DEPTH = 0.1, 1.0, 0.5  # targets [%], [%], [mm]
QUICK = RESTITUTIONS[::4]

Run = Callable[[Case], Flight]


def restitution_grid(settings: Settings) -> Iterator[Row]:
    """Measure worst errors of e and depths over the grid, one row per pairing."""
    bullet = find_peer("pybullet")
    depths: dict[str, float] = {}
    for pairing in PAIRINGS:
        worst = _worst(settings, pairing, bullet)
        errors = {name: error for name, (error, _) in worst.items()}
        for name, (_, depth) in worst.items():
            depths[name] = max(depths.get(name, 0.0), depth)
        yield Row(
            name=f"restitution_error_{pairing}",
            value=errors.pop("gelenk"),
            unit="%",
            target=ERROR_TORQUE if pairing == "torque_bat" else ERROR,
            peers=errors,
            note=_note(settings, pairing, bullet),
        )
    ours = depths.pop("gelenk")
    yield Row(
        name="restitution_depth",
        value=ours,
        unit="mm",
        target=DEPTH,
        peers=depths,
        note="deepest overlap after any tick of the whole grid",
    )


def _worst(
    settings: Settings, pairing: Pairing, bullet: Any
) -> dict[str, tuple[float, float]]:
    """Return worst error [%] and depth [mm] of each engine.

    Plain MuJoCo gets the better of its two ways, pairing by pairing.
    """
    chosen = QUICK if settings.quick else RESTITUTIONS
    grid = list(cases(settings.rng(), pairing, restitutions=chosen))
    found = {"gelenk": _judge(grid, _world_ours.run_case)}
    ways = [
        _judge(grid, lambda case, way=way: _world_plain.run_case(case, way))
        for way in _world_plain.WAYS
    ]
    found["mujoco"] = min(ways)
    if bullet is not None:
        found["pybullet"] = _judge(
            grid, lambda case: _world_bullet.run_case(bullet, case)
        )
    return found


def _judge(grid: list[Case], run: Run) -> tuple[float, float]:
    error = depth = 0.0
    for case in grid:
        flight = run(case)
        error = max(error, case.error(flight))
        depth = max(depth, 1e3 * case.depth(flight))
    return error, depth


def _note(settings: Settings, pairing: Pairing, bullet: Any) -> str:
    count = len(QUICK if settings.quick else RESTITUTIONS)
    grid = (
        f"worst relative error of e over {count} values x 4 steps (0.5-4 ms) x 3 "
        "speeds (0.5-15 m/s), random phase, no friction"
    )
    peers = (
        "MuJoCo: the better of a calibrated spring and a one-step damper (direct "
        "solref); PyBullet: 200 iterations, speculative contacts off"
    )
    words = [grid, peers]
    if pairing == "torque_bat":
        words.append("the servo runs at its no-load speed and yields by its inertia")
    if bullet is None:
        words.append(missing_note("PyBullet"))
    return "; ".join(words)
