"""The real files: the only place in storage that reaches the operating system.

Descriptors are opened on demand, and the least recently used are closed beyond `open_files_max`. Closing is by
reference count: whoever uses a descriptor (a write in progress, a region that is being sent, maybe in a worker thread)
holds the object, and only the last holder's letting go closes the number. That is the whole of pinning: no lock on the
hot path, and no number that is reused under a running system call.

What the methods promise is written at the protocols in `file_system`, whose names are importable from here too.
"""

from __future__ import annotations

import errno
import fcntl
import os
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from typing import ParamSpec, TypeVar

from kwire.errors import UsageError
from kwire.storage.file_system import (
    Access,
    Bytes,
    DiskUsage,
    File,
    FileLock,
    FileRegion,
    FileSystem,
    Pin,
    StorageError,
    disk_error,
)

__all__ = [
    "Access",
    "Bytes",
    "DiskUsage",
    "File",
    "FileLock",
    "FileRegion",
    "FileSystem",
    "Pin",
    "RealFileSystem",
    "StorageError",
]

P = ParamSpec("P")
R = TypeVar("R")

_FLAGS = {
    Access.READ: os.O_RDONLY,
    Access.WRITE: os.O_RDWR,
    Access.CREATE: os.O_RDWR | os.O_CREAT,
}

_PROBE_STEP_BYTES = 256 * 1024
_SYNC_FILE_RANGE_WRITE = 2

_pread = os.pread
_pwrite = os.pwrite
_sendfile = os.sendfile


class Descriptor:
    """An open file descriptor, closed when the last reference to this object goes. It is its own pin."""

    __slots__ = ("_live", "fd", "path")

    def __init__(self, path: str, flags: int, live: set[int]) -> None:
        self.fd = -1
        self.path = path
        self._live = live
        self.fd = os.open(path, flags | os.O_CLOEXEC, 0o644)
        live.add(self.fd)

    def __del__(self) -> None:
        if self.fd >= 0:
            # Out of the set first: once closed, another thread may be given the same number.
            self._live.discard(self.fd)
            with suppress(OSError):  # Nobody is there to hear it; what must be on disk was synced, and sync reports.
                os.close(self.fd)

    def fileno(self) -> int:
        return self.fd

    def read_at(self, size_bytes: int, position: int) -> bytes:
        try:
            data = _pread(self.fd, size_bytes, position)
            if len(data) == size_bytes or not data:
                return data
            # One read is short at the end of the file, and beyond 2 GiB - 4 kB.
            parts = [data]
            got = len(data)
            while got < size_bytes and (data := _pread(self.fd, size_bytes - got, position + got)):
                parts.append(data)
                got += len(data)
            return b"".join(parts)
        except OSError as error:
            raise disk_error(error, self.path) from error

    def send_to(self, socket_fd: int, position: int, size_bytes: int) -> int:
        try:
            return _sendfile(socket_fd, self.fd, position, size_bytes)
        except OSError as error:
            raise disk_error(error, self.path) from error

    def is_cached(self, position: int, size_bytes: int) -> bool:
        # One byte read with RWF_NOWAIT costs about a microsecond, fails with EAGAIN where the page cache would be
        # missed, and starts the read-ahead there. A hole between the probes costs a stall, not a wrong answer.
        probe = [bytearray(1)]
        last = position + size_bytes - 1
        try:
            for at in (*range(position, last, _PROBE_STEP_BYTES), max(position, last)):
                os.preadv(self.fd, probe, at, os.RWF_NOWAIT)
        except BlockingIOError:
            return False
        except OSError as error:
            if error.errno != errno.EOPNOTSUPP:  # tmpfs and the like have no disk to wait for
                raise disk_error(error, self.path) from error
        return True


