"""Fetch: v4-v18.

v4 brings the isolation level. v5 adds the log start offset. v7 adds sessions. v9 checks the leader epoch. v10 may carry
zstd. v11 names the rack. v12 is flexible and tells of diverging epochs. v13 names topics by id. v15 moves the replica
into a tag. v16 tells the current leader's endpoint. v17 and v18 concern followers.

A fetch that finds fewer than min_bytes waits for more, for max_wait_ms at most, without a task and without polling.
Record bytes are regions of files throughout.
"""

from __future__ import annotations

from collections.abc import Iterable

from kwire.errors import BrokerError, ErrorCode
from kwire.handlers.context import Context
from kwire.handlers.fetch_sessions import FINAL_EPOCH, INITIAL_EPOCH, FetchEntry, FetchSession
from kwire.handlers.registry import Call, serves
from kwire.handlers.reply import Later, Reply
from kwire.partitions.partition import Partition
from kwire.partitions.waits import DataWait
from kwire.protocol.messages.fetch_request import FetchRequest
from kwire.protocol.messages.fetch_response import (
    AbortedTransaction,
    FetchableTopicResponse,
    FetchResponse,
    LeaderIdAndEpoch,
    PartitionData,
)
from kwire.storage.files import StorageError
from kwire.storage.log import FetchResult, Isolation

NO_EPOCH = -1
EMPTY = b""
ZSTD_SINCE_VERSION = 10
CURRENT_LEADER_SINCE_VERSION = 12


class Row:
    """One partition's part of a response, and whether an incremental response has to tell it."""

    __slots__ = ("data", "entry", "size_bytes")

    def __init__(self, entry: FetchEntry, data: PartitionData, size_bytes: int) -> None:
        self.entry = entry
        self.data = data
        self.size_bytes = size_bytes


class Fetch:
    """One fetch, from its request to its response."""

    __slots__ = ("_call", "_context", "_entries", "_isolation", "_request", "_session", "_session_id", "incremental")

    def __init__(
        self,
        context: Context,
        request: FetchRequest,
        call: Call,
        entries: Iterable[FetchEntry],
        session: FetchSession | None,
        incremental: bool,
    ) -> None:
        self._context = context
        self._request = request
        self._call = call
        self._entries = entries
        self._session = session
        self._session_id = session.id if session else 0
        self.incremental = incremental
        self._isolation = Isolation.LAST_STABLE if request.isolation_level == 1 else Isolation.HIGH_WATERMARK

    def reply(self) -> Reply:
        rows, size_bytes, must_answer = self._read()
        missing_bytes = self._request.min_bytes - size_bytes
        max_wait_ms = self._request.max_wait_ms
        if missing_bytes <= 0 or max_wait_ms <= 0 or must_answer:
            return self._response(rows)
        partitions = [partition for entry in self._entries if (partition := self._find(entry)[0]) is not None]
        if not partitions and not self._session:
            return self._response(rows)
        later = Later()
        wait = DataWait(
            partitions, missing_bytes, lambda: later.complete(self._response(self._read()[0])), self._context.ready
        )
        later.on_abandon = wait.cancel
        wait.until(self._context.timers, max_wait_ms)
        return later

    # ---- reading ---------------------------------------------------------------------------------------------

    def _read(self) -> tuple[list[Row], int, bool]:
        """Reads all partitions within the limits: rows, record bytes in all, and whether the client must hear now."""
        rows: list[Row] = []
        total_bytes = 0
        must_answer = False
        left_bytes = min(self._request.max_bytes, self._context.config.fetch_max_bytes)
        for entry in self._entries:
            row = self._read_one(entry, min(entry.max_bytes, left_bytes) if left_bytes > 0 else 0, not total_bytes)
            rows.append(row)
            total_bytes += row.size_bytes
            left_bytes -= row.size_bytes
            must_answer = must_answer or row.data.error_code != 0 or row.data.diverging_epoch.epoch >= 0
        return rows, total_bytes, must_answer

    def _read_one(self, entry: FetchEntry, max_bytes: int, is_first: bool) -> Row:
        partition, code = self._find(entry)
        if partition is None:
            return Row(entry, error_data(entry.index, code), 0)
        code = check_leader_epoch(entry.current_leader_epoch, partition.leader_epoch)
        if code:
            if self._call.version < CURRENT_LEADER_SINCE_VERSION:
                return Row(entry, error_data(entry.index, code), 0)
            leader = LeaderIdAndEpoch(self._context.node_id, partition.leader_epoch)
            return Row(entry, error_data(entry.index, code, leader), 0)
        # The first batch of a response is sent whole even if it is larger than every limit, or a client would never
        # get past it; after that, a partition's limit of 0 means nothing.
        if max_bytes <= 0 and not is_first:
            result = partition.read_nothing(self._isolation)
        else:
            try:
                result = partition.read(entry.fetch_offset, max_bytes, self._isolation)
            except StorageError as error:
                self._context.storage_failed(error)
                return Row(entry, error_data(entry.index, ErrorCode.KAFKA_STORAGE_ERROR), 0)
            except BrokerError as error:
                return Row(entry, error_data(entry.index, error.code, log_start=partition.log.log_start_offset), 0)
            if not is_first and result.size_bytes > max_bytes:
                result = result._replace(regions=())
        return self._row(entry, result)

    def _row(self, entry: FetchEntry, result: FetchResult) -> Row:
        regions = result.regions
        size_bytes = len(regions[0]) if regions else 0
        aborted = None
        if self._isolation is Isolation.LAST_STABLE:
            aborted = [AbortedTransaction(one.producer_id, one.first_offset) for one in result.aborted_transactions]
        data = PartitionData(
            entry.index,
            0,
            result.high_watermark,
            result.last_stable_offset,
            result.log_start_offset,
            aborted_transactions=aborted,
            records=regions[0] if regions else EMPTY,
        )
        return Row(entry, data, size_bytes)

    def _find(self, entry: FetchEntry) -> tuple[Partition | None, ErrorCode]:
        partitions = self._context.partitions
        if self._call.version >= 13:
            topic = partitions.by_id.get(entry.topic_id)
            if topic is None:
                return None, ErrorCode.UNKNOWN_TOPIC_ID
        else:
            topic = partitions.by_name.get(entry.topic)
            if topic is None:
                return None, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
        return topic.get(entry.index), ErrorCode.UNKNOWN_TOPIC_OR_PARTITION

    # ---- answering -------------------------------------------------------------------------------------------

    def _response(self, rows: list[Row]) -> FetchResponse:
        session = self._session
        if session is not None:
            rows = [row for row in rows if changed(row) or not self.incremental]
            for row in rows:
                if row.size_bytes:
                    session.served(row.entry)
        return FetchResponse(session_id=self._session_id, responses=by_topic(rows))


