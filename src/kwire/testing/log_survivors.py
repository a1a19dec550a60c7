"""What a crash left of a `LogHistory`, opened and compared with what was promised.

- Whatever was flushed is there, unless it was deleted, truncated or compacted away since.
- Whatever is there was appended so: whole batches, in order, their CRC right.
- Producers, aborted transactions and indexes are those of the batches that are there.
- The logs can be written to, stopped, and opened again.
"""

from __future__ import annotations

from kwire.records.batch import BatchHeader, check_crc, iter_batches, read_header
from kwire.records.builder import BatchBuilder
from kwire.records.record import Record, iter_records
from kwire.records.validation import ValidatedBatch
from kwire.storage.log import Isolation, Log
from kwire.storage.offset_lookup import find_offset
from kwire.storage.producer_table import ProducerTable
from kwire.storage.replay import reload_producers
from kwire.storage.segment import Segment
from kwire.testing.fake_files import FakeFileSystem
from kwire.testing.log_history import LogHistory, PartitionHistory, Promise, Version, open_manager


def check_survivor(files: FakeFileSystem, history: LogHistory, operation: int) -> None:
    """Opens what is left after that file operation, and raises `AssertionError` unless it keeps the promises."""
    manager = open_manager(files, history.config_of, history.now_ms)
    for partition, partition_history in history.partitions.items():
        promise = partition_history.promise_at(operation)
        if promise is None or promise.may_be_missing:
            continue
        log = manager.logs.get(partition)
        assert log is not None, f"{partition} is gone"
        records = _check_batches(log, partition_history, operation)
        _check_flushed(log, partition_history, promise, records, operation)
        _check_aborted(log, partition_history, promise, operation)
        if _is_contiguous(log):
            _check_producers(files, log)
        _check_indexes(log)
        _check_timestamps(log, records)
    ends = {partition: _append(log, history.now_ms) for partition, log in manager.logs.items()}
    manager.shutdown(history.now_ms, broker_epoch=2)
    manager = open_manager(files, history.config_of, history.now_ms)
    assert {partition: log.log_end_offset for partition, log in manager.logs.items()} == ends


def _read(log: Log) -> bytes:
    parts: list[bytes] = []
    offset = log.log_start_offset
    while offset < log.log_end_offset:
        data = b"".join(region.read() for region in log.read(offset, 5000, Isolation.LOG_END).regions)
        whole = [(position, header) for position, header in iter_batches(data) if header.last_offset >= offset]
        if not whole:
            break  # What was not flushed may be lost, and what was written behind it not.
        position, header = whole[-1]
        parts.append(data[: position + header.size_bytes])
        offset = header.next_offset
    return b"".join(parts)


def _check_batches(log: Log, history: PartitionHistory, operation: int) -> dict[int, Record]:
    found: dict[int, Record] = {}
    data = _read(log)
    next_offset = 0
    for position, header in iter_batches(data):
        check_crc(data, position, header)
        assert header.base_offset >= next_offset, f"{header} after {next_offset - 1}"
        next_offset = header.next_offset
        for record in iter_records(data, position, header):
            allowed = [version.record for version in history.versions_at(record.offset, operation)]
            assert record in allowed, f"{log}: {record} was not appended there"
            found[record.offset] = record
    stored = b"".join(segment.log.read_at(segment.size_bytes, 0) for segment in log.local.segments)
    assert stored.endswith(data), "all that is stored can be read"
    assert all(header.last_offset < log.log_start_offset for _, header in iter_batches(stored[: -len(data) or None]))
    return found


def _check_flushed(
    log: Log, history: PartitionHistory, promise: Promise, records: dict[int, Record], operation: int
) -> None:
    assert log.log_end_offset >= promise.flushed_offset or promise.flushed_offset <= promise.start_offset, (
        f"{log} ends before {promise.flushed_offset}"
    )
    for offset in range(promise.start_offset, promise.flushed_offset):
        versions = history.versions_at(offset, operation)
        if versions and records.get(offset) != versions[-1].record:
            assert promise.is_compacted, f"{log}: {versions[-1].record} was flushed"
            assert _is_replaced(versions[-1], history, promise, records, operation), (
                f"{log}: {versions[-1].record} was flushed, and nothing replaces it"
            )


