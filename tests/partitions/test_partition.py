"""Appends, the high watermark, and who is told of them, on a disk in memory."""

from __future__ import annotations

from random import Random

import pytest

from batches import TIMESTAMP_MS, batch
from kwire.errors import BrokerError, ErrorCode
from kwire.partitions.partition import Partition
from kwire.partitions.table import PartitionTable
from kwire.partitions.waits import DataWait, ReadyQueue
from kwire.storage.checkpoints import TopicPartition
from kwire.storage.log import Isolation
from kwire.storage.log_config import LogConfig
from kwire.storage.recovery import KnownOffsets, LogSettings, Shutdown, open_log
from kwire.testing.fake_files import FakeFileSystem

NOW_MS = TIMESTAMP_MS


class Setting:
    """A partition, and what is due to be flushed of it."""

    def __init__(self, files: FakeFileSystem | None = None, **config: str):
        self.files = files or FakeFileSystem()
        self.files.make_directory("/data/t-0")
        for path in ("/data", "/"):
            self.files.sync_directory(path)
        self.due: list[Partition] = []
        self.config = log_config(**config)
        log = open_log(
            LogSettings(self.files, Random(1).randrange),
            TopicPartition("t", 0),
            "/data/t-0",
            self.config,
            known=KnownOffsets(),
            shutdown=Shutdown.UNCLEAN,
            now_ms=NOW_MS,
        )
        self.partition = Partition("t", bytes(15) + b"1", 0, 3, log, self.due.append)

    def append(self, *values: str) -> int:
        info = self.partition.append(memoryview(bytearray(batch(*values))), NOW_MS)
        return info.last_offset + 1

    def flush(self) -> None:
        self.due.clear()
        ticket = self.partition.log.begin_flush(NOW_MS)
        if ticket is not None:
            ticket.sync()
            self.partition.log.finish_flush(ticket)
        self.partition.flushed()


def log_config(**config: str) -> LogConfig:
    return LogConfig.parse({name.replace("_", "."): text for name, text in config.items()}, {})


def watch(partition: Partition, missing_bytes: int, queue: ReadyQueue) -> DataWait:
    return DataWait([partition], missing_bytes, lambda: None, queue)


def test_without_flush_messages_the_high_watermark_is_the_end_of_the_log() -> None:
    setting = Setting()
    assert setting.append("a", "b") == 2
    partition = setting.partition
    assert (partition.log.high_watermark, setting.due) == (2, [])
    assert not partition.must_flush_before(2)
    (region,) = partition.read(0, 1000, Isolation.HIGH_WATERMARK).regions
    assert partition.read_nothing() == (((), 2, 2, 0, ()))
    assert len(region) == partition.log.size_bytes


def test_a_batch_is_written_in_the_epoch_of_its_leader() -> None:
    setting = Setting()
    setting.append("a")
    assert setting.partition.log.leader_epochs.latest_epoch == 3


def test_readers_are_told_how_many_bytes_came() -> None:
    setting, queue = Setting(), ReadyQueue()
    size = len(batch("a"))
    watch(setting.partition, size + 1, queue)
    watch(setting.partition, size, queue)
    setting.append("a")
    assert len(queue) == 1
    setting.append("b")
    assert len(queue) == 2
    assert setting.partition.data_waits == set()


def test_a_batch_that_is_refused_and_one_that_is_repeated_tell_nobody() -> None:
    setting, queue = Setting(), ReadyQueue()
    first = batch("a", producer_id=7, epoch=0, sequence=0)
    setting.partition.append(memoryview(bytearray(first)), NOW_MS)
    watch(setting.partition, 1, queue)
    info = setting.partition.append(memoryview(bytearray(first)), NOW_MS)
    assert info.is_duplicate
    with pytest.raises(BrokerError):
        setting.partition.append(memoryview(bytearray(batch("c", producer_id=7, epoch=0, sequence=5))), NOW_MS)
    assert (len(queue), setting.partition.log.log_end_offset) == (0, 1)


