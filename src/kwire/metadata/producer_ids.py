"""Producer ids are handed out in blocks: a node takes one from the store and then gives single ids from memory.

A block that was taken is gone, even if the node stops before it used it up: an id is never given twice.
"""

from __future__ import annotations

from dataclasses import dataclass

from kwire.errors import ErrorCode
from kwire.metadata import entries
from kwire.metadata.decision import Decision, Draft, RefusedError
from kwire.metadata.image import MetadataImage

BLOCK_SIZE = 1000
"""As in Kafka."""

PRODUCER_ID_MAX = 2**63 - 1


@dataclass(frozen=True, slots=True)
class ProducerIdBlock:
    """The ids from `first` on, `size` of them."""

    first: int
    size: int


def allocate_producer_ids(image: MetadataImage) -> Decision[ProducerIdBlock]:
    """Takes the next block. `RefusedError` when there are no ids left, which takes a few hundred million years."""
    first = image.producer_ids.next_id
    if first > PRODUCER_ID_MAX - BLOCK_SIZE:
        raise RefusedError(ErrorCode.UNKNOWN_SERVER_ERROR, "All producer ids are used up.")
    draft = Draft()
    draft.changes.append(entries.producer_ids_change(first + BLOCK_SIZE))
    draft.expected[entries.PRODUCER_IDS] = image.producer_ids.revision
    return draft.decide([ProducerIdBlock(first, BLOCK_SIZE)])
