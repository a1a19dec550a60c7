"""What a fetch brought from one partition, without what its reader must not see.

A fetch returns whole batches: the first may begin before the offset that was asked for, the last may be cut off, and
among them are control batches (transaction markers) and, for a reader of committed records, batches of transactions
that were aborted. The reply names those by producer and first offset; from there to the abort marker of that producer
everything it wrote in transactions is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kwire.client.topology import TopicPartition
from kwire.protocol.messages.fetch_response import AbortedTransaction
from kwire.records.batch import BatchHeader, ReadableBuffer, check_crc, iter_batches
from kwire.records.control import ControlType, read_control_type
from kwire.records.record import Record, iter_records


@dataclass(frozen=True, slots=True)
class Fetched:
    """The visible batches of one partition, and the offset that comes after all that was fetched."""

    at: TopicPartition
    data: ReadableBuffer
    batches: Sequence[tuple[int, BatchHeader]]  # position in `data`, header
    first_offset: int  # records before this one were not asked for
    end_offset: int | None  # nor those from this one on
    next_offset: int
    high_watermark: int

    def records(self) -> Iterator[Record]:
        """The records that were asked for, in order."""
        for position, header in self.batches:
            for record in iter_records(self.data, position, header):
                if record.offset < self.first_offset:
                    continue
                if self.end_offset is not None and record.offset >= self.end_offset:
                    return
                yield record


def fetched(
    at: TopicPartition,
    data: ReadableBuffer,
    aborted: Sequence[AbortedTransaction],
    first_offset: int,
    end_offset: int | None,
    high_watermark: int,
) -> Fetched:
    """Sorts out the batches of a reply. Those whose checksum is wrong raise."""
    batches: list[tuple[int, BatchHeader]] = []
    next_offset = first_offset
    for position, header, visible in _sorted_out(data, aborted):
        check_crc(data, position, header)
        next_offset = max(next_offset, header.next_offset)
        if visible and header.last_offset >= first_offset and (end_offset is None or header.base_offset < end_offset):
            batches.append((position, header))
    return Fetched(at, data, batches, first_offset, end_offset, next_offset, high_watermark)


def _sorted_out(data: ReadableBuffer, aborted: Sequence[AbortedTransaction]) -> Iterator[tuple[int, BatchHeader, bool]]:
    """Every batch, and whether its records are for the reader."""
    to_come = sorted(aborted, key=lambda row: row.first_offset, reverse=True)
    aborting: set[int] = set()  # producers inside a transaction that was aborted
    for position, header in iter_batches(data):
        while to_come and to_come[-1].first_offset <= header.last_offset:
            aborting.add(to_come.pop().producer_id)
        if header.is_control:
            if header.producer_id in aborting and read_control_type(data, position, header) is ControlType.ABORT:
                aborting.discard(header.producer_id)
            yield position, header, False
        else:
            yield position, header, not (header.is_transactional and header.producer_id in aborting)
