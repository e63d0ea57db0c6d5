"""A way to call the command line in this process."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from gelenk.cli.commands import main


@dataclass(frozen=True)
class Outcome:
    """What a command left behind."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        """Return stdout as the one JSON value it must be."""
        return json.loads(self.out, parse_constant=pytest.fail)


Gelenk = Callable[..., Outcome]


@pytest.fixture
def gelenk(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Gelenk:
    """Run `gelenk` with arguments and return exit code, stdout and stderr."""
    monkeypatch.delenv("GELENK_DEBUG", raising=False)

    def call(*arguments: str) -> Outcome:
        code = main(arguments)
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return call
