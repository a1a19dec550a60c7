"""What a broker does by itself, on a clock that jumps."""

from __future__ import annotations

import errno
import logging
from collections.abc import Awaitable, Callable

import pytest
import trio
import trio.testing

from batches import batch
from broker_fixture import HandlerBroker
from kwire.protocol.messages.delete_topics_request import DeleteTopicsRequest
from kwire.server.housekeeping import Housekeeping
from kwire.server.turn import Turn
from kwire.storage import checkpoints
from server_fixture import until

PROPERTIES = {
    "log.retention.check.interval.ms": "300000",
    "log.flush.offset.checkpoint.interval.ms": "60000",
    "log.cleaner.dedupe.buffer.size": "1048576",
}


class Setting:
    def __init__(self, clock: trio.testing.MockClock, log_dirs: tuple[str, ...]) -> None:
        self.broker = HandlerBroker(PROPERTIES, log_dirs=log_dirs)
        self.clock = clock
        self.checkpoint_turn, self.cleaning_turn = Turn(), Turn()
        self.housekeeping = Housekeeping(
            self.broker.context, self.broker.context.logs, self.checkpoint_turn, self.cleaning_turn
        )

    def append(self, topic: str, value: str, key: bytes = b"k") -> None:
        data = memoryview(bytearray(batch(value, key=key, timestamp_ms=self.broker.now_ms)))
        self.broker.partition(topic).append(data, self.broker.now_ms)

    async def pass_time(self, seconds: float) -> None:
        """Both clocks go on, and what is due is begun."""
        self.broker.now_ms += int(seconds * 1000)
        self.clock.jump(seconds)
        await trio.testing.wait_all_tasks_blocked(0.01)


def run(scenario: Callable[[Setting], Awaitable[None]], *log_dirs: str) -> None:
    clock = trio.testing.MockClock()

    async def main() -> None:
        setting = Setting(clock, log_dirs or ("/data",))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(setting.housekeeping.run)
            await trio.testing.wait_all_tasks_blocked()
            await scenario(setting)
            nursery.cancel_scope.cancel()

    trio.run(main, clock=clock)


def test_old_records_are_removed_and_so_are_their_files_and_deleted_topics() -> None:
    async def scenario(setting: Setting) -> None:
        broker = setting.broker
        broker.create_topic("t", 1, {"retention.ms": "1000", "segment.bytes": str(1 << 20)})
        broker.create_topic("gone")
        for _ in range(3):
            setting.append("t", "x" * 600_000)
        broker.ask(DeleteTopicsRequest(topic_names=["gone"], timeout_ms=1), 5)
        await setting.pass_time(301)
        log = broker.partition("t").log
        await until(lambda: log.log_start_offset == 3)
        assert any(".deleted" in name for name in broker.files.list_directory("/data/t-0"))
        while any(".deleted" in name for name in broker.files.list_directory("/data/t-0")):
            await setting.pass_time(301)  # not in a round in which a flush may be using them
        await until(lambda: not any("-delete" in name for name in broker.files.list_directory("/data")))

    run(scenario)


def test_flush_ms_is_kept() -> None:
    async def scenario(setting: Setting) -> None:
        setting.broker.create_topic("t", 1, {"flush.ms": "5000"})
        setting.append("t", "a")
        await setting.pass_time(2)
        log = setting.broker.partition("t").log
        assert log.flushed_offset == 0
        await setting.pass_time(5)
        await until(lambda: log.flushed_offset == 1)

    run(scenario)


def test_checkpoints_are_written() -> None:
    async def scenario(setting: Setting) -> None:
        broker = setting.broker
        broker.create_topic("t")
        setting.append("t", "a")
        await setting.pass_time(61)
        path = f"/data/{checkpoints.HIGH_WATERMARK_CHECKPOINT}"
        await until(lambda: broker.files.exists(path) and checkpoints.read_offsets(broker.files, path))
        assert list(checkpoints.read_offsets(broker.files, path).values()) == [1]

    run(scenario)


