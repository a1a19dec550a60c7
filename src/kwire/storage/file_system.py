"""What storage asks of an operating system: a small file system as a protocol, its one error, and regions of files.

Everything in storage works on `FileSystem` and `File` as declared here. The real one is in `files`; a faulty disk in
memory (`kwire.testing.fake_files`) can take its place, and one contract test runs on both.

What both hold true:

- A `File` remembers where its data ends (`size_bytes`) and writes by position. A write that failed half way leaves
  the end where it was: the next one overwrites what was torn, and nobody reads past the end.
- A `File` outlives its descriptor, and its content outlives its removal for whoever holds a `Pin`.
- An `OSError` that means the disk is bad leaves as `StorageError`, with the path and the errno: the log directory is
  then taken offline. After a failed sync the kernel may have dropped the pages, so a sync is never tried again.
  Other errors (a missing file, a full socket) stay what they are.

Every method may be called from any thread; two threads writing to one file at a time is the caller's mistake.
"""

from __future__ import annotations

import errno
from enum import Enum, auto
from typing import NamedTuple, Protocol

from kwire.errors import BrokerError, ErrorCode

Bytes = bytes | bytearray | memoryview
"""What can be written: contiguous bytes (a memoryview has format B)."""

DISK_ERRORS = frozenset(
    {
        errno.EIO,
        errno.ENOSPC,
        errno.EROFS,
        errno.EDQUOT,
        errno.EFBIG,
        errno.EACCES,
        errno.EPERM,
        errno.ENXIO,
        errno.ENODEV,
        errno.ENOMEDIUM,
        errno.EREMOTEIO,
        errno.ESTALE,
        errno.EUCLEAN,  # ext4 and xfs: the file system's own structures are damaged
        errno.EBADMSG,  # ext4 and xfs: a checksum of theirs does not match
    }
)
"""The errors after which a log directory is not to be trusted."""


class StorageError(BrokerError):
    """The disk under a path failed. Clients are told KAFKA_STORAGE_ERROR, the log directory goes offline."""

    def __init__(self, path: str, error: int) -> None:
        super().__init__(ErrorCode.KAFKA_STORAGE_ERROR, f"{path}: {errno.errorcode.get(error, error)}")
        self.path = path
        self.errno = error


def disk_error(error: OSError, path: str) -> Exception:
    """What to raise in place of `error`: a `StorageError` if the disk is to blame, else the error itself."""
    return StorageError(path, error.errno) if error.errno in DISK_ERRORS else error


class Access(Enum):
    """How a file is opened. Reading is always possible."""

    READ = auto()
    WRITE = auto()
    CREATE = auto()
    """Write, and make an empty file if there is none. Durable once the directory is synced."""


class DiskUsage(NamedTuple):
    """The disk under a directory."""

    total_bytes: int
    usable_bytes: int


class Pin(Protocol):
    """Something that keeps a file's bytes readable for as long as it is referred to."""

    def fileno(self) -> int:
        """The descriptor, good while this object lives."""
        ...

    def read_at(self, size_bytes: int, position: int) -> bytes:
        """As `File.read_at`."""
        ...

    def send_to(self, socket_fd: int, position: int, size_bytes: int) -> int:
        """Send from the file to a socket; how many bytes went. Raises `BlockingIOError` if the socket is full.

        0 means that the file ends before `position`: it was truncated after the region was handed out.
        """
        ...

    def is_cached(self, position: int, size_bytes: int) -> bool:
        """Whether reading there will probably not wait for the disk."""
        ...


