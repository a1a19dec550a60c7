"""Compaction against a dict: whatever it drops, the readers end with the same value for every key."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kwire.errors import BrokerError, ErrorCode
from kwire.records.batch import (
    TRANSACTIONAL_FLAG,
    BatchHeader,
    check_crc,
    iter_batches,
    read_header,
)
from kwire.records.builder import BatchBuilder, assemble
from kwire.records.compression import CompressionType
from kwire.records.control import ControlType, EndTransactionMarker, build_marker, read_control_type
from kwire.records.record import Record, iter_records
from kwire.storage.cleaned_transactions import CleanedTransactions
from kwire.storage.compaction import (
    RECORDS_PER_STEP,
    CompactionPlan,
    CompactionStats,
    LastRecord,
    build_offset_map,
    compact_batches,
)
from kwire.storage.offset_map import OffsetMap

NOW = 1_700_000_000_000
RETENTION_MS = 1000


class Aborted(NamedTuple):
    producer_id: int
    first_offset: int
    last_offset: int


@dataclass
class Log:
    """A log as a broker writes one: batches, the index of aborted transactions, the state of producers."""

    batches: list[bytes] = field(default_factory=list)
    aborted: list[Aborted] = field(default_factory=list)
    producers: dict[int, LastRecord] = field(default_factory=dict)
    end_offset: int = 0
    open: dict[int, int] = field(default_factory=dict)
    sequences: dict[int, int] = field(default_factory=dict)

    def append(
        self,
        records: list[tuple[bytes | None, bytes | None]],
        producer_id: int = -1,
        codec: CompressionType = CompressionType.NONE,
        append_time: int | None = None,
    ) -> None:
        """A batch; with a producer id from 10 on a transactional one."""
        is_transactional = producer_id >= 10
        has_producer = producer_id >= 0
        builder = BatchBuilder(
            base_offset=self.end_offset,
            leader_epoch=4,
            codec=codec,
            flags=TRANSACTIONAL_FLAG if is_transactional else 0,
            producer_id=producer_id,
            producer_epoch=0 if has_producer else -1,
            base_sequence=self.sequences.get(producer_id, 0) if has_producer else -1,
            log_append_time=append_time,
        )
        for number, (key, value) in enumerate(records):
            builder.append(NOW + self.end_offset - 3 * number, key, value, [("h", value), ("n", None)])
        if is_transactional:
            self.open.setdefault(producer_id, self.end_offset)
        self.batches.append(bytes(builder.build()))
        self.end_offset += len(records)
        if has_producer:
            self.sequences[producer_id] = self.sequences.get(producer_id, 0) + len(records)
            self.producers[producer_id] = LastRecord(self.end_offset - 1, 0)

    def end(self, producer_id: int, control_type: ControlType) -> None:
        """The marker that ends a producer's transaction, if one is open or not."""
        marker = EndTransactionMarker(control_type, 0)
        self.batches.append(
            bytes(
                build_marker(
                    marker,
                    producer_id=producer_id,
                    producer_epoch=0,
                    timestamp=NOW,
                    base_offset=self.end_offset,
                    leader_epoch=4,
                )
            )
        )
        first_offset = self.open.pop(producer_id, None)
        if first_offset is not None and control_type is ControlType.ABORT:
            self.aborted.append(Aborted(producer_id, first_offset, self.end_offset))
        self.producers.setdefault(producer_id, LastRecord(None, 0))
        self.end_offset += 1


@dataclass
class Compacted:
    """What a pass made of a log."""

    batches: list[bytes]
    aborted: list[Aborted]
    stats: CompactionStats
    steps: int

    @property
    def headers(self) -> list[BatchHeader]:
        return [read_header(batch) for batch in self.batches]


