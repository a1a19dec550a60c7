"""The offset map against a dict, and its bounds."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kwire.storage.offset_map import ENTRY_BYTES, NOT_FOUND, OffsetMap

# Short keys are stored themselves, longer ones as digests; around the border, and with the zeros that pad the short.
keys = st.one_of(
    st.binary(max_size=3),
    st.binary(min_size=13, max_size=18),
    st.integers(0, 20).map(bytes),
    st.integers(0, 40).map(lambda number: b"key-%020d" % number),
)


@settings(deadline=None)
@given(st.lists(keys, max_size=200), st.lists(keys, max_size=20), st.sampled_from([0.3, 0.9, 1.0]))
def test_is_a_dict(put: list[bytes], asked: list[bytes], load_factor: float) -> None:
    offsets = OffsetMap(1000 * ENTRY_BYTES, load_factor)
    model: dict[bytes, int] = {}
    for offset, key in enumerate(put):
        offsets.put(key, offset)
        model[key] = offset
        assert offsets.latest_offset == offset
    assert len(offsets) == len(model)
    for key in {*put, *asked}:
        assert offsets.get(key) == model.get(key, NOT_FOUND)


@pytest.mark.parametrize("slots", [2, 3, 4, 5, 8, 100, 101])
def test_holds_what_it_promises(slots: int) -> None:
    offsets = OffsetMap(slots * ENTRY_BYTES, 1.0)
    assert 1 <= offsets.max_entries < slots
    count = 0
    while not offsets.is_full:
        offsets.put(b"key-%d" % count, count)
        count += 1
    assert count == len(offsets) == offsets.max_entries
    assert [offsets.get(b"key-%d" % number) for number in range(count)] == list(range(count))
    assert offsets.get(b"another") == NOT_FOUND
    # A key that is there may move on in a full map; a new one is the caller's mistake.
    offsets.put(b"key-0", 99)
    assert offsets.get(b"key-0") == 99
    with pytest.raises(AssertionError):
        offsets.put(b"another", 100)


def test_most_of_the_memory_is_used() -> None:
    offsets = OffsetMap(24_000_000, 0.9)
    assert 0.89 * 1_000_000 < offsets.max_entries <= 0.9 * 1_000_000
    assert offsets.utilization == 0


def test_clear_forgets_everything() -> None:
    offsets = OffsetMap(1000)
    offsets.put(b"key", 7)
    offsets.clear()
    assert (offsets.get(b"key"), len(offsets), offsets.latest_offset) == (NOT_FOUND, 0, NOT_FOUND)
    offsets.put(b"key", 8)
    assert offsets.get(b"key") == 8


@pytest.mark.parametrize("capacity_bytes", [0, 1, 24, 47])
def test_no_room_for_an_entry_is_a_mistake(capacity_bytes: int) -> None:
    with pytest.raises(ValueError, match="do not hold"):
        OffsetMap(capacity_bytes)


@pytest.mark.parametrize("offset", [0, 1, 2**31, 2**62, 2**63 - 2])
def test_every_offset_fits(offset: int) -> None:
    offsets = OffsetMap(1000)
    offsets.put(b"", offset)
    assert offsets.get(b"") == offset