def changed(row: Row) -> bool:
    """Whether a session's client has to hear of a partition; if so, takes note of what it hears."""
    entry, data = row.entry, row.data
    news = bool(
        row.size_bytes
        or data.error_code
        or entry.high_watermark != data.high_watermark
        or entry.log_start_offset != data.log_start_offset
    )
    if news:
        entry.high_watermark = data.high_watermark
        # An error is told again and again: it is the client that must do something about it.
        entry.log_start_offset = -1 if data.error_code else data.log_start_offset
    return news


def by_topic(rows: list[Row]) -> list[FetchableTopicResponse]:
    topics: dict[tuple[str, bytes], list[PartitionData]] = {}
    for row in rows:
        topics.setdefault((row.entry.topic, row.entry.topic_id), []).append(row.data)
    return [FetchableTopicResponse(topic, topic_id, data) for (topic, topic_id), data in topics.items()]


def error_data(
    index: int, code: ErrorCode, leader: LeaderIdAndEpoch = LeaderIdAndEpoch.DEFAULT, log_start: int = -1
) -> PartitionData:
    return PartitionData(index, code, -1, -1, log_start, current_leader=leader, records=EMPTY)


def check_leader_epoch(asked: int, ours: int) -> ErrorCode:
    """Whether the client and we mean the same leader (KIP-320)."""
    if asked in (NO_EPOCH, ours):
        return ErrorCode.NONE
    return ErrorCode.FENCED_LEADER_EPOCH if asked < ours else ErrorCode.UNKNOWN_LEADER_EPOCH


@serves(1, 4, 18)
def fetch(context: Context, request: FetchRequest, call: Call) -> Reply:
    entries = [
        FetchEntry(
            topic.topic,
            topic.topic_id,
            row.partition,
            row.fetch_offset,
            row.partition_max_bytes,
            row.current_leader_epoch,
            row.last_fetched_epoch,
        )
        for topic in request.topics
        for row in topic.partitions
    ]
    sessions = context.fetch_sessions
    session_id, epoch = request.session_id, request.session_epoch
    uses_ids = call.version >= 13
    now_ms = context.now_ms()
    if epoch in (INITIAL_EPOCH, FINAL_EPOCH) or call.version < 7:
        if session_id:
            sessions.close(session_id)
        session = sessions.create(entries, uses_ids, now_ms) if epoch == INITIAL_EPOCH and call.version >= 7 else None
        return Fetch(context, request, call, entries, session, False).reply()
    try:
        session = sessions.next(session_id, epoch, uses_ids, now_ms)
    except BrokerError as error:
        return FetchResponse(error_code=error.code)
    forgotten = [
        (topic.topic, topic.topic_id, index) for topic in request.forgotten_topics_data for index in topic.partitions
    ]
    session.change(entries, forgotten)
    return Fetch(context, request, call, list(session.entries.values()), session, True).reply()
