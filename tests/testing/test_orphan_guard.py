"""The guard acts when its owner is dead, and only then, and only on what is its owner's."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from kwire.testing.orphan_guard import OrphanGuard

WAIT = [sys.executable, "-c", "import sys; sys.stdin.read()"]  # lives until its stdin is closed, or it is ended


def test_end_processes_ends_its_own_and_theirs_but_no_others(tmp_path: Path) -> None:
    ours, others = OrphanGuard(tmp_path / "a"), OrphanGuard(tmp_path / "ab")
    # The middle one hands its environment on to a child, and then tells us that it is there.
    parent = "import subprocess, sys; subprocess.Popen([sys.executable, *sys.argv[1:]]); print(flush=True); input()"
    with (
        subprocess.Popen(WAIT, stdin=subprocess.PIPE, env=os.environ | others.environ) as other,
        subprocess.Popen(
            [sys.executable, "-c", parent, *WAIT[1:]],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | ours.environ,
        ) as own,
    ):
        assert own.stdout is not None
        assert own.stdout.readline() == b"\n"
        ours.end_processes()
        assert own.stdout.read() == b"", "the grandchild has the same pipe: it ends when both have"
        assert own.wait() == -signal.SIGKILL
        assert other.poll() is None
    ours.dismiss()
    others.dismiss()


def test_dismissed_it_touches_nothing(tmp_path: Path) -> None:
    guard = OrphanGuard(tmp_path)
    with subprocess.Popen(WAIT, stdin=subprocess.PIPE, env=os.environ | guard.environ) as child:
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
def test_owner_dead_processes_and_directory_gone(tmp_path: Path, ending: str) -> None:
    directory = tmp_path / "of_the_owner"
    (directory / "deep" / "down").mkdir(parents=True)
    script = (
        "import os, pathlib, signal, subprocess, sys\n"
        "from kwire.testing.orphan_guard import OrphanGuard\n"
        "guard = OrphanGuard(pathlib.Path(sys.argv[1]))\n"
        "read_end, write_end = os.pipe()\n"  # the child holds its own stdin open, so that only a signal ends it
        "environ = os.environ | guard.environ\n"
        "child = subprocess.Popen(sys.argv[2:], stdin=read_end, pass_fds=[write_end], env=environ)\n"
        "print(guard.pid, child.pid, flush=True)\n"
        "sys.stdin.readline()\n"
        f"{ending}\n"
    )
    command = [sys.executable, "-c", script, str(directory), *WAIT]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout is not None
        guard, child = (os.pidfd_open(int(pid)) for pid in owner.stdout.readline().split())
        assert owner.stdin is not None
        owner.stdin.write("\n")
        owner.stdin.flush()
        owner.wait()
        for pidfd in (child, guard):
            assert select.select([pidfd], [], [], 30)[0], "the process is still there"
            os.close(pidfd)
    assert not directory.exists()
