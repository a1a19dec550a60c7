"""Fetch: v4-v18.

v4 brings the isolation level. v5 adds the log start offset. v7 adds sessions. v9 checks the leader epoch. v10 may carry
zstd. v11 names the rack. v12 is flexible and tells of diverging epochs. v13 names topics by id. v15 moves the replica
into a tag. v16 tells the current leader's endpoint. v17 and v18 concern followers.

A fetch that finds fewer than min_bytes waits for more, for max_wait_ms at most, without a task and without polling.
Record bytes are regions of files throughout.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

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
    EpochEndOffset,
    FetchableTopicResponse,
    FetchResponse,
    LeaderIdAndEpoch,
    NodeEndpoint,
    PartitionData,
)
from kwire.storage.files import StorageError
from kwire.storage.log import FetchResult, Isolation

NO_EPOCH = -1
EMPTY = b""
NOT_DIVERGING = EpochEndOffset.DEFAULT
ZSTD_SINCE_VERSION = 10
LEADER_SINCE_VERSION = 16


class Row:
    """One partition's part of a response. `is_urgent`: the client is to hear of it now, not after a long poll."""

    __slots__ = ("data", "entry", "is_urgent", "size_bytes")

    def __init__(self, entry: FetchEntry, data: PartitionData, size_bytes: int, *, is_urgent: bool) -> None:
        self.entry = entry
        self.data = data
        self.size_bytes = size_bytes
        self.is_urgent = is_urgent


class Fetch:
    """One fetch, from its request to its response."""

    __slots__ = ("_call", "_context", "_entries", "_isolation", "_request", "_session")

    def __init__(
        self,
        context: Context,
        request: FetchRequest,
        call: Call,
        entries: Iterable[FetchEntry],
        session: FetchSession | None,
    ) -> None:
        self._context = context
        self._request = request
        self._call = call
        self._entries = entries
        self._session = session
        self._isolation = Isolation.LAST_STABLE if request.isolation_level == 1 else Isolation.HIGH_WATERMARK

    def reply(self) -> Reply:
        rows, missing_bytes = self._read()
        max_wait_ms = self._request.max_wait_ms
        if missing_bytes <= 0 or max_wait_ms <= 0:
            return self._response(rows)
        partitions = self._partitions()
        if not partitions:
            return self._response(rows)
        later = Later(is_poll=True)
        self._wait(later, partitions, missing_bytes, self._context.timers.monotonic_ms() + max_wait_ms)
        return later

    # ---- waiting ---------------------------------------------------------------------------------------------

    def _wait(self, later: Later, partitions: list[Partition], missing_bytes: int, end_ms: float) -> None:
        look_again = partial(self._look_again, later, len(partitions), end_ms)
        wait = DataWait(partitions, missing_bytes, look_again, self._context.ready)
        later.on_abandon = wait.cancel
        wait.until(self._context.timers, end_ms)

    def _look_again(self, later: Later, partition_count: int, end_ms: float) -> None:
        """Bytes came, or time is over, or something else happened. What came may be behind an open transaction."""
        if not later.is_open:
            return
        rows, missing_bytes = self._read()
        if missing_bytes > 0 and self._context.timers.monotonic_ms() < end_ms:
            partitions = self._partitions()
            if len(partitions) == partition_count:
                self._wait(later, partitions, missing_bytes, end_ms)
                return
        later.complete(self._response(rows))

    def _partitions(self) -> list[Partition]:
        return [partition for entry in self._entries if (partition := self._find(entry)[0]) is not None]

    # ---- reading ---------------------------------------------------------------------------------------------

    def _read(self) -> tuple[list[Row], int]:
        """Reads all partitions within the limits: rows, and how many bytes are missing; none if one row is urgent."""
        rows: list[Row] = []
        request = self._request
        left_bytes = min(request.max_bytes, self._context.config.fetch_max_bytes)
        missing_bytes = request.min_bytes
        is_first = True
        is_urgent = False
        for entry in self._entries:
            row = self._read_one(entry, min(entry.max_bytes, left_bytes), is_first)
            rows.append(row)
            if row.size_bytes:
                is_first = False
                left_bytes -= row.size_bytes
                missing_bytes -= row.size_bytes
            is_urgent = is_urgent or row.is_urgent
        return rows, 0 if is_urgent else missing_bytes

    def _read_one(self, entry: FetchEntry, max_bytes: int, is_first: bool) -> Row:
        partition, code = self._find(entry)
        if partition is None:
            # That there is no such topic does not end a long poll on others (as in Kafka): the client would spin.
            return Row(entry, absent_data(entry.index, code), 0, is_urgent=code == ErrorCode.KAFKA_STORAGE_ERROR)
        # Other than in ListOffsets, every epoch below 0 stands for none here.
        code = check_leader_epoch(max(entry.current_leader_epoch, NO_EPOCH), partition.leader_epoch)
        if code == ErrorCode.FENCED_LEADER_EPOCH and self._call.version >= LEADER_SINCE_VERSION:
            leader = LeaderIdAndEpoch(self._context.node_id, partition.leader_epoch)
            return Row(entry, error_data(entry.index, code, leader), 0, is_urgent=True)
        if not code and self._call.version < ZSTD_SINCE_VERSION and partition.log.config.compression_type == "zstd":
            code = ErrorCode.UNSUPPORTED_COMPRESSION_TYPE
        if code:
            return Row(entry, error_data(entry.index, code), 0, is_urgent=True)
        try:
            if entry.last_fetched_epoch >= 0:
                diverging = find_divergence(partition, entry)
                if diverging is not None:
                    return self._row(entry, partition.read_nothing(), diverging)
            # The first batch of a response is sent whole even if it is larger than every limit, or a client would
            # never get past it; after that, what does not fit is left for the next fetch.
            if max_bytes <= 0 and not is_first:
                result = partition.read_nothing()
            else:
                result = partition.read(entry.fetch_offset, max(max_bytes, 0), self._isolation)
                if not is_first and result.size_bytes > max_bytes:
                    result = result._replace(regions=())
        except StorageError as error:
            self._context.storage_failed(error)
            return Row(entry, error_data(entry.index, ErrorCode.KAFKA_STORAGE_ERROR), 0, is_urgent=True)
        except BrokerError as error:
            return Row(entry, error_data(entry.index, error.code), 0, is_urgent=True)
        return self._row(entry, result, NOT_DIVERGING)

    def _row(self, entry: FetchEntry, result: FetchResult, diverging: EpochEndOffset) -> Row:
        regions = result.regions
        region_count = len(regions)
        records = regions[0] if region_count else EMPTY
        aborted = None
        if self._isolation is Isolation.LAST_STABLE:
            aborted = [AbortedTransaction(one.producer_id, one.first_offset) for one in result.aborted_transactions]
        data = PartitionData(
            entry.index,
            0,
            result.high_watermark,
            result.last_stable_offset,
            result.log_start_offset,
            diverging,
            aborted_transactions=aborted,
            records=records,
        )
        # A response has one segment's bytes of a partition. Where more follow there is nothing to wait for.
        return Row(entry, data, len(records), is_urgent=region_count > 1 or diverging is not NOT_DIVERGING)

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
        partition = topic.get(entry.index)
        if partition is None:
            return None, self._context.absence_of(topic.name, entry.index)
        return partition, ErrorCode.NONE

    # ---- answering -------------------------------------------------------------------------------------------

    def _response(self, rows: list[Row]) -> FetchResponse:
        session = self._session
        if session is None:
            return FetchResponse(responses=by_topic(rows), node_endpoints=self._endpoints(rows))
        told = session.tell(rows)
        return FetchResponse(session_id=session.id, responses=by_topic(told), node_endpoints=self._endpoints(told))

    def _endpoints(self, rows: list[Row]) -> Sequence[NodeEndpoint]:
        """Where the leaders are that rows name (KIP-951)."""
        if not any(row.data.current_leader.leader_id >= 0 for row in rows):
            return ()
        node = self._context.image.nodes[self._context.node_id]
        endpoint = node.endpoints[self._call.listener]
        return [NodeEndpoint(node.id, endpoint.host, endpoint.port, node.rack)]