class RealFile:
    """A file of the operating system. See `File`."""

    __slots__ = ("_closed", "_descriptor", "_flags", "_pool", "_removed", "_touch", "path", "size_bytes")

    def __init__(self, path: str, flags: int, pool: _DescriptorPool) -> None:
        self.path = path
        self._flags = flags & ~os.O_CREAT
        self._pool = pool
        self._touch = pool.touch
        self._descriptor: Descriptor | None = None
        self._closed = False
        self._removed = False
        try:
            # A file that is there costs one stat: a broker with 10,000 partitions opens what is used of them.
            self.size_bytes = os.stat(path).st_size
        except FileNotFoundError:
            if not flags & os.O_CREAT:
                raise
            self.size_bytes = 0
            self._open(os.O_CREAT)
        except OSError as error:
            raise disk_error(error, path) from error

    def __repr__(self) -> str:
        return f"RealFile({self.path!r}, size_bytes={self.size_bytes})"

    def write(self, data: Bytes) -> None:
        descriptor = self._descriptor or self._open()
        position = self.size_bytes
        try:
            written = _pwrite(descriptor.fd, data, position)
            if written != len(data):
                _write_rest(descriptor.fd, data, position, written)
        except OSError as error:
            raise disk_error(error, self.path) from error
        self.size_bytes = position + len(data)
        try:  # noqa: SIM105 (a try that does not raise is free, `suppress` takes 300 ns of every write)
            self._touch(self)
        except KeyError:
            pass  # Evicted by another thread during the write.

    def write_at(self, data: Bytes, position: int) -> None:
        descriptor = self._use()
        try:
            _write_rest(descriptor.fd, data, position, 0)
        except OSError as error:
            raise disk_error(error, self.path) from error
        self.size_bytes = max(self.size_bytes, position + len(data))

    def read_at(self, size_bytes: int, position: int) -> bytes:
        return self._use().read_at(size_bytes, position)

    def read_into(self, buffer: bytearray | memoryview, position: int) -> int:
        descriptor = self._use()
        view = memoryview(buffer)
        done = 0
        try:
            while done < len(view) and (count := os.preadv(descriptor.fd, [view[done:]], position + done)):
                done += count
        except OSError as error:
            raise disk_error(error, self.path) from error
        return done

    def truncate(self, size_bytes: int) -> None:
        descriptor = self._use()
        try:
            os.ftruncate(descriptor.fd, size_bytes)
        except OSError as error:
            raise disk_error(error, self.path) from error
        self.size_bytes = size_bytes

    def allocate(self, size_bytes: int) -> None:
        descriptor = self._use()
        if size_bytes <= self.size_bytes:
            return
        try:
            os.posix_fallocate(descriptor.fd, self.size_bytes, size_bytes - self.size_bytes)
        except OSError as error:
            if error.errno not in (errno.EOPNOTSUPP, errno.EINVAL):
                raise disk_error(error, self.path) from error
            # A file system that cannot reserve still gives the file its length, as Kafka does everywhere.
            os.ftruncate(descriptor.fd, size_bytes)

    def sync(self) -> None:
        descriptor = self._use()
        try:
            os.fdatasync(descriptor.fd)
        except OSError as error:
            raise disk_error(error, self.path) from error

    def start_writeback(self, position: int, size_bytes: int) -> None:
        descriptor = self._use()
        try:
            _start_writeback(descriptor.fd, position, size_bytes)
        except OSError as error:
            raise disk_error(error, self.path) from error

    def pin(self) -> Descriptor:
        return self._use()

    def rename(self, target: str) -> None:
        try:
            os.replace(self.path, target)
        except OSError as error:
            raise disk_error(error, self.path) from error
        self.path = target

    def remove(self) -> None:
        self._removed = True
        self.close()
        try:
            os.unlink(self.path)
        except FileNotFoundError:
            pass
        except OSError as error:
            raise disk_error(error, self.path) from error

    def close(self) -> None:
        self._closed = True
        self._pool.drop(self)

    def _use(self) -> Descriptor:
        descriptor = self._descriptor or self._open()
        try:  # noqa: SIM105 (as in write)
            self._touch(self)
        except KeyError:
            pass  # Evicted by another thread just now; the descriptor is good while we hold it.
        return descriptor

    def _open(self, extra_flags: int = 0) -> Descriptor:
        if self._removed:
            # Not opened again: another file may have the name by now.
            raise FileNotFoundError(errno.ENOENT, "the file was removed", self.path)
        if self._closed:
            raise ValueError(f"{self.path} is closed")
        return self._pool.open(self, self._flags | extra_flags)

    def let_go(self) -> None:
        """For the pool: the descriptor is closed once nobody uses it any more."""
        self._descriptor = None

    def take(self, descriptor: Descriptor) -> None:
        """For the pool: the descriptor to use from now on."""
        self._descriptor = descriptor


