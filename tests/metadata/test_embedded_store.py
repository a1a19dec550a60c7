"""The embedded store: commits are atomic, durable and compared with what they expect; watchers miss nothing."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kwire.errors import UsageError
from kwire.metadata.embedded import FILE_NAME, FORMAT_VERSION, HISTORY_COMMITS, EmbeddedStore
from kwire.metadata.store import MISSING, Change, Commit, CompactedError, ConflictError, Entry, Snapshot, StoreError

A, B = Change("/a", "1"), Change("/b", "2")


@pytest.fixture
def store() -> Iterator[EmbeddedStore]:
    opened = EmbeddedStore.in_memory()
    yield opened
    opened.close()


def test_a_new_store_is_empty_at_revision_0(store: EmbeddedStore) -> None:
    assert store.snapshot() == Snapshot(0, ())
    assert store.watch(0) == []


def test_a_commit_writes_all_its_changes_under_one_revision(store: EmbeddedStore) -> None:
    assert store.commit([B, A], {}) == 1
    assert store.commit([Change("/a", "3"), Change("/c", "4")], {}) == 2
    assert store.snapshot() == Snapshot(2, (Entry("/a", "3", 2), Entry("/b", "2", 1), Entry("/c", "4", 2)))


def test_none_deletes_and_the_last_of_several_changes_to_a_key_counts(store: EmbeddedStore) -> None:
    store.commit([A, B, Change("/a", None), Change("/nothing", None), Change("/b", "9")], {})
    assert store.snapshot() == Snapshot(1, (Entry("/b", "9", 1),))


@pytest.mark.parametrize(
    ("expected", "conflict"),
    [
        ({"/a": 1}, None),
        ({"/a": 1, "/new": MISSING}, None),
        ({}, None),
        ({"/a": MISSING}, ("/a", MISSING, 1)),
        ({"/a": 2}, ("/a", 2, 1)),
        ({"/a": 1, "/new": 1}, ("/new", 1, MISSING)),
    ],
)
def test_a_commit_is_refused_whole_when_a_key_is_not_at_the_expected_revision(
    store: EmbeddedStore, expected: dict[str, int], conflict: tuple[str, int, int] | None
) -> None:
    store.commit([A], {})
    before = store.snapshot()
    if conflict is None:
        assert store.commit([Change("/a", "2"), Change("/new", "3")], expected) == 2
        return
    with pytest.raises(ConflictError) as error:
        store.commit([Change("/a", "2"), Change("/new", "3")], expected)
    assert (error.value.key, error.value.expected, error.value.found) == conflict
    assert store.snapshot() == before
    assert [commit.revision for commit in store.watch(0)] == [1]


def test_a_commit_without_changes_writes_nothing_but_still_compares(store: EmbeddedStore) -> None:
    store.commit([A], {})
    assert store.commit([], {"/a": 1}) == 1
    with pytest.raises(ConflictError):
        store.commit([], {"/a": 7})
    assert store.snapshot().revision == 1


def test_a_commit_that_fails_leaves_nothing_behind(store: EmbeddedStore) -> None:
    store.commit([A], {})
    bad: Any = object()
    with pytest.raises(StoreError):
        store.commit([Change("/a", "2"), B, Change("/c", bad)], {})
    assert store.snapshot() == Snapshot(1, (Entry("/a", "1", 1),))
    assert store.commit([B], {}) == 2


def test_watch_returns_the_commits_after_a_revision(store: EmbeddedStore) -> None:
    store.commit([A], {})
    store.commit([B, Change("/a", None)], {})
    assert store.watch(0) == [Commit(1, (A,)), Commit(2, (B, Change("/a", None)))]
    assert store.watch(1) == [Commit(2, (B, Change("/a", None)))]
    assert store.watch(2) == []


def test_watch_says_when_it_is_asked_too_late(store: EmbeddedStore) -> None:
    for number in range(HISTORY_COMMITS + 3):
        store.commit([Change("/a", str(number))], {})
    assert len(store.watch(3)) == HISTORY_COMMITS
    with pytest.raises(CompactedError):
        store.watch(2)


def test_subscribers_are_told_of_every_commit_until_they_leave(store: EmbeddedStore) -> None:
    told: list[tuple[str, int, threading.Thread]] = []

    def subscriber(name: str) -> Callable[[int], None]:
        return lambda revision: told.append((name, revision, threading.current_thread()))

    leave = store.subscribe(subscriber("first"))
    store.subscribe(subscriber("second"))
    store.commit([A], {})
    store.commit([], {})
    leave()
    store.commit([B], {})
    here = threading.current_thread()
    assert told == [("first", 1, here), ("second", 1, here), ("second", 2, here)]


def test_commits_of_several_threads_are_serialised(store: EmbeddedStore) -> None:
    """Each increments a counter by compare-and-set: an update that was lost would be missing in the end."""
    store.commit([Change("/counter", "0")], {})

    def increment() -> None:
        for _ in range(50):
            while True:
                (entry,) = store.snapshot().entries
                try:
                    store.commit([Change("/counter", str(int(entry.value) + 1))], {"/counter": entry.revision})
                    break
                except ConflictError:
                    continue

    threads = [threading.Thread(target=increment) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.snapshot() == Snapshot(201, (Entry("/counter", "200", 201),))


def test_everything_is_there_again_after_a_restart(tmp_path: Path) -> None:
    first = EmbeddedStore.open(str(tmp_path))
    first.commit([A, B], {})
    first.commit([Change("/b", None)], {})
    first.close()
    second = EmbeddedStore.open(str(tmp_path))
    assert second.snapshot() == Snapshot(2, (Entry("/a", "1", 1),))
    with pytest.raises(CompactedError):  # the history is not kept
        second.watch(1)
    assert second.watch(2) == []
    assert second.commit([B], {"/b": MISSING}) == 3
    second.close()


def test_the_file_can_be_read_with_sqlite_while_the_store_is_open(tmp_path: Path) -> None:
    store = EmbeddedStore.open(str(tmp_path))
    store.commit([A], {})
    reader = sqlite3.connect(tmp_path / FILE_NAME)
    assert reader.execute("SELECT key, value, revision FROM entries").fetchall() == [("/a", "1", 1)]
    assert reader.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    reader.close()
    store.close()


def _not_a_database(path: Path) -> None:
    path.write_bytes(b"this is no database, but long enough to be looked at closely" * 10)


def _of_a_newer_version(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {FORMAT_VERSION + 1}")
    connection.close()


def _no_directory(path: Path) -> None:
    path.parent.rmdir()


@pytest.mark.parametrize(
    ("prepare", "words"),
    [(_not_a_database, "not a database"), (_of_a_newer_version, "newer kwire"), (_no_directory, "unable to open")],
)
def test_a_file_that_cannot_be_used_is_an_error_that_names_it(
    tmp_path: Path, prepare: Callable[[Path], None], words: str
) -> None:
    path = tmp_path / "data" / FILE_NAME
    path.parent.mkdir()
    prepare(path)
    with pytest.raises(UsageError, match=words) as error:
        EmbeddedStore.open(str(path.parent))
    assert FILE_NAME in str(error.value)


KEYS = st.sampled_from(["/a", "/b", "/c"])
COMMITS = st.lists(st.lists(st.builds(Change, KEYS, st.none() | st.sampled_from(["x", "y"])), max_size=4), max_size=8)


@settings(deadline=None, max_examples=60)
@given(COMMITS)
def test_a_snapshot_is_what_the_commits_add_up_to(commits: list[list[Change]]) -> None:
    store = EmbeddedStore.in_memory()
    model: dict[str, Entry] = {}
    for changes in commits:
        revision = store.commit(changes, {key: entry.revision for key, entry in model.items()})
        for key, value in changes:
            model.pop(key, None)
            if value is not None:
                model[key] = Entry(key, value, revision)
        assert store.snapshot() == Snapshot(revision, tuple(entry for _, entry in sorted(model.items())))
    assert [commit.changes for commit in store.watch(0)] == [tuple(changes) for changes in commits if changes]
    store.close()


# A process that may write so much and no more, as on a full disk, until it is given room again.
FULL_DISK = """
import resource, sys
from kwire.metadata.embedded import EmbeddedStore
from kwire.metadata.store import Change, StoreError

