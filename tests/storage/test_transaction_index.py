"""The transaction index: Kafka's bytes, and which aborted transactions a range has."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kwire.storage.transaction_index import AbortedTransaction, TransactionIndex
from kwire.testing.fake_files import FakeFileSystem

PATH = "/00000000000000000000.txnindex"

FROM_KAFKA = [AbortedTransaction(1, 11, 21, 22), AbortedTransaction(1, 33, 43, 44), AbortedTransaction(1, 55, 65, 66)]
FROM_KAFKA_HEX = (
    "00000000000000000001000000000000000b00000000000000150000000000000016"
    "00000000000000000001000000000000002100000000000000"
    "2b000000000000002c"
    "00000000000000000001000000000000003700000000000000410000000000000042"
)


def make_index(transactions: list[AbortedTransaction]) -> TransactionIndex:
    index = TransactionIndex(FakeFileSystem(), PATH)
    for transaction in transactions:
        index.append(transaction)
    return index


def test_entries_are_kafkas_bytes() -> None:
    index = make_index(FROM_KAFKA)
    assert index.file is not None
    assert index.file.read_at(200, 0).hex() == FROM_KAFKA_HEX
    assert index.all() == FROM_KAFKA


def test_no_file_before_the_first_entry() -> None:
    files = FakeFileSystem()
    index = TransactionIndex(files, PATH)
    assert index.all() == []
    assert index.collect(0, 100) == ([], False)
    index.truncate_to(0)
    assert index.find_fault(0) is None
    assert not files.exists(PATH)
    index.append(FROM_KAFKA[0])
    assert TransactionIndex.open(files, PATH).all() == FROM_KAFKA[:1]


def test_collect_ends_where_a_stable_offset_covers_the_range() -> None:
    index = make_index(FROM_KAFKA)
    assert index.collect(0, 11) == ([], True)
    assert index.collect(0, 12) == (FROM_KAFKA[:1], True)
    assert index.collect(21, 44) == (FROM_KAFKA[:2], True)
    assert index.collect(22, 34) == (FROM_KAFKA[1:2], True)
    assert index.collect(44, 100) == (FROM_KAFKA[2:], False)
    assert index.collect(66, 100) == ([], False)


aborted_transactions = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 30), st.integers(1, 5), st.integers(0, 9)), max_size=20
).map(
    lambda steps: [
        AbortedTransaction(producer, max(0, last - length), last, last + 1)
        for i, (producer, length, _, _) in enumerate(steps)
        for last in [sum(step[2] for step in steps[: i + 1])]
    ]
)


@given(aborted_transactions, st.integers(0, 120), st.integers(0, 60))
def test_collect_misses_none(transactions: list[AbortedTransaction], first: int, length: int) -> None:
    index = make_index(transactions)
    found, _ = index.collect(first, first + length)
    wanted = [t for t in transactions if t.last_offset >= first and t.first_offset < first + length]
    # What lies behind a marker with a stable offset beyond the range began behind it: it was cut off rightly.
    stable = next((t.last_stable_offset for t in transactions if t.last_stable_offset >= first + length), None)
    assert found == [t for t in wanted if stable is None or t.last_stable_offset <= stable]


@given(aborted_transactions, st.integers(0, 120))
def test_truncation_keeps_the_markers_before(transactions: list[AbortedTransaction], offset: int) -> None:
    index = make_index(transactions)
    index.truncate_to(offset)
    assert index.all() == [t for t in transactions if t.last_offset < offset]


def test_faults() -> None:
    index = make_index(FROM_KAFKA)
    assert index.find_fault(0) is None
    assert "after a marker at 29" in (index.find_fault(30) or "")
    index.append(AbortedTransaction(1, 60, 64, 66))
    assert "after a marker at 65" in (index.find_fault(0) or "")
    assert index.file is not None
    index.file.truncate(35)
    assert "35 bytes" in (index.find_fault(0) or "")
