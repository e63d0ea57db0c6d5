"""Parts benchmark: random assemblies turned into kinematics and dynamics.

Usage:
    python benchmarks/bench_assemblies.py [--count 10000] [--seed 0]
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from gelenk.testing.assemblies import random_assembly

TARGET_SECONDS = 10.0  # for 10,000 assemblies on one core
STEPS = ("describe", "build RobotModel", "compile")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()

    rng = np.random.default_rng(args.seed)
    marks = np.empty((args.count, 4))  # [s], processor time between the steps
    num_joints = num_closed = 0
    start = time.perf_counter()
    for k in range(args.count):
        marks[k, 0] = time.process_time()
        robot = random_assembly(rng)
        marks[k, 1] = time.process_time()
        model = robot.build("robot")
        marks[k, 2] = time.process_time()
        num_joints += model.compiled.num_coords
        marks[k, 3] = time.process_time()
        num_closed += bool(model.loops)
    wall = time.perf_counter() - start

    seconds = np.diff(marks, axis=1).sum(axis=0)
    print(f"{args.count} robots, {num_joints} joints, {num_closed} closed chains")
    for step, value in zip(STEPS, seconds, strict=True):
        print(f"{step:<18}{value:7.2f} s")
    per_target = seconds[1:].sum() * 10_000 / args.count
    print(f"10,000 built and compiled in {per_target:.1f} s of one processor,")
    print(f"target {TARGET_SECONDS:.0f} s; all of it took {wall:.1f} s on the clock")


if __name__ == "__main__":
    main()