def compact(
    log: Log,
    batches: list[bytes],
    aborted: list[Aborted],
    now_ms: int = NOW,
    capacity_bytes: int = 100_000,
    keeps_producers: bool = True,
) -> Compacted:
    """Both passes over all of a log."""
    offsets = OffsetMap(capacity_bytes)
    steps = sum(1 for _ in build_offset_map([b"".join(batches)], offsets, 0, CleanedTransactions(aborted)))
    transactions = CleanedTransactions(aborted)
    stats = CompactionStats()
    plan = CompactionPlan(
        now_ms=now_ms,
        delete_retention_ms=RETENTION_MS,
        upper_bound_offset=log.end_offset,
        active_producers=log.producers if keeps_producers else {},
    )
    pieces = list(compact_batches(batches, offsets, plan, transactions, stats))
    kept = [piece for piece in pieces if piece]
    return Compacted(kept, transactions.retained, stats, steps + len(pieces))


def data_records(batches: list[bytes]) -> list[tuple[BatchHeader, Record]]:
    found: list[tuple[BatchHeader, Record]] = []
    for batch in batches:
        header = read_header(batch)
        if not header.is_control:
            found += ((header, record) for record in iter_records(batch, 0, header))
    return found


def committed(batches: list[bytes], aborted: list[Aborted]) -> list[Record]:
    """What a read_committed consumer sees."""
    return [
        record
        for header, record in data_records(batches)
        if not any(
            header.is_transactional
            and header.producer_id == transaction.producer_id
            and transaction.first_offset <= record.offset <= transaction.last_offset
            for transaction in aborted
        )
    ]


def table(records: list[Record]) -> dict[bytes, Record]:
    """The latest record of every key, tombstones taken off: what a reader of a compacted topic ends with."""
    latest = {record.key: record for record in records if record.key is not None}
    return {key: record for key, record in latest.items() if record.value is not None}


def markers(batches: list[bytes]) -> list[tuple[int, ControlType | None]]:
    return [
        (header.base_offset, read_control_type(batch, 0, header))
        for batch in batches
        if (header := read_header(batch)).is_control
    ]


# --- any log ----------------------------------------------------------------------------------------------------------

some_keys = st.sampled_from([b"a", b"b", b"c", b"a key of more than sixteen bytes", b""])
some_records = st.lists(
    st.tuples(st.none() | some_keys, st.none() | st.binary(max_size=3)) | st.tuples(some_keys, st.binary(max_size=3)),
    min_size=1,
    max_size=5,
)
appends = st.tuples(
    st.just("append"),
    some_records,
    st.sampled_from([-1, -1, 0, 1, 10, 11, 12]),
    st.sampled_from(list(CompressionType)),
    st.none() | st.just(NOW + 50),
)
ends = st.tuples(
    st.just("end"), st.sampled_from([10, 11, 12]), st.sampled_from([ControlType.ABORT, ControlType.COMMIT])
)


@st.composite
def logs(draw: st.DrawFn) -> Log:
    log = Log()
    for step in draw(st.lists(appends | ends, min_size=1, max_size=14)):
        if step[0] == "append":
            log.append(*step[1:])
        else:
            log.end(*step[1:])
    for producer_id in list(log.open):
        log.end(producer_id, draw(st.sampled_from([ControlType.ABORT, ControlType.COMMIT])))
    return log


