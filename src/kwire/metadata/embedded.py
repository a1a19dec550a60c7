"""The metadata store of a single machine: one SQLite file in WAL mode, or one in memory that is gone afterwards.

    entries                              store
    key TEXT        value TEXT  revision     revision
    /topics/orders  {"id":…}    7            12

A commit is one SQLite transaction with `synchronous=FULL`: it has been synced when it returns, and after kill -9 or a
power cut the file holds it whole or not at all. The data may be looked at with any SQLite shell while the broker runs.

There is one connection behind one lock, since the broker is the only writer and reads are rare (a snapshot at start).
Commits since the store was opened are kept in memory for `watch`, up to a limit.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager

from kwire.errors import UsageError
from kwire.metadata.store import (
    MISSING,
    Change,
    Commit,
    CompactedError,
    ConflictError,
    Entry,
    MetadataStore,
    Snapshot,
    StoreError,
)

FILE_NAME = "kwire-metadata.sqlite"
"""Lies in the data directory itself: Kafka passes over files there, but refuses to start on a directory of ours."""

HISTORY_COMMITS = 1024
"""How many commits `watch` can go back. Watchers live in this process and are behind by one or two."""

FORMAT_VERSION = 1
APPLICATION_ID = int.from_bytes(b"kwir", "big")
"""Marks the file as ours in its header, where the `file` command and SQLite's own tools look."""

_SCHEMA = f"""
BEGIN IMMEDIATE;
CREATE TABLE entries (key TEXT PRIMARY KEY, value TEXT NOT NULL, revision INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE store (revision INTEGER NOT NULL);
INSERT INTO store VALUES ({MISSING});
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {FORMAT_VERSION};
COMMIT;
"""


class EmbeddedStore(MetadataStore):
    """`MetadataStore` on SQLite. Open one with `EmbeddedStore.open(directory)` or `EmbeddedStore.in_memory()`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._lock = threading.Lock()
        self._subscribers: list[Callable[[int], None]] = []
        self._revision: int = connection.execute("SELECT revision FROM store").fetchone()[0]
        self._history: deque[Commit] = deque(maxlen=HISTORY_COMMITS)
        self._history_start = self._revision  # `watch` knows everything after this revision

    @classmethod
    def open(cls, data_directory: str) -> EmbeddedStore:
        """The store in this data directory, which must exist; the file is made if it is not there.

        `UsageError` if it cannot be used: no database, a newer format, a disk that refuses.
        """
        path = os.path.join(data_directory, FILE_NAME)
        try:
            created = not os.path.exists(path)
            store = cls(_connect(path))
            if created:
                _sync_directory(data_directory)
            return store
        except (sqlite3.Error, OSError) as error:
            raise UsageError(f"the metadata in {path} cannot be opened: {error}") from error

    @classmethod
    def in_memory(cls) -> EmbeddedStore:
        """A store that is gone with this object."""
        return cls(_connect(":memory:"))

    def snapshot(self) -> Snapshot:
        with self._lock, _store_errors():
            rows = self._connection.execute("SELECT key, value, revision FROM entries ORDER BY key").fetchall()
            return Snapshot(self._revision, tuple(map(Entry._make, rows)))

    def commit(self, changes: Sequence[Change], expected: Mapping[str, int]) -> int:
        with self._lock, _store_errors():
            for key, revision in expected.items():
                found = self._revision_of(key)
                if found != revision:
                    raise ConflictError(key, revision, found)
            if not changes:
                return self._revision
            revision = self._revision + 1
            self._write(changes, revision)
            # From here on it is durable: what follows must not fail.
            self._revision = revision
            if len(self._history) == HISTORY_COMMITS:
                self._history_start = self._history[0].revision
            self._history.append(Commit(revision, tuple(changes)))
            subscribers = tuple(self._subscribers)
        for on_commit in subscribers:
            on_commit(revision)
        return revision

    def watch(self, since_revision: int) -> Sequence[Commit]:
        with self._lock:
            if since_revision < self._history_start:
                raise CompactedError(f"commits since {since_revision} are gone; known since {self._history_start}")
            return [commit for commit in self._history if commit.revision > since_revision]

    def subscribe(self, on_commit: Callable[[int], None]) -> Callable[[], None]:
        with self._lock:
            self._subscribers.append(on_commit)

        def unsubscribe() -> None:
            with self._lock:
                self._subscribers.remove(on_commit)

        return unsubscribe

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def _revision_of(self, key: str) -> int:
        row = self._connection.execute("SELECT revision FROM entries WHERE key = ?", (key,)).fetchone()
        return row[0] if row else MISSING

    def _write(self, changes: Sequence[Change], revision: int) -> None:
        execute = self._connection.execute
        execute("BEGIN IMMEDIATE")
        try:
            for key, value in changes:
                if value is None:
                    execute("DELETE FROM entries WHERE key = ?", (key,))
                else:
                    execute("REPLACE INTO entries VALUES (?, ?, ?)", (key, value, revision))
            execute("UPDATE store SET revision = ?", (revision,))
            execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:  # a failed COMMIT may have ended it
                execute("ROLLBACK")
            raise


@contextmanager
def _store_errors() -> Generator[None, None, None]:
    """Nobody above knows that there is SQLite here."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(f"the metadata store failed: {error}") from error


def _sync_directory(path: str) -> None:
    """Makes the new file's name durable, or else a power cut could take it with everything that was committed."""
    directory = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


def _connect(path: str) -> sqlite3.Connection:
    # Autocommit: transactions are begun and ended in so many words. Threads are kept apart by our own lock.
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version > FORMAT_VERSION:
            raise UsageError(
                f"the metadata in {path} has format {version}, this version of kwire knows {FORMAT_VERSION}",
                "it was written by a newer kwire",
            )
        if version == 0:
            connection.executescript(_SCHEMA)
    except BaseException:
        connection.close()
        raise
    return connection
