"""Finding records of a segment by their timestamps: through the indexes to a batch, then in the batch's records."""

from __future__ import annotations

from kwire.records.batch import NO_TIMESTAMP
from kwire.records.record import iter_timestamps, read_section, search_timestamp
from kwire.storage.segment import Segment


def find_timestamp(segment: Segment, timestamp: int, start_offset: int) -> tuple[int, int, int] | None:
    """(timestamp, offset, leader_epoch) of the first record from `start_offset` on that is not older."""
    # What is before the entry's offset is older. The entry's own batch may be newer than what is asked for.
    offset = max(segment.time_index.lookup(timestamp)[1], start_offset)
    for position, header in segment.iter_headers(segment.offset_index.lookup(offset)[1]):
        if header.max_timestamp >= timestamp and header.last_offset >= start_offset:
            batch = segment.log.read_at(header.size_bytes, position)
            found = search_timestamp(batch, 0, header, timestamp, start_offset)
            if found is not None:
                return found[1], found[0], header.leader_epoch
    return None


def max_timestamp_from(segment: Segment, start_offset: int) -> int:
    """The largest timestamp of the records from `start_offset` on, -1 if there is none."""
    if find_timestamp(segment, segment.max_timestamp, start_offset) is not None:
        return segment.max_timestamp
    # The newest record was deleted on request: what is left of the segment has to be walked.
    largest = NO_TIMESTAMP
    for position, header in segment.iter_headers(segment.offset_index.lookup(start_offset)[1]):
        if header.base_offset >= start_offset:
            largest = max(largest, header.max_timestamp)
        elif header.last_offset >= start_offset:
            section = read_section(segment.log.read_at(header.size_bytes, position), 0, header)
            newest = (timestamp for offset, timestamp in iter_timestamps(section, header) if offset >= start_offset)
            largest = max(largest, max(newest, default=NO_TIMESTAMP))
    return largest
