"""A history of everything that happens to a broker's logs, and what is promised of them at every moment.

`LogHistory` drives a `LogManager` through appends, transactions, flushes, checkpoints, rolls, retention, truncation,
compaction, clean restarts and deleted partitions, as a generator of random numbers says. Beside it, it keeps what it
appended and, for every file operation, the promises that hold from then on: `log_survivors` compares them with what a
crash left.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random

from kwire.errors import BrokerError, ErrorCode
from kwire.records.batch import TRANSACTIONAL_FLAG, patch_offsets, read_header
from kwire.records.builder import BatchBuilder
from kwire.records.control import ControlType, EndTransactionMarker, build_marker
from kwire.records.record import Record, iter_records
from kwire.records.validation import ValidatedBatch
from kwire.storage.checkpoints import TopicPartition
from kwire.storage.file_system import FileSystem
from kwire.storage.flush import FlushScope
from kwire.storage.log import AppendInfo, Isolation, Log
from kwire.storage.log_config import LogConfig
from kwire.storage.log_dirs import LogDirs
from kwire.storage.log_manager import LogManager
from kwire.storage.offset_map import OffsetMap
from kwire.storage.recovery import LogSettings
from kwire.storage.transaction_index import AbortedTransaction
from kwire.testing.fake_files import FakeFileSystem

DATA = "/data"
PRODUCER_IDS = (7, 8)
FOREVER = 2**62


@dataclass(frozen=True, slots=True)
class Promise:
    """What holds of one partition from a file operation on."""

    operation: int
    flushed_offset: int = 0
    start_offset: int = 0
    """Records before it may be gone."""

    is_compacted: bool = False
    """Records that a later one of the same key has replaced may be gone."""

    may_be_missing: bool = False
    """It is being created or deleted."""


@dataclass(slots=True)
class Version:
    """A record that was appended at an offset: written after one file operation, removed before another."""

    record: Record
    since: int
    is_control: bool
    producer_id: int
    until: int = FOREVER


@dataclass(slots=True)
class Aborted:
    """A transaction whose marker was written after one file operation, and removed before another."""

    transaction: AbortedTransaction
    since: int
    until: int = FOREVER


@dataclass(slots=True)
class PartitionHistory:
    """What happened to one partition."""

    config: LogConfig
    promises: list[Promise] = field(default_factory=list[Promise])
    versions: dict[int, list[Version]] = field(default_factory=dict[int, list[Version]])
    aborted: list[Aborted] = field(default_factory=list["Aborted"])
    sequences: dict[int, int] = field(default_factory=dict[int, int])
    transactions: dict[int, int] = field(default_factory=dict[int, int])
    """Open transactions: producer id and first offset."""

    def promise_at(self, operation: int) -> Promise | None:
        """The last promise that was made by then."""
        return next((promise for promise in reversed(self.promises) if promise.operation <= operation), None)

    def versions_at(self, offset: int, operation: int) -> list[Version]:
        """What may be found at an offset; the last one must be, if it was flushed."""
        return [version for version in self.versions.get(offset, ()) if version.since <= operation < version.until]

    def aborted_at(self, operation: int) -> list[AbortedTransaction]:
        """The transactions whose markers may be found."""
        return [aborted.transaction for aborted in self.aborted if aborted.since <= operation < aborted.until]

    def end_from(self, offset: int, operation: int) -> None:
        """What lies at an offset and behind it is gone after that operation."""
        for at, versions in self.versions.items():
            for version in versions if at >= offset else ():
                version.until = min(version.until, operation)
        for aborted in self.aborted:
            if aborted.transaction.last_offset >= offset:
                aborted.until = min(aborted.until, operation)


def open_manager(files: FileSystem, config_of: Callable[[TopicPartition], LogConfig], now_ms: int) -> LogManager:
    """The logs in `DATA`, with numbers for what is random."""
    dirs = LogDirs.open(files, [DATA], node_id=1, new_id=lambda: bytes(range(16)), now_ms=now_ms)
    settings = LogSettings(files, lambda below: below // 2, producer_expiration_ms=FOREVER)
    return LogManager.open(settings, dirs, config_of, now_ms)


class LogHistory:
    """Runs a history on a file system. `partitions` is what happened, also after an error ended it."""

    def __init__(self, files: FakeFileSystem, rng: Random, configs: dict[TopicPartition, LogConfig]) -> None:
        self.files = files
        self.rng = rng
        self.now_ms = 1_000_000
        self.leader_epoch = 0
        self.partitions = {partition: PartitionHistory(config) for partition, config in configs.items()}
        self.manager: LogManager | None = None

    def run(self, steps: int) -> None:
        """Starts, does as many steps, and stops cleanly."""
        self._start()
        for partition in self.partitions:
            self._create(partition)
        names, weights = zip(*_STEPS, strict=True)
        for _ in range(steps):
            partition = self.rng.choice(list(self.partitions))
            step = self.rng.choices(names, weights)[0]
            self.now_ms += self.rng.randrange(30)
            step(self, partition)
        self._restart(next(iter(self.partitions)))

    def config_of(self, partition: TopicPartition) -> LogConfig:
        return self.partitions[partition].config

    def log(self, partition: TopicPartition) -> Log:
        assert self.manager is not None
        return self.manager.logs[partition]

    def _promise(self, partition: TopicPartition, **changes: int) -> None:
        promises = self.partitions[partition].promises
        last = promises[-1] if promises else Promise(0)
        promises.append(replace(last, operation=self.files.operations, **changes))

    # Steps.

    def _start(self) -> None:
        self.manager = open_manager(self.files, self.config_of, self.now_ms)
        self._check_online()

    def _check_online(self) -> None:
        """A log directory that failed ends the history, as a `StorageError` that reaches it does."""
        assert self.manager is not None
        for log_dir in self.manager.log_dirs:
            if not log_dir.is_online:
                raise BrokerError(ErrorCode.KAFKA_STORAGE_ERROR, log_dir.error)

    def _create(self, partition: TopicPartition) -> None:
        assert self.manager is not None
        self._promise(partition, may_be_missing=True)
        self.manager.create(partition, bytes(range(16)), self.config_of(partition), self.now_ms)
        self._promise(partition, may_be_missing=False)

    def _restart(self, partition: TopicPartition) -> None:
        assert self.manager is not None
        ends = {partition: log.log_end_offset for partition, log in self.manager.logs.items()}
        self.manager.shutdown(self.now_ms, broker_epoch=1)
        self._check_online()
        for partition, end in ends.items():
            self._promise(partition, flushed_offset=end)
        self._start()
        for partition, end in ends.items():
            assert self.log(partition).log_end_offset == end, partition
            self.log(partition).advance_high_watermark(end)

    def _append(self, partition: TopicPartition, builder: BatchBuilder) -> AppendInfo:
        for number in range(self.rng.randint(1, 5)):
            key = b"k%d" % self.rng.randrange(8)
            value = None if self.rng.randrange(6) == 0 else b"%d-" % number + bytes(self.rng.randrange(50))
            builder.append(self.now_ms - self.rng.randrange(40), key, value)
        data = builder.build()
        log = self.log(partition)
        self._note(partition, data)
        info = log.append_as_leader(ValidatedBatch(read_header(data), memoryview(data)), self.leader_epoch, self.now_ms)
        log.advance_high_watermark(log.log_end_offset)
        return info

    def _note(self, partition: TopicPartition, data: bytearray) -> None:
        """Takes down a batch that is about to be appended: if that fails, it may be there or not."""
        data = bytearray(data)
        patch_offsets(data, 0, self.log(partition).log_end_offset, self.leader_epoch)
        header = read_header(data)
        versions = self.partitions[partition].versions
        for record in iter_records(data, 0, header):
            version = Version(record, self.files.operations, header.is_control, header.producer_id)
            versions.setdefault(record.offset, []).append(version)

    def _append_plain(self, partition: TopicPartition) -> None:
        self._append(partition, BatchBuilder())

    def _append_from_producer(self, partition: TopicPartition) -> None:
        history = self.partitions[partition]
        producer_id = self.rng.choice(PRODUCER_IDS)
        is_open = producer_id in history.transactions
        flags = TRANSACTIONAL_FLAG if is_open or self.rng.randrange(2) else 0
        sequence = history.sequences.get(producer_id, 0)
        builder = BatchBuilder(producer_id=producer_id, producer_epoch=0, base_sequence=sequence, flags=flags)
        info = self._append(partition, builder)
        history.sequences[producer_id] = sequence + builder.record_count
        if flags and not is_open:
            history.transactions[producer_id] = info.first_offset

    def _end_transaction(self, partition: TopicPartition) -> None:
        history = self.partitions[partition]
        if not history.transactions:
            return
        producer_id = self.rng.choice(sorted(history.transactions))
        kind = self.rng.choice((ControlType.COMMIT, ControlType.ABORT))
        since = self.files.operations
        log = self.log(partition)
        marker = EndTransactionMarker(kind, 0)
        self._note(partition, build_marker(marker, producer_id=producer_id, producer_epoch=0, timestamp=self.now_ms))
        info = log.append_marker(
            marker,
            producer_id=producer_id,
            producer_epoch=0,
            leader_epoch=self.leader_epoch,
            transaction_version=1,
            now_ms=self.now_ms,
        )
        first_offset = history.transactions.pop(producer_id)
        if kind is ControlType.ABORT:
            stable = min(history.transactions.values(), default=info.last_offset + 1)
            aborted = AbortedTransaction(producer_id, first_offset, info.last_offset, stable)
            history.aborted.append(Aborted(aborted, since))
        log.advance_high_watermark(log.log_end_offset)

    def _flush(self, partition: TopicPartition) -> None:
        log = self.log(partition)
        ticket = log.begin_flush(self.now_ms, self.rng.choice(list(FlushScope)))
        if ticket is not None:
            ticket.sync()
            log.finish_flush(ticket)
        self._promise(partition, flushed_offset=log.flushed_offset)

    def _flush_what_is_due(self, partition: TopicPartition) -> None:
        assert self.manager is not None
        for flush in self.manager.flushes_due(self.now_ms):
            flush.ticket.sync()
            self.manager.finish_flushes([flush])
            self._promise(flush.log.partition, flushed_offset=flush.log.flushed_offset)

    def _checkpoint(self, partition: TopicPartition) -> None:
        assert self.manager is not None
        for checkpoint in self.manager.begin_checkpoint(self.now_ms):
            checkpoint.write()
            self.manager.finish_checkpoint(checkpoint)

    def _change_leader(self, partition: TopicPartition) -> None:
        self.leader_epoch += 1

    def _roll(self, partition: TopicPartition) -> None:
        log = self.log(partition)
        log.roll(log.log_end_offset, self.now_ms)

    def _retain(self, partition: TopicPartition) -> None:
        """Retention by size, without a word on how far it goes: the promise is withdrawn for all it may take."""
        assert self.manager is not None
        log = self.log(partition)
        self._promise(partition, start_offset=log.local.segments.active.base_offset)
        log.set_config(replace(log.config, retention_bytes=self.rng.randrange(1, 1500)))
        for _ in self.manager.apply_retention(self.now_ms):
            pass
        log.set_config(self.config_of(partition))
        self._promise(partition, start_offset=log.log_start_offset)

    def _remove_files(self, partition: TopicPartition) -> None:
        assert self.manager is not None
        self.now_ms += 20
        for _ in self.manager.apply_retention(self.now_ms):
            pass
        for _ in self.manager.remove_deleted(self.now_ms):
            pass

    def _delete_records(self, partition: TopicPartition) -> None:
        log = self.log(partition)
        offset = self.rng.randint(log.log_start_offset, log.high_watermark)
        self._promise(partition, start_offset=offset)
        log.delete_records_before(offset)

    def _truncate(self, partition: TopicPartition) -> None:
        assert self.manager is not None
        log = self.log(partition)
        history = self.partitions[partition]
        offset = self.rng.randint(max(log.log_start_offset, log.log_end_offset - 12), log.log_end_offset)
        found = log.local.segments[log.local.segments.number_of(offset)].locate(offset)
        if found is None:
            return
        # A batch goes whole: the promise ends where the one that holds the offset begins.
        first_offset = self._batch_start(log, offset)
        before = history.promises[-1]
        self._promise(partition, flushed_offset=min(before.flushed_offset, first_offset))
        self.manager.truncate_to(partition, offset, self.now_ms)
        self._promise(partition, start_offset=min(before.start_offset, log.log_end_offset))
        history.end_from(first_offset, self.files.operations)
        self._follow_producers(partition)

    def _batch_start(self, log: Log, offset: int) -> int:
        data = log.read(offset, 0, Isolation.LOG_END).regions[0].read()
        return read_header(data).base_offset

    def _follow_producers(self, partition: TopicPartition) -> None:
        history = self.partitions[partition]
        states = list(self.log(partition).producers)
        history.sequences = {state.producer_id: state.next_sequence for state in states}
        history.transactions = {
            state.producer_id: state.transaction_start_offset for state in states if state.transaction_start_offset >= 0
        }

    def _compact(self, partition: TopicPartition) -> None:
        """One compaction of the log that is due, if one is."""
        assert self.manager is not None
        self.now_ms += 20
        offsets = OffsetMap(self.rng.choice((200, 4000)))
        cleaning = self.manager.begin_cleaning(offsets, self.now_ms)
        if cleaning is not None:
            self._promise(cleaning.log.partition, is_compacted=True)
            for _ in cleaning.steps():
                pass
            self.manager.finish_cleaning(cleaning, self.now_ms)
        offsets.close()

    def _recreate(self, partition: TopicPartition) -> None:
        assert self.manager is not None
        self._promise(partition, may_be_missing=True, is_compacted=False, flushed_offset=0, start_offset=0)
        self.manager.delete(partition, self.rng.randbytes(16), self.now_ms)
        history = self.partitions[partition]
        history.end_from(0, self.files.operations)
        history.sequences = {}
        history.transactions = {}
        self.manager.create(partition, bytes(range(16)), self.config_of(partition), self.now_ms)
        self._promise(partition, may_be_missing=False)


_STEPS: list[tuple[Callable[[LogHistory, TopicPartition], None], int]] = [
    (LogHistory._append_plain, 30),  # pyright: ignore[reportPrivateUsage] - the table of the class's own steps
    (LogHistory._append_from_producer, 30),  # pyright: ignore[reportPrivateUsage]
    (LogHistory._end_transaction, 10),  # pyright: ignore[reportPrivateUsage]
    (LogHistory._flush, 12),  # pyright: ignore[reportPrivateUsage]
    (LogHistory._flush_what_is_due, 6),  # pyright: ignore[reportPrivateUsage]
    (LogHistory._checkpoint, 4),  # pyright: ignore[reportPrivateUsage]
    (LogHistory._change_leader, 3),  # pyright: ignore[reportPrivateUsage]
    (LogHistory._roll, 3),  # pyright: ignore[reportPrivateUsage]
    (LogHistory._retain, 3),  # pyright: ignore[reportPrivateUsage]
    (LogHistory._remove_files, 4),  # pyright: ignore[reportPrivateUsage]
    (LogHistory._delete_records, 2),  # pyright: ignore[reportPrivateUsage]
    (LogHistory._truncate, 3),  # pyright: ignore[reportPrivateUsage]
    (LogHistory._compact, 5),  # pyright: ignore[reportPrivateUsage]
    (LogHistory._recreate, 1),  # pyright: ignore[reportPrivateUsage]
    (LogHistory._restart, 2),  # pyright: ignore[reportPrivateUsage]
]
"""What may happen, and how often."""
