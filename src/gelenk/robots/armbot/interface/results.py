"""What moves answer, and the error of a service that is switched off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from gelenk.errors import GelenkError

MoveCode: TypeAlias = Literal[
    "ok",
    "unreachable",
    "limits",
    "too_fast",
    "stopped",
    "replaced",
    "timeout",
]


class UnsupportedOperationError(GelenkError, RuntimeError):
    """A service is needed that a skill has switched off; install an own one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveResult:
    """What became of a move; true where it went well.

    Attributes:
        ok: Whether the move was accepted, or after waiting: whether it is completed.
        code: "ok", or why not: "unreachable" (no joint values found), "limits" (they
            lie beyond a motor's range), "too_fast" (a motor could not follow),
            "stopped" (an end was requested), "replaced" (by a newer command),
            "timeout".
        message: The same for people.
        exception: What the kinematics raised, if it did.
    """

    ok: bool
    code: MoveCode = "ok"
    message: str = ""
    exception: Exception | None = None

    def __bool__(self) -> bool:
        return self.ok


DONE = MoveResult(ok=True)


class OutOfReachError(Exception):
    """No motor values were found on the way of a move; `result` says why."""

    def __init__(self, result: MoveResult) -> None:
        super().__init__(result.message)
        self.result = result


def refused(
    code: MoveCode, message: str, exception: Exception | None = None
) -> MoveResult:
    """Return the answer to a move that is not made."""
    return MoveResult(ok=False, code=code, message=message, exception=exception)
