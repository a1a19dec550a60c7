"""The log against a list: whatever is appended, rolled, truncated, deleted, flushed, stopped or killed in between, the
log reads as the list says."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from kwire.errors import BrokerError, ErrorCode
from kwire.records.batch import TRANSACTIONAL_FLAG, iter_batches, read_header
from kwire.records.builder import BatchBuilder
from kwire.records.compression import CompressionType
from kwire.records.control import ControlType, EndTransactionMarker
from kwire.records.record import Record, iter_records
from kwire.records.validation import ValidatedBatch
from kwire.storage.checkpoints import TopicPartition
from kwire.storage.flush import FlushScope
from kwire.storage.log import AppendInfo, Isolation
from kwire.storage.log_config import LogConfig
from kwire.storage.log_dirs import LogDirs
from kwire.storage.log_manager import LogManager
from kwire.storage.offset_lookup import EARLIEST, LATEST, MAX_TIMESTAMP, find_offset
from kwire.storage.offset_map import OffsetMap
from kwire.storage.recovery import LogSettings
from kwire.storage.retention import apply_retention
from kwire.storage.transaction_index import AbortedTransaction
from kwire.testing.fake_files import FakeFileSystem

PARTITION = TopicPartition("t", 0)
CONFIG = LogConfig(
    segment_bytes=700,
    segment_index_bytes=400,
    index_interval_bytes=90,
    segment_ms=100_000,
    retention_ms=-1,
    retention_bytes=-1,
    file_delete_delay_ms=50,
    cleanup_policy=frozenset({"compact", "delete"}),
    min_cleanable_dirty_ratio=0.01,
    delete_retention_ms=100,
)
PRODUCERS = (7, 8, 9)

offset_shares = st.floats(0, 1)
"""A place in the log, as a share of its length: offsets are not known when an example is drawn."""


@dataclass
class Producer:
    sequence: int = 0
    transaction_start: int | None = None
    last: tuple[bytes, AppendInfo] | None = None


@dataclass
class Model:
    records: dict[int, Record] = field(default_factory=dict[int, Record])
    batch_ends: dict[int, int] = field(default_factory=dict[int, int])
    """The last offset of each record's batch."""

    producers: dict[int, int] = field(default_factory=dict[int, int])
    """The producer of each record that has one, but for markers."""

    markers: set[int] = field(default_factory=set[int])
    aborted: list[AbortedTransaction] = field(default_factory=list[AbortedTransaction])
    start: int = 0
    end: int = 0

    def truncate(self, offset: int) -> None:
        """Batches go whole, as they came."""
        self.records = {at: record for at, record in self.records.items() if self.batch_ends[at] < offset}
        self.batch_ends = {at: self.batch_ends[at] for at in self.records}
        self.aborted = [transaction for transaction in self.aborted if transaction.last_offset < offset]
        last = max(self.batch_ends.values(), default=-1)
        self.end = max(last + 1, min(offset, self.start))

    def data_of(self, transaction: AbortedTransaction) -> list[int]:
        """The offsets of a transaction's records, so far as they are there."""
        return [
            at
            for at in range(transaction.first_offset, transaction.last_offset)
            if at in self.records and self.producers.get(at) == transaction.producer_id
        ]

    def visible(self, offset: int, limit: int) -> list[Record]:
        return [self.records[at] for at in sorted(self.records) if offset <= at < limit and at >= self.start]


