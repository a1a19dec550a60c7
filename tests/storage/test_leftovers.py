"""What a start makes of files that a crash left in the middle of a deletion or a compaction, state by state.

`test_log_crashes` has the crashes themselves.
"""

from __future__ import annotations

import pytest

from kwire.storage.file_system import Access
from kwire.storage.leftovers import tidy_directory
from kwire.storage.log import Log
from kwire.testing.fake_files import FakeFileSystem
from kwire.testing.small_logs import COMPACTED, DIRECTORY, NOW_MS, append, close, fill, make_batch, open_small_log

KINDS = (".index", ".log", ".timeindex")


@pytest.fixture
def files() -> FakeFileSystem:
    return FakeFileSystem()


@pytest.fixture
def log(files: FakeFileSystem) -> Log:
    """Three segments, closed."""
    log = open_small_log(files, COMPACTED)
    fill(log, segments=3)
    append(log, make_batch(b"in the last"))
    close(log)
    return log


def name(base_offset: int, kind: str, state: str = "") -> str:
    return f"{base_offset:020d}{kind}{state}"


def rename(files: FakeFileSystem, base_offset: int, before: str, after: str, kinds: tuple[str, ...] = KINDS) -> None:
    for kind in kinds:
        source, target = name(base_offset, kind, before), name(base_offset, kind, after)
        files.rename(f"{DIRECTORY}/{source}", f"{DIRECTORY}/{target}")


def copy(files: FakeFileSystem, base_offset: int, state: str, kinds: tuple[str, ...] = KINDS) -> None:
    """What a compaction that keeps everything of one segment writes."""
    for kind in kinds:
        source = files.open(f"{DIRECTORY}/{name(base_offset, kind)}", Access.READ)
        target = files.open(f"{DIRECTORY}/{name(base_offset, kind, state)}", Access.CREATE)
        target.write(source.read_at(source.size_bytes, 0))


def segment_names(files: FakeFileSystem) -> list[str]:
    return [found for found in files.list_directory(DIRECTORY) if found[:20].isdigit() and ".snapshot" not in found]


def tidy(files: FakeFileSystem) -> list[int]:
    """The base offsets of swaps that were completed."""
    found = tidy_directory(files, DIRECTORY, files.list_directory(DIRECTORY), COMPACTED, NOW_MS)
    assert sorted(
        name(base_offset, kind) for base_offset, kinds in found.kinds.items() for kind in kinds
    ) == segment_names(files), "what it says is there is there, and nothing else"
    return sorted(found.swapped)


def bases(log: Log) -> list[int]:
    return [segment.base_offset for segment in log.local.segments]


def all_names(*base_offsets: int) -> list[str]:
    return sorted(name(base_offset, kind) for base_offset in base_offsets for kind in KINDS)


def test_nothing_is_done_where_nothing_is_left(files: FakeFileSystem, log: Log) -> None:
    before = files.operations
    found = tidy_directory(files, DIRECTORY, files.list_directory(DIRECTORY), COMPACTED, NOW_MS)
    assert files.operations == before + 1
    assert not found.is_changed


def test_deleted_files_go(files: FakeFileSystem, log: Log) -> None:
    first, second, third = bases(log)
    rename(files, first, "", ".deleted")
    files.rename(f"{DIRECTORY}/{name(second, '.snapshot')}", f"{DIRECTORY}/{name(second, '.snapshot')}.deleted")
    assert tidy(files) == []
    assert segment_names(files) == all_names(second, third)
    assert not any(".deleted" in found for found in files.list_directory(DIRECTORY))


def test_an_index_without_its_log_goes(files: FakeFileSystem, log: Log) -> None:
    first, second, third = bases(log)
    rename(files, first, "", ".deleted", (".log",))
    tidy(files)
    assert segment_names(files) == all_names(second, third)


def test_cleaned_files_go(files: FakeFileSystem, log: Log) -> None:
    first, second, third = bases(log)
    copy(files, second, ".cleaned")
    assert tidy(files) == []
    assert segment_names(files) == all_names(first, second, third)


@pytest.mark.parametrize("renamed", [(".log",), (".index",), (".log", ".timeindex")])
def test_a_swap_of_which_a_part_is_still_cleaned_was_never_begun(
    files: FakeFileSystem, log: Log, renamed: tuple[str, ...]
) -> None:
    first, second, third = bases(log)
    copy(files, second, ".cleaned")
    rename(files, second, ".cleaned", ".swap", renamed)
    assert tidy(files) == []
    assert segment_names(files) == all_names(first, second, third)


def test_a_swap_takes_the_place_of_what_it_was_made_of(files: FakeFileSystem, log: Log) -> None:
    first, second, third = bases(log)
    copy(files, second, ".swap")
    assert tidy(files) == [second]
    assert segment_names(files) == all_names(first, second, third)


def test_a_swap_of_two_segments_takes_the_place_of_both(files: FakeFileSystem, log: Log) -> None:
    first, second, third = bases(log)
    copy(files, first, ".swap")
    merged = files.open(f"{DIRECTORY}/{name(first, '.log', '.swap')}", Access.WRITE)
    merged.write(_content(files, second))
    assert tidy(files) == [first]
    assert segment_names(files) == all_names(first, third)


def _content(files: FakeFileSystem, base_offset: int) -> bytes:
    file = files.open(f"{DIRECTORY}/{name(base_offset, '.log')}", Access.READ)
    return file.read_at(file.size_bytes, 0)


def test_an_empty_swap_takes_the_place_of_its_own_segment(files: FakeFileSystem, log: Log) -> None:
    first, second, third = bases(log)
    for kind in KINDS:
        files.open(f"{DIRECTORY}/{name(second, kind, '.swap')}", Access.CREATE)
    assert tidy(files) == [second]
    assert segment_names(files) == all_names(first, second, third)
    assert _content(files, second) == b""


@pytest.mark.parametrize("renamed", [(".log",), (".index",), (".log", ".index")])
def test_a_swap_whose_last_renames_are_missing_is_completed(
    files: FakeFileSystem, log: Log, renamed: tuple[str, ...]
) -> None:
    second = bases(log)[1]
    content = _content(files, second)
    copy(files, second, ".swap")
    rename(files, second, "", ".deleted")
    rename(files, second, ".swap", "", renamed)
    assert tidy(files) == [second]
    assert _content(files, second) == content
    found = open_small_log(files.kill(), COMPACTED)
    assert found.log_end_offset == log.log_end_offset
    assert found.local.segments[1].offset_index.entries > 0, "an index that got lost is made anew"