store = EmbeddedStore.open(sys.argv[1])
store.commit([Change("/a", "1")], {})
_, most = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, most))
try:
    store.commit([Change("/a", "2"), Change("/large", "x" * 1_000_000)], {})
except StoreError as error:
    print("refused")
print(store.snapshot().entries == (("/a", "1", 1),), store.watch(1))
resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
print(store.commit([Change("/a", "3")], {"/a": 1}))
"""


def test_a_full_disk_refuses_a_commit_whole_and_the_store_goes_on(tmp_path: Path) -> None:
    arguments = [sys.executable, "-c", FULL_DISK, str(tmp_path)]
    result = subprocess.run(arguments, capture_output=True, text=True, check=True)
    assert result.stdout.split("\n") == ["refused", "True []", "2", ""]
    store = EmbeddedStore.open(str(tmp_path))
    assert store.snapshot() == Snapshot(2, (Entry("/a", "3", 2),))
    store.close()


# A process that commits the same number under ten keys, over and over, and says so after each: killed at any moment,
# the ten keys must agree, on a number that is not lower than the last one that it said.
COMMITTER = """
import sys
from kwire.metadata.embedded import EmbeddedStore
from kwire.metadata.store import Change

store = EmbeddedStore.open(sys.argv[1])
entries = store.snapshot().entries
number = int(entries[0].value) if entries else 0
while True:
    number += 1
    changes = [Change(f"/key/{index}", str(number)) for index in range(10)]
    if number % 3 == 0:
        changes += [Change("/third", str(number))]
    if number % 3 == 1:
        changes += [Change("/third", None)]
    store.commit(changes, {})
    print(number, flush=True)
"""


def test_kill_9_at_any_moment_leaves_whole_transactions_and_all_that_were_acknowledged(tmp_path: Path) -> None:
    acknowledged = 0
    for wait_for in (0, 1, 2, 3, 5, 8, 13, 40):
        with subprocess.Popen(
            [sys.executable, "-c", COMMITTER, str(tmp_path)], stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout
            for _ in range(wait_for):
                acknowledged = int(process.stdout.readline())
            process.kill()
            rest = process.stdout.read().split("\n")
            acknowledged = max([acknowledged, *(int(line) for line in rest[:-1])])
        store = EmbeddedStore.open(str(tmp_path))
        values = {entry.key: int(entry.value) for entry in store.snapshot().entries}
        revision = store.snapshot().revision
        store.close()
        third = values.pop("/third", None)
        numbers = set(values.values())
        assert len(numbers) <= 1
        assert len(values) in (0, 10)
        number = max(numbers, default=0)
        assert number >= acknowledged
        assert revision == number
        assert third == (number if number and number % 3 == 0 else None)
    assert acknowledged > 0
