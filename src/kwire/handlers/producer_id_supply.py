"""The producer ids that this broker has in stock: taken from the metadata in blocks, given out one by one.

What is left of a block when the broker stops is never given: an id is not worth a commit.
"""

from __future__ import annotations

from kwire.metadata.producer_ids import ProducerIdBlock


class ProducerIdSupply:
    """The rest of one block."""

    __slots__ = ("_end", "_next")

    def __init__(self) -> None:
        self._next = 0
        self._end = 0

    def __len__(self) -> int:
        return self._end - self._next

    def refill(self, block: ProducerIdBlock) -> None:
        """Takes a new block, when the old one is used up."""
        assert not len(self), f"{len(self)} ids are left"
        self._next = block.first
        self._end = block.first + block.size

    def take(self) -> int:
        """An id that nobody has."""
        assert len(self), "no ids are left"
        self._next += 1
        return self._next - 1
