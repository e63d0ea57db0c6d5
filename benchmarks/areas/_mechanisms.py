"""Mechanisms with loops, and assemblies of parts."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

import gelenk
from benchmarks.harness import Row, Settings
from gelenk.kinematics.forward import tree_link_poses
from gelenk.kinematics.loops.close import follow_motion
from gelenk.models.tree import RobotModel
from gelenk.typing import FloatArray
from testkit.assemblies import random_assembly

GAP = 1e-10  # [m]
MECHANISMS = ("fourbar", "fivebar", "delta", "stewart", "jansen")
SWING = {"fivebar": 0.15, "delta": 0.3, "stewart": 0.1}  # [rad] or [m] around home
ASSEMBLIES = 10_000
ASSEMBLY_TIME = 10.0  # [s]


def motion_cycle(model: RobotModel, count: int) -> FloatArray:
    """Return a closed motion of the motors around home; a crank turns once."""
    t = np.linspace(0.0, 2.0 * np.pi, count)[:, None]
    home = model.home_configuration
    if model.nq == 1:
        return home + t
    phase = np.arange(model.nq)
    return home + SWING[model.name] * (np.sin(t + phase) - np.sin(phase))


def gaps_along_a_cycle(settings: Settings) -> Iterator[Row]:
    """Follow one motion cycle of each mechanism and measure its loops."""
    for name in MECHANISMS:
        model = gelenk.load(name)
        result = follow_motion(model, motion_cycle(model, settings.pick(1441, 361)))
        gap = _largest_gap(model, result.q_tree) if result.closed.all() else np.inf
        back = np.abs(np.sin(0.5 * (result.q_tree[-1] - result.q_tree[0]))).max()
        jump = np.abs(np.diff(result.q_tree, axis=0)).max()
        kept = back < 1e-9 and jump < 0.35
        yield Row(
            name=f"loop_gap_{name}",
            value=gap if kept else float("inf"),
            unit="m",
            target=GAP,
            note=f"one cycle, branch {'kept' if kept else 'LOST'}: all joints back "
            f"within {back:.0e}, largest step {jump:.2f}",
        )


def _largest_gap(model: RobotModel, q_tree: FloatArray) -> float:
    """Return the largest distance between points that should meet, from link poses."""
    T = tree_link_poses(model, q_tree)
    worst = 0.0
    for loop in model.loops:
        points = [
            (T[:, link] @ frame)[:, :3, 3]
            for link, frame in zip(loop.links, loop.T_link_frame, strict=True)
        ]
        for point in points[1:]:
            distance = np.linalg.norm(point - points[0], axis=1) - loop.length
            worst = max(worst, float(np.abs(distance).max()))
    return worst


def time_of_assemblies(settings: Settings) -> Row:
    """Build random assemblies of parts into models with their kernel arrays."""
    count = settings.pick(ASSEMBLIES, ASSEMBLIES // 20)
    rng = settings.rng()
    drawn = [random_assembly(rng) for _ in range(count)]
    start = time.perf_counter()
    for number, assembly in enumerate(drawn):
        _ = assembly.build(f"assembly_{number}").compiled
    seconds = (time.perf_counter() - start) * ASSEMBLIES / count
    return Row(
        name="assemblies_10000",
        value=seconds,
        unit="s",
        target=ASSEMBLY_TIME,
        note=f"{count} built, scaled to {ASSEMBLIES}; trees and closed chains",
    )
