"""The partition of a key is Java's; records without one stick together."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kafka.partitioner.default import murmur2 as reference_murmur2

from kwire.client.partitioner import StickyPartition, murmur2, partition_of_key


@pytest.mark.parametrize(
    ("text", "signed"),
    [
        ("21", -973932308),
        ("foobar", -790332482),
        ("a-little-bit-long-string", -985981536),
        ("a-little-bit-longer-string", -1486304829),
        ("lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", -58897971),
        ("abc", 479470107),
    ],
)
def test_murmur2_is_javas(text: str, signed: int) -> None:
    assert murmur2(text.encode()) == signed % 2**32


@given(st.binary(max_size=100))
def test_murmur2_agrees_with_another_client(data: bytes) -> None:
    assert murmur2(data) == reference_murmur2(data) % 2**32


@given(st.binary(max_size=20), st.integers(1, 1000))
def test_a_key_has_one_partition(key: bytes, count: int) -> None:
    assert partition_of_key(key, count) == (reference_murmur2(key) & 0x7FFFFFFF) % count


@given(st.integers(2, 50), st.integers())
def test_sticky_moves_to_another_partition_and_reaches_all(count: int, seed: int) -> None:
    sticky = StickyPartition(count, Random(seed))
    seen = {sticky.partition}
    for _ in range(count * 20):
        before = sticky.partition
        assert sticky.move() != before
        assert 0 <= sticky.partition < count
        seen.add(sticky.partition)
    assert len(seen) > 1


def test_a_single_partition_stays() -> None:
    sticky = StickyPartition(1, Random(0))
    assert (sticky.partition, sticky.move(), sticky.move()) == (0, 0, 0)
