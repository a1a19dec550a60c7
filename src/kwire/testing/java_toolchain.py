"""Which Java and which Maven this machine has, and the one line that says what is missing.

Java is looked for as Spark and Maven do it: `JAVA_HOME` first, then the `PATH`. What is found is asked for its
version, because a Java that is too old fails later and with a message that nobody understands.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from kwire.errors import UsageError

JAVA_MAJOR_MIN = 17  # both Kafka 4's broker and Spark 4 are compiled for it
JAVA_MAJOR_MAX = (
    23  # Java 24 took the security manager away, without which Spark 4.0's Hadoop cannot tell who the user is
)

# For a JVM that lives for seconds and is not measured: the optimising compiler costs more than it earns. Without it the
# start of Kafka takes 3.2 instead of 5.6 s of CPU time, a Spark session with one write and one read 12 instead of 22 s.
SHORT_LIVED_JAVA_OPTIONS = ("-XX:TieredStopAtLevel=1",)

REMEDY = (
    "install a JDK 17 and Maven, e.g. apt install openjdk-17-jdk maven or brew install openjdk@17 maven, "
    "or set JAVA_HOME"
)


@dataclass(frozen=True, slots=True)
class JavaToolchain:
    """The paths of java and mvn, empty where there is none that will do, and then why not."""

    java: str = ""
    maven: str = ""
    java_trouble: str = ""
    maven_trouble: str = ""

    @property
    def trouble(self) -> str:
        """What is missing, in a few words; empty when everything is there."""
        return ", ".join(text for text in (self.java_trouble, self.maven_trouble) if text)

    def require_java(self) -> str:
        """The path of java, or `UsageError` with the remedy."""
        if not self.java:
            raise UsageError(self.java_trouble, REMEDY)
        return self.java

    def require_maven(self) -> str:
        """The path of mvn, or `UsageError` with the remedy. Maven is a Java program: without Java there is none."""
        if self.trouble:
            raise UsageError(self.trouble, REMEDY)
        return self.maven


def find_java_toolchain(environ: Mapping[str, str] = os.environ) -> JavaToolchain:
    """Looks at `JAVA_HOME` and `PATH` of `environ`; runs `java -version` once (70 ms) and Maven not at all."""
    search_path = environ.get("PATH", "")
    java, java_trouble = _find_java(environ.get("JAVA_HOME", ""), search_path)
    maven = shutil.which("mvn", path=search_path) or ""
    return JavaToolchain(java, maven, java_trouble, "" if maven else "no Maven (mvn) found")


def _find_java(java_home: str, search_path: str) -> tuple[str, str]:
    """(path, "") or ("", trouble)."""
    if java_home:
        java = shutil.which(str(Path(java_home, "bin", "java")))
        if java is None:
            return "", f"JAVA_HOME={java_home} holds no bin/java"
    else:
        java = shutil.which("java", path=search_path)
        if java is None:
            return "", f"no Java {JAVA_MAJOR_MIN} found"
    major = _java_major(java)
    if major is None:
        # macOS has a /usr/bin/java that only says that there is no Java.
        return "", f"{java} does not tell its version, Java {JAVA_MAJOR_MIN} is needed"
    if not JAVA_MAJOR_MIN <= major <= JAVA_MAJOR_MAX:
        return "", f"{java} is Java {major}, Java {JAVA_MAJOR_MIN} to {JAVA_MAJOR_MAX} is needed"
    return java, ""


def _java_major(java: str) -> int | None:
    """17 from `openjdk version "17.0.15" 2025-04-15`, 8 from `java version "1.8.0_392"`."""
    try:
        # The version goes to stderr. No performance data: that would leave a directory behind in /tmp.
        command = [java, "-XX:-UsePerfData", "-version"]
        answer = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(r'version "(?:1\.)?(\d+)', answer.stderr)
    return int(found[1]) if found and answer.returncode == 0 else None