def find_divergence(partition: Partition, entry: FetchEntry) -> EpochEndOffset | None:
    """Where the log of who fetches parted from ours, if it did (KIP-595). `BrokerError` if that cannot be told."""
    log = partition.log
    end = log.leader_epochs.end_offset_for(entry.last_fetched_epoch, log.log_end_offset)
    if end.epoch < 0 or entry.fetch_offset < log.log_start_offset:
        raise BrokerError(ErrorCode.OFFSET_OUT_OF_RANGE)
    if end.epoch < entry.last_fetched_epoch or end.end_offset < entry.fetch_offset:
        return EpochEndOffset(end.epoch, end.end_offset)
    return None


def by_topic(rows: list[Row]) -> list[FetchableTopicResponse]:
    topics: dict[tuple[str, bytes], list[PartitionData]] = {}
    for row in rows:
        topics.setdefault((row.entry.topic, row.entry.topic_id), []).append(row.data)
    return [FetchableTopicResponse(topic, topic_id, data) for (topic, topic_id), data in topics.items()]


def error_data(index: int, code: ErrorCode, leader: LeaderIdAndEpoch = LeaderIdAndEpoch.DEFAULT) -> PartitionData:
    return PartitionData(index, code, -1, -1, -1, current_leader=leader, aborted_transactions=None, records=EMPTY)


def absent_data(index: int, code: ErrorCode) -> PartitionData:
    """A partition that was not even looked at: Kafka then has an empty list where it has none after an error."""
    return PartitionData(index, code, -1, -1, -1, aborted_transactions=(), records=EMPTY)


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
    session = None
    if epoch in (INITIAL_EPOCH, FINAL_EPOCH) or call.version < 7:
        if session_id:
            sessions.close(session_id)
        if epoch == INITIAL_EPOCH and call.version >= 7:
            session = sessions.create(entries, uses_ids, now_ms)
        return Fetch(context, request, call, entries, session).reply()
    forgotten = [
        (topic.topic, topic.topic_id, index) for topic in request.forgotten_topics_data for index in topic.partitions
    ]
    try:
        session = sessions.next(session_id, epoch, uses_ids, now_ms)
    except BrokerError as error:
        return FetchResponse(error_code=error.code)
    session.change(entries, forgotten)
    if not session.entries:
        sessions.close(session_id)
        return FetchResponse()
    return Fetch(context, request, call, list(session.entries.values()), session).reply()
