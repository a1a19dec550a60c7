"""What a log answers to appends, reads, truncations and deletions, rule by rule. `test_log_against_list` mixes them."""

from __future__ import annotations

import errno
from dataclasses import replace

import pytest

from kwire.errors import BrokerError, ErrorCode
from kwire.records.batch import iter_batches, patch_offsets, read_header
from kwire.records.control import ControlType
from kwire.storage.file_system import StorageError
from kwire.storage.flush import FlushScope
from kwire.storage.leader_epochs import EpochEntry
from kwire.storage.log import AppendOrigin, Isolation, Log
from kwire.testing.fake_files import FakeFileSystem
from kwire.testing.small_logs import (
    DIRECTORY,
    NOW_MS,
    SMALL,
    append,
    end_transaction,
    fill,
    flush,
    make_batch,
    make_transactional_batch,
    open_small_log,
    read_bytes,
    read_records,
)


@pytest.fixture
def files() -> FakeFileSystem:
    return FakeFileSystem()


@pytest.fixture
def log(files: FakeFileSystem) -> Log:
    return open_small_log(files)


def raises(code: ErrorCode) -> pytest.RaisesExc[BrokerError]:
    return pytest.raises(BrokerError, match=code.name)


def names(files: FakeFileSystem, suffix: str) -> list[str]:
    return [name for name in files.list_directory(DIRECTORY) if name.endswith(suffix)]


# Appending.


def test_an_append_gives_offsets_and_patches_the_batch_in_place(log: Log) -> None:
    append(log, make_batch(b"a", b"b"))
    batch = make_batch(b"c", b"d", b"e")
    info = log.append_as_leader(batch, 7, NOW_MS)
    assert info == (2, 4, -1, 0, False)
    header = read_header(batch.data)
    assert (header.base_offset, header.leader_epoch) == (2, 7)
    assert read_bytes(log, 2) == bytes(batch.data)
    assert log.log_end_offset == 5
    assert log.leader_epochs.entries == (EpochEntry(0, 0), EpochEntry(7, 2))


def test_a_batch_is_written_once_and_read_back_untouched(files: FakeFileSystem, log: Log) -> None:
    before = files.counts["write"]
    batch = make_batch(b"value")
    append(log, batch)
    assert files.counts["write"] == before + 1
    assert files.counts["read"] == 0


def test_a_repeated_batch_is_answered_with_its_first_offsets(log: Log) -> None:
    append(log, make_batch(b"other"))
    first = append(log, make_batch(b"a", b"b", producer_id=5, sequence=0))
    append(log, make_batch(b"c", producer_id=5, sequence=2))
    again = append(log, make_batch(b"a", b"b", producer_id=5, sequence=0))
    assert again.is_duplicate
    assert (again.first_offset, again.last_offset) == (first.first_offset, first.last_offset) == (1, 2)
    assert again.log_append_time_ms == NOW_MS, "as Kafka does: the timestamp of the batch that it repeats"
    assert log.log_end_offset == 4
    with raises(ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER):
        append(log, make_batch(b"d", producer_id=5, sequence=9))
    assert log.log_end_offset == 4


def test_a_coordinators_batch_has_no_sequence(log: Log) -> None:
    append(log, make_batch(b"a", producer_id=5, sequence=0))
    log.append_as_leader(make_batch(b"b", producer_id=5), 0, NOW_MS, AppendOrigin.COORDINATOR)
    assert log.log_end_offset == 2


def test_a_batch_that_no_segment_holds_is_refused(log: Log) -> None:
    for end_offset in (0, 1):
        with raises(ErrorCode.RECORD_LIST_TOO_LARGE):
            append(log, make_batch(bytes(SMALL.segment_bytes)))
        assert (log.log_end_offset, len(log.local.segments)) == (end_offset, 1)
        append(log, make_batch(b"value"))


def test_under_log_append_time_markers_get_the_brokers_time(files: FakeFileSystem) -> None:
    log = open_small_log(files, replace(SMALL, message_timestamp_type="LogAppendTime"))
    append(log, make_transactional_batch(b"a", producer_id=5, sequence=0))
    info = end_transaction(log, 5, ControlType.COMMIT, now_ms=NOW_MS + 5)
    assert info.log_append_time_ms == NOW_MS + 5
    (_, header), *_ = iter_batches(read_bytes(log, 1))
    assert header.is_log_append_time


