"""Reads partitions from given offsets on: one long poll after the other at every leader, no groups.

    async with open_consumer(cluster, {TopicPartition("orders", 0): 0}) as consumer:
        async for fetched in consumer:
            for record in fetched.records(): ...

What holds true: what comes from one partition comes in order, without gaps and without repetition, also across a change
of its leader. At most `ahead` answers wait for the reader; past that nothing more is asked for. With ends given, the
iteration stops when every partition has reached its own. An error that does not pass within the cluster's deadline, and
one that never would, come out of the iteration.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import cast

import trio

from kwire.client.background import background_tasks
from kwire.client.cluster import Cluster, Lane, backoff_s
from kwire.client.errors import ClientError, check, reply_error
from kwire.client.fetched import Fetched, fetched
from kwire.client.offsets import EARLIEST, LATEST, Isolation, list_offsets
from kwire.client.topology import TopicPartition
from kwire.errors import BrokerError, ErrorCode
from kwire.protocol.messages.fetch_request import FetchPartition, FetchRequest, FetchTopic
from kwire.protocol.messages.fetch_response import FetchResponse, PartitionData


@dataclass(frozen=True, slots=True)
class ConsumerSettings:
    isolation: Isolation = Isolation.READ_UNCOMMITTED
    max_wait_ms: int = 500  # how long the broker may wait for min_bytes
    min_bytes: int = 1
    max_bytes: int = 50 * 1024 * 1024
    partition_max_bytes: int = 1024 * 1024
    ahead: int = 2  # answers that may wait for the reader


@asynccontextmanager
async def open_consumer(
    cluster: Cluster,
    start_offsets: Mapping[TopicPartition, int],
    end_offsets: Mapping[TopicPartition, int] | None = None,
    settings: ConsumerSettings | None = None,
) -> AsyncGenerator[Consumer]:
    """A consumer for the length of the block, which fetches in the background."""
    settings = settings or ConsumerSettings()
    outgoing, incoming = trio.open_memory_channel[Fetched | ClientError](settings.ahead)
    async with background_tasks() as nursery:
        fetcher = _Fetcher(cluster, settings, dict(start_offsets), dict(end_offsets or {}), outgoing)
        nursery.start_soon(fetcher.run)
        yield Consumer(incoming)


class Consumer:
    """What was fetched, as it arrives. Ends when every partition is at its end, if it was given one."""

    def __init__(self, incoming: trio.MemoryReceiveChannel[Fetched | ClientError]) -> None:
        self._incoming = incoming

    def __aiter__(self) -> Consumer:
        return self

    async def __anext__(self) -> Fetched:
        try:
            item = await self._incoming.receive()
        except trio.EndOfChannel:
            raise StopAsyncIteration from None
        if isinstance(item, ClientError):
            raise item
        return item


class _Fetcher:
    """Knows the next offset of every partition; `run` fetches until all are at their end."""

    def __init__(
        self,
        cluster: Cluster,
        settings: ConsumerSettings,
        next_offsets: dict[TopicPartition, int],
        end_offsets: dict[TopicPartition, int],
        outgoing: trio.MemorySendChannel[Fetched | ClientError],
    ) -> None:
        self._cluster = cluster
        self._settings = settings
        self._next_offsets = next_offsets
        self._end_offsets = end_offsets
        self._outgoing = outgoing
        self._failure: ClientError | None = None
        self._failures = 0  # rounds in a row without an answer that was any good
        self._good_until_s = 0.0

    async def run(self) -> None:
        """Rounds of fetching from all leaders; a round ends when one of them turns out not to be it any longer."""
        # Closed without a checkpoint: the reader would wake, leave, and have the exception that brought us here, a
        # Ctrl-C perhaps, replaced by its cancellation.
        with self._outgoing:
            self._note_success()
            while self._drop_finished():
                try:
                    await self._round()
                except ClientError as error:
                    self._failure = error
                if self._failure is None:
                    continue
                failure, self._failure = self._failure, None
                if not failure.retriable or trio.current_time() > self._good_until_s:
                    await self._outgoing.send(failure)
                    return
                self._failures += 1
                self._cluster.invalidate()
                await trio.sleep(backoff_s(self._cluster.settings, self._failures, self._cluster.rng))

    async def _round(self) -> None:
        by_leader: dict[int, list[TopicPartition]] = {}
        for at in self._next_offsets:
            by_leader.setdefault(await self._cluster.leader_of(at), []).append(at)
        async with trio.open_nursery() as nursery:
            for leader, partitions in by_leader.items():
                nursery.start_soon(partial(self._fetch_from, leader, partitions, nursery.cancel_scope))

    async def _fetch_from(self, leader: int, partitions: list[TopicPartition], round_scope: trio.CancelScope) -> None:
        """Long polls at one leader until its partitions are done, or something is wrong: that ends the round."""
        try:
            connection = await self._cluster.connection_to(leader, Lane.LONG_POLLS)
            while here := [at for at in partitions if at in self._next_offsets]:
                timeout_s = self._cluster.settings.request_timeout_s + self._settings.max_wait_ms / 1000
                names = {self._cluster.topology.topics[at.topic].topic_id: at.topic for at in here}
                answer = await connection.call(self._request(here), FetchResponse, timeout_s)
                check(f"{connection.peer}: Fetch", answer.error_code)
                for topic in answer.responses:
                    name = topic.topic or names.get(topic.topic_id, "")
                    for row in topic.partitions:
                        await self._take(TopicPartition(name, row.partition_index), row)
                self._note_success()
                self._drop_finished()
        except ClientError as error:
            self._failure = error
            round_scope.cancel()

    def _request(self, partitions: list[TopicPartition]) -> FetchRequest:
        settings, topics = self._settings, self._cluster.topology.topics
        by_topic: dict[str, list[FetchPartition]] = {}
        for at in partitions:
            row = FetchPartition(
                partition=at.partition,
                current_leader_epoch=topics[at.topic].partitions[at.partition].leader_epoch,
                fetch_offset=self._next_offsets[at],
                partition_max_bytes=settings.partition_max_bytes,
            )
            by_topic.setdefault(at.topic, []).append(row)
        return FetchRequest(
            max_wait_ms=settings.max_wait_ms,
            min_bytes=settings.min_bytes,
            max_bytes=settings.max_bytes,
            isolation_level=settings.isolation,
            topics=[FetchTopic(name, topics[name].topic_id, rows) for name, rows in by_topic.items()],
        )

    async def _take(self, at: TopicPartition, row: PartitionData) -> None:
        offset = self._next_offsets.get(at)
        if offset is None:
            return
        if row.error_code == ErrorCode.OFFSET_OUT_OF_RANGE:
            raise await self._out_of_range(at, offset)
        check(f"partition {at}", row.error_code)
        data = cast("memoryview", row.records) if row.records else b""
        if not data:
            return
        try:
            found = fetched(
                at, data, row.aborted_transactions or (), offset, self._end_offsets.get(at), row.high_watermark
            )
        except BrokerError as error:
            raise ClientError(error.code, f"partition {at} at offset {offset}: {error}") from None
        if found.next_offset == offset:
            message = f"partition {at} at offset {offset}: {len(data)} bytes without a whole batch"
            raise ClientError(ErrorCode.CORRUPT_MESSAGE, message)
        # The offset moves once the reader has it: what a cancelled round could not hand over is fetched again.
        if found.batches:
            await self._outgoing.send(found)
        self._next_offsets[at] = found.next_offset

    async def _out_of_range(self, at: TopicPartition, offset: int) -> ClientError:
        """The error, with the offsets that there are: the broker does not tell."""
        begin, end = [(await list_offsets(self._cluster, [at], which))[at].offset for which in (EARLIEST, LATEST)]
        hint = f"its log has offsets {begin} to {end - 1}" if end > begin else "its log is empty"
        return reply_error(f"offset {offset} of partition {at}", ErrorCode.OFFSET_OUT_OF_RANGE, hint=hint)

    def _note_success(self) -> None:
        self._failures = 0
        self._good_until_s = trio.current_time() + self._cluster.settings.deadline_s

    def _drop_finished(self) -> bool:
        """Lets go of partitions that are at their end; whether any is left."""
        ends = self._end_offsets
        for at in [at for at, offset in self._next_offsets.items() if at in ends and offset >= ends[at]]:
            del self._next_offsets[at]
        return bool(self._next_offsets)
