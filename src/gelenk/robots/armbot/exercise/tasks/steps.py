"""Exercise: inverse kinematics in short steps along the Jacobian (Roth 2021, 5.3)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from gelenk.robots.armbot.exercise.record import (
    Answer,
    Argument,
    Arguments,
    Case,
    Exercise,
    Function,
    Given,
    Mistake,
    Solution,
    Trial,
)
from gelenk.typing import FloatArray

Rng = np.random.Generator
STEP_SLACK = 1.5  # a step may be longer than alpha by this factor: the arm is curved
MAX_STEPS = 300
ALPHA, REACHED = 0.05, 1e-4  # [m]


def _miss(args: Arguments, q: FloatArray) -> float:
    return float(np.linalg.norm(args["position"](q) - args["p_target"]))


def _solve(
    position: Given,
    jacobian: Given,
    q_start: FloatArray,
    p_target: FloatArray,
    alpha: float,
    tolerance: float,
    max_steps: int,
) -> Any:
    """Return the joint values that steps of the pseudo-inverse reach, or None."""
    q = q_start.copy()
    for _ in range(max_steps):
        error = p_target - position(q)
        size = float(np.linalg.norm(error))
        if size <= tolerance:
            return q
        step = error * min(1.0, alpha / size)
        q = q + np.linalg.pinv(jacobian(q)) @ step
    return q if float(np.linalg.norm(p_target - position(q))) <= tolerance else None


def _accept(args: Arguments, got: Solution) -> bool:
    assert got is not None
    return _miss(args, got) <= 1.01 * args["tolerance"]


def _draw(rng: Rng) -> list[Case]:
    cases: list[Case] = []
    while len(cases) < 10:
        lengths = tuple(rng.uniform(0.25, 0.5, 3).round(3).tolist())
        start = rng.uniform((-2.0, 0.4, 0.4), (2.0, 1.2, 1.2))
        args = _args(lengths, start, np.zeros(2))
        args["p_target"] = args["position"](start + rng.uniform(-0.7, 0.7, 3))
        # Long enough that steps are limited, far from singular on the whole way.
        if _miss(args, start) > 0.2 and _solve(**args) is not None:
            cases.append(Case(args=args))
    lengths, start = (0.4, 0.3, 0.3), np.array([0.3, 0.8, 0.6])
    at_target = _args(lengths, start, np.zeros(2))
    at_target["p_target"] = at_target["position"](start)
    cases.append(Case(args=at_target, tag="already there"))
    far = _args(lengths, start, np.array([1.3, 0.9]))
    cases.append(Case(args=far, tag="unreachable"))
    return cases


def _args(lengths: tuple[float, ...], start: FloatArray, target: FloatArray) -> dict:
    return {
        "position": Given("position", "planar", lengths),
        "jacobian": Given("jacobian", "planar", lengths),
        "q_start": start,
        "p_target": target,
        "alpha": ALPHA,
        "tolerance": REACHED,
        "max_steps": MAX_STEPS,
    }


def _path(trial: Trial) -> FloatArray:
    """Return the joint values that were visited and returned, without repetitions."""
    rows = [np.array(row) for row in trial.trace if len(row) == 3]
    if trial.answer is not None:
        rows.append(trial.answer)
    path = [q for i, q in enumerate(rows) if i == 0 or not np.allclose(q, rows[i - 1])]
    return np.array(path).reshape(-1, 3)


def _first_step_mistake(args: Arguments, path: FloatArray) -> str:
    """Return what the first step of the student was instead of the right one."""
    q, J = args["q_start"], args["jacobian"](args["q_start"])
    error = args["p_target"] - args["position"](q)
    size = float(np.linalg.norm(error))
    limited = error * min(1.0, args["alpha"] / size)
    inverse = np.linalg.pinv(J)
    step = path[1] - path[0]
    target = args["p_target"]
    known: tuple[tuple[str, FloatArray], ...] = (
        ("", inverse @ limited),
        ("difference-sign", -inverse @ limited),
        ("difference-sign", -inverse @ error),
        ("transpose-only", J.T @ limited),
        ("transpose-only", J.T @ error),
        ("step-not-limited", inverse @ error),
        ("target-not-difference", inverse @ target),
        (
            "target-not-difference",
            inverse @ (target * min(1.0, args["alpha"] / np.linalg.norm(target))),
        ),
        ("alpha-as-factor", inverse @ (args["alpha"] * error)),
    )
    for name, wanted in known:
        if np.allclose(step, wanted, rtol=1e-3, atol=1e-6):
            return name
    is_along = np.linalg.norm(np.cross(step, J.T @ error)) < 1e-6 * np.linalg.norm(step)
    return "transpose-only" if is_along else "unknown"


def _review(trials: Sequence[Trial]) -> list[str]:
    """Say from the path of the search what is wrong with it."""
    ordinary = [t for t in trials if not t.case.tag]
    wrong = [t for t in ordinary if not t.is_right]
    if any("LinAlgError" in t.failure and "square" in t.failure for t in wrong):
        return ["not-square"]
    long_ones = [t for t in ordinary if len(_path(t)) > 1]
    if not long_ones:
        return []
    names = {_first_step_mistake(t.case.args, _path(t)) for t in long_ones}
    if len(names) == 1 and names.isdisjoint({"", "unknown"}):
        return sorted(names)
    if any(
        max(_step_lengths(t.case.args, _path(t))) > STEP_SLACK * ALPHA
        for t in long_ones
    ):
        return ["step-not-limited"]
    if not wrong:
        return []
    return _ending_mistake(wrong)


def _ending_mistake(wrong: Sequence[Trial]) -> list[str]:
    """Return why a search that begins well does not end well."""
    for trial in wrong:
        path, args = _path(trial), trial.case.args
        if len(path) < 2:
            continue
        misses = [_miss(args, q) for q in path]
        is_near = min(misses) < ALPHA and len(path) > 30 and misses[-1] > REACHED
        last_steps = _step_lengths(args, path)[-6:-1]
        if is_near and np.allclose(last_steps, ALPHA, rtol=1e-3):
            return ["always-alpha"]
        if trial.answer is None:
            continue
        if np.allclose(trial.answer, args["q_start"], atol=1e-9):
            return ["returns-start"]
        if np.allclose(trial.answer, path[min(1, len(path) - 1)]) and len(path) <= 2:
            return ["one-step"]
        if REACHED < _miss(args, trial.answer) <= 2.0 * ALPHA:
            return ["stops-early"]
    return []


def _step_lengths(args: Arguments, path: FloatArray) -> list[float]:
    """Return how far each step was to move the end [m], along the Jacobian."""
    jacobian = args["jacobian"]
    return [
        float(np.linalg.norm(jacobian(q) @ (following - q)))
        for q, following in pairwise(path)
    ]


JACOBIAN_IK = Exercise(
    name="jacobian-ik",
    title="Inverse kinematics in steps along the Jacobian that must converge.",
    task="An arm with three hinges in the plane is given by `position(q)` (x, y) and "
    "`jacobian(q)`, 2 x 3.\nStart at q_start and repeat: find the difference from the "
    "present position to the target; finish if\nit is not longer than `tolerance`; "
    "shorten it to the length `alpha` IF IT IS LONGER; add J+ times it to q\n(J+ is "
    "the right pseudo-inverse). After `max_steps` steps without success return None.",
    functions=(
        Function(
            name="solve",
            text="Return joint angles that reach the target, or None.",
            arguments=(
                Argument(name="position", text="function of q that returns (x, y)"),
                Argument(name="jacobian", text="function of q that returns 2 x 3"),
                Argument(name="q_start", text="joint angles at the start", unit="rad"),
                Argument(name="p_target", text="target (x, y)", unit="m"),
                Argument(name="alpha", text="longest step", unit="m"),
                Argument(name="tolerance", text="error that is small enough", unit="m"),
                Argument(name="max_steps", text="steps before giving up", unit="1"),
            ),
            answer=Answer(
                text="joint angles (q1, q2, q3), or None",
                shape=(3,),
                unit="rad",
                parts=("q1", "q2", "q3"),
                may_be_none=True,
            ),
            solve=_solve,
            draw=_draw,
            accept=_accept,
            has_generic_mistakes=False,
            reached=lambda args, q: args["position"](q),
            review=_review,
            mistakes=(
                Mistake(
                    name="always-alpha",
                    cause="every step has exactly the length alpha, so near the target "
                    "it jumps over it again and again; alpha only LIMITS the step "
                    "(`if length > alpha`)",
                    look="the line that scales the difference",
                ),
                Mistake(
                    name="step-not-limited",
                    cause="the step is not limited to alpha: the first one is longer, "
                    "and the linear approximation does not hold that far",
                    look="the line that scales the difference",
                ),
                Mistake(
                    name="difference-sign",
                    cause="the arm runs away from the target: the difference must be "
                    "target minus present position",
                    look="the line that computes the difference",
                ),
                Mistake(
                    name="transpose-only",
                    cause="J.T is used in place of the pseudo-inverse "
                    "J.T (J J.T)^-1: its steps have the wrong length",
                    look="the line that computes the step of q",
                ),
                Mistake(
                    name="target-not-difference",
                    cause="the step is computed from the target itself, not from the "
                    "difference to the present position",
                    look="the line that computes the step of q",
                ),
                Mistake(
                    name="alpha-as-factor",
                    cause="the difference is multiplied by alpha; alpha is the longest "
                    "length of a step, not a factor",
                    look="the line that scales the difference",
                ),
                Mistake(
                    name="not-square",
                    cause="a 2 x 3 Jacobian has no inverse: three joints move two "
                    "coordinates; use the right pseudo-inverse J.T (J J.T)^-1",
                    look="`np.linalg.inv` or `np.linalg.solve`",
                ),
                Mistake(
                    name="one-step",
                    cause="only one step is made; the search must repeat until the "
                    "target is reached",
                    look="where `return` stands: inside the loop?",
                ),
                Mistake(
                    name="returns-start",
                    cause="the joint angles of the start are returned",
                    look="which variable the loop changes and which is returned",
                ),
                Mistake(
                    name="stops-early",
                    cause="the search stops before the error is below `tolerance`",
                    look="the test that ends the loop",
                ),
            ),
            specials={
                "unreachable": Mistake(
                    name="no-failure-reported",
                    cause="for a target out of reach it must give up after `max_steps` "
                    "steps and return None",
                    look="the end of the loop",
                ),
                "already there": Mistake(
                    name="already-there",
                    cause="it fails if the start is the target: the difference is zero "
                    "and cannot be scaled; test whether it is small enough first",
                    look="the order of test and division",
                ),
            },
        ),
    ),
)
