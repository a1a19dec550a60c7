"""Offsets of partitions: where a log begins and ends, and what stood in it at a given time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum

from kwire.client.cluster import Cluster
from kwire.client.errors import check, reply_error
from kwire.client.topology import TopicPartition
from kwire.errors import ErrorCode
from kwire.protocol.messages.list_offsets_request import ListOffsetsPartition, ListOffsetsRequest, ListOffsetsTopic
from kwire.protocol.messages.list_offsets_response import ListOffsetsResponse

LATEST = -1
EARLIEST = -2
MAX_TIMESTAMP = -3
EARLIEST_LOCAL = -4
LATEST_TIERED = -5
"""Timestamps with a meaning of their own; all others ask for the first record that is at least that new."""


class Isolation(IntEnum):
    """Whether a reader sees records of transactions that are still open, or were aborted."""

    READ_UNCOMMITTED = 0
    READ_COMMITTED = 1


@dataclass(frozen=True, slots=True)
class FoundOffset:
    offset: int  # -1: no record is that new
    timestamp: int  # of the record found by timestamp, else -1
    leader_epoch: int


async def list_offsets(
    cluster: Cluster,
    partitions: Iterable[TopicPartition],
    timestamp: int,
    isolation: Isolation = Isolation.READ_UNCOMMITTED,
) -> dict[TopicPartition, FoundOffset]:
    """The offset for a timestamp in every partition, each asked for at its leader, and again if that has moved."""
    wanted = list(partitions)
    for at in wanted:
        await cluster.partition(at)  # what never was there is not waited for; what moves in between is
    found: dict[TopicPartition, FoundOffset] = {}

    async def attempt() -> None:
        by_leader: dict[int, list[TopicPartition]] = {}
        for at in wanted:
            if at not in found:
                by_leader.setdefault(await cluster.leader_of(at), []).append(at)
        for leader, here in by_leader.items():
            request = ListOffsetsRequest(-1, isolation, _rows(cluster, here, timestamp), _timeout_ms(cluster))
            answer = await cluster.call_node(leader, request, ListOffsetsResponse)
            for topic in answer.topics:
                for row in topic.partitions:
                    at = TopicPartition(topic.name, row.partition_index)
                    check(f"offsets of {at}", row.error_code)
                    found[at] = FoundOffset(row.offset, row.timestamp, row.leader_epoch)
        missing = next((at for at in wanted if at not in found), None)
        if missing is not None:
            raise reply_error(f"offsets of {missing}", ErrorCode.UNKNOWN_SERVER_ERROR, "the broker left it out")

    await cluster.retrying(attempt)
    return {at: found[at] for at in wanted}


def _rows(cluster: Cluster, partitions: Iterable[TopicPartition], timestamp: int) -> list[ListOffsetsTopic]:
    by_topic: dict[str, list[ListOffsetsPartition]] = {}
    for topic, index in partitions:
        epoch = cluster.topology.topics[topic].partitions[index].leader_epoch
        by_topic.setdefault(topic, []).append(ListOffsetsPartition(index, epoch, timestamp))
    return [ListOffsetsTopic(topic, rows) for topic, rows in by_topic.items()]


def _timeout_ms(cluster: Cluster) -> int:
    return int(cluster.settings.request_timeout_s * 1000)


# ---- where a reader starts --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StartAt:
    """Where to start reading a partition: exactly one of these is given, by the functions below."""

    timestamp: int = 0  # or one of the special ones above
    offset: int | None = None
    last: int | None = None  # so many records before the end


def beginning() -> StartAt:
    return StartAt(EARLIEST)


def end() -> StartAt:
    return StartAt(LATEST)


def at_offset(offset: int) -> StartAt:
    return StartAt(offset=offset)


def at_timestamp(timestamp_ms: int) -> StartAt:
    """The first record that is at least that new, or the end."""
    return StartAt(timestamp_ms)


def last(count: int) -> StartAt:
    """So many offsets before the end, or the beginning where there are not that many."""
    return StartAt(last=count)


async def resolve(
    cluster: Cluster, partitions: Iterable[TopicPartition], start: StartAt, isolation: Isolation
) -> Mapping[TopicPartition, int]:
    """The offset at which to start in every partition."""
    wanted = list(partitions)
    if start.offset is not None:
        return dict.fromkeys(wanted, start.offset)
    if start.last is not None:
        begins = await list_offsets(cluster, wanted, EARLIEST, isolation)
        ends = await list_offsets(cluster, wanted, LATEST, isolation)
        return {at: max(begins[at].offset, ends[at].offset - start.last) for at in wanted}
    found = await list_offsets(cluster, wanted, start.timestamp, isolation)
    too_new = [at for at in wanted if found[at].offset < 0]
    ends = await list_offsets(cluster, too_new, LATEST, isolation) if too_new else {}
    return {at: (ends.get(at) or found[at]).offset for at in wanted}