def test_a_failed_write_leaves_the_log_as_it_was(files: FakeFileSystem, log: Log) -> None:
    append(log, make_batch(b"first"))
    files.fail(files.operations + 1, errno.ENOSPC)
    with pytest.raises(StorageError):
        append(log, make_batch(b"second", producer_id=5, sequence=0))
    assert log.log_end_offset == 1
    assert len(read_records(log)) == 1
    assert log.producers.get(5) is None


def test_a_new_segment_begins_where_the_log_ends(files: FakeFileSystem, log: Log) -> None:
    fill(log, segments=3)
    bases = [segment.base_offset for segment in log.local.segments]
    assert names(files, ".log") == [f"{base:020d}.log" for base in bases]
    assert [segment.next_offset() for segment in log.local.segments][:-1] == bases[1:]
    assert names(files, ".snapshot") == [f"{base:020d}.snapshot" for base in bases[1:]], "taken at each roll"
    for segment in log.local.segments.closed:
        assert segment.offset_index.file.size_bytes == segment.offset_index.size_bytes, "trimmed"
        assert segment.time_index.last_timestamp == segment.max_timestamp, "the last entry is the largest"


def test_offsets_beyond_the_range_of_an_empty_segment_get_another(files: FakeFileSystem, log: Log) -> None:
    header, data = make_batch(b"value")
    patch_offsets(data, 0, 2**31 + 5, 0)
    log.append_as_follower(data, NOW_MS)
    assert [segment.base_offset for segment in log.local.segments] == [2**31 + 5]
    assert names(files, ".log") == [f"{2**31 + 5:020d}.log"]
    assert log.log_end_offset == 2**31 + 5 + header.record_count


def replicated(*base_offsets: int, leader_epoch: int = 3) -> bytearray:
    data = bytearray()
    for base_offset in base_offsets:
        batch = make_batch(b"value").data
        patch_offsets(batch, 0, base_offset, leader_epoch)
        data += batch
    return data


def test_a_follower_takes_batches_as_they_are(log: Log) -> None:
    data = replicated(0, 1, 5)
    info = log.append_as_follower(data + replicated(6)[:40], NOW_MS)
    assert (info.first_offset, info.last_offset, log.log_end_offset) == (0, 5, 6)
    assert read_bytes(log, 0) == bytes(data), "a gap stays, what is cut off at the end is left out"
    assert log.leader_epochs.entries == (EpochEntry(3, 0),)
    with raises(ErrorCode.OFFSET_OUT_OF_RANGE):
        log.append_as_follower(replicated(5), NOW_MS)
    assert log.append_as_follower(replicated(6)[:40], NOW_MS).last_offset == 5


def test_a_follower_checks_what_came_over_the_network(log: Log) -> None:
    data = replicated(0, 1)
    data[-1] ^= 1
    with raises(ErrorCode.CORRUPT_MESSAGE):
        log.append_as_follower(data, NOW_MS)
    assert (log.log_end_offset, log.size_bytes) == (0, 0)


def test_a_follower_follows_producers_without_checking_them(log: Log) -> None:
    header, data = make_batch(b"value", producer_id=5, sequence=40)
    log.append_as_follower(data, NOW_MS)
    state = log.producers.get(5)
    assert state is not None
    assert state.next_sequence == 40 + header.record_count


# Reading.


def test_a_read_goes_on_into_the_next_segments(log: Log) -> None:
    fill(log, segments=3)
    result = log.read(0, 1 << 20, Isolation.LOG_END)
    assert len(result.regions) == 3
    assert result.size_bytes == log.size_bytes
    first, second, _ = result.regions
    limited = log.read(0, first.size_bytes + 10, Isolation.LOG_END)
    assert [region.size_bytes for region in limited.regions] == [first.size_bytes, 10]
    assert limited.regions[1].file is second.file


