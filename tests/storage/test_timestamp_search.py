"""Records by their timestamps. What ListOffsets makes of it is in `test_offset_lookup`."""

from __future__ import annotations

from dataclasses import replace

from kwire.storage.timestamp_search import find_timestamp, max_timestamp_from
from kwire.testing.fake_files import FakeFileSystem
from kwire.testing.small_logs import NOW_MS, SMALL, append, make_batch, open_small_log

ROOMY = replace(SMALL, segment_bytes=1 << 20, segment_index_bytes=1 << 16)


def test_the_records_of_one_batch_are_parsed() -> None:
    files = FakeFileSystem()
    log = open_small_log(files, ROOMY)
    for number in range(300):
        append(log, make_batch(bytes(50), bytes(50), timestamp=NOW_MS + number))
    segment = log.local.segments.active
    before = files.counts["read"]
    assert find_timestamp(segment, NOW_MS + 150, 0) == (NOW_MS + 150, 300, 0)
    assert files.counts["read"] - before < 12
    assert find_timestamp(segment, NOW_MS + 150, 301) == (NOW_MS + 150, 301, 0)
    assert find_timestamp(segment, NOW_MS + 300, 0) is None


def test_the_largest_from_an_offset_on() -> None:
    log = open_small_log(FakeFileSystem(), ROOMY)
    for timestamp in (5, 9, 7, 3, 6):
        append(log, make_batch(b"a", b"b", timestamp=timestamp))
    segment = log.local.segments.active
    expected = {0: 9, 2: 9, 3: 9, 4: 7, 5: 7, 6: 6, 9: 6, 10: -1}
    assert {offset: max_timestamp_from(segment, offset) for offset in expected} == expected