def check_sound(log: Log, result: Compacted) -> None:
    """What holds after every pass, whatever it dropped."""
    next_offset = 0
    for batch in result.batches:
        header = read_header(batch)
        assert len(batch) == header.size_bytes
        check_crc(batch, 0, header)
        assert header.base_offset >= next_offset
        assert header.leader_epoch == 4
        next_offset = header.next_offset
    assert next_offset == log.end_offset

    # Whatever is still there is as it was.
    originals = {record.offset: record for _, record in data_records(log.batches)}
    by_base = {header.base_offset: header for header in map(read_header, log.batches)}
    for header, record in data_records(result.batches):
        assert record == originals[record.offset]
        assert header.compression == by_base[header.base_offset].compression
    for header in result.headers:
        original = by_base[header.base_offset]
        assert (header.last_offset, header.timestamp_type) == (original.last_offset, original.timestamp_type)
        assert (header.producer_id, header.producer_epoch, header.base_sequence) == (
            original.producer_id,
            original.producer_epoch,
            original.base_sequence,
        )
        assert header.max_timestamp <= original.max_timestamp

    # Every reader ends with the same table.
    assert table(committed(result.batches, result.aborted)) == table(committed(log.batches, log.aborted))
    assert set(result.aborted) <= set(log.aborted)

    # An active producer's last sequence can still be read from the log.
    for producer_id, last in log.producers.items():
        if last.last_data_offset is not None:
            (found,) = (
                header
                for header in result.headers
                if header.producer_id == producer_id and header.last_offset == last.last_data_offset
            )
            assert found.last_sequence == log.sequences[producer_id] - 1


@settings(max_examples=200, deadline=None)
@given(logs())
def test_one_pass_keeps_exactly_the_latest(log: Log) -> None:
    result = compact(log, log.batches, log.aborted)
    check_sound(log, result)
    visible = committed(log.batches, log.aborted)
    latest = {record.key: record.offset for record in visible if record.key is not None}
    kept = [record.offset for _, record in data_records(result.batches)]
    assert kept == sorted(latest.values())
    # No marker goes in the pass that first finds it needless.
    assert markers(result.batches) == markers(log.batches)
    assert result.stats.records_kept == len(kept) + len(markers(log.batches))
    assert result.stats.bytes_kept == sum(map(len, result.batches))
    assert result.stats.records_read == sum(read_header(batch).record_count for batch in log.batches)
    assert result.stats.records_without_key == sum(record.key is None for record in visible)


@settings(max_examples=200, deadline=None)
@given(logs())
def test_tombstones_and_markers_go_at_their_horizon_and_not_before(log: Log) -> None:
    first = compact(log, log.batches, log.aborted)
    visible = committed(log.batches, log.aborted)
    latest = {record.key: record for record in visible if record.key is not None}
    tombstones = sorted(record.offset for record in latest.values() if record.value is None)

    early = compact(log, first.batches, first.aborted, now_ms=NOW + RETENTION_MS - 1)
    check_sound(log, early)
    kept = [record for _, record in data_records(early.batches)]
    assert [record.offset for record in kept if record.value is None] == tombstones

    late = compact(log, first.batches, first.aborted, now_ms=NOW + RETENTION_MS)
    check_sound(log, late)
    assert table([record for _, record in data_records(late.batches)]) == table(visible)
    assert all(record.value is not None for _, record in data_records(late.batches))

    # Once the producers are gone: a pass that drops what hung on them, one that sets the last horizons, one behind
    # those. Then only what is needed is left.
    last = late
    for round_number in (3, 5, 7):
        last = compact(log, last.batches, last.aborted, now_ms=NOW + round_number * RETENTION_MS, keeps_producers=False)
    needed = [header for header in last.headers if header.record_count or header.next_offset == log.end_offset]
    assert last.headers == needed
    assert last.aborted == []
    with_data = {header.producer_id for header in last.headers if header.is_transactional and not header.is_control}
    assert {header.producer_id for header in last.headers if header.is_control and header.record_count} <= with_data


@settings(max_examples=100, deadline=None)
@given(logs())
def test_a_second_pass_at_the_same_time_changes_little(log: Log) -> None:
    """The second may set horizons for markers whose data the first dropped. The third finds nothing to do."""
    first = compact(log, log.batches, log.aborted)
    second = compact(log, first.batches, first.aborted)
    third = compact(log, second.batches, second.aborted)
    fourth = compact(log, third.batches, third.aborted)
    assert [record for _, record in data_records(second.batches)] == [
        record for _, record in data_records(first.batches)
    ]
    assert fourth.batches == third.batches
    check_sound(log, fourth)


