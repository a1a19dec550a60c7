"""What a log remembers of one producer, and the rules by which its next batch is taken, known already, or refused.

An idempotent producer numbers its records per partition: 0, 1, ... 2^31-1, 0, ... A batch must continue where the last
one ended. The last five batches are remembered, since a producer has at most five requests in flight: a retry of one
of them is answered with the offsets it got the first time (KIP-98). A new epoch starts again at 0 and fences the old.

| batch has                                | answer                                       |
|------------------------------------------|----------------------------------------------|
| an unknown producer id                   | taken, whatever its sequence (KIP-360)       |
| the epoch and sequences of one of five   | a duplicate, with its first offsets          |
| an older epoch                           | INVALID_PRODUCER_EPOCH                       |
| a newer epoch and first sequence 0       | taken                                        |
| a newer epoch and another first sequence | OUT_OF_ORDER_SEQUENCE_NUMBER                 |
| the epoch, and the next sequence         | taken                                        |
| the epoch, and any other sequence        | OUT_OF_ORDER_SEQUENCE_NUMBER                 |
| no transaction, while one is open        | INVALID_TXN_STATE                            |

Nothing here knows of files, of other producers, or of the log.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from kwire.errors import BrokerError, ErrorCode
from kwire.records.batch import (
    NO_PRODUCER_EPOCH,
    NO_SEQUENCE,
    NO_TIMESTAMP,
    TRANSACTIONAL_FLAG,
    BatchHeader,
    increment_sequence,
)

BATCHES_REMEMBERED = 5
NO_OFFSET = -1
NO_COORDINATOR_EPOCH = -1

_SEQUENCE_MASK = 2**31 - 1
_PRODUCER_EPOCH_MAX = 2**15 - 1
_EPOCH_BUMPING_VERSION = 2
"""From this transaction.version on, every transaction has its own epoch, and a marker's is newer than the data's."""


class BatchMetadata(NamedTuple):
    """A batch that was appended."""

    last_sequence: int
    last_offset: int
    offset_delta: int
    timestamp: int

    @property
    def first_sequence(self) -> int:
        return increment_sequence(self.last_sequence, -self.offset_delta)

    @property
    def first_offset(self) -> int:
        return self.last_offset - self.offset_delta


# As BatchMetadata(...), at a third of the time; the ignore: tuple's element type stays unknown to pyright.
_new_batch: Callable[[type[BatchMetadata], tuple[int, int, int, int]], BatchMetadata]
_new_batch = tuple.__new__  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]


@dataclass(slots=True)
class ProducerState:
    """One producer in one log. `transaction_start_offset` is -1 while it has no open transaction."""

    producer_id: int
    epoch: int = NO_PRODUCER_EPOCH
    coordinator_epoch: int = NO_COORDINATOR_EPOCH
    last_timestamp: int = NO_TIMESTAMP
    transaction_start_offset: int = NO_OFFSET
    next_sequence: int = 0
    batches: list[BatchMetadata] = field(default_factory=list[BatchMetadata])
    """The last five of this epoch, oldest first."""

    @property
    def last_sequence(self) -> int:
        """The sequence of the last record in this epoch, or -1."""
        return self.batches[-1].last_sequence if self.batches else NO_SEQUENCE

    @property
    def last_offset(self) -> int:
        """The offset of the last record in this epoch, or -1."""
        return self.batches[-1].last_offset if self.batches else NO_OFFSET

    @property
    def last_offset_delta(self) -> int:
        """The last offset delta of the last batch in this epoch."""
        return self.batches[-1].offset_delta if self.batches else 0

    def check(self, header: BatchHeader) -> BatchMetadata | None:
        """Whether a client's batch may be appended: the batch it repeats, None if it may, `BrokerError` if not."""
        if header.producer_epoch == self.epoch:
            duplicate = self._find_duplicate(header)
            if duplicate is not None:
                return duplicate
        if header.producer_epoch < self.epoch:
            raise self._fenced(header.producer_epoch)
        if header.base_sequence != (self.next_sequence if header.producer_epoch == self.epoch else 0):
            raise BrokerError(
                ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER,
                f"producer {self.producer_id} epoch {header.producer_epoch}: "
                f"sequence {header.base_sequence} after {self.last_sequence} of epoch {self.epoch}",
            )
        self._check_transaction(header)
        return None

    def check_epoch(self, header: BatchHeader) -> None:
        """Refuse a batch of an older epoch, or one outside of the producer's open transaction.

        Alone it is the check of batches that a coordinator writes, which have no sequence.
        """
        if header.producer_epoch < self.epoch:
            raise self._fenced(header.producer_epoch)
        self._check_transaction(header)

    def check_marker(self, producer_epoch: int, coordinator_epoch: int, transaction_version: int) -> None:
        """Refuse the marker of a coordinator that was replaced, or of an older epoch of the producer.

        Under epoch bumping (KIP-890) an equal epoch is too old too, unless the marker is a retry: then the
        transaction is over. At the largest epoch there is no next one to bump to.
        """
        if transaction_version >= _EPOCH_BUMPING_VERSION:
            is_retry = self.transaction_start_offset < 0 or producer_epoch == _PRODUCER_EPOCH_MAX
            is_old = producer_epoch < self.epoch or (producer_epoch == self.epoch and not is_retry)
        else:
            is_old = producer_epoch < self.epoch
        if is_old:
            raise self._fenced(producer_epoch)
        if coordinator_epoch < self.coordinator_epoch:
            raise BrokerError(
                ErrorCode.TRANSACTION_COORDINATOR_FENCED,
                f"producer {self.producer_id}: coordinator epoch {coordinator_epoch} after {self.coordinator_epoch}",
            )

    def append(self, epoch: int, base_sequence: int, last_offset: int, offset_delta: int, timestamp: int) -> None:
        """Remember a batch that was appended."""
        batches = self.batches
        if epoch != self.epoch:
            self.epoch = epoch
            batches.clear()
        last_sequence = NO_SEQUENCE if base_sequence == NO_SEQUENCE else (base_sequence + offset_delta) & _SEQUENCE_MASK
        batches.append(_new_batch(BatchMetadata, (last_sequence, last_offset, offset_delta, timestamp)))
        if len(batches) > BATCHES_REMEMBERED:
            del batches[0]
        self.next_sequence = (last_sequence + 1) & _SEQUENCE_MASK
        self.last_timestamp = timestamp

    def end_transaction(self, epoch: int, coordinator_epoch: int, timestamp: int) -> None:
        """Remember a marker that was appended."""
        if epoch != self.epoch:
            self.epoch = epoch
            self.batches.clear()
            self.next_sequence = 0
        self.coordinator_epoch = coordinator_epoch
        self.last_timestamp = timestamp
        self.transaction_start_offset = NO_OFFSET

    def _find_duplicate(self, header: BatchHeader) -> BatchMetadata | None:
        first, last = header.base_sequence, header.last_sequence
        for batch in self.batches:
            if batch.last_sequence == last and batch.first_sequence == first:
                return batch
        return None

    def _check_transaction(self, header: BatchHeader) -> None:
        if self.transaction_start_offset >= 0 and not header.attributes & TRANSACTIONAL_FLAG:
            raise BrokerError(
                ErrorCode.INVALID_TXN_STATE,
                f"producer {self.producer_id}: not transactional, "
                f"but its transaction is open since offset {self.transaction_start_offset}",
            )

    def _fenced(self, producer_epoch: int) -> BrokerError:
        return BrokerError(
            ErrorCode.INVALID_PRODUCER_EPOCH,
            f"producer {self.producer_id}: epoch {producer_epoch} after {self.epoch}",
        )
