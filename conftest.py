"""What all tests share: what to do where Java or Maven is missing, Kafka's jars, the reference broker, Spark.

A test says `@pytest.mark.needs_java` or `needs_maven`, or simply uses one of the fixtures below. Where the tool is
missing, one line at the start says so with the remedy, and the tests are skipped, by name, at the end. With CI=true
skipping them is a failure: a green run of a machine without Java would claim what it has not looked at.

`--fetch-jars` (from `make test`) fetches all jars before the first test: a slow download then counts against no test's
timeout. Without it they are fetched when the first test asks for them.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest

from kwire.errors import UsageError
from kwire.testing import apache_kafka as reference
from kwire.testing.java_toolchain import REMEDY, SHORT_LIVED_JAVA_OPTIONS, JavaToolchain, find_java_toolchain

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# What a test is marked with because it uses a fixture of ours. One worker has the Spark session. PySpark leaves it to
# the garbage collector to close the sockets over which it gets its rows.
MARKS_BY_FIXTURE = {
    "kafka_libs": (pytest.mark.needs_java, pytest.mark.needs_maven),
    "spark": (
        pytest.mark.needs_java,
        pytest.mark.needs_maven,
        pytest.mark.xdist_group("spark"),
        pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning"),
    ),
}
SKIP_PREFIX = "not run for want of Java or Maven: "

# The same examples in every run, so that a red run is about the change, not about luck. `--hypothesis-profile=explore`
# looks for new ones, and is what to run after a change of substance.
hypothesis.settings.register_profile("steady", derandomize=True, deadline=None, database=None)
hypothesis.settings.register_profile("explore", deadline=None, print_blob=True)
hypothesis.settings.load_profile("steady")

toolchain_key = pytest.StashKey[JavaToolchain]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fetch-jars", action="store_true", help="fetch what the Java and Spark tests need at the start")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "needs_java: skipped where there is no Java 17")
    config.addinivalue_line("markers", "needs_maven: skipped where there is no Maven, or no Java to run it")
    config.addinivalue_line("markers", "xdist_group(name): tests of one group run in one worker")
    found = worker_input(config).get("java_toolchain")  # a worker is told what the controller has found
    config.stash[toolchain_key] = JavaToolchain(**found) if found else find_java_toolchain()
    if not found:
        config.pluginmanager.register(SkippedMeansFailedInCI())


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """pytest-xdist's: what a worker is to know."""
    node.workerinput["java_toolchain"] = dataclasses.asdict(node.config.stash[toolchain_key])


def pytest_sessionstart(session: pytest.Session) -> None:
    config = session.config
    terminal = config.pluginmanager.getplugin("terminalreporter")
    if worker_input(config) or terminal is None:
        return
    trouble = config.stash[toolchain_key].trouble
    if trouble:
        terminal.write_line(f"kwire: {trouble}: skipping the tests that need it (remedy: {REMEDY})", yellow=True)
    elif config.getoption("--fetch-jars"):
        from kwire_spark.connector import connector_jars

        try:
            with output_shown(config):
                reference.kafka_libs()
                connector_jars()
        except UsageError as error:
            pytest.exit(f"kwire: {error}", returncode=1)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    toolchain = config.stash[toolchain_key]
    troubles = {"needs_java": toolchain.java_trouble, "needs_maven": toolchain.trouble}
    for item in items:
        for fixture in MARKS_BY_FIXTURE.keys() & set(getattr(item, "fixturenames", ())):
            for mark in MARKS_BY_FIXTURE[fixture]:
                item.add_marker(mark)
        trouble = next((text for mark, text in troubles.items() if text and item.get_closest_marker(mark)), "")
        if trouble:
            item.add_marker(pytest.mark.skip(reason=SKIP_PREFIX + trouble))


class SkippedMeansFailedInCI:
    """With CI=true, a run that skipped tests for want of Java or Maven fails at its end. Lives in the controller."""

    def __init__(self) -> None:
        self.in_ci = os.environ.get("CI", "").lower() in ("1", "true")
        self.skipped = 0

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.skipped += report.skipped and SKIP_PREFIX in str(report.longrepr)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        if self.in_ci and self.skipped and exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self.in_ci and self.skipped:
            line = f"kwire: CI=true, so {self.skipped} tests skipped for want of Java or Maven are a failure"
            terminalreporter.write_line(line, red=True)


@pytest.fixture(scope="session")
def kafka_libs(request: pytest.FixtureRequest) -> Iterator[Path]:
    """The directory of Apache Kafka's jars; in KWIRE_KAFKA_LIBS too, for code that looks there."""
    with output_shown(request.config):
        libs = reference.kafka_libs()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KWIRE_KAFKA_LIBS", str(libs))
        yield libs


@pytest.fixture(scope="session")
def apache_kafka(kafka_libs: Path) -> Iterator[reference.ApacheKafka]:
    """The reference broker, one for all tests of a worker: every test has topics and groups of its own."""
    with reference.ApacheKafka(libs=kafka_libs, java_options=SHORT_LIVED_JAVA_OPTIONS) as kafka:
        yield kafka


@pytest.fixture(scope="session")
def spark(request: pytest.FixtureRequest) -> Iterator[SparkSession]:
    """A local Spark session with Spark's Kafka connector, one for all tests."""
    from kwire_spark.connector import connector_jars
    from kwire_spark.session import spark_session

    with output_shown(request.config):
        connector_jars()
    with spark_session("kwire-tests", java_options=SHORT_LIVED_JAVA_OPTIONS) as session:
        yield session


def worker_input(config: pytest.Config) -> dict[str, Any]:
    """What pytest-xdist's controller has told this worker; empty in the controller and in a run without workers."""
    return getattr(config, "workerinput", {})


def output_shown(config: pytest.Config) -> AbstractContextManager[None]:
    """What is printed in this block is progress for the person who waits, not a test's captured output."""
    capture = config.pluginmanager.getplugin("capturemanager")
    return capture.global_and_fixture_disabled() if capture else nullcontext()
