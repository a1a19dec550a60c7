"""The offset index: Kafka's bytes, lookups against a list, what a crash and a truncation leave."""

from __future__ import annotations

from bisect import bisect_right

from hypothesis import given
from hypothesis import strategies as st

from kwire.storage.offset_index import OffsetIndex
from kwire.testing.fake_files import FakeFileSystem

PATH = "/00000000000000001000.index"
BASE = 1000

entry_lists = st.lists(st.tuples(st.integers(1, 50), st.integers(1, 5000)), max_size=1200).map(
    lambda steps: [
        (BASE - 1 + sum(step[0] for step in steps[: i + 1]), sum(step[1] for step in steps[: i + 1]))
        for i in range(len(steps))
    ]
)
short_entry_lists = entry_lists.filter(lambda entries: len(entries) < 40)


def make_index(entries: list[tuple[int, int]] = (), max_bytes: int = 16384) -> OffsetIndex:
    index = OffsetIndex(FakeFileSystem(), PATH, BASE, max_bytes)
    for offset, position in entries:
        index.append(offset, position)
    return index


def test_entries_are_kafkas_bytes() -> None:
    # The first three entries of a segment that Apache Kafka 4.3 wrote.
    index = make_index([(BASE + 0x03E7, 0xBFF9), (BASE + 0x05DB, 0x17FF2), (BASE + 0x07CF, 0x23F85)])
    index.trim()
    assert index.file.read_at(100, 0).hex() == "000003e70000bff9000005db00017ff2000007cf00023f85"


def test_the_file_is_preallocated_on_the_first_append_and_trimmed() -> None:
    index = make_index(max_bytes=1003)
    assert index.file.size_bytes == 0
    index.append(BASE + 5, 100)
    assert index.file.size_bytes == 1000, "rounded down to whole entries"
    assert index.size_bytes == 8
    index.trim()
    assert index.file.size_bytes == 8


def test_full_when_the_last_entry_is_taken() -> None:
    index = make_index(max_bytes=16)
    index.append(BASE, 1)
    assert not index.is_full
    index.append(BASE + 1, 2)
    assert index.is_full


@given(entry_lists, st.data())
def test_lookup_finds_the_last_entry_not_beyond(entries: list[tuple[int, int]], data: st.DataObject) -> None:
    index = make_index(entries)
    offsets = [offset for offset, _ in entries]
    last = offsets[-1] if offsets else BASE
    for offset in data.draw(st.lists(st.integers(BASE - 2, last + 2), max_size=8)):
        number = bisect_right(offsets, offset) - 1
        assert index.lookup(offset) == (entries[number] if number >= 0 else (BASE, 0))


@given(entry_lists, st.data())
def test_first_offset_from_a_position(entries: list[tuple[int, int]], data: st.DataObject) -> None:
    index = make_index(entries)
    last = entries[-1][1] if entries else 0
    for position in data.draw(st.lists(st.integers(0, last + 2), max_size=8)):
        expected = next((offset for offset, at in entries if at >= position), None)
        assert index.first_offset_from(position) == expected


@given(short_entry_lists, st.data())
def test_truncation_keeps_what_lies_before(entries: list[tuple[int, int]], data: st.DataObject) -> None:
    index = make_index(entries)
    offset = data.draw(st.integers(BASE, (entries[-1][0] if entries else BASE) + 2))
    index.truncate_to(offset)
    kept = [entry for entry in entries if entry[0] < offset]
    assert [index.entry(number) for number in range(index.entries)] == kept
    assert (index.last_offset, index.last_position) == (kept[-1] if kept else (BASE, 0))
    assert index.file.size_bytes == 8 * len(kept)
    index.append(offset + 1, index.last_position + 1)
    assert index.lookup(offset + 1) == (offset + 1, index.last_position)


@given(short_entry_lists)
def test_entries_are_counted_before_preallocated_zeros(entries: list[tuple[int, int]]) -> None:
    files = FakeFileSystem()
    index = OffsetIndex(files, PATH, BASE, 4096)
    for offset, position in entries:
        index.append(offset, position)
    found = OffsetIndex(files.kill(), PATH, BASE, 4096)
    assert found.entries == (512 if entries else 0), "the zeros look like entries"
    assert found.count_ascending() == len(entries)
    found.keep_entries(found.count_ascending())
    assert [found.entry(number) for number in range(found.entries)] == entries


def test_faults() -> None:
    files = FakeFileSystem()
    index = OffsetIndex(files, PATH, BASE, 800)
    index.append(BASE + 5, 100)
    assert index.find_fault(200) is None
    assert "in a log of 100 bytes" in (index.find_fault(100) or "")
    assert "(1000, 0) after (1000, 0)" in (OffsetIndex(files.kill(), PATH, BASE, 800).find_fault(200) or ""), (
        "not trimmed"
    )
    index.file.truncate(9)
    assert "9 bytes" in (OffsetIndex(files.kill(), PATH, BASE, 800).find_fault(200) or "")


def test_a_search_reads_little() -> None:
    files = FakeFileSystem()
    index = OffsetIndex(files, PATH, BASE, 1 << 20)
    for number in range(20_000):
        index.append(BASE + number * 3, 4096 * (number + 1))
    before = files.counts["read"]
    assert index.lookup(BASE + 30_001) == (BASE + 30_000, 4096 * 10_001)
    assert files.counts["read"] - before <= 8
