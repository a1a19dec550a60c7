"""The port to the metadata store: a small transactional key-value store with revisions, compare-and-set and watch.

It is embedded (`metadata.embedded`, SQLite) on one machine, and etcd on several; nothing above may know which. What
both keep, and what callers may count on:

- Keys and values are text. A commit of several changes is atomic: after a crash all of it is there, or nothing.
- Every commit has a revision, one larger than the one before (or larger still, where others write too). An entry
  carries the revision of the commit that wrote it last, so that comparing revisions is comparing contents.
- A commit returns when it is durable. That takes a disk's time, so that an event loop calls it in a worker thread.
- A reader keeps up by asking for the commits since the revision it has, when `subscribe`'s callback has told it that
  there are some. One that asks too late is told so by `CompactedError`, and takes a snapshot again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

MISSING = 0
"""The revision of a key that does not exist: expecting it means that the key must be new."""


class Change(NamedTuple):
    """One key's new value; None deletes it."""

    key: str
    value: str | None


class Entry(NamedTuple):
    """A key, its value, and the revision of the commit that wrote it."""

    key: str
    value: str
    revision: int


class Commit(NamedTuple):
    """What one commit changed, in the order in which it was given."""

    revision: int
    changes: tuple[Change, ...]


class Snapshot(NamedTuple):
    """All entries, in the order of their keys, as of a revision."""

    revision: int
    entries: tuple[Entry, ...]


class ConflictError(Exception):
    """A commit that expected another revision of a key than it has. Nothing was changed: decide again and retry."""

    def __init__(self, key: str, expected: int, found: int) -> None:
        super().__init__(f"{key} is at revision {found}, where {expected} was expected")
        self.key = key
        self.expected = expected
        self.found = found


class CompactedError(Exception):
    """The commits since this revision are no longer kept: a new snapshot is needed."""


class StoreError(Exception):
    """The store could not be read or written: a full disk, an unreachable server. Nothing was changed."""


class MetadataStore(Protocol):
    """What embedded and clustered stores have in common. All methods may be called from any thread."""

    def snapshot(self) -> Snapshot:
        """Everything there is."""
        ...

    def commit(self, changes: Sequence[Change], expected: Mapping[str, int]) -> int:
        """Applies all changes at once, if every key of `expected` is at its revision; returns the new revision.

        `ConflictError` if one is not, `StoreError` if it cannot be written. Without changes nothing is written and the
        current revision is returned.
        """
        ...

    def watch(self, since_revision: int) -> Sequence[Commit]:
        """The commits after that revision, oldest first; `CompactedError` if they are no longer known."""
        ...

    def subscribe(self, on_commit: Callable[[int], None]) -> Callable[[], None]:
        """Calls `on_commit` with the revision after every commit, in the thread that made it; returns what ends it.

        The callback must be quick and must not call the store: it wakes whoever then calls `watch`.
        """
        ...

    def close(self) -> None:
        """Releases what the store holds. Nothing is lost by not calling it."""
        ...
