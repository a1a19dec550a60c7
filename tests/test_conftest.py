"""The project's own conftest.py, run on a small project in a process of its own.

Where Java or Maven is missing: one line at the start, the tests by name at the end, and a failure in CI. Where they are
there: one Spark session, however many workers.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = """
import pytest

@pytest.mark.needs_java
def test_with_java(): pass

@pytest.mark.needs_maven
def test_with_maven(): pass

def test_with_fixture(kafka_libs): assert kafka_libs.is_dir()

def test_without(): pass
"""
LINE = "kwire: {}: skipping the tests that need it (remedy: install a JDK 17 and Maven, e.g. apt install"
NEITHER = "no Java 17 found, no Maven (mvn) found"
WORKERS = ["-n", "2", "--dist", "loadgroup"]


class Project:
    """A project with our conftest.py, and the directory that is its whole PATH."""

    def __init__(self, root: Path) -> None:
        self.root, self.bin = root, root / "bin"
        self.bin.mkdir()
        shutil.copy(Path(__file__).parents[1] / "conftest.py", root)
        (root / "test_four.py").write_text(TESTS)
        # Without plugins that have no part in this a run starts twice as fast.
        options = "-ra --no-fold-skipped -p no:cacheprovider -p no:hypothesispytest -p no:timeout"
        (root / "pytest.ini").write_text(f"[pytest]\naddopts = {options}\n")

    def program(self, name: str, line: str) -> Path:
        path = self.bin / name
        path.write_text(f"#!/bin/sh\n{line}\n")
        path.chmod(0o755)
        return path

    def java(self, version: str) -> Path:
        return self.program("java", f"echo 'openjdk version \"{version}\"' >&2")

    def run(self, *args: str, **environ: str) -> tuple[int, list[str]]:
        """The exit code and the lines printed."""
        kept = {name: value for name, value in os.environ.items() if name.startswith("PYTHON")}
        kept["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
        run = subprocess.run(
            [sys.executable, "-m", "pytest", *args],
            cwd=self.root,
            env={**kept, "PATH": str(self.bin), "TMPDIR": str(self.root), **environ},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return run.returncode, run.stdout.splitlines()


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def skipped(lines: list[str]) -> list[str]:
    return sorted(line.partition(" - ")[0].split("::")[1] for line in lines if line.startswith("SKIPPED"))


@pytest.mark.parametrize("options", [[], ["-q"], WORKERS], ids=["plain", "quiet", "workers"])
def test_said_once_at_the_start_and_by_name_at_the_end(project: Project, options: list[str]) -> None:
    code, lines = project.run(*options)
    said = [number for number, line in enumerate(lines) if line.startswith(LINE.format(NEITHER))]
    first_skip = min(number for number, line in enumerate(lines) if line.startswith("SKIPPED"))
    assert len(said) == 1
    assert said[0] < first_skip
    assert skipped(lines) == ["test_with_fixture", "test_with_java", "test_with_maven"]
    assert "1 passed, 3 skipped" in lines[-1]
    assert code == 0


@pytest.mark.parametrize(("options", "value"), [([], "1"), (WORKERS, "true")], ids=["plain", "workers"])
def test_a_failure_in_ci(project: Project, options: list[str], value: str) -> None:
    code, lines = project.run(*options, CI=value)
    assert "kwire: CI=true, so 3 tests skipped for want of Java or Maven are a failure" in lines
    assert skipped(lines) == ["test_with_fixture", "test_with_java", "test_with_maven"]
    assert code == 1


def test_no_failure_in_ci_when_no_selected_test_needs_it(project: Project) -> None:
    code, lines = project.run("-k", "without", CI="true")
    assert code == 0
    assert not any("are a failure" in line for line in lines)


def test_java_11_is_as_good_as_none(project: Project) -> None:
    path = project.java("11.0.2")
    code, lines = project.run()
    trouble = f"{path} is Java 11, Java 17 to 23 is needed, no Maven (mvn) found"
    assert sum(line.startswith(LINE.format(trouble)) for line in lines) == 1
    assert skipped(lines) == ["test_with_fixture", "test_with_java", "test_with_maven"]
    assert code == 0


def test_without_maven_the_tests_that_need_java_alone_run(project: Project) -> None:
    project.java("17.0.15")
    code, lines = project.run()
    assert sum(line.startswith(LINE.format("no Maven (mvn) found")) for line in lines) == 1
    assert skipped(lines) == ["test_with_fixture", "test_with_maven"]
    assert code == 0


def test_nothing_is_fetched_where_it_cannot_be(project: Project) -> None:
    code, lines = project.run("--fetch-jars")
    assert skipped(lines) == ["test_with_fixture", "test_with_java", "test_with_maven"]
    assert code == 0


def test_all_tests_with_spark_run_in_one_worker(project: Project) -> None:
    project.java("17.0.15")
    project.program("mvn", "exit 0")
    (project.root / "test_four.py").write_text(
        "import pathlib, pytest\n"
        "@pytest.fixture\n"
        "def spark(): pass\n"
        "@pytest.mark.parametrize('number', range(8))\n"
        "def test_it(spark, number, worker_id): pathlib.Path(f'{number}.worker').write_text(worker_id)\n"
    )
    code, lines = project.run(*WORKERS)
    workers = [path.read_text() for path in project.root.glob("*.worker")]
    assert code == 0, lines
    assert len(workers) == 8
    assert len(set(workers)) == 1
