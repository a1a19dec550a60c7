"""Fetch sessions (KIP-227): what a consumer fetches is kept here, and only what changes goes over the wire.

    request: id 0, epoch -1    no session: everything is in the request and in the response
    request: id 0, epoch 0     a new session with the partitions of the request
    request: id n, epoch 0     the same, and session n ends
    request: id n, epoch -1    session n ends; the rest is as without a session
    request: id n, epoch e     the next request of session n: changes only, both ways; e counts 1 … 2^31-1, then 1 again

A session whose last partition is forgotten ends.

The number of sessions is bounded. When the cache is full, a new session takes the place of one that has not been used
for `EVICTION_MS`, or of one that is as old as that and has fewer partitions; else the client goes on without one.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar

from kwire.errors import BrokerError, ErrorCode
from kwire.protocol.messages.fetch_response import PartitionData

NO_SESSION = 0
FINAL_EPOCH = -1
INITIAL_EPOCH = 0
EPOCH_MAX = 2**31 - 1
EVICTION_MS = 120_000


class FetchEntry:
    """One partition of a fetch: what is asked, and what the client was last told of it."""

    __slots__ = (
        "current_leader_epoch",
        "fetch_offset",
        "high_watermark",
        "index",
        "last_fetched_epoch",
        "log_start_offset",
        "max_bytes",
        "topic",
        "topic_id",
    )

    def __init__(
        self,
        topic: str,
        topic_id: bytes,
        index: int,
        fetch_offset: int,
        max_bytes: int,
        current_leader_epoch: int,
        last_fetched_epoch: int,
    ) -> None:
        self.topic = topic
        self.topic_id = topic_id
        self.index = index
        self.fetch_offset = fetch_offset
        self.max_bytes = max_bytes
        self.current_leader_epoch = current_leader_epoch
        self.last_fetched_epoch = last_fetched_epoch
        self.high_watermark = -1  # as last sent
        self.log_start_offset = -1  # as last sent

    @property
    def key(self) -> tuple[str, bytes, int]:
        return self.topic, self.topic_id, self.index

    def update(self, newer: FetchEntry) -> None:
        """The client asks for something else of the same partition."""
        self.fetch_offset = newer.fetch_offset
        self.max_bytes = newer.max_bytes
        self.current_leader_epoch = newer.current_leader_epoch
        self.last_fetched_epoch = newer.last_fetched_epoch

    def takes(self, data: PartitionData, size_bytes: int) -> bool:
        """Whether the client has to hear of this; takes note of what it hears."""
        code = data.error_code
        if not (
            size_bytes
            or code
            or self.high_watermark != data.high_watermark
            or self.log_start_offset != data.log_start_offset
            or data.diverging_epoch.epoch >= 0
        ):
            return False
        # An error is told again and again, and its end as well: it is the client that must do something about it.
        self.high_watermark = data.high_watermark if not code and data.diverging_epoch.epoch < 0 else -1
        self.log_start_offset = data.log_start_offset
        return True


class Row(Protocol):
    """One partition's part of a response."""

    @property
    def entry(self) -> FetchEntry: ...
    @property
    def data(self) -> PartitionData: ...
    @property
    def size_bytes(self) -> int: ...


R = TypeVar("R", bound=Row)


class FetchSession:
    """One session. Partitions are served in their order, and one that had data moves to the end (fairness)."""

    __slots__ = ("created_ms", "entries", "epoch", "id", "used_ms", "uses_topic_ids")

    def __init__(self, session_id: int, entries: Iterable[FetchEntry], uses_topic_ids: bool, now_ms: int) -> None:
        self.id = session_id
        self.epoch = 0  # of the request that is being answered
        self.entries: OrderedDict[tuple[str, bytes, int], FetchEntry] = OrderedDict(
            (entry.key, entry) for entry in entries
        )
        self.uses_topic_ids = uses_topic_ids
        self.created_ms = now_ms
        self.used_ms = now_ms

    def change(self, changed: Iterable[FetchEntry], forgotten: Iterable[tuple[str, bytes, int]]) -> None:
        entries = self.entries
        for entry in changed:
            known = entries.get(entry.key)
            if known is None:
                entries[entry.key] = entry
            else:
                known.update(entry)
        for key in forgotten:
            entries.pop(key, None)

    def tell(self, rows: list[R]) -> list[R]:
        """Those rows that the client has to hear of: all of them in the answer to the first request."""
        told: list[R] = []
        for row in rows:
            is_news = row.entry.takes(row.data, row.size_bytes)
            if is_news or self.epoch == INITIAL_EPOCH:
                told.append(row)
            if row.size_bytes and row.entry.key in self.entries:
                self.entries.move_to_end(row.entry.key)
        return told


class FetchSessions:
    """The sessions of a broker, the least recently used first. `random_id` gives ids from 1 to 2^31-1."""

    def __init__(self, slots: int, random_id: Callable[[], int]) -> None:
        self._slots = slots
        self._random_id = random_id
        self._sessions: OrderedDict[int, FetchSession] = OrderedDict()

    def __len__(self) -> int:
        return len(self._sessions)

    def create(self, entries: list[FetchEntry], uses_topic_ids: bool, now_ms: int) -> FetchSession | None:
        """A new session, or None if there is no room for it."""
        if not self._make_room(len(entries), now_ms):
            return None
        session_id = self._random_id()
        while session_id == NO_SESSION or session_id in self._sessions:
            session_id = self._random_id()
        session = self._sessions[session_id] = FetchSession(session_id, entries, uses_topic_ids, now_ms)
        return session

    def next(self, session_id: int, epoch: int, uses_topic_ids: bool, now_ms: int) -> FetchSession:
        """The session of an incremental request; `BrokerError` if there is none, or its epoch is not the one due."""
        session = self._sessions.get(session_id)
        if session is None:
            raise BrokerError(ErrorCode.FETCH_SESSION_ID_NOT_FOUND)
        if epoch != (session.epoch + 1 if session.epoch < EPOCH_MAX else 1):
            raise BrokerError(ErrorCode.INVALID_FETCH_SESSION_EPOCH)
        if session.uses_topic_ids != uses_topic_ids:
            raise BrokerError(ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR)
        session.epoch = epoch
        session.used_ms = now_ms
        self._sessions.move_to_end(session_id)
        return session

    def close(self, session_id: int) -> None:
        self._sessions.pop(session_id, None)

    def _make_room(self, size: int, now_ms: int) -> bool:
        if len(self._sessions) < self._slots:
            return True
        if not self._sessions:
            return False
        oldest = next(iter(self._sessions.values()))
        if now_ms - oldest.used_ms <= EVICTION_MS:
            old = [session for session in self._sessions.values() if now_ms - session.created_ms > EVICTION_MS]
            oldest = min(old, key=lambda session: len(session.entries), default=None)
            if oldest is None or len(oldest.entries) >= size:
                return False
        del self._sessions[oldest.id]
        return True
