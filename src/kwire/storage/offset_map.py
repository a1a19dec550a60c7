"""The latest offset of every key in a stretch of log, in memory of a size that was given beforehand.

An open-addressed hash table in one anonymous mapping, 24 bytes an entry as in Kafka's dedupe buffer:

     0 identity  16 bytes  the key itself with its length when it is shorter than 16, else its BLAKE2b digest
    16 offset    int64     plus one, so that an entry of zeros is an empty one

A dict of digests would be twice as fast and take 130 bytes an entry. The mapping's pages become resident only when an
entry touches them, so that the capacity of a broker with small topics costs nothing.

What holds true: two keys have one identity only if 128 bits of BLAKE2b collide, so that a key's record is never taken
for superseded by another key's. Entries are never removed; when `max_entries` is reached the map is full, and the
caller compacts as far as `latest_offset` and comes back for the rest.
"""

from __future__ import annotations

import struct
from hashlib import blake2b
from mmap import mmap

ENTRY_BYTES = 24
NOT_FOUND = -1

_SHORT_KEY_BYTES = 15
_LENGTHS = tuple(bytes((length,)) for length in range(_SHORT_KEY_BYTES + 1))
_EMPTY = bytes(ENTRY_BYTES)

_pack_entry = struct.Struct(">16sq").pack
_unpack_offset = struct.Struct(">16xq").unpack


class OffsetMap:
    """Key to latest offset. Its size and load factor are Kafka's log.cleaner.dedupe.buffer.size and .load.factor."""

    __slots__ = ("_count", "_slots", "_table", "latest_offset", "max_entries")

    def __init__(self, capacity_bytes: int, load_factor: float = 0.9) -> None:
        slots = _prime_up_to(capacity_bytes // ENTRY_BYTES)
        self._slots = slots
        self._count = 0
        # One slot stays empty, or the search for a key that is not there would not end.
        self.max_entries = min(int(slots * load_factor), slots - 1)
        if self.max_entries < 1:
            raise ValueError(f"{capacity_bytes} bytes do not hold a single entry")
        self._table = mmap(-1, slots * ENTRY_BYTES)
        self.latest_offset = NOT_FOUND  # up to which the log is in the map, records without a key included

    def __len__(self) -> int:
        return self._count

    @property
    def is_full(self) -> bool:
        return self._count >= self.max_entries

    @property
    def utilization(self) -> float:
        return self._count / self._slots

    def clear(self) -> None:
        """Empties the map; the pages it used go back to the system."""
        self.close()
        self._table = mmap(-1, self._slots * ENTRY_BYTES)
        self._count = 0
        self.latest_offset = NOT_FOUND

    def close(self) -> None:
        """Gives the memory back; the map is not usable after that."""
        self._table.close()

    def put(self, key: bytes, offset: int) -> None:
        """Notes that the latest record of `key` is at `offset`. Offsets come in ascending order."""
        identity = _identity(key)
        position, is_new = self._find(identity, hash(key))
        if is_new:
            assert self._count < self.max_entries, "put into a full map"
            self._count += 1
        self._table[position : position + ENTRY_BYTES] = _pack_entry(identity, offset + 1)
        self.latest_offset = offset

    def get(self, key: bytes) -> int:
        """The latest offset of a key, or NOT_FOUND."""
        position, is_new = self._find(_identity(key), hash(key))
        if is_new:
            return NOT_FOUND
        return _unpack_offset(self._table[position : position + ENTRY_BYTES])[0] - 1

    def _find(self, identity: bytes, hashed: int) -> tuple[int, bool]:
        """Where the entry of an identity is, or would be (then True)."""
        table = self._table
        slots = self._slots
        slot = hashed % slots
        step = 0
        while True:
            position = slot * ENTRY_BYTES
            entry = table[position : position + ENTRY_BYTES]
            if entry == _EMPTY:
                return position, True
            if entry.startswith(identity):
                return position, False
            if not step:
                step = 1 + (hashed >> 20) % (slots - 1)  # any step visits every slot, their number being prime
            slot = (slot + step) % slots


def _identity(key: bytes) -> bytes:
    size = len(key)
    if size <= _SHORT_KEY_BYTES:
        return key.ljust(_SHORT_KEY_BYTES, b"\0") + _LENGTHS[size]
    return blake2b(key, digest_size=16).digest()


def _prime_up_to(number: int) -> int:
    """The largest prime that is not larger, or the number itself where there is none."""
    for candidate in range(number, 2, -1):
        if all(candidate % divisor for divisor in range(2, int(candidate**0.5) + 1)):
            return candidate
    return number
