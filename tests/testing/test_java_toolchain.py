"""What is found of Java and Maven, and what is said where it will not do."""

from __future__ import annotations

from pathlib import Path

import pytest

from kwire.errors import UsageError
from kwire.testing.java_toolchain import JavaToolchain, find_java_toolchain


def program(path: Path, script: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def java(directory: Path, version: str) -> Path:
    return program(directory / "bin" / "java", f"echo 'openjdk version \"{version}\" 2025-04-15' >&2")


@pytest.mark.parametrize("version", ["17", "17.0.15", "21.0.2", "23-ea"])
def test_a_java_that_will_do(tmp_path: Path, version: str) -> None:
    found = find_java_toolchain({"PATH": str(java(tmp_path, version).parent)})
    assert found.require_java() == str(tmp_path / "bin" / "java")
    assert found.java_trouble == ""


@pytest.mark.parametrize(("version", "major"), [("11.0.2", 11), ("1.8.0_392", 8), ("16.0.1", 16), ("24", 24)])
def test_a_java_that_will_not_do_is_named(tmp_path: Path, version: str, major: int) -> None:
    path = java(tmp_path, version)
    found = find_java_toolchain({"PATH": str(path.parent)})
    assert found.java_trouble == f"{path} is Java {major}, Java 17 to 23 is needed"
    with pytest.raises(UsageError, match=r"is Java .* \(install a JDK 17 and Maven"):
        found.require_java()


@pytest.mark.parametrize("script", ["echo 'Unable to locate a Java Runtime.' >&2; exit 1", "exit 0"])
def test_a_java_that_does_not_tell_its_version(tmp_path: Path, script: str) -> None:
    path = program(tmp_path / "java", script)
    assert find_java_toolchain({"PATH": str(tmp_path)}).java_trouble.startswith(f"{path} does not tell its version")


def test_nothing_there(tmp_path: Path) -> None:
    found = find_java_toolchain({"PATH": str(tmp_path)})
    assert found == JavaToolchain(java_trouble="no Java 17 found", maven_trouble="no Maven (mvn) found")
    assert found.trouble == "no Java 17 found, no Maven (mvn) found"


def test_java_home_comes_first(tmp_path: Path) -> None:
    on_path, at_home = java(tmp_path / "path", "11.0.2"), java(tmp_path / "home", "17.0.15")
    found = find_java_toolchain({"PATH": str(on_path.parent), "JAVA_HOME": str(tmp_path / "home")})
    assert found.java == str(at_home)


def test_a_wrong_java_home_is_named_even_if_the_path_has_a_java(tmp_path: Path) -> None:
    # Spark and Maven would take the one that is not there as well.
    on_path = java(tmp_path, "17.0.15")
    found = find_java_toolchain({"PATH": str(on_path.parent), "JAVA_HOME": "/nowhere"})
    assert (found.java, found.java_trouble) == ("", "JAVA_HOME=/nowhere holds no bin/java")


def test_maven_without_java_is_no_maven(tmp_path: Path) -> None:
    maven = program(tmp_path / "mvn", "exit 0")
    found = find_java_toolchain({"PATH": str(tmp_path)})
    assert (found.maven, found.trouble) == (str(maven), "no Java 17 found")
    with pytest.raises(UsageError, match="no Java 17 found"):
        found.require_maven()
