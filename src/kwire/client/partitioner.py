"""Which partition a record goes to: by its key's hash as in Java's client, or where the last ones without a key went.

Records with the same key must meet in the same partition whoever wrote them, so that the hash is the Java client's own,
murmur2 with its seed. Without a key a record only needs to go somewhere, and batches are fuller when many in a row
go to the same partition (KIP-480).
"""

from __future__ import annotations

from random import Random

_SEED = 0x9747B28C
_M = 0x5BD1E995
_MASK = 0xFFFFFFFF


def murmur2(data: bytes) -> int:
    """MurmurHash2 of 32 bits, unsigned."""
    length = len(data)
    h = _SEED ^ length
    whole = length & ~3
    for at in range(0, whole, 4):
        k = int.from_bytes(data[at : at + 4], "little") * _M & _MASK
        k = (k ^ k >> 24) * _M & _MASK
        h = h * _M & _MASK ^ k
    if length > whole:
        h = (h ^ int.from_bytes(data[whole:], "little")) * _M & _MASK
    h = (h ^ h >> 13) * _M & _MASK
    return h ^ h >> 15


def partition_of_key(key: bytes, partition_count: int) -> int:
    """Java's `toPositive` takes the sign bit away instead of the sign."""
    return (murmur2(key) & 0x7FFFFFFF) % partition_count


class StickyPartition:
    """The partition for records without a key: the same until `move` is called, which is when its batch is closed."""

    __slots__ = ("_rng", "partition", "partition_count")

    def __init__(self, partition_count: int, rng: Random) -> None:
        self.partition_count = partition_count
        self._rng = rng
        self.partition = rng.randrange(partition_count)

    def move(self) -> int:
        """Another partition than now, where there is another."""
        if self.partition_count > 1:
            step = self._rng.randrange(1, self.partition_count)
            self.partition = (self.partition + step) % self.partition_count
        return self.partition