def test_offsets_outside_of_the_log_are_out_of_range(log: Log) -> None:
    append(log, make_batch(b"a", b"b", b"c"))
    for offset in (-1, 4):
        with raises(ErrorCode.OFFSET_OUT_OF_RANGE):
            log.read(offset, 1000, Isolation.HIGH_WATERMARK)
    assert log.read(3, 1000, Isolation.HIGH_WATERMARK).regions == ()
    log.delete_records_before(2)
    with raises(ErrorCode.OFFSET_OUT_OF_RANGE):
        log.read(1, 1000, Isolation.HIGH_WATERMARK)
    assert read_bytes(log, 2), "the whole batch, though its beginning is deleted"


def test_readers_stop_at_the_high_watermark(log: Log) -> None:
    for _ in range(5):
        log.append_as_leader(make_batch(b"value"), 0, NOW_MS)
    assert log.read(0, 1000, Isolation.HIGH_WATERMARK).regions == ()
    assert log.advance_high_watermark(3)
    assert [
        header.base_offset for _, header in iter_batches(read_bytes(log, 0, isolation=Isolation.HIGH_WATERMARK))
    ] == [
        0,
        1,
        2,
    ]
    assert log.read(4, 1000, Isolation.HIGH_WATERMARK).regions == (), "in the log, but not to be seen yet"
    assert len(list(iter_batches(read_bytes(log, 0)))) == 5
    assert not log.advance_high_watermark(2), "never backward"
    assert log.high_watermark == 3
    assert log.advance_high_watermark(99)
    assert log.high_watermark == 5


def test_read_committed_stops_at_an_open_transaction_and_names_aborted_ones(log: Log) -> None:
    append(log, make_batch(b"plain"))
    append(log, make_transactional_batch(b"a", producer_id=5, sequence=0))
    append(log, make_transactional_batch(b"b", producer_id=6, sequence=0))
    assert log.last_stable_offset == 1
    assert read_records(log, Isolation.LAST_STABLE)[-1].offset == 0
    end_transaction(log, 5, ControlType.ABORT)
    log.advance_high_watermark(log.log_end_offset)
    assert log.last_stable_offset == 2
    result = log.read(0, 1 << 20, Isolation.LAST_STABLE)
    assert result.aborted_transactions == ((5, 1, 3, 2),)
    end_transaction(log, 6, ControlType.COMMIT)
    assert log.last_stable_offset == 2, "until the marker is replicated"
    log.advance_high_watermark(log.log_end_offset)
    assert log.last_stable_offset == 5
    assert log.read(4, 1 << 20, Isolation.LAST_STABLE).aborted_transactions == ()
    assert log.read(0, 1 << 20, Isolation.HIGH_WATERMARK).aborted_transactions == ()


def test_aborted_transactions_are_found_segments_later(log: Log) -> None:
    append(log, make_transactional_batch(b"a", producer_id=5, sequence=0))
    fill(log, segments=4)
    marker = end_transaction(log, 5, ControlType.ABORT).last_offset
    log.advance_high_watermark(log.log_end_offset)
    result = log.read(0, 1, Isolation.LAST_STABLE)
    assert result.aborted_transactions == ((5, 0, marker, marker + 1),)


def test_a_transaction_marker_of_a_fenced_producer_is_refused(log: Log) -> None:
    append(log, make_transactional_batch(b"a", producer_id=5, sequence=0))
    state = log.producers.get(5)
    assert state is not None
    state.epoch = 4
    with raises(ErrorCode.INVALID_PRODUCER_EPOCH):
        end_transaction(log, 5, ControlType.COMMIT)
    assert log.log_end_offset == 1


def test_an_old_read_is_prepared_by_a_worker(files: FakeFileSystem, log: Log) -> None:
    fill(log, segments=3)
    active = log.local.segments.active.base_offset
    assert log.prepare_read(active) is None, "the active segment needs none"
    assert log.prepare_read(99999) is None
    load = log.prepare_read(4)
    assert load is not None
    before = files.counts["read"]
    load()
    assert files.counts["read"] > before
    assert read_bytes(log, 4)


# Removing.