@settings(max_examples=100, deadline=None)
@given(logs(), st.integers(2, 6))
def test_a_small_map_takes_more_passes_to_the_same_end(log: Log, slots: int) -> None:
    batches, aborted, start = log.batches, log.aborted, 0
    plan = CompactionPlan(NOW, RETENTION_MS, log.end_offset, log.producers)
    passes = 0
    while start < log.end_offset:
        offsets = OffsetMap(slots * 24, 1.0)
        list(build_offset_map(batches, offsets, start, CleanedTransactions(aborted)))
        assert offsets.latest_offset >= start
        start = offsets.latest_offset + 1
        transactions = CleanedTransactions(aborted)
        batches = [batch for batch in compact_batches(batches, offsets, plan, transactions) if batch]
        aborted = transactions.retained
        passes += 1
    result = Compacted(batches, aborted, CompactionStats(), 0)
    check_sound(log, result)
    latest = {record.key: record.offset for record in committed(log.batches, log.aborted) if record.key is not None}
    # A key may be in the map of an earlier pass only, and its older records still be there: but never the latest gone.
    assert {record.offset for _, record in data_records(batches)} == set(latest.values())
    assert passes <= log.end_offset


@settings(deadline=None)
@given(logs(), st.integers(0, 20))
def test_what_is_past_the_map_stays(log: Log, latest_offset: int) -> None:
    offsets = OffsetMap(1000)
    for header, record in data_records(log.batches):
        if record.key is not None and record.offset <= latest_offset and not header.is_transactional:
            offsets.put(record.key, record.offset)
    offsets.latest_offset = latest_offset
    plan = CompactionPlan(NOW, RETENTION_MS, log.end_offset)
    kept = [batch for batch in compact_batches(log.batches, offsets, plan, CleanedTransactions()) if batch]
    assert [record for _, record in data_records(kept) if record.offset > latest_offset] == [
        record for _, record in data_records(log.batches) if record.offset > latest_offset
    ]


@settings(deadline=None)
@given(logs(), st.integers(1, 4))
def test_how_batches_are_cut_into_buffers_does_not_matter(log: Log, per_buffer: int) -> None:
    buffers = [
        memoryview(b"".join(log.batches[start : start + per_buffer]))
        for start in range(0, len(log.batches), per_buffer)
    ]
    offsets = OffsetMap(100_000)
    list(build_offset_map(buffers, offsets, 0, CleanedTransactions(log.aborted)))
    plan = CompactionPlan(NOW, RETENTION_MS, log.end_offset, log.producers)
    kept = [batch for batch in compact_batches(buffers, offsets, plan, CleanedTransactions(log.aborted)) if batch]
    assert kept == compact(log, log.batches, log.aborted).batches


# --- single decisions -------------------------------------------------------------------------------------------------


def one_pass(log: Log, now_ms: int = NOW, **settings: bool) -> Compacted:
    return compact(log, log.batches, log.aborted, now_ms, **settings)


@pytest.mark.parametrize("codec", list(CompressionType))
def test_a_batch_of_which_everything_stays_is_not_touched(codec: CompressionType) -> None:
    log = Log()
    log.append([(b"a", b"1"), (b"b", b"2")], codec=codec)
    assert one_pass(log).batches == log.batches


