"""The guard acts when its owner is dead, and only then."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kwire.testing.orphan_guard import OrphanGuard


@pytest.fixture
def child() -> Iterator[subprocess.Popen[bytes]]:
    """A process that lives until it is ended."""
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as process:
        yield process
        process.kill()


def test_dismissed_it_touches_nothing(child: subprocess.Popen[bytes], tmp_path: Path) -> None:
    guard = OrphanGuard(tmp_path)
    guard.watch(child.pid)
    guard.dismiss()
    guard.dismiss()
    assert child.poll() is None
    assert tmp_path.exists()


def test_dismissing_a_guard_that_was_killed(tmp_path: Path) -> None:
    guard = OrphanGuard(tmp_path)
    os.kill(guard.pid, signal.SIGKILL)
    os.waitid(os.P_PID, guard.pid, os.WEXITED | os.WNOWAIT)
    guard.dismiss()


@pytest.mark.parametrize("ending", ["os._exit(0)", "os.kill(os.getpid(), signal.SIGTERM)"])
def test_owner_dead_processes_and_directory_gone(child: subprocess.Popen[bytes], tmp_path: Path, ending: str) -> None:
    directory = tmp_path / "of_the_owner"
    (directory / "deep" / "down").mkdir(parents=True)
    script = (
        "import os, pathlib, signal, subprocess, sys\n"
        "from kwire.testing.orphan_guard import OrphanGuard\n"
        "guard = OrphanGuard(pathlib.Path(sys.argv[1]))\n"
        "ended = subprocess.Popen(['true'])\n"
        "guard.watch(ended.pid)\n"
        "ended.wait()\n"
        "guard.watch(int(sys.argv[2]))\n"
        "print(guard.pid, flush=True)\n"
        "sys.stdin.readline()\n"
        f"{ending}\n"
    )
    command = [sys.executable, "-c", script, str(directory), str(child.pid)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout is not None
        guard = os.pidfd_open(int(owner.stdout.readline()))
        owner.communicate("\n")
    assert select.select([guard], [], [], 30)[0], "the guard is still there"
    os.close(guard)
    assert child.wait(30) == -signal.SIGKILL
    assert not directory.exists()
