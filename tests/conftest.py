"""Hypothesis profiles, and the bookkeeping of capabilities that tests claim.

Profiles: choose another one with `pytest --hypothesis-profile=nightly`. The default draws
the same examples in every run.

Capabilities: a test says what it checks with `@pytest.mark.capability("GR-07")`. An id that
docs/capabilities.csv does not have is a collection error. `--capabilities-report PATH`
writes which tests of each id passed and which failed.

Tests of the page that found no browser are named loudly at the end.
"""

from __future__ import annotations

import gc
import json
import signal
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from gelenk.errors import GelenkError
from testkit.capability_register import (
    Capability,
    describe_unknown_id,
    load_register,
)

# Started in the background, a process ignores Ctrl-C and so would its children; the
# tests that press it must be heard.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("dev", max_examples=25, deadline=None)
settings.register_profile("ci", max_examples=50, deadline=None, derandomize=True)
settings.register_profile("nightly", max_examples=2000, deadline=None)
settings.load_profile("ci")

REGISTER_PATH = Path(__file__).resolve().parents[1] / "docs" / "capabilities.csv"
PROPERTY = "capability"
BROWSER_TESTS = "tests/browser"
PHASES = ("setup", "call", "teardown")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--capabilities-report",
        metavar="PATH",
        type=Path,
        help="write as JSON which tests of each capability passed and failed",
    )


def pytest_collection_finish() -> None:
    """Keep thousands of collected tests and modules out of each garbage collection.

    They live as long as the process; to look through them takes half a second a time.
    """
    gc.collect()
    gc.freeze()


def pytest_configure(config: pytest.Config) -> None:
    try:
        register = load_register(REGISTER_PATH)
    except GelenkError as error:
        raise pytest.UsageError(str(error)) from error
    config.pluginmanager.register(ClaimChecker(register), "capability-claims")
    path = config.getoption("--capabilities-report")
    is_worker = hasattr(config, "workerinput")  # pytest-xdist: the controller writes
    if path is not None and not is_worker:
        recorder = OutcomeRecorder(register, config.invocation_params.dir / path)
        config.pluginmanager.register(recorder, "capability-report")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say loudly that the page was not tried in a browser, if it was not."""
    skipped = terminalreporter.stats.get("skipped", [])
    ours = [report for report in skipped if report.nodeid.startswith(BROWSER_TESTS)]
    if ours:
        terminalreporter.section(
            "THE PAGE WAS NOT TRIED IN A BROWSER", sep="!", red=True
        )
        reason = ours[0].longrepr[2] if isinstance(ours[0].longrepr, tuple) else ""
        terminalreporter.write_line(
            f"{len(ours)} tests of {BROWSER_TESTS} were skipped: {reason}"
        )


class ClaimChecker:
    """Refuses claims of unknown capabilities and attaches the known ones to reports."""

    def __init__(self, register: dict[str, Capability]) -> None:
        self.register = register

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        report = yield
        items = [node for node in report.result or [] if isinstance(node, pytest.Item)]
        problems = [problem for item in items for problem in self.find_problems(item)]
        if problems:
            report.outcome, report.result = "failed", []
            report.longrepr = "\n".join(problems)
        return report

    def find_problems(self, item: pytest.Item) -> Iterator[str]:
        for mark in item.iter_markers(PROPERTY):
            if not mark.args or mark.kwargs:
                yield f"{item.nodeid}: a capability mark takes ids, such as 'GR-07'"
            for name in mark.args:
                if not isinstance(name, str):
                    yield f"{item.nodeid}: a capability id is a string, got {name!r}"
                elif name not in self.register:
                    yield f"{item.nodeid}: {describe_unknown_id(name, self.register)}"

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            marks = item.iter_markers(PROPERTY)
            for name in sorted({name for mark in marks for name in mark.args}):
                item.user_properties.append((PROPERTY, name))


class OutcomeRecorder:
    """Collects the outcome of every claiming test and writes them after the run.

    A test passed if its set-up, its call and its tear-down passed; a skipped test and
    one that was expected to fail count neither as passed nor as failed.
    """

    def __init__(self, register: dict[str, Capability], path: Path) -> None:
        self.register, self.path = register, path
        self.claims: dict[str, set[str]] = {}  # ids by test
        self.phases: dict[str, dict[str, str]] = {}  # outcome by test and phase

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        # The report of a crashed worker comes without properties and with phase "???".
        claims = {
            str(value) for key, value in report.user_properties if key == PROPERTY
        }
        self.claims.setdefault(report.nodeid, set()).update(claims)
        outcome = "skipped" if hasattr(report, "wasxfail") else report.outcome
        self.phases.setdefault(report.nodeid, {})[str(report.when)] = outcome

    def pytest_sessionfinish(self) -> None:
        outcomes = {name: {"passed": [], "failed": []} for name in self.register}
        for test, claims in sorted(self.claims.items()):
            phases = self.phases[test]
            for name in claims:
                if "failed" in phases.values():
                    outcomes[name]["failed"].append(test)
                elif phases == dict.fromkeys(PHASES, "passed"):
                    outcomes[name]["passed"].append(test)
        claimed = set().union(*self.claims.values())
        self.path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps({k: v for k, v in outcomes.items() if k in claimed}, indent=1)
        self.path.write_text(text + "\n", encoding="utf-8")