class File(Protocol):
    """One file, by position. `size_bytes` is the end of its data, where `write` appends.

    Who renames a directory sets `path` of the open files in it.
    """

    path: str
    size_bytes: int

    def write(self, data: Bytes) -> None:
        """Append all of `data`."""
        ...

    def write_at(self, data: Bytes, position: int) -> None:
        """Write all of `data` at `position`; the end moves if the data reaches past it."""
        ...

    def read_at(self, size_bytes: int, position: int) -> bytes:
        """Up to `size_bytes` from `position`; fewer only where the file ends."""
        ...

    def read_into(self, buffer: bytearray | memoryview, position: int) -> int:
        """Fill `buffer` from `position`; how many bytes there were."""
        ...

    def truncate(self, size_bytes: int) -> None:
        """Make the file end at `size_bytes`: cut it, or extend it with zeros."""
        ...

    def allocate(self, size_bytes: int) -> None:
        """Reserve disk for `size_bytes` in all, as zeros behind the data. `size_bytes` of the file stays."""
        ...

    def sync(self) -> None:
        """Make the content durable. Waits for the disk: not for the event loop."""
        ...

    def start_writeback(self, position: int, size_bytes: int) -> None:
        """Ask the kernel to begin writing these bytes to disk. Promises nothing; may wait when the disk is behind."""
        ...

    def pin(self) -> Pin:
        """Keep the content readable, whatever happens to the file, while the returned object is referred to."""
        ...

    def rename(self, target: str) -> None:
        """Give the file another name in its directory, replacing what is there. Durable once that is synced."""
        ...

    def remove(self) -> None:
        """Close the file and remove it; one that is already gone is no error. Using it is `FileNotFoundError` then."""
        ...

    def close(self) -> None:
        """Let go of the descriptor. Nothing is synced. Closing twice is no error, using it afterwards is."""
        ...


class FileLock(Protocol):
    """A held lock."""

    def close(self) -> None:
        """Give the lock back."""
        ...


class FileSystem(Protocol):
    """What storage asks of an operating system. Paths are strings; names in a listing are sorted."""

    def open(self, path: str, access: Access) -> File:
        """A file. `FileNotFoundError` if it is missing and `access` does not create it."""
        ...

    def rename(self, source: str, target: str) -> None:
        """Give a file or directory another name in its directory, replacing a file that is there.

        An open `File` is moved by its own `rename`. Between directories no file system promises much after a crash,
        and nothing here needs it.
        """
        ...

    def remove(self, path: str) -> None:
        """Remove a file that nobody here has open; `FileNotFoundError` if there is none."""
        ...

    def remove_directory(self, path: str) -> None:
        """Remove an empty directory."""
        ...

    def make_directory(self, path: str) -> None:
        """Make a directory and those above it. One that is there is no error."""
        ...

    def list_directory(self, path: str) -> list[str]:
        """The names in a directory, sorted."""
        ...

    def exists(self, path: str) -> bool:
        """Whether a file or directory is there."""
        ...

    def is_directory(self, path: str) -> bool:
        """Whether a directory is there."""
        ...

    def modified_ms(self, path: str) -> int:
        """When the file was last modified, in milliseconds since 1970."""
        ...

    def set_modified_ms(self, path: str, modified_ms: int) -> None:
        """Set when the file was last modified: retention reads it of a segment without timestamps."""
        ...

    def sync_directory(self, path: str) -> None:
        """Make creations, renames and removals in the directory durable."""
        ...

    def disk_usage(self, path: str) -> DiskUsage:
        """The size of the disk under `path`, and what is free of it for us."""
        ...

    def lock(self, path: str) -> FileLock:
        """Lock the file at `path`, made if missing, for this one instance; `UsageError` if another holds it."""
        ...


class FileRegion:
    """A part of a file: what a fetch answers with, and what `sendfile` sends. Not to be changed after creation.

    The file is pinned from the first read or send, or from `pin`, until the region is dropped. A region that waits
    its turn holds no descriptor; the segment's file outlives that wait by file.delete.delay.ms.
    """

    __slots__ = ("_pin", "file", "position", "size_bytes")

    def __init__(self, file: File, position: int, size_bytes: int) -> None:
        self.file = file
        self.position = position
        self.size_bytes = size_bytes
        self._pin: Pin | None = None

    def __len__(self) -> int:
        return self.size_bytes

    def __repr__(self) -> str:
        return f"FileRegion({self.file.path!r}, position={self.position}, size_bytes={self.size_bytes})"

    def pin(self) -> Pin:
        """Keep the file readable while this region is referred to."""
        pin = self._pin
        if pin is None:
            pin = self._pin = self.file.pin()
        return pin

    def send_to(self, socket_fd: int, sent_bytes: int) -> int:
        """Send on from `sent_bytes` into the region; how many bytes went. As `Pin.send_to`."""
        pin = self._pin or self.pin()
        return pin.send_to(socket_fd, self.position + sent_bytes, self.size_bytes - sent_bytes)

    def is_cached(self) -> bool:
        """Whether sending the region will probably not wait for the disk; if it may, send it from a worker."""
        return self.pin().is_cached(self.position, self.size_bytes)

    def read(self) -> bytes:
        """The bytes, copied: for TLS, for tests and for who looks into the records."""
        return self.pin().read_at(self.size_bytes, self.position)
