"""The time index: Kafka's bytes, lookups against a list, the entry kept free for the roll."""

from __future__ import annotations

from bisect import bisect_right

from hypothesis import given
from hypothesis import strategies as st

from kwire.storage.time_index import TimeIndex
from kwire.testing.fake_files import FakeFileSystem

PATH = "/00000000000000001000.timeindex"
BASE = 1000

Entries = list[tuple[int, int]]

entry_lists = st.lists(st.tuples(st.integers(1, 10**6), st.integers(0, 50)), max_size=60).map(
    lambda steps: [
        (sum(step[0] for step in steps[: i + 1]), BASE + sum(step[1] for step in steps[: i + 1]))
        for i in range(len(steps))
    ]
)


def make_index(entries: Entries, max_bytes: int = 16384) -> TimeIndex:
    index = TimeIndex(FakeFileSystem(), PATH, BASE, max_bytes)
    for timestamp, offset in entries:
        index.maybe_append(timestamp, offset)
    return index


def all_entries(index: TimeIndex) -> Entries:
    return [index.entry(number) for number in range(index.entries)]


def test_entries_are_kafkas_bytes() -> None:
    # The first two entries of a segment that Apache Kafka 4.3 wrote.
    index = make_index([(0x01A1E26E4224, BASE + 0x03E7), (0x01A1E26E427D, BASE + 0x05DB)])
    index.trim()
    assert index.file.read_at(100, 0).hex() == "000001a1e26e4224000003e7000001a1e26e427d000005db"


def test_only_larger_timestamps_get_an_entry() -> None:
    index = make_index([(5, BASE), (5, BASE + 1), (4, BASE + 2), (6, BASE + 3)])
    assert all_entries(index) == [(5, BASE), (6, BASE + 3)]


def test_a_place_is_kept_for_the_roll() -> None:
    index = make_index([], max_bytes=25)
    index.maybe_append(1, BASE)
    assert index.is_full
    index.maybe_append(2, BASE + 1)
    assert index.entries == 2
    assert index.file.size_bytes == 24


@given(entry_lists, st.data())
def test_lookup_finds_the_last_entry_not_newer(entries: Entries, data: st.DataObject) -> None:
    index = make_index(entries)
    timestamps = [timestamp for timestamp, _ in entries]
    last = timestamps[-1] if timestamps else 0
    for timestamp in data.draw(st.lists(st.integers(-2, last + 2), max_size=8)):
        number = bisect_right(timestamps, timestamp) - 1
        assert index.lookup(timestamp) == (entries[number] if number >= 0 else (-1, BASE))


@given(entry_lists, st.data())
def test_truncation_keeps_what_lies_before(entries: Entries, data: st.DataObject) -> None:
    index = make_index(entries)
    offset = data.draw(st.integers(BASE, (entries[-1][1] if entries else BASE) + 2))
    index.truncate_to(offset)
    kept = [entry for entry in entries if entry[1] < offset]
    assert all_entries(index) == kept
    assert (index.last_timestamp, index.last_offset) == (kept[-1] if kept else (-1, BASE))


@given(entry_lists)
def test_entries_are_counted_before_preallocated_zeros(entries: Entries) -> None:
    files = FakeFileSystem()
    index = TimeIndex(files, PATH, BASE, 1200)
    for timestamp, offset in entries:
        index.maybe_append(timestamp, offset)
    found = TimeIndex(files.kill(), PATH, BASE, 1200)
    assert found.count_ascending() == len(entries)


def test_faults() -> None:
    files = FakeFileSystem()
    index = TimeIndex(files, PATH, BASE, 1200)
    index.maybe_append(5, BASE)
    assert index.find_fault() is None
    assert "(0, 1000) after (0, 1000)" in (TimeIndex(files.kill(), PATH, BASE, 1200).find_fault() or ""), "not trimmed"
    index.trim()
    assert TimeIndex(files.kill(), PATH, BASE, 1200).find_fault() is None
    index.file.truncate(13)
    assert "13 bytes" in (TimeIndex(files.kill(), PATH, BASE, 1200).find_fault() or "")
