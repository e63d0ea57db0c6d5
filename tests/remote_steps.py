"""Steps of controllers that the tests run in other processes."""

from __future__ import annotations

import os
import signal
import time

import numpy as np


def integrate(cfg: float, state: np.ndarray, q: float) -> tuple[np.ndarray, float]:
    """A state that depends on everything seen so far."""
    state = 0.9 * state + np.array([q, 1.0])
    return state, float(cfg * np.sin(state[0] + 0.1 * state[1]))


def report_pid(cfg, state, observation) -> tuple[int, int]:
    return state + 1, os.getpid()


def hang_at_five(cfg, state, observation) -> tuple[int, int]:
    while state == 5:
        time.sleep(0.001)
    return state + 1, state


def raise_at_five(cfg, state, observation) -> tuple[int, int]:
    if state == 5:
        raise ValueError("five is too much")
    return state + 1, state


def die_at_five(cfg, state, observation) -> tuple[int, int]:
    if state == 5:
        os.kill(os.getpid(), signal.SIGKILL)
    return state + 1, state
