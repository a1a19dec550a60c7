"""Group fsync: how many appends share one, and what follows from one that fails."""

from __future__ import annotations

import errno
import threading
from collections.abc import Awaitable, Callable

import trio
import trio.testing

from batches import TIMESTAMP_MS, batch
from broker_fixture import HandlerBroker
from kwire.errors import ErrorCode
from kwire.server.flusher import Flusher
from kwire.storage.files import StorageError
from kwire.testing.fake_files import FakeFileSystem
from server_fixture import until


class SlowDisk(FakeFileSystem):
    """A disk whose syncs wait until they are let through."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = threading.Event()
        self.gate.set()
        self.syncing = 0

    def sync(self, path: str, number: int) -> None:
        self.syncing += 1
        assert self.gate.wait(20)
        super().sync(path, number)


class Setting:
    def __init__(self, *log_dirs: str) -> None:
        self.disk = SlowDisk()
        self.failures: list[StorageError] = []
        self.flusher = Flusher(lambda: TIMESTAMP_MS, self.failed)
        self.broker = HandlerBroker(
            {"log.flush.interval.messages": "1"},
            files=self.disk,
            log_dirs=log_dirs or ("/data",),
            flush_soon=lambda partition: self.flusher.flush_soon(partition),
        )
        self.told: list[tuple[str, ErrorCode]] = []

    def failed(self, error: StorageError) -> None:
        self.failures.append(error)
        self.broker.context.storage_failed(error)

    def append(self, value: str, index: int = 0) -> None:
        partition = self.broker.partition("t", index)
        info = partition.append(memoryview(bytearray(batch(value))), TIMESTAMP_MS)
        partition.when_flushed(info.last_offset + 1, lambda code: self.told.append((value, code)))


def run(scenario: Callable[[Setting], Awaitable[None]], *log_dirs: str, partitions: int = 1) -> None:
    async def main() -> None:
        setting = Setting(*log_dirs)
        setting.broker.create_topic("t", partitions)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(setting.flusher.run)
            try:
                await scenario(setting)
            finally:
                setting.disk.gate.set()
                nursery.cancel_scope.cancel()

    trio.run(main)


def test_all_appends_that_wait_at_one_moment_share_one_sync() -> None:
    async def scenario(setting: Setting) -> None:
        disk = setting.disk
        setting.append("a new log has more to sync")
        await until(lambda: setting.told)
        setting.told.clear()
        disk.gate.clear()
        before = disk.syncing
        setting.append("first")
        await until(lambda: disk.syncing > before)
        for number in range(50):
            setting.append(str(number))
        assert setting.told == []
        disk.gate.set()
        await until(lambda: len(setting.told) == 51)
        assert setting.told == [("first", 0), *((str(number), 0) for number in range(50))]
        assert disk.syncing - before == 2  # one for the first, one for the fifty that came while it ran
        assert setting.broker.partition("t").log.high_watermark == 52

    run(scenario)


def test_each_partition_is_told_of_its_own_sync() -> None:
    async def scenario(setting: Setting) -> None:
        for index in range(3):
            setting.append(f"p{index}", index)
        await until(lambda: len(setting.told) == 3)
        assert {code for _, code in setting.told} == {ErrorCode.NONE}

    run(scenario, partitions=3)


def test_a_sync_that_fails_takes_its_directory_offline_and_tells_who_waited() -> None:
    async def scenario(setting: Setting) -> None:
        broker = setting.broker
        homes = [broker.partition("t", index).log.directory.split("/")[1] for index in range(2)]
        assert set(homes) == {"one", "two"}
        for index in range(2):
            setting.append(homes[index], index)
        setting.disk.break_under("/one", errno.EIO)
        await until(lambda: len(setting.told) == 2)
        assert sorted(setting.told) == [("one", ErrorCode.KAFKA_STORAGE_ERROR), ("two", ErrorCode.NONE)]
        assert len(setting.failures) == 1
        assert broker.context.partitions.get("t", homes.index("one")) is None
        setting.append("still", homes.index("two"))
        await until(lambda: len(setting.told) == 3)

    run(scenario, "/one", "/two", partitions=2)


def test_a_sync_that_fails_for_an_unlisted_reason_is_one_of_the_disk_too() -> None:
    async def scenario(setting: Setting) -> None:
        setting.append("a")
        setting.disk.break_under("/data", errno.ENOTDIR)
        await until(lambda: setting.told)
        assert setting.told == [("a", ErrorCode.KAFKA_STORAGE_ERROR)]
        assert [error.path for error in setting.failures] == ["/data/t-0"]

    run(scenario)


def test_a_partition_that_is_closed_while_its_sync_runs_tells_nobody_twice() -> None:
    async def scenario(setting: Setting) -> None:
        setting.disk.gate.clear()
        setting.append("a")
        await until(lambda: setting.disk.syncing)
        partition = setting.broker.partition("t")
        setting.broker.context.partitions.remove_topic(partition.topic_id)
        setting.flusher.flush_soon(partition)
        setting.disk.gate.set()
        await trio.testing.wait_all_tasks_blocked(0.05)
        assert setting.told == [("a", ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)]

    run(scenario)
