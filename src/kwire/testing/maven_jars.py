"""Jars by Maven, fetched once into a cache directory: a second call is a look at one small file.

A directory is complete or not there. Maven fills `<directory>.partial`; when it has ended well, a stamp with the
pom's digest is put in and the directory is renamed. A lock on `<directory>.lock` is held meanwhile, so that of several
test workers one fetches and the others wait; the kernel drops it with its holder, so no lock outlives a crash, and
whoever takes it next removes what was left half done. A pom that has changed since makes the directory stale.

Maven keeps its usual local repository: people's mirrors, offline copies and settings go on working.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from kwire.errors import UsageError
from kwire.testing.java_toolchain import find_java_toolchain

_STAMP = "pom.sha256"
_CHECKOUT = Path(__file__).resolve().parents[3]


def checkout_directory() -> Path | None:
    """The root of the source tree that this module runs from; None when it was installed from a wheel."""
    return _CHECKOUT if (_CHECKOUT / "pyproject.toml").is_file() and (_CHECKOUT / "src" / "kwire").is_dir() else None


def cache_directory(environ: Mapping[str, str] = os.environ) -> Path:
    """`.cache` in the source tree, or kwire's part of the user's cache directory when installed from a wheel."""
    checkout = checkout_directory()
    if checkout is not None:
        return checkout / ".cache"
    return Path(environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "kwire")


def announce_on_stderr(line: str) -> None:
    """One line of progress for whoever is waiting."""
    print(f"kwire: {line}", file=sys.stderr, flush=True)


def resolve_jars(pom: Path, directory: Path, what: str, announce: Callable[[str], None] = announce_on_stderr) -> Path:
    """`directory`, holding the run-time jars of `pom`; fetched first if they are not there yet.

    `what` names them in the one line that says so. `UsageError` if Java or Maven is missing or Maven fails.
    """
    digest = hashlib.sha256(pom.read_bytes()).hexdigest()
    if _stamp_of(directory) == digest:
        return directory
    directory.parent.mkdir(parents=True, exist_ok=True)
    with open(f"{directory}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if _stamp_of(directory) != digest:  # nobody fetched them while we waited
            announce(f"fetching {what} with Maven into {_short(directory)} (once, about half a minute)")
            _fetch(pom, directory, digest, lock.fileno())
    return directory


def _stamp_of(directory: Path) -> str:
    try:
        return (directory / _STAMP).read_text()
    except FileNotFoundError:
        return ""


def _fetch(pom: Path, directory: Path, digest: str, lock_fd: int) -> None:
    """With the lock held: replaces whatever `directory` holds by the jars of `pom`, whole or not at all."""
    maven = find_java_toolchain().require_maven()
    partial = Path(f"{directory}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    # -U: a download that failed once is remembered by Maven as missing, and would stay so for a day.
    command = [maven, "--batch-mode", "--quiet", "-U", "--file", str(pom), "dependency:copy-dependencies"]
    command += ["-DincludeScope=runtime", f"-DoutputDirectory={partial}"]
    environ = os.environ | {"MAVEN_OPTS": os.environ.get("MAVEN_OPTS", "") + " -XX:-UsePerfData"}  # see java_toolchain
    try:
        # Maven inherits the lock: should we be killed, it stays taken until Maven has stopped writing.
        run = subprocess.run(
            command,
            env=environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            pass_fds=[lock_fd],
        )
        if run.returncode != 0 or not partial.is_dir():
            raise UsageError(f"Maven could not resolve {pom}: {_first_error(run.stdout + run.stderr)}")
        (partial / _STAMP).write_text(digest)
        shutil.rmtree(directory, ignore_errors=True)
        partial.rename(directory)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _first_error(output: str) -> str:
    """The first line that Maven marks as an error; the rest repeats it with advice."""
    lines = [line for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if "ERROR" in line]
    return (errors or lines or ["it said nothing"])[0].strip()


def _short(path: Path) -> str:
    return os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path)