class _DescriptorPool:
    """The open descriptors, least recently used first, and no more of them than allowed."""

    __slots__ = ("_files", "_live", "_open_files_max", "touch")

    def __init__(self, open_files_max: int) -> None:
        assert open_files_max > 0
        self._open_files_max = open_files_max
        self._files: OrderedDict[RealFile, None] = OrderedDict()
        self._live: set[int] = set()
        # One C call of 35 ns, atomic under the interpreter's lock: exact least-recently-used order costs no more.
        self.touch: Callable[[RealFile], None] = self._files.move_to_end

    @property
    def open_files(self) -> int:
        return len(self._live)

    def open(self, file: RealFile, flags: int) -> Descriptor:
        self._evict(self._open_files_max - 1)
        while True:
            path = file.path
            try:
                descriptor = Descriptor(path, flags, self._live)
                break
            except FileNotFoundError:
                if path == file.path:  # else another thread renamed it meanwhile
                    raise
            except OSError as error:
                if error.errno not in (errno.EMFILE, errno.ENFILE) or not self._files:
                    raise disk_error(error, path) from error
                self._evict(self.open_files // 2)  # the process ran out before we reached our own limit
        file.take(descriptor)
        self._files[file] = None
        return descriptor

    def drop(self, file: RealFile) -> None:
        self._files.pop(file, None)
        file.let_go()

    def _evict(self, keep: int) -> None:
        """Close down to `keep` descriptors; those in use go as soon as they are not."""
        while len(self._live) > keep:
            try:
                file, _ = self._files.popitem(last=False)
            except KeyError:
                return
            file.let_go()


class _RealFileLock:
    __slots__ = ("_descriptor",)

    def __init__(self, descriptor: Descriptor) -> None:
        self._descriptor: Descriptor | None = descriptor

    def close(self) -> None:
        self._descriptor = None


class RealFileSystem:
    """The operating system's files. See `FileSystem`.

    `open_files_max` bounds the descriptors that are kept open. Regions that are being sent hold theirs beyond the
    bound, so leave room for them, and for sockets, below the process's own limit.
    """

    __slots__ = ("_pool",)

    def __init__(self, open_files_max: int = 4096) -> None:
        self._pool = _DescriptorPool(open_files_max)

    @property
    def open_files(self) -> int:
        """How many descriptors of files are open now, those in use included."""
        return self._pool.open_files

    def open(self, path: str, access: Access) -> RealFile:
        return RealFile(path, _FLAGS[access], self._pool)

    def rename(self, source: str, target: str) -> None:
        _guarded(source, os.replace, source, target)

    def remove(self, path: str) -> None:
        _guarded(path, os.unlink, path)

    def remove_directory(self, path: str) -> None:
        _guarded(path, os.rmdir, path)

    def make_directory(self, path: str) -> None:
        _guarded(path, os.makedirs, path, 0o755, True)

    def list_directory(self, path: str) -> list[str]:
        return sorted(_guarded(path, os.listdir, path))

    def exists(self, path: str) -> bool:
        return os.path.exists(path)

    def is_directory(self, path: str) -> bool:
        return os.path.isdir(path)

    def modified_ms(self, path: str) -> int:
        return _guarded(path, os.stat, path).st_mtime_ns // 1_000_000

    def set_modified_ms(self, path: str, modified_ms: int) -> None:
        modified_ns = modified_ms * 1_000_000
        _guarded(path, os.utime, path, ns=(modified_ns, modified_ns))

    def sync_directory(self, path: str) -> None:
        fd = _guarded(path, os.open, path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            _guarded(path, os.fsync, fd)
        finally:
            os.close(fd)

    def disk_usage(self, path: str) -> DiskUsage:
        found = _guarded(path, os.statvfs, path)
        return DiskUsage(found.f_blocks * found.f_frsize, found.f_bavail * found.f_frsize)

    def lock(self, path: str) -> FileLock:
        descriptor = _guarded(path, Descriptor, path, os.O_RDWR | os.O_CREAT, set[int]())
        try:
            # Two kinds, which do not see each other on Linux: flock keeps out a second instance even in this
            # process, the POSIX lock keeps out Apache Kafka, whose FileChannel.tryLock takes that kind.
            fcntl.flock(descriptor.fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            fcntl.lockf(descriptor.fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in (errno.EAGAIN, errno.EACCES):
                raise UsageError(f"{path} is locked", "another broker uses this data directory") from None
            raise disk_error(error, path) from error
        return _RealFileLock(descriptor)


def _guarded(path: str, call: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    try:
        return call(*args, **kwargs)
    except OSError as error:
        raise disk_error(error, path) from error


def _write_rest(fd: int, data: Bytes, position: int, written: int) -> None:
    """Write what is missing after `written` bytes: a disk that fills up, or a signal, cuts a write short."""
    view = memoryview(data)
    while written < len(view):
        written += _pwrite(fd, view[written:], position + written)


def _find_start_writeback() -> Callable[[int, int, int], None]:
    """The way to start writeback on this system.

    sync_file_range is the call made for it and is not in the standard library's os. posix_fadvise(DONTNEED) also
    starts writeback, but throws clean pages out of the cache, which consumers at the tail are about to read. Where
    the C library lacks the call, fdatasync does the work and more; it is called from a worker in any case.
    """
    import ctypes  # here, since only brokers that write a lot need its 10 ms of import

    libc = ctypes.CDLL(None, use_errno=True)
    try:
        sync_file_range = libc.sync_file_range
    except AttributeError:
        return lambda fd, position, size_bytes: os.fdatasync(fd)
    sync_file_range.argtypes = [ctypes.c_int, ctypes.c_int64, ctypes.c_int64, ctypes.c_uint]
    sync_file_range.restype = ctypes.c_int

    def start(fd: int, position: int, size_bytes: int) -> None:
        if sync_file_range(fd, position, size_bytes, _SYNC_FILE_RANGE_WRITE) != 0:
            error = ctypes.get_errno()
            if error in (errno.ENOSYS, errno.EINVAL, errno.ESPIPE):
                os.fdatasync(fd)
            else:
                raise OSError(error, os.strerror(error))

    return start


_writeback: Callable[[int, int, int], None] | None = None


def _start_writeback(fd: int, position: int, size_bytes: int) -> None:
    global _writeback
    if _writeback is None:
        _writeback = _find_start_writeback()
    _writeback(fd, position, size_bytes)