def test_delete_records_moves_the_start_but_not_beyond_the_high_watermark(log: Log) -> None:
    for _ in range(4):
        log.append_as_leader(make_batch(b"value"), 0, NOW_MS)
    log.advance_high_watermark(3)
    with raises(ErrorCode.OFFSET_OUT_OF_RANGE):
        log.delete_records_before(4)
    log.delete_records_before(2)
    assert (log.log_start_offset, log.leader_epochs.entries) == (2, (EpochEntry(0, 2),))
    log.delete_records_before(1)
    assert log.log_start_offset == 2
    log.delete_records_before(-1)
    assert log.log_start_offset == 3


def test_deleted_segments_are_readable_until_their_files_go(files: FakeFileSystem, log: Log) -> None:
    fill(log, segments=4)
    regions = log.read(0, 1 << 20, Isolation.LOG_END).regions
    log.delete_oldest(2, NOW_MS)
    assert log.log_start_offset == log.local.segments[0].base_offset
    assert len(names(files, ".log.deleted")) == 2
    assert len(names(files, ".snapshot.deleted")) == 1, "the first segment has none"
    assert all(len(region.read()) == region.size_bytes for region in regions)
    log.remove_dropped(NOW_MS + SMALL.file_delete_delay_ms - 1)
    assert len(names(files, ".log.deleted")) == 2
    log.remove_dropped(NOW_MS + SMALL.file_delete_delay_ms)
    assert names(files, ".deleted") == []


def test_all_segments_can_be_deleted(log: Log) -> None:
    fill(log, segments=2)
    end_offset = log.log_end_offset
    log.delete_oldest(2, NOW_MS)
    assert (log.log_start_offset, log.log_end_offset, log.high_watermark) == (end_offset, end_offset, end_offset)
    assert append(log, make_batch(b"value")).first_offset == end_offset


def test_truncation_takes_batches_whole_and_producers_back(log: Log) -> None:
    append(log, make_batch(b"a", producer_id=5, sequence=0))
    append(log, make_batch(b"b", b"c", producer_id=5, sequence=1))
    append(log, make_batch(b"d", producer_id=5, sequence=3), leader_epoch=2)
    assert not log.truncate_to(4, NOW_MS)
    assert log.truncate_to(2, NOW_MS)
    assert (log.log_end_offset, log.high_watermark) == (1, 1)
    assert log.leader_epochs.entries == (EpochEntry(0, 0),)
    state = log.producers.get(5)
    assert state is not None
    assert state.next_sequence == 1
    assert append(log, make_batch(b"b", producer_id=5, sequence=1)).first_offset == 1


def test_truncation_over_segments_keeps_what_is_before(files: FakeFileSystem, log: Log) -> None:
    fill(log, segments=4)
    offset = log.local.segments[1].base_offset + 1
    kept = [record for record in read_records(log) if record.offset < offset]
    log.truncate_to(offset, NOW_MS)
    assert read_records(log) == kept
    assert len(log.local.segments) == 2
    log.remove_dropped(NOW_MS + 10**6)
    assert len(names(files, ".log")) == 2
    fill(log, segments=3)


def test_truncation_below_the_first_segment_starts_again_there(log: Log) -> None:
    fill(log, segments=3)
    log.delete_oldest(1, NOW_MS)
    assert log.truncate_to(1, NOW_MS)
    assert (log.log_start_offset, log.log_end_offset, len(log.local.segments)) == (1, 1, 1)


def test_truncate_fully_and_start_at(files: FakeFileSystem, log: Log) -> None:
    fill(log, segments=3)
    append(log, make_batch(b"a", producer_id=5, sequence=0))
    log.truncate_fully_and_start_at(5000, NOW_MS)
    assert (log.log_start_offset, log.high_watermark, log.log_end_offset) == (5000, 5000, 5000)
    assert len(log.producers) == 0
    assert log.leader_epochs.entries == ()
    assert names(files, ".log") == [f"{5000:020d}.log"]
    assert append(log, make_batch(b"value")).first_offset == 5000


# Flushing.


