"""A process that cleans up after us when we cannot: it outlives a SIGKILL of its owner, and then ends what the owner
has started and removes the owner's directory.

    owner                                     guard (this file, run as a script)
      | -- starts it, keeps a pipe to it -----> |  waits
      | -- "d": all is cleaned up ------------> |  exits, touching nothing
      | x  end of file: the owner is dead       |  SIGKILL to every process of the owner, then removes the directory

The owner's processes are those that were started with `environ`, a variable that holds the directory's unique name:
they hand it on to their children, and it is there from their first moment. (Telling the guard a process id instead
leaves a gap between the start and the telling. Spark's launcher lets an interrupt fall into it, and what it has
started by then stays for ever.) A prctl(PR_SET_PDEATHSIG) would fire when the *thread* that started the child ends.

The guard has a session of its own: a Ctrl-C in the terminal is for the owner, and closing the terminal does not end it.
"""

from __future__ import annotations

import os
import select
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

_VARIABLE = "KWIRE_GUARDED_DIRECTORY"
_DISMISS = b"d"


class OrphanGuard:
    """Holds, until `dismiss`, that neither `directory` nor a process started with `environ` outlives this process."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.environ = {_VARIABLE: str(directory)}
        # -I -S: the script needs the standard library alone, and starts in a third of the time without the rest.
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", __file__, str(directory)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    @property
    def pid(self) -> int:
        """The guard's own process."""
        return self._process.pid

    def end_processes(self) -> None:
        """Kills what was started with `environ` and is still there. Children are left for their owner to wait for."""
        _end_processes(self.directory)

    def dismiss(self) -> None:
        """The owner has cleaned up itself: the guard ends and touches nothing. A second call does nothing."""
        if self._process.returncode is None:
            self._process.communicate(_DISMISS)  # ignores that the guard may have been ended by somebody


def _end_processes(directory: Path) -> None:
    while pidfds := _running_processes(directory):  # again, because one may have started another meanwhile
        for pidfd in pidfds:
            with suppress(ProcessLookupError):  # it has ended by itself
                signal.pidfd_send_signal(pidfd, signal.SIGKILL)
            select.select([pidfd], [], [])  # readable once the process has ended, and with it its work on the files
            os.close(pidfd)


def _running_processes(directory: Path) -> list[int]:
    """A pidfd for each process that has our variable. It stands for that process and never for a later one with the
    same number, so that nothing else can be hit."""
    mark = f"{_VARIABLE}={directory}".encode()
    found: list[int] = []
    for name in os.listdir("/proc"):
        if not name.isdecimal():
            continue
        try:
            pidfd = os.pidfd_open(int(name))
        except ProcessLookupError:
            continue
        try:
            # Empty for a process that has ended and was not waited for; not ours to read for those of other users.
            ours = mark in Path("/proc", name, "environ").read_bytes().split(b"\0")
        except OSError:
            ours = False
        if ours:
            found.append(pidfd)
        else:
            os.close(pidfd)
    return found


def _stand_guard(directory: Path) -> None:
    if sys.stdin.buffer.read(1) != _DISMISS:
        _end_processes(directory)
        shutil.rmtree(directory, ignore_errors=True)


if __name__ == "__main__":
    _stand_guard(Path(sys.argv[1]))
