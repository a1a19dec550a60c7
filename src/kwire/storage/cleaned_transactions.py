"""Which transactions the cleaner is in the middle of, and whether their batches and markers are still needed.

It is shown every batch in the order of the log. A transaction is known to be aborted from the segments' transaction
indexes, which are handed in beforehand; every other one that has a marker was committed.

| batch                                    | answer                                                           |
|------------------------------------------|------------------------------------------------------------------|
| data of an aborted transaction           | can go                                                           |
| any other data                           | stays, as far as compaction lets it                              |
| abort marker, data was seen before it    | stays: readers need it to leave the data out until it is gone    |
| commit marker, data was seen before it   | stays                                                            |
| a marker without data before it          | can go, once its delete horizon has passed                       |
| a control batch without a record         | can go                                                           |

Seen means seen in this pass. What this pass drops of an aborted transaction is seen all the same: other replicas and
readers that are at it may still hold it, so that its marker goes one pass later.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from itertools import count
from typing import Generic, Protocol, TypeVar

from kwire.records.batch import BatchHeader, ReadableBuffer
from kwire.records.control import ControlType, read_control_type


class AbortedTransaction(Protocol):
    """An entry of a transaction index."""

    @property
    def producer_id(self) -> int: ...
    @property
    def first_offset(self) -> int: ...


T = TypeVar("T", bound=AbortedTransaction)


class CleanedTransactions(Generic[T]):
    """The state of transactions along one pass over a log."""

    __slots__ = ("_aborted", "_ongoing_aborted", "_ongoing_committed", "_order", "_seen_aborted", "retained")

    def __init__(self, aborted: Iterable[T] = ()) -> None:
        self._aborted: list[tuple[int, int, T]] = []
        self._order = count()
        self._ongoing_aborted: dict[int, T] = {}
        self._seen_aborted: set[int] = set()
        self._ongoing_committed: set[int] = set()
        self.retained: list[T] = []  # in the order of their markers: the index of what is written
        self.add_aborted(aborted)

    def add_aborted(self, aborted: Iterable[T]) -> None:
        """Entries of the index of the segment that comes next."""
        for transaction in aborted:
            heapq.heappush(self._aborted, (transaction.first_offset, next(self._order), transaction))

    def on_data(self, header: BatchHeader) -> bool:
        """A batch of records. True if it is part of an aborted transaction."""
        self._begin_up_to(header.last_offset)
        if not header.is_transactional:
            return False
        if header.producer_id in self._ongoing_aborted:
            self._seen_aborted.add(header.producer_id)
            return True
        self._ongoing_committed.add(header.producer_id)
        return False

    def on_control(self, buffer: ReadableBuffer, position: int, header: BatchHeader) -> bool:
        """A control batch. True if nothing needs it any more."""
        self._begin_up_to(header.last_offset)
        control_type = read_control_type(buffer, position, header)
        if control_type is None:
            return True
        producer_id = header.producer_id
        if control_type is ControlType.ABORT:
            transaction = self._ongoing_aborted.pop(producer_id, None)
            if transaction is None or producer_id not in self._seen_aborted:
                return True
            self._seen_aborted.remove(producer_id)
            self.retained.append(transaction)
            return False
        if control_type is ControlType.COMMIT:
            was_seen = producer_id in self._ongoing_committed
            self._ongoing_committed.discard(producer_id)
            return not was_seen
        return False

    def _begin_up_to(self, offset: int) -> None:
        while self._aborted and self._aborted[0][0] <= offset:
            transaction = heapq.heappop(self._aborted)[2]
            self._ongoing_aborted.setdefault(transaction.producer_id, transaction)
