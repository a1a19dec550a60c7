"""A file system in memory that can lose power, lose the process, fill up, break, and say how often it was asked.

It keeps the contract of `kwire.storage.file_system`, and records every change, so that one run of a history is enough
to look at the disk after a crash at each of its operations:

    files = FakeFileSystem()
    ...                                             # the history
    for operation in files.crash_points():
        survivor = files.crash(Random(seed), operation)   # power loss: unsynced changes may be gone, torn, reordered
        survivor = files.kill(operation)                  # the process died: all that was written is there

Survivors are file systems like any other: a history can crash again during its recovery. Nothing here is random but
through the generator that is passed in.
"""

from __future__ import annotations

import errno
import os
import posixpath
from collections import Counter
from collections.abc import Callable
from random import Random

from kwire.errors import UsageError
from kwire.storage.file_system import Access, Bytes, DiskUsage, FileLock, disk_error
from kwire.testing.fake_disk import FakeDisk

_READS = frozenset({"open", "read", "list", "stat", "disk_usage"})
_ENDLESS_BYTES = 1 << 40
_FULL_OR_READ_ONLY = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS})


class FakeFileSystem:
    """The faulty file system. `operations` counts what was asked of it, `counts` the same by kind.

    Kinds: open create write truncate allocate sync writeback read rename remove make_directory remove_directory list
    stat set_modified sync_directory disk_usage lock.
    """

    def __init__(self, *, capacity_bytes: int | None = None) -> None:
        self.capacity_bytes = capacity_bytes
        self.now_ms = 0
        self.operations = 0
        self.counts: Counter[str] = Counter()
        self._start(FakeDisk())

    def _start(self, disk: FakeDisk) -> None:
        self._first = disk.copy()
        self._disk = disk
        self._journal: list[tuple[int, Callable[[FakeDisk], None]]] = []
        self._failures: dict[int, int] = {}
        self._broken: dict[str, int] = {}
        self._locked: set[str] = set()

    # Faults.

    def fail(self, at_operation: int, error: int) -> None:
        """Let the operation of that number (the next one is `operations + 1`) fail with this errno.

        Of a write that fails, the first half has arrived. A sync that fails has dropped what it was to write: it is
        still visible, and will never be durable.
        """
        assert at_operation > self.operations, "that operation is over"
        self._failures[at_operation] = error

    def break_under(self, path: str, error: int) -> None:
        """Let everything below `path` fail with this errno, from now on. A full or read-only disk is still read."""
        self._broken[path] = error

    def repair(self, path: str) -> None:
        """Undo `break_under`."""
        del self._broken[path]

    def crash_points(self) -> list[int]:
        """The numbers of the operations that changed something, and 0 for the time before the first."""
        return [0, *(operation for operation, _ in self._journal)]

    def crash(self, rng: Random, at_operation: int | None = None, *, bit_flips: int = 0) -> FakeFileSystem:
        """A file system as it may be found after the power went right after that operation (default: now).

        `bit_flips` bits are flipped in what was written to each file and not synced.
        """
        return self._survivor(self._disk_at(at_operation).after_power_loss(rng, bit_flips))

    def kill(self, at_operation: int | None = None) -> FakeFileSystem:
        """A file system as a new process finds it, if the old one ended right after that operation (default: now).

        Nothing is lost, and what was not synced still is not.
        """
        return self._survivor(self._disk_at(at_operation))

    def _disk_at(self, at_operation: int | None) -> FakeDisk:
        if at_operation is None:
            return self._disk.copy()
        disk = self._first.copy()
        for operation, change in self._journal:
            if operation > at_operation:
                break
            change(disk)
        return disk

    def _survivor(self, disk: FakeDisk) -> FakeFileSystem:
        survivor = FakeFileSystem(capacity_bytes=self.capacity_bytes)
        survivor.now_ms = self.now_ms
        survivor._start(disk)
        return survivor

    # The contract.

    def open(self, path: str, access: Access) -> FakeFile:
        if access is Access.CREATE and self._disk.find(path) is None:
            now_ms = self.now_ms
            self.change("create", path, lambda disk: disk.create(path, now_ms))
        else:
            self.ask("open", path)
        return FakeFile(self, path, self._disk.file(path), access)

    def rename(self, source: str, target: str) -> None:
        self.change("rename", source, lambda disk: disk.rename(source, target))

    def remove(self, path: str) -> None:
        self.change("remove", path, lambda disk: disk.remove(path))

    def remove_directory(self, path: str) -> None:
        self.change("remove_directory", path, lambda disk: disk.remove_directory(path))

    def make_directory(self, path: str) -> None:
        found = self._disk.find(path)
        if found is None:
            self.make_directory(posixpath.dirname(path.rstrip("/")))
            self.change("make_directory", path, lambda disk: disk.make_directory(path))
        elif found not in self._disk.directories:
            raise FileExistsError(errno.EEXIST, "File exists", path)

    def list_directory(self, path: str) -> list[str]:
        self.ask("list", path)
        return sorted(self._disk.directory(path).visible)

    def exists(self, path: str) -> bool:
        return self._disk.find(path) is not None

    def is_directory(self, path: str) -> bool:
        return self._disk.find(path) in self._disk.directories

    def modified_ms(self, path: str) -> int:
        self.ask("stat", path)
        return self._disk.files[self._disk.file(path)].modified_ms

    def set_modified_ms(self, path: str, modified_ms: int) -> None:
        def change(disk: FakeDisk) -> None:
            disk.files[disk.file(path)].modified_ms = modified_ms

        self.change("set_modified", path, change)

    def sync_directory(self, path: str) -> None:
        self.change("sync_directory", path, lambda disk: disk.sync_directory(path))

    def disk_usage(self, path: str) -> DiskUsage:
        self.ask("disk_usage", path)
        return DiskUsage(self.capacity_bytes or _ENDLESS_BYTES, self.free_bytes())

    def lock(self, path: str) -> FileLock:
        if path in self._locked:
            raise UsageError(f"{path} is locked", "another broker uses this data directory")
        self.open(path, Access.CREATE).close()
        self.ask("lock", path)
        self._locked.add(path)
        return _FakeFileLock(self._locked, path)

    # For FakeFile.

    def ask(self, kind: str, path: str) -> None:
        """Count an operation, and fail it if that was wished for."""
        error = self._count(kind, path)
        if error:
            raise disk_error(OSError(error, os.strerror(error), path), path)

    def change(self, kind: str, path: str, change: Callable[[FakeDisk], None]) -> None:
        """Count an operation and apply it, here and in every replay."""
        self.ask(kind, path)
        change(self._disk)
        self._journal.append((self.operations, change))

    def write(self, path: str, number: int, data: bytes, position: int) -> None:
        error = self._count("write", path)
        arrived = data
        if error:
            arrived = data[: len(data) // 2]
        else:
            growth = position + len(data) - len(self._disk.files[number].visible)
            missing = growth - self.free_bytes() if growth > 0 else 0
            if missing > 0:
                error = errno.ENOSPC
                arrived = data[: max(0, len(data) - missing)]

        now_ms = self.now_ms

        def change(disk: FakeDisk) -> None:
            disk.files[number].change((position, arrived))
            disk.files[number].modified_ms = now_ms

        if arrived:
            change(self._disk)
            self._journal.append((self.operations, change))
        if error:
            raise disk_error(OSError(error, os.strerror(error), path), path)

    def sync(self, path: str, number: int) -> None:
        error = self._count("sync", path)

        def drop(disk: FakeDisk) -> None:
            disk.files[number].changes.clear()

        def write_out(disk: FakeDisk) -> None:
            disk.files[number].sync()

        change = drop if error else write_out
        change(self._disk)
        self._journal.append((self.operations, change))
        if error:
            raise disk_error(OSError(error, os.strerror(error), path), path)

    def read(self, path: str, number: int, size_bytes: int, position: int) -> bytes:
        self.ask("read", path)
        return bytes(self._disk.files[number].visible[position : position + size_bytes])

    def file_size(self, number: int) -> int:
        return len(self._disk.files[number].visible)

    def free_bytes(self) -> int:
        if self.capacity_bytes is None:
            return _ENDLESS_BYTES
        return max(0, self.capacity_bytes - self._disk.used_bytes())

    def _count(self, kind: str, path: str) -> int:
        """The errno to fail with, or 0."""
        self.operations += 1
        self.counts[kind] += 1
        error = self._failures.get(self.operations, 0)
        for broken, its_error in self._broken.items():
            below = path == broken or path.startswith(broken.rstrip("/") + "/")
            if below and not (kind in _READS and its_error in _FULL_OR_READ_ONLY):
                error = its_error
        return error


class FakeFile:
    """A file of a `FakeFileSystem`. See `kwire.storage.file_system.File`."""

    def __init__(self, files: FakeFileSystem, path: str, number: int, access: Access) -> None:
        self._files = files
        self._number = number
        self._access = access
        self._closed = False
        self._removed = False
        self.path = path
        self.size_bytes = files.file_size(number)

    def write(self, data: Bytes) -> None:
        position = self.size_bytes
        self._to_write()
        self._files.write(self.path, self._number, bytes(data), position)
        self.size_bytes = position + len(data)

    def write_at(self, data: Bytes, position: int) -> None:
        self._to_write()
        self._files.write(self.path, self._number, bytes(data), position)
        self.size_bytes = max(self.size_bytes, position + len(data))

    def read_at(self, size_bytes: int, position: int) -> bytes:
        self._to_use()
        return self._files.read(self.path, self._number, size_bytes, position)

    def read_into(self, buffer: bytearray | memoryview, position: int) -> int:
        data = self.read_at(len(buffer), position)
        buffer[: len(data)] = data
        return len(data)

    def truncate(self, size_bytes: int) -> None:
        self._to_write()
        number = self._number
        self._files.change("truncate", self.path, lambda disk: disk.files[number].change(size_bytes))
        self.size_bytes = size_bytes

    def allocate(self, size_bytes: int) -> None:
        self._to_write()
        number = self._number
        if size_bytes > self._files.file_size(number):
            if size_bytes - self._files.file_size(number) > self._files.free_bytes():
                raise disk_error(OSError(errno.ENOSPC, "No space left on device"), self.path)
            self._files.change("allocate", self.path, lambda disk: disk.files[number].change(size_bytes))

    def sync(self) -> None:
        self._to_use()
        self._files.sync(self.path, self._number)

    def start_writeback(self, position: int, size_bytes: int) -> None:
        self._to_use()
        self._files.ask("writeback", self.path)

    def pin(self) -> FakePin:
        self._to_use()
        return FakePin(self._files, self.path, self._number)

    def rename(self, target: str) -> None:
        self._files.rename(self.path, target)
        self.path = target

    def remove(self) -> None:
        self._removed = True
        self.close()
        if self._files.exists(self.path):
            self._files.remove(self.path)

    def close(self) -> None:
        self._closed = True

    def _to_use(self) -> None:
        if self._removed:
            raise FileNotFoundError(errno.ENOENT, "the file was removed", self.path)
        if self._closed:
            raise ValueError(f"{self.path} is closed")

    def _to_write(self) -> None:
        self._to_use()
        if self._access is Access.READ:
            raise OSError(errno.EBADF, "Bad file descriptor", self.path)


class FakePin:
    """Keeps nothing: files of a fake disk are never gone while someone knows their number."""

    def __init__(self, files: FakeFileSystem, path: str, number: int) -> None:
        self._files = files
        self._path = path
        self._number = number

    def fileno(self) -> int:
        raise OSError(errno.EBADF, "a fake file has no descriptor", self._path)

    def read_at(self, size_bytes: int, position: int) -> bytes:
        return self._files.read(self._path, self._number, size_bytes, position)

    def send_to(self, socket_fd: int, position: int, size_bytes: int) -> int:
        return os.write(socket_fd, self.read_at(size_bytes, position))

    def is_cached(self, position: int, size_bytes: int) -> bool:
        return True


class _FakeFileLock:
    def __init__(self, locked: set[str], path: str) -> None:
        self._locked = locked
        self._path = path

    def close(self) -> None:
        self._locked.discard(self._path)
