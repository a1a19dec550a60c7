"""Records on their way to one partition: one batch that is being filled, and at most one that is being sent.

While a batch is on its way the next one fills, so that batches grow with the load by themselves; when that one is full
too, the producer has to wait. One batch in flight per partition keeps records in order through every repetition, and
bounds the memory to two batches per partition.

    empty --append--> open --full, linger is over, or flush--> closed --take--> empty, and one batch is being sent
"""

from __future__ import annotations

from collections.abc import Iterable

import trio

from kwire.client.errors import ClientError
from kwire.client.topology import TopicPartition
from kwire.records.builder import BatchBuilder
from kwire.records.compression import CompressionType
from kwire.records.record import Header

# What a record takes besides key, value and headers: lengths, deltas and counts, generously.
_RECORD_OVERHEAD_BYTES = 24


class Delivery:
    """What became of a batch, shared by all its records: `wait` for the offset of its first, or the error."""

    __slots__ = ("_done", "_error", "at", "base_offset", "record_count")

    def __init__(self, at: TopicPartition) -> None:
        self.at = at
        self.record_count = 0
        self.base_offset = -1  # stays so with acks=0, where nobody tells
        self._error: ClientError | None = None
        self._done = trio.Event()

    @property
    def is_done(self) -> bool:
        return self._done.is_set()

    async def wait(self) -> int:
        """The base offset, once the broker has told it."""
        await self._done.wait()
        if self._error is not None:
            raise self._error
        return self.base_offset

    def resolve(self, base_offset: int) -> None:
        self.base_offset = base_offset
        self._done.set()

    def reject(self, error: ClientError) -> None:
        self._error = error
        self._done.set()


class Outbox:
    """The batches of one partition; see the module for their states."""

    __slots__ = (
        "_batch_bytes",
        "_builder",
        "_changed",
        "_codec",
        "_delivery",
        "_in_flight",
        "_level",
        "at",
        "closed",
        "opened_at_s",
    )

    def __init__(self, at: TopicPartition, batch_bytes: int, codec: CompressionType, level: int | None) -> None:
        self.at = at
        self.closed = False
        self.opened_at_s = 0.0  # when the first record of the batch being filled came
        self._batch_bytes = batch_bytes
        self._codec = codec
        self._level = level
        self._builder: BatchBuilder | None = None
        self._delivery = Delivery(at)
        self._in_flight: Delivery | None = None
        self._changed = trio.Event()

    @property
    def is_empty(self) -> bool:
        return self._builder is None

    @property
    def is_idle(self) -> bool:
        """Nothing is waiting here and nothing is on its way."""
        return self._builder is None and self._in_flight is None

    def has_room(self, key: bytes | None, value: bytes | None) -> bool:
        """Whether a record still fits. The first of a batch always does; the broker judges one that is too large.

        Where it does not fit the batch is closed: there is no use in waiting for smaller records.
        """
        if self._builder is None:
            return True
        size = self._builder.section_bytes + len(key or b"") + len(value or b"") + _RECORD_OVERHEAD_BYTES
        if size > self._batch_bytes:
            self.close()
        return not self.closed

    def append(self, timestamp: int, key: bytes | None, value: bytes | None, headers: Iterable[Header]) -> Delivery:
        """Adds a record for which there is room."""
        builder = self._builder
        if builder is None:
            builder = BatchBuilder(codec=self._codec, level=self._level)
        builder.append(timestamp, key, value, headers)
        if self._builder is None:  # from here on, since a record that is refused opens no batch
            self._builder = builder
            self._delivery = Delivery(self.at)
            self.opened_at_s = trio.current_time()
            self._wake()
        self._delivery.record_count += 1
        return self._delivery

    def close(self) -> None:
        """The batch is to be sent now, if there is one."""
        if self._builder is not None and not self.closed:
            self.closed = True
            self._wake()

    def take(self) -> tuple[BatchBuilder, Delivery]:
        """The batch as it is, to be sent. There is room again for whoever waits."""
        builder, delivery = self._builder, self._delivery
        assert builder is not None
        assert self._in_flight is None
        self._builder = None
        self.closed = False
        self._in_flight = delivery
        self._wake()
        return builder, delivery

    def sent(self) -> None:
        """The batch that was taken has arrived, or never will."""
        self._in_flight = None
        self._wake()

    async def wait_changed(self) -> None:
        await self._changed.wait()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = trio.Event()