def test_a_topic_is_deleted_when_the_checkpoint_that_is_being_written_is_done() -> None:
    async def scenario(setting: Setting) -> None:
        broker = setting.broker
        broker.create_topic("t")
        running = broker.context.logs.begin_checkpoint(broker.now_ms)
        done: list[str] = []

        async def checkpoint() -> None:
            async with setting.checkpoint_turn:
                await trio.testing.wait_all_tasks_blocked(0.02)
                for one in running:
                    one.write()
                    broker.context.logs.finish_checkpoint(one)
                done.append("checkpoint")

        async def delete() -> None:
            async with setting.cleaning_turn, setting.checkpoint_turn:
                for removal in broker.context.logs.begin_delete(
                    [broker.partition("t").log.partition], lambda: b"1" * 16
                ):
                    removal.move()
                done.append("delete")

        async with trio.open_nursery() as nursery:
            nursery.start_soon(checkpoint)
            await trio.lowlevel.checkpoint()
            nursery.start_soon(delete)
        assert done == ["checkpoint", "delete"]

    run(scenario)


def test_a_compacted_topic_is_compacted() -> None:
    async def scenario(setting: Setting) -> None:
        setting.broker.create_topic(
            "t", 1, {"cleanup.policy": "compact", "segment.bytes": str(1 << 20), "min.cleanable.dirty.ratio": "0"}
        )
        for _ in range(6):
            setting.append("t", "x" * 400_000)
        log = setting.broker.partition("t").log
        before = log.size_bytes
        await setting.pass_time(2)
        await until(lambda: log.flushed_offset >= 4)  # what is not on disk yet is not compacted
        await setting.pass_time(20)
        await until(lambda: log.size_bytes < before)

    run(scenario)


def test_a_chore_that_fails_is_done_again(caplog: pytest.LogCaptureFixture) -> None:
    async def scenario(setting: Setting) -> None:
        setting.broker.create_topic("t", 1, {"flush.ms": "1"})
        setting.append("t", "a")
        logs = setting.broker.context.logs
        flushes_due = type(logs).flushes_due
        failures = [ZeroDivisionError(), ZeroDivisionError()]

        def failing(self: object, now_ms: int) -> object:
            if failures:
                raise failures.pop()
            return flushes_due(logs, now_ms)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(type(logs), "flushes_due", failing)
            for _ in range(3):
                await setting.pass_time(1.5)
        await until(lambda: setting.broker.partition("t").log.flushed_offset == 1)

    with caplog.at_level(logging.ERROR):
        run(scenario)
    assert len([record for record in caplog.records if "a chore failed" in record.message]) == 2


def test_a_disk_that_fails_keeps_no_other_from_being_flushed() -> None:
    async def scenario(setting: Setting) -> None:
        broker = setting.broker
        broker.create_topic("t", 2, {"flush.ms": "1"})
        homes = [broker.partition("t", index).log.directory.split("/")[1] for index in range(2)]
        assert set(homes) == {"one", "two"}
        good = broker.partition("t", homes.index("two")).log
        for index in range(2):
            data = memoryview(bytearray(batch("a")))
            broker.partition("t", index).append(data, broker.now_ms)
        broker.files.break_under("/one", errno.EIO)
        await setting.pass_time(1.5)
        await until(lambda: good.flushed_offset == 1)
        assert [log_dir.path for log_dir in broker.log_dirs.online] == ["/two"]

    run(scenario, "/one", "/two")


@pytest.mark.parametrize("seconds", [61, 301, 1.5])
def test_a_disk_that_fails_takes_its_directory_offline_and_the_chores_go_on(seconds: float) -> None:
    async def scenario(setting: Setting) -> None:
        broker = setting.broker
        broker.create_topic("t", 1, {"flush.ms": "1", "retention.ms": "1", "segment.bytes": str(1 << 20)})
        for _ in range(3):
            setting.append("t", "x" * 600_000)
        broker.files.break_under("/data", errno.EIO)
        await setting.pass_time(seconds)
        await until(lambda: broker.context.partitions.get("t", 0) is None)
        assert broker.log_dirs.online == []
        await setting.pass_time(seconds)

    run(scenario)
