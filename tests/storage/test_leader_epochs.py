"""Leader epochs: a transcript of Apache Kafka's own cache, the rules one by one, and the file."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kwire.storage.checkpoints import MalformedFileError, read_whole
from kwire.storage.file_system import Access
from kwire.storage.leader_epochs import LEADER_EPOCH_CHECKPOINT, EpochEnd, LeaderEpochCache
from kwire.testing.fake_files import FakeFileSystem

GOLDEN = Path(__file__).parent / "golden"


def new_cache(*entries: tuple[int, int]) -> LeaderEpochCache:
    files = FakeFileSystem()
    files.make_directory("/t-0")
    files.sync_directory("/")
    cache = LeaderEpochCache(files, "/t-0")
    for epoch, start_offset in entries:
        cache.assign(epoch, start_offset)
    return cache


def test_every_step_of_kafkas_transcript_comes_out_alike() -> None:
    cache = new_cache()
    lines = [line for line in (GOLDEN / "leader_epochs.txt").read_text().splitlines() if not line.startswith("#")]
    assert len(lines) == 60
    for line in lines:
        change, answers = line.split(" ->")
        entries, ends, epochs, (log_end, first) = (part.split() for part in answers.split("|"))
        name, *arguments = change.split()
        getattr(cache, name)(*map(int, arguments))
        assert [f"{epoch}:{offset}" for epoch, offset in cache.entries] == entries, line
        asked = (cache.end_offset_for(epoch, int(log_end)) for epoch in range(-1, len(ends) - 1))
        assert [f"{epoch}:{offset}" for epoch, offset in asked] == ends, line
        assert [str(cache.epoch_for_offset(int(first) + n)) for n in range(len(epochs))] == epochs, line


@pytest.mark.parametrize(
    ("epoch", "expected"),
    [
        (-1, (-1, -1)),
        (0, (0, 5)),  # before the first entry
        (2, (2, 20)),
        (3, (2, 20)),  # wrote nothing: the one before answers
        (7, (7, 100)),  # the latest ends with the log
        (8, (-1, -1)),
    ],
)
def test_where_an_epoch_ends(epoch: int, expected: tuple[int, int]) -> None:
    cache = new_cache((2, 5), (4, 20), (7, 30))
    assert cache.end_offset_for(epoch, 100) == EpochEnd(*expected)


def test_an_empty_cache_knows_nothing() -> None:
    cache = new_cache()
    assert cache.latest_epoch == -1
    assert cache.end_offset_for(0, 10) == (-1, -1)
    assert cache.epoch_for_offset(0) == -1


def test_the_file_is_kafkas() -> None:
    files = FakeFileSystem()
    files.make_directory("/t-0")
    cache = LeaderEpochCache(files, "/t-0")
    cache.assign(0, 0)
    cache.flush()
    content = read_whole(files, f"/t-0/{LEADER_EPOCH_CHECKPOINT}")
    assert content == (GOLDEN / LEADER_EPOCH_CHECKPOINT).read_bytes()
    assert LeaderEpochCache(files, "/t-0").entries == ((0, 0),)


def test_only_a_change_is_written_and_only_by_flush() -> None:
    files = FakeFileSystem()
    files.make_directory("/t-0")
    cache = LeaderEpochCache(files, "/t-0")
    cache.assign(3, 10)
    assert files.counts["write"] == 0
    assert cache.is_dirty
    cache.flush()
    written = files.counts["write"]
    cache.assign(3, 15)
    cache.truncate_from_end(11)
    cache.truncate_from_start(10)
    cache.flush()
    assert not cache.is_dirty
    assert files.counts["write"] == written
    cache.truncate_from_start(12)
    cache.flush()
    assert files.counts["write"] > written
    assert LeaderEpochCache(files, "/t-0").entries == ((3, 12),)


def test_what_was_flushed_survives_a_power_loss() -> None:
    files = FakeFileSystem()
    files.make_directory("/t-0")
    files.sync_directory("/")
    cache = LeaderEpochCache(files, "/t-0")
    for epoch in range(5):
        cache.assign(epoch, epoch * 10)
        cache.flush()
        for seed in range(20):
            assert LeaderEpochCache(files.crash(Random(seed)), "/t-0").entries == cache.entries


def test_a_renamed_directory_is_followed() -> None:
    files = FakeFileSystem()
    files.make_directory("/t-0")
    cache = LeaderEpochCache(files, "/t-0")
    files.rename("/t-0", "/t-0.gone")
    cache.directory = "/t-0.gone"
    cache.assign(1, 1)
    cache.flush()
    assert LeaderEpochCache(files, "/t-0.gone").latest_epoch == 1


def test_a_malformed_file_names_its_line() -> None:
    files = FakeFileSystem()
    files.make_directory("/t-0")
    files.open(f"/t-0/{LEADER_EPOCH_CHECKPOINT}", Access.CREATE).write(b"0\n2\n0 0\n1 x\n")
    with pytest.raises(MalformedFileError, match="line 4"):
        LeaderEpochCache(files, "/t-0")


changes = st.one_of(
    st.tuples(st.just("assign"), st.integers(0, 9), st.integers(0, 30)),
    st.tuples(st.sampled_from(["truncate_from_end", "truncate_from_start"]), st.integers(0, 30)),
)


@given(st.lists(changes, max_size=30))
def test_entries_rise_in_epoch_and_offset_and_the_file_equals_memory(history: list[tuple]) -> None:
    files = FakeFileSystem()
    files.make_directory("/t-0")
    cache = LeaderEpochCache(files, "/t-0")
    for name, *arguments in history:
        getattr(cache, name)(*arguments)
        entries = cache.entries
        assert all(a.epoch < b.epoch and a.start_offset < b.start_offset for a, b in pairwise(entries))
        assert cache.latest_epoch == (entries[-1].epoch if entries else -1)
        cache.flush()
        assert LeaderEpochCache(files, "/t-0").entries == entries