def _is_replaced(
    version: Version, history: PartitionHistory, promise: Promise, records: dict[int, Record], operation: int
) -> bool:
    """Whether compaction may have removed a record: a marker, a tombstone, aborted, or with a later one of its key."""
    if version.is_control or version.record.value is None or _is_aborted(version, history, operation):
        return True
    for offset in sorted(offset for offset in history.versions if offset > version.record.offset):
        for later in history.versions_at(offset, operation)[-1:]:
            if later.record.key == version.record.key and not later.is_control:
                if _is_aborted(later, history, operation):
                    continue
                if records.get(offset) == later.record:
                    return True
                return offset < promise.flushed_offset and _is_replaced(later, history, promise, records, operation)
    return False


def _is_aborted(version: Version, history: PartitionHistory, operation: int) -> bool:
    return any(
        transaction.producer_id == version.producer_id
        and transaction.first_offset <= version.record.offset <= transaction.last_offset
        for transaction in history.aborted_at(operation)
    )


def _check_aborted(log: Log, history: PartitionHistory, promise: Promise, operation: int) -> None:
    found = [transaction for segment in log.local.segments for transaction in segment.transaction_index.all()]
    first_offset = log.local.segments[0].base_offset
    for transaction in history.aborted_at(operation):
        is_there = max(first_offset, promise.start_offset) <= transaction.last_offset < promise.flushed_offset
        if is_there and not promise.is_compacted:
            # Its first records may be deleted, or deleted ones be back without the marker between: so by its end.
            ends = [(other.producer_id, other.last_offset) for other in found]
            assert (transaction.producer_id, transaction.last_offset) in ends, f"{log}: {transaction} is not in {found}"
            assert transaction in found or not _is_contiguous(log) or transaction.first_offset < log.log_start_offset
    assert len(found) == len(set(found)), f"{log}: {found}"


def _is_contiguous(log: Log) -> bool:
    """Whether nothing is missing between batches: a snapshot may know of what is."""
    segments = list(log.local.segments)
    behind = [*(segment.base_offset for segment in segments[1:]), log.log_end_offset]
    return all(segment.next_offset() == base_offset for segment, base_offset in zip(segments, behind, strict=True))


def _check_producers(files: FakeFileSystem, log: Log) -> None:
    """The table against one that is made of nothing but the batches."""
    replayed = ProducerTable(files, log.directory, [])
    reload_producers(replayed, log.local.segments, log.log_end_offset, now_ms=0)
    for state in replayed:
        kept = log.producers.get(state.producer_id)
        assert kept is not None, f"{log}: producer {state.producer_id} is not known"
        if state.batches:
            assert (kept.epoch, kept.next_sequence) == (state.epoch, state.next_sequence), f"{log}: {kept} for {state}"
        if state.transaction_start_offset >= 0 or kept.transaction_start_offset >= log.local.segments[0].base_offset:
            assert kept.transaction_start_offset >= 0
            assert kept.transaction_start_offset <= state.transaction_start_offset


def _check_indexes(log: Log) -> None:
    for segment in log.local.segments:
        index = segment.offset_index
        found = [index.entry(number) for number in range(index.entries)]
        assert found == _expected_entries(segment), f"{segment}: {found}"


def _expected_entries(segment: Segment) -> list[tuple[int, int]]:
    """The entries by the rule: after more than index.interval.bytes since the last one."""
    entries: list[tuple[int, int]] = []
    since = 0
    for position, header in _headers(segment):
        if since > segment.config.index_interval_bytes:
            entries.append((header.last_offset, position))
            since = 0
        since += header.size_bytes
    return entries


def _headers(segment: Segment) -> list[tuple[int, BatchHeader]]:
    return list(iter_batches(segment.log.read_at(segment.size_bytes, 0)))


def _check_timestamps(log: Log, records: dict[int, Record]) -> None:
    records = {offset: record for offset, record in records.items() if offset >= log.log_start_offset}
    timestamps = sorted({record.timestamp for record in records.values()})
    for timestamp in timestamps[:: max(1, len(timestamps) // 4)]:
        wanted = min(offset for offset, record in records.items() if record.timestamp >= timestamp)
        found = find_offset(log, timestamp, Isolation.LOG_END)
        assert found is not None, f"{log}: nothing at {timestamp}"
        assert found.offset == wanted, f"{log}: {found} at {timestamp}, not {wanted}"


def _append(log: Log, now_ms: int) -> int:
    builder = BatchBuilder()
    builder.append(now_ms, b"k", b"v")
    data = builder.build()
    return log.append_as_leader(ValidatedBatch(read_header(data), memoryview(data)), 100, now_ms).last_offset + 1