class LogMachine(RuleBasedStateMachine):
    @initialize()
    def start(self) -> None:
        self.files = FakeFileSystem()
        self.now_ms = 1_000_000
        self.model = Model()
        self.producers = {producer_id: Producer() for producer_id in PRODUCERS}
        self.config = CONFIG
        self.epoch = 0
        self.checkpointed_high_watermark = 0
        self.open_manager()
        self.log = self.manager.create(PARTITION, bytes(16), self.config, self.now_ms)

    def open_manager(self) -> None:
        dirs = LogDirs.open(self.files, ["/data"], node_id=1, new_id=lambda: bytes(range(16)), now_ms=self.now_ms)
        settings_ = LogSettings(self.files, lambda below: below // 2, producer_expiration_ms=2**62)
        self.manager = LogManager.open(settings_, dirs, lambda partition: self.config, self.now_ms)
        if PARTITION in self.manager.logs:
            self.log = self.manager.logs[PARTITION]

    # Appending.

    def append(self, builder: BatchBuilder) -> AppendInfo:
        data = builder.build()
        info = self.log.append_as_leader(ValidatedBatch(read_header(data), memoryview(data)), self.epoch, self.now_ms)
        if not info.is_duplicate:
            self.note(bytes(data))
        return info

    def note(self, data: bytes) -> None:
        """Takes what the log was given, offsets patched, into the list."""
        for position, header in iter_batches(data):
            assert header.base_offset == self.model.end
            for record in iter_records(data, position, header):
                self.model.records[record.offset] = record
                self.model.markers.discard(record.offset)
                self.model.producers.pop(record.offset, None)
                if header.is_control:
                    self.model.markers.add(record.offset)
                elif header.producer_id >= 0:
                    self.model.producers[record.offset] = header.producer_id
                self.model.batch_ends[record.offset] = header.last_offset
            self.model.end = header.next_offset

    @rule(
        count=st.integers(1, 6),
        size=st.integers(0, 60),
        timestamps=st.lists(st.integers(0, 100_000), min_size=6, max_size=6),
        codec=st.sampled_from([CompressionType.NONE, CompressionType.GZIP]),
    )
    def append_plain(self, count: int, size: int, timestamps: list[int], codec: CompressionType) -> None:
        builder = BatchBuilder(codec=codec)
        for number in range(count):
            value = bytes(size) if size > 5 else None
            builder.append(self.now_ms - timestamps[number], b"key-%d" % number, value, [("h", b"1")])
        info = self.append(builder)
        assert (info.first_offset, info.last_offset) == (self.model.end - count, self.model.end - 1)
        self.now_ms += 10

    @rule(batches=st.integers(2, 8), size=st.integers(0, 60))
    def append_many(self, batches: int, size: int) -> None:
        for number in range(batches):
            self.append_plain(1 + number % 3, size, [number] * 6, CompressionType.NONE)

    @rule(producer_id=st.sampled_from(PRODUCERS), count=st.integers(1, 4))
    def append_idempotent(self, producer_id: int, count: int) -> None:
        self.append_from(producer_id, count, 0)

    @rule(producer_id=st.sampled_from(PRODUCERS), count=st.integers(1, 4))
    def append_transactional(self, producer_id: int, count: int) -> None:
        self.append_from(producer_id, count, TRANSACTIONAL_FLAG)

    def append_from(self, producer_id: int, count: int, flags: int) -> None:
        producer = self.producers[producer_id]
        if producer.transaction_start is not None:
            flags = TRANSACTIONAL_FLAG
        builder = BatchBuilder(producer_id=producer_id, producer_epoch=0, base_sequence=producer.sequence, flags=flags)
        for number in range(count):
            builder.append(self.now_ms, b"p%d-%d" % (producer_id, number), b"value")
        data = bytes(builder.build())
        info = self.append(builder)
        if flags and producer.transaction_start is None:
            producer.transaction_start = info.first_offset
        producer.sequence += count
        producer.last = data, info

    @rule(producer_id=st.sampled_from(PRODUCERS))
    def retry(self, producer_id: int) -> None:
        producer = self.producers[producer_id]
        if producer.last is not None:
            data = bytearray(producer.last[0])
            info = self.log.append_as_leader(ValidatedBatch(read_header(data), memoryview(data)), 0, self.now_ms)
            assert info.is_duplicate
            assert info[:2] == producer.last[1][:2]

    @rule(producer_id=st.sampled_from(PRODUCERS))
    def skip_a_sequence(self, producer_id: int) -> None:
        producer = self.producers[producer_id]
        if producer.last is not None:
            builder = BatchBuilder(producer_id=producer_id, producer_epoch=0, base_sequence=producer.sequence + 1)
            builder.append(self.now_ms, b"k", b"v")
            with pytest.raises(BrokerError) as raised:
                self.append(builder)
            assert raised.value.code in (ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER, ErrorCode.INVALID_TXN_STATE)

    @rule(producer_id=st.sampled_from(PRODUCERS), kind=st.sampled_from([ControlType.COMMIT, ControlType.ABORT]))
    def end_transaction(self, producer_id: int, kind: ControlType) -> None:
        producer = self.producers[producer_id]
        if producer.transaction_start is None:
            return
        info = self.log.append_marker(
            EndTransactionMarker(kind, 0),
            producer_id=producer_id,
            producer_epoch=0,
            leader_epoch=self.epoch,
            transaction_version=1,
            now_ms=self.now_ms,
        )
        open_starts = [
            p.transaction_start
            for p in self.producers.values()
            if p is not producer and p.transaction_start is not None
        ]
        if kind is ControlType.ABORT:
            stable = min(open_starts, default=info.last_offset + 1)
            self.model.aborted.append(
                AbortedTransaction(producer_id, producer.transaction_start, info.last_offset, stable)
            )
        producer.transaction_start = None
        self.note(self.read_bytes(info.first_offset, 10_000, Isolation.LOG_END))

    @rule()
    def new_leader_epoch(self) -> None:
        self.epoch += 1

    # Moving what is visible, removing what is old.

    @rule(share=offset_shares)
    def advance_high_watermark(self, share: float) -> None:
        before = self.log.high_watermark
        offset = self.batch_start(self.at(share))
        moved = self.log.advance_high_watermark(offset)
        assert self.log.high_watermark == max(before, offset)
        assert moved == (offset > before)

    @rule(share=offset_shares)
    def delete_records(self, share: float) -> None:
        offset = self.at(share)
        if offset > self.log.high_watermark:
            with pytest.raises(BrokerError, match="OFFSET_OUT_OF_RANGE"):
                self.log.delete_records_before(offset)
        else:
            self.log.delete_records_before(offset)
            self.model.start = max(self.model.start, offset)

    @rule(share=offset_shares)
    def truncate(self, share: float) -> None:
        offset = self.at(share)
        before = self.log.high_watermark
        truncated = self.manager.truncate_to(PARTITION, offset, self.now_ms)
        assert truncated == (offset < self.model.end)
        if truncated:
            self.model.truncate(offset)
            self.model.start = min(self.model.start, self.model.end)
            self.forget_lost_producers()
            assert self.log.high_watermark == min(before, self.model.end)

    def forget_lost_producers(self) -> None:
        """What the log knows of its producers after batches are gone is its own: here only the model follows suit."""
        for producer_id, producer in self.producers.items():
            state = self.log.producers.get(producer_id)
            producer.sequence = state.next_sequence if state else 0
            start = state.transaction_start_offset if state else -1
            producer.transaction_start = start if start >= 0 else None
            producer.last = None

    @rule(share=offset_shares)
    def retain_bytes(self, share: float) -> None:
        size = self.log.size_bytes
        self.retain(retention_bytes=int(size * share))
        if self.log.high_watermark == self.log.log_end_offset:
            assert self.log.size_bytes - self.log.local.segments[0].size_bytes < max(1, int(size * share))

    @rule(age_ms=st.integers(0, 200_000))
    def retain_time(self, age_ms: int) -> None:
        self.retain(retention_ms=age_ms)
        oldest = self.log.local.segments[0]
        if oldest.size_bytes and self.log.high_watermark >= oldest.next_offset():
            assert self.now_ms - oldest.max_timestamp <= age_ms

    def retain(self, **changed: int) -> None:
        values = {name: getattr(CONFIG, name) for name in LogConfig.__dataclass_fields__}
        self.log.set_config(LogConfig(**(values | changed)))
        high_watermark = self.log.high_watermark
        apply_retention(self.log, self.now_ms)
        self.log.set_config(CONFIG)
        assert self.log.log_start_offset <= max(high_watermark, self.model.start)
        self.model.start = max(self.model.start, self.log.log_start_offset)

    @rule(map_bytes=st.sampled_from([100, 200, 4000]))
    def compact(self, map_bytes: int) -> None:
        self.log.advance_high_watermark(self.log.log_end_offset)
        self.log.roll(self.log.log_end_offset, self.now_ms)
        self.flush(FlushScope.RECORDS)
        first_dirty = self.manager.cleaned_offsets.get(PARTITION, 0)
        if not self.log.log_start_offset <= first_dirty <= self.log.log_end_offset:
            first_dirty = self.log.log_start_offset
        offsets = OffsetMap(map_bytes)
        cleaning = self.manager.begin_cleaning(offsets, self.now_ms)
        if cleaning is None:
            return
        active = self.log.local.segments.active.base_offset
        uncleanable = min(self.log.last_stable_offset, active, self.log.flushed_offset)
        for _ in cleaning.steps():
            pass
        self.manager.finish_cleaning(cleaning, self.now_ms)
        cleaned = self.manager.cleaned_offsets[PARTITION]
        assert first_dirty <= cleaned <= uncleanable
        left = self.all_records()
        aborted = {at for transaction in self.model.aborted for at in self.model.data_of(transaction)}
        latest = {
            record.key: at
            for at, record in sorted(self.model.records.items())
            if at < cleaned and at not in aborted and at not in self.model.markers
        }
        for at, record in self.model.records.items():
            if at < self.model.start:
                continue
            is_replaced = at < latest.get(record.key, -1)
            if at not in left:
                assert is_replaced or record.value is None or at in aborted or at in self.model.markers, record
                assert at < uncleanable
            else:
                assert left[at] == record
                is_due = at < cleaned and at not in self.model.markers
                if is_due and (at in aborted or (is_replaced and latest[record.key] >= first_dirty)):
                    raise AssertionError(f"{record} was to be removed")
        for at in [at for at in self.model.records if at not in left]:
            del self.model.records[at], self.model.batch_ends[at]
        offsets.close()

    def all_records(self) -> dict[int, Record]:
        found: dict[int, Record] = {}
        for segment in self.log.local.segments:
            data = segment.log.read_at(segment.size_bytes, 0)
            for position, header in iter_batches(data):
                found |= {record.offset: record for record in iter_records(data, position, header)}
        return found

    # Flushing, stopping, dying.

    @rule(scope=st.sampled_from(FlushScope))
    def flush(self, scope: FlushScope) -> None:
        ticket = self.log.begin_flush(self.now_ms, scope)
        if ticket is not None:
            ticket.sync()
            self.log.finish_flush(ticket)
        assert self.log.flushed_offset == self.log.log_end_offset
        assert self.log.begin_flush(self.now_ms, scope) is None

    @rule()
    def checkpoint(self) -> None:
        for checkpoint in self.manager.begin_checkpoint(self.now_ms):
            checkpoint.write()
            self.manager.finish_checkpoint(checkpoint)
        self.checkpointed_high_watermark = self.log.high_watermark

    @rule()
    def housekeeping(self) -> None:
        self.now_ms += 60
        for _ in self.manager.apply_retention(self.now_ms):
            pass
        self.manager.finish_flushes(
            [(f.log, f.ticket) for f in self.manager.flushes_due(self.now_ms) if not f.ticket.sync()]
        )

    @rule()
    def stop_and_start(self) -> None:
        before = self.picture()
        self.manager.shutdown(self.now_ms, broker_epoch=1)
        self.files = self.files.kill()
        self.open_manager()
        assert self.picture() == before
        self.forget_retries()

    @rule()
    def kill_and_start(self) -> None:
        start = self.log.log_start_offset
        end = self.log.log_end_offset
        epochs = self.log.leader_epochs.entries
        indexes = self.indexes()
        self.files = self.files.kill()
        self.open_manager()
        assert self.log.log_end_offset == end, "all that was written is there"
        assert self.log.log_start_offset <= start
        assert self.indexes() == indexes, "indexes are rebuilt as they were"
        if self.log.log_start_offset == start:
            found = self.log.leader_epochs.entries
            assert [e for e in found if e.start_offset < end] == [e for e in epochs if e.start_offset < end]
        self.log.advance_high_watermark(self.checkpointed_high_watermark)
        self.log.delete_records_before(min(start, self.log.high_watermark))
        self.model.start = self.log.log_start_offset
        for producer_id, producer in self.producers.items():
            producer.last = None
            if producer.transaction_start is not None and producer.transaction_start < self.model.start:
                # Retention took the batch that began it: what is left tells of a later beginning, or of none.
                state = self.log.producers.get(producer_id)
                start = state.transaction_start_offset if state else -1
                assert start in (-1, producer.transaction_start) or start >= self.model.start
                producer.transaction_start = start if start >= 0 else None
        self.forget_retries()

    def forget_retries(self) -> None:
        """Of the five last batches a snapshot has one."""
        for producer_id, producer in self.producers.items():
            state = self.log.producers.get(producer_id)
            assert (state.next_sequence if state else 0) == producer.sequence or not producer.sequence

    def picture(self) -> object:
        log = self.log
        return (
            log.log_start_offset,
            log.log_end_offset,
            log.high_watermark,
            log.size_bytes,
            log.leader_epochs.entries,
            self.indexes(),
            sorted((s.producer_id, s.epoch, s.next_sequence, s.transaction_start_offset) for s in log.producers),
        )

    def indexes(self) -> object:
        return [
            (
                segment.base_offset,
                segment.size_bytes,
                [segment.offset_index.entry(number) for number in range(segment.offset_index.entries)],
                segment.max_timestamp,
                segment.offset_of_max_timestamp,
                segment.transaction_index.all(),
            )
            for segment in self.log.local.segments
        ]

    # Looking.

    def at(self, share: float) -> int:
        return self.log.log_start_offset + round(share * (self.log.log_end_offset - self.log.log_start_offset))

    def batch_start(self, offset: int) -> int:
        while offset in self.model.records and self.model.batch_ends.get(offset - 1) == self.model.batch_ends[offset]:
            offset -= 1
        return offset

    def read_bytes(self, offset: int, max_bytes: int, isolation: Isolation) -> bytes:
        return b"".join(region.read() for region in self.log.read(offset, max_bytes, isolation).regions)

    @rule(share=offset_shares, max_bytes=st.integers(0, 2000), isolation=st.sampled_from(Isolation))
    def read(self, share: float, max_bytes: int, isolation: Isolation) -> None:
        offset = self.at(share)
        limit = self.log.end_offset(isolation)
        result = self.log.read(offset, max_bytes, isolation)
        data = b"".join(region.read() for region in result.regions)
        assert (result.high_watermark, result.log_start_offset) == (self.log.high_watermark, self.model.start)
        batches = list(iter_batches(data))
        found = [record for position, header in batches for record in iter_records(data, position, header)]
        wanted = self.model.visible(offset, limit)
        if not batches:
            assert not data
            assert not wanted
            return
        assert len(data) <= max(max_bytes, batches[0][1].size_bytes)
        assert batches[0][1].last_offset >= offset
        assert batches[-1][1].last_offset < limit
        found = [record for record in found if record.offset >= offset]
        assert found == wanted[: len(found)]
        if len(data) < max_bytes:
            assert found == wanted, "all that fits"
        if isolation is Isolation.LAST_STABLE and found:
            self.check_aborted(result.aborted_transactions, offset, found)

    def check_aborted(self, aborted: tuple[AbortedTransaction, ...], offset: int, found: list[Record]) -> None:
        assert list(aborted) == sorted(aborted, key=lambda transaction: transaction.last_offset)
        assert set(aborted) <= set(self.model.aborted)
        last = found[-1].offset
        there = {record.offset for record in found}
        needed = {
            t
            for t in self.model.aborted
            if t.last_offset >= offset and any(at in there for at in self.model.data_of(t) if at <= last)
        }
        assert needed <= set(aborted), "whatever a reader must leave out is named"

    @rule(timestamp_age=st.integers(-10, 110_000), isolation=st.sampled_from(Isolation))
    def look_up_a_timestamp(self, timestamp_age: int, isolation: Isolation) -> None:
        timestamp = max(0, self.now_ms - timestamp_age)
        limit = self.log.end_offset(isolation)
        found = find_offset(self.log, timestamp, isolation)
        wanted = next((r for r in self.model.visible(0, self.model.end) if r.timestamp >= timestamp), None)
        if wanted is None or wanted.offset >= limit:
            assert found is None
        else:
            assert found is not None
            assert (found.offset, found.timestamp) == (wanted.offset, wanted.timestamp)

    @rule()
    def look_up_special_timestamps(self) -> None:
        log = self.log
        assert find_offset(log, EARLIEST, Isolation.HIGH_WATERMARK) == (
            -1,
            self.model.start,
            log.leader_epochs.epoch_for_offset(self.model.start),
        )
        for isolation in Isolation:
            latest = find_offset(log, LATEST, isolation)
            assert latest is not None
            assert latest.offset == log.end_offset(isolation)
        records = self.model.visible(0, self.model.end)
        largest = find_offset(log, MAX_TIMESTAMP, Isolation.LOG_END)
        if records:
            wanted = max(records, key=lambda record: record.timestamp)
            assert largest is not None
            assert (largest.timestamp, largest.offset) == (wanted.timestamp, wanted.offset)
        else:
            assert largest is None

    @precondition(lambda self: hasattr(self, "log"))
    @invariant()
    def offsets_are_in_order(self) -> None:
        log = self.log
        assert log.log_end_offset == self.model.end
        assert log.log_start_offset == self.model.start
        assert log.log_start_offset <= log.high_watermark <= log.log_end_offset
        assert log.last_stable_offset <= log.high_watermark
        assert log.recovery_point <= log.flushed_offset <= log.log_end_offset
        starts = [p.transaction_start for p in self.producers.values() if p.transaction_start is not None]
        assert log.last_stable_offset <= min(starts, default=log.high_watermark)


LogMachine.TestCase.settings = settings(
    max_examples=60, stateful_step_count=50, deadline=None, report_multiple_bugs=False
)
TestLogAgainstList = LogMachine.TestCase
