"""Where the last batches lie, against a list of all of them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kwire.storage.recent_batches import RecentBatches


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(1, 5), st.integers(61, 500)), min_size=1, max_size=400), st.data()
)
def test_what_is_known_is_right(steps: list[tuple[int, int, int]], data: st.DataObject) -> None:
    recent = RecentBatches()
    batches: list[tuple[int, int, int]] = []
    next_offset = position = 0
    for gap, count, size in steps:
        base_offset = next_offset + gap
        recent.add(base_offset, base_offset + count - 1, position)
        batches.append((base_offset + count - 1, position, size))
        next_offset, position = base_offset + count, position + size
    assert recent.next_offset() == next_offset
    known_from = recent.start_offset
    assert sum(last_offset >= known_from for last_offset, _, _ in batches) >= min(len(batches), 64)
    for offset in data.draw(st.lists(st.integers(known_from, next_offset + 1), max_size=20)):
        expected = next(((at, size) for last_offset, at, size in batches if last_offset >= offset), None)
        assert recent.locate(offset, position) == expected


def test_nothing_is_known_at_first() -> None:
    recent = RecentBatches()
    assert recent.next_offset() is None
    assert recent.start_offset == 2**63 - 1