@pytest.mark.parametrize("append_time", [None, NOW + 77])
@pytest.mark.parametrize("codec", list(CompressionType))
def test_a_tombstone_sets_the_horizon(codec: CompressionType, append_time: int | None) -> None:
    log = Log()
    log.append([(b"a", b"1"), (b"b", None), (b"c", b"3"), (b"a", b"4")], codec=codec, append_time=append_time)
    result = one_pass(log)
    (header,) = result.headers
    assert header.delete_horizon_ms == NOW + RETENTION_MS
    assert (header.record_count, header.last_offset, header.compression) == (3, 3, codec)
    assert result.stats.delete_horizons_set == 1
    originals = [record for _, record in data_records(log.batches)]
    assert [record for _, record in data_records(result.batches)] == originals[1:]
    # It is set once.
    again = compact(log, result.batches, [], now_ms=NOW + RETENTION_MS - 1)
    assert again.batches == result.batches
    gone = compact(log, result.batches, [], now_ms=NOW + RETENTION_MS)
    assert [record for _, record in data_records(gone.batches)] == originals[2:]
    assert gone.headers[0].delete_horizon_ms == NOW + RETENTION_MS


def test_retention_without_end_is_a_horizon_too() -> None:
    log = Log()
    log.append([(b"a", None)])
    offsets = OffsetMap(1000)
    offsets.latest_offset = 0
    plan = CompactionPlan(NOW, 2**63 - 1, 1)
    (batch,) = compact_batches(log.batches, offsets, plan, CleanedTransactions())
    assert read_header(batch).delete_horizon_ms == 2**62
    assert [record for _, record in data_records([batch])] == [record for _, record in data_records(log.batches)]


def test_the_largest_timestamp_follows_the_records() -> None:
    log = Log()
    log.append([(b"a", b"1"), (b"b", b"2"), (b"c", b"3")])
    log.append([(b"a", b"4")])
    header = one_pass(log).headers[0]
    assert read_header(log.batches[0]).max_timestamp == NOW
    assert header.max_timestamp == NOW - 3


def test_an_emptied_batch_goes() -> None:
    log = Log()
    log.append([(b"a", b"1")], producer_id=1)
    log.append([(b"a", b"2")], producer_id=1)
    assert one_pass(log).batches == log.batches[1:]


def test_the_last_batch_of_an_active_producer_stays_empty() -> None:
    log = Log()
    log.append([(b"a", b"1"), (b"a", b"2")], producer_id=1, codec=CompressionType.GZIP)
    log.append([(b"a", b"3")], producer_id=2)
    header = one_pass(log).headers[0]
    assert (header.record_count, header.size_bytes, header.last_sequence) == (0, 61, 1)
    assert header.compression == CompressionType.NONE
    assert one_pass(log, keeps_producers=False).batches == log.batches[1:]


def test_the_last_batch_below_the_upper_bound_stays_empty() -> None:
    log = Log()
    log.append([(b"a", b"1")])
    log.append([(None, b"no key"), (None, b"either")])
    header = one_pass(log).headers[-1]
    assert (header.record_count, header.base_offset, header.last_offset) == (0, 1, 2)


def test_an_abort_marker_outlives_its_data_by_two_passes() -> None:
    log = Log()
    log.append([(b"a", b"aborted")], producer_id=10)
    log.end(10, ControlType.ABORT)
    log.append([(b"b", b"1")])
    log.producers.clear()

    first = one_pass(log)
    assert [record.key for _, record in data_records(first.batches)] == [b"b"]
    assert markers(first.batches) == [(1, ControlType.ABORT)]
    assert (first.aborted, first.headers[0].delete_horizon_ms) == (log.aborted, None)

    second = compact(log, first.batches, first.aborted, now_ms=NOW + 1)
    assert markers(second.batches) == [(1, ControlType.ABORT)]
    assert (second.aborted, second.headers[0].delete_horizon_ms) == ([], NOW + 1 + RETENTION_MS)

    third = compact(log, second.batches, second.aborted, now_ms=NOW + 1 + RETENTION_MS)
    assert markers(third.batches) == []


def test_a_commit_marker_stays_while_its_data_does() -> None:
    log = Log()
    log.append([(b"a", b"1")], producer_id=10)
    log.end(10, ControlType.COMMIT)
    log.append([(b"b", b"1")])
    log.producers.clear()
    result = one_pass(log)
    for round_number in range(1, 4):
        result = compact(log, result.batches, [], now_ms=NOW + round_number * 10 * RETENTION_MS)
        assert markers(result.batches) == [(1, ControlType.COMMIT)]
        assert result.batches == log.batches


