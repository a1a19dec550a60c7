"""What a reader sees of a fetch: not what came before, not markers, not aborted transactions."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kwire.client.fetched import Fetched, fetched
from kwire.client.topology import TopicPartition
from kwire.errors import BrokerError
from kwire.protocol.messages.fetch_response import AbortedTransaction
from kwire.records.batch import TRANSACTIONAL_FLAG
from kwire.records.builder import BatchBuilder
from kwire.records.compression import CompressionType
from kwire.records.control import ControlType, EndTransactionMarker, build_marker

AT = TopicPartition("orders", 0)


def batch(
    base_offset: int, *values: bytes, producer_id: int = -1, codec: CompressionType = CompressionType.NONE
) -> bytes:
    flags = TRANSACTIONAL_FLAG if producer_id >= 0 else 0
    builder = BatchBuilder(base_offset=base_offset, producer_id=producer_id, flags=flags, codec=codec)
    for value in values:
        builder.append(1000, None, value)
    return bytes(builder.build())


def marker(base_offset: int, producer_id: int, control_type: ControlType) -> bytes:
    end = EndTransactionMarker(control_type, 0)
    return bytes(build_marker(end, producer_id=producer_id, producer_epoch=0, timestamp=1, base_offset=base_offset))


def sort_out(
    *batches: bytes, start: int = 0, end: int | None = None, aborted: Sequence[tuple[int, int]] = ()
) -> Fetched:
    rows = [AbortedTransaction(producer_id, first_offset) for producer_id, first_offset in aborted]
    return fetched(AT, b"".join(batches), rows, start, end, 100)


def values(found: Fetched) -> list[bytes | None]:
    return [record.value for record in found.records()]


def test_whole_batches_come_and_only_what_was_asked_for_is_shown() -> None:
    batches = batch(5, b"5", b"6", b"7"), batch(8, b"8"), batch(9, b"9", b"10")
    found = sort_out(*batches, start=6, end=10)
    assert values(found) == [b"6", b"7", b"8", b"9"]
    assert found.next_offset == 11
    assert [record.offset for record in found.records()] == [6, 7, 8, 9]


def test_a_batch_outside_the_wanted_offsets_is_not_even_opened() -> None:
    found = sort_out(batch(0, b"0", b"1"), batch(2, b"2"), batch(3, b"3"), start=2, end=3)
    assert [header.base_offset for _, header in found.batches] == [2]
    assert found.next_offset == 4


def test_a_batch_that_is_cut_off_is_left_for_the_next_fetch() -> None:
    found = sort_out(batch(0, b"0"), batch(1, b"1")[:-1])
    assert values(found) == [b"0"]
    assert found.next_offset == 1


def test_nothing_whole_moves_nothing() -> None:
    assert sort_out(batch(7, b"7")[:30], start=7).next_offset == 7


@pytest.mark.parametrize("codec", list(CompressionType))
def test_every_compression(codec: CompressionType) -> None:
    assert values(sort_out(batch(0, b"a", b"b" * 500, codec=codec))) == [b"a", b"b" * 500]


def test_a_wrong_checksum_raises() -> None:
    broken = bytearray(batch(0, b"value"))
    broken[-2] ^= 1
    with pytest.raises(BrokerError, match="CRC-32C"):
        sort_out(bytes(broken))


def test_markers_take_offsets_and_are_not_shown() -> None:
    found = sort_out(batch(0, b"0", producer_id=7), marker(1, 7, ControlType.COMMIT))
    assert values(found) == [b"0"]
    assert found.next_offset == 2


def test_an_aborted_transaction_is_left_out_up_to_its_marker() -> None:
    found = sort_out(
        batch(0, b"aborted", producer_id=7),
        batch(1, b"plain"),
        batch(2, b"other", producer_id=8),
        batch(3, b"aborted too", producer_id=7),
        marker(4, 7, ControlType.ABORT),
        batch(5, b"next transaction", producer_id=7),
        marker(6, 7, ControlType.COMMIT),
        marker(7, 8, ControlType.COMMIT),
        aborted=[(7, 0)],
    )
    assert values(found) == [b"plain", b"other", b"next transaction"]
    assert found.next_offset == 8


def test_two_aborted_transactions_of_one_producer_with_a_committed_one_between() -> None:
    found = sort_out(
        batch(0, b"a", producer_id=7),
        marker(1, 7, ControlType.ABORT),
        batch(2, b"b", producer_id=7),
        marker(3, 7, ControlType.COMMIT),
        batch(4, b"c", producer_id=7),
        marker(5, 7, ControlType.ABORT),
        aborted=[(7, 4), (7, 0)],  # in whatever order they come
    )
    assert values(found) == [b"b"]


def test_an_aborted_transaction_that_began_before_the_fetch() -> None:
    found = sort_out(
        batch(10, b"middle", producer_id=7),
        marker(11, 7, ControlType.ABORT),
        batch(12, b"z"),
        start=10,
        aborted=[(7, 3)],
    )
    assert values(found) == [b"z"]


def test_without_a_list_of_aborted_ones_everything_is_shown() -> None:
    found = sort_out(batch(0, b"aborted", producer_id=7), marker(1, 7, ControlType.ABORT))
    assert values(found) == [b"aborted"]


@given(st.lists(st.integers(1, 4), min_size=1, max_size=8), st.data())
def test_any_cut_of_a_log_shows_the_offsets_between(sizes: list[int], data: st.DataObject) -> None:
    batches: list[bytes] = []
    total = 0
    for size in sizes:
        batches.append(batch(total, *(b"%d" % (total + number) for number in range(size))))
        total += size
    start = data.draw(st.integers(0, total - 1))
    end = data.draw(st.integers(start + 1, total))
    assert values(sort_out(*batches, start=start, end=end)) == [b"%d" % offset for offset in range(start, end)]