def test_one_flush_serves_all_appends_before_it(files: FakeFileSystem, log: Log) -> None:
    append(log, make_batch(b"first of its leader epoch, which is noted once"))
    flush(log)
    for _ in range(3):
        append(log, make_batch(b"value"))
    ticket = log.begin_flush(NOW_MS)
    assert ticket is not None
    append(log, make_batch(b"later"))
    before = files.counts["sync"]
    ticket.sync()
    assert files.counts["sync"] == before + 1, "one file, one sync"
    assert log.flushed_offset == 1
    log.finish_flush(ticket)
    assert log.flushed_offset == 4
    flush(log)
    assert log.flushed_offset == 5
    assert log.begin_flush(NOW_MS) is None


def test_the_recovery_point_needs_the_indexes_too(files: FakeFileSystem, log: Log) -> None:
    for _ in range(4):
        append(log, make_batch(bytes(60)))
    flush(log, FlushScope.RECORDS)
    assert (log.flushed_offset, log.recovery_point) == (4, 0)
    before = files.counts["sync"]
    flush(log, FlushScope.RECOVERY_POINT)
    assert files.counts["sync"] == before + 2, "offset index and time index"
    assert log.recovery_point == 4


def test_a_completed_segment_moves_the_recovery_point(log: Log) -> None:
    assert not log.is_flush_due(NOW_MS)
    fill(log, segments=2)
    assert log.is_flush_due(NOW_MS), "as soon as one is complete"
    flush(log)
    assert log.recovery_point == log.local.segments.active.base_offset
    assert not log.is_flush_due(NOW_MS)


def test_a_flush_that_began_before_a_truncation_does_not_count(log: Log) -> None:
    for _ in range(4):
        append(log, make_batch(b"value"))
    ticket = log.begin_flush(NOW_MS)
    assert ticket is not None
    log.truncate_to(2, NOW_MS)
    append(log, make_batch(b"another"))
    ticket.sync()
    log.finish_flush(ticket)
    assert log.flushed_offset == 0
    flush(log)
    assert log.flushed_offset == 3


def test_flush_messages_and_flush_ms(files: FakeFileSystem) -> None:
    log = open_small_log(files, replace(SMALL, flush_messages=3, flush_ms=100))
    flush(log, now_ms=NOW_MS)
    append(log, make_batch(b"a", b"b"))
    assert not log.is_flush_due(NOW_MS + 99)
    assert log.is_flush_due(NOW_MS + 100)
    append(log, make_batch(b"c"))
    assert log.is_flush_due(NOW_MS)
    flush(log, now_ms=NOW_MS + 50)
    assert not log.is_flush_due(NOW_MS + 10**6), "there is nothing to flush"


def test_writeback_is_asked_for_once(log: Log) -> None:
    assert log.take_writeback(1) is None
    append(log, make_batch(b"value"))
    size = log.size_bytes
    assert log.take_writeback(size + 1) is None
    writeback = log.take_writeback(size)
    assert writeback is not None
    assert (writeback.position, writeback.size_bytes) == (0, size)
    writeback.start()
    assert log.take_writeback(1) is None
    append(log, make_batch(b"value"))
    writeback = log.take_writeback(1)
    assert writeback is not None
    assert (writeback.position, writeback.size_bytes) == (size, size)
    fill(log, segments=2)
    writeback = log.take_writeback(1)
    assert writeback is not None
    assert (writeback.file, writeback.position) == (log.local.segments.active.log, 0)


def test_files_are_not_removed_under_a_running_flush(files: FakeFileSystem, log: Log) -> None:
    fill(log, segments=3)
    ticket = log.begin_flush(NOW_MS)
    assert ticket is not None
    log.delete_oldest(2, NOW_MS)
    log.remove_dropped(NOW_MS + 10**6)
    assert len(names(files, ".log.deleted")) == 2
    ticket.sync()
    log.finish_flush(ticket)
    log.remove_dropped(NOW_MS + 10**6)
    assert names(files, ".deleted") == []


def test_new_settings_count_from_the_next_append(log: Log) -> None:
    append(log, make_batch(b"value"))
    log.set_config(replace(SMALL, segment_bytes=1))
    with raises(ErrorCode.RECORD_LIST_TOO_LARGE):
        append(log, make_batch(b"value"))
    log.set_config(replace(SMALL, segment_bytes=100))
    append(log, make_batch(b"value"))
    assert len(log.local.segments) == 2