def test_flush_messages_holds_readers_and_acknowledgements_until_the_disk_has_it() -> None:
    setting, queue, told = Setting(flush_messages="1"), ReadyQueue(), list[ErrorCode]()
    partition = setting.partition
    watch(partition, 1, queue)
    end = setting.append("a")
    assert setting.due == [partition]
    assert partition.must_flush_before(end)
    partition.when_flushed(end, told.append)
    assert partition.read(0, 1000, Isolation.HIGH_WATERMARK).regions == ()
    assert (len(queue), told, partition.log.high_watermark) == (0, [], 0)
    setting.flush()
    assert (len(queue), told, partition.log.high_watermark) == (1, [ErrorCode.NONE], 1)
    assert not partition.must_flush_before(end)


def test_what_came_while_a_sync_ran_waits_for_the_next() -> None:
    setting, told = Setting(flush_messages="1"), list[str]()
    partition = setting.partition
    partition.when_flushed(setting.append("a"), lambda code: told.append("a"))
    ticket = partition.log.begin_flush(NOW_MS)
    assert ticket is not None
    partition.when_flushed(setting.append("b"), lambda code: told.append("b"))
    ticket.sync()
    partition.log.finish_flush(ticket)
    setting.due.clear()
    partition.flushed()
    assert (told, partition.log.high_watermark, setting.due) == (["a"], 1, [partition])
    setting.flush()
    assert told == ["a", "b"]


def test_with_flush_messages_of_ten_every_tenth_record_waits() -> None:
    setting = Setting(flush_messages="10")
    end = setting.append(*"123456789")
    assert (setting.due, setting.partition.must_flush_before(end)) == ([], False)
    end = setting.append("10")
    assert setting.due == [setting.partition]
    assert setting.partition.must_flush_before(end)
    setting.flush()
    assert setting.partition.log.high_watermark == 10


def test_after_a_crash_what_was_acknowledged_can_be_read_once_it_is_on_disk() -> None:
    before = Setting(flush_messages="1")
    before.append("a", "b")
    before.flush()
    after = Setting(before.files.crash(Random(1)), flush_messages="1")
    assert after.due == [after.partition]
    after.flush()
    assert (after.partition.log.log_end_offset, after.partition.log.high_watermark) == (2, 2)


def test_a_partition_that_closes_tells_all_who_wait() -> None:
    setting, queue, told = Setting(flush_messages="1"), ReadyQueue(), list[ErrorCode]()
    partition = setting.partition
    partition.when_flushed(setting.append("a"), told.append)
    watch(partition, 1, queue)
    partition.close(ErrorCode.KAFKA_STORAGE_ERROR)
    assert (told, len(queue)) == ([ErrorCode.KAFKA_STORAGE_ERROR], 1)
    partition.when_flushed(1, told.append)
    assert told == [ErrorCode.KAFKA_STORAGE_ERROR] * 2


def test_changed_settings_act_on_the_next_batch() -> None:
    setting = Setting()
    setting.append("x" * 200)
    setting.partition.set_config(log_config(max_message_bytes="100", flush_messages="1"))
    with pytest.raises(BrokerError) as refused:
        setting.append("x" * 200)
    assert refused.value.code is ErrorCode.MESSAGE_TOO_LARGE
    end = setting.append("x")
    assert setting.partition.must_flush_before(end)
    setting.partition.set_config(log_config())
    setting.append("y")
    assert setting.partition.log.high_watermark == 3


def test_the_table_finds_by_name_and_id_and_tells_those_who_wait_of_what_is_gone() -> None:
    table, setting, told = PartitionTable(), Setting(flush_messages="1"), list[ErrorCode]()
    partition = setting.partition
    table.add(partition)
    assert list(table) == [partition]
    assert table.get("t", 0) is table.by_id[partition.topic_id][0] is partition
    assert (table.get("t", 1), table.get("u", 0)) == (None, None)
    partition.when_flushed(setting.append("a"), told.append)
    assert table.remove_topic(partition.topic_id) == [partition]
    assert table.remove_topic(partition.topic_id) == []
    assert (told, list(table), table.by_name) == ([ErrorCode.UNKNOWN_TOPIC_OR_PARTITION], [], {})


def test_a_topic_that_was_made_again_is_not_removed_with_its_predecessor() -> None:
    table, old, new = PartitionTable(), Setting().partition, Setting().partition
    new.topic_id = bytes(15) + b"2"
    table.add(old)
    table.add(new)
    table.remove_topic(old.topic_id)
    assert table.get("t", 0) is new
    table.remove(old)
    assert table.get("t", 0) is new
    table.remove(new)
    assert table.get("t", 0) is None
