"""Producers and aborted transactions, made anew from the batches of a log: the headers, and the markers' records."""

from __future__ import annotations

import logging

from kwire.records.batch import CONTROL_FLAG, BatchError
from kwire.records.control import read_marker
from kwire.storage.producer_table import ProducerTable
from kwire.storage.segment import Segment
from kwire.storage.segment_list import SegmentList
from kwire.storage.transaction_index import AbortedTransaction

logger = logging.getLogger(__name__)

_NEVER = 2**63 - 1


def reload_producers(
    producers: ProducerTable,
    segments: SegmentList,
    end_offset: int,
    now_ms: int,
    *,
    index_from_offset: int = _NEVER,
) -> None:
    """Makes the table that of a log with these segments: from the newest snapshot that fits, then batch by batch.

    The indexes of aborted transactions are made anew for markers at `index_from_offset` and behind it.
    """
    # The snapshot of the first segment fits too: it has the producers whose batches are deleted by now.
    start_offset = max(0, segments[0].base_offset - 1)
    producers.truncate_and_reload(start_offset, min(end_offset, index_from_offset), now_ms)
    for segment in segments.starting_from(index_from_offset):
        segment.transaction_index.truncate_to(index_from_offset)
    if producers.end_offset < end_offset:
        for segment in segments.starting_from(producers.end_offset):
            try:
                _replay(producers, segment, index_from_offset)
            except BatchError as error:
                # Damage to what was flushed once. The log can be read up to it, and behind it in the next segment.
                logger.warning("%s: what producers wrote behind it in this segment is not known", error.detail)
    producers.end_offset = end_offset


def _replay(producers: ProducerTable, segment: Segment, index_from_offset: int) -> None:
    start_offset = producers.end_offset
    for position, header in segment.iter_headers(segment.offset_index.lookup(start_offset)[1]):
        if header.producer_id < 0 or header.last_offset < start_offset:
            continue
        if not header.attributes & CONTROL_FLAG:
            producers.append(header, header.base_offset)
            continue
        marker = read_marker(segment.log.read_at(header.size_bytes, position), 0, header)
        completed = marker and producers.append_marker(header, header.base_offset, marker)
        if completed and completed.is_aborted and completed.last_offset >= index_from_offset:
            segment.transaction_index.append(AbortedTransaction(*completed[:4]))
