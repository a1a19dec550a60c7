"""Producers and aborted transactions, made anew from the batches of a log: the headers, and the markers' records."""

from __future__ import annotations

from kwire.records.batch import CONTROL_FLAG
from kwire.records.control import read_marker
from kwire.storage.producer_table import ProducerTable
from kwire.storage.segment_list import SegmentList
from kwire.storage.transaction_index import AbortedTransaction

_NEVER = 2**63 - 1


def replay_producers(
    producers: ProducerTable, segments: SegmentList, end_offset: int, index_from_offset: int = _NEVER
) -> None:
    """Brings the table from its `end_offset` up to the log's.

    Aborted transactions whose marker is at `index_from_offset` or behind it are added to their segment's index, which
    has none of them.
    """
    if producers.end_offset < end_offset:
        for segment in segments.starting_from(producers.end_offset):
            start = producers.end_offset
            for position, header in segment.iter_headers(segment.offset_index.lookup(start)[1]):
                if header.producer_id < 0 or header.last_offset < start:
                    continue
                if not header.attributes & CONTROL_FLAG:
                    producers.append(header, header.base_offset)
                    continue
                marker = read_marker(segment.log.read_at(header.size_bytes, position), 0, header)
                completed = marker and producers.append_marker(header, header.base_offset, marker)
                if completed and completed.is_aborted and completed.last_offset >= index_from_offset:
                    segment.transaction_index.append(AbortedTransaction(*completed[:4]))
    producers.end_offset = end_offset
