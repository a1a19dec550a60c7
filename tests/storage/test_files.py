"""The real file system's own: bounded descriptors, pins, sendfile, locks against Apache Kafka, writeback."""

from __future__ import annotations

import errno
import fcntl
import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from kwire.errors import ErrorCode, UsageError
from kwire.storage import files as files_module
from kwire.storage.files import Access, FileRegion, RealFileSystem, StorageError


def open_descriptors(directory: Path) -> int:
    """What the kernel says, so that our own count is not believed blindly."""
    found = 0
    for name in os.listdir("/proc/self/fd"):
        try:
            found += os.readlink(f"/proc/self/fd/{name}").startswith(str(directory))
        except FileNotFoundError:
            continue
    return found


def test_the_number_of_open_descriptors_is_bounded(tmp_path: Path) -> None:
    files = RealFileSystem(open_files_max=4)
    many = [files.open(f"{tmp_path}/{n}", Access.CREATE) for n in range(20)]
    for turn in range(2):
        for n, file in enumerate(many):
            file.write(b"%d" % n)
            assert files.open_files == open_descriptors(tmp_path) <= 4
            assert file.read_at(99, 0) == b"%d" % n * (turn + 1)


def test_a_file_that_is_there_is_opened_at_first_use(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(b"12345")
    files = RealFileSystem()
    file = files.open(f"{tmp_path}/log", Access.READ)
    assert (file.size_bytes, files.open_files) == (5, 0)
    assert file.read_at(2, 1) == b"23"
    assert files.open_files == 1


def test_the_least_recently_used_goes_first(tmp_path: Path) -> None:
    files = RealFileSystem(open_files_max=2)
    a, b = (files.open(f"{tmp_path}/{name}", Access.CREATE) for name in "ab")
    held = a.pin().fileno()
    a.write(b"used last")
    files.open(f"{tmp_path}/c", Access.CREATE)
    assert a.pin().fileno() == held, "a was used after b, so b had to go"
    assert b.read_at(1, 0) == b""


def test_a_pinned_descriptor_is_not_closed_by_eviction(tmp_path: Path) -> None:
    files = RealFileSystem(open_files_max=1)
    file = files.open(f"{tmp_path}/a", Access.CREATE)
    file.write(b"content")
    pin = file.pin()
    fd = pin.fileno()
    for n in range(3):
        files.open(f"{tmp_path}/other{n}", Access.CREATE).write(b"x")
    assert os.pread(fd, 7, 0) == b"content"
    assert open_descriptors(tmp_path) == files.open_files == 2
    del pin
    assert open_descriptors(tmp_path) == files.open_files == 1


def test_sendfile_of_a_region_goes_on_after_the_file_is_removed(tmp_path: Path) -> None:
    files = RealFileSystem(open_files_max=1)
    file = files.open(f"{tmp_path}/a", Access.CREATE)
    file.write(b"header" + b"x" * 5000 + b"trailer")
    region = FileRegion(file, 6, 5000)
    near, far = socket.socketpair()
    with near, far:
        sent = region.send_to(near.fileno(), 0)
        file.remove()
        files.open(f"{tmp_path}/b", Access.CREATE)
        while sent < len(region):
            sent += region.send_to(near.fileno(), sent)
        near.shutdown(socket.SHUT_WR)
        assert b"".join(iter(lambda: far.recv(65536), b"")) == b"x" * 5000
    del region
    assert open_descriptors(tmp_path) == 1


def test_a_full_socket_is_not_a_storage_error(tmp_path: Path) -> None:
    files = RealFileSystem()
    file = files.open(f"{tmp_path}/a", Access.CREATE)
    file.write(bytes(1 << 22))
    region = FileRegion(file, 0, 1 << 22)
    near, far = socket.socketpair()
    with near, far:
        near.setblocking(False)
        sent = region.send_to(near.fileno(), 0)
        assert 0 < sent < len(region)
        with pytest.raises(BlockingIOError):
            region.send_to(near.fileno(), sent)
        far.close()
        with pytest.raises((BrokenPipeError, ConnectionResetError)):
            region.send_to(near.fileno(), sent)


def test_a_full_disk_is_a_storage_error_with_path_and_errno() -> None:
    file = RealFileSystem().open("/dev/full", Access.WRITE)
    with pytest.raises(StorageError) as caught:
        file.write(b"data")
    assert (caught.value.path, caught.value.errno) == ("/dev/full", errno.ENOSPC)
    assert caught.value.code is ErrorCode.KAFKA_STORAGE_ERROR
    assert file.size_bytes == 0


def test_short_writes_and_reads_are_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pwrite, pread, preadv = os.pwrite, os.pread, os.preadv
    monkeypatch.setattr(files_module, "_pwrite", lambda fd, data, position: pwrite(fd, data[:3], position))
    monkeypatch.setattr(files_module, "_pread", lambda fd, size, position: pread(fd, min(size, 4), position))
    monkeypatch.setattr(os, "preadv", lambda fd, views, position: preadv(fd, [views[0][:2]], position))
    file = RealFileSystem().open(f"{tmp_path}/a", Access.CREATE)
    file.write(memoryview(b"0123456789"))
    file.write_at(b"abcdefg", 8)
    assert file.size_bytes == 15
    assert file.read_at(100, 0) == b"01234567abcdefg"
    assert file.read_at(9, 1) == b"1234567ab"
    buffer = bytearray(7)
    assert file.read_into(buffer, 5) == 7
    assert buffer == b"567abcd"


def test_a_process_out_of_descriptors_gives_some_back_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = RealFileSystem(open_files_max=8)
    for n in range(8):
        files.open(f"{tmp_path}/{n}", Access.CREATE)
    real_open = os.open

    def scarce(path: str, flags: int, mode: int = 0o777) -> int:
        if open_descriptors(tmp_path) > 4:
            raise OSError(errno.EMFILE, "Too many open files")
        return real_open(path, flags, mode)

    monkeypatch.setattr(os, "open", scarce)
    files.open(f"{tmp_path}/one more", Access.CREATE).write(b"x")
    assert open_descriptors(tmp_path) <= 5


def test_threads_that_share_few_descriptors_read_the_right_files(tmp_path: Path) -> None:
    """Every read opens a file and closes another one: a number that is reused under a read would show foreign bytes."""
    files = RealFileSystem(open_files_max=2)
    many = [files.open(f"{tmp_path}/{n}", Access.CREATE) for n in range(8)]
    for n, file in enumerate(many):
        file.write(bytes([n]) * 5000)
    wrong: list[object] = []

    def read_all(first: int) -> None:
        try:
            for turn in range(400):
                n = (first + turn * 3) % len(many)
                if FileRegion(many[n], 1000, 3000).read() != bytes([n]) * 3000:
                    wrong.append(n)
        except OSError as error:
            wrong.append(error)

    threads = [threading.Thread(target=read_all, args=(first,)) for first in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert open_descriptors(tmp_path) == files.open_files <= 2 + len(threads)


def test_where_space_cannot_be_reserved_the_file_still_gets_its_length(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unsupported(fd: int, position: int, size_bytes: int) -> None:
        raise OSError(errno.EOPNOTSUPP, "not here")

    monkeypatch.setattr(os, "posix_fallocate", unsupported)
    file = RealFileSystem().open(f"{tmp_path}/a", Access.CREATE)
    file.write(b"data")
    file.allocate(100)
    assert (file.size_bytes, os.path.getsize(file.path)) == (4, 100)


def test_a_second_process_cannot_take_the_lock_and_a_closed_lock_is_free(tmp_path: Path) -> None:
    path = f"{tmp_path}/.lock"
    lock = RealFileSystem().lock(path)
    take = (
        "import sys; from kwire.storage.files import RealFileSystem as R; from kwire.errors import UsageError\n"
        "try: R().lock(sys.argv[1])\n"
        "except UsageError: sys.exit(7)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    assert subprocess.run([sys.executable, "-c", take, path], env=environment).returncode == 7
    lock.close()
    assert subprocess.run([sys.executable, "-c", take, path], env=environment).returncode == 0


def test_the_lock_is_one_that_a_java_broker_sees(tmp_path: Path) -> None:
    """FileChannel.tryLock takes a POSIX lock, which flock does not conflict with: another process must see ours."""
    path = f"{tmp_path}/.lock"
    lock = RealFileSystem().lock(path)
    posix = "import fcntl, sys; fcntl.lockf(open(sys.argv[1], 'r+'), fcntl.LOCK_EX | fcntl.LOCK_NB)"
    assert subprocess.run([sys.executable, "-c", posix, path], stderr=subprocess.DEVNULL).returncode == 1
    lock.close()
    assert subprocess.run([sys.executable, "-c", posix, path], stderr=subprocess.DEVNULL).returncode == 0


def test_a_lock_held_with_flock_alone_is_respected(tmp_path: Path) -> None:
    path = f"{tmp_path}/.lock"
    with open(path, "w") as holder:
        fcntl.flock(holder, fcntl.LOCK_EX)
        with pytest.raises(UsageError, match="another broker"):
            RealFileSystem().lock(path)


def test_writeback_is_started_or_falls_back_to_a_sync(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = RealFileSystem().open(f"{tmp_path}/a", Access.CREATE)
    file.write(bytes(10_000))
    file.start_writeback(0, 10_000)

    calls: list[tuple[int, int]] = []

    def fails(fd: int, position: int, size_bytes: int) -> None:
        calls.append((position, size_bytes))
        raise OSError(errno.EIO, "broken")

    monkeypatch.setattr(files_module, "_writeback", fails)
    with pytest.raises(StorageError):
        file.start_writeback(4096, 100)
    assert calls == [(4096, 100)]


def test_what_is_in_the_page_cache_is_seen_as_cached(tmp_path: Path) -> None:
    file = RealFileSystem().open(f"{tmp_path}/a", Access.CREATE)
    file.write(bytes(1 << 20))
    assert FileRegion(file, 100, (1 << 20) - 100).is_cached()
