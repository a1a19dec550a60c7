"""A process that cleans up after us when we cannot: it outlives a SIGKILL of its owner, and then ends the owner's
processes and removes the owner's directory.

    owner                                     guard (this file, run as a script)
      | -- socket pair, start ----------------> |  waits
      | -- "w" and a pidfd, per process ------> |  remembers
      | -- "d": all is cleaned up ------------> |  exits, touching nothing
      | x  end of file: the owner is dead       |  SIGKILL through every pidfd, then removes the directory

A pidfd stands for one process and never for a later one with the same number, so that nothing else can be hit. The
guard has a session of its own: a Ctrl-C in the terminal is for the owner, and closing the terminal ends it not.
A prctl(PR_SET_PDEATHSIG) in the child would be shorter, but it fires when the *thread* that started the child ends,
and it removes no directory.
"""

from __future__ import annotations

import os
import select
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

_WATCH, _DISMISS = b"w", b"d"


class OrphanGuard:
    """Holds, until `dismiss`, that neither `directory` nor a watched process outlives this Python process."""

    def __init__(self, directory: Path) -> None:
        self._socket, theirs = socket.socketpair()
        with theirs:
            # -I -S: the script needs the standard library alone, and starts in a third of the time without the rest.
            command = [sys.executable, "-I", "-S", __file__, str(directory)]
            self._process = subprocess.Popen(
                command,
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )

    @property
    def pid(self) -> int:
        """The guard's own process."""
        return self._process.pid

    def watch(self, pid: int) -> None:
        """Adds a process, which must be a child of ours that has not been waited for yet."""
        pidfd = os.pidfd_open(pid)
        try:
            socket.send_fds(self._socket, [_WATCH], [pidfd])
        finally:
            os.close(pidfd)

    def dismiss(self) -> None:
        """The owner has cleaned up itself: the guard ends and touches nothing. A second call does nothing."""
        if self._process.returncode is None:
            with suppress(BrokenPipeError):  # somebody ended the guard: there is nothing left to dismiss
                self._socket.sendall(_DISMISS)
            self._process.wait()
            self._socket.close()


def _stand_guard(directory: Path, owner: socket.socket) -> None:
    pidfds: list[int] = []
    while True:
        message, received, _flags, _address = socket.recv_fds(owner, 1, 1)
        pidfds += received
        if message == _DISMISS:
            return
        if not message:
            break
    for pidfd in pidfds:
        try:
            signal.pidfd_send_signal(pidfd, signal.SIGKILL)
        except ProcessLookupError:
            continue  # it had ended already
        select.select([pidfd], [], [])  # readable once the process is gone, and with it its open files
    shutil.rmtree(directory, ignore_errors=True)


if __name__ == "__main__":
    _stand_guard(Path(sys.argv[1]), socket.socket(fileno=0))