def test_the_last_marker_of_a_producer_without_data_stays_empty() -> None:
    log = Log()
    log.end(10, ControlType.COMMIT)
    log.append([(b"b", b"1")])
    first = one_pass(log)
    second = compact(log, first.batches, [], now_ms=NOW + RETENTION_MS)
    header = second.headers[0]
    assert (header.is_control, header.record_count, header.producer_id, header.producer_epoch) == (True, 0, 10, 0)
    assert markers(second.batches) == [(0, None)]


def test_transactions_of_two_producers_do_not_mix() -> None:
    log = Log()
    log.append([(b"a", b"kept")], producer_id=10)
    log.append([(b"a", b"aborted")], producer_id=11)
    log.append([(b"b", b"kept")], producer_id=10)
    log.end(11, ControlType.ABORT)
    log.append([(b"c", b"kept too")], producer_id=11)
    log.end(10, ControlType.COMMIT)
    log.end(11, ControlType.COMMIT)
    result = one_pass(log)
    assert {record.key: record.value for _, record in data_records(result.batches)} == {
        b"a": b"kept",
        b"b": b"kept",
        b"c": b"kept too",
    }
    assert result.aborted == [Aborted(11, 1, 3)]


# --- steps, and what is not a log -------------------------------------------------------------------------------------


@pytest.mark.parametrize("codec", list(CompressionType))
def test_large_batches_are_worked_off_in_steps(codec: CompressionType) -> None:
    log = Log()
    count = 10 * RECORDS_PER_STEP
    log.append([(b"key-%d" % number, bytes(60)) for number in range(count)], codec=codec)
    log.append([(b"key-%d" % number, None) for number in range(0, count, 2)], codec=codec)
    result = compact(log, log.batches, [], capacity_bytes=1_000_000)
    assert [header.record_count for header in result.headers] == [count // 2, count // 2]
    # Fifteen times as many records as a step takes are read in both passes, and five times as many get a horizon.
    assert result.steps >= 2 * 15 + 5
    assert result.stats.records_read == count + count // 2


def test_bytes_that_are_no_batch_are_refused() -> None:
    log = Log()
    log.append([(b"a", b"1")])
    for buffers in ([log.batches[0] + b"tail"], [log.batches[0][:-1]]):
        for run in (
            build_offset_map(buffers, OffsetMap(1000), 0, CleanedTransactions()),
            compact_batches(buffers, OffsetMap(1000), CompactionPlan(NOW, 0, 1), CleanedTransactions()),
        ):
            with pytest.raises(BrokerError) as error:
                list(run)
            assert error.value.code == ErrorCode.CORRUPT_MESSAGE


def test_records_that_cannot_be_read_are_refused() -> None:
    log = Log()
    log.append([(b"a", b"1")])
    garbage = bytes(assemble(read_header(log.batches[0]), b"\x7fgarbage"))
    assert list(iter_batches(garbage))
    for run in (
        build_offset_map([garbage], OffsetMap(1000), 0, CleanedTransactions()),
        compact_batches([garbage], OffsetMap(1000), CompactionPlan(NOW, 0, 1), CleanedTransactions()),
    ):
        with pytest.raises(BrokerError) as error:
            list(run)
        assert error.value.code == ErrorCode.INVALID_RECORD


def test_records_before_the_start_are_not_mapped() -> None:
    log = Log()
    log.append([(b"a", b"1"), (b"b", b"2"), (b"c", b"3")])
    offsets = OffsetMap(1000)
    list(build_offset_map(log.batches, offsets, 1, CleanedTransactions()))
    assert [offsets.get(key) for key in (b"a", b"b", b"c")] == [-1, 1, 2]
    assert offsets.latest_offset == 2
