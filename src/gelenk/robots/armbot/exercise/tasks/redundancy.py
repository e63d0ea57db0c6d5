"""Exercise: the right pseudo-inverse of a redundant arm, and its null space."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gelenk.robots.armbot.exercise.record import (
    Answer,
    Argument,
    Case,
    Exercise,
    Function,
    Mistake,
    Trial,
)
from gelenk.typing import FloatArray

Rng = np.random.Generator
SIZE = 5  # joints
HUGE = 100.0  # entries of a pseudo-inverse that was made from a singular matrix


def _pinv(J: FloatArray) -> FloatArray:
    U, sigma, Vt = np.linalg.svd(J, full_matrices=False)
    return Vt.T @ np.diag(1.0 / sigma) @ U.T


def _velocity(J: FloatArray, v: FloatArray, qd_wish: FloatArray) -> FloatArray:
    inverse = _pinv(J)
    return inverse @ v + qd_wish - inverse @ (J @ qd_wish)


def _jacobian(rng: Rng) -> FloatArray:
    """Return a random 3 x 5 matrix with singular values from 0.3 to 1.5."""
    U = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    V = np.linalg.qr(rng.normal(size=(SIZE, SIZE)))[0]
    return U @ np.diag(rng.uniform(0.3, 1.5, 3)) @ V[:3]


def _draw_matrices(rng: Rng) -> list[Case]:
    return [Case(args={"J": _jacobian(rng)}) for _ in range(12)]


def _draw_velocities(rng: Rng) -> list[Case]:
    return [
        Case(
            args={
                "J": _jacobian(rng),
                "v": rng.normal(size=3),
                "qd_wish": rng.normal(size=SIZE),
            }
        )
        for _ in range(12)
    ]


def _review(trials: Sequence[Trial]) -> list[str]:
    """Notice the inverse of a singular matrix: errors or enormous numbers."""
    wrong = [t for t in trials if not t.is_right]
    broken = [
        t
        for t in wrong
        if "Singular" in t.failure
        or (t.answer is not None and float(np.abs(t.answer).max(initial=0.0)) > HUGE)
    ]
    return ["left-pseudo-inverse"] if broken and len(wrong) == len(trials) else []


_LEFT = Mistake(
    name="left-pseudo-inverse",
    cause="this is the left pseudo-inverse (J.T J)^-1 J.T: for an arm with more joints "
    "than coordinates J.T J is singular; the right one is J.T (J J.T)^-1",
    look="the product that is inverted: it must be 3 x 3",
)
_J = Argument(name="J", text="Jacobian, 3 x 5", unit="1")
PSEUDO_INVERSE = Exercise(
    name="pseudo-inverse",
    title="Joint velocities of a redundant arm: right pseudo-inverse and null space.",
    task="An arm with five joints moves a point in space: v = J qd with a 3 x 5 matrix "
    "J of full rank.\nThe right pseudo-inverse gives the shortest qd for a wanted v. A "
    "wish qd_wish can be met as far\nas it does not disturb v: "
    "qd = J+ v + (I - J+ J) qd_wish.",
    functions=(
        Function(
            name="pseudo_inverse",
            text="Return the right pseudo-inverse of J.",
            arguments=(_J,),
            answer=Answer(text="the 5 x 3 matrix J+", shape=(SIZE, 3)),
            solve=_pinv,
            draw=_draw_matrices,
            review=_review,
            mistakes=(
                _LEFT,
                Mistake(
                    name="transpose-only",
                    cause="this is J.T alone; the factor (J J.T)^-1 is missing",
                    look="the `return` line",
                    instead=lambda J: J.T,
                ),
                *(
                    Mistake(
                        name="damped",
                        cause="this is a damped pseudo-inverse (lambda^2 = "
                        "{damping:g}): "
                        "away from singularities it is not exact",
                        look="the term that is added to J @ J.T",
                        instead=lambda J, damping=damping: (
                            J.T @ np.linalg.inv(J @ J.T + damping * np.eye(3))
                        ),
                    )
                    for damping in (0.1, 0.01, 0.001, 1e-4)
                ),
                Mistake(
                    name="elementwise",
                    cause="`1 / J` inverts every entry by itself; a matrix is inverted "
                    "with `np.linalg.inv`",
                    look="the inverse",
                    instead=lambda J: 1.0 / J.T,
                ),
                Mistake(
                    name="not-inverted",
                    cause="J J.T is multiplied, but not inverted",
                    look="J.T @ np.linalg.inv(J @ J.T)",
                    instead=lambda J: J.T @ (J @ J.T),
                ),
            ),
        ),
        Function(
            name="joint_velocity",
            text="Return qd = J+ v + (I - J+ J) qd_wish.",
            arguments=(
                _J,
                Argument(name="v", text="wanted velocity of the point", unit="m/s"),
                Argument(name="qd_wish", text="wished joint velocities", unit="rad/s"),
            ),
            answer=Answer(text="joint velocities", shape=(SIZE,), unit="rad/s"),
            solve=_velocity,
            draw=_draw_velocities,
            review=_review,
            mistakes=(
                _LEFT,
                Mistake(
                    name="null-space-missing",
                    cause="the wish is ignored: the second term (I - J+ J) qd_wish is "
                    "missing",
                    look="the `return` line",
                    instead=lambda J, v, qd_wish: _pinv(J) @ v,
                ),
                Mistake(
                    name="not-projected",
                    cause="the wish is added as it is and spoils v; only its part in "
                    "the null space, (I - J+ J) qd_wish, moves the point not at all",
                    look="the projector",
                    instead=lambda J, v, qd_wish: _pinv(J) @ v + qd_wish,
                ),
                Mistake(
                    name="projector",
                    cause="the wish is projected with J+ J, the part that does move "
                    "the point; the null space has I - J+ J",
                    look="the projector",
                    instead=lambda J, v, qd_wish: _pinv(J) @ (v + J @ qd_wish),
                ),
                Mistake(
                    name="projector",
                    cause="the projected wish is subtracted, but must be added",
                    look="the signs in the `return` line",
                    instead=lambda J, v, qd_wish: _velocity(J, v, -qd_wish),
                ),
                Mistake(
                    name="projector",
                    cause="the projector is I - J.T J; it needs the pseudo-inverse, "
                    "I - J+ J",
                    look="the projector",
                    instead=lambda J, v, qd_wish: (
                        _pinv(J) @ v + qd_wish - J.T @ (J @ qd_wish)
                    ),
                ),
                Mistake(
                    name="transpose-only",
                    cause="J.T is used in place of the pseudo-inverse",
                    look="the first term",
                    instead=lambda J, v, qd_wish: (
                        J.T @ v + qd_wish - J.T @ (J @ qd_wish)
                    ),
                ),
                Mistake(
                    name="transpose-only",
                    cause="J.T v stands in place of J+ v",
                    look="the first term",
                    instead=lambda J, v, qd_wish: (
                        J.T @ v + qd_wish - _pinv(J) @ (J @ qd_wish)
                    ),
                ),
            ),
        ),
    ),
)
