"""`Rows` is a list that has not been made yet: whatever a list answers, it answers."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kwire.protocol.codec import decode, encode
from kwire.protocol.decoding import ROWS_MIN
from kwire.protocol.messages.fetch_request import FetchPartition, FetchRequest, FetchTopic
from kwire.protocol.messages.metadata_response import (
    MetadataResponse,
    MetadataResponsePartition,
    MetadataResponseTopic,
)
from kwire.protocol.rows import RowLayout, Rows
from kwire.protocol.source import ARRAY_COUNT_MAX

PAIR = struct.Struct(">hh")
LAYOUT = RowLayout(PAIR.size, lambda data: (f"{a}:{b}" for a, b in PAIR.iter_unpack(data)), PAIR.iter_unpack)

pairs = st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), max_size=8)
bounds = st.none() | st.integers(-12, 12)


def rows_of(values: list[tuple[int, int]], kind: type[bytes] | type[bytearray] = bytes) -> tuple[Rows[str], list[str]]:
    return Rows(LAYOUT, kind(b"".join(PAIR.pack(*value) for value in values))), [f"{a}:{b}" for a, b in values]


@given(pairs, st.sampled_from([bytes, bytearray]))
def test_rows_are_a_sequence_like_the_list(values: list[tuple[int, int]], kind: type[bytes]) -> None:
    rows, expected = rows_of(values, kind)
    assert isinstance(rows, Sequence)
    assert len(rows) == len(expected)
    assert bool(rows) == bool(expected)
    assert list(rows) == expected
    assert list(rows) == expected, "a second iteration starts anew"
    assert list(reversed(rows)) == expected[::-1]
    assert list(rows.values()) == values
    assert repr(rows) == repr(expected)
    for element in {*expected, "0:0", "10:10"}:
        assert (element in rows) == (element in expected)
        assert rows.count(element) == expected.count(element)
        if element in expected:
            assert rows.index(element) == expected.index(element)


@given(pairs)
def test_every_index_and_none_beyond(values: list[tuple[int, int]]) -> None:
    rows, expected = rows_of(values)
    for index in range(-len(values), len(values)):
        assert rows[index] == expected[index]
    for index in (-len(values) - 1, len(values), 10**9):
        with pytest.raises(IndexError):
            rows[index]


@given(pairs, bounds, bounds, bounds.filter(lambda step: step != 0))
def test_slices(values: list[tuple[int, int]], start: int | None, stop: int | None, step: int | None) -> None:
    rows, expected = rows_of(values)
    assert rows[start:stop:step] == expected[start:stop:step]


@given(pairs, pairs)
def test_equality_is_that_of_the_lists(left: list[tuple[int, int]], right: list[tuple[int, int]]) -> None:
    rows, expected = rows_of(left)
    others, other_expected = rows_of(right)
    assert (rows == others) == (expected == other_expected)
    assert (rows == other_expected) == (expected == other_expected)
    assert (other_expected == rows) == (expected == other_expected)
    assert (rows == tuple(other_expected)) == (expected == other_expected)
    assert rows == expected
    assert rows != "rows"
    assert rows != {*expected}


def test_rows_cannot_be_hashed_or_written_to() -> None:
    rows, _ = rows_of([(1, 2)])
    with pytest.raises(TypeError):
        hash(rows)
    with pytest.raises(TypeError):
        rows[0] = "x"  # pyright: ignore[reportIndexIssue]


# ---- as the decoder makes them ------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", [11, 12, 18])
def test_decoded_rows_are_the_structs(version: int) -> None:
    partitions = [FetchPartition(partition=index, fetch_offset=index * 7, log_start_offset=-1) for index in range(9)]
    topic = FetchTopic("t" if version < 13 else "", partitions=partitions)
    rows = decode(FetchRequest, version, encode(FetchRequest(topics=[topic]), version)).topics[0].partitions
    assert isinstance(rows, Rows)
    assert rows == partitions
    assert rows[3] == partitions[3]
    assert rows[-1] == partitions[-1]
    assert rows[2:5] == partitions[2:5]
    assert rows[4] is not rows[4], "an element is made when it is asked for"
    fields = [(row.partition, row.current_leader_epoch, row.fetch_offset) for row in partitions]
    assert [value[:3] for value in rows.values()] == fields
    # In flexible versions the empty set of tags ends each row.
    assert {len(value) for value in rows.values()} == {{11: 5, 12: 7, 18: 7}[version]}


@pytest.mark.parametrize("count", [ROWS_MIN - 1, ROWS_MIN])
def test_few_structs_are_made_at_once(count: int) -> None:
    request = FetchRequest(topics=[FetchTopic("t", partitions=[FetchPartition()] * count)])
    decoded = decode(FetchRequest, 12, encode(request, 12)).topics[0].partitions
    assert isinstance(decoded, Rows if count == ROWS_MIN else list)
    assert decoded == request.topics[0].partitions


@pytest.mark.parametrize("count", [0, 1, ARRAY_COUNT_MAX, ARRAY_COUNT_MAX + 1, 1000])
def test_numbers(count: int) -> None:
    replicas = list(range(-3, count - 3))
    partition = MetadataResponsePartition(replica_nodes=replicas)
    response = MetadataResponse(topics=[MetadataResponseTopic(name="t", partitions=[partition])])
    decoded = decode(MetadataResponse, 12, encode(response, 12)).topics[0].partitions[0].replica_nodes
    assert isinstance(decoded, Rows if count > ARRAY_COUNT_MAX else list)
    assert decoded == replicas
    assert list(decoded) == replicas
    assert decoded[1:4] == replicas[1:4]
