"""A pytest plugin: docs/COMPATIBILITY.md, a table of features and clients, from the outcomes of the tests.

A test says `@pytest.mark.feature("headers")`; the folder that it lies in says which client it is about. With
`--write-page` the table is written at the end of a run, and with nothing else: an ordinary run changes no file. A
feature that several tests of one client are about has the worst of their outcomes. A run that was cut short (Ctrl-C,
an error in a test file, a choice of tests or of folders) writes nothing: the page would claim less than is true.
"""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from kwire.testing.apache_kafka import KAFKA_VERSION

DEFAULT_PAGE = Path(__file__).parents[1] / "docs" / "COMPATIBILITY.md"
PROPERTY = "compatibility"  # how a feature travels in a test's report, from pytest-xdist's workers too

# Folder to the column's title. A folder that is not here has its name for one.
TITLES = {
    "kafka_python": f"kafka-python {version('kafka-python')}",
    "confluent_kafka": f"confluent-kafka {version('confluent-kafka')}",
    "aiokafka": f"aiokafka {version('aiokafka')}",
    "java": f"Java {KAFKA_VERSION}",
}
# From the best to the worst.
CELLS = {"passed": "yes", "skipped": "not run", "failed": "**no**"}
RANKS = {outcome: rank for rank, outcome in enumerate(CELLS)}

HEAD = """\
# Compatibility

Stock clients, unmodified, against kwire. `make compat` writes this page from the outcomes of `compat_tests/`; each
folder there has a README with what was found.

*yes*: a test of that client checks it and passes. **no**: it fails. *not run*: Java or Maven was missing. An empty
cell: no test, in most cases because the client has no such function.

"""
TAIL = """
What is not there yet:

- consumer groups and transactions: the broker has none so far, so all consumers here have partitions assigned by hand;
- access control, SASL and TLS: likewise;
- kafka-python 2.3, kcat, and the clients of Go, Node and Rust: the broker may well serve them, no test says so.
"""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write-page", action="store_true", help="write the table of clients and features")
    parser.addoption("--page", default=str(DEFAULT_PAGE), metavar="PATH", help="where to: docs/COMPATIBILITY.md")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "feature(*names): the rows of docs/COMPATIBILITY.md that a test is about")
    if config.getoption("--write-page") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(CompatibilityPage(Path(config.getoption("--page"))))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        mark = item.get_closest_marker("feature")
        if mark is not None:
            item.user_properties += [(PROPERTY, [item.path.parent.name, feature]) for feature in mark.args]


class CompatibilityPage:
    """Collects outcomes, and writes the page when the session ends. Lives in the controller."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._outcomes: dict[str, dict[str, str]] = {}  # by feature, by client
        self._notes: list[str] = []
        self._is_partial = False

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        self._is_partial = True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for client, feature in (value for name, value in report.user_properties if name == PROPERTY):
            outcomes = self._outcomes.setdefault(feature, {})
            outcome: str = report.outcome
            if hasattr(report, "wasxfail"):  # expected to fail: pytest calls it skipped, the page does not
                outcome = "failed"
                self._notes.append(f"{TITLES.get(client, client)}, {feature}: {report.wasxfail}")
            # Three reports for each test; a setup that has failed or skipped counts as the test itself.
            outcomes[client] = max(outcomes.get(client, "passed"), outcome, key=RANKS.__getitem__)

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        seen = {client for row in self._outcomes.values() for client in row}
        was_cut_short = session.shouldstop or exitstatus not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
        self._is_partial |= bool(was_cut_short or TITLES.keys() - seen)
        if not self._is_partial:
            self._path.write_text(HEAD + table(self._outcomes) + notes(self._notes) + TAIL)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self._is_partial:
            terminalreporter.write_line("kwire: not all tests were run, so the page was not written", yellow=True)


def table(outcomes: dict[str, dict[str, str]]) -> str:
    """Markdown: a row for each feature in the order of the tests, a column for each client."""
    seen = {client for row in outcomes.values() for client in row}
    clients = [client for client in TITLES if client in seen] + sorted(seen - TITLES.keys())
    lines = ["| feature | " + " | ".join(TITLES.get(client, client) for client in clients) + " |"]
    lines.append("|---|" + "---|" * len(clients))
    for feature, row in outcomes.items():
        cells = (CELLS[row[client]] if client in row else "" for client in clients)
        lines.append(f"| {feature} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def notes(lines: list[str]) -> str:
    """Markdown: why what is known to fail does."""
    return "".join(["\nKnown to fail:\n\n", *(f"- {line}\n" for line in lines)]) if lines else ""
