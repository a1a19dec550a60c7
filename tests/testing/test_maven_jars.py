"""Jars are fetched once, whole, by one process; with a Maven that is a few lines of shell."""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from kwire.errors import UsageError
from kwire.testing.maven_jars import cache_directory, checkout_directory, resolve_jars

# Finds its output directory as Maven does, makes one jar there, and notes that it was called.
FAKE_MAVEN = """#!/bin/sh
for argument; do
  case "$argument" in -DoutputDirectory=*) output=${argument#*=} ;; esac
done
echo called >> "{calls}"
mkdir "$output" && echo jar > "$output/a.jar"
{ending}
"""


class Machine:
    """A PATH with a Java 17 and a Maven on it, a pom, and the lines that were announced."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.bin, self.calls, self.pom, self.jars = root / "bin", root / "calls", root / "pom.xml", root / "cache" / "a"
        self.announced: list[str] = []
        self.bin.mkdir()
        self.calls.touch()
        self.pom.write_text("<project/>")
        self.program("java", "#!/bin/sh\necho 'openjdk version \"17.0.15\"' >&2\n")
        self.maven("exit 0")
        monkeypatch.setenv("PATH", f"{self.bin}:/usr/bin:/bin")
        monkeypatch.delenv("JAVA_HOME", raising=False)

    def program(self, name: str, script: str) -> None:
        (self.bin / name).write_text(script)
        (self.bin / name).chmod(0o755)

    def maven(self, ending: str) -> None:
        self.program("mvn", FAKE_MAVEN.replace("{calls}", str(self.calls)).replace("{ending}", ending))

    def resolve(self) -> Path:
        return resolve_jars(self.pom, self.jars, "a thing", self.announced.append)

    @property
    def call_count(self) -> int:
        return len(self.calls.read_text().splitlines())


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(tmp_path, monkeypatch)


def test_fetched_once_and_said_once(machine: Machine) -> None:
    assert machine.resolve() == machine.resolve() == machine.jars
    assert (machine.jars / "a.jar").read_text() == "jar\n"
    assert machine.call_count == 1
    assert len(machine.announced) == 1
    assert machine.announced[0].startswith(f"fetching a thing with Maven into {machine.jars}")


def test_several_at_once_fetch_once(machine: Machine) -> None:
    with ThreadPoolExecutor(8) as pool:  # flock is between open files, so threads stand for processes here
        results = list(pool.map(lambda _: (machine.resolve() / "a.jar").read_text(), range(8)))
    assert results == ["jar\n"] * 8
    assert machine.call_count == 1


def test_a_second_call_needs_neither_java_nor_maven(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    machine.resolve()
    monkeypatch.setenv("PATH", "")
    assert machine.resolve() == machine.jars


def test_a_changed_pom_is_fetched_again(machine: Machine) -> None:
    (machine.resolve() / "of_the_old_pom.jar").touch()
    machine.pom.write_text("<project></project>")
    machine.resolve()
    assert machine.call_count == 2
    assert {path.name for path in machine.jars.iterdir()} == {"a.jar", "pom.sha256"}
    assert (machine.jars / "pom.sha256").read_text() == hashlib.sha256(b"<project></project>").hexdigest()


def test_failure_says_maven_s_reason_and_leaves_nothing_half_done(machine: Machine) -> None:
    machine.maven("echo '[ERROR] no such artifact'; echo '[ERROR] [Help 1]'; exit 1")
    with pytest.raises(UsageError, match=r"could not resolve .*pom\.xml: \[ERROR\] no such artifact$"):
        machine.resolve()
    assert {path.name for path in machine.jars.parent.iterdir()} == {"a.lock"}
    machine.maven("exit 0")
    assert (machine.resolve() / "a.jar").exists()


def test_what_a_killed_process_left_is_replaced(machine: Machine) -> None:
    left = machine.jars.with_name("a.partial")
    left.mkdir(parents=True)
    (left / "half.jar").touch()
    assert not (machine.resolve() / "half.jar").exists()
    assert not left.exists()


def test_maven_missing(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    (machine.bin / "mvn").unlink()
    monkeypatch.setenv("PATH", str(machine.bin))
    with pytest.raises(UsageError, match=r"no Maven \(mvn\) found \(install a JDK 17 and Maven"):
        machine.resolve()


def test_the_cache_lies_in_the_source_tree_or_else_in_the_user_s_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    checkout = checkout_directory()
    assert checkout is not None
    assert checkout.samefile(Path(__file__).parents[2])
    assert cache_directory() == checkout / ".cache"
    monkeypatch.setattr("kwire.testing.maven_jars._CHECKOUT", Path("/nowhere"))
    assert cache_directory({"XDG_CACHE_HOME": "/home/me/cache"}) == Path("/home/me/cache/kwire")
    assert cache_directory({}) == Path.home() / ".cache" / "kwire"
